package synth

import (
	"math/big"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/witness"
)

// Refutation is a run that violates a specification under some values of the
// unknowns. With its parameters and schedule fixed, every condition that it depends on is
// linear in the unknowns, so that all values that it refutes are those of a circuit.
type Refutation struct {
	Spec    string
	Witness *witness.Witness // of an automaton
	Values  Values           // for which it was found

	t     *Template
	on    *conditions
	all   *smt.Formula // it is a run, and violates the specification
	exact bool         // otherwise it has to be replayed for each assignment
	run   Run          // of a family, in place of a witness
}

// longest is how many configurations a run may have to be evaluated for all assignments at once.
const longest = 5000

// tooHard says that a run has to be replayed for each assignment.
type tooHard struct{}

// refute makes a refutation of a counterexample.
func (t *Template) refute(spec string, w *witness.Witness, v Values) (r *Refutation) {
	r = &Refutation{Spec: spec, Witness: w, Values: v, t: t, on: t.conditions(), exact: true}
	defer diag.Caught(func(tooHard) { r.exact = false })
	x := &evaluation{on: r.on, defines: map[string]*syntax.Expr{}}
	guards := []*syntax.Expr{}
	start := x.at(w.Automaton, w.Configs[0])
	var parts []*smt.Formula
	for _, s := range t.tree.Sections {
		if s.Define != nil {
			x.defines[s.Define.Name.Name] = s.Define.Value
		}
		if s.Rules != nil {
			for _, rule := range s.Rules.List {
				guards = append(guards, rule.Guard)
			}
		}
	}
	for _, s := range t.tree.Sections {
		for _, c := range []*syntax.Conditions{s.Assumptions, s.Inits} {
			if c != nil {
				for _, cond := range c.List {
					parts = append(parts, start.cond(cond.Expr))
				}
			}
		}
	}
	if ta.Growth(w.Run, w.Configs) != nil {
		panic(tooHard{}) // whether guards stay as they are matters
	}
	formula := t.formula(spec)
	tr := &trace{loop: -1}
	position := func(c *ta.Config) {
		if len(tr.atoms) > longest {
			panic(tooHard{})
		}
		atoms := map[*syntax.Expr]*smt.Formula{}
		x.at(w.Automaton, c).atoms(formula, atoms)
		tr.atoms = append(tr.atoms, atoms)
	}
	one := big.NewInt(1)
	position(w.Configs[0])
	for i, step := range w.Run.Steps {
		if i == w.Run.Loop {
			tr.loop = len(tr.atoms) - 1
		}
		if !step.Factor.IsInt64() || step.Factor.Int64() > longest {
			panic(tooHard{})
		}
		c := w.Configs[i]
		for range step.Factor.Int64() {
			if g := guards[step.Rule]; g != nil {
				parts = append(parts, x.at(w.Automaton, c).cond(g))
			}
			c = c.After(&w.Automaton.Rules[step.Rule], one)
			position(c)
		}
	}
	r.all = join(smt.OpAnd, append(parts, smt.Not(tr.truths(formula, true)[0]))...)
	return r
}

// Refutes reports whether the run is one, and violates the specification, with other values of the unknowns.
func (r *Refutation) Refutes(v Values) bool {
	if !r.exact {
		return r.replays(v)
	}
	return r.on.holds(r.all, v)
}

// replays replays the run with other values.
func (r *Refutation) replays(v Values) bool {
	if r.run != nil {
		return r.run.Refutes(v)
	}
	a, err := r.t.automaton(v)
	if err != nil {
		return false
	}
	_, err = witness.Check(a, a.SpecNamed(r.Spec), r.Witness.Run)
	return err == nil
}

// trace is what a formula says at each position of a run: conditions on unknowns.
type trace struct {
	atoms []map[*syntax.Expr]*smt.Formula // by position: of the parts without temporal operators
	loop  int                             // position after the last one; -1 if the run ends
}

// truths says when a formula is true at all positions, or if positive is not set its negation. A run that ends may go
// on in any way: what is not decided then is as good as true, so that only what is certain counts as a violation.
func (tr *trace) truths(e *syntax.Expr, positive bool) []*smt.Formula {
	out := make([]*smt.Formula, len(tr.atoms))
	if _, atom := tr.atoms[0][e]; atom {
		for i := range out {
			if out[i] = tr.atoms[i][e]; !positive {
				out[i] = smt.Not(out[i])
			}
		}
		return out
	}
	combine := func(and bool, args ...[]*smt.Formula) []*smt.Formula {
		op := smt.OpOr
		if and {
			op = smt.OpAnd
		}
		for i := range out {
			parts := lists.Map(args, func(a []*smt.Formula) *smt.Formula { return a[i] })
			out[i] = join(op, parts...)
		}
		return out
	}
	switch e.Op {
	case syntax.Not:
		return tr.truths(e.Args[0], !positive)
	case syntax.And, syntax.Or:
		args := lists.Map(e.Args, func(a *syntax.Expr) []*smt.Formula { return tr.truths(a, positive) })
		return combine((e.Op == syntax.And) == positive, args...)
	case syntax.Implies: // to the left
		last := len(e.Args) - 1
		left := e.Args[0]
		if last > 1 {
			left = &syntax.Expr{Op: syntax.Implies, Args: e.Args[:last]}
		}
		return combine(!positive, tr.truths(left, !positive), tr.truths(e.Args[last], positive))
	case syntax.Finally, syntax.Globally:
		return tr.future(tr.truths(e.Args[0], positive), (e.Op == syntax.Finally) == positive)
	}
	panic(tooHard{})
}

// future is now or later, or now and always, at all positions.
func (tr *trace) future(arg []*smt.Formula, ever bool) []*smt.Formula {
	op := smt.OpAnd
	if ever {
		op = smt.OpOr
	}
	later := smt.True // a run that ends
	if tr.loop >= 0 {
		later = join(op, arg[tr.loop:]...)
	}
	out := make([]*smt.Formula, len(arg))
	for i := len(arg) - 1; i >= 0; i-- {
		later = join(op, arg[i], later)
		out[i] = later
	}
	return out
}

// String says what the refutation is.
func (r *Refutation) String() string {
	params := lists.Map(r.Parameters(), func(p Parameter) string { return p.Name + " = " + p.Value })
	return r.Spec + " with " + strings.Join(params, ", ")
}
