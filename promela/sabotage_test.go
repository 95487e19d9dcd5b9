package promela

import (
	"context"
	"math/rand"
	"testing"

	"tacheck/smt"
	"tacheck/smt/smtlib"
	"tacheck/smt/z3"
	"tacheck/ta"
	"tacheck/testkit/need"
	"tacheck/testkit/random"
	"tacheck/verify"
)

// TestSabotage makes mistakes in the translation, one at a time, and demands
// that some random case shows each: a formula is said to hold that the
// interpreter violates, or the automaton is none.
func TestSabotage(t *testing.T) {
	for name, c := range map[string]struct {
		mistakes
		shows int64 // a case that shows it
	}{
		"none":                 {mistakes{}, 0},
		"guards off by one":    {mistakes{guard: 1}, 38},
		"possible for certain": {mistakes{certainty: true}, 371},
		"merged regardless":    {mistakes{merge: true}, 9},
		"stale differences":    {mistakes{stale: true}, 0},
		"half of a sum":        {mistakes{sums: true}, 0},
		"joined the wrong way": {mistakes{joined: true}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			limit, wrong := int64(400), c.mistakes
			if name == "none" {
				limit = int64(need.Cases(t, 7))
			}
			for seed := range need.First(c.shows, limit) {
				text := random.Promela(rand.New(rand.NewSource(seed)))
				switch {
				case wrong.stale:
					text = aHead
				case wrong.sums:
					text = onceEach
				case wrong.joined:
					text = oneKind
				}
				if what := sabotaged(t, text, wrong); what != "" {
					if name == "none" {
						t.Fatalf("case %d, without any mistake: %s", seed, what)
					}
					t.Logf("caught in case %d: %s", seed, what)
					return
				}
			}
			if name != "none" {
				t.Errorf("not caught in %d cases", limit)
			}
		})
	}
}

// aHead has a difference that never becomes smaller.
const aHead = `symbolic int N, T, F; int a, b; assume(N >= 1); assume(F <= T);
active[N] proctype Proc() {
  byte pc = 0;
  do
    :: atomic { pc == 0 -> a++; pc = 1 }
    :: atomic { pc == 1 -> a++; b++; pc = 2 }
    :: atomic { pc == 2 && a - b >= 1 -> pc = 3 }
    :: atomic { pc == 2 -> skip }
  od
}
ltl never { [](all(Proc:pc != 3)) }
`

// onceEach has processes that go on if they have received two messages together, none alone.
const onceEach = `symbolic int N, T, F; int a, b; assume(N >= 2); assume(F <= T);
active[N] proctype Proc() {
  byte pc = 0; int got0 = 0, next0 = 0, got1 = 0, next1 = 0;
  do
    :: atomic { pc == 0 -> a++; b++; pc = 1 }
    :: atomic { pc == 1 && got1 < 1 -> havoc(next0); assume(next0 <= a); havoc(next1); assume(next1 <= b);
         got0 = next0; got1 = next1; next0 = 0; next1 = 0; pc = 2 }
    :: atomic { pc == 2 && got0 + got1 >= 2 && got0 < 2 && got1 < 2 -> pc = 3 }
  od
}
ltl never { [](all(Proc:pc != 3)) }
`

// oneKind has processes that receive messages of one kind only, but not all of the same.
const oneKind = `symbolic int N, T, F; int a; assume(N >= 2); assume(F <= T);
active[N] proctype Proc() {
  byte pc = 0; int got0 = 0, next0 = 0, got1 = 0, next1 = 0;
  do
    :: atomic { pc == 0 -> a++; pc = 1 }
    :: atomic { pc == 1 -> havoc(next0); assume(next0 <= a); got0 = next0; next0 = 0; pc = 2 }
    :: atomic { pc == 1 -> havoc(next1); assume(next1 <= a); got1 = next1; next1 = 0; pc = 3 }
  od
}
ltl never { [](!(some(Proc:got0 >= 1) && some(Proc:got1 >= 1))) }
`

func sabotaged(t *testing.T, text string, wrong mistakes) string {
	ctx := context.Background()
	m, err := Parse("random.pml", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	var s smt.Solver
	if z3.Available {
		s, err = z3.New()
	} else {
		s, err = smtlib.New(smtlib.Known["z3-pipe"])
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tr, err := translate(ctx, s, m, wrong.sums || wrong.joined, wrong)
	if err != nil {
		return err.Error()
	}
	a, err := ta.Parse("random.ta", tr.Text)
	if err != nil {
		return err.Error()
	}
	for i := range a.Specs {
		r, err := verify.Decide(ctx, a, &a.Specs[i], verify.Options{})
		if err != nil || r.Verdict != verify.Holds {
			continue
		}
		for n := int64(1); n <= 3; n++ {
			for tt := range n + 1 {
				for ff := range tt + 1 {
					in, bad := m.NewInstance([]int64{n, tt, ff})
					if bad != nil {
						continue
					}
					e, err := m.Explore(ctx, tr.Decided[i], in, 2000)
					if err == nil && e.Run != nil {
						return tr.Decided[i].Name + " holds, but exploration finds a run"
					}
				}
			}
		}
	}
	return ""
}
