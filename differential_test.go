package tacheck

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tacheck/internal/diag"
	"tacheck/internal/explore"
	"tacheck/ltl"
	"tacheck/ta"
)

// TestDifferential verifies random automata and specifications with every
// search and encoding, and holds the verdicts against each other and against
// exhaustive exploration of all instances with few processes.
//
// TACHECK_CASES sets the number of cases, TACHECK_SEED the first seed.
func TestDifferential(t *testing.T) {
	cases, seed := env(t, "TACHECK_CASES", 150), env(t, "TACHECK_SEED", 1)
	if testing.Short() {
		cases = min(cases, 40)
	}
	var count tally
	for i := range cases {
		compareAll(t, int64(seed+i), randomModel(rand.New(rand.NewSource(int64(seed+i)))), &count)
		if t.Failed() {
			return
		}
	}
	t.Logf("%+v", count)
	if cases >= 100 && (count.Holds == 0 || count.Violated == 0) {
		t.Errorf("the cases are one-sided: %+v", count)
	}
}

type tally struct{ Holds, Violated, Unknown, Outside, Verdicts, Instances int }

func env(t *testing.T, name string, otherwise int) int {
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("%s=%q is not a number", name, s)
	}
	return n
}

// TestFinds repeats the cases in testdata/finds: what random cases found to be
// wrong once.
func TestFinds(t *testing.T) {
	files, err := filepath.Glob("testdata/finds/*.ta")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compareAll(t, 0, string(text), new(tally))
		})
	}
}

// compareAll decides one case in every way.
func compareAll(t *testing.T, seed int64, text string, count *tally) {
	a, err := ta.Parse("random.ta", text)
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, text)
		return
	}
	spec := &a.Specs[0]
	violation := instanceViolation(t, a, spec, count)
	seen := map[Verdict]string{}
	tooMany := false
	for _, search := range SearchNames {
		for _, encoding := range EncodingNames {
			if tooMany && search == "enumerate" {
				continue
			}
			r, err := Verify(context.Background(), a, spec, Options{Search: search, Encoding: encoding})
			var outside diag.List
			if errors.As(err, &outside) && strings.Contains(outside.Error(), "outside the fragment") {
				count.Outside++
				return
			}
			if err != nil {
				t.Errorf("seed %d: %s %s: %v\n%s", seed, search, encoding, err, text)
				return
			}
			count.Verdicts++
			tooMany = r.Shapes.Reduced != nil && r.Shapes.Reduced.Cmp(big.NewInt(100)) > 0
			if r.Verdict == Unknown && !strings.Contains(r.Reason, "scale") {
				t.Errorf("seed %d: %s %s: unknown: %s\n%s", seed, search, encoding, r.Reason, text)
			}
			seen[r.Verdict] = search + " " + encoding
			if r.Verdict == Violated {
				checkInstance(t, seed, a, spec, r.Witness, text)
			}
		}
	}
	switch {
	case len(seen) > 1:
		t.Errorf("seed %d: verdicts differ: %v (instances: %q)\n%s", seed, seen, violation, text)
	case seen[Holds] != "" && violation != "":
		t.Errorf("seed %d: holds, but is violated with %s\n%s", seed, violation, text)
	}
	if seen[Holds] != "" {
		count.Holds++
	}
	if seen[Violated] != "" {
		count.Violated++
	}
	if seen[Unknown] != "" {
		count.Unknown++
	}
}

// instanceViolation explores all instances with n <= 3 and t <= 2, and returns
// parameters with which the specification is violated, or "".
func instanceViolation(t *testing.T, a *ta.Automaton, spec *ta.Spec, count *tally) string {
	for n := int64(0); n <= 3; n++ {
		for m := int64(0); m <= 2; m++ {
			params := ta.Ints(n, m)
			count.Instances++
			if violatedAt(t, a, spec, params) {
				return fmt.Sprint(params)
			}
		}
	}
	return ""
}

// violatedAt explores one instance. A run that exploration finds has to be
// accepted like any other counterexample.
func violatedAt(t *testing.T, a *ta.Automaton, spec *ta.Spec, params []*big.Int) bool {
	t.Helper()
	formula, err := ltl.Parse(a, spec)
	if err != nil {
		t.Fatal(err)
	}
	result, err := explore.Find(context.Background(), a, ltl.Negate(formula), params, explore.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if result.Run == nil {
		return false
	}
	if _, err := check(a, spec, result.Run); err != nil {
		t.Errorf("exploration's counterexample with %v is rejected: %v", params, err)
	}
	return true
}

// checkInstance explores the instance of a witness, if it is small.
func checkInstance(t *testing.T, seed int64, a *ta.Automaton, spec *ta.Spec, w *Witness, text string) {
	params := w.Run.Start.Params
	if params[0].Cmp(big.NewInt(4)) <= 0 && params[1].Cmp(big.NewInt(4)) <= 0 && !violatedAt(t, a, spec, params) {
		t.Errorf("seed %d: violated, but not with %v\n%s", seed, params, text)
	}
}

// randomModel writes a small automaton with one specification in, or near,
// the fragment.
func randomModel(r *rand.Rand) string {
	g := modelWriter{r: r, locations: 3 + r.Intn(3), shared: 1 + r.Intn(2)}
	return g.write()
}

type modelWriter struct {
	r                 *rand.Rand
	locations, shared int
}

func (g *modelWriter) pick(list ...string) string { return list[g.r.Intn(len(list))] }

func (g *modelWriter) location() string { return fmt.Sprintf("l%d", g.r.Intn(g.locations)) }

func (g *modelWriter) variable() string {
	return []string{"x", "y"}[g.r.Intn(g.shared)]
}

func (g *modelWriter) write() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ta Random {\n  shared %s;\n  parameters n, t;\n", strings.Join([]string{"x", "y"}[:g.shared], ", "))
	fmt.Fprintf(&b, "  assumptions { n >= 1; %s }\n", g.pick("n > t;", "n > 2 * t;", "n >= t; t >= 1;", "n == 2;", "t == 1;"))
	b.WriteString("  locations {")
	for i := range g.locations {
		fmt.Fprintf(&b, " l%d;", i)
	}
	first := 1 + g.r.Intn(2)
	fmt.Fprintf(&b, " }\n  inits { %s == %s;", []string{"l0", "l0 + l1"}[first-1], g.pick("n", "n", "n", "n - t"))
	for i := first; i < g.locations; i++ {
		fmt.Fprintf(&b, " l%d == 0;", i)
	}
	b.WriteString(" x == 0;")
	if g.shared > 1 {
		b.WriteString(" y == 0;")
	}
	b.WriteString(" }\n  rules {\n")
	g.rules(&b)
	fmt.Fprintf(&b, "  }\n  specifications {\n    s: !(%s);\n  }\n}\n", g.formula())
	return b.String()
}

func (g *modelWriter) rules(b *strings.Builder) {
	n := 3 + g.r.Intn(6)
	from, to := make([]int, n), make([]int, n)
	reach := make([][]bool, g.locations)
	for i := range reach {
		reach[i] = make([]bool, g.locations)
		reach[i][i] = true
	}
	for i := range n {
		from[i], to[i] = g.r.Intn(g.locations), g.r.Intn(g.locations)
		if from[i] > to[i] && g.r.Intn(3) > 0 {
			from[i], to[i] = to[i], from[i]
		}
		reach[from[i]][to[i]] = true
	}
	for k := range reach {
		for i := range reach {
			for j := range reach {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for i := range n {
		update := ""
		if !reach[to[i]][from[i]] && g.r.Intn(3) > 0 {
			v := g.variable()
			update = fmt.Sprintf(" %s' == %s + %d; ", v, v, 1+g.r.Intn(6)/5)
		}
		fmt.Fprintf(b, "    %d: l%d -> l%d when (%s) do {%s};\n", i, from[i], to[i], g.guard(), update)
	}
	for i := range g.locations {
		if g.r.Intn(3) > 0 {
			fmt.Fprintf(b, "    %d: l%d -> l%d when (true) do { };\n", n+i, i, i)
		}
	}
}

func (g *modelWriter) guard() string {
	switch g.r.Intn(5) {
	case 0, 1:
		return "true"
	case 2:
		return g.threshold() + g.pick(" && ", " && ", " || ") + g.threshold()
	}
	return g.threshold()
}

func (g *modelWriter) threshold() string {
	return g.pick("", "", "2 * ") + g.variable() + g.pick(" >= ", " >= ", " < ") +
		g.pick("1", "2", "t", "t + 1", "n - t", "n")
}

// formula writes the negated specification: a conjunction.
func (g *modelWriter) formula() string {
	var parts []string
	for range 1 + g.r.Intn(3) {
		parts = append(parts, g.part())
	}
	return strings.Join(parts, " && ")
}

func (g *modelWriter) part() string {
	switch g.r.Intn(11) {
	case 7:
		return "<>(" + g.prop() + " || " + g.part() + ")"
	case 8:
		return "[]<>(" + g.prop() + " || " + g.part() + ")"
	case 0:
		return "(" + g.prop() + ")"
	case 1:
		return "<>(" + g.prop() + ")"
	case 2:
		return "<>(" + g.prop() + " && <>(" + g.prop() + "))"
	case 3:
		return "<>[](" + g.invariant() + ")"
	case 4:
		return "[]<>(" + g.prop() + ")"
	case 5:
		return "<>(" + g.prop() + " && [](" + g.invariant() + "))"
	case 6:
		return "[]<>(" + g.prop() + ") && []<>(" + g.prop() + ")"
	}
	return "[](" + g.invariant() + ")"
}

func (g *modelWriter) prop() string {
	switch g.r.Intn(4) {
	case 0:
		return g.threshold()
	case 1:
		return g.location() + " == 0"
	case 2:
		return g.location() + " >= " + g.pick("1", "2")
	}
	return g.location() + " != 0 && " + g.location() + " != 0"
}

func (g *modelWriter) invariant() string {
	switch g.r.Intn(6) {
	case 0:
		return g.location() + " == 0"
	case 1, 2:
		return g.location() + " + " + g.location() + " != 0"
	case 3:
		return g.threshold() + " || " + g.location() + " == 0"
	case 4:
		return "(" + g.threshold() + " || " + g.location() + " != 0)"
	}
	return g.location() + " != 0 && (" + g.location() + " != 0 || " + g.location() + " != 0)"
}
