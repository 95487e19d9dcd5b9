package induct

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tacheck/protocol/encode"
	"tacheck/smt"
)

// target is what has to hold after each step: the invariant, that nothing goes
// wrong, or a lemma.
type target struct {
	lemma *Lemma // nil for the invariant and for failures
	all   encode.Lit
	after map[int]encode.Lit // by step: that it is false after it
}

// search looks for lemmas. It keeps a set of conditions that are thought to be true; a
// step from a state in which all are to one in which some is not shows that the
// first state has to be excluded, by a lemma that is true in all samples, or that the
// condition cannot be proved.
type search struct {
	ctx     context.Context
	x       *encode.Encoding
	v       *vocabulary
	samples *samples
	s       *session
	factory smt.Factory
	steps   []*encode.Step
	targets []*target // the first is the invariant
	known   map[string]bool
	kept    []*target         // lemmas that stand
	failed  map[string][2]int // by text: how many were kept when it failed, and how deep it was tried
	limit   int               // of lemmas that lemmas need, for now
	seen    []seen
	guards  []encode.Lit // by step, strengthened
	base    []encode.Assignment
	stuck   encode.Assignment // state before a step to a violation that nothing excludes
	tell    func(string)
	stats   *Stats
}

func (q *search) add(l *Lemma, all encode.Lit) *target {
	t := &target{lemma: l, all: all, after: map[int]encode.Lit{}}
	q.targets = append(q.targets, t)
	return t
}

// bad returns when a step leads to a state in which a target is false.
func (q *search) bad(t *target, k int) encode.Lit {
	if l, ok := t.after[k]; ok {
		return l
	}
	step := q.steps[k]
	l := encode.False
	if after := q.x.After(step)(t.all); after != t.all {
		l = q.x.And(q.guards[k], after.Not())
	}
	t.after[k] = l
	return l
}

// crowded is how many conditions a solver knows before it is replaced: most were
// of candidates that are not looked at any more.
const crowded = 1000

// renew replaces a solver that knows too much.
func (q *search) renew() error {
	if len(q.s.copies) == 0 || len(q.s.named[0]) < crowded || q.factory == nil {
		return nil
	}
	fresh, err := newSession(q.x, q.factory, q.s.queries)
	if err != nil {
		return err
	}
	fresh.Assert(fresh.copy(0).Formula(q.x.Valid))
	err = q.s.Close()
	q.s = fresh
	return err
}

// findIn looks for a step from a state in which all of assumed hold, to one in which
// one of some targets does not; it returns that target and the state.
func (q *search) findIn(k int, assumed, wanted []*target) (*target, encode.Assignment, error) {
	if err := q.renew(); err != nil {
		return nil, nil, err
	}
	var any []*smt.Formula
	var of []*target
	if fail := q.steps[k].Fail; fail != encode.False && slices.Contains(wanted, q.targets[0]) {
		any, of = append(any, q.s.when(fail, 0)), append(of, nil)
	}
	for _, t := range wanted {
		if b := q.bad(t, k); b != encode.False {
			any, of = append(any, q.s.when(b, 0)), append(of, t)
		}
	}
	if any == nil {
		return nil, nil, nil
	}
	var before []*smt.Formula
	for _, t := range assumed {
		before = append(before, q.s.when(t.all, 0))
	}
	q.s.Push()
	defer q.s.Pop()
	for _, f := range before {
		q.s.Assert(f)
	}
	q.s.Assert(smt.Or(any...))
	status, err := q.s.check(q.ctx)
	if err != nil || status == smt.Unsat {
		return nil, nil, err
	}
	a, err := q.s.values(0)
	if err != nil {
		return nil, nil, err
	}
	e := encode.NewEvaluation(q.x.Circuit)
	e.Reset(a)
	for _, t := range of {
		if t == nil && e.True(q.steps[k].Fail) {
			return q.targets[0], a, nil
		}
		if t != nil && e.True(q.bad(t, k)) {
			return t, a, nil
		}
	}
	panic("induct: the model of the solver violates nothing")
}

// find looks for a step of any kind, see findIn.
func (q *search) find(assumed, wanted []*target) (*target, encode.Assignment, int, error) {
	for k := range q.steps {
		t, a, err := q.findIn(k, assumed, wanted)
		if t != nil || err != nil {
			return t, a, k, err
		}
	}
	return nil, nil, 0, nil
}

// run looks for an inductive set of conditions with the invariant in it: true if
// there is one, and then it is q.kept with it.
func (q *search) run() (bool, error) {
	if err := q.defined(); err != nil {
		return false, err
	}
	goal := q.targets[0]
	for {
		ok, err := q.prove(goal, []*target{goal}, 0)
		if err != nil {
			return false, err
		}
		if !ok {
			if q.limit++; q.limit > depth {
				return false, nil
			}
			continue
		}
		// What was proved while something else was assumed has to stand with
		// what was proved at last.
		before := len(q.kept)
		if err := q.shrink(0, []*target{goal}); err != nil || len(q.kept) == before {
			return err == nil, err
		}
	}
}

// defined proves that cells are always defined, where that is so.
func (q *search) defined() error {
	for _, size := range []int{1, 2} {
		for _, roles := range choices(q.x.Model, size) {
			atoms, err := q.v.of(roles)
			if err != nil || atoms == nil {
				return err
			}
			r, err := q.samples.of(roles)
			if err != nil {
				return err
			}
			for i, a := range atoms.List {
				if strings.HasPrefix(a.Text, "isundefined(") && count(r.where(i, true)) == 0 {
					c := candidate{atoms: atoms, list: []int{i}, holds: []bool{true}}
					q.known[c.key()] = true
					l, err := q.lemma(c)
					if err != nil {
						return err
					}
					if l.all != encode.True && q.initially(l.all) && !slices.ContainsFunc(q.kept, func(t *target) bool { return t.all == l.all }) {
						q.kept = append(q.kept, q.add(l, l.all))
					}
				}
			}
		}
	}
	return q.shrink(0, []*target{q.targets[0]})
}

// shrink drops lemmas, from one on, that do not stand by all that is assumed and
// kept. Those that were given by hand stand by each other.
func (q *search) shrink(from int, assumed []*target) error {
	for {
		t, _, _, err := q.find(append(slices.Clone(assumed), q.kept...), q.kept[from:])
		if t == nil || err != nil {
			return err
		}
		q.stats.Dropped++
		q.kept = slices.DeleteFunc(q.kept, func(k *target) bool { return k == t })
	}
}

// Bounds of the search.
const (
	depth    = 7  // of lemmas that lemmas need
	attempts = 40 // candidates that are tried for a state
	deeper   = 4  // of these, for which lemmas are looked for
)

// prove finds lemmas by which a condition stands: all steps from states in which
// it holds, what was kept and what is assumed, lead to states in which it does.
func (q *search) prove(t *target, assumed []*target, level int) (bool, error) {
	from := len(q.kept)
	for {
		bad, a, k, err := q.find(append(slices.Clone(assumed), q.kept...), []*target{t})
		if err != nil || bad == nil {
			return err == nil, err
		}
		q.stats.Counterexamples++
		if q.tell != nil {
			q.tell(fmt.Sprintf("%d lemmas, %d dropped, %d counterexamples to induction", len(q.kept), q.stats.Dropped, q.stats.Counterexamples))
		}
		ok, err := q.exclude(a, t, k, assumed, level)
		if err != nil {
			return false, err
		}
		if !ok {
			q.stats.Dropped++
			if level == 0 {
				q.stuck = a
				return false, nil
			}
			return false, q.shrink(from, assumed[:len(assumed)-1])
		}
	}
}

// stands reports whether a lemma needs no other lemmas than those that were kept.
func (q *search) stands(t *target, assumed []*target) (bool, error) {
	bad, a, k, err := q.find(append(append(slices.Clone(assumed), q.kept...), t), []*target{t})
	if bad != nil {
		q.seen = append(q.seen, seen{a, k})
		if len(q.seen) > 200 {
			q.seen = q.seen[100:]
		}
	}
	return bad == nil && err == nil, err
}

// seen is a step from a state that was thought impossible.
type seen struct {
	a encode.Assignment
	k int
}

// refuted reports whether a step that was seen before shows that a lemma does not
// stand by what is assumed and kept.
func (q *search) refuted(l *Lemma, assumed []*target) bool {
	e := encode.NewEvaluation(q.x.Circuit)
	for _, s := range q.seen {
		e.Reset(s.a)
		if !e.True(q.guards[s.k]) || !e.True(l.all) {
			continue
		}
		possible := true
		for _, list := range [][]*target{assumed, q.kept} {
			for _, t := range list {
				possible = possible && e.True(t.all)
			}
		}
		if !possible {
			continue
		}
		e.Reset(e.Next(q.steps[s.k]))
		if !e.True(l.all) {
			return true
		}
	}
	return false
}

// exclude finds a lemma that is false in a state from which a step leads to a state
// where a target is not true.
func (q *search) exclude(a encode.Assignment, t *target, k int, assumed []*target, level int) (bool, error) {
	root := encode.False
	e := encode.NewEvaluation(q.x.Circuit)
	e.Reset(a)
	if fail := q.steps[k].Fail; t == q.targets[0] && e.True(fail) {
		root = fail
	} else {
		root = q.bad(t, k)
		// One choice of processes for which it is false is enough.
		if t.lemma != nil {
			after := q.x.After(q.steps[k])
			for _, l := range t.lemma.instances {
				if b := q.x.And(q.guards[k], after(l).Not()); e.True(b) {
					root = b
					break
				}
			}
		}
	}
	known := q.lift(a, root)
	var rest []*target
	// First what the step needs, then anything that is odd about the state.
	for _, stage := range []struct {
		size, literals int
		known          []bool
	}{
		{1, 1, known}, {2, 1, known}, {1, 2, known}, {2, 2, known}, {1, 3, known}, {2, 3, known},
		{1, 1, nil}, {2, 1, nil}, {1, 2, nil}, {2, 2, nil},
		{3, 2, known}, {3, 3, known}, {2, 3, nil}, {3, 2, nil},
	} {
		list, err := q.clauses(a, stage.known, t, stage.size, stage.literals)
		if err != nil {
			return false, err
		}
		for _, l := range list {
			if slices.ContainsFunc(rest, func(t *target) bool { return t.all == l.all }) {
				continue
			}
			if !q.refuted(l, assumed) {
				n := q.add(l, l.all)
				ok, err := q.stands(n, assumed)
				if err != nil {
					return false, err
				}
				if ok {
					q.kept = append(q.kept, n)
					return true, nil
				}
				rest = append(rest, n)
			} else {
				rest = append(rest, q.add(l, l.all))
			}
		}
	}
	if level >= q.limit {
		return false, nil
	}
	slices.SortStableFunc(rest, func(a, b *target) int { return cmp.Compare(a.lemma.weight, b.lemma.weight) })
	tried := 0
	for _, n := range rest {
		key := n.lemma.Text()
		if size, tried := q.failed[key]; tried && size == [2]int{len(q.kept), q.limit - level} || slices.ContainsFunc(assumed, func(t *target) bool { return t.all == n.all }) {
			continue
		}
		if tried++; tried > deeper {
			break
		}
		ok, err := q.prove(n, append(slices.Clone(assumed), n), level+1)
		if err != nil {
			return false, err
		}
		if ok {
			q.kept = append(q.kept, n)
			return true, nil
		}
		q.failed[key] = [2]int{len(q.kept), q.limit - level}
	}
	return false, nil
}

// lift returns which variables matter for a condition that is true: whatever the
// others are, it stays true.
func (q *search) lift(a encode.Assignment, root encode.Lit) []bool {
	e := encode.NewEvaluation(q.x.Circuit)
	e.Known = make([]bool, len(a))
	for i := range e.Known {
		e.Known[i] = true
	}
	var unit []int
	drop := func() {
		for _, v := range unit {
			e.Known[v] = false
		}
		e.Reset(a)
		if !e.True(root) {
			for _, v := range unit {
				e.Known[v] = true
			}
		}
		unit = unit[:0]
	}
	// Variables of a group stand next to each other.
	for v := q.x.StateVars() - 1; v >= 0; v-- {
		unit = append(unit, v)
		if g := q.x.Vars[v].Group; v == 0 || g < 0 || q.x.Vars[v-1].Group != g {
			drop()
		}
	}
	return e.Known
}

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
		done := map[string]bool{}
		for tuple := range atoms.Tuples {
			var list []int
			var holds []bool
			key := make([]byte, 0, len(atoms.List))
			for i, l := range atoms.Lits[tuple] {
				v := e.Value(l)
				key = append(key, byte(v))
				if v != encode.Maybe {
					list, holds = append(list, i), append(holds, v == encode.Yes)
				}
			}
			if done[string(key)] {
				continue
			}
			done[string(key)] = true
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
		if l.all == encode.True || !q.initially(l.all) || slices.ContainsFunc(out, func(o *Lemma) bool { return o.all == l.all }) {
			continue
		}
		if out = append(out, l); len(out) == attempts {
			break
		}
	}
	return out, nil
}

// weigh orders candidates: what says little, and speaks of what is to be proved, comes
// first.
func (q *search) weigh(c candidate, t *target) int {
	n := 0
	for i, a := range c.list {
		atom := &c.atoms.List[a]
		w := 10
		switch {
		case t.lemma == nil && atom.Mark&encode.Global != 0, t.lemma != nil && slices.ContainsFunc(t.lemma.Literals, func(l Literal) bool { return l.Atom == atom.Text && l.Not == c.holds[i] }):
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

// pick yields the sets of so many atoms whose values no sample has together, and of
// which no part is such a set.
func (q *search) pick(r *rows, list []int, holds []bool, size int, yield func(...int) bool) {
	where := make([][]uint64, len(list))
	for i, a := range list {
		where[i] = r.where(a, holds[i])
	}
	counts := make([]int, len(list))
	for i := range list {
		counts[i] = count(where[i])
	}
	if size == 1 {
		for i := range list {
			if counts[i] == 0 && !yield(i) {
				return
			}
		}
		return
	}
	// Values that all samples have add nothing.
	var use []int
	for i := range list {
		if counts[i] > 0 && counts[i] < r.n {
			use = append(use, i)
		}
	}
	if size == 2 {
		for x, i := range use {
			for _, j := range use[:x] {
				if disjoint(where[i], where[j]) && !yield(j, i) {
					return
				}
			}
		}
		return
	}
	// Three: the rarest values first, as far as there is time.
	slices.SortStableFunc(use, func(i, j int) int { return cmp.Compare(counts[i], counts[j]) })
	use = use[:min(len(use), 120)]
	both := make([]uint64, r.words)
	for x, i := range use {
		for y, j := range use[:x] {
			some := false
			for w := range both {
				both[w] = where[i][w] & where[j][w]
				some = some || both[w] != 0
			}
			if !some {
				continue
			}
			for _, l := range use[:y] {
				if disjoint(both, where[l]) && !disjoint(where[i], where[l]) && !disjoint(where[j], where[l]) {
					three := []int{i, j, l}
					slices.Sort(three)
					if !yield(three...) {
						return
					}
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

// initially reports whether a condition is true in all initial states.
func (q *search) initially(l encode.Lit) bool {
	e := encode.NewEvaluation(q.x.Circuit)
	for _, a := range q.base {
		e.Reset(a)
		if !e.True(l) {
			return false
		}
	}
	return true
}
