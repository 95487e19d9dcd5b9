// Package sat decides propositional clauses, incrementally and under assumptions, in this process and without a solver
// from outside: for searches that ask thousands of small questions, whose answers something else confirms. It repeats
// itself: the same calls get the same answers, and the same models, in which as little as possible is true.
package sat

import (
	"cmp"
	"context"
	"slices"
)

// Lit is a variable (2v) or its negation (2v+1).
type Lit int32

// Not is the negation.
func (l Lit) Not() Lit { return l ^ 1 }

func (l Lit) v() int32 { return int32(l >> 1) }

// clause is where its literals begin in the store, which has their number before them. Its first two are watched.
type clause int32

// none is no clause.
const none clause = 0

// watch is a clause that is looked at when a literal becomes false, and another one of its literals.
type watch struct {
	clause
	other Lit
}

// lesson is a clause that was learned, and of how many levels its literals were then: the fewer, the better.
type lesson struct {
	clause
	levels int
}

const (
	free  int8 = 0
	yes   int8 = 1
	no    int8 = -1
	decay      = 0.95
)

// Solver has clauses.
type Solver struct {
	store    []Lit  // of clauses
	values   []int8 // of literals
	phase    []int8 // of variables, and so on
	level    []int32
	reason   []clause
	activity []float64
	place    []int // in the heap, or -1
	order    []int32
	watches  [][]watch
	learned  []lesson
	enough   int // how many learned clauses are kept
	trail    []Lit
	marks    []int // where levels begin
	assumed  []Lit // of the first levels
	head     int
	step     float64
	broken   bool // no model at all
	seen     []bool
	model    []int8
	failed   []Lit
}

// New makes a solver.
func New() *Solver { return &Solver{step: 1, enough: 4000, store: []Lit{0}} }

// Var makes a variable.
func (s *Solver) Var() Lit {
	v := int32(len(s.phase))
	s.values, s.phase, s.level = append(s.values, free, free), append(s.phase, no), append(s.level, 0)
	s.reason, s.activity, s.seen = append(s.reason, none), append(s.activity, 0), append(s.seen, false)
	s.watches = append(s.watches, nil, nil)
	s.place = append(s.place, -1)
	s.push(v)
	return Lit(2 * v)
}

// before orders the heap of variables.
func (s *Solver) before(a, b int32) bool {
	return s.activity[a] > s.activity[b] || s.activity[a] == s.activity[b] && a < b
}

func (s *Solver) push(v int32) {
	s.place[v] = len(s.order)
	s.order = append(s.order, v)
	s.up(v)
}

// up moves a variable to where it belongs, if that is before others.
func (s *Solver) up(v int32) {
	i := s.place[v]
	for i > 0 && s.before(v, s.order[(i-1)/2]) {
		s.order[i] = s.order[(i-1)/2]
		s.place[s.order[i]] = i
		i = (i - 1) / 2
	}
	s.order[i], s.place[v] = v, i
}

// pop takes the first variable.
func (s *Solver) pop() int32 {
	first, n := s.order[0], len(s.order)-1
	v := s.order[n]
	s.order = s.order[:n]
	s.place[first] = -1
	if n == 0 {
		return first
	}
	i := 0
	for k := 1; k < n; k = 2*i + 1 {
		if k+1 < n && s.before(s.order[k+1], s.order[k]) {
			k++
		}
		if !s.before(s.order[k], v) {
			break
		}
		s.order[i] = s.order[k]
		s.place[s.order[i]] = i
		i = k
	}
	s.order[i], s.place[v] = v, i
	return first
}

// lits are the literals of a clause.
func (s *Solver) lits(c clause) []Lit { return s.store[c : c+clause(s.store[c-1])] }

// clause stores a clause and watches it.
func (s *Solver) clause(lits []Lit) clause {
	s.store = append(append(s.store, Lit(len(lits))), lits...)
	c := clause(len(s.store) - len(lits))
	s.watch(c)
	return c
}

// Add adds a clause.
func (s *Solver) Add(lits ...Lit) {
	if s.broken {
		return
	}
	s.cancel(0)
	var list []Lit
	for _, l := range lits {
		switch {
		case s.values[l] == yes:
			return
		case s.values[l] == no:
			continue
		}
		twice := false
		for _, k := range list {
			if k == l.Not() {
				return
			}
			twice = twice || k == l
		}
		if !twice {
			list = append(list, l)
		}
	}
	switch len(list) {
	case 0:
		s.broken = true
	case 1:
		s.set(list[0], none)
		s.broken = s.propagate() != none
	default:
		s.clause(list)
	}
}

func (s *Solver) watch(c clause) {
	a, b := s.store[c], s.store[c+1]
	s.watches[a.Not()] = append(s.watches[a.Not()], watch{c, b})
	s.watches[b.Not()] = append(s.watches[b.Not()], watch{c, a})
}

func (s *Solver) set(l Lit, why clause) {
	v := l.v()
	s.values[l], s.values[l.Not()] = yes, no
	s.level[v], s.reason[v] = int32(len(s.marks)), why
	s.trail = append(s.trail, l)
}

// propagate follows what is certain; it returns a clause that is false, if there is one.
func (s *Solver) propagate() clause {
	for s.head < len(s.trail) {
		l := s.trail[s.head]
		s.head++
		list := s.watches[l]
		kept := list[:0]
	watches:
		for i, w := range list {
			if s.values[w.other] == yes {
				kept = append(kept, w)
				continue
			}
			lits := s.lits(w.clause)
			if lits[0] == l.Not() {
				lits[0], lits[1] = lits[1], lits[0]
			}
			w.other = lits[0]
			if s.values[w.other] == yes {
				kept = append(kept, w)
				continue
			}
			for k := 2; k < len(lits); k++ {
				if m := lits[k]; s.values[m] != no {
					lits[1], lits[k] = m, lits[1]
					s.watches[m.Not()] = append(s.watches[m.Not()], w)
					continue watches
				}
			}
			kept = append(kept, w)
			if s.values[w.other] == no {
				kept = append(kept, list[i+1:]...)
				s.watches[l] = kept
				s.head = len(s.trail)
				return w.clause
			}
			s.set(w.other, w.clause)
		}
		s.watches[l] = kept
	}
	return none
}

func (s *Solver) cancel(level int) {
	if len(s.marks) <= level {
		return
	}
	for i := len(s.trail) - 1; i >= s.marks[level]; i-- {
		l := s.trail[i]
		v := l.v()
		s.phase[v] = s.values[2*v]
		s.values[l], s.values[l.Not()] = free, free
		if s.place[v] < 0 {
			s.push(v)
		}
	}
	s.trail, s.head, s.marks = s.trail[:s.marks[level]], s.marks[level], s.marks[:level]
}

func (s *Solver) bump(v int32) {
	if s.activity[v] += s.step; s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.step *= 1e-100
	}
	if s.place[v] >= 0 {
		s.up(v)
	}
}

// learn makes a clause of a conflict, and the level to go back to.
func (s *Solver) learn(c clause) ([]Lit, int) {
	out := []Lit{0}
	at, open := len(s.trail)-1, 0
	var l Lit
	first := true
	for {
		for _, k := range s.lits(c) {
			if !first && k == l {
				continue
			}
			if v := k.v(); !s.seen[v] && s.level[v] > 0 {
				s.seen[v] = true
				s.bump(v)
				if int(s.level[v]) == len(s.marks) {
					open++
				} else {
					out = append(out, k)
				}
			}
		}
		for !s.seen[s.trail[at].v()] {
			at--
		}
		l, first = s.trail[at], false
		c = s.reason[l.v()]
		s.seen[l.v()] = false
		at--
		if open--; open == 0 {
			break
		}
	}
	out[0] = l.Not()
	all := slices.Clone(out[1:])
	needed := slices.DeleteFunc(out[1:], s.follows)
	for _, k := range all {
		s.seen[k.v()] = false
	}
	out = out[:1+len(needed)]
	back := 0
	for i := 1; i < len(out); i++ {
		if n := int(s.level[out[i].v()]); n > back {
			back = n
			out[1], out[i] = out[i], out[1]
		}
	}
	return out, back
}

// follows reports whether a literal of a clause that is learned is false because others of it are.
func (s *Solver) follows(l Lit) bool {
	c := s.reason[l.v()]
	return c != none && !slices.ContainsFunc(s.lits(c), func(k Lit) bool {
		return k.v() != l.v() && !s.seen[k.v()] && s.level[k.v()] > 0
	})
}

// levels counts on how many choices literals depend.
func (s *Solver) levels(lits []Lit) int {
	var list []int32
	for _, l := range lits {
		if n := s.level[l.v()]; !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return len(list)
}

// reduce forgets the worse half of what was learned. Nothing is chosen at present, so no clause is a reason.
func (s *Solver) reduce() {
	if len(s.learned) < s.enough {
		return
	}
	slices.SortStableFunc(s.learned, func(a, b lesson) int {
		return cmp.Or(cmp.Compare(a.levels, b.levels), cmp.Compare(s.store[a.clause-1], s.store[b.clause-1]))
	})
	half := len(s.learned) / 2
	forgotten := map[clause]bool{}
	for _, c := range s.learned[half:] {
		forgotten[c.clause] = c.levels > 2
	}
	s.learned = slices.DeleteFunc(s.learned, func(c lesson) bool { return forgotten[c.clause] })
	s.enough += s.enough / 10
	s.pack(forgotten)
}

// pack takes clauses out of the store.
func (s *Solver) pack(forgotten map[clause]bool) {
	for l := range s.watches {
		s.watches[l] = s.watches[l][:0]
	}
	old := s.store
	s.store = make([]Lit, 1, len(old))
	now := map[clause]clause{}
	for at := 1; at < len(old); at += int(old[at]) + 1 {
		if c := clause(at + 1); !forgotten[c] {
			now[c] = s.clause(old[c : c+clause(old[at])])
		}
	}
	for i := range s.learned {
		s.learned[i].clause = now[s.learned[i].clause]
	}
	for _, l := range s.trail {
		s.reason[l.v()] = none // nobody asks why, on the first level
	}
}

// luby is the sequence 1 1 2 1 1 2 4 ..., of how long it is searched before it begins anew.
func luby(i int) int {
	for k := 1; ; k++ {
		if i == 1<<k-1 {
			return 1 << (k - 1)
		}
		if i < 1<<k-1 {
			return luby(i - (1<<(k-1) - 1))
		}
	}
}

// Solve looks for a model in which assumptions are true. ok is false if ctx ended before.
func (s *Solver) Solve(ctx context.Context, assumptions ...Lit) (sat, ok bool) {
	same := 0
	for same < min(len(s.marks), len(s.assumed), len(assumptions)) && s.assumed[same] == assumptions[same] {
		same++
	}
	s.cancel(same)
	s.assumed = slices.Clone(assumptions)
	s.failed = nil
	if s.broken {
		return false, true
	}
	for v := range s.phase { // models do not depend on what was asked before more than they have to
		s.phase[v] = no
	}
	conflicts, turn := 0, 1
	for {
		if c := s.propagate(); c != none {
			if len(s.marks) == 0 {
				s.broken = true
				return false, true
			}
			lits, back := s.learn(c)
			levels := s.levels(lits)
			s.cancel(back)
			if len(lits) == 1 {
				s.set(lits[0], none)
			} else {
				k := s.clause(lits)
				s.learned = append(s.learned, lesson{k, levels})
				s.set(lits[0], k)
			}
			s.step /= decay
			if conflicts++; conflicts >= 100*luby(turn) {
				s.cancel(0)
				if ctx.Err() != nil {
					return false, false
				}
				conflicts = 0
				turn++
				s.reduce()
			}
			continue
		}
		if n := len(s.marks); n < len(assumptions) {
			a := assumptions[n]
			if s.values[a] == no {
				s.failed = s.why(a)
				return false, true
			}
			s.marks = append(s.marks, len(s.trail))
			if s.values[a] == free {
				s.set(a, none)
			}
			continue
		}
		l, any := s.decide()
		if !any {
			s.model = append(s.model[:0], s.values...)
			s.cancel(len(assumptions))
			return true, true
		}
		s.marks = append(s.marks, len(s.trail))
		s.set(l, none)
	}
}

func (s *Solver) decide() (Lit, bool) {
	for len(s.order) > 0 {
		v := s.pop()
		if s.values[2*v] != free {
			continue
		}
		l := Lit(2 * v)
		if s.phase[v] != yes {
			l++
		}
		return l, true
	}
	return 0, false
}

// why lists the assumptions that make another one false, and that one.
func (s *Solver) why(a Lit) []Lit {
	out := []Lit{a}
	if len(s.marks) == 0 {
		return out
	}
	seen := map[int32]bool{a.v(): true}
	for i := len(s.trail) - 1; i >= s.marks[0]; i-- {
		l := s.trail[i]
		if !seen[l.v()] {
			continue
		}
		if c := s.reason[l.v()]; c == none {
			out = append(out, l)
		} else {
			for _, k := range s.lits(c) {
				if s.level[k.v()] > 0 {
					seen[k.v()] = true
				}
			}
		}
	}
	return out
}

// True reports whether a literal is true in the model that was found.
func (s *Solver) True(l Lit) bool { return s.model[l] == yes }

// Failed lists assumptions that cannot all be true, after there was no model.
func (s *Solver) Failed() []Lit { return s.failed }
