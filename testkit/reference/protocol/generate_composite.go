package protocol

import (
	"fmt"
	"strings"
)

// setType invents a type of sets.
func (g *generator) setType() *genType {
	g.add("type set")
	t := &genType{kind: "set", elem: genBool}
	switch g.IntN(6) {
	case 0:
		t.index = genBool
		g.add("set of bool")
	case 1:
		t.index = &genType{kind: "range", low: 0, high: 1, text: "0..1"}
		g.add("set of numbers")
	default:
		r := pick(g, g.roles)
		t.index = &genType{kind: "role", role: r, text: r.typeName}
		g.add("set of processes")
	}
	if g.named != nil && g.named.kind == "enum" && g.chance(40) {
		t.index = g.named
		g.add("set of values")
	}
	t.text = "set of " + t.index.text
	return t
}

// pairType is a record of a truth value and a number.
func pairType(a, b string) *genType {
	number := &genType{kind: "range", high: 1, text: "0..1"}
	return &genType{
		kind: "record", text: "record " + a + ": bool; " + b + ": 0..1; end",
		fields: []genField{{name: a, typ: genBool}, {name: b, typ: number}},
	}
}

// seqType invents a type of sequences.
func (g *generator) seqType() *genType {
	if g.namedSeq != nil && g.chance(60) {
		return g.namedSeq
	}
	g.add("type seq")
	t := &genType{kind: "seq", high: 1 + g.IntN(2)}
	switch g.IntN(9) {
	case 8:
		t.elem = &genType{kind: "seq", high: 1, elem: genBool, text: "seq[1] of bool"}
		g.add("seq of seqs")
	case 0:
		if t.elem = pairType("e1", "e2"); g.msgType != nil && g.chance(50) {
			t.elem = g.msgType
			g.add("seq of messages")
		}
		g.add("seq of records")
	case 1:
		t.elem = g.setType()
		g.add("seq of sets")
	case 2, 3, 4:
		r := pick(g, g.roles)
		t.elem = &genType{kind: "role", role: r, text: r.typeName}
		g.add("seq of processes")
	case 5:
		t.elem = genBool
	default:
		t.elem = &genType{kind: "range", high: 1, text: "0..1"}
		g.add("seq of numbers")
	}
	t.text = fmt.Sprintf("seq[%d] of %s", t.high, t.elem.text)
	return t
}

// firstValue writes what a variable may begin with, or "".
func (g *generator) firstValue(t *genType) string {
	switch t.kind {
	case "bool":
		for _, c := range g.consts {
			if c.typ == genBool && g.chance(50) {
				g.add("first value of a constant")
				return c.name
			}
		}
		return pick(g, []string{"true", "false"})
	case "enum":
		return pick(g, t.names)
	case "range":
		return g.constantOf(t.low + g.IntN(min(2, t.high-t.low+1)))
	case "set":
		if v := g.firstValue(t.index); v != "" && g.chance(50) {
			return "{" + v + "}"
		}
		return "{}"
	case "seq":
		if v := g.firstValue(t.elem); v != "" && g.chance(40) && t.elem.kind != "record" {
			return "seq(" + v + ")"
		}
		return "seq()"
	case "array":
		g.add("first value of an array")
		if t.elem.kind == "array" {
			g.add("first value of arrays in arrays")
		}
		return g.firstValue(t.elem)
	case "record":
		var list []string
		for _, f := range t.fields {
			if v := g.firstValue(f.typ); v != "" && f.typ.kind != "array" && g.chance(70) {
				list = append(list, f.name+": "+v)
			}
		}
		if len(list) > 0 {
			g.add("record literal")
			return "(" + strings.Join(list, ", ") + ")"
		}
	}
	return ""
}

// wholes lists variables, fields of the message and names of a kind of type: sets, sequences or records. Those
// that can be assigned only, if they are asked for.
func (g *generator) wholes(kind string, assigned bool) []cell {
	var list []cell
	note := func(text string, t *genType) {
		if t.kind == kind {
			list = append(list, cell{text: text, typ: t})
		}
		if t.kind == "record" {
			for _, f := range t.fields {
				if f.typ.kind == kind {
					list = append(list, cell{text: text + "." + f.name, typ: f.typ})
				}
			}
		}
		if t.kind == "array" && t.elem.kind == kind {
			for _, index := range g.indices(t.index) {
				list = append(list, cell{text: text + "[" + index + "]", typ: t.elem})
			}
		}
	}
	for _, n := range g.names {
		if n.typ.kind == kind && !assigned {
			note(n.name, n.typ)
		}
		if n.typ.kind != "role" || g.anon && n.name == g.sender.name && n.name != "" {
			continue
		}
		if g.mover.name != "" && n.name != g.mover.name && (assigned || g.chance(70)) {
			continue
		}
		for _, f := range n.typ.role.fields {
			if !g.begun(f) {
				continue
			}
			note(n.typ.role.name+"["+n.name+"]."+f.name, f.typ)
		}
	}
	for _, f := range g.globals {
		if g.begun(f) {
			note(f.name, f.typ)
		}
	}
	if !assigned && g.msgFrom == "msg" && g.msgType != nil && g.chance(20) {
		note("msg", g.msgType)
	}
	if !assigned && g.msgFrom != "" {
		for _, f := range g.visibleFields() {
			note(g.msgFrom+"."+f.name, f.typ)
		}
	}
	return list
}

// element writes a value of a simple type that is defined, or "".
func (g *generator) element(t *genType) string {
	if g.chance(5) && t.kind != "array" && t.kind != "range" {
		v := g.valueOf(t)
		if v != "" && t.kind == "bool" {
			v = "(" + v + ")"
		}
		return v
	}
	switch t.kind {
	case "bool":
		return pick(g, []string{"true", "false"})
	case "enum":
		return pick(g, t.names)
	case "range":
		return fmt.Sprint(t.low + g.IntN(min(3, t.high-t.low+1)))
	case "role":
		return g.ofUsable(t.role)
	case "set", "seq", "record":
		return g.wholeValue(t, 0)
	}
	return ""
}

// item is an element, now and then one that is out of range.
func (g *generator) item(t *genType) string {
	if t == g.msgType && t != nil && g.msgFrom == "msg" && g.chance(80) {
		g.add("msg as a whole")
		return "msg"
	}
	if t.kind == "range" && g.chance(3) {
		g.add("element that is out of range")
		return fmt.Sprint(t.high + 1)
	}
	return g.element(t)
}

// wholeValue writes a value of a set, a sequence or a record, or "".
func (g *generator) wholeValue(t *genType, depth int) string {
	if depth > 0 && g.chance(10) {
		if v, w := g.wholeValue(t, 0), g.wholeValue(t, 0); v != "" && w != "" {
			g.add("if between wholes")
			return "(if " + g.condition(1) + " then " + v + " else " + w + ")"
		}
	}
	switch t.kind {
	case "set":
		if depth > 0 && g.chance(25) {
			return g.those(t)
		}
		return g.setValue(t, depth)
	case "seq":
		return g.seqValue(t, depth)
	}
	var list []string
	for _, f := range t.fields {
		if v := g.element(f.typ); v != "" && (g.chance(90) || f.name[0] == 'e') {
			list = append(list, f.name+": "+v)
		}
	}
	if len(list) == 0 {
		return ""
	}
	g.add("record literal")
	return "(" + strings.Join(list, ", ") + ")"
}

// variableOf finds something of a type that has a variable's form, or "".
func (g *generator) variableOf(t *genType) string {
	var list []string
	for _, c := range g.wholes(t.kind, false) {
		if c.typ == t || c.typ.text == t.text && t.kind != "record" {
			list = append(list, c.text)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return pick(g, list)
}

// those writes a set of all that satisfy something, of a type or in a set.
func (g *generator) those(t *genType) string {
	over := t.index.text
	g.add("{k: T | e}")
	if v := g.variableOf(t); v != "" && g.chance(40) {
		g.add("{k: S | e}")
		over = v
	}
	if g.chance(15) {
		g.add("{k: T}")
		return "{" + g.newName("q") + ": " + over + "}"
	}
	n := genName{name: g.newName("q"), typ: t.index}
	g.push(n)
	defer g.pop()
	return "{" + n.name + ": " + over + g.sign(" | ", " ∨ ") + g.condition(1) + "}"
}

func (g *generator) setValue(t *genType, depth int) string {
	variable := g.variableOf(t)
	if depth > 0 && variable != "" && g.chance(60) {
		switch word := pick(g, []string{"union", "intersection", "difference", "add", "remove"}); word {
		case "add", "remove":
			if v := g.item(t.index); v != "" {
				g.add(word)
				return word + "(" + g.setValue(t, depth-1) + ", " + v + ")"
			}
		default:
			g.add(word)
			if g.chance(50) {
				return word + "(" + variable + ", " + g.setValue(t, depth-1) + ")"
			}
			return word + "(" + g.setValue(t, depth-1) + ", " + variable + ")"
		}
	}
	if variable != "" && g.chance(60) {
		return variable
	}
	g.add("set literal")
	var list []string
	for range g.IntN(3) {
		if v := g.item(t.index); v != "" {
			list = append(list, v)
		}
	}
	return "{" + strings.Join(list, ", ") + "}"
}

func (g *generator) seqValue(t *genType, depth int) string {
	variable := g.variableOf(t)
	if depth > 0 && variable != "" && g.chance(60) {
		if g.chance(60) {
			g.add("slice")
			end := pick(g, []string{"length(" + variable + ")", "length(" + variable + ") - 1", "0", "1"})
			return fmt.Sprintf("slice(%s, %s, %s)", variable, pick(g, []string{"1", "1", "2"}), end)
		}
		if v := g.item(t.elem); v != "" && g.chance(50) {
			g.add("append", "slice")
			return fmt.Sprintf("append(slice(%s, 1, length(%s) - 1), %s)", variable, variable, v)
		}
	}
	if variable != "" && g.chance(50) {
		return variable
	}
	g.add("seq literal")
	v := g.item(t.elem)
	if v == "" || g.chance(40) {
		return "seq()"
	}
	if w := g.item(t.elem); w != "" && t.high > 1 && g.chance(30) {
		return "seq(" + v + ", " + w + ")"
	}
	return "seq(" + v + ")"
}

// wholeAtom writes a condition about sets or sequences, or "".
func (g *generator) wholeAtom() string {
	if g.chance(12) {
		return g.listed()
	}
	if g.chance(20) {
		if text := g.behind(); text != "" {
			return text
		}
	}
	if list := g.wholes("set", false); len(list) > 0 && g.chance(50) {
		return g.setAtom(pick(g, list))
	}
	if list := g.wholes("seq", false); len(list) > 0 {
		return g.seqAtom(pick(g, list))
	}
	if list := g.wholes("record", false); len(list) > 0 {
		c := pick(g, list)
		if v := g.wholeValue(c.typ, 0); v != "" {
			g.add("= of a record literal")
			return c.text + pick(g, []string{" = ", " != "}) + v
		}
	}
	return ""
}

func (g *generator) setAtom(c cell) string {
	if g.chance(20) {
		switch v := g.item(c.typ.index); {
		case v != "" && g.chance(50):
			return v + " in " + g.those(c.typ)
		case g.chance(50):
			return fmt.Sprintf("size(%s) %s %s", g.those(c.typ), pick(g, []string{"=", ">=", "<", "!="}), g.number(0))
		}
		return c.text + pick(g, []string{" = ", " != "}) + g.those(c.typ)
	}
	switch g.IntN(5) {
	case 0, 1:
		if v := g.item(c.typ.index); v != "" {
			g.add("in a set")
			return g.sign("", "not ") + v + g.sign(" in ", " ∈ ") + c.text
		}
	case 2:
		g.add("size")
		return fmt.Sprintf("size(%s) %s %s", c.text, pick(g, []string{"=", ">=", "<", "!="}), g.number(0))
	case 3:
		g.add("subset")
		if g.chance(50) {
			return fmt.Sprintf("subset(%s, %s)", c.text, g.setValue(c.typ, 1))
		}
		return fmt.Sprintf("subset(%s, %s)", g.setValue(c.typ, 1), c.text)
	}
	g.add("= of sets")
	v := g.setValue(c.typ, 1)
	if g.chance(20) {
		g.add("set on the left")
		return v + pick(g, []string{" = ", " != "}) + c.text
	}
	return c.text + pick(g, []string{" = ", " != "}) + v
}

func (g *generator) seqAtom(c cell) string {
	switch g.IntN(6) {
	case 0:
		if v := g.item(c.typ.elem); v != "" {
			g.add("in a seq", "in a seq of "+c.typ.elem.kind+"s")
			return g.sign("", "not ") + v + g.sign(" in ", " ∈ ") + c.text
		}
	case 1, 2:
		g.add("length")
		return fmt.Sprintf("length(%s) %s %s", c.text, pick(g, []string{"=", ">=", "<", "!="}), fmt.Sprint(g.IntN(3)))
	case 3:
		if v := g.item(c.typ.elem); v != "" {
			g.add("last", "length")
			return fmt.Sprintf("(length(%s) > 0 and last(%s) %s %s)", c.text, c.text, pick(g, []string{"=", "!="}), v)
		}
	case 4:
		if v := g.item(c.typ.elem); v != "" {
			g.add("element of a seq")
			return fmt.Sprintf("%s[%s] %s %s", c.text, g.position(c.typ), pick(g, []string{"=", "!="}), v)
		}
	}
	g.add("= of seqs")
	return c.text + pick(g, []string{" = ", " != "}) + g.seqValue(c.typ, 1)
}

// position writes the number of an element of a sequence.
func (g *generator) position(t *genType) string {
	for _, n := range g.names {
		if n.typ.kind == "range" && n.typ.low >= 1 && n.typ.high <= t.high && g.chance(60) {
			return n.name
		}
	}
	return fmt.Sprint(1 + g.IntN(t.high))
}

// wholeStatement writes a statement about a set or a sequence of the process that moves, or says no.
func (g *generator) wholeStatement() bool {
	if list := g.wholes("seq", true); len(list) > 0 && g.chance(50) {
		return g.seqStatement(pick(g, list))
	}
	list := g.wholes("set", true)
	if len(list) == 0 {
		if list = g.wholes("record", true); len(list) > 0 {
			c := pick(g, list)
			if v := g.wholeValue(c.typ, 0); v != "" {
				g.line("%s := %s;", c.text, v)
				return true
			}
		}
		return false
	}
	c := pick(g, list)
	if v := g.item(c.typ.index); v != "" && g.chance(65) {
		word := pick(g, []string{"+=", "-=", "+="})
		g.add(word + " of a set")
		g.line("%s %s %s;", c.text, word, v)
		return true
	}
	g.add("set assigned")
	g.line("%s := %s;", c.text, g.setValue(c.typ, 2))
	return true
}

func (g *generator) seqStatement(c cell) bool {
	v := g.item(c.typ.elem)
	if v == "" || g.chance(35) {
		g.add("seq assigned")
		g.line("%s := %s;", c.text, g.seqValue(c.typ, 2))
		return true
	}
	text := fmt.Sprintf("%s += %s;", c.text, v)
	g.add("+= of a seq")
	if g.chance(20) {
		g.add("append")
		text = fmt.Sprintf("%s := append(%s, %s);", c.text, c.text, v)
	}
	if g.chance(20) {
		g.add("append that may be full")
		g.line("%s", text)
		return true
	}
	g.line("if length(%s) < %d then", c.text, c.typ.high)
	g.line("  %s", text)
	if g.chance(30) {
		g.line("else")
		g.line("  %s := seq();", c.text)
	}
	g.line("endif")
	return true
}

// let writes names for values, at most two. They are names until they are taken away: it says how many there are.
func (g *generator) let(guard bool) int {
	count := 0
	for count < 2 && g.chance(70) {
		text, t := g.nameable(guard)
		if text == "" {
			break
		}
		n := genName{g.newName("x"), t}
		g.line("let %s = %s;", n.name, text)
		g.add("let")
		g.push(n)
		count++
	}
	return count
}

// nameable writes an expression to give a name to, with its type.
func (g *generator) nameable(guard bool) (string, *genType) {
	if list := g.wholes("seq", false); guard && len(list) > 0 && g.chance(30) {
		if c := pick(g, list); c.typ.elem.kind == "range" || c.typ.elem.kind == "role" || c.typ.elem.kind == "bool" {
			g.add("name that the guard does not always ask for")
			g.premise = "length(" + c.text + ") > 0"
			return "last(" + c.text + ")", c.typ.elem
		}
	}
	switch g.IntN(6) {
	case 0:
		return g.condition(1), genBool
	case 1:
		return g.number(1), &genType{kind: "range", low: -99, high: 99}
	case 2:
		if list := g.readable("role"); len(list) > 0 {
			c := pick(g, list)
			g.add("let of a process")
			return c.text, c.typ
		}
	case 3:
		if list := g.wholes("record", false); len(list) > 0 {
			c := pick(g, list)
			g.add("let of a record")
			return c.text, c.typ
		}
	}
	if list := append(g.wholes("set", false), g.wholes("seq", false)...); len(list) > 0 {
		c := pick(g, list)
		g.add("let of a " + c.typ.kind)
		if v := g.wholeValue(c.typ, 1); g.chance(50) && !typelessText(v) {
			g.add("let of what is put together")
			if guard {
				g.add("let of what is put together before a guard")
			}
			return v, c.typ
		}
		return c.text, c.typ
	}
	return g.number(0), &genType{kind: "range", low: -99, high: 99}
}

// typelessText tells whether an expression may consist of values only, so that it shows no type.
func typelessText(v string) bool {
	return strings.Contains(v, "{") || strings.HasPrefix(v, "seq(") || strings.HasPrefix(v, "(if ")
}

// exchange writes a name for what a variable has, changes that, and uses the name.
func (g *generator) exchange() bool {
	var list []cell
	for _, c := range g.cells(true) {
		if c.typ.kind == "bool" && !c.readonly {
			list = append(list, c)
		}
	}
	if len(list) < 2 {
		return false
	}
	g.add("value named before a change")
	a, b, name := pick(g, list), pick(g, list), g.newName("x")
	g.line("let %s = %s;", name, a.text)
	g.line("%s := not %s;", a.text, a.text)
	g.line("%s := %s;", b.text, name)
	return true
}

// wholeTypes lists the types of variables that are sets or sequences.
func (g *generator) wholeTypes() []*genType {
	var list []*genType
	for _, r := range g.roles {
		for _, f := range r.fields {
			if f.typ.kind == "set" || f.typ.kind == "seq" && f.typ.elem.kind != "record" {
				list = append(list, f.typ)
			}
		}
	}
	return list
}
