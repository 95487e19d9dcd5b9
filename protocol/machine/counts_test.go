package machine

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
)

func read(t testing.TB, name string, set map[string]int64) *protocol.Model {
	t.Helper()
	text, err := os.ReadFile("../../benchmarks/protocols/" + name + ".ftdp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read(name+".ftdp", string(text), set)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func invariants(m *protocol.Model) (list []*protocol.Term, frames int) {
	for _, p := range m.Props {
		if p.Invariant != nil {
			list = append(list, p.Invariant)
			frames = max(frames, p.Frame)
		}
	}
	return list, frames
}

// TestPublicModels compares numbers of states with those that TLC finds for public models of TLA+, written here with the same steps.
func TestPublicModels(t *testing.T) {
	for name, want := range map[string]int64{"tcommit": 34, "twophase": 288, "ewd840": 302, "peterson": 42} {
		text, err := os.ReadFile("testdata/tla/" + name + ".ftdp")
		if err != nil {
			t.Fatal(err)
		}
		m, err := instantiate.Read(name+".ftdp", string(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Check(context.Background(), m, []*protocol.Prop{&m.Props[0]}, Options{Plain: true, Partial: Unreduced})
		if err != nil || r[0].Verdict != Holds || r[0].States != want {
			t.Errorf("%s: %+v, %v, want %d states", name, r, err, want)
		}
	}
}

// TestPublished compares numbers of states with those of the paper (figure 6)
// and with ones that were counted by independent programs.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		name          string
		n             int64
		plain, orbits int64
	}{
		{"om1", 3, 1797, 345},
		{"om1", 4, 150417, 6999},
		{"paxos_literal", 3, 538998, 46606},
	} {
		m := read(t, c.name, map[string]int64{"n": c.n})
		for _, symmetric := range []bool{false, true} {
			if c.plain > 500_000 && !symmetric && need.Every(t, 2) > 1 {
				continue // a larger run counts them
			}
			x, err := newMachine(m, interp.Options{}, nil, 0, symmetric, nil)
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			r, err := explore.Reach(context.Background(), x, 0, explore.Bounds{Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			want := c.plain
			if symmetric {
				want = c.orbits
			}
			t.Log(c.name, c.n, symmetric, r.States, r.Transitions, r.Depth, time.Since(begin), float64(r.States)/time.Since(begin).Seconds(), r.Store.Bytes()/r.States)
			if r.States != want || r.Failed != nil || !r.Complete() {
				t.Errorf("%s with n=%d, symmetry %v: %d states, want %d (%v %s)", c.name, c.n, symmetric, r.States, want, r.Failed, r.Reason)
			}
		}
	}
}
