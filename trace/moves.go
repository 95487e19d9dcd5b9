package trace

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/trace/reading"
)

// attempt is a way to take a part, as far as it went, and what the log or the protocol has against it.
type attempt struct {
	node  *node
	part  *part
	frame []int32
	event interp.Event
	seen  bool // nothing happens
	wrong []mismatch
}

// mismatch is something that is not as it has to be.
type mismatch struct {
	weight int // how far it is from what would have to be: the less the nearer
	text   string
}

// taker takes a part of what an event may be in a state, in all ways.
type taker struct {
	c     *checker
	n     *node
	e     *reading.Event
	root  any
	p     *part
	frame []int32
	yield func(*node) error
	// tell is told of ways that fail, if it is not nil; then they are followed past the first mismatch.
	tell  func(*attempt)
	wrong []mismatch
}

func (t *taker) order() []int32 { return t.c.orders[t.n.order] }

// against notes a mismatch, and reports that it goes on all the same. It is called where ways that
// fail are told only (tell): the texts take longer than the steps.
func (t *taker) against(weight int, format string, args ...any) bool {
	t.wrong = append(t.wrong, mismatch{weight, fmt.Sprintf(format, args...)})
	return true
}

// given returns the value that the reading gives a parameter.
func (t *taker) given(b *boundParam) (v int32, ok bool, err error) {
	switch {
	case b.log != nil:
		return value(b.log, t.c, t.e, t.root, b.info.Type, t.order())
	case b.term != nil:
		err = compile.Attempt(func() {
			e := t.c.d.At(t.n.point)
			e.Params(t.frame, t.p.cells)
			v = b.eval(e)
		})
		return v, true, err
	}
	return 0, false, nil
}

func (t *taker) me() int { return interp.Process(t.c.m, t.p.t, t.p.t.Executor, t.frame) }

func (t *taker) name(p int) string { return t.c.processName(p, t.n.order) }

// see checks what is seen of a state, or of a message on its way.
func (t *taker) see() error {
	if t.p.t.Sender < 0 || !t.about() {
		ok, err := t.checks(t.p.before, t.n.point, nil)
		if err != nil || !ok {
			return err
		}
		t.told(nil)
		return t.done(&node{point: t.n.point, unseen: t.n.unseen, doubts: t.n.doubts}, &step{none: true})
	}
	from := interp.Process(t.c.m, t.p.t, t.p.t.Sender, t.frame)
	to := t.me()
	return t.among(t.c.onWay(t.n.point, from, to), from, to, func(pk compile.Picked) error {
		ok, err := t.checks(t.p.before, t.n.point, []compile.Picked{pk})
		if err != nil || !ok {
			return err
		}
		t.told(nil)
		s := &step{none: true, sent: &sent{from, to, pk.Letter}}
		doubts := t.c.there(t.n, []channelMessage{{from*t.c.m.Processes() + to, pk.Letter}})
		return t.done(&node{point: t.n.point, unseen: t.n.unseen, doubts: doubts}, s)
	})
}

// about reports whether what is seen is a message: it is spoken of, or nothing is.
func (t *taker) about() bool {
	return len(t.p.before) == 0 || slices.ContainsFunc(t.p.before, func(c check) bool { return messages(c.term) })
}

// sent checks what is seen of a message that a process has sent in its last step.
func (t *taker) sent() error {
	to, from := t.me(), interp.Process(t.c.m, t.p.t, t.p.t.Sender, t.frame)
	any := false
	for i, s := range t.n.unseen {
		if s.from != from || s.to != to {
			continue
		}
		any = true
		known := len(t.wrong)
		ok, err := t.checks(t.p.before, t.n.point, []compile.Picked{{From: from, Letter: s.letter}})
		if err != nil {
			return err
		}
		if ok {
			t.told(nil)
			left := slices.Delete(slices.Clone(t.n.unseen), i, i+1)
			if err := t.done(&node{point: t.n.point, unseen: left, doubts: t.n.doubts},
				&step{none: true, sent: &s}); err != nil {
				return err
			}
		}
		t.wrong = t.wrong[:known]
	}
	if !any {
		t.fails(40, nil, "in its last step %v sent nothing to %v that the log has not shown", named(from), named(to))
	}
	return nil
}

// vanish takes the loss of a message, or that its sender had stopped.
func (t *taker) vanish() error {
	to, from := t.me(), interp.Process(t.c.m, t.p.t, t.p.t.Sender, t.frame)
	stop := t.p.Kind == reading.PartStopped
	if s := t.n.point.Locals[from].Status; stop && s != protocol.Crash && s != protocol.Crashed {
		t.fails(30, nil, "%v is not one of those that may stop", named(from))
		return nil
	}
	if !stop && !t.c.m.Channels.Lossy || stop && t.c.m.Channels.Synchronous || t.c.d.Anything(t.n.point, from) {
		t.fails(30, nil, "messages from %v are not lost", named(from))
		return nil
	}
	return t.among(t.c.d.Offered(t.n.point, from, to), from, to, func(pk compile.Picked) error {
		ok, err := t.checks(t.p.before, t.n.point, []compile.Picked{pk})
		if err != nil || !ok {
			return err
		}
		wanted := false
		err = t.c.vanished(t.n, channelMessage{from*t.c.m.Processes() + to, pk.Letter}, stop,
			func(next *compile.Point, event interp.Event, doubts []doubt) error {
				wanted = true
				t.told(func() interp.Event { return event })
				return t.done(&node{point: next, unseen: t.n.unseen, doubts: doubts}, &step{event: event})
			})
		if err == nil && !wanted {
			t.fails(20, nil, "no rule of %v wants the message, and such a message is not lost", named(to))
		}
		return err
	})
}

// onWay lists the different messages on their way from one process to another: where channels are FIFO, behind the
// first one, too.
func (c *checker) onWay(p *compile.Point, from, to int) (list []*compile.Letter) {
	for _, l := range p.Channels[from*c.m.Processes()+to] {
		if !slices.ContainsFunc(list, func(o *compile.Letter) bool { return slices.Equal(o.Cells, l.Cells) }) {
			list = append(list, l)
		}
	}
	return list
}

// among calls f with messages from one process to another.
func (t *taker) among(list []*compile.Letter, from, to int, f func(compile.Picked) error) error {
	if len(list) == 0 {
		t.fails(60, nil, "nothing is on its way from %v to %v", named(from), named(to))
	}
	for _, l := range list {
		known := len(t.wrong)
		err := f(compile.Picked{From: from, Letter: l})
		t.wrong = t.wrong[:known]
		if err != nil {
			return err
		}
	}
	return nil
}

// rule takes a step of the protocol.
func (t *taker) rule() error {
	c, me := t.c, t.me()
	if !c.d.May(t.n.point, t.p.rule, me) {
		t.fails(45, nil, "%v is %v, and does not execute %v", named(me), t.n.point.Locals[me].Status, t.p.t.Label)
		return nil
	}
	return c.picks(t.n.point, t.p.t, t.frame, t.fixed, func(missing int) {
		t.fails(60, t.eventOf(t.p.rule, t.frame, nil), "nothing is on its way from %v to %v", named(missing), named(me))
	}, func(picked []compile.Picked) error {
		known := len(t.wrong)
		err := t.fire(picked)
		t.wrong = t.wrong[:known]
		return err
	})
}

// fixed returns the cells of the message that the log shows: protocol.Undef for others.
func (t *taker) fixed() ([]int32, error) {
	out := slices.Repeat([]int32{protocol.Undef}, t.c.m.Message.Cells)
	for i := range t.p.before {
		ch := &t.p.before[i]
		if ch.cell < 0 {
			continue
		}
		v, ok, err := value(ch.Right, t.c, t.e, t.root, ch.term.Type, t.order())
		if err != nil {
			return nil, err
		}
		if ok {
			out[ch.cell] = v
		}
	}
	return out, nil
}

// eventOf is the event of a rule, on request.
func (t *taker) eventOf(rule int, frame []int32, picked []compile.Picked) func() interp.Event {
	return func() interp.Event { return eventOf(rule, &t.c.m.Rules[rule], frame, picked) }
}

// fire executes the rule of the part with messages.
func (t *taker) fire(picked []compile.Picked) error {
	ok, err := t.checks(t.p.before, t.n.point, picked)
	if err != nil || !ok {
		return err
	}
	enabled, err := t.c.guard(t.n.point, t.p.rule, t.frame, picked)
	if err != nil {
		return err
	}
	if !enabled {
		if t.tell != nil {
			t.fails(10, t.eventOf(t.p.rule, t.frame, picked), "%s", t.guardText(picked))
		}
		return nil
	}
	return t.execute(t.p.rule, t.frame, picked)
}

// execute executes a rule that is possible.
func (t *taker) execute(rule int, frame []int32, picked []compile.Picked) error {
	event := t.eventOf(rule, frame, picked)
	next, err := t.c.execute(t.n.point, rule, frame, picked)
	if err != nil {
		return err
	}
	if next == nil {
		t.fails(15, event, "a channel is full, and %v waits for room", named(t.me()))
		return nil
	}
	unseen := t.c.unseen(t.n.unseen, t.me())
	ok, err := t.checks(t.p.after, next, picked)
	if err != nil {
		return err
	}
	t.told(event)
	if !ok {
		return nil
	}
	return t.outcomes(rule, frame, picked, next, unseen)
}

// outcomes passes on the nodes that a step leads to.
func (t *taker) outcomes(rule int, frame []int32, picked []compile.Picked, next *compile.Point, unseen []sent) error {
	event := eventOf(rule, &t.c.m.Rules[rule], frame, picked)
	return t.c.outcomes(t.n, rule, frame, picked, next, func(next *compile.Point, doubts, gone []doubt) error {
		return t.done(&node{point: next, unseen: unseen, doubts: doubts}, &step{event: event, gone: gone})
	})
}

// unseen lists the messages that are still to be shown after a step: what the process had
// sent before is not shown any more.
func (c *checker) unseen(old []sent, me int) []sent {
	if !c.shows {
		return nil
	}
	out := slices.DeleteFunc(slices.Clone(old), func(s sent) bool { return s.from == me })
	e := c.d.Env()
	e.Sent(func(to int, m []int32) { out = append(out, sent{me, to, compile.NewLetter(m)}) })
	return out
}

// done passes a node on.
func (t *taker) done(n *node, s *step) error {
	if len(t.wrong) > 0 {
		return nil
	}
	s.on, s.part, s.frame = t.e, t.p, slices.Clone(t.frame)
	n.parent, n.order, n.step, n.time = t.n, t.n.order, s, t.n.time
	if !s.none {
		n.time++
	}
	from := t.n
	if s.begins {
		from, n.time = nil, t.n.time // the run has not begun before
	}
	if err := t.c.judge(from, n); err != nil {
		return err
	}
	return t.yield(n)
}

// told tells of a way that failed; of what, if it is a step.
func (t *taker) told(event func() interp.Event) {
	if t.tell == nil {
		return
	}
	var e interp.Event
	if event != nil {
		e = event()
	}
	if slices.ContainsFunc(e.Packets, func(p protocol.Packet) bool { return p.Kept }) {
		return // whether a message stays on its way makes no difference to what is wrong
	}
	t.tell(&attempt{node: t.n, part: t.p, frame: slices.Clone(t.frame), event: e, seen: t.p.Kind != reading.PartRule,
		wrong: slices.Clone(t.wrong)})
}

// named is a process in what is told.
type named int

// fails tells of a way that failed, and why; texts are made on request only.
func (t *taker) fails(weight int, event func() interp.Event, format string, args ...any) {
	if t.tell == nil {
		return
	}
	for i, a := range args {
		if p, is := a.(named); is {
			args[i] = t.name(int(p))
		}
	}
	t.against(weight, format, args...)
	t.told(event)
	t.wrong = t.wrong[:len(t.wrong)-1]
}

// checks evaluates what has to be so in a state. Where ways that fail are told, all are looked at.
func (t *taker) checks(list []check, p *compile.Point, picked []compile.Picked) (bool, error) {
	if len(list) == 0 {
		return true, nil
	}
	for i := range list {
		ch := &list[i]
		var v int32
		if err := compile.Attempt(func() {
			e := t.c.d.At(p)
			e.Params(t.frame, t.p.cells)
			if picked != nil {
				t.c.d.Receive(t.p.t, picked)
			}
			v = ch.value(e)
		}); err != nil {
			return false, err
		}
		ok, want, err := ch.compare(t.c, t.e, t.root, v, t.order())
		if err != nil {
			return false, err
		}
		if !ok && (t.tell == nil || !t.against(ch.weight(), "%s", t.differs(ch, v, want))) {
			return false, nil
		}
	}
	return true, nil
}

// compare compares a value of the protocol with what the log shows; want is that, if anything.
func (ch *check) compare(c *checker, e *reading.Event, root any, v int32, order []int32) (
	ok bool, want *int32, err error) {
	if ch.Op == "" {
		return v == 1 || e.Loose, nil, nil
	}
	w, there, err := value(ch.Right, c, e, root, ch.term.Type, order)
	if err != nil {
		return false, nil, err
	}
	if !there {
		return true, nil, nil
	}
	if ch.Op == "=" || ch.Op == "!=" {
		return (v == w) == (ch.Op == "="), &w, nil
	}
	return v != protocol.Undef && w != protocol.Undef && reading.Ordered(ch.Op, int64(v), int64(w)), &w, nil
}

// weight says how much a mismatch counts: what tells messages apart counts more.
func (ch *check) weight() int {
	if messages(ch.term) {
		return 3
	}
	return 2
}

// differs says how a value differs from what the log shows.
func (t *taker) differs(ch *check, v int32, want *int32) string {
	switch {
	case want == nil:
		return ch.Text + " is false"
	case ch.Op == "=":
		return fmt.Sprintf("%s is %s; the log shows %s (%s)", ch.Left.Text, t.shown(ch.term.Type, v),
			t.shown(ch.term.Type, *want), ch.Right.Text)
	}
	return fmt.Sprintf("%s is %s, and not %s %s (%s)", ch.Left.Text, t.shown(ch.term.Type, v), ch.Op,
		t.shown(ch.term.Type, *want), ch.Right.Text)
}

// shown formats a value: processes with the names that the log has for them.
func (t *taker) shown(typ *protocol.Type, v int32) string {
	if v == protocol.Undef {
		return "undefined"
	}
	if typ.Kind == protocol.KindRole && v >= typ.Lo && v <= typ.Hi {
		return t.name(t.c.m.Roles[typ.Role].First + int(v) - 1)
	}
	return typ.Format(v)
}

// guardText says which part of a rule's guard is false.
func (t *taker) guardText(picked []compile.Picked) string {
	c := t.c
	guard := t.p.t.Guard
	parts := []*protocol.Term{guard}
	if guard.Op == ftdp.And {
		parts = guard.Args
	}
	for _, part := range parts {
		holds := true
		test := c.d.Test(part)
		if err := compile.Attempt(func() {
			e := c.d.At(t.n.point)
			e.Params(t.frame, t.p.t.Frame)
			if t.p.t.Receives() {
				c.d.Receive(t.p.t, picked)
			}
			holds = test(e)
		}); err != nil {
			break
		}
		if !holds {
			return fmt.Sprintf("%s takes %s, which is false", t.p.t.Label, story.Asked(c.m, part, t.frame))
		}
	}
	return t.p.t.Label + " is not possible"
}

// processName names a process, and says what the log calls it.
func (c *checker) processName(p, order int) string {
	r, number := c.m.RoleOf(p)
	name := interp.ProcessName(c.m, p)
	t := c.names[r]
	if t.own {
		return name
	}
	for k, log := range c.numbered(t, order) {
		if int(k) == number && log != fmt.Sprint(number) {
			return fmt.Sprintf("%s (%q)", name, log)
		}
	}
	return name
}

// numbered returns the names in the log by number.
func (c *checker) numbered(t *nameTable, order int) map[int32]string {
	out := map[int32]string{}
	for name, k := range t.known {
		if by := c.orders[order]; by != nil {
			if k = by[t.role.First+int(k)]; k < 0 {
				continue // it has not been met on the way
			}
		}
		out[k+1] = name
	}
	return out
}
