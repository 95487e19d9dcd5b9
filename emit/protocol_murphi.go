package emit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// givenMurphi are names that the text has anyway.
const givenMurphi = `status corr crash crashed byz Msg channel msg missing room letters letter post number nothing before divide add remove
	list at first last x y gone member c m`

// protocolMurphiWriter writes a protocol in Murphi's words. The state of a process is a record, a channel a record of messages and their
// number; what has no value is undefined in Murphi, too.
type protocolMurphiWriter struct {
	*prose
	b         *strings.Builder // rules, or the function that is written now
	functions strings.Builder
	count     int
	types     [][2]string // what is declared, and its name: enumerations, sequences
	temps     []scoped    // variables of what is written now
	sets      []bool      // by role: its type is a scalarset
	members   map[int][]string
	letNames  map[*protocol.Step]string // what let names, by its statement
	scope     []scoped                  // what functions may need
	letter    string                    // the variable of the message of its own that is written now
}

// scoped is a name that is not global, with its type.
type scoped struct{ name, kind string }

func protocolMurphi(m *protocol.Model, name string) Files {
	w := &protocolMurphiWriter{
		b: &strings.Builder{}, prose: newProse(m, grammarMurphi, wordsMurphi, givenMurphi), members: map[int][]string{},
		letNames: map[*protocol.Step]string{},
	}
	w.prose.place = func(t *protocol.Term) *expr { return w.pick(w.at(t, nil)) }
	w.prose.reach, w.prose.literal, w.prose.own = w.reachMurphi, w.literalMurphi, w.ownMurphi
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

func (w *protocolMurphiWriter) line(format string, args ...any) {
	fmt.Fprintf(w.b, format+"\n", args...)
}

// scalarsets decides which roles have types without an order. Channels that are bags are kept in order, and Byzantine processes send all
// messages: neither can be said of fields that have no order, or are indexed by what has no names.
func (w *protocolMurphiWriter) scalarsets() {
	anything := slices.ContainsFunc(w.m.Rules, func(t protocol.Transition) bool { return t.Receives() && w.anything(sender(&t)) })
	for i, r := range w.m.Roles {
		set := w.m.Asymmetry == nil && r.Size > 1
		if w.m.Message != nil {
			w.leaves(w.m.Message, func(_ []selector, t *protocol.Type, indices []scoped) {
				over := slices.ContainsFunc(indices, func(x scoped) bool { return x.kind == w.role(i) })
				if !ordered(w.m) && (over || t.Kind == protocol.KindRole && t.Role == i) || anything && over {
					set = false
				}
			})
		}
		w.sets = append(w.sets, set)
	}
}

// leaves calls visit for the scalar parts of a type, with the path and the indices that lead there: variables in scope for visit.
func (w *protocolMurphiWriter) leaves(t *protocol.Type, visit func(path []selector, t *protocol.Type, indices []scoped)) {
	depth := len(w.scope)
	var walk func(t *protocol.Type, path []selector)
	walk = func(t *protocol.Type, path []selector) {
		path = path[:len(path):len(path)]
		switch t.Kind {
		case protocol.KindRecord:
			for i, f := range t.Fields {
				walk(f.Type, append(path, selector{field: i}))
			}
		case protocol.KindArray:
			w.index(t, func(name string) { walk(t.Elem, append(path, selector{index: ident(name)})) })
		default:
			visit(path, t, slices.Clone(w.scope[depth:]))
		}
	}
	walk(t, nil)
}

// index names an index of an array while f runs.
func (w *protocolMurphiWriter) index(t *protocol.Type, f func(name string)) {
	name := ""
	for i := 1; name == "" || w.taken[name]; i++ {
		name = w.language.free(fmt.Sprint("x", i), nil)
	}
	w.taken[name] = true
	w.scope = append(w.scope, scoped{name, w.kind(t.Index)})
	f(name)
	w.scope = w.scope[:len(w.scope)-1]
	delete(w.taken, name)
}

// kind writes a type.
func (w *protocolMurphiWriter) kind(t *protocol.Type) string {
	switch t.Kind {
	case protocol.KindBool:
		return "boolean"
	case protocol.KindRole:
		return w.role(t.Role)
	case protocol.KindStatus:
		return "status"
	case protocol.KindEnum:
		return w.enum(t)
	case protocol.KindRecord:
		var fields []string
		for i, f := range t.Fields {
			fields = append(fields, w.member(t, i)+": "+w.kind(f.Type)+";")
		}
		text := "record " + strings.Join(fields, " ") + " end"
		if t.Sequence {
			return w.named("sequence", text)
		}
		return text
	case protocol.KindArray:
		return "array[" + w.kind(t.Index) + "] of " + w.kind(t.Elem)
	}
	return fmt.Sprintf("%d..%d", t.Lo, t.Hi)
}

// enum names an enumeration, which is declared with others.
func (w *protocolMurphiWriter) enum(t *protocol.Type) string {
	var values []string
	for v := t.Lo; v <= t.Hi; v++ {
		values = append(values, w.literalMurphi(t, v).String())
	}
	return w.named("enum", "enum {"+strings.Join(values, ", ")+"}")
}

// named names a type, which is declared with others.
func (w *protocolMurphiWriter) named(kind, text string) string {
	for _, e := range w.types {
		if e[0] == text {
			return e[1]
		}
	}
	name := w.free(fmt.Sprintf("%s%d", kind, len(w.types)+1))
	w.taken[name] = true
	w.types = append(w.types, [2]string{text, name})
	return name
}

func (w *protocolMurphiWriter) literalMurphi(t *protocol.Type, v int32) *expr {
	switch t.Kind {
	case protocol.KindEnum:
		name := "value " + t.Format(v)
		if w.names[name] == "" {
			w.declare("value", t.Format(v))
		}
		return ident(w.names[name])
	case protocol.KindInt, protocol.KindRole:
		return w.number(int64(v))
	}
	return ident(t.Format(v))
}

func (w *protocolMurphiWriter) head(name string) string {
	m := w.m
	var vars strings.Builder
	for i, r := range m.Roles {
		fmt.Fprintf(&vars, "  %s: array[%s] of %s;\n", w.variables(i), w.role(i), w.kind(r.State))
	}
	for i := range m.Roles {
		if w.about.faulty(i) {
			fmt.Fprintf(&vars, "  %s: array[%s] of status; -- crash: may stop\n", w.status(i), w.role(i))
		}
	}
	for _, c := range w.about.channels {
		fmt.Fprintf(&vars, "  %s: array[%s] of array[%s] of channel;\n", w.channel(c[0], c[1]), w.role(c[0]), w.role(c[1]))
	}
	message := ""
	if m.Message != nil {
		message = fmt.Sprintf("  Msg: %s;\n  channel: record len: 0..%d; cell: array[0..%d] of Msg; end; -- %s\n",
			w.kind(m.Message), m.Channels.Bound, m.Channels.Bound-1, m.Channels)
		if m.Letters() {
			message += fmt.Sprintf("  letters: record len: 0..%d; cell: array[0..%d] of Msg; end; -- to one process in a step\n",
				m.Channels.Bound+1, m.Channels.Bound-1)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "-- %s, for rumur (--deadlock-detection=off): names of types without an order are scalarsets\n", name)
	consts := ""
	for _, k := range m.Constants {
		if name := w.names["constant "+k.Name]; name != "" {
			consts += fmt.Sprintf("  %s: %d;\n", name, k.Value)
		}
	}
	if consts != "" {
		b.WriteString("const\n" + consts)
	}
	b.WriteString("type\n  status: enum {corr, crash, crashed, byz};\n  number: 0-536870911..536870911;\n")
	for i, r := range m.Roles {
		if w.sets[i] {
			fmt.Fprintf(&b, "  %s: scalarset(%d);\n", w.role(i), r.Size)
		} else {
			fmt.Fprintf(&b, "  %s: 1..%d;\n", w.role(i), r.Size)
		}
	}
	for _, e := range w.types {
		fmt.Fprintf(&b, "  %s: %s;\n", e[1], e[0])
	}
	b.WriteString(message + "var\n" + vars.String() + "\n" + divideMurphi)
	if m.Message != nil {
		b.WriteString(w.channels())
	}
	return b.String()
}

const divideMurphi = `-- A quotient, rounded down.
function divide(a: number; b: number): number;
begin
  if (a % b != 0) & ((a < 0) != (b < 0)) then return a / b - 1; else return a / b; end;
end;

`

// channels writes what happens to channels.
func (w *protocolMurphiWriter) channels() string {
	var b strings.Builder
	fmt.Fprintf(&b, "function nothing(m: Msg): boolean;\nbegin\n  return %s;\nend;\n\n", w.undefined(w.m.Message, parameter{w, "m", w.m.Message}.at))
	fmt.Fprintf(&b, "function same(a: Msg; b: Msg): boolean;\nbegin\n  return %s;\nend;\n\n", w.equals(w.m.Message, parameter{w, "a", w.m.Message}.at, parameter{w, "b", w.m.Message}.at))
	if ordered(w.m) {
		b.WriteString("procedure add(var c: channel; m: Msg);\nbegin\n  c.cell[c.len] := m;\n  c.len := c.len + 1;\nend;\n\n")
	} else {
		b.WriteString(w.before())
		b.WriteString(`-- Messages are kept in order.
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

`)
	}
	b.WriteString(`procedure remove(var c: channel; m: Msg);
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

`)
	if w.m.Letters() {
		fmt.Fprintf(&b, `-- More than fit into a channel are only counted.
procedure post(var list: letters; m: Msg);
begin
  if list.len < %d then list.cell[list.len] := m; end;
  if list.len <= %d then list.len := list.len + 1; end;
end;

`, w.m.Channels.Bound, w.m.Channels.Bound)
	}
	return b.String()
}

// before writes a function that puts messages in an order: part by part, what is undefined first.
func (w *protocolMurphiWriter) before() string {
	var b strings.Builder
	b.WriteString("function before(a: Msg; b: Msg): boolean;\nvar x: number; y: number;\nbegin\n")
	w.leaves(w.m.Message, func(path []selector, t *protocol.Type, indices []scoped) {
		value := func(of string) *expr {
			part := closed("%s%s", of, w.follow(w.m.Message, path))
			return w.choice(isundefined(part), w.number(int64(min(t.Lo, 0)-1)), w.rank(part, t))
		}
		text := fmt.Sprintf("x := %s; y := %s; if x != y then return x < y; end;", value("a"), value("b"))
		b.WriteString("  " + loops(indices, text) + "\n")
	})
	b.WriteString("  return false;\nend;\n\n")
	return b.String()
}

// isundefined writes that a place has no value.
func isundefined(place any) *expr { return closed("isundefined(%s)", place) }

// rank writes the number of a value among those of its type.
func (w *protocolMurphiWriter) rank(value *expr, t *protocol.Type) *expr {
	switch t.Kind {
	case protocol.KindBool:
		return w.choice(value, w.number(1), w.number(0))
	case protocol.KindEnum:
		rank := w.number(0)
		for v := t.Hi; v > t.Lo; v-- {
			rank = w.choice(w.apply(ftdp.Eq, value, w.literalMurphi(t, v)), w.number(int64(v)), rank)
		}
		return rank
	case protocol.KindRole:
		if w.sets[t.Role] {
			at := diag.Pos{File: w.m.File, Line: 1, Col: 1}
			refuse(at, 1, "an order of processes of %s, which have none in Murphi, is not written", w.m.Roles[t.Role].ID)
		}
	}
	return value
}

// over writes foralls over indices around a condition.
func over(indices []scoped, e *expr) *expr {
	for _, x := range slices.Backward(indices) {
		e = closed("(forall %s: %s do %s end)", x.name, x.kind, e)
	}
	return e
}

// loops writes loops over indices around a statement.
func loops(indices []scoped, text string) string {
	for _, x := range slices.Backward(indices) {
		text = fmt.Sprintf("for %s: %s do %s end;", x.name, x.kind, text)
	}
	return text
}

// parameter is a value of a type that is called by a name.
type parameter struct {
	*protocolMurphiWriter
	name string
	t    *protocol.Type
}

func (p parameter) at(path []selector) *value {
	return &value{e: closed("%s%s", p.name, p.follow(p.t, path)), hollow: true}
}

// undefined writes that no part of a value has one.
func (w *protocolMurphiWriter) undefined(t *protocol.Type, at func([]selector) *value) *expr {
	var list []*expr
	w.leaves(t, func(path []selector, _ *protocol.Type, indices []scoped) {
		list = append(list, over(indices, w.lacks(at(path))))
	})
	return w.and(list...)
}

// lacks writes that a scalar has no value.
func (w *protocolMurphiWriter) lacks(v *value) *expr {
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

// equals writes that two values are the same, and defined in the same parts.
func (w *protocolMurphiWriter) equals(t *protocol.Type, a, b func([]selector) *value) *expr {
	var list []*expr
	w.leaves(t, func(path []selector, _ *protocol.Type, indices []scoped) {
		list = append(list, over(indices, w.same(a(path), b(path))))
	})
	return w.and(list...)
}

// same writes that two scalars are the same.
func (w *protocolMurphiWriter) same(a, b *value) *expr {
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

// ownMurphi writes the terms for which Murphi has words of its own.
func (w *protocolMurphiWriter) ownMurphi(t *protocol.Term) *expr {
	part := func(i int) func([]selector) *value {
		return func(path []selector) *value { return w.at(t.Args[i], path) }
	}
	switch t.Op {
	case ftdp.Number:
		if t.Value == protocol.Undef {
			refuse(t.Pos, t.Width, "what has no value is written in assignments only")
		}
	case ftdp.Undefined:
		if !t.Args[0].IsPlace() {
			return w.no
		}
		return w.undefined(t.Args[0].Type, part(0))
	case ftdp.Eq, ftdp.Ne:
		switch e := w.equals(t.Args[0].Type, part(0), part(1)); {
		case t.Op == ftdp.Eq:
			return e
		case e.op == w.operators[ftdp.Eq]:
			return w.apply(ftdp.Ne, e.args...)
		default:
			return w.not(e)
		}
	case ftdp.ForAll, ftdp.Exists:
		var e *expr
		w.in(t, func(name string, member *expr) {
			e = w.term(t.Args[0])
			switch {
			case member != nil && t.Op == ftdp.ForAll:
				e = w.apply(ftdp.Implies, member, e)
			case member != nil:
				e = w.and(member, e)
			}
			e = closed("(%s %s: %s do %s end)", t.Op, name, w.kind(t.Range.Type), e)
		})
		return e
	case ftdp.In:
		return w.isMember(w.term(t.Args[0]), t.Args[1].Var)
	case ftdp.Count, ftdp.Max, ftdp.Min:
		return w.function(t)
	}
	return nil
}

// in binds the variable of a binder; member is the condition that it is in a quorum, and nil if it need not be in one.
func (w *protocolMurphiWriter) in(t *protocol.Term, f func(name string, member *expr)) {
	w.bind(t.Var, t.Name, func(name string) {
		w.scope = append(w.scope, scoped{name, w.kind(t.Range.Type)})
		var member *expr
		if t.Range.Quorum >= 0 {
			member = w.isMember(w.cells[t.Var], t.Range.Quorum)
		}
		f(name, member)
		w.scope = w.scope[:len(w.scope)-1]
	})
}

func (w *protocolMurphiWriter) isMember(who *expr, quorum int) *expr {
	var list []*expr
	for _, q := range w.members[quorum] {
		list = append(list, w.apply(ftdp.Eq, who, ident(q)))
	}
	return w.or(list...)
}

// function writes a function that counts, or looks for the greatest or least, and returns its call.
func (w *protocolMurphiWriter) function(t *protocol.Term) *expr {
	result := w.result(t)
	return w.call(string(t.Op), result, "-- "+w.m.Excerpt(t), func() {
		best := w.temp("best", result)
		if t.Op == ftdp.Count {
			w.line("  %s := 0;", best)
			w.each1(t, func() { w.line("      if %s then %s := %s + 1; end;", w.term(t.Args[0]), best, best) })
		} else {
			w.extreme(t, best)
		}
		w.line("  return %s;", best)
	})
}

// result is the type of a count, or of a greatest or least value.
func (w *protocolMurphiWriter) result(t *protocol.Term) string {
	if t.Op == ftdp.Count || t.Type.Kind == protocol.KindInt {
		return "number"
	}
	return w.kind(t.Type)
}

// each1 writes a loop over what a binder ranges over.
func (w *protocolMurphiWriter) each1(t *protocol.Term, body func()) {
	w.in(t, func(name string, member *expr) {
		w.line("  for %s: %s do", name, w.kind(t.Range.Type))
		if member != nil {
			w.line("    if %s then", member)
		}
		body()
		if member != nil {
			w.line("    end;")
		}
		w.line("  end;")
	})
}

// extreme writes the search for the greatest or least value, or the value with the greatest or least key: of several the greatest. What has
// no value is less than what has one; a function cannot return it.
func (w *protocolMurphiWriter) extreme(t *protocol.Term, best string) {
	key, found := w.temp("key", "number"), w.temp("found", "boolean")
	by := t.Args[min(len(t.Args), 2)-1]
	w.line("  %s := false;", found)
	w.each1(t, func() {
		got, old, was := w.term(t.Args[0]), ident(best), ident(key)
		number := w.rank(w.term(by), by.Type)
		better := map[ftdp.Op]ftdp.Op{ftdp.Max: ftdp.Gt, ftdp.Min: ftdp.Lt}[t.Op]
		more := w.apply(ftdp.Gt, w.rank(got, t.Type), w.rank(old, t.Type))
		set := fmt.Sprintf("%s := %s;", best, got)
		if hollow(t) {
			more = w.and(w.not(isundefined(got)), w.or(isundefined(old), more))
			set = w.set(best, &value{e: got, hollow: true})
		}
		takes := w.or(w.not(ident(found)), w.apply(better, number, was), w.and(w.apply(ftdp.Eq, was, number), more))
		text := fmt.Sprintf("if %s then %s %s := %s; %s := true; end;", takes, set, key, number, found)
		if len(t.Args) == 3 && !defined(by) {
			text = fmt.Sprintf("if %s then %s end;", w.not(isundefined(w.term(by))), text)
		}
		w.line("      %s", text)
	})
	if len(t.Args) == 3 {
		w.line("  if !%s then", found)
		w.store("    ", best, t.Type, t.Args[2])
		w.line("  end;")
	}
}

// hollow reports whether a greatest or least value may be one that is undefined.
func hollow(t *protocol.Term) bool {
	return (t.Op == ftdp.Max || t.Op == ftdp.Min) && len(t.Args) > 1 &&
		(!defined(t.Args[0]) || len(t.Args) == 3 && !defined(t.Args[2]))
}

// call writes a function, whose parameters are what its body mentions, and returns its call.
func (w *protocolMurphiWriter) call(kind, result, comment string, write func()) *expr {
	depth := len(w.scope)
	text, vars := w.captured(write)
	w.scope = w.scope[:depth]
	w.count++
	name := w.free(fmt.Sprintf("%s_%d", kind, w.count))
	w.taken[name] = true
	var params, args []string
	for _, s := range w.scope {
		if regexp.MustCompile(`(^|[^.\w])`+s.name+`\b`).MatchString(text) && !slices.Contains(args, s.name) {
			params, args = append(params, s.name+": "+s.kind), append(args, s.name)
		}
	}
	fmt.Fprintf(&w.functions, "%s\nfunction %s(%s): %s;\n", comment, name, strings.Join(params, "; "), result)
	if vars != "" {
		w.functions.WriteString("var\n" + vars)
	}
	fmt.Fprintf(&w.functions, "begin\n%send;\n\n", text)
	return closed("%s(%s)", name, strings.Join(args, ", "))
}

// captured returns what is written, and the declarations of the variables that it needs.
func (w *protocolMurphiWriter) captured(write func()) (text, vars string) {
	outer, temps := w.b, w.temps
	w.b, w.temps = &strings.Builder{}, nil
	write()
	text = w.b.String()
	for _, t := range w.temps {
		vars += fmt.Sprintf("  %s: %s;\n", t.name, t.kind)
		delete(w.taken, t.name)
	}
	w.b, w.temps = outer, temps
	return text, vars
}

// temp names a variable of what is captured.
func (w *protocolMurphiWriter) temp(name, kind string) string {
	name = w.free(name)
	w.taken[name] = true
	w.temps = append(w.temps, scoped{name, kind})
	return name
}

func (w *protocolMurphiWriter) reachMurphi(t *protocol.Term, path []selector) *expr {
	if t.Base == protocol.BaseStatus && !w.about.faulty(t.Role) {
		return closed("corr")
	}
	who := ""
	if t.Who != nil {
		who = "[" + w.term(t.Who).String() + "]"
	}
	root := ""
	switch t.Base {
	case protocol.BaseStatus:
		root = w.status(t.Role) + who
	case protocol.BaseRole:
		root = w.variables(t.Role) + who
	case protocol.BaseWhole:
		root = w.variables(t.Role)
	case protocol.BaseOut:
		if root = w.letter; root == "" {
			root = w.out(t.Role) + who
		}
	case protocol.BaseMsg:
		root = "msg" + who
	case protocol.BaseLet:
		root = w.cells[t.Var].String()
	case protocol.BaseAbsent:
		root = "missing" + who
	}
	if root == "" {
		refuse(t.Pos, t.Width, "this is not written in Murphi")
	}
	return closed("%s%s", root, w.path(t)+w.follow(t.Type, path))
}
