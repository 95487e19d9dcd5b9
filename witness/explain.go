package witness

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
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
	f, err := ltl.FromExpr(w.Automaton, spec.Formula)
	if err != nil {
		return nil, err
	}
	e := &explainer{Witness: w, premises: ltl.Dissect(spec.Formula).Premises,
		trace: ltl.NewTrace(f, w.Automaton, w.Run, w.Configs)}
	e.x = &run.Explainer[part, place]{Subject: e, Last: len(e.trace.Configs) - 1, Loop: e.trace.Loop}
	e.x.Visit(claim{Part: part{expr: spec.Formula}}, run.Moment{})
	if e.err != nil {
		return nil, e.err
	}
	kept, after := e.x.Slice(e.effects(), nil)
	for _, k := range kept.Steps() {
		e.because(k, after[k])
	}
	e.edge()
	return e.x.Out, nil
}

type explainer struct {
	*Witness
	x        *run.Explainer[part, place]
	trace    ltl.Trace
	premises []*syntax.Expr
	err      error
}

// part is an expression of a specification, or what one without temporal operators or a guard asks.
type part struct {
	expr *syntax.Expr
	cond *ta.Cond
}

// claim says that a part is true, or that it is false; conditions are true.
type claim = run.Claim[part]

func (e *explainer) formula(c claim) ltl.Formula {
	f, err := ltl.FromExpr(e.Automaton, c.Part.expr)
	if err != nil {
		e.err = err
		return ltl.Prop{Cond: ta.And()}
	}
	if !c.Want {
		f = ltl.Negate(f)
	}
	return f
}

// Temporal implements run.Subject, as the methods that follow do.
func (e *explainer) Temporal(p part) bool { return p.cond == nil && ltl.Temporal(p.expr) }

func (e *explainer) Apart(claim) bool { return false }

func (e *explainer) Truth(c claim) []bool { return e.trace.Truth(e.formula(c)) }

func (e *explainer) Said(p part) (text, otherwise string) {
	if p.expr.Op == syntax.Not {
		otherwise = p.expr.Args[0].String() + " is true"
	}
	return p.expr.String(), otherwise
}

func (e *explainer) Place(pos int) (string, int) {
	p := e.trace.Places[pos]
	if p.Times.Sign() > 0 {
		return fmt.Sprintf("in step %d, after %s of %s times", p.Steps+1, p.Times, e.Run.Steps[p.Steps].Factor), p.Steps
	}
	return run.Place(p.Steps), p.Steps
}

func (e *explainer) Parts(c claim) (run.Shape, []claim) {
	sub := func(x *syntax.Expr, want bool) claim {
		return claim{Part: part{expr: x}, Want: want, Premise: c.Premise || slices.Contains(e.premises, x)}
	}
	x := c.Part.expr
	if !e.Temporal(c.Part) {
		return e.cases(c)
	}
	switch x.Op {
	case syntax.Not:
		return run.All, []claim{sub(x.Args[0], !c.Want)}
	case syntax.And, syntax.Or:
		list := lists.Map(x.Args, func(arg *syntax.Expr) claim { return sub(arg, c.Want) })
		return run.Junction(x.Op == syntax.And, c.Want), list
	case syntax.Implies:
		last := len(x.Args) - 1
		left := x.Args[0]
		if last > 1 { // a -> b -> c is (a -> b) -> c
			left = &syntax.Expr{Op: syntax.Implies, Pos: x.Pos, Width: x.Width, Args: x.Args[:last]}
		}
		return run.Junction(false, c.Want), []claim{sub(left, !c.Want), sub(x.Args[last], c.Want)}
	case syntax.Globally, syntax.Finally:
		if (x.Op == syntax.Globally) == c.Want {
			return run.Lasting, []claim{sub(x.Args[0], c.Want)}
		}
		return run.Eventual, []claim{sub(x.Args[0], c.Want)}
	}
	return run.Fact, nil
}

// cases are the parts of what is asked of a configuration.
func (e *explainer) cases(c claim) (run.Shape, []claim) {
	cond := c.Part.cond
	if cond == nil {
		f, ok := e.formula(c).(ltl.Prop)
		if !ok {
			return run.Fact, nil
		}
		cond = f.Cond
	}
	if cond.Op == boolean.OpAtom {
		if c.Part.cond == nil {
			return run.All, []claim{{Part: part{cond: cond}, Want: true}}
		}
		return run.Fact, nil
	}
	list := lists.Map(cond.Args,
		func(arg *boolean.Formula[ta.Atom]) claim { return claim{Part: part{cond: arg}, Want: true} })
	return run.Junction(cond.Op == boolean.OpAnd, true), list
}

// evidence lists atoms that make a claim so in all the configurations; none if it is so for different reasons.
func (e *explainer) evidence(c claim, configs []*ta.Config) (list []ta.Atom) {
	facts := run.Deciding(c, e.cases, func(c claim) bool {
		return !slices.ContainsFunc(configs, func(x *ta.Config) bool { return !ta.Holds(c.Part.cond, x.Value) })
	}, 1)
	for _, f := range facts {
		if f.Part.cond != nil {
			list = append(list, f.Part.cond.Atom)
		}
	}
	return list
}

func (e *explainer) guard(r *ta.Rule, configs []*ta.Config) []ta.Atom {
	return e.evidence(claim{Part: part{cond: r.Guard}, Want: true}, configs)
}

func (e *explainer) Seen(c claim, from, to int) []string {
	configs := e.trace.Configs[from : to+1]
	return e.values(e.evidence(c, configs), configs)
}

func (e *explainer) Reads(c claim, pos int, look func(int, run.Places[place])) {
	for _, at := range e.evidence(c, e.trace.Configs[pos:pos+1]) {
		e.became(at, pos, look)
	}
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
		list = lists.Union(list, text)
	}
	if len(list) > maxValues {
		list = append(list[:maxValues], "...")
	}
	return list
}
