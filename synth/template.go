// Package synth finds what makes a model right: values of unknown coefficients for which all specifications hold
// (Search), and the weakest conditions on parameters under which they do (Resilience).
//
// Both propose, verify, and learn from counterexamples: a run refutes every assignment under which it is a run that
// violates the specification as well (docs/synthesis.md).
package synth

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Template is a model with unknown coefficients.
type Template struct {
	Name     string
	Unknowns []Unknown
	tree     *syntax.File
	family   Family         // what is decided, if it is no automaton: the tree is empty then
	bounds   []*syntax.Expr // assumptions that mention only unknowns
	start    []int64        // values that are there now, for repairs; nil if there are none
	vars     []*smt.Var     // of unknowns, once there are conditions on them
}

// Unknown is a coefficient with its range.
type Unknown struct {
	Name     string
	Pos      diag.Pos
	Min, Max int64
}

// Values are values of unknowns, in their order.
type Values []int64

// Parse reads a model with unknowns. Its error is a diag.List.
func Parse(name, text string) (*Template, error) {
	tree, err := syntax.Parse(name, text)
	if err != nil {
		return nil, err
	}
	t := &Template{Name: name, tree: tree}
	for _, s := range tree.Sections {
		for _, id := range s.Unknowns {
			t.Unknowns = append(t.Unknowns, Unknown{Name: id.Name, Pos: id.Position()})
		}
	}
	return t, t.prepare()
}

// prepare finds the ranges of unknowns and checks the model.
func (t *Template) prepare() error {
	var errs diag.List
	lower, upper := make([]*big.Int, len(t.Unknowns)), make([]*big.Int, len(t.Unknowns))
	for _, s := range t.tree.Sections {
		if s.Assumptions == nil {
			continue
		}
		var kept []*syntax.Condition
		for _, c := range separate(s.Assumptions.List) {
			if !t.only(c.Expr) {
				kept = append(kept, c)
				continue
			}
			t.bounds = append(t.bounds, c.Expr)
			t.bound(c.Expr, lower, upper)
		}
		s.Assumptions.List = kept
	}
	for i := range t.Unknowns {
		u := &t.Unknowns[i]
		if lower[i] == nil || upper[i] == nil || !lower[i].IsInt64() || !upper[i].IsInt64() {
			errs.Add(u.Pos, len(u.Name), "%q has no bounds: add assumptions such as `0 <= %s; %s <= 3;`", u.Name,
				u.Name, u.Name)
			continue
		}
		u.Min, u.Max = lower[i].Int64(), upper[i].Int64()
		if u.Min < -mostValue || u.Max > mostValue {
			errs.Add(u.Pos, len(u.Name), "%q has bounds beyond %d", u.Name, mostValue)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	first := Values{}
	for _, u := range t.Unknowns {
		first = append(first, u.Min)
	}
	_, err := t.automaton(first)
	return err
}

// index returns the number of an unknown; -1 if the name is none.
func (t *Template) index(name string) int {
	return slices.IndexFunc(t.Unknowns, func(u Unknown) bool { return u.Name == name })
}

// only reports whether an expression mentions unknowns and nothing else.
func (t *Template) only(e *syntax.Expr) bool {
	some, others := false, false
	walk(e, func(e *syntax.Expr) {
		if e.Op == syntax.Name {
			some, others = some || t.index(e.Name) >= 0, others || t.index(e.Name) < 0
		}
	})
	return some && !others
}

func walk(e *syntax.Expr, visit func(*syntax.Expr)) {
	visit(e)
	for _, a := range e.Args {
		walk(a, visit)
	}
}

// bound takes bounds of unknowns from a conjunction of comparisons with numbers.
func (t *Template) bound(e *syntax.Expr, lower, upper []*big.Int) {
	if e.Op == syntax.And {
		for _, a := range e.Args {
			t.bound(a, lower, upper)
		}
		return
	}
	if !e.Op.IsComparison() || len(e.Args) != 2 {
		return
	}
	op, name, number := e.Op, e.Args[0], e.Args[1]
	if name.Op != syntax.Name {
		name, number = number, name
		op = map[syntax.Op]syntax.Op{syntax.Lt: syntax.Gt, syntax.Le: syntax.Ge, syntax.Gt: syntax.Lt,
			syntax.Ge: syntax.Le, syntax.Eq: syntax.Eq, syntax.Ne: syntax.Ne}[op]
	}
	n, ok := constant(number)
	if name.Op != syntax.Name || !ok {
		return
	}
	i := t.index(name.Name)
	least := func(v *big.Int) {
		if lower[i] == nil || v.Cmp(lower[i]) > 0 {
			lower[i] = v
		}
	}
	most := func(v *big.Int) {
		if upper[i] == nil || v.Cmp(upper[i]) < 0 {
			upper[i] = v
		}
	}
	one := big.NewInt(1)
	switch op {
	case syntax.Ge:
		least(n)
	case syntax.Gt:
		least(new(big.Int).Add(n, one))
	case syntax.Le:
		most(n)
	case syntax.Lt:
		most(new(big.Int).Sub(n, one))
	case syntax.Eq:
		least(n)
		most(n)
	}
}

// constant evaluates an expression without names.
func constant(e *syntax.Expr) (*big.Int, bool) {
	switch e.Op {
	case syntax.Number:
		return e.Num, true
	case syntax.Neg, syntax.Add, syntax.Mul:
		sum := new(big.Int)
		if e.Op == syntax.Mul {
			sum.SetInt64(1)
		}
		for _, a := range e.Args {
			n, ok := constant(a)
			switch {
			case !ok:
				return nil, false
			case e.Op == syntax.Neg:
				sum.Neg(n)
			case e.Op == syntax.Mul:
				sum.Mul(sum, n)
			default:
				sum.Add(sum, n)
			}
		}
		return sum, true
	}
	return nil, false
}

// automaton is the model with values for the unknowns.
func (t *Template) automaton(v Values) (*ta.Automaton, error) {
	return ta.Resolve(t.Name, t.instance(v))
}

// Text is the text of the model with values for the unknowns.
func (t *Template) Text(v Values) string {
	if t.family != nil {
		return t.family.Text(v)
	}
	return syntax.Format(t.instance(v))
}

func (t *Template) instance(v Values) *syntax.File {
	out := *t.tree
	out.Sections = nil
	put := func(e *syntax.Expr) *syntax.Expr { return t.put(e, v) }
	conditions := func(c *syntax.Conditions) *syntax.Conditions {
		if c == nil {
			return nil
		}
		d := *c
		d.List = nil
		for _, x := range c.List {
			d.List = append(d.List, &syntax.Condition{Pos: x.Pos, Expr: put(x.Expr)})
		}
		return &d
	}
	for _, s := range t.tree.Sections {
		if s.Unknowns != nil {
			continue
		}
		n := *s
		n.Assumptions, n.Inits = conditions(s.Assumptions), conditions(s.Inits)
		if s.Define != nil {
			n.Define = &syntax.Define{Name: s.Define.Name, Value: put(s.Define.Value)}
		}
		if s.Rules != nil {
			rules := *s.Rules
			rules.List = nil
			for _, r := range s.Rules.List {
				r := *r
				if r.Guard != nil {
					r.Guard = put(r.Guard)
				}
				rules.List = append(rules.List, &r)
			}
			n.Rules = &rules
		}
		if s.Specifications != nil {
			specs := *s.Specifications
			specs.List = nil
			for _, x := range s.Specifications.List {
				specs.List = append(specs.List, &syntax.Spec{Name: x.Name, Formula: put(x.Formula)})
			}
			n.Specifications = &specs
		}
		out.Sections = append(out.Sections, &n)
	}
	return &out
}

// put replaces unknowns by numbers, and leaves out what is multiplied by zero.
func (t *Template) put(e *syntax.Expr, v Values) *syntax.Expr {
	if e.Op == syntax.Name {
		if i := t.index(e.Name); i >= 0 {
			return number(e, v[i])
		}
		return e
	}
	if len(e.Args) == 0 {
		return e
	}
	out := *e
	out.Args = nil
	changed := false
	for _, a := range e.Args {
		b := t.put(a, v)
		changed = changed || a != b
		out.Args = append(out.Args, b)
	}
	if !changed {
		return e
	}
	switch e.Op {
	case syntax.Mul:
		return product(&out)
	case syntax.Add:
		return sum(&out)
	case syntax.Neg:
		if n, ok := constant(out.Args[0]); ok && n.Sign() == 0 {
			return number(e, 0)
		}
	}
	return &out
}

func number(at *syntax.Expr, n int64) *syntax.Expr {
	e := &syntax.Expr{Op: syntax.Number, Pos: at.Pos, Width: at.Width, Num: big.NewInt(max(n, -n))}
	if n < 0 {
		e = &syntax.Expr{Op: syntax.Neg, Pos: at.Pos, Width: at.Width, Args: []*syntax.Expr{e}}
	}
	return e
}

func product(e *syntax.Expr) *syntax.Expr {
	factor := big.NewInt(1)
	var rest []*syntax.Expr
	for _, a := range e.Args {
		if n, ok := constant(a); ok {
			factor.Mul(factor, n)
		} else {
			rest = append(rest, a)
		}
	}
	switch {
	case factor.Sign() == 0 || len(rest) == 0:
		return number(e, factor.Int64())
	case factor.CmpAbs(big.NewInt(1)) != 0:
		rest = append([]*syntax.Expr{number(e, new(big.Int).Abs(factor).Int64())}, rest...)
	}
	out := rest[0]
	if len(rest) > 1 {
		out = &syntax.Expr{Op: syntax.Mul, Pos: e.Pos, Width: e.Width, Args: rest}
	}
	if factor.Sign() < 0 {
		out = &syntax.Expr{Op: syntax.Neg, Pos: e.Pos, Width: e.Width, Args: []*syntax.Expr{out}}
	}
	return out
}

func sum(e *syntax.Expr) *syntax.Expr {
	var rest []*syntax.Expr
	for _, a := range e.Args {
		if n, ok := constant(a); !ok || n.Sign() != 0 {
			rest = append(rest, a)
		}
	}
	// Begin with something that is not subtracted, if there is such a thing.
	if i := slices.IndexFunc(rest, func(a *syntax.Expr) bool { return a.Op != syntax.Neg }); i > 0 {
		rest[0], rest[i] = rest[i], rest[0]
	}
	switch len(rest) {
	case 0:
		return number(e, 0)
	case 1:
		return rest[0]
	}
	return &syntax.Expr{Op: syntax.Add, Pos: e.Pos, Width: e.Width, Args: rest}
}

// specs returns the specifications with the given names, all if there are none.
// Its error suggests what may have been meant.
func (t *Template) specs(names []string) ([]string, error) {
	var all []string
	if t.family != nil {
		all = t.family.Specs()
	}
	for _, s := range t.tree.Sections {
		if s.Specifications != nil {
			for _, x := range s.Specifications.List {
				all = append(all, x.Name.Name)
			}
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	for _, n := range names {
		if !slices.Contains(all, n) {
			return nil, fmt.Errorf("%s has no specification %q%s", t.Name, n, spell.Hint(n, all))
		}
	}
	return names, nil
}

// formula returns a specification's formula, with unknowns.
func (t *Template) formula(spec string) *syntax.Expr {
	for _, s := range t.tree.Sections {
		if s.Specifications != nil {
			for _, x := range s.Specifications.List {
				if x.Name.Name == spec {
					return x.Formula
				}
			}
		}
	}
	return nil
}

// separate makes an assumption of each part of a conjunction.
func separate(list []*syntax.Condition) (out []*syntax.Condition) {
	for _, c := range list {
		if c.Expr.Op != syntax.And {
			out = append(out, c)
			continue
		}
		parts := lists.Map(c.Expr.Args,
			func(a *syntax.Expr) *syntax.Condition { return &syntax.Condition{Pos: c.Pos, Expr: a} })
		out = append(out, separate(parts)...)
	}
	return out
}
