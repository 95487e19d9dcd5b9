package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// refusal ends writing: a language has no words for what stands at a place.
type refusal struct{ list diag.List }

func refuse(pos diag.Pos, width int, format string, args ...any) {
	var l diag.List
	l.Add(pos, max(1, width), format, args...)
	panic(refusal{l})
}

// prose writes the terms of a protocol in a language.
type prose struct {
	grammar
	m        *protocol.Model
	language vocabulary
	taken    map[string]bool        // names that are given, for what is declared and what is bound now
	names    map[string]string      // by kind and name as the text has it: of roles, rules, properties
	cells    map[int]*expr          // what bound variables are called
	lets     map[int]*protocol.Type // of what rules name, by cell
	about
	// place writes a variable or a part of a message, literal a value; own writes what a language says in its own way.
	place   func(*protocol.Term) *expr
	literal func(t *protocol.Type, v int32) *expr
	own     func(*protocol.Term) *expr
	// reach writes a part of a place that is no part of a value; none is what stands for no value, nil if nothing does.
	reach func(t *protocol.Term, path []selector) *expr
	none  *expr
}

func newProse(m *protocol.Model, g grammar, language vocabulary, own string) *prose {
	p := &prose{
		grammar: g, language: language, m: m, about: learn(m),
		taken: map[string]bool{}, cells: map[int]*expr{}, names: map[string]string{}, lets: map[int]*protocol.Type{},
	}
	for _, name := range strings.Fields(own) {
		p.taken[name] = true
	}
	for _, r := range m.Roles {
		p.give("role", r.ID, r.ID)
		p.give("variables", r.Name, r.Name)
	}
	for _, k := range m.Constants {
		p.give("constant", k.Name, k.Name)
	}
	for _, t := range m.Inits {
		p.give("init", t.Label, t.Label)
	}
	for _, t := range m.Rules {
		p.give("rule", t.Label, t.Label)
	}
	for _, prop := range m.Props {
		p.give("property", prop.Name, prop.Name)
	}
	for from := range m.Roles { // what has no name in the text
		v := p.variables(from)
		for _, d := range derived {
			p.give(d[0], v, fmt.Sprintf(d[1], v))
		}
		for to := range m.Roles {
			p.give("channel", v+" "+p.variables(to), v+"_to_"+p.variables(to))
		}
	}
	return p
}

// derived is how what belongs to the processes of a role is called.
var derived = [][2]string{
	{"status", "%s_status"}, {"out", "to_%s"}, {"letters", "letters_to_%s"}, {"none", "No_%s"},
	{"count", "count_to_%s"},
}

// reserve returns a name like the given one that is not taken, and takes it.
func (p *prose) reserve(like string) string {
	name := p.language.free(like, p.taken)
	p.taken[name] = true
	return name
}

// give names what the text calls so, if it calls it anything.
func (p *prose) give(kind, of, like string) { p.names[kind+" "+of] = p.reserve(like) }

// briefly reserves a name while f runs.
func (p *prose) briefly(like string, f func(name string)) {
	name := p.reserve(like)
	f(name)
	delete(p.taken, name)
}

// assume calls the variable of a cell something while f runs.
func (p *prose) assume(cell int, e *expr, f func()) {
	old, was := p.cells[cell]
	p.cells[cell] = e
	f()
	if delete(p.cells, cell); was {
		p.cells[cell] = old
	}
}

// bind gives the variable of a cell a name while f runs; k, if it is none of the text.
func (p *prose) bind(cell int, name string, f func(name string)) {
	if name == "" {
		name = "k"
	}
	p.briefly(name, func(given string) { p.assume(cell, ident(given), func() { f(given) }) })
}

// terms writes terms.
func (p *prose) terms(list []*protocol.Term) []*expr {
	return lists.Map(list, p.term)
}

// term writes a term.
func (p *prose) term(t *protocol.Term) *expr {
	if e := p.own(t); e != nil {
		return e
	}
	switch t.Op {
	case ftdp.Number:
		if name := p.constant(t); name != "" {
			return ident(name)
		}
		return p.literal(t.Type, t.Value)
	case ftdp.Name:
		return p.cells[t.Var]
	case ftdp.Member: // errors are not written
		return p.yes
	case ftdp.And:
		return p.and(p.terms(t.Args)...)
	case ftdp.Or: // of nothing, for the empty set
		return p.or(p.terms(t.Args)...)
	case ftdp.Not:
		return p.not(p.term(t.Args[0]))
	case ftdp.Div, ftdp.Mod:
		return p.quotient(t.Op, t.Args[0], t.Args[1])
	case ftdp.Ceiling:
		if a := t.Args[0]; a.Op == ftdp.Div {
			return p.apply(ftdp.Minus, p.divide(p.apply(ftdp.Minus, p.term(a.Args[0])), p.term(a.Args[1])))
		}
		return p.term(t.Args[0])
	case ftdp.Floor:
		return p.term(t.Args[0])
	case ftdp.Chain:
		return p.and(p.terms(t.Pairs())...)
	}
	if t.IsPlace() {
		return p.place(t)
	}
	if p.operators[t.Op] == nil {
		refuse(t.Pos, t.Width, "%s is not written in this language", t.Op)
	}
	return p.apply(t.Op, p.terms(t.Args)...)
}

// quotient writes a quotient that is rounded down, or what remains: with the operator of the language where that rounds
// down, too.
func (p *prose) quotient(op ftdp.Op, x, y *protocol.Term) *expr {
	a, b := p.term(x), p.term(y)
	switch {
	case natural(y) && (p.floors || natural(x)):
		return p.apply(op, a, b)
	case op == ftdp.Div:
		return p.divide(a, b)
	}
	return p.apply(ftdp.Sub, a, p.apply(ftdp.Times, b, p.divide(a, b)))
}

// constant names the constant that is written somewhere, if one is and the language has constants.
func (p *prose) constant(t *protocol.Term) string {
	for _, k := range p.m.Constants {
		if k.Name == t.Const && int32(k.Value) == t.Value && k.Bool == (t.Type.Kind == protocol.KindBool) {
			return p.names["constant "+k.Name]
		}
	}
	return ""
}

// natural reports whether a number cannot be negative.
func natural(t *protocol.Term) bool {
	switch t.Op {
	case ftdp.Number:
		return t.Value >= 0
	case ftdp.Count:
		return true
	case ftdp.Plus, ftdp.Times, ftdp.Div, ftdp.Mod, ftdp.Floor, ftdp.Ceiling:
		return !slices.ContainsFunc(t.Args, func(a *protocol.Term) bool { return !natural(a) })
	case ftdp.Name, ftdp.Max, ftdp.Min:
		return t.Op == ftdp.Name && t.Type.Lo >= 0 || len(t.Args) > 0 && natural(t.Args[0])
	}
	return t.IsPlace() && t.Type.Lo >= 0
}

// role names the type of the processes of a role, variables the array of their states.
func (p *prose) role(i int) string      { return p.names["role "+p.m.Roles[i].ID] }
func (p *prose) variables(i int) string { return p.names["variables "+p.m.Roles[i].Name] }

// array names what belongs to the processes of a role: their statuses, what is sent to them.
func (p *prose) array(kind string, role int) string { return p.names[kind+" "+p.variables(role)] }
func (p *prose) channel(from, to int) string {
	return p.names["channel "+p.variables(from)+" "+p.variables(to)]
}

// roleType is the type of the numbers of the processes of a role.
func (p *prose) roleType(role int) *protocol.Type {
	return &protocol.Type{Kind: protocol.KindRole, Lo: 1, Hi: int32(p.m.Roles[role].Size), Role: role, Cells: 1}
}

// base is the type of what a place is a part of.
func (p *prose) base(t *protocol.Term) *protocol.Type {
	switch t.Base {
	case protocol.BaseRole:
		return p.m.Roles[t.Role].State
	case protocol.BaseMsg, protocol.BaseOut:
		return p.m.Message
	case protocol.BaseLet:
		return p.lets[t.Var]
	case protocol.BaseValue:
		return t.Args[0].Type
	}
	return t.Type
}

// member names a field of a record.
func (p *prose) member(t *protocol.Type, field int) (name string) {
	others := map[string]bool{}
	for _, f := range t.Fields[:field+1] {
		name = p.language.free(f.Name, others)
		others[name] = true
	}
	return name
}

// element is the type of the elements of a sequence.
func element(t *protocol.Type) *protocol.Type { return t.Fields[1].Type.Elem }

// is writes that the status of a process, at a place, is one of some.
func (p *prose) is(role int, status *expr, list ...protocol.Status) *expr {
	if !p.faulty(role) {
		if slices.Contains(list, protocol.Correct) {
			return p.yes
		}
		return p.no
	}
	var values, is []*expr
	for _, s := range list {
		if p.statuses[role][s] {
			value := p.literal(statusType, int32(s))
			values, is = append(values, value), append(is, p.apply(ftdp.Eq, status, value))
		}
	}
	if len(is) > 1 && p.operators[ftdp.In] != nil {
		return p.apply(ftdp.In, status, closed("{%s}", commas(values)))
	}
	return p.or(is...)
}

var statusType = &protocol.Type{Kind: protocol.KindStatus, Cells: 1, Lo: int32(protocol.Correct),
	Hi: int32(protocol.Byzantine), Values: []string{
		protocol.Correct.String(), protocol.Crash.String(), protocol.Crashed.String(), protocol.Byzantine.String(),
	}}

// stopped are the statuses of a process that may have stopped, able those of one that can execute a rule.
var stopped = []protocol.Status{protocol.Crash, protocol.Crashed}

func able(t *protocol.Transition) []protocol.Status {
	if t.Strategy {
		return []protocol.Status{protocol.Byzantine}
	}
	return []protocol.Status{protocol.Correct, protocol.Crash}
}

// free returns a name like the given one that is not taken.
func (p *prose) free(like string) string { return p.language.free(like, p.taken) }
