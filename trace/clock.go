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

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/trace/reading"
)

// occurrence is an event with what is known of when it happened.
type occurrence struct {
	*reading.Event
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
func (e *occurrence) maybe() bool { return e.ended == never || e.Loose }

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
	rule  *reading.ClockRule
	texts *occurrence // whose times are texts
	nums  *occurrence // whose times are numbers
	list  []moment
}

// add reads the interval of an event.
func (l *timeline) add(e *occurrence, v any) error {
	from, began, err := l.moment(e, v, l.rule.From)
	if err != nil {
		return err
	}
	if e.Call != nil {
		v = e.Returned // a call says nothing of when it returns
	}
	to, ended, err := l.moment(e, v, l.rule.To)
	if err != nil {
		return err
	}
	if began && ended && to.Cmp(from) < 0 {
		return e.WrongAt(l.rule.To.Path, "the event ended (%s) before it began (%s)", l.rule.To.Text, l.rule.From.Text)
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
	l.list = append(l.list, moment{e, big.NewRat(int64(e.Event.Began), 1), true})
	if e.ended = never; e.Event.Ended > 0 {
		l.list = append(l.list, moment{e, big.NewRat(int64(e.Event.Ended), 1), false})
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

func (l *timeline) moment(e *occurrence, v any, x *reading.LogExpr) (at *big.Rat, ok bool, err error) {
	got, ok, err := x.Look(e.Event, v)
	if err != nil || !ok || got == nil {
		return nil, false, err
	}
	switch got := got.(type) {
	case json.Number:
		text := reading.Numeral(got)
		if len(text) <= 2*reading.MostDigits && strings.IndexByte(text, 'e') < 0 {
			at, _ = new(big.Rat).SetString(text)
		}
		if at == nil {
			return nil, false, e.WrongAt(x.Path, "%s is %s, which is no time", x.Text, got)
		}
		l.nums = e
		at.Add(at, new(big.Rat).SetInt64(x.Add))
	case string:
		t, err := time.Parse(time.RFC3339Nano, got)
		if err != nil {
			return nil, false, e.WrongAt(x.Path,
				"%s is %q, which is no time: a number, or a text such as \"2026-01-02T15:04:05.678Z\"", x.Text, got)
		}
		if x.Add != 0 {
			return nil, false, e.WrongAt(x.Path, "%s adds to a text: times that are numbers can be added to", x.Text)
		}
		l.texts = e
		at = new(big.Rat).SetInt(new(big.Int).Add(big.NewInt(int64(t.Nanosecond())),
			new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))))
	default:
		return nil, false, e.WrongAt(x.Path, "%s is %s, which is no time", x.Text, reading.Plain(got))
	}
	if l.texts != nil && l.nums != nil {
		other := l.nums
		if other == e {
			other = l.texts
		}
		return nil, false, e.WrongAt(x.Path, "%s is a text here and a number in %s, or the other way round", x.Text,
			other.Place())
	}
	return at, true, nil
}

// sort divides events into threads.
func (o *orderer) sort(events []*reading.Event) error {
	k := o.c.r.Clock
	l := &timeline{rule: k}
	var list []*occurrence // where threads are made of intervals
	for _, e := range events {
		cases, err := o.c.casesOf(e)
		if err != nil {
			return err
		}
		v, _ := o.c.r.Under(e)
		name, known, err := k.Whose(e, v, cases == nil)
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
		case k != nil && k.Lines:
			l.lines(x)
		case k != nil && k.From != nil:
			if err := l.add(x, v); err != nil {
				return err
			}
		}
		if k != nil && k.By == nil {
			list = append(list, x)
			continue
		}
		t := o.thread(name)
		t.count++
		t.events = append(t.events, x)
		if k != nil && k.Vector != nil {
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
		return slices.ContainsFunc(bc.parts, func(p *part) bool { return p.Kind != reading.PartSee })
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
func (t *thread) clocked(e *occurrence, k *reading.ClockRule, v any) (err error) {
	if e.seen, err = k.Counts(e.Event, v); err != nil {
		return err
	}
	own, ok := e.seen[t.name]
	if !ok {
		own = t.count
	}
	if n := len(t.events); n > 1 && own <= t.events[n-2].count {
		return e.WrongAt(k.Vector,
			"the vector clock says that %d events of %s have happened, and said %d at an event before this one",
			own, t.name, t.events[n-2].count)
	}
	t.count, e.count = max(t.count, own), own
	return nil
}

// known checks that the vector clocks speak of processes that the log knows, or the reading: an unknown name, misspelt
// perhaps, would order nothing. That nothing of a process has happened may be said of any.
func (o *orderer) known() error {
	if o.c.r.Clock == nil || o.c.r.Clock.Vector == nil {
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
			root, _ := o.c.r.Under(e.Event)
			for x, t := range values(e.cases) {
				if v, ok, err := x.Look(e.Event, root); t.Kind == protocol.KindRole && err == nil && ok {
					somebody[reading.Plain(v)] = true
				}
			}
		}
	}
	for _, th := range o.threads {
		for _, e := range th.events {
			for _, name := range slices.Sorted(maps.Keys(e.seen)) {
				if e.seen[name] > 0 && !somebody[name] {
					return e.WrongAt(o.c.r.Clock.Vector,
						"%s counts events of %q, and there is no such process in the log",
						o.c.r.Clock.Vector.Text, name)
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

// orderer looks for an order of the events of several threads that is a run.
type orderer struct {
	c       *checker
	threads []*thread
	index   map[string]int
	reduce  bool // threads move different processes, and rules touch their own variables only
	own     []bool
	of      map[int][]int    // the threads that move a process
	hopeful bool             // what others hardly can make a difference to is taken at once
	hoped   bool             // something was
	from    *set             // where the log begins
	avoid   uint64           // invariants that are not violated on the way
	vectors bool             // there are vector clocks
	first   []*reading.Event // that say how the run begins
	seen    map[uint64][]*place
	size    int
	best    *place // with the most events
	stuck   []*place
}

// place is a state that explains the first events of each thread.
type place struct {
	n    *node
	at   []int32
	done int
}

// moverOf is the process that moves in an event, whatever it is; -1 if there is none such.
func (o *orderer) moverOf(e *occurrence) int {
	mover := -1
	for _, bc := range e.cases {
		for _, p := range bc.parts {
			me, known := o.mover(e.Event, p)
			if !known || mover >= 0 && mover != me {
				return -1
			}
			mover = me
		}
	}
	return mover
}

// mover returns the process whose event a part is, if the log names it.
func (o *orderer) mover(e *reading.Event, p *part) (int, bool) {
	param := p.t.Executor
	if p.Kind == reading.PartSent {
		param = p.t.Sender
	}
	if param < 0 {
		return 0, false
	}
	return o.named(e, p, param)
}
