package traces

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Case is a random question: a protocol, a reading, and logs.
type Case struct {
	Seed              uint64
	Inside            bool // the reading is in the text
	Protocol, Reading string
	Logs              [][]string
	Features          map[string]bool
	Mutated           bool
}

// generator writes a case.
type generator struct {
	*rand.Rand
	features map[string]bool
	roles    []*roleText
	kinds    []string // A with a number, B without
	rules    []*ruleText
	fifo     bool
	whens    []*whenText
	fields   int
	silent   []string
	visible  []string
	ignores  bool
	events   bool // an event is a part of its line
	texts    bool // values have other names in the log
	clock    string
	own      bool // vector clocks have the own component
	sent     bool
	inside   bool // the reading is in the text
	global   bool // there is a global variable
	narrow   bool // there is little room, and guards want some messages only
	tight    bool // most rules are logged, with what they change

	also *rand.Rand // of what came later, which every seventh case may have: others are the same as before; or nil
	byz  bool       // a process may be Byzantine: nothing is said of messages that it alone knows
	anew *roleText  // a role whose processes restart
	sync bool
}

// too tells whether a case has something that came later.
func (g *generator) too(percent int) bool { return g.also != nil && g.also.IntN(100) < percent }

// roleText is a role of a random protocol.
type roleText struct {
	typ, name string
	size      int
	pointer   bool // a variable for a process of the first role
	naming    string
	names     []string // how the log calls the processes
}

// ruleText is a rule of a random protocol.
type ruleText struct {
	label    string
	role     *roleText // of the process that moves
	from     *roleText // of what it receives from, or nil
	kind     string
	value    bool // it has a number as parameter
	quorum   bool
	sends    []string // kinds of messages that it sends with the roles these go to
	to       []*roleText
	twice    bool
	field    string // the name of the field of the message
	silent   bool
	logged   bool
	received bool // it is logged as a receipt, whatever the rule
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// note notes features.
func (g *generator) note(names ...string) {
	for _, n := range names {
		g.features[n] = true
	}
}

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// protocol writes a protocol.
func (g *generator) protocol() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("protocol random;\n")
	line("%s\n", g.channels())
	g.someRoles()
	g.kinds = []string{"A"}
	if g.chance(60) {
		g.kinds = append(g.kinds, "B")
	}
	if g.too(35) {
		g.anew = g.roles[g.also.IntN(len(g.roles))]
		g.note("restarts")
	}
	line("message %s;\n", strings.Join(append([]string{"A(v: 0..1)"}, g.kinds[1:]...), ", "))
	line("type")
	for _, r := range g.roles {
		line("  %s: role[%d];", r.typ, r.size)
	}
	if g.anew != nil {
		line("\nrecovery %s;", g.anew.typ)
	}
	line("\nvar")
	for _, r := range g.roles {
		stable := ""
		if g.anew == r && g.too(50) {
			stable = "stable "
		}
		line("  %s: array[%s] of record\n    %sx: 0..2 = 0;\n    b: bool = false;", r.name, r.typ, stable)
		if r.pointer = g.chance(40); r.pointer {
			line("    p: %s;", g.roles[0].typ)
		}
		line("  end;")
	}
	if g.global = g.chance(20); g.global {
		line("  total: 0..2 = 0;")
		g.note("global variables")
	}
	line("%s\nrules", g.initial())
	n := 2 + g.IntN(4)
	if g.narrow {
		n = 2 + g.IntN(2)
	}
	for i := range n {
		if i > 0 {
			line("  []")
		}
		line("%s", g.rule(i))
	}
	if g.anew != nil {
		g.rules = append(g.rules, &ruleText{label: "restart", role: g.anew})
	}
	for i := range g.IntN(3) {
		r := pick(g, g.roles...)
		line("\ninvariant i%d: %s;", i, pick(g,
			fmt.Sprintf("forall (k: %s) %s[k].x < 2", r.typ, r.name),
			fmt.Sprintf("forall (k: %s) not %s[k].b", r.typ, r.name),
			fmt.Sprintf("forall (k: %s) %s[k].x = 0", r.typ, r.name),
			fmt.Sprintf("forall (k: %s) forall (l: %s) k != l -> not (%s[k].b and %s[l].b)", r.typ, r.typ, r.name, r.name),
			fmt.Sprintf("(count (k: %s) %s[k].b) < 2", r.typ, r.name)))
		g.note("invariant")
	}
	return b.String()
}

// channels writes what channels are like.
func (g *generator) channels() string {
	words := []string{"asynchronous", pick(g, "lossy", "reliable"), "authenticated", pick(g, "unordered", "fifo")}
	g.note(words[1], words[3])
	g.fifo = words[3] == "fifo"
	g.narrow = g.chance(40)
	bound := 1 + g.IntN(2)
	if g.narrow && g.chance(40) {
		bound = 1
	}
	g.note(fmt.Sprint("bounded ", bound))
	words = append(words, fmt.Sprint("bounded ", bound))
	if g.sync = g.too(25); g.sync {
		words[0] = "synchronous"
		g.note("synchronous")
	}
	if g.chance(25) {
		words = append(words, "duplicating")
		g.note("duplicating")
	}
	return "channels " + strings.Join(words, " ") + ";"
}

// someRoles chooses one role, or two.
func (g *generator) someRoles() {
	if g.chance(60) {
		g.roles = []*roleText{{typ: "nodeID", name: "node", size: pick(g, 2, 2, 3, 3)}}
		g.note("one role")
		return
	}
	g.roles = []*roleText{{typ: "serverID", name: "server", size: pick(g, 1, 1, 2)}, {typ: "clientID", name: "client", size: pick(g, 1, 2, 3)}}
	g.note("two roles")
}

// initial writes initial states, or none: then all begin with first values.
func (g *generator) initial() string {
	r := pick(g, g.roles...)
	if g.narrow && g.chance(60) {
		return ""
	}
	switch g.IntN(6) {
	case 0:
		if g.chance(50) {
			break
		}
		g.note("all may crash")
		var b strings.Builder
		b.WriteString("\ninit\n  [](z: bool) start:\n")
		for _, r := range g.roles {
			fmt.Fprintf(&b, "    for k: %s do\n      %s[k].status := crash;\n    endfor\n", r.typ, r.name)
		}
		return b.String()
	case 1, 2:
		if g.byz = g.too(60); g.byz {
			g.note("one is Byzantine")
			return fmt.Sprintf("\ninit\n  [](z: %s) start:\n    %s[z].status := byz;\n", r.typ, r.name)
		}
		g.note("one may crash")
		return fmt.Sprintf("\ninit\n  [](z: %s) start:\n    %s[z].status := crash;\n", r.typ, r.name)
	case 3:
		g.note("several initial states")
		return fmt.Sprintf("\ninit\n  [](w: 0..1) start:\n    for k: %s do\n      %s[k].x := w;\n    endfor\n", r.typ, r.name)
	}
	return ""
}

// rule writes a rule.
func (g *generator) rule(i int) string {
	r := &ruleText{label: fmt.Sprint("r", i), role: pick(g, g.roles...)}
	if i < 3 && g.chance(4) {
		r.label = []string{"see", "sent", "received"}[i]
		g.note("labels that are words of readings")
	}
	g.rules = append(g.rules, r)
	receives := i > 0 && g.chance(65)
	if g.narrow && i < 4 {
		receives = i%2 == 1
	}
	var b strings.Builder
	b.WriteString("  ")
	me := func(f string) string { return r.role.name + "[i]." + f }
	var guards, body []string
	number := fmt.Sprint(g.IntN(2))
	switch {
	case receives:
		r.kind, r.from = pick(g, g.kinds...), pick(g, g.roles...)
		fmt.Fprintf(&b, "[](i: %s) %s: receive %s", r.role.typ, r.label, r.kind)
		r.quorum = g.chance(12) && r.from.size >= 2
		if r.kind == "A" && !r.quorum && g.chance(70) {
			r.field, number = "w", "w"
			b.WriteString("(w)")
		}
		if r.quorum {
			g.note("quorum")
			fmt.Fprintf(&b, " from Q: quorum[%s2] of %s\n", pick(g, "", ">= "), r.from.typ)
		} else {
			fmt.Fprintf(&b, " from j: %s\n", r.from.typ)
		}
	case g.chance(40) || g.narrow && i == 0:
		r.value, number = true, "v"
		fmt.Fprintf(&b, "[](v: 0..1) [](i: %s) %s:\n", r.role.typ, r.label)
	default:
		fmt.Fprintf(&b, "[](i: %s) %s:\n", r.role.typ, r.label)
	}
	if !receives || g.chance(60) {
		guards = append(guards, pick(g, "not "+me("b"), me("b"), me("x")+" = 0", me("x")+" < 2", me("x")+" > 0", me("x")+" < 2"))
	}
	if r.field != "" && (g.chance(30) || g.narrow) {
		guards = append(guards, pick(g, "w = 1", "w = "+me("x")))
	}
	if r.role.pointer && g.chance(25) {
		guards = append(guards, "isundefined("+me("p")+")")
	}
	if g.global && g.chance(30) {
		guards = append(guards, pick(g, "total = 0", "total < 2"))
	}
	if r.role.size > 1 && g.chance(20) {
		guards = append(guards, "i "+pick(g, "=", "!=")+" "+fmt.Sprint(1+g.IntN(r.role.size)))
		g.note("processes told apart")
	}
	for range g.IntN(3) {
		if g.global && g.chance(30) {
			body = append(body, "total := "+pick(g, number, "2")+";")
			continue
		}
		switch g.IntN(5) {
		case 0:
			guards = append(guards, me("x")+" < 2")
			body = append(body, me("x")+" := "+me("x")+" + 1;")
		case 1:
			body = append(body, me("x")+" := "+number+";")
		case 2, 3:
			body = append(body, me("b")+" := "+pick(g, "true", "false", "not "+me("b"))+";")
		case 4:
			if r.role.pointer && receives && !r.quorum && r.from == g.roles[0] {
				body = append(body, me("p")+" := j;")
			} else if r.role.pointer {
				body = append(body, "undefine "+me("p")+";")
			}
		}
	}
	body = append(body, g.sends(i, r, number, me)...)
	if len(body) == 0 {
		body = []string{me("b") + " := true;"}
	}
	indent := "    "
	if len(guards) > 0 {
		fmt.Fprintf(&b, "    if %s then\n", strings.Join(guards, " and "))
		indent = "      "
	}
	for _, s := range body {
		fmt.Fprintf(&b, "%s%s\n", indent, s)
	}
	if len(guards) > 0 {
		b.WriteString("    endif")
	}
	return strings.TrimRight(b.String(), "\n")
}

// sends writes what a rule sends.
func (g *generator) sends(i int, r *ruleText, number string, me func(string) string) []string {
	n := pick(g, 0, 1, 1, 2)
	if r.from == nil {
		n = pick(g, 1, 1, 2)
	}
	if g.narrow && i > 0 && g.chance(60) {
		n = 0
	}
	var list []string
	for range n {
		kind := pick(g, g.kinds...)
		what := kind
		if kind == "A" {
			if what = "A(" + number + ")"; !g.narrow {
				what = "A(" + pick(g, number, "0", "1") + ")"
			}
		}
		to := pick(g, g.roles...)
		of := ""
		if len(g.roles) > 1 {
			of = " of " + to.typ
		}
		switch {
		case r.from != nil && !r.quorum && g.chance(60):
			list = append(list, "send "+what+" to sender;")
			to = r.from
		case r.role.pointer && g.chance(15):
			list = append(list, "if not isundefined("+me("p")+") then\n        send "+what+" to "+me("p")+";\n      endif")
			to = g.roles[0]
		default:
			list = append(list, "send "+what+" to "+pick(g, "all", "others")+of+";")
		}
		r.sends = append(r.sends, kind)
		r.to = append(r.to, to)
	}
	if g.narrow && i == 0 && g.chance(50) { // the same twice
		list, r.to, r.sends, n = append(list[:1], list[0]), []*roleText{r.to[0], r.to[0]}, []string{r.sends[0], r.sends[0]}, 2
	}
	if n == 2 {
		g.note("several sends")
		if r.twice = r.to[0] == r.to[1]; r.twice {
			g.note("two messages to one process")
		}
	}
	return list
}
