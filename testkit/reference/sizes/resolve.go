package sizes

import (
	"fmt"
	"slices"
)

// resolve replaces names in a text by what they stand for.
func resolve(t *Text) error {
	slot := 0
	for i := range t.Kinds {
		t.Kinds[i].first = slot
		slot += t.Kinds[i].values()
	}
	exprs := slices.Clone(t.Assumptions)
	exprs = append(exprs, t.Size)
	if t.Budget != nil {
		exprs = append(exprs, t.Budget)
	}
	for _, r := range t.Rules {
		exprs = append(exprs, r.Guard)
		if err := t.resolveStatements(r.Body); err != nil {
			return err
		}
	}
	for _, p := range t.Properties {
		exprs = append(exprs, p.Formula)
	}
	for _, e := range exprs {
		if err := t.resolveExpr(e); err != nil {
			return err
		}
	}
	return nil
}

func (t *Text) resolveStatements(statements []Statement) error {
	for i := range statements {
		s := &statements[i]
		switch s.Op {
		case ":=":
			if s.index = t.variable(s.Name); s.index < 0 {
				return fmt.Errorf("unknown variable %s", s.Name)
			}
		case "send":
			if s.index = t.kind(s.Name); s.index < 0 {
				return fmt.Errorf("unknown kind of messages %s", s.Name)
			}
			if (s.Value != nil) != t.Kinds[s.index].Valued {
				return fmt.Errorf("sent with a value, or without: %s", s.Name)
			}
		}
		if s.Value != nil {
			if err := t.resolveExpr(s.Value); err != nil {
				return err
			}
		}
		for _, b := range s.Branches {
			if b.Guard != nil {
				if err := t.resolveExpr(b.Guard); err != nil {
					return err
				}
			}
			if err := t.resolveStatements(b.Body); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolveExpr says for each name whether it is a variable, a parameter or a value.
func (t *Text) resolveExpr(e *Expr) error {
	for _, arg := range e.Args {
		if err := t.resolveExpr(arg); err != nil {
			return err
		}
	}
	switch e.Op {
	case "heard":
		if e.index = t.kind(e.Name); e.index < 0 {
			return fmt.Errorf("unknown kind of messages %s", e.Name)
		}
	case "name":
		if e.index = t.variable(e.Name); e.index >= 0 {
			e.Op = "variable"
			return nil
		}
		if e.index = slices.Index(t.Parameters, e.Name); e.index >= 0 {
			e.Op = "parameter"
			return nil
		}
		for _, v := range t.Variables {
			if i := slices.Index(v.Names, e.Name); i >= 0 {
				e.Op, e.Number, e.index = "number", i, 0
				return nil
			}
		}
		if e.Name == "crashes" || e.Name == "crashed" {
			e.Op = e.Name
			return nil
		}
		return fmt.Errorf("unknown name %s", e.Name)
	}
	return nil
}

func (t *Text) variable(name string) int {
	return slices.IndexFunc(t.Variables, func(v Variable) bool { return v.Name == name })
}

func (t *Text) kind(name string) int {
	return slices.IndexFunc(t.Kinds, func(k Kind) bool { return k.Name == name })
}
