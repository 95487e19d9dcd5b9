package induct

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// TestOrderIsNoSymmetry explores instances of random protocols that order processes: states are not counted up to symmetry; and where they
// are, which is a deliberate mistake, this is noticed.
func TestOrderIsNoSymmetry(t *testing.T) {
	first, cases := need.Seed(t, 1), need.Cases(t, 20)
	compared, noticed := 0, false
	for seed := first; seed < first+max(cases, 40) && (seed < first+cases || !noticed); seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 33))
		m, err := instantiate.Read("random.ftdp", random.Ordered(r), map[string]int64{"n": 3, "t": 0, "m": 1})
		if err != nil || m.Asymmetry == nil {
			continue // the assumption is another one, or a mistake took order away
		}
		compared++
		for i := range m.Props {
			p := &m.Props[i]
			explored := func(plain bool) (verdict.Verdict, bool) {
				o := machine.Options{Plain: plain, Bounds: explore.Bounds{Jobs: 1, States: 2000}}
				list, err := machine.Check(context.Background(), m, []*protocol.Prop{p}, o)
				if err != nil {
					return "wrong", false
				}
				return list[0].Verdict, list[0].Symmetric
			}
			plain, _ := explored(true)
			usual, symmetric := explored(false)
			if usual != plain || symmetric {
				t.Errorf("seed %d: %s is %v, and %v with no reduction (symmetric: %v)", seed, p.Name, usual, plain, symmetric)
			}
			if plain == machine.Unknown || noticed {
				continue
			}
			hints := m.Asymmetry
			m.Asymmetry = nil
			mistaken, _ := explored(false)
			m.Asymmetry = hints
			noticed = mistaken != plain
		}
	}
	if compared == 0 || !noticed {
		t.Errorf("%d protocols; that they are explored as if they had symmetry is noticed: %v", compared, noticed)
	}
	t.Logf("%d protocols", compared)
}

// TestTies finds the lemmas of the bakery as it was published, in which ties are broken by the numbers of processes.
func TestTies(t *testing.T) {
	need.More(t, "finding lemmas that order processes")
	file := everySizeTexts + "ties.ftdp"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read(file, lemmas.ReplaceAllString(string(text), ""), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := EverySize(context.Background(), m, m.Lookup("mutex"), Options{Solver: z3.New})
	if err != nil || r.Verdict != machine.Holds || r.Given != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	ordered := false
	for _, l := range r.Lemmas {
		ordered = ordered || strings.Contains(l.Name, " < j)") || strings.Contains(l.Name, "i < j")
	}
	if !ordered {
		t.Errorf("no lemma orders processes: %v", r.Lemmas)
	}
}
