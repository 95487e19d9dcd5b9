package induct

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/rows"
	"github.com/tacheck/tacheck/protocol/encode"
)

// candidate is a clause, by atoms that have the values which it excludes.
type candidate struct {
	atoms  *encode.Atoms
	list   []int
	holds  []bool
	weight int
}

// clauses returns lemmas about so many processes, of so many literals, that are
// false in a state and true in all samples.
func (q *search) clauses(a encode.Assignment, known []bool, t *target, processes, size int) ([]*Lemma, error) {
	var found []candidate
	e := encode.NewEvaluation(q.x.Circuit)
	e.Known = known
	for _, roles := range choices(q.x.Model, processes) {
		atoms, err := q.v.of(roles)
		if err != nil {
			return nil, err
		}
		if atoms == nil {
			continue
		}
		r, err := q.samples.of(roles)
		if err != nil {
			return nil, err
		}
		e.Reset(a)
		for list, holds := range knownAtoms(atoms, e) {
			for lits := range clausesOf(r, literals(list, holds), size) {
				slices.Sort(lits)
				c := newCandidate(atoms, lits)
				c.weight = q.weigh(*c, t)
				if !q.known[c.key()] {
					found = append(found, *c)
				}
				if len(found) >= 4000 {
					break
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.weight, b.weight) })
	var out []*Lemma
	for _, c := range found {
		l, err := q.lemma(c)
		if err != nil {
			return nil, err
		}
		if l.all == encode.True || !q.initially(l.all) ||
			slices.ContainsFunc(out, func(o *Lemma) bool { return o.all == l.all }) {
			continue
		}
		if out = append(out, l); len(out) == attempts {
			break
		}
	}
	return out, nil
}

// weigh orders candidates: what says little, and speaks of what is to be proved, comes first.
func (q *search) weigh(c candidate, t *target) int {
	n := 0
	for i, a := range c.list {
		atom := &c.atoms.List[a]
		w := 10
		switch {
		case t.lemma == nil && atom.Mark&encode.Global != 0, t.lemma != nil &&
			slices.ContainsFunc(t.lemma.Literals,
				func(l Literal) bool { return l.Atom == atom.Text && l.Not == c.holds[i] }):
			w = 4
		case atom.Mark&encode.Transit != 0:
			w = 11 + strings.Count(atom.Text, " and ")
			if !c.holds[i] {
				w += 4 // that a message is on its way is seldom implied
			}
		}
		n += w
	}
	return 2*n + len(c.atoms.Roles)
}

func (c candidate) key() string {
	key := byteKey(c.atoms.Roles)
	for i, a := range c.list {
		sign := "+"
		if c.holds[i] {
			sign = "-"
		}
		key = append(key, sign+c.atoms.List[a].Text...)
	}
	return string(key)
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

// rare is how many literals clauses of three are made of: those that most samples satisfy.
const rare = 120

// clausesOf yields the minimal clauses of so many of some literals that all samples satisfy.
func clausesOf(r *rows.Table, lits []int, size int) iter.Seq[[]int] {
	if size == 1 {
		return func(yield func([]int) bool) {
			for _, l := range lits {
				if r.Without(l) == 0 && !yield([]int{l}) {
					return
				}
			}
		}
	}
	lits = r.Sometimes(lits) // what all samples have adds nothing
	if size == 3 {
		slices.SortStableFunc(lits, func(a, b int) int { return r.Without(a) - r.Without(b) })
		lits = lits[:min(len(lits), rare)]
	}
	return r.Minimal(lits, size)
}

// lemma makes a lemma of a candidate.
func (q *search) lemma(c candidate) (*Lemma, error) {
	l := &Lemma{Class: classify(c.atoms, c.list), Names: c.atoms.Names, weight: c.weight}
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
