package trace

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/trace/reading"
)

// receivers lists the rules that may be the step that an event of a message's receipt shows: they receive one message,
// and their processes are of the roles of the part's last two parameters.
func (b *binder) receivers(p *reading.ReadPart, t *protocol.Transition) (list []int) {
	to, from := t.Params[t.Executor].Type.Role, t.Params[t.Sender].Type.Role
	quorum := ""
	for i := range b.m.Rules {
		r := &b.m.Rules[i]
		if !r.Receives() || r.Params[r.Executor].Type.Role != to || r.Params[r.Sender].Type.Role != from {
			continue
		}
		if r.Quorum() {
			quorum = r.Label
			continue
		}
		if b.d != nil && b.m.Wide(r) {
			const wide = "%s may receive it, and has parameters with more values than can be tried: say in place of " +
				"%s which rule it is"
			b.wrong(p.Pos, len(p.Kind), wide, r.Label, p.Kind)
		}
		list = append(list, i)
	}
	if list != nil {
		return list
	}
	why := ""
	if quorum != "" {
		why = fmt.Sprintf(" (%s receives from a quorum: it is silent, or an event of its own, and what it receives "+
			"is seen before)", quorum)
	}
	b.wrong(p.Pos, len(p.Kind), "no rule of %s receives one message from %s%s", b.m.Roles[to].Name,
		b.m.Roles[from].Name, why)
	return nil
}

// received takes a step of any rule that receives the message; where no rule can take it, nothing happens.
func (t *taker) received() error {
	from, to := interp.Process(t.c.m, t.p.t, t.p.t.Sender, t.frame), t.me()
	taken := map[string]bool{}
	for _, rule := range t.p.rules {
		if !t.c.d.May(t.n.point, rule, to) {
			continue
		}
		err := t.c.frames(&t.c.m.Rules[rule], to, from, func(frame []int32) error {
			return t.receivedBy(rule, frame, taken)
		})
		if err != nil {
			return err
		}
	}
	return t.dropped(from, to, taken)
}

// receivedBy takes a rule with values for its parameters, and notes the messages that it can receive.
func (t *taker) receivedBy(rule int, frame []int32, taken map[string]bool) error {
	return t.c.picks(t.n.point, &t.c.m.Rules[rule], frame, t.fixed, nil, func(picked []compile.Picked) error {
		known := len(t.wrong)
		defer func() { t.wrong = t.wrong[:known] }()
		enabled, err := t.c.guard(t.n.point, rule, frame, picked)
		if err != nil || !enabled {
			return err
		}
		taken[key(picked[0])] = true
		if ok, err := t.checks(t.p.before, t.n.point, picked); err != nil || !ok {
			return err
		}
		return t.execute(rule, frame, picked)
	})
}

// dropped takes messages that no rule can receive: the receipt changes nothing.
func (t *taker) dropped(from, to int, taken map[string]bool) error {
	if t.n.point.Locals[to].Status == protocol.Crashed {
		t.fails(45, nil, "%v has crashed, and receives nothing", named(to))
		return nil
	}
	list, err := t.c.choices(t.n.point, from, to, t.fixed)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		t.fails(60, nil, "nothing is on its way from %v to %v", named(from), named(to))
	}
	for _, pk := range list {
		if taken[key(pk)] || pk.Kept || pk.Absent {
			continue
		}
		if err := t.drop(from, to, pk); err != nil {
			return err
		}
	}
	return nil
}

func (t *taker) drop(from, to int, pk compile.Picked) error {
	known := len(t.wrong)
	defer func() { t.wrong = t.wrong[:known] }()
	for _, list := range [][]check{t.p.before, t.p.after} {
		if ok, err := t.checks(list, t.n.point, []compile.Picked{pk}); err != nil || !ok {
			return err
		}
	}
	t.told(nil)
	var doubts []doubt
	if !pk.Free {
		doubts = t.c.there(t.n, []channelMessage{{from*t.c.m.Processes() + to, pk.Letter}})
	}
	return t.done(&node{point: t.n.point, unseen: t.n.unseen, doubts: doubts},
		&step{none: true, sent: &sent{from, to, pk.Letter}})
}

// key names a message.
func key(pk compile.Picked) string { return fmt.Sprint(pk.Letter.Cells) }

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
