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

type clause struct {
	lits   []Lit
	levels int // of what was chosen, when it was learned: the fewer, the better
}

// watch is a clause that is looked at when a literal becomes false, and another one of its literals.
type watch struct {
	*clause
	other Lit
}

const (
	free  int8 = 0
	yes   int8 = 1
	no    int8 = -1
	decay      = 0.95
)

// Solver has clauses.
type Solver struct {
	values   []int8 // of variables
	phase    []int8
	level    []int32
	reason   []*clause
	activity []float64
	place    []int // in the heap, or -1
	order    []int32
	watches  [][]watch
	learned  []*clause
	enough   int // how many learned clauses are kept
	trail    []Lit
	marks    []int // where levels begin
	head     int
	step     float64
	broken   bool // no model at all
	seen     []bool
	model    []int8
	failed   []Lit
}

// New makes a solver.
func New() *Solver { return &Solver{step: 1, enough: 4000} }

// Var makes a variable.
func (s *Solver) Var() Lit {
	v := int32(len(s.values))
	s.values, s.phase, s.level = append(s.values, free), append(s.phase, no), append(s.level, 0)
	s.reason, s.activity, s.seen = append(s.reason, nil), append(s.activity, 0), append(s.seen, false)
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

func (s *Solver) value(l Lit) int8 {
	v := s.values[l.v()]
	if l&1 == 1 {
		return -v
	}
	return v
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
		case s.value(l) == yes:
			return
		case s.value(l) == no:
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
		s.set(list[0], nil)
		s.broken = s.propagate() != nil
	default:
		s.watch(&clause{lits: list})
	}
}

func (s *Solver) watch(c *clause) {
	s.watches[c.lits[0].Not()] = append(s.watches[c.lits[0].Not()], watch{c, c.lits[1]})
	s.watches[c.lits[1].Not()] = append(s.watches[c.lits[1].Not()], watch{c, c.lits[0]})
}

func (s *Solver) set(l Lit, why *clause) {
	v := l.v()
	s.values[v] = yes
	if l&1 == 1 {
		s.values[v] = no
	}
	s.level[v], s.reason[v] = int32(len(s.marks)), why
	s.trail = append(s.trail, l)
}

// propagate follows what is certain; it returns a clause that is false, or nil.
func (s *Solver) propagate() *clause {
	for s.head < len(s.trail) {
		l := s.trail[s.head]
		s.head++
		list := s.watches[l]
		kept := list[:0]
		for i, w := range list {
			if s.value(w.other) == yes {
				kept = append(kept, w)
				continue
			}
			c := w.clause
			if c.lits == nil { // it is forgotten
				continue
			}
			if c.lits[0] == l.Not() {
				c.lits[0], c.lits[1] = c.lits[1], c.lits[0]
			}
			w.other = c.lits[0]
			if s.value(w.other) == yes {
				kept = append(kept, w)
				continue
			}
			moved := false
			for k := 2; k < len(c.lits); k++ {
				if s.value(c.lits[k]) != no {
					c.lits[1], c.lits[k] = c.lits[k], c.lits[1]
					s.watches[c.lits[1].Not()] = append(s.watches[c.lits[1].Not()], w)
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			kept = append(kept, w)
			if s.value(c.lits[0]) == no {
				kept = append(kept, list[i+1:]...)
				s.watches[l] = kept
				s.head = len(s.trail)
				return c
			}
			s.set(c.lits[0], c)
		}
		s.watches[l] = kept
	}
	return nil
}

func (s *Solver) cancel(level int) {
	if len(s.marks) <= level {
		return
	}
	for i := len(s.trail) - 1; i >= s.marks[level]; i-- {
		v := s.trail[i].v()
		s.phase[v], s.values[v] = s.values[v], free
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
func (s *Solver) learn(c *clause) ([]Lit, int) {
	out := []Lit{0}
	at, open := len(s.trail)-1, 0
	var l Lit
	first := true
	for {
		for _, k := range c.lits {
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
	return c != nil && !slices.ContainsFunc(c.lits, func(k Lit) bool {
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
	slices.SortStableFunc(s.learned, func(a, b *clause) int {
		return cmp.Or(cmp.Compare(a.levels, b.levels), cmp.Compare(len(a.lits), len(b.lits)))
	})
	for _, c := range s.learned[len(s.learned)/2:] {
		if c.levels > 2 {
			c.lits = nil
		}
	}
	s.learned = slices.DeleteFunc(s.learned, func(c *clause) bool { return c.lits == nil })
	s.enough += s.enough / 10
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
	s.cancel(0)
	s.failed = nil
	if s.broken {
		return false, true
	}
	for v := range s.phase { // models do not depend on what was asked before more than they have to
		s.phase[v] = no
	}
	conflicts, turn := 0, 1
	for {
		if c := s.propagate(); c != nil {
			if len(s.marks) == 0 {
				s.broken = true
				return false, true
			}
			lits, back := s.learn(c)
			levels := s.levels(lits)
			s.cancel(back)
			if len(lits) == 1 {
				s.set(lits[0], nil)
			} else {
				k := &clause{lits, levels}
				s.watch(k)
				s.learned = append(s.learned, k)
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
			if s.value(a) == no {
				s.failed = s.why(a)
				s.cancel(0)
				return false, true
			}
			s.marks = append(s.marks, len(s.trail))
			if s.value(a) == free {
				s.set(a, nil)
			}
			continue
		}
		l, any := s.decide()
		if !any {
			s.model = append(s.model[:0], s.values...)
			s.cancel(0)
			return true, true
		}
		s.marks = append(s.marks, len(s.trail))
		s.set(l, nil)
	}
}

func (s *Solver) decide() (Lit, bool) {
	for len(s.order) > 0 {
		v := s.pop()
		if s.values[v] != free {
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
		if c := s.reason[l.v()]; c == nil {
			out = append(out, l)
		} else {
			for _, k := range c.lits {
				if s.level[k.v()] > 0 {
					seen[k.v()] = true
				}
			}
		}
	}
	return out
}

// True reports whether a literal is true in the model that was found.
func (s *Solver) True(l Lit) bool { return (s.model[l.v()] == yes) == (l&1 == 0) }

// Failed lists assumptions that cannot all be true, after there was no model.
func (s *Solver) Failed() []Lit { return s.failed }
