package trace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// thread is what one process (or one log) shows, in its order.
type thread struct {
	name   string
	events []*Event
	cases  [][]*boundCase
	after  []map[string]int // vector clocks, if there are any
	own    []int            // of each event, its own component there: how many of the process have happened with it
	count  int              // events so far, with those that are ignored
	sends  []int            // how many messages the events from one on send to a process at most
}

// orderer looks for an order of the events of several threads that is a run.
type orderer struct {
	c       *Checker
	threads []*thread
	index   map[string]int
	reduce  bool // threads move different processes, and rules touch their own variables only
	own     []bool
	of      map[int]int // which thread moves a process, where one does
	hopeful bool        // what others hardly can make a difference to is taken at once
	hoped   bool        // something was
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

// AddOrdered asks of the events of several processes without a common clock whether they are a run in some order that
// keeps the order of each process, and of their vector clocks if the reading says where these are. Events of different
// files, or of different processes (Reading.Clock), have no order. It is called once, in place of Add, with its errors;
// the event of an *Unexplained is one of those that are next where the most events are explained.
//
// It goes depth first, and remembers what it has visited, at most Options.States places. The next event of a process is
// taken at once where nothing that others do can make a difference to it: where that is always so, the search is linear
// in the log. At first it is enough that others hardly can (hopeful); where no order is found so, they have to be
// unable to.
func (c *Checker) AddOrdered(ctx context.Context, events []*Event) error {
	c.ctx = ctx
	o := &orderer{c: c, index: map[string]int{}, hopeful: true}
	if err := o.sort(events); err != nil {
		return err
	}
	o.reducible()
	found, err := o.search(ctx)
	if err == nil && !found && o.hoped {
		o.hopeful = false
		found, err = o.search(ctx)
	}
	if err != nil || found {
		return err
	}
	if c.rough != "" && c.cramped {
		return fmt.Errorf("%w: not all that may have been lost unseen was tried: %s", ErrTooMany, c.rough)
	}
	return o.explain()
}

// search looks for an order, and makes the state at its end the frontier.
func (o *orderer) search(ctx context.Context) (found bool, err error) {
	c := o.c
	o.seen, o.size, o.best, o.stuck = map[uint64][]*place{}, 0, nil, nil
	var stack []*place
	for _, n := range c.frontier.list {
		stack = append(stack, &place{n: n, at: make([]int32, len(o.threads))})
	}
	slices.Reverse(stack)
	total := 0
	for _, t := range o.threads {
		total += len(t.events)
	}
	for len(stack) > 0 {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !o.visit(p) {
			continue
		}
		if err := c.room(); err != nil {
			return false, err
		}
		if o.size > c.o.States {
			return false, fmt.Errorf("%w: more than %d places in the order of %d events were visited", ErrTooMany,
				c.o.States, total)
		}
		if p.done == total {
			c.frontier = newSet()
			c.frontier.add(p.n)
			c.events, c.visited, c.most = int64(total), int64(o.size), 1
			return true, nil
		}
		next, err := o.next(p)
		if err != nil {
			return false, err
		}
		slices.Reverse(next)
		stack = append(stack, next...)
	}
	return false, nil
}

// sort divides events into threads.
func (o *orderer) sort(events []*Event) error {
	for _, e := range events {
		cases, err := o.c.casesOf(e)
		if err != nil {
			return err
		}
		v, _ := o.c.r.under(e)
		name, known, err := o.whose(e, v, cases == nil)
		if err != nil {
			return err
		}
		if cases == nil {
			if known { // the program counts it
				o.thread(name).count++
			}
			continue
		}
		t := o.thread(name)
		t.count++
		t.events, t.cases = append(t.events, e), append(t.cases, cases)
		if p := o.c.r.Vector; p != nil {
			clock, err := vector(e, v, p)
			if err != nil {
				return err
			}
			if err := t.clocked(e, clock); err != nil {
				return err
			}
		}
	}
	return o.known()
}

// known checks that the vector clocks speak of processes that the log knows, or the reading: a name of nobody, misspelt
// perhaps, would order nothing. That nothing of a process has happened may be said of any.
func (o *orderer) known() error {
	if o.c.r.Vector == nil {
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
		for i, e := range th.events {
			for _, bc := range th.cases[i] {
				bc.processes(o.c, e, somebody)
			}
		}
	}
	for _, th := range o.threads {
		for i, clock := range th.after {
			for _, name := range slices.Sorted(maps.Keys(clock)) {
				if clock[name] > 0 && !somebody[name] {
					return th.events[i].Wrong("%s counts events of %q, and there is no such process in the log",
						o.c.r.Vector.text, name)
				}
			}
		}
	}
	return nil
}

// processes notes the names of processes in an event.
func (bc *boundCase) processes(c *Checker, e *Event, names map[string]bool) {
	root, _ := c.r.under(e)
	note := func(x *logExpr, t *protocol.Type) {
		if x == nil || t.Kind != protocol.KindRole {
			return
		}
		if v, ok, err := x.look(e, root); err == nil && ok {
			names[plain(v)] = true
		}
	}
	for _, p := range bc.parts {
		for i := range p.params {
			note(p.params[i].log, p.params[i].info.Type)
		}
		for _, list := range [][]check{p.before, p.after} {
			for i := range list {
				note(list[i].right, list[i].term.Type)
			}
		}
	}
}

// whose returns which process an event is of: of one that is ignored it need not say.
func (o *orderer) whose(e *Event, v any, ignored bool) (name string, known bool, err error) {
	p := o.c.r.Clock
	if p == nil {
		return e.File, true, nil
	}
	got, ok := p.at(v)
	switch {
	case ok:
		return plain(got), true, nil
	case ignored:
		return "", false, nil
	}
	return "", false, e.Wrong("there is no %s here, which says whose event this is", p.text)
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

// clocked notes the vector clock of a thread's next event. Its own component grows; without one, events are counted.
func (t *thread) clocked(e *Event, clock map[string]int) error {
	own, ok := clock[t.name]
	if !ok {
		own = t.count
	}
	if k := len(t.own); k > 0 && own <= t.own[k-1] {
		return e.Wrong("the vector clock says that %d events of %s have happened, and said %d at an event before "+
			"this one", own, t.name, t.own[k-1])
	}
	t.count = max(t.count, own)
	t.after, t.own = append(t.after, clock), append(t.own, own)
	return nil
}

// vector reads a vector clock: how many events of each process have happened at or before an event.
func vector(e *Event, v any, p *path) (map[string]int, error) {
	got, ok := p.at(v)
	if !ok {
		return nil, e.Wrong("there is no vector clock %s here", p.text)
	}
	m, ok := got.(map[string]any)
	if !ok {
		return nil, e.Wrong("%s is no vector clock: {\"a\": 1, \"b\": 3}", p.text)
	}
	out := map[string]int{}
	for name, k := range m {
		n, isInt := integer(k)
		if !isInt || n < 0 {
			return nil, e.Wrong("%s: %s is no number of events", p.text, plain(k))
		}
		out[name] = int(n)
	}
	return out, nil
}

// ready reports whether the vector clock of the next event of a thread lets it happen.
func (o *orderer) ready(p *place, t int) bool { return o.waits(p, t) < 0 }

// waits returns a thread whose next event was before that of another one, by its vector clock; -1 if there is none.
func (o *orderer) waits(p *place, t int) int {
	th := o.threads[t]
	if th.after == nil {
		return -1
	}
	first := -1
	for name, k := range th.after[p.at[t]] {
		i, known := o.index[name]
		if !known || i == t || int(p.at[i]) == len(o.threads[i].events) {
			continue
		}
		if o.threads[i].own[p.at[i]] <= k { // that one was first
			if first < 0 || i < first {
				first = i
			}
		}
	}
	return first
}

// visit notes a place; it reports whether it is new.
func (o *orderer) visit(p *place) bool {
	h := p.n.hash()
	for _, k := range p.at {
		h = h*1099511628211 + uint64(k)
	}
	for _, q := range o.seen[h] {
		if slices.Equal(p.at, q.at) && q.n.same(p.n) {
			return false
		}
	}
	o.seen[h] = append(o.seen[h], p)
	o.size++
	switch {
	case o.best == nil || p.done > o.best.done:
		o.best, o.stuck = p, []*place{p}
	case p.done == o.best.done && len(o.stuck) < mostNodes:
		o.stuck = append(o.stuck, p)
	}
	return true
}

// next lists the places after one: those of one thread only where that is enough.
func (o *orderer) next(p *place) ([]*place, error) {
	var all []*place
	for t, th := range o.threads {
		if int(p.at[t]) == len(th.events) || !o.ready(p, t) {
			continue
		}
		o.c.short = false
		list, err := o.take(p, t)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 && o.reduce && !o.c.short && o.apart(p, t) {
			return list, nil
		}
		all = append(all, list...)
	}
	err := o.c.unseenSteps(p.n, func(n *node) error {
		all = append(all, &place{n: n, at: p.at, done: p.done})
		return nil
	})
	if err != nil {
		return nil, o.c.wrongModel(p.n, nil, err)
	}
	return all, nil
}

// take takes the next event of a thread.
func (o *orderer) take(p *place, t int) (list []*place, err error) {
	th, k := o.threads[t], p.at[t]
	for _, bc := range th.cases[k] {
		err := o.c.takeAll(p.n, th.events[k], bc.parts, func(n *node) error {
			at := slices.Clone(p.at)
			at[t]++
			list = append(list, &place{n: n, at: at, done: p.done + 1})
			return nil
		})
		if err != nil {
			return nil, o.c.wrongModel(p.n, th.events[k], err)
		}
	}
	return list, nil
}

// reducible finds out whether what one thread does is nothing to others, but for messages:
// nothing is silent, every process moves in one thread only, and rules and what the log shows
// look at the variables of the process that moves only.
func (o *orderer) reducible() {
	rules := make([]bool, len(o.c.m.Rules)) // they touch own variables only
	o.own = make([]bool, len(rules))
	for i := range rules {
		t := &o.c.m.Rules[i]
		rules[i] = true
		t.Touch(func(p *protocol.Term, _ bool) { rules[i] = rules[i] && ownPlace(p, t) })
		o.own[i] = rules[i] && !t.Quorum()
	}
	mover := map[int]int{}
	for k, th := range o.threads {
		for i := range th.events {
			for _, bc := range th.cases[i] {
				for _, p := range bc.parts {
					me, known := o.mover(th.events[i], p)
					at, old := mover[me]
					if !known || old && at != k ||
						slices.ContainsFunc(p.rules, func(i int) bool { return !rules[i] }) || !p.own() {
						return
					}
					mover[me] = k
				}
			}
		}
	}
	o.of = mover
	for _, th := range o.threads {
		th.sends = make([]int, len(th.events)+1)
		for i := len(th.events) - 1; i >= 0; i-- {
			most := 0
			for _, bc := range th.cases[i] {
				n := 0
				for _, p := range bc.parts {
					n += o.sends(p)
				}
				most = max(most, n)
			}
			th.sends[i] = th.sends[i+1] + most
		}
	}
	o.reduce = o.c.quiet
}

// sends returns how many messages a part sends to a process at most; more than there can ever be room for if that
// is not known.
func (o *orderer) sends(p *part) int {
	for _, i := range p.rules {
		if o.c.m.Rules[i].Letters {
			return o.c.m.Channels.Bound + 1
		}
	}
	return min(1, len(p.rules))
}

// own reports whether all that a part looks at belongs to the process that moves, or is in messages.
func (p *part) own() bool {
	own := true
	look := func(t *protocol.Term) {
		t.Places(func(q *protocol.Term) { own = own && ownPlace(q, p.t) })
	}
	for i := range p.params {
		if p.params[i].term != nil {
			look(p.params[i].term)
		}
	}
	for _, list := range [][]check{p.before, p.after} {
		for i := range list {
			look(list[i].term)
		}
	}
	return own
}

func ownPlace(p *protocol.Term, t *protocol.Transition) bool {
	switch p.Base {
	case protocol.BaseWhole:
		return false
	case protocol.BaseRole, protocol.BaseStatus:
		return p.Who != nil && p.Who.Op == ftdp.Name && t.Executor >= 0 && p.Who.Var == t.Cell(t.Executor)
	}
	return true
}

// mover returns the process whose event a part is, if the log names it.
func (o *orderer) mover(e *Event, p *part) (int, bool) {
	param := p.t.Executor
	if p.kind == partSent {
		param = p.t.Sender
	}
	if param < 0 {
		return 0, false
	}
	return o.named(e, p, param)
}

// named returns the process that the log names for a parameter.
func (o *orderer) named(e *Event, p *part, param int) (int, bool) {
	b := &p.params[param]
	if b.log == nil || b.info.Type.Kind != protocol.KindRole {
		return 0, false
	}
	root, _ := o.c.r.under(e)
	v, ok, err := b.log.value(o.c, e, root, b.info.Type, o.c.orders[0])
	if err != nil || !ok || v == protocol.Undef {
		return 0, false
	}
	return o.c.m.Roles[b.info.Type.Role].First + int(v) - 1, true
}

// apart reports whether nothing that others do before it can make a difference to the next
// event of a thread, nor this to what they do: it looks at one process only, and there is only
// one message that it can receive. There has been room for all that it sends.
func (o *orderer) apart(p *place, t int) bool {
	th, k := o.threads[t], p.at[t]
	for _, bc := range th.cases[k] {
		for _, part := range bc.parts {
			if !o.partApart(p, th.events[k], part) {
				return false
			}
		}
	}
	return true
}

func (o *orderer) partApart(p *place, e *Event, part *part) bool {
	c := o.c
	me, known := o.mover(e, part)
	if !known || slices.ContainsFunc(part.rules, func(i int) bool { return !o.own[i] }) {
		return false
	}
	if !o.alone(p, part, me) {
		if !o.hopeful {
			return false
		}
		o.hoped = true
	}
	if part.kind == partSent || part.t.Sender < 0 {
		return true
	}
	from, known := o.named(e, part, part.t.Sender)
	if !known || c.d.Anything(p.n.point, from) || p.n.point.Locals[from].Status != protocol.Correct {
		return false
	}
	return c.m.Channels.FIFO && !c.m.Channels.Lossy || o.pinned(e, part)
}

// alone reports whether nothing that others do can make a difference by what is lost: no message to the process that
// moves can be lost before, by a channel or because there is no room, nor can it turn out that its sender had stopped.
func (o *orderer) alone(p *place, part *part, me int) bool {
	c := o.c
	if part.kind == partLost || part.kind == partStopped || c.lost && c.m.Channels.Lossy && c.m.Channels.FIFO {
		return false
	}
	for from := range c.m.Processes() {
		there := len(p.n.point.Channels[from*c.m.Processes()+me])
		if c.stops() && there > 0 && p.n.point.Locals[from].Status != protocol.Correct {
			return false
		}
		if c.m.Channels.Lossy {
			if k, moves := o.of[from]; moves {
				there += o.threads[k].sends[p.at[k]]
			}
			if there > c.m.Channels.Bound {
				return false
			}
		}
	}
	return true
}

// pinned reports whether the log shows all of the message that is received.
func (o *orderer) pinned(e *Event, p *part) bool {
	root, _ := o.c.r.under(e)
	fixed := make([]bool, o.c.m.Message.Cells)
	for i := range p.before {
		ch := &p.before[i]
		if ch.cell < 0 {
			continue
		}
		if _, ok, err := ch.right.value(o.c, e, root, ch.term.Type, o.c.orders[0]); err == nil && ok {
			fixed[ch.cell] = true
		}
	}
	return !slices.Contains(fixed, false)
}

// explain says what is wrong with the events that are next where most are explained.
func (o *orderer) explain() error {
	var best *Unexplained
	for _, p := range o.stuck {
		for t, th := range o.threads {
			if int(p.at[t]) == len(th.events) || !o.ready(p, t) {
				continue
			}
			err := o.c.explain([]*node{p.n}, th.events[p.at[t]], th.cases[p.at[t]])
			var u *Unexplained
			if !errors.As(err, &u) {
				return err
			}
			if best == nil || score(u) < score(best) {
				best = u
				o.c.events = int64(p.done)
			}
		}
		o.c.replay.stuck = p.n
	}
	if best == nil {
		return o.contradiction()
	}
	if len(best.Nearest) > 0 {
		o.c.replay.stuck = best.Nearest[0].attempt.node
	}
	return best
}

// contradiction says that the vector clocks let no event be the next one: each waits for another one.
func (o *orderer) contradiction() error {
	p := o.best
	o.c.events, o.c.replay.stuck = int64(p.done), p.n
	for t, th := range o.threads {
		if int(p.at[t]) == len(th.events) {
			continue
		}
		before := o.threads[o.waits(p, t)]
		text := fmt.Sprintf("%s is before it, by its vector clock, and waits in turn",
			before.events[p.at[o.waits(p, t)]].Place())
		vector := o.c.r.Vector
		return &Unexplained{Event: th.events[p.at[t]],
			Nearest: []Nearest{{What: "the vector clocks", Differs: []string{text}, Line: vector.pos.Line}}}
	}
	panic("trace: no event is left") // then all are explained
}

func score(u *Unexplained) int {
	if len(u.Nearest) == 0 {
		return 1 << 20
	}
	return u.Nearest[0].score
}
