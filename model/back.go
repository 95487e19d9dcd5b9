package model

import (
	"context"
	"errors"
	"time"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// confirmed makes a counterexample of an automaton one of the text that it was made of: refute looks for that, and may
// ask other automata. If it finds none, nothing is known, unless one of these says more.
func confirmed(ctx context.Context, file, of string, r *verify.Result, o verify.Options,
	refute func(counter.Again) (Counterexample, error)) (Counterexample, error) {
	begin := time.Now()
	o.Journal, o.DumpSMT, o.Timeout = nil, "", 0
	var last *verify.Result
	x, err := refute(func(tree *syntax.File, spec string) (*ta.Run, error) {
		var none diag.List
		a, err := ta.Resolve(file, tree)
		if err == nil {
			last, err = verify.Decide(ctx, a, a.SpecNamed(spec), o)
		}
		switch {
		case errors.As(err, &none): // all parameters are left out, say
			return nil, &counter.NoRun{Text: "another automaton cannot be asked: " + none[0].Msg}
		case err != nil:
			return nil, err
		}
		r.Queries, r.Solving = r.Queries+last.Queries, r.Solving+last.Solving
		switch {
		case last.Witness != nil:
			return last.Witness.Run, nil
		case last.Verdict == verify.Unknown:
			return nil, &counter.NoRun{Text: "another automaton is not decided: " + last.Reason}
		}
		return nil, nil
	})
	r.Time += time.Since(begin)
	var none *counter.NoRun
	switch {
	case errors.Is(err, counter.ErrHolds):
		last.Time, last.Solving, last.Queries = r.Time, r.Solving, r.Queries
		last.Warnings, last.Review = r.Warnings, r.Review
		*r = *last
	case err != nil && ctx.Err() != nil:
		unconfirmed(r, smt.Interrupted(ctx)+unplayed)
	case errors.As(err, &none) && none.Untried:
		unconfirmed(r, "a counterexample of the automaton was not played as one of "+of+": "+none.Text)
	case errors.As(err, &none):
		unconfirmed(r, "a counterexample of the automaton is not one of "+of+": "+none.Text)
	default:
		return x, err
	}
	return nil, nil
}

// unplayed is why a counterexample of an automaton is no verdict when time is up.
const unplayed = ", while a run of the text was looked for: its automaton has a counterexample, which may be no run " +
	"of the text"

// unconfirmed makes a violation unknown.
func unconfirmed(r *verify.Result, why string) {
	r.Verdict, r.Witness, r.Reason = verify.Unknown, nil, why
}
