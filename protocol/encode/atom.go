package encode

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Mark says what an atom is about.
type Mark uint8

// The marks.
const (
	Status   Mark = 1 << iota // statuses of processes
	Transit                   // messages on their way
	Global                    // all processes of a role: counts, quantifiers
	Relation                  // parts of several processes, compared
)

// Atom is a condition on some processes.
type Atom struct {
	Text  string
	Mark  Mark
	Whose uint // bit i: part of the state of process i of them
	lit   func(who []int) Lit
}

// Atoms is a vocabulary: conditions on processes of certain roles, that differ.
type Atoms struct {
	Roles []int
	Names []string // of the processes
	List  []Atom
	// Tuples are all choices of processes, by their number among all; Lits[t][a] is atom a of tuple t.
	Tuples [][]int
	Lits   [][]Lit
	Index  map[string]int
}

var names = []string{"i", "j", "k", "l"}

// Atoms returns the vocabulary for processes of some roles; nil if there are not so many. It comes from the text: each
// cell with each of its values, cells that can be compared, messages on their way with parts that are constants or
// compared with cells, statuses, and what guards and properties ask.
func (x *Encoding) Atoms(roles []int) (*Atoms, error) {
	v := &Atoms{Roles: roles, Names: names[:len(roles)], Index: map[string]int{}}
	v.tuples(x, nil)
	if len(v.Tuples) == 0 {
		return nil, nil
	}
	b := &atoms{Encoding: x, v: v}
	b.places()
	b.cellAtoms()
	b.comparisons()
	b.statuses()
	b.messages()
	if err := b.conditions(); err != nil {
		return nil, err
	}
	for _, who := range v.Tuples {
		row := lists.Make(len(v.List), func(i int) Lit { return v.List[i].lit(who) })
		v.Lits = append(v.Lits, row)
	}
	return v, nil
}

func (v *Atoms) tuples(x *Encoding, who []int) {
	if len(who) == len(v.Roles) {
		v.Tuples = append(v.Tuples, append([]int(nil), who...))
		return
	}
	role := &x.Model.Roles[v.Roles[len(who)]]
next:
	for p := role.First; p < role.First+role.Size; p++ {
		for _, q := range who {
			if q == p {
				continue next
			}
		}
		v.tuples(x, append(who, p))
	}
}

type atoms struct {
	*Encoding
	v    *Atoms
	list []scalarOf
}

// scalarOf is a scalar of a process, for any choice of processes.
type scalarOf struct {
	text  string
	of    *protocol.Type
	owner int
	load  func(who []int) value
}

func (b *atoms) add(a Atom) {
	if _, old := b.v.Index[a.Text]; old {
		return
	}
	b.v.Index[a.Text] = len(b.v.List)
	b.v.List = append(b.v.List, a)
}

// most bounds the constants that stand for indices.
const most = 4

// places finds the scalars of the processes.
func (b *atoms) places() {
	m := b.Model
	for i, r := range b.v.Roles {
		var walk func(t *protocol.Type, text string, at func(who []int) int)
		walk = func(t *protocol.Type, text string, at func(who []int) int) {
			switch t.Kind {
			case protocol.KindRecord:
				for _, f := range t.Fields {
					walk(f.Type, text+"."+f.Name, func(who []int) int { return at(who) + f.Offset })
				}
			case protocol.KindArray:
				if t.Index.Kind == protocol.KindRole {
					for j, s := range b.v.Roles {
						if s == t.Index.Role {
							walk(t.Elem, text+"["+b.v.Names[j]+"]", func(who []int) int {
								_, number := m.RoleOf(who[j])
								return at(who) + (number-1)*t.Elem.Cells
							})
						}
					}
					return
				}
				for k := range min(t.Index.Size(), most) {
					n := t.Index.Lo + int32(k)
					walk(t.Elem, text+"["+t.Index.Format(n)+"]",
						func(who []int) int { return at(who) + k*t.Elem.Cells })
				}
			default:
				b.list = append(b.list, scalarOf{text: text, of: t, owner: i,
					load: func(who []int) value { return b.load(b.cells[who[i]][at(who)]) }})
			}
		}
		walk(m.Roles[r].State, m.Roles[r].Name+"["+b.v.Names[i]+"]", func([]int) int { return 0 })
	}
}

// values yields what a scalar of a type may be equal to: constants, and processes.
func (b *atoms) values(t *protocol.Type, yield func(text string, of func(who []int) int32, about uint)) {
	if t.Kind == protocol.KindRole {
		for j, r := range b.v.Roles {
			if r == t.Role {
				yield(b.v.Names[j], func(who []int) int32 {
					_, number := b.Model.RoleOf(who[j])
					return int32(number)
				}, 1<<j)
			}
		}
		return
	}
	if t.Size() > few || t.Size() < 1 {
		for _, n := range []int32{0, 1} {
			if t.Lo <= n && n <= t.Hi {
				yield(t.Format(n), func([]int) int32 { return n }, 0)
			}
		}
		return
	}
	for n := t.Lo; n <= t.Hi; n++ {
		yield(t.Format(n), func([]int) int32 { return n }, 0)
	}
}

func (b *atoms) cellAtoms() {
	for _, s := range b.list {
		whose := uint(1) << s.owner
		b.add(Atom{Text: "isundefined(" + s.text + ")", Whose: whose,
			lit: func(who []int) Lit { return s.load(who).undefined(b.Circuit) }})
		b.values(s.of, func(text string, of func([]int) int32, about uint) {
			if s.of.Kind == protocol.KindBool && text == "false" {
				return // what is defined and not true
			}
			b.add(Atom{Text: s.text + " = " + text, Whose: whose | about,
				lit: func(who []int) Lit { return b.is(s.load(who), of(who)) }})
			if s.of.Kind == protocol.KindInt && s.of.Size() > 2 {
				b.add(Atom{Text: s.text + " > " + text, Whose: whose, lit: func(who []int) Lit {
					return b.compare(ftdp.Gt, s.load(who), constantValue(of(who)))
				}})
			}
		})
	}
}

// kin reports whether scalars of two types can be compared.
func kin(t, u *protocol.Type) bool {
	return t.Kind == u.Kind && (t.Kind != protocol.KindRole || t.Role == u.Role) &&
		(t.Kind != protocol.KindEnum || strings.Join(t.Values, ",") == strings.Join(u.Values, ","))
}

func (b *atoms) comparisons() {
	for i, s := range b.list {
		for _, u := range b.list[:i] {
			if !kin(s.of, u.of) || s.of.Kind == protocol.KindEnum && s.owner == u.owner {
				continue
			}
			mark := Mark(0)
			if s.owner != u.owner {
				mark = Relation
			}
			whose := uint(1)<<s.owner | 1<<u.owner
			b.add(Atom{Text: u.text + " = " + s.text, Mark: mark, Whose: whose,
				lit: func(who []int) Lit { return b.equal(u.load(who), s.load(who)) }})
			if s.of.Kind == protocol.KindInt && s.of.Size() > 2 {
				for _, pair := range [][2]scalarOf{{s, u}, {u, s}} {
					b.add(Atom{Text: pair[0].text + " < " + pair[1].text, Mark: mark, Whose: whose,
						lit: func(who []int) Lit {
							return b.compare(ftdp.Lt, pair[0].load(who), pair[1].load(who))
						}})
				}
			}
		}
	}
}

func (b *atoms) statuses() {
	kinds := 0
	for _, possible := range b.Encoding.statuses {
		if possible {
			kinds++
		}
	}
	if kinds < 2 {
		return
	}
	for i, r := range b.v.Roles {
		for s, possible := range b.Encoding.statuses {
			if possible {
				b.add(Atom{Text: fmt.Sprintf("%s[%s].status = %s", b.Model.Roles[r].Name, b.v.Names[i],
					protocol.Status(s)), Mark: Status, Whose: 1 << i,
					lit: func(who []int) Lit { return b.is(b.load(b.status[who[i]]), int32(s)) }})
			}
		}
	}
}

// part is a condition on a message.
type part struct {
	text     string
	field    int
	whose    uint
	constant bool
	orders   bool // it says which of two is greater
	is       func(cells []value, who []int) Lit
}

// messages adds conditions on what is on its way from a process to another one, or to any process of a role.
func (b *atoms) messages() {
	if b.Model.Message == nil {
		return
	}
	kind := -1
	leaves := b.Model.MessageLeaves()
	for f, t := range leaves {
		if t.Kind == protocol.KindEnum {
			kind = f
			break
		}
	}
	sent, parts := b.sentFields(kind), b.messageParts(leaves, kind)
	flows := slices.SortedFunc(maps.Keys(sent), func(a, b flow) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.kind, b.kind))
	})
	b.several(flows)
	for _, key := range flows {
		fields := sent[key]
		what := "message"
		first := func([]value) Lit { return True }
		if kind >= 0 && key.kind >= 0 {
			what = b.Model.Message.CellName(kind) + " = " + leaves[kind].Format(key.kind)
			first = func(c []value) Lit { return b.is(c[kind], key.kind) }
		}
		pattern := func(list ...part) { b.pattern(what, first, key.from, key.to, list) }
		pattern()
		if kind >= 0 && key.kind >= 0 {
			b.pattern("message of another kind", func(c []value) Lit {
				out := True
				for _, other := range flows {
					if other.from == key.from && other.to == key.to {
						out = b.And(out, b.is(c[kind], other.kind).Not())
					}
				}
				return out
			}, key.from, key.to, nil)
		}
		for f := range leaves {
			name := b.Model.Message.CellName(f)
			switch {
			case f == kind:
			case fields[f]:
				pattern(part{"no " + name, f, 0, true, false, func(c []value, _ []int) Lit {
					return c[f].undefined(b.Circuit)
				}})
			default:
				pattern(part{"some " + name, f, 0, true, false, func(c []value, _ []int) Lit {
					return c[f].undefined(b.Circuit).Not()
				}})
			}
		}
		for i, p := range parts {
			if !fields[p.field] {
				continue
			}
			pattern(p)
			for _, q := range parts[:i] {
				if fields[q.field] && p.field != q.field && (p.constant || q.constant) && !p.orders && !q.orders {
					pattern(q, p)
				}
			}
		}
	}
}

// messageParts compares fields of messages, but for the kind, with constants and with what processes have.
func (b *atoms) messageParts(leaves []*protocol.Type, kind int) (parts []part) {
	for f, t := range leaves {
		if f == kind {
			continue
		}
		name := b.Model.Message.CellName(f)
		if t.Size() <= few {
			b.values(t, func(text string, of func([]int) int32, about uint) {
				parts = append(parts, part{name + " = " + text, f, about, true, false,
					func(c []value, who []int) Lit { return b.is(c[f], of(who)) }})
			})
		}
		for _, s := range b.list {
			if !kin(s.of, t) || t.Kind == protocol.KindEnum {
				continue
			}
			parts = append(parts, part{name + " != " + s.text, f, 1 << s.owner, false, false,
				func(c []value, who []int) Lit { return b.equal(c[f], s.load(who)).Not() }})
			if t.Kind == protocol.KindInt && t.Size() > 2 {
				parts = append(parts, part{name + " > " + s.text, f, 1 << s.owner, false, true,
					func(c []value, who []int) Lit { return b.compare(ftdp.Gt, c[f], s.load(who)) }},
					part{name + " < " + s.text, f, 1 << s.owner, false, true,
						func(c []value, who []int) Lit { return b.compare(ftdp.Lt, c[f], s.load(who)) }})
			}
		}
	}
	return parts
}

// manyMessages is how many messages on their way from one process to another are counted.
const manyMessages = 4

// several adds that so many messages are on their way from a process to another one.
func (b *atoms) several(flows []flow) {
	for i, r := range b.v.Roles {
		for j, s := range b.v.Roles {
			if !slices.ContainsFunc(flows, func(f flow) bool { return f.from == r && f.to == s }) {
				continue
			}
			for k := 1; k < min(b.Model.Channels.Bound, manyMessages); k++ {
				b.add(Atom{Text: fmt.Sprintf("%d messages from %s to %s", k+1, b.v.Names[i], b.v.Names[j]),
					Mark: Transit, Whose: 1<<i | 1<<j,
					lit: func(who []int) Lit { return b.lits[b.channels[who[i]*b.n+who[j]][k].present] }})
			}
		}
	}
}

// flow is what processes of a role may send to those of another one: a kind of
// messages, or -1 if it is not known or there are none.
type flow struct {
	from, to int
	kind     int32
}

// sentFields says which fields messages have, by what the rules that send them assign.
func (b *atoms) sentFields(kind int) map[flow]map[int]bool {
	out := map[flow]map[int]bool{}
	for i := range b.Model.Rules {
		t := &b.Model.Rules[i]
		fields := map[int]map[int]bool{} // by receiving role
		kinds := map[int]map[int32]bool{}
		for s := range protocol.Steps(t.Body) {
			if s.Kind != protocol.StepAssign || s.Target.Base != protocol.BaseOut {
				continue
			}
			to := s.Target.Role
			if fields[to] == nil {
				fields[to], kinds[to] = map[int]bool{}, map[int32]bool{}
			}
			last := s.Target.Offset + s.Target.Type.Cells
			for _, x := range s.Target.Indices {
				last += (x.Array.Index.Size() - 1) * x.Stride
			}
			for f := s.Target.Offset; f < last; f++ {
				fields[to][f] = true
			}
			if s.Target.Offset <= kind && kind < last {
				if s.Value.Op == ftdp.Number {
					kinds[to][s.Value.Value] = true
				} else {
					kinds[to][-1] = true
				}
			}
		}
		for to, list := range fields {
			if len(kinds[to]) == 0 {
				kinds[to][-1] = true
			}
			for k := range kinds[to] {
				key := flow{t.Params[t.Executor].Type.Role, to, k}
				if out[key] == nil {
					out[key] = map[int]bool{}
				}
				for f := range list {
					out[key][f] = true
				}
			}
		}
	}
	return out
}

// pattern adds conditions on messages of a kind with certain parts.
func (b *atoms) pattern(what string, first func([]value) Lit, from, to int, list []part) {
	var texts []string
	whose := uint(0)
	for _, p := range list {
		texts = append(texts, p.text)
		whose |= p.whose
	}
	if texts != nil {
		what += " with " + strings.Join(texts, " and ")
	}
	in := func(p, q int, who []int) Lit {
		out := False
		for _, slot := range b.channels[p*b.n+q] {
			cells := lists.Map(slot.cells, b.load)
			is := b.And(b.lits[slot.present], first(cells))
			for _, p := range list {
				is = b.And(is, p.is(cells, who))
			}
			out = b.Or(out, is)
		}
		return out
	}
	for i, r := range b.v.Roles {
		if r != from {
			continue
		}
		for j, s := range b.v.Roles {
			if s == to {
				b.add(Atom{Text: fmt.Sprintf("%s from %s to %s", what, b.v.Names[i], b.v.Names[j]), Mark: Transit,
					Whose: whose | 1<<i | 1<<j, lit: func(who []int) Lit { return in(who[i], who[j], who) }})
			}
		}
		role := &b.Model.Roles[to]
		b.add(Atom{Text: fmt.Sprintf("%s from %s to some %s", what, b.v.Names[i], role.Name), Mark: Transit,
			Whose: whose | 1<<i, lit: func(who []int) Lit {
				out := False
				for q := role.First; q < role.First+role.Size; q++ {
					out = b.Or(out, in(who[i], q, who))
				}
				return out
			}})
	}
}

// conditions adds what guards, conditions of statements and properties ask of processes, where
// that is more than a comparison.
func (b *atoms) conditions() error {
	m := b.Model
	var failure error
	visit := func(frame int, t *protocol.Term, bound map[int]int) {}
	var parts func(frame int, t *protocol.Term, bound map[int]int)
	parts = func(frame int, t *protocol.Term, bound map[int]int) {
		switch t.Op {
		case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff:
			for _, a := range t.Args {
				parts(frame, a, bound)
			}
			return
		}
		visit(frame, t, bound)
	}
	visit = func(frame int, t *protocol.Term, bound map[int]int) {
		used := map[int]bool{}
		ok, aggregates := t.Free(used)
		if !ok || !aggregates {
			if (t.Op == ftdp.ForAll || t.Op == ftdp.Exists) && t.Range.Type.Kind == protocol.KindRole {
				b.quantified(frame, t, bound, parts)
			}
			return
		}
		b.bind(frame, t, used, bound, &failure)
		if (t.Op == ftdp.ForAll || t.Op == ftdp.Exists) && t.Range.Type.Kind == protocol.KindRole {
			b.quantified(frame, t, bound, parts)
		}
	}
	for i := range m.Props {
		if p := &m.Props[i]; p.Invariant != nil {
			parts(p.Frame, p.Invariant, map[int]int{})
		}
	}
	for i := range m.Rules {
		t := &m.Rules[i]
		bound := map[int]int{}
		for k, p := range t.Params {
			if p.Type.Kind == protocol.KindRole {
				bound[t.Cell(k)] = p.Type.Role
			}
		}
		for c := range t.Conditions() {
			parts(t.Frame, c, bound)
		}
	}
	return failure
}

// quantified goes on inside a quantifier over processes.
func (b *atoms) quantified(frame int, t *protocol.Term, bound map[int]int,
	parts func(int, *protocol.Term, map[int]int)) {
	inner := map[int]int{t.Var: t.Range.Type.Role}
	maps.Copy(inner, bound)
	parts(frame, t.Args[0], inner)
}

// bind adds a condition for all ways to take its variables for processes.
func (b *atoms) bind(frame int, t *protocol.Term, used map[int]bool, bound map[int]int, failure *error) {
	var cells []int
	for cell := range used {
		if _, ok := bound[cell]; !ok {
			return // a number that is no process
		}
		cells = append(cells, cell)
	}
	slices.Sort(cells)
	choice := make([]int, len(cells))
	var choose func(i int)
	choose = func(i int) {
		if i < len(cells) {
			for j, r := range b.v.Roles {
				if r == bound[cells[i]] {
					choice[i] = j
					choose(i + 1)
				}
			}
			return
		}
		pick := append([]int(nil), choice...)
		whose := uint(0)
		text := "(" + b.Model.Excerpt(t) + ")"
		for k, j := range pick {
			whose |= 1 << j
			if k == 0 {
				text += " for "
			} else {
				text += ", "
			}
			text += b.v.Names[j]
		}
		b.add(Atom{Text: text, Mark: Global, Whose: whose, lit: func(who []int) Lit {
			values := make([]int32, frame)
			for k, j := range pick {
				_, number := b.Model.RoleOf(who[j])
				values[cells[k]] = int32(number)
			}
			holds, _, err := b.Holds(t, values)
			if err != nil {
				*failure = err
			}
			return holds
		}})
	}
	choose(0)
}
