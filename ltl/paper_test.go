package ltl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/figures"
)

func negation(t *testing.T, text, spec string) (*ta.Automaton, ltl.Formula) {
	t.Helper()
	a, err := ta.Parse("paper.ta", text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ltl.Parse(a, a.SpecNamed(spec))
	if err != nil {
		t.Fatal(err)
	}
	return a, ltl.Negate(f)
}

func describe(t *testing.T, a *ta.Automaton, f ltl.Formula) (out string) {
	t.Helper()
	trees, err := ltl.Canonical(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range trees {
		out += drawn(n, a, "", 0)
	}
	return out
}

// TestPaper checks the examples of sections 3 and 4.
func TestPaper(t *testing.T) {
	t.Run("example_3.3", func(t *testing.T) {
		a, f := negation(t, figures.Figure2, "correctness")
		want := `[0] (...)
  [0.0] l0 == 0
  [0.1] G (...)
    [0.1.0] l3 == 0
    [0.1.1] F (...)
      [0.1.1.0] l1 == 0 && (x <= t || (l0 == 0 && l1 == 0)) && (x < n - t || (l0 == 0 && l2 == 0))
      [0.1.1.1] G true
    [0.1.2] G true
`
		if diff := cmp.Diff(want, describe(t, a, f)); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("example_4.4_figure_5", func(t *testing.T) {
		a, f := negation(t, figures.Propositions, "example")
		want := `[0] F (...)
  [0.0] a != 0
  [0.1] F (...)
    [0.1.0] d != 0
    [0.1.1] G true
  [0.2] F (...)
    [0.2.0] e != 0
    [0.2.1] G true
  [0.3] G (...)
    [0.3.0] b != 0
    [0.3.1] F (...)
      [0.3.1.0] c != 0
      [0.3.1.1] G true
    [0.3.2] G true
`
		if diff := cmp.Diff(want, describe(t, a, f)); diff != "" {
			t.Error(diff)
		}
	})
}

// drawn draws a tree as figure 5 of the paper does: one node a line with its identifier, children indented.
func drawn(n *ltl.Node, a *ta.Automaton, op string, depth int) string {
	out, inner := "", depth
	if n.ID != "" {
		inner = depth + 1
		indent := strings.Repeat("  ", depth)
		out = fmt.Sprintf("%s[%s] %s(...)\n%s  [%s.0] %s\n", indent, n.ID, op, indent, n.ID,
			a.FormatCond(n.Prop))
	}
	for _, c := range n.Finally {
		out += drawn(c, a, "F ", inner)
	}
	if n.Globally != nil {
		out += drawn(n.Globally, a, "G ", inner)
	} else if n.ID != "" {
		out += fmt.Sprintf("%s  [%s.%d] G true\n", strings.Repeat("  ", depth), n.ID, len(n.Finally)+1)
	}
	return out
}
