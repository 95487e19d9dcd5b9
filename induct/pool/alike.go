package pool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// alike tells which cells, fields and parameters hold values of the same kind: those that the text compares with each
// other, or assigns to each other. By that, numbers of different ranges are compared in lemmas, and truth values that
// are data (what is proposed, and what is decided), as opposed to those that say how far a process is.
type alike struct {
	m       *protocol.Model
	parent  map[string]string
	numbers map[string][]int32 // that the text assigns to them, or compares with them
	scope   string
}

// newAlike reads a text. ranges is called with the types of numbers that are compared with, or assigned to, each other.
func newAlike(m *protocol.Model, ranges func(a, b *protocol.Type)) *alike {
	a := &alike{m: m, parent: map[string]string{}, numbers: map[string][]int32{}}
	join := func(t, u *protocol.Term) { a.join(t, u, ranges) }
	for k, list := range [][]protocol.Transition{m.Inits, m.Rules} {
		for i := range list {
			a.scope = fmt.Sprint(k, " ", i)
			for t := range list[i].Terms() {
				a.conditions(t, join)
			}
			for s := range protocol.Steps(list[i].Body) {
				if s.Kind == protocol.StepAssign {
					join(s.Target, s.Value)
				}
			}
		}
	}
	for i := range m.Props {
		a.scope = "property " + m.Props[i].Name
		a.conditions(m.Props[i].Invariant, join)
	}
	return a
}

// conditions finds what is compared in a term.
func (a *alike) conditions(t *protocol.Term, join func(t, u *protocol.Term)) {
	for t := range t.All() {
		if len(t.Args) == 2 && (compares(t.Op) || t.Op == ftdp.Iff) {
			join(t.Args[0], t.Args[1])
		}
		for k := 1; t.Op == ftdp.Chain && k < len(t.Args); k++ {
			join(t.Args[k-1], t.Args[k])
		}
	}
}

func (a *alike) join(t, u *protocol.Term, ranges func(a, b *protocol.Type)) {
	x, y := a.name(t), a.name(u)
	switch {
	case x != "" && u != nil && u.Op == ftdp.Number:
		a.numbers[x] = append(a.numbers[x], u.Value)
	case y != "" && t != nil && t.Op == ftdp.Number:
		a.numbers[y] = append(a.numbers[y], t.Value)
	}
	if x == "" || y == "" {
		return
	}
	if t.Type.Kind == protocol.KindInt && u.Type.Kind == protocol.KindInt {
		ranges(t.Type, u.Type)
	}
	x, y = a.of(x), a.of(y)
	a.parent[x] = y
	a.parent[y] = y
	if x == y {
		a.parent[x] = x // what is compared with another one of its kind
	}
}

func (a *alike) of(name string) string {
	for a.parent[name] != "" && a.parent[name] != name {
		name = a.parent[name]
	}
	return name
}

// name is that of what a term reads or writes: of a cell of all processes of a role, a field of all messages, a
// variable of a rule. Nothing, if it is none of these.
func (a *alike) name(t *protocol.Term) string {
	if t == nil || t.Type == nil || !t.Type.Scalar() {
		return ""
	}
	switch {
	case (t.Op == ftdp.Max || t.Op == ftdp.Min) && len(t.Args) > 0:
		return a.name(t.Args[0])
	case t.Op == ftdp.Name:
		return fmt.Sprint(a.scope, " variable ", t.Var)
	case !t.IsPlace():
		return ""
	}
	switch t.Base {
	case protocol.BaseRole:
		return "cell " + a.m.Roles[t.Role].Name + path(a.m.Roles[t.Role].State, t.Offset)
	case protocol.BaseMsg, protocol.BaseOut, protocol.BaseOuts, protocol.BaseSent:
		if a.m.Message != nil {
			return "field" + path(a.m.Message, t.Offset)
		}
	case protocol.BaseLet:
		return fmt.Sprint(a.scope, " variable ", t.Var)
	}
	return ""
}

// path is how the fields that lead to a cell are written behind a name.
func path(t *protocol.Type, offset int) string {
	return strings.Join(append([]string{""}, fieldsAt(t, offset)...), ".")
}

// fieldsAt are the fields of records that lead to a cell of a type; nothing of arrays, whose elements are alike.
func fieldsAt(t *protocol.Type, offset int) (list []string) {
	for {
		switch {
		case t.Kind == protocol.KindArray:
			offset, t = offset%t.Elem.Cells, t.Elem
		case t.Kind == protocol.KindRecord:
			k := len(t.Fields) - 1
			for k > 0 && t.Fields[k].Offset > offset {
				k--
			}
			list = append(list, t.Fields[k].Name)
			offset, t = offset-t.Fields[k].Offset, t.Fields[k].Type
		default:
			return list
		}
	}
}

// written lists the numbers that the text assigns to what is like a cell or a field, or compares it with.
func (a *alike) written(name string) (list []int32) {
	for other, numbers := range a.numbers {
		if a.of(other) == a.of(name) {
			list = append(list, numbers...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// class is the kind of values of a cell or a field; nothing, if it is compared with none and not copied.
func (a *alike) class(name string) string {
	if a.parent[name] == "" {
		return ""
	}
	return "data " + a.of(name)
}

func compares(op ftdp.Op) bool { return op.Opposite() != "" }
