package automata

import (
	"fmt"
	"math/rand"
	"strings"
)

// A Case is a random text.
type Case struct {
	Text string
	// Fragment are the specifications whose negation is in the fragment that verify decides, by
	// construction; Wild may be outside.
	Fragment, Wild []string
	// Tags are the features that the text uses.
	Tags map[string]bool
	// MaxParameter is a value up to which instances are small.
	MaxParameter int
	// Unknowns are the names of the unknown coefficients of a template and their bounds.
	Unknowns map[string][2]int
}

// A generator makes one case.
type generator struct {
	*rand.Rand
	c          *Case
	parameters []string
	shared     []string
	locations  []string
	unknowns   []string
	defines    []string
	edges      []arrow
	grows      bool // variables may grow on cycles
}

// An arrow is where a rule leads from and to.
type arrow struct{ from, to int }

// Generate makes the case of a seed. With template, it has unknown coefficients.
func Generate(seed int64, template bool) *Case {
	g := &generator{Rand: rand.New(rand.NewSource(seed)), c: &Case{Tags: map[string]bool{}}}
	g.names(template)
	g.locate()
	g.c.Text = g.text(template)
	return g.c
}

func (g *generator) tag(format string, args ...any) { g.c.Tags[fmt.Sprintf(format, args...)] = true }

// chance is true once in so many times.
func (g *generator) chance(n int) bool { return g.Intn(n) == 0 }

func (g *generator) pick(list ...string) string { return list[g.Intn(len(list))] }

func (g *generator) names(template bool) {
	g.parameters = [][]string{{"n"}, {"n", "t"}, {"n", "f"}, {"n", "t", "f"}, {"t", "n"}, {"n", "F"}}[g.Intn(6)]
	g.c.MaxParameter = []int{0, 5, 4, 2}[len(g.parameters)]
	g.shared = []string{"x", "y", "z"}[:[]int{0, 1, 1, 1, 2, 2, 2, 3}[g.Intn(8)]]
	g.tag("%d parameters", len(g.parameters))
	g.tag("%d shared", len(g.shared))
	if template {
		g.unknowns = []string{"u1", "u2"}[:1+g.Intn(2)]
		g.c.MaxParameter = min(g.c.MaxParameter, 3)
		g.c.Unknowns = map[string][2]int{}
		g.tag("template")
	}
}

// locate chooses locations and where rules lead.
func (g *generator) locate() {
	g.locations = []string{"a", "b", "c", "d", "e"}[:1+g.Intn(4)]
	if g.chance(8) {
		g.locations = []string{"a", "b", "c", "d", "e"}
	}
	g.tag("%d locations", len(g.locations))
	last := len(g.locations) - 1
	g.grows = g.chance(6)
	for n := g.Intn(2) + len(g.locations); n > 0 && last > 0; n-- {
		from := g.Intn(last)
		to := from + 1 + g.Intn(last-from)
		if g.chance(2) {
			to = from + 1
		}
		g.edges = append(g.edges, arrow{from, to})
	}
	if g.chance(3) && last > 0 {
		for n := 1 + g.Intn(2); n > 0; n-- {
			to := g.Intn(last)
			g.edges = append(g.edges, arrow{to + 1 + g.Intn(last-to), to})
		}
	}
	missing := 0
	some := g.chance(3)
	for l := range g.locations {
		if some && g.chance(2) {
			missing++
			continue
		}
		g.edges = append(g.edges, arrow{l, l})
	}
	if missing > 0 {
		g.tag("self-loops missing")
	}
}

// number is a term over parameters, which divisions and definitions may be part of.
func (g *generator) number() string {
	p := g.pick(g.parameters...)
	q := g.pick(g.parameters...)
	f := g.parameters[len(g.parameters)-1]
	if len(g.unknowns) > 0 && g.chance(2) {
		g.tag("unknown in a bound")
		u := g.pick(g.unknowns...)
		return g.pick(u+" * "+p+" + 1", p+" - "+u, u, q+" + "+u, u+" * "+p+" - "+u)
	}
	if len(g.defines) > 0 && g.chance(3) {
		g.tag("define used")
		return g.pick(g.defines...) + g.pick("", "", " - "+f, " + 1", " - 1")
	}
	if g.chance(5) {
		g.tag("division")
		k := itoa(2 + g.Intn(2))
		inside := g.pick(p, p+" + "+q, p+" - "+q, p+" - 1", q+" + 1", "2 * "+p+" - "+q, "1 - "+p, p+" + "+f)
		return g.pick("", "", "2 * ", "-") + "((" + inside + ") / " + k + ")" + g.pick("", "", " + 1", " - "+f, " - "+p)
	}
	return g.pick("0", "1", "2", p, p, p+" - "+q, p+" + 1", p+" - 1", p+" - "+f, p+" + 1 - "+f, p+" - 2 * "+q, "2 * "+q+" + 1", "3", "-1", "- "+q)
}

// sum is a sum of shared variables of one sign.
func (g *generator) sum() string {
	v := g.pick(g.shared...)
	switch w := g.pick(g.shared...); {
	case v != w && g.chance(3):
		g.tag("sum of variables")
		return v + " + " + g.pick("", "2 * ") + w
	case g.chance(8):
		g.tag("multiple of a variable")
		return g.pick("2 * "+v, v+" * 2", v+" + "+v, "("+v+" + "+w+") * 2", "3 * "+v+" - "+v)
	case g.chance(40):
		g.tag("variable with coefficient 0")
		return "0 * " + v
	}
	return v
}

// threshold compares shared variables with parameters.
func (g *generator) threshold(operators ...string) string {
	if len(g.shared) == 0 || g.chance(15) {
		g.tag("comparison of parameters")
		return g.number() + " " + g.pick(operators...) + " " + g.number()
	}
	operator := g.pick(operators...)
	g.tag("guard or atom %s", operator)
	if g.chance(10) {
		g.tag("variables on both sides")
		return g.number() + " " + map[string]string{">=": "<=", ">": "<", "<": ">", "<=": ">=", "==": "==", "!=": "!="}[operator] + " " + g.sum()
	}
	if g.chance(20) {
		g.tag("negative variable")
		return g.number() + " - " + g.pick(g.shared...) + " " + operator + " " + g.pick("", "0 + ") + g.sum()
	}
	if g.chance(12) {
		g.tag("parameter beside the variables")
		return g.sum() + " + " + g.parameters[len(g.parameters)-1] + " " + operator + " " + g.number()
	}
	return g.sum() + " " + operator + " " + g.number()
}

func (g *generator) guard() string {
	usual := func() string { return g.threshold(">=", ">=", ">=", "<", ">", "<=") }
	switch g.Intn(12) {
	case 0, 1, 2:
		g.tag("no guard")
		return ""
	case 3:
		g.tag("guard true")
		return "true"
	case 4:
		return g.threshold("==")
	case 5:
		return g.threshold("!=")
	case 6:
		g.tag("guard ||")
		return usual() + " || " + usual()
	case 7:
		g.tag("guard &&")
		return usual() + " && " + usual()
	case 8:
		g.tag("guard !")
		return g.pick("! ", "!(") + usual()
	case 9:
		if g.chance(3) {
			g.tag("guard false")
			return "false"
		}
	}
	return usual()
}

func (g *generator) reaches(from, to int) bool {
	seen := map[int]bool{from: true}
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		for _, e := range g.edges {
			if e.from == todo[0] && !seen[e.to] {
				seen[e.to] = true
				todo = append(todo, e.to)
			}
		}
	}
	return seen[to]
}

// rule writes a rule.
func (g *generator) rule(number int, e arrow) string {
	guard := ""
	if e.from != e.to || g.chance(5) {
		if guard = g.guard(); strings.HasPrefix(guard, "!(") {
			guard += ")"
		}
	}
	if e.from == e.to && guard != "" {
		g.tag("self-loop with a guard")
	}
	cycle := g.reaches(e.to, e.from)
	if cycle && e.from != e.to {
		g.tag("cycle")
	}
	var updates []string
	for _, v := range g.shared {
		if cycle && !(g.grows && g.chance(2)) {
			if g.chance(12) {
				g.tag("unchanged")
				updates = append(updates, "unchanged("+v+")")
			}
			continue
		}
		if !g.chance(2) {
			continue
		}
		if cycle {
			g.tag("variable grows on a cycle")
		}
		text := fmt.Sprintf("%s' %s %s + %d", v, g.pick("==", ":="), v, 1+g.Intn(5)/4)
		if strings.HasSuffix(text, "2") {
			g.tag("update by 2")
		}
		if g.chance(15) {
			g.tag("update written in another way")
			text = v + "' == " + g.pick("1 + "+v, v+" + 2 - 1", v+" + 4 / 3", "2 * "+v+" + 1 - "+v)
		}
		if g.chance(15) {
			g.tag("update with nothing added")
			text = fmt.Sprintf("%s' == %s", v, v)
		}
		updates = append(updates, text)
		if g.chance(20) {
			g.tag("update said twice")
			updates = append(updates, text)
		}
	}
	if number > 1 && g.chance(25) {
		g.tag("number of a rule twice")
		number--
	}
	text := fmt.Sprintf("%d: %s -> %s", number, g.locations[e.from], g.locations[e.to])
	if guard != "" {
		text += " when (" + guard + ")"
	}
	if len(updates) > 0 {
		text += " do { " + strings.Join(updates, "; ") + "; }"
	} else if g.chance(3) {
		text += " do { }"
	}
	return text + ";"
}

// starts writes the initial conditions.
func (g *generator) starts() []string {
	n, f := g.parameters[0], g.parameters[len(g.parameters)-1]
	total := g.pick(n, n, n, n+" - "+f, n+" - "+f, n+" + "+f, "2 * "+n, n+" + 2", "2", "3", "1", "("+n+" + 1) / 2")
	if len(g.parameters) == 1 && strings.Contains(total, " - ") {
		total = n
	}
	begin := 1 + g.Intn(min(2, len(g.locations)))
	if g.chance(6) {
		begin = len(g.locations)
	}
	g.tag("%d initial locations", begin)
	at := g.Perm(len(g.locations))
	if !g.chance(4) {
		for i := range at {
			at[i] = i
		}
	}
	var lines, names []string
	for i, l := range at {
		if i < begin {
			names = append(names, g.locations[l])
		} else if g.chance(30) {
			g.tag("open location")
		} else {
			lines = append(lines, g.locations[l]+" "+g.pick("== 0", "== 0", "== 0", "<= 0", "< 1"))
		}
	}
	sum := strings.Join(names, " + ")
	switch g.Intn(12) {
	case 0:
		g.tag("initial <=")
		lines = append(lines, sum+" <= "+total)
	case 1:
		g.tag("initial sum beyond parameters")
		lines = append(lines, sum+" == 2 * "+n+" + 1")
	case 2:
		g.tag("initial bound on a location")
		lines = append(lines, sum+" == "+total, names[0]+" "+g.pick(">= 1", "<= 1", "!= 1", "> "+f, "< 2"))
	case 3:
		if g.chance(3) {
			g.tag("open number of processes")
			lines = append(lines, sum+" >= "+g.pick("1", n, "0"))
			break
		}
		lines = append(lines, sum+" == "+total)
	default:
		lines = append(lines, sum+" == "+total)
	}
	for _, v := range g.shared {
		switch g.Intn(14) {
		case 0:
			g.tag("open variable")
		case 1:
			g.tag("variable begins beyond parameters")
			lines = append(lines, v+" == "+g.pick("2 * "+n+" + 3", "5"))
		case 2:
			g.tag("variable begins in a range")
			lines = append(lines, v+" <= "+g.pick("1", f), v+" >= 0")
		case 3:
			g.tag("variable begins with !=")
			lines = append(lines, v+" <= 2", v+" != 1")
		default:
			lines = append(lines, v+" == 0")
		}
	}
	g.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

func (g *generator) assumptions() []string {
	n, p, f := g.parameters[0], g.parameters[len(g.parameters)/2], g.parameters[len(g.parameters)-1]
	var lines []string
	switch g.Intn(8) {
	case 0:
		g.tag("no assumptions")
	case 1:
		lines = append(lines, n+" >= 1")
	case 2:
		lines = append(lines, n+" > 2 * "+f)
	case 3:
		lines = append(lines, n+" >= "+f, p+" >= "+f)
	case 4:
		g.tag("assumption with !=")
		lines = append(lines, n+" != 1")
	case 5:
		g.tag("assumption with ||")
		lines = append(lines, n+" >= 2 || "+f+" == 0")
	case 6:
		g.tag("assumption with a division")
		lines = append(lines, f+" <= "+n+" / 2")
	default:
		lines = append(lines, n+" > "+f)
	}
	if strings.Contains(strings.Join(lines, ""), n+" > "+n) {
		lines = nil
	}
	for _, u := range g.unknowns {
		low := g.Intn(3) - 1
		high := low + 1 + g.Intn(2)
		g.c.Unknowns[u] = [2]int{low, high}
		lines = append(lines, fmt.Sprintf("%d <= %s", low, u), fmt.Sprintf("%s <= %d", u, high))
	}
	return lines
}

// text writes everything.
func (g *generator) text(template bool) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	head := g.pick("ta Random", "skel Random", "thresholdAutomaton Random", "threshAuto Random", "ta Random", "", "skel", "Random")
	line("%s {", head)
	g.tag("head %q", head)
	if g.chance(4) {
		line("  local pc;")
		g.tag("local")
	}
	if len(g.shared) > 0 {
		line("  shared %s;", strings.Join(g.shared, ", "))
	}
	line("  parameters %s;", strings.Join(g.parameters, ", "))
	if template {
		line("  unknowns %s;", strings.Join(g.unknowns, ", "))
	}
	if g.chance(3) {
		term := g.number()
		g.defines = []string{"D"}
		g.tag("define")
		line("  define D == %s;", term)
	}
	section := func(name string, lines []string) string {
		number := g.pick("", " (3)", " (0)")
		return "  " + name + number + " {\n    " + strings.Join(lines, "\n    ") + "\n  }\n"
	}
	end := func(lines []string) []string {
		for i := range lines {
			lines[i] += ";"
		}
		return lines
	}
	sections := []string{section("assumptions", end(g.assumptions()))}
	var locations []string
	for i, l := range g.locations {
		locations = append(locations, l+g.pick("", fmt.Sprintf(": [%d]", i), ": [0]"))
	}
	sections = append(sections, section("locations", end(locations)))
	sections = append(sections, section("inits", end(g.starts())))
	var rules []string
	for i, e := range g.edges {
		rules = append(rules, g.rule(i+1, e))
		if g.chance(20) {
			g.tag("comment")
			rules = append(rules, g.pick("// (comment", "/* { two\n lines */"))
		}
	}
	sections = append(sections, section("rules", rules))
	sections = append(sections, section("specifications", g.specifications()))
	if g.chance(5) {
		g.tag("sections in another order")
		g.Shuffle(len(sections), func(i, j int) { sections[i], sections[j] = sections[j], sections[i] })
	}
	b.WriteString(strings.Join(sections, ""))
	line("}")
	return b.String()
}
