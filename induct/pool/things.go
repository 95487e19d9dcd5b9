package pool

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// The things that lemmas speak of, as the text has them: processes, global variables, cells, entries of arrays,
// messages with their fields, and what variables range over.

// own is a name of a variable of lemmas, or one like it that the text does not declare, nor own makes of another one.
func (v *vocabulary) own(name string) string {
	return names.Free(name, "_", func(out string) bool {
		return slices.ContainsFunc(v.m.Names, func(d protocol.Declared) bool { return d.Name == out })
	})
}

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

// alone reports whether there is one process of a role at every size.
func (v *vocabulary) alone(r int) bool { return v.m.Roles[r].Size == 1 && !v.sized(v.m.Roles[r].Count) }

// variable is that of a process, or of a value of a type.
func (v *vocabulary) variable(s subject) variable {
	if s.role >= 0 {
		return variable{s.name, made.Typed(v.m.Roles[s.role].ID)}
	}
	return variable{s.name, v.over(s.typ)}
}

// over is a type as lemmas quantify over it; nil if they cannot.
func (v *vocabulary) over(t *protocol.Type) *ftdp.TypeExpr {
	switch t.Kind {
	case protocol.KindRole:
		return made.Typed(v.m.Roles[t.Role].ID)
	case protocol.KindBool:
		return made.Bool()
	case protocol.KindEnum:
		if name := v.enumeration(t); name != "" {
			return made.Typed(name)
		}
		return nil
	}
	from, to := bound(t.From, t.Lo), bound(t.To, t.Hi)
	if from == nil || to == nil {
		return nil
	}
	return ranging(from, to)
}

// rangeOf is a type as it is written, to tell types apart; "" if lemmas cannot quantify over it.
func (v *vocabulary) rangeOf(t *protocol.Type) string {
	if over := v.over(t); over != nil {
		return over.String()
	}
	return ""
}

// enumeration is the name that a text gives to a type of names; "" if it gives it none.
func (v *vocabulary) enumeration(t *protocol.Type) string {
	for _, s := range v.m.Source.Sections {
		for _, d := range s.Types {
			if d.Type != nil && slices.EqualFunc(d.Type.Enum, t.Values,
				func(i *ftdp.Ident, name string) bool { return i.Name == name }) {
				return d.Name.Name
			}
		}
	}
	return ""
}

func bound(t *protocol.Term, n int32) *ftdp.Expr {
	if t != nil {
		return sumOf(t)
	}
	return numeral(n)
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

// globals lists the global variables, and those of processes that have a name; of arrays and sets those parts that are
// about some subjects.
func (v *vocabulary) globals(about ...subject) (list []scalar) {
	for r := range v.m.Roles {
		if v.m.Roles[r].Shared {
			list = append(list, v.scalars(subject{role: r}, about)...)
		}
		for _, one := range v.called(r) {
			list = append(list, v.scalars(one, about)...)
		}
	}
	return list
}

// called lists the processes of a role that have a name.
func (v *vocabulary) called(role int) []subject {
	return lists.Map(v.m.Roles[role].Named, func(name string) subject { return subject{name: name, role: role} })
}

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

// ranges lists the ranges of numbers that arrays have as indices, or that parameters of rules are from; and the
// enumerations and truth values that arrays have as indices.
func (v *vocabulary) ranges() []*protocol.Type {
	var list []*protocol.Type
	add := func(t *protocol.Type) {
		if !slices.ContainsFunc(list, func(u *protocol.Type) bool {
			return u.Kind == t.Kind && v.rangeOf(u) == v.rangeOf(t)
		}) {
			list = append(list, t)
		}
	}
	index := func(t *protocol.Type) {
		if t.Kind == protocol.KindInt || t.Kind == protocol.KindBool || t.Kind == protocol.KindEnum &&
			v.enumeration(t) != "" {
			add(t)
		}
	}
	for i := range v.m.Rules {
		for _, p := range v.m.Rules[i].Params {
			if p.Type.Kind == protocol.KindInt {
				add(p.Type)
			}
		}
	}
	for r := range v.m.Roles {
		for _, f := range v.m.Roles[r].State.Fields {
			for t := f.Type; t.Kind == protocol.KindArray; t = t.Elem {
				index(t.Index)
			}
		}
	}
	return list
}

// shapes lists what arrays of several indices, or of one, are of: the role of the process whose they are (-1: of none),
// and the types of their indices.
func (v *vocabulary) shapes() (list [][]*protocol.Type) {
	add := func(shape []*protocol.Type) {
		if !slices.ContainsFunc(list, func(other []*protocol.Type) bool {
			return slices.EqualFunc(shape, other, func(a, b *protocol.Type) bool {
				return a.Kind == b.Kind && v.rangeOf(a) == v.rangeOf(b)
			})
		}) {
			list = append(list, shape)
		}
	}
	for r := range v.m.Roles {
		var walk func(t *protocol.Type, shape []*protocol.Type)
		walk = func(t *protocol.Type, shape []*protocol.Type) {
			switch {
			case t.Kind == protocol.KindRecord:
				for _, f := range t.Fields {
					walk(f.Type, shape)
				}
			case t.Kind == protocol.KindArray && !t.Sequence:
				walk(t.Elem, append(slices.Clip(shape), t.Index))
			case t.Scalar() && t.Kind != protocol.KindInt && len(shape) > 0 && v.quantifiable(shape):
				add(shape)
			}
		}
		var owner []*protocol.Type
		if !v.m.Roles[r].Shared {
			owner = []*protocol.Type{{Kind: protocol.KindRole, Role: r}}
		}
		for _, f := range v.m.Roles[r].State.Fields {
			walk(f.Type, owner)
		}
	}
	return slices.DeleteFunc(list, func(shape []*protocol.Type) bool {
		return len(shape) == 1 && shape[0].Kind == protocol.KindRole
	})
}

// quantifiable reports whether lemmas can quantify over all types of a list.
func (v *vocabulary) quantifiable(list []*protocol.Type) bool {
	return !slices.ContainsFunc(list, func(t *protocol.Type) bool { return v.rangeOf(t) == "" })
}

// triples reports whether an array has entries about three processes of a role.
func (v *vocabulary) triples(role int) bool {
	return slices.ContainsFunc(v.shapes(), func(shape []*protocol.Type) bool {
		n := 0
		for _, t := range shape {
			if t.Kind == protocol.KindRole && t.Role == role {
				n++
			}
		}
		return n > 2
	})
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

func (v *vocabulary) ofKind(name string, op ftdp.Op, kind string) []*ftdp.Expr {
	if kind == "" {
		return nil
	}
	return []*ftdp.Expr{made.Op(op, made.Field(made.Name(name), v.kindField()), made.Name(kind))}
}

// is says of a message that it is of a kind, isNot that it is not; nothing, if there are no kinds.
func (v *vocabulary) is(name, kind string) []*ftdp.Expr { return v.ofKind(name, ftdp.Eq, kind) }

func (v *vocabulary) isNot(name, kind string) []*ftdp.Expr { return v.ofKind(name, ftdp.Ne, kind) }

// fields lists the fields of a message of a kind.
func (v *vocabulary) fields(name, kind string, bit uint64) []scalar {
	var list []scalar
	for i, f := range v.m.Message.Fields {
		if f.Type.Scalar() && f.Name != v.kindField() && v.m.Message.Has(kind, i) &&
			!v.never["the field "+f.Name+" of "+kind] {
			always := v.defined["the field "+f.Name+" of "+kind] || v.defined["the field "+f.Name+" of messages"]
			list = append(list, scalar{expr: made.Field(made.Name(name), f.Name), typ: f.Type, defined: always,
				uses: bit, class: v.alike.class("field." + f.Name), written: v.alike.written("field." + f.Name)})
		}
	}
	return list
}

// ofMessage quantifies over the messages from a process to another one.
func (v *vocabulary) ofMessage(name string, from, to subject) variable {
	sent := &ftdp.Expr{Op: ftdp.Call, Name: "sent", Pos: made.At, At: made.At, Width: made.Width,
		Args: []*ftdp.Expr{from.expr(), to.expr()}}
	return variable{v.own(name), ranging(sent, nil)}
}

// sends reports whether processes of a role send anything to those of another.
func sends(m *protocol.Model, from, to int) bool {
	found := false
	for i := range m.Rules {
		if r := &m.Rules[i]; r.Params[r.Executor].Type.Role == from {
			for s := range protocol.Steps(r.Body) {
				found = found || s.Target != nil && (s.Target.Base == protocol.BaseOut ||
					s.Target.Base == protocol.BaseOuts) && s.Target.Role == to
			}
		}
	}
	return found || m.Roles[from].Strategy
}

// pairsOf calls f with roles between which messages are sent.
func (v *vocabulary) pairsOf(f func(from, to int)) {
	if v.m.Message == nil {
		return
	}
	for from := range v.m.Roles {
		for to := range v.m.Roles {
			if sends(v.m, from, to) {
				f(from, to)
			}
		}
	}
}

// sentKinds lists the kinds of messages that statements have processes of a role send to those of another one: all, if
// some statement says that by a variable; none, if there are no messages between them.
func (v *vocabulary) sentKinds(from, to int) []string {
	if v.m.Message == nil || !sends(v.m, from, to) {
		return nil
	}
	kinds := v.kinds()
	var list []string
	for i := range v.m.Rules {
		r := &v.m.Rules[i]
		if r.Params[r.Executor].Type.Role != from {
			continue
		}
		for s := range protocol.Steps(r.Body) {
			if s.Kind == protocol.StepAssign && s.Target.Base == protocol.BaseOut && s.Target.Role == to &&
				s.Target.Type.Kind == protocol.KindEnum {
				if s.Value.Op == ftdp.Number && int(s.Value.Value) < len(kinds) {
					list = append(list, kinds[s.Value.Value])
				} else {
					list = append(list, kinds...)
				}
			}
		}
	}
	if list == nil {
		return kinds
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sentSome calls f with the kinds of messages that a process may be sent, and the variables of who sends one and of it.
func (v *vocabulary) sentSome(f func(from subject, head []variable, kind string), to subject) {
	v.pairsOf(func(sender, receiver int) {
		if receiver != to.role {
			return
		}
		from := subject{name: v.own("p"), role: sender}
		for _, kind := range v.sentKinds(sender, receiver) {
			f(from, []variable{v.variable(from), v.ofMessage("y", from, to)}, kind)
		}
	})
}
