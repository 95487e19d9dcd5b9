package cover

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/testkit/need"
)

func model(t *testing.T, name string, set map[string]int64) *protocol.Model {
	t.Helper()
	text, ok := benchmarks.Read(name)
	if !ok {
		t.Fatal("no", name)
	}
	m, err := instantiate.Read(name, text, set)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCover: the runs of five protocols are runs, cover what they say, and all rules; beside
// them stand random walks that cover the same.
func TestCover(t *testing.T) {
	for _, test := range []struct {
		name string
		set  map[string]int64
	}{{"storage.ftdp", nil}, {"paxos.ftdp", nil}, {"multicast.ftdp", nil}, {"rb.ftdp", nil}, {"bakery.ftdp", nil}} {
		m := model(t, test.name, test.set)
		for _, what := range all {
			states := need.Number(t, "TACHECK_COVER", 400)
			if what == Rules {
				states = DefaultStates // that end when all are covered
			}
			c, err := Find(t.Context(), m, what, states)
			if err != nil {
				t.Fatalf("%s %s: %v", test.name, what, err)
			}
			steps, covered := 0, map[string]bool{}
			for _, r := range c.Runs {
				steps += len(r.Steps)
				for _, g := range r.Covers {
					covered[g] = true
				}
				if _, err := json.Marshal(r); err != nil {
					t.Fatal(err)
				}
				if _, err := story.Told(r.Replay()).ITF(); err != nil {
					t.Fatal(err)
				}
			}
			if len(covered) != len(c.Covered) {
				t.Errorf("%s %s: the runs cover %d goals of %d", test.name, what, len(covered), len(c.Covered))
			}
			if what == Rules && len(c.Missed) > 0 {
				t.Errorf("%s: rules that are not covered: %v", test.name, c.Missed)
			}
			for i, r := range c.Runs {
				again := goalsOf(t, m, what, r.Replay())
				for _, g := range r.Covers {
					if !again[g] && what != Conditions {
						t.Errorf("%s %s: run %d does not cover %s", test.name, what, i, g)
					}
				}
			}
			if walks := need.Number(t, "TACHECK_WALKS", 0); walks > 0 && what != Conditions {
				n, length := randomWalks(t, m, what, c.Covered, 2*longest(c), walks)
				t.Logf("%-15s %-10s %3d of %3d goals (%v all states): %2d runs, %3d steps; random walks: %d, %d steps", test.name, what, len(c.Covered), len(c.Covered)+len(c.Missed), c.Whole, len(c.Runs), steps, n, length)
			} else {
				t.Logf("%-15s %-10s %3d of %3d goals (%v all states): %2d runs, %3d steps", test.name, what, len(c.Covered), len(c.Covered)+len(c.Missed), c.Whole, len(c.Runs), steps)
			}
		}
	}
}

func longest(c *Cover) int {
	n := 0
	for _, r := range c.Runs {
		n = max(n, len(r.Steps))
	}
	return n
}

// goalsOf evaluates what a run covers, from its events.
func goalsOf(t *testing.T, m *protocol.Model, what What, r *interp.Run) map[string]bool {
	t.Helper()
	s := &search{x: &interp.Interpreter{Model: m}, what: what}
	out := map[string]bool{}
	var last *node
	for k := range r.Events {
		n := &node{state: r.States[k], event: r.Events[k], parent: last}
		if last != nil {
			list, err := s.reached(last, n)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range list {
				out[g] = true
			}
		}
		last = n
	}
	return out
}

// randomWalks counts walks and steps until all goals are covered, or so many walks were taken.
func randomWalks(t *testing.T, m *protocol.Model, what What, goals []string, length, most int) (walks, steps int) {
	t.Helper()
	s := &search{x: &interp.Interpreter{Model: m}, what: what}
	r := rand.New(rand.NewPCG(1, 2))
	left := map[string]bool{}
	for _, g := range goals {
		left[g] = true
	}
	starts, err := s.x.Initial()
	if err != nil {
		t.Fatal(err)
	}
	for ; len(left) > 0 && walks < most; walks++ {
		first := starts[r.IntN(len(starts))]
		n := &node{state: first.State, event: first.Event}
		for range length {
			list, err := s.x.Successors(n.state)
			if err != nil {
				t.Fatal(err)
			}
			list = slices.DeleteFunc(list, func(k interp.Successor) bool { return k.Event.Fate == interp.Idle })
			if len(list) == 0 {
				break
			}
			k := list[r.IntN(len(list))]
			next := &node{state: k.State, event: k.Event, parent: n}
			reached, err := s.reached(n, next)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range reached {
				delete(left, g)
			}
			steps++
			n = next
		}
	}
	return walks, steps
}

// TestExpected: what is expected after steps is what the interpreter says.
func TestExpected(t *testing.T) {
	m := model(t, "storage.ftdp", nil)
	c, err := Find(t.Context(), m, Rules, 2000)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range c.Runs {
		now := map[string]Process{}
		for _, p := range run.Initial {
			now[p.Name] = p
		}
		for k, s := range run.Steps {
			for _, p := range s.Changed {
				now[p.Name] = p
			}
			state := run.Replay().States[k+1]
			for p := range state.Cells {
				want := process(m, state, p)
				got, _ := json.Marshal(now[want.Name])
				text, _ := json.Marshal(want)
				if string(got) != string(text) {
					t.Errorf("step %d: %s, want %s", k+1, got, text)
				}
			}
		}
	}
}
