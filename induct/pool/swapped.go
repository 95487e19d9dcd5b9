package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Clauses made on demand about two processes of one role that say the same with the names of these exchanged: only one
// of them is a lemma to try.

// exchange notes which conditions are others with two names exchanged.
func (c *template) exchange(one, other string) {
	with := map[string]*ftdp.Expr{one: made.Name(other), other: made.Name(one)}
	place := map[string]int{}
	for l := range 2 * len(c.atoms) {
		if l%2 == 0 || !c.atoms[l/2].positive() {
			place[inOrder(c.literal(l)).String()] = l
		}
	}
	c.swapped = map[int]int{}
	for _, l := range place {
		if k, ok := place[inOrder(c.literal(l).Putting(with)).String()]; ok {
			c.swapped[l] = k
		}
	}
}

// inOrder is a comparison with its sides in the order of the alphabet, or with the greater one last.
func inOrder(e *ftdp.Expr) *ftdp.Expr {
	switch mirrored := e.Op.Mirrored(); e.Op {
	case ftdp.Gt, ftdp.Ge:
		return made.Op(mirrored, e.Args[1], e.Args[0])
	case ftdp.Eq, ftdp.Ne:
		if e.Args[1].String() < e.Args[0].String() {
			return made.Op(e.Op, e.Args[1], e.Args[0])
		}
	}
	return e
}

// first reports whether a clause is that one of two which say the same that is to be tried.
func (c *template) first(lits []int) bool {
	other := make([]int, len(lits))
	for k, l := range lits {
		with, ok := c.swapped[l]
		if !ok {
			return true
		}
		other[k] = with
	}
	own := slices.Clone(lits)
	slices.Sort(own)
	slices.Sort(other)
	return slices.Compare(own, other) <= 0
}
