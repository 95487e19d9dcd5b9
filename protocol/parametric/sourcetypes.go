package parametric

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// reserved are names that instances of protocols for all sizes use themselves.
var reserved = []string{"nodeID", "Msg", "msg", "kind", "val", "sure", "crashed", "crashes", "faulty", "status",
	"absent", "wait", "crash", "start", "corr", "byz",
	"all", "some", "every", "heard", "count", "max", "min", "F", "G", "U", "R"}

// spoken are those of them that only conditions and formulas use, which labels of rules are not in.
var spoken = []string{"all", "some", "every", "heard", "count", "max", "min", "F", "G", "U", "R"}

// distinct checks that names are declared once, and are free to be used. Types of processes may
// have variables of the same name, and the values of an enumeration may be written again.
func (s *Source) distinct() {
	type declared struct {
		at   diag.Pos
		sort byte
		typ  int
	}
	seen := map[string]declared{}
	typ := -1
	declare := func(id *ftdp.Ident, sort byte) {
		name := id.Name
		old, again := seen[name]
		switch {
		case again && old.at != id.Place() && (sort != old.sort || sort == 0 || sort == 'v' && typ == old.typ):
			s.at(id, "%q is declared already, in line %d", name, old.at.Line)
		case slices.Contains(reserved, name), strings.HasPrefix(name, "heard_"), strings.HasPrefix(name, "hear_"),
			strings.HasPrefix(name, "lied_"), strings.HasPrefix(name, "lie_"), strings.HasSuffix(name, "_"):
			s.at(id, "%q has a meaning of its own here: take another name", name)
		}
		seen[name] = declared{id.Place(), sort, typ}
	}
	enum := func(t *ftdp.TypeExpr) {
		for _, e := range t.Enum {
			declare(e, 'e')
		}
	}
	for _, sec := range s.File.Sections {
		for _, p := range sec.Parameters {
			declare(p, 0)
		}
		for _, k := range sec.Consts {
			declare(k.Name, 0)
		}
		if sec.Define != nil {
			declare(sec.Define.Name, 0)
		}
		for _, m := range sec.Messages {
			declare(m.Name, 0)
			for _, f := range m.Fields {
				enum(f.Type)
			}
		}
		if sec.Process == nil {
			continue
		}
		typ++
		declare(sec.Process.Name, 0)
		for _, v := range sec.Process.Vars {
			for _, id := range v.Names {
				declare(id, 'v')
			}
			enum(v.Type)
		}
		for _, r := range sec.Process.Rules {
			if r.Label.Name != sec.Process.Name.Name {
				label := r.Label.Name
				if slices.Contains(reserved, label) && !slices.Contains(spoken, label) ||
					strings.HasPrefix(label, "hear_") || strings.HasPrefix(label, "lie_") ||
					strings.HasSuffix(label, "_crashing") || strings.HasSuffix(label, "_faulty") {
					s.at(r.Label, "%q has a meaning of its own here: take another name", label)
				}
			}
		}
	}
}

// The types of expressions: truth values, numbers, and (from 0) the enumerations.
const (
	truthType  = -1
	numberType = -2
	noType     = -3
)

// types checks that expressions fit where they stand.
func (s *Source) types() {
	for _, e := range append(slices.Clone(s.Assume), s.Starts...) {
		s.want(e, truthType)
		if hasTemporal(e) {
			s.Errs.Add(e.Pos, max(1, e.Width), "this is about parameters, or initial states: write a formula as ltl")
		}
	}
	for _, t := range s.Types {
		s.want(t.Size, numberType)
	}
	for _, g := range s.Groups {
		s.want(g.Count, numberType)
	}
	for _, p := range s.Props {
		s.want(p.Formula(), truthType)
		if p.Invariant != nil && hasTemporal(p.Formula()) {
			s.Errs.Add(p.Formula().Pos, max(1, p.Formula().Width),
				"an invariant is true in all states: write a formula as ltl")
		}
	}
	for _, r := range s.Rules {
		s.Here = r.Type
		for st := range ftdp.All(r.Body) {
			switch {
			case st.If != nil:
				for _, g := range Guards(st.If) {
					s.want(g, truthType)
				}
			case st.Assign != nil:
				s.want(st.Assign.Value, s.typeOfVar(st.Assign.Place.Name))
			case st.Send != nil:
				s.wantAll(st.Send.Values, s.Kind(st.Send.Kind.Name))
			}
		}
	}
	s.Here = -1
}

// wantAll checks the values of a message; nil stands for any.
func (s *Source) wantAll(list []*ftdp.Expr, k *MessageKind) {
	for i, e := range list {
		if e != nil {
			s.want(e, k.Fields[i].code())
		}
	}
}

// code is the type of expressions that the values have.
func (t *ValueType) code() int {
	switch {
	case t.Bool:
		return truthType
	case t.Names != nil:
		return t.Enum
	}
	return numberType
}

func hasTemporal(e *ftdp.Expr) bool {
	return e.Op == ftdp.Finally || e.Op == ftdp.Globally || slices.ContainsFunc(e.Args, hasTemporal)
}

func (s *Source) typeOfVar(name string) int {
	if v := s.variable(name); v != nil {
		return v.code()
	}
	return noType
}

// agree checks that the types of processes that a condition speaks of have the same type for each of its variables.
func (s *Source) agree(e *ftdp.Expr) {
	meant := s.Meant(e)
	var look func(a *ftdp.Expr)
	look = func(a *ftdp.Expr) {
		if a.Op == ftdp.Name && len(meant) > 1 {
			first := s.Types[meant[0]].Var(a.Name)
			for _, i := range meant[1:] {
				if v := s.Types[i].Var(a.Name); v != nil && !v.same(&first.ValueType) {
					s.Errs.Add(a.Pos, max(1, a.Width), "%s is %s in %s, and %s in %s: say which, as in %s.%s",
						a.Name, first, s.Types[meant[0]].Name, v, s.Types[i].Name, s.Types[i].Name, a.Name)
					return
				}
			}
		}
		if a.Op != ftdp.Field {
			for _, b := range a.Args {
				look(b)
			}
		}
	}
	look(e)
}

// want checks that an expression has a type.
func (s *Source) want(e *ftdp.Expr, want int) {
	if got := s.typeOf(e); got != want && got != noType && want != noType {
		s.Errs.Add(e.Pos, max(1, e.Width), "expected %s, not %s", s.typeName(want), s.typeName(got))
	}
}

func (s *Source) typeName(t int) string {
	switch t {
	case truthType:
		return "a truth value"
	case numberType:
		return "a number"
	}
	return "one of " + strings.Join(s.Enums[t], ", ")
}

// typeOf returns the type of an expression, and checks what is in it.
func (s *Source) typeOf(e *ftdp.Expr) int {
	switch e.Op {
	case ftdp.Number:
		return numberType
	case ftdp.Name:
		switch v, value := s.values[e.Name]; {
		case e.Name == "true", e.Name == "false", e.Name == "crashed":
			return truthType
		case value:
			return v.enum
		}
		if t := s.typeOfVar(e.Name); t != noType {
			return t
		}
		return numberType
	case ftdp.Field:
		if e.Name == "crashed" {
			return truthType
		}
		return s.Types[s.TypeIndex(e.Args[0].Name)].Var(e.Name).code()
	case ftdp.Call:
		return s.typeOfCall(e)
	case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff, ftdp.Finally, ftdp.Globally:
		if e.Op == ftdp.Implies && (s.typeOf(e.Args[0]) == numberType || s.typeOf(e.Args[1]) == numberType) {
			s.Errs.Add(e.Pos, max(1, e.Width), "=> and -> are `implies`: at least is >=")
			return truthType
		}
		for _, a := range e.Args {
			s.want(a, truthType)
		}
		return truthType
	case ftdp.Eq, ftdp.Ne:
		s.want(e.Args[1], s.typeOf(e.Args[0]))
		if hasTemporal(e) {
			s.Errs.Add(e.Pos, max(1, e.Width), "temporal operators are not compared: write an implication or two")
		}
		return truthType
	case ftdp.Chain:
		first := s.typeOf(e.Args[0])
		for _, a := range e.Args[1:] {
			s.want(a, first)
		}
		return truthType
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		s.want(e.Args[0], numberType)
		s.want(e.Args[1], numberType)
		return truthType
	}
	for _, a := range e.Args { // sums, products
		s.want(a, numberType)
	}
	return numberType
}

func (s *Source) typeOfCall(e *ftdp.Expr) int {
	if e.Name == "heard" {
		h := s.Heard(e.Args[0])
		s.wantAll(h.Args, h.Kind)
		return numberType
	}
	if e.Name == "arrived" {
		return truthType
	}
	defer func(here int) { s.Here = here }(s.Here)
	meant := s.Meant(e.Args[0])
	s.agree(e.Args[0])
	if len(meant) > 0 {
		s.Here = meant[0]
	}
	s.want(e.Args[0], truthType)
	if e.Name == "count" {
		return numberType
	}
	return truthType
}
