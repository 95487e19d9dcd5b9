package fol

import "strings"

// String prints a term in the syntax of .pyv files.
func (t *Term) String() string {
	var b strings.Builder
	t.print(&b, 0)
	return b.String()
}

// levels order operators by how strongly they bind.
var levels = map[Op]int{Forall: 1, Exists: 1, If: 1, Iff: 2, Implies: 3, Or: 4, And: 5, Not: 6, Equal: 7}

func (t *Term) print(b *strings.Builder, least int) {
	level, operator := levels[t.Op]
	if t.Op == Not && t.Args[0].Op == Equal {
		level = levels[Equal]
	}
	if operator && level <= least && !(len(t.Args) == 0) {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	between := func(text string, left, right int) {
		for i, a := range t.Args {
			if i > 0 {
				b.WriteString(text)
				a.print(b, right)
			} else {
				a.print(b, left)
			}
		}
	}
	switch t.Op {
	case And, Or:
		if len(t.Args) == 0 {
			b.WriteString(map[Op]string{And: "true", Or: "false"}[t.Op])
		}
		between(map[Op]string{And: " & ", Or: " | "}[t.Op], level, level)
	case Not:
		if a := t.Args[0]; a.Op == Equal {
			a.Args[0].print(b, level)
			b.WriteString(" != ")
			a.Args[1].print(b, level)
			return
		}
		b.WriteByte('!')
		t.Args[0].print(b, level-1)
	case Implies:
		between(" -> ", level, level-1)
	case Iff:
		between(" <-> ", level, level)
	case Equal:
		between(" = ", level, level)
	case If:
		b.WriteString("if ")
		t.Args[0].print(b, 0)
		b.WriteString(" then ")
		t.Args[1].print(b, 0)
		b.WriteString(" else ")
		t.Args[2].print(b, 0)
	case Forall, Exists:
		b.WriteString(map[Op]string{Forall: "forall ", Exists: "exists "}[t.Op])
		for i, v := range t.Vars {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(v.Name + ":" + v.Sort.Name)
		}
		b.WriteString(". ")
		t.Args[0].print(b, 0)
	case Use:
		b.WriteString(t.Vars[0].Name)
	case Apply:
		if t.New {
			b.WriteString("new(")
			defer b.WriteByte(')')
		}
		b.WriteString(t.Symbol.Name)
		if len(t.Args) > 0 {
			b.WriteByte('(')
			for i, a := range t.Args {
				if i > 0 {
					b.WriteString(", ")
				}
				a.print(b, 0)
			}
			b.WriteByte(')')
		}
	}
}
