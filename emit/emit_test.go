package emit_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/selftest/generate"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
)

// subject is an instance, what is reachable in it, and which specifications are violated.
type subject struct {
	a        *ta.Automaton
	params   []*big.Int
	configs  int
	violated map[string]bool
}

// subjects lists instances of embedded automata, of the models that reset, and random ones.
func subjects(t *testing.T, want int, bounded bool) []subject {
	t.Helper()
	var list []subject
	add := func(name, text string) {
		a, err := ta.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == want {
			return
		}
		if s := instance(a); s != nil {
			if _, err := emit.Write(context.Background(), a, "murphi", s.params); err == nil || !bounded {
				list = append(list, *s)
			}
		}
	}
	files, err := filepath.Glob("../verify/testdata/resets/*.ta")
	if err != nil {
		t.Fatal(err)
	}
	names := benchmarks.Names()
	for i := range max(len(names), len(files), want) {
		if i < len(names) && strings.HasSuffix(names[i], ".ta") {
			text, _ := benchmarks.Read(names[i])
			add(names[i], text)
		}
		if i < len(files) {
			text, err := os.ReadFile(files[i])
			if err != nil {
				t.Fatal(err)
			}
			add(files[i], string(text))
		}
		add("random.ta", generate.Model(rand.New(rand.NewSource(int64(i)))))
	}
	return list
}

// instance returns a small instance that has runs.
func instance(a *ta.Automaton) *subject {
	params := ta.Ints(make([]int64, len(a.Parameters))...)
	var best *subject
	var choose func(i int)
	choose = func(i int) {
		if i < len(params) {
			for v := int64(0); v <= 4; v++ {
				params[i] = big.NewInt(v)
				choose(i + 1)
			}
			return
		}
		if !automata.Admissible(a, params) || len(a.Parameters) > 4 {
			return
		}
		n := configs(a, params)
		if n > 0 && n <= 2000 && (best == nil || n > best.configs) {
			best = &subject{a: a, params: append([]*big.Int(nil), params...), configs: n, violated: map[string]bool{}}
		}
	}
	choose(0)
	if best == nil {
		return nil
	}
	for i := range a.Specs {
		e, err := automata.Decide(context.Background(), a, &a.Specs[i], best.params, 100_000)
		if err != nil {
			return nil
		}
		best.violated[a.Specs[i].Name] = e.Witness != nil
	}
	return best
}

// configs counts what can be reached, step by step; -1 if it is much.
func configs(a *ta.Automaton, params []*big.Int) int {
	start, err := automata.Initial(a, params)
	if err != nil {
		return -1
	}
	one := big.NewInt(1)
	seen := map[string]bool{}
	for len(start) > 0 {
		c := start[0]
		start = start[1:]
		if key := fmt.Sprint(c.Counters, c.Shared); seen[key] {
			continue
		} else if seen[key] = true; len(seen) > 2000 {
			return -1
		}
		for i := range a.Rules {
			if r := &a.Rules[i]; a.Enabled(c, r, one) == nil {
				start = append(start, c.After(r, one))
			}
		}
	}
	return len(seen)
}

func (s *subject) String() string { return fmt.Sprintf("%s with %v", s.a.File, s.params) }

// anyViolated reports whether an invariant is violated.
func (s *subject) anyViolated() bool {
	for i := range s.a.Specs {
		f, err := ltl.Parse(s.a, &s.a.Specs[i])
		g, isAlways := f.(*ltl.Globally)
		if isAlways {
			_, isAlways = g.Arg.(ltl.Prop)
		}
		if err == nil && s.violated[s.a.Specs[i].Name] && isAlways {
			return true
		}
	}
	return false
}

// named is the automaton under the name that files have.
func (s *subject) named() *ta.Automaton {
	a := *s.a
	a.Name = "model"
	return &a
}

// files writes the instance for a tool.
func (s *subject) files(t *testing.T, target string) emit.Files {
	t.Helper()
	files, err := emit.Write(context.Background(), s.named(), target, s.params)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return files
}

// put puts files called model into a folder of their own.
func put(t *testing.T, files emit.Files) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for ending, text := range files {
		if err := os.WriteFile(filepath.Join(dir, "model"+ending), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(dir, name string, args ...string) string {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute) // tools that search without an end say nothing
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput() // tools say in words what they find
	return string(out)
}

func number(t *testing.T, out, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(out)
	if m == nil {
		t.Errorf("no number of states:\n%s", out)
		return ""
	}
	return m[1]
}

// TestSpin: Spin stores as many states as can be reached, and the one before the first values.
func TestSpin(t *testing.T) {
	need.Peers(t, "spin", "gcc")
	for _, s := range subjects(t, need.Cases(t, 4), true) {
		if wrong := s.spin(t, s.files(t, "promela")); wrong != "" {
			t.Errorf("%s: %s", &s, wrong)
		}
	}
}

// spin says what Spin finds otherwise; "" for nothing.
func (s *subject) spin(t *testing.T, files emit.Files) string {
	t.Helper()
	dir := put(t, files)
	out := run(dir, "spin", "-a", "model.pml") + run(dir, "gcc", "-w", "-DNOCLAIM", "-DSAFETY", "-o", "pan", "pan.c") +
		run(dir, "./pan", "-E", "-m100000")
	if got := number(t, out, `(\d+) states, stored`); got != fmt.Sprint(s.configs+1) {
		return fmt.Sprintf("Spin stores %s states, and %d can be reached", got, s.configs)
	}
	claims := regexp.MustCompile(`(?m)^ltl (\w+) `).FindAllStringSubmatch(files[".pml"], -1)
	if claims == nil {
		return ""
	}
	out = run(dir, "gcc", "-w", "-o", "check", "pan.c")
	for _, c := range claims {
		said := out + run(dir, "./check", "-a", "-E", "-m100000", "-N", c[1])
		bad := !strings.Contains(said, "errors: 0")
		if bad != s.violated[ours(t, s.violated, c[1])] || bad && !strings.Contains(said, "errors: 1") {
			return fmt.Sprintf("Spin says otherwise than that %s is violated: %v\n%s", c[1], !bad, said)
		}
	}
	return ""
}

// another is what makes a name another one.
var another = regexp.MustCompile(`_[0-9]+$`)

// ours returns the name that we have for what has another one in a text that is written, where that is not taken.
func ours[T any](t *testing.T, all map[string]T, written string) string {
	t.Helper()
	for _, name := range []string{written, strings.TrimPrefix(written, "x")} {
		for _, name := range []string{name, another.ReplaceAllString(name, "")} {
			if _, is := all[name]; is {
				return name
			}
		}
	}
	t.Fatalf("nothing is called %s", written)
	return ""
}

// TestSpinReads: Spin leaves nothing out of states, also what no rule reads.
func TestSpinReads(t *testing.T) {
	need.Peers(t, "spin", "gcc")
	a, err := ta.Parse("alone.ta", `ta Alone { shared x, y; parameters n; assumptions { n >= 1; } locations { a; b; c; d; }
	  inits { a + b == n; c == 0; d == 0; x == 0; y >= 0; y <= 2; }
	  rules { 1: c -> d do { x' == x + 1; }; } specifications { s: [](c == 0); } }`)
	if err != nil {
		t.Fatal(err)
	}
	s := instance(a)
	if wrong := s.spin(t, s.files(t, "promela")); wrong != "" || s.configs < 9 {
		t.Error(s.configs, wrong)
	}
}

// TestRumur: rumur counts the states that can be reached, or finds that an invariant is violated.
func TestRumur(t *testing.T) {
	need.Peers(t, "rumur", "gcc")
	for _, s := range subjects(t, need.Cases(t, 4), true) {
		if wrong := s.rumur(t, s.files(t, "murphi")); wrong != "" {
			t.Errorf("%s: %s", &s, wrong)
		}
	}
}

// rumur says what rumur finds otherwise; "" for nothing.
func (s *subject) rumur(t *testing.T, files emit.Files) string {
	t.Helper()
	dir := put(t, files)
	out := run(dir, "rumur", "--deadlock-detection=off", "model.m", "-o", "model.c") +
		run(dir, "gcc", "-w", "-mcx16", "-o", "model", "model.c", "-lpthread") + run(dir, "./model")
	if s.anyViolated() {
		if !strings.Contains(out, "invariant") || !strings.Contains(out, "failed") {
			return "rumur does not find a violation:\n" + out
		}
	} else if got := number(t, out, `(\d+) states,`); got != fmt.Sprint(s.configs) {
		return fmt.Sprintf("rumur counts %s states, and %d can be reached", got, s.configs)
	}
	return ""
}

// TestTLC: TLC finds as many distinct states, and the same verdicts.
func TestTLC(t *testing.T) {
	jar := need.TLC(t)
	for _, s := range subjects(t, need.Cases(t, 1), true) {
		files := s.files(t, "tla")
		for _, w := range s.tlc(t, jar, files) {
			t.Errorf("%s: %s\n%s", &s, w, files[".tla"])
		}
		t.Log(&s, s.configs, "configurations, violated:", s.violated)
	}
}

func (s *subject) tlc(t *testing.T, jar string, files emit.Files) (wrong []string) {
	t.Helper()
	return tlc(t, jar, files, int64(s.configs), func(property string) bool { return s.violated[strings.TrimPrefix(property, "Spec_")] })
}

// TestMistakesInAutomata: what is wrong in the text of an automaton shows in what the other tool says of it.
func TestMistakesInAutomata(t *testing.T) {
	text, _ := benchmarks.Read("rb.ta")
	a, err := ta.Parse("rb.ta", text)
	if err != nil {
		t.Fatal(err)
	}
	going, err := ta.Parse("going.ta", `ta Going { shared x; parameters n; assumptions { n >= 1; } locations { a; b; }
	  inits { a == n; b == 0; x == 0; } rules { 1: a -> b do { x' == x + 1; }; 2: b -> b; } specifications { visit: <>(b != 0); } }`)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ target, ending, mistake, right, text string }{
		{"murphi", ".m", "two have to be there", "sent >= 1", "sent >= 2"},
		{"murphi", ".m", "nothing is sent", "echo := echo + 1", "echo := echo"},
		{"promela", ".pml", "two have to be there", "sent >= 1", "sent >= 2"},
		{"promela", ".pml", "nothing is sent", "echo = echo + 1", "echo = echo"},
		{"tla", ".tla", "two have to be there", "sent >= 1", "sent >= 2"},
		{"tla", ".tla", "nothing has to happen", "Infinite => ", ""},
	} {
		t.Run(c.target+" "+c.mistake, func(t *testing.T) {
			if i%need.Every(t, 3) > 0 {
				need.More(t, "this mistake")
			}
			s := instance(a)
			if strings.HasPrefix(c.right, "Infinite") {
				s = instance(going)
			}
			files := s.files(t, c.target)
			bad := strings.ReplaceAll(files[c.ending], c.right, c.text)
			if bad == files[c.ending] {
				t.Fatalf("%q is not written:\n%s", c.right, bad)
			}
			files[c.ending] = bad
			noticed := false
			switch c.target {
			case "murphi":
				need.Peers(t, "rumur", "gcc")
				noticed = s.rumur(t, files) != ""
			case "promela":
				need.Peers(t, "spin", "gcc")
				noticed = s.spin(t, files) != ""
			default:
				noticed = s.tlc(t, need.TLC(t), files) != nil
			}
			if !noticed {
				t.Errorf("it is not noticed:\n%s", bad)
			}
		})
	}
}
