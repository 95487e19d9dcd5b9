package synth

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// template is a model of the suite with a part replaced by unknowns.
func template(t *testing.T, file, old, new, unknowns, bounds string) *Template {
	t.Helper()
	text, ok := benchmarks.Read(file)
	if !ok || !strings.Contains(text, old) {
		t.Fatalf("%s: no %q", file, old)
	}
	text = strings.Replace(text, old, new, 1)
	text = strings.Replace(text, "  parameters", "  unknowns "+unknowns+";\n  parameters", 1)
	i := strings.Index(text, "assumptions")
	i += strings.Index(text[i:], "{") + 1
	x, err := Parse(file, text[:i]+"\n"+bounds+text[i:])
	if err != nil {
		t.Fatal(err)
	}
	return x
}

var small = []struct{ file, old, new, unknowns, bounds string }{
	{"rb.ta", "ONE_CORRECT == t + 1", "ONE_CORRECT == a * t + c", "a, c", "0 <= a; a <= 2; -1 <= c; c <= 2;"},
	{"rb.ta", "ENOUGH == n - t", "ENOUGH == a * n - b * t + c", "a, b, c", "0 <= a; a <= 1; -1 <= b; b <= 2; -1 <= c; c <= 1;"},
	{"rb.ta", "n > 3 * t", "n > a * t + c", "a, c", "0 <= a; a <= 4; 0 <= c && c < 3;"},
	{"aba.ta", "ONE_CORRECT == t + 1", "ONE_CORRECT == a * t + c", "a, c", "0 <= a; a <= 2; 0 <= c; c <= 2;"},
	{"cbc.ta", "MAJORITY == n + 1", "MAJORITY == a * n + c", "a, c", "0 <= a; a <= 2; -1 <= c; c <= 2; a + c != 3;"},
	{"cf1s.ta", "MOST == n - 2 * t", "MOST == n - b * t + c", "b, c", "1 <= b; b <= 3; -1 <= c; c <= 0;"},
	{"c1cs.ta", "MOST == n - 2 * t", "MOST == n - b * t", "b", "0 <= b; b <= 4;"},
	{"frb.ta", "n > f", "n > a * f + c", "a, c", "0 <= a; a <= 2; 0 <= c; c <= 2;"},
}

func assignments(x interface{ each(func(Values)) }) (all []Values) {
	x.each(func(v Values) { all = append(all, v) })
	return all
}

// TestOneByOne holds searches against verifying every assignment: the same
// solutions, and what is excluded is refuted by the run that is said to, replayed in
// the model with these values.
func TestOneByOne(t *testing.T) {
	every := need.Every(t, 3)
	for i, c := range small {
		if i%every > 0 {
			continue
		}
		t.Run(c.file+" "+c.new, func(t *testing.T) {
			x := template(t, c.file, c.old, c.new, c.unknowns, c.bounds)
			found, err := x.Search(context.Background(), Options{Vacuous: true})
			if err != nil {
				t.Fatal(err)
			}
			if !found.Complete {
				t.Fatal(found.Reason)
			}
			all := assignments(x)
			within := 0
			for n := range all {
				v := all[n]
				is := slices.ContainsFunc(found.Solutions, func(s *Solution) bool { return slices.Equal(s.Values, v) })
				if !x.inside(v) {
					if is {
						t.Errorf("%s is outside of the bounds", x.Format(v))
					}
					continue
				}
				within++
				a, err := x.automaton(v)
				if err != nil {
					t.Fatal(err)
				}
				holds := true
				for i := range a.Specs {
					r, err := verify.Decide(context.Background(), a, &a.Specs[i], verify.Options{KeepFirst: true})
					if err != nil {
						t.Fatal(err)
					}
					if r.Verdict == verify.Unknown {
						t.Fatal(r.Reason)
					}
					holds = holds && r.Verdict == verify.Holds
				}
				if is != holds {
					t.Errorf("%s: solution %v, and verified: %v", x.Format(v), is, holds)
				}
				if is {
					continue
				}
				r := found.Excluded(v)
				if r == nil {
					t.Errorf("%s: nothing excludes it", x.Format(v))
				} else if _, err := witness.Check(a, a.SpecNamed(r.Spec), r.Witness.Run); err != nil {
					t.Errorf("%s: %s does not refute it: %v", x.Format(v), r, err)
				}
			}
			if !found.Candidates.IsInt64() || int64(within) != found.Candidates.Int64() {
				t.Errorf("%s candidates, want %d", found.Candidates, within)
			}
			t.Logf("%d solutions of %d, %d refutations", len(found.Solutions), within, len(found.Refutations))
		})
	}
}

// TestSize counts assignments.
func TestSize(t *testing.T) {
	for bounds, want := range map[string]string{
		"0 <= a; a <= 2; 0 <= b; b <= 3; 0 <= c; c < 2;":                            "24",
		"0 <= a; a <= 2; 0 <= b; b <= 3; 0 <= c; c < 2; a == b;":                    "6",
		"0 <= a; a <= 2; 0 <= b; b <= 3; 0 <= c; c < 2; a == b && c == b;":          "2",
		"0 <= a; a <= 2; 0 <= b; b <= 3; 0 <= c; c < 2; c == b; a == b; a == c;":    "2",
		"0 <= a; a <= 2; 0 <= b; b <= 3; 0 <= c; c < 2; a != b;":                    "18",
		"-999 <= a; a <= 1000; -999 <= b; b <= 1000; -999 <= c; c <= 1000; a == b;": "4000000",
	} {
		x := template(t, "rb.ta", "ENOUGH == n - t", "ENOUGH == a * n + b * t + c", "a, b, c", bounds)
		if got := x.size().String(); got != want {
			t.Errorf("%s: %s, want %s", bounds, got, want)
		}
	}
}

// TestLarge: how many assignments there are does not matter.
func TestLarge(t *testing.T) {
	bound := "1000"
	if need.Rarely(t, 2) > 1 {
		bound = "20"
	}
	bounds := "-BOUND <= a; a <= BOUND; -BOUND <= b; b <= BOUND; -BOUND <= c; c <= BOUND; " +
		"-1000000 <= d; d <= 1000000; d == e; -1000000 <= e; e <= 1000000; d == 7;"
	x := template(t, "rb.ta", "ENOUGH == n - t", "ENOUGH == a * n + b * t + c", "a, b, c, d, e",
		strings.ReplaceAll(bounds, "BOUND", bound))
	found, err := x.Search(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found.Solutions {
		got = append(got, fmt.Sprint(s.Values))
	}
	slices.Sort(got)
	if want := "[[0 2 1 7 7] [1 -1 0 7 7]]"; !found.Complete || fmt.Sprint(got) != want {
		t.Errorf("%v, want %s (complete: %v, %s)", got, want, found.Complete, found.Reason)
	}
	t.Logf("%s assignments, %d counterexamples", found.Candidates, len(found.Refutations))
}

// TestRefutes: evaluating a run for all assignments at once says the same as
// replaying it in the model with each.
func TestRefutes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	both := map[bool]int{}
	for _, c := range small {
		x := template(t, c.file, c.old, c.new, c.unknowns, c.bounds)
		found, err := x.Search(context.Background(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		all := assignments(x)
		for _, run := range found.Refutations {
			if !run.exact {
				t.Errorf("%s of %s is not evaluated", run, c.file)
			}
			for range 20 {
				v := all[r.IntN(len(all))]
				if got, want := run.Refutes(v), run.replays(v); got != want {
					t.Fatalf("%s: %s refutes %s: %v, replayed: %v", c.file, run, x.Format(v), got, want)
				}
				both[run.Refutes(v)]++
			}
		}
	}
	if both[true] < 50 || both[false] < 50 {
		t.Errorf("hardly any cases: %v", both)
	}
}

// TestCorpus finds the thresholds of textbooks in public models, where they are:
// the project has to work without them (TestOneByOne and TestRepair are the same
// with models of its own).
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob("../../shared/corpus/synthesis/*.ta")
	if len(files) == 0 {
		t.Skip("no public models here") // the project has to work without them; TestOneByOne and TestRepair have models of its own
	}
	for file, want := range map[string]string{
		"table1-2bcast-byz-ta-synt.ta":      "[THRESH1 == T + 1 THRESH2 == N - T]",
		"table1-1bcast-folklore-ta-synt.ta": "[THRESH1 == 0 THRESH2 == 1]",
	} {
		text, err := os.ReadFile("../../shared/corpus/synthesis/" + file)
		if err != nil {
			t.Fatal(err)
		}
		x, err := Parse(file, string(text))
		if err != nil {
			t.Fatal(err)
		}
		found, err := x.Search(context.Background(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		among := func(s *Solution) bool {
			all, _ := x.Effects(s.Values)
			return fmt.Sprint(all) == want
		}
		if !found.Complete || !slices.ContainsFunc(found.Solutions, among) {
			t.Errorf("%s: %s is not among %d solutions (complete: %v)", file, want, len(found.Solutions), found.Complete)
		}
	}
}

// TestResilience holds the minimal conditions against verifying under each.
func TestResilience(t *testing.T) {
	every := need.Every(t, 2)
	for i, c := range []struct{ file, form, want string }{
		{"rb.ta", "n > a*t", "unforgeability holds iff n > 2 * t; correctness holds for every n > 0; relay holds iff n > 3 * t"},
		{"rb.ta", "n > a*t + b*f", "unforgeability holds iff n > 2 * t or n > t + f; correctness holds for every n > 0; relay holds iff n > 3 * t or n > 2 * t + f"},
		{"cbc.ta", "n > a*t + c", "validity0 and validity1 hold iff n > t; agreement holds for every n > 0; termination holds iff n > 2 * t"},
		{"frb.ta", "n >= a*f + c", "unforgeability and relay hold for every n >= 0; correctness holds iff n >= 2 * f or n >= f + 1"},
	} {
		if i%every > 0 {
			continue
		}
		t.Run(c.file, func(t *testing.T) {
			text, _ := benchmarks.Read(c.file)
			if c.form == "n > a*t" { // however assumptions are put together
				text = strings.Replace(text, "n > 3 * t;\n    t >= f;", "n > 3 * t && t >= f;", 1)
			}
			const most = 4
			x, err := NewCondition(c.file, parsed(t, text), c.form, most)
			if err != nil {
				t.Fatal(err)
			}
			r, err := x.Find(context.Background(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Sentence(); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			all := assignments(x)
			for _, region := range r.Regions {
				for n := range all {
					v := all[n]
					a, err := x.automaton(v)
					if err != nil {
						t.Fatal(err)
					}
					got, err := verify.Decide(context.Background(), a, a.SpecNamed(region.Spec), verify.Options{KeepFirst: true})
					if err != nil {
						t.Fatal(err)
					}
					want := slices.ContainsFunc(region.Minimal, func(m Minimal) bool { return v.AtLeast(m.Values) })
					if (got.Verdict == verify.Holds) != want {
						t.Errorf("%s with %s: %s", region.Spec, x.With(v), got.Verdict)
					}
				}
				for _, m := range region.Minimal {
					for _, w := range m.Weaker {
						a, err := x.automaton(w.Values)
						if err != nil {
							t.Fatal(err)
						}
						if _, err := witness.Check(a, a.SpecNamed(w.By.Spec), w.By.Witness.Run); err != nil {
							t.Errorf("%s is not refuted by %s: %v", x.With(w.Values), w.By, err)
						}
					}
					weaker := 0
					for _, value := range m.Values {
						weaker += min(1, int(value))
					}
					if len(m.Weaker) != weaker {
						t.Errorf("%s: %d of %d weaker conditions are refuted", x.With(m.Values), len(m.Weaker), weaker)
					}
				}
			}
		})
	}
}

// TestRepair finds what was broken.
func TestRepair(t *testing.T) {
	for i, c := range []struct{ file, what, want string }{
		{"broken/aba-ready.ta", "ONE_CORRECT", "ONE_CORRECT == t + 1"},
		{"broken/cbc-minority.ta", "MAJORITY", "MAJORITY == n + 1"},
		{"broken/bosco-early.ta", "FAST", "FAST == n + 3 * t + 1"},
		{"rb.ta", "3", "rule 3: echo >= n - t - f"},
	} {
		if i%need.Every(t, 1) > 0 {
			continue
		}
		text, ok := benchmarks.Read(c.file)
		if !ok {
			t.Fatal(c.file)
		}
		x, err := Repair(c.file, text, c.what, 2)
		if err != nil {
			t.Fatal(err)
		}
		found, err := x.Search(context.Background(), Options{Nearest: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Solutions) == 0 {
			t.Fatalf("%s: no solution, want %s", c.file, c.want)
		}
		if all, _ := x.Effects(found.Solutions[0].Values); all[0] != c.want {
			t.Errorf("%s: %d solutions, want %s", c.file, len(found.Solutions), c.want)
		}
	}
}

// TestErrors: what is wrong is said where it is.
func TestErrors(t *testing.T) {
	const model = "ta T { shared x; parameters n; unknowns a; assumptions { n >= 1;%s } locations { l; } inits { l == n; x == 0; } rules { 1: l -> l when (x >= a * n) do { }; } specifications { s: [](l == n); } }"
	for bounds, want := range map[string]string{
		"":                                `m.ta:1:41: "a" has no bounds: add assumptions such as ` + "`0 <= a; a <= 3;`",
		" 0 <= a;":                        `"a" has no bounds`,
		" 0 <= a; a <= 900000000;":        `"a" has bounds beyond 1048576`,
		" 0 <= a; a <= 3; n >= b;":        `unknown name "b"`,
		" 0 <= a; a <= 3; n >= a * a * n": "expected",
	} {
		_, err := Parse("m.ta", fmt.Sprintf(model, bounds))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", bounds, err, want)
		}
	}
	good := strings.Replace(fmt.Sprintf(model, ""), "unknowns a; ", "", 1)
	good = strings.Replace(good, "a * n", "n", 1)
	for form, want := range map[string]string{
		"n + 1 > a":   "write the condition as",
		"n < a":       "write the condition as",
		"n > n":       "no unknowns",
		"n > 3 - a":   "has to grow with its unknowns",
		"n > a / 2":   "has to grow with its unknowns",
		"n > a * b *": "unexpected end",
		"n > a * t":   "several unknowns (a, t); the parameters of m.ta are n",
	} {
		if _, err := NewCondition("m.ta", parsed(t, good), form, 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", form, err, want)
		}
	}
	for what, want := range map[string]string{"2": `no rule or definition "2"`, "1": ""} {
		if _, err := Repair("m.ta", good, what, 2); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %s", what, err, want)
		}
	}
}

// TestSearchInTime: counting millions of assignments, and excluding them, ends when
// the time has come.
func TestSearchInTime(t *testing.T) {
	text := strings.Replace(manyAssignments, "BOUND", "25", -1)
	for _, limit := range []time.Duration{100 * time.Millisecond, 2 * time.Second} {
		tmpl, err := Parse("many.ta", text)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{}
		o.Timeout = limit
		begin := time.Now()
		found, err := tmpl.Search(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > limit+time.Minute {
			t.Errorf("with %s it takes %s", limit, took)
		}
		if found.Complete != (found.Reason == "") {
			t.Errorf("complete %v, reason %q", found.Complete, found.Reason)
		}
	}
}

const manyAssignments = `ta Many {
  shared x;
  parameters n, t, f;
  unknowns a, b, c, d;
  assumptions { n > 3 * t; t >= f; f >= 0;
    -BOUND <= a; a <= BOUND; -BOUND <= b; b <= BOUND; -BOUND <= c; c <= BOUND; -BOUND <= d; d <= BOUND; }
  locations { V0; V1; SE; AC; }
  inits { V0 + V1 == n - f; SE == 0; AC == 0; x == 0; }
  rules {
    1: V1 -> SE do { x' == x + 1; };
    2: V0 -> SE when (x >= a * t + b - f) do { x' == x + 1; };
    3: SE -> AC when (x >= c * t + d - f);
  }
  specifications {
    unforgeability: V1 == 0 -> [](AC == 0);
    correctness: <>[]((V1 == 0) && (V0 == 0 || x < a * t + b) && (SE == 0 || x < c * t + d)) -> (V0 == 0 -> <>(AC != 0));
  }
}
`

// parsed is a text as a tree.
func parsed(t *testing.T, text string) *syntax.File {
	t.Helper()
	tree, err := syntax.Parse("m.ta", text)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
