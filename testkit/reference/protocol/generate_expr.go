package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// cell is a variable, or a part of one, or of a message, that can be read or written.
type cell struct {
	text     string
	typ      *genType
	readonly bool
}

// cells lists variables that the names in scope lead to. own restricts them to those of the
// process that moves.
func (g *generator) cells(own bool) []cell {
	var list []cell
	if !own && g.mover.name != "" && g.chance(30) {
		for _, r := range g.roles {
			for _, index := range g.references(r) {
				for _, f := range r.fields {
					g.add("variable of a process that a variable names")
					list = g.parts(list, cell{text: r.name + "[" + index + "]." + f.name, typ: f.typ})
				}
			}
		}
	}
	for _, f := range g.globals {
		if g.chance(70) && g.begun(f) {
			g.add("global variable used")
			list = g.parts(list, cell{text: f.name, typ: f.typ})
		}
	}
	for _, n := range g.names {
		if !own && g.mover.name != "" && n.typ.kind == "role" && n.name != g.mover.name {
			g.add("reads what others have")
		}
		if n.typ.kind != "role" || own && n.name != g.mover.name || g.anon && n.name == g.sender.name && n.name != "" {
			continue
		}
		for _, f := range n.typ.role.fields {
			if !g.begun(f) {
				continue
			}
			list = g.parts(list, cell{text: n.typ.role.name + "[" + n.name + "]." + f.name, typ: f.typ})
		}
	}
	return list
}

// begun tells whether a variable may have a value: before there are initial states, if it has a first value, and
// rarely others.
func (g *generator) begun(f genField) bool {
	if g.initial && f.first {
		g.add("first value asked for in init")
	}
	return !g.initial || f.first || g.chance(1)
}

// messageCells lists the fields of the message that was received.
func (g *generator) messageCells() []cell {
	if g.msgFrom == "" {
		return nil
	}
	var list []cell
	for i, f := range g.visibleFields() {
		if i > 0 && len(g.kinds) > 0 && g.received == nil && g.chance(80) {
			continue // fields of other kinds are undefined
		}
		list = g.parts(list, cell{text: g.msgFrom + "." + f.name, typ: f.typ})
	}
	if g.sync {
		list = append(list, cell{text: g.msgFrom + ".absent", typ: genBool})
	}
	return list
}

// parts adds the simple parts of a variable to a list.
func (g *generator) parts(list []cell, c cell) []cell {
	switch c.typ.kind {
	case "record":
		for _, f := range c.typ.fields {
			list = g.parts(list, cell{c.text + "." + f.name, f.typ, c.readonly})
		}
	case "array":
		for _, index := range g.indices(c.typ.index) {
			list = g.parts(list, cell{c.text + "[" + index + "]", c.typ.elem, c.readonly})
		}
	case "set":
		for _, index := range g.indices(c.typ.index) {
			if g.chance(30) {
				g.add("set as an array")
				list = append(list, cell{c.text + "[" + index + "]", genBool, c.readonly})
			}
		}
	case "seq":
		if g.chance(30) {
			g.add("element of a seq")
			list = g.parts(list, cell{c.text + "[" + g.position(c.typ) + "]", c.typ.elem, true})
		}
	default:
		list = append(list, c)
	}
	return list
}

// indices lists what an array can be indexed with.
func (g *generator) indices(t *genType) []string {
	var list []string
	for _, n := range g.names {
		if n.typ.kind == t.kind && n.typ.role == t.role && slices.Equal(n.typ.names, t.names) && (t.kind != "range" || t.low <= n.typ.low && n.typ.high <= t.high) {
			if !(g.anon && n.name == g.sender.name) {
				list = append(list, n.name)
			}
		}
	}
	switch t.kind {
	case "bool":
		list = append(list, "true", "false")
	case "enum":
		list = append(list, t.names...)
	case "range":
		list = append(list, fmt.Sprint(t.low), fmt.Sprint(t.high))
	case "role":
		if g.chance(25) {
			list = append(list, g.references(t.role)...)
		}
		if g.chance(2) && !g.initial {
			g.add("number as an index over processes")
			list = append(list, "1")
		}
		for _, n := range g.names {
			if n.typ.kind == "role" && n.typ.role != t.role && n.typ.role.size <= t.role.size && g.chance(2) && !(g.anon && n.name == g.sender.name) {
				g.add("process of another role as an index")
				list = append(list, n.name)
			}
		}
	}
	return list
}

// references lists fields of the process that moves, and of the message, that are processes of a role.
func (g *generator) references(r *genRole) []string {
	var list []string
	if g.mover.name != "" {
		for _, f := range g.mover.typ.role.fields {
			if f.typ.kind == "role" && f.typ.role == r {
				g.add("variable as an index")
				list = append(list, g.mover.typ.role.name+"["+g.mover.name+"]."+f.name)
			}
		}
	}
	for _, f := range g.msg {
		if g.msgFrom != "" && f.typ.kind == "role" && f.typ.role == r {
			g.add("field of a message as an index")
			list = append(list, g.msgFrom+"."+f.name)
		}
	}
	return list
}

// composites lists records and arrays of processes in scope.
func (g *generator) composites() []cell {
	var list []cell
	for _, f := range g.globals {
		if (f.typ.kind == "record" || f.typ.kind == "array" || f.typ.kind == "set" || f.typ.kind == "seq") && g.begun(f) {
			list = append(list, cell{text: f.name, typ: f.typ})
		}
	}
	for _, n := range g.names {
		if n.typ.kind != "role" || g.anon && n.name == g.sender.name && n.name != "" {
			continue
		}
		for _, f := range n.typ.role.fields {
			if !g.begun(f) {
				continue
			}
			if f.typ.kind == "record" || f.typ.kind == "array" || f.typ.kind == "set" || f.typ.kind == "seq" {
				list = append(list, cell{text: n.typ.role.name + "[" + n.name + "]." + f.name, typ: f.typ})
			}
		}
	}
	return list
}

// readable lists what can be read.
func (g *generator) readable(kind string) []cell {
	all := append(g.cells(!g.property && g.mover.name != "" && g.chance(60)), g.messageCells()...)
	if g.chance(50) && g.msgFrom != "" {
		all = g.messageCells()
	}
	for _, n := range append(g.names, g.consts...) {
		if n.typ.kind != "quorum" && !(g.anon && n.name == g.sender.name && n.name != "") {
			all = append(all, cell{text: n.name, typ: n.typ})
		}
	}
	var list []cell
	for _, c := range all {
		if c.typ.kind == kind {
			list = append(list, c)
		}
	}
	return list
}

// condition writes a condition in parentheses, if it needs any.
func (g *generator) condition(depth int) string {
	if depth > 0 && g.chance(45) {
		switch g.IntN(10) {
		case 9:
			g.add("if between conditions")
			return "(if " + g.condition(depth-1) + " then " + g.condition(depth-1) + " else " + g.condition(depth-1) + ")"
		case 0, 1:
			g.add("and")
			return "(" + g.condition(depth-1) + g.sign(" and ", " ∧ ", " & ") + g.condition(depth-1) + ")"
		case 2, 3:
			g.add("or")
			return "(" + g.condition(depth-1) + g.sign(" or ", " ∨ ", " | ") + g.condition(depth-1) + ")"
		case 4:
			g.add("not")
			return g.sign("not ", "¬", "!") + "(" + g.condition(depth-1) + ")"
		case 5:
			g.add("->")
			return "(" + g.condition(depth-1) + g.sign(" -> ", " ⇒ ", " => ") + g.condition(depth-1) + ")"
		case 6:
			g.add("<->")
			return "(" + g.condition(depth-1) + " <-> " + g.condition(depth-1) + ")"
		default:
			return g.quantified(depth - 1)
		}
	}
	return g.atom()
}

// sign is a sign, now and then as the papers write it.
func (g *generator) sign(usual string, others ...string) string {
	if g.chance(90) {
		return usual
	}
	g.add("other signs")
	return pick(g, others)
}

// quantified writes a condition with a quantifier over processes, a quorum, numbers or truth values.
func (g *generator) quantified(depth int) string {
	word := g.sign("forall", "∀")
	if g.chance(50) {
		word = g.sign("exists", "∃")
	}
	n := genName{name: g.newName("q")}
	g.add("quantifier")
	if g.msgQuorum != "" && g.chance(60) {
		g.add("quantifier over a quorum")
		n.typ = &genType{kind: "role", role: g.quorumRole}
		old := g.msgFrom
		g.msgFrom = "msg[" + n.name + "]"
		g.push(n)
		body := g.condition(depth)
		g.pop()
		g.msgFrom = old
		return fmt.Sprintf("(%s (%s: %s) %s)", word, n.name, g.msgQuorum, body)
	}
	text := ""
	if g.chance(12) {
		r := pick(g, g.roles)
		other := genName{g.newName("q"), &genType{kind: "role", role: r}}
		n.typ = other.typ
		g.push(n)
		g.push(other)
		body := g.condition(depth)
		g.pop()
		g.pop()
		return "(" + g.quantifiers(word, []string{n.name, other.name}, r.typeName, body) + ")"
	}
	switch g.IntN(6) {
	case 0:
		n.typ, text = genBool, "bool"
		g.add("quantifier over bool")
	case 1:
		n.typ, text = &genType{kind: "range", low: 0, high: 1}, "0..1"
		g.add("quantifier over a range")
	case 2:
		if g.named != nil && g.named.kind != "role" {
			n.typ, text = g.named, g.named.text
			g.add("quantifier over a named type")
			break
		}
		fallthrough
	default:
		r := pick(g, g.roles)
		n.typ, text = &genType{kind: "role", role: r}, r.typeName
		g.add("quantifier over a role")
		if g.hasName("role") && len(g.names) > 0 {
			g.add("nested process names")
		}
	}
	g.push(n)
	body := g.condition(depth)
	g.pop()
	return "(" + g.quantifiers(word, []string{n.name}, text, body) + ")"
}

// atom writes a condition without operators between conditions.
func (g *generator) atom() string {
	for range 10 {
		if text := g.tryAtom(); text != "" {
			return text
		}
	}
	return pick(g, []string{"true", "false"})
}

func (g *generator) tryAtom() string {
	if g.chance(20) {
		if text := g.wholeAtom(); text != "" {
			return text
		}
	}
	switch g.IntN(16) {
	case 0, 1, 2:
		if list := g.readable("bool"); len(list) > 0 {
			c := pick(g, list)
			if g.chance(30) || c.readonly {
				g.add("= of truth values")
				return c.text + " = " + pick(g, []string{"true", "false", pick(g, list).text})
			}
			return c.text
		}
	case 3, 4, 5, 6:
		if list := g.readable("enum"); len(list) > 0 {
			c := pick(g, list)
			g.add("= of values")
			return c.text + pick(g, []string{" = ", " = ", g.sign(" != ", " ≠ ")}) + pick(g, c.typ.names)
		}
	case 7, 8, 9:
		if list := g.readable("range"); len(list) > 0 {
			a := g.number(1)
			if g.chance(15) {
				g.add("chain")
				return a + pick(g, []string{" = ", " <= ", " < ", " != "}) + g.number(1) + pick(g, []string{" = ", " <= ", " != "}) + g.number(0)
			}
			g.add("comparison of numbers")
			return a + pick(g, []string{" = ", " != ", " < ", g.sign(" <= ", " ≤ "), " > ", g.sign(" >= ", " ≥ ")}) + g.number(1)
		}
	case 10, 11:
		if list := g.readable("role"); len(list) > 0 {
			a := pick(g, list)
			for _, b := range list {
				if b.typ.role == a.typ.role && b.text != a.text && g.chance(60) {
					g.add("= of processes")
					return a.text + pick(g, []string{" = ", " != "}) + b.text
				}
			}
			if g.chance(8) && a.typ.role != nil {
				g.add("breaks symmetry")
				return a.text + pick(g, []string{" < 2", " = 1", " <= 1"})
			}
		}
	case 12:
		if list := g.composites(); len(list) > 0 && g.chance(50) {
			c := pick(g, list)
			for _, d := range list {
				if d.typ == c.typ && g.chance(60) {
					g.add("= of records or arrays")
					return c.text + pick(g, []string{" = ", " != "}) + d.text
				}
			}
			g.add("isundefined of records or arrays")
			return "isundefined(" + c.text + ")"
		}
		list := g.cells(false)
		if g.msgFrom != "" && g.chance(50) {
			list = nil
			for _, f := range g.msg[1:] {
				list = g.parts(list, cell{text: g.msgFrom + "." + f.name, typ: f.typ})
			}
		}
		if len(list) > 0 {
			g.add("isundefined")
			return "isundefined(" + pick(g, list).text + ")"
		}
	case 13:
		for _, n := range g.names {
			if n.typ.kind == "role" && !(g.anon && n.name == g.sender.name) && g.chance(40) && !g.noStatus {
				g.add("status in a condition")
				for _, o := range g.names {
					if o.typ.kind == "role" && o.name != n.name && !(g.anon && o.name == g.sender.name) && g.chance(20) {
						g.add("= of statuses")
						return n.typ.role.name + "[" + n.name + "].status = " + o.typ.role.name + "[" + o.name + "].status"
					}
				}
				return n.typ.role.name + "[" + n.name + "].status" + pick(g, []string{" = ", " != "}) + pick(g, []string{"corr", "crash", "crashed", "byz"})
			}
		}
	case 14:
		if g.chance(15) {
			return g.chosenValue()
		}
		return g.useDefine(false)
	case 15:
		for _, q := range g.names {
			if q.typ.kind == "quorum" && !(g.anon && !g.property && g.mover.name != "") {
				if k := g.ofRole(q.typ.role); k != "" {
					g.add("in")
					return k + g.sign(" in ", " ∈ ") + q.name
				}
			}
		}
		if g.msgQuorum != "" && g.msgFrom == "" {
			return g.quantified(0)
		}
	}
	return ""
}

// useDefine writes a use of a definition, or "".
func (g *generator) useDefine(number bool) string {
	for _, d := range g.defines {
		if d.number != number || !g.chance(60) {
			continue
		}
		var args []string
		for _, p := range d.params {
			a := ""
			switch p.typ.kind {
			case "role":
				a = g.ofRole(p.typ.role)
			case "bool":
				a = pick(g, []string{"true", "false"})
			case "set", "seq":
				a = g.variableOf(p.typ)
			default:
				if a = fmt.Sprint(p.typ.low + g.IntN(2)); g.chance(40) {
					a = g.number(1)
					g.add("definition of an expression")
				}
			}
			if list := g.readable("role"); p.typ.kind == "role" && len(list) > 0 && g.chance(30) {
				if c := pick(g, list); c.typ.role == p.typ.role && (g.sender.name == "" || !g.anon || c.text != g.sender.name) {
					a = c.text
					g.add("definition of an expression")
				}
			}
			if a == "" || g.anon && a == g.sender.name {
				return ""
			}
			args = append(args, a)
		}
		g.add("define")
		if len(args) == 0 {
			g.add("define without parameters")
			return d.name
		}
		return d.name + "(" + strings.Join(args, ", ") + ")"
	}
	return ""
}

// number writes an expression of a number.
func (g *generator) number(depth int) string {
	if depth > 0 && g.chance(35) {
		switch g.IntN(10) {
		case 9:
			if g.defining { // where it is used it may be compared
				return g.number(depth - 1)
			}
			return g.numberIf(depth - 1)
		case 0:
			g.add("+")
			return "(" + g.number(depth-1) + " + " + g.number(depth-1) + ")"
		case 1:
			g.add("-")
			return "(" + g.number(depth-1) + " - " + g.number(depth-1) + ")"
		case 2:
			g.add("*")
			return "(" + g.number(depth-1) + " * " + g.number(depth-1) + ")"
		case 3:
			g.add("division")
			return g.quotient(depth - 1)
		case 4:
			g.add("%")
			return "(" + g.number(depth-1) + " % " + g.divisor() + ")"
		case 5:
			if d := g.useDefine(true); d != "" {
				return d
			}
		default:
			return g.counted(depth - 1)
		}
	}
	if list := append(g.wholes("set", false), g.wholes("seq", false)...); len(list) > 0 && g.chance(12) {
		c := pick(g, list)
		if c.typ.kind == "set" {
			g.add("size")
			return "size(" + c.text + ")"
		}
		g.add("length")
		return "length(" + c.text + ")"
	}
	if list := g.readable("range"); len(list) > 0 && g.chance(70) {
		if c := pick(g, list); !c.readonly || g.chance(10) {
			return c.text
		}
	}
	if g.IntN(400) == 0 {
		g.add("number that is as large as can be")
		return "536870911"
	}
	return fmt.Sprint(g.IntN(3))
}

// numberIf writes one of several numbers. What decides is not the variable of a max.
func (g *generator) numberIf(depth int) string {
	a, b, names, from := g.number(depth), g.number(0), g.names, g.msgFrom
	defer func() { g.names, g.msgFrom = names, from }()
	g.add("if between numbers")
	g.names = slices.DeleteFunc(slices.Clone(names), func(n genName) bool { return slices.Contains(g.compared, n.name) })
	if len(g.compared) > 0 && strings.HasPrefix(from, "msg[") {
		g.msgFrom = ""
	}
	if g.chance(20) {
		g.add("elsif in an expression")
		return "(if " + g.condition(depth) + " then " + a + " elsif " + g.condition(0) + " then 1 else " + b + ")"
	}
	return "(if " + g.condition(depth) + " then " + a + " else " + b + ")"
}

func (g *generator) divisor() string {
	if g.chance(12) {
		g.add("divisor that may be 0")
		return g.number(0)
	}
	return fmt.Sprint(1 + g.IntN(2))
}

func (g *generator) quotient(depth int) string {
	q := g.number(depth) + " / " + g.divisor()
	switch g.IntN(3) {
	case 0:
		g.add("rounded up")
		if g.chance(50) {
			return "⌈" + q + "⌉"
		}
		return "[" + q + "]"
	case 1:
		g.add("rounded down")
		return "⌊" + q + "⌋"
	}
	return "(" + q + ")"
}

// counted writes count, max or min.
func (g *generator) counted(depth int) string {
	n := genName{name: g.newName("q")}
	old := g.msgFrom
	text := ""
	if g.msgQuorum != "" && g.chance(60) {
		n.typ, text = &genType{kind: "role", role: g.quorumRole}, g.msgQuorum
		g.msgFrom = "msg[" + n.name + "]"
		g.add("counting over a quorum")
	} else {
		r := pick(g, g.roles)
		n.typ, text = &genType{kind: "role", role: r}, r.typeName
		if g.chance(20) {
			n.typ, text = &genType{kind: "range", low: 0, high: 2}, "0..2"
			g.add("counting over a range")
		}
	}
	kind, compared := g.IntN(4), g.compared
	if kind > 1 {
		g.compared = append(slices.Clip(compared), n.name)
	}
	g.push(n)
	defer func() {
		g.pop()
		g.compared = compared
		g.msgFrom = old
	}()
	switch kind {
	case 0, 1:
		g.add("count")
		return fmt.Sprintf("(count (%s: %s) (%s))", n.name, text, g.condition(depth))
	case 2:
		word := pick(g, []string{"max", "min"})
		g.add(word)
		return fmt.Sprintf("(%s (%s: %s) (%s))", word, n.name, text, g.number(depth))
	}
	word := pick(g, []string{"max", "min"})
	if g.chance(40) {
		return g.orDefault(word, n.name, text, depth)
	}
	g.add(word + " by")
	return fmt.Sprintf("(%s (%s: %s) (%s) by (%s))", word, n.name, text, g.number(depth), g.number(0))
}

// orDefault writes max or min of what may have no value.
func (g *generator) orDefault(word, name, over string, depth int) string {
	g.add("default")
	key := g.number(0)
	if list := g.readable("range"); len(list) > 0 {
		key = pick(g, list).text
	}
	if g.chance(50) {
		return fmt.Sprintf("(%s (%s: %s) (%s) default %d)", word, name, over, key, g.IntN(3))
	}
	g.add("by and default")
	return fmt.Sprintf("(%s (%s: %s) (%s) by (%s) default %d)", word, name, over, g.number(depth), key, g.IntN(3))
}
