package automata_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestInitialBrute holds the initial configurations of random initial conditions
// against trying everything up to a bound that they cannot exceed.
func TestInitialBrute(t *testing.T) {
	const most = 9
	found := 0
	cases := need.Cases(t, 150)
	for seed := range int64(cases) {
		r := rand.New(rand.NewSource(seed))
		term := func() string {
			list := make([]string, 1+r.Intn(3))
			for i := range list {
				list[i] = []string{"a", "b", "x", "y", "2 * x", "3 * b", "n", "2 * n", "2", "n / 2"}[r.Intn(10)]
			}
			return strings.Join(list, " + ")
		}
		atom := func() string {
			return term() + " " + []string{"==", "==", "<=", ">=", "<", ">", "!="}[r.Intn(7)] + " " + term()
		}
		var b strings.Builder
		fmt.Fprintf(&b, "ta R { shared x, y; parameters n; assumptions { n >= 0; } locations { a; b; } inits { a <= %d; b <= %d; x <= %d; y <= %d;", most, most, most, most)
		for range 1 + r.Intn(3) {
			switch r.Intn(3) {
			case 0:
				fmt.Fprintf(&b, " %s || %s;", atom(), atom())
			default:
				fmt.Fprintf(&b, " %s;", atom())
			}
		}
		b.WriteString(" } rules { 1: a -> b when (true) do {}; } specifications { s: [](a == 0); } }")
		a, err := ta.Parse("random.ta", b.String())
		if err != nil {
			continue // both signs, say
		}
		n := big.NewInt(int64(r.Intn(4)))
		got, err := automata.Initial(a, []*big.Int{n})
		if err != nil {
			t.Fatalf("%s\n%v", b.String(), err)
		}
		var want []string
		params := a.Complete([]*big.Int{n})
		for i := range int64((most + 1) * (most + 1) * (most + 1) * (most + 1)) {
			c := &ta.Config{Params: params, Counters: ta.Ints(i/1000, i/100%10), Shared: ta.Ints(i/10%10, i%10)}
			if ta.Holds(a.Inits, c.Value) {
				want = append(want, fmt.Sprint(c.Counters, c.Shared))
			}
		}
		if len(got) != len(want) {
			t.Fatalf("n = %s: %d initial configurations, want %d of\n%s", n, len(got), len(want), b.String())
		}
		for i, c := range got {
			if text := fmt.Sprint(c.Counters, c.Shared); text != want[i] {
				t.Fatalf("%s, want %s", text, want[i])
			}
		}
		if len(got) > 0 {
			found++
		}
	}
	if found < cases/4 {
		t.Errorf("only %d conditions can be met", found)
	}
}

// TestInitialValues: values beyond the sum of the parameters are initial, too,
// and an instance without any is no answer.
func TestInitialValues(t *testing.T) {
	for _, c := range []struct {
		inits string
		want  int // configurations at the start, of n = 2
	}{
		{"a == n; b == 0; x == 5;", 1},
		{"a == n; b == 0; x == 3 * n;", 1},
		{"a + b == n; x == 1000;", 3},
		{"a == n; b == 0; x >= 10; x <= 12;", 3},
		{"a == n; b == 0; x >= 10;", 3},          // open: as many as there are processes above the least
		{"a == n; b == 0; x == 2000000000;", -1}, // too large
		{"a == n; b == 0; x == 1; x == 2;", 0},
		{"a == n; b == 0; x >= b + 1; b >= x + 1;", 0},
		{"a == n; b == 0; x == 7 || x == 30;", 2},
	} {
		a, err := ta.Parse("values.ta", "ta V { shared x; parameters n; assumptions { n >= 1; } locations { a; b; } inits { "+c.inits+
			" } rules { 1: a -> b when (true) do {}; } specifications { s: [](b == 0 || a >= 0); } }")
		if err != nil {
			t.Fatal(err)
		}
		params := ta.Ints(2)
		list, err := automata.Initial(a, params)
		if c.want < 0 {
			if !errors.Is(err, explore.ErrTooLarge) {
				t.Errorf("%s: %v", c.inits, err)
			}
			continue
		}
		if err != nil || len(list) != c.want {
			t.Errorf("%s: %d initial configurations, %v; want %d", c.inits, len(list), err, c.want)
		}
		e, err := automata.Decide(context.Background(), a, &a.Specs[0], params, 0)
		if c.want == 0 {
			if !errors.Is(err, automata.ErrNoInitial) {
				t.Errorf("%s: %+v, %v", c.inits, e, err)
			}
		} else if err != nil || e.Configs == 0 {
			t.Errorf("%s: %+v, %v", c.inits, e, err)
		}
	}
}
