package counters

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Refute finds a run of the model that violates a formula, given one of its automaton. If there is none, a more precise
// automaton is asked. The error is a *counter.NoRun if none was found, counter.ErrHolds if there is none.
func (t *Translation) Refute(ctx context.Context, f *promela.Named, run *ta.Run, again counter.Again) (
	*promela.Run, error) {
	got, err := t.Confirm(ctx, f, run)
	if none := (*counter.NoRun)(nil); !errors.As(err, &none) {
		return got, err
	}
	if t.precise == nil {
		if t.precise, err = Translate(ctx, t.Model, true); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(t.precise.Decided, func(d *promela.Named) bool { return d.Name == f.Name }) {
		return nil, &counter.NoRun{Text: "a more precise automaton cannot decide the formula"}
	}
	next, err := again(t.precise.Tree, syntax.Identifier(f.Name))
	if err == nil && next == nil {
		err = counter.ErrHolds
	}
	if err != nil {
		return nil, err
	}
	return t.precise.Confirm(ctx, f, next)
}

// Confirm finds a run of the model that violates a formula, given one of its automaton: one that follows it, or else
// any with the same parameters, as far as all of them can be tried, or, if the automaton is the precise one, with small
// ones. The error is a *counter.NoRun if there is none.
func (t *Translation) Confirm(ctx context.Context, f *promela.Named, run *ta.Run) (*promela.Run, error) {
	also := ""
	ways := []func() (*promela.Run, error){
		func() (*promela.Run, error) { return t.concrete(ctx, f, run) },
		func() (got *promela.Run, err error) {
			got, also, err = t.another(ctx, f, run)
			return got, err
		},
	}
	if t.Precise { // there is no better automaton to ask
		ways = append(ways, func() (*promela.Run, error) { return Smallest(t.Model, ctx, f) })
	}
	got, err := counter.Back(ways...)
	if none := (*counter.NoRun)(nil); errors.As(err, &none) {
		if none.Text += also; len(t.Inexact) > 0 {
			none.Text += fmt.Sprintf(" (%s: %s)", t.Inexact[0].Pos, t.Inexact[0].Text)
		}
	}
	return got, err
}

// another looks for any run with the parameters of one of the automaton; if there is none, it says so.
func (t *Translation) another(ctx context.Context, f *promela.Named, run *ta.Run) (
	got *promela.Run, also string, err error) {
	in, err := t.instance(run)
	if err != nil {
		return nil, "", nil
	}
	in.Budget = new(ConfirmWork)
	got, whole, err := search(t.Model, ctx, f, in, ConfirmStates)
	if whole && got == nil {
		also = fmt.Sprintf(", and no other run%s does", in.With())
	}
	return got, also, err
}
