package trace

import (
	"math/rand/v2"
	"testing"

	"tacheck/protocol"
	"tacheck/testkit/need"
	"tacheck/testkit/random"
)

// TestLooks: where a step changes nothing that an invariant looks at, the invariant is what it was;
// and steps that change nothing of it are common.
func TestLooks(t *testing.T) {
	skipped, looked, changed := 0, 0, 0
	for seed := range need.Cases(t, 60) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		m, err := protocol.Read("random.ftdp", random.Protocol(r), nil)
		if err != nil {
			t.Fatal(err)
		}
		x := &protocol.Interpreter{Model: m}
		list, err := x.Initial()
		if err != nil {
			continue
		}
		s := list[r.IntN(len(list))].State
		for range 25 {
			next, err := x.Successors(s)
			if err != nil {
				break
			}
			n := next[r.IntN(len(next))].State
			for i := range m.Props {
				p := &m.Props[i]
				if p.Invariant == nil {
					continue
				}
				was, err := x.Holds(s, p.Invariant, p.Frame)
				is, also := x.Holds(n, p.Invariant, p.Frame)
				switch same := newLooks(m, p.Invariant).same(m, s, n); {
				case same && (was != is || (err == nil) != (also == nil)):
					t.Fatalf("seed %d: %s changes from %v to %v, and what it looks at does not", seed, p.Name, was, is)
				case same:
					skipped++
				case was != is:
					changed++
				default:
					looked++
				}
			}
			s = n
		}
	}
	t.Logf("the same %d times, looked at %d times, another value %d times", skipped, looked, changed)
	if skipped == 0 || changed == 0 {
		t.Error("nothing was tested")
	}
}
