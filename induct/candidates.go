package induct

import (
	"iter"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/protocol/encode"
)

// candidate is a clause, by atoms that have the values which it excludes.
type candidate struct {
	atoms *encode.Atoms
	list  []int
	holds []bool
}

// literals are those that say that some atoms have not these values.
func literals(list []int, holds []bool) (out []int) {
	for i, a := range list {
		out = append(out, unlike(a, holds[i]))
	}
	return out
}

// newCandidate is a clause of literals; nil if there are none.
func newCandidate(atoms *encode.Atoms, lits []int) *candidate {
	if lits == nil {
		return nil
	}
	c := &candidate{atoms: atoms}
	for _, l := range lits {
		c.list, c.holds = append(c.list, l/2), append(c.holds, l%2 == 1)
	}
	return c
}

// lemma makes a lemma of a candidate.
func (q *search) lemma(c candidate) (*Lemma, error) {
	l := &Lemma{Class: classify(c.atoms, c.list), Names: c.atoms.Names}
	for _, r := range c.atoms.Roles {
		l.Roles = append(l.Roles, q.x.Model.Roles[r].ID)
	}
	for i, a := range c.list {
		l.Literals = append(l.Literals, Literal{c.atoms.List[a].Text, c.holds[i]})
	}
	return l, l.make(q.v)
}

// knownAtoms yields, for each choice of processes, the atoms that have values in an evaluation, and these: the same
// ones once.
func knownAtoms(atoms *encode.Atoms, e *encode.Evaluation) iter.Seq2[[]int, []bool] {
	return func(yield func(list []int, holds []bool) bool) {
		done := map[string]bool{}
		for _, lits := range atoms.Lits {
			var list []int
			var holds []bool
			key := make([]byte, 0, len(atoms.List))
			for i, l := range lits {
				v := e.Value(l)
				key = append(key, byte(v))
				if v != boolean.Maybe {
					list, holds = append(list, i), append(holds, v == boolean.Yes)
				}
			}
			if done[string(key)] {
				continue
			}
			done[string(key)] = true
			if !yield(list, holds) {
				return
			}
		}
	}
}
