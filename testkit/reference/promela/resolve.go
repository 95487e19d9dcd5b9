package promela

import "fmt"

// A namer finds what names mean.
type namer struct {
	m      *Model
	local  bool // inside the process: its variables have plain names
	labels map[string]bool
}

// resolve finds what all names of the model mean.
func (m *Model) resolve() error {
	m.Body = m.declare(m.Body, true)
	m.assertions(m.Body)
	if err := m.distinct(); err != nil {
		return err
	}
	c, err := m.control()
	if err != nil {
		return err
	}
	if len(c.Locations) > 1 {
		m.location = "location"
		if find(m.Shared, m.location) >= 0 || find(m.Locals, m.location) >= 0 || contains(m.Params, m.location) {
			m.location = "location_"
		}
	}
	m.propNames = map[string]*Expr{}
	n := &namer{m: m, labels: map[string]bool{}}
	if err := collectLabels(m.Body, n.labels, false); err != nil {
		return err
	}
	constant := &namer{m: &Model{Params: m.Params}}
	for _, e := range append([]*Expr{m.Count}, m.Assumes...) {
		if err := constant.expr(e); err != nil {
			return err
		}
	}
	for _, list := range [][]Variable{m.Shared, m.Locals} {
		for _, v := range list {
			if err := constant.expr(v.Initial); err != nil {
				return err
			}
		}
	}
	for _, p := range m.Props {
		if err := n.expr(p.Expr); err != nil {
			return err
		}
		m.propNames[p.Name] = p.Expr
	}
	for _, f := range m.Formulas {
		if err := n.expr(f.Expr); err != nil {
			return err
		}
		if err := pure(f.Expr); err != nil {
			return err
		}
	}
	inside := &namer{m: m, local: true}
	return inside.stmts(m.Body)
}

// declare adds the variables that the statements declare. At the beginning of the process, values that are known are first values; all
// other declarations are assignments where they stand.
func (m *Model) declare(body []*Stmt, beginning bool) []*Stmt {
	var out []*Stmt
	for _, s := range body {
		if s.Kind != "decl" {
			beginning = false
			s.Body = m.declare(s.Body, false)
			for i := range s.Options {
				s.Options[i].Body = m.declare(s.Options[i].Body, false)
			}
			out = append(out, s)
			continue
		}
		for i, v := range s.Vars {
			value := v.Initial
			first := beginning && (value == nil || value.constant(m.Params))
			if !first {
				v.Initial = nil
			}
			m.Locals = append(m.Locals, v)
			if first || v.Array {
				continue
			}
			if value == nil {
				value = &Expr{Op: "num", Line: v.Line}
			}
			out = append(out, &Stmt{Kind: "assign", Decl: true, Name: v.Name, Expr: value, Line: v.Line, Place: s.Place + i, Labels: s.Labels})
			s.Labels = nil
		}
	}
	return out
}

// constant says whether the expression has no variables.
func (e *Expr) constant(params []string) bool {
	if e.Op == "name" && !contains(params, e.Name) {
		return false
	}
	for _, a := range e.Args {
		if !a.constant(params) {
			return false
		}
	}
	return true
}

// assertions makes every line with assertions a variable of the process, which is set when one of them fails, and a formula
// that says that none is.
func (m *Model) assertions(body []*Stmt) {
	for _, s := range body {
		if s.Kind == "assert" {
			s.Name = fmt.Sprintf("assert_%d", s.Line)
			if find(m.Locals, s.Name) < 0 {
				m.Locals = append(m.Locals, Variable{Name: s.Name, Type: "bit", Line: s.Line})
				failed := &Expr{Op: "some", Args: []*Expr{{Op: "local", Name: s.Name, Line: s.Line}}}
				m.Formulas = append(m.Formulas, Formula{Name: s.Name, Line: s.Line, Expr: &Expr{Op: "[]", Args: []*Expr{{Op: "!", Args: []*Expr{failed}}}}})
			}
		}
		m.assertions(s.Body)
		for _, o := range s.Options {
			m.assertions(o.Body)
		}
	}
}

// distinct refuses names that are given twice.
func (m *Model) distinct() error {
	seen := map[string]bool{}
	add := func(name string, line int) error {
		if seen[name] {
			return fail(line, "%s is declared twice", name)
		}
		seen[name] = true
		return nil
	}
	for _, p := range m.Params {
		if err := add(p, m.Line); err != nil {
			return err
		}
	}
	for _, list := range [][]Variable{m.Shared, m.Locals} {
		for _, v := range list {
			if err := add(v.Name, v.Line); err != nil {
				return err
			}
		}
	}
	for _, p := range m.Props {
		if err := add(p.Name, p.Expr.Line); err != nil {
			return err
		}
	}
	formulas := map[string]bool{}
	for _, f := range m.Formulas {
		if formulas[f.Name] {
			return fail(f.Line, "the formula %s is declared twice", f.Name)
		}
		formulas[f.Name] = true
	}
	return nil
}

// collectLabels collects labels outside of steps, or all of a step; each has its own name.
func collectLabels(body []*Stmt, labels map[string]bool, step bool) error {
	for _, s := range body {
		for _, l := range s.Labels {
			if labels[l] {
				return fail(s.Line, "the label %s is declared twice", l)
			}
			labels[l] = true
		}
		if s.Kind == "atomic" && !step {
			if err := collectLabels(s.Body, map[string]bool{}, true); err != nil {
				return err
			}
		} else if err := collectLabels(s.Body, labels, step); err != nil {
			return err
		}
		for _, o := range s.Options {
			if err := collectLabels(o.Body, labels, step); err != nil {
				return err
			}
		}
	}
	return nil
}

func find(list []Variable, name string) int {
	for i, v := range list {
		if v.Name == name {
			return i
		}
	}
	return -1
}

// expr resolves the names of an expression; nil is none.
func (n *namer) expr(e *Expr) error {
	if e == nil {
		return nil
	}
	switch e.Op {
	case "name":
		return n.variable(e)
	case "local":
		if e.Index = find(n.m.Locals, e.Name); e.Index < 0 && e.Name == n.m.location && e.Name != "" {
			e.Op = "location"
		} else if e.Index < 0 || n.m.Locals[e.Index].Array {
			return fail(e.Line, "the process has no variable %s", e.Name)
		}
	case "at":
		if !n.labels[e.Name] {
			return fail(e.Line, "the process has no label %s", e.Name)
		}
	}
	for _, a := range e.Args {
		if err := n.expr(a); err != nil {
			return err
		}
	}
	return nil
}

// variable resolves a plain name.
func (n *namer) variable(e *Expr) error {
	for i, p := range n.m.Params {
		if p == e.Name {
			e.Op, e.Index = "param", i
			return nil
		}
	}
	if i := find(n.m.Shared, e.Name); i >= 0 && !n.m.Shared[i].Array {
		e.Op, e.Index = "shared", i
		return nil
	}
	if i := find(n.m.Locals, e.Name); i >= 0 && n.local && !n.m.Locals[i].Array {
		e.Op, e.Index = "local", i
		return nil
	}
	if p, ok := n.m.propNames[e.Name]; ok {
		e.Op, e.Args = "prop", []*Expr{p}
		return nil
	}
	return fail(e.Line, "%s is not declared", e.Name)
}

func (n *namer) stmts(body []*Stmt) error {
	for _, s := range body {
		if s.Kind == "assign" || s.Kind == "havoc" || s.Kind == "assert" {
			s.Target = &Expr{Op: "name", Name: s.Name, Line: s.Line}
			if err := n.expr(s.Target); err != nil {
				return err
			}
			if s.Target.Op != "shared" && s.Target.Op != "local" {
				return fail(s.Line, "%s is not a variable", s.Name)
			}
		}
		if err := n.expr(s.Expr); err != nil {
			return err
		}
		if err := n.stmts(s.Body); err != nil {
			return err
		}
		for _, o := range s.Options {
			if err := n.stmts(o.Body); err != nil {
				return err
			}
		}
	}
	return nil
}

// pure refuses formulas in which temporal operators stand inside of arithmetic or of comparisons.
func pure(e *Expr) error {
	switch e.Op {
	case "!", "&&", "||", "->", "<->", "[]", "<>", "U", "W", "V":
		for _, a := range e.Args {
			if err := pure(a); err != nil {
				return err
			}
		}
		return nil
	}
	for _, a := range e.Args {
		if a.hasTemporal() {
			return fail(e.Line, "a temporal operator inside of %s", e.Op)
		}
	}
	return nil
}

// hasTemporal says whether a temporal operator stands in the expression.
func (e *Expr) hasTemporal() bool {
	if temporal[e.Op] || e.Op == "->" || e.Op == "<->" {
		return true
	}
	for _, a := range e.Args {
		if a.hasTemporal() {
			return true
		}
	}
	return false
}
