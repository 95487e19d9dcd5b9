package emit

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/protocol"
	"tacheck/protocol/ftdp"
	"tacheck/protocol/interp"
)

// Protocol writes a protocol of fixed size for a tool. A state of the text is a state of the protocol, crashes are
// explicit, and traffic is direct: other tools count the states that `explore --symmetry none --crash explicit` counts. name is
// that of the module. Its error is a diag.List where the text has something that the other language has no words for.
func Protocol(m *protocol.Model, target, name string) (files Files, err error) {
	defer func() {
		if r := recover(); r != nil {
			refused, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			files, err = nil, refused.list.Err()
		}
	}()
	switch target {
	case "tla":
		return protocolTLA(m, name), nil
	case "murphi":
		return protocolMurphi(m, name), nil
	case "promela":
		return protocolPromela(m, name), nil
	}
	return nil, fmt.Errorf("protocols with identities are not written for %q (have %s)", target, strings.Join(Targets, ", "))
}

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
	lines    []string               // of the text
	taken    map[string]bool        // names that are given, for what is declared and what is bound now
	cells    map[int]*expr          // what bound variables are called
	lets     map[int]*protocol.Type // of what rules name, by cell
	about    about
	// place writes a variable or a part of a message, literal a value; own writes what a language says in its own way.
	place   func(*protocol.Term) *expr
	literal func(t *protocol.Type, v int32) *expr
	own     func(*protocol.Term) *expr
	// statusOf writes the status of a process.
	statusOf func(role int, who any) *expr
	// reach writes a part of a place that is no part of a value; none is what stands for no value, nil if nothing does.
	reach func(t *protocol.Term, path []selector) *expr
	none  *expr
	names map[string]string // by kind and name as the text has it: of roles, rules, properties
}

func newProse(m *protocol.Model, g grammar, language vocabulary, own string) *prose {
	p := &prose{
		grammar: g, language: language, m: m, lines: strings.Split(interp.Text(m), "\n"), about: learn(m),
		taken: map[string]bool{}, cells: map[int]*expr{}, names: map[string]string{}, lets: map[int]*protocol.Type{},
	}
	p.statusOf = func(role int, who any) *expr { return closed("%s[%v]", p.status(role), who) }
	for _, name := range strings.Fields(own) {
		p.taken[name] = true
	}
	for _, r := range m.Roles {
		p.declare("role", r.ID)
		p.declare("variables", r.Name)
	}
	for _, k := range m.Constants {
		p.declare("constant", k.Name)
	}
	for _, t := range m.Inits {
		p.declare("init", t.Label)
	}
	for _, t := range m.Rules {
		p.declare("rule", t.Label)
	}
	for _, prop := range m.Props {
		p.declare("property", prop.Name)
	}
	for from := range m.Roles { // what has no name in the text
		v := p.variables(from)
		p.derive("status", v, v+"_status")
		p.derive("out", v, "to_"+v)
		p.derive("letters", v, "letters_to_"+v)
		p.derive("none", v, "No_"+v)
		for to := range m.Roles {
			p.derive("channel", v+" "+p.variables(to), v+"_to_"+p.variables(to))
		}
	}
	return p
}

// free returns a name like the given one that is not taken.
func (p *prose) free(name string) string {
	return p.language.free(name, p.taken)
}

func (p *prose) declare(kind, name string) {
	given := p.free(name)
	p.taken[given] = true
	p.names[kind+" "+name] = given
}

// derive names what has no name in the text.
func (p *prose) derive(kind, of, name string) {
	given := p.free(name)
	p.taken[given] = true
	p.names[kind+" "+of] = given
}

// bind gives the variable of a cell a name while f runs.
func (p *prose) bind(cell int, name string, f func(name string)) {
	if name == "" { // it is none of the text
		name = "k"
	}
	old, was := p.cells[cell]
	given := p.free(name)
	p.taken[given], p.cells[cell] = true, ident(given)
	f(given)
	delete(p.taken, given)
	delete(p.cells, cell)
	if was {
		p.cells[cell] = old
	}
}

// params names the parameters of a transition while f runs.
func (p *prose) params(t *protocol.Transition, f func(names []string)) {
	var next func(i int, names []string)
	next = func(i int, names []string) {
		if i == len(t.Params) {
			f(names)
			return
		}
		p.bind(t.Cell(i), t.Params[i].Name, func(name string) { next(i+1, append(names, name)) })
	}
	next(0, nil)
}

// terms writes terms.
func (p *prose) terms(list []*protocol.Term) (out []*expr) {
	for _, t := range list {
		out = append(out, p.term(t))
	}
	return out
}

// term writes a term.
func (p *prose) term(t *protocol.Term) *expr {
	if e := p.own(t); e != nil {
		return e
	}
	switch t.Op {
	case ftdp.Number:
		return p.numeral(t)
	case ftdp.Name:
		return p.cells[t.Var]
	case ftdp.Member: // errors are not written
		return p.yes
	case ftdp.And:
		return p.and(p.terms(t.Args)...)
	case ftdp.Or: // of nothing, for the empty set
		return p.or(p.terms(t.Args)...)
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
		return p.chain(t)
	}
	if t.IsPlace() {
		return p.place(t)
	}
	if p.operators[t.Op] == nil {
		refuse(t.Pos, t.Width, "%s is not written in this language", t.Op)
	}
	return p.apply(t.Op, p.terms(t.Args)...)
}

// quotient writes a quotient that is rounded down, or what remains: with the operator of the language where that rounds down, too.
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

// numeral writes a value; as the name of a constant, where the text has one.
func (p *prose) numeral(t *protocol.Term) *expr {
	if t.Type.Kind == protocol.KindInt || t.Type.Kind == protocol.KindBool {
		word := p.word(t)
		for _, k := range p.m.Constants {
			name := p.names["constant "+k.Name]
			if k.Name == word && name != "" && int32(k.Value) == t.Value && k.Bool == (t.Type.Kind == protocol.KindBool) {
				return ident(name)
			}
		}
	}
	return p.literal(t.Type, t.Value)
}

// word returns the text where a term stands, if it is in one line.
func (p *prose) word(t *protocol.Term) string {
	if t.Pos.Line < 1 || t.Pos.Line > len(p.lines) {
		return ""
	}
	line := []rune(p.lines[t.Pos.Line-1])
	from, to := t.Pos.Col-1, t.Pos.Col-1+t.Width
	if from < 0 || to > len(line) || from > to {
		return ""
	}
	return string(line[from:to])
}

// chain writes a comparison with several sides as comparisons of two.
func (p *prose) chain(t *protocol.Term) *expr {
	var list []*expr
	side := func(op ftdp.Op, i, j int) {
		two := []*protocol.Term{t.Args[i], t.Args[j]}
		list = append(list, p.term(&protocol.Term{Op: op, Pos: t.Pos, Width: t.Width, Type: t.Type, Args: two}))
	}
	if !slices.ContainsFunc(t.Ops, func(op ftdp.Op) bool { return op != ftdp.Ne }) {
		for j := range t.Args {
			for i := range j {
				side(ftdp.Ne, i, j)
			}
		}
		return p.and(list...)
	}
	for i, op := range t.Ops {
		side(op, i, i+1)
	}
	return p.and(list...)
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

// about is what is known of a protocol before it runs.
type about struct {
	statuses []map[protocol.Status]bool // by role: those that its processes may have
	channels [][2]int                   // pairs of roles, sender first: something is sent, or received
}

// learn looks for the statuses that are assigned, and for the channels that are used.
func learn(m *protocol.Model) about {
	a := about{}
	for range m.Roles {
		a.statuses = append(a.statuses, map[protocol.Status]bool{protocol.Correct: true})
	}
	used := map[[2]int]bool{}
	var walk func(t *protocol.Transition, steps []*protocol.Step)
	walk = func(t *protocol.Transition, steps []*protocol.Step) {
		for _, s := range steps {
			for _, b := range s.Blocks {
				walk(t, b)
			}
			if s.Target == nil {
				continue
			}
			switch s.Target.Base {
			case protocol.BaseOut:
				used[[2]int{t.Params[t.Executor].Type.Role, s.Target.Role}] = true
			case protocol.BaseStatus:
				for status := protocol.Correct; status <= protocol.Byzantine; status++ {
					if s.Value == nil || s.Value.Op != ftdp.Number || s.Value.Value == int32(status) {
						a.statuses[s.Target.Role][status] = true
					}
				}
			}
		}
	}
	for _, list := range [][]protocol.Transition{m.Inits, m.Rules} {
		for i := range list {
			t := &list[i]
			walk(t, t.First)
			walk(t, t.Body)
			if t.Receives() {
				used[[2]int{t.Params[t.Sender].Type.Role, t.Params[t.Executor].Type.Role}] = true
			}
		}
	}
	for from := range m.Roles {
		if a.statuses[from][protocol.Crash] {
			a.statuses[from][protocol.Crashed] = true
		}
		for to := range m.Roles {
			if used[[2]int{from, to}] {
				a.channels = append(a.channels, [2]int{from, to})
			}
		}
	}
	return a
}

// faulty reports whether processes of a role may have another status than correct.
func (a about) faulty(role int) bool { return len(a.statuses[role]) > 1 }

// stops reports whether processes of a role may turn out to have crashed.
func (a about) stops(role int) bool { return a.statuses[role][protocol.Crashed] }

// is writes that the status of a process, by its name or number, is one of some.
func (p *prose) is(role int, who any, list ...protocol.Status) *expr {
	if !p.about.faulty(role) {
		if slices.Contains(list, protocol.Correct) {
			return p.yes
		}
		return p.no
	}
	return p.oneOf(p.statusOf(role, who), role, list)
}

// oneOf writes that a status of a process of a role is one of some.
func (p *prose) oneOf(status *expr, role int, list []protocol.Status) *expr {
	var values, is []*expr
	for _, s := range list {
		if p.about.statuses[role][s] {
			value := p.literal(statusType, int32(s))
			values, is = append(values, value), append(is, p.apply(ftdp.Eq, status, value))
		}
	}
	if len(is) > 1 && p.operators[ftdp.In] != nil {
		return p.apply(ftdp.In, status, closed("{%s}", commas(values)))
	}
	return p.or(is...)
}

var statusType = &protocol.Type{Kind: protocol.KindStatus, Lo: int32(protocol.Correct), Hi: int32(protocol.Byzantine), Values: []string{
	protocol.Correct.String(), protocol.Crash.String(), protocol.Crashed.String(), protocol.Byzantine.String(),
}}

// liar writes that a process is Byzantine, stopped that it may have stopped, may that it can execute a rule.
func (p *prose) liar(role int, who any) *expr { return p.is(role, who, protocol.Byzantine) }
func (p *prose) stopped(role int, who any) *expr {
	return p.is(role, who, protocol.Crash, protocol.Crashed)
}
func (p *prose) may(t *protocol.Transition, who any) *expr {
	if t.Strategy {
		return p.liar(executor(t), who)
	}
	return p.is(executor(t), who, protocol.Correct, protocol.Crash)
}

// anything reports whether processes of a role may send anything at any time.
func (p *prose) anything(role int) bool {
	return p.about.statuses[role][protocol.Byzantine] && !p.m.Roles[role].Strategy
}

// deaf lists the statuses in which nothing is sent to a process of a role.
func (p *prose) deaf(role int) (list []protocol.Status) {
	if p.about.stops(role) {
		list = append(list, protocol.Crashed)
	}
	if p.anything(role) {
		list = append(list, protocol.Byzantine)
	}
	return list
}

// role names the type of the processes of a role, variables the array of their states.
func (p *prose) role(i int) string      { return p.names["role "+p.m.Roles[i].ID] }
func (p *prose) variables(i int) string { return p.names["variables "+p.m.Roles[i].Name] }
func (p *prose) status(i int) string    { return p.names["status "+p.variables(i)] }
func (p *prose) out(i int) string       { return p.names["out "+p.variables(i)] }
func (p *prose) letters(i int) string   { return p.names["letters "+p.variables(i)] }
func (p *prose) channel(from, to int) string {
	return p.names["channel "+p.variables(from)+" "+p.variables(to)]
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

// fits reports whether the first of some parts of a value is one of a type.
func fits(t *protocol.Type, parts []*protocol.Term) bool {
	if len(parts) == 0 {
		refuse(diag.Pos{}, 1, "a value has too few parts")
	}
	a := parts[0]
	if t.Scalar() || a.Type.Scalar() || a.Op == ftdp.Number {
		return t.Scalar()
	}
	return a.Type.Kind == t.Kind && a.Type.Cells == t.Cells
}

// element is the type of the elements of a sequence.
func element(t *protocol.Type) *protocol.Type { return t.Fields[1].Type.Elem }

// executor and sender are the roles of the process that moves and of those it receives from.
func executor(t *protocol.Transition) int { return t.Params[t.Executor].Type.Role }
func sender(t *protocol.Transition) int   { return t.Params[t.Sender].Type.Role }

// ordered reports whether a channel is a sequence: it is a queue, or holds one message.
func ordered(m *protocol.Model) bool { return m.Channels.FIFO || m.Channels.Bound == 1 }

// sendsTo lists the roles that a rule may send to.
func sendsTo(t *protocol.Transition) (roles []int) {
	t.Touch(func(place *protocol.Term, write bool) {
		if write && place.Base == protocol.BaseOut && !slices.Contains(roles, place.Role) {
			roles = append(roles, place.Role)
		}
	})
	slices.Sort(roles)
	return roles
}

// mails lists the roles to whose processes a rule may send several messages, in their order, and those to whose processes it writes one
// message field by field. A role can be in both.
func mails(t *protocol.Transition) (letters, fields []int) {
	add := func(list *[]int, role int) {
		if !slices.Contains(*list, role) {
			*list = append(*list, role)
			slices.Sort(*list)
		}
	}
	var walk func(steps []*protocol.Step)
	walk = func(steps []*protocol.Step) {
		for _, s := range steps {
			switch {
			case s.Kind == protocol.StepSend:
				add(&letters, s.Target.Role)
				continue
			case s.Target != nil && s.Target.Base == protocol.BaseOut:
				add(&fields, s.Target.Role)
			}
			for _, b := range s.Blocks {
				walk(b)
			}
		}
	}
	walk(t.Body)
	return letters, fields
}
