package witness

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Why says why the witness violates its specification: where each part of the formula is seen to be true or false,
// which steps made it so and what their guards saw, who waits for ever and for what. It is found on the run alone; the
// cost is linear in its length times the size of the formula.
func (w *Witness) Why() (run.Explanation, error) {
	spec := w.Automaton.SpecNamed(w.Spec)
	if spec == nil {
		return nil, fmt.Errorf("the model has no specification %q", w.Spec)
	}
	return w.explain(spec)
}

func (w *Witness) explain(spec *ta.Spec) (run.Explanation, error) {
	f, err := ltl.FromExpr(w.Automaton, spec.Formula)
	if err != nil {
		return nil, err
	}
	e := &explainer{Witness: w, premises: ltl.Dissect(spec.Formula).Premises,
		trace: ltl.NewTrace(f, w.Automaton, w.Run, w.Configs)}
	walk := &run.Walk[*syntax.Expr]{Parts: e.parts, Truth: func(c claim) []bool { return e.trace.Truth(e.formula(c)) },
		Fact: e.fact,
		Last: len(e.trace.Configs) - 1, Loop: e.trace.Loop}
	walk.Visit(claim{Part: spec.Formula}, run.Moment{})
	if e.err != nil {
		return nil, e.err
	}
	e.edge()
	return e.out, nil
}

type explainer struct {
	*Witness
	trace    ltl.Trace
	premises []*syntax.Expr
	named    map[int]bool // steps that are told
	out      run.Explanation
	err      error
}

// claim says that an expression is true, or that it is false.
type claim = run.Claim[*syntax.Expr]

func (e *explainer) formula(c claim) ltl.Formula {
	f, err := ltl.FromExpr(e.Automaton, c.Part)
	if err != nil {
		e.err = err
		return ltl.Prop{Cond: ta.And()}
	}
	if !c.Want {
		f = ltl.Negate(f)
	}
	return f
}

// parts takes a claim apart.
func (e *explainer) parts(c claim) (run.Shape, []claim) {
	part := func(x *syntax.Expr, want bool) claim {
		return claim{Part: x, Want: want, Premise: c.Premise || slices.Contains(e.premises, x)}
	}
	x := c.Part
	if !ltl.Temporal(x) {
		return run.Fact, nil
	}
	switch x.Op {
	case syntax.Not:
		return run.All, []claim{part(x.Args[0], !c.Want)}
	case syntax.And, syntax.Or:
		var list []claim
		for _, arg := range x.Args {
			list = append(list, part(arg, c.Want))
		}
		return run.Junction(x.Op == syntax.And, c.Want), list
	case syntax.Implies:
		last := len(x.Args) - 1
		left := x.Args[0]
		if last > 1 { // a -> b -> c is (a -> b) -> c
			left = &syntax.Expr{Op: syntax.Implies, Pos: x.Pos, Width: x.Width, Args: x.Args[:last]}
		}
		return run.Junction(false, c.Want), []claim{part(left, !c.Want), part(x.Args[last], c.Want)}
	case syntax.Globally, syntax.Finally:
		if (x.Op == syntax.Globally) == c.Want {
			return run.Lasting, []claim{part(x.Args[0], c.Want)}
		}
		return run.Eventual, []claim{part(x.Args[0], c.Want)}
	}
	return run.Fact, nil
}

// fact states a claim about configurations, and what made it so.
func (e *explainer) fact(c claim, m run.Moment) {
	f, ok := e.formula(c).(ltl.Prop)
	if !ok || ltl.Temporal(c.Part) {
		e.state(c, m, nil)
		return
	}
	configs := e.trace.Configs[m.From : m.To+1]
	atoms, at := evidence(f.Cond, configs), ""
	if len(atoms) == 0 && m.Always && m.From < e.trace.Loop { // for what reason at last?
		configs = e.trace.Configs[e.trace.Loop:]
		atoms, at = evidence(f.Cond, configs), "at last "
	}
	values := e.values(atoms, configs)
	if len(values) > 0 {
		values[0] = at + values[0]
	}
	e.state(c, m, values)
	switch {
	case c.Premise:
	case m.Always && !c.Want:
		e.waiting(atoms)
	case !m.Always:
		for _, at := range atoms {
			e.because(at, m.From)
		}
	}
}

func (e *explainer) state(c claim, m run.Moment, values []string) {
	kind := run.Happens
	switch {
	case c.Premise:
		kind = run.Assumed
	case !c.Want && m.Always:
		kind = run.Never
	case !c.Want:
		kind = run.Broken
	}
	text := c.Part.String()
	switch {
	case kind == run.Broken && c.Part.Op == syntax.Not:
		text = c.Part.Args[0].String() + " is true"
	case kind == run.Broken || kind == run.Assumed && !c.Want:
		text += " is false"
	}
	when := run.When(e.place(m.From), m.From == 0, m.Always, m.Again, kind)
	e.out.Add(run.Reason{Kind: kind, Text: run.Line(text, when, values), Step: e.trace.Places[m.From].Steps})
}

func (e *explainer) place(pos int) string {
	if p := e.trace.Places[pos]; p.Times.Sign() > 0 {
		return fmt.Sprintf("in step %d, after %s of %s times", p.Steps+1, p.Times, e.Run.Steps[p.Steps].Factor)
	}
	return run.Place(e.trace.Places[pos].Steps)
}

// evidence lists atoms that make a condition true in all the configurations; none if it is true for different reasons.
func evidence(c *ta.Cond, configs []*ta.Config) []ta.Atom {
	switch c.Op {
	case boolean.OpAtom:
		return []ta.Atom{c.Atom}
	case boolean.OpAnd:
		var list []ta.Atom
		for _, arg := range c.Args {
			list = append(list, evidence(arg, configs)...)
		}
		return list
	}
	for _, arg := range c.Args {
		if !slices.ContainsFunc(configs, func(x *ta.Config) bool { return !ta.Holds(arg, x.Value) }) {
			return evidence(arg, configs)
		}
	}
	return nil
}

// maxValues bounds the values in a line.
const maxValues = 12

// values shows atoms with what they see, each once.
func (e *explainer) values(atoms []ta.Atom, configs []*ta.Config) []string {
	var list []string
	for _, at := range atoms {
		text := e.Automaton.ShowAtom(at, configs[0])
		for _, c := range configs[1:] {
			if e.Automaton.ShowAtom(at, c) != text {
				text = e.Automaton.FormatAtom(at)
				break
			}
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if len(list) > maxValues {
		list = append(list[:maxValues], "...")
	}
	return list
}
