package model

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/finite"
	"github.com/tacheck/tacheck/fol/pyv"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/verify"
)

// FirstOrder is a model that is a first-order transition system: it is proved for every size by induction.
type FirstOrder interface {
	Model
	System() *fol.System
	// Run is a run of an instance as a counterexample.
	Run(*finite.Run) Counterexample
}

// firstOrder is a first-order system.
type firstOrder struct {
	base
	s *fol.System
}

func openFirstOrder(_ context.Context, file, text string, o Options) (Model, error) {
	s, err := pyv.Read(file, text)
	if err != nil {
		return nil, &InputError{Err: err, Text: text}
	}
	if o.Find != "" {
		t, err := pyv.Condition(s, findFlag, o.Find)
		if err != nil {
			return nil, wrongIn(err, text, o.Find)
		}
		at := diag.Pos{File: findFlag, Line: 1, Col: 1}
		s.Safety = append(s.Safety, fol.Claim{Name: Sought, Formula: fol.Neg(t), Pos: at, Width: 1})
	}
	return &firstOrder{base{file, text, "a first-order system", nil, o.Find}, s}, nil
}

func (m *firstOrder) System() *fol.System { return m.s }

func (m *firstOrder) Run(r *finite.Run) Counterexample { return r }

func (m *firstOrder) Specs() []Spec {
	return lists.Map(m.s.Safety, func(c fol.Claim) Spec { return Spec{c.Name, c.Pos, invariant} })
}

// Inspect says what of the text is read over.
func (m *firstOrder) Inspect() diag.List { return m.s.Notes }

func (m *firstOrder) Replay(data []byte) (Counterexample, error) {
	return replayed(finite.ReadRun(m.s, data))
}

func (m *firstOrder) Parameters() []Parameter {
	return lists.Map(m.s.Sorts, func(s *fol.Sort) Parameter { return Parameter{Name: s.Name} })
}

func (m *firstOrder) Instance(_ context.Context, set []Setting) (Instance, error) {
	params, err := given(m, set)
	if err != nil {
		return nil, err
	}
	return m.instance(params)
}

func (m *firstOrder) instance(params []*big.Int) (*firstOrderInstance, error) {
	sizes := lists.Map(params, func(p *big.Int) int { return int(p.Int64()) })
	x, err := finite.New(m.s, sizes)
	return &firstOrderInstance{m, x}, err
}

func (m *firstOrder) Instances(ctx context.Context, upTo int64) ([]Instance, error) {
	return combinations(ctx, len(m.s.Sorts), upTo, func(params []*big.Int) (Instance, error) {
		if slices.ContainsFunc(params, func(p *big.Int) bool { return p.Sign() == 0 }) {
			return nil, nil
		}
		return m.instance(params)
	})
}

// lint says which symbols have no part in anything.
func (m *firstOrder) lint(context.Context, verify.Options) (diag.List, error) {
	return slices.Concat(m.s.Notes, m.s.Unused()), nil
}

// firstOrderInstance is a first-order system with sizes.
type firstOrderInstance struct {
	m *firstOrder
	x *finite.Instance
}

func (x *firstOrderInstance) Values() []Value { return x.x.Values() }

func (x *firstOrderInstance) Explore(ctx context.Context, specs []string, o Exploring) ([]*Result, error) {
	specs, err := spell.Choose(x.m.file, "property", specs, names(x.m))
	if err != nil {
		return nil, err
	}
	return whileTime(ctx, x, x.m, specs, o, x.explore)
}

func (x *firstOrderInstance) explore(ctx context.Context, specs []string, o Exploring) (list []*Result, err error) {
	states := o.Machine.States
	if states == 0 {
		states = DefaultStates
	}
	e, err := x.x.Explore(ctx, explore.Bounds{Jobs: max(1, o.Machine.Jobs), States: states, Memory: o.Machine.Memory},
		o.Machine.Without...)
	if err != nil {
		return nil, err
	}
	if e.Initial == 0 && e.Reason == "" {
		if !x.x.NewClauses().Consistent(ctx) {
			return nil, fmt.Errorf("%w: nothing satisfies the axioms", ErrNoStart)
		}
		return nil, ErrNoStart
	}
	for i, c := range x.m.s.Safety {
		if !slices.Contains(specs, c.Name) {
			continue
		}
		r := &Result{Spec: c.Name, Verdict: verdict.Holds, Time: e.Duration,
			Space: &Space{Instance: x.Values(), States: e.States, Transitions: e.Transitions, Depth: e.Depth}}
		r.Space.Notes = []string{"initial states that differ by how elements are numbered count once"}
		switch {
		case e.Runs[i] != nil:
			r.Verdict, r.Counterexample = verdict.Violated, e.Runs[i]
		case e.Reason != "":
			r.Verdict, r.Reason = verdict.Unknown, e.Reason
		}
		list = append(list, r)
	}
	return list, nil
}

// Never implements Observed: of transitions that are never taken.
func (x *firstOrderInstance) Never(ctx context.Context, _ []string,
	o Exploring) (out machine.Observation, whole bool, err error) {
	p, err := x.x.Profile(ctx, explore.Bounds{States: int64(o.observed())})
	if err != nil || p.Reason != "" {
		return out, false, err
	}
	for _, t := range x.m.s.Transitions {
		if !slices.ContainsFunc(p.Rules, func(r explore.Caused) bool { return r.Name == t.Name }) {
			out.Never = append(out.Never, machine.Never{Pos: t.Pos, Width: len(t.Name),
				Text: "transition " + t.Name + " never happens"})
		}
	}
	return out, true, nil
}

// Profile implements Profiled.
func (x *firstOrderInstance) Profile(ctx context.Context, _ []string, o Exploring) (*explore.Profile, error) {
	return x.x.Profile(ctx, o.Machine.Bounds)
}

func (x *firstOrderInstance) Walk(_ context.Context, found []*Result) (hand.Subject, error) {
	return hand.NewFirstOrder(x.x, runs[*finite.Run](found)), nil
}
