package trace

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
)

// clockRule is what a reading says of the order of events that have no common clock: those of one process are in order
// (by); a vector clock counts what has happened before an event; and an event happened at some moment of an interval,
// so that of two whose intervals have no moment in common one was first.
type clockRule struct {
	pos      diag.Pos
	by       []*path // whose event it is; several values are a list
	vector   *path
	pairs    bool // the vector clock is a list of pairs, and no object
	from, to *logExpr
	lines    bool // an event happened from the line of its call to that of its return
}

// occurrence is an event with what is known of when it happened.
type occurrence struct {
	*Event
	cases []*boundCase
	seen  map[string]int // its vector clock
	count int            // its own component there: how many of the process have happened with it
	// began and ended are the ends of its interval, by their rank among all moments: both are 0 without intervals.
	began, ended int
	mover        int // the process that moves; -1 if that is not known, or not one
	// calm: it is likely enough to take it as soon as it can be, and nothing else in its place.
	calm bool
}

// never is the end of what has none: it happened at some time, or not at all.
const never = math.MaxInt

// maybe reports whether it may be that the event has not happened.
func (e *occurrence) maybe() bool { return e.ended == never || e.loose }

// about is where among all moments it was, about.
func (e *occurrence) about() int {
	if e.ended == never {
		return never/2 + e.began
	}
	return e.began + e.ended
}

// thread is events that are in order: those of one process, or log, or those where each had ended before the next one
// began.
type thread struct {
	name   string
	events []*occurrence
	count  int   // events so far, with those that are ignored
	until  []int // of each event: the first end of it and those after it; never behind the last one
	sends  []int // how many messages the events from one on send to a process at most
}

// moment is a time: a number, or a text with date and time, in nanoseconds.
type moment struct {
	of    *occurrence
	at    *big.Rat
	began bool
}

// timeline reads the intervals of events: of each its two ends, in any order.
type timeline struct {
	rule  *clockRule
	texts *occurrence // whose times are texts
	nums  *occurrence // whose times are numbers
	list  []moment
}

// add reads the interval of an event.
func (l *timeline) add(e *occurrence, v any) error {
	from, began, err := l.moment(e, v, l.rule.from)
	if err != nil {
		return err
	}
	if e.call != nil {
		v = e.returned // a call says nothing of when it returns
	}
	to, ended, err := l.moment(e, v, l.rule.to)
	if err != nil {
		return err
	}
	if began && ended && to.Cmp(from) < 0 {
		return e.wrongAt(l.rule.to.path, "the event ended (%s) before it began (%s)", l.rule.to.text, l.rule.from.text)
	}
	if e.began, e.ended = 0, never; began {
		l.list = append(l.list, moment{e, from, true})
	}
	if ended {
		l.list = append(l.list, moment{e, to, false})
	}
	return nil
}

// lines has an event begin at the line of its call, and end at that of its return.
func (l *timeline) lines(e *occurrence) {
	l.list = append(l.list, moment{e, big.NewRat(int64(e.Event.began), 1), true})
	if e.ended = never; e.Event.ended > 0 {
		l.list = append(l.list, moment{e, big.NewRat(int64(e.Event.ended), 1), false})
	}
}

// ranked numbers the moments from 1: 0 is before all.
func (l *timeline) ranked() {
	slices.SortStableFunc(l.list, func(a, b moment) int { return a.at.Cmp(b.at) })
	rank := 0
	for i, m := range l.list {
		if i == 0 || m.at.Cmp(l.list[i-1].at) != 0 {
			rank++
		}
		if m.began {
			m.of.began = rank
		} else {
			m.of.ended = rank
		}
	}
}

func (l *timeline) moment(e *occurrence, v any, x *logExpr) (at *big.Rat, ok bool, err error) {
	got, ok, err := x.look(e.Event, v)
	if err != nil || !ok || got == nil {
		return nil, false, err
	}
	switch got := got.(type) {
	case json.Number:
		text := numeral(got)
		if len(text) <= 2*mostDigits && strings.IndexByte(text, 'e') < 0 {
			at, _ = new(big.Rat).SetString(text)
		}
		if at == nil {
			return nil, false, e.wrongAt(x.path, "%s is %s, which is no time", x.text, got)
		}
		l.nums = e
		at.Add(at, new(big.Rat).SetInt64(x.add))
	case string:
		t, err := time.Parse(time.RFC3339Nano, got)
		if err != nil {
			return nil, false, e.wrongAt(x.path,
				"%s is %q, which is no time: a number, or a text such as \"2026-01-02T15:04:05.678Z\"", x.text, got)
		}
		if x.add != 0 {
			return nil, false, e.wrongAt(x.path, "%s adds to a text: times that are numbers can be added to", x.text)
		}
		l.texts = e
		at = new(big.Rat).SetInt(new(big.Int).Add(big.NewInt(int64(t.Nanosecond())),
			new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))))
	default:
		return nil, false, e.wrongAt(x.path, "%s is %s, which is no time", x.text, plain(got))
	}
	if l.texts != nil && l.nums != nil {
		other := l.nums
		if other == e {
			other = l.texts
		}
		return nil, false, e.wrongAt(x.path, "%s is a text here and a number in %s, or the other way round", x.text,
			other.Place())
	}
	return at, true, nil
}

// sort divides events into threads.
func (o *orderer) sort(events []*Event) error {
	k := o.c.r.clock
	l := &timeline{rule: k}
	var list []*occurrence // where threads are made of intervals
	for _, e := range events {
		cases, err := o.c.casesOf(e)
		if err != nil {
			return err
		}
		v, _ := o.c.r.under(e)
		name, known, err := k.whose(e, v, cases == nil)
		if err != nil {
			return err
		}
		if cases == nil {
			if known { // the program counts it
				o.thread(name).count++
			}
			continue
		}
		if beginning(cases) {
			o.first = append(o.first, e)
			continue
		}
		x := &occurrence{Event: e, cases: cases, calm: seen(cases)}
		x.mover = o.moverOf(x)
		switch {
		case k != nil && k.lines:
			l.lines(x)
		case k != nil && k.from != nil:
			if err := l.add(x, v); err != nil {
				return err
			}
		}
		if k != nil && k.by == nil {
			list = append(list, x)
			continue
		}
		t := o.thread(name)
		t.count++
		t.events = append(t.events, x)
		if k != nil && k.vector != nil {
			if err := t.clocked(x, k, v); err != nil {
				return err
			}
		}
	}
	l.ranked()
	o.chains(list)
	for _, t := range o.threads {
		if err := t.ends(); err != nil {
			return err
		}
	}
	return o.known()
}

// seen reports whether an event shows no step, whatever it is.
func seen(cases []*boundCase) bool {
	return !slices.ContainsFunc(cases, func(bc *boundCase) bool {
		return slices.ContainsFunc(bc.parts, func(p *part) bool { return p.kind != partSee })
	})
}

// chains makes threads of events by their intervals: of each process that moves as few as there are, with events of
// which each had ended before the next one began.
func (o *orderer) chains(list []*occurrence) {
	slices.SortStableFunc(list, func(a, b *occurrence) int { return a.began - b.began })
	of := map[int][]*thread{}
	for _, e := range list {
		i := slices.IndexFunc(of[e.mover], func(t *thread) bool { return t.events[len(t.events)-1].ended < e.began })
		if i < 0 {
			i = len(of[e.mover])
			t := &thread{}
			of[e.mover], o.threads = append(of[e.mover], t), append(o.threads, t)
		}
		t := of[e.mover][i]
		t.events = append(t.events, e)
	}
}

// ends notes the first ends. That an event of a process had ended before one began that comes before it, is an error.
func (t *thread) ends() error {
	t.until = make([]int, len(t.events)+1)
	t.until[len(t.events)] = never
	var first *occurrence
	for i, e := range slices.Backward(t.events) {
		if e.began > t.until[i+1] {
			return e.Wrong("by its interval this event began after the one of %s had ended, which comes after it in %s",
				first.Place(), t.name)
		}
		if t.until[i] = t.until[i+1]; e.ended < t.until[i] {
			t.until[i], first = e.ended, e
		}
	}
	return nil
}

// whose returns which process an event is of: of one that is ignored it need not say. Events of one log are of one
// process if the reading does not say more.
func (k *clockRule) whose(e *Event, v any, ignored bool) (name string, known bool, err error) {
	if k == nil {
		return e.File, true, nil
	}
	var list []any
	for _, p := range k.by {
		got, ok := p.at(v)
		switch {
		case ok:
			list = append(list, got)
		case ignored:
			return "", false, nil
		default:
			return "", false, e.wrongAt(p, "there is no %s here, which says whose event this is", p.text)
		}
	}
	switch len(list) {
	case 0:
		return "", false, nil
	case 1:
		return plain(list[0]), true, nil
	}
	return plain(list), true, nil
}

// thread returns the thread of a name.
func (o *orderer) thread(name string) *thread {
	i, known := o.index[name]
	if !known {
		i = len(o.threads)
		o.index[name] = i
		o.threads = append(o.threads, &thread{name: name})
	}
	return o.threads[i]
}

// clocked notes the vector clock of a thread's last event. Its own component grows; without one, events are counted.
func (t *thread) clocked(e *occurrence, k *clockRule, v any) (err error) {
	if e.seen, err = k.counts(e.Event, v); err != nil {
		return err
	}
	own, ok := e.seen[t.name]
	if !ok {
		own = t.count
	}
	if n := len(t.events); n > 1 && own <= t.events[n-2].count {
		return e.wrongAt(k.vector,
			"the vector clock says that %d events of %s have happened, and said %d at an event before this one",
			own, t.name, t.events[n-2].count)
	}
	t.count, e.count = max(t.count, own), own
	return nil
}

// counts reads a vector clock: how many events of each process have happened at or before an event.
func (k *clockRule) counts(e *Event, v any) (map[string]int, error) {
	p := k.vector
	got, ok := p.at(v)
	if !ok {
		return nil, e.wrongAt(p, "there is no vector clock %s here", p.text)
	}
	out := map[string]int{}
	add := func(name string, count any) error {
		n, isInt := integer(count)
		if !isInt || n < 0 || n > math.MaxInt32 {
			return e.wrongAt(p, "%s: %s is no number of events", p.text, plain(count))
		}
		if _, twice := out[name]; twice {
			return e.wrongAt(p, "%s counts the events of %s twice", p.text, name)
		}
		out[name] = int(n)
		return nil
	}
	m, isObject := got.(map[string]any)
	list, isList := got.([]any)
	switch {
	case isObject && !k.pairs:
		for name, n := range m {
			if err := add(name, n); err != nil {
				return nil, err
			}
		}
	case isList && k.pairs:
		for _, x := range list {
			pair, _ := x.([]any)
			if len(pair) != 2 {
				return nil, e.wrongAt(p, "%s: %s is no pair of a process and a number of events", p.text, plain(x))
			}
			if err := add(plain(pair[0]), pair[1]); err != nil {
				return nil, err
			}
		}
	case isList:
		return nil,
			e.wrongAt(p, "%s is no vector clock: {\"a\": 1, \"b\": 3} (of a list of pairs, say vector pairs %s)",
				p.text, p.text)
	case isObject:
		return nil, e.wrongAt(p, "%s is no list of pairs: [[\"a\", 1], [\"b\", 3]] (of an object, say vector %s)",
			p.text,
			p.text)
	default:
		return nil, e.wrongAt(p, "%s is no vector clock: {\"a\": 1, \"b\": 3}", p.text)
	}
	return out, nil
}

// known checks that the vector clocks speak of processes that the log knows, or the reading: an unknown name, misspelt
// perhaps, would order nothing. That nothing of a process has happened may be said of any.
func (o *orderer) known() error {
	if o.c.r.clock == nil || o.c.r.clock.vector == nil {
		return nil
	}
	somebody := map[string]bool{}
	for _, t := range o.c.names {
		for name := range t.known {
			somebody[name] = true
		}
		for k := 1; t.own && k <= t.role.Size; k++ {
			somebody[strconv.Itoa(k)] = true
		}
	}
	for _, th := range o.threads {
		somebody[th.name] = true
		for _, e := range th.events {
			root, _ := o.c.r.under(e.Event)
			for x, t := range values(e.cases) {
				if v, ok, err := x.look(e.Event, root); t.Kind == protocol.KindRole && err == nil && ok {
					somebody[plain(v)] = true
				}
			}
		}
	}
	for _, th := range o.threads {
		for _, e := range th.events {
			for _, name := range slices.Sorted(maps.Keys(e.seen)) {
				if e.seen[name] > 0 && !somebody[name] {
					return e.wrongAt(o.c.r.clock.vector,
						"%s counts events of %q, and there is no such process in the log",
						o.c.r.clock.vector.text, name)
				}
			}
		}
	}
	return nil
}

// waits returns a thread whose next event was before that of another one, by its vector clock or interval; -1 if there
// is none.
func (o *orderer) waits(p *place, t int) int {
	e := o.threads[t].events[p.at[t]]
	for i, th := range o.threads {
		if i == t || int(p.at[i]) == len(th.events) {
			continue
		}
		if n, counted := e.seen[th.name]; counted && th.events[p.at[i]].count <= n || th.until[p.at[i]] < e.began {
			return i
		}
	}
	return -1
}

// why says why an event waits for that of another thread.
func (o *orderer) why(p *place, t, before int) string {
	th, e := o.threads[before], o.threads[t].events[p.at[t]]
	if th.until[p.at[before]] < e.began {
		return fmt.Sprintf("%s had ended before it began", th.events[p.at[before]].Place())
	}
	return fmt.Sprintf("%s is before it, by its vector clock", th.events[p.at[before]].Place())
}
