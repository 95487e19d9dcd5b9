package model

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/memory"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/trace"
	"github.com/tacheck/tacheck/trace/reading"
	"github.com/tacheck/tacheck/verify"
)

// identities is what protocols of fixed size and for all sizes have in common: their
// instances, which are protocols of processes with identities.
type identities struct {
	base
	f *ftdp.File
}

// sized is a protocol of fixed size.
type sized struct {
	identities
	m *protocol.Model // with the constants that it was opened with
}

// openProtocol opens a protocol: for all sizes if it has parameters, else of fixed size.
func openProtocol(ctx context.Context, file, text string, o Options) (Model, error) {
	f, err := ftdp.Parse(file, text)
	if err != nil {
		return nil, &InputError{Err: err, Text: text}
	}
	x := identities{base{file, text, "a protocol of fixed size", nil, o.Find}, f}
	if o.Find != "" {
		if x.f, err = seeking(f, o.Find); err != nil {
			return nil, x.wrong(err)
		}
		f = x.f
	}
	if _, err := reading.Blocks(f); err != nil {
		return nil, x.wrong(err)
	}
	if f.Parameterized() {
		x.warnings = parametric.UnusedParameters(f)
		if parametric.HasRounds(f) {
			return openRoundsText(ctx, x, o)
		}
		x.what = "a protocol for all sizes"
		return openSizes(ctx, x, o)
	}
	set, err := x.settings(o.Set)
	if err != nil {
		return nil, err
	}
	m, err := instantiate.Model(f, set)
	if of, e := interp.RunConstants(o.Run); err != nil && o.Run != nil && o.Set == nil && e == nil {
		if other, e := instantiate.Model(f, of); e == nil { // the text's own values may be none of an instance
			m, err = other, nil
		}
	}
	if err != nil {
		return nil, x.wrong(err)
	}
	if err := trace.Verify(m); err != nil {
		return nil, x.wrong(err)
	}
	if err := fitting(m, o.Set); err != nil {
		return nil, err
	}
	x.warnings = machine.Movers(m)
	return &sized{x, m}, nil
}

// seeking is a text with an invariant more: a condition is never true.
func seeking(f *ftdp.File, condition string) (*ftdp.File, error) {
	e, err := ftdp.ReadExpr(findFlag, condition)
	if err != nil {
		return nil, err
	}
	o := e.From()
	return f.With(&ftdp.Section{Invariant: &ftdp.Property{Name: o.Ident(Sought), Formula: o.Op(ftdp.Not, e)}}), nil
}

// settings makes values for constants of what a user gives.
func (m *identities) settings(set []Setting) (map[string]int64, error) {
	out := map[string]int64{}
	for _, s := range set {
		if s.Value != int64(int32(s.Value)) {
			return nil, fmt.Errorf("%s cannot be %d: that is too large", s.Name, s.Value)
		}
		out[s.Name] = s.Value
	}
	return out, nil
}

// fitting refuses numbers for truth values, and truth values for numbers.
func fitting(m *protocol.Model, set []Setting) error {
	for _, s := range set {
		truth := slices.ContainsFunc(m.Constants, func(k protocol.Constant) bool { return k.Name == s.Name && k.Bool })
		switch {
		case s.Truth && !truth:
			return fmt.Errorf("%s is a number, not %s", s.Name, s.Text())
		case !s.Truth && truth:
			return fmt.Errorf("%s is a truth value: true or false, not %s", s.Name, s.Text())
		}
	}
	return nil
}

// Inspect says what keeps processes from being interchangeable: more states are visited then.
func (m *sized) Inspect() diag.List { return m.m.Asymmetry }

func (m *sized) Specs() []Spec { return propsOf(m.m) }

func propsOf(m *protocol.Model) (list []Spec) {
	for _, p := range m.Props {
		s := Spec{p.Name, p.Pos, formula}
		if p.Invariant != nil {
			s.Sort = invariant
		}
		list = append(list, s)
	}
	return list
}

func (m *sized) Parameters() []Parameter {
	return lists.Map(m.m.Constants,
		func(k protocol.Constant) Parameter { return Parameter{k.Name, k.Bool, big.NewInt(k.Value)} })
}

func (m *sized) Instance(ctx context.Context, set []Setting) (Instance, error) {
	return m.instance(m.Protocol(ctx, set))
}

// instance is a protocol as one of the instances of a text.
func (m *identities) instance(p *protocol.Model, err error) (Instance, error) {
	if err != nil {
		return nil, err
	}
	return &protocolInstance{&m.base, p}, nil
}

// Protocol returns the protocol with the given constants; it was opened with them, or they are
// put in the place of the text's.
func (m *sized) Protocol(_ context.Context, set []Setting) (*protocol.Model, error) {
	if len(set) == 0 {
		return m.m, nil
	}
	return m.with(set)
}

// with is the protocol with the given constants, or parameters.
func (m *identities) with(set []Setting) (*protocol.Model, error) {
	values, err := m.settings(set)
	if err != nil {
		return nil, err
	}
	p, err := instantiate.Model(m.f, values)
	if err != nil {
		return nil, m.wrong(err)
	}
	return p, fitting(p, set)
}

// Instances gives values to the sizes: constants that the text makes assumptions about, or those that the sizes of
// roles are made of. Values that give it no meaning are left out.
func (m *sized) Instances(ctx context.Context, upTo int64) ([]Instance, error) {
	sizes, _ := m.m.Sizes()
	if len(sizes) == 0 {
		return nil, fmt.Errorf("%s has no sizes whose values could be tried: --set gives values to its constants",
			m.file)
	}
	return combinations(ctx, len(sizes), upTo, func(values []*big.Int) (Instance, error) {
		set := map[string]int64{}
		for i, v := range values {
			set[sizes[i]] = v.Int64()
		}
		p, err := instantiate.Model(m.f, set)
		if err != nil {
			return nil, nil
		}
		return &protocolInstance{&m.base, p}, nil
	})
}

// lint explores the instance of the text, and asks a solver which invariants no values of the variables violate.
func (m *sized) lint(ctx context.Context, o verify.Options) (diag.List, error) {
	found, err := machine.Lint(ctx, m.m)
	if err != nil {
		return found, m.running(err)
	}
	factory, err := verify.SolverFactory(o)
	if err != nil {
		return found, err
	}
	for i := range m.m.Props {
		p := &m.m.Props[i]
		if p.Invariant == nil {
			continue
		}
		always, err := induct.HoldsByTypes(ctx, m.m, p, factory)
		if err != nil {
			return found, err
		}
		if always {
			found.Warn(p.Pos, len(p.Name), "%s holds whatever values the variables have: no rule can violate it%s",
				p.Name, m.m.With())
		}
	}
	return found.Sorted(), nil
}

// running is an error that shows when a protocol runs.
func (b *base) running(err error) error {
	var bad *machine.ModelError
	if !errors.As(err, &bad) {
		return err
	}
	if bad.Run != nil && len(bad.Run.Events) == 1 && bad.Msg == protocol.UndefinedHere {
		first := *bad.Failure
		first.Msg += ": `init` gives it no value, for these sizes, and its type has no first one, as in `x: 0..1 = 0`"
		bad = &machine.ModelError{Failure: &first, Run: bad.Run}
	}
	in := wrongIn(bad.Problem(), b.text, b.find)
	if bad.Run != nil && len(bad.Run.Events) > 0 {
		in.Run = &protocolRun{bad.Run}
	}
	return in
}

// Running is an error of a protocol that shows when it runs, as one of the model's text.
func Running(text string, err error) error {
	b := base{text: text}
	return b.running(err)
}

// Replay reads a run with the constants that it says. If the text is right and these are not, that rejects the run.
func (m *identities) Replay(data []byte) (Counterexample, error) {
	set, err := interp.RunConstants(data)
	if err != nil {
		return nil, err
	}
	p, err := instantiate.Followed(m.f, set)
	if err != nil {
		return nil, err
	}
	r, err := interp.ReadRun(p, data)
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return nil, err
	}
	return &protocolRun{r}, nil
}

// protocolInstance is a protocol of fixed size.
type protocolInstance struct {
	*base
	p *protocol.Model
}

// Protocol returns the protocol.
func (x *protocolInstance) Protocol() *protocol.Model { return x.p }

func (x *protocolInstance) Values() []Value { return protocolValues(x.p) }

func protocolValues(p *protocol.Model) []Value {
	return lists.Map(p.Constants,
		func(k protocol.Constant) Value { return Value{Name: k.Name, Value: big.NewInt(k.Value), Truth: k.Bool} })
}

// Explore decides the properties, or counts the states of a protocol that has none.
func (x *protocolInstance) Explore(ctx context.Context, specs []string, o Exploring) ([]*Result, error) {
	props, err := x.p.Choose(specs)
	if err != nil {
		return nil, err
	}
	how := o.Machine
	if how.Memory == 0 {
		how.Memory = int64(memory.Most())
	}
	begin := time.Now()
	found, left, err := limit.HeedFor(ctx, machine.More+limit.Ending,
		func(ctx context.Context) ([]*machine.Result, error) {
			if len(props) > 0 {
				return machine.Check(ctx, x.p, props, how)
			}
			r, err := machine.Count(ctx, x.p, how)
			return []*machine.Result{r}, err
		})
	if left {
		return x.late(ctx, props, time.Since(begin)), nil
	}
	found = slices.DeleteFunc(found, func(r *machine.Result) bool { return r == nil })
	return lists.Map(found, func(r *machine.Result) *Result { return ProtocolResult(x.p, r) }), x.running(err)
}

// Profile implements Profiled.
func (x *protocolInstance) Profile(ctx context.Context, specs []string, o Exploring) (*explore.Profile, error) {
	props, err := x.p.Choose(specs)
	if err != nil {
		return nil, err
	}
	out, err := machine.Profile(ctx, x.p, props, o.Machine)
	return out, x.running(err)
}

// Never implements Observed.
func (x *protocolInstance) Never(ctx context.Context, _ []string, o Exploring) (machine.Observation, bool, error) {
	seen, whole, err := machine.Observe(ctx, x.p, interp.Options{Traffic: o.Machine.Traffic}, o.Machine.Plain,
		len(o.Machine.Without) > 0, int64(o.observed()))
	return seen, whole, x.running(err)
}

// late are the results where time was up, and what was being done did not heed that.
func (x *protocolInstance) late(ctx context.Context, props []*protocol.Prop, spent time.Duration) (list []*Result) {
	if len(props) == 0 {
		props = []*protocol.Prop{{}}
	}
	for _, p := range props {
		list = append(list, ProtocolResult(x.p, &machine.Result{Property: p.Name, Verdict: verdict.Unknown,
			Reason: smt.Interrupted(ctx), Time: spent, Partial: machine.Unreduced}))
	}
	return list
}

// ProtocolResult is what was found by exploring a protocol.
func ProtocolResult(p *protocol.Model, r *machine.Result) *Result {
	out := &Result{Spec: r.Property, Verdict: r.Verdict, Reason: r.Reason, Time: r.Time,
		Space: &Space{Instance: protocolValues(p), States: r.States, Transitions: r.Transitions, Depth: r.Depth,
			Machine: r}}
	if r.Asymmetry != "" {
		out.Space.Notes = append(out.Space.Notes, "no symmetry: "+r.Asymmetry)
	}
	if r.Whole != "" {
		out.Space.Notes = append(out.Space.Notes, "all steps are followed: "+r.Whole)
	}
	if r.Saving != nil {
		out.Space.Notes = append(out.Space.Notes, "partial orders: "+strings.Join(r.Saving, ", "))
	}
	if r.Run != nil {
		if out.Counterexample = found(r.Run); r.Partial == machine.Unreduced && p.Lookup(r.Property).Invariant != nil {
			out.Counterexample = &protocolRun{r.Run} // it is as short as can be
		}
	}
	return out
}

// Walk is by the interpreter.
func (x *protocolInstance) Walk(_ context.Context, found []*Result) (hand.Subject, error) {
	how := interp.Options{}
	for _, r := range found {
		if r.Space != nil && r.Space.Machine != nil {
			how.Traffic = r.Space.Machine.Options.Traffic
		}
	}
	return hand.NewProtocol(x.p, how, lists.Map(runs[*protocolRun](found), (*protocolRun).Run)), nil
}

// protocolRun is a run of a protocol.
type protocolRun struct{ r *interp.Run }

// found is a counterexample, without what need not happen in it.
func found(r *interp.Run) Counterexample { return &protocolRun{r.Shortened()} }

// ProtocolRun is a run of a protocol as a counterexample; nil if there is none.
func ProtocolRun(r *interp.Run) Counterexample {
	if r == nil {
		return nil
	}
	return &protocolRun{r}
}

// Run returns the run of the protocol.
func (x *protocolRun) Run() *interp.Run { return x.r }

// Rules names the rules that the run uses.
func (x *protocolRun) Rules() (list []string) {
	for _, e := range x.r.Events {
		if !e.Init && e.Fate == interp.Processed {
			list = append(list, story.RuleName(x.r.Model, e.Rule))
		}
	}
	return list
}

func (x *protocolRun) MarshalJSON() ([]byte, error) { return x.r.MarshalJSON() }

func (x *protocolRun) Told() *run.Run { return story.Told(x.r) }

func (x *protocolRun) Why() (run.Explanation, error) { return story.Explain(x.r) }

// ParseProtocol reads the text of a protocol, whose constants get their values later.
func ParseProtocol(file, text string) (*ftdp.File, error) {
	file = record.Name(file)
	if k, _ := KindOf(file); k != Protocols {
		return nil, fmt.Errorf("%s is %s: this is for protocols of processes with identities", file, k.Name)
	}
	f, err := ftdp.Parse(file, text)
	if err != nil {
		return nil, &InputError{Err: err, Text: text}
	}
	return f, nil
}
