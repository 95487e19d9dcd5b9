package induct

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
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
func (q *search) clauses(a encode.Assignment, known []bool, t *target, size, literals int) ([]*Lemma, error) {
	var found []candidate
	e := encode.NewEvaluation(q.x.Circuit)
	e.Known = known
	for _, roles := range choices(q.x.Model, size) {
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
			q.pick(r, list, holds, literals, func(pick ...int) bool {
				c := candidate{atoms: atoms}
				for _, p := range pick {
					c.list, c.holds = append(c.list, list[p]), append(c.holds, holds[p])
				}
				c.weight = q.weigh(c, t)
				if !q.known[c.key()] {
					found = append(found, c)
				}
				return len(found) < 4000
			})
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

// pick yields the minimal sets of so many atoms whose values no sample has together.
func (q *search) pick(r *rows, list []int, holds []bool, size int, yield func(...int) bool) {
	o := occurrences{where: make([][]uint64, len(list)), words: r.words}
	for i, a := range list {
		o.where[i] = r.where(a, holds[i])
		o.counts = append(o.counts, count(o.where[i]))
	}
	for i := range list { // values that all samples have add nothing
		if o.counts[i] > 0 && o.counts[i] < r.n {
			o.use = append(o.use, i)
		}
	}
	switch size {
	case 1:
		for i := range list {
			if o.counts[i] == 0 && !yield(i) {
				return
			}
		}
	case 2:
		o.pairs(yield)
	default:
		o.triples(yield)
	}
}

// occurrences says in which samples atoms have the values that they have in a state.
type occurrences struct {
	where  [][]uint64 // by atom: a set of samples
	counts []int      // by atom: how many samples
	use    []int      // atoms that some samples have and others do not
	words  int        // of a set of samples
}

// pairs yields pairs of atoms that no sample has.
func (o *occurrences) pairs(yield func(...int) bool) {
	for x, i := range o.use {
		for _, j := range o.use[:x] {
			if disjoint(o.where[i], o.where[j]) && !yield(j, i) {
				return
			}
		}
	}
}

// rare is how many atoms triples are made of: those that the fewest samples have.
const rare = 120

// triples yields sets of three atoms that no sample has, though each two of them some have.
func (o *occurrences) triples(yield func(...int) bool) {
	slices.SortStableFunc(o.use, func(i, j int) int { return cmp.Compare(o.counts[i], o.counts[j]) })
	use := o.use[:min(len(o.use), rare)]
	both := make([]uint64, o.words)
	for x, i := range use {
		for y, j := range use[:x] {
			if disjoint(o.where[i], o.where[j]) {
				continue
			}
			for w := range both {
				both[w] = o.where[i][w] & o.where[j][w]
			}
			for _, l := range use[:y] {
				if !disjoint(both, o.where[l]) || disjoint(o.where[i], o.where[l]) || disjoint(o.where[j], o.where[l]) {
					continue
				}
				three := []int{i, j, l}
				slices.Sort(three)
				if !yield(three...) {
					return
				}
			}
		}
	}
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
