// Package verify decides whether a threshold automaton satisfies a temporal specification, for every number of
// processes, every bound on faults and every actual number of faults, and gives a counterexample, replayed step by
// step, if not. It brings an automaton, a specification, a solver and a search (package schedule) together: options,
// limits, workers, saved state.
package verify

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime/debug"
	"time"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/witness"
)

// Verdict is the answer to a verification question.
type Verdict = verdict.Verdict

// The verdicts.
const (
	Holds    = verdict.Holds    // for all admissible parameters
	Violated = verdict.Violated // by Result.Witness, which has been replayed
	Unknown  = verdict.Unknown  // for Result.Reason
)

// Result is what Verify found out about a specification.
type Result struct {
	Spec     string
	Verdict  Verdict
	Reason   string // for Unknown
	Search   string
	Encoding string
	Solver   string
	Shapes   Shapes
	Lazy     Lazy
	Queries  int              // to the solver
	Longest  int              // transitions of the longest schema that was asked about
	Time     time.Duration    // altogether
	Solving  time.Duration    // in the solver
	Witness  *witness.Witness // for Violated
	Other    *witness.Witness // one with greater parameters, of the shape that was found first, if there is one
	Review   time.Duration    // looking for vacuity after that, where that was asked for
	Warnings diag.List        // about the specification
	// Epochs is how it was decided where rules reset or decrease variables: there are no shapes then.
	Epochs *Epochs
	// Because says why it holds, a line each, where that can be said: which rules can never fire.
	Because []string
	// Certificate is the digest of a certificate of this verdict, as a worker of a cluster has reported it.
	Certificate string
}

// Shapes counts lasso shapes.
type Shapes struct {
	// Total is the exact number of lasso shapes of the paper's graphs, summed over the disjuncts of the negated
	// specification; nil if it is too large to be counted.
	Total *big.Int
	// Reduced is the number of shapes that are left to search after cut points
	// that need no place of their own are dropped; nil as for Total.
	Reduced *big.Int
	// Checked and Pruned say how many of the reduced ones were decided one by
	// one, and ruled out together. Nil if the search does not go by shapes.
	Checked, Pruned *big.Int
}

// String says how many lasso shapes there are.
func (s Shapes) String() string {
	switch {
	case s.Total == nil:
		return "too many lasso shapes to count"
	case s.Total.IsInt64():
		return spell.Count(s.Total.Int64(), "lasso shape", "lasso shapes")
	}
	return s.Total.String() + " lasso shapes"
}

// Lazy says what the lazy search did: models it looked at, lemmas it added, and
// questions it handed on to an exact search.
type Lazy struct {
	Rounds    int `json:"rounds"`
	Lemmas    int `json:"lemmas"`
	Fallbacks int `json:"fallbacks"`
}

// Decide decides whether a specification of an automaton holds.
//
// Its error is a diag.List if the specification is outside the fragment or the automaton admits no run at all; anything
// else means that the program or a solver broke. Running out of time is not an error but a Result with verdict Unknown,
// and so is a cancelled ctx.
func Decide(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o Options) (*Result, error) {
	begin := time.Now()
	ctx, stop := o.Bound(ctx)
	defer stop()
	o.Timeout, o.Memory = 0, 0
	if o.With != nil { // the caller goes on with it
		return decide(ctx, a, spec, o)
	}
	r, left, err := limit.Heed(ctx, func(ctx context.Context) (*Result, error) { return decide(ctx, a, spec, o) })
	if left {
		return Late(ctx, spec, begin), nil
	}
	return r, err
}

// Late is the result where time was up, and what was being done did not heed that.
func Late(ctx context.Context, spec *ta.Spec, begin time.Time) *Result {
	return &Result{Spec: spec.Name, Verdict: Unknown, Reason: smt.Interrupted(ctx), Time: time.Since(begin)}
}

func decide(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o Options) (result *Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error while verifying %q, please report: %v\n%s", spec.Name, r, debug.Stack())
		}
	}()
	m, err := o.resolve()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	formula, trees, err := negated(a, spec)
	if err != nil {
		return nil, err
	}
	base := o.With
	if base == nil {
		if base, err = m.start(); err != nil {
			return nil, err
		}
		defer func() { err = firstOf(err, base.Close()) }()
	}
	r := &run{ctx: ctx, a: a, spec: spec, formula: formula, method: m}
	r.result = &Result{Spec: spec.Name, Verdict: Holds, Warnings: ltl.Warnings(spec),
		Search: m.complete.Search, Encoding: m.complete.Encoding, Solver: m.complete.Solver}
	if err := r.decide(base, trees); err != nil {
		return nil, err
	}
	r.result.Time = time.Since(begin)
	return r.result, nil
}

func (lent) Close() error { return nil }

// firstOf returns the first error: what fails after it fails because of it.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// run is the verification of one specification.
type run struct {
	ctx     context.Context
	a       *ta.Automaton
	spec    *ta.Spec
	formula ltl.Formula // what spec says
	method  method
	solver  *smt.Meter
	result  *Result

	inadmissible error  // what is wrong with the assumptions
	more         totals // of further solvers
}

// decide runs the search. The solver must be a new one: one that has answered other questions before may answer with
// other models, and output would depend on what else was verified.
func (r *run) decide(base smt.Solver, trees []*ltl.Node) error {
	s, done, err := r.method.record(base, r.a.Name, r.spec.Name)
	if err != nil {
		return err
	}
	r.solver = &smt.Meter{Solver: s}
	err = r.search(trees)
	var input diag.List
	if err != nil && r.ctx.Err() != nil && !errors.As(err, &input) {
		// A solver that is interrupted may fail at anything.
		err, r.result.Verdict, r.result.Reason = nil, Unknown, smt.Interrupted(r.ctx)
	}
	r.result.Queries, r.result.Solving = r.solver.Queries+r.more.queries, r.solver.Time+r.more.time
	return firstOf(err, done())
}

// search looks for a run that satisfies one of the trees.
func (r *run) search(trees []*ltl.Node) error {
	if !r.method.complete.Admissible {
		if err := r.admissible(); err != nil || r.result.Verdict == Unknown {
			return err
		}
	}
	if !r.a.Monotone() {
		return r.searchEpochs(trees)
	}
	problems, err := r.problems(trees)
	if err != nil || r.result.Verdict == Unknown {
		return err
	}
	for i, p := range problems {
		out, err := schedule.Decide(r.ctx, r.workers(i), p, r.method.search, r.method.encode)
		if err != nil {
			return fmt.Errorf("spec %q: %w", r.spec.Name, err)
		}
		r.result.Shapes.add(out)
		r.result.Lazy.Rounds += out.Refinement.Rounds
		r.result.Lazy.Lemmas += out.Refinement.Lemmas
		r.result.Lazy.Fallbacks += out.Refinement.Fallbacks
		r.result.Longest = max(r.result.Longest, out.Transitions)
		switch out.Status {
		case smt.Sat:
			r.result.Verdict, r.result.Reason = Violated, ""
			if r.method.complete.KeepFirst {
				r.result.Witness, err = witness.New(r.a, r.spec, out.Run)
				return err
			}
			own, best, err := schedule.Minimise(r.ctx, r.solver, out.Run, problems[i:]...)
			if err != nil {
				return fmt.Errorf("spec %q: %w", r.spec.Name, err)
			}
			if own != best {
				if r.result.Other, err = r.short(own); err != nil {
					return err
				}
			}
			r.result.Witness, err = r.short(best)
			return err
		case smt.Unknown:
			r.result.Verdict, r.result.Reason = Unknown, out.Reason
			if r.ctx.Err() != nil {
				return nil
			}
		}
	}
	return nil
}

// short makes a run a counterexample of few steps.
func (r *run) short(run *ta.Run) (*witness.Witness, error) {
	w, err := witness.New(r.a, r.spec, run)
	if err != nil {
		return nil, err
	}
	return witness.Shorten(w, r.spec), nil
}

// problems prepares the searches and counts their shapes.
func (r *run) problems(trees []*ltl.Node) ([]*schedule.Problem, error) {
	shapes := &r.result.Shapes
	if !r.method.complete.NoCount {
		shapes.Total, shapes.Reduced = new(big.Int), new(big.Int)
	}
	atoms := ltl.Atoms(r.formula)
	var list []*schedule.Problem
	for _, tree := range trees {
		p, err := r.problem(tree)
		if errors.Is(err, cutgraph.ErrUndecided) {
			*shapes = Shapes{}
			r.result.Verdict, r.result.Reason = Unknown, smt.Interrupted(r.ctx)
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("spec %q: %w", r.spec.Name, err)
		}
		p.Settle(atoms)
		if !r.method.complete.NoCount {
			shapes.Total = addCount(shapes.Total, p.Paper.Count(r.ctx))
			shapes.Reduced = addCount(shapes.Reduced, p.Graph.Count(r.ctx))
		}
		list = append(list, p)
	}
	return list, nil
}

// problem prepares one search.
func (r *run) problem(tree *ltl.Node) (*schedule.Problem, error) {
	if graphs := r.method.complete.Graphs; graphs.Of(r.a) {
		return schedule.NewProblemShared(r.ctx, graphs, r.a, tree, r.method.complete.NoSimplify)
	}
	return schedule.NewProblem(r.ctx, r.solver, r.a, tree, r.method.complete.NoSimplify)
}

// add adds a search's counts.
func (s *Shapes) add(out schedule.Outcome) {
	if out.Checked == nil {
		return
	}
	if s.Checked == nil {
		s.Checked, s.Pruned = new(big.Int), new(big.Int)
	}
	s.Checked, s.Pruned = addCount(s.Checked, out.Checked), addCount(s.Pruned, out.Pruned)
}

// addCount adds counts, where nil means unknown.
func addCount(a, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	return new(big.Int).Add(a, b)
}

// NoRuns is the error for automata that have no run at all. It is a diag.List.
type NoRuns struct{ List diag.List }

func (e *NoRuns) Error() string { return e.List.Error() }

// Unwrap returns the diag.List.
func (e *NoRuns) Unwrap() error { return e.List }

// admissible refuses automata that have no run at all: everything would hold.
func (r *run) admissible() error {
	for _, part := range []struct {
		cond *ta.Cond
		pos  diag.Pos
		msg  string
	}{
		{ta.And(r.a.Resilience, r.a.Inits), r.a.InitsPos,
			"no configuration satisfies the assumptions and the initial conditions: everything would hold"},
		{r.a.Resilience, r.a.ResiliencePos, "no parameters satisfy the assumptions: everything would hold"},
	} {
		c, natural := symbolic.New(r.a, "i")
		r.solver.Push()
		r.solver.Assert(smt.And(natural, c.Cond(part.cond)))
		answer, err := r.solver.Check(r.ctx)
		r.solver.Pop()
		switch {
		case err != nil:
			return err
		case answer.Status == smt.Unknown:
			r.result.Verdict, r.result.Reason = Unknown, answer.Reason
			return nil
		case answer.Status == smt.Sat:
			return r.inadmissible
		}
		r.inadmissible = &NoRuns{diag.List{{Pos: part.pos, Width: 1, Msg: part.msg}}}
	}
	return r.inadmissible
}
