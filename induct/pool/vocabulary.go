package pool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// atom is a condition on the variables of a template, with its negation.
type atom struct {
	yes, no string
	uses    uint64     // variables of the template, as bits
	counts  bool       // it counts, or quantifies over processes
	names   bool       // it says that there is a message
	counted string     // what is counted, if it says how many are like that
	least   *threshold // and how many
}

// positive reports whether the negation is no condition to look for.
func (a atom) positive() bool { return a.no == "" }

// subject is a process, a message or a number that conditions speak of.
type subject struct {
	name string
	role int            // of a process; -1 for others
	typ  *protocol.Type // of a number
	bit  uint64
}

// scalar is a cell or a field, as it is written.
type scalar struct {
	text    string
	typ     *protocol.Type
	place   string // where the value is; nothing if text says that
	defined bool
	uses    uint64
	class   string // of truth values: which others they are compared with
}

// operand is a scalar as a side of a comparison.
func (c scalar) operand() string {
	if c.place != "" {
		return "(" + c.text + ")" // that something is in a set
	}
	return c.text
}

// vocabulary reads off a text what lemmas may speak of.
type vocabulary struct {
	m         *protocol.Model
	defined   map[string]bool
	statuses  []string
	sizes     map[string]bool   // constants
	instances []*protocol.Model // that are sampled
	numbers   []threshold
	atFirst   []threshold
	claimed   []claim             // by guards and invariants
	marks     map[string][]string // numbers made of sizes that cells are compared with, by sorts

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
func (v *vocabulary) ofMessage(name string, from, to subject) string {
	return fmt.Sprintf("forall (%s: sent(%s, %s)) ", v.own(name), from.name, to.name)
}

// scalars lists the cells of a process; of arrays those at others of some subjects.
func (v *vocabulary) scalars(p subject, others []subject) []scalar {
	if p.role < 0 {
		return nil
	}
	var list []scalar
	r := &v.m.Roles[p.role]
	var walk func(t *protocol.Type, name, text string, uses uint64, depth int)
	walk = func(t *protocol.Type, name, text string, uses uint64, depth int) {
		switch {
		case t.Scalar():
			list = append(list, scalar{text: text, typ: t, defined: v.defined[name], uses: uses,
				class: v.alike.class("cell " + name)})
		case t.Kind == protocol.KindRecord:
			for _, f := range t.Fields {
				walk(f.Type, name+"."+f.Name, text+"."+f.Name, uses, depth)
			}
		case t.Kind == protocol.KindArray && depth < 4:
			for _, o := range others {
				switch {
				case depth == 0 && o.name == p.name && o.role == p.role || !v.indexes(o, t.Index):
				case t.Set:
					list = append(list, scalar{text: o.name + " in " + text, typ: t.Elem,
						place:   text + "[" + o.name + "]",
						defined: v.defined[name], uses: uses | o.bit})
				default:
					walk(t.Elem, name, text+"["+o.name+"]", uses|o.bit, depth+1)
				}
			}
		}
	}
	for _, f := range r.State.Fields {
		name, text := r.Name+"."+f.Name, fmt.Sprintf("%s[%s].%s", r.Name, p.name, f.Name)
		if r.Shared {
			name, text = f.Name, f.Name
		}
		walk(f.Type, name, text, p.bit, 0)
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
			list = append(list, scalar{text: name + "." + f.Name, typ: f.Type, defined: always, uses: bit,
				class: v.alike.class("field." + f.Name)})
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
		equal := func(value string, more uint64) {
			out = append(out, atom{yes: c.operand() + " = " + value, no: c.operand() + " != " + value,
				uses: c.uses | more})
		}
		switch t := c.typ; t.Kind {
		case protocol.KindBool, protocol.KindEnum:
			if t.Kind == protocol.KindBool {
				out = append(out, atom{yes: c.text, no: "not " + c.text, uses: c.uses})
			}
			for _, name := range t.Values {
				equal(name, 0)
			}
			for _, o := range others {
				if o.role < 0 && v.likeNumber(t, o) {
					equal(o.name, o.bit)
				}
			}
		case protocol.KindInt:
			if t.Lo == 0 {
				equal("0", 0)
			}
			if !v.many(c) {
				for n := max(t.Lo, 1); n <= t.Hi && (t.Size() > 2 || t.Lo > 0); n++ {
					equal(fmt.Sprint(n), 0)
				}
			}
			for _, text := range v.marks[v.sort(t)] {
				equal(text, 0)
			}
			for _, o := range others {
				if o.role < 0 && v.likeNumber(t, o) {
					equal(o.name, o.bit)
				}
			}
		case protocol.KindRole:
			for _, o := range others {
				if o.role == t.Role {
					equal(o.name, o.bit)
					if v.ordered[t.Role] {
						out = append(out, v.comesFirst(c, o))
					}
				}
			}
		}
		if !c.defined {
			u := "isundefined(" + cmp.Or(c.place, c.text) + ")"
			out = append(out, atom{yes: u, no: "not " + u, uses: c.uses})
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
		text := fmt.Sprintf("%s[%s].status", v.m.Roles[p.role].Name, p.name)
		out = append(out, atom{yes: text + " = " + s, no: text + " != " + s, uses: p.bit})
	}
	return out
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
		return everysize.Sum(t.To)
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
	for _, c := range a {
		for _, d := range b {
			if c.text == d.text || seen[[2]string{d.text, c.text}] || v.sortOf(c) == "" || v.sortOf(c) != v.sortOf(d) {
				continue
			}
			seen[[2]string{c.text, d.text}] = true
			uses := c.uses | d.uses
			out = append(out, atom{yes: c.operand() + " = " + d.operand(), no: c.operand() + " != " + d.operand(),
				uses: uses})
			ordered := c.typ.Kind == protocol.KindInt && (v.sized(c.typ.To) || c.typ.Size() > 2) ||
				c.typ.Kind == protocol.KindRole && v.ordered[c.typ.Role]
			if !ordered {
				continue
			}
			if c.defined && d.defined {
				out = append(out, atom{yes: c.text + " < " + d.text, no: c.text + " >= " + d.text, uses: uses},
					atom{yes: c.text + " <= " + d.text, no: c.text + " > " + d.text, uses: uses})
				continue
			}
			for _, op := range []string{" < ", " <= ", " > ", " >= "} {
				out = append(out, atom{yes: "isundefined(" + c.text + ") or isundefined(" + d.text + ") or " + c.text +
					op + d.text, uses: uses})
			}
		}
	}
	return out
}
