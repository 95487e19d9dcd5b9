// Package tacheck verifies models of fault-tolerant distributed algorithms, of all kinds:
// threshold automata, parametric Promela, and protocols for all sizes and of fixed size.
//
//	m, err := tacheck.Open(ctx, "rb.ftdp", text, tacheck.Reading{})
//	...
//	results, err := tacheck.Verify(ctx, m, tacheck.Options{})
//	fmt.Println(results[0].Spec, results[0].Verdict)
//
// This is the face of the library: the calls and types that its users need. What a model can do is told by the
// interfaces that it implements (ForAll, Fixed, Identified; see package model); the calls here ask it, and say in their
// error what to do instead if it cannot. Every counterexample has been replayed, as a run of the model that was read.
package tacheck

import (
	"context"
	"fmt"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/verify"
)

// What calls take and return.
type (
	Model            = model.Model
	Kind             = model.Kind
	Reading          = model.Options // how a text is read
	Spec             = model.Spec
	Setting          = model.Setting // a value of a parameter, or of a constant
	Options          = verify.Options
	Bounds           = explore.Bounds
	Result           = model.Result
	Counterexample   = model.Counterexample
	Verdict          = verdict.Verdict
	InductionOptions = induct.Options
	Proof            = induct.Result // or why there is none
	Fairness         = review.Fairness
	FairnessOptions  = review.FairnessOptions
	Problems         = diag.List // what is wrong with a text, with places
)

// The verdicts.
const (
	Holds = verdict.Holds // for all that was asked about
	// by Result.Counterexample, which has been replayed; nil, for Result.Reason, if it was not put together in time
	Violated = verdict.Violated
	Unknown  = verdict.Unknown // for Result.Reason
)

// Open reads a model; the ending of its name says its kind. The error is a *model.InputError, with Problems,
// if something is wrong with the text. Model.Specs lists its specifications, with their places.
func Open(ctx context.Context, name, text string, o Reading) (Model, error) {
	return model.Open(ctx, name, text, o)
}

// Register adds a kind of models: Open reads them, and all calls take them.
func Register(k *Kind) { model.Register(k) }

// Verify decides the specifications with these names, or all, for every number of processes, of faults, and every value
// of other parameters that the model admits. It asks of what holds whether it does so for a bad reason
// (Result.Warnings). Running out of time is a Result with verdict Unknown, and so is a cancelled ctx.
func Verify(ctx context.Context, m Model, o Options, names ...string) (list []*Result, err error) {
	all, ok := m.(model.ForAll)
	if !ok {
		return nil, fmt.Errorf("%s is %s: Explore decides its properties, and Prove its invariants", m.File(), m.What())
	}
	q, err := all.Ask(ctx, names, nil)
	if err != nil {
		return nil, err
	}
	err = q.Verify(ctx, model.Verifying{Options: o}, func(r *Result) error {
		list = append(list, r)
		return nil
	})
	return list, err
}

// Explore decides the specifications with these names, or all, for one instance, by visiting every
// state. It uses no solver. Parameters that are given no value have their own, if they have one.
func Explore(ctx context.Context, m Model, set []Setting, o Bounds, names ...string) ([]*Result, error) {
	fixed, ok := m.(model.Fixed)
	if !ok {
		return nil, fmt.Errorf("%s is %s: it has no instances to explore", m.File(), m.What())
	}
	x, err := fixed.Instance(ctx, set)
	if err != nil {
		return nil, err
	}
	return x.Explore(ctx, names, model.Exploring{Machine: machine.Options{Bounds: o}})
}

// Prove proves an invariant of an instance by induction, with lemmas that it finds, or finds a
// run that violates it, of a model whose processes have identities.
func Prove(ctx context.Context, m Model, set []Setting, invariant string, o InductionOptions) (*Proof, error) {
	identified, ok := m.(model.Identified)
	if !ok {
		return nil, fmt.Errorf("%s is %s: Verify decides its specifications for all parameters", m.File(), m.What())
	}
	p, err := identified.Protocol(ctx, set)
	if err != nil {
		return nil, err
	}
	props, err := p.Choose([]string{invariant})
	if err != nil {
		return nil, err
	}
	if props[0].Invariant == nil {
		return nil, fmt.Errorf("%s is a formula: induction is for invariants", invariant)
	}
	if o.Solver == nil {
		if o.Solver, err = verify.SolverFactory(Options{}); err != nil {
			return nil, err
		}
	}
	r, err := induct.Prove(ctx, p, props[0], o)
	if err != nil {
		return nil, model.Running(m.Text(), err)
	}
	return r, nil
}

// Lint looks for what is probably not meant.
func Lint(ctx context.Context, m Model, o Options) (Problems, error) { return model.Lint(ctx, m, o) }

// NewFairness derives the assumption of reliable communication from the rules of the automaton that decides a model.
func NewFairness(ctx context.Context, m Model, o FairnessOptions) (*Fairness, error) {
	all, ok := m.(model.ForAll)
	if !ok {
		return nil, fmt.Errorf("%s is %s: it has no automaton", m.File(), m.What())
	}
	a, err := all.Automaton(ctx)
	if err != nil {
		return nil, err
	}
	return review.NewFairness(a.Automaton, o)
}
