package protocol

import (
	"slices"

	"tacheck/internal/diag"
)

// ProcessType is a type of processes, which are alike.
type ProcessType struct {
	Name  string
	Size  *Expr // how many there are
	Vars  []SourceVar
	Group int // in Source.Groups; -1 if none of them is faulty
}

// SourceVar is a variable of a process.
type SourceVar struct {
	ValueType
	Name  string
	Type  *TypeExpr
	Input bool
	First int64
	Pos   diag.Pos
}

// Var returns the variable of a name; nil if there is none.
func (t *ProcessType) Var(name string) *SourceVar {
	for i := range t.Vars {
		if t.Vars[i].Name == name {
			return &t.Vars[i]
		}
	}
	return nil
}

// variable returns the variable of a name in the type that is looked at; in conditions of
// properties, of some type.
func (s *Source) variable(name string) *SourceVar {
	for i := range s.Types {
		if v := s.Types[i].Var(name); v != nil && (s.here < 0 || s.here == i) {
			return v
		}
	}
	return nil
}

// processes reads variables and rules, but not what is in rules.
func (s *Source) processes(sections []*Section) {
	typ := 0
	for _, sec := range sections {
		p := sec.Process
		if p == nil {
			continue
		}
		s.check(p.Size, scopeParams)
		s.whole(p.Size)
		for _, v := range p.Vars {
			for _, id := range v.Names {
				s.declare(typ, id, v)
			}
		}
		for _, r := range p.Rules {
			if slices.ContainsFunc(s.Rules, func(o SourceRule) bool { return o.Label.Name == r.Label.Name }) {
				s.at(r.Label, "there is a rule %q already", r.Label.Name)
			}
			s.Rules = append(s.Rules, SourceRule{r, typ})
			for _, st := range r.Body {
				for st := range all([]*Statement{st}) {
					if k := sentKind(s, st); k != nil && !slices.Contains(k.From, typ) {
						k.From = append(k.From, typ)
					}
				}
			}
		}
		typ++
	}
}

func sentKind(s *Source, st *Statement) *MessageKind {
	if st.Send == nil {
		return nil
	}
	return s.Kind(st.Send.Kind.Name)
}

// bodies checks rules.
func (s *Source) bodies() {
	for _, r := range s.Rules {
		s.here = r.Type
		body := statements(r.Body)
		if len(body) != 1 || body[0].If == nil || body[0].If.Else != nil {
			s.at(r.Label, "a rule is one `if` without `else`: what it waits for, and what it does then; `if true then ... endif` waits for nothing")
			continue
		}
		s.statements(body)
	}
	s.here = -1
}

// declare declares a variable.
func (s *Source) declare(typ int, id *Ident, d *ProcessVar) {
	v := SourceVar{Name: id.Name, Type: d.Type, Input: d.Kind == "input", Pos: id.Place()}
	if s.Types[typ].Var(v.Name) != nil || slices.Contains(s.Params, v.Name) || v.Name == "crashed" || v.Name == "crashes" {
		s.at(id, "%q is declared already", v.Name)
		return
	}
	t, problem := s.valueType(d.Type)
	switch problem {
	case "range":
		s.at(id, "%s has to be a truth value, an enumeration, or a range of at most %d numbers: processes count with heard(...)", id.Name, maxValues)
		return
	case "type":
		s.at(id, "%s has to be a truth value, an enumeration or a range: which processes have sent something is not known, only how many", id.Name)
		return
	}
	v.ValueType = t
	v.First = v.Lo
	if d.First != nil {
		n, ok := s.Number(d.First, nil)
		if !ok || n < v.Lo || n > v.Hi {
			s.errs.Add(d.First.Pos, d.First.Width, "this is no value of %s", v.Name)
			return
		}
		if v.Input {
			s.errs.Add(d.First.Pos, d.First.Width, "an input begins with any value")
		}
		v.First = n
	}
	s.Types[typ].Vars = append(s.Types[typ].Vars, v)
}

func (s *Source) statements(list []*Statement) {
	for _, st := range list {
		switch {
		case st.Sep != "", st.Skip:
		case st.If != nil:
			blocks := append([]*Block{}, st.If.Thens...)
			guards := append([]*Expr{}, st.If.Guards...)
			for _, e := range st.If.Elsif {
				guards, blocks = append(guards, e.Guard), append(blocks, e.Then)
			}
			if st.If.Else != nil {
				blocks = append(blocks, st.If.Else.Body)
			}
			for _, g := range guards {
				s.check(g, scopeProcess)
			}
			for _, b := range blocks {
				s.statements(b.List)
			}
		case st.Send != nil && st.Send.To != nil:
			s.at(st.Send.Kind, "a process of a protocol for all sizes sends to all: write send %s", st.Send.Kind.Name)
		case st.Send != nil:
			s.sent(st.Send)
		case st.Assign != nil:
			if v := s.variable(st.Assign.Place.Name); st.Assign.Place.Op != Name || v == nil {
				s.errs.Add(st.Assign.Place.Pos, st.Assign.Place.Width, "a process changes its own variables only")
			}
			s.check(st.Assign.Value, scopeLocal)
		case st.Let != nil:
			s.at(st.Let.Name, "values have no names inside a rule: `define %s = %s;` gives an expression one", st.Let.Name.Name, st.Let.Value)
		default:
			s.errs.Add(place(st.Pos), 1, "a process of a protocol for all sizes does `if`, assignments and `send` only: it has its own variables and messages to all, no others")
		}
	}
}

// Meant returns the types of processes that a condition speaks of: of which it names variables, or
// all that have all of its variables.
func (s *Source) Meant(e *Expr) []int {
	var out []int
	for i := range s.Types {
		if s.speaks(e, i) {
			out = append(out, i)
		}
	}
	return out
}

func (s *Source) speaks(e *Expr, typ int) bool {
	if s.given != nil { // somebody watches what guards see
		switch {
		case s.given[e], e.Op == Name && (slices.Contains(s.Params, e.Name) || e.Name == "crashes"):
			return true
		case e.Op == Call && (e.Name == "heard" || e.Name == "arrived"):
			h := s.Heard(e.Args[0])
			return h.Kind != nil && s.hears(typ, h.Kind.Name) && !slices.ContainsFunc(h.Args, func(a *Expr) bool { return a != nil && !s.speaks(a, typ) })
		}
	}
	switch e.Op {
	case Name:
		_, value := s.Value(e.Name)
		return value || e.Name == "crashed" || s.Types[typ].Var(e.Name) != nil
	case Field:
		return e.Args[0].Op == Name && e.Args[0].Name == s.Types[typ].Name && (e.Name == "crashed" || s.Types[typ].Var(e.Name) != nil)
	}
	for _, a := range e.Args {
		if !s.speaks(a, typ) {
			return false
		}
	}
	return true
}
