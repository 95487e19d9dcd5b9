package interference

import (
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// values are what is known of the variables of a rule: parameters, and variables of iterations that are unrolled.
type values struct {
	frame []int32
	known []bool
}

func (v values) with(cell int, value int32) values {
	out := values{append([]int32(nil), v.frame...), append([]bool(nil), v.known...)}
	out.frame[cell], out.known[cell] = value, true
	return out
}

// constant evaluates a term that has the same value in all states. Places may be given values, by what they are.
func (v values) constant(t *protocol.Term, place func(*protocol.Term) (int32, bool)) (int32, bool) {
	at := func(p *protocol.Term) ftdp.Between {
		if place != nil && p.IsPlace() {
			if n, ok := place(p); ok {
				return ftdp.Exactly(int64(n))
			}
		}
		return ftdp.Anything
	}
	out := ftdp.Eval(t, func(t *protocol.Term) ftdp.Between {
		switch t.Op {
		case ftdp.Number:
			return ftdp.Exactly(int64(t.Value))
		case ftdp.Name:
			if v.known[t.Var] {
				return ftdp.Exactly(int64(v.frame[t.Var]))
			}
		case ftdp.Undefined:
			if a := at(t.Args[0]); a.Known() && t.Args[0].Type.Cells == 1 {
				return ftdp.Calculate(ftdp.Eq, []ftdp.Between{a, ftdp.Exactly(protocol.Undef)})
			}
		}
		return at(t)
	}, func(op ftdp.Op, t *protocol.Term, args []ftdp.Between) ftdp.Between {
		lacks := false
		for i, a := range args {
			if op != ftdp.Eq && op != ftdp.Ne && a == ftdp.Exactly(protocol.Undef) { // an error
				args[i] = ftdp.Anything
			}
			lacks = lacks || !args[i].Known()
		}
		connective := op == ftdp.And || op == ftdp.Or || op == ftdp.Implies
		if out := ftdp.Calculate(op, args); out.Small() && (connective || !lacks) {
			return out
		}
		return ftdp.Anything
	})
	return int32(out.Low), out.Known()
}

// fixed reports whether a term mentions no variables but known ones and those that it binds itself.
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
	if a.Op != b.Op || a.Value != b.Value || a.Var != b.Var || a.Base != b.Base || a.Of != b.Of || a.Role != b.Role ||
		a.Offset != b.Offset ||
		len(a.Args) != len(b.Args) || len(a.Indices) != len(b.Indices) || len(a.Ops) != len(b.Ops) ||
		a.Range != b.Range || !same(a.Who, b.Who) {
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

// conjuncts are the conjuncts of a condition.
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
