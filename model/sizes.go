package model

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/protocol/threshold"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// sizes is a protocol for all sizes: pseudo-code with parameters.
type sizes struct {
	identities
	s *parametric.Source

	auto *Automaton // made when it is asked for
	t    *threshold.Translation
	free *Automaton
}

func openSizes(ctx context.Context, x identities, o Options) (Model, error) {
	s, err := parametric.Of(x.f)
	if err == nil && !o.Listed {
		err = threshold.Check(ctx, s)
	}
	if err != nil {
		return nil, x.wrong(err)
	}
	return &sizes{identities: x, s: s}, nil
}

func (m *sizes) Specs() []Spec { return specsOf(m.s.Props) }

// specsOf lists the properties among sections of a text.
func specsOf(sections []*ftdp.Section) (list []Spec) {
	for _, sec := range sections {
		if sec.Invariant == nil && sec.LTL == nil {
			continue
		}
		id, sort := parametric.Named(sec), formula
		if sec.Invariant != nil {
			sort = invariant
		}
		list = append(list, Spec{id.Name, id.Place(), sort})
	}
	return list
}

func (m *sizes) Automaton(ctx context.Context) (*Automaton, error) {
	if m.auto == nil {
		a, t, err := m.translate(threshold.Translate(ctx, m.s))
		if err != nil {
			return nil, err
		}
		m.auto, m.t = a, t
	}
	return m.auto, nil
}

func (m *sizes) translate(t *threshold.Translation, err error) (*Automaton, *threshold.Translation, error) {
	a, err := m.translated(t, err)
	if err == nil {
		a.says = func(th ta.Threshold) (string, bool) { return t.Says(a.Automaton, th) }
	}
	return a, t, err
}

// translated is the automaton that the text was translated to.
func (m *identities) translated(t *threshold.Translation, err error) (*Automaton, error) {
	if err != nil {
		return nil, m.wrong(err)
	}
	a, err := translated(m.file, m.text, t.Tree())
	if err == nil && len(t.Inexact) > 0 {
		a.Notes = append(a.Notes,
			fmt.Sprintf("%s: note: in the automaton, guards of %s say less than the text; no violation rests on "+
				"that, since counterexamples are played", m.file, strings.Join(t.Inexact, ", ")))
	}
	return a, err
}

// Free returns the automaton that makes no use of the assumptions of the text, so that it is the
// protocol's under others, too. Where there is none it returns the other one, whose text says so.
func (m *sizes) Free(ctx context.Context) (*Automaton, error) {
	if m.free != nil {
		return m.free, nil
	}
	a, _, err := m.translate(threshold.TranslateFree(ctx, m.s))
	if err != nil {
		if a, _, err = m.translate(threshold.Translate(ctx, m.s)); err != nil {
			return nil, err
		}
		a.Bound = true
	}
	m.free = a
	return a, nil
}

func (m *sizes) Ask(ctx context.Context, names []string, fair *review.FairnessOptions) (*Question, error) {
	return ask(ctx, m, names, fair)
}

func (m *sizes) beyond() []Other { return nil }

func (m *sizes) why(_ diag.Pos, problem *diag.Error) string {
	return "it cannot be asked of the automaton: " + problem.Msg
}

func (m *sizes) small(ctx context.Context, of Other) (Counterexample, bool, error) {
	run, err := threshold.Explore(ctx, m.s, of.Name)
	if run == nil || err != nil {
		return nil, false, err
	}
	return found(run), false, nil
}

// confirm plays a counterexample of the automaton as a run of the protocol; if there is none, nothing is known.
func (m *sizes) confirm(ctx context.Context, r *verify.Result, o verify.Options) (Counterexample, error) {
	return confirmed(ctx, m.file, "the protocol", r, o, func(again counter.Again) (Counterexample, error) {
		run, err := m.t.Refute(ctx, r.Witness.Run, r.Spec, again, o.Soon)
		if err != nil {
			return nil, err
		}
		return found(run), nil
	})
}

// Parameters have the smallest values that the assumptions admit.
func (m *sizes) Parameters() (list []Parameter) {
	own, err := m.s.Smallest(nil)
	for _, p := range m.s.Params {
		x := Parameter{Name: p}
		if err == nil {
			x.Value = big.NewInt(own[p])
		}
		list = append(list, x)
	}
	return list
}

// Protocol returns the instance with the given parameters, the others as small as can be.
func (m *sizes) Protocol(_ context.Context, set []Setting) (*protocol.Model, error) {
	return m.with(set)
}

func (m *sizes) Instance(ctx context.Context, set []Setting) (Instance, error) {
	return m.instance(m.Protocol(ctx, set))
}

func (m *sizes) Instances(ctx context.Context, upTo int64) ([]Instance, error) {
	return combinations(ctx, len(m.s.Params), upTo, func(params []*big.Int) (Instance, error) {
		values := map[string]int64{}
		for i, p := range m.s.Params {
			values[p] = params[i].Int64()
		}
		if ok, _ := m.s.Admissible(values); !ok {
			return nil, nil
		}
		p, err := instantiate.Model(m.f, values)
		return m.instance(p, m.wrong(err))
	})
}
