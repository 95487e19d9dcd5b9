package everysize

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/smt"
)

// write is an assignment, for all values of the variables of the loops that it is in: it is executed where conditions
// held at their places. All is evaluated in the state that the writes before it lead to.
type write struct {
	loops []loop
	conds []cond
	place *protocol.Term
	value *protocol.Term // nil to undefine
	at    int            // how many writes are before it
}

// loop is a for; its variable is found in the address that is written.
type loop struct {
	cell int
	over *protocol.Range
	// index of the address: 0 is the process; -1 if what is written has a name, which each iteration has for itself
	where int
	fixed value // of a for that is done one by one
	step  *protocol.Step
}

// cond is a condition of an if, with how many writes are before it.
type cond struct {
	term *protocol.Term
	want bool
	at   int
}

// body is what the statements of a transition do.
type body struct {
	w       *world
	base    view
	msg     func(who *smt.Linear, field int) value
	senders *set
	me      smt.Linear // the process that moves
	myRole  int        // -1 for initial states
	frame   frame
	writes  []*write
	firsts  int // of these, that are first values
	letters []*sentMessage
	checks  []check
	states  map[int]*reader
	fixed   *smt.Linear // a process that turns out to have crashed, instead of the statements
	crash   int         // its role
}

// check is a condition that is evaluated: that may be an error.
type check struct {
	loops []loop
	conds []cond
	term  *protocol.Term
	at    int
}

func (w *world) body(t *protocol.Transition, base view, f frame) *body {
	b := &body{w: w, base: base, myRole: -1, frame: f, states: map[int]*reader{}}
	b.flatten(t.First, nil, nil)
	b.firsts = len(b.writes)
	b.flatten(t.Body, nil, nil)
	return b
}

func (b *body) flatten(steps []*protocol.Step, loops []loop, conds []cond) {
	for _, s := range steps {
		switch s.Kind {
		case protocol.StepAssign: // part by part, as far as that can be said
			if !s.Target.Type.Scalar() {
				refuse(s.Pos, 1,
					"for every size, records, arrays and sequences are assigned part by part, and this cannot be")
			}
			b.add(s.Target, s.Value, loops, conds)
		case protocol.StepUndefine:
			b.add(s.Target, nil, loops, conds)
		case protocol.StepIf:
			b.branches(s, loops, conds)
		case protocol.StepFor:
			b.loop(s, loops, conds)
		case protocol.StepSend:
			b.send(s, loops, conds)
		default:
			refuse(s.Pos, 1, "this statement cannot be said for every size")
		}
	}
}

// branches goes on after the conditions of an if, which are evaluated in the state before it.
func (b *body) branches(s *protocol.Step, loops []loop, conds []cond) {
	at := len(b.writes)
	for i, c := range s.Conds {
		b.checks = append(b.checks, check{loops, conds, c, at})
		b.flatten(s.Blocks[i], loops, append(conds[:len(conds):len(conds)], cond{c, true, at}))
		conds = append(conds[:len(conds):len(conds)], cond{c, false, at})
	}
	if len(s.Blocks) > len(s.Conds) {
		b.flatten(s.Blocks[len(s.Conds)], loops, conds)
	}
}

// loop adds what a for writes: for all values of its variable at once if what is written
// says which one it was, and iterations do not depend on each other; else one by one.
func (b *body) loop(s *protocol.Step, loops []loop, conds []cond) {
	from, letters, checks := len(b.writes), len(b.letters), len(b.checks)
	b.flatten(s.Blocks[0], append(loops[:len(loops):len(loops)], loop{cell: s.Var, over: s.Range, step: s}), conds)
	found := s.Independent()
	for _, w := range b.writes[from:] {
		k := position(w.place, s.Var)
		found = found && (k >= 0 || w.place.Base == protocol.BaseLet)
		w.loops = append([]loop(nil), w.loops...)
		w.loops[len(loops)].where = k
	}
	for _, l := range b.letters[letters:] {
		l.inLoop(len(loops), s.Var)
	}
	if found {
		return
	}
	list, ok := b.w.x.few(s.Range.Type)
	if !ok || s.Range.Quorum >= 0 {
		refuse(s.Pos, 3,
			"for every size, what a for writes has to have its variable as an index, and iterations must not depend "+
				"on each other")
	}
	b.writes, b.letters, b.checks = b.writes[:from], b.letters[:letters], b.checks[:checks]
	for _, v := range list {
		b.flatten(s.Blocks[0], append(loops[:len(loops):len(loops)], loop{cell: s.Var, fixed: v}), conds)
	}
}

// position is where the address of a place is a variable: 0 for its process; -1 for nowhere.
func position(t *protocol.Term, variable int) int {
	if t.Who != nil && t.Who.Op == ftdp.Name && t.Who.Var == variable {
		return 0
	}
	for i, x := range t.Indices {
		if x.Index.Op == ftdp.Name && x.Index.Var == variable {
			return i + 1
		}
	}
	return -1
}

func (b *body) add(place, value *protocol.Term, loops []loop, conds []cond) {
	switch place.Base {
	case protocol.BaseRole, protocol.BaseStatus, protocol.BaseWhole, protocol.BaseOut, protocol.BaseOuts,
		protocol.BaseLet:
	default:
		refuseTerm(place, "this assignment cannot be said for every size")
	}
	b.writes = append(b.writes, &write{loops: loops, conds: conds, place: place, value: value, at: len(b.writes)})
}

// reader evaluates in the state after so many writes.
func (b *body) reader(at int) *reader {
	r := b.states[at]
	if r == nil {
		r = &reader{w: b.w, v: stepView{b, at}, msg: b.msg, senders: b.senders, made: map[string]value{}}
		r.outs = func(role int, who smt.Linear, field int) value { return b.out(role, who, field, at) }
		r.lets = func(t *protocol.Term, args []smt.Linear, f frame) value { return b.named(t, args, at, f) }
		b.states[at] = r
	}
	return r
}

// begin evaluates in the state before the step.
func (b *body) begin() *reader {
	r := b.states[-1]
	if r == nil {
		r = &reader{w: b.w, v: b.base, msg: b.msg, senders: b.senders, made: map[string]value{}}
		b.states[-1] = r
	}
	return r
}

func (b *body) after() *reader { return b.reader(len(b.writes)) }

// stepView is the state after some writes.
type stepView struct {
	b  *body
	at int
}

func (v stepView) settled() bool {
	return v.at == len(v.b.writes) || v.at == 0 && v.b.base.settled()
}

func (v stepView) read(l *leaf, args []smt.Linear) value {
	b := v.b
	if l.status && b.fixed != nil && b.crash == l.role {
		is := equal(args[0], *b.fixed)
		return mix(is, number(smt.N(int64(protocol.Crashed))), b.base.read(l, args))
	}
	old := func() value { return b.base.read(l, args) }
	return b.written(func(w *write) bool { return w.touches(l) }, args, v.at, old)
}

// touches reports whether a write may change a cell.
func (w *write) touches(l *leaf) bool {
	t := w.place
	switch t.Base {
	case protocol.BaseWhole:
		return t.Role == l.role && !l.status
	case protocol.BaseStatus:
		return t.Role == l.role && l.status
	case protocol.BaseRole:
		return t.Role == l.role && !l.status && t.Offset <= l.offset && l.offset < t.Offset+t.Type.Cells
	}
	return false
}

// mix is one value where a condition is true, and else another one.
func mix(is *smt.Formula, yes, no value) value {
	var out value
	add := func(cond *smt.Formula, v value) {
		for _, c := range v {
			c.cond = smt.And(cond, c.cond)
			if !c.cond.IsFalse() {
				out = append(out, c)
			}
		}
	}
	add(is, yes)
	add(smt.Not(is), no)
	return out
}

// written reads what the last of the writes that match an address has left there.
func (b *body) written(touches func(w *write) bool, args []smt.Linear, at int, old func() value) value {
	var list []value
	var conds []*smt.Formula
	done := false
	for i := at - 1; i >= 0 && !done; i-- {
		w := b.writes[i]
		if !touches(w) {
			continue
		}
		f, is := b.match(w, args, b.frame)
		if is.IsFalse() {
			continue
		}
		v := undefinedValue()
		if w.value != nil {
			v = b.reader(w.at).value(w.value, f)
		}
		list, conds = append(list, v), append(conds, is)
		done = is.IsTrue()
	}
	var out value
	if !done {
		out = old()
	}
	for i := len(list) - 1; i >= 0; i-- {
		if conds[i].IsTrue() {
			out = list[i]
		} else {
			out = mix(conds[i], list[i], out)
		}
	}
	return out
}

// match is true if a write changes what is at an address, with what its variables are then.
func (b *body) match(w *write, args []smt.Linear, f frame) (frame, *smt.Formula) {
	bound := map[int]bool{}
	var is []*smt.Formula
	for _, l := range w.loops {
		if l.over == nil {
			f = f.with(l.cell, binding{one: l.fixed})
			continue
		}
		if l.where < 0 {
			continue
		}
		bound[l.where] = true
		p := args[l.where]
		one := number(p)
		lo, hi := b.w.x.bounds(l.over.Type)
		if l.over.Type.Kind == protocol.KindBool {
			one = truth(equal(p, smt.N(1)))
		}
		if l.over.Type.Kind != protocol.KindRole {
			is = append(is, within(p, lo, hi))
		}
		var in *set
		if l.over.Quorum >= 0 {
			in = f[l.over.Quorum].quorum
			is = append(is, b.w.member(in, p))
		}
		f = f.with(l.cell, binding{one: one, in: in})
	}
	if w.place.Base == protocol.BaseLet {
		return f, smt.True
	}
	r := b.reader(w.at)
	sides := []value{nil}
	t := w.place
	if t.Who != nil && !bound[0] {
		sides[0] = r.value(t.Who, f)
	}
	for i, x := range t.Indices {
		sides = append(sides, nil)
		if !bound[i+1] {
			sides[i+1] = r.index(x, f)
		}
	}
	for i, v := range sides {
		if v == nil {
			continue
		}
		at := lists.Map(v, func(c choice) *smt.Formula { return smt.And(c.cond, equal(c.lin, args[i])) })
		is = append(is, smt.Or(at...))
	}
	if g := smt.And(is...); g.IsFalse() {
		return f, g
	}
	is = append(is, b.holds(w.conds, f))
	g := smt.And(is...)
	b.w.split(g)
	return f, g
}

// holds is true if conditions are; those with quantifiers have names.
func (b *body) holds(conds []cond, f frame) *smt.Formula {
	var list []*smt.Formula
	for _, c := range conds {
		r := b.reader(c.at)
		v := r.once(c.term,
			f.with(len(f), binding{one: truth(map[bool]*smt.Formula{true: smt.True, false: smt.False}[c.want])}),
			func(t *protocol.Term, g frame) value {
				g = g[:len(f)]
				return truth(b.w.named(r.truth(t, g, c.want), r.never(t, g, c.want)))
			})
		list = append(list, v[0].b)
	}
	return smt.And(list...)
}

// named is a part of what has a name, as it was last given: where that is read, it was. What its value speaks of are
// the variables that there were then: those of the loops around it are what they are where it is read.
func (b *body) named(t *protocol.Term, args []smt.Linear, at int, f frame) value {
	for i := at - 1; i >= 0; i-- {
		w := b.writes[i]
		p := w.place
		if p.Base == protocol.BaseLet && p.Var+p.Offset == t.Var+t.Offset && len(p.Indices) == len(t.Indices) {
			f, _ := b.match(w, args, f[:min(len(f), p.Var)])
			return b.reader(w.at).value(w.value, f)
		}
	}
	refuseTerm(t, "what a rule names cannot be said here")
	return nil
}

// out is a field of the message to a process, after some writes.
func (b *body) out(role int, who smt.Linear, field, at int) value {
	offset := b.w.x.message[field].offset
	touches := func(w *write) bool {
		t := w.place
		switch t.Base {
		case protocol.BaseOuts:
			return t.Role == role
		case protocol.BaseOut:
			return t.Role == role && t.Offset <= offset && offset < t.Offset+t.Type.Cells
		}
		return false
	}
	return b.written(touches, []smt.Linear{who}, at, undefinedValue)
}

// sends reports whether messages may be sent to a role.
func (b *body) sends(role int) bool {
	return b.fields(role) || slices.ContainsFunc(b.letters, func(l *sentMessage) bool { return l.role == role })
}

// fields reports whether messages to a role may be written field by field.
func (b *body) fields(role int) bool {
	return slices.ContainsFunc(b.writes,
		func(w *write) bool { return w.place.Base == protocol.BaseOut && w.place.Role == role })
}

// sentMessage is a message of its own that a rule sends, where conditions hold: one for all values of the variables of
// the loops that it is in. Its parts are assignments to its fields, others are undefined; all is
// evaluated in the state that the writes before it lead to.
type sentMessage struct {
	loops []loop // at most one is about the receiver: where is 0; else -1
	conds []cond
	who   *protocol.Term
	role  int
	parts []*protocol.Step
	at    int // how many writes are before it
}

// send adds a letter.
func (b *body) send(s *protocol.Step, loops []loop, conds []cond) {
	b.letters = append(b.letters, &sentMessage{loops, conds, s.Target.Who, s.Target.Role, s.Blocks[0], len(b.writes)})
}

// inLoop says of letters that were added in a loop whether its variable is the receiver.
func (l *sentMessage) inLoop(depth, variable int) {
	l.loops = append([]loop(nil), l.loops...)
	l.loops[depth].where = -1
	if l.who.Op == ftdp.Name && l.who.Var == variable {
		l.loops[depth].where = 0
	}
}
