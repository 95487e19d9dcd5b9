package machine

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol/interp"
)

func BenchmarkPaxos(b *testing.B) {
	for _, c := range []struct {
		name      string
		symmetric bool
		jobs      int
	}{{"plain", false, 1}, {"plain2", false, 2}, {"roles", true, 1}} {
		b.Run(c.name, func(b *testing.B) {
			m := read(b, "paxos_literal", nil)
			states := int64(0)
			for b.Loop() {
				list, frames := invariants(m)
				x, err := newMachine(m, interp.Options{}, list[:1], frames, c.symmetric, nil)
				if err != nil {
					b.Fatal(err)
				}
				r, err := explore.Reach(context.Background(), x, 1, explore.Bounds{Jobs: c.jobs})
				if err != nil || r.First[0] != explore.None {
					b.Fatal(err, r.First)
				}
				states += r.States
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
		})
	}
}
