package machine

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// TestForays holds single searches of a swarm against exploring, on random
// protocols: one without bounds sees as many states and decides the same; others
// find nothing that is not there, and keep to what there is.
func TestForays(t *testing.T) {
	cases := need.Cases(t, 8)
	ctx := context.Background()
	found, none := 0, 0
	for seed := range cases {
		m, err := instantiate.Read("random.ftdp", random.Protocol(rand.New(rand.NewPCG(uint64(seed), 17))), nil)
		if err != nil {
			t.Fatal(seed, err)
		}
		for i := range m.Props {
			p := &m.Props[i]
			if p.Invariant == nil {
				continue
			}
			o := Options{Partial: Unreduced, Bounds: explore.Bounds{States: 20_000}}
			want, err := Check(ctx, m, []*protocol.Prop{p}, o)
			var bad *ModelError
			if errors.As(err, &bad) || err == nil && want[0].Verdict == Unknown {
				continue
			}
			if err != nil {
				t.Fatal(seed, err)
			}
			for k := range 8 {
				f := explore.RandomSearch{Seed: uint64(k), Order: []explore.Order{explore.Deep, explore.Walk}[k%2], Reduce: k/2%2 == 1, Depth: 1 << 20, States: 1 << 16, Steps: 1 << 15}
				out, run, err := RandomSearch(ctx, m, []*protocol.Prop{p}, f, Options{})
				switch {
				case errors.As(err, &bad): // breadth first, the violation comes before it
				case err != nil:
					t.Fatalf("seed %d, %s, %+v: %v", seed, p.Name, f, err)
				case run != nil && (want[0].Verdict != Violated || run.Property != p.Name):
					t.Errorf("seed %d, %s, %+v: violated, and exploring says %s", seed, p.Name, f, want[0].Verdict)
				case want[0].Verdict == Holds && out.States > want[0].States:
					t.Errorf("seed %d, %s, %+v: %d states, of %d", seed, p.Name, f, out.States, want[0].States)
				case out.Whole && run == nil && (want[0].Verdict != Holds || out.States != want[0].States):
					t.Errorf("seed %d, %s, %+v: %d states and no violation; exploring: %s, %d", seed, p.Name, f, out.States, want[0].Verdict, want[0].States)
				case k == 0 && run == nil && !out.Whole && out.Transitions < f.Steps:
					t.Errorf("seed %d, %s: not at its end: %+v", seed, p.Name, out)
				}
				if run != nil {
					found++
				} else {
					none++
				}
			}
		}
	}
	if cases >= 8 && (found < cases || none < cases) {
		t.Errorf("the cases are one-sided: %d found, %d not", found, none)
	}
	t.Log(found, none)
}
