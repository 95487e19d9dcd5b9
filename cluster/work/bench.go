package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/internal/verdict"
)

// Measured is a specification of a model that is verified in a process of its own, to be measured.
type Measured struct {
	File       string // tells by its ending what the model is; nothing of that name is opened
	Spec       string
	Method     suite.Method
	Timeout    time.Duration `json:",omitempty"`
	Runs       int
	Defines    []string `json:",omitempty"`
	NoFairness bool     `json:",omitempty"`
}

// measurement is what was measured, and the counterexample.
type measurement struct {
	suite.Row
	Witness json.RawMessage `json:",omitempty"`
}

// benchKind is the kind of tasks that measure.
var benchKind = cluster.Kind[Measured, measurement]{Name: "bench"}

// bench measures with this program.
func bench(program string) func(context.Context, []byte, Measured) (measurement, bool, error) {
	return func(ctx context.Context, model []byte, q Measured) (measurement, bool, error) {
		if _, err := SolverOf(q.Method.Solver); err != nil {
			return measurement{}, false, err
		}
		how := suite.Config{Command: []string{program}, Timeout: q.Timeout, Runs: q.Runs, Defines: q.Defines,
			NoFairness: q.NoFairness}
		row, witness, err := how.Time(ctx, suite.Task{File: q.File, Spec: q.Spec, Method: q.Method}, model)
		var killed *suite.Killed
		if errors.As(err, &killed) {
			err = &cluster.Died{How: killed.How}
		}
		return measurement{row, witness}, err == nil && row.Verdict != verdict.Unknown, err
	}
}

// Measure has a task measured. replay says whether a counterexample is one.
func Measure(ctx context.Context, run *cluster.Run, model string, q Measured, t suite.Task,
	replay func(text []byte) error) (suite.Row, error) {
	solver, err := SolverOf(q.Method.Solver)
	if err != nil {
		return suite.Row{}, err
	}
	x, from, err := benchKind.Ask(ctx, run, solver, []byte(model), q)
	row := x.Row
	row.File, row.Digest, row.Spec, row.Method, row.Expect = t.File, t.Digest, t.Spec, t.Method, t.Expect
	var failed *cluster.Failed
	switch {
	case errors.As(err, &failed):
		row.Verdict, row.Reason, row.Runs = verdict.Unknown, failed.Reason, max(1, q.Runs)
		return row, nil
	case err != nil:
		return row, err
	}
	switch row.Verdict {
	case verdict.Holds, verdict.Unknown:
	case verdict.Violated:
		if err := replay(x.Witness); err != nil {
			row.Verdict, row.Parameters, row.Reason = verdict.Unknown, "", forged(from, err)
		}
	default:
		row.Verdict, row.Reason = verdict.Unknown, fmt.Sprintf("%s answered %q, which is no verdict", from.Worker,
			row.Verdict)
	}
	return row, nil
}
