package promela_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tacheck/internal/diag"
	"tacheck/promela"
	"tacheck/smt"
	"tacheck/smt/smtlib"
	"tacheck/smt/z3"
	"tacheck/ta"
	"tacheck/verify"
)

func start() (smt.Solver, error) {
	if z3.Available {
		return z3.New()
	}
	return smtlib.New(smtlib.Known["z3-pipe"])
}

// verdicts translates a model and decides all its formulas; a counterexample of
// the automaton is made one of the model, with more precise intervals if need be.
func verdicts(m *promela.Model) (map[string]string, error) {
	ctx := context.Background()
	out := map[string]string{}
	for _, precise := range []bool{false, true} {
		s, err := start()
		if err != nil {
			return nil, err
		}
		tr, err := promela.Translate(ctx, s, m, precise)
		if err = errors.Join(err, s.Close()); err != nil {
			return nil, err
		}
		a, err := ta.Parse(m.File, tr.Text)
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, tr.Text)
		}
		again := false
		for i := range a.Specs {
			name := m.Formulas[i].Name
			if precise && !strings.HasPrefix(out[name], "unknown") {
				continue
			}
			r, err := verify.Decide(ctx, a, &a.Specs[i], verify.Options{})
			var outside diag.List
			if errors.As(err, &outside) {
				out[name] = "outside"
				continue
			}
			if err != nil {
				return nil, err
			}
			out[name] = string(r.Verdict)
			if r.Witness == nil {
				continue
			}
			var none *promela.NoRun
			if _, err := tr.Confirm(ctx, &m.Formulas[i], r.Witness.Run); errors.As(err, &none) {
				out[name] = "unknown: " + err.Error()
				again = again || len(tr.Inexact) > 0
			} else if err != nil {
				return nil, err
			}
		}
		if !again {
			break
		}
	}
	return out, nil
}
