package synth

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Repair turns the bound of a rule, or a definition, into unknowns: what it is times each parameter, and a number. They
// stay within span of what they are. Only parameters vary that definitions speak of (any does, if there are none):
// others, such as the actual number of faults, are not for processes to know.
func Repair(name, text, what string, span int64) (*Template, error) {
	tree, err := syntax.Parse(name, text)
	if err != nil {
		return nil, err
	}
	t := &Template{Name: name, tree: tree}
	x := &evaluation{defines: map[string]*syntax.Expr{}}
	var params, defines, rules []string
	var definition **syntax.Expr
	var guard *syntax.Expr
	for _, s := range tree.Sections {
		for _, id := range s.Parameters {
			params = append(params, id.Name)
		}
		if len(s.Unknowns) > 0 {
			return nil, fmt.Errorf("%s has unknowns already: give them values first, or leave out --guard", name)
		}
		if s.Define != nil {
			x.defines[s.Define.Name.Name] = s.Define.Value
			defines = append(defines, s.Define.Name.Name)
			if s.Define.Name.Name == what {
				definition = &s.Define.Value
			}
		}
		if s.Rules != nil {
			for _, r := range s.Rules.List {
				rules = append(rules, r.ID)
				if r.ID == what {
					guard = r.Guard
				}
			}
		}
	}
	switch {
	case definition != nil:
	case guard != nil:
		if definition, err = bound(guard, params, x.defines); err != nil {
			return nil, fmt.Errorf("rule %s: %w", what, err)
		}
	case slices.Contains(rules, what):
		return nil, fmt.Errorf("rule %s has no guard", what)
	default:
		return nil, fmt.Errorf("%s has no rule or definition %q%s", name, what,
			spell.Hint(what, append(defines, rules...)))
	}
	// What it is now: linear in parameters, which are the unknowns of this question.
	now, err := x.linearIn(params, *definition)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	varies := map[string]bool{}
	for _, d := range x.defines {
		walk(d, func(e *syntax.Expr) { varies[e.Name] = varies[e.Name] || e.Op == syntax.Name })
	}
	t.vary(definition, params, now, span, func(p string) bool { return varies[p] || len(defines) == 0 })
	if span > mostValue {
		return nil, fmt.Errorf("--span is at most %d", mostValue)
	}
	_, err = t.automaton(t.start)
	return t, err
}

// vary puts a sum with unknown coefficients, near those that it has now, in place of a definition.
func (t *Template) vary(definition **syntax.Expr, params []string, now amount, span int64, varies func(p string) bool) {
	at := *definition
	node := func(op syntax.Op, args ...*syntax.Expr) *syntax.Expr {
		return &syntax.Expr{Op: op, Pos: at.Pos, Width: at.Width, Args: args}
	}
	fresh := func(stem string, value int64) *syntax.Expr {
		u := "times_" + stem
		if stem == "" {
			u = "plus"
		}
		u = names.Free(u, "_", func(name string) bool { return taken(t.tree, name) })
		t.Unknowns = append(t.Unknowns, Unknown{u, at.Pos, value - span, value + span})
		t.start = append(t.start, value)
		return &syntax.Expr{Op: syntax.Name, Pos: at.Pos, Width: at.Width, Name: u}
	}
	var terms []*syntax.Expr
	for i, p := range params {
		name := &syntax.Expr{Op: syntax.Name, Pos: at.Pos, Width: at.Width, Name: p}
		switch k := now.Coef(linear.Index(i)).Int64(); {
		case varies(p):
			terms = append(terms, node(syntax.Mul, fresh(p, k), name))
		case k != 0:
			terms = append(terms, product(node(syntax.Mul, number(at, k), name)))
		}
	}
	*definition = node(syntax.Add, append(terms, fresh("", now.Const().Int64()))...)
}

// taken reports whether a name is used in a model.
func taken(tree *syntax.File, name string) bool {
	in, err := scope("", tree)
	return err != nil || slices.Contains(slices.Concat(in.Parameters, in.Used, in.definitions), name) ||
		!syntax.IsName(name)
}

// bound finds the side of a guard's only comparison with shared variables that has none.
func bound(guard *syntax.Expr, params []string, defines map[string]*syntax.Expr) (**syntax.Expr, error) {
	var constant func(e *syntax.Expr) bool
	constant = func(e *syntax.Expr) bool {
		ok := true
		walk(e, func(e *syntax.Expr) {
			if e.Op == syntax.Name && !slices.Contains(params, e.Name) {
				d, known := defines[e.Name]
				ok = ok && known && constant(d)
			}
		})
		return ok
	}
	var found []**syntax.Expr
	mixed := false
	walk(guard, func(e *syntax.Expr) {
		if !e.Op.IsComparison() {
			return
		}
		switch left, right := constant(e.Args[0]), constant(e.Args[1]); {
		case left && right:
		case left:
			found = append(found, &e.Args[0])
		case right:
			found = append(found, &e.Args[1])
		default:
			mixed = true
		}
	})
	switch {
	case len(found) == 1 && !mixed:
		return found[0], nil
	case len(found) > 1:
		list := lists.Map(found, func(f **syntax.Expr) string { return (*f).String() })
		return nil, fmt.Errorf("there are several bounds (%s): give one a definition, and name that",
			strings.Join(list, ", "))
	}
	return nil, fmt.Errorf("no side of a comparison is a bound: give it a definition, and name that")
}

// linearIn evaluates an expression that is linear in some names.
func (x *evaluation) linearIn(names []string, e *syntax.Expr) (l amount, err error) {
	t := &Template{}
	for _, n := range names {
		t.Unknowns = append(t.Unknowns, Unknown{Name: n})
	}
	y := &evaluation{on: t.conditions(), defines: x.defines, values: map[string]*big.Int{}}
	defer diag.Caught(func(tooHard) { err = fmt.Errorf("%s is not a sum of multiples of parameters", e) })
	return y.number(e), nil
}
