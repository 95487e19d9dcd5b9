// Package review asks whether a model means what it says: whether a specification that holds does so for a bad reason
// (vacuity.go), whether anything in a model can never happen (lint.go), and what reliable communication demands of it
// (fairness.go). Its answers are facts about all parameters, decided like specifications (package verify).
package review

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Verify decides a specification as verify.Decide does, and if it holds asks whether it does so for a bad reason
// (Vacuous): afterwards, with the same solver, or for large automata beside it, with another one. What it finds are
// warnings of the result.
func Verify(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (*verify.Result, error) {
	start, err := verify.SolverFactory(o)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	ctx, stop := o.Bound(ctx)
	defer stop()
	o.Timeout, o.Memory = 0, 0
	var decided atomic.Pointer[verify.Result]
	r, left, err := limit.Heed(ctx, func(ctx context.Context) (*verify.Result, error) {
		return decide(ctx, a, spec, o, start, func(r verify.Result) { decided.Store(&r) })
	})
	switch {
	case !left:
		return r, err
	case decided.Load() != nil: // but not why
		return decided.Load(), nil
	}
	return verify.Late(ctx, spec, begin), nil
}

// decide is Verify, which tells what it has decided before it asks more.
func decide(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options, start smt.Factory,
	tell func(verify.Result)) (r *verify.Result, err error) {
	if o.With, err = start(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, o.With.Close()) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	vacuous := func() (diag.List, error) {
		again := o
		again.DumpSMT = ""
		return Vacuous(ctx, a, spec, again)
	}
	early := len(a.Rules) >= large && o.Jobs > 1 && !o.OneSolver
	if early {
		vacuous = aside(ctx, a, spec, o, start)
	}
	r, err = verify.Decide(ctx, a, spec, o)
	if err != nil || r.Verdict != verify.Holds {
		if early {
			stop()
			_, _ = vacuous() // the result is not needed any more
		}
		return r, err
	}
	tell(*r)
	begin := time.Now()
	found, err := vacuous()
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, found...)
	r.Review = time.Since(begin)
	return r, nil
}

// large is how many rules an automaton has for which it is worth while to look
// for vacuity before it is known whether the specification holds.
const large = 1000

// aside looks for vacuity beside the decision, with a solver of its own; what it returns waits for the outcome.
func aside(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options,
	start smt.Factory) func() (diag.List, error) {
	type outcome struct {
		found diag.List
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var out outcome
		o.DumpSMT = ""
		if o.With, out.err = start(); out.err == nil {
			out.found, out.err = Vacuous(ctx, a, spec, o)
			out.err = errors.Join(out.err, o.With.Close())
		}
		done <- out
	}()
	return func() (diag.List, error) {
		out := <-done
		return out.found, out.err
	}
}
