package protocol_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// TestSingle: what one event does in a state is what it does among all that can happen there; an event that cannot happen
// there, because something of it was changed, does nothing.
func TestSingle(t *testing.T) {
	count := map[string]int{}
	for seed := range need.Cases(t, 60) {
		r := rand.New(rand.NewPCG(uint64(seed), 21))
		m, err := instantiate.Read("random.ftdp", []func(*rand.Rand) string{random.Protocol, random.Channels, random.Collections}[seed%3](r), nil)
		if err != nil {
			t.Fatal(err)
		}
		how := interp.Options{Traffic: []interp.Traffic{interp.Direct, interp.Reference, interp.Generalized}[r.IntN(3)], Implicit: r.IntN(4) == 0}
		x := &interp.Interpreter{Model: m, Options: how}
		list, err := x.Initial()
		if err != nil || len(list) == 0 {
			continue
		}
		s := list[r.IntN(len(list))].State
		for range 12 {
			next, err := x.Successors(s)
			if err != nil || len(next) == 0 || len(next) > 300 {
				break
			}
			for range 8 {
				n := next[r.IntN(len(next))]
				e, what := spoiled(m, n.Event, r)
				got, _, err := x.Single(s, e)
				at := slices.IndexFunc(next, func(n interp.Successor) bool { return same(n.Event, e) })
				switch {
				case at < 0 && err == nil:
					t.Fatalf("seed %d: %s (%s) happens, and is none of what can happen", seed, interp.Describe(m, e), what)
				case at >= 0 && (err != nil || got.Key() != next[at].State.Key()):
					t.Fatalf("seed %d: %s (%s): %v, another state than among all that can happen", seed, interp.Describe(m, e), what, err)
				case at < 0:
					count[what+", impossible"]++
				default:
					count[what]++
				}
			}
			s = next[r.IntN(len(next))].State
		}
	}
	t.Logf("%v", count)
	for _, what := range []string{"as it is", "a parameter, impossible", "a message, impossible", "a mark, impossible", "a fate, impossible"} {
		if count[what] == 0 {
			t.Errorf("%s: nothing was tested", what)
		}
	}
}

// spoiled is an event with perhaps one part changed.
func spoiled(m *protocol.Model, e interp.Event, r *rand.Rand) (out interp.Event, what string) {
	out = e
	out.Frame, out.Packets = slices.Clone(e.Frame), slices.Clone(e.Packets)
	switch k := r.IntN(6); {
	case e.Init || e.Fate == interp.Idle || e.Fate == interp.Delivered:
	case k == 0 && len(out.Frame) > 0:
		out.Frame[r.IntN(len(out.Frame))] += int32(1 - 2*r.IntN(2))
		return out, "a parameter"
	case k == 1 && len(out.Packets) > 0:
		p := &out.Packets[r.IntN(len(out.Packets))]
		p.Message = slices.Clone(p.Message)
		if len(p.Message) > 0 {
			p.Message[r.IntN(len(p.Message))] += int32(1 - 2*r.IntN(2))
		}
		return out, "a message"
	case k == 2 && len(out.Packets) > 0:
		p := &out.Packets[r.IntN(len(out.Packets))]
		if r.IntN(2) == 0 {
			p.Absent = !p.Absent
		} else {
			p.Kept = !p.Kept
		}
		return out, "a mark"
	case k == 3:
		out.Fate = []interp.Fate{interp.Processed, interp.Lost, interp.Stopped}[r.IntN(3)]
		return out, "a fate"
	}
	return out, "as it is"
}

func same(a, b interp.Event) bool {
	return a.Init == b.Init && a.Fate == b.Fate && a.To == b.To && (a.Fate == interp.Idle || a.Fate == interp.Delivered || a.Rule == b.Rule && slices.Equal(a.Frame, b.Frame)) &&
		slices.EqualFunc(a.Packets, b.Packets, func(p, q protocol.Packet) bool {
			return p.From == q.From && p.Absent == q.Absent && p.Kept == q.Kept && slices.Equal(p.Message, q.Message)
		})
}
