package model

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"tacheck/explore"
	"tacheck/explore/automata"
	"tacheck/internal/diag"
	"tacheck/ltl"
	"tacheck/protocol/machine"
	"tacheck/review"
	"tacheck/show/hand"
	"tacheck/ta"
	"tacheck/verify"
	"tacheck/witness"
)

// Automaton is what decides a model for all parameters: the model itself, or what its text was
// translated to. Places in generated text are those of a file with a name of its own, and never
// shown as places in the model's.
type Automaton struct {
	*ta.Automaton        // its File is the model's
	Text          string // the automaton's own
	Generated     bool
	// Notes say what the automaton leaves open that the text does not.
	Notes []string

	model string // its text
	place func(line, col int) (diag.Pos, int)
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

// translated is what is put behind a file's name to have one for text that was made of it.
const translated = " (translated)"

// newAutomaton reads the text of an automaton; place maps places in it into the model's text,
// and is nil if this is the model's text.
func newAutomaton(file, modelText, text string, place func(line, col int) (diag.Pos, int)) (*Automaton, error) {
	if place == nil {
		a, err := ta.Parse(file, text)
		if err != nil {
			return nil, &InputError{Err: err, Text: text}
		}
		return &Automaton{Automaton: a, Text: text, model: text}, nil
	}
	out := &Automaton{Text: text, Generated: true, model: modelText, place: place}
	a, err := ta.Parse(file+translated, text)
	if err != nil {
		return nil, out.wrong(fmt.Errorf("%s: the automaton that it translates to is refused: %w", file, err))
	}
	a.File = file
	out.Automaton = a
	for i := range a.Specs {
		a.Specs[i].Pos, _ = place(a.Specs[i].Pos.Line, a.Specs[i].Pos.Col)
	}
	a.Warnings = out.Placed(a.Warnings)
	return out, nil
}

// Placed puts places in the model's text where places in generated text are.
func (a *Automaton) Placed(list diag.List) diag.List {
	if a.place == nil {
		return list
	}
	generated := func(pos diag.Pos) bool { return strings.HasSuffix(pos.File, translated) }
	for _, e := range list {
		if generated(e.Pos) {
			e.Pos, e.Width = a.place(e.Pos.Line, e.Pos.Col)
		}
		var notes []diag.Note
		for _, n := range e.Notes {
			if generated(n.Pos) {
				if n.Pos, _ = a.place(n.Pos.Line, n.Pos.Col); n.Pos == e.Pos {
					continue // it would point at the same place
				}
			}
			notes = append(notes, n)
		}
		e.Notes = notes
	}
	return list
}

// wrong is an error with places in the model's text.
func (a *Automaton) wrong(err error) error {
	var list diag.List
	if errors.As(err, &list) {
		a.Placed(list)
	}
	var already *InputError
	if err == nil || errors.As(err, &already) {
		return err
	}
	return &InputError{Err: err, Text: a.model}
}

// Wrong is an error of a question about the automaton, with its places in the model's text.
func (a *Automaton) Wrong(err error) error { return a.wrong(err) }

// Called is the name of the file that places in Text have.
func (a *Automaton) Called() string {
	if a.Generated {
		return a.File + translated
	}
	return a.File
}

// Spec returns a specification by the name that the model gives it, or nil.
func (a *Automaton) Spec(name string) *ta.Spec {
	if a.specs != nil {
		name = a.specs[name]
	}
	return a.SpecNamed(name)
}

// automaton is a model that is one, or was translated to one that means the same: its
// counterexamples are the model's.
type automaton struct {
	base
	own *Automaton
}

// openAutomaton opens the text of a threshold automaton.
func openAutomaton(_ context.Context, file, text string, _ Options) (Model, error) {
	a, err := newAutomaton(file, text, text, nil)
	if err != nil {
		return nil, err
	}
	b := base{file, text, "a threshold automaton", a.Warnings}
	if a.Rounds != nil {
		return openRounds(b, a)
	}
	return &automaton{b, a}, nil
}

// Translated is a model whose text says the same as an automaton, which is given, rule by rule;
// place returns for a place in the automaton's text the one in the model's that it comes from, and its
// width. It is verified, explored, drawn and linted by the automaton.
func Translated(what, file, text, generated string, place func(line, col int) (diag.Pos, int)) (Model, error) {
	a, err := newAutomaton(file, text, generated, place)
	if err != nil {
		return nil, err
	}
	return &automaton{base{file, text, what, a.Warnings}, a}, nil
}

func (m *automaton) Automaton(context.Context) (*Automaton, error) { return m.own, nil }

func (m *automaton) Specs() (list []Spec) {
	for _, s := range m.own.Specs {
		list = append(list, Spec{s.Name, s.Pos, specification})
	}
	return list
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
	return m.own.Placed(out)
}

func (m *automaton) Ask(ctx context.Context, names []string, fair *review.FairnessOptions) (*Question, error) {
	return ask(ctx, m, names, fair)
}

func (m *automaton) Replay(data []byte) (Counterexample, error) {
	w, err := witness.Read(m.own.Automaton, data)
	if err != nil {
		return nil, err
	}
	return m.run(w), nil
}

func (m *automaton) run(w *witness.Witness) Counterexample { return &automatonRun{w, m.own} }

// confirm has nothing to do: the automaton is the model.
func (m *automaton) confirm(_ context.Context, r *verify.Result, _ verify.Options) (Counterexample, error) {
	return m.run(r.Witness), nil
}

func (m *automaton) beyond() []Other { return nil }

// small has nothing to ask: the automaton decides all that there is.
func (m *automaton) small(context.Context, Other) (Counterexample, error) { return nil, nil }

func (m *automaton) why(_ diag.Pos, problem *diag.Error) string { return problem.Msg }

func (m *automaton) Parameters() (list []Parameter) {
	for _, p := range m.own.Parameters {
		list = append(list, Parameter{Name: p.Name})
	}
	return list
}

func (m *automaton) Instance(_ context.Context, set []Setting) (Instance, error) {
	params, err := given(m, set)
	if err != nil {
		return nil, err
	}
	if !automata.Admissible(m.own.Automaton, params) {
		return nil, inadmissible(set)
	}
	return &automatonInstance{m, params}, nil
}

func (m *automaton) Instances(ctx context.Context, upTo int64) (list []Instance, err error) {
	err = combinations(ctx, len(m.own.Parameters), upTo, func(params []*big.Int) error {
		if automata.Admissible(m.own.Automaton, params) {
			list = append(list, &automatonInstance{m, params})
		}
		return nil
	})
	return list, err
}

// automatonInstance is an automaton with fixed parameters.
type automatonInstance struct {
	m      *automaton
	params []*big.Int
}

func (x *automatonInstance) Values() []Value { return valuesOf(x.m.own.Automaton, x.params) }

// ErrNoStart says that an instance has no initial state.
var ErrNoStart = automata.ErrNoInitial

func (x *automatonInstance) Explore(ctx context.Context, specs []string, o Exploring) (list []*Result, err error) {
	if len(specs) == 0 {
		specs = names(x.m)
	}
	a := x.m.own
	for _, name := range specs {
		r := &Result{Spec: name, Space: &Space{Instance: x.Values()}}
		list = append(list, r)
		e, err := automata.Decide(ctx, a.Automaton, a.Spec(name), x.params, int(o.Machine.States))
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
		r.Space.Configs, r.Space.States, r.Space.Transitions, r.Space.Depth = int64(e.Configs), int64(e.States), int64(e.Transitions), e.Depth
		if len(e.Open) > 0 {
			r.Space.Notes = append(r.Space.Notes, fmt.Sprintf("initial values of %s have no upper bound: some were tried", a.SymbolName(e.Open[0])))
		}
		if e.Witness != nil {
			r.Verdict, r.Counterexample = verify.Violated, x.m.run(e.Witness)
		}
	}
	return list, nil
}

// Never implements Observed: of rules that never fire, and specifications that hold for no good reason.
func (x *automatonInstance) Never(ctx context.Context, specs []string, _ Exploring) (out machine.Observation, whole bool, err error) {
	a := x.m.own
	seen := automata.NewCoverage(a.Automaton, nil)
	n, err := seen.Add(ctx, a.Automaton, x.params, MostObserved)
	if err != nil || n == 0 || n > MostObserved {
		return out, false, err
	}
	var found diag.List
	for i, fires := range seen.Rules {
		if !fires {
			found.Warn(a.Rules[i].Pos, len(a.Rules[i].ID), "rule %s never fires", a.RuleName(&a.Rules[i]))
		}
	}
	for _, name := range specs {
		empty, err := review.VacuousFor(ctx, a.Automaton, a.Spec(name), x.params, MostObserved)
		if errors.Is(err, explore.ErrTooLarge) {
			return out, false, nil
		} else if err != nil {
			return out, false, err
		}
		found = append(found, empty...)
	}
	for _, e := range a.Placed(found) {
		out.Never = append(out.Never, machine.Never{Pos: e.Pos, Width: e.Width, Says: e.Msg})
	}
	return out, true, nil
}

func (x *automatonInstance) Walk(ctx context.Context, found []*Result) (hand.Subject, error) {
	start, more, err := automata.SomeInitial(ctx, x.m.own.Automaton, x.params, hand.MostStarts)
	if err != nil {
		return nil, err
	}
	var runs []*witness.Witness
	for _, r := range found {
		if run, ok := r.Counterexample.(*automatonRun); ok {
			runs = append(runs, run.w)
		}
	}
	return hand.NewAutomaton(x.m.own.Automaton, start, more, runs), nil
}
