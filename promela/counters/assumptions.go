package counters

import (
	"errors"
	"fmt"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// What formulas assume may be weakened: then fewer of them hold, and what holds, holds. Whether a counterexample
// satisfies what is really assumed is asked when it is made a run of the model.

// conjuncts splits assumptions, each with the formula that it comes from.
func conjuncts(t *promela.Temporal) []*promela.Temporal {
	if t.Op != pml.And {
		return []*promela.Temporal{t}
	}
	var out []*promela.Temporal
	for _, a := range t.Args {
		out = append(out, conjuncts(a)...)
	}
	return out
}

// weaken returns something that follows from a formula, and that has no temporal operator under || under [].
func weaken(t *promela.Temporal) *promela.Temporal {
	out := &promela.Temporal{Op: t.Op, Prop: t.Prop}
	for _, a := range t.Args {
		out.Args = append(out.Args, weaken(a))
	}
	if t.Op != pml.Globally {
		return out
	}
	if a := out.Args[0]; a.Op == pml.And { // each of them
		and := &promela.Temporal{Op: pml.And}
		for _, b := range a.Args {
			and.Args = append(and.Args, weaken(&promela.Temporal{Op: pml.Globally, Args: []*promela.Temporal{b}}))
		}
		return and
	} else if a.Op == pml.Or {
		return response(a)
	}
	return out
}

// response weakens [](p || <>q || []r || s), where p has no temporal operators and s is anything else. Either q is so
// again and again; or there is an end of that, and afterwards p always, or r some time for ever, or s at some time. If
// q is never so, p is always, or one of the others.
func response(or *promela.Temporal) *promela.Temporal {
	node := func(op pml.Op, args ...*promela.Temporal) *promela.Temporal {
		return &promela.Temporal{Op: op, Args: args}
	}
	var now []*pml.Expr
	var later, others []*promela.Temporal
	for _, a := range or.Args {
		switch a.Op {
		case pml.Name:
			now = append(now, a.Prop)
		case pml.Finally:
			later = append(later, a.Args[0])
		default:
			others = append(others, a)
		}
	}
	p := node(pml.Or)
	if len(now) > 0 {
		e := now[0]
		if len(now) > 1 {
			e = e.As(pml.Or, now...)
		}
		p = &promela.Temporal{Op: pml.Name, Prop: e}
	}
	out := node(pml.Or)
	for _, q := range later {
		out.Args = append(out.Args, node(pml.Globally, node(pml.Finally, q)))
	}
	for _, s := range others {
		out.Args = append(out.Args, node(pml.Finally, s))
	}
	if p.Op == pml.Name {
		out.Args = append(out.Args, node(pml.Globally, p))
		for _, q := range later {
			out.Args = append(out.Args, node(pml.And, node(pml.Finally, q), node(pml.Finally, node(pml.Globally, p))))
		}
	}
	return out
}

// expr makes an expression of a formula.
func expr(t *promela.Temporal) *pml.Expr {
	if t.Op == pml.Name {
		return t.Prop
	}
	e := &pml.Expr{Op: t.Op}
	for _, a := range t.Args {
		e.Args = append(e.Args, expr(a))
	}
	if len(t.Args) == 1 && (t.Op == pml.And || t.Op == pml.Or) {
		return e.Args[0]
	}
	return e
}

// spoken is a specification of the automaton, with the formula that it comes from.
type spoken struct {
	of   *promela.Named
	spec *syntax.Spec
}

// speak adds what a formula is to a list; refused is told why automata cannot say it, if so.
func speak(list []spoken, of *promela.Named, name string, formula *syntax.Expr, err error,
	refused func(of *promela.Named, why string)) ([]spoken, error) {
	var bad diag.List
	if errors.As(err, &bad) && len(bad) > 0 {
		refused(of, bad[0].Msg)
		return list, nil
	}
	return append(list, spoken{of, origin(of).Spec(name, formula)}), err
}

// decided are the specifications that automata can decide; refused is told why they cannot decide the others.
func (t *translator) decided(list []spoken, refused func(of *promela.Named, why string)) (kept []spoken, err error) {
	b := *t.automaton
	b.Specs = lists.Map(list, func(s spoken) *syntax.Spec { return s.spec })
	a, err := ta.Resolve(t.Model.File, b.File())
	if err != nil {
		return nil, fmt.Errorf("%s: the automaton that it translates to is refused: %w", t.Model.File, err)
	}
	for i, s := range list {
		formula, err := ltl.Parse(a, &a.Specs[i])
		var trees []*ltl.Node
		if err == nil {
			trees, err = ltl.Canonical(ltl.Negate(formula))
		}
		for _, tree := range trees {
			if err == nil {
				err = schedule.Fragment(a, tree)
			}
		}
		if err == nil {
			kept = append(kept, s)
		} else if _, err = speak(nil, s.of, "", nil, err, refused); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// assumptions finds what formulas assume, the parts that automata can decide with; others are left out.
func (t *translator) assumptions() error {
	left := func(f *promela.Named, why string) {
		t.Inexact = append(t.Inexact, Reason{f.Pos, fmt.Sprintf("a part of %s is not assumed: %s", f.Name, why)})
	}
	var list []spoken
	for k := range t.Model.Fairness {
		f := &t.Model.Fairness[k]
		o := origin(f)
		for i, c := range conjuncts(weaken(t.Model.Temporal(f.Formula, false))) {
			formula, err := (&saying{t, o}).spec(t.joined(expr(c)), false, false)
			name := fmt.Sprintf("%s_%d_", syntax.Identifier(f.Name), i)
			if list, err = speak(list, f, name, o.Op(syntax.Not, formula), err, left); err != nil {
				return err
			}
		}
	}
	// Is something that assumes nothing else, and says nothing, in the fragment?
	list, err := t.decided(list, left)
	for _, s := range list {
		t.assumed = append(t.assumed, s.spec.Formula.Args[0])
	}
	return err
}

// specifications are the formulas that automata can decide.
func (t *translator) specifications() error {
	if err := t.assumptions(); err != nil {
		return err
	}
	outside := func(f *promela.Named, why string) { t.Outside = append(t.Outside, Outside{f, why}) }
	var list []spoken
	for i := range t.Model.Formulas {
		f := &t.Model.Formulas[i]
		var assumed []*syntax.Expr
		if len(t.Model.Assumed(f.Formula)) > 0 {
			assumed = t.assumed
		}
		formula, err := (&saying{t, origin(f)}).formula(t.joined(f.Formula), assumed)
		if list, err = speak(list, f, syntax.Identifier(f.Name), formula, err, outside); err != nil {
			return err
		}
	}
	list, err := t.decided(list, outside)
	for _, s := range list {
		t.automaton.Specs, t.Decided = append(t.automaton.Specs, s.spec), append(t.Decided, s.of)
	}
	for _, o := range t.Outside {
		t.automaton.Remarks = append(t.automaton.Remarks, o.Formula.Name+" is not decided by automata.")
	}
	return err
}
