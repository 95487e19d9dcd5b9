package ta_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/tacheck/tacheck/ta"
)

const halves = `ta Halves {
  shared x;
  parameters n, t;
  define MAJORITY == (n + t) / 2 + 1;
  assumptions { n > t; n / 2 / 2 >= 0; }
  locations { a; b; }
  inits { a == n; b == 0; x == 0; }
  rules {
    1: a -> b when (x >= MAJORITY) do { unchanged(x); x' == x; };
    2: a -> b when (x < (n - t) / 2 && 3 * x >= 2 * (7 * n - 5 * t - 4) / 3) do { x' == x + 1; x' == x + 1; };
  }
  specifications { s: [](x <= n * 3 / 2); }
}
`

// TestQuotients: quotients are rounded down, whatever the signs, and are
// written so that they are read again.
func TestQuotients(t *testing.T) {
	a, err := ta.Parse("halves.ta", halves)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ta.Parse("halves.ta", a.Format())
	if err != nil {
		t.Fatal(err)
	}
	floor := func(n, d int64) int64 { return new(big.Int).Div(big.NewInt(n), big.NewInt(d)).Int64() }
	for n := range int64(12) {
		for s := range int64(12) {
			for x := range int64(12) {
				want := []bool{x >= floor(n+s, 2)+1, x < floor(n-s, 2) && 3*x >= floor(2*(7*n-5*s-4), 3)}
				for _, a := range []*ta.Automaton{a, again} {
					c := &ta.Config{Counters: ta.Ints(n, 0), Shared: ta.Ints(x), Params: a.Complete(ta.Ints(n, s))}
					for i := range a.Rules {
						if got := ta.Holds(a.Rules[i].Guard, c.Value); got != want[i] {
							t.Fatalf("n = %d, t = %d, x = %d: rule %d is %v", n, s, x, i+1, got)
						}
					}
				}
			}
		}
	}
	c := &ta.Config{Counters: ta.Ints(5, 0), Shared: ta.Ints(0), Params: a.Complete(ta.Ints(5, 2))}
	if err := a.Initial(c); err != nil {
		t.Error(err)
	}
	c.Params[2] = new(big.Int).Add(c.Params[2], big.NewInt(1))
	if a.Initial(c) == nil {
		t.Error("a quotient may have any value")
	}
	if len(a.Warnings) != 2 || fmt.Sprint(a.Rules[1].Update.Terms()[0].Coef) != "1" {
		t.Errorf("warnings %v, update %v", a.Warnings, a.Rules[1].Update)
	}
	if text := a.FormatCond(a.Rules[0].Guard); text != "x >= ((n + t) / 2) + 1" {
		t.Error(text)
	}
}
