package model

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/counters"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// processes is parametric Promela.
type processes struct {
	base
	m *promela.Model

	rough *promelaAutomaton // made when it is asked for
	none  *NoAutomaton      // why there is none
}

// promelaAutomaton is what a text was translated to.
type promelaAutomaton struct {
	*Automaton
	t *counters.Translation
}

func openPromela(_ context.Context, file, text string, o Options) (Model, error) {
	m, err := promela.Parse(file, text, o.Defines)
	if err != nil {
		return nil, &InputError{Err: err, Text: text}
	}
	if o.Find != "" {
		if err := m.Seek(findFlag, Sought, o.Find); err != nil {
			return nil, wrongIn(err, text, o.Find)
		}
	}
	m.NoFairness = o.NoFairness
	return &processes{base: base{file, text, "a Promela model", m.Warnings, o.Find}, m: m}, nil
}

func (m *processes) Specs() []Spec {
	return lists.Map(m.m.Formulas, func(f promela.Named) Spec { return Spec{f.Name, f.Pos, formula} })
}

func (m *processes) formula(name string) *promela.Named {
	for i := range m.m.Formulas {
		if m.m.Formulas[i].Name == name {
			return &m.m.Formulas[i]
		}
	}
	return nil
}

// Automaton translates the text, with intervals as wide as they can be.
func (m *processes) Automaton(ctx context.Context) (*Automaton, error) {
	if m.rough == nil && m.none == nil {
		var err error
		if m.rough, err = m.translate(ctx); err != nil && !errors.As(err, &m.none) {
			return nil, err
		}
	}
	if m.none != nil {
		return nil, m.none
	}
	return m.rough.Automaton, nil
}

// translate makes an automaton.
func (m *processes) translate(ctx context.Context) (*promelaAutomaton, error) {
	t, err := counters.Translate(ctx, m.m, false)
	if list := (diag.List)(nil); errors.As(err, &list) && !errors.As(err, new(counters.Meaningless)) {
		return nil, &NoAutomaton{m.wrong(err), lists.Map(m.m.Formulas,
			func(f promela.Named) Other { return Other{f.Name, m.why(f.Pos, list[0])} })}
	}
	if err != nil {
		return nil, m.wrong(err)
	}
	a, err := translated(m.file, m.text, t.Tree)
	if err != nil {
		return nil, err
	}
	a.specs = map[string]string{}
	for i, f := range t.Decided {
		a.specs[f.Name] = a.Specs[i].Name
	}
	for _, r := range t.Inexact {
		a.Notes = append(a.Notes, fmt.Sprintf("%s: note: %s", r.Pos, r.Text))
	}
	return &promelaAutomaton{a, t}, nil
}

func (m *processes) Ask(ctx context.Context, names []string, fair *review.FairnessOptions) (*Question, error) {
	return ask(ctx, m, names, fair)
}

func (m *processes) beyond() []Other {
	return lists.Map(m.rough.t.Outside,
		func(o counters.Outside) Other { return Other{o.Formula.Name, m.undecidable(o.Formula.Pos, o.Why)} })
}

func (m *processes) undecidable(pos diag.Pos, why string) string {
	if len(m.m.Params) == 0 {
		return fmt.Sprintf("%s: no automaton decides it (%s), and there are too many states to visit all",
			pos, why)
	}
	return fmt.Sprintf("%s: it is not decided for all parameters (%s); no small instance violates it", pos, why)
}

func (m *processes) why(pos diag.Pos, problem *diag.Error) string {
	return m.undecidable(pos, problem.Pos.String()+": "+problem.Msg)
}

// small decides a text without parameters: its instance is all there is.
func (m *processes) small(ctx context.Context, of Other) (Counterexample, bool, error) {
	if len(m.m.Params) == 0 {
		in, err := m.Instance(ctx, nil)
		if err != nil {
			return nil, false, err
		}
		list, err := in.Explore(ctx, []string{of.Name}, Exploring{})
		if err != nil {
			return nil, false, err
		}
		return list[0].Counterexample, list[0].Verdict == verify.Holds, nil
	}
	f := m.formula(of.Name)
	run, err := counters.Smallest(m.m, ctx, f)
	if run == nil || err != nil {
		return nil, false, m.wrong(err)
	}
	return m.m.Counterexample(f, run), false, nil
}

// confirm makes a counterexample of the automaton one of processes; if there is none, nothing is known.
func (m *processes) confirm(ctx context.Context, r *verify.Result, o verify.Options) (Counterexample, error) {
	f := m.formula(m.named(r.Spec))
	return confirmed(ctx, m.file, "the model", r, o, func(again counter.Again) (Counterexample, error) {
		run, err := m.rough.t.Refute(ctx, f, r.Witness.Run, again)
		if err != nil {
			return nil, m.wrong(err)
		}
		return m.m.Counterexample(f, run), nil
	})
}

// named is the name of a formula whose specification in the automaton has another one.
func (m *processes) named(spec string) string {
	i := slices.IndexFunc(m.rough.Specs, func(f ta.Spec) bool { return f.Name == spec })
	return m.rough.t.Decided[i].Name
}

func (m *processes) Replay(data []byte) (Counterexample, error) {
	return replayed(m.m.ReadRun(data))
}

func (m *processes) Parameters() []Parameter {
	return lists.Map(m.m.Params, func(p string) Parameter { return Parameter{Name: p} })
}

func (m *processes) Instance(_ context.Context, set []Setting) (Instance, error) {
	params, err := given(m, set)
	if err != nil {
		return nil, err
	}
	in, err := m.m.NewInstance(lists.Map(params, (*big.Int).Int64))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Settings(set), err)
	}
	return &promelaInstance{m, in}, nil
}

func (m *processes) Instances(ctx context.Context, upTo int64) ([]Instance, error) {
	return combinations(ctx, len(m.m.Params), upTo, func(params []*big.Int) (Instance, error) {
		in, err := m.m.NewInstance(lists.Map(params, (*big.Int).Int64))
		if err != nil {
			return nil, nil
		}
		return &promelaInstance{m, in}, nil
	})
}

// promelaInstance is a model with fixed parameters.
type promelaInstance struct {
	m  *processes
	in *promela.Instance
}

func (x *promelaInstance) Values() (list []Value) {
	for i, p := range x.m.m.Params {
		list = append(list, Value{Name: p, Value: big.NewInt(x.in.Params[i])})
	}
	return list
}

func (x *promelaInstance) Explore(ctx context.Context, specs []string, o Exploring) ([]*Result, error) {
	return whileTime(ctx, x, x.m, specs, o, x.explore)
}

func (x *promelaInstance) explore(ctx context.Context, specs []string, o Exploring) (list []*Result, err error) {
	for _, name := range specs {
		begin := time.Now()
		r := &Result{Spec: name, Space: &Space{Instance: x.Values()}}
		list = append(list, r)
		f := x.m.formula(name)
		e, err := x.m.m.Explore(ctx, f, x.in, int(o.Machine.States), o.Machine.Without...)
		r.Time = time.Since(begin)
		switch {
		case errors.Is(err, explore.ErrTooLarge), errors.Is(err, promela.ErrCut), err != nil && ctx.Err() != nil:
			r.undecided(ctx, err)
			continue
		case err != nil:
			return nil, x.m.wrong(err)
		}
		r.Verdict = verify.Holds
		r.Space.Configs, r.Space.States, r.Space.Transitions, r.Space.Depth = int64(e.Worlds), int64(e.States),
			int64(e.Steps), e.Depth
		if e.Run != nil {
			r.Verdict, r.Counterexample = verify.Violated, x.m.m.Counterexample(f, e.Run)
		}
	}
	return list, nil
}

// Never implements Observed: of alternatives that are never taken, and formulas that hold for no good reason.
func (x *promelaInstance) Never(ctx context.Context, specs []string,
	o Exploring) (out machine.Observation, whole bool, err error) {
	idle, whole, err := x.in.Untaken(ctx, o.observed())
	if err != nil || !whole {
		return out, false, x.m.wrong(err)
	}
	for _, pos := range idle {
		out.Never = append(out.Never, machine.Never{Pos: pos, Width: 2, Text: "this alternative is never taken"})
	}
	for _, name := range specs {
		f := x.m.formula(name)
		need, err := x.m.m.Vacuous(ctx, f, x.in, o.observed())
		switch {
		case errors.Is(err, explore.ErrTooLarge), errors.Is(err, promela.ErrCut):
			return out, false, nil
		case err != nil:
			return out, false, x.m.wrong(err)
		case need != nil:
			out.Never = append(out.Never, machine.Never{Pos: need.Pos, Width: need.Width,
				Text: f.Name + " holds for no good reason: " + need.Missing})
		}
	}
	return out, true, nil
}

// Profile implements Profiled.
func (x *promelaInstance) Profile(ctx context.Context, _ []string, o Exploring) (*explore.Profile, error) {
	out, err := x.in.Profile(ctx, o.Machine.Bounds)
	return out, x.m.wrong(err)
}

func (x *promelaInstance) Walk(ctx context.Context, found []*Result) (hand.Subject, error) {
	return hand.NewPromela(ctx, x.m.m, x.in, runs[*promela.Counterexample](found))
}
