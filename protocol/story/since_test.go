package story_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
	reference "github.com/tacheck/tacheck/testkit/reference/protocol"
	"github.com/tacheck/tacheck/testkit/reference/sizes"
)

// branching is the text of a protocol whose rules have ifs of all shapes, one inside of the other, and loops, names of values and definitions.
func branching(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	depth := 0
	var block func(q string) string
	cond := func(q string) string {
		return pick("node[i].b", "not node[i].b", "node[i].x = 0", "node[i].x > 1", "small(i)", "not small("+q+")", "node["+q+"].b or z = 1", "alone("+q+") and z < 2", "v = 0", "z != v", q+" != i",
			"some", "node["+q+"].x >= node[i].x", "(z < node["+q+"].x <-> node[i].b)", "i in node["+q+"].s", "size(node[i].s) < 2", "(count (k: N) (node[k].x > z)) >= 1", "(max (k: N) node[k].x) = z")
	}
	block = func(q string) string {
		if depth++; depth > 12 {
			return "skip;"
		}
		switch r.IntN(9) {
		case 0:
			return "node[i].x := " + pick("0", "1", "2") + ";"
		case 1:
			return "node[" + q + "].b := " + pick("true", "false", "not node["+q+"].b") + ";"
		case 2:
			return "z := " + pick("0", "1", "node[i].x") + ";"
		case 3:
			return "node[i].s += " + q + ";"
		case 4:
			return "if " + cond(q) + " then " + block(q) + " endif"
		case 5:
			return "if " + cond(q) + " then " + block(q) + " elsif " + cond(q) + " then " + block(q) + " else " + block(q) + " endif"
		case 6:
			if q == "i" {
				return "for q: N do " + block("q") + " " + block("q") + " endfor"
			}
		case 7:
			return "if " + cond(q) + " then " + block(q) + " else " + block(q) + " endif"
		}
		return block(q) + " " + block(q)
	}
	text := fmt.Sprintf(`protocol branching;
channels asynchronous reliable authenticated %s bounded 2;
type N: role[2];
message A(v: 0..2), B;
var node: array[N] of record x: 0..2 = 0; b: bool = false; s: set of N = {}; end;
z: 0..2 = 0;
define small(k: N) = node[k].x < 2;
define some = exists (k: N) not node[k].b;
define alone(j: N) = forall (k: N) (k = j or not node[k].b or not small(k));
rules
`, pick("fifo", "unordered"))
	for i, head := range []string{"[](i: N) r0:", "[](v: 0..2) [](i: N) r1:", "[](i: N) r2: receive A(v) from j", "[](i: N) r3: receive B from j"} {
		if i > 0 {
			text += "  []\n"
		}
		depth = 0
		body, name := "", ""
		if !strings.Contains(head, "(v") {
			name = "let v = node[i].x; "
		}
		switch r.IntN(4) {
		case 0:
			body = "if " + cond("i") + " then " + block("i") + " endif"
		case 1:
			body = "if " + cond("i") + " and " + cond("i") + " then " + block("i") + " " + block("i") + " endif"
		case 2:
			body = "if " + cond("i") + " then " + block("i") + " else " + block("i") + " endif"
		default:
			body = block("i") + " " + block("i")
		}
		text += "  " + head + " " + name + body + pick("", " send A(z) to others;", " send B to all;") + "\n"
	}
	return text
}

// kinds are random texts.
var kinds = []struct {
	name string
	text func(*rand.Rand) string
}{
	{"branches", branching}, {"protocols", random.Protocol}, {"channels", random.Channels}, {"collections", random.Collections}, {"kinds", random.Kinds},
	{"sizes", random.Source}, {"all of the language", func(r *rand.Rand) string { return reference.Generate(r.Uint64()).Text }},
	{"all of sizes", func(r *rand.Rand) string { return sizes.Generate(r.Uint64()) }},
}

// TestLoopsAreExplained explains why random runs that go on for ever violate formulas.
func TestLoopsAreExplained(t *testing.T) {
	explained := 0
	for i := range need.Cases(t, 400) {
		r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)+i), 53))
		text := kinds[i%len(kinds)].text(r)
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			continue
		}
		loop := walk(m, r)
		seen := map[string]int{}
		for k, s := range loop.States {
			if first, again := seen[s.Key()]; again && loop.Loop < 0 {
				loop.Events, loop.States, loop.Loop = loop.Events[:k+1], loop.States[:k+1], first+1
			}
			seen[s.Key()] = k
		}
		x := &interp.Interpreter{Model: m}
		for k := range m.Props {
			p := &m.Props[k]
			if loop.Loop < 0 || p.Invariant != nil {
				continue
			}
			if bad, err := loop.Violates(x, p); err != nil || !bad {
				continue
			}
			loop.Property = p.Name
			if why, err := story.Explain(loop); err != nil || len(why) == 0 {
				t.Errorf("seed %d, %s: %v (%v)\n%s", i, p.Name, why, err, text)
			}
			explained++
		}
	}
	if explained < 10 {
		t.Errorf("%d runs are explained", explained)
	}
}

// TestSinceIsTrue reads what stories say that the guards and conditions of steps saw, and evaluates it in the state before the step.
func TestSinceIsTrue(t *testing.T) {
	cases, seed := need.Cases(t, 240), need.Seed(t, 1)
	told := map[string]int{}
	for i := range cases {
		r := rand.New(rand.NewPCG(uint64(seed+i), 47))
		kind := kinds[i%len(kinds)]
		text := kind.text(r)
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			if kind.name == "branches" {
				t.Fatalf("%v\n%s", err, text)
			}
			continue // sizes without processes, for example
		}
		run := walk(m, r)
		for k := 1; k < len(run.Events); k++ {
			n, err := sinceIsTrue(run, k)
			if err != nil {
				t.Errorf("%s, seed %d: step %s: %v\n%s", kind.name, seed+i, interp.Describe(m, run.Events[k]), err, text)
			}
			told[kind.name] += n
		}
	}
	for _, kind := range kinds {
		t.Logf("%s: %d", kind.name, told[kind.name])
		if told[kind.name] < cases/40 {
			t.Errorf("%s: stories say %d things only", kind.name, told[kind.name])
		}
	}
}

// walk is a run at random.
func walk(m *protocol.Model, r *rand.Rand) *interp.Run {
	x := &interp.Interpreter{Model: m}
	run := &interp.Run{Model: m, Loop: -1}
	for list, err := x.Initial(); len(run.Events) < 15 && err == nil && len(list) > 0; {
		at := list[r.IntN(len(list))]
		run.Events, run.States = append(run.Events, at.Event), append(run.States, at.State)
		list, err = x.Successors(at.State)
	}
	return run
}

var (
	counted    = regexp.MustCompile(` \((from )?[\w ,]+\)$`)
	forSeveral = regexp.MustCompile(`^(.*) for (\w+) = ([\w ,]+)$`)
	unfinished = regexp.MustCompile(` for \w+ = [\w ,]+$`) // but for the last value
	nothing    = regexp.MustCompile(`^(.*) = undefined$`)
)

// sinceIsTrue evaluates what is said of a step, and counts the parts of it.
func sinceIsTrue(run *interp.Run, k int) (n int, err error) {
	e := run.Events[k]
	if e.Fate != interp.Processed || run.Model.Origin(e.Rule).Act != protocol.ActOwn {
		return 0, nil
	}
	x := &interp.Interpreter{Model: run.Model}
	for _, general := range []bool{false, true} {
		said, err := story.Since(run, k, general)
		if err != nil {
			return n, err
		}
		name, values := "", []string{""}
		parts := separate(said)
		for i := len(parts) - 1; i >= 0; i-- {
			text := parts[i]
			if found := forSeveral.FindStringSubmatch(text); found != nil {
				text, name, values = found[1], found[2], strings.Split(strings.ReplaceAll(found[3], " and ", ", "), ", ")
			}
			if strings.Contains(text, " = ") {
				text = counted.ReplaceAllString(text, "")
			}
			text = nothing.ReplaceAllString(text, "isundefined($1)")
			text = sequence.ReplaceAllString(text, "= seq($1)")
			before := func(text string) (bool, error) { return story.TrueBefore(x, run.States[k-1], e, text) }
			holds, wrong := before(text)
			if wrong != nil && name != "" { // of that variable
				holds, wrong = true, nil
				for _, v := range values {
					is, err := before(regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(text, v))
					holds, wrong = holds && is, errors.Join(wrong, err)
				}
			}
			if wrong != nil || !holds {
				err = errors.Join(err, wrong, fmt.Errorf("%q is false, or cannot be read, of %q", text, said))
			}
			n++
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// sequence is one, as values are told.
var sequence = regexp.MustCompile(`= <([^<>]*)>`)

// separate takes a list apart at its commas that stand outside of parentheses and of lists of values.
func separate(said string) (list []string) {
	depth, from := 0, 0
	for i, c := range said {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 && !(unfinished.MatchString(said[from:i]) && !strings.Contains(said[strings.LastIndex(said[:i], " = "):i], " and ")) {
				list, from = append(list, strings.TrimSpace(said[from:i])), i+1
			}
		}
	}
	if said = strings.TrimSpace(said[from:]); said != "" {
		list = append(list, said)
	}
	return list
}
