// Package review asks whether a model means what it says: whether a
// specification that holds does so for a bad reason (vacuity.go), whether
// anything in a model can never happen (lint.go), and what reliable
// communication demands of it (fairness.go). Its answers are facts about all
// parameters, decided like specifications (package verify).
package review

import (
	"context"
	"errors"
	"time"

	"tacheck/ta"
	"tacheck/verify"
)

// Verify decides a specification as verify.Decide does, and if it holds asks
// with the same solver whether it does so for a bad reason (Vacuous). What it
// finds are warnings of the result.
func Verify(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (r *verify.Result, err error) {
	start, err := verify.SolverFactory(o)
	if err != nil {
		return nil, err
	}
	if o.With, err = start(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, o.With.Close()) }()
	ctx, stop := o.Bound(ctx)
	defer stop()
	o.Timeout, o.Memory = 0, 0
	r, err = verify.Decide(ctx, a, spec, o)
	if err != nil || r.Verdict != verify.Holds {
		return r, err
	}
	begin := time.Now()
	o.DumpSMT = ""
	found, err := Vacuous(ctx, a, spec, o)
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, found...)
	r.Review = time.Since(begin)
	return r, nil
}
