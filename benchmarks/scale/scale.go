// Package scale writes models of any size, with known verdicts, to see how verification scales. Each family has a knob.
package scale

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
)

// Family is a sequence of models that grow with a knob.
type Family struct {
	Name  string
	Knob  string // what the size is
	Sizes []int  // to be tried
	write func(w *writer, size int, violated bool)
}

// Families are all families.
var Families = []Family{
	{"chain", "thresholds, each after the one before", []int{2, 5, 10, 20, 40}, chain},
	{"antichain", "thresholds, in any order", []int{2, 5, 10, 20, 40}, antichain},
	{"rules", "rules", []int{10, 100, 1000, 3000, 10000}, rules},
	{"locations", "locations", []int{10, 30, 100, 300, 1000}, locations},
	{"rounds", "rounds of a broadcast", []int{1, 2, 5, 10, 20}, rounds},
	{"cuts", "cut points", []int{1, 2, 4, 6, 8}, cuts},
	{"abstraction", "intervals of each of two receive counters", []int{2, 3, 5, 7, 8}, unforged},
	{"abstraction_live", "intervals of each of two receive counters", []int{2, 3, 5, 7, 8}, decided},
}

// Named returns the family with the given name.
func Named(name string) (Family, bool) {
	for _, f := range Families {
		if f.Name == name {
			return f, true
		}
	}
	return Family{}, false
}

// Model returns the text of a model of the given size. Its specification s holds, or is violated, as asked for.
func (f Family) Model(size int, violated bool) string {
	w := &writer{name: f.Name}
	f.write(w, size, violated)
	return w.text()
}

// writer collects the parts of a model.
type writer struct {
	name        string
	shared      []string
	parameters  string
	assumptions []string
	locations   []string
	inits       []string
	rules       []string
	spec        string
}

func (w *writer) location(format string, args ...any) string {
	name := fmt.Sprintf(format, args...)
	w.locations = append(w.locations, name)
	return name
}

func (w *writer) variable(format string, args ...any) string {
	name := fmt.Sprintf(format, args...)
	w.shared = append(w.shared, name)
	return name
}

// rule adds a rule; guard "" is true, and add "" increments nothing.
func (w *writer) rule(from, to, guard, add string) {
	if guard == "" {
		guard = "true"
	}
	if add != "" {
		add = fmt.Sprintf(" %s' == %s + 1;", add, add)
	}
	w.rules = append(w.rules, fmt.Sprintf("%d: %s -> %s when (%s) do {%s };", len(w.rules)+1, from, to, guard, add))
}

// start puts all processes into a location, and nothing anywhere else.
func (w *writer) start(at, number string) {
	for _, l := range w.locations {
		if l == at {
			w.inits = append(w.inits, fmt.Sprintf("%s == %s;", l, number))
		} else {
			w.inits = append(w.inits, l+" == 0;")
		}
	}
	for _, x := range w.shared {
		w.inits = append(w.inits, x+" == 0;")
	}
}

func (w *writer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ta Scale_%s {\n  shared %s;\n  parameters %s;\n", w.name, strings.Join(w.shared, ", "),
		w.parameters)
	section := func(name string, lines []string) {
		fmt.Fprintf(&b, "  %s (%d) {\n    %s\n  }\n", name, len(lines), strings.Join(lines, "\n    "))
	}
	section("assumptions", w.assumptions)
	names := lists.Map(w.locations, func(l string) string { return l + ";" })
	section("locations", names)
	section("inits", w.inits)
	section("rules", w.rules)
	section("specifications", []string{"s: " + w.spec + ";"})
	b.WriteString("}\n")
	return b.String()
}

// walk is what chain and antichain share: processes send, and others walk past
// thresholds one by one. There are just enough processes, or one too few.
func walk(w *writer, size int, violated bool, threshold func(i int) string) {
	w.parameters = "n, t"
	w.assumptions = []string{"t >= 1;", fmt.Sprintf("n <= %d * t + %d;", size, size)}
	if violated {
		w.assumptions[1] = fmt.Sprintf("n == %d * t + %d;", size, size+1)
	}
	start, sent := w.location("start"), w.location("sent")
	for _, x := range w.shared {
		w.rule(start, sent, "", x)
	}
	at := start
	for i := range size {
		next := w.location("past%d", i+1)
		w.rule(at, next, threshold(i), "")
		at = next
	}
	w.rule(sent, sent, "", "")
	w.rule(at, at, "", "")
	w.start(start, "n")
	w.spec = fmt.Sprintf("[](%s == 0)", at)
}

// chain has thresholds x >= i * (t + 1).
func chain(w *writer, size int, violated bool) {
	x := w.variable("x")
	walk(w, size, violated, func(i int) string { return fmt.Sprintf("%s >= %d * t + %d", x, i+1, i+1) })
}

// antichain has thresholds x_i >= t + 1 on as many variables.
func antichain(w *writer, size int, violated bool) {
	for i := range size {
		w.variable("x%d", i+1)
	}
	walk(w, size, violated, func(i int) string { return fmt.Sprintf("x%d >= t + 1", i+1) })
}

// grid is what rules and locations share: layers of ten locations, with rules from each to the next, under eight
// thresholds. The last layer can be left to a location if t + 1 processes have sent, or if more have than there are.
func grid(w *writer, layers, perLayer int, violated bool) {
	const width, thresholds = 10, 8
	w.parameters = "n, t"
	w.assumptions = []string{"n > 3 * t;", "t >= 1;"}
	x, y := w.variable("x"), w.variable("y")
	guards := []string{""}
	for i := 1; i <= thresholds/2; i++ {
		guards = append(guards, fmt.Sprintf("%s >= %d * t + 1", x, i), fmt.Sprintf("%s >= n - %d * t", y, i))
	}
	start, end := w.location("start"), w.location("end")
	layer := func(i, k int) string {
		if i < 0 {
			return start
		}
		return fmt.Sprintf("l%d_%d", i, k%width)
	}
	for i := range layers {
		for k := range width {
			w.location("l%d_%d", i, k)
		}
	}
	// As many rules a layer as are wanted, spread over sources, targets, guards.
	for i := range layers {
		for k := range perLayer {
			send := []string{"", x, y}[k%3]
			if i > 0 {
				send = ""
			}
			w.rule(layer(i-1, k), layer(i, k/width+k*7), guards[(k/3)%len(guards)], send)
		}
	}
	// Everybody sends at most once: x + y stays at n or below.
	out := fmt.Sprintf("%s + %s >= n + 1", x, y)
	if violated {
		out = fmt.Sprintf("%s + %s >= t + 1", x, y)
	}
	w.rule(layer(layers-1, 0), end, out, "")
	w.rule(end, end, "", "")
	w.start(start, "n")
	w.spec = "[](end == 0)"
}

func rules(w *writer, size int, violated bool) {
	layers := max(1, min(100, size/50))
	grid(w, layers, max(1, size/layers), violated)
}

func locations(w *writer, size int, violated bool) {
	layers := max(1, size/10)
	grid(w, layers, 20, violated)
}

// rounds is a broadcast in rounds: in each, a process sends, waits for n - t messages of that round, and goes on;
// faulty ones may send, too. Everybody gets to the end; not if faults may be as many as not to let n - t arrive.
func rounds(w *writer, size int, violated bool) {
	w.parameters = "n, t, f"
	w.assumptions = []string{"n > 3 * t;", "t >= 1;", "f >= 0;", "f <= t;"}
	if violated {
		w.assumptions[3] = "f <= t + 1;"
	}
	var fair, unfinished []string
	at := w.location("start")
	for i := range size {
		x := w.variable("x%d", i+1)
		sent, next := w.location("sent%d", i+1), w.location("done%d", i+1)
		w.rule(at, sent, "", x)
		w.rule(sent, next, x+" >= n - t - f", "")
		w.rule(sent, sent, "", "")
		fair = append(fair, at+" == 0", fmt.Sprintf("(%s < n - t || %s == 0)", x, sent))
		unfinished = append(unfinished, at+" == 0", sent+" == 0")
		at = next
	}
	w.rule(at, at, "", "")
	w.start("start", "n - f")
	w.spec = fmt.Sprintf("<>[](%s) -> <>(%s)", strings.Join(fair, " && "), strings.Join(unfinished, " && "))
}

// cuts asks for several things that happen, in any order: each of them is
// possible, and all together if there are enough processes.
func cuts(w *writer, size int, violated bool) {
	w.parameters = "n, t"
	w.assumptions = []string{"t >= 1;", fmt.Sprintf("n == %d;", size-1)}
	if violated {
		w.assumptions[1] = fmt.Sprintf("n >= %d;", size)
	}
	x := w.variable("x")
	start := w.location("start")
	var happens []string
	for i := range size {
		l, gone := w.location("at%d", i+1), w.location("left%d", i+1)
		w.rule(start, l, "", x)
		w.rule(l, gone, x+" >= t", "")
		w.rule(gone, gone, "", "")
		happens = append(happens, fmt.Sprintf("<>(%s >= 1)", l))
	}
	w.start(start, "n")
	w.spec = "!(" + strings.Join(happens, " && ") + ")"
}

// abstraction is what data abstraction makes of processes with two receive counters: a location for each place in the
// program and each interval of both, and a rule for everything that may be received in a step. With 8 intervals that is
// 194 locations and 6,608 rules between them, under 14 thresholds.
//
// A process starts with 0 or 1 and says so; having received values often enough it decides for one of them. Faulty
// processes say anything. It returns the names of the locations, by place.
func abstraction(w *writer, size int, resilience, faults string) map[string][]string {
	w.parameters = "n, t, f"
	w.assumptions = []string{resilience, "t >= 1;", "f >= 0;", faults}
	x, y := w.variable("x"), w.variable("y")
	start := []string{w.location("v0"), w.location("v1")}
	at := map[string][]string{}
	place := func(pc string, i, j int) string { return fmt.Sprintf("%s_%d_%d", pc, i, j) }
	for _, pc := range []string{"sent", "dec0", "dec1"} {
		for i := range size {
			for j := range size {
				at[pc] = append(at[pc], w.location("%s_%d_%d", pc, i, j))
			}
		}
	}
	// received says that interval i of a counter, from (i - 1) * t + 1 on, is
	// possible; coming from the same one, nothing is asked.
	received := func(v string, from, i int) string {
		if i == 0 || i == from {
			return ""
		}
		return fmt.Sprintf("%s >= %d * t + 1 - f", v, i-1)
	}
	join := func(parts ...string) string {
		list := lists.Keep(parts, func(p string) bool { return p != "" })
		return strings.Join(list, " && ")
	}
	for i := range size {
		for j := range size {
			for k, v := range start {
				w.rule(v, place("sent", i, j), join(received(x, 0, i), received(y, 0, j)), []string{x, y}[k])
			}
			for i2 := i; i2 < size; i2++ {
				for j2 := j; j2 < size; j2++ {
					guard := join(received(x, i, i2), received(y, j, j2))
					for _, pc := range [][2]string{{"sent", "sent"}, {"dec0", "dec0"}, {"dec1", "dec1"}} {
						w.rule(place(pc[0], i, j), place(pc[1], i2, j2), guard, "")
					}
					if i2 >= 2 || i2 == size-1 {
						w.rule(place("sent", i, j), place("dec0", i2, j2), guard, "")
					}
					if j2 >= 2 || j2 == size-1 {
						w.rule(place("sent", i, j), place("dec1", i2, j2), guard, "")
					}
				}
			}
		}
	}
	for _, l := range w.locations {
		if l != "v0" && l != "v1" {
			w.inits = append(w.inits, l+" == 0;")
		}
	}
	w.inits = append(w.inits, "v0 + v1 == n - f;", x+" == 0;", y+" == 0;")
	return at
}

// none says that all of some locations are empty.
func none(locations []string) string { return strings.Join(locations, " == 0 && ") + " == 0" }

// unforged: if no process starts with 1, no process decides 1; not so if there may be more faults than are planned for.
func unforged(w *writer, size int, violated bool) {
	faults := "f <= t;"
	if violated {
		faults = "f <= t + 1;"
	}
	at := abstraction(w, size, fmt.Sprintf("n > %d * t;", size+1), faults)
	if size == 2 { // one message is enough to decide: there must be no fault
		w.assumptions[3] = map[bool]string{false: "f == 0;", true: "f <= 1;"}[violated]
	}
	w.spec = fmt.Sprintf("v1 == 0 -> [](%s)", none(at["dec1"]))
}

// decided: everybody decides, if what is sent is received; not if only
// those who have received n - t messages of a kind need to.
func decided(w *writer, size int, violated bool) {
	at := abstraction(w, size, fmt.Sprintf("n > %d * t + 2;", 2*size), "f <= t;")
	x, y := w.shared[0], w.shared[1]
	fair := []string{"v0 == 0 && v1 == 0"}
	for i := 1; i < size; i++ {
		var low0, low1 []string // who has received less
		for k, l := range at["sent"] {
			if k/size < i {
				low0 = append(low0, l)
			}
			if k%size < i {
				low1 = append(low1, l)
			}
		}
		fair = append(fair, fmt.Sprintf("(%s < %d * t + 1 || (%s))", x, i-1, none(low0)),
			fmt.Sprintf("(%s < %d * t + 1 || (%s))", y, i-1, none(low1)))
	}
	var enough []string // who has received enough does not stay
	for k, l := range at["sent"] {
		if k/size == size-1 || k%size == size-1 {
			enough = append(enough, l)
		}
	}
	if violated {
		enough = enough[:1]
	}
	fair = append(fair, none(enough))
	w.spec = fmt.Sprintf("<>[](%s) -> <>(v0 == 0 && v1 == 0 && %s)", strings.Join(fair, " && "), none(at["sent"]))
}
