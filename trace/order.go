package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/trace/reading"
)

// addOrdered asks of events without a common clock whether they are a run in some order that keeps what the reading
// says of their order (clock.go); if it says nothing, that of each log. It is called once, in place of add, with its
// errors; the event of an *Unexplained is one of those that are next where the most events are explained.
//
// It goes depth first, and remembers what it has visited, at most Options.States places. The next event of a process is
// taken at once where nothing that others do can make a difference to it: where that is always so, the search is linear
// in the log. At first it is enough that others hardly can (hopeful); where no order is found so, they have to be
// unable to.
func (c *checker) addOrdered(ctx context.Context, events []*reading.Event) error {
	o, found, err := c.order(ctx, events)
	if err != nil || found {
		return err
	}
	return o.explain()
}

// order looks for an order that is a run.
func (c *checker) order(ctx context.Context, events []*reading.Event) (o *orderer, found bool, err error) {
	c.ctx = ctx
	o = &orderer{c: c, index: map[string]int{}, hopeful: true, vectors: c.r.Clock != nil && c.r.Clock.Vector != nil}
	if err := o.sort(events); err != nil {
		return o, false, err
	}
	for _, e := range o.first {
		if err := c.add(ctx, e); err != nil {
			return o, false, err
		}
	}
	if err := c.start(ctx, nil); err != nil {
		return o, false, err
	}
	o.reducible()
	o.from, c.choice, c.ordered = c.frontier, true, true
	found, err = o.search(ctx)
	if err == nil && !found && o.hoped {
		o.hopeful = false
		found, err = o.search(ctx)
	}
	if err == nil && !found && c.rough != "" && c.cramped {
		err = fmt.Errorf("%w: not all that may have been lost unseen was tried: %s", errTooMany, c.rough)
	}
	if found {
		err = o.violated(ctx)
	}
	return o, found, err
}

// violated looks for a run that violates nothing, in place of one that violates something; where there is none, for
// invariants that are violated in every order. Nothing is taken at once here: in which order things happen makes a
// difference to the states between them.
func (o *orderer) violated(ctx context.Context) error {
	c := o.c
	run, visited, bad := c.frontier, c.visited, c.frontier.list[0].bad
	if bad == 0 {
		return nil
	}
	o.reduce = false
	for i := -1; i < len(c.watched); i++ {
		o.avoid = 1 << max(i, 0)
		if i < 0 {
			o.avoid = ^uint64(0)
		} else if bad>>i&1 == 0 {
			continue
		}
		found, err := o.search(ctx)
		if found && i < 0 {
			return nil
		}
		c.frontier, c.visited = run, visited
		switch {
		case errors.Is(err, errTooMany):
			return nil // it is not known
		case err != nil:
			return err
		case !found && i >= 0 && !(c.rough != "" && c.cramped):
			c.certain |= o.avoid
		}
	}
	return nil
}

// frame is a place with the ways on that were tried.
type frame struct {
	p       *place
	ready   []int    // threads whose next events may be the next one, and have not been looked at
	list    []*place // where those lead that have been
	without []*place // without events that may not have happened
	unseen  bool     // what happens unseen has been looked at, too
}

// search looks for an order, and makes the state at its end the frontier.
func (o *orderer) search(ctx context.Context) (found bool, err error) {
	c := o.c
	o.seen, o.size, o.best, o.stuck = map[uint64][]*place{}, 0, nil, nil
	begin := &frame{unseen: true}
	for _, n := range o.from.list {
		begin.list = append(begin.list, &place{n: n, at: make([]int32, len(o.threads))})
	}
	total := 0
	for _, t := range o.threads {
		total += len(t.events)
	}
	for stack := []*frame{begin}; len(stack) > 0; {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		p, err := o.next(stack[len(stack)-1])
		if err != nil {
			return false, err
		}
		if p == nil {
			stack = stack[:len(stack)-1]
			continue
		}
		if p.n.bad&o.avoid != 0 || !o.visit(p) {
			continue
		}
		if err := c.room(); err != nil {
			return false, err
		}
		if o.size > c.o.States {
			return false, fmt.Errorf("%w: more than %d places in the order of %d events were visited", errTooMany,
				c.o.States, total)
		}
		if p.done == total {
			c.frontier = newSet()
			c.frontier.add(p.n)
			c.events, c.visited, c.most = c.given+int64(total), int64(o.size), 1
			return true, nil
		}
		stack = append(stack, &frame{p: p, ready: o.ready(p)})
	}
	return false, nil
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

// ready lists the threads whose next event may be the next one, what has to be over first before others.
func (o *orderer) ready(p *place) (list []int) {
	first := never
	for t, th := range o.threads {
		first = min(first, th.until[p.at[t]])
	}
	for t, th := range o.threads {
		if int(p.at[t]) < len(th.events) && th.events[p.at[t]].began <= first && (!o.vectors || o.waits(p, t) < 0) {
			list = append(list, t)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		d, e := o.threads[a].events[p.at[a]], o.threads[b].events[p.at[b]]
		if d.calm != e.calm {
			if d.calm {
				return -1
			}
			return 1
		}
		return cmp.Compare(d.about(), e.about())
	})
	return list
}

// next returns one more place after one, or nil: those of one thread only, where that is enough.
func (o *orderer) next(f *frame) (*place, error) {
	for len(f.list) == 0 {
		switch {
		case len(f.ready) > 0:
			if err := o.more(f); err != nil {
				return nil, err
			}
		case !f.unseen:
			f.unseen = true
			err := o.c.unseenSteps(f.p.n, func(n *node) error {
				f.list = append(f.list, &place{n: n, at: f.p.at, done: f.p.done})
				return nil
			})
			if err != nil {
				return nil, o.c.wrongModel(f.p.n, o.coming(f.p), err)
			}
		case len(f.without) > 0:
			f.list, f.without = f.without, nil
		default:
			return nil, nil
		}
	}
	p := f.list[0]
	f.list = f.list[1:]
	return p, nil
}

// more looks at the next event of one more thread. Where it shows no step, or nothing that others do makes a difference
// to it, it is enough to take it now.
func (o *orderer) more(f *frame) error {
	t := f.ready[0]
	f.ready = f.ready[1:]
	e := o.threads[t].events[f.p.at[t]]
	if e.Loose && seen(e.cases) { // nothing is asked
		*f = frame{p: f.p, list: []*place{o.past(f.p, t, f.p.n)}, unseen: true}
		return nil
	}
	o.c.short = false
	err := o.c.follow(f.p.n, e.Event, e.cases, func(n *node) error {
		f.list = append(f.list, o.past(f.p, t, n))
		return nil
	})
	if err != nil || len(f.list) == 0 && !e.maybe() {
		return err
	}
	same := func(q *place) bool { return q.n.same(f.p.n) }
	if i := slices.IndexFunc(f.list, same); i >= 0 && seen(e.cases) { // it changes nothing, now or later
		*f = frame{p: f.p, list: f.list[i : i+1], unseen: true}
		return nil
	}
	if e.maybe() {
		f.without = append(f.without, o.past(f.p, t, f.p.n))
	} else if o.reduce && !o.c.short && o.apart(f.p, e) {
		*f = frame{p: f.p, list: f.list, unseen: true}
	}
	return nil
}

// coming is an event that may be the next one; nil if there is none.
func (o *orderer) coming(p *place) *reading.Event {
	for _, t := range o.ready(p) {
		return o.threads[t].events[p.at[t]].Event
	}
	return nil
}

// past is the place after the next event of a thread, which has led to a node.
func (o *orderer) past(p *place, t int, n *node) *place {
	at := slices.Clone(p.at)
	at[t]++
	return &place{n: n, at: at, done: p.done + 1}
}

// reducible finds out whether what one process does is nothing to others, but for messages: nothing is silent, and
// rules and what the log shows look at the variables of the process that moves only.
func (o *orderer) reducible() {
	rules := make([]bool, len(o.c.m.Rules)) // they touch own variables only
	o.own = make([]bool, len(rules))
	for i := range rules {
		t := &o.c.m.Rules[i]
		rules[i] = true
		t.Touch(func(p *protocol.Term, _ bool) { rules[i] = rules[i] && ownPlace(p, t) })
		o.own[i] = rules[i] && !t.Quorum()
	}
	o.of = map[int][]int{}
	foreign := func(i int) bool { return !rules[i] }
	for k, th := range o.threads {
		th.sends = make([]int, len(th.events)+1)
		for i, e := range slices.Backward(th.events) {
			most := 0
			for _, bc := range e.cases {
				n := 0
				for _, p := range bc.parts {
					me, known := o.mover(e.Event, p)
					if !known || slices.ContainsFunc(p.rules, foreign) || !p.own() {
						return
					}
					o.of[me] = lists.Union(o.of[me], k)
					n += o.sends(p)
				}
				most = max(most, n)
			}
			th.sends[i] = th.sends[i+1] + most
		}
	}
	o.reduce = o.c.quiet
	for _, th := range o.threads {
		for _, e := range th.events {
			e.calm = e.calm || o.reduce && e.mover >= 0 && len(o.of[e.mover]) == 1
		}
	}
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

// named returns the process that the log names for a parameter.
func (o *orderer) named(e *reading.Event, p *part, param int) (int, bool) {
	b := &p.params[param]
	if b.log == nil || b.info.Type.Kind != protocol.KindRole {
		return 0, false
	}
	root, _ := o.c.r.Under(e)
	v, ok, err := value(b.log, o.c, e, root, b.info.Type, o.c.orders[0])
	if err != nil || !ok || v == protocol.Undef {
		return 0, false
	}
	return o.c.m.Roles[b.info.Type.Role].First + int(v) - 1, true
}

// apart reports whether nothing that others do before it can make a difference to an event, nor this to what they do:
// all that the process does is in one thread, it looks at that process only, and there is only one message that it can
// receive. There has been room for all that it sends.
func (o *orderer) apart(p *place, e *occurrence) bool {
	for _, bc := range e.cases {
		for _, part := range bc.parts {
			if !o.partApart(p, e.Event, part) {
				return false
			}
		}
	}
	return true
}

func (o *orderer) partApart(p *place, e *reading.Event, part *part) bool {
	c := o.c
	me, known := o.mover(e, part)
	if !known || len(o.of[me]) > 1 || slices.ContainsFunc(part.rules, func(i int) bool { return !o.own[i] }) {
		return false
	}
	if !o.alone(p, part, me) {
		if !o.hopeful {
			return false
		}
		o.hoped = true
	}
	if part.Kind == reading.PartSent || part.t.Sender < 0 {
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
	if part.Kind == reading.PartLost || part.Kind == reading.PartStopped || c.lost &&
		c.m.Channels.Lossy && c.m.Channels.FIFO {
		return false
	}
	for from := range c.m.Processes() {
		there := len(p.n.point.Channels[from*c.m.Processes()+me])
		if c.stops() && there > 0 && p.n.point.Locals[from].Status != protocol.Correct {
			return false
		}
		if c.m.Channels.Lossy {
			for _, k := range o.of[from] {
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
func (o *orderer) pinned(e *reading.Event, p *part) bool {
	root, _ := o.c.r.Under(e)
	fixed := make([]bool, o.c.m.Message.Cells)
	for i := range p.before {
		ch := &p.before[i]
		if ch.cell < 0 {
			continue
		}
		if _, ok, err := value(ch.Right, o.c, e, root, ch.term.Type, o.c.orders[0]); err == nil && ok {
			fixed[ch.cell] = true
		}
	}
	return !slices.Contains(fixed, false)
}

// explain says what is wrong with the events that are next where most are explained.
func (o *orderer) explain() error {
	var best *Unexplained
	for _, p := range o.stuck {
		for _, t := range o.ready(p) {
			e := o.threads[t].events[p.at[t]]
			if e.maybe() {
				continue
			}
			err := o.c.explain([]*node{p.n}, e.Event, e.cases)
			var u *Unexplained
			if !errors.As(err, &u) {
				return err
			}
			if best == nil || score(u) < score(best) {
				best = u
				o.c.events = o.c.given + int64(p.done)
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

// contradiction says that the clocks let no event be the next one: each waits for another one.
func (o *orderer) contradiction() error {
	p := o.best
	o.c.events, o.c.replay.stuck = o.c.given+int64(p.done), p.n
	for t, th := range o.threads {
		if int(p.at[t]) == len(th.events) || th.events[p.at[t]].maybe() {
			continue
		}
		text := o.why(p, t, o.waits(p, t)) + ", and waits in turn"
		line := o.c.r.Clock.Pos.Line
		return &Unexplained{Event: th.events[p.at[t]].Event,
			Nearest: []Nearest{{What: "the clocks", Differs: []string{text}, Line: line}}}
	}
	panic("trace: no event is left") // then all are explained
}

func score(u *Unexplained) int {
	if len(u.Nearest) == 0 {
		return 1 << 20
	}
	return u.Nearest[0].score
}
