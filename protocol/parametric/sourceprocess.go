package parametric

import (
	"cmp"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// processes reads variables and rules, but not what is in rules.
func (s *Source) processes(sections []*ftdp.Section) {
	typ := 0
	for _, sec := range sections {
		p := sec.Process
		if p == nil {
			continue
		}
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
				for st := range ftdp.All([]*ftdp.Statement{st}) {
					if k := sentKind(s, st); k != nil && !slices.Contains(k.From, typ) {
						k.From = append(k.From, typ)
					}
				}
			}
		}
		typ++
	}
}

func sentKind(s *Source, st *ftdp.Statement) *MessageKind {
	if st.Send == nil {
		return nil
	}
	return s.Kind(st.Send.Kind.Name)
}

// bodies checks rules.
func (s *Source) bodies() {
	for _, r := range s.Rules {
		s.Here = r.Type
		body := ftdp.Statements(r.Body)
		if len(body) > 1 && body[0].If != nil && body[1].If != nil {
			s.Errs.Add(scan.Place(body[1].Pos), len("if"), "a rule is one `if`: the label of another one is missing, "+
				"`label: if c then ... endif`")
			continue
		}
		if len(body) != 1 || body[0].If == nil || body[0].If.Else != nil {
			s.at(r.Label, "a rule is one `if` without `else`; `if true then ... endif` waits for nothing")
			continue
		}
		s.statements(body)
	}
	s.Here = -1
}

// declare declares a variable.
func (s *Source) declare(typ int, id *ftdp.Ident, d *ftdp.ProcessVar) {
	v := SourceVar{Name: id.Name, Type: d.Type, Input: d.Kind == "input", Pos: id.Place()}
	if s.Types[typ].Var(v.Name) != nil {
		return
	}
	t, problem := s.valueType(d.Type)
	switch problem {
	case "range":
		s.at(id, "%s has to be a truth value, an enumeration, `enum {A, B}`, or a range of at most %d numbers, such "+
			"as 0..3", id.Name, maxValues)
		t = ValueType{Names: []string{id.Name}, Enum: noType} // nothing else is wrong with it
	case "type":
		s.at(id, "%s has to be a truth value, an enumeration or a range: only how many have sent something is known",
			id.Name)
		t = ValueType{Names: []string{id.Name}, Enum: noType}
	}
	v.ValueType = t
	v.First = v.Lo
	if d.First != nil && problem == "" {
		v.First = s.first(v, d.First)
	}
	s.Types[typ].Vars = append(s.Types[typ].Vars, v)
}

// first is the value that a variable is declared with.
func (s *Source) first(v SourceVar, e *ftdp.Expr) int64 {
	switch {
	case v.Input:
		s.wrong(e, "an input begins with any value")
		return v.Lo
	case e.Op == ftdp.SetOf, e.Op == ftdp.Or && !v.Bool:
		s.wrong(e, "one value stands here: `input %s: ...;` begins with any", v.Name)
		return v.Lo
	}
	got := s.Check(e, scopeParams)
	s.expect(e, got, v.code())
	n, ok := s.Number(e, nil)
	if got == v.code() && (!ok || n < v.Lo || n > v.Hi) {
		s.wrong(e, "this is no value of %s", v.Name)
	}
	return n
}

func (s *Source) statements(list []*ftdp.Statement) {
	for _, st := range list {
		switch {
		case st.Sep != "", st.Skip:
		case st.If != nil:
			for _, g := range Guards(st.If) {
				s.want(g, ScopeProcess, truthType)
			}
			for _, b := range st.If.Branches() {
				s.statements(b.Body)
			}
		case st.Send != nil && st.Send.To != nil && (st.Send.To.All != "all" || st.Send.To.Role != nil):
			s.at(st.Send.Kind, "a process of a protocol for all sizes sends to all: write send %s", st.Send.Kind.Name)
		case st.Send != nil:
			s.sent(st.Send)
		case st.Assign != nil:
			want := noType
			if v := s.variable(st.Assign.Place.Name); st.Assign.Place.Op == ftdp.Name && v != nil {
				want = v.code()
			} else {
				hint := ""
				if p := st.Assign.Place; p.Op == ftdp.Name {
					own := lists.Map(s.Types[s.Here].Vars, func(v SourceVar) string { return v.Name })
					hint = cmp.Or(spell.Hint(p.Name, own), ": `local "+p.Name+": bool;` declares one")
				}
				s.wrong(&st.Assign.Place.Expr, "a process changes its own variables only%s", hint)
			}
			s.want(st.Assign.Value, scopeLocal, want)
		case st.Let != nil:
			s.at(st.Let.Name, "values have no names inside a rule: `define %s = %s;` gives an expression one",
				st.Let.Name.Name, st.Let.Value)
		default:
			s.Errs.Add(scan.Place(st.Pos), 1,
				"a process for all sizes does `if`, assignments to its own variables and `send` to all, nothing else")
		}
	}
}
