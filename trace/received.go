package trace

import (
	"fmt"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
)

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
