package protocol

import (
	"fmt"
	"strings"
)

// behind writes a condition in which an index, a field or a function stands behind what is put together, or "".
func (g *generator) behind() string {
	if list := g.wholes("set", false); len(list) > 0 && g.chance(50) {
		return g.behindSet(pick(g, list))
	}
	list := g.wholes("seq", false)
	if len(list) == 0 {
		return ""
	}
	c := pick(g, list)
	v := g.item(c.typ.elem)
	if v == "" {
		return ""
	}
	relation := pick(g, []string{" = ", " != "})
	switch g.IntN(4) {
	case 0:
		g.add("index behind a function", "append")
		return fmt.Sprintf("append(%s, %s)[%s]%s%s", c.text, v, g.position(c.typ), relation, v)
	case 1:
		g.add("index behind a function", "slice")
		return fmt.Sprintf("slice(%s, 1, length(%s))[%s]%s%s", c.text, c.text, g.position(c.typ), relation, v)
	case 2:
		g.add("function behind a function", "slice", "length")
		return fmt.Sprintf("length(slice(%s, %d, length(%s)))%s%d", c.text, 1+g.IntN(2), c.text, relation, g.IntN(2))
	}
	if c.typ.elem.kind != "record" {
		return ""
	}
	f := pick(g, c.typ.elem.fields)
	v = g.item(f.typ)
	if v == "" {
		return ""
	}
	g.add("field behind a function", "last")
	return fmt.Sprintf("(length(%s) > 0 and last(%s).%s%s%s)", c.text, c.text, f.name, relation, v)
}

func (g *generator) behindSet(c cell) string {
	word := pick(g, []string{"union", "intersection", "difference"})
	text := fmt.Sprintf("%s(%s, %s)", word, c.text, g.setValue(c.typ, 1))
	g.add(word)
	if g.chance(30) {
		g.add("function behind a function", "size")
		return fmt.Sprintf("size(%s) >= %s", text, g.number(0))
	}
	if list := g.indices(c.typ.index); len(list) > 0 {
		g.add("index behind a function")
		return text + "[" + pick(g, list) + "]"
	}
	return ""
}

// listed writes that something is one of a list of values, or "".
func (g *generator) listed() string {
	list := g.readable(pick(g, []string{"range", "enum", "role", "bool"}))
	if len(list) == 0 {
		return ""
	}
	c := pick(g, list)
	if c.readonly && c.typ.kind == "range" {
		return ""
	}
	var values []string
	for range 1 + g.IntN(2) {
		if v := g.item(c.typ); v != "" {
			values = append(values, v)
		}
	}
	for _, d := range list {
		if d.typ.text == c.typ.text && d.typ.role == c.typ.role && c.typ.text != "" && c.typ.kind != "enum" && g.chance(20) {
			values = append(values, d.text)
		}
	}
	if len(values) == 0 {
		return ""
	}
	g.add("x in {a, b}")
	return g.sign("", "not ") + c.text + g.sign(" in ", " ∈ ") + "{" + strings.Join(values, ", ") + "}"
}

// chosenValue compares the value of a variable of the process with the greatest key with a value of its type, or writes "".
func (g *generator) chosenValue() string {
	r := pick(g, g.roles)
	n := genName{g.newName("q"), &genType{kind: "role", role: r}}
	for _, f := range r.fields {
		for _, key := range r.fields {
			if (f.typ.kind != "bool" && f.typ.kind != "enum") || key.typ.kind != "range" || !g.begun(f) || !g.begun(key) {
				continue
			}
			v := g.element(f.typ)
			if f.typ.kind == "bool" {
				v = pick(g, []string{"true", "false"})
			}
			if v == "" {
				continue
			}
			g.add("max by of a value")
			at := r.name + "[" + n.name + "]."
			def := ""
			if g.chance(50) {
				g.add("default of a value")
				def = " default " + v
			}
			return fmt.Sprintf("(%s (%s: %s) %s by %s%s) = %s", pick(g, []string{"max", "min"}), n.name, r.typeName, at+f.name, at+key.name, def, v)
		}
	}
	return ""
}
