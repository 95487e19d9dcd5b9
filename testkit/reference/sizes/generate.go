package sizes

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A generator writes random texts. Sent flags note what was sent, since the language demands it.
type generator struct {
	*rand.Rand
	parameters []string
	faults     string
	kinds      []Kind
	names      []string // of the values of s
	several    bool     // whether there are two or three types of processes
	third      bool     // whether there are three
	roles      []*kinsfolk
	*kinsfolk         // those that are spoken of
	prefix     string // of variables in properties: a type of processes, or nothing
	labels     int
	defined    []string // conditions with a name
	sums       []string // sums of parameters with a name

	modern    bool       // whether there are rules and definitions with parameters
	params    []Variable // of the rule or definition that is written
	shadowing bool       // whether one of these has the name of something else
	macros    []macro    // definitions with parameters

	// What guards speak of is mostly what other guards speak of, too.
	usualHeard, usualBounds []string
}

// kinsfolk are what the generator knows of a type of processes.
type kinsfolk struct {
	role           string
	inputs, locals []Variable
	sends          []Kind
}

// Generate writes the random text of a seed.
func Generate(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 20)), kinsfolk: &kinsfolk{}}
	g.parametric(seed)
	var b strings.Builder
	if g.chance(4) {
		g.typical(&b)
	} else {
		g.random(&b)
	}
	text := b.String()
	if g.chance(8) {
		text = g.shuffled(text)
	}
	if g.chance(5) {
		text = g.rename(text)
	}
	if g.chance(8) {
		text = g.symbols(text)
	}
	return text
}

// random writes a text of rules at random.
func (g *generator) random(b *strings.Builder) {
	g.several = g.chance(2)
	g.third = g.several && g.chance(4)
	g.heading(b)
	g.definitions(b)
	g.writeMacros(b)
	for i, role := range g.roles {
		g.kinsfolk = role
		g.variables(b)
		for j := range role.sends {
			g.sending(b, j)
		}
		for range 1 + g.IntN(5)/(3+i) {
			g.moving(b)
		}
		if g.chance(4 * (i + 1)) {
			g.cycle(b)
		}
		b.WriteString("end\n\n")
	}
	g.initial(b)
	for i := range 2 + g.IntN(2) {
		g.property(b, i)
	}
}

// pick is one of some strings.
func (g *generator) pick(choices ...string) string {
	return choices[g.IntN(len(choices))]
}

// chance is true once in so many times.
func (g *generator) chance(of int) bool {
	return g.IntN(of) == 0
}

func (g *generator) heading(b *strings.Builder) {
	g.names = []string{"P", "Q", "S"}[:2+g.IntN(2)]
	g.sizes(b)
	g.messages(b)
	g.populate()
}

// sizes writes parameters, assumptions and the fault model.
func (g *generator) sizes(b *strings.Builder) {
	g.faults = g.pick("none", "crash", "crash", "clean", "omission", "omission", "byzantine", "byzantine", "symmetric", "symmetric")
	if g.chance(4) || g.several && g.chance(2) {
		g.parameters = []string{"n", "f"}
	} else {
		g.parameters = []string{"n", "t", "f"}
	}
	assume := []string{g.pick("n > f", "n >= f", "n >= 1", "n >= 0", "n > 1", "n >= 2 * f", "n > 2 * f", "n = f", "2 * f >= n", "f >= 1", "f = 0", "n <= 3")}
	if g.has("t") {
		assume = append(assume, g.pick("t >= f", "t >= f", "t >= f", "t <= f", "t = f", "t = 0", "t >= 1"))
		assume = append(assume, g.pick("n > 3 * t", "n > 2 * t", "n >= 2 * t", "n > t", "n > 2 * t", "n >= t", "n > t + f", "t <= 1", "not n < t", "n >= 2 * t or t = 1"))
		if g.chance(4) {
			assume = append(assume, g.pick("t >= 1", "n >= t", "f <= 1", "n - t >= 1", "2 * n > 3 * t"))
		}
	}
	if !g.chance(5) {
		assume = append(assume, "n >= 1")
	}
	budget := " f"
	switch {
	case g.faults == "none":
		budget = ""
	case g.chance(10):
		budget = g.pick(" 1", " n", " 0", " f + 1", " 2 * f")
	}
	if g.chance(10) {
		assume = append(assume, g.assumedQuotient())
	}
	faults := fmt.Sprintf("faults %s%s;\n", g.faults, budget)
	if g.several {
		faults = g.faultsByType(budget)
		if regexp.MustCompile(`\bg\b`).MatchString(faults) {
			g.parameters = append(g.parameters, "g")
			assume = append(assume, g.pick("g <= 1", "g <= 1", "g <= f", "g = 1"))
		}
		if g.chance(6) {
			g.parameters = append(g.parameters, "m")
			assume = append(assume, g.pick("m <= 2", "m = n - 1", "m <= f, m <= 2", "m < n", "m = n / 2"))
		}
	}
	fmt.Fprintf(b, "protocol random;\nparameters %s;\n", strings.Join(g.parameters, ", "))
	if g.chance(12) {
		name := g.pick("n - f", "n - 2 * f", "2 * f", "n - 1")
		fmt.Fprintf(b, "define BASE = %s;\n", name)
		assume = append(assume, g.pick("BASE >= 0", "BASE < n", "n > 2 * BASE or f = 0", "n - BASE <= 2"))
		g.sums = append(g.sums, "BASE")
		g.usualBounds = append(g.usualBounds, "BASE", g.pick("BASE + 1", "n - BASE", "2 * BASE"))
	}
	fmt.Fprintf(b, "assume %s;\n%s", strings.Join(assume, ", "), faults)
}

// messages declares kinds of messages.
func (g *generator) messages(b *strings.Builder) {
	for i := range []int{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3}[g.IntN(12)] {
		k := Kind{Name: string(rune('A' + i))}
		if g.IntN(5) < 2 {
			k.Fields = append(k.Fields, g.field())
			for len(k.Fields) < 3 && g.chance(4) {
				if f := g.field(); k.values()*(f.High-f.Low+1) <= 16 {
					k.Fields = append(k.Fields, f)
				}
			}
		}
		g.kinds = append(g.kinds, k)
	}
	var names []string
	for _, k := range g.kinds {
		var fields []string
		for _, f := range k.Fields {
			name := ""
			if f.Name != "" {
				name = f.Name + ": "
			}
			fields = append(fields, name+typeOf(f))
		}
		if fields == nil {
			names = append(names, k.Name)
		} else {
			names = append(names, fmt.Sprintf("%s(%s)", k.Name, strings.Join(fields, ", ")))
		}
	}
	fmt.Fprintf(b, "messages %s;\n\n", strings.Join(names, ", "))
}

func (g *generator) has(parameter string) bool {
	return slices.Contains(g.parameters, parameter)
}

// variables declares inputs and locals. There is always a local enum s, or u.
func (g *generator) variables(b *strings.Builder) {
	fmt.Fprintf(b, "process %s[%s]\n", g.role, g.size())
	for _, v := range g.inputs {
		fmt.Fprintf(b, "  input %s: %s;\n", v.Name, typeOf(v))
	}
	for _, v := range g.locals {
		fmt.Fprintf(b, "  local %s: %s", v.Name, typeOf(v))
		if g.chance(4) {
			fmt.Fprintf(b, " = %s", g.constant(v))
		}
		b.WriteString(";\n")
	}
	var flags []string
	for _, k := range g.sends {
		flags = append(flags, flag(k))
	}
	if len(flags) > 0 {
		fmt.Fprintf(b, "  local %s: bool%s;\n", strings.Join(flags, ", "), g.pick("", "", "", " = false"))
	}
	b.WriteString("\n")
}

// flag is the variable that notes that a kind was sent.
func flag(k Kind) string {
	return "sent" + k.Name
}

func typeOf(v Variable) string {
	switch v.Type {
	case "enum":
		return "enum {" + strings.Join(v.Names, ", ") + "}"
	case "range":
		return fmt.Sprintf("%d..%d", v.Low, v.High)
	}
	return v.Type
}

// constant is a value of a variable's type.
func (g *generator) constant(v Variable) string {
	if name := g.inScope(v); name != "" {
		return name
	}
	value := v.Low + g.IntN(v.High-v.Low+1)
	switch v.Type {
	case "enum":
		return v.Names[value]
	case "bool":
		return []string{"false", "true"}[value]
	}
	return fmt.Sprint(value)
}

// test is a condition on one variable, or on two.
func (g *generator) test(v Variable) string {
	name := g.prefix + v.Name
	if v.Type != "bool" && g.chance(12) {
		for _, w := range slices.Concat(g.inputs, g.locals) {
			if w.Name != v.Name && w.Type == v.Type && slices.Equal(w.Names, v.Names) {
				return fmt.Sprintf("%s %s %s%s", name, g.pick("=", "!="), g.prefix, w.Name)
			}
		}
	}
	if v.Type == "bool" {
		if p := g.inScope(v); p != "" {
			return fmt.Sprintf("%s %s %s", name, g.pick("=", "!="), p)
		}
	}
	switch {
	case v.Type == "range" && g.chance(4):
		return fmt.Sprintf("%s %s %s", name, g.pick("<", "<=", ">", ">="), g.constant(v))
	case v.Type != "bool":
		return fmt.Sprintf("%s%s %s %s", g.pick("", "", "", "", "", "not "), name, g.pick("=", "=", "!="), g.constant(v))
	case g.chance(2):
		return "not " + name
	}
	return name
}

// anyVariable is an input or a local variable.
func (g *generator) anyVariable() Variable {
	all := slices.Concat(g.inputs, g.locals)
	return all[g.IntN(len(all))]
}

// heard is a count of messages, mostly one of few.
func (g *generator) heard() string {
	if g.chance(12) {
		return g.heardOwn()
	}
	if g.shadowing || g.params != nil && g.chance(2) || g.chance(3) {
		return g.anyHeard()
	}
	scope := g.params
	g.params = nil
	for len(g.usualHeard) < 2 {
		g.usualHeard = append(g.usualHeard, g.anyHeard())
	}
	g.params = scope
	return g.pick(g.usualHeard...)
}

// bound is a sum of parameters, mostly one of few.
func (g *generator) bound() string {
	if name := g.numeric(); name != "" && g.chance(4) {
		return g.pick(name, name+" + 1", "f + "+name, "n - "+name)
	}
	if sum := g.called("sum"); sum != "" {
		return g.pick(sum, sum, "n - "+sum)
	}
	if g.shadowing || g.chance(3) {
		return g.anyBound()
	}
	for len(g.usualBounds) < 2 {
		g.usualBounds = append(g.usualBounds, g.anyBound())
	}
	return g.pick(g.usualBounds...)
}

// anyHeard is a count of messages or crashes.
func (g *generator) anyHeard() string {
	if (g.faults == "crash" || g.faults == "clean") && g.chance(10) {
		return "crashes"
	}
	k := g.kinds[g.IntN(len(g.kinds))]
	if (g.faults == "crash" || g.faults == "clean") && g.chance(8) {
		if senders := g.senders(k); g.several && len(senders) > 0 && g.chance(3) {
			return fmt.Sprintf("heard(%s.%s or crashed)", g.pick(senders...), k.Name)
		}
		return fmt.Sprintf("heard(%s or crashed)", k.Name)
	}
	name := k.Name
	if senders := g.senders(k); g.several && g.IntN(5) < 2 {
		name = g.pick(senders...) + "." + name
	}
	if len(k.Fields) > 0 && !g.chance(3) {
		var values []string
		for _, f := range k.Fields {
			values = append(values, g.fieldValue(f, g.shared()))
		}
		if len(values) > 1 && g.chance(2) {
			values[g.IntN(len(values))] = "_"
		}
		return fmt.Sprintf("heard(%s(%s))", name, strings.Join(values, ", "))
	}
	return fmt.Sprintf("heard(%s)", name)
}

// anyBound is a sum of parameters.
func (g *generator) anyBound() string {
	if g.has("t") {
		return g.pick("t + 1", "t + 1", "n - t", "n - t", "n - t", "n - 2 * t", "1", "1", "2", "f + 1", "t", "n", "n - f", "n - t - f", "2 * t + 1", "0", "t - 1")
	}
	return g.pick("1", "1", "2", "f", "f + 1", "n - f", "n - f", "n", "0", "n - 2 * f", "n - 1")
}

// threshold is a condition on counts of messages.
func (g *generator) threshold() string {
	if text := g.called("guard"); text != "" {
		return g.pick(text, text, "not "+text)
	}
	op := g.pick(">=", ">=", ">=", ">", ">", "<", "<", "<=", "=", "!=")
	switch g.IntN(15) {
	case 14:
		return g.unusual(op)
	case 12:
		return fmt.Sprintf("%s %s %s", g.heard(), op, g.quotient())
	case 13:
		if len(g.defined) > 0 && !g.shadowing {
			return g.pick(g.defined...)
		}
	case 0:
		return fmt.Sprintf("%s * %s %s %s", g.pick("2", "2", "2", "3"), g.heard(), g.pick(">", ">=", "<", "<=", "="), g.pick("n", "n", "n - 1", "n + f", g.bound()))
	case 1:
		return fmt.Sprintf("%s %s %s", g.heard(), op, g.heard())
	case 2:
		return fmt.Sprintf("%s + %s %s %s", g.heard(), g.heard(), op, g.bound())
	case 3:
		return fmt.Sprintf("%s %s %s + %s", g.heard(), op, g.heard(), g.bound())
	case 4:
		return fmt.Sprintf("%s - %s %s %s", g.heard(), g.heard(), op, g.bound())
	case 5:
		switch g.IntN(6) {
		case 0:
			return fmt.Sprintf("%s != %s != %s", g.heard(), g.heard(), g.bound())
		case 1:
			return fmt.Sprintf("%s = %s = %s", g.heard(), g.heard(), g.bound())
		case 2:
			return fmt.Sprintf("%s %s %s %s %s", g.bound(), g.pick("!=", "=", "<="), g.heard(), g.pick("!=", "="), g.pick(g.bound(), g.heard()))
		}
		return fmt.Sprintf("%s %s %s %s %s", g.bound(), g.pick("<", "<="), g.heard(), g.pick("<", "<="), g.bound())
	}
	return fmt.Sprintf("%s %s %s", g.heard(), op, g.bound())
}

// condition is what a rule may ask for, besides what it is about.
func (g *generator) condition() string {
	if text := g.called("state"); text != "" {
		return text
	}
	if g.params != nil && g.chance(6) {
		return fmt.Sprintf("(%s %s %s)", g.ofParameter(), g.pick("or", "->"), g.threshold())
	}
	if len(g.macros) > 0 && g.chance(6) {
		if text := g.logic(g.test(g.anyVariable()), g.threshold()); text != "" {
			return text
		}
	}
	switch g.IntN(14) {
	case 0:
		return "true"
	case 1, 2:
		return g.test(g.anyVariable())
	case 3:
		return fmt.Sprintf("(%s or %s)", g.test(g.anyVariable()), g.threshold())
	case 4:
		return fmt.Sprintf("%s and %s", g.threshold(), g.threshold())
	case 5:
		return fmt.Sprintf("(%s or %s)", g.threshold(), g.threshold())
	case 6:
		return fmt.Sprintf("not (%s)", g.threshold())
	case 7:
		return fmt.Sprintf("(%s -> %s)", g.threshold(), g.pick(g.threshold(), g.test(g.anyVariable())))
	case 8:
		return fmt.Sprintf("%s and %s", g.test(g.anyVariable()), g.threshold())
	case 9:
		if v := g.anyVariable(); v.Type == "bool" && g.chance(2) {
			return fmt.Sprintf("%s %s (%s)", v.Name, g.pick("=", "!="), g.test(g.anyVariable()))
		}
		if g.chance(3) {
			return fmt.Sprintf("%s %s %s", g.pick("n", "f", "2 * f"), g.pick(">", "<=", "="), g.pick("f", "1", "2", "3 * f"))
		}
		return fmt.Sprintf("(%s <-> %s)", g.test(g.anyVariable()), g.threshold())
	}
	return g.threshold()
}

// rule writes a rule.
func (g *generator) rule(b *strings.Builder, guard, body string) {
	g.labels++
	maybe := ""
	if g.chance(8) {
		maybe = "maybe "
	}
	fmt.Fprintf(b, "  %s%sr%d: if %s then %s endif\n", g.brackets(), maybe, g.labels, guard, body)
	g.params = nil
}

// sending writes rules that send a kind of messages.
func (g *generator) sending(b *strings.Builder, number int) {
	k := g.sends[number]
	for range 1 + g.IntN(7)/6 {
		g.open()
		guard := "not " + flag(k)
		if !g.chance(3) {
			guard = fmt.Sprintf("%s and %s", guard, g.condition())
		}
		body := fmt.Sprintf("%s := true; %s", flag(k), g.send(k))
		if g.chance(3) {
			body += " " + g.assignment()
		}
		if other := g.sends[g.IntN(len(g.sends))]; other.Name != k.Name && g.chance(3) {
			if g.chance(2) {
				guard = fmt.Sprintf("not %s and %s", flag(other), guard)
				body = fmt.Sprintf("%s %s %s := true;", body, g.send(other), flag(other))
			} else {
				body += g.another(other)
			}
		}
		if g.chance(8) {
			body = fmt.Sprintf("if %s then %s else %s endif", g.condition(), body, g.assignment())
		}
		g.rule(b, guard, body)
	}
}

// another sends a message of a kind, too, if that was not done.
func (g *generator) another(k Kind) string {
	return fmt.Sprintf(" if not %s then %s %s := true; endif", flag(k), g.send(k), flag(k))
}

// send is a statement that sends a message of a kind, with some value.
func (g *generator) send(k Kind) string {
	if len(k.Fields) == 0 {
		return fmt.Sprintf("send %s;", k.Name)
	}
	list := func() string {
		var values []string
		for _, f := range k.Fields {
			values = append(values, g.fieldValue(f, slices.Concat(g.inputs, g.locals)))
		}
		return strings.Join(values, ", ")
	}
	if g.chance(3) {
		return fmt.Sprintf("if %s then send %s(%s); else send %s(%s); endif", g.condition(), k.Name, list(), k.Name, list())
	}
	return fmt.Sprintf("send %s(%s);", k.Name, list())
}

// assignment changes a local variable; or an input; or nothing.
func (g *generator) assignment() string {
	v := g.locals[g.IntN(len(g.locals))]
	if len(g.inputs) > 0 && g.chance(12) {
		v = g.inputs[g.IntN(len(g.inputs))]
	}
	text := fmt.Sprintf("%s := %s;", v.Name, g.constant(v))
	switch g.IntN(16) {
	case 5, 6:
		return g.computed(v)
	case 0:
		return "skip;"
	case 1:
		return fmt.Sprintf("%s := %s; %s", v.Name, v.Name, text)
	case 2:
		return fmt.Sprintf("%s %s := %s;", text, v.Name, g.constant(v))
	case 3:
		if v.Type == "range" {
			return fmt.Sprintf("%s := %d - %s;", v.Name, v.Low+v.High, v.Name)
		}
	case 4:
		if v.Type == "bool" {
			return fmt.Sprintf("%s := not %s;", v.Name, v.Name)
		}
	}
	return text
}

// moving writes a rule that changes local variables.
func (g *generator) moving(b *strings.Builder) {
	g.open()
	guard := fmt.Sprintf("%s and %s", g.test(g.locals[0]), g.condition())
	if g.chance(8) {
		guard = g.condition()
	}
	body := g.assignment()
	switch g.IntN(9) {
	case 0:
		body = fmt.Sprintf("if %s then %s endif", g.condition(), body)
	case 1:
		body = fmt.Sprintf("if %s then %s elsif %s then %s else %s endif", g.condition(), body, g.condition(), g.assignment(), g.assignment())
	case 2:
		body = fmt.Sprintf("if %s then %s elsif %s then %s endif", g.condition(), body, g.condition(), g.assignment())
	case 3:
		body = fmt.Sprintf("if %s then if %s then %s else %s endif endif %s", g.condition(), g.condition(), body, g.assignment(), g.pick("", "skip;", g.assignment()))
	}
	for g.chance(6) {
		body += fmt.Sprintf(" elsif %s then %s", g.condition(), g.assignment())
	}
	g.rule(b, guard, body)
}

// cycle writes rules by which a process goes round and round.
func (g *generator) cycle(b *strings.Builder) {
	names := g.locals[0].Names
	for i, from := range names {
		guard := g.locals[0].Name + " = " + from
		if g.chance(4) {
			guard += " and " + g.condition()
		}
		g.rule(b, guard, fmt.Sprintf("%s := %s;", g.locals[0].Name, names[(i+1)%len(names)]))
	}
}
