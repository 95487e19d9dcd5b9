package sizes

import (
	"fmt"
	"slices"
	"strings"
)

// A macro is a definition with parameters that a random text may use.
type macro struct {
	name       string
	parameters []Variable
	about      string // guard, sum, state or logic
	role       string // the type of processes of whose variables it speaks, or none
}

// parametric decides whether a text has rules and definitions with parameters.
func (g *generator) parametric(seed uint64) {
	g.modern = newRandom(seed+1_000_000).IntN(5) < 2
}

// parameter is a parameter of a rule or a definition, mostly of a type that some variables and fields have, too.
func (g *generator) parameter(name string, types []Variable) Variable {
	v := Variable{Type: "range", Low: []int{0, 0, 0, 1, -1}[g.IntN(5)], High: 1 + g.IntN(2)}
	switch {
	case len(types) > 0 && !g.chance(4):
		v = types[g.IntN(len(types))]
	case g.chance(3):
		v = Variable{Type: "bool", High: 1}
	case g.chance(3):
		v = Variable{Type: "enum", Names: []string{"UP", "DN"}, High: 1}
	}
	return Variable{Name: name, Type: v.Type, Low: v.Low, High: v.High, Names: v.Names}
}

// values is how many values a parameter has.
func (v Variable) values() int { return v.High - v.Low + 1 }

// open chooses parameters for the next rule, or none.
func (g *generator) open() {
	g.params = nil
	if !g.modern || g.chance(3) {
		return
	}
	own := slices.Concat(g.inputs, g.locals)
	types := slices.Clone(own)
	for _, k := range g.kinds {
		types = append(types, k.Fields...)
	}
	names := []string{"v", "o", "z"}
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if others := g.foreign(); len(others) > 0 && g.chance(2) {
		names = append([]string{g.pick(others...)}, names...)
	}
	g.params = []Variable{g.parameter(names[0], types)}
	if second := g.parameter(names[1], types); g.params[0].values()*second.values() <= 6 && g.chance(2) {
		g.params = append(g.params, second)
	}
}

// foreign are names of variables that only other types of processes have.
func (g *generator) foreign() []string {
	var names []string
	for _, role := range g.roles {
		for _, v := range slices.Concat(role.inputs, role.locals) {
			if !slices.ContainsFunc(slices.Concat(g.inputs, g.locals), func(w Variable) bool { return w.Name == v.Name }) {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// brackets are what stands before a rule for its parameters.
func (g *generator) brackets() string {
	text := ""
	for _, v := range g.params {
		text += fmt.Sprintf("[](%s: %s) ", v.Name, typeOf(v))
	}
	return text
}

// inScope is a parameter in scope with values of a variable's type, mostly; or nothing.
func (g *generator) inScope(v Variable) string {
	for _, p := range g.params {
		if p.Type == v.Type && p.Low >= v.Low && p.High <= v.High && slices.Equal(p.Names, v.Names) && g.chance(2) {
			return p.Name
		}
	}
	return ""
}

// numeric is a parameter in scope that is a number, or nothing.
func (g *generator) numeric() string {
	for _, p := range g.params {
		if p.Type == "range" {
			return p.Name
		}
	}
	return ""
}

// ofParameter is a condition on a parameter in scope.
func (g *generator) ofParameter() string {
	p := g.params[g.IntN(len(g.params))]
	value := p.Low + g.IntN(p.values())
	switch p.Type {
	case "bool":
		return g.pick(p.Name, "not "+p.Name, p.Name+" = true")
	case "enum":
		return fmt.Sprintf("%s %s %s", p.Name, g.pick("=", "!="), p.Names[value])
	}
	return fmt.Sprintf("%s %s %d", p.Name, g.pick("=", "!=", "<", ">="), value)
}

// writeMacros writes definitions with parameters.
func (g *generator) writeMacros(b *strings.Builder) {
	if !g.modern || g.chance(5) {
		return
	}
	nobody := &kinsfolk{}
	for i := range 1 + g.IntN(4) {
		m := macro{name: g.pick("MANY", "SEEN", "AT", "IS") + fmt.Sprint(i)}
		m.about = g.pick("guard", "guard", "guard", "sum", "state", "state", "logic")
		g.kinsfolk, g.params = nobody, nil
		var body string
		switch m.about {
		case "guard":
			body = g.guardMacro(&m)
		case "sum":
			m.parameters = []Variable{{Name: g.fresh(), Type: "range", Low: g.IntN(2), High: 1 + g.IntN(2)}}
			v := m.parameters[0].Name
			body = g.pick("n - "+v, "f + "+v, "n - 2 * "+v, v+" + 1", "2 * "+v, "n - f - "+v)
			if strings.Count(body, v) > 1 {
				body = v + " + 1"
			}
		case "logic":
			m.parameters = []Variable{{Name: g.fresh(), Type: "bool", High: 1}, {Name: "q", Type: "bool", High: 1}}
			body = strings.ReplaceAll(g.pick("P -> q", "P or not q", "P and q", "not P or q", "q or P and q"), "P", m.parameters[0].Name)
		case "state":
			body = g.stateMacro(&m)
		}
		fmt.Fprintf(b, "define %s(%s) = %s;\n", m.name, declared(m.parameters), body)
		g.macros = append(g.macros, m)
		g.params, g.shadowing = nil, false
	}
	b.WriteString("\n")
}

// declared are parameters with their types.
func declared(parameters []Variable) string {
	var list []string
	for _, v := range parameters {
		list = append(list, v.Name+": "+typeOf(v))
	}
	return strings.Join(list, ", ")
}

// fresh is a name for a parameter of a definition: one that nothing else has, or that of a variable.
func (g *generator) fresh() string {
	if !g.chance(3) {
		return g.pick("v", "o", "z")
	}
	role := g.roles[g.IntN(len(g.roles))]
	all := slices.Concat(role.inputs, role.locals)
	return all[g.IntN(len(all))].Name
}

// shadow notes whether a parameter has a name that means something else elsewhere. Then the definition uses no
// other definitions, and no variables of that name.
func (g *generator) shadow(parameters []Variable) {
	g.params, g.shadowing = parameters, false
	for _, p := range parameters {
		g.shadowing = g.shadowing || !slices.Contains([]string{"v", "o", "z", "q"}, p.Name)
	}
}

// guardMacro is a condition on what was heard, with parameters.
func (g *generator) guardMacro(m *macro) string {
	var types []Variable
	for _, k := range g.kinds {
		types = append(types, k.Fields...)
	}
	first := g.parameter("", types)
	first.Name = g.fresh()
	m.parameters = []Variable{first}
	if g.chance(3) {
		m.parameters = append(m.parameters, g.parameter("q", types))
	}
	g.shadow(m.parameters)
	text := g.threshold()
	if nested := g.use("guard"); nested != "" && !g.shadowing && g.chance(2) {
		text = g.pick(nested, nested, "not "+nested)
	}
	if g.chance(3) || !g.usesParameters(text) {
		text = fmt.Sprintf("%s %s %s", g.pick(g.ofParameter(), text), g.pick("and", "or"), g.pick(g.ofParameter(), g.threshold()))
	}
	return text
}

// usesParameters tells whether a parameter in scope occurs in a text.
func (g *generator) usesParameters(text string) bool {
	return slices.ContainsFunc(g.params, func(p Variable) bool {
		return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
			return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", r)
		}), p.Name)
	})
}

// stateMacro is a condition on a process's variables, with parameters. A variable with the name of a parameter does not occur.
func (g *generator) stateMacro(m *macro) string {
	role := g.roles[g.IntN(len(g.roles))]
	m.role = role.role
	all := slices.Concat(role.inputs, role.locals)
	first := all[g.IntN(len(all))]
	p := g.parameter("", []Variable{first, first, first})
	p.Name = g.fresh()
	m.parameters = []Variable{p}
	if g.chance(3) {
		m.parameters = append(m.parameters, g.parameter("q", all))
	}
	g.shadow(m.parameters)
	visible := slices.DeleteFunc(all, func(v Variable) bool { return v.Name == p.Name })
	if len(visible) == 0 {
		m.parameters[0].Name = "v"
		visible = []Variable{first}
	}
	g.kinsfolk = &kinsfolk{role: role.role, locals: visible}
	text := g.test(visible[g.IntN(len(visible))])
	if !g.usesParameters(text) {
		text = fmt.Sprintf("%s %s %s", text, g.pick("and", "or"), g.ofParameter())
	}
	switch nested := g.use("state"); {
	case nested != "" && !g.shadowing:
		text = fmt.Sprintf("%s %s %s", text, g.pick("and", "or"), nested)
	case g.chance(3):
		text = fmt.Sprintf("%s %s %s", text, g.pick("and", "or"), g.test(visible[g.IntN(len(visible))]))
	}
	return text
}

// called is a use of a definition with parameters, now and then, or nothing if there is none that may stand here.
func (g *generator) called(about string) string {
	if !g.modern || g.shadowing || !g.chance(3) {
		return ""
	}
	return g.use(about)
}

// use is a use of a definition with parameters, or nothing if there is none that may stand here.
func (g *generator) use(about string) string {
	var fit []macro
	for _, m := range g.macros {
		if m.about == about && (m.role == "" || m.role == g.role) {
			fit = append(fit, m)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	m := fit[g.IntN(len(fit))]
	var list []string
	for _, p := range m.parameters {
		list = append(list, g.argument(about, p))
	}
	return fmt.Sprintf("%s(%s)", m.name, strings.Join(list, ", "))
}

// argument is an expression that stands for a parameter: a constant, a parameter of the rule or definition, a variable of
// the process, or something made of these.
func (g *generator) argument(about string, p Variable) string {
	if name := g.inScope(p); name != "" {
		return g.turned(p, name)
	}
	if about == "sum" {
		if g.chance(4) {
			return g.pick("f", "n - f", "f + 1", "n - 1")
		}
		return g.literal(p)
	}
	for _, v := range slices.Concat(g.inputs, g.locals) {
		if v.Type == p.Type && v.Low >= p.Low && v.High <= p.High && slices.Equal(v.Names, p.Names) && g.chance(2) {
			return g.turned(p, g.prefix+v.Name)
		}
	}
	return g.literal(p)
}

// turned is a name, or what is made of it, with values of the same type.
func (g *generator) turned(p Variable, name string) string {
	switch {
	case p.Type == "bool" && g.chance(3):
		return "not " + name
	case p.Type == "range" && g.chance(3):
		return fmt.Sprintf("%d - %s", p.Low+p.High, name)
	}
	return name
}

// literal is a value of a parameter's type.
func (g *generator) literal(p Variable) string {
	scope := g.params
	g.params = nil
	defer func() { g.params = scope }()
	return g.constant(p)
}

// logic combines two conditions by a definition, or is empty.
func (g *generator) logic(a, b string) string {
	for _, m := range g.macros {
		if m.about == "logic" && !g.shadowing {
			return fmt.Sprintf("%s(%s, %s)", m.name, a, b)
		}
	}
	return ""
}
