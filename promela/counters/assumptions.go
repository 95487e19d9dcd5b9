package counters

import (
	"errors"
	"fmt"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// What formulas assume may be weakened: then fewer of them hold, and what holds, holds. Whether a counterexample
// satisfies what is really assumed is asked when it is made a run of the model.

// Outside is a formula that automata cannot decide.
type Outside struct {
	Formula *promela.Named
	Why     string
}

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

// assumptions finds what formulas assume, the parts that automata can decide with; others are left out.
func (t *translator) assumptions() error {
	var specs []*syntax.Spec
	var of []*promela.Named
	for k := range t.Model.Fairness {
		f := &t.Model.Fairness[k]
		o := origin(f)
		for i, c := range conjuncts(weaken(t.Model.Temporal(f.Formula, false))) {
			formula, err := (&saying{t, o}).spec(t.joined(expr(c)), false, false)
			var bad diag.List
			if errors.As(err, &bad) && len(bad) > 0 { // not assumed
				t.notAssumed(f, bad[0].Msg)
				continue
			}
			if err != nil {
				return err
			}
			specs = append(specs, o.Spec(fmt.Sprintf("%s_%d_", identifier(f.Name), i), o.Op(syntax.Not, formula)))
			of = append(of, f)
		}
	}
	// Is something that assumes nothing else, and says nothing, in the fragment?
	refused, err := t.fragment(specs)
	if err != nil {
		return err
	}
	for i, spec := range specs {
		if refused[i] == "" {
			t.assumed = append(t.assumed, spec.Formula.Args[0])
			continue
		}
		t.notAssumed(of[i], refused[i])
	}
	return nil
}

func (t *translator) notAssumed(f *promela.Named, why string) {
	t.Inexact = append(t.Inexact, Reason{f.Pos, fmt.Sprintf("a part of %s is not assumed: %s", f.Name, why)})
}

// fragment says of each specification why automata cannot decide it, if so.
func (t *translator) fragment(specs []*syntax.Spec) ([]string, error) {
	b := *t.automaton
	b.Specs = specs
	a, err := ta.Resolve(t.Model.File, b.File())
	if err != nil {
		return nil, fmt.Errorf("%s: the automaton that it translates to is refused: %w", t.Model.File, err)
	}
	out := make([]string, len(specs))
	for i := range a.Specs {
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
		var list diag.List
		switch {
		case errors.As(err, &list) && len(list) > 0:
			out[i] = list[0].Msg
		case err != nil:
			return nil, err
		}
	}
	return out, nil
}

// specifications are the formulas that automata can decide.
func (t *translator) specifications() error {
	if err := t.assumptions(); err != nil {
		return err
	}
	var specs []*syntax.Spec
	var of []*promela.Named
	for i := range t.Model.Formulas {
		f := &t.Model.Formulas[i]
		var assumed []*syntax.Expr
		if len(t.Model.Assumed(f.Formula)) > 0 {
			assumed = t.assumed
		}
		formula, err := (&saying{t, origin(f)}).formula(t.joined(f.Formula), assumed)
		var bad diag.List
		if errors.As(err, &bad) && len(bad) > 0 { // this one only
			t.Outside = append(t.Outside, Outside{f, bad[0].Msg})
			continue
		}
		if err != nil {
			return err
		}
		specs, of = append(specs, origin(f).Spec(identifier(f.Name), formula)), append(of, f)
	}
	refused, err := t.fragment(specs)
	if err != nil {
		return err
	}
	for i, spec := range specs {
		if refused[i] != "" {
			t.Outside = append(t.Outside, Outside{of[i], refused[i]})
			continue
		}
		t.automaton.Specs = append(t.automaton.Specs, spec)
		t.Decided = append(t.Decided, of[i])
	}
	for _, o := range t.Outside {
		t.automaton.Remarks = append(t.automaton.Remarks, o.Formula.Name+" is not decided by automata.")
	}
	return nil
}
