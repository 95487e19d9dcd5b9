package interference

import (
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
)

// BenchmarkNew is the time before exploration with partial orders begins.
func BenchmarkNew(b *testing.B) {
	for _, file := range []string{"paxos_drained.ftdp", "multicast_drained.ftdp", "storage_drained.ftdp", "rb.ftdp"} {
		text, _ := benchmarks.Read(file)
		m, err := instantiate.Read(file, text, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(file, func(b *testing.B) {
			for b.Loop() {
				if _, err := New(b.Context(), m, interp.Options{}, Combined); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestRelations holds relations of Paxos against what its pseudo-code says.
func TestRelations(t *testing.T) {
	text, _ := benchmarks.Read("paxos.ftdp")
	m, err := instantiate.Read("paxos.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(t.Context(), m, interp.Options{}, Combined)
	if err != nil {
		t.Fatal(err)
	}
	number := map[string]int{}
	for i := range a.Transitions {
		number[a.Name(i)] = i
	}
	depends := func(x, y string) bool {
		i, ok := number[x]
		k, also := number[y]
		if !ok || !also {
			t.Fatalf("no transition %q or %q", x, y)
		}
		return a.Relations.Dependent[i].Has(k)
	}
	const promise1, promise2 = "promise of acceptor 1 from proposer 1", "promise of acceptor 1 from proposer 2"
	const propose12, propose23 = "propose of proposer 1 from acceptor 1 and acceptor 2", "propose of proposer 1 from acceptor 2 and acceptor 3"
	for _, c := range []struct {
		x, y string
		want bool
	}{
		{promise1, promise2, true}, // both change what is promised
		{promise1, "promise of acceptor 2 from proposer 1", false},
		{propose12, propose23, true}, // one proposal each
		{propose12, promise1, true},  // which might send another promise
		{promise1, propose12, false}, // and loses nothing to it
		{"prepare of proposer 1", "prepare of proposer 2", false},
		{"prepare of proposer 1", propose12, false}, // there is room in all channels
	} {
		if got := depends(c.x, c.y); got != c.want {
			t.Errorf("%s depends on %s: %v (%v)", c.x, c.y, got, a.why(number[c.x], number[c.y]))
		}
	}
	if !a.Terminates {
		t.Error("every run of Paxos with one proposal each ends")
	}
	for channel, full := range a.fills {
		if full {
			t.Errorf("the channel from %s to %s is never full", interp.ProcessName(m, channel[0]), interp.ProcessName(m, channel[1]))
		}
	}
	// What is learnt is never unlearnt.
	p := m.Lookup("agreement")
	a.Watch(p.Invariant, p.Frame)
	if a.Relations.Restoring.Len() != 0 || a.Relations.Violating.Len() != 3 {
		t.Errorf("restoring %v, violating %v", a.Relations.Restoring.List(), a.Relations.Violating.List())
	}
}
