package promela

import (
	"fmt"
	"math/rand"
	"regexp"
	"sort"
	"strings"
)

// A Case is a text, how it is to be run, and the features that it has.
type Case struct {
	Seed       int64
	Text       string
	Defines    []string
	NoFairness bool
	Wrong      bool  // the text has a mistake: it must be refused
	Deep       int64 // up to which values of parameters it is to be looked at; 0: as all others
	Tags       map[string]bool
}

// Features lists the features of the case in order.
func (c *Case) Features() []string {
	var out []string
	for t := range c.Tags {
		out = append(out, t)
	}
	sort.Strings(out)
	return out
}

// A generator writes a random text.
type generator struct {
	*rand.Rand
	c        *Case
	out      strings.Builder
	values   []string // names or numbers of the states, from the first to the last
	lines    []string // #define lines
	params   []string
	shared   []string
	count    []counter
	crash    bool
	bit      bool   // a second control variable
	label    string // of the loop
	below    int    // how deep nested ifs may go
	labels   []string
	props    []string
	moves    string // how a process reads its next state: next, or directly
	process  string
	falling  bool // the state may go down, so that processes may send for ever
	low      int  // the lowest state in which the guard that was written last may be true
	extended []string
	names    int    // of variables declared where they are used
	rounds   bool   // there is a variable k for loops in steps
	leading  bool   // the first shared variable grows whenever the second one does
	jumping  bool   // a loop without do is written, which has no break
	step     bool   // a proposition is used in a step: the first one must not be about places
	rare     string // the one construct of this text that is not of the plain dialect
}

// rarities are constructs that a program may well refuse: a text has one of them at most, so that it is not refused for
// something else.
var rarities = []string{
	"conditional", "start condition", "alternative", "shared changes", "implies", "until", "until", "equivalence", "inner label",
}

// extensions are constructs beyond the plainest dialect: a text may have several.
var extensions = []string{
	"division", "division", "assert", "assert", "goto", "increment", "start shared", "nested atomic", "flag arithmetic", "down",
	"both signs", "both signs", "product", "bits", "loop inside", "loop inside", "goto inside", "declaration inside", "left out",
	"semicolons", "assumed", "start jump", "array", "response", "response",
}

// ended are lines whose ; may be missing.
var ended = regexp.MustCompile(`(?m)^( *(?:symbolic|int|byte|short|hidden|show|local|atomic p\d|assume) [^;]*|assume\([^;]*\));$`)

// rarely says whether the text has the construct, here.
func (g *generator) rarely(name string) bool {
	return (g.rare == name || contains(g.extended, name)) && !g.one(3)
}

// A counter is a pair of variables: what has been received, and what will have been after the step, from a shared variable.
type counter struct{ old, next, shared string }

// Generate writes the text of a number. Few texts have no small instances. All texts have the given extensions.
func Generate(seed int64, always ...string) *Case {
	for attempt := int64(0); ; attempt++ {
		c := generate(seed, seed+attempt<<40, always)
		if attempt == 3 || c.Wrong {
			return c
		}
		if m, err := Parse(c.Text, c.Defines); err != nil || len(m.Admissible(3)) > 0 {
			return c
		}
	}
}

func generate(seed, source int64, always []string) *Case {
	g := &generator{Rand: rand.New(rand.NewSource(source)), c: &Case{Seed: seed, Tags: map[string]bool{}}}
	if g.one(7) {
		g.rare = g.pick(rarities...)
		g.tag("rare " + g.rare)
	}
	g.extended = append(g.extended, always...)
	for _, e := range extensions {
		if g.one(11) {
			g.extended = append(g.extended, e)
		}
	}
	if g.one(25) {
		g.falling = true
		g.tag("falling")
	}
	g.process = g.pick("Proc", "Proc", "P", "Node")
	if contains(g.extended, "both signs") {
		g.c.Deep = 5
	}
	g.parameters()
	g.variables()
	body := g.body()
	props := g.propositions()
	formulas := g.formulas()
	g.assemble(body, props, formulas)
	g.c.Text = g.out.String()
	if g.rarely("semicolons") {
		g.tag("semicolons missing")
		g.c.Text = ended.ReplaceAllString(g.c.Text, "$1")
	}
	if g.one(25) {
		g.mistake()
	}
	return g.c
}

func (g *generator) tag(names ...string) {
	for _, n := range names {
		g.c.Tags[n] = true
	}
}

// one is true once in n times.
func (g *generator) one(n int) bool { return g.Intn(n) == 0 }

func (g *generator) pick(list ...string) string { return list[g.Intn(len(list))] }

// parameters chooses parameters; assumptions are chosen in assumptions.
func (g *generator) parameters() {
	switch g.Intn(6) {
	case 0:
		g.params = []string{"N"}
		g.tag("params one")
	case 1:
		g.params = []string{"N", "F"}
		g.tag("params two")
	default:
		g.params = []string{"N", "T", "F"}
		g.tag("params three")
	}
	if g.one(8) {
		g.params = append(g.params, "HALF")
		g.tag("params fixed")
	}
}

func (g *generator) has(param string) bool { return contains(g.params, param) }

// assumptions are about parameters, and such that few small instances satisfy them.
func (g *generator) assumptions() []string {
	var out []string
	say := func(e string) {
		if g.one(30) {
			g.tag("assume plain")
			out = append(out, "assume "+e+";")
			return
		}
		out = append(out, "assume("+e+");")
	}
	say(g.pick("N > 1", "N >= 1", "N >= 2", "N > 0", "N > 2"))
	if g.has("F") && g.one(6) {
		say("N == F")
		g.tag("degenerate N=F")
	} else if g.has("F") && !g.one(8) {
		say(g.pick("N > F", "N >= F", "F < N"))
	} else if g.has("F") {
		g.tag("degenerate N<F")
	}
	switch {
	case g.has("T") && g.one(5):
		say("T == 0")
		g.tag("degenerate T=0")
		if g.one(2) {
			say("F <= T + 1")
		} else {
			say("F <= T")
		}
	case g.has("T"):
		say(g.pick("N > 3 * T", "N > 2 * T", "N >= 3 * T", "T == 1", "N == T + 1", "2 * T < N && T >= 1"))
		say(g.pick("F <= T", "T >= F", "F <= T + 1", "F == T", "!(F > T)"))
	case g.has("F"):
		say(g.pick("F <= 1", "F == 1", "F == 0 || F == 1", "2 * F < N"))
	}
	if g.has("HALF") {
		say(g.pick("2 * HALF == N || 2 * HALF == N - 1", "2 * HALF == N + 1 || 2 * HALF == N", "HALF == N - 1"))
	}
	if g.rarely("division") {
		say(g.pick("N / 2 >= 1", "(N - 3) / 2 >= 0", "N % 2 == 1", "N / 2 * 2 == N"))
		g.tag("division assumption")
	}
	if g.one(12) && g.c.Deep == 0 {
		say("N <= 3")
		g.tag("bounded N")
	}
	g.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// variables chooses shared variables and counters.
func (g *generator) variables() {
	names := []string{"a", "b"}
	if g.one(2) {
		names = []string{"sent", "echo"}
	}
	g.shared = names[:1+g.Intn(2)]
	if g.c.Deep > 0 {
		g.shared = names
		g.leading = g.one(2)
	}
	counters := g.Intn(len(g.shared) + 1)
	if g.c.Deep > 0 {
		counters = g.Intn(2) * g.Intn(2)
	}
	if g.one(4) && g.c.Deep == 0 {
		counters = min(1, len(g.shared))
	}
	for i := 0; i < counters; i++ {
		s := g.shared[i]
		g.count = append(g.count, counter{"r_" + s, "q_" + s, s})
	}
	g.tag(fmt.Sprintf("counters %d", counters))
	if g.has("F") && g.one(4) {
		g.crash = true
		g.tag("faults crash")
	}
	n := 2 + g.Intn(3)
	for i := 0; i < n; i++ {
		g.values = append(g.values, fmt.Sprint(i))
	}
	if !g.one(4) {
		g.tag("define constants")
		for i := range g.values {
			name := "S" + fmt.Sprint(i)
			g.lines = append(g.lines, "#define "+name+" "+g.values[i])
			g.values[i] = name
		}
	}
	if g.one(5) {
		g.bit = true
	}
	g.label = g.pick("end", "wait", "loop", "L0")
	g.labels = []string{g.label}
	if g.one(6) {
		g.labels = append(g.labels, "again")
		g.tag("labels several")
	}
}

// state is the name of a random state.
func (g *generator) state() string { return g.pick(g.values...) }

// threshold is an expression over parameters that counters are compared with.
func (g *generator) threshold() string {
	list := []string{"1", "1", "2", "0", "N", "N - 1"}
	if g.has("F") {
		list = append(list, "N - F", "F + 1", "F")
	}
	if g.has("T") {
		list = append(list, "T + 1", "T + 1", "N - T", "N - T", "T", "N - 2 * T", "2 * T + 1", "N - T - F")
	}
	if g.has("HALF") {
		list = append(list, "HALF", "HALF + 1")
	}
	e := g.pick(list...)
	if g.rarely("division") {
		g.tag("division")
		list := []string{
			"N / 2", "N / 2 + 1", "(N + 1) / 2", "(N + 3) / 3", "(N - 3) / 2", "(N - 4) / 3 + 1", "N % 2", "N % 3 + 1", "(2 - N) / 2 + 1", "(1 - N) % 2 + 1",
		}
		if g.has("T") {
			list = append(list, "(N + T) / 2", "(N + T) / 2 + 1", "(T - N) / 2 + N", "(N - T) / 2", "(N + T) / 2 - T")
		}
		e = g.pick(list...)
	}
	if g.one(14) {
		g.tag("macro threshold")
		g.define("#define QUORUM (" + g.pick("N - 1", "(N)", "1 + 1", "N -1") + ")")
		e = "QUORUM"
	}
	if g.one(14) {
		g.tag("macro function")
		g.define("#define ATLEAST(x, y) (" + g.pick("(x) + (y)", "x + y", "(x) - (y) + 1") + ")")
		e = "ATLEAST(" + g.pick("1", "N") + ", " + g.pick("0", "1") + ")"
	}
	return e
}

// define adds a line of the preprocessor, unless the same name is defined.
func (g *generator) define(line string) {
	name := strings.Fields(strings.ReplaceAll(line, "(", " "))[1]
	for _, l := range g.lines {
		if strings.Fields(strings.ReplaceAll(l, "(", " "))[1] == name {
			return
		}
	}
	g.lines = append(g.lines, line)
}
