package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Parts of invariants: conditions that quantify or count and speak of no variable outside of them, or of one.

// part is one, as it is written.
type part struct {
	expr *ftdp.Expr
	free string         // the variable outside of it, if there is one
	typ  *ftdp.TypeExpr // of that
}

// parts lists those of the invariants that can be said.
func (v *vocabulary) parts(said []string) []part {
	var list []part
	for _, s := range v.m.Source.Sections {
		if s.Invariant != nil && slices.Contains(said, s.Invariant.Name.Name) {
			list = append(list, v.partsOf(v.apart(s.Invariant.Formula))...)
		}
	}
	return list
}

// apart is an expression whose variables are called otherwise than those of lemmas.
func (v *vocabulary) apart(e *ftdp.Expr) *ftdp.Expr {
	out := *e
	out.Args = make([]*ftdp.Expr, len(e.Args))
	for i, a := range e.Args {
		out.Args[i] = v.apart(a)
	}
	if e.Type != nil {
		out.Name = v.own(e.Name + "_")
		for i, a := range out.Args {
			out.Args[i] = named(a, e.Name, out.Name)
		}
	}
	return &out
}

// partsOf lists those below the operators and quantifiers that a condition begins with: none of those that say all of
// it for the rest of its variables.
func (v *vocabulary) partsOf(whole *ftdp.Expr) (list []part) {
	types := map[string]*ftdp.TypeExpr{}
	body := whole
	for ; body.Op == ftdp.ForAll; body = body.Args[0] {
		types[body.Name] = body.Type
	}
	var walk func(e *ftdp.Expr)
	walk = func(e *ftdp.Expr) {
		if e != whole && v.tells(e) {
			free := freeNames(e, types)
			switch len(free) {
			case 0:
				list = append(list, part{expr: e})
			case 1:
				list = append(list, part{e, free[0], types[free[0]]})
			}
			if len(free) <= 1 {
				return
			}
		}
		switch e.Op {
		case ftdp.ForAll, ftdp.Exists:
			before, was := types[e.Name]
			types[e.Name] = e.Type
			walk(e.Args[0])
			if delete(types, e.Name); was {
				types[e.Name] = before
			}
		case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff:
			for _, a := range e.Args {
				walk(a)
			}
		}
	}
	walk(body)
	return list
}

// tells reports whether a condition quantifies or counts, itself or by a definition.
func (v *vocabulary) tells(e *ftdp.Expr) bool {
	switch e.Op {
	case ftdp.ForAll, ftdp.Exists:
		return true
	case ftdp.Name, ftdp.Call:
		d := v.definition(e.Name)
		return d != nil && v.quantifies(d.Value)
	case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff:
		return false
	}
	return v.quantifies(e)
}

func (v *vocabulary) quantifies(e *ftdp.Expr) bool {
	return e.Op == ftdp.ForAll || e.Op == ftdp.Exists || e.Op == ftdp.Count || slices.ContainsFunc(e.Args, v.quantifies)
}

func (v *vocabulary) definition(name string) *ftdp.Define {
	for _, s := range v.m.Source.Sections {
		if s.Define != nil && s.Define.Name.Name == name {
			return s.Define
		}
	}
	return nil
}

// freeNames lists the variables of some that an expression speaks of.
func freeNames(e *ftdp.Expr, of map[string]*ftdp.TypeExpr) (list []string) {
	bound := map[string]int{}
	var walk func(e *ftdp.Expr)
	walk = func(e *ftdp.Expr) {
		if e.Op == ftdp.Name && of[e.Name] != nil && bound[e.Name] == 0 && !slices.Contains(list, e.Name) {
			list = append(list, e.Name)
		}
		binds := e.Type != nil
		if binds {
			bound[e.Name]++
		}
		for _, a := range e.Args {
			walk(a)
		}
		if binds {
			bound[e.Name]--
		}
	}
	walk(e)
	return list
}

// named is an expression with another name for a variable; nil if that is one that it binds.
func named(e *ftdp.Expr, from, to string) *ftdp.Expr {
	out := *e
	if e.Type != nil {
		switch e.Name {
		case from:
			return e
		case to:
			return nil
		}
	}
	if e.Op == ftdp.Name && e.Name == from {
		out.Name = to
	}
	out.Args = make([]*ftdp.Expr, len(e.Args))
	for i, a := range e.Args {
		if out.Args[i] = named(a, from, to); out.Args[i] == nil {
			return nil
		}
	}
	return &out
}

// closed is a bit of what atoms use that speak of no variable.
const closed = 1 << 40

// closedParts are conditions that speak of nothing in particular.
func (v *vocabulary) closedParts() (out []atom) {
	for _, p := range v.said {
		if p.free == "" {
			out = append(out, whole(p.expr, closed))
		}
	}
	return out
}

// partsAbout are conditions that speak of a process or a number, and quantify or count.
func (v *vocabulary) partsAbout(s subject) (out []atom) {
	for _, p := range v.said {
		if p.free != "" && v.is(p.typ, s) {
			if e := named(p.expr, p.free, s.name); e != nil {
				out = append(out, whole(e, s.bit))
			}
		}
	}
	return out
}

func whole(e *ftdp.Expr, uses uint64) atom {
	return atom{yes: "(" + e.String() + ")", no: "not (" + e.String() + ")", uses: uses, counts: true}
}

// is reports whether a type, as it is written, is that of a subject.
func (v *vocabulary) is(t *ftdp.TypeExpr, s subject) bool {
	name := t.String()
	if name == v.typeName(s) {
		return true
	}
	for _, section := range v.m.Source.Sections {
		for _, d := range section.Types {
			if d.Name.Name == name && d.Type != nil {
				return s.role < 0 && d.Type.String() == v.typeName(s)
			}
		}
	}
	return false
}
