package sizes

import (
	"fmt"
	"slices"
)

// A resolver replaces names in a text by what they stand for, in rules of a role or (role -1) elsewhere.
type resolver struct {
	*Text
	role    int
	depth   int              // of definitions
	bound   map[string]*Expr // what the parameters stand for
	mistake string           // see Instance
}

// resolve replaces names in a text by what they stand for.
func resolve(t *Text, mistake string) error {
	for i := range t.Budgets {
		b := &t.Budgets[i]
		for _, name := range b.Of {
			r := t.role(name)
			if r < 0 {
				return fmt.Errorf("unknown type of processes %s", name)
			}
			b.roles = append(b.roles, r)
		}
		if b.Of == nil {
			b.roles = allRoles(t)
		}
	}
	for i := range t.Kinds {
		t.Kinds[i].senders = t.senders(t.Kinds[i].Name)
	}
	everywhere := resolver{Text: t, role: -1, mistake: mistake}
	exprs := slices.Concat(t.Assumptions, t.Init)
	for i, role := range t.Roles {
		exprs = append(exprs, role.Size)
		for _, rule := range role.Rules {
			r := resolver{Text: t, role: i, bound: rule.values, mistake: mistake}
			if err := r.expr(rule.Guard); err != nil {
				return err
			}
			if err := r.statements(rule.Body); err != nil {
				return err
			}
		}
	}
	for _, b := range t.Budgets {
		exprs = append(exprs, b.Number)
	}
	for _, p := range t.Properties {
		exprs = append(exprs, p.Formula)
	}
	for _, e := range exprs {
		if err := everywhere.expr(e); err != nil {
			return err
		}
	}
	return nil
}

func allRoles(t *Text) []int {
	var all []int
	for i := range t.Roles {
		all = append(all, i)
	}
	return all
}

// senders are the roles that have a rule that sends a kind; all, if none has.
func (t *Text) senders(kind string) []int {
	var senders []int
	for i, role := range t.Roles {
		if slices.ContainsFunc(role.Rules, func(r Rule) bool { return sends(r.Body, kind) }) {
			senders = append(senders, i)
		}
	}
	if senders == nil {
		return allRoles(t)
	}
	return senders
}

func (r resolver) statements(statements []Statement) error {
	for i := range statements {
		s := &statements[i]
		switch s.Op {
		case ":=":
			if s.index = variable(r.Roles[r.role], s.Name); s.index < 0 {
				return fmt.Errorf("unknown variable %s", s.Name)
			}
			if err := r.expr(s.Value); err != nil {
				return err
			}
		case "send":
			if s.index = r.kind(s.Name); s.index < 0 {
				return fmt.Errorf("unknown kind of messages %s", s.Name)
			}
			if len(s.Values) != len(r.Kinds[s.index].Fields) {
				return fmt.Errorf("sent with too many values, or too few: %s", s.Name)
			}
			for _, e := range s.Values {
				if err := r.expr(e); err != nil {
					return err
				}
			}
		}
		for _, b := range s.Branches {
			if b.Guard != nil {
				if err := r.expr(b.Guard); err != nil {
					return err
				}
			}
			if err := r.statements(b.Body); err != nil {
				return err
			}
		}
	}
	return nil
}

// expr says for each name whether it is a variable, a parameter or a value.
func (r resolver) expr(e *Expr) error {
	for _, arg := range e.Args {
		if err := r.expr(arg); err != nil {
			return err
		}
	}
	switch e.Op {
	case "heard", "heard or crashed":
		if e.index = r.kind(e.Name); e.index < 0 {
			return fmt.Errorf("unknown kind of messages %s", e.Name)
		}
		if len(e.Args) > 0 && len(e.Args) != len(r.Kinds[e.index].Fields) {
			return fmt.Errorf("too many values, or too few: %s", e.Name)
		}
		e.role = -1
		if e.Of != "" {
			if e.role = r.Text.role(e.Of); e.role < 0 {
				return fmt.Errorf("unknown type of processes %s", e.Of)
			}
		}
	case "all", "some", "count", "every":
		e.roles = allRoles(r.Text)
		return r.spoken(e.Args[0], &e.roles)
	case "name":
		return r.name(e)
	case "call":
		return r.call(e)
	}
	return nil
}

func (r resolver) name(e *Expr) error {
	if e.Of == "" && r.Definitions[e.Name] != nil {
		return r.call(e)
	}
	if value, ok := r.Constants[e.Name]; ok && e.Of == "" {
		*e = Expr{Op: "number", Number: value}
		return nil
	}
	found := false
	for i, role := range r.Roles {
		index := -1
		if (r.role < 0 || r.role == i) && (e.Of == "" || e.Of == role.Name) {
			index = variable(role, e.Name)
		}
		e.indices = append(e.indices, index)
		found = found || index >= 0
	}
	if found {
		e.Op = "variable"
		return nil
	}
	e.indices = nil
	if e.index = slices.Index(r.Parameters, e.Name); e.index >= 0 {
		e.Op = "parameter"
		return nil
	}
	for _, v := range r.typed() {
		if i := slices.Index(v.Names, e.Name); i >= 0 {
			e.Op, e.Number, e.index = "number", i, 0
			return nil
		}
	}
	switch {
	case e.Name == "crashed" && e.Of != "":
		if e.index = r.Text.role(e.Of); e.index < 0 {
			return fmt.Errorf("unknown type of processes %s", e.Of)
		}
		e.Op = e.Name
		return nil
	case e.Name == "crashes" || e.Name == "crashed":
		e.Op = e.Name
		return nil
	}
	return fmt.Errorf("unknown name %s", e.Name)
}

// spoken leaves those roles that have all variables of a condition; variables of a type name it.
func (r resolver) spoken(e *Expr, roles *[]int) error {
	if e.Op == "crashed" && e.Of != "" {
		*roles = slices.DeleteFunc(*roles, func(role int) bool { return role != e.index })
	}
	if e.Op == "variable" {
		*roles = slices.DeleteFunc(*roles, func(role int) bool { return e.indices[role] < 0 })
		if len(*roles) == 0 {
			return fmt.Errorf("no type of processes has all variables of a condition, up to %s", e.Name)
		}
	}
	for _, arg := range e.Args {
		if err := r.spoken(arg, roles); err != nil {
			return err
		}
	}
	return nil
}

// typed are all variables, fields and parameters of rules and definitions.
func (t *Text) typed() []Variable {
	var all []Variable
	for _, role := range t.Roles {
		all = append(all, role.Variables...)
		for _, r := range role.Rules {
			all = append(all, r.Parameters...)
		}
	}
	for _, d := range t.Definitions {
		all = append(all, d.Parameters...)
	}
	for _, k := range t.Kinds {
		all = append(all, k.Fields...)
	}
	return all
}

func clone(e *Expr) *Expr {
	c := *e
	c.Args = nil
	for _, arg := range e.Args {
		c.Args = append(c.Args, clone(arg))
	}
	return &c
}

func variable(role Role, name string) int {
	return slices.IndexFunc(role.Variables, func(v Variable) bool { return v.Name == name })
}

func (t *Text) role(name string) int {
	return slices.IndexFunc(t.Roles, func(r Role) bool { return r.Name == name })
}

func (t *Text) kind(name string) int {
	return slices.IndexFunc(t.Kinds, func(k Kind) bool { return k.Name == name })
}
