package pool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// vocabulary reads off a text what lemmas may speak of.
type vocabulary struct {
	m         *protocol.Model
	defined   map[string]bool // cells and fields that always have a value
	never     map[string]bool // fields that messages of a kind never have
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
	lines     map[string]bool   // sorts of numbers that the text orders, or calculates with
}

// claim is a part of a guard or an invariant, with the cells and the types of the variables outside of it.
type claim struct {
	term  *protocol.Term
	vars  []int
	types []*protocol.Type
}

// ordering is a condition of the text that compares two processes of a role, by the cells of the frame in which these
// are.
type ordering struct {
	term *protocol.Term
	role int
	vars [2]int
	rule *protocol.Transition // whose message it speaks of
}

// ofSizes notes which constants are sizes: those that assumptions speak of, and those made of these.
func (v *vocabulary) ofSizes() {
	for _, k := range v.m.Constants {
		v.sizes[k.Name] = k.Size
	}
	for changed := true; changed; {
		changed = false
		for _, k := range v.m.Constants {
			if !v.sizes[k.Name] && v.sized(k.Term) {
				v.sizes[k.Name], changed = true, true
			}
		}
	}
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

// ofLines notes which numbers the text orders, or calculates with.
func (v *vocabulary) ofLines() {
	v.lines = map[string]bool{}
	look := func(t *protocol.Term) {
		for t := range t.All() {
			var list []*protocol.Term
			switch t.Op {
			case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge, ftdp.Chain, ftdp.Plus, ftdp.Sub, ftdp.Times:
				list = t.Args
			case ftdp.Max, ftdp.Min:
				list = t.Args[len(t.Args)-1:]
			}
			for _, a := range list {
				if a.Type != nil && a.Type.Kind == protocol.KindInt {
					v.lines[v.sort(a.Type)] = true
				}
			}
		}
	}
	for _, list := range [][]protocol.Transition{v.m.Inits, v.m.Rules} {
		for i := range list {
			for t := range list[i].Terms() {
				look(t)
			}
		}
	}
	for i := range v.m.Props {
		look(v.m.Props[i].Invariant)
	}
}

// inOrder reports whether numbers of a type are compared by which is less: there are more than two, and the text does.
func (v *vocabulary) inOrder(t *protocol.Type) bool {
	return t.Kind == protocol.KindInt && (v.sized(t.To) || t.Size() > 2) && v.lines[v.sort(t)]
}

// sortOf is the sort of a scalar; of a truth value it is which others it is compared with.
func (v *vocabulary) sortOf(c scalar) string {
	if c.typ.Kind == protocol.KindBool {
		return c.class
	}
	return v.sort(c.typ)
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
