package automata_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
)

// find explores a model with the given initial condition and formula, n = 3.
func find(t *testing.T, inits, formula string) (*automata.Result, error) {
	t.Helper()
	a, err := ta.Parse("limits.ta", fmt.Sprintf(`ta Limits {
  shared x, y, z, u, v, w;
  parameters n;
  locations { a; b; }
  inits { %s }
  rules { 1: a -> b when (true) do { }; 2: b -> b when (true) do { }; }
  specifications { s: %s; }
}`, inits, formula))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ltl.Parse(a, &a.Specs[0])
	if err != nil {
		t.Fatal(err)
	}
	return automata.Find(context.Background(), a, f, []*big.Int{big.NewInt(3)}, automata.Limits{States: 1000})
}

const closed = "a == n; b == 0; x == 0; y == 0; z == 0; u == 0; v == 0; w == 0;"

// However many atoms a proposition has, it counts as one subformula.
func TestManyAtoms(t *testing.T) {
	atoms := strings.Repeat("x == 0 && ", 200) + "b == 3"
	r, err := find(t, closed, "<>("+atoms+")")
	if err != nil || r.Run == nil {
		t.Fatalf("%+v, %v", r, err)
	}
}

// Formulas and initial conditions that are too large are refused with a reason.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ inits, formula, want string }{
		{closed, strings.Repeat("<>(b == 1) && ", 70) + "<>(b == 2)", "at most 64 can be followed"},
		{"a == n; b == 0;", "<>(b == 3)", "candidates for initial configurations"},
	} {
		_, err := find(t, c.inits, c.formula)
		if !errors.Is(err, explore.ErrTooLarge) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
