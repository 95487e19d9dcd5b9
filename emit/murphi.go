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

// givenMurphi are names that the text has anyway.
const givenMurphi = `status corr crash crashed byz Msg channel msg missing room letters letter post number nothing before divide add remove
	list at first last x y gone member c m`

// murphi writes a protocol in Murphi's words. The state of a process is a record, a channel a record of messages and
// their number; what has no value is undefined in Murphi, too.
type murphi struct {
	*imperative
	functions strings.Builder
	calls     int
	types     [][2]string // what is declared, and its name: enumerations, sequences
	temps     []scoped    // variables of what is written now
	sets      []bool      // by role: its type is a scalarset
	scope     []scoped    // what functions may need
	choices   []scoped    // parameters of the rule that is written now
}

// scoped is a name that is not global, with its type.
type scoped struct {
	name, kind string
	brief      bool // the name is given back
}

func (s scoped) String() string { return s.name + ": " + s.kind }

func protocolMurphi(m *protocol.Model, name string) Files {
	p := newProse(m, grammarMurphi, wordsMurphi, givenMurphi)
	w := &murphi{imperative: &imperative{script: newScript(p)}}
	w.tongue, w.assigning = w, w
	p.place = func(t *protocol.Term) *expr { return w.pick(w.at(t, nil)) }
	p.reach = func(t *protocol.Term, path []selector) *expr { return w.part(w.place(t), path) }
	p.literal, p.own = w.value, w.ownTerm
	w.scalarsets()
	for _, k := range m.Constants { // constants are natural numbers
		if k.Bool || k.Value < 0 {
			delete(w.names, "constant "+k.Name)
		}
	}
	for i := range m.Inits {
		w.start(&m.Inits[i])
	}
	for i := range m.Rules {
		w.rule(&m.Rules[i])
	}
	for i := range m.Props {
		p := &m.Props[i]
		if p.Invariant != nil {
			w.line("invariant %q\n  %s;\n", p.Name, w.term(p.Invariant))
		} else {
			w.line("-- %s is no invariant, and is left out\n", p.Name)
		}
	}
	return Files{".m": w.head(name) + w.functions.String() + w.b.String()}
}

// scalarsets decides which roles have types without an order. Channels that are bags are kept in order, and Byzantine
// processes send all messages: neither can be said of fields that have no order, or are indexed by what has no names.
func (w *murphi) scalarsets() {
	said := slices.ContainsFunc(w.m.Rules, func(t protocol.Transition) bool {
		return t.Receives() && w.anything[sender(&t)]
	})
	for i, r := range w.m.Roles {
		set := w.m.Asymmetry == nil && r.Size > 1
		var walk func(t *protocol.Type, over bool)
		walk = func(t *protocol.Type, over bool) {
			of := t.Kind == protocol.KindRole && t.Role == i
			switch {
			case t.Kind == protocol.KindRecord:
				for _, f := range t.Fields {
					walk(f.Type, over)
				}
			case t.Kind == protocol.KindArray:
				walk(t.Elem, over || w.kind(t.Index) == w.role(i))
			case !ordered(w.m) && (over || of) || said && over:
				set = false
			}
		}
		if w.m.Message != nil {
			walk(w.m.Message, false)
		}
		w.sets = append(w.sets, set)
	}
}

// kind writes a type.
func (w *murphi) kind(t *protocol.Type) string {
	switch t.Kind {
	case protocol.KindBool:
		return "boolean"
	case protocol.KindRole:
		return w.role(t.Role)
	case protocol.KindStatus:
		return "status"
	case protocol.KindEnum:
		var values []string
		for v := t.Lo; v <= t.Hi; v++ {
			values = append(values, w.value(t, v).String())
		}
		return w.declared("enum", "enum {"+strings.Join(values, ", ")+"}")
	case protocol.KindRecord:
		if t == w.m.Message {
			return "Msg"
		}
		if t.Sequence {
			return w.declared("sequence", w.record(t))
		}
		return w.record(t)
	case protocol.KindArray:
		return "array[" + w.kind(t.Index) + "] of " + w.kind(t.Elem)
	}
	if t.Lo < -limitMurphi {
		return "number"
	}
	return fmt.Sprintf("%d..%d", t.Lo, t.Hi)
}

// limitMurphi is the greatest number.
const limitMurphi = 536870911

func (w *murphi) record(t *protocol.Type) string {
	var fields []string
	for i, f := range t.Fields {
		fields = append(fields, w.member(t, i)+": "+w.kind(f.Type)+";")
	}
	return "record " + strings.Join(fields, " ") + " end"
}

// declared names a type, which is declared with others.
func (w *murphi) declared(kind, text string) string {
	for _, e := range w.types {
		if e[0] == text {
			return e[1]
		}
	}
	name := w.reserve(fmt.Sprintf("%s%d", kind, len(w.types)+1))
	w.types = append(w.types, [2]string{text, name})
	return name
}

// value writes a value.
func (w *murphi) value(t *protocol.Type, v int32) *expr {
	switch t.Kind {
	case protocol.KindEnum:
		if w.names["value "+t.Format(v)] == "" {
			w.give("value", t.Format(v), t.Format(v))
		}
		return ident(w.names["value "+t.Format(v)])
	case protocol.KindInt, protocol.KindRole:
		return w.number(int64(v))
	case protocol.KindBool:
		return map[bool]*expr{true: w.yes, false: w.no}[v != 0]
	}
	return ident(t.Format(v))
}

func (w *murphi) head(name string) string {
	m := w.m
	consts, types, vars := "", "", ""
	for _, k := range m.Constants {
		if name := w.names["constant "+k.Name]; name != "" {
			consts += fmt.Sprintf("  %s: %d;\n", name, k.Value)
		}
	}
	if consts != "" {
		consts = "const\n" + consts
	}
	for i, r := range m.Roles {
		types += fmt.Sprintf("  %s: "+map[bool]string{true: "scalarset(%d)", false: "1..%d"}[w.sets[i]]+";\n",
			w.role(i), r.Size)
		vars += fmt.Sprintf("  %s: array[%s] of %s;\n", w.variables(i), w.role(i), w.kind(r.State))
	}
	for i := range m.Roles {
		if w.faulty(i) {
			vars += fmt.Sprintf("  %s: array[%s] of status; -- crash: may stop\n", w.array("status", i), w.role(i))
		}
	}
	for _, c := range w.channels {
		vars += fmt.Sprintf("  %s: array[%s] of array[%s] of channel;\n", w.channel(c[0], c[1]), w.role(c[0]),
			w.role(c[1]))
	}
	messages, helpers := "", helpersMurphi
	if m.Message != nil {
		bound := m.Channels.Bound
		messages = fmt.Sprintf("  Msg: %s;\n  channel: record len: 0..%d; cell: array[0..%d] of Msg; end; -- %s\n",
			w.record(m.Message), bound, bound-1, m.Channels)
		if m.Letters() {
			messages += fmt.Sprintf("  letters: record len: 0..%d; cell: array[0..%d] of Msg; end; -- to one process "+
				"in a step\n", bound+1, bound-1)
		}
		helpers += w.channelHelpers()
	}
	for _, e := range w.types {
		types += fmt.Sprintf("  %s: %s;\n", e[1], e[0])
	}
	return fmt.Sprintf(`-- %s, for rumur (--deadlock-detection=off): names of types without an order are scalarsets
%stype
  status: enum {corr, crash, crashed, byz};
  number: 0-%d..%d;
%s%svar
%s
%s`, name, consts, limitMurphi, limitMurphi, types, messages, vars, helpers)
}

const helpersMurphi = `-- A quotient, rounded down.
function divide(a: number; b: number): number;
begin
  if (a % b != 0) & ((a < 0) != (b < 0)) then return a / b - 1; else return a / b; end;
end;

`

// channelHelpers writes what happens to channels.
func (w *murphi) channelHelpers() string {
	t := w.m.Message
	a, b := &lvalue{t: t, name: ident("a")}, &lvalue{t: t, name: ident("b")}
	text := fmt.Sprintf(`function nothing(a: Msg): boolean;
begin
  return %s;
end;

function same(a: Msg; b: Msg): boolean;
begin
  return %s;
end;

procedure remove(var c: channel; m: Msg);
var at: number;
begin
  at := 0;
  while !same(c.cell[at], m) do at := at + 1; end;
  while at + 1 < c.len do
    c.cell[at] := c.cell[at + 1];
    at := at + 1;
  end;
  undefine c.cell[at];
  c.len := c.len - 1;
end;

`, w.undefined(t, w.held(a)), w.equals(t, w.held(a), w.held(b)))
	if ordered(w.m) {
		text += "procedure add(var c: channel; m: Msg);\nbegin\n  c.cell[c.len] := m;\n  c.len := c.len + 1;\nend;\n\n"
	} else {
		before, _ := w.captured(func() { // part by part, what is undefined first
			w.leaves(t, nil, func(path []selector, leaf *protocol.Type) {
				rank := func(of *lvalue) *expr {
					part := w.part(of, path)
					return w.choice(isundefined(part), w.number(int64(min(leaf.Lo, 0)-1)), w.rank(part, leaf))
				}
				w.line("x := %s; y := %s; if x != y then return x < y; end;", rank(a), rank(b))
			})
		})
		text += fmt.Sprintf(`function before(a: Msg; b: Msg): boolean;
var x: number; y: number;
begin
%s  return false;
end;

-- Messages are kept in order.
procedure add(var c: channel; m: Msg);
var at: number;
begin
  at := c.len;
  while (at > 0) & before(m, c.cell[at - 1]) do
    c.cell[at] := c.cell[at - 1];
    at := at - 1;
  end;
  c.cell[at] := m;
  c.len := c.len + 1;
end;

`, before)
	}
	if w.m.Letters() {
		text += fmt.Sprintf(`-- More than fit into a channel are only counted.
procedure post(var list: letters; m: Msg);
begin
  if list.len < %d then list.cell[list.len] := m; end;
  if list.len <= %d then list.len := list.len + 1; end;
end;

`, w.m.Channels.Bound, w.m.Channels.Bound)
	}
	return text
}

// isundefined writes that a place has no value.
func isundefined(place any) *expr { return closed("isundefined(%s)", place) }

// rank writes the number of a value among those of its type.
func (w *murphi) rank(value *expr, t *protocol.Type) *expr {
	switch t.Kind {
	case protocol.KindBool:
		return w.choice(value, w.number(1), w.number(0))
	case protocol.KindEnum:
		rank := w.number(0)
		for v := t.Hi; v > t.Lo; v-- {
			rank = w.choice(w.apply(ftdp.Eq, value, w.value(t, v)), w.number(int64(v)), rank)
		}
		return rank
	case protocol.KindRole:
		if w.sets[t.Role] {
			at := diag.Pos{File: w.m.File, Line: 1, Col: 1}
			refuse(at, 1, "an order of processes of %s, which have none in Murphi, is not written",
				w.m.Roles[t.Role].ID)
		}
	}
	return value
}

func (w *murphi) lacks(v *value) *expr {
	switch {
	case v.cond != nil:
		return w.choice(v.cond, w.lacks(v.then), w.lacks(v.not))
	case v.e == nil:
		return w.yes
	case v.hollow:
		return isundefined(v.e)
	}
	return w.no
}

func (w *murphi) same(a, b *value) *expr {
	switch {
	case a.cond != nil:
		return w.choice(a.cond, w.same(a.then, b), w.same(a.not, b))
	case b.cond != nil || a.e != nil && b.hollow && !a.hollow:
		return w.same(b, a)
	case a.e == nil:
		return w.lacks(b)
	case b.e == nil:
		return w.lacks(a)
	}
	equal := w.apply(ftdp.Eq, a.e, b.e)
	switch {
	case b.hollow:
		return w.choice(isundefined(a.e), isundefined(b.e), w.and(w.not(isundefined(b.e)), equal))
	case a.hollow:
		return w.and(w.not(isundefined(a.e)), equal)
	}
	return equal
}

// ownTerm writes the terms for which Murphi has words of its own.
func (w *murphi) ownTerm(t *protocol.Term) *expr {
	switch t.Op {
	case ftdp.Number:
		if t.Value == protocol.Undef {
			refuse(t.Pos, t.Width, "what has no value is written in assignments only")
		}
	case ftdp.ForAll, ftdp.Exists:
		var e *expr
		w.in(t, func(name string, member *expr) {
			if e = w.term(t.Args[0]); member != w.yes {
				e = map[ftdp.Op]*expr{ftdp.ForAll: w.apply(ftdp.Implies, member, e),
					ftdp.Exists: w.and(member, e)}[t.Op]
			}
			e = w.quantified(t.Op, name, t.Range.Type, e)
		})
		return e
	case ftdp.Count, ftdp.Max, ftdp.Min:
		return w.function(t)
	}
	return w.compared(t)
}

func (w *murphi) quantified(op ftdp.Op, name string, t *protocol.Type, e *expr) *expr {
	return closed("(%s %s: %s do %s end)", op, name, w.kind(t), e)
}

func (w *murphi) all(t *protocol.Type, cond func(i *expr) *expr) (e *expr) {
	w.bound("x", t, func(name string) { e = w.quantified(ftdp.ForAll, name, t, cond(ident(name))) })
	return e
}

// bound names a value of a type while f runs.
func (w *murphi) bound(like string, t *protocol.Type, f func(name string)) {
	for i := 1; like == "x" && (i == 1 || w.taken[like]); i++ {
		like = fmt.Sprint("x", i)
	}
	w.briefly(like, func(name string) { w.knowing(scoped{name: name, kind: w.kind(t)}, func() { f(name) }) })
}

// knowing has functions know a name while f runs.
func (w *murphi) knowing(s scoped, f func()) {
	depth := len(w.scope)
	w.scope = append(w.scope, s)
	f()
	w.scope = w.scope[:depth]
}

func (w *murphi) loop(like string, t *protocol.Type, f func(i *expr)) {
	w.bound(like, t, func(name string) { w.block(name, t, func() { f(ident(name)) }) })
}

// block writes a loop.
func (w *murphi) block(name string, t *protocol.Type, f func()) {
	w.line("for %s: %s do", name, w.kind(t))
	w.inner(f)
	w.line("end;")
}

// in binds the variable of a binder; member is the condition that it is in a quorum.
func (w *murphi) in(t *protocol.Term, f func(name string, member *expr)) {
	w.bind(t.Var, t.Name, func(name string) {
		w.knowing(scoped{name: name, kind: w.kind(t.Range.Type)}, func() {
			member := w.yes
			if t.Range.Quorum >= 0 {
				member = w.isMember(w.cells[t.Var], t.Range.Quorum)
			}
			f(name, member)
		})
	})
}

func (w *murphi) each(t *protocol.Term, body func()) {
	w.in(t, func(name string, member *expr) { w.block(name, t.Range.Type, func() { w.when(member, body) }) })
}

// function writes a function that counts, or looks for the greatest or least, and returns its call.
func (w *murphi) function(t *protocol.Term) *expr {
	result := w.result(t)
	return w.call(string(t.Op), result, "-- "+w.m.Excerpt(t), func() {
		best := w.temp("best", result)
		if t.Op == ftdp.Count {
			w.line("%s := 0;", best)
			w.each(t, func() { w.line("if %s then %s := %s + 1; end;", w.term(t.Args[0]), best, best) })
		} else {
			w.extreme(t, best)
		}
		w.line("return %s;", best)
	})
}

// result is the type of a count, or of a greatest or least value.
func (w *murphi) result(t *protocol.Term) string {
	if t.Op == ftdp.Count || t.Type.Kind == protocol.KindInt {
		return "number"
	}
	return w.kind(t.Type)
}

// extreme writes the search for the greatest or least value, or the value with the greatest or least key: of several
// the greatest. What has no value is less than what has one; a function cannot return it.
func (w *murphi) extreme(t *protocol.Term, best string) {
	key, found := w.temp("key", "number"), w.temp("found", "boolean")
	by := t.Args[min(len(t.Args), 2)-1]
	w.line("%s := false;", found)
	w.each(t, func() {
		got, old, was := w.term(t.Args[0]), ident(best), ident(key)
		number := w.rank(w.term(by), by.Type)
		better := map[ftdp.Op]ftdp.Op{ftdp.Max: ftdp.Gt, ftdp.Min: ftdp.Lt}[t.Op]
		more := w.apply(ftdp.Gt, w.rank(got, t.Type), w.rank(old, t.Type))
		if hollow(t) {
			more = w.and(w.not(isundefined(got)), w.or(isundefined(old), more))
		}
		there := w.yes
		if len(t.Args) == 3 && !defined(by) {
			there = w.not(isundefined(w.term(by)))
		}
		w.when(there, func() {
			w.when(w.or(w.not(ident(found)), w.apply(better, number, was), w.and(w.apply(ftdp.Eq, was, number), more)),
				func() {
					w.set(old, &value{e: got, hollow: hollow(t)})
					w.line("%s := %s; %s := true;", key, number, found)
				})
		})
	})
	if len(t.Args) == 3 {
		w.when(w.not(ident(found)), func() { w.store(&lvalue{t: t.Type, name: ident(best)}, t.Args[2]) })
	}
}

// hollow reports whether a greatest or least value may be one that is undefined.
func hollow(t *protocol.Term) bool {
	return (t.Op == ftdp.Max || t.Op == ftdp.Min) && len(t.Args) > 1 &&
		(!defined(t.Args[0]) || len(t.Args) == 3 && !defined(t.Args[2]))
}

// call writes a function, whose parameters are what its body mentions, and returns its call.
func (w *murphi) call(kind, result, comment string, write func()) *expr {
	depth := len(w.scope)
	outer := w.mentioned
	w.mentioned = mentioned{}
	text, vars := w.captured(write)
	seen := w.mentioned
	w.mentioned, w.scope = outer, w.scope[:depth]
	w.calls++
	name := w.reserve(fmt.Sprintf("%s_%d", kind, w.calls))
	var params []string
	var args []*expr
	for _, s := range w.scope {
		if seen[s.name] {
			params, args = append(params, s.String()), append(args, ident(s.name))
			delete(seen, s.name)
		}
	}
	fmt.Fprintf(&w.functions, "%s\nfunction %s(%s): %s;\n%sbegin\n%send;\n\n", comment, name,
		strings.Join(params, "; "), result, vars, text)
	return closed("%s(%s)", name, commas(args))
}

// captured returns what is written, and the declarations of the variables that it needs.
func (w *murphi) captured(write func()) (text, vars string) {
	outer, temps, pad := w.b, w.temps, w.pad
	w.b, w.temps, w.pad = &strings.Builder{}, nil, "  "
	write()
	text = w.b.String()
	for _, t := range w.temps {
		vars += fmt.Sprintf("  %s;\n", t)
		if t.brief {
			delete(w.taken, t.name)
		}
	}
	if vars != "" {
		vars = "var\n" + vars
	}
	w.b, w.temps, w.pad = outer, temps, pad
	return text, vars
}

// temp names a variable of what is captured.
func (w *murphi) temp(name, kind string) string {
	name = w.reserve(name)
	w.local(name, kind)
	w.temps[len(w.temps)-1].brief = true
	return name
}

func (w *murphi) temporary(like string, t *protocol.Type) *lvalue {
	return &lvalue{t: t, name: ident(w.temp(like, w.kind(t)))}
}

func (w *murphi) let(s *protocol.Step) *lvalue {
	to := w.temporary(s.Target.Name, s.Target.Type)
	w.cells[s.Target.Var], w.lets[s.Target.Var] = to.name, to.t
	return to
}

func (w *murphi) place(t *protocol.Term) *lvalue {
	var name *expr
	of := func(array string) {
		if name = ident(array); t.Who != nil {
			name = closed("%s[%s]", name, w.term(t.Who))
		}
	}
	switch t.Base {
	case protocol.BaseStatus:
		if of(w.array("status", t.Role)); !w.faulty(t.Role) {
			name = ident("corr")
		}
	case protocol.BaseRole, protocol.BaseWhole:
		of(w.variables(t.Role))
	case protocol.BaseOut:
		if of(w.array("out", t.Role)); w.letter != nil {
			name = w.letter.name
		}
	case protocol.BaseMsg:
		of("msg")
	case protocol.BaseLet:
		name = w.cells[t.Var]
	case protocol.BaseAbsent:
		of("missing")
	default:
		refuse(t.Pos, t.Width, "this is not written in Murphi")
	}
	return &lvalue{t: t.Type, name: w.path(name, t)}
}

func (w *murphi) sub(at *lvalue, path []selector) *lvalue {
	t := at.t
	for _, s := range path {
		if t.Kind == protocol.KindArray {
			t = t.Elem
		} else {
			t = t.Fields[s.field].Type
		}
	}
	return &lvalue{t: t, name: w.follow(at.name, at.t, path)}
}

func (w *murphi) read(at *lvalue) *expr { return at.name }

func (w *murphi) item(array string, who *expr, t *protocol.Type) *lvalue {
	return &lvalue{t: t, name: closed("%s[%s]", ident(array), who)}
}

func (w *murphi) set(to *expr, v *value) {
	switch {
	case v.cond != nil:
		w.branch([]*expr{v.cond}, []func(){func() { w.set(to, v.then) }, func() { w.set(to, v.not) }})
	case v.e == nil:
		w.line("undefine %s;", to)
	case v.hollow:
		w.line("if isundefined(%s) then undefine %s; else %s := %s; end;", v.e, to, to, v.e)
	default:
		w.line("%s := %s;", to, v.e)
	}
}

func (w *murphi) copy(to, from *lvalue)                      { w.line("%s := %s;", to.name, from.name) }
func (w *murphi) clear(at *lvalue)                           { w.line("undefine %s;", at.name) }
func (w *murphi) wipe(array string, _ int, _ *protocol.Type) { w.line("undefine %s;", array) }

func (w *murphi) special(to *lvalue, v *protocol.Term) bool {
	if !hollow(v) {
		return false
	}
	best := w.temp("best", w.result(v))
	w.line("undefine %s;", best)
	w.extreme(v, best)
	w.set(w.read(to), &value{e: ident(best), hollow: true})
	return true
}

func (w *murphi) branch(conds []*expr, blocks []func()) {
	word := "if"
	for i, b := range blocks {
		if i < len(conds) {
			w.line("%s %s then", word, conds[i])
		} else {
			w.line("else")
		}
		w.inner(b)
		word = "elsif"
	}
	w.line("end;")
}

func (w *murphi) frames(t *protocol.Transition, f func(conds []*expr)) {
	scope, choices := w.scope, w.choices
	var next func(i int, conds []*expr)
	next = func(i int, conds []*expr) {
		if i == len(t.Params) {
			f(conds)
			return
		}
		p, cell := &t.Params[i], t.Cell(i)
		if p.Type.Kind != protocol.KindQuorum {
			w.bind(cell, p.Name, func(name string) { w.param(name, w.kind(p.Type), func() { next(i+1, conds) }) })
			return
		}
		w.bind(cell, p.Name, func(name string) {
			most := p.Size
			if p.AtLeast {
				most = w.m.Roles[p.Type.Role].Size
			}
			for size := p.Size; size <= most; size++ { // the sizes of a quorum are rules of their own
				var join func(members, apart []*expr)
				join = func(members, apart []*expr) {
					k := len(members)
					if k == size {
						w.members[cell] = members
						next(i+1, apart)
						return
					}
					q := ident(fmt.Sprintf("%s_%d", name, k+1))
					for j, other := range members {
						if w.sets[p.Type.Role] {
							apart = and(apart, w.apply(ftdp.Ne, other, q))
						} else if j == k-1 {
							apart = and(apart, w.apply(ftdp.Lt, other, q))
						}
					}
					w.param(q.text, w.role(p.Type.Role), func() { join(and(members, q), apart) })
				}
				join(nil, conds)
			}
		})
	}
	next(0, nil)
	w.scope, w.choices = scope, choices
}

// param has rules a parameter while f runs.
func (w *murphi) param(name, kind string, f func()) {
	s, n := scoped{name: name, kind: kind}, len(w.choices)
	w.choices = append(w.choices, s)
	w.knowing(s, f)
	w.choices = w.choices[:n]
}

func (w *murphi) choose(like string, t *protocol.Type, f func(i *expr)) {
	if t.Size() == 1 {
		f(w.number(int64(t.Lo)))
		return
	}
	w.briefly(like, func(name string) { w.param(name, w.kind(t), func() { f(ident(name)) }) })
}

func (w *murphi) decide(cond *expr, conds []*expr, f func(is *expr, conds []*expr)) { f(cond, conds) }

// byzantinePart is a part of a message from a Byzantine process: a parameter, and whether the message has the part.
type byzantinePart struct {
	path        string
	value, cond *expr
}

func (w *murphi) anyMessage(suffix string, f func(message any)) {
	var list []byzantinePart
	var walk func(t *protocol.Type, path string, cond *expr)
	walk = func(t *protocol.Type, path string, cond *expr) {
		first := len(list)
		switch t.Kind {
		case protocol.KindRecord:
			for i, field := range t.Fields {
				c, path := cond, path+"."+w.member(t, i)
				switch {
				case t.Kinds != nil && i > 0: // some kinds of messages have it
					var of []*expr
					for v, k := range t.Kinds {
						if slices.Contains(k.Fields, i) {
							of = append(of, w.apply(ftdp.Eq, list[first].value, w.value(t.Fields[0].Type, int32(v))))
						}
					}
					c = w.and(cond, w.or(of...))
				case t.Sequence && i > 0: // up to its length
					for v := range field.Type.Index.Hi {
						long := w.apply(ftdp.Ge, list[first].value, w.number(int64(v+1)))
						walk(field.Type.Elem, fmt.Sprintf("%s[%d]", path, v+1), w.and(cond, long))
					}
					continue
				}
				walk(field.Type, path, c)
			}
		case protocol.KindArray:
			for v := t.Index.Lo; v <= t.Index.Hi; v++ {
				walk(t.Elem, fmt.Sprintf("%s[%s]", path, w.value(t.Index, v)), cond)
			}
		default:
			name := w.reserve(fmt.Sprintf("any%d%s", len(list)+1, suffix))
			list = append(list, byzantinePart{path, ident(name), cond})
			w.choices = append(w.choices, scoped{name: name, kind: w.kind(t)})
		}
	}
	n := len(w.choices)
	walk(w.m.Message, "", w.yes)
	f(list)
	for _, c := range w.choices[n:] {
		delete(w.taken, c.name)
	}
	w.choices = w.choices[:n]
}

// start writes initial states.
func (w *murphi) start(t *protocol.Transition) {
	w.frames(t, func(conds []*expr) {
		if t.Guard != nil {
			conds = append(conds, w.term(t.Guard))
		}
		w.scene(fmt.Sprintf("startstate %q", t.Label), func() {
			for i := range w.m.Roles {
				w.line("undefine %s;", w.variables(i))
				if w.faulty(i) {
					w.everybody(i, func(k *expr) { w.line("%s[%s] := corr;", w.array("status", i), k) })
				}
			}
			for _, c := range w.channels {
				name := w.channel(c[0], c[1])
				w.line("undefine %s;", name)
				w.loop("j_", w.roleType(c[0]), func(j *expr) {
					w.everybody(c[1], func(k *expr) { w.line("%s[%s][%s].len := 0;", name, j, k) })
				})
			}
			w.steps(t.First)
			for _, c := range conds {
				w.line("assume %s;", c)
			}
			w.steps(t.Body)
		})
	})
}

// scene writes a rule, for all values of its parameters.
func (w *murphi) scene(head string, body func()) {
	depth := len(w.scope)
	text, vars := w.captured(body)
	w.scope = w.scope[:depth]
	open, shut := "", ""
	if len(w.choices) > 0 {
		list := lists.Map(w.choices, scoped.String)
		open, shut = "ruleset "+strings.Join(list, "; ")+" do\n", "end;\n"
	}
	w.line("%s%s\n%sbegin\n%send;\n%s", open, head, vars, text, shut)
}

func (w *murphi) alternative(t *protocol.Transition, fate string, conds []*expr, got []*packet, f func()) {
	if got == nil && t.Guard != nil {
		conds = and(conds, w.term(t.Guard))
	}
	w.scene(fmt.Sprintf("rule %q\n  %s\n==>", label(t, fate), w.and(conds...)), func() {
		if got == nil {
			f()
			return
		}
		of := ""
		if t.Quorum() {
			of = fmt.Sprintf("array[%s] of ", w.role(sender(t)))
		}
		w.local("msg", of+"Msg")
		w.local("missing", of+"boolean")
		for _, p := range got {
			w.message(p)
		}
		if t.Guard == nil {
			f()
		} else {
			w.when(w.term(t.Guard), f)
		}
	})
}

// local declares a variable of a rule.
func (w *murphi) local(name, kind string) {
	w.temps = append(w.temps, scoped{name: name, kind: kind})
	w.scope = append(w.scope, scoped{name: name, kind: kind})
}

// of is what a rule knows of a packet, in a variable.
func (p *packet) of(variable string) string {
	if p.nth == "" {
		return variable
	}
	return fmt.Sprintf("%s[%s]", variable, p.who)
}

// message writes what a process receives from another one.
func (w *murphi) message(p *packet) {
	msg := p.of("msg")
	get := func() { w.line("%s := %s.cell[%s];", msg, p.channel.name, p.slot) }
	w.line("%s := false;", p.of("missing"))
	if p.liar == w.no {
		get()
		return
	}
	w.branch([]*expr{p.liar}, []func(){func() {
		w.line("undefine %s;", msg)
		for _, a := range p.message.([]byzantinePart) {
			w.when(a.cond, func() { w.line("%s%s := %s;", msg, a.path, a.value) })
		}
		if p.absent != w.no {
			w.line("%s := %s;", p.of("missing"), p.absent)
		}
	}, get})
}

func (w *murphi) misses(p *packet)              { w.line("%s := true;", p.of("missing")) }
func (w *murphi) nothing(message *lvalue) *expr { return closed("nothing(%s)", message.name) }
func (w *murphi) length(of *lvalue) *expr       { return closed("%s.len", of.name) }
func (w *murphi) put(channel, message *lvalue)  { w.line("add(%s, %s);", channel.name, message.name) }
func (w *murphi) post(list, message *lvalue)    { w.line("post(%s, %s);", list.name, message.name) }
func (w *murphi) remove(p *packet)              { w.line("remove(%s, %s);", p.channel.name, p.of("msg")) }
func (w *murphi) letterAt(list *lvalue, n *expr) *lvalue {
	return &lvalue{t: list.t, name: closed("%s.cell[%s]", list.name, n)}
}

func (w *murphi) keep(t *protocol.Transition, waits bool) {
	letters, fields := mails(t)
	if waits {
		w.local("room", "boolean")
		w.line("room := true;")
		w.states(func(name, kind string) {
			w.local("old_"+name, kind)
			w.line("old_%s := %s;", name, name)
		})
	}
	for _, to := range sendsTo(t) {
		w.local(w.array("count", to), fmt.Sprintf("array[%s] of number", w.role(to)))
	}
	for _, to := range fields {
		w.local(w.array("out", to), fmt.Sprintf("array[%s] of Msg", w.role(to)))
		w.line("undefine %s;", w.array("out", to))
	}
	for _, to := range letters {
		w.local(w.array("letters", to), fmt.Sprintf("array[%s] of letters", w.role(to)))
		w.everybody(to, func(k *expr) { w.line("%s[%s].len := 0;", w.array("letters", to), k) })
	}
}

func (w *murphi) revert() {
	w.states(func(name, _ string) { w.line("%s := old_%s;", name, name) })
}

// states lists the variables of processes, with their types.
func (w *murphi) states(f func(name, kind string)) {
	for i, r := range w.m.Roles {
		f(w.variables(i), fmt.Sprintf("array[%s] of %s", w.role(i), w.kind(r.State)))
		if w.faulty(i) {
			f(w.array("status", i), fmt.Sprintf("array[%s] of status", w.role(i)))
		}
	}
}
