package interference

import (
	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// values are what is known of the variables of a rule: parameters, and
// variables of iterations that are unrolled.
type values struct {
	frame []int32
	known []bool
}

func (v values) with(cell int, value int32) values {
	out := values{append([]int32(nil), v.frame...), append([]bool(nil), v.known...)}
	out.frame[cell], out.known[cell] = value, true
	return out
}

// constant evaluates a term that has the same value in all states. Places may
// be given values, by what they are.
func (v values) constant(t *protocol.Term, place func(*protocol.Term) (int32, bool)) (int32, bool) {
	arg := func(i int) (int32, bool) { return v.constant(t.Args[i], place) }
	truth := func(b bool) (int32, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	switch t.Op {
	case ftdp.Number:
		return t.Value, true
	case ftdp.Name:
		return v.frame[t.Var], v.known[t.Var]
	case ftdp.Not:
		a, ok := arg(0)
		return 1 - a, ok && a != protocol.Undef
	case ftdp.And, ftdp.Or:
		decides := int32(0)
		if t.Op == ftdp.Or {
			decides = 1
		}
		all := true
		for i := range t.Args {
			a, ok := arg(i)
			if ok && a == decides {
				return decides, true
			}
			all = all && ok
		}
		return 1 - decides, all
	case ftdp.Minus:
		a, ok := arg(0)
		return -a, ok && a != protocol.Undef
	case ftdp.Undefined:
		if place == nil || !t.Args[0].IsPlace() || t.Args[0].Type.Cells != 1 {
			return 0, false
		}
		a, ok := place(t.Args[0])
		return map[bool]int32{true: 1}[a == protocol.Undef], ok
	}
	if t.IsPlace() {
		if place != nil {
			return place(t)
		}
		return 0, false
	}
	if len(t.Args) != 2 {
		return 0, false
	}
	a, ok := arg(0)
	b, also := arg(1)
	if t.Op == ftdp.Implies && (ok && a == 0 || also && b == 1) {
		return 1, true
	}
	if !ok || !also {
		return 0, false
	}
	switch t.Op {
	case ftdp.Eq, ftdp.Iff:
		return truth(a == b)
	case ftdp.Ne:
		return truth(a != b)
	}
	if a == protocol.Undef || b == protocol.Undef {
		return 0, false // an error
	}
	switch t.Op {
	case ftdp.Lt:
		return truth(a < b)
	case ftdp.Le:
		return truth(a <= b)
	case ftdp.Gt:
		return truth(a > b)
	case ftdp.Ge:
		return truth(a >= b)
	case ftdp.Implies:
		return truth(b == 1) // the premise is true
	case ftdp.Plus:
		return a + b, true
	case ftdp.Sub:
		return a - b, true
	case ftdp.Times:
		return a * b, true
	}
	return 0, false
}

// fixed reports whether a term mentions no variables but known ones and those
// that it binds itself.
func (v values) fixed(t *protocol.Term) bool {
	if t.Op == ftdp.Name && !v.known[t.Var] {
		return false
	}
	inner := v
	if t.Range != nil {
		if t.Range.Quorum >= 0 {
			return false
		}
		inner = v.with(t.Var, 0)
	}
	ok := true
	for _, a := range t.Args {
		ok = ok && inner.fixed(a)
	}
	if t.IsPlace() {
		if t.Who != nil {
			ok = ok && v.fixed(t.Who)
		}
		for _, x := range t.Indices {
			ok = ok && v.fixed(x.Index)
		}
	}
	return ok
}

// same reports whether two terms are written the same.
func same(a, b *protocol.Term) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Op != b.Op || a.Value != b.Value || a.Var != b.Var || a.Base != b.Base || a.Of != b.Of || a.Role != b.Role || a.Offset != b.Offset ||
		len(a.Args) != len(b.Args) || len(a.Indices) != len(b.Indices) || len(a.Ops) != len(b.Ops) || a.Range != b.Range || !same(a.Who, b.Who) {
		return false
	}
	for i := range a.Args {
		if !same(a.Args[i], b.Args[i]) {
			return false
		}
	}
	for i := range a.Ops {
		if a.Ops[i] != b.Ops[i] {
			return false
		}
	}
	for i := range a.Indices {
		if !same(a.Indices[i].Index, b.Indices[i].Index) || a.Indices[i].Stride != b.Indices[i].Stride {
			return false
		}
	}
	return true
}

// conjuncts are the parts of a condition all of which have to hold.
func conjuncts(t *protocol.Term, list []*protocol.Term) []*protocol.Term {
	if t == nil {
		return list
	}
	if t.Op == ftdp.And {
		for _, a := range t.Args {
			list = conjuncts(a, list)
		}
		return list
	}
	return append(list, t)
}

// ofMessages reports whether a place is a part of what is received.
func ofMessages(p *protocol.Term) bool {
	return p.Base == protocol.BaseMsg || p.Base == protocol.BaseAbsent
}

// ofProcesses reports whether a place is a part of the states of processes.
func ofProcesses(p *protocol.Term) bool {
	return p.Base == protocol.BaseRole || p.Base == protocol.BaseStatus || p.Base == protocol.BaseWhole
}

// toSend reports whether a place is a part of what is sent.
func toSend(p *protocol.Term) bool {
	return p.Base == protocol.BaseOut || p.Base == protocol.BaseOuts
}

// mentions reports whether a term has a place of a kind.
func mentions(t *protocol.Term, kind func(*protocol.Term) bool) bool {
	found := false
	t.Places(func(p *protocol.Term) { found = found || kind(p) })
	return found
}
