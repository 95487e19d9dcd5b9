package review

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/tacheck/tacheck/ta"
)

// TestCertain: a certain guard is true only if the guard is, whichever of the
// faulty is silent; and if the guard has one quotient at most, it is true whenever that is so.
func TestCertain(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	sharp := 0
	for range 2000 {
		num := func(n int) int { return r.Intn(2*n+1) - n }
		left := fmt.Sprintf("%d * x", 1+r.Intn(2))
		right := fmt.Sprintf("%d * n + %d * t + %d * f + %d", r.Intn(2), num(2), num(2), num(3))
		quotients := r.Intn(3)
		for range quotients {
			right += fmt.Sprintf(" + %d * ((n + %d * f + %d * t) / %d)", num(2), num(3), num(2), 2+r.Intn(2))
		}
		rel := []string{">=", "<", "==", "!="}[r.Intn(4)]
		guard := left + " " + rel + " " + right
		a, err := ta.Parse("c.ta", "ta C { shared x; parameters n, t, f; assumptions { n > t; t >= f; } locations { a; b; } inits { a == n; b == 0; x == 0; } rules { 1: a -> b when ("+
			guard+") do {}; } specifications { s: [](b == 0); } }")
		if err != nil {
			t.Fatal(guard, err)
		}
		f := &Fairness{Silent: "f"}
		sure := f.certain(a, a.Rules[0].Guard)
		differs := false
		for range 60 {
			n, tt, x := int64(r.Intn(7)), int64(r.Intn(5)), int64(r.Intn(12))
			faulty := int64(r.Intn(4))
			value := func(k int64) bool {
				c := &ta.Config{Params: a.Complete(ta.Ints(n, tt, k)), Shared: ta.Ints(x), Counters: ta.Ints(0, 0)}
				return ta.Holds(a.Rules[0].Guard, c.Value)
			}
			want := true
			for k := range faulty + 1 {
				want = want && value(k)
			}
			c := &ta.Config{Params: a.Complete(ta.Ints(n, tt, faulty)), Shared: ta.Ints(x), Counters: ta.Ints(0, 0)}
			got := ta.Holds(sure, c.Value)
			if got && !want {
				t.Fatalf("%s, certain: %s; with n=%d t=%d f=%d x=%d the guard is false if some are silent", guard, a.FormatCond(sure), n, tt, faulty, x)
			}
			differs = differs || got != want
		}
		if quotients == 0 && rel != "!=" && differs {
			t.Errorf("%s: %s is less than what is certain", guard, a.FormatCond(sure))
		}
		if !differs {
			sharp++
		}
	}
	if sharp < 1000 {
		t.Errorf("only %d are exact", sharp)
	}
	t.Log(sharp)
}
