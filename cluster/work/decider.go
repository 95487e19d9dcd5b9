package work

import (
	"context"
	"runtime"

	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Decider decides specifications of an automaton in a cluster.
type Decider struct {
	Run     *cluster.Run
	Text    string                  // of the automaton
	Assumed *review.FairnessOptions // nil for no assumption
	Options verify.Options          // as they were given: what workers are told
	Review  bool                    // holds is looked at for being vacuous
}

// Decide is a verify.Func: by searches that go by shapes a subtree at a time, by others as a
// whole. Nothing is looked at anew here but counterexamples.
func (d Decider) Decide(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (*verify.Result, error) {
	q, err := Ask(a, spec.Name, d.Assumed, d.Options)
	if err != nil {
		return nil, err
	}
	if !verify.ByShapes(o.Search) {
		r, _, err := Decide(ctx, d.Run, a, d.Text, spec, Asked{Question: q, Review: d.Review})
		return r, err
	}
	o.Elsewhere = exploreElsewhere(d.Run, a, d.Text, spec, q)
	r, err := verify.Decide(ctx, a, spec, o)
	if err != nil || r.Verdict != verify.Holds || !d.Review {
		return r, err
	}
	o.Elsewhere, o.Journal, o.Jobs = nil, nil, runtime.NumCPU()
	found, err := review.Vacuous(ctx, a, spec, o)
	r.Warnings = append(r.Warnings, found...)
	return r, err
}

// Candidates decides specifications of automata by name, in a cluster: what a synthesis asks.
func Candidates(run *cluster.Run) func(ctx context.Context, a *ta.Automaton, text func() string, spec string,
	o verify.Options) (*verify.Result, error) {
	return func(ctx context.Context, a *ta.Automaton, text func() string, spec string,
		o verify.Options) (*verify.Result, error) {
		q, err := Ask(a, spec, nil, o)
		if err != nil {
			return nil, err
		}
		r, _, err := Decide(ctx, run, a, text(), a.SpecNamed(spec), Asked{Question: q})
		return r, err
	}
}
