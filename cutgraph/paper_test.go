//go:build cgo

package cutgraph_test

import (
	"context"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/figures"
)

// tree returns the canonical syntax tree of a negated specification.
func tree(t *testing.T, text, spec string) (*ta.Automaton, *ltl.Node) {
	t.Helper()
	a, err := ta.Parse("paper.ta", text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ltl.Parse(a, a.SpecNamed(spec))
	if err != nil {
		t.Fatal(err)
	}
	trees, err := ltl.Canonical(ltl.Negate(f))
	if err != nil {
		t.Fatal(err)
	}
	if len(trees) != 1 {
		t.Fatalf("%d disjuncts", len(trees))
	}
	return a, trees[0]
}

// thresholdsOf lists the thresholds in the guards of an automaton's rules.
func thresholdsOf(t *testing.T, a *ta.Automaton) []ta.Threshold {
	t.Helper()
	var list []ta.Threshold
	for i := range a.Rules {
		cases, err := a.Rules[i].Cases()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			for _, l := range c {
				list = append(list, l.Threshold)
			}
		}
	}
	return list
}

// ruleThresholds returns the threshold graph of an automaton's rules.
func ruleThresholds(t *testing.T, a *ta.Automaton) *cutgraph.ThresholdGraph {
	t.Helper()
	s, err := z3.New()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g, err := cutgraph.NewThresholdGraph(context.Background(), s, a, thresholdsOf(t, a))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// edges lists the edges of a graph by labels, sorted.
func edges(a *ta.Automaton, g *cutgraph.Graph) []string {
	var list []string
	d := g.Directed()
	for from := d.Nodes(); from.Next(); {
		u := from.Node().(cutgraph.Node)
		for to := d.From(u.ID()); to.Next(); {
			list = append(list, g.Label(a, u.Vertex)+" before "+g.Label(a, to.Node().(cutgraph.Node).Vertex))
		}
	}
	sort.Strings(list)
	return list
}

func shapes(a *ta.Automaton, g *cutgraph.Graph) []string {
	var list []string
	for s := range g.Shapes() {
		list = append(list, g.Describe(a, s))
	}
	return list
}

// TestPaper checks the examples of sections 4 and 5.
func TestPaper(t *testing.T) {
	t.Run("example_4.7_figure_6", func(t *testing.T) {
		a, n := tree(t, figures.Propositions, "example")
		want := []string{
			"0 before 0.1", "0 before 0.2", "0 before loop start", "0.1 before loop start", "0.2 before loop start",
			"0.3.1 before loop end", "loop start before 0.3.1", "loop start before loop end",
		}
		if diff := cmp.Diff(want, edges(a, cutgraph.New(n, nil))); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("example_4.14", func(t *testing.T) {
		a, n := tree(t, figures.Propositions, "example")
		g := cutgraph.New(n, nil)
		want := []string{ // shapes (a) and (b) of figure 4
			"F[0], F[0.1], F[0.2], loop start, F[0.3.1], loop end",
			"F[0], F[0.2], F[0.1], loop start, F[0.3.1], loop end",
		}
		if diff := cmp.Diff(want, shapes(a, g)); diff != "" {
			t.Error(diff)
		}
		if got := g.Count(t.Context()).String(); got != "2" {
			t.Errorf("Count = %s, want 2", got)
		}
	})

	t.Run("example_5.5", func(t *testing.T) {
		a, n := tree(t, figures.Figure2, "correctness")
		g := cutgraph.New(n, ruleThresholds(t, a))
		var got []string
		for _, e := range edges(a, g) {
			if strings.Contains(e, "x >=") {
				got = append(got, e)
			}
		}
		want := []string{"x >= t + 1 - f before x >= n - t - f"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("example_5.6_figure_7", func(t *testing.T) {
		a, n := tree(t, figures.Figure2, "correctness")
		g := cutgraph.New(n, ruleThresholds(t, a))
		want := []string{ // (c), (b) and (a) of figure 7; F[0.1.1] is the fairness node
			"loop start, F[0.1.1], loop end",
			"x >= t + 1 - f, loop start, F[0.1.1], loop end",
			"x >= t + 1 - f, x >= n - t - f, loop start, F[0.1.1], loop end",
		}
		if diff := cmp.Diff(want, shapes(a, g)); diff != "" {
			t.Error(diff)
		}
		if got := g.Count(t.Context()).String(); got != "3" {
			t.Errorf("Count = %s, want 3", got)
		}
	})
}
