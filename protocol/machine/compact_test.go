package machine

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// TestCompact holds compact searches against exact ones: as many states and steps, verdicts, depths; runs replay.
func TestCompact(t *testing.T) {
	violated, failed, cases := 0, 0, need.Cases(t, 60)
	for seed := range cases {
		r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)+seed), 8))
		text := random.Protocol(r)
		if seed%3 == 2 {
			text = random.Channels(r)
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		var invariants []*protocol.Prop
		for i := range m.Props {
			if m.Props[i].Invariant != nil {
				invariants = append(invariants, &m.Props[i])
			}
		}
		o := Options{Crash: "explicit", Partial: Unreduced, Plain: seed%2 == 0, Bounds: explore.Bounds{Jobs: 1 + seed%3, States: 20_000}}
		exact, err := Check(context.Background(), m, invariants, o)
		o.Compact = true
		compact, other := Check(context.Background(), m, invariants, o)
		var wrong, again *ModelError
		if errors.As(err, &wrong) != errors.As(other, &again) || wrong != nil && len(wrong.Run.Events) != len(again.Run.Events) {
			t.Fatalf("seed %d: %v, and compact %v\n%s", seed, err, other, text)
		}
		if err != nil {
			failed++
			continue
		}
		for i, e := range exact {
			c := compact[i]
			if e.Verdict == Unknown && c.Verdict == Unknown {
				continue
			}
			if c.Verdict != e.Verdict || c.Depth != e.Depth || c.States != e.States || c.Transitions != e.Transitions || c.Deadlocks != e.Deadlocks {
				t.Errorf("seed %d: %s: %+v, and compact %+v\n%s", seed, e.Property, e, c, text)
			}
			if c.Verdict == Holds && (c.Missed <= 0 && c.States > 1 || c.Missed > 1e-9 || c.States > 1 && c.Reason == "") {
				t.Errorf("seed %d: the probability of having missed something is %g (%s)", seed, c.Missed, c.Reason)
			}
			if c.Verdict == Violated {
				violated++
			}
		}
	}
	if violated < cases/6 || failed < cases/30 {
		t.Errorf("%d violated, %d with an error: too few to say anything", violated, failed)
	}
}

// TestCompactRefused: what a compact search cannot do is said.
func TestCompactRefused(t *testing.T) {
	m := read(t, "rb", nil)
	for i := range m.Props {
		p := &m.Props[i]
		for _, partial := range []string{"", LPOR, DPOR} {
			_, err := Check(context.Background(), m, []*protocol.Prop{p}, Options{Partial: partial, Bounds: explore.Bounds{Compact: true, States: 100}})
			if (err == nil) != (partial == "" && p.Invariant != nil) {
				t.Errorf("%s, %q: %v", p.Name, partial, err)
			}
		}
	}
}

// lateContext is a context whose time is up as soon as it is asked so many times.
type lateContext struct {
	context.Context
	asked, at int
	end       context.CancelFunc
}

func (c *lateContext) Err() error {
	if c.asked++; c.asked == c.at {
		c.end()
	}
	return c.Context.Err()
}

// TestFoundIsTold: the run of a violation that a compact search has found is made, though time is up when it begins to be.
func TestFoundIsTold(t *testing.T) {
	m := read(t, "paxos_learner", nil)
	p := m.Lookup("agreement")
	check := func(at int) (*Result, int) {
		ctx, end := context.WithTimeout(t.Context(), time.Hour)
		defer end()
		c := &lateContext{ctx, 0, at, end}
		r, err := Check(c, m, []*protocol.Prop{p}, Options{Partial: Unreduced, Bounds: explore.Bounds{Compact: true, Jobs: 1}})
		if err != nil {
			t.Fatal(err)
		}
		return r[0], c.asked
	}
	all, asked := check(0)
	if all.Run == nil || asked < 3 {
		t.Fatalf("%+v", all)
	}
	if r, _ := check(asked); r.Verdict != Violated || r.Run == nil {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
	if r, _ := check(1); r.Verdict != Unknown {
		t.Errorf("time is up at the beginning: %s", r.Verdict)
	}
}
