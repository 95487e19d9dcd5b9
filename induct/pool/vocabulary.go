package pool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// atom is a condition on the variables of a template, with its negation.
type atom struct {
	yes, no *ftdp.Expr
	uses    uint64     // variables of the template, as bits
	counts  bool       // it counts, or quantifies over processes
	names   bool       // it says that there is a message
	counted string     // what is counted, if it says how many are like that
	least   *threshold // and how many
	told    int        // fields of a message that it speaks of
	status  bool       // it is about the status of a process
}

// compared is a comparison, and its negation.
func compared(a *ftdp.Expr, op ftdp.Op, b *ftdp.Expr, uses uint64) atom {
	return atom{yes: made.Op(op, a, b), no: made.Op(op.Opposite(), a, b), uses: uses}
}

// stated is a condition, and its negation.
func stated(e *ftdp.Expr, uses uint64) atom { return atom{yes: e, no: made.Not(e), uses: uses} }

// positive reports whether the negation is no condition to look for.
func (a atom) positive() bool { return a.no == nil }

// subject is a process, a message or a number that conditions speak of.
type subject struct {
	name string
	role int            // of a process; -1 for others
	typ  *protocol.Type // of a number
	bit  uint64
}

func (s subject) expr() *ftdp.Expr { return made.Name(s.name) }

// scalar is a cell or a field.
type scalar struct {
	expr    *ftdp.Expr
	typ     *protocol.Type
	place   *ftdp.Expr // where the value is, of one that says that something is in a set
	defined bool
	uses    uint64
	class   string  // of truth values: which others they are compared with
	written []int32 // numbers that the text compares it with
}

// undefined says that it has no value.
func (c scalar) undefined() *ftdp.Expr { return made.Op(ftdp.Undefined, cmp.Or(c.place, c.expr)) }

// vocabulary reads off a text what lemmas may speak of.
type vocabulary struct {
	m         *protocol.Model
	defined   map[string]bool
	statuses  []string
	sizes     map[string]bool   // constants
	instances []*protocol.Model // that are sampled
	numbers   []threshold
	atFirst   []threshold
	claimed   []claim                 // by guards and invariants
	marks     map[string][]*ftdp.Expr // numbers made of sizes that cells are compared with, by sorts

	ordered   map[int]bool // roles whose processes the text orders
	orderings []ordering   // conditions of the text that do
	alike     *alike
	sorts     map[string]string // of ranges: another one that it is compared with
}

// newVocabulary makes one.
func newVocabulary(m *protocol.Model, k Known, samples []Sample) *vocabulary {
	v := &vocabulary{m: m, defined: map[string]bool{}, sizes: map[string]bool{}}
	for _, s := range samples {
		v.instances = append(v.instances, s.Model)
	}
	for _, name := range k.Defined {
		v.defined[name] = true
	}
	v.ofSizes()
	look := func(list []protocol.Transition) {
		for i := range list {
			list[i].Statuses(func(t *protocol.Term) {
				if t.Op == ftdp.Number {
					v.statuses = append(v.statuses, protocol.Status(t.Value).String())
				}
			})
		}
	}
	look(m.Inits)
	look(m.Rules)
	if len(v.statuses) > 0 {
		v.statuses = append(v.statuses, protocol.Correct.String())
		slices.Sort(v.statuses)
		v.statuses = slices.Compact(v.statuses)
	}
	v.sorts = map[string]string{}
	v.alike = newAlike(m, v.merge)
	v.markers()
	v.orders()
	v.claimed = v.claims(k.Said)
	return v
}

// own is a name of a variable of lemmas, or one like it that the text does not declare, nor own makes of another one.
func (v *vocabulary) own(name string) string {
	return names.Free(name, "_", func(out string) bool {
		return slices.ContainsFunc(v.m.Names, func(d protocol.Declared) bool { return d.Name == out })
	})
}

// ofMessage quantifies over the messages from a process to another one.
func (v *vocabulary) ofMessage(name string, from, to subject) variable {
	sent := &ftdp.Expr{Op: ftdp.Call, Name: "sent", Pos: made.At, At: made.At, Width: made.Width,
		Args: []*ftdp.Expr{from.expr(), to.expr()}}
	return variable{v.own(name), ranging(sent, nil)}
}

// scalars lists the cells of a process; of arrays those at others of some subjects.
func (v *vocabulary) scalars(p subject, others []subject) []scalar {
	if p.role < 0 {
		return nil
	}
	var list []scalar
	r := &v.m.Roles[p.role]
	var walk func(t *protocol.Type, name string, cell *ftdp.Expr, uses uint64, depth int)
	walk = func(t *protocol.Type, name string, cell *ftdp.Expr, uses uint64, depth int) {
		switch {
		case t.Scalar():
			list = append(list, scalar{expr: cell, typ: t, defined: v.defined[name], uses: uses,
				class: v.alike.class("cell " + name), written: v.alike.written("cell " + name)})
		case t.Kind == protocol.KindRecord:
			for _, f := range t.Fields {
				walk(f.Type, name+"."+f.Name, made.Field(cell, f.Name), uses, depth)
			}
		case t.Kind == protocol.KindArray && depth < 4:
			for _, o := range others {
				switch {
				case depth == 0 && o.name == p.name && o.role == p.role || !v.indexes(o, t.Index):
				case t.Set:
					list = append(list, scalar{expr: made.Op(ftdp.In, o.expr(), cell), typ: t.Elem,
						place:   made.Index(cell, o.expr()),
						defined: v.defined[name], uses: uses | o.bit})
				default:
					walk(t.Elem, name, made.Index(cell, o.expr()), uses|o.bit, depth+1)
				}
			}
		}
	}
	for _, f := range r.State.Fields {
		name, cell := r.Name+"."+f.Name, made.Of(r.Name, p.expr(), f.Name)
		if r.Shared {
			name, cell = f.Name, made.Name(f.Name)
		}
		walk(f.Type, name, cell, p.bit, 0)
	}
	return list
}

// indexes reports whether a subject is an index of arrays over a type.
func (v *vocabulary) indexes(o subject, t *protocol.Type) bool {
	if o.role >= 0 {
		return t.Kind == protocol.KindRole && t.Role == o.role
	}
	return o.typ != nil && t.Kind == o.typ.Kind && v.ownSort(t) == v.ownSort(o.typ)
}

// likeNumber reports whether values of a type are compared with a number, or a value of an enumeration.
func (v *vocabulary) likeNumber(t *protocol.Type, n subject) bool {
	return n.typ != nil && t.Kind == n.typ.Kind && v.sort(t) == v.sort(n.typ)
}

// fields lists the fields of a message of a kind.
func (v *vocabulary) fields(name, kind string, bit uint64) []scalar {
	var list []scalar
	for i, f := range v.m.Message.Fields {
		if f.Type.Scalar() && f.Name != v.kindField() && v.m.Message.Has(kind, i) {
			always := v.defined["the field "+f.Name+" of "+kind] || v.defined["the field "+f.Name+" of messages"]
			list = append(list, scalar{expr: made.Field(made.Name(name), f.Name), typ: f.Type, defined: always,
				uses: bit, class: v.alike.class("field." + f.Name), written: v.alike.written("field." + f.Name)})
		}
	}
	return list
}

// kindField names the field that has the kind of a message.
func (v *vocabulary) kindField() string {
	for i := range v.m.Message.Fields {
		if f := &v.m.Message.Fields[i]; f.Type.Kind == protocol.KindEnum {
			return f.Name
		}
	}
	return ""
}

// kinds are the kinds of messages; one empty name if there are none.
func (v *vocabulary) kinds() []string {
	for i := range v.m.Message.Fields {
		if f := &v.m.Message.Fields[i]; f.Type.Kind == protocol.KindEnum {
			return f.Type.Values
		}
	}
	return []string{""}
}

// fewValues is how many values of numbers are conditions each.
const fewValues = 4

// many reports whether a number has more values than are told apart by conditions.
func (v *vocabulary) many(c scalar) bool {
	return c.typ.Kind == protocol.KindRole || c.typ.Kind == protocol.KindInt &&
		(v.sized(c.typ.To) || v.sized(c.typ.From) || c.typ.Size() > fewValues)
}

// conditions are those on one scalar: which value it has.
func (v *vocabulary) conditions(list []scalar, others []subject) []atom {
	var out []atom
	for _, c := range list {
		equal := func(value *ftdp.Expr, more uint64) {
			out = append(out, compared(c.expr, ftdp.Eq, value, c.uses|more))
		}
		switch t := c.typ; t.Kind {
		case protocol.KindBool, protocol.KindEnum:
			if t.Kind == protocol.KindBool {
				out = append(out, stated(c.expr, c.uses))
			}
			for _, name := range t.Values {
				equal(made.Name(name), 0)
			}
			for _, o := range others {
				if o.role < 0 && v.likeNumber(t, o) {
					equal(o.expr(), o.bit)
				}
			}
		case protocol.KindInt:
			if t.Lo == 0 {
				equal(made.Numeral(0), 0)
			}
			for n := max(t.Lo, 1); n <= t.Hi && (t.Size() > 2 || t.Lo > 0); n++ {
				if !v.many(c) || !v.sized(t.To) && !v.sized(t.From) && slices.Contains(c.written, n) {
					equal(made.Numeral(int64(n)), 0)
				}
			}
			for _, number := range v.marks[v.sort(t)] {
				equal(number, 0)
			}
			for _, o := range others {
				if o.role < 0 && v.likeNumber(t, o) {
					equal(o.expr(), o.bit)
				}
			}
		case protocol.KindRole:
			for _, o := range others {
				if o.role == t.Role {
					equal(o.expr(), o.bit)
					if v.ordered[t.Role] {
						out = append(out, v.comesFirst(c, o))
					}
				}
			}
		}
		if !c.defined {
			out = append(out, stated(c.undefined(), c.uses))
		}
	}
	return out
}

// statusOf are conditions on the status of a process.
func (v *vocabulary) statusOf(p subject) []atom {
	var out []atom
	if p.role < 0 || v.m.Roles[p.role].Shared {
		return nil
	}
	list := v.statuses
	if slices.Equal(list, []string{protocol.Byzantine.String(), protocol.Correct.String()}) {
		list = list[:1] // the other one is its negation
	}
	for _, s := range list {
		a := compared(v.status(p), ftdp.Eq, made.Name(s), p.bit)
		a.status = true
		out = append(out, a)
	}
	return out
}

// status is that of a process.
func (v *vocabulary) status(p subject) *ftdp.Expr {
	return made.Of(v.m.Roles[p.role].Name, p.expr(), "status")
}

// sized reports whether a number depends on sizes.
func (v *vocabulary) sized(t *protocol.Term) bool {
	if t == nil {
		return false
	}
	if t.Op == ftdp.Number {
		return t.Const != "" && v.sizes[t.Const]
	}
	return slices.ContainsFunc(t.Args, v.sized)
}

// sort tells values apart that are not compared: numbers of ranges with different bounds that depend on sizes, unless
// the text compares them.
func (v *vocabulary) sort(t *protocol.Type) string {
	s := v.ownSort(t)
	for v.sorts[s] != "" {
		s = v.sorts[s]
	}
	return s
}

// ownSort is the sort of a type by itself.
func (v *vocabulary) ownSort(t *protocol.Type) string {
	switch {
	case t.Kind == protocol.KindRole:
		return fmt.Sprint("role ", t.Role)
	case t.Kind == protocol.KindEnum:
		return strings.Join(t.Values, " ")
	case t.Kind == protocol.KindInt && v.sized(t.To):
		if to := sumOf(t.To); to != nil {
			return to.String()
		}
	case t.Kind == protocol.KindInt:
		return "numbers"
	}
	return ""
}

// merge notes that the text compares numbers of two ranges.
func (v *vocabulary) merge(t, u *protocol.Type) {
	if a, b := v.sort(t), v.sort(u); a != b {
		v.sorts[a] = b
	}
}

// sortOf is the sort of a scalar; of a truth value it is which others it is compared with.
func (v *vocabulary) sortOf(c scalar) string {
	if c.typ.Kind == protocol.KindBool {
		return c.class
	}
	return v.sort(c.typ)
}

// comparisons compares scalars of the same kind of values.
func (v *vocabulary) comparisons(a, b []scalar) []atom {
	var out []atom
	seen := map[[2]string]bool{}
	texts := func(list []scalar) []string { return lists.Map(list, func(c scalar) string { return c.expr.String() }) }
	ofA, ofB := texts(a), texts(b)
	for i, c := range a {
		for k, d := range b {
			if ofA[i] == ofB[k] || seen[[2]string{ofB[k], ofA[i]}] || v.sortOf(c) == "" || v.sortOf(c) != v.sortOf(d) {
				continue
			}
			seen[[2]string{ofA[i], ofB[k]}] = true
			uses := c.uses | d.uses
			out = append(out, compared(c.expr, ftdp.Eq, d.expr, uses))
			ordered := c.typ.Kind == protocol.KindInt && (v.sized(c.typ.To) || c.typ.Size() > 2) ||
				c.typ.Kind == protocol.KindRole && v.ordered[c.typ.Role]
			if !ordered {
				continue
			}
			if c.defined && d.defined {
				out = append(out, compared(c.expr, ftdp.Lt, d.expr, uses), compared(c.expr, ftdp.Le, d.expr, uses))
				continue
			}
			for _, op := range []ftdp.Op{ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge} {
				out = append(out,
					atom{yes: made.Or(c.undefined(), d.undefined(), made.Op(op, c.expr, d.expr)), uses: uses})
			}
		}
	}
	return out
}

// Arrays over numbers: templates about the entry that a message, or another process, says.

// isIndex reports whether a range is one that arrays of some process have as their indices.
func (v *vocabulary) isIndex(t *protocol.Type) bool {
	found := false
	n := subject{role: -1, typ: t}
	var walk func(u *protocol.Type)
	walk = func(u *protocol.Type) {
		switch u.Kind {
		case protocol.KindArray:
			found = found || v.indexes(n, u.Index)
			walk(u.Elem)
		case protocol.KindRecord:
			for _, f := range u.Fields {
				walk(f.Type)
			}
		}
	}
	for r := range v.m.Roles {
		walk(v.m.Roles[r].State)
	}
	return found
}

// markers finds the numbers made of sizes that guards, conditions and invariants of a text compare cells with, by what
// the cells are: the last level, for one.
func (v *vocabulary) markers() {
	v.marks = map[string][]*ftdp.Expr{}
	look := func(t *protocol.Term) {
		for t := range t.All() {
			for k := range t.Args {
				switch {
				case len(t.Args) == 2 && compares(t.Op):
					v.mark(t.Args[k], t.Args[1-k])
				case t.Op == ftdp.Chain && k > 0:
					v.mark(t.Args[k], t.Args[k-1])
					v.mark(t.Args[k-1], t.Args[k])
				}
			}
		}
	}
	for i := range v.m.Rules {
		for c := range v.m.Rules[i].Conditions() {
			look(c)
		}
	}
	for i := range v.m.Props {
		look(v.m.Props[i].Invariant)
	}
}

func compares(op ftdp.Op) bool { return op.Opposite() != "" }

// mark notes that a cell, or the greatest or least of some, is compared with a number.
func (v *vocabulary) mark(cell, number *protocol.Term) {
	if cell.Op == ftdp.Max || cell.Op == ftdp.Min {
		cell = cell.Args[0]
	}
	if !cell.IsPlace() || cell.Base != protocol.BaseRole || cell.Type.Kind != protocol.KindInt || !v.sized(number) ||
		!ofConstants(number) {
		return
	}
	sort, e := v.sort(cell.Type), sumOf(number)
	if e != nil && !slices.ContainsFunc(v.marks[sort], func(o *ftdp.Expr) bool { return o.String() == e.String() }) {
		v.marks[sort] = append(v.marks[sort], e)
	}
}

// ofConstants reports whether a number is made of constants alone.
func ofConstants(t *protocol.Term) bool {
	if t.IsPlace() || t.Range != nil || t.Op == ftdp.Name {
		return false
	}
	return !slices.ContainsFunc(t.Args, func(a *protocol.Term) bool { return !ofConstants(a) })
}

// What processes note of others, and what these have told them: templates for texts that count what was received.

// values says the fields of messages, where they have few values, and at last their kind.
func (v *vocabulary) values(name, kind string) (list []*ftdp.Expr) {
	of := v.is(name, kind)
	for _, f := range v.fields(name, kind, 0) {
		for _, a := range v.conditions([]scalar{f}, nil) {
			if !f.defined {
				continue
			}
			list = append(list, flat(ftdp.And, append(slices.Clip(of), a.yes)...))
			if f.typ.Kind == protocol.KindBool {
				list = append(list, flat(ftdp.And, append(slices.Clip(of), a.no)...))
			}
		}
	}
	return append(list, of...)
}

// toSomebody says that a process has sent a message with a number, or one that fields of few values tell (no number).
func (v *vocabulary) toSomebody(from subject, n *subject) []atom {
	var out []atom
	v.pairsOf(func(sender, to int) {
		if sender != from.role {
			return
		}
		other := subject{name: v.own("p"), role: to}
		head := []variable{v.variable(other), v.ofMessage("y", from, other)}
		for _, kind := range v.sentKinds(sender, to) {
			if n == nil {
				for _, e := range v.values(v.own("y"), kind) {
					out = append(out, atom{yes: exists(e, head...)})
				}
				continue
			}
			for _, f := range v.fields(v.own("y"), kind, 0) {
				if f.defined && v.likeNumber(f.typ, *n) {
					says := made.And(append(v.is(v.own("y"), kind), made.Op(ftdp.Eq, f.expr, n.expr()))...)
					out = append(out, atom{yes: exists(says, head...), uses: n.bit})
				}
			}
		}
	})
	return out
}

// toItself says that a process has sent another one a message that fields of few values tell.
func (v *vocabulary) toItself(from, to subject) (out []atom) {
	for _, kind := range v.sentKinds(from.role, to.role) {
		for _, e := range v.values(v.own("y"), kind) {
			out = append(out, atom{yes: exists(e, v.ofMessage("y", from, to)), uses: to.bit})
		}
	}
	return out
}

// Global variables: templates about processes speak of them, too.

// roles lists those that processes are of: the last one may be what has the global variables.
func (v *vocabulary) roles() []int {
	var list []int
	for r := range v.m.Roles {
		if !v.m.Roles[r].Shared {
			list = append(list, r)
		}
	}
	return list
}

// globals lists the global variables; of arrays and sets those parts that are about some subjects.
func (v *vocabulary) globals(about ...subject) []scalar {
	for r := range v.m.Roles {
		if v.m.Roles[r].Shared {
			return v.scalars(subject{role: r}, about)
		}
	}
	return nil
}

// empty says of the sets of a process, and of the global ones, that they have no members.
func (v *vocabulary) empty(p subject) (out []atom) {
	for r := range v.m.Roles {
		of := &v.m.Roles[r]
		if r != p.role && !of.Shared {
			continue
		}
		for _, f := range of.State.Fields {
			if f.Type.Kind == protocol.KindArray && f.Type.Set {
				cell, uses := made.Name(f.Name), uint64(0)
				if !of.Shared {
					cell, uses = made.Of(of.Name, p.expr(), f.Name), p.bit
				} else if r == p.role {
					uses = p.bit
				}
				out = append(out, compared(cell, ftdp.Eq, made.Op(ftdp.SetOf), uses))
			}
		}
	}
	return out
}
