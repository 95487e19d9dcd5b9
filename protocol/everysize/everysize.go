// Package everysize says in formulas without quantifiers what a protocol does at every size: whether a step can lead
// from states in which some conditions hold to one in which another does not. Processes are numbers from 1 to a size
// that is a variable; cells are functions of processes and numbers; messages are a relation, ever sent. Hypotheses that
// speak of all processes are instantiated over ground terms, as models of the solver ask for it.
//
// What it proves holds for every size; docs/every-size.md says why.
package everysize

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/smt"
)

func refuse(pos diag.Pos, width int, format string, args ...any) {
	panic(&protocol.Unsupported{Pos: pos, Width: width, Msg: fmt.Sprintf(format, args...)})
}

func refuseTerm(t *protocol.Term, format string, args ...any) {
	refuse(t.Pos, t.Width, format, args...)
}

// Encoding is a protocol for every size.
type Encoding struct {
	Model *protocol.Model // part by part: see protocol.Parts
	// Implicit leaves crashes out: a process that has crashed is one that moves no more.
	Implicit bool

	parts     *protocol.Parts
	roles     []*role
	message   []*leaf // the fields of messages
	kind      int     // the field that has the kind of a message; -1 for none
	constant  map[string]smt.Linear
	truths    map[string]*smt.Formula // constants that are conditions on sizes
	axioms    []*smt.Formula          // of sizes: what the text assumes, and that it means something
	statuses  []int32                 // that processes may have
	defined   map[*leaf]bool          // cells that always have a value
	carries   map[[2]int]bool         // kind and field: messages of the kind always have it
	lacks     map[[2]int]bool         // kind and field: messages of the kind never have it
	always    []Proved                // that this is so
	quotients map[string]*smt.Var
	ordinals  map[string]int
	certain   map[string]bool           // conditions on sizes: whether they are always true
	count     int                       // of names
	first     bounds                    // of what is tried before cases are distinguished
	about     map[string][]*smt.Formula // what is known of variables, by their names
}

// role is a role whose size is a term.
type role struct {
	index  int
	size   smt.Linear
	leaves []*leaf
	status *leaf
}

// New makes the encoding of a protocol. Its error is an *protocol.Unsupported.
func New(m *protocol.Model, implicit bool) (x *Encoding, err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	x = &Encoding{Model: m, Implicit: implicit, kind: -1, first: atFirst,
		constant: map[string]smt.Linear{}, truths: map[string]*smt.Formula{}, defined: map[*leaf]bool{},
		carries: map[[2]int]bool{}, lacks: map[[2]int]bool{}, quotients: map[string]*smt.Var{},
		ordinals: map[string]int{}, certain: map[string]bool{}, about: map[string][]*smt.Formula{}}
	if len(m.Numbering) > 0 {
		e := m.Numbering[0]
		refuse(e.Pos, max(1, e.Width),
			"for every size, processes are compared, and nothing else is done with their numbers (%s)", e.Msg)
	}
	if what, pos := m.Beyond(); what != "" {
		refuse(pos, 1, "%s cannot be said for every size", what)
	}
	x.parts = m.Parts()
	x.Model = x.parts.Model
	x.sizes()
	id := 0
	for r := range m.Roles {
		out := &role{index: r, size: smt.N(1)}
		if !m.Roles[r].Shared {
			out.size = x.arithmetic(m.Roles[r].Count)
			x.axioms = append(x.axioms, smt.GE(out.size, smt.N(max(1, int64(len(m.Roles[r].Named))))))
		}
		out.leaves = x.leavesOf(m.Roles[r].State, r, &id)
		out.status = &leaf{id: id, role: r, offset: -1, name: "status", status: true}
		id++
		x.roles = append(x.roles, out)
	}
	if m.Message != nil {
		x.message = x.leavesOf(m.Message, -1, &id)
		for f, l := range x.message {
			if len(l.dims) > 0 {
				refuse(x.fieldOf(f).Pos, len(x.fieldOf(f).Name), "messages with arrays cannot be said for every size")
			}
			if x.kind < 0 && l.typ.Kind == protocol.KindEnum {
				x.kind = f
			}
		}
	}
	x.ranges()
	x.possibleStatuses()
	return x, nil
}

// said is a condition as it is said, part by part.
func (x *Encoding) said(t *protocol.Term) *protocol.Term {
	if t == nil {
		return nil
	}
	return x.parts.Condition(t)
}

// sizes makes a variable of each constant that is a size, and a term or a condition of those made of them.
func (x *Encoding) sizes() {
	for _, k := range x.Model.Constants {
		switch {
		case k.Bool && x.sized(k.Term):
			x.truths[k.Name] = x.assumption(k.Term)
		case k.Bool:
			x.constant[k.Name] = smt.N(k.Value)
		case k.Free():
			x.constant[k.Name] = smt.V(&smt.Var{Name: "size_" + k.Name})
		case x.sized(k.Term):
			x.constant[k.Name] = x.arithmetic(k.Term)
		default:
			x.constant[k.Name] = smt.N(k.Value)
		}
	}
	for _, t := range x.Model.Assume {
		x.axioms = append(x.axioms, x.assumption(t))
	}
}

// sized reports whether a term of constants depends on a size.
func (x *Encoding) sized(t *protocol.Term) bool {
	return t.Any(func(t *protocol.Term) bool {
		return t.Op == ftdp.Number && t.Const != "" && (!x.constant[t.Const].IsConst() || x.truths[t.Const] != nil)
	})
}

// arithmetic is a number made of constants, assumption a condition on constants.
func (x *Encoding) arithmetic(t *protocol.Term) smt.Linear {
	return ftdp.Eval(t, x.made, x.makes).number
}

func (x *Encoding) assumption(t *protocol.Term) *smt.Formula {
	return ftdp.Eval(t, x.made, x.makes).is
}

// ofConstants is a number or a condition that is made of constants.
type ofConstants struct {
	number smt.Linear
	is     *smt.Formula // nil of a number
}

// made is what a constant or a value is.
func (x *Encoding) made(t *protocol.Term) ofConstants {
	truth := t.Type != nil && t.Type.Kind == protocol.KindBool
	switch {
	case t.Op != ftdp.Number && truth:
		refuseTerm(t, "this condition on constants cannot be said for every size")
	case t.Op != ftdp.Number:
		refuseTerm(t, "this is no number made of constants that can be said for every size")
	case x.truths[t.Const] != nil:
		return ofConstants{is: x.truths[t.Const]}
	case truth:
		return ofConstants{is: map[bool]*smt.Formula{true: smt.True, false: smt.False}[t.Value != 0]}
	case t.Const != "":
		return ofConstants{number: x.constant[t.Const]}
	}
	return ofConstants{number: smt.N(int64(t.Value))}
}

// makes applies an operator to what is made of constants.
func (x *Encoding) makes(op ftdp.Op, t *protocol.Term, args []ofConstants) ofConstants {
	conds := lists.Map(args, func(a ofConstants) *smt.Formula { return a.is })
	switch op {
	case ftdp.And:
		return ofConstants{is: smt.And(conds...)}
	case ftdp.Or:
		return ofConstants{is: smt.Or(conds...)}
	case ftdp.Not:
		return ofConstants{is: smt.Not(conds[0])}
	case ftdp.Implies:
		return ofConstants{is: smt.Implies(conds[0], conds[1])}
	case ftdp.Minus:
		return ofConstants{number: args[0].number.Neg()}
	}
	a, b := args[0].number, args[1].number
	switch {
	case conds[0] != nil && op == ftdp.Ne:
		return ofConstants{is: smt.Not(smt.Iff(conds[0], conds[1]))}
	case conds[0] != nil:
		return ofConstants{is: smt.Iff(conds[0], conds[1])}
	case op == ftdp.Plus:
		return ofConstants{number: a.Add(b)}
	case op == ftdp.Sub:
		return ofConstants{number: a.Sub(b)}
	case op == ftdp.Times && a.IsConst():
		return ofConstants{number: b.Scale(a.Const())}
	case op == ftdp.Times && b.IsConst():
		return ofConstants{number: a.Scale(b.Const())}
	case op == ftdp.Times:
		refuseTerm(t, "a product of two sizes cannot be said for every size")
	case op == ftdp.Div || op == ftdp.Mod || op == ftdp.Ceiling:
		return ofConstants{number: x.quotientOf(t, a, b, op == ftdp.Ceiling)}
	}
	return ofConstants{is: compare(op, a, b)}
}

// quotientOf names a quotient of constants, rounded down or up, or a remainder.
func (x *Encoding) quotientOf(t *protocol.Term, a, b smt.Linear, up bool) smt.Linear {
	if !b.IsConst() || b.Const().Sign() <= 0 {
		refuseTerm(t.Args[1], "for every size, a divisor has to be a positive number")
	}
	if a.IsConst() {
		d := b.Const()
		switch {
		case t.Op == ftdp.Mod:
			return smt.Number(a.Const().Mod(d))
		case up:
			return a.Neg().Over(d).Neg()
		}
		return a.Over(d)
	}
	key := fmt.Sprint(termKey(t), up && t.Op == ftdp.Div)
	v := x.quotients[key]
	if v == nil {
		v = &smt.Var{Name: fmt.Sprintf("quotient_%d", len(x.quotients)+1)}
		x.quotients[key] = v
	}
	q := smt.V(v)
	d := b.Const()
	times := q.Scale(d)
	switch {
	case up: // d*(q-1) < a <= d*q
		x.about[v.Name] = []*smt.Formula{smt.LE(a, times), smt.GE(a, times.Sub(b).Plus(1))}
	default: // d*q <= a < d*(q+1)
		x.about[v.Name] = []*smt.Formula{smt.LE(times, a), smt.LE(a.Plus(1), times.Add(b))}
	}
	if t.Op == ftdp.Mod {
		return a.Sub(times)
	}
	return q
}

// leavesOf lists the scalar parts of a type.
func (x *Encoding) leavesOf(t *protocol.Type, role int, id *int) []*leaf {
	var list []*leaf
	var walk func(t *protocol.Type, name string, offset int, dims []*protocol.Type)
	walk = func(t *protocol.Type, name string, offset int, dims []*protocol.Type) {
		switch t.Kind {
		case protocol.KindRecord:
			for _, f := range t.Fields {
				sep := "."
				if name == "" {
					sep = ""
				}
				walk(f.Type, name+sep+f.Name, offset+f.Offset, dims)
			}
		case protocol.KindArray:
			walk(t.Elem, name, offset, append(dims[:len(dims):len(dims)], t.Index))
		default:
			list = append(list, &leaf{id: *id, role: role, offset: offset, name: name, dims: dims, typ: t})
			*id++
		}
	}
	walk(t, "", 0, nil)
	return list
}

// ranges notes that ranges are not empty: texts of other sizes are refused.
func (x *Encoding) ranges() {
	note := func(t *protocol.Type) {
		if t.Kind == protocol.KindInt && t.From != nil {
			lo, hi := x.bounds(t)
			x.axioms = append(x.axioms, smt.LE(lo, hi))
		}
	}
	for _, r := range x.roles {
		for _, l := range r.leaves {
			note(l.typ)
			for _, d := range l.dims {
				note(d)
			}
		}
	}
	for _, l := range x.message {
		note(l.typ)
	}
	for i := range x.Model.Rules {
		for _, p := range x.Model.Rules[i].Params {
			if p.Type.Kind == protocol.KindQuorum {
				k := x.arithmetic(p.Count)
				x.axioms = append(x.axioms, smt.GE(k, smt.N(1)), smt.LE(k, x.roles[p.Type.Role].size))
				continue
			}
			note(p.Type)
		}
	}
}

// bounds are the least and the greatest value of a scalar type.
func (x *Encoding) bounds(t *protocol.Type) (lo, hi smt.Linear) {
	switch {
	case t.Kind == protocol.KindRole:
		return smt.N(1), x.roles[t.Role].size
	case t.From != nil:
		return x.arithmetic(t.From), x.arithmetic(t.To)
	}
	return smt.N(int64(t.Lo)), smt.N(int64(t.Hi))
}

func termKey(t *protocol.Term) string {
	s := fmt.Sprint(t.Op, t.Value, t.Const)
	for _, a := range t.Args {
		s += "(" + termKey(a) + ")"
	}
	return s
}

// possibleStatuses finds the statuses that processes may ever have.
func (x *Encoding) possibleStatuses() {
	can := [4]bool{protocol.Correct: true}
	look := func(list []protocol.Transition) {
		for i := range list {
			list[i].Statuses(func(t *protocol.Term) {
				if t.Op == ftdp.Number {
					can[t.Value] = true
				} else {
					can = [4]bool{true, true, true, true}
				}
			})
		}
	}
	look(x.Model.Inits)
	look(x.Model.Rules)
	if can[protocol.Crash] && !x.Implicit {
		can[protocol.Crashed] = true
	}
	for s, is := range can {
		if is {
			x.statuses = append(x.statuses, int32(s))
		}
	}
}

// Messages of several kinds are one record of the kind and the fields of all of them: package protocol makes it, and
// what heads of rules and send mean. Here is what more is known of such records: which fields a kind has.

// has reports whether messages of a kind have a field: in records that a text declares, all have all.
func (x *Encoding) has(kind, field int) bool {
	m := x.Model.Message
	return m.Kinds == nil || m.Has(m.Kinds[kind].Name,
		slices.IndexFunc(m.Fields, func(f protocol.TypeField) bool { return x.in(field, f) }))
}

// fieldOf is the field of messages that a leaf is a part of.
func (x *Encoding) fieldOf(leaf int) protocol.TypeField {
	m := x.Model.Message
	return m.Fields[slices.IndexFunc(m.Fields, func(f protocol.TypeField) bool { return x.in(leaf, f) })]
}

// in reports whether a leaf is a part of a field.
func (x *Encoding) in(leaf int, f protocol.TypeField) bool {
	return f.Offset <= x.message[leaf].offset && x.message[leaf].offset < f.Offset+f.Type.Cells
}

// lies says of the fields of a message of a Byzantine process which ones have values: those of its kind, and no others;
// in records that a text declares, all.
func (x *Encoding) lies(fields []value) *smt.Formula {
	var list []*smt.Formula
	for f, v := range fields {
		if x.Model.Message.Kinds == nil || f == x.kind {
			list = append(list, v[0].def)
			continue
		}
		for k := range x.message[x.kind].typ.Values {
			is := x.ofKind(fields, k)
			if x.has(k, f) {
				list = append(list, smt.Implies(is, v[0].def))
			} else {
				list = append(list, smt.Implies(is, smt.Not(v[0].def)))
			}
		}
	}
	return smt.And(list...)
}

func (x *Encoding) leafAt(t *protocol.Term) *leaf {
	list := x.message
	if t.Base == protocol.BaseStatus {
		return x.roles[t.Role].status
	}
	if t.Base == protocol.BaseRole {
		list = x.roles[t.Role].leaves
	}
	for _, l := range list {
		if l.offset == t.Offset {
			return l
		}
	}
	panic("everysize: no such cell")
}

func (x *Encoding) fieldAt(t *protocol.Term) int {
	for i, l := range x.message {
		if l.offset == t.Offset {
			return i
		}
	}
	panic("everysize: no such field")
}

// ofKind is true if fields are those of a message of a kind; kind -1 is any.
func (x *Encoding) ofKind(fields []value, kind int) *smt.Formula {
	if kind < 0 {
		return smt.True
	}
	is := lists.Map(fields[x.kind],
		func(c choice) *smt.Formula { return smt.And(c.cond, c.def, equal(c.lin, smt.N(int64(kind)))) })
	return smt.Or(is...)
}

// bounds are those of the work on one question.
type bounds struct{ rounds, clauses int }

// atFirst is what is spent before hypotheses are chosen.
var atFirst = bounds{rounds: 100, clauses: 4000}

// Proved is a question with the ground clauses of its cases; none has a model.
type Proved struct {
	Question string
	Cases    [][]*smt.Formula
}

// Condition is a closed condition of states, which holds if it evaluates to true without errors.
type Condition struct {
	Name string
	Term *protocol.Term
	// Waits says that, if it names elements, it is assumed only when a model lacks it, where AskWith has hints: as
	// a hint would be.
	Waits bool
	// Last says that it names a message: where it was a hint in vain, a proof is looked for without it, too.
	Last bool
}
