package promela

import (
	"fmt"
	"strings"
)

// processes is how many there are.
func (g *generator) processes() string {
	switch {
	case g.one(15):
		g.tag("count number")
		return g.pick("1", "2", "3", "0")
	case g.one(15):
		g.tag("count other")
		return g.pick("N - 1", "2 * N - N", "N + 1 - 1")
	case g.has("F") && !g.crash && !g.one(3):
		g.tag("count N-F")
		return g.pick("N - F", "N-F")
	}
	g.tag("count N")
	return "N"
}

// assemble puts the text together, and hides parts of it behind the preprocessor.
func (g *generator) assemble(body, props, formulas string) {
	w := func(s string) { g.out.WriteString(s) }
	if g.one(8) {
		g.tag("pragma")
		w("#pragma option \"x = 1\"\n")
	}
	if g.one(3) {
		g.tag("comments")
		w("/* a text\n * of several lines */\n// and one\n")
	}
	assumptions := g.assumptions()
	for _, l := range g.lines {
		if g.one(30) && strings.HasPrefix(l, "#define S") {
			g.tag("define overruled")
			f := strings.Fields(l)
			g.c.Defines = append(g.c.Defines, f[1]+"="+f[2])
			w("#define " + f[1] + " 77\n")
			continue
		}
		if g.one(20) && strings.HasPrefix(l, "#define S") {
			g.tag("define given")
			f := strings.Fields(l)
			g.c.Defines = append(g.c.Defines, f[1]+"="+f[2])
			continue
		}
		if g.one(20) {
			g.tag("undef")
			w("#define " + strings.Fields(strings.ReplaceAll(l, "(", " "))[1] + " 77\n#undef " + strings.Fields(strings.ReplaceAll(l, "(", " "))[1] + "\n")
		}
		if g.one(20) {
			g.tag("continued line")
			l = strings.Replace(l, " ", " \\\n ", 2)
		}
		w(l + "\n")
	}
	kind := g.pick("int", "int", "int", "byte")
	w("symbolic " + kind + " " + strings.Join(g.params, ", ") + ";\n")
	if g.rarely("array") {
		g.tag("array shared")
		w("byte board[4];\n")
	}
	if g.rarely("left out") {
		g.tag("left out")
		w(g.pick("never { do :: skip od }\n", "init { skip }\n", "init { printf(\"x\") }\n"))
	}
	if g.one(16) {
		g.tag("modifier shared")
		w(g.pick("hidden ", "show ", "local "))
	}
	w("int ")
	for i, s := range g.shared {
		if i > 0 {
			w(", ")
		}
		w(s)
		switch {
		case g.one(8):
			g.tag("shared initial")
			w(" = " + g.pick("1", "2"))
		case g.one(2):
			w(" = 0")
		}
	}
	w(";\n")
	if g.crash {
		w("int down;\n")
	}
	for i, a := range assumptions {
		if i > 0 && g.one(6) {
			g.conditional(a, "assume(N >= 1);")
			continue
		}
		w(a + "\n")
	}
	if g.one(2) {
		g.tag("formulas last")
		w(props)
		w(g.proctype(body))
		w(formulas)
		return
	}
	w(props)
	if g.one(4) {
		g.conditional(strings.TrimSuffix(formulas, "\n"), "ltl f9 { []("+g.props[0]+") }")
	} else {
		w(formulas)
	}
	w(g.proctype(body))
}

func (g *generator) proctype(body string) string {
	priority := ""
	if g.one(20) {
		g.tag("priority")
		priority = " priority 2"
	}
	return "active[" + g.processes() + "] proctype " + g.process + "()" + priority + " {\n" + body + "}\n"
}

// conditional writes the first text or the second, by what is defined.
func (g *generator) conditional(yes, no string) {
	name := fmt.Sprintf("CASE%d", g.Intn(3))
	defined := g.one(2)
	for _, d := range g.c.Defines {
		if strings.HasPrefix(d, name) {
			defined = true
		}
	}
	first, second := yes, no
	form := g.Intn(5)
	if !defined {
		first, second = no, yes
	}
	value := false
	switch form {
	case 0:
		g.tag("#ifdef")
		fmt.Fprintf(&g.out, "#ifdef %s\n%s\n#else\n%s\n#endif\n", name, first, second)
	case 1:
		g.tag("#ifndef")
		fmt.Fprintf(&g.out, "#ifndef %s\n%s\n#else\n%s\n#endif\n", name, second, first)
	case 2:
		g.tag("#if defined")
		fmt.Fprintf(&g.out, "#if defined(%s) && !defined NOTHING\n%s\n#else\n%s\n#endif\n", name, first, second)
	case 3:
		g.tag("#elif")
		fmt.Fprintf(&g.out, "#if 0\n%s\n#elif defined(%s)\n%s\n#else\n%s\n#endif\n", "nonsense here", name, first, second)
	case 4:
		g.tag("#if nested")
		value = true
		fmt.Fprintf(&g.out, "#ifdef %s\n# if %s == 2\n%s\n# else\n%s\n# endif\n#else\n%s\n#endif\n", name, name, first, second, second)
	}
	for _, d := range g.c.Defines {
		if strings.HasPrefix(d, name) {
			// An earlier one has given it: then both have the same value.
			return
		}
	}
	if defined {
		g.tag("option -D")
		if value {
			name += "=2"
		} else if g.one(2) {
			name += "=2"
		}
		g.c.Defines = append(g.c.Defines, name)
	}
}

// mistake breaks the text, so that it has to be refused.
func (g *generator) mistake() {
	text := g.c.Text
	type change struct{ name, from, to string }
	list := []change{
		{"undeclared", "pc = ", "nothing = "},
		{"missing fi", "fi;", ";"},
		{"missing od", "od", ""},
		{"unknown proposition", "ltl f0 { ", "ltl f0 { nowhere && "},
		{"#if open", "symbolic", "#ifdef X\nsymbolic"},
		{"#include", "symbolic", "#include \"x.h\"\nsymbolic"},
		{"declared twice", "int ", "int N;\nint "},
		{"channel", "int ", "chan c = [2] of { int };\nint "},
		{"run", "do\n", "run " + g.process + "();\n do\n"},
		{"two proctypes", "ltl f0", "active[N] proctype Other() { do :: atomic { skip } od }\nltl f0"},
		{"temporal in guard", "pc == ", "[] pc == "},
		{"unknown label", "skip;", "goto nowhere;"},
		{"number too large", "ltl f0 { ", "ltl f0 { 99999999999999999999 > 1 && "},
		{"element", "pc = ", "pc[1] = "},
		{"next operator", "ltl f0 { ", "ltl f0 { X "},
		{"init that does something", "symbolic", "init { run P() }\nsymbolic"},
		{"parameters of a process", "() {", "(int y) {"},
		{"inline", "symbolic", "inline go() { skip }\nsymbolic"},
		{"mtype", "symbolic", "mtype = { one, two }\nsymbolic"},
		{"typedef", "symbolic", "typedef pair { int y }\nsymbolic"},
		{"havoc at the start", "() {\n", "() {\n  havoc(pc);\n"},
		{"macro arguments", "symbolic", "#define TWO(x, y) x\nint z = TWO(1);\nsymbolic"},
	}
	k := g.Intn(len(list))
	for i := range list {
		m := list[(k+i)%len(list)]
		if strings.Contains(text, m.from) {
			g.c.Text = strings.Replace(text, m.from, m.to, 1)
			g.c.Wrong = true
			g.c.Tags = map[string]bool{"mistake " + m.name: true}
			return
		}
	}
}
