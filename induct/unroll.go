package induct

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
)

// unrolling is paths of states, as formulas: copy k of the variables is the state after k steps.
type unrolling struct {
	*session
	steps  []*encode.Step
	guards []encode.Lit
	length int
}

// extend adds a step to the paths.
func (u *unrolling) extend() {
	k := u.length
	now, next := u.copy(k), u.copy(k+1)
	changing := map[int][]*smt.Formula{}
	var any []*smt.Formula
	for i, step := range u.steps {
		taken := fresh("step%d_%d", k, i)
		// One step at a time: before says that one of those up to here is taken.
		before := fresh("before%d_%d", k, i)
		u.Assert(smt.Or(before, smt.Not(taken)))
		if i > 0 {
			last := fresh("before%d_%d", k, i-1)
			u.Assert(smt.Or(before, smt.Not(last)))
			u.Assert(smt.Or(smt.Not(taken), smt.Not(last)))
		}
		any = append(any, taken)
		u.Assert(smt.Implies(taken, now.Formula(u.guards[i])))
		for _, v := range step.Changes() {
			u.Assert(smt.Implies(taken, u.x.Becomes(step, v, now, next)))
			changing[v] = append(changing[v], taken)
		}
	}
	u.Assert(smt.Or(any...))
	for v := range u.x.StateVars() {
		same := smt.EQ(smt.V(now.Var(v)), smt.V(next.Var(v)))
		if !u.x.Vars[v].Int {
			same = smt.Iff(smt.Lit(now.Var(v)), smt.Lit(next.Var(v)))
		}
		u.Assert(smt.Or(append([]*smt.Formula{same}, changing[v]...)...))
	}
	u.length++
}

// differ asserts that the last state of the paths is none of the others: a shortest way to
// a state does not come by any state twice.
func (u *unrolling) differ() {
	last := u.copy(u.length)
	for k := range u.length {
		other := u.copy(k)
		var some []*smt.Formula
		for v := range u.x.StateVars() {
			if u.x.Vars[v].Int {
				some = append(some, smt.Not(smt.EQ(smt.V(other.Var(v)), smt.V(last.Var(v)))))
				continue
			}
			a, b := smt.Lit(other.Var(v)), smt.Lit(last.Var(v))
			some = append(some, smt.Or(smt.And(a, smt.Not(b)), smt.And(smt.Not(a), b)))
		}
		u.Assert(smt.Or(some...))
	}
}

// wrong is when a state is not as it should be: the invariant is false, or some step fails.
func wrong(x *encode.Encoding, goal encode.Lit, steps []*encode.Step) encode.Lit {
	list := []encode.Lit{goal.Not()}
	for _, s := range steps {
		list = append(list, s.Fail)
	}
	return x.Or(list...)
}

// base looks for a shortest path from an initial state to one that is wrong, of
// at most most steps (without limit if that is negative). It tells by reached how far there is none.
func base(ctx context.Context, x *encode.Encoding, p *protocol.Prop, o Options, most int, reached func(int),
	stats *Stats) (*interp.Run, error) {
	goal, _, err := x.Holds(p.Invariant, make([]int32, p.Frame))
	if err != nil {
		return nil, err
	}
	s, err := newSession(x, o.Solver, &stats.Queries)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	u := &unrolling{session: s, steps: x.Steps}
	for _, st := range x.Steps {
		u.guards = append(u.guards, st.Guard)
	}
	var starts []*smt.Formula
	for i, in := range x.Initial {
		start := fresh("start%d", i)
		starts = append(starts, start)
		a := x.Assign(in.State)
		for v := range x.StateVars() {
			value := smt.EQ(smt.V(s.copy(0).Var(v)), smt.N(int64(a[v])))
			if !x.Vars[v].Int {
				if value = smt.Lit(s.copy(0).Var(v)); a[v] == 0 {
					value = smt.Not(value)
				}
			}
			s.Assert(smt.Implies(start, value))
		}
	}
	s.Assert(smt.Or(starts...))
	bad := wrong(x, goal, x.Steps)
	for k := 0; most < 0 || k <= most; k++ {
		now := s.when(bad, k)
		s.Push()
		s.Assert(now)
		status, err := s.check(ctx)
		if err != nil {
			return nil, err
		}
		if status == smt.Sat {
			var path []encode.Assignment
			for i := range k + 1 {
				a, err := s.values(i)
				if err != nil {
					return nil, err
				}
				path = append(path, a)
			}
			return replay(x, p, path)
		}
		s.Pop()
		if reached != nil {
			reached(k)
		}
		s.Assert(s.copy(k).Formula(bad.Not()))
		u.extend()
	}
	return nil, nil
}

// replay makes a run of states, by the interpreter.
func replay(x *encode.Encoding, p *protocol.Prop, path []encode.Assignment) (*interp.Run, error) {
	bug := errors.New("internal error, please report: a counterexample of the base case is no run")
	r := &interp.Run{Model: x.Model, Options: x.Options, Property: p.Name, Loop: -1}
	for _, a := range path {
		want := x.State(a).Key()
		ok, err := r.Extend(func(s interp.Successor) bool { return s.State.Key() == want })
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, bug
		}
	}
	in := &interp.Interpreter{Model: x.Model, Options: x.Options}
	last := r.States[len(r.States)-1]
	var failed *protocol.Failure
	if _, err := in.Successors(last); errors.As(err, &failed) {
		r.Failure = failed
		return r, nil
	}
	if _, err := in.Holds(last, p.Invariant, p.Frame); errors.As(err, &failed) {
		r.Failure = failed
		return r, nil
	}
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", bug, err)
	}
	return r, nil
}

// step decides the induction step: that after k states, each different from the
// others and in which the invariant and what is assumed hold, there is no step to one in
// which the invariant does not. It returns the last state but one of a path that shows otherwise.
func step(ctx context.Context, x *encode.Encoding, goal encode.Lit, assumed []encode.Lit, guards []encode.Lit, k int,
	o Options, queries *int) (encode.Assignment, error) {
	s, err := newSession(x, o.Solver, queries)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	u := &unrolling{session: s, steps: x.Steps, guards: guards}
	bad := wrong(x, goal, x.Steps)
	s.Assert(s.copy(0).Formula(x.Valid))
	for i := range k {
		for _, l := range append([]encode.Lit{goal}, assumed...) {
			s.Assert(s.copy(i).Formula(l))
		}
		u.extend()
		if i+1 < k {
			u.differ()
		}
	}
	for _, l := range assumed {
		s.Assert(s.copy(k).Formula(l))
	}
	s.Assert(s.copy(k).Formula(bad))
	status, err := s.check(ctx)
	if err != nil || status == smt.Unsat {
		return nil, err
	}
	return s.values(max(0, k-1))
}
