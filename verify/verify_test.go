package verify

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/figures"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/witness"
)

func parse(t testing.TB, name, text string) *ta.Automaton {
	t.Helper()
	a, err := ta.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// solvers are the default one and, where it is installed, a second one.
func solvers() []string {
	if _, err := exec.LookPath("cvc5"); err != nil || testing.Short() {
		return []string{""}
	}
	return []string{"", "cvc5"}
}

func verify(t testing.TB, a *ta.Automaton, spec string, o Options) *Result {
	t.Helper()
	s := a.SpecNamed(spec)
	if s == nil {
		t.Fatalf("no specification %q", spec)
	}
	r, err := Decide(context.Background(), a, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// explored reports whether exploring an instance finds a violation.
func explored(t *testing.T, a *ta.Automaton, spec string, params []*big.Int) bool {
	t.Helper()
	e, err := automata.Decide(context.Background(), a, a.SpecNamed(spec), params, 0)
	if err != nil {
		t.Fatal(err)
	}
	return e.Witness != nil
}

// methods are all ways to decide, the default first.
func methods() (list []Options) {
	for _, search := range SearchNames {
		for _, encoding := range EncodingNames {
			list = append(list, Options{Search: search, Encoding: encoding})
		}
	}
	return list
}

// TestPaper checks the examples that need the whole pipeline.
func TestPaper(t *testing.T) {
	broken := strings.Replace(figures.Figure2, "t >= f;", "t + 1 >= f;", 1)
	for _, o := range methods() {
		name := o.Search + " " + o.Encoding
		t.Run("example_3.1/"+name, func(t *testing.T) {
			if r := verify(t, parse(t, "figure2.ta", figures.Figure2), "unforgeability", o); r.Verdict != Holds {
				t.Errorf("unforgeability %s", r.Verdict)
			}
			// One fault too many breaks the system, for instance n = 4, t = 1, f = 2.
			a := parse(t, "broken.ta", strings.Replace(broken, "n > 3 * t;", "n > 3 * t; n == 4;", 1))
			r := verify(t, a, "unforgeability", o)
			if r.Verdict != Violated {
				t.Fatalf("with f <= t + 1, unforgeability %s", r.Verdict)
			}
			p := r.Witness.Run.Start.Params
			if p[0].Int64() != 4 || p[2].Int64() != p[1].Int64()+1 {
				t.Errorf("violated with n, t, f = %v", p)
			}
		})
		t.Run("example_3.3/"+name, func(t *testing.T) {
			if r := verify(t, parse(t, "figure2.ta", figures.Figure2), "correctness", o); r.Verdict != Holds {
				t.Errorf("correctness %s", r.Verdict)
			}
		})
		// Example 5.6 says in passing that correctness fails for n = 3t. With the
		// fairness of example 3.3 it does not: n - f >= n - t correct processes
		// send, so fairness makes a process accept. (Relay is what fails for n =
		// 3t: see the broken variants of rb.ta.)
		t.Run("example_5.6_remark/"+name, func(t *testing.T) {
			a := parse(t, "n3t.ta", strings.Replace(figures.Figure2, "n > 3 * t;", "n >= 3 * t; t >= 1;", 1))
			if r := verify(t, a, "correctness", o); r.Verdict != Holds {
				t.Errorf("correctness %s for n >= 3t", r.Verdict)
			}
			if got := instanceRange(t, a, "correctness", 7); got != "" {
				t.Errorf("violated with %s", got)
			}
		})
		t.Run("example_6.5/"+name, func(t *testing.T) { example65(t, o) })
	}
}

// instanceRange explores all instances with parameters up to max.
func instanceRange(t *testing.T, a *ta.Automaton, spec string, max int64) string {
	for n := int64(0); n <= max; n++ {
		for m := int64(0); m <= n; m++ {
			for f := int64(0); f <= n; f++ {
				if explored(t, a, spec, ta.Ints(n, m, f)) {
					return assignment(a, ta.Ints(n, m, f))
				}
			}
		}
	}
	return ""
}

func assignment(a *ta.Automaton, params []*big.Int) (out string) {
	for i, p := range a.Parameters {
		out += p.Name + "=" + params[i].String() + " "
	}
	return out
}

// example65 starts figure 2 with one process each in l0, l1 and l2 and all
// guards true. From there the paper's schedule keeps a process in l2 all the
// time and ends with two processes in l3; searches have to find such a run,
// though l2 is both entered and left.
func example65(t *testing.T, o Options) {
	text := strings.Replace(figures.Figure2, "l0 + l1 == n - f; l2 == 0; l3 == 0; x == 0;",
		"n == 4; t == 1; f == 1; l0 == 1; l1 == 1; l2 == 1; l3 == 0; x == 2;", 1)
	text = strings.Replace(text, "  specifications {",
		"  specifications {\n    stays: !([](l2 != 0) && <>(l0 == 0 && l1 == 0 && l2 == 1 && l3 == 2));", 1)
	a := parse(t, "example65.ta", text)
	r := verify(t, a, "stays", o)
	if r.Verdict != Violated {
		t.Fatalf("stays %s", r.Verdict)
	}
	// The schedule of figure 9, by the semantics, and its shortened form.
	for _, steps := range [][][2]int64{
		{{1, 1}, {6, 1}, {4, 1}, {2, 1}, {4, 1}, {8, 1}},
		{{6, 1}, {2, 1}, {1, 1}, {4, 2}, {8, 1}},
	} {
		run := &ta.Run{Start: r.Witness.Run.Start, Loop: len(steps) - 1}
		for _, s := range steps {
			run.Steps = append(run.Steps, ta.Transition{Rule: int(s[0]) - 1, Factor: big.NewInt(s[1])})
		}
		if _, err := witness.Check(a, a.SpecNamed("stays"), run); err != nil {
			t.Errorf("%v: %v", steps, err)
		}
	}
	// Moving all processes out of l2 first is a schedule with the same ends, but
	// not one that keeps a process there.
	run := &ta.Run{Start: r.Witness.Run.Start, Loop: 4}
	for _, s := range [][2]int64{{4, 1}, {1, 1}, {2, 1}, {4, 1}, {8, 1}} {
		run.Steps = append(run.Steps, ta.Transition{Rule: int(s[0]) - 1, Factor: big.NewInt(s[1])})
	}
	if _, err := witness.Check(a, a.SpecNamed("stays"), run); err == nil || !strings.Contains(err.Error(), "does not violate") {
		t.Errorf("the schedule that empties l2 is judged %v", err)
	}
}

// TestMatters has one small model for each part of the encodings that is easy
// to forget; forgetting it changes the verdict.
func TestMatters(t *testing.T) {
	const head = "ta M { shared x; parameters n; assumptions { n >= 1; } locations { a; b; c; } inits { a == n; b == 0; c == 0; x == 0; } "
	for _, test := range []struct {
		name, rest string
		want       Verdict
	}{
		{
			// Only after the last flip may processes go on to c.
			"the flow after the last event",
			"rules { 1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (x >= n) do { }; 3: c -> c when (true) do { }; } specifications { s: !([](x >= 0) && <>[](a == 0 && b == 0)); }",
			Violated,
		},
		{
			// b has no self-loop: a process has to leave it, so that "for ever in
			// b" is no run, and c is always reached.
			"the loop takes a step",
			"rules { 1: a -> b when (true) do { }; 2: b -> c when (true) do { }; 3: c -> c when (true) do { }; } specifications { s: <>(c != 0); }",
			Holds,
		},
		{
			// The same with a self-loop that no process can take.
			"the loop's step is enabled",
			"rules { 1: a -> b when (true) do { }; 2: b -> c when (true) do { }; 3: c -> c when (true) do { }; 4: b -> b when (x >= 1) do { }; } specifications { s: <>(c != 0); }",
			Holds,
		},
		{
			// A flow around an empty cycle moves no process: it is no loop.
			"the loop's step has a process",
			"rules { 1: a -> a when (x >= 1) do { }; 2: b -> c when (true) do { }; 3: c -> b when (true) do { }; } specifications { s: <>(b != 0); }",
			Holds,
		},
		{
			// A loop that moves: infinitely often in b, infinitely often in c.
			"the loop moves",
			"rules { 1: a -> b when (true) do { }; 2: b -> c when (true) do { }; 3: c -> b when (true) do { }; } specifications { s: !([]<>(b == 0 && a == 0) && []<>(c == 0 && a == 0)); }",
			Violated,
		},
		{
			// With `x < 1` one process fires the rule, but never two.
			"an upper guard locks itself",
			"rules { 1: a -> b when (x < 1) do { x' == x + 1; }; 2: a -> a when (true) do { }; } specifications { s: [](b <= 1); }",
			Holds,
		},
	} {
		a := parse(t, "m.ta", head+test.rest+" }")
		for _, o := range methods() {
			if r := verify(t, a, "s", o); r.Verdict != test.want {
				t.Errorf("%s: %s %s: %s, want %s", test.name, o.Search, o.Encoding, r.Verdict, test.want)
			}
		}
		for n := int64(1); n <= 4; n++ {
			if got := explored(t, a, "s", ta.Ints(n)); got && test.want == Holds {
				t.Errorf("%s: exploration finds a violation with n = %d", test.name, n)
			}
		}
	}
}

// TestScaling has a system with several invariants "some process is in X" at
// once. One process walks through s0, s1, s2 and one through r0, r1, r2; the
// invariants allow them to move in turns only. `x < 1` and `y < 1` see to it
// that there is one of each, however many processes there are.
//
// All thresholds have constant 1 and all rules add 1. One might think that
// every run could then be doubled, conclude that two anchored flows are exact,
// find nothing, and say `holds`. The run with two processes says otherwise:
// whether rules can fire twice in a row has to be asked, too.
func TestScaling(t *testing.T) {
	a := parse(t, "scaling.ta", `ta S { shared x, y; parameters n; assumptions { n >= 1; }
		locations { a; s0; s1; s2; r0; r1; r2; }
		inits { a == n; s0 == 0; s1 == 0; s2 == 0; r0 == 0; r1 == 0; r2 == 0; x == 0; y == 0; }
		rules { 1: a -> s0 when (x < 1) do { x' == x + 1; }; 2: a -> r0 when (y < 1) do { y' == y + 1; };
			3: s0 -> s1 when (true) do { }; 4: s1 -> s2 when (true) do { };
			5: r0 -> r1 when (true) do { }; 6: r1 -> r2 when (true) do { };
			7: s2 -> s2 when (true) do { }; }
		specifications { s: !<>(s0 != 0 && r0 != 0 && <>(s2 != 0 && r2 != 0)
			&& [](s0 + s1 + r1 + r2 != 0) && [](s0 + s1 + s2 + r2 != 0)
			&& [](s1 + s2 + r0 != 0) && [](s2 + r0 + r1 != 0)); } }`)
	if !explored(t, a, "s", ta.Ints(2)) {
		t.Fatal("exploration finds no violation with n = 2")
	}
	for _, o := range methods() {
		r := verify(t, a, "s", o)
		if r.Verdict == Holds {
			t.Errorf("%s %s: holds, but is violated with n = 2", o.Search, o.Encoding)
		}
		if r.Verdict == Unknown && !strings.Contains(r.Reason, "does not scale") {
			t.Errorf("%s %s: %s", o.Search, o.Encoding, r.Reason)
		}
		t.Logf("%s %s: %s %s", o.Search, o.Encoding, r.Verdict, r.Reason)
	}
}

// TestEmbedded verifies the embedded models with every search and encoding.
func TestEmbedded(t *testing.T) {
	text, ok := benchmarks.Read("rb.ta")
	if !ok {
		t.Fatal("rb.ta is not embedded")
	}
	agree(t, parse(t, "rb.ta", text), 0)
}

// agree verifies all specifications in every way; each verdict is the same.
// Searches that go by shapes are left out where there are more than limit (if
// limit is not 0).
func agree(t *testing.T, a *ta.Automaton, limit int64) {
	for i := range a.Specs {
		spec := a.Specs[i].Name
		first := verify(t, a, spec, Options{})
		for _, o := range methods() {
			if limit > 0 && o.Search == "enumerate" && first.Shapes.Reduced.Cmp(big.NewInt(limit)) > 0 {
				continue
			}
			if r := verify(t, a, spec, o); r.Verdict != first.Verdict {
				t.Errorf("%s: %s is %s by %s %s, and %s by default", a.File, spec, r.Verdict, o.Search, o.Encoding, first.Verdict)
			}
		}
	}
}

// corpus returns the models of a folder beside the project. They are not ours to
// copy, and the tests have to pass without them: where the folder is missing,
// there is nothing to test.
func corpus(t *testing.T) []string {
	files, err := filepath.Glob("../shared/corpus/isola18/*.ta")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the public corpus is not beside the project: nothing to try")
	}
	return files
}

func loadFile(t *testing.T, file string) *ta.Automaton {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, file, string(text))
}

// TestCorpus verifies public models, with a second solver, too, if there is
// one: everything holds. On the small ones, all methods are compared.
func TestCorpus(t *testing.T) {
	every := need.Every(t, 3)
	for i, file := range corpus(t) {
		if i%every > 0 {
			continue
		}
		a := loadFile(t, file)
		for i := range a.Specs {
			for _, solver := range solvers() {
				if r := verify(t, a, a.Specs[i].Name, Options{Solver: solver}); r.Verdict != Holds {
					t.Errorf("%s: %s %s %s by %s", file, r.Spec, r.Verdict, r.Reason, r.Solver)
				}
			}
		}
		switch filepath.Base(file) {
		case "strb.ta", "frb.ta", "nbacg.ta", "nbacr.ta":
			agree(t, a, 0)
		}
	}
}

// TestInterrupted cancels verification before and while it runs.
func TestInterrupted(t *testing.T) {
	text, _ := benchmarks.Read("rb.ta")
	a := parse(t, "rb.ta", text)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Decide(ctx, a, &a.Specs[1], Options{})
	if err != nil || r.Verdict != Unknown || r.Reason != "interrupted" {
		t.Errorf("cancelled: %+v, %v", r, err)
	}
	r, err = Decide(context.Background(), a, &a.Specs[1], Options{Timeout: time.Nanosecond})
	if err != nil || r.Verdict != Unknown || r.Reason != "timeout" {
		t.Errorf("timed out: %+v, %v", r, err)
	}
}

// TestInterruptedAnywhere cancels verification after various times: it never
// breaks, and what it says is unknown or right.
func TestInterruptedAnywhere(t *testing.T) {
	text, _ := benchmarks.Read("cbc.ta")
	a := parse(t, "cbc.ta", text)
	for _, o := range methods() {
		for i := 0; i < 15; i += need.Every(t, 1) {
			o.Timeout = time.Duration(i*i+1) * time.Millisecond
			r, err := Decide(context.Background(), a, a.SpecNamed("validity1"), o)
			if err != nil {
				t.Fatalf("%s %s after %s: %v", o.Search, o.Encoding, o.Timeout, err)
			}
			if r.Verdict != Holds && (r.Verdict != Unknown || r.Reason != "timeout") {
				t.Errorf("%s %s after %s: %s %s", o.Search, o.Encoding, o.Timeout, r.Verdict, r.Reason)
			}
		}
	}
}

// TestReplayRejects changes every number in a witness file, one at a time.
func TestReplayRejects(t *testing.T) {
	text, _ := benchmarks.Read("rb.ta")
	a := parse(t, "rb.ta", strings.Replace(text, "n > 3 * t;", "n >= 3 * t;", 1))
	r := verify(t, a, "relay", Options{})
	if r.Verdict != Violated {
		t.Fatalf("relay %s", r.Verdict)
	}
	file, err := r.Witness.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := witness.Read(a, file); err != nil {
		t.Fatalf("the witness is rejected: %v", err)
	}
	changed := 0
	for i, c := range file {
		if c < '0' || c > '9' || i > 0 && (file[i-1] == '"' || file[i-1] != ':' && file[i-1] != ' ') {
			continue
		}
		bad := append([]byte(nil), file...)
		bad[i] = '0' + (c-'0'+1)%10
		changed++
		if w, err := witness.Read(a, bad); err == nil { // a step that changes nothing may be taken twice
			if again, err := w.MarshalJSON(); err != nil || !bytes.Equal(again, bad) || !bytes.HasSuffix(bad[:i], []byte(`"times":`)) {
				t.Errorf("accepted with a change at byte %d: %s", i, bad[max(0, i-30):i+1])
			}
		}
	}
	if changed < 15 {
		t.Errorf("only %d numbers were changed", changed)
	}
}

// TestReplayChecksSteps changes runs, not files.
func TestReplayChecksSteps(t *testing.T) {
	text, _ := benchmarks.Read("rb.ta")
	a := parse(t, "rb.ta", strings.Replace(text, "n > 3 * t;", "n >= 3 * t;", 1))
	good := verify(t, a, "relay", Options{}).Witness.Run
	spec := a.SpecNamed("relay")
	if _, err := witness.Check(a, spec, good); err != nil {
		t.Fatal(err)
	}
	last := len(good.Steps) - 1
	for name, change := range map[string]func(*ta.Run){
		"more processes at first":    func(r *ta.Run) { r.Start.Counters[0] = big.NewInt(1000) },
		"more messages at first":     func(r *ta.Run) { r.Start.Shared[0] = big.NewInt(1) },
		"other parameters":           func(r *ta.Run) { r.Start.Params[0] = big.NewInt(1000) },
		"a larger factor":            func(r *ta.Run) { r.Steps[0].Factor = big.NewInt(1000) },
		"a factor of 0":              func(r *ta.Run) { r.Steps[last].Factor = new(big.Int) },
		"a negative factor":          func(r *ta.Run) { r.Steps[0].Factor = big.NewInt(-1) },
		"no rule":                    func(r *ta.Run) { r.Steps[0].Rule = 99 },
		"a rule that is not enabled": func(r *ta.Run) { r.Steps[0].Rule = 2 },
		"the loop at the start":      func(r *ta.Run) { r.Loop = 0 },
		"an empty loop":              func(r *ta.Run) { r.Loop = len(r.Steps) },
		"no loop":                    func(r *ta.Run) { r.Loop = ta.Finite },
		"no steps":                   func(r *ta.Run) { r.Steps, r.Loop = nil, 0 },
	} {
		bad := &ta.Run{Loop: good.Loop, Steps: append([]ta.Transition(nil), good.Steps...)}
		bad.Start = &ta.Config{
			Counters: append([]*big.Int(nil), good.Start.Counters...),
			Shared:   append([]*big.Int(nil), good.Start.Shared...),
			Params:   append([]*big.Int(nil), good.Start.Params...),
		}
		change(bad)
		if _, err := witness.Check(a, spec, bad); err == nil {
			t.Errorf("accepted with %s", name)
		}
	}
}

// TestShapesInterrupted: shapes that there was no time to make are no fault of the text.
func TestShapesInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	text, _ := benchmarks.Read("cbc.ta")
	a := parse(t, "cbc.ta", text)
	if _, err := ShapesOf(ctx, a, a.SpecNamed("termination"), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
