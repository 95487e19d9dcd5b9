// Package work says what the tasks of clusters are: which questions are asked, how a worker answers them, and how
// the asking command makes sure that a counterexample is one. Nothing in a task or a result is a path or a command.
package work

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Question is a specification of an automaton, whose text is the task's model, and how to decide it.
type Question struct {
	File       string // as it is called in messages; nothing of that name is opened
	Spec       string
	Fair       *review.FairnessOptions `json:",omitempty"` // assume reliable communication
	Search     string
	Encoding   string
	Solver     string
	NoSimplify bool          `json:",omitempty"`
	KeepFirst  bool          `json:",omitempty"`
	Timeout    time.Duration `json:",omitempty"`
	Memory     uint64        `json:",omitempty"`
}

// Ask makes a question of options. A solver that is not one of those that are
// known by name is an error: commands do not travel.
func Ask(a *ta.Automaton, spec string, fair *review.FairnessOptions, o verify.Options) (Question, error) {
	solver, err := SolverOf(o.Solver)
	return Question{File: a.File, Spec: spec, Fair: fair, Search: o.Search, Encoding: o.Encoding, Solver: solver,
		NoSimplify: o.NoSimplify, KeepFirst: o.KeepFirst, Timeout: o.Timeout, Memory: o.Memory}, err
}

// SolverOf returns the solver that a worker has to have: the default for "".
func SolverOf(name string) (string, error) {
	switch {
	case name == "":
		return verify.DefaultSolver(), nil
	case !slices.Contains(verify.SolverNames, name):
		return "", fmt.Errorf("solver %q: in a cluster, solvers have names (%s), since commands do not travel", name,
			strings.Join(verify.SolverNames, ", "))
	}
	return name, nil
}

func (q *Question) options() (verify.Options, error) {
	if _, err := SolverOf(q.Solver); err != nil {
		return verify.Options{}, err
	}
	return verify.Options{Search: q.Search, Encoding: q.Encoding, Solver: q.Solver, NoSimplify: q.NoSimplify,
		KeepFirst: q.KeepFirst, Timeout: q.Timeout, Memory: q.Memory, Jobs: 1, OneSolver: true}, nil
}

// spec finds the specification that a question is about.
func (q *Question) spec(model []byte) (*ta.Automaton, *ta.Spec, error) {
	a, err := ta.Parse(q.File, string(model))
	if err != nil {
		return nil, nil, err
	}
	s := a.SpecNamed(q.Spec)
	if s == nil {
		return nil, nil, fmt.Errorf("%s has no specification %q", q.File, q.Spec)
	}
	if q.Fair != nil {
		f, err := review.NewFairness(a, *q.Fair)
		if err != nil {
			return nil, nil, err
		}
		s = f.Assume(a, s)
	}
	return a, s, nil
}

// Asked is a question that is to be decided, and whether to ask also if what holds does so for a bad reason.
type Asked struct {
	Question
	Review bool `json:",omitempty"`
}

// decided is the answer: a verify.Result that can travel.
type decided struct {
	verify.Result
	Refused diag.List       `json:",omitempty"` // the specification, in place of a verdict
	NoRuns  diag.List       `json:",omitempty"` // the automaton, in place of a verdict
	Witness json.RawMessage `json:",omitempty"`
}

// verifyKind is the kind of tasks that decide a specification.
var verifyKind = cluster.Kind[Asked, decided]{Name: "verify"}

func decide(ctx context.Context, model []byte, q Asked) (out decided, keep bool, err error) {
	a, spec, err := q.spec(model)
	if err != nil {
		return out, false, err
	}
	o, err := q.options()
	if err != nil {
		return out, false, err
	}
	do := verify.Decide
	if q.Review {
		do = review.Verify
	}
	r, err := do(ctx, a, spec, o)
	var none *verify.NoRuns
	var refused diag.List
	switch {
	case errors.As(err, &none):
		return decided{NoRuns: none.List}, true, nil
	case errors.As(err, &refused):
		return decided{Refused: refused}, true, nil
	case err != nil:
		return out, false, err
	}
	out.Result = *r
	if r.Witness != nil {
		if out.Witness, err = json.Marshal(r.Witness); err != nil {
			return out, false, err
		}
	}
	return out, r.Verdict != verify.Unknown, nil
}

// Decide has a question answered, and replays a counterexample; one that is none
// leaves the question open. Errors are those of verify.Decide.
func Decide(ctx context.Context, run *cluster.Run, a *ta.Automaton, model string, spec *ta.Spec,
	q Asked) (*verify.Result, cluster.Origin, error) {
	d, from, err := verifyKind.Ask(ctx, run, q.Solver, []byte(model), q)
	r := &d.Result
	r.Spec, r.Solver, r.Certificate = spec.Name, q.Solver, from.Certificate
	r.Search, r.Encoding = cmp.Or(q.Search, verify.SearchNames[0]), cmp.Or(q.Encoding, verify.EncodingNames[0])
	var failed *cluster.Failed
	switch {
	case errors.As(err, &failed):
		r.Verdict, r.Reason = verify.Unknown, failed.Reason
		return r, from, nil
	case err != nil:
		return nil, from, err
	case d.NoRuns != nil:
		return nil, from, &verify.NoRuns{List: d.NoRuns}
	case d.Refused != nil:
		return nil, from, d.Refused
	}
	switch r.Verdict {
	case verify.Holds, verify.Unknown:
	case verify.Violated:
		if r.Witness, err = verify.Witnessed(a, spec, d.Witness); err != nil {
			r.Verdict, r.Witness, r.Reason = verify.Unknown, nil, forged(from, err)
		}
	default:
		r.Verdict, r.Reason = verify.Unknown, fmt.Sprintf("%s answered %q, which is no verdict", from.Worker, r.Verdict)
	}
	return r, from, nil
}

// forged says that what is said to be a counterexample is none.
func forged(from cluster.Origin, why error) string {
	return fmt.Sprintf("the counterexample from %s is none: %v", from.Worker, why)
}
