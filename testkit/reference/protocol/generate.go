package protocol

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Case is a generated text with what it has.
type Case struct {
	Seed     uint64
	Text     string
	Set      map[string]int // constants to replace
	Features Features
}

// genRole is a role of a generated text.
type genRole struct {
	typeName, name string
	size           int
	sizeText       string
	fields         []genField
	strategy       bool
	named          []string // its first processes
}

type genField struct {
	name  string
	typ   *genType
	first bool // it has a first value
}

// genType is a type of a generated text. kind is as in TypeExpr, with "role" for processes. A set has its elements'
// type as index, a sequence its greatest length as high.
type genType struct {
	kind      string
	low, high int
	names     []string
	role      *genRole
	fields    []genField
	index     *genType
	elem      *genType
	text      string
}

// genName is a name that can be used, with its type.
type genName struct {
	name string
	typ  *genType
}

// generator writes one text.
type generator struct {
	*rand.Rand
	Features
	out        strings.Builder
	indent     int
	roles      []*genRole
	msg        []genField
	consts     []genName
	named      *genType // by a declaration
	fresh      int
	defines    []genDefine
	names      []genName
	msgFrom    string   // how the message is written, if there is one
	msgQuorum  string   // the name of the quorum
	quorumRole *genRole // whose processes are in it
	sync, anon bool
	labels     []string
	set        map[string]int
	mover      genName
	sender     genName
	noStatus   bool
	cyclic     bool   // rules come back to where they began, and formulas speak of that
	byzantine  bool   // the rule is one of Byzantine processes
	initial    bool   // no variable has a value yet
	premise    string // what the next guard has to ask first
	property   bool   // what is written is about states, not steps
	kinds      []genKind
	received   *genKind // the kind that a rule receives, if its head says it
	namedSeq   *genType // a type of sequences with a name
	globals    []genField
	dup        bool // messages may be received twice
	bare       bool // semicolons are left out
	stating    bool // what is written are statements
	commented  bool
	after      []genField // of a message, behind its kind
	msgType    *genType   // if messages are one record
	recovers   map[*genRole]bool
	compared   []string // variables of max and min around
	defining   bool     // what is written is a definition
}

type genDefine struct {
	name   string
	params []genName
	number bool
}

// Generate writes a random text.
func Generate(seed uint64) *Case {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x5eed)), Features: Features{}, set: map[string]int{}, recovers: map[*genRole]bool{}}
	if g.cyclic = g.chance(30); g.cyclic {
		g.add("cyclic")
	}
	g.bare, g.commented = g.chance(6), g.chance(8)
	g.header()
	g.types()
	g.variables()
	if g.allFirst() && g.chance(80) {
		g.add("no init")
	} else {
		g.inits()
	}
	if g.chance(25) {
		g.add("define before rules")
		g.property = true
		g.define()
		g.property = false
	}
	g.rules()
	g.properties()
	return &Case{seed, g.out.String(), g.set, g.Features}
}

// chance is true with a probability of so many percent.
func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// line writes a line.
func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("  ", g.indent))
	text := fmt.Sprintf(format, args...)
	if g.bare && g.stating && strings.HasSuffix(text, ";") && g.chance(60) {
		g.add("semicolon left out")
		text = strings.TrimSuffix(text, ";")
	}
	if g.commented && g.chance(15) {
		g.add("comment")
		text += pick(g, []string{" // ; [] if", " /* endif */", " /* a // b */ // c"})
	}
	g.out.WriteString(text)
	g.out.WriteByte('\n')
}

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// newName invents a name.
func (g *generator) newName(prefix string) string {
	g.fresh++
	return fmt.Sprint(prefix, g.fresh)
}

// header writes the name, constants, and channels.
func (g *generator) header() {
	g.line("protocol generated;")
	if g.chance(50) {
		g.add("const")
		g.line("const")
		g.indent++
		for range 1 + g.IntN(2) {
			name := g.newName("c")
			if g.chance(25) {
				g.line("%s = %v;", name, g.chance(50))
				g.consts = append(g.consts, genName{name, genBool})
				g.add("const bool")
				continue
			}
			v := 1 + g.IntN(2)
			text := fmt.Sprint(v)
			if g.chance(30) {
				text = pick(g, []string{fmt.Sprintf("[%d / 2]", 2*v-g.IntN(2)), fmt.Sprintf("%d + 1", v-1), fmt.Sprintf("⌊%d / 2⌋", 2*v+g.IntN(2)), fmt.Sprintf("%d %% 3", v+3)})
				g.add("const expression")
			}
			g.line("%s = %s;", name, text)
			if g.chance(40) {
				g.set[name] = 1 + g.IntN(2)
				v = g.set[name]
				g.add("--set")
			}
			g.consts = append(g.consts, genName{name, &genType{kind: "range", low: v, high: v}})
		}
		g.indent--
	}
	if g.chance(15) {
		g.add("assume")
		v := g.IntN(3)
		left := fmt.Sprint(v)
		for _, c := range g.consts {
			if c.typ.kind == "range" {
				left, v = c.name, c.typ.low
			}
		}
		g.line("assume %s %s %d;", left, pick(g, []string{">=", "="}), v)
	}
	if g.chance(8) {
		g.add("no channels line", "asynchronous", "lossy", "authenticated", "unordered", "bounded 1")
		return
	}
	words := []string{pick(g, []string{"asynchronous", "synchronous"}), pick(g, []string{"lossy", "reliable"})}
	if g.chance(30) {
		words = append(words, "anonymous")
		g.anon = true
	} else {
		words = append(words, "authenticated")
	}
	words = append(words, pick(g, []string{"unordered", "fifo"}))
	g.sync = words[0] == "synchronous"
	bound := 1
	if g.chance(35) {
		bound = 2
		if g.chance(15) {
			bound = 3
		}
	}
	g.add(fmt.Sprint("bounded ", bound))
	words = append(words, "bounded "+g.constantOf(bound))
	if g.dup = g.chance(14); g.dup {
		words = append(words, "duplicating")
	}
	g.add(words[:4]...)
	if g.dup {
		g.add("duplicating")
	}
	words = slices.DeleteFunc(words, func(w string) bool {
		return slices.Contains([]string{"asynchronous", "lossy", "authenticated", "unordered", "bounded 1"}, w) && g.chance(10)
	})
	if g.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] }); len(words) < 5 {
		g.add("channels that are not all said")
	}
	g.line("channels %s;", strings.Join(words, " "))
}

// constantOf writes a number, now and then as a constant of that value.
func (g *generator) constantOf(n int) string {
	for _, c := range g.consts {
		if c.typ.kind == "range" && c.typ.low == n && g.chance(40) {
			g.add("constant in place of a number")
			return c.name
		}
	}
	return fmt.Sprint(n)
}

var genBool = &genType{kind: "bool", text: "bool"}

// simpleType invents a type of one cell.
func (g *generator) simpleType(prefix string) *genType {
	if g.named != nil && g.chance(25) {
		return g.named
	}
	switch g.IntN(6) {
	case 0, 1:
		low := 0
		if g.chance(15) {
			low = -1
			g.add("negative range")
		}
		high := low + 1 + g.IntN(2)
		switch {
		case g.chance(10):
			high = low
			g.add("range of one value")
		case g.chance(3) && prefix == "E":
			high = 300
			g.add("large range")
		case g.chance(3) && prefix == "E":
			high = 20
			g.add("range of more than 17 values")
		}
		t := &genType{kind: "range", low: low, high: high, text: fmt.Sprintf("%d..%d", low, high)}
		for _, c := range g.consts {
			if c.typ.kind == "range" && low == 0 && g.chance(60) {
				t.high = c.typ.low
				t.text = fmt.Sprintf("0..%s", c.name)
				g.add("range of constants")
			}
		}
		g.add("type range")
		return t
	case 2:
		g.add("type enum")
		t := &genType{kind: "enum"}
		for range 1 + g.IntN(3) {
			t.names = append(t.names, g.newName(prefix))
		}
		t.text = "enum {" + strings.Join(t.names, ", ") + "}"
		return t
	case 3:
		g.add("type role")
		r := pick(g, g.roles)
		return &genType{kind: "role", role: r, text: r.typeName}
	}
	g.add("type bool")
	return genBool
}

// variableType invents a type of a variable.
func (g *generator) variableType() *genType {
	switch {
	case g.chance(16):
		return g.setType()
	case g.chance(16):
		return g.seqType()
	case g.chance(16):
		g.add("type array")
		t := &genType{kind: "array", elem: g.simpleType("E")}
		if g.chance(8) {
			r := pick(g, g.roles)
			t.elem = &genType{kind: "array", elem: genBool, index: &genType{kind: "role", role: r, text: r.typeName}, text: "array[" + r.typeName + "] of bool"}
			g.add("array of arrays")
		} else if g.chance(12) {
			t.elem = g.setType()
			g.add("array of sets")
		} else if g.chance(12) {
			t.elem = g.seqType()
			g.add("array of seqs")
		}
		switch g.IntN(6) {
		case 0:
			t.index = genBool
			g.add("array over bool")
			if g.named != nil && g.named.kind == "enum" {
				t.index = g.named
				g.add("array over values")
			}
		case 1:
			t.index = &genType{kind: "range", low: 0, high: 1, text: "0..1"}
			g.add("array over range")
		default:
			r := pick(g, g.roles)
			t.index = &genType{kind: "role", role: r, text: r.typeName}
			g.add("array over role")
		}
		t.text = "array[" + t.index.text + "] of " + t.elem.text
		return t
	case g.chance(10):
		g.add("type record")
		t := &genType{kind: "record"}
		text := "record "
		for range 1 + g.IntN(2) {
			f := genField{name: g.newName("f"), typ: g.simpleType("E")}
			if g.chance(10) {
				r := pick(g, g.roles)
				f.typ = &genType{kind: "array", elem: genBool, index: &genType{kind: "role", role: r, text: r.typeName}, text: "array[" + r.typeName + "] of bool"}
				g.add("record with an array")
			} else if g.chance(8) {
				f.typ = g.setType()
				g.add("record with a set")
			} else if g.chance(8) {
				f.typ = g.seqType()
				g.add("record with a seq")
			}
			t.fields = append(t.fields, f)
			text += f.name + ": " + f.typ.text + "; "
		}
		t.text = text + "end"
		return t
	}
	return g.simpleType("E")
}

// types writes the roles and the type of messages.
func (g *generator) types() {
	g.line("type")
	g.indent++
	count := 1
	if g.chance(50) {
		count = 2
	}
	if g.chance(12) {
		count = 3
	}
	g.add(fmt.Sprint("roles ", count))
	total := 0
	for i := range count {
		size := 1 + g.IntN(3)
		if count == 1 && g.chance(60) {
			size = 2 + g.IntN(2)
		}
		for total+size > 4 && size > 1 {
			size--
		}
		r := &genRole{typeName: fmt.Sprint("role", i, "ID"), name: fmt.Sprint("proc", i), size: size, sizeText: fmt.Sprint(size)}
		for _, c := range g.consts {
			if c.typ.kind == "range" && g.chance(30) && total+c.typ.low <= 4 {
				r.size, r.sizeText = c.typ.low, c.name
				g.add("size constant")
			}
		}
		total += r.size
		g.add(fmt.Sprint("size ", r.size))
		g.roles = append(g.roles, r)
		g.line("%s: role[%s];", r.typeName, r.sizeText)
	}
	if g.chance(7) {
		r := pick(g, g.roles)
		r.named = []string{"first", "second", "third"}[:1+g.IntN(r.size)]
		g.add("names of processes")
		defer g.line("names %s: %s;", strings.Join(r.named, ", "), r.typeName)
	}
	if g.chance(30) {
		g.add("named type")
		t := *g.simpleType("N")
		name := "Named"
		g.line("%s: %s;", name, t.text)
		t.text = name
		g.named = &t
	}
	if g.chance(20) {
		t := *g.seqType()
		g.line("Row: %s;", t.text)
		t.text = "Row"
		g.namedSeq = &t
		g.add("named type of seqs")
	}
	if g.chance(60) {
		g.indent--
		g.messageKinds()
		return
	}
	g.line("Msg: record")
	g.indent++
	kind := &genType{kind: "enum", names: []string{"KA", "KB"}[:1+g.IntN(2)]}
	kind.text = "enum {" + strings.Join(kind.names, ", ") + "}"
	g.msg = append(g.msg, genField{name: "kind", typ: kind})
	if g.chance(45) {
		g.msg = append(g.msg, genField{name: "val", typ: g.fieldType()})
		g.add("message with a value")
	}
	if g.chance(6) {
		g.add("message with a record")
		rec := &genType{kind: "record", text: "record u: bool; end", fields: []genField{{name: "u", typ: genBool}}}
		g.msg = append(g.msg, genField{name: "rec", typ: rec})
	}
	g.after = slices.Clone(g.msg[1:])
	order := slices.Clone(g.msg)
	if len(order) > 1 && g.chance(25) {
		g.add("kind behind a field")
		order[0], order[1] = order[1], order[0]
		g.after = g.after[1:]
	}
	for _, f := range order {
		g.line("%s: %s;", f.name, f.typ.text)
	}
	g.msgType = &genType{kind: "record", text: "Msg", fields: order}
	g.indent--
	g.line("end;")
	g.indent--
}

// variables writes the variables of each role.
func (g *generator) variables() {
	g.line("var")
	g.indent++
	for g.chance(25) && len(g.globals) < 2 {
		g.add("global variable")
		f := genField{name: g.newName("g"), typ: g.variableType()}
		if f.typ.kind == "array" && f.typ.index.kind == "role" && f.typ.elem.kind == "record" {
			continue // the variables of the role
		}
		g.variable(&f, false)
		g.globals = append(g.globals, f)
	}
	for _, r := range g.roles {
		if g.chance(14) {
			g.recovers[r] = true
			g.add("recovery")
		}
		g.line("%s: array[%s] of record", r.name, r.typeName)
		g.indent++
		fields := 1 + g.IntN(3)
		if g.cyclic {
			fields = 1 + g.IntN(2)
		}
		for range fields {
			f := genField{name: g.newName("v"), typ: g.variableType()}
			g.variable(&f, g.recovers[r])
			r.fields = append(r.fields, f)
		}
		g.indent--
		g.line("end;")
	}
	g.indent--
	var list []string
	for _, r := range g.roles {
		if g.recovers[r] {
			list = append(list, r.typeName)
		}
	}
	if len(list) > 1 && g.chance(60) {
		g.add("recovery of several roles")
		list = []string{strings.Join(list, ", ")}
	}
	for _, names := range list {
		g.line("recovery %s;", names)
	}
}

// allFirst tells whether all variables have first values.
func (g *generator) allFirst() bool {
	all := g.globals
	for _, r := range g.roles {
		all = append(slices.Clone(all), r.fields...)
	}
	return !slices.ContainsFunc(all, func(f genField) bool { return !f.first })
}

// variable writes the declaration of a variable, perhaps with a first value.
func (g *generator) variable(f *genField, recovers bool) {
	stable, first := "", ""
	if recovers && g.chance(40) {
		stable = "stable "
		g.add("stable")
	}
	chance := 45
	if f.typ.kind == "set" || f.typ.kind == "seq" {
		chance = 85
	}
	if v := g.firstValue(f.typ); v != "" && g.chance(chance) {
		first = " = " + v
		f.first = true
		g.add("first value")
	}
	g.line("%s%s: %s%s;", stable, f.name, f.typ.text, first)
}

// inits writes the initial states.
func (g *generator) inits() {
	g.line("init")
	g.indent++
	g.initial, g.noStatus = true, true
	n := 1
	if g.chance(20) {
		n = 2
		g.add("several initial rules")
	}
	g.stating = true
	for i := range n {
		if i > 0 {
			g.line("[]")
		}
		g.init(i)
	}
	g.stating = false
	g.indent--
	g.initial, g.noStatus = false, false
}

func (g *generator) init(i int) {
	g.names = nil
	params := ""
	for g.chance(40) && len(g.names) < 2 {
		n := genName{name: g.newName("a")}
		switch g.IntN(5) {
		case 4:
			n.typ = &genType{kind: "range", low: 0, high: 1, text: "0..1"}
			g.add("initial parameter range")
			if g.named != nil && g.named.kind == "enum" {
				n.typ = g.named
				g.add("initial parameter of a named type")
			}
		case 0:
			n.typ = genBool
			g.add("initial parameter bool")
		case 1:
			r := pick(g, g.roles)
			size := g.IntN(r.size + 1)
			atLeast := ""
			if g.chance(30) {
				atLeast = ">= "
				g.add("initial quorum at least")
			}
			if size == 0 {
				g.add("initial quorum of 0")
			}
			g.add("initial quorum")
			params += fmt.Sprintf("[](%s: quorum[%s%d] of %s) ", strings.ToUpper(n.name), atLeast, size, r.typeName)
			g.names = append(g.names, genName{strings.ToUpper(n.name), &genType{kind: "quorum", role: r}})
			continue
		default:
			r := pick(g, g.roles)
			n.typ = &genType{kind: "role", role: r, text: r.typeName}
			g.add("initial parameter role")
		}
		params += fmt.Sprintf("[](%s: %s) ", n.name, n.typ.text)
		g.names = append(g.names, n)
	}
	g.line("%sstart%d:", params, i)
	g.indent++
	if len(g.names) > 0 && g.chance(15) {
		n := genName{g.newName("x"), genBool}
		g.line("let %s = %s;", n.name, g.condition(1))
		g.push(n)
		g.add("let in init")
	}
	conditional := len(g.names) > 0 && g.chance(25)
	if conditional {
		g.add("initial condition")
		g.line("if %s then", g.condition(1))
		g.indent++
	}
	for _, f := range g.globals {
		if !f.first || g.chance(20) {
			g.initialize(f.name, f.typ)
		}
	}
	for _, r := range g.roles {
		k := g.newName("k")
		g.line("for %s: %s do", k, r.typeName)
		g.indent++
		g.push(genName{k, &genType{kind: "role", role: r, text: r.typeName}})
		for _, f := range r.fields {
			if f.first && g.chance(70) {
				continue
			}
			if g.chance(88) {
				g.initialize(r.name+"["+k+"]."+f.name, f.typ)
			} else {
				g.add("undefined at first")
			}
		}
		g.initialStatus(r, k)
		g.pop()
		g.indent--
		g.line("endfor")
	}
	if conditional {
		g.indent--
		g.line("endif")
	}
	g.indent--
}

// initialize writes statements that give a value to a variable.
func (g *generator) initialize(target string, t *genType) {
	switch t.kind {
	case "record":
		for _, f := range t.fields {
			g.initialize(target+"."+f.name, f.typ)
		}
	case "array":
		k := g.newName("k")
		g.line("for %s: %s do", k, t.index.text)
		g.indent++
		g.push(genName{k, t.index})
		g.initialize(target+"["+k+"]", t.elem)
		g.pop()
		g.indent--
		g.line("endfor")
	case "set", "seq":
		g.line("%s := %s;", target, g.wholeValue(t, 0))
	case "role":
		if v := g.ofRole(t.role); v != "" && g.chance(80) {
			g.line("%s := %s;", target, v)
		}
	case "range":
		if v := g.parameter(t); v != "" {
			g.line("%s := %s;", target, v)
		} else if t.low <= 0 && g.chance(60) {
			g.line("%s := 0;", target)
		} else {
			g.line("%s := %d;", target, t.low)
		}
	case "enum":
		g.line("%s := %s;", target, t.names[0])
	case "bool":
		if v := g.parameter(t); v != "" {
			g.line("%s := %s;", target, v)
		} else if g.chance(80) {
			g.line("%s := %s;", target, pick(g, []string{"true", "false"}))
		} else {
			g.line("%s := %s;", target, g.condition(1))
		}
	}
}

// initialStatus writes who is faulty.
func (g *generator) initialStatus(r *genRole, k string) {
	if g.chance(55) {
		return
	}
	status := pick(g, []string{"crash", "crash", "byz", "byz", "corr"})
	target := r.name + "[" + k + "].status"
	g.add("initial status " + status)
	if g.chance(30) {
		g.add("all of a role " + status)
		g.line("%s := %s;", target, status)
		return
	}
	g.line("if %s then", g.condition(1))
	g.indent++
	g.line("%s := %s;", target, status)
	g.indent--
	g.line("endif")
}

func (g *generator) push(n genName) { g.names = append(g.names, n) }

func (g *generator) pop() { g.names = g.names[:len(g.names)-1] }

// ofRole finds a name that stands for a process of a role, or "".
func (g *generator) ofRole(r *genRole) string {
	var list []string
	for _, n := range g.names {
		if n.typ.kind == "role" && n.typ.role == r {
			list = append(list, n.name)
		}
	}
	if len(r.named) > 0 && g.chance(30) {
		return pick(g, r.named)
	}
	if len(list) == 0 {
		return ""
	}
	return pick(g, list)
}

// hasName tells whether there is a name of a kind.
func (g *generator) hasName(kind string) bool {
	return slices.ContainsFunc(g.names, func(n genName) bool { return n.typ.kind == kind })
}
