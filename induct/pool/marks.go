package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// markers finds the numbers made of sizes that guards, conditions and invariants of a text compare cells with, by what
// the cells are: the last level, for one.
func (v *vocabulary) markers() {
	v.marks = map[string][]*ftdp.Expr{}
	look := func(t *protocol.Term) {
		for t := range t.All() {
			for k := range t.Args {
				switch {
				case len(t.Args) == 2 && compares(t.Op):
					v.mark(t.Args[k], t.Args[1-k])
				case t.Op == ftdp.Chain && k > 0:
					v.mark(t.Args[k], t.Args[k-1])
					v.mark(t.Args[k-1], t.Args[k])
				}
			}
		}
	}
	for i := range v.m.Rules {
		for c := range v.m.Rules[i].Conditions() {
			look(c)
		}
	}
	for i := range v.m.Props {
		look(v.m.Props[i].Invariant)
	}
}

func compares(op ftdp.Op) bool { return op.Opposite() != "" }

// mark notes that a cell, or the greatest or least of some, is compared with a number.
func (v *vocabulary) mark(cell, number *protocol.Term) {
	if cell.Op == ftdp.Max || cell.Op == ftdp.Min {
		cell = cell.Args[0]
	}
	if !cell.IsPlace() || cell.Base != protocol.BaseRole || cell.Type.Kind != protocol.KindInt || !v.sized(number) ||
		!ofConstants(number) {
		return
	}
	sort, e := v.sort(cell.Type), sumOf(number)
	if e != nil && !slices.ContainsFunc(v.marks[sort], func(o *ftdp.Expr) bool { return o.String() == e.String() }) {
		v.marks[sort] = append(v.marks[sort], e)
	}
}

// ofConstants reports whether a number is made of constants alone.
func ofConstants(t *protocol.Term) bool {
	if t.IsPlace() || t.Range != nil || t.Op == ftdp.Name {
		return false
	}
	return !slices.ContainsFunc(t.Args, func(a *protocol.Term) bool { return !ofConstants(a) })
}
