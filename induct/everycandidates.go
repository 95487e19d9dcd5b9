package induct

import (
	"fmt"
	"strings"

	"tacheck/protocol"
)

// mostCandidates bounds the pool.
const mostCandidates = 9000

// candidateTexts lists lemmas that may be true for every size, in the language of protocols, the
// shortest first: clauses of conditions on one or two processes, and what messages of a
// kind have to do with their senders and receivers. Processes of the same role are said
// to be different where that is meant. `defined` names cells that always have a value, as `role.cell`.
func candidateTexts(m *protocol.Model, defined []string) []string {
	g := &generator{m: m, seen: map[string]bool{}, defined: map[string]bool{}}
	for _, name := range defined {
		g.defined[name] = true
	}
	for r := range m.Roles {
		one := g.cells(r, "i", -1, "")
		g.clauses(fmt.Sprintf("forall (i: %s) ", m.Roles[r].ID), "", literals(one), 2)
	}
	for r := range m.Roles {
		for s := range m.Roles {
			g.messages(r, s)
		}
	}
	for r := range m.Roles {
		for s := r; s < len(m.Roles); s++ {
			g.pairs(r, s)
		}
	}
	for r := range m.Roles {
		for s := range m.Roles {
			g.exchanges(r, s)
		}
	}
	for r := range m.Roles {
		for s := range m.Roles {
			g.triples(r, s)
		}
	}
	return g.list
}

type generator struct {
	m       *protocol.Model
	list    []string
	seen    map[string]bool
	defined map[string]bool
}

// scalar is a cell with its type, as it is written.
type scalar struct {
	name string
	text string
	typ  *protocol.Type
}

// cells lists conditions on the cells of a process; of arrays over another role, those at another process.
func (g *generator) cells(role int, name string, other int, at string) []string {
	var list []string
	for _, c := range g.scalars(role, name, other, at) {
		switch c.typ.Kind {
		case protocol.KindBool:
			list = append(list, c.text)
		case protocol.KindEnum:
			for _, v := range c.typ.Values {
				list = append(list, c.text+" = "+v)
			}
		case protocol.KindInt:
			if c.typ.Lo == 0 {
				list = append(list, c.text+" = 0")
			}
		}
		if !g.defined[c.name] {
			list = append(list, "isundefined("+c.text+")")
		}
	}
	return list
}

// scalars lists the cells of a process.
func (g *generator) scalars(role int, name string, other int, at string) []scalar {
	var list []scalar
	r := &g.m.Roles[role]
	for _, f := range r.State.Fields {
		text := fmt.Sprintf("%s[%s].%s", r.Name, name, f.Name)
		switch {
		case f.Type.Scalar():
			list = append(list, scalar{r.Name + "." + f.Name, text, f.Type})
		case f.Type.Kind == protocol.KindArray && f.Type.Elem.Scalar() && f.Type.Index.Kind == protocol.KindRole && f.Type.Index.Role == other:
			list = append(list, scalar{r.Name + "." + f.Name, text + "[" + at + "]", f.Type.Elem})
		}
	}
	return list
}

func literals(atoms []string) []string {
	var list []string
	for _, a := range atoms {
		list = append(list, a, "not "+a)
	}
	return list
}

// clauses adds disjunctions of up to so many literals.
func (g *generator) clauses(head, unless string, list []string, most int) {
	for _, a := range list {
		g.add(head + unless + "(" + a + ")")
	}
	if most < 2 {
		return
	}
	for i, a := range list {
		for _, b := range list[i+1:] {
			if strings.TrimPrefix(a, "not ") != strings.TrimPrefix(b, "not ") {
				g.add(head + unless + "(" + a + ") or (" + b + ")")
			}
		}
	}
}

func (g *generator) add(text string) {
	if !g.seen[text] && len(g.list) < mostCandidates {
		g.seen[text] = true
		g.list = append(g.list, text)
	}
}

// comparisons compares cells of the same kind of values; what is undefined is left out.
func comparisons(a, b []scalar) []string {
	var list []string
	for _, c := range a {
		for _, d := range b {
			if c.text == d.text || c.typ.Kind != d.typ.Kind || c.typ.Kind == protocol.KindBool {
				continue
			}
			if c.typ.Kind == protocol.KindRole && c.typ.Role != d.typ.Role || c.typ.Kind == protocol.KindEnum {
				continue
			}
			list = append(list, c.text+" = "+d.text)
			if c.typ.Kind == protocol.KindInt {
				defined := "isundefined(" + c.text + ") or isundefined(" + d.text + ") or "
				list = append(list, defined+c.text+" < "+d.text, defined+c.text+" <= "+d.text)
			}
		}
	}
	return list
}

// differ is what begins a clause about two processes of a role that are meant to be different.
const differ = "i = j or "

// pairs adds clauses about two processes; if they are of one role, of any two of them, and of
// different ones.
func (g *generator) pairs(r, s int) {
	g.pairsUnless(r, s, "")
	if r == s {
		g.pairsUnless(r, s, differ)
	}
}

func (g *generator) pairsUnless(r, s int, unless string) {
	head := fmt.Sprintf("forall (i: %s) forall (j: %s) ", g.m.Roles[r].ID, g.m.Roles[s].ID)
	a, b := g.cells(r, "i", s, "j"), g.cells(s, "j", r, "i")
	compare := comparisons(g.scalars(r, "i", s, "j"), g.scalars(s, "j", r, "i"))
	both := literals(append(append([]string(nil), a...), b...))
	for _, c := range compare {
		g.add(head + unless + "(" + c + ")")
	}
	for _, c := range compare {
		for _, l := range both {
			g.add(head + unless + "(" + c + ") or (" + l + ")")
		}
	}
	g.clauses(head, unless, both, 2)
	for _, c := range compare {
		for _, l := range literals(a) {
			for _, k := range literals(b) {
				g.add(head + unless + "(" + c + ") or (" + l + ") or (" + k + ")")
			}
		}
	}
}

// exchanges adds what messages of a kind have to do with who sent them and who gets them.
func (g *generator) exchanges(from, to int) {
	if g.m.Message == nil || !g.sends(from, to) {
		return
	}
	head := fmt.Sprintf("forall (i: %s) forall (j: %s) forall (x: sent(i, j)) ", g.m.Roles[from].ID, g.m.Roles[to].ID)
	sender, receiver := literals(g.cells(from, "i", to, "j")), literals(g.cells(to, "j", from, "i"))
	for _, k := range g.kinds() {
		for _, l := range receiver {
			g.add(head + k + "(" + l + ")")
			for _, o := range sender {
				g.add(head + k + "(" + o + ") or (" + l + ")")
			}
		}
	}
}

// triples adds clauses of two conditions on one process and one on another, that says of its arrays what they have
// of the first.
func (g *generator) triples(r, s int) {
	head := fmt.Sprintf("forall (i: %s) forall (j: %s) ", g.m.Roles[r].ID, g.m.Roles[s].ID)
	unless := ""
	if r == s {
		unless = differ
	}
	a, b := literals(g.cells(r, "i", s, "j")), literals(g.cells(s, "j", r, "i"))
	for i, l := range a {
		for _, k := range a[i+1:] {
			if strings.TrimPrefix(l, "not ") == strings.TrimPrefix(k, "not ") {
				continue
			}
			for _, o := range b {
				g.add(head + unless + "(" + l + ") or (" + k + ") or (" + o + ")")
			}
		}
	}
}

// sends reports whether processes of a role send anything to those of another.
func (g *generator) sends(from, to int) bool {
	found := false
	var walk func(list []*protocol.Step)
	walk = func(list []*protocol.Step) {
		for _, s := range list {
			found = found || s.Target != nil && (s.Target.Base == protocol.BaseOut || s.Target.Base == protocol.BaseOuts) && s.Target.Role == to
			for _, b := range s.Blocks {
				walk(b)
			}
		}
	}
	for i := range g.m.Rules {
		if r := &g.m.Rules[i]; r.Params[r.Executor].Type.Role == from {
			walk(r.Body)
		}
	}
	return found || g.m.Roles[from].Strategy
}

// kinds lists that a message is not of a kind, for all of them; nothing if there are none.
func (g *generator) kinds() []string {
	for i := range g.m.Message.Fields {
		if f := &g.m.Message.Fields[i]; f.Type.Kind == protocol.KindEnum {
			var list []string
			for _, v := range f.Type.Values {
				list = append(list, fmt.Sprintf("x.%s != %s or ", f.Name, v))
			}
			return list
		}
	}
	return []string{""}
}

// messages adds what messages of a kind have to do with who sent them, and whom they name.
func (g *generator) messages(from, to int) {
	if g.m.Message == nil || !g.sends(from, to) {
		return
	}
	kinds := g.kinds()
	head := fmt.Sprintf("forall (i: %s) forall (j: %s) forall (x: sent(i, j)) ", g.m.Roles[from].ID, g.m.Roles[to].ID)
	own := literals(g.cells(from, "i", to, "j"))
	var fields []scalar
	for _, f := range g.m.Message.Fields {
		if f.Type.Kind == protocol.KindInt || f.Type.Kind == protocol.KindRole {
			fields = append(fields, scalar{"x." + f.Name, "x." + f.Name, f.Type})
		}
	}
	about := comparisons(fields, g.scalars(from, "i", to, "j"))
	for _, f := range fields {
		if f.typ.Kind == protocol.KindRole {
			for _, c := range comparisons(fields, g.scalars(f.typ.Role, "k", -1, "")) {
				for _, k := range kinds {
					g.add(head + fmt.Sprintf("forall (k: %s) %s%s != k or (%s)", g.m.Roles[f.typ.Role].ID, k, f.text, c))
				}
			}
		}
	}
	for _, k := range kinds {
		for _, c := range about {
			g.add(head + k + "(" + c + ")")
		}
		for _, l := range own {
			g.add(head + k + "(" + l + ")")
		}
		if k != "" {
			g.add(head + strings.TrimSuffix(k, " or "))
		}
	}
}
