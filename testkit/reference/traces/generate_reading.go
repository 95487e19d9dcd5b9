package traces

import (
	"fmt"
	"strings"
)

// whenText is what an event of a random reading is.
type whenText struct {
	name, kind string // of the event; several have one name, and some of these a kind
	parts      []*partText
}

// partText is a part of it.
type partText struct {
	kind          string
	rule          *ruleText // of parts that are rules
	to, from      *roleText // of others
	args          []*fieldText
	before, after []*fieldText
}

// fieldText is a value of an event: what it is in the protocol, and where it stands in the line. Without a path it is a
// condition, or a parameter that may have any value.
type fieldText struct {
	expr, typ string
	path      string
	optional  bool
	plus      int
	list      bool
	id        string // with these keys; "-" for those without a name
	relation  string
	is        string // an expression in the protocol's words that it is equal to
}

// mover is the role of the process that an event is of.
func (p *partText) mover() *roleText {
	if p.kind == "sent" {
		return p.from
	}
	return p.to
}

// value writes the value of a line.
func (f *fieldText) value() string {
	s := "$" + f.path
	if f.optional {
		s += "?"
	}
	if f.list {
		s = "len(" + s + ")"
	}
	if f.id == "-" {
		s = "id(" + s + ")"
	} else if f.id != "" {
		s = "id(" + s + ", " + f.id + ")"
	}
	switch {
	case f.plus > 0:
		s += fmt.Sprint(" + ", f.plus)
	case f.plus < 0:
		s += fmt.Sprint(" - ", -f.plus)
	}
	return s
}

// field makes a value of an event.
func (g *generator) field(expr, typ string) *fieldText {
	g.fields++
	f := &fieldText{expr: expr, typ: typ, path: fmt.Sprint("f", g.fields), relation: "="}
	if g.chance(12) {
		f.optional = true
		g.note("optional values")
	}
	if typ == "number" {
		switch g.IntN(14) {
		case 2, 3:
			f.id = pick(g, "-", "keys", "other")
			f.plus = pick(g, -1, -1, 0)
			g.note("numbers of values")
		case 0:
			f.plus = pick(g, 1, -1)
			g.note("sums")
		case 1:
			f.list = true
			g.note("lengths")
		}
	}
	return f
}

// reading writes a reading.
func (g *generator) reading() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if g.inside = g.chance(15); g.inside {
		g.note("reading in the text")
	} else {
		line("reading random;")
	}
	if g.events = g.chance(15); g.events {
		line("events $d;")
		g.note("events in lines")
	}
	g.clocks(line)
	for i, r := range g.roles {
		g.names(r, i, line)
	}
	if g.texts = g.chance(25); g.texts {
		line("value A = \"MsgA\" or \"a\", true = \"yes\";\nvalue false = \"no\";")
		g.note("names of values")
	}
	g.cases()
	switch {
	case g.chance(12):
		line("silent all;")
		g.note("silent all")
		for _, r := range g.rules {
			if !r.silent {
				g.visible = append(g.visible, r.label)
			}
		}
	default:
		for _, r := range g.rules {
			if r.silent {
				g.silent = append(g.silent, r.label)
			}
		}
		if len(g.silent) > 0 {
			line("silent %s;", strings.Join(g.silent, ", "))
			g.note("silent rules")
		}
	}
	if len(g.visible) > 0 {
		line("visible %s;", strings.Join(g.visible, ", "))
	}
	if g.ignores = g.chance(20); g.ignores {
		line("%s", pick(g, `ignore $e = "tick";`, `ignore $e in ("tick", "tock");`, "ignore others;"))
		g.note("ignored events")
	}
	for _, w := range g.whens {
		line("%s", w.text())
	}
	return b.String()
}

// clocks chooses what order of events there is.
func (g *generator) clocks(line func(string, ...any)) {
	g.clock = pick(g, "one clock", "one clock", "one clock", "several files", "clock by process", "vector clocks", "vector clocks")
	g.note(g.clock)
	g.own = true
	switch g.clock {
	case "clock by process":
		line("clock by $c;")
	case "vector clocks":
		line("clock by $c vector $vc;")
		if g.own = g.chance(60); !g.own {
			g.note("own component left out")
		}
	}
}

// names chooses what processes are called in the log.
func (g *generator) names(r *roleText, i int, line func(string, ...any)) {
	pool := [][]string{{"eu", "us", "asia"}, {"alice", "bob", "carol"}}[i]
	r.names = append([]string{}, pool[:r.size]...)
	g.Shuffle(r.size, func(a, b int) { r.names[a], r.names[b] = r.names[b], r.names[a] })
	r.naming = pick(g, "unnumbered", "unnumbered", "some fixed", "all fixed", "numbers")
	g.note("names " + r.naming)
	switch r.naming {
	case "some fixed":
		k := g.IntN(r.size)
		line("process %s %q is %d;", r.typ, r.names[k], k+1)
	case "all fixed":
		var list []string
		for k, n := range r.names {
			list = append(list, fmt.Sprintf("%q is %d", n, k+1))
		}
		line("process %s %s;", r.typ, strings.Join(list, ", "))
	case "numbers":
		line("process %s numbers;", r.typ)
		for k := range r.names {
			r.names[k] = fmt.Sprint(k + 1)
		}
	}
	if i == 0 && (r.pointer || g.roles[len(g.roles)-1].pointer) && g.chance(50) {
		line(`process %s none "-";`, r.typ)
		r.names = append(r.names, "-")
		g.note("texts for nobody")
	}
}

// cases chooses what events there are.
func (g *generator) cases() {
	wire := g.chance(25) && !g.byz
	g.tight = g.narrow || g.chance(40)
	for _, r := range g.rules {
		n := g.IntN(100)
		if g.tight {
			n += 20
		}
		switch {
		case n < 25:
			r.silent = true
		case n < 40:
			r.silent, r.logged = true, true
		default:
			r.logged = true
		}
		if wire && r.logged && r.from != nil && !r.quorum {
			r.logged, r.received = false, true
		}
		if r.logged {
			g.add(g.rulePart(r))
			if g.chance(15) {
				g.add(g.rulePart(r))
			}
		}
	}
	some := func() *roleText { return pick(g, g.roles...) }
	if wire {
		for _, to := range g.roles {
			for _, from := range g.roles {
				if g.receipts(to, from) {
					g.add(g.messagePart("received", to, from))
				}
				if g.chance(30) {
					g.sent = true
					g.add(g.messagePart("sent", to, from))
				}
			}
		}
	}
	if g.chance(25) {
		g.add(g.seePart(some()))
	}
	if g.chance(15) && !g.byz {
		g.add(g.messagePart("see", some(), some()))
	}
	if g.features["lossy"] && g.chance(30) {
		for _, to := range g.roles {
			for _, from := range g.roles {
				g.add(g.messagePart("lost", to, from))
			}
		}
		if g.chance(70) {
			g.visible = append(g.visible, "lost")
			g.note("losses are logged")
		}
	}
	if (g.features["all may crash"] || g.features["one may crash"]) && g.chance(30) && !g.sync {
		for _, to := range g.roles {
			for _, from := range g.roles {
				g.add(g.messagePart("stopped", to, from))
			}
		}
		if g.chance(70) {
			g.visible = append(g.visible, "stopped")
			g.note("crashes are logged")
		}
	}
	for g.chance(35) {
		g.joined()
	}
}

// receipts tells whether some rule of one role that receives from another is logged as a receipt.
func (g *generator) receipts(to, from *roleText) bool {
	for _, r := range g.rules {
		if r.received && r.role == to && r.from == from {
			return true
		}
	}
	return false
}

// add adds what an event is, under a name of its own or that of another one.
func (g *generator) add(parts ...*partText) {
	w := &whenText{name: fmt.Sprint("e", len(g.whens)), parts: parts}
	if len(g.whens) > 0 && g.chance(25) {
		other := pick(g, g.whens...)
		if other.parts[0].mover() != parts[0].mover() {
			other = w
		}
		w.name = other.name
		if other == w {
		} else if g.chance(50) {
			w.kind = fmt.Sprint("k", len(g.whens))
			g.note("conditions with and")
		} else {
			g.note("events with several cases")
		}
	}
	for _, p := range parts {
		g.note(p.kind)
	}
	g.whens = append(g.whens, w)
}

// joined adds an event of several steps of a process.
func (g *generator) joined() {
	var rules []*ruleText
	for _, r := range g.rules {
		if !r.received {
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		return
	}
	a := pick(g, rules...)
	parts := []*partText{g.rulePart(a)}
	for _, b := range rules {
		if b.role == a.role && g.chance(50) {
			parts = append(parts, g.rulePart(b))
			break
		}
	}
	if len(parts) == 1 {
		parts = append(parts, g.seePart(a.role))
	}
	g.note("then")
	g.add(parts...)
	first := g.whens[len(g.whens)-1]
	if first.kind != "" || g.chance(50) {
		return
	}
	g.note("events with several cases")
	other := []*partText{parts[1], parts[0]}
	switch g.IntN(3) {
	case 0:
		other = []*partText{g.seePart(a.role)}
	case 1:
		other = parts[g.IntN(2):][:1]
	default:
		g.note("then in two orders")
	}
	g.whens = append(g.whens, &whenText{name: first.name, parts: other})
}

// rulePart writes what an event shows of a step.
func (g *generator) rulePart(r *ruleText) *partText {
	p := &partText{kind: "rule", rule: r, to: r.role}
	if r.label == "restart" { // what its parameter is called is not said
		p.after = append(p.after, &fieldText{expr: "true"})
		return p
	}
	if g.tight || g.chance(85) {
		p.args = append(p.args, &fieldText{expr: "i", typ: r.role.typ, path: "at"})
	}
	if r.from != nil && !r.quorum && g.chance(75) {
		p.args = append(p.args, g.field("j", r.from.typ))
	}
	switch {
	case r.value && g.chance(15): // of the parameters before it, so not of the process that moves
		p.args = append(p.args, &fieldText{expr: "v", typ: "number", is: map[bool]string{true: "total", false: "1 - 0"}[g.global]})
		g.note("expressions as parameters")
	case r.value && g.chance(75):
		p.args = append(p.args, g.field("v", "number"))
	}
	if r.from != nil && !r.quorum && r.kind == "A" && (g.narrow || g.chance(50)) {
		p.before = append(p.before, g.field("msg.v", "number"))
	}
	if g.chance(20) {
		p.before = append(p.before, g.variable(r.role))
	}
	for g.tight && len(p.after) == 0 || g.chance(40) {
		p.after = append(p.after, g.variable(r.role))
	}
	if len(r.sends) > 0 && !r.twice && g.chance(20) {
		to, who := r.to[0], "i"
		if r.to[0] != r.role {
			who = "j"
		}
		if who == "i" || r.from == to && !r.quorum {
			p.after = append(p.after, pick(g,
				g.field(fmt.Sprintf("2%s[%s].kind", to.name, who), "kind"), g.field(fmt.Sprintf("2%s[%s].v", to.name, who), "message")))
			g.note("values of what is sent")
		}
	}
	if g.chance(10) {
		p.before = append(p.before, &fieldText{expr: pick(g, "not "+r.role.name+"[i].b", r.role.name+"[i].x < 2")})
		g.note("conditions of states")
	}
	return p
}

// variable shows a variable of process i.
func (g *generator) variable(r *roleText) *fieldText {
	if r.pointer && g.chance(40) {
		g.note("processes as values")
		return g.field(r.name+"[i].p", g.roles[0].typ)
	}
	if g.global && g.chance(20) {
		return g.field("total", "number")
	}
	if g.chance(50) {
		f := g.field(r.name+"[i].x", "number")
		if g.chance(10) {
			f.relation = pick(g, "<=", ">=")
		}
		return f
	}
	return g.field(r.name+"[i].b", "bool")
}

// seePart writes what an event shows of a state.
func (g *generator) seePart(r *roleText) *partText {
	return &partText{kind: "see", to: r, args: []*fieldText{{expr: "i", typ: r.typ, path: "at"}}, before: []*fieldText{g.variable(r)}}
}

// messagePart writes what an event shows of a message.
func (g *generator) messagePart(kind string, to, from *roleText) *partText {
	p := &partText{kind: kind, to: to, from: from}
	receiver, sender := &fieldText{expr: "i", typ: to.typ, path: "at"}, g.field("j", from.typ)
	if kind == "sent" {
		receiver, sender = g.field("i", to.typ), &fieldText{expr: "j", typ: from.typ, path: "at"}
	}
	p.args = []*fieldText{receiver, sender}
	if g.chance(80) {
		p.before = append(p.before, g.field("msg.kind", "kind"))
	}
	if g.chance(50) {
		p.before = append(p.before, g.field("msg.v", "message"))
	}
	if kind == "received" && g.chance(40) {
		p.after = append(p.after, g.variable(to))
	}
	return p
}

// text writes what an event is.
func (w *whenText) text() string {
	s := fmt.Sprintf("when $e = %q", w.name)
	if w.kind != "" {
		s += fmt.Sprintf(" and $k = %q", w.kind)
	}
	var parts []string
	for _, p := range w.parts {
		parts = append(parts, p.text())
	}
	return s + ": " + strings.Join(parts, "\n  then ") + ";"
}

func (p *partText) text() string {
	var args []string
	for _, a := range p.args {
		s := a.expr
		if p.kind != "rule" {
			s += ": " + a.typ
		}
		if a.path != "" {
			s += " = " + a.value()
		} else if a.is != "" {
			s += " = " + a.is
		}
		args = append(args, s)
	}
	name := p.kind
	if p.kind == "rule" {
		name = p.rule.label
		if name == "see" || name == "sent" || name == "received" {
			name = "rule " + name
		}
	}
	s := name + "(" + strings.Join(args, ", ") + ")"
	if len(p.before) > 0 {
		if p.kind == "rule" {
			s += " before"
		}
		s += " " + checksText(p.before)
	}
	if len(p.after) > 0 {
		s += " after " + checksText(p.after)
	}
	return s
}

func checksText(list []*fieldText) string {
	var texts []string
	for _, f := range list {
		if f.path == "" {
			texts = append(texts, f.expr)
		} else {
			texts = append(texts, f.expr+" "+f.relation+" "+f.value())
		}
	}
	return strings.Join(texts, ", ")
}
