package protocol

import (
	"slices"
	"strings"

	"tacheck/internal/diag"
)

// reserved are names that instances of protocols for all sizes use themselves.
var reserved = []string{"nodeID", "Msg", "msg", "kind", "val", "sure", "crashed", "crashes", "faulty", "status", "absent", "wait", "crash", "start", "corr", "byz",
	"all", "some", "heard", "count", "max", "min", "F", "G", "U", "R"}

// distinct checks that names are declared once, and are free to be used.
func (s *Source) distinct() {
	seen := map[string]diag.Pos{}
	declare := func(id *Ident) {
		name := id.Name
		switch at, old := seen[name]; {
		case old && at != id.place():
			s.at(id, "%q is declared already, in line %d", name, at.Line)
		case slices.Contains(reserved, name), strings.HasPrefix(name, "heard_"), strings.HasPrefix(name, "hear_"), strings.HasPrefix(name, "lied_"), strings.HasPrefix(name, "lie_"), strings.HasSuffix(name, "_"):
			s.at(id, "%q has a meaning of its own here: take another name", name)
		}
		seen[name] = id.place()
	}
	for _, sec := range s.File.Sections {
		for _, p := range sec.Parameters {
			declare(p)
		}
		for _, k := range sec.Consts {
			declare(k.Name)
		}
		for _, m := range sec.Messages {
			declare(m.Name)
		}
		if sec.Process == nil {
			continue
		}
		declare(sec.Process.Name)
		for _, v := range sec.Process.Vars {
			for _, id := range v.Names {
				declare(id)
			}
			for _, e := range v.Type.Enum {
				declare(e)
			}
		}
		for _, r := range sec.Process.Rules {
			if r.Label.Name != sec.Process.Name.Name {
				label := r.Label.Name
				if slices.Contains(reserved, label) || strings.HasPrefix(label, "hear_") || strings.HasPrefix(label, "lie_") || strings.HasSuffix(label, "_crashing") || strings.HasSuffix(label, "_faulty") {
					s.at(r.Label, "%q has a meaning of its own here: take another name", label)
				}
			}
		}
	}
}

// The types of expressions: truth values, numbers, and (from 0) the variable whose
// values they are.
const (
	truthType  = -1
	numberType = -2
	noType     = -3
)

// types checks that expressions fit where they stand.
func (s *Source) types() {
	for _, e := range s.Assume {
		s.want(e, truthType)
	}
	s.want(s.Size, numberType)
	if s.Count != nil {
		s.want(s.Count, numberType)
	}
	for _, p := range s.Props {
		prop := p.Invariant
		if prop == nil {
			prop = p.LTL
		}
		s.want(prop.Formula, truthType)
		if p.Invariant != nil && hasTemporal(prop.Formula) {
			s.errs.Add(prop.Formula.Pos, max(1, prop.Formula.Width), "an invariant is true in all states: write a formula as ltl")
		}
	}
	for _, r := range s.Rules {
		visit(r.Body, func(st *Statement) {
			switch {
			case st.If != nil:
				for _, g := range st.If.Guards {
					s.want(g, truthType)
				}
				for _, e := range st.If.Elsif {
					s.want(e.Guard, truthType)
				}
			case st.Assign != nil:
				s.want(st.Assign.Value, s.typeOfVar(st.Assign.Place.Name))
			case st.Send != nil && st.Send.Value != nil:
				s.want(st.Send.Value, numberType)
			}
		})
	}
}

func hasTemporal(e *Expr) bool {
	return e.Op == Finally || e.Op == Globally || slices.ContainsFunc(e.Args, hasTemporal)
}

func (s *Source) typeOfVar(name string) int {
	for i := range s.Vars {
		switch v := &s.Vars[i]; {
		case v.Name != name:
		case v.Bool:
			return truthType
		case v.Names != nil:
			// Variables that are declared together have the same values.
			return s.values[v.Names[0]].Var
		default:
			return numberType
		}
	}
	return noType
}

// want checks that an expression has a type.
func (s *Source) want(e *Expr, want int) {
	if got := s.typeOf(e); got != want && got != noType && want != noType {
		s.errs.Add(e.Pos, max(1, e.Width), "expected %s, not %s", s.typeName(want), s.typeName(got))
	}
}

func (s *Source) typeName(t int) string {
	switch t {
	case truthType:
		return "a truth value"
	case numberType:
		return "a number"
	}
	return "one of " + strings.Join(s.Vars[t].Names, ", ")
}

// typeOf returns the type of an expression, and checks what is in it.
func (s *Source) typeOf(e *Expr) int {
	switch e.Op {
	case Number:
		return numberType
	case Name:
		switch v, value := s.values[e.Name]; {
		case e.Name == "true", e.Name == "false", e.Name == "crashed":
			return truthType
		case value:
			return v.Var
		}
		if t := s.typeOfVar(e.Name); t != noType {
			return t
		}
		return numberType
	case Call:
		switch e.Name {
		case "all", "some":
			s.want(e.Args[0], truthType)
			return truthType
		case "count":
			s.want(e.Args[0], truthType)
		case "heard":
			if e.Args[0].Op == Call {
				s.want(e.Args[0].Args[0], numberType)
			}
		}
		return numberType
	case And, Or, Not, Implies, Iff, Finally, Globally:
		for _, a := range e.Args {
			s.want(a, truthType)
		}
		return truthType
	case Eq, Ne:
		s.want(e.Args[1], s.typeOf(e.Args[0]))
		return truthType
	case Chain:
		first := s.typeOf(e.Args[0])
		for _, a := range e.Args[1:] {
			s.want(a, first)
		}
		return truthType
	case Lt, Le, Gt, Ge:
		s.want(e.Args[0], numberType)
		s.want(e.Args[1], numberType)
		return truthType
	}
	for _, a := range e.Args { // sums, products
		s.want(a, numberType)
	}
	return numberType
}
