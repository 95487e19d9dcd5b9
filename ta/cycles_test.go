package ta_test

import (
	"fmt"
	"testing"

	"github.com/tacheck/tacheck/ta"
)

// Components come in a topological order, which is the same in every run: what
// solvers are asked follows it, and certificates rest on that.
func TestComponents(t *testing.T) {
	const model = `ta Loops {
  shared x;
  parameters n;
  locations { a; b; c; d; e; f; }
  inits { a == n; b == 0; c == 0; d == 0; e == 0; f == 0; x == 0; }
  rules {
    1: a -> b when (true) do { };
    2: b -> a when (true) do { };
    3: b -> c when (true) do { x' == x + 1; };
    4: c -> d when (true) do { };
    5: d -> c when (true) do { };
    6: a -> e when (true) do { x' == x + 1; };
    7: e -> f when (true) do { };
    8: f -> e when (true) do { };
  }
  specifications { s: <>(b != 0); }
}
`
	read := func() (list [][]int, of []int) {
		a, err := ta.Parse("loops.ta", model)
		if err != nil {
			t.Fatal(err)
		}
		list, of = a.Components()
		for _, r := range a.Rules {
			if of[r.From] > of[r.To] {
				t.Fatalf("%v: rule %s leads back", list, r.ID)
			}
		}
		return list, of
	}
	list, of := read()
	if want := "[[0 1] [2 3] [4 5]] [0 0 1 1 2 2]"; fmt.Sprint(list, of) != want {
		t.Fatalf("components %v %v, want %s", list, of, want)
	}
	for range 50 {
		if again, _ := read(); fmt.Sprint(again) != fmt.Sprint(list) {
			t.Fatalf("components %v, then %v", list, again)
		}
	}
}
