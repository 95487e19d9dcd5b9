package ta_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/figures"
)

func figure2(t *testing.T) *ta.Automaton {
	t.Helper()
	a, err := ta.Parse("figure2.ta", figures.Figure2)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// config returns a configuration with parameters n, t, f.
func config(params, counters, shared []*big.Int) *ta.Config {
	return &ta.Config{Params: params, Counters: counters, Shared: shared}
}

func rule(t *testing.T, a *ta.Automaton, id string) *ta.Rule {
	t.Helper()
	for i := range a.Rules {
		if a.Rules[i].ID == id {
			return &a.Rules[i]
		}
	}
	t.Fatalf("no rule %s", id)
	return nil
}

// TestPaper checks the examples of sections 2 and 5.1.
func TestPaper(t *testing.T) {
	a := figure2(t)

	t.Run("example_2.6", func(t *testing.T) {
		good := config(ta.Ints(4, 1, 0), ta.Ints(4, 0, 0, 0), ta.Ints(0))
		if err := a.Initial(good); err != nil {
			t.Errorf("Initial = %v", err)
		}
		for _, bad := range []*ta.Config{
			config(ta.Ints(3, 1, 0), ta.Ints(3, 0, 0, 0), ta.Ints(0)),  // n > 3t
			config(ta.Ints(4, 1, 2), ta.Ints(2, 0, 0, 0), ta.Ints(0)),  // t >= f
			config(ta.Ints(4, 1, 0), ta.Ints(3, 0, 0, 0), ta.Ints(0)),  // n - f processes
			config(ta.Ints(4, 1, 0), ta.Ints(3, 0, 1, 0), ta.Ints(0)),  // l2 is not initial
			config(ta.Ints(4, 1, 0), ta.Ints(4, 0, 0, 0), ta.Ints(1)),  // x starts at 0
			config(ta.Ints(4, 1, 0), ta.Ints(5, -1, 0, 0), ta.Ints(0)), // counters are natural
		} {
			if a.Initial(bad) == nil {
				t.Errorf("Initial accepts %v", bad)
			}
		}
	})

	t.Run("example_2.9", func(t *testing.T) {
		c := config(ta.Ints(4, 1, 1), ta.Ints(0, 3, 0, 0), ta.Ints(0))
		r1, r5 := rule(t, a, "1"), rule(t, a, "5")
		if a.Enabled(c, r5, big.NewInt(1)) == nil {
			t.Error("r5 is enabled although x >= (n - t) - f is false")
		}
		for k := int64(1); k <= 3; k++ {
			if err := a.Enabled(c, r1, big.NewInt(k)); err != nil {
				t.Errorf("(r1, %d): %v", k, err)
			}
		}
		if a.Enabled(c, r1, big.NewInt(4)) == nil {
			t.Error("(r1, 4) is enabled with 3 processes")
		}
		c = c.After(r1, big.NewInt(2))
		if c.Shared[0].Int64() != 2 {
			t.Errorf("x = %s after (r1, 2)", c.Shared[0])
		}
		if err := a.Enabled(c, r5, big.NewInt(1)); err != nil {
			t.Errorf("(r5, 1): %v", err)
		}
		if a.Enabled(c, r5, big.NewInt(2)) == nil {
			t.Error("(r5, 2) is enabled with 1 process")
		}
	})

	t.Run("example_2.7", func(t *testing.T) {
		b, err := ta.Parse("crash.ta", strings.Replace(figures.Figure2, "    1: l1", "    0: l1 -> l2 when (x < f) do { x' == x + 1; };\n    1: l1", 1))
		if err != nil {
			t.Fatal(err)
		}
		c := config(ta.Ints(10, 3, 2), ta.Ints(0, 8, 0, 0), ta.Ints(1))
		if err := b.Enabled(c, rule(t, b, "0"), big.NewInt(1)); err != nil {
			t.Errorf("f - x = 1 firing: %v", err)
		}
		if b.Enabled(c, rule(t, b, "0"), big.NewInt(2)) == nil {
			t.Error("the factor exceeds f - x")
		}
	})

	t.Run("example_5.2", func(t *testing.T) {
		// The context is the set of lower guards that are true: empty at first,
		// and {gamma1} after (r1, 1), with n = 4, t = 1, f = 1.
		c := config(ta.Ints(4, 1, 1), ta.Ints(0, 3, 0, 0), ta.Ints(0))
		context := func(c *ta.Config) (out string) {
			for _, id := range []string{"2", "3"} {
				if ta.Holds(rule(t, a, id).Guard, c.Value) {
					out += id
				}
			}
			return out
		}
		if got := context(c); got != "" {
			t.Errorf("context %q at first", got)
		}
		if got := context(c.After(rule(t, a, "1"), big.NewInt(1))); got != "2" {
			t.Errorf("context %q after (r1, 1)", got)
		}
	})
}
