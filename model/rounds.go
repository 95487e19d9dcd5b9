package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// byRounds is a model whose specifications are about all rounds.
type byRounds interface {
	ForAll
	// decideRounds decides a specification.
	decideRounds(ctx context.Context, name string, o verify.Options) (*Result, error)
}

// askRounds prepares a question about all rounds.
func askRounds(ctx context.Context, m byRounds, wanted []string, fair *review.FairnessOptions) (*Question, error) {
	if fair != nil {
		return nil,
			fmt.Errorf("%s: --fair is for a single round: where there are many, a text says what is fair in each of "+
				"them", m.File())
	}
	wanted, err := Select(m, wanted)
	if err != nil {
		return nil, err
	}
	a, err := m.Automaton(ctx)
	if err != nil {
		return nil, err
	}
	return &Question{Model: m, Automaton: a, names: wanted, rounds: m}, nil
}

// verifyRounds decides specifications about all rounds, o.Jobs at a time.
func (q *Question) verifyRounds(ctx context.Context, o verify.Options, report func(*Result) error) error {
	if _, err := verify.SolverFactory(o); err != nil {
		return err
	}
	if o.Journal != nil {
		return fmt.Errorf("%s: --save-state and --resume are for the search of one automaton, and where there are "+
			"rounds many are asked", q.Model.File())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := max(1, o.Jobs)
	o.Jobs = max(1, jobs/max(1, len(q.names)))
	var failed error
	ordered.Do(len(q.names), jobs, cancel, func(i int) outcome {
		return q.untilEnded(ctx, q.names[i], o)
	}, func(i int, out outcome) bool {
		if failed = out.err; failed == nil {
			failed = report(out.result)
		}
		return failed == nil
	})
	return failed
}

// outcome is what was found out about a specification.
type outcome struct {
	result *Result
	err    error
}

// untilEnded decides a specification. When the context ends, what does not heed that soon is left alone, and the answer
// is unknown.
func (q *Question) untilEnded(ctx context.Context, name string, o verify.Options) outcome {
	begin := time.Now()
	ctx, stop := o.Bound(ctx)
	defer stop()
	o.Timeout, o.Memory = 0, 0
	if ctx.Err() == nil {
		r, left, err := limit.Heed(ctx, func(ctx context.Context) (*Result, error) {
			return q.rounds.decideRounds(ctx, name, o)
		})
		if !left {
			return outcome{r, err}
		}
	}
	search := &verify.Result{Spec: name, Verdict: verdict.Unknown, Reason: smt.Interrupted(ctx),
		Time: time.Since(begin)}
	return outcome{result: &Result{Spec: name, Verdict: search.Verdict, Reason: search.Reason, Time: search.Time,
		Search: search}}
}

// AboutRounds reports whether the specifications are about all rounds of a model.
func (q *Question) AboutRounds() bool { return q.rounds != nil }

// roundsAutomaton is an automaton that is one round of many.
type roundsAutomaton struct {
	base
	own *Automaton
	d   *rounds.Decider
}

func (m *roundsAutomaton) Automaton(context.Context) (*Automaton, error) { return m.own, nil }

func (m *roundsAutomaton) Specs() (list []Spec) {
	for _, s := range m.own.Specs {
		list = append(list, Spec{s.Name, s.Pos, specification})
	}
	for _, s := range m.own.Rounds.After {
		list = append(list, Spec{s.Name, s.Pos, specification})
	}
	for _, s := range m.own.Rounds.Almost {
		list = append(list, Spec{s.Name, s.Pos, specification})
	}
	return list
}

func (m *roundsAutomaton) Ask(ctx context.Context, names []string, fair *review.FairnessOptions) (*Question, error) {
	return askRounds(ctx, m, names, fair)
}

func (m *roundsAutomaton) decideRounds(ctx context.Context, name string, o verify.Options) (*Result, error) {
	r, err := m.d.Decide(ctx, name, o)
	if err != nil {
		return nil, m.own.wrong(err)
	}
	out := &Result{Spec: name, Verdict: r.Verdict, Reason: r.Reason, Time: r.Time, Search: r.Result, Lacks: r.Lacks,
		Proof: r.Proof}
	if r.Witness != nil {
		out.Counterexample = r.Witness
	}
	return out, nil
}

// Replay replays a run of as many rounds as it says to be one of.
func (m *roundsAutomaton) Replay(data []byte) (Counterexample, error) {
	f, err := run.Read(run.Automaton, data)
	if err != nil {
		return nil, err
	}
	a, err := rounds.Named(m.own.Automaton, f.Model)
	switch {
	case err != nil:
		return nil, err
	case a == nil && f.Model == m.own.Name:
		return nil, errors.New("the run is one of a single round")
	case a == nil:
		return nil, fmt.Errorf("the run is one of the automaton %q, and the model is %q", f.Model, m.own.Name)
	}
	return replayed(witness.Read(a, data))
}

// openRounds opens an automaton with rounds.
func openRounds(b base, a *Automaton) (Model, error) {
	var list diag.List
	d, err := rounds.NewDecider(a.Automaton)
	if errors.As(err, &list) {
		return nil, &InputError{Err: list, Text: b.text}
	}
	if err != nil {
		return nil, err
	}
	b.what = "one round of many, as an automaton"
	return &roundsAutomaton{b, a, d}, nil
}
