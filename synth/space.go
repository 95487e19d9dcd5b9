package synth

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// space is the set of assignments that may be solutions: what is within the bounds, and is neither refuted nor dropped.
// A solver keeps it, so that it may be of any size.
type space struct {
	t       *Template
	solver  smt.Solver
	vars    []*smt.Var
	total   *smt.Var // distance from the values that are there now, if there are any
	nearest int64    // nothing is nearer
	random  *rand.Rand
	misses  int // how often in a row nothing was found at random
	runs    []*Refutation
	dropped map[string]bool
}

// space begins with everything that is within the bounds.
func (t *Template) space(o Options) (*space, error) {
	start, err := verify.SolverFactory(o.Options)
	if err != nil {
		return nil, err
	}
	s := &space{t: t, vars: t.conditions().vars, random: rand.New(rand.NewPCG(1, 1)), dropped: map[string]bool{}}
	if s.solver, err = start(); err != nil {
		return nil, err
	}
	for i, u := range t.Unknowns {
		x := s.vars[i]
		s.solver.Assert(smt.GE(smt.V(x), smt.N(u.Min)))
		s.solver.Assert(smt.LE(smt.V(x), smt.N(u.Max)))
	}
	if bounds, ok := t.within(); ok {
		s.solver.Assert(bounds)
	}
	if t.start != nil {
		s.measure()
	}
	return s, nil
}

// measure makes total at least the distance.
func (s *space) measure() {
	var sum smt.Linear
	for i, x := range s.vars {
		d := &smt.Var{Name: fmt.Sprintf("d%d", i), Sort: smt.Int}
		away := smt.V(x).Sub(smt.N(s.t.start[i]))
		s.solver.Assert(smt.GE(smt.V(d), away))
		s.solver.Assert(smt.GE(smt.V(d), smt.N(0).Sub(away)))
		sum = sum.Add(smt.V(d))
	}
	s.total = &smt.Var{Name: "total", Sort: smt.Int}
	s.solver.Assert(smt.EQ(smt.V(s.total), sum))
}

// exclude takes away what a run refutes: all of it at once, or if the run has to
// be replayed for each assignment, these as they come.
func (s *space) exclude(r *Refutation) {
	s.runs = append(s.runs, r)
	if r.exact {
		s.solver.Assert(smt.Not(r.all))
	} else {
		s.drop(r.Values)
	}
}

// drop takes away one assignment.
func (s *space) drop(v Values) {
	s.dropped[fmt.Sprint(v)] = true
	s.solver.Assert(smt.Not(s.is(v)))
}

func (s *space) is(v Values) *smt.Formula {
	var all []*smt.Formula
	for i, x := range s.vars {
		all = append(all, smt.EQ(smt.V(x), smt.N(v[i])))
	}
	return smt.And(all...)
}

// alive reports whether an assignment within the bounds is left.
func (s *space) alive(v Values) bool {
	return !s.dropped[fmt.Sprint(v)] && !slices.ContainsFunc(s.runs, func(r *Refutation) bool { return r.Refutes(v) })
}

// propose returns some of the assignments that are left, none if there are none: the nearest ones if there are values
// to be near to; otherwise as if at random, since neighbours are often refuted by the same runs, as long as that finds
// some. There is a reason if it is not known whether some are left.
func (s *space) propose(ctx context.Context, n int) (list []Values, reason string, err error) {
	if s.t.start == nil && s.misses < 3 {
		if list = s.sample(n); len(list) > 0 {
			s.misses = 0
			return list, "", nil
		}
		s.misses++
	}
	list, gone, reason, err := s.list(ctx, n)
	for _, v := range gone {
		s.drop(v)
	}
	return list, reason, err
}

// list has the solver list assignments that are left. Those that it cannot know
// to be refuted or outside of the bounds are gone.
func (s *space) list(ctx context.Context, n int) (list, gone []Values, reason string, err error) {
	s.solver.Push()
	defer s.solver.Pop()
	for len(list) < n {
		v, reason, err := s.ask(ctx)
		switch {
		case err != nil || reason != "":
			return list, gone, reason, err
		case v == nil:
			return list, gone, "", nil
		case s.total != nil && len(list) > 0 && s.t.distance(v) > s.t.distance(list[0]):
			return list, gone, "", nil
		}
		s.solver.Assert(smt.Not(s.is(v)))
		if s.t.inside(v) && s.alive(v) {
			list = append(list, v)
		} else {
			gone = append(gone, v)
		}
	}
	return list, gone, "", nil
}

// tries is how many assignments are drawn at random at a time.
const tries = 24

func (s *space) sample(n int) (list []Values) {
	for range tries {
		v := make(Values, len(s.t.Unknowns))
		for i, u := range s.t.Unknowns {
			v[i] = u.Min + s.random.Int64N(u.Max-u.Min+1)
		}
		if !slices.ContainsFunc(list, func(w Values) bool { return slices.Equal(v, w) }) && s.t.inside(v) &&
			s.alive(v) {
			if list = append(list, v); len(list) == n {
				break
			}
		}
	}
	return list
}

// ask asks the solver for an assignment, a nearest one if that is asked for; nil if there is none.
func (s *space) ask(ctx context.Context) (v Values, reason string, err error) {
	v, reason, err = s.check(ctx)
	if s.total == nil || v == nil {
		return v, reason, err
	}
	for s.t.distance(v) > s.nearest { // is there a nearer one?
		s.solver.Push()
		s.solver.Assert(smt.LE(smt.V(s.total), smt.N((s.nearest+s.t.distance(v))/2)))
		nearer, reason, err := s.check(ctx)
		s.solver.Pop()
		switch {
		case err != nil || reason != "":
			return nil, reason, err
		case nearer == nil:
			s.nearest = (s.nearest+s.t.distance(v))/2 + 1
		default:
			v = nearer
		}
	}
	return v, "", nil
}

func (s *space) check(ctx context.Context) (Values, string, error) {
	answer, err := s.solver.Check(ctx)
	switch {
	case err != nil:
		return nil, "", err
	case answer.Status == smt.Unsat:
		return nil, "", nil
	case ctx.Err() != nil:
		return nil, smt.Interrupted(ctx), nil
	case answer.Status == smt.Unknown:
		return nil, "which assignments are left is not known: " + answer.Reason, nil
	}
	values, err := s.solver.Values(s.vars)
	if err != nil {
		return nil, "", err
	}
	v := make(Values, len(values))
	for i, x := range values {
		v[i] = x.Int64()
	}
	return v, "", nil
}

// within is the assumptions on unknowns as a formula; ok is not set if they are not linear, and have to be looked at
// for each assignment.
func (t *Template) within() (bounds *smt.Formula, ok bool) {
	bounds = smt.True
	defer diag.Caught(func(tooHard) { ok = false })
	x := &evaluation{on: t.conditions()}
	for _, b := range t.bounds {
		bounds = join(smt.OpAnd, bounds, x.cond(b))
	}
	return bounds, true
}

// inside evaluates the assumptions on unknowns.
func (t *Template) inside(v Values) bool {
	x := &evaluation{on: &conditions{known: map[string]*smt.Formula{}}, values: map[string]*big.Int{}}
	for i, u := range t.Unknowns {
		x.values[u.Name] = big.NewInt(v[i])
	}
	return !slices.ContainsFunc(t.bounds, func(b *syntax.Expr) bool { return x.cond(b) != smt.True })
}

// countable is up to how many assignments are counted one by one.
const countable = 1 << 17

// size is how many assignments are within the bounds: exactly if these are ranges and equations of two unknowns, or if
// there are few; otherwise how many are within ranges and equations.
func (t *Template) size() *big.Int {
	ranges := slices.Clone(t.Unknowns)
	class := make([]int, len(ranges)) // equal unknowns have the same
	for i := range class {
		class[i] = i
	}
	rest := false
	for _, e := range conjuncts(t.bounds) {
		i, j, ok := t.equation(e)
		if !ok {
			rest = rest || !isRange(e)
			continue
		}
		from, to := class[j], class[i]
		for k := range class {
			if class[k] == from {
				class[k] = to
			}
		}
	}
	size := big.NewInt(1)
	for i := range ranges {
		if slices.Index(class, class[i]) != i {
			continue // counted
		}
		least, most := ranges[i].Min, ranges[i].Max
		for k := range ranges {
			if class[k] == class[i] {
				least, most = max(least, ranges[k].Min), min(most, ranges[k].Max)
			}
		}
		size.Mul(size, big.NewInt(max(0, most-least+1)))
	}
	if !rest || !t.few() {
		return size
	}
	n := int64(0)
	t.each(func(v Values) {
		if t.inside(v) {
			n++
		}
	})
	return big.NewInt(n)
}

// few reports whether there are few assignments within the ranges.
func (t *Template) few() bool {
	size := 1.0
	for _, u := range t.Unknowns {
		size *= float64(max(0, u.Max-u.Min+1))
	}
	return size <= countable
}

func conjuncts(list []*syntax.Expr) (out []*syntax.Expr) {
	for _, e := range list {
		if e.Op == syntax.And {
			out = append(out, conjuncts(e.Args)...)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// equation reads `u == v`.
func (t *Template) equation(e *syntax.Expr) (i, j int, ok bool) {
	if e.Op != syntax.Eq || len(e.Args) != 2 || e.Args[0].Op != syntax.Name || e.Args[1].Op != syntax.Name {
		return 0, 0, false
	}
	return t.index(e.Args[0].Name), t.index(e.Args[1].Name), true
}

// isRange reports whether a bound is one that the ranges say.
func isRange(e *syntax.Expr) bool {
	if len(e.Args) != 2 || e.Op == syntax.Ne || !e.Op.IsComparison() {
		return false
	}
	_, left := constant(e.Args[0])
	_, right := constant(e.Args[1])
	return left && e.Args[1].Op == syntax.Name || right && e.Args[0].Op == syntax.Name
}

// each calls f with all assignments within the ranges: the first unknown varies most.
func (t *Template) each(f func(Values)) {
	v := make(Values, len(t.Unknowns))
	var assign func(i int)
	assign = func(i int) {
		if i < 0 {
			f(slices.Clone(v))
			return
		}
		for v[i] = t.Unknowns[i].Min; v[i] <= t.Unknowns[i].Max; v[i]++ {
			assign(i - 1)
		}
	}
	assign(len(v) - 1)
}

// distance is how far an assignment is from the values that are there now.
func (t *Template) distance(v Values) (d int64) {
	for i, x := range t.start {
		d += max(v[i]-x, x-v[i])
	}
	return d
}
