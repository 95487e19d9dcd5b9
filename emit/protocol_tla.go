package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// givenTLA are names of the module's own, and of modules that it extends.
const givenTLA = `Undef Messages NoMessage Empty Fits QuorumsFrom Statuses Ready Take Put Room Sent SentAll FitsAll Size Written lists
	Quorums Choices Fold Range Greatest Least Highest Last Part Sequences Divide Bound Progress Forced channel message now
	before out deaf who msg fate absent gone kept missing Len Head Tail Append Seq SubSeq SelectSeq Cardinality
	IsFiniteSet EmptyBag SetToBag BagToSet BagIn BagCardinality BagUnion TypeOK Received`

// protocolTLA writes a protocol as a module.
type protocolTLA struct {
	*script
	now     *tlaBlock   // where statements are written; nil in conditions of states
	bound   tlaChoices  // parameters of the rule that is written
	picks   tlaChoices  // what else is chosen
	group   *packet     // what stands for what is received from several processes
	absent  []*expr     // what says that what is received is absent; of several processes, sets of those
	actions []tlaAction // so far
}

// protocolTLAFiles writes a module with a configuration for TLC.
func protocolTLAFiles(m *protocol.Model, name string) Files {
	w := &protocolTLA{script: newScript(newProse(m, grammarTLA, wordsTLA, givenTLA))}
	w.tongue = w
	w.prose.place, w.prose.literal, w.prose.own = w.placeTLA, w.literalTLA, w.ownTLA
	w.head(name)
	w.initial()
	for i := range m.Rules {
		w.rule(&m.Rules[i])
	}
	w.next()
	cfg := w.properties()
	w.line("%s", strings.Repeat("=", 77))
	return Files{".tla": w.b.String(), ".cfg": cfg}
}

func (w *protocolTLA) literalTLA(t *protocol.Type, v int32) *expr {
	switch t.Kind {
	case protocol.KindBool:
		return ident(map[bool]string{true: "TRUE", false: "FALSE"}[v != 0])
	case protocol.KindEnum, protocol.KindStatus:
		return closed("%q", t.Format(v))
	}
	return w.number(int64(v))
}

// set writes the values of a scalar type.
func (w *protocolTLA) set(t *protocol.Type) *expr {
	switch t.Kind {
	case protocol.KindBool:
		return closed("BOOLEAN")
	case protocol.KindRole:
		return closed("%s", w.role(t.Role))
	case protocol.KindInt:
		return closed("%d..%d", t.Lo, t.Hi)
	}
	return closed("{%s}", commas(w.values(t)))
}

// values lists the values of a scalar type in their order.
func (w *protocolTLA) values(t *protocol.Type) (list []*expr) {
	for v := t.Lo; v <= t.Hi; v++ {
		list = append(list, w.literalTLA(t, v))
	}
	return list
}

// over writes what a bound variable ranges over.
func (w *protocolTLA) over(r *protocol.Range) *expr {
	if r.Quorum >= 0 {
		return w.cells[r.Quorum]
	}
	return w.set(r.Type)
}

// kind writes the set of values of a type; with those that are undefined, if undefined is set.
func (w *protocolTLA) kind(t *protocol.Type, undefined bool) *expr {
	switch t.Kind {
	case protocol.KindRecord:
		if t.Sequence && !undefined {
			of := element(t)
			return closed("Sequences(%s, %d, %s)", w.kind(of, false), t.Fields[0].Type.Hi, w.nothing(of))
		}
		return w.record(t, ":", func(f protocol.TypeField) *expr { return w.kind(f.Type, undefined) })
	case protocol.KindArray:
		return closed("[%s -> %s]", w.set(t.Index), w.kind(t.Elem, undefined))
	}
	switch {
	case !undefined:
		return w.set(t)
	case t.Kind == protocol.KindInt:
		return closed("{Undef} \\union (%s)", w.set(t))
	}
	return closed("{Undef} \\union %s", w.set(t))
}

// record writes something of each field.
func (w *protocolTLA) record(t *protocol.Type, sign string, of func(f protocol.TypeField) *expr) *expr {
	var fields []*expr
	for i, f := range t.Fields {
		fields = append(fields, closed("%s %s %s", w.member(t, i), sign, of(f)))
	}
	return closed("[%s]", commas(fields))
}

// nothing writes the value of a type whose parts are all undefined.
func (w *protocolTLA) nothing(t *protocol.Type) *expr {
	switch t.Kind {
	case protocol.KindRecord:
		return w.record(t, "|->", func(f protocol.TypeField) *expr { return w.nothing(f.Type) })
	case protocol.KindArray:
		return w.all(t.Index, func() *expr { return w.nothing(t.Elem) })
	}
	return closed("Undef")
}

// all writes a function that has the same value everywhere.
func (w *protocolTLA) all(t *protocol.Type, value func() *expr) (e *expr) {
	w.briefly("x", func(name string) { e = closed("[%s \\in %s |-> %s]", name, w.set(t), value()) })
	return e
}

// ownTLA writes the terms for which TLA+ has words of its own.
func (w *protocolTLA) ownTLA(t *protocol.Term) (e *expr) {
	switch t.Op {
	case ftdp.Number:
		if t.Value == protocol.Undef {
			return closed("Undef")
		}
	case ftdp.Undefined:
		return w.apply(ftdp.Eq, w.term(t.Args[0]), w.nothing(t.Args[0].Type))
	case ftdp.ForAll, ftdp.Exists:
		w.bind(t.Var, t.Name, func(name string) { e = w.quantified(t, name, w.term(t.Args[0])) })
	case ftdp.Count:
		w.bind(t.Var, t.Name, func(name string) {
			e = closed("Cardinality({%s \\in %s : %s})", name, w.over(t.Range), w.term(t.Args[0]))
		})
	case ftdp.Max, ftdp.Min:
		return w.extreme(t)
	case ftdp.Append:
		list := bracketed(w.term(t.Args[0]))
		return closed("[%s EXCEPT !.items[%s.length + 1] = %s, !.length = @ + 1]", list, list, w.term(t.Args[1]))
	case ftdp.Slice:
		list, from, to := w.term(t.Args[0]), w.term(t.Args[1]), w.term(t.Args[2])
		return closed("Part(%s, %s, %s, %s)", list, from, to, w.nothing(element(t.Type)))
	case ftdp.Tuple:
		return w.tuple(t)
	case ftdp.Collect:
		w.bind(t.Var, t.Name, func(name string) {
			e = closed("[%s \\in %s |-> %s]", name, w.over(t.Range), w.term(t.Args[0]))
		})
	}
	return e
}

// quantified writes a quantifier over a condition.
func (w *protocolTLA) quantified(t *protocol.Term, name string, e *expr) *expr {
	return open("\\%s %s \\in %s : %s", map[ftdp.Op]string{ftdp.ForAll: "A", ftdp.Exists: "E"}[t.Op], name,
		w.over(t.Range), e)
}

// tuple writes a value whose parts are given, in the order of its cells.
func (w *protocolTLA) tuple(t *protocol.Term) *expr {
	whole, rest := split(t.Type, t.Args)
	if len(rest) > 0 {
		refuse(t.Pos, t.Width, "this value is not written in TLA+")
	}
	return w.compose(whole)
}

// compose writes a value whose parts are given.
func (w *protocolTLA) compose(c *composed) *expr {
	if c.whole != nil {
		return w.term(c.whole)
	}
	if c.t.Kind == protocol.KindRecord {
		i := -1
		return w.record(c.t, "|->", func(protocol.TypeField) *expr {
			i++
			return w.compose(c.parts[i])
		})
	}
	name := w.reserve("x") // within the elements, too
	defer delete(w.taken, name)
	e := w.compose(c.parts[len(c.parts)-1])
	last := e.String()
	for i, part := range slices.Backward(c.parts[:len(c.parts)-1]) {
		if value := w.compose(part); value.String() != last {
			e = w.choice(w.apply(ftdp.Eq, ident(name), w.literalTLA(c.t.Index, c.t.Index.Lo+int32(i))), value, e)
		}
	}
	return closed("[%s \\in %s |-> %s]", name, w.set(c.t.Index), e)
}

// as writes a term as a value of a type: what has no value has the parts of the type.
func (w *protocolTLA) as(t *protocol.Term, of *protocol.Type) *expr {
	if t.Op == ftdp.Number && t.Value == protocol.Undef {
		return w.nothing(of)
	}
	return w.term(t)
}

// extreme writes a greatest or least value, or the value with the greatest or least key: of several the greatest.
func (w *protocolTLA) extreme(t *protocol.Term) (e *expr) {
	key := t.Args[min(len(t.Args), 2)-1]
	which := map[ftdp.Op]string{ftdp.Max: "Greatest", ftdp.Min: "Least"}[t.Op]
	var otherwise *expr
	if len(t.Args) == 3 {
		otherwise = w.term(t.Args[2])
	}
	best := w.reserve("best") // and within, another one
	defer delete(w.taken, best)
	w.bind(t.Var, t.Name, func(name string) {
		by, over := w.term(key), w.over(t.Range)
		if otherwise != nil { // of those whose key has a value
			over = closed("{%s \\in %s : %s}", name, over, w.apply(ftdp.Ne, by, closed("Undef")))
		}
		if key.Type.Kind == protocol.KindBool {
			by = w.choice(by, w.number(1), w.number(0))
		}
		e = closed("%s({%s : %s \\in %s})", which, by, name, over)
		if len(t.Args) == 1 {
			if key.Type.Kind == protocol.KindBool {
				e = w.apply(ftdp.Eq, e, w.number(1))
			}
			return
		}
		set := closed("{%s : %s \\in {%s \\in %s : %s}}", w.term(t.Args[0]), name, name, over,
			w.apply(ftdp.Eq, by, ident(best)))
		pick := closed("Highest(%s)", set)
		if kind := t.Args[0].Type.Kind; kind != protocol.KindInt && kind != protocol.KindRole {
			pick = closed("Last(%s, <<%s>>)", set, commas(w.values(t.Args[0].Type)))
		}
		e = open("LET %s == %s IN %s", best, e, pick)
		if otherwise != nil {
			e = w.choice(w.apply(ftdp.Eq, over, closed("{}")), otherwise, e)
		}
	})
	return e
}

// placeTLA writes a place as it is now.
func (w *protocolTLA) placeTLA(t *protocol.Term) *expr {
	var root *expr
	switch t.Base {
	case protocol.BaseStatus:
		if !w.faulty(t.Role) {
			return closed(`"corr"`)
		}
		root = w.element(rootOf(t), t)
	case protocol.BaseRole, protocol.BaseOut:
		root = w.element(rootOf(t), t)
	case protocol.BaseWhole:
		return w.whole(rootOf(t))
	case protocol.BaseValue:
		root = w.term(t.Args[0])
	case protocol.BaseLet:
		root = w.cells[t.Var]
	case protocol.BaseAbsent:
		var list []*expr
		for _, e := range w.absent {
			if t.Who != nil {
				e = w.apply(ftdp.In, w.term(t.Who), e)
			}
			list = append(list, e)
		}
		return w.or(list...)
	case protocol.BaseMsg:
		if root = closed("msg"); t.Who != nil {
			root = closed("msg[%s]", w.term(t.Who))
		}
	default:
		refuse(t.Pos, t.Width, "this is not written in TLA+")
	}
	if path := w.selectors(t); len(path) > 0 {
		return w.follow(bracketed(root), w.base(t), path)
	}
	return root
}

// element writes the part of a root that belongs to one process.
func (w *protocolTLA) element(r tlaRoot, t *protocol.Term) *expr {
	if w.now != nil && w.now.at[r] != nil && w.now.at[r].cell >= 0 {
		return w.now.settle(w, r)
	}
	return closed("%s[%s]", bracketed(w.whole(r)), w.term(t.Who))
}

// whole writes a root as it is now.
func (w *protocolTLA) whole(r tlaRoot) *expr {
	if w.now != nil {
		return w.now.settle(w, r)
	}
	return ident(w.rootName(r))
}

func (w *protocolTLA) rootName(r tlaRoot) string {
	switch r.kind {
	case 'r':
		return w.variables(r.role)
	case 'c':
		return w.channel(r.role, r.to)
	}
	return w.array(map[byte]string{'s': "status", 'o': "out", 'l': "letters"}[r.kind], r.role)
}

// roots lists the variables of the module.
func (w *protocolTLA) roots() (list []tlaRoot) {
	for i := range w.m.Roles {
		list = append(list, tlaRoot{kind: 'r', role: i})
	}
	for i := range w.m.Roles {
		if w.faulty(i) {
			list = append(list, tlaRoot{kind: 's', role: i})
		}
	}
	for _, c := range w.channels {
		list = append(list, tlaRoot{'c', c[0], c[1]})
	}
	return list
}

// meaning is a comment on a variable.
func (w *protocolTLA) meaning(r tlaRoot) string {
	switch r.kind {
	case 's':
		return ` \* "corr", "crash" (may stop), "crashed", "byz"`
	case 'c':
		return fmt.Sprintf(" \\* what %s have sent to %s, and these have not received: [from][to]", w.variables(r.role),
			w.variables(r.to))
	}
	return ""
}

func (w *protocolTLA) head(name string) {
	m := w.m
	w.line("---------------------------- MODULE %s ----------------------------", name)
	w.line("EXTENDS Integers, Sequences, FiniteSets%s\n", map[bool]string{false: ", Bags"}[ordered(m)])
	w.line("CONSTANT Undef \\* what has no value: a model value\n")
	w.line("%s", helpersTLA)
	for _, k := range m.Constants {
		v := fmt.Sprint(k.Value)
		if k.Bool {
			v = w.literalTLA(&protocol.Type{Kind: protocol.KindBool}, int32(k.Value)).String()
		}
		w.line("%s == %s", w.names["constant "+k.Name], v)
	}
	for i, r := range m.Roles {
		w.line("%s == 1..%d", w.role(i), r.Size)
	}
	w.line("\nVARIABLES")
	var vars []string
	roots := w.roots()
	for i, r := range roots {
		vars = append(vars, w.rootName(r))
		w.line("  %s%s%s", vars[i], map[bool]string{true: ","}[i < len(roots)-1], w.meaning(r))
	}
	w.line("\nvars == <<%s>>\n", strings.Join(vars, ", "))
	w.line("\\* Processes without any values.")
	for i, r := range m.Roles {
		w.line("%s == %s", w.array("none", i), w.nothing(r.State))
	}
	w.line("")
	if m.Message != nil {
		w.line("\\* Messages with values in all fields, and the one without any.")
		w.line("Messages == %s", w.messages())
		w.line("NoMessage == %s\n", w.nothing(m.Message))
	}
	if len(w.channels) > 0 {
		w.operators()
	}
}

// messages writes the set of messages without undefined fields, but for those that a kind does not have.
func (w *protocolTLA) messages() *expr {
	t := w.m.Message
	if t.Kinds == nil {
		return w.kind(t, false)
	}
	var all []*expr
	for _, k := range t.Kinds {
		i := -1
		all = append(all, w.record(t, ":", func(f protocol.TypeField) *expr {
			switch i++; {
			case i == 0:
				return closed("{%q}", k.Name)
			case slices.Contains(k.Fields, i):
				return w.kind(f.Type, false)
			}
			return closed("{%s}", w.nothing(f.Type))
		}))
	}
	return joined(all, " \\union ")
}

func (w *protocolTLA) operators() {
	w.line("\\* Channels are %s.", w.m.Channels)
	w.line("Bound == %d", w.m.Channels.Bound)
	if ordered(w.m) {
		w.line("%s", `Empty == <<>>
Ready(channel) == IF channel = <<>> THEN {} ELSE {Head(channel)} \* what can be received
Take(channel, message) == Tail(channel)
Put(channel, message) == Append(channel, message)
Room(channel) == Len(channel) < Bound`)
	} else {
		w.line("%s", `Empty == EmptyBag
Ready(channel) == BagToSet(channel) \* what can be received
Take(channel, message) == channel (-) SetToBag({message})
Put(channel, message) == channel (+) SetToBag({message})
Room(channel) == BagCardinality(channel) < Bound`)
	}
	w.line("%s", `\* The channels of a process after it has sent what out says to all that are not deaf;
\* before is what was in them before the step.
Sent(now, before, out, deaf) == [who \in DOMAIN now |->
  IF out[who] = NoMessage \/ who \in deaf \/ ~Room(before[who]) THEN now[who] ELSE Put(now[who], out[who])]
\* There is room for all of it.
Fits(before, out, deaf) == \A who \in DOMAIN before : out[who] = NoMessage \/ who \in deaf \/ Room(before[who])
`)
	if w.m.Letters() {
		w.line("Size(channel) == %s", map[bool]string{true: "Len(channel)",
			false: "BagCardinality(channel)"}[ordered(w.m)])
		w.line("%s", `\* The same for lists of messages: those for which there is no room are dropped, and what is written last comes last.
SentAll(now, before, lists, deaf) == [who \in DOMAIN now |->
  IF who \in deaf THEN now[who] ELSE Fold(Put, now[who], SubSeq(lists[who], 1, Least({Len(lists[who]), Bound - Size(before[who])})))]
FitsAll(before, lists, deaf) == \A who \in DOMAIN before : lists[who] = <<>> \/ who \in deaf \/ Len(lists[who]) + Size(before[who]) <= Bound
Written(list, out) == IF out = NoMessage THEN list ELSE Append(list, out)
`)
	}
}

const helpersTLA = `Quorums(S, k) == {Q \in SUBSET S : Cardinality(Q) = k}
QuorumsFrom(S, k) == {Q \in SUBSET S : Cardinality(Q) >= k}
\* One of what F says for each member of Q.
Choices(Q, F(_)) == {f \in [Q -> UNION {F(q) : q \in Q}] : \A q \in Q : f[q] \in F(q)}
Range(lo, hi) == [x \in 1..(hi - lo + 1) |-> lo + x - 1]
\* op applied again and again, with the members of a sequence.
Fold(op(_, _), s, list) == LET f[x \in 0..Len(list)] == IF x = 0 THEN s ELSE op(f[x - 1], list[x]) IN f[Len(list)]
Greatest(S) == CHOOSE x \in S : \A y \in S : x >= y
Least(S) == CHOOSE x \in S : \A y \in S : x <= y
\* The greatest number, and the last value in an order; what is undefined comes before all others.
Highest(S) == IF S = {Undef} THEN Undef ELSE Greatest(S \ {Undef})
Last(S, order) == IF S = {Undef} THEN Undef ELSE order[Greatest({x \in DOMAIN order : order[x] \in S})]
\* Elements from..to of a sequence; none is what stands behind the last one.
Part(list, from, to, none) == [
  length |-> IF from > to THEN 0 ELSE to - from + 1,
  items |-> [x \in DOMAIN list.items |-> IF x <= to - from + 1 THEN list.items[from + x - 1] ELSE none]]
\* Sequences of members of S; none is what stands behind the last one.
Sequences(S, most, none) == UNION {{
  [length |-> n, items |-> [x \in 1..most |-> IF x <= n THEN f[x] ELSE none]] : f \in [1..n -> S]} : n \in 0..most}
\* Quotients are rounded down.
Divide(a, b) == IF b < 0 THEN (0 - a) \div (0 - b) ELSE a \div b
`
