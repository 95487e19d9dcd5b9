// Package picture draws automata, counterexamples and lasso shapes: as text
// for Graphviz, and, laid out by a program of its own, as SVG or PNG.
package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/emicklei/dot"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
)

// colours that are told apart in print and by colour-blind readers.
const (
	accent = "#b2182b" // what a counterexample uses before its loop
	loop   = "#2166ac" // and in it
	quiet  = "#808080" // what is there and seldom looked at
)

// LocationID and MoveID are the ids of a location and of the rules from one location to another in SVG pictures.
func LocationID(i int) string { return fmt.Sprintf("location-%d", i) }

// MoveID is documented at LocationID.
func MoveID(from, to int) string { return fmt.Sprintf("move-%d-%d", from, to) }

// View says how an automaton is to be drawn.
type View struct {
	Run *ta.Run // is coloured and marked with its steps; may be nil
	// Hidden locations are left out, with the rules from and to them; nil means none.
	Hidden []bool
	// Says writes a threshold in the words of the text that the automaton was made of; false, or nil, where it
	// has only a name of the picture.
	Says func(ta.Threshold) (string, bool)
	// Counts says what is behind the names of locations; nil, or "", for nothing.
	Counts func(location int) string
}

// Pictures with more arrows than manyArrows have numbers for labels, with more than hurried they are laid out in a
// hurry, and with more than tooManyArrows they show phases in place of locations, if there are any. Those with a label
// of more than longLabel characters in a line have numbers, too.
const (
	manyArrows    = 60
	hurried       = 400
	tooManyArrows = 1500
	longLabel     = 70
	legendWidth   = 110
)

// Automaton draws an automaton: a box a location, with an arrow into those where processes may start, and an arrow a
// pair of locations with the rules between them. Guards are written with names of thresholds, T1, T2, ..., which a
// legend explains, or in the words of the text that the automaton was made of. Self-loops that change nothing are
// waiting: a dotted arc.
//
// Locations of a round or phase (see phases) are drawn together. Where there
// are many arrows, these have numbers, and the legend says what they stand for.
func Automaton(a *ta.Automaton, v View) string {
	hidden := func(l int) bool { return v.Hidden != nil && v.Hidden[l] }
	list := lists.Keep(pairs(a), func(p *pair) bool { return !hidden(p.from) && !hidden(p.to) })
	groups := phases(a, hidden)
	if len(list) > tooManyArrows && len(groups) > 1 {
		return drawPhases(a, groups, list)
	}
	g := newPicture(a)
	names := nameThresholds(a, v.Says, true)
	if len(list) > hurried {
		hurry(g)
	}
	numbered := len(list) > manyArrows || names.longest(a, list) > longLabel
	if numbered { // one legend is enough
		names = nameThresholds(a, v.Says, false)
	}
	used := usage(a, v.Run)
	nodes, home := drawLocations(g, a, v, hidden, groups, used.visited, names.apart(a))
	arrows := arrows{g: g, nodes: nodes, home: home, labels: map[string]dot.Node{}, shared: numbered}
	for _, p := range list {
		label := names.label(a, p.rules)
		if numbered {
			label = names.number(a, p.rules)
		}
		arrows.draw(p, label, used.moves[[2]int{p.from, p.to}])
	}
	explainNames(g, names)
	return g.String()
}

// drawLocations draws the locations that are not hidden, in their groups.
func drawLocations(g *dot.Graph, a *ta.Automaton, v View, hidden func(l int) bool, groups []phase,
	visited []bool, apart map[int]string) ([]dot.Node, map[int]*dot.Graph) {
	nodes := make([]dot.Node, len(a.Locations))
	home := map[int]*dot.Graph{}
	for _, group := range groups {
		sub := g.Subgraph(group.name, dot.ClusterOption{})
		for key, value := range map[string]string{"style": "rounded", "color": quiet, "fontname": "Helvetica",
			"fontsize": "11", "fontcolor": quiet} {
			sub.Attr(key, value)
		}
		for _, l := range group.members {
			home[l] = sub
		}
	}
	empty := a.InitiallyEmpty()
	for i, l := range a.Locations {
		if hidden(i) {
			continue
		}
		in := g
		if home[i] != nil {
			in = home[i]
		}
		nodes[i] = in.Node(l.Name).Attr("id", LocationID(i)).Attr("class", "location")
		if apart[i] != "" {
			nodes[i].Label(l.Name + "\n" + apart[i])
		}
		if v.Counts != nil {
			if n := v.Counts(i); n != "" {
				nodes[i].Label(l.Name+": "+n).Attr("penwidth", "2.5")
			}
		} else if visited[i] {
			nodes[i].Attr("color", accent)
		}
		if !empty[i] {
			start := in.Node("start of "+l.Name).Label("").Attr("shape", "point").Attr("style", "invis").Attr("width",
				"0.01")
			g.Edge(start, nodes[i]).Attr("class", "initial").Attr("arrowhead", "vee")
			nodes[i].Attr("style", "rounded,filled,bold")
		}
	}
	return nodes, home
}

// arrows draws rules. What a label says stands in its arrow, as a node of its own: so it is plainly at that arrow, and
// no other one goes through it.
type arrows struct {
	g      *dot.Graph
	nodes  []dot.Node
	home   map[int]*dot.Graph
	labels map[string]dot.Node
	shared bool // arrows with the same label to the same location have one label
}

// draw draws the arrow of a pair of locations, and colours it if a run takes it. In SVG it has the class of its label,
// and so has the part of it behind the label.
func (d *arrows) draw(p *pair, label string, u *use) {
	paint := func(e dot.Edge) dot.Edge { return e }
	colour := "black"
	switch {
	case u != nil:
		if colour = accent; u.loop {
			colour = loop
		}
		label = strings.TrimPrefix(label+"\n"+u.String(), "\n")
		paint = func(e dot.Edge) dot.Edge { return e.Attr("color", colour).Attr("penwidth", "2") }
	case label == "":
		paint = func(e dot.Edge) dot.Edge { return e.Attr("style", "dotted").Attr("color", quiet) }
	}
	edge := func(from, to dot.Node) dot.Edge { return paint(d.g.Edge(from, to)) }
	id := MoveID(p.from, p.to)
	if label == "" || p.from == p.to {
		e := edge(d.nodes[p.from], d.nodes[p.to]).Attr("id", id).Attr("class", "move")
		if label != "" {
			e.Attr("label", label).Attr("fontcolor", colour)
		}
		return
	}
	key := id
	if d.shared && u == nil {
		key = fmt.Sprintf("%s to %d", label, p.to)
	}
	at, known := d.labels[key]
	class := fmt.Sprintf("via-%d", len(d.labels))
	if known {
		class = at.Value("class").(string)
	} else {
		in := d.home[p.from]
		if in == nil || in != d.home[p.to] {
			in = d.g
		}
		lines := lists.Map(strings.Split(label, "\n"), func(line string) int { return len(line) })
		beside := 0.04 + 0.007*float64(slices.Max(lines)) // letters of other fonts are wider by up to a fifth
		at = in.Node("label "+key).Label(label).Attr("shape", "plaintext").Attr("style", "").Attr("margin",
			fmt.Sprintf("%.2f,0.02", beside)).Attr("width", "0").Attr("height", "0").Attr("fontsize", "10").Attr(
			"fontcolor", colour).Attr("class", class)
		d.labels[key] = at
		edge(at, d.nodes[p.to]).Attr("class", "into "+class)
	}
	edge(d.nodes[p.from], at).Attr("id", id).Attr("class", "move "+class).Attr("arrowhead", "none")
}

func newPicture(a *ta.Automaton) *dot.Graph {
	g := dot.NewGraph(dot.Directed)
	g.ID(a.Name)
	page(g)
	g.Attr("nodesep", "0.35")
	g.Attr("ranksep", "0.35")
	g.Attr("newrank", "true")
	g.NodeInitializer(func(n dot.Node) {
		n.Attr("shape", "box").Attr("style", "rounded,filled").Attr("fillcolor", "white").Attr("fontname",
			"Helvetica").Attr("fontsize", "13").Attr("margin", "0.15,0.08")
	})
	g.EdgeInitializer(func(e dot.Edge) {
		e.Attr("fontname", "Helvetica").Attr("fontsize", "10").Attr("arrowsize", "0.7")
	})
	return g
}

// hurry bounds the effort that is spent on nice curves and few crossings.
func hurry(g *dot.Graph) {
	for key, value := range map[string]string{"splines": "line", "nslimit": "0.5", "nslimit1": "0.5", "mclimit": "0.05",
		"ranksep": "1.2"} {
		g.Attr(key, value)
	}
}

func explainNames(g *dot.Graph, names *thresholds) {
	if legend := names.legend(); legend != "" {
		g.Attr("label", dot.Literal(`"\l`+strings.ReplaceAll(legend, `"`, `\"`)+`"`))
		g.Attr("labelloc", "b")
		g.Attr("labeljust", "l")
		g.Attr("fontsize", "11")
	}
}

// page sets what all pictures have in common.
func page(g *dot.Graph) {
	g.Attr("rankdir", "LR")
	g.Attr("fontname", "Helvetica")
	g.Attr("bgcolor", "transparent")
}

// pair is two locations with the rules from one to the other.
type pair struct {
	from, to int
	rules    []*ta.Rule
}

func pairs(a *ta.Automaton) []*pair {
	var list []*pair
	at := map[[2]int]*pair{}
	for i := range a.Rules {
		r := &a.Rules[i]
		key := [2]int{r.From, r.To}
		if at[key] == nil {
			at[key] = &pair{from: r.From, to: r.To}
			list = append(list, at[key])
		}
		at[key].rules = append(at[key].rules, r)
	}
	return list
}

// use is what a run does with a pair of locations.
type use struct {
	steps []string
	loop  bool
}

func (u *use) String() string {
	if len(u.steps) == 1 {
		return "step " + u.steps[0]
	}
	return "steps " + strings.Join(u.steps, ", ")
}

type used struct {
	visited []bool
	moves   map[[2]int]*use
}

func usage(a *ta.Automaton, run *ta.Run) used {
	u := used{visited: make([]bool, len(a.Locations)), moves: map[[2]int]*use{}}
	if run == nil {
		return u
	}
	for i, n := range run.Start.Counters {
		u.visited[i] = n.Sign() > 0
	}
	for i, s := range run.Steps {
		r := &a.Rules[s.Rule]
		key := [2]int{r.From, r.To}
		if u.moves[key] == nil {
			u.moves[key] = &use{}
		}
		u.moves[key].steps = append(u.moves[key].steps, fmt.Sprint(i+1))
		u.moves[key].loop = run.Loop != ta.Finite && i >= run.Loop
		u.visited[r.To] = true
	}
	return u
}

// thresholds gives thresholds names, T1, T2, ...
type thresholds struct {
	names  map[string]string // by key
	letter string            // that they begin with
	texts  []string
	kinds  map[string]int // numbers of what rules do
	what   []string       // by number, from 1
}

// nameThresholds gives names to those of guards that have no words, or, if they are not short, none.
func nameThresholds(a *ta.Automaton, says func(ta.Threshold) (string, bool), short bool) *thresholds {
	t := &thresholds{names: map[string]string{}, kinds: map[string]int{}, letter: "T"}
	if slices.ContainsFunc(a.Locations, func(l ta.Name) bool { return strings.Contains(l.Name, "_T1") }) {
		t.letter = "G" // T1 is T + 1 there
	}
	for _, th := range a.GuardThresholds() {
		if says != nil {
			if text, known := says(th); known {
				t.names[th.Key()] = text
				continue
			}
		}
		if short {
			t.texts = append(t.texts, a.FormatThreshold(th))
			t.names[th.Key()] = fmt.Sprintf("%s%d", t.letter, len(t.texts))
		}
	}
	return t
}

// name writes an atom of a guard with names of thresholds.
func (t *thresholds) name(a *ta.Automaton, at ta.Atom) string {
	var or []string
	for _, all := range at.Cases() {
		var and []string
		for _, l := range all {
			name, known := t.names[l.Threshold.Key()]
			switch {
			case !known: // it is not short, or compares parameters
				name = a.FormatLiteral(l)
			case l.Negated:
				name = "not " + name
			}
			and = append(and, name)
		}
		or = append(or, strings.Join(and, " and "))
	}
	return strings.Join(or, " or ")
}

func (t *thresholds) legend() string {
	var b strings.Builder
	for i, text := range t.texts {
		fmt.Fprintf(&b, `%s%d:  %s\l`, t.letter, i+1, text)
	}
	for i, text := range t.what {
		fmt.Fprintf(&b, `%d:  %s\l`, i+1, strings.ReplaceAll(wrap(text, legendWidth), "\n", `\l      `))
	}
	return b.String()
}

// does says when a rule can be taken, behind some text, or other text for always, and what it changes.
func (t *thresholds) does(a *ta.Automaton, r *ta.Rule, when, always string) string {
	text := always
	if !r.Guard.IsTrue() {
		text = when + t.cond(a, r.Guard, false)
	}
	if r.Changes() {
		text += " / " + a.FormatUpdate(r)
	}
	return text
}

// label describes rules: number, guard, update. It is empty if nothing can be said but that one may wait.
func (t *thresholds) label(a *ta.Automaton, rules []*ta.Rule) string {
	var lines []string
	for _, r := range rules {
		if r.Idle() && r.Guard.IsTrue() {
			continue
		}
		lines = append(lines, a.RuleName(r)+t.does(a, r, ": ", ""))
	}
	return strings.Join(lines, "\n")
}

// longest is how wide the widest line of a label is.
func (t *thresholds) longest(a *ta.Automaton, list []*pair) (most int) {
	for _, p := range list {
		for line := range strings.Lines(t.label(a, p.rules)) {
			most = max(most, len(line))
		}
	}
	return most
}

// number describes rules by the numbers of what they do, which the legend explains.
func (t *thresholds) number(a *ta.Automaton, rules []*ta.Rule) string {
	var list []int
	for _, r := range rules {
		if r.Idle() && r.Guard.IsTrue() {
			continue
		}
		what := t.does(a, r, "", "always")
		n, known := t.kinds[what]
		if !known {
			t.what = append(t.what, what)
			n = len(t.what)
			t.kinds[what] = n
		}
		list = lists.Union(list, n)
	}
	slices.Sort(list)
	return strings.Join(strings.Fields(strings.Trim(fmt.Sprint(list), "[]")), ", ")
}

// apart tells locations apart that have the same values, and so names that differ by numbers only (sent, sent_2): by
// what had to be true of processes that come there.
func (t *thresholds) apart(a *ta.Automaton) map[int]string {
	out := map[int]string{}
	for l, name := range a.Locations {
		base := strings.TrimRight(name.Name, "0123456789")
		first := slices.IndexFunc(a.Locations, func(n ta.Name) bool { return n.Name+"_" == base })
		if first < 0 {
			continue
		}
		for _, l := range []int{first, l} {
			var guards []string
			for i := range a.Rules {
				if r := &a.Rules[i]; r.To == l && r.From != l {
					guards = append(guards, t.cond(a, r.Guard, false))
				}
			}
			guards = slices.Compact(slices.Sorted(slices.Values(guards)))
			if len(guards) == 1 && guards[0] != "" {
				out[l] = wrap("after "+guards[0], 40)
			}
		}
	}
	return out
}

func (t *thresholds) cond(a *ta.Automaton, c *ta.Cond, nested bool) string {
	if c.Op == boolean.OpAtom {
		return t.name(a, c.Atom)
	}
	sep := " and "
	if c.Op == boolean.OpOr {
		sep = " or "
	}
	var parts []string
	for _, arg := range c.Args {
		// of thresholds that the text does not tell apart
		if part := t.cond(a, arg, true); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	switch len(parts) {
	case 0: // true is not written
		return "never"
	case 1:
		return parts[0]
	}
	text := strings.Join(parts, sep)
	if nested {
		return "(" + text + ")"
	}
	return text
}
