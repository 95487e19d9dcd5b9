package protocol

import (
	"fmt"
	"strings"
)

// genKind is a kind of messages.
type genKind struct {
	name   string
	fields []genField
}

// messageKinds writes kinds of messages.
func (g *generator) messageKinds() {
	g.add("kinds of messages")
	var texts []string
	pool := map[string]*genType{}
	for _, name := range []string{"KA", "KB", "KC"}[:1+g.IntN(3)] {
		k := genKind{name: name}
		for _, f := range []string{"val", "wal"} {
			if !g.chance(40) {
				continue
			}
			t := pool[f]
			if t == nil {
				t = g.fieldType()
				if other := pool["val"]; other != nil && other.kind != "enum" && other.kind != "record" && g.chance(40) {
					t = other
				}
				pool[f] = t
				g.msg = append(g.msg, genField{name: f, typ: t})
				g.add("message with a value")
			} else if (t.kind == "enum" || t.kind == "record") && t != g.named {
				continue
			} else {
				g.add("field of several kinds")
			}
			k.fields = append(k.fields, genField{name: f, typ: t})
		}
		g.kinds = append(g.kinds, k)
		text := name
		if len(k.fields) > 0 {
			var list []string
			for _, f := range k.fields {
				list = append(list, f.name+": "+f.typ.text)
			}
			text += "(" + strings.Join(list, ", ") + ")"
		}
		texts = append(texts, text)
	}
	kind := &genType{kind: "enum"}
	for _, k := range g.kinds {
		kind.names = append(kind.names, k.name)
	}
	g.msg = append([]genField{{name: "kind", typ: kind}}, g.msg...)
	g.line("message %s;", strings.Join(texts, ", "))
}

// fieldType invents a type of a field of messages.
func (g *generator) fieldType() *genType {
	switch g.IntN(9) {
	case 0:
		g.add("message with a set")
		return g.setType()
	case 2:
		if g.chance(60) {
			g.add("message with a record")
			return pairType("ra", "rb")
		}
	case 1:
		t := g.seqType()
		if t.elem.kind != "set" {
			g.add("message with a seq")
			return t
		}
	}
	return g.simpleType("M")
}

// visibleFields lists the fields of the message that a rule speaks of: those of the kind that it receives.
func (g *generator) visibleFields() []genField {
	if g.received == nil || len(g.kinds) == 0 {
		return g.msg
	}
	return append([]genField{g.msg[0]}, g.received.fields...)
}

// head chooses what a rule receives in its head, and names some of its fields.
func (g *generator) head() string {
	if len(g.kinds) > 0 {
		g.received = &g.kinds[g.IntN(len(g.kinds))]
	} else {
		g.received = &genKind{name: pick(g, g.msg[0].typ.names), fields: g.after}
		g.add("receive a value of a record")
	}
	g.add("receive KIND")
	return "receive " + g.received.name
}

// fieldNames gives names to fields of the message.
func (g *generator) fieldNames() string {
	var list []string
	for _, f := range g.received.fields {
		if !g.chance(85) {
			break
		}
		n := genName{g.newName("m"), f.typ}
		list = append(list, n.name)
		g.push(n)
		g.add("names of fields")
	}
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// sendStatement writes a message to one process or several, or says no.
func (g *generator) sendStatement() bool {
	fields := g.after
	name := pick(g, g.msg[0].typ.names)
	if len(g.kinds) > 0 {
		k := pick(g, g.kinds)
		name, fields = k.name, k.fields
	} else {
		fields = fields[:g.IntN(len(fields)+1)]
	}
	var args []string
	for _, f := range fields {
		v := g.valueOf(f.typ)
		if f.typ.kind == "record" {
			v = g.wholeValue(f.typ, 0)
		}
		if v == "" {
			return false
		}
		args = append(args, v)
	}
	text := name
	if len(args) > 0 {
		text += "(" + strings.Join(args, ", ") + ")"
	}
	g.line("send %s to %s;", text, g.destination())
	g.add("send")
	return true
}

// destination writes to whom something is sent.
func (g *generator) destination() string {
	switch g.IntN(8) {
	case 0, 1:
		if g.sender.name != "" {
			g.add("send to sender")
			return "sender"
		}
	case 2, 6:
		if g.msgQuorum != "" {
			g.add("send to a quorum")
			return g.msgQuorum
		}
	case 3:
		for _, c := range g.wholes("set", false) {
			if c.typ.index.kind == "role" {
				g.add("send to a set")
				return c.text
			}
		}
	case 4:
		if k := g.ofUsable(pick(g, g.roles)); k != "" {
			g.add("send to k")
			return k
		}
	case 5:
		if list := g.readable("role"); len(list) > 0 && g.chance(50) {
			g.add("send to k")
			return pick(g, list).text
		}
	}
	if len(g.roles) > 1 {
		r := pick(g, g.roles)
		if r == g.mover.typ.role {
			g.add("send to its own role")
		}
		g.add("send to all of")
		return "all of " + r.typeName
	}
	g.add("send to its own role")
	word := pick(g, []string{"all", "others"})
	g.add("to " + word)
	return word
}

// sends writes one message or several.
func (g *generator) sends() {
	statements := 40
	if len(g.kinds) > 0 {
		statements = 85
	}
	if !g.chance(statements) || !g.sendStatement() {
		g.send()
		return
	}
	if g.chance(25) && g.sendStatement() {
		g.add("several sends")
	}
	if g.chance(6) {
		g.add("field by field after send")
		g.send()
	}
}

// quantifiers writes quantifiers over processes in one of their forms, with what they speak of.
func (g *generator) quantifiers(word string, names []string, over string, body string) string {
	switch style := g.IntN(6); {
	case len(names) > 1:
		g.add("forall (i, j: T)")
		return fmt.Sprintf("%s (%s: %s) %s", word, strings.Join(names, ", "), over, body)
	case style == 0:
		g.add("forall k: T. e")
		return fmt.Sprintf("%s %s: %s. %s", word, names[0], over, body)
	case style == 1:
		g.add("forall k in T: e")
		return fmt.Sprintf("%s %s in %s: %s", word, names[0], over, body)
	}
	return fmt.Sprintf("%s (%s: %s) %s", word, names[0], over, body)
}
