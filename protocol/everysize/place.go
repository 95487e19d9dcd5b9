package everysize

import (
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// place is where ground terms are found: the argument of a function, or its values (-1).
type place struct {
	f   *function
	arg int
}

// positions lists where the numbers are that a quantifier is about: cells and fields of messages that its condition
// says a number is equal to, and arrays that it is an index of. It is nil if the condition does not tell.
func (w *world) places(t *protocol.Term) []place {
	if (t.Op != ftdp.ForAll && t.Op != ftdp.Exists) || t.Range.Type.Kind != protocol.KindInt {
		return nil
	}
	var list []place
	messages := map[int]*protocol.Range{}
	var walk func(u *protocol.Term)
	is := func(u *protocol.Term) bool { return u.Op == ftdp.Name && u.Var == t.Var }
	same := func(u, v *protocol.Term) {
		if is(u) {
			if at, ok := w.placeOf(v, messages); ok {
				list = append(list, at)
			}
		}
	}
	walk = func(u *protocol.Term) {
		if u == nil {
			return
		}
		if u.Range != nil && u.Range.Sent != nil {
			messages[u.Var] = u.Range
		}
		equal := u.Op == ftdp.Eq || u.Op == ftdp.Ne
		for i, a := range u.Args {
			if i > 0 && (equal || u.Op == ftdp.Chain && (u.Ops[i-1] == ftdp.Eq || u.Ops[i-1] == ftdp.Ne)) {
				same(u.Args[i-1], a)
				same(a, u.Args[i-1])
			}
			walk(a)
		}
		if u.IsPlace() && u.Base == protocol.BaseRole && u.Type.Scalar() {
			for i, x := range u.Indices {
				if is(x.Index) {
					list = append(list, place{w.cell(w.x.leafAt(u), ""), i + 1})
				}
			}
		}
	}
	walk(t.Args[0])
	return list
}

// placeOf is where the values of a place are found: those of a cell, or a field of messages.
func (w *world) placeOf(t *protocol.Term, messages map[int]*protocol.Range) (place, bool) {
	if !t.IsPlace() || !t.Type.Scalar() {
		return place{}, false
	}
	switch t.Base {
	case protocol.BaseRole:
		return place{w.cell(w.x.leafAt(t), ""), -1}, true
	case protocol.BaseSent:
		r := messages[t.Var]
		if r == nil {
			return place{}, false
		}
		arg := 2
		for _, l := range w.x.message[:w.x.fieldAt(t)] {
			if l.typ.Kind != protocol.KindBool {
				arg++
			}
		}
		return place{w.relation(r.Sent[0].Type.Role, r.Sent[1].Type.Role), arg}, true
	}
	return place{}, false
}
