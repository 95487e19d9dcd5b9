package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// rules writes what happens.
func (g *generator) rules() {
	g.line("rules")
	g.indent++
	g.stating = true
	n := 3 + g.IntN(4)
	if g.cyclic {
		n = 2 + g.IntN(3)
	}
	for i := range n {
		if i > 0 {
			g.line("[]")
		}
		g.rule(i == 0)
	}
	if g.chance(20) {
		g.add("ELSE")
		g.line("[]")
		g.line("ELSE")
	}
	g.stating = false
	g.indent--
}

// rule writes one rule. The first one sends, so that there are messages.
func (g *generator) rule(first bool) {
	g.names, g.msgFrom, g.msgQuorum, g.sender, g.received = nil, "", "", genName{}, nil
	params, head, other := "", "", false // other: the process that moves comes right after another one
	if g.chance(30) {
		n := genName{name: g.newName("a")}
		switch g.IntN(3) {
		case 0:
			n.typ = &genType{kind: "range", low: 0, high: 1, text: "0..1"}
		case 1:
			n.typ = genBool
		default:
			r := pick(g, g.roles)
			n.typ = &genType{kind: "role", role: r, text: r.typeName}
			// A process right before the one that moves would be the one that moves.
			params += fmt.Sprintf("[](%s: %s) ", n.name, n.typ.text)
			g.push(n)
			n = genName{name: g.newName("a"), typ: genBool}
			other = g.chance(50)
		}
		if g.named != nil && g.named.kind != "role" && g.chance(25) {
			n.typ = g.named
			g.add("parameter of a named type")
		}
		g.add("rule with parameters")
		if !other {
			params += fmt.Sprintf("[](%s: %s) ", n.name, n.typ.text)
			g.push(n)
		}
	}
	role := pick(g, g.roles)
	g.mover = genName{g.newName("i"), &genType{kind: "role", role: role, text: role.typeName}}
	params += fmt.Sprintf("[](%s: %s) ", g.mover.name, role.typeName)
	g.push(g.mover)
	if other {
		g.add("receive nothing")
		head = "receive nothing"
	} else if !first && g.chance(65) {
		from := pick(g, g.roles)
		if from == role {
			g.add("receives from its own role")
		}
		if g.chance(25) || len(g.kinds) > 0 && g.chance(70) {
			head = g.head()
		}
		if g.chance(30) {
			name := strings.ToUpper(g.newName("s"))
			size := fmt.Sprint(1 + g.IntN(from.size))
			if g.chance(30) {
				size = pick(g, []string{from.sizeText, from.sizeText + " / 2 + 1", "[(" + from.sizeText + " + 1) / 2]"})
				g.add("size of a quorum calculated")
			}
			atLeast := ""
			if g.chance(35) {
				atLeast = ">= "
				g.add("quorum at least")
			}
			g.add("quorum")
			g.msgQuorum, g.quorumRole = name, from
			if head != "" {
				g.add("receive KIND from a quorum")
				head += fmt.Sprintf(" from %s: quorum[%s%s] of %s", name, atLeast, size, from.typeName)
			} else {
				params += fmt.Sprintf("[](%s: quorum[%s%s] of %s) ", name, atLeast, size, from.typeName)
			}
			g.push(genName{name, &genType{kind: "quorum", role: from}})
		} else {
			g.add("receive")
			g.sender = genName{g.newName("j"), &genType{kind: "role", role: from, text: from.typeName}}
			g.push(g.sender)
			g.msgFrom = "msg"
			switch {
			case head != "" && g.chance(70):
				head += g.fieldNames() + " from " + g.sender.name
				if len(g.roles) > 1 {
					head += ": " + from.typeName
				}
			case head != "":
				g.add("receive KIND from a parameter")
				head += g.fieldNames() + " from " + g.sender.name
				fallthrough
			default:
				params += fmt.Sprintf("[](%s: %s) ", g.sender.name, from.typeName)
			}
		}
	} else {
		g.add("internal")
	}
	word := ""
	g.byzantine = g.chance(14)
	if g.byzantine {
		word = "byz "
		role.strategy = true
		g.add("byz rule")
	} else if g.chance(12) {
		word = "maybe "
		g.add("maybe")
	}
	label := g.newName("rule")
	if word != "maybe " {
		g.labels = append(g.labels, label)
	}
	g.line("%s", strings.TrimSpace(fmt.Sprintf("%s%s%s: %s", params, word, label, head)))
	g.indent++
	guard, depth := 75, g.IntN(3)
	switch {
	case first:
		guard, depth = 50, 0
	case g.cyclic:
		guard, depth = 60, g.IntN(2)
	}
	switch {
	case g.chance(guard):
		g.add("guard")
		if g.chance(18) {
			g.add("let before a guard")
			for range g.let(true) {
				defer g.pop()
			}
		}
		premise := g.premise
		if g.premise = ""; premise != "" {
			premise += " and "
		}
		g.line("if %s%s then", premise, g.condition(depth))
		g.indent++
		g.body(first)
		g.indent--
		g.line("endif")
	case g.chance(20):
		g.add("if with else as a rule")
		g.line("if %s then", g.condition(1))
		g.indent++
		g.body(first)
		g.indent--
		if g.chance(50) {
			g.add("elsif")
			g.line("elsif %s then", g.condition(1))
			g.indent++
			g.statement(1)
			g.indent--
		} else {
			g.line("else")
			g.indent++
			g.statement(1)
			g.indent--
		}
		g.line("endif")
	default:
		g.add("no guard")
		g.body(first)
	}
	g.indent--
	g.mover = genName{}
}

// body writes the statements of a rule.
func (g *generator) body(sends bool) {
	if g.chance(15) {
		for range g.let(false) {
			defer g.pop()
		}
	}
	if sends || g.chance(30) {
		g.sends()
	}
	if g.chance(12) {
		g.exchange()
	}
	for range g.IntN(3) {
		g.statement(2)
	}
	if g.byzantine && g.chance(25) {
		g.add("byz rule sets a status")
		g.line("%s[%s].status := %s;", g.mover.typ.role.name, g.mover.name, pick(g, []string{"corr", "crash", "byz"}))
	}
	if g.chance(75) {
		g.assignment()
	}
	if !sends && g.chance(5) {
		g.line("skip;")
		g.add("skip")
	}
}

// send writes statements that send a message, to one process or all.
func (g *generator) send() {
	to := pick(g, g.roles)
	if g.sender.name != "" && !g.anon && g.chance(35) {
		g.add("reply")
		g.message(g.sender.typ.role, g.sender.name)
		return
	}
	if k := g.ofRole(to); k != "" && g.chance(20) && k != g.sender.name {
		g.add("send to one")
		g.message(to, k)
		return
	}
	g.add("send to all")
	k := genName{g.newName("k"), &genType{kind: "role", role: to, text: to.typeName}}
	g.line("for %s: %s do", k.name, to.typeName)
	g.indent++
	g.push(k)
	if g.chance(20) {
		g.add("send to some")
		g.line("if %s then", g.condition(0))
		g.indent++
		g.message(to, k.name)
		g.indent--
		g.line("endif")
	} else {
		g.message(to, k.name)
	}
	g.pop()
	g.indent--
	g.line("endfor")
}

// message writes assignments to the fields of a message.
func (g *generator) message(to *genRole, k string) {
	if to == g.moverRole() {
		g.add("send to its own role")
	}
	if g.msgFrom == "msg" && g.chance(6) {
		g.add("message copied")
		g.line("2%s[%s] := msg;", to.name, k)
		return
	}
	if g.msgType != nil && g.chance(6) {
		if v := g.wholeValue(g.msgType, 0); v != "" {
			g.add("message as a record literal")
			g.line("2%s[%s] := %s;", to.name, k, v)
			return
		}
	}
	for _, f := range g.msg {
		if f.name != "kind" && g.chance(10) {
			g.add("field left undefined")
			continue
		}
		if f.typ.kind == "record" {
			g.line("2%s[%s].%s.%s := %s;", to.name, k, f.name, f.typ.fields[0].name, pick(g, []string{"true", "false"}))
			continue
		}
		if v := g.valueOf(f.typ); v != "" {
			g.line("2%s[%s].%s := %s;", to.name, k, f.name, v)
		}
	}
}

func (g *generator) moverRole() *genRole {
	if g.mover.typ == nil {
		return nil
	}
	return g.mover.typ.role
}

// valueOf writes a value of a type, or "".
func (g *generator) valueOf(t *genType) string {
	switch t.kind {
	case "bool":
		if v := g.parameter(t); v != "" {
			return v
		}
		if g.chance(60) {
			return pick(g, []string{"true", "false"})
		}
		return g.condition(1)
	case "enum":
		if list := g.readable("enum"); len(list) > 0 && g.chance(25) {
			if c := pick(g, list); strings.Join(c.typ.names, " ") == strings.Join(t.names, " ") {
				return c.text
			}
		}
		return pick(g, t.names)
	case "set", "seq", "record":
		return g.wholeValue(t, 1)
	case "role":
		if g.chance(3) && !g.initial {
			g.add("number as a process")
			return pick(g, []string{"1", fmt.Sprint(t.role.size)})
		}
		for range 4 {
			if list := g.readable("role"); len(list) > 0 {
				if c := pick(g, list); c.typ.role == t.role {
					return c.text
				}
			}
		}
		return g.ofUsable(t.role)
	}
	if v := g.parameter(t); v != "" {
		return v
	}
	if list := g.readable("role"); len(list) > 0 && t.high > 0 && g.chance(3) {
		g.add("process as a number")
		return "(" + pick(g, list).text + ") % " + fmt.Sprint(t.high+1)
	}
	switch g.IntN(10) {
	case 0:
		g.add("number that may be out of range")
		return g.number(1)
	case 1, 2:
		if t.low == 0 {
			return fmt.Sprintf("(%s) %% %d", g.number(1), t.high+1)
		}
	case 3:
		for _, c := range g.readable("range") {
			if c.typ.low >= t.low && c.typ.high <= t.high {
				return c.text
			}
		}
	}
	return fmt.Sprint(t.low + g.IntN(t.high-t.low+1))
}

// parameter finds a parameter that is a value of a simple type, now and then.
func (g *generator) parameter(t *genType) string {
	for _, n := range g.names {
		if n.typ.kind == t.kind && t.low <= n.typ.low && n.typ.high <= t.high && g.chance(60) {
			return n.name
		}
	}
	return ""
}

// ofUsable is ofRole, without the sender that a process cannot know.
func (g *generator) ofUsable(r *genRole) string {
	if k := g.ofRole(r); !(g.anon && k == g.sender.name) {
		return k
	}
	return ""
}

// assignment writes an assignment to a variable of the process that moves, now and then of another one.
func (g *generator) assignment() {
	if g.chance(35) && g.wholeStatement() {
		return
	}
	own := g.chance(92)
	list := slices.DeleteFunc(g.cells(own), func(c cell) bool { return c.readonly })
	if len(list) == 0 {
		g.line("skip;")
		g.add("skip")
		return
	}
	c := pick(g, list)
	if !own {
		g.add("writes what others have")
	}
	if list := g.composites(); len(list) > 0 && g.chance(10) {
		g.composite(list)
		return
	}
	if g.chance(5) {
		g.add("undefine")
		if g.chance(30) {
			g.line("undefine(%s);", c.text)
		} else {
			g.line("undefine %s;", c.text)
		}
		return
	}
	if c.typ.kind == "range" && (g.chance(60) || c.typ.high > 9) {
		g.add("increment")
		if g.chance(60) && !g.cyclic {
			g.line("if %s < %d then", c.text, c.typ.high)
			if g.chance(50) {
				g.add("+= of a number")
				g.line("  %s += %s;", c.text, pick(g, []string{"1", "1", "1", g.number(1)}))
			} else {
				g.line("  %s := %s + 1;", c.text, c.text)
			}
			g.line("endif")
			if g.chance(10) {
				g.add("-= of a number")
				g.line("%s -= %s;", c.text, pick(g, []string{"1", "1", "0", g.number(0)}))
			}
		} else {
			g.line("%s := (%s + 1) %% %d;", c.text, c.text, c.typ.high+1)
		}
		return
	}
	if c.typ.kind == "bool" && (g.chance(30) || g.cyclic && g.chance(60)) {
		g.add("toggle")
		g.line("%s := not %s;", c.text, c.text)
		return
	}
	if v := g.valueOf(c.typ); v != "" {
		g.line("%s := %s;", c.text, v)
	}
}

// composite writes a statement about a record or an array as a whole.
func (g *generator) composite(list []cell) {
	a, b := pick(g, list), pick(g, list)
	if a.typ == b.typ && g.chance(70) {
		g.add("assignment of records or arrays")
		g.line("%s := %s;", a.text, b.text)
		return
	}
	g.add("undefine records or arrays")
	if g.chance(20) {
		role := g.moverRole()
		if g.chance(30) {
			g.line("undefine %s;", role.name)
			g.add("undefine a role")
			return
		}
		g.line("undefine %s[%s];", role.name, g.mover.name)
		g.add("undefine a process")
		return
	}
	g.line("undefine %s;", a.text)
}

// statement writes any statement.
func (g *generator) statement(depth int) {
	if depth == 0 {
		g.assignment()
		return
	}
	switch g.IntN(8) {
	case 0, 1:
		g.add("if")
		g.line("if %s then", g.condition(1))
		g.indent++
		if depth < 2 {
			g.add("nested if")
		}
		g.statement(depth - 1)
		g.indent--
		if g.chance(25) {
			g.add("elsif")
			g.line("elsif %s then", g.condition(1))
			g.indent++
			g.statement(depth - 1)
			g.indent--
		}
		if g.chance(40) {
			g.add("else")
			g.line("else")
			g.indent++
			g.statement(depth - 1)
			g.indent--
		}
		g.line("endif")
	case 2:
		g.add("for")
		r := pick(g, g.roles)
		k := genName{g.newName("k"), &genType{kind: "role", role: r, text: r.typeName}}
		if g.chance(20) {
			g.add("for over a range")
			k.typ = &genType{kind: "range", low: 0, high: 1, text: "0..1"}
		} else if g.chance(10) {
			g.add("for over bool")
			k.typ = genBool
		} else if g.named != nil && g.named.kind != "role" && g.chance(15) {
			g.add("for over a named type")
			k.typ = g.named
		}
		g.line("for %s: %s do", k.name, k.typ.text)
		g.indent++
		g.push(k)
		g.statement(depth - 1)
		g.pop()
		g.indent--
		g.line("endfor")
	case 3:
		g.sends()
	case 4:
		g.add("changed and changed back")
		g.assignment()
		g.assignment()
	default:
		g.assignment()
	}
}

// properties writes definitions, invariants and formulas.
func (g *generator) properties() {
	g.names, g.msgFrom, g.msgQuorum, g.mover, g.sender, g.anon, g.property = nil, "", "", genName{}, genName{}, false, true
	g.defined()
	for range 1 + g.IntN(2) {
		g.invariant()
	}
	if g.chance(65) || g.cyclic {
		g.formula()
	}
	if g.chance(25) || g.cyclic {
		g.formula()
	}
}

// defined writes a definition, which properties after it may use.
func (g *generator) defined() {
	if g.chance(35) {
		g.define()
	}
}

func (g *generator) define() {
	g.names = nil
	d := genDefine{name: g.newName("def"), number: g.chance(30)}
	text := ""
	switch g.IntN(3) {
	case 0:
		r := pick(g, g.roles)
		d.params = append(d.params, genName{g.newName("p"), &genType{kind: "role", role: r, text: r.typeName}})
	case 1:
		d.params = append(d.params, genName{g.newName("p"), &genType{kind: "range", low: 0, high: 1, text: "0..1"}})
	}
	for _, t := range g.wholeTypes() {
		if g.chance(20) && len(d.params) < 2 {
			g.add("definition of sets or seqs")
			d.params = append(d.params, genName{g.newName("p"), t})
		}
	}
	for _, p := range d.params {
		text += "(" + p.name + ": " + p.typ.text + ")"
		g.push(p)
	}
	if len(d.params) > 1 && g.chance(50) {
		text = strings.ReplaceAll(text, ")(", ", ")
	}
	if g.defining = d.number; d.number {
		g.line("define %s%s = %s;", d.name, text, g.number(1))
		g.defining = false
	} else {
		g.line("define %s%s = %s;", d.name, text, g.condition(1))
	}
	g.names = nil
	g.defines = append(g.defines, d)
}

func (g *generator) invariant() {
	g.add("invariant")
	g.noStatus = g.chance(50)
	g.line("invariant %s:", g.newName("inv"))
	g.line("  %s;", g.quantifiedTwice(func() string { return g.condition(2) }))
	g.noStatus = false
}

// quantifiedTwice writes up to two quantifiers over processes before something.
func (g *generator) quantifiedTwice(f func() string) string {
	text := ""
	n := g.IntN(3)
	if n > 1 {
		g.add("nested quantifiers")
	}
	for i := range n {
		r := pick(g, g.roles)
		k := genName{g.newName("k"), &genType{kind: "role", role: r, text: r.typeName}}
		if i == 0 && n > 1 && g.chance(25) {
			l := genName{g.newName("k"), k.typ}
			g.push(k)
			g.push(l)
			body := f()
			g.pop()
			g.pop()
			return g.quantifiers(pick(g, []string{"forall", "exists", "forall"}), []string{k.name, l.name}, r.typeName, body)
		}
		text += g.quantifiers(pick(g, []string{"forall", "exists", "forall"}), []string{k.name}, r.typeName, "")
		g.push(k)
		defer g.pop()
	}
	return text + f()
}

// formula writes a temporal formula.
func (g *generator) formula() {
	g.add("ltl")
	fair := ""
	switch {
	case g.chance(30):
		fair = " fair"
		g.add("fair")
	case g.chance(20) && len(g.labels) > 0:
		fair = fmt.Sprintf(" fair(%s)", pick(g, g.labels))
		if len(g.labels) > 1 && g.chance(40) {
			fair = fmt.Sprintf(" fair(%s, %s)", g.labels[0], g.labels[1])
		}
		g.add("fair rules")
	}
	g.line("ltl %s%s:", g.newName("ltl"), fair)
	g.noStatus = g.chance(50)
	if g.chance(40) || g.cyclic && g.chance(50) {
		g.add("quantifiers before a formula")
		g.line("  %s;", g.quantifiedTwice(func() string { return g.temporal(1 + g.IntN(2)) }))
	} else {
		g.line("  %s;", g.temporal(2))
	}
	g.noStatus = false
}

// temporal writes a formula with temporal operators.
func (g *generator) temporal(depth int) string {
	sub := func() string {
		if depth > 0 && g.chance(45) {
			return "(" + g.temporal(depth-1) + ")"
		}
		return "(" + g.condition(1) + ")"
	}
	switch g.IntN(16) {
	case 13, 14:
		g.add("F", "G", "G F or F G")
		return pick(g, []string{"G F (", "F G (", "G (F ", "[] <> (", "<>[] (", "[] (<> "}) + "(" + g.condition(1) + "))"
	case 0, 1, 2:
		g.add("F")
		return g.letter("F", "<>") + " (" + sub() + ")"
	case 3, 4, 5:
		g.add("G")
		return g.letter("G", "[]") + " (" + sub() + ")"
	case 6:
		g.add("U")
		return "(" + sub() + " U " + sub() + ")"
	case 7:
		g.add("R")
		return "(" + sub() + " R " + sub() + ")"
	case 8:
		g.add("temporal and")
		return "(" + sub() + " and F " + sub() + ")"
	case 9:
		g.add("temporal or")
		return "(" + sub() + " or G " + sub() + ")"
	case 10:
		g.add("temporal ->")
		return "(" + sub() + " -> F " + sub() + ")"
	case 11:
		g.add("temporal not")
		return "not (" + g.temporal(max(0, depth-1)) + ")"
	}
	g.add("quantifier around temporal operators")
	r := pick(g, g.roles)
	k := genName{g.newName("k"), &genType{kind: "role", role: r, text: r.typeName}}
	g.push(k)
	defer g.pop()
	return fmt.Sprintf("(%s (%s: %s) F (%s))", pick(g, []string{"forall", "exists"}), k.name, r.typeName, sub())
}

// letter is an operator as it is, or as a sign.
func (g *generator) letter(letter, sign string) string {
	if g.chance(70) {
		return letter
	}
	g.add("[] and <>")
	return sign
}
