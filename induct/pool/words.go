package pool

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/protocol"
)

// atom is a condition on the variables of a context, with its negation.
type atom struct {
	yes, no string
	uses    uint64 // variables of the context, as bits
	counts  bool
	names   bool // it says that there is a message
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
	defined bool
	uses    uint64
}

// words reads off a text what lemmas may speak of.
type words struct {
	m        *protocol.Model
	defined  map[string]bool
	statuses []string
	sizes    map[string]bool
	marks    map[string][]string // numbers made of sizes that cells are compared with, by sorts
}

// newWords makes one; `defined` names cells that always have a value, and fields, as AlwaysDefined does.
func newWords(m *protocol.Model, defined []string) *words {
	v := &words{m: m, defined: map[string]bool{}, sizes: map[string]bool{}}
	for _, name := range defined {
		v.defined[name] = true
	}
	for _, k := range m.Constants {
		v.sizes[k.Name] = k.Size
	}
	look := func(list []protocol.Transition) {
		for i := range list {
			list[i].Statuses(func(t *protocol.Term) {
				if t.Op == protocol.Number {
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
	v.markers()
	return v
}

// own is a name of a variable of lemmas, or one like it that the text does not declare.
func (v *words) own(name string) string {
	out := name
	for k := 2; slices.ContainsFunc(v.m.Names, func(d protocol.Declared) bool { return d.Name == out }); k++ {
		out = fmt.Sprint(name, k)
	}
	return out
}

// ofMessage quantifies over the messages from a process to another one.
func (v *words) ofMessage(name string, from, to subject) string {
	return fmt.Sprintf("forall (%s: sent(%s, %s)) ", v.own(name), from.name, to.name)
}

// scalars lists the cells of a process; of arrays those at others of some subjects.
func (v *words) scalars(p subject, others []subject) []scalar {
	if p.role < 0 {
		return nil
	}
	var list []scalar
	r := &v.m.Roles[p.role]
	var walk func(t *protocol.Type, name, text string, uses uint64, depth int)
	walk = func(t *protocol.Type, name, text string, uses uint64, depth int) {
		switch {
		case t.Scalar():
			list = append(list, scalar{text, t, v.defined[name], uses})
		case t.Kind == protocol.KindRecord:
			for _, f := range t.Fields {
				walk(f.Type, name+"."+f.Name, text+"."+f.Name, uses, depth)
			}
		case t.Kind == protocol.KindArray && depth < 2:
			for _, o := range others {
				if o.name != p.name && v.indexes(o, t.Index) {
					walk(t.Elem, name, text+"["+o.name+"]", uses|o.bit, depth+1)
				}
			}
		}
	}
	for _, f := range r.State.Fields {
		walk(f.Type, r.Name+"."+f.Name, fmt.Sprintf("%s[%s].%s", r.Name, p.name, f.Name), p.bit, 0)
	}
	return list
}

// indexes reports whether a subject is an index of arrays over a type.
func (v *words) indexes(o subject, t *protocol.Type) bool {
	if o.role >= 0 {
		return t.Kind == protocol.KindRole && t.Role == o.role
	}
	return o.typ != nil && t.Kind == o.typ.Kind && v.sort(t) == v.sort(o.typ)
}

// fields lists the fields of a message of a kind.
func (v *words) fields(name, kind string, bit uint64) []scalar {
	var list []scalar
	for _, f := range v.m.Message.Fields {
		if f.Type.Scalar() && f.Name != v.kindField() {
			always := v.defined["the field "+f.Name+" of "+kind] || v.defined["the field "+f.Name+" of messages"]
			list = append(list, scalar{name + "." + f.Name, f.Type, always, bit})
		}
	}
	return list
}

// kindField names the field that says of which kind messages are.
func (v *words) kindField() string {
	for i := range v.m.Message.Fields {
		if f := &v.m.Message.Fields[i]; f.Type.Kind == protocol.KindEnum {
			return f.Name
		}
	}
	return ""
}

// kinds are the kinds of messages; one empty name if there are none.
func (v *words) kinds() []string {
	for i := range v.m.Message.Fields {
		if f := &v.m.Message.Fields[i]; f.Type.Kind == protocol.KindEnum {
			return f.Type.Values
		}
	}
	return []string{""}
}

// fewValues is how many values of numbers are conditions each.
const fewValues = 4

// conditions are those on one scalar: which value it has.
func (v *words) conditions(list []scalar, others []subject) []atom {
	var out []atom
	for _, c := range list {
		equal := func(value string, more uint64) {
			out = append(out, atom{yes: c.text + " = " + value, no: c.text + " != " + value, uses: c.uses | more})
		}
		switch t := c.typ; t.Kind {
		case protocol.KindBool:
			out = append(out, atom{yes: c.text, no: "not " + c.text, uses: c.uses})
		case protocol.KindEnum:
			for _, name := range t.Values {
				equal(name, 0)
			}
		case protocol.KindInt:
			if t.Lo == 0 {
				equal("0", 0)
			}
			if !v.sized(t.To) && !v.sized(t.From) && t.Size() <= fewValues {
				for n := max(t.Lo, 1); n <= t.Hi && t.Size() > 2; n++ {
					equal(fmt.Sprint(n), 0)
				}
			}
			for _, text := range v.marks[v.sort(t)] {
				equal(text, 0)
			}
			for _, o := range others {
				if o.role < 0 && o.typ != nil && v.sort(o.typ) == v.sort(t) {
					equal(o.name, o.bit)
				}
			}
		case protocol.KindRole:
			for _, o := range others {
				if o.role == t.Role {
					equal(o.name, o.bit)
				}
			}
		}
		if !c.defined {
			u := "isundefined(" + c.text + ")"
			out = append(out, atom{yes: u, no: "not " + u, uses: c.uses})
		}
	}
	return out
}

// statusOf are conditions on the status of a process.
func (v *words) statusOf(p subject) []atom {
	var out []atom
	if p.role < 0 {
		return nil
	}
	for _, s := range v.statuses {
		text := fmt.Sprintf("%s[%s].status", v.m.Roles[p.role].Name, p.name)
		out = append(out, atom{yes: text + " = " + s, no: text + " != " + s, uses: p.bit})
	}
	return out
}

// sized reports whether a number depends on sizes.
func (v *words) sized(t *protocol.Term) bool {
	if t == nil {
		return false
	}
	if t.Op == protocol.Number {
		return t.Const != "" && v.sizes[t.Const]
	}
	return slices.ContainsFunc(t.Args, v.sized)
}

// sort tells numbers apart that are not compared: those of ranges with different bounds that depend on sizes.
func (v *words) sort(t *protocol.Type) string {
	switch {
	case t.Kind == protocol.KindRole:
		return fmt.Sprint("role ", t.Role)
	case t.Kind == protocol.KindEnum:
		return strings.Join(t.Values, " ")
	case t.Kind == protocol.KindInt && v.sized(t.To):
		return sum(t.To)
	case t.Kind == protocol.KindInt:
		return "numbers"
	}
	return ""
}

// sum is a number made of constants, as it is written.
func sum(t *protocol.Term) string { return written(t, 0) }

// written is a number where operators stand that bind with some strength: what binds less is in parentheses.
func written(t *protocol.Term, outer int) string {
	join := func(strength int) string {
		s := written(t.Args[0], strength) + " " + string(t.Op) + " " + written(t.Args[1], strength+1)
		if strength < outer {
			return "(" + s + ")"
		}
		return s
	}
	switch t.Op {
	case protocol.Number:
		if t.Const != "" {
			return t.Const
		}
		return fmt.Sprint(t.Value)
	case protocol.Minus:
		return "(-" + written(t.Args[0], 3) + ")"
	case protocol.Plus, protocol.Sub:
		return join(1)
	case protocol.Times, protocol.Div, protocol.Mod:
		return join(2)
	case protocol.Ceiling:
		return "[" + written(t.Args[0], 0) + "]"
	}
	return ""
}

// comparisons compares scalars of the same kind of values.
func (v *words) comparisons(a, b []scalar) []atom {
	var out []atom
	seen := map[[2]string]bool{}
	for _, c := range a {
		for _, d := range b {
			if c.text == d.text || seen[[2]string{d.text, c.text}] || v.sort(c.typ) == "" || v.sort(c.typ) != v.sort(d.typ) {
				continue
			}
			seen[[2]string{c.text, d.text}] = true
			uses := c.uses | d.uses
			out = append(out, atom{yes: c.text + " = " + d.text, no: c.text + " != " + d.text, uses: uses})
			if c.typ.Kind != protocol.KindInt || !v.sized(c.typ.To) && c.typ.Size() <= 2 {
				continue
			}
			if c.defined && d.defined {
				out = append(out, atom{yes: c.text + " < " + d.text, no: c.text + " >= " + d.text, uses: uses},
					atom{yes: c.text + " <= " + d.text, no: c.text + " > " + d.text, uses: uses})
				continue
			}
			for _, op := range []string{" < ", " <= ", " > ", " >= "} {
				out = append(out, atom{yes: "isundefined(" + c.text + ") or isundefined(" + d.text + ") or " + c.text + op + d.text, uses: uses})
			}
		}
	}
	return out
}

// threshold is a number of processes of a role that rules, initial states or conditions speak of.
type threshold struct {
	role int
	text string
}

// thresholds lists the sizes of quorums.
func (v *words) thresholds() []threshold {
	var list []threshold
	look := func(ts []protocol.Transition) {
		for i := range ts {
			for _, p := range ts[i].Params {
				if p.Type.Kind != protocol.KindQuorum {
					continue
				}
				if one := (threshold{p.Type.Role, sum(p.Count)}); one.text != "" && !slices.Contains(list, one) {
					list = append(list, one)
				}
			}
		}
	}
	look(v.m.Inits)
	look(v.m.Rules)
	return list
}
