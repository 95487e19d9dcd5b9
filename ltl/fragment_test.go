package ltl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
)

const model = `ta F { shared x, y; parameters n; locations { a; b; c; d; }
  inits { a == n; b == 0; c == 0; d == 0; x == 0; y == 0; }
  rules { 1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (x >= n) do { y' == y + 1; };
          3: c -> d when (true) do { }; 4: d -> c when (true) do { }; }
  specifications {
    s: %s;
  } }`

// TestFragment reads negated specifications and what they ask for throughout.
// Where want is "", they are in the fragment; otherwise the message matches
// and points at the column of the text `here`.
func TestFragment(t *testing.T) {
	for _, test := range []struct{ formula, want, here string }{
		{"<>(a == 0) && [](b == 0)", "", ""},
		{"[](x < 1 || b != 0)", "", ""},
		{"[](a == 0 || b == 0)", "", ""}, // a is only left
		{"[](c == 0 || d == 0)", "one location is empty or another is", "c == 0"},
		{"[](b == 0 || c != 0)", "one location is empty or another is not", "b == 0"},
		{"[](c + d != 0)", "", ""},
		{"[](c >= 2)", "can become true and false again", "c >= 2"},
		{"[](c + d >= 2)", "", ""}, // no process leaves c and d
		{"[](x - y >= 1)", "can become true and false again", "x - y"},
		{"<>(x - y >= 1)", "", ""},
		{"[](a != c + d)", "", ""}, // a - c - d only falls
		{"[](b != c)", "can become true and false again", "b != c"},
		{"[](a == 0 || <>(b == 0))", "a temporal operator under `||` under `[]`", "a == 0 ||"},
		{"[]<>(a == 0 || b == 0) && <>[](c == 0 || d == 0)", "one location is empty or another is", "c == 0 ||"},
		{"[](<>(a == 0) && <>(b == 0))", "", ""},
		{"[](<>[](c == 0) && <>(b == 0))", "", ""},
		{"[]([](<>(a == 0)))", "", ""},
		{"<>(a == 0 || [](b == 0))", "", ""},
		{"[]<>(a == 0 || [](b == 0))", "", ""},
	} {
		a, err := ta.Parse("f.ta", fmt.Sprintf(model, test.formula))
		if err != nil {
			t.Fatal(err)
		}
		err = inFragment(a)
		var list diag.List
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.formula, err)
		case test.want == "":
		case !errors.As(err, &list) || !strings.Contains(err.Error(), test.want):
			t.Errorf("%s: %v, want %q", test.formula, err, test.want)
		default:
			line := strings.Split(fmt.Sprintf(model, test.formula), "\n")[5]
			if col := strings.Index(line, test.here) + 1; list[0].Pos.Line != 6 || list[0].Pos.Col != col {
				t.Errorf("%s: at %v, want column %d", test.formula, list[0].Pos, col)
			}
		}
	}
}

// inFragment reads the specification as if it were negated already.
func inFragment(a *ta.Automaton) error {
	f, err := ltl.Parse(a, &a.Specs[0])
	if err != nil {
		return err
	}
	trees, err := ltl.Canonical(f)
	if err != nil {
		return err
	}
	var rules []*ta.Rule
	for i := range a.Rules {
		rules = append(rules, &a.Rules[i])
	}
	for _, n := range trees {
		if err := clausesOf(n, rules); err != nil {
			return err
		}
	}
	return nil
}

func clausesOf(n *ltl.Node, rules []*ta.Rule) error {
	if _, err := ltl.Clauses(n.Invariant(), rules); err != nil {
		return err
	}
	for _, c := range n.Finally {
		if err := clausesOf(c, rules); err != nil {
			return err
		}
	}
	return nil
}

func TestWarnings(t *testing.T) {
	a, err := ta.Parse("w.ta", fmt.Sprintf(model, "a == 0 -> b == 0 -> <>(c == 0)"))
	if err != nil {
		t.Fatal(err)
	}
	if w := ltl.Warnings(&a.Specs[0]); len(w) != 1 || !strings.Contains(w[0].Msg, "(a -> b) -> c") {
		t.Errorf("Warnings = %v", w)
	}
}

func TestTemporalArithmetic(t *testing.T) {
	a, err := ta.Parse("w.ta", fmt.Sprintf(model, "1 + (<>(a == 0)) >= 1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ltl.Parse(a, &a.Specs[0]); err == nil || !strings.Contains(err.Error(), "temporal formula cannot be part of arithmetic") {
		t.Errorf("Parse = %v", err)
	}
}
