package model

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/tla"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// Automaton is what decides a model for all parameters: the model itself, or what it was translated to. What an
// automaton has that was made of a text stands at places of that text.
type Automaton struct {
	*ta.Automaton
	Generated bool
	// Bound: it was made under the assumptions of its text, and with others the text has another automaton.
	Bound bool
	// Notes say what the automaton leaves open that the text does not.
	Notes []string

	own   string            // its text, if it is written
	model string            // the text of the model
	find  string            // Options.Find
	specs map[string]string // what they are called in the automaton; nil if they are called the same
	says  func(ta.Threshold) (string, bool)
}

// Says writes a threshold in the words of the model's text, where these are others than the automaton's and known.
func (a *Automaton) Says(th ta.Threshold) (string, bool) {
	if a.says == nil {
		return "", false
	}
	return a.says(th)
}

// underAssumptions is the first line of automata that are bound.
const underAssumptions = "Made under these assumptions. With others, the protocol has another automaton."

// written is an automaton that the user has written.
func written(file, text string) (*Automaton, error) {
	a, err := ta.Parse(file, text)
	if err != nil {
		return nil, &InputError{Err: err, Text: text}
	}
	return &Automaton{Automaton: a, own: text, model: text, Bound: strings.HasPrefix(text, "// "+underAssumptions)}, nil
}

// seeking is an automaton with a specification more: a condition is never true.
func (a *Automaton) seeking(condition string) (*ta.Automaton, error) {
	e, err := syntax.ParseExpr(findFlag, condition)
	if err != nil {
		return nil, err
	}
	if _, err := ltl.Condition(a.Automaton, e); err != nil {
		return nil, err
	}
	tree, o := *a.Syntax(), syntax.Origin{At: e.Pos, Width: max(1, len(condition))}
	tree.Sections = append(slices.Clip(tree.Sections), &syntax.Section{Specifications: &syntax.Specs{
		List: []*syntax.Spec{o.Spec(Sought, o.Op(syntax.Globally, o.Op(syntax.Not, e)))}}})
	return ta.Resolve(a.File, &tree)
}

// translated is an automaton that was made of a text.
func translated(file, text string, tree *syntax.File) (*Automaton, error) {
	out := &Automaton{Generated: true, model: text}
	a, err := ta.Resolve(file, tree)
	if err != nil {
		return nil, out.wrong(fmt.Errorf("%s: the automaton that it translates to is refused: %w", file, err))
	}
	out.Automaton = a
	return out, nil
}

// Text is the automaton as a text.
func (a *Automaton) Text() string {
	if !a.Generated {
		return a.own
	}
	tree := *a.Syntax()
	if a.Bound {
		tree.Remarks = append([]string{underAssumptions}, tree.Remarks...)
	}
	return syntax.Format(&tree)
}

// wrong is an error with places in the model's text.
func (a *Automaton) wrong(err error) error {
	var already *InputError
	if err == nil || errors.As(err, &already) {
		return err
	}
	return wrongIn(err, a.model, a.find)
}

// Wrong is an error of a question about the automaton, with the text that its places are of.
func (a *Automaton) Wrong(err error) error { return a.wrong(err) }

// Spec returns a specification by the name that the model gives it, or nil.
func (a *Automaton) Spec(name string) *ta.Spec {
	if a.specs != nil {
		name = a.specs[name]
	}
	return a.SpecNamed(name)
}

// automaton is a model that is one, or was translated to one that means the same: its counterexamples are the model's.
type automaton struct {
	base
	own *Automaton
}

// openAutomaton opens the text of a threshold automaton.
func openAutomaton(_ context.Context, file, text string, o Options) (Model, error) {
	b := base{file, text, "a threshold automaton", nil, o.Find}
	a, err := written(file, text)
	if err == nil && o.Find != "" {
		a.find = o.Find
		a.Automaton, err = a.seeking(o.Find)
		err = b.wrong(err)
	}
	if err != nil {
		return nil, err
	}
	b.warnings = a.Warnings
	if a.Rounds != nil {
		return openRounds(b, a)
	}
	return &automaton{b, a}, nil
}

// Translated is a model whose text says the same as an automaton, rule by rule; what that has stands at places of the
// model's text. It is verified, explored, drawn and linted by the automaton.
func Translated(what, file, text string, tree *syntax.File) (Model, error) {
	a, err := translated(file, text, tree)
	if err != nil {
		return nil, err
	}
	return &automaton{base{file, text, what, a.Warnings, ""}, a}, nil
}

func (m *automaton) Automaton(context.Context) (*Automaton, error) { return m.own, nil }

func (m *automaton) Specs() []Spec {
	return lists.Map(m.own.Specs, func(s ta.Spec) Spec { return Spec{s.Name, s.Pos, specification} })
}

// Inspect says which specifications cannot be asked, and what is odd about others.
func (m *automaton) Inspect() (out diag.List) {
	for i := range m.own.Automaton.Specs {
		spec := &m.own.Automaton.Specs[i]
		out = append(out, ltl.Warnings(spec)...)
		var list diag.List
		if _, err := verify.Inspect(m.own.Automaton, spec); errors.As(err, &list) {
			out = append(out, list...)
		}
	}
	return out
}

func (m *automaton) Ask(ctx context.Context, names []string, fair *review.FairnessOptions) (*Question, error) {
	return ask(ctx, m, names, fair)
}

func (m *automaton) Replay(data []byte) (Counterexample, error) {
	return replayed(witness.Read(m.own.Automaton, data))
}

// confirm has nothing to do: the automaton is the model.
func (m *automaton) confirm(_ context.Context, r *verify.Result, _ verify.Options) (Counterexample, error) {
	return r.Witness, nil
}

func (m *automaton) beyond() []Other { return nil }

func (m *automaton) why(_ diag.Pos, problem *diag.Error) string { return problem.Msg }

func (m *automaton) Parameters() []Parameter {
	return lists.Map(m.own.Parameters, func(p ta.Name) Parameter { return Parameter{Name: p.Name} })
}

func (m *automaton) Instance(_ context.Context, set []Setting) (Instance, error) {
	params, err := given(m, set)
	if err != nil {
		return nil, err
	}
	if !automata.Admissible(m.own.Automaton, params) {
		return nil, fmt.Errorf("%w: %s", inadmissible(set), m.own.FormatCond(m.own.Resilience))
	}
	return &automatonInstance{m, params}, nil
}

func (m *automaton) Instances(ctx context.Context, upTo int64) ([]Instance, error) {
	return combinations(ctx, len(m.own.Parameters), upTo, func(params []*big.Int) (Instance, error) {
		if !automata.Admissible(m.own.Automaton, params) {
			return nil, nil
		}
		return &automatonInstance{m, params}, nil
	})
}

// automatonInstance is an automaton with fixed parameters.
type automatonInstance struct {
	m      *automaton
	params []*big.Int
}

func (x *automatonInstance) Values() (list []Value) {
	for i, p := range x.m.own.Parameters {
		list = append(list, Value{Name: p.Name, Value: x.params[i]})
	}
	return list
}

// ErrNoStart says that an instance has no initial state.
var ErrNoStart = automata.ErrNoInitial

func (x *automatonInstance) Explore(ctx context.Context, specs []string, o Exploring) ([]*Result, error) {
	return whileTime(ctx, x, x.m, specs, o, x.explore)
}

func (x *automatonInstance) explore(ctx context.Context, specs []string, o Exploring) (list []*Result, err error) {
	a := x.m.own
	for _, name := range specs {
		r := &Result{Spec: name, Space: &Space{Instance: x.Values()}}
		list = append(list, r)
		e, err := automata.Decide(ctx, a.Automaton, a.Spec(name), x.params, int(o.Machine.States), o.Machine.Without...)
		switch {
		case errors.Is(err, automata.ErrNoInitial):
			return nil, err
		case errors.Is(err, explore.ErrTooLarge), err != nil && ctx.Err() != nil:
			r.undecided(ctx, err)
			continue
		case err != nil:
			return nil, a.wrong(err)
		}
		r.Verdict, r.Time = verify.Holds, e.Time
		r.Space.Configs, r.Space.States, r.Space.Transitions, r.Space.Depth = int64(e.Configs), int64(e.States),
			int64(e.Transitions), e.Depth
		if len(e.Open) > 0 {
			r.Space.Notes = append(r.Space.Notes,
				fmt.Sprintf("initial values of %s have no upper bound: some were tried", a.SymbolName(e.Open[0])))
		}
		if e.Witness != nil {
			r.Verdict, r.Counterexample = verify.Violated, e.Witness
		}
	}
	return list, nil
}

// Profile implements Profiled.
func (x *automatonInstance) Profile(ctx context.Context, _ []string, o Exploring) (*explore.Profile, error) {
	return automata.Profile(ctx, x.m.own.Automaton, x.params, o.Machine.Bounds)
}

// Never implements Observed: of rules that never fire, and specifications that hold for no good reason.
func (x *automatonInstance) Never(ctx context.Context, specs []string,
	o Exploring) (out machine.Observation, whole bool, err error) {
	a := x.m.own
	seen := automata.NewCoverage(a.Automaton, nil)
	n, err := seen.Add(ctx, a.Automaton, x.params, o.observed())
	if err != nil || n == 0 || n > o.observed() {
		return out, false, err
	}
	var found diag.List
	for i, fires := range seen.Rules {
		if !fires {
			found.Warn(a.Rules[i].Pos, a.Rules[i].Width, "rule %s never fires", a.RuleName(&a.Rules[i]))
		}
	}
	for _, name := range specs {
		empty, err := review.VacuousFor(ctx, a.Automaton, a.Spec(name), x.params, o.observed())
		if errors.Is(err, explore.ErrTooLarge) {
			return out, false, nil
		} else if err != nil {
			return out, false, err
		}
		found = append(found, empty...)
	}
	for _, e := range found {
		out.Never = append(out.Never, machine.Never{Pos: e.Pos, Width: e.Width, Text: e.Msg})
	}
	return out, true, nil
}

func (x *automatonInstance) Walk(ctx context.Context, found []*Result) (hand.Subject, error) {
	start, more, err := automata.SomeInitial(ctx, x.m.own.Automaton, x.params, hand.MostStarts)
	if err != nil {
		return nil, err
	}
	return hand.NewAutomaton(x.m.own.Automaton, start, more, runs[*witness.Witness](found)), nil
}

// openTLA opens a TLA+ module of a counter system, which is translated to an automaton action by action.
func openTLA(_ context.Context, file, text string, o Options) (Model, error) {
	t, err := tla.Translate(file, text)
	if err != nil {
		return nil, &InputError{Err: err, Text: text}
	}
	a, err := translated(file, text, t.Tree)
	if err == nil && o.Find != "" {
		a.find = o.Find
		if a.Automaton, err = a.seeking(o.Find); err != nil {
			err = wrongIn(err, text, o.Find)
		}
	}
	if err != nil {
		return nil, err
	}
	a.Warnings = append(a.Warnings, t.Notes...)
	return &automaton{base{file, text, "a TLA+ module", a.Warnings, o.Find}, a}, nil
}
