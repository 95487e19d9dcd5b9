package trace

import (
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/trace/reading"
)

// How an event is taken: the parts of its cases one after the other, each with all values of its parameters.

// follow calls yield with the nodes that an event leads to, in each of the cases that it may be.
func (c *checker) follow(n *node, e *reading.Event, cases []*boundCase, yield func(*node) error) error {
	for _, bc := range cases {
		if err := c.takeAll(n, e, bc.parts, nil, yield); err != nil {
			return c.wrongModel(n, e, err)
		}
	}
	return nil
}

// takeAll takes the parts of a case one after the other; tell is told of ways that fail, as by take.
func (c *checker) takeAll(n *node, e *reading.Event, parts []*part, tell func(*attempt),
	yield func(*node) error) error {
	if len(parts) == 0 {
		return yield(n)
	}
	return c.take(n, e, parts[0], tell, func(next *node) error { return c.takeAll(next, e, parts[1:], tell, yield) })
}

// take calls yield with the nodes that a part leads to. Its error is a *protocol.Failure, a
// *LogError, or what yield returns.
func (c *checker) take(n *node, e *reading.Event, p *part, tell func(*attempt), yield func(*node) error) error {
	root, _ := c.r.Under(e)
	t := &taker{c: c, n: n, e: e, root: root, p: p, frame: make([]int32, p.cells), yield: yield, tell: tell}
	err := t.params(0)
	if u, is := err.(*unnumbered); is {
		return c.numberings(n, u, func(m *node) error { return c.take(m, e, p, tell, yield) })
	}
	return err
}

// params chooses values for parameters.
func (t *taker) params(i int) error {
	if i == len(t.p.params) {
		known := len(t.wrong)
		err := t.act()
		t.wrong = t.wrong[:known]
		return err
	}
	b := &t.p.params[i]
	typ := b.info.Type
	if typ.Kind == protocol.KindQuorum {
		for set := range t.c.m.Quorums(b.info) {
			t.frame[b.cell], t.frame[b.cell+1] = protocol.SplitQuorum(set)
			if err := t.params(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	v, given, err := t.given(b)
	if err != nil {
		return err
	}
	if given {
		if v == protocol.Undef || v < typ.Lo || v > typ.Hi {
			t.fails(50, nil, "%s would be %s, which is out of its range, %s..%s", b.info.Name, typ.Format(v),
				typ.Format(typ.Lo), typ.Format(typ.Hi))
			return nil
		}
		t.frame[b.cell] = v
		return t.params(i + 1)
	}
	for v := typ.Lo; v <= typ.Hi; v++ {
		if err := t.c.beat(); err != nil {
			return err
		}
		t.frame[b.cell] = v
		if err := t.params(i + 1); err != nil {
			return err
		}
	}
	return nil
}

// act takes the part with values for all parameters.
func (t *taker) act() error {
	switch t.p.Kind {
	case reading.PartSee:
		return t.see()
	case reading.PartSent:
		return t.sent()
	case reading.PartLost, reading.PartStopped:
		return t.vanish()
	case reading.PartBegins:
		return t.begins(t.p.given, map[int][]int32{}, t.n.said)
	case reading.PartReceived:
		return t.received()
	}
	return t.rule()
}
