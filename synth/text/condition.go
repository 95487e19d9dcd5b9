package text

import (
	"context"

	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/synth"
	"github.com/tacheck/tacheck/verify"
)

// conditioned is a model under conditions on its parameters.
type conditioned struct {
	m     model.Conditioned
	c     *synth.Condition
	specs []string

	replays replays
}

// Condition puts a form of conditions in place of the assumptions of a model that hold the same parameter
// against others. Its error is that of synth.Form.
func Condition(m model.Conditioned, form string, most int64) (*synth.Condition, error) {
	params, used := m.Scope()
	c, err := synth.Form(synth.Scope{Name: m.File(), Parameters: params, Used: used}, form, most)
	if err != nil {
		return nil, err
	}
	f := &conditioned{m: m, c: c}
	for _, s := range m.Specs() {
		f.specs = append(f.specs, s.Name)
	}
	var replaced []string
	for _, a := range m.Assumed() {
		if c.Bounds(a.Names) {
			replaced = append(replaced, a.Text)
		}
	}
	if _, err := f.open(make(synth.Values, len(c.Unknowns))); err != nil {
		return nil, err
	}
	return c.On(f, replaced), nil
}

func (f *conditioned) Specs() []string { return f.specs }

func (f *conditioned) Text(synth.Values) string { return f.m.Text() }

func (f *conditioned) Effects(v synth.Values) []string { return []string{f.c.With(v)} }

// open returns the model under a condition.
func (f *conditioned) open(v synth.Values) (model.ForAll, error) {
	return f.m.Under(f.c.Bounds, f.c.At(v))
}

func (f *conditioned) Decide(ctx context.Context, v synth.Values, spec string,
	o verify.Options) (*verify.Result, synth.Run, error) {
	m, err := f.open(v)
	if err != nil {
		return nil, nil, err
	}
	r, x, err := decide(ctx, m, spec, o)
	if err != nil {
		return nil, nil, err
	}
	if r.Verdict == verify.Unknown && len(x.Lacks) > 0 {
		r.Verdict = verify.Violated // by not being shown
		return r, &lacking{x.Lacks, f.c.At}, nil
	}
	return r, &run{x.Counterexample, &f.replays, f.open}, nil
}
