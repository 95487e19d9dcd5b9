package trace

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/trace/reading"
)

func newReplay(c *checker) *replay {
	r := &replay{c: c, x: &interp.Interpreter{Model: c.m}, broken: make([]*Break, len(c.o.Properties))}
	for _, p := range c.o.Properties {
		r.atoms = append(r.atoms, newFormulas(c.m, p))
		var l *looks
		if p.Invariant != nil {
			l = newLooks(c.m, p.Invariant)
		}
		r.looks = append(r.looks, l)
	}
	return r
}

// settle replays what the nodes of a set have in common, and forgets how they came about.
func (r *replay) settle(s *set) error { return r.path(ancestor(s.list, r.root)) }

// ancestor returns the last node that all have in common, at or after the root.
func ancestor(list []*node, root *node) *node {
	depth := func(n *node) int {
		d := 0
		for ; n != nil && n != root; n = n.parent {
			d++
		}
		return d
	}
	common := list[0]
	at := depth(common)
	for _, n := range list[1:] {
		d := depth(n)
		for ; d > at; d-- {
			n = n.parent
		}
		for ; at > d; at-- {
			common = common.parent
		}
		for n != common && n != nil {
			n, common = n.parent, common.parent
			at--
		}
		if common == nil || common == root {
			return common
		}
	}
	return common
}

// since lists the nodes up to one that have not been replayed, the last one first.
func (r *replay) since(n *node) (list []*node) {
	for ; n != nil && n != r.root; n = n.parent {
		list = append(list, n)
	}
	return list
}

// path replays up to a node.
func (r *replay) path(n *node) error {
	for i, at := range slices.Backward(r.since(n)) {
		if i%256 == 0 && r.c.ctx.Err() != nil {
			return context.Cause(r.c.ctx)
		}
		err := r.step(at)
		if u, is := err.(*unjudged); is {
			if f, is := u.err.(*protocol.Failure); is {
				return r.failed(f, at.step.on)
			}
		}
		if err != nil {
			return fmt.Errorf("internal error, please report: the run that was found does not replay: %w", err)
		}
	}
	if n != nil {
		r.root = n
		n.parent = nil
	}
	return nil
}

// until follows the run up to a node, without forgetting anything, to tell of it: nothing is judged. The replay is a
// copy.
func (r *replay) until(n *node) error {
	r.last, r.all, r.sent, r.gone = slices.Clone(r.last), slices.Clone(r.all), slices.Clone(r.sent),
		slices.Clone(r.gone)
	r.broken = slices.Clone(r.broken)
	r.telling = true
	for _, at := range slices.Backward(r.since(n)) {
		if err := r.step(at); err != nil {
			return fmt.Errorf("internal error, please report: the run that was found does not replay: %w", err)
		}
	}
	return nil
}

// step replays the step to a node.
func (r *replay) step(n *node) error {
	s := n.step
	if !s.none {
		if err := r.doubt(n); err != nil {
			return err
		}
	}
	for i := range s.gone {
		if err := r.lose(&s.gone[i]); err != nil {
			return err
		}
	}
	before := r.state
	var next *protocol.State
	var err error
	var out []interp.Delivery
	switch {
	case s.begins:
		next, err = r.begin(n)
	case s.event.Init:
		run := &interp.Run{Model: r.c.m, Loop: -1}
		var ok bool
		if ok, err = run.Begin(s.event); err == nil && !ok {
			err = fmt.Errorf("%s is no way to begin", interp.Describe(r.c.m, s.event))
		}
		if err == nil {
			next = run.States[0]
		}
	case s.none:
		next = before
	default:
		next, out, err = r.x.Single(before, s.event)
	}
	if err != nil {
		return err
	}
	if s.begins {
		before = nil
	} else if s.part != nil {
		if err := r.shows(n, before, next, out); err != nil {
			return err
		}
	}
	r.state = next
	if s.none {
		r.shownBy(s)
		return nil
	}
	if !s.event.Init && s.event.Fate == interp.Processed {
		me := interp.Mover(r.c.m, s.event)
		r.sent = append(slices.DeleteFunc(slices.Clone(r.sent), func(d interp.Delivery) bool { return d.From == me }),
			out...)
	}
	if !s.event.Init {
		r.time++
	}
	return r.note(s.event, s.on, before, next)
}

// doubt checks that what a step leaves in doubt can have been lost before it.
func (r *replay) doubt(n *node) error {
	for i := range n.doubts {
		if d := &n.doubts[i]; d.at == r.time {
			if _, _, err := r.x.Single(r.state, *d.event); err != nil {
				return err
			}
		}
	}
	return nil
}

// lose has a message be lost in the state in which it could be, perhaps many steps ago: nothing but its channel has
// been different since then.
func (r *replay) lose(d *doubt) error {
	earlier := 0
	for i := range r.gone {
		if r.gone[i].sooner(d) < 0 {
			earlier++
		}
	}
	r.gone = append(r.gone, *d)
	at := 1 + d.at + int64(earlier) // the step of the run that it is
	if at == r.steps {
		next, _, err := r.x.Single(r.state, *d.event)
		if err != nil {
			return err
		}
		before := r.state
		r.state = next
		return r.note(*d.event, nil, before, next)
	}
	without := func(s *protocol.State) (*protocol.State, error) {
		out := *s
		i := slices.IndexFunc(s.Channels[d.ch],
			func(m protocol.Message) bool { return slices.Equal(m, d.letter.Cells) })
		if i < 0 {
			return nil, errors.New("a message that is lost is not there")
		}
		out.Channels = slices.Clone(s.Channels)
		if out.Channels[d.ch] = slices.Delete(slices.Clone(s.Channels[d.ch]), i, i+1); len(out.Channels[d.ch]) == 0 {
			out.Channels[d.ch] = nil
		}
		return &out, nil
	}
	var err error
	if r.state, err = without(r.state); err != nil {
		return err
	}
	first := r.steps - int64(len(r.last))
	r.last = slices.Clone(r.last)
	for i := max(0, at-first); i < int64(len(r.last)); i++ {
		if r.last[i].state, err = without(r.last[i].state); err != nil {
			return err
		}
	}
	if k := at - first; k > 0 {
		s, err := without(r.last[k-1].state)
		if err != nil {
			return err
		}
		r.last = slices.Insert(r.last, int(k), explainedStep{*d.event, s, nil})
	}
	if r.c.o.All {
		r.all = slices.Insert(r.all, int(at), *d.event)
	}
	for i, b := range r.broken {
		if b != nil && b.Step >= at {
			later := *b
			later.Step++
			r.broken[i] = &later
		}
	}
	r.steps++
	return nil
}

// shownBy notes that a step which no line has shown is shown by what it has sent.
func (r *replay) shownBy(s *step) {
	if len(r.last) == 0 || s.part == nil || s.part.Kind != reading.PartSent {
		return
	}
	last := &r.last[len(r.last)-1]
	if e := last.event; last.on == nil && !e.Init && e.Fate == interp.Processed {
		if interp.Mover(r.c.m, e) == s.sent.from {
			last.on = s.on
		}
	}
}

// note keeps a step and judges the state after it.
func (r *replay) note(event interp.Event, on *reading.Event, before, next *protocol.State) error {
	r.last = append(r.last, explainedStep{event, next, on})
	if len(r.last) > 2*r.c.o.Keep {
		r.last = slices.Delete(r.last, 0, len(r.last)-r.c.o.Keep-1)
	}
	if r.c.o.All {
		r.all = append(r.all, event)
	}
	for i, p := range r.c.o.Properties {
		if r.broken[i] != nil || r.telling {
			continue
		}
		bad := false
		if p.Invariant != nil && r.looks[i].same(r.c.m, before, next) {
			continue // it held before the step
		}
		if p.Invariant != nil {
			holds, err := r.x.Holds(next, p.Invariant, p.Frame)
			if err != nil {
				return &unjudged{nil, err}
			}
			bad = !holds
		} else if err := r.atoms[i].add(r.x, next); err != nil {
			return &unjudged{nil, err}
		}
		if bad {
			r.broken[i] = &Break{Property: p.Name, Event: on, Step: r.steps}
		}
	}
	r.steps++
	for _, b := range r.broken {
		if b != nil && b.Told == nil {
			b.Told = r.ending(b)
		}
	}
	return nil
}

// shows checks that a step shows what the log shows.
func (r *replay) shows(n *node, before, after *protocol.State, out []interp.Delivery) error {
	s := n.step
	root, _ := r.c.r.Under(s.on)
	packets := s.event.Packets
	if s.none {
		packets = nil
	}
	if s.sent != nil {
		m := protocol.Message(s.sent.letter.Cells)
		if s.part.Kind == reading.PartSent {
			i := slices.IndexFunc(r.sent, func(d interp.Delivery) bool {
				return d.From == s.sent.from && d.To == s.sent.to && slices.Equal(d.Message, m)
			})
			if i < 0 {
				return fmt.Errorf("%s: no such message was sent", s.on.Place())
			}
			r.sent = slices.Delete(slices.Clone(r.sent), i, i+1)
		} else if !r.way(s, before, m) {
			return fmt.Errorf("%s: no such message is on its way", s.on.Place())
		}
		packets = []protocol.Packet{{From: s.sent.from, Message: m}}
	}
	if err := r.parameters(n, before, root); err != nil {
		return err
	}
	frame := slices.Clone(s.frame)
	for _, list := range []struct {
		checks []check
		state  *protocol.State
	}{{s.part.before, before}, {s.part.after, after}} {
		for i := range list.checks {
			ch := &list.checks[i]
			v, err := r.x.Evaluate(list.state, ch.term, frame, packets, out)
			if err != nil {
				return err
			}
			ok, _, err := ch.compare(r.c, s.on, root, v, r.c.orders[n.order])
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("%s: %s is not so", s.on.Place(), ch.Text)
			}
		}
	}
	return nil
}

// way reports whether a message is on its way, or may be: from a Byzantine process, that it is received.
func (r *replay) way(s *step, before *protocol.State, m protocol.Message) bool {
	from := s.sent.from
	role, _ := r.c.m.RoleOf(from)
	if s.part.Kind == reading.PartReceived && before.Status[from] == protocol.Byzantine && !r.c.m.Roles[role].Strategy {
		return true
	}
	return slices.ContainsFunc(before.Channels[from*r.c.m.Processes()+s.sent.to],
		func(o protocol.Message) bool { return slices.Equal(o, m) })
}

// parameters checks that the parameters of a step are those that the log shows.
func (r *replay) parameters(n *node, before *protocol.State, root any) error {
	s := n.step
	for i := range s.part.params {
		b := &s.part.params[i]
		want, given, err := int32(0), false, error(nil)
		switch {
		case b.log != nil:
			want, given, err = value(b.log, r.c, s.on, root, b.info.Type, r.c.orders[n.order])
		case b.term != nil:
			given = true
			want, err = r.x.Evaluate(before, b.term, s.frame, nil, nil)
		}
		if err != nil {
			return err
		}
		if given && s.frame[b.cell] != want {
			return fmt.Errorf("%s: parameter %s is %d, not %d", s.on.Place(), b.info.Name, s.frame[b.cell], want)
		}
	}
	if s.part.Kind == reading.PartReceived {
		return r.receives(n, before)
	}
	if p := s.part; p.Kind == reading.PartRule && (s.event.Rule != p.rule ||
		!slices.Equal(s.event.Frame, s.frame[:len(s.event.Frame)])) {
		return fmt.Errorf("%s: the step is not the one that the reading says", s.on.Place())
	}
	return nil
}

// Told is the end of a run: Events[0] leads to States[0].
type Told struct {
	*interp.Run
	Shown  []*reading.Event // by event: the line that shows it, or nil
	Broken []*Break         // what is violated
}

// ending is as much as is kept of the run that violates a property in its last step.
func (r *replay) ending(b *Break) *Told {
	out := r.told()
	if out.Property = b.Property; b.idle {
		last := len(out.Events)
		out.Loop, out.Events = last, append(out.Events, interp.Event{Fate: interp.Idle})
		out.States, out.Shown = append(out.States, out.States[last-1]), append(out.Shown, nil)
	}
	return out
}

func (r *replay) told() *Told {
	out := &Told{Run: &interp.Run{Model: r.c.m, Loop: -1, First: r.steps - int64(len(r.last))}}
	for _, t := range r.last {
		out.Events, out.States, out.Shown = append(out.Events, t.event), append(out.States, t.state),
			append(out.Shown, t.on)
	}
	for _, b := range r.broken {
		if b != nil {
			out.Broken = append(out.Broken, b)
		}
	}
	return out
}

// Failed is an error of the protocol, or of the reading's words in it, that showed while a log was followed.
type Failed struct {
	*machine.ModelError
	Told  *Told          // the end of the run that leads there
	Event *reading.Event // that was followed then; nil if there was none yet
}

// Unwrap returns the error of the protocol, and what is wrong in its text.
func (f *Failed) Unwrap() []error { return []error{f.ModelError, f.Problem()} }

// wrongModel is an error that showed after a node, or in its state, while an event was followed; other errors are
// returned as they are.
func (c *checker) wrongModel(n *node, e *reading.Event, err error) error {
	if u, is := err.(*unjudged); is {
		n, err = u.node, u.err
	}
	f, ok := err.(*protocol.Failure)
	if !ok {
		return err
	}
	told := *c.replay
	if n != nil {
		if err := told.until(n); err != nil {
			return err
		}
	}
	return told.failed(f, e)
}

func (r *replay) failed(f *protocol.Failure, e *reading.Event) error {
	told := r.told()
	told.Failure = f
	return &Failed{&machine.ModelError{Failure: f, Run: told.Run}, told, e}
}

// begin replays that the run begins in a state that the log gives: what was before is none of it.
func (r *replay) begin(n *node) (*protocol.State, error) {
	root, _ := r.c.r.Under(n.step.on)
	next := *r.state
	next.Cells = slices.Clone(next.Cells)
	evaluate := func(t *protocol.Term) (int32, error) { return r.x.Evaluate(r.state, t, n.step.frame, nil, nil) }
	for i := range n.step.part.given {
		a := &n.step.part.given[i]
		who, err := evaluate(a.place.Who)
		var indices []int32
		for _, x := range a.place.Indices {
			var v int32
			if err == nil {
				v, err = evaluate(x.Index)
			}
			indices = append(indices, v)
		}
		var v int32
		given := true
		if err == nil && a.term != nil {
			v, err = evaluate(a.term)
		} else if err == nil {
			v, given, err = value(a.Right, r.c, n.step.on, root, a.place.Type, r.c.orders[n.order])
		}
		if err != nil {
			return nil, err
		}
		p, k, err := a.of(r.c.m, who, indices)
		if err != nil {
			return nil, err
		}
		if given {
			next.Cells[p] = slices.Clone(next.Cells[p])
			next.Cells[p][k] = v
		}
	}
	r.steps, r.last, r.all, r.broken, r.given = 0, nil, nil, make([]*Break, len(r.broken)), true
	for i, p := range r.c.o.Properties {
		r.atoms[i] = newFormulas(r.c.m, p)
	}
	return &next, nil
}

// receives checks that the step of a receipt is one of a message between the processes that the log shows; or, where
// nothing happened, that no rule could have received it.
func (r *replay) receives(n *node, before *protocol.State) error {
	s, p := n.step, n.step.part
	to, from := interp.Process(r.c.m, p.t, p.t.Executor, s.frame), interp.Process(r.c.m, p.t, p.t.Sender, s.frame)
	if !s.none {
		t := &r.c.m.Rules[s.event.Rule]
		of := func(param int) int { return interp.Process(r.c.m, t, param, s.event.Frame) }
		if !slices.Contains(p.rules, s.event.Rule) || of(t.Executor) != to || of(t.Sender) != from {
			return fmt.Errorf("%s: the step is not one of a receipt that the reading says", s.on.Place())
		}
		return nil
	}
	for _, rule := range p.rules {
		t := &r.c.m.Rules[rule]
		if (before.Status[to] == protocol.Byzantine) != t.Strategy || before.Status[to] == protocol.Crashed {
			continue
		}
		possible, failed := false, error(nil)
		r.c.m.Frames(t, func(cells []int32) {
			if possible || failed != nil || interp.Process(r.c.m, t, t.Executor, cells) != to ||
				interp.Process(r.c.m, t, t.Sender, cells) != from {
				return
			}
			if possible = t.Guard == nil; !possible {
				frame := make([]int32, t.Frame)
				copy(frame, cells)
				v, err := r.x.Evaluate(before, t.Guard, frame,
					[]protocol.Packet{{From: from, Message: protocol.Message(s.sent.letter.Cells)}}, nil)
				possible, failed = v == 1, err
			}
		})
		if failed != nil {
			return failed
		}
		if possible {
			return fmt.Errorf("%s: %s could have received the message", s.on.Place(), t.Label)
		}
	}
	return nil
}
