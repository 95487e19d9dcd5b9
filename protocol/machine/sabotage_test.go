package machine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// forgetful is a graph whose constraints of fairness keep their names along
// steps, though states are renumbered.
type forgetful struct{ *graph }

func (forgetful) Renamed(explore.Step) []int { return nil }

// overtaking is a protocol in which one process goes to and fro while another
// one, in between, could do what the property asks for: in canonical states the first is before
// or behind the other.
func overtaking(seed int) string {
	at := rand.New(rand.NewPCG(uint64(seed), 1)).Perm(10)
	return fmt.Sprintf(`protocol overtaking;
type N: role[2];
var node: array[N] of record x: 0..9; done: bool end;
init [](f: N) start: for k: N do node[k].done := false; if k = f then node[k].x := %[1]d else node[k].x := %[2]d endif endfor
rules [](i: N) step:
  if node[i].x = %[1]d then node[i].x := %[3]d
  elsif node[i].x = %[3]d then node[i].x := %[1]d
  else node[i].done := true endif
ltl live fair: F exists (k: N) node[k].done;`, at[0], at[1], at[2])
}

// TestOvertaking decides the property of overtaking, which holds.
func TestOvertaking(t *testing.T) {
	for seed := range 20 {
		m, err := instantiate.Read("p.ftdp", overtaking(seed), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, plain := range []bool{false, true} {
			r, err := Check(context.Background(), m, []*protocol.Prop{&m.Props[0]}, Options{Plain: plain})
			if err != nil || r[0].Verdict != Holds || r[0].Symmetric == plain {
				t.Errorf("seed %d: %+v, %v", seed, r, err)
			}
		}
	}
}

// deep changes what the statements of a model say, on a copy.
func deep(m *protocol.Model, change func(*protocol.Step)) {
	var copied func(list []*protocol.Step) []*protocol.Step
	copied = func(list []*protocol.Step) (out []*protocol.Step) {
		for _, s := range list {
			next := *s
			next.Blocks = nil
			for _, b := range s.Blocks {
				next.Blocks = append(next.Blocks, copied(b))
			}
			change(&next)
			out = append(out, &next)
		}
		return out
	}
	m.Rules = slices.Clone(m.Rules)
	for i := range m.Rules {
		m.Rules[i].Body = copied(m.Rules[i].Body)
	}
}

// TestSabotageCollections does what TestSabotage does for sequences, sets, several messages a step,
// named values, rules that may be left out, restarts and duplication.
func TestSabotageCollections(t *testing.T) {
	value := func(op ftdp.Op, to func(*protocol.Term) *protocol.Term) func(*protocol.Model) {
		return func(m *protocol.Model) {
			deep(m, func(s *protocol.Step) {
				if s.Value != nil && s.Value.Op == op {
					s.Value = to(s.Value)
				}
			})
		}
	}
	number := func(n int32, t *protocol.Type) *protocol.Term {
		return &protocol.Term{Op: ftdp.Number, Type: t, Value: n}
	}
	forget := func(label string, steps func([]*protocol.Step) []*protocol.Step) func(*protocol.Model) {
		return func(m *protocol.Model) {
			m.Rules = slices.Clone(m.Rules)
			for i := range m.Rules {
				if m.Rules[i].Label == label {
					m.Rules[i].Body = steps(m.Rules[i].Body)
				}
			}
		}
	}
	first := func(s *protocol.Step) { // sends less
		for i, b := range s.Blocks {
			at := slices.IndexFunc(b, func(s *protocol.Step) bool { return s.Kind == protocol.StepSend })
			if at >= 0 {
				s.Blocks[i] = slices.Delete(slices.Clone(b), at, at+1)
			}
		}
	}
	whole := func(t *protocol.Term) *protocol.Term { return t.Args[0] }
	for _, c := range []struct {
		name  string
		shows int64 // a case that shows it
		spoil func(m *protocol.Model)
	}{
		{"messages do not stay", 13, func(m *protocol.Model) { m.Channels.Duplicating = !m.Channels.Duplicating }},
		{"restarts change nothing", 25, forget("restart", func([]*protocol.Step) []*protocol.Step { return nil })},
		{"restarts forget half", 14, forget("restart", func(list []*protocol.Step) []*protocol.Step { return list[:len(list)/2] })},
		{"the second message replaces the first", 50, func(m *protocol.Model) { deep(m, first) }},
		{"a slice is the whole", 17, value(ftdp.Slice, whole)},
		{"nothing is appended", 8, value(ftdp.Append, whole)},
		{"sets have all members", 1, value(ftdp.Collect, func(t *protocol.Term) *protocol.Term {
			all := *t
			all.Args = []*protocol.Term{number(1, t.Args[0].Type)}
			return &all
		})},
		{"a default is another", 17, value(ftdp.Max, func(t *protocol.Term) *protocol.Term {
			other := *t
			if len(t.Args) == 3 {
				other.Args = []*protocol.Term{t.Args[0], t.Args[1], number(1, t.Args[2].Type)}
			}
			return &other
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range need.First(c.shows, 400) {
				m, err := instantiate.Read("random.ftdp", random.Collections(rand.New(rand.NewPCG(uint64(seed), 27))), nil)
				if err != nil {
					t.Fatal(err)
				}
				g, err := explored(&interp.Interpreter{Model: m}, 300)
				if err != nil {
					continue
				}
				copied := *m
				c.spoil(&copied)
				x, err := newMachine(&copied, interp.Options{}, nil, 0, false, nil)
				if err != nil {
					t.Fatal(err)
				}
				r, err := explore.Reach(context.Background(), x, 0, explore.Bounds{Jobs: 1, States: 5000})
				if err != nil || r.Failed != nil || r.Reason != "" || r.States != int64(len(g.states)) {
					t.Logf("found in case %d", seed)
					return
				}
			}
			t.Error("not found")
		})
	}
}

// TestSabotage makes deliberate mistakes; the comparison with the
// interpreter has to find each within some hundred random protocols.
func TestSabotage(t *testing.T) {
	count := func(x *machine) int64 {
		r, err := explore.Reach(context.Background(), x, 0, explore.Bounds{Jobs: 1, States: 20_000})
		if err != nil || r.Failed != nil || r.Reason != "" {
			return -1
		}
		return r.States
	}
	states := func(spoil func(m *protocol.Model, x *machine), symmetric bool) func(m *protocol.Model, g *full) bool {
		return func(m *protocol.Model, g *full) bool {
			copied := *m
			x, err := newMachine(&copied, interp.Options{}, nil, 0, symmetric, nil)
			if err != nil {
				t.Fatal(err)
			}
			spoil(&copied, x)
			want := int64(len(g.states))
			if symmetric {
				orbits, _ := g.orbits()
				want = int64(orbits)
			}
			got := count(x)
			return got >= 0 && got != want
		}
	}
	for _, c := range []struct {
		name  string
		shows int64 // a case that shows it
		found func(m *protocol.Model, g *full) bool
	}{
		{"messages are never lost", 149, states(func(m *protocol.Model, _ *machine) { m.Channels.Lossy = false }, false)},
		{"channels hold more", 3, states(func(m *protocol.Model, _ *machine) { m.Channels.Bound++ }, false)},
		{"absence is not noticed", 35, states(func(m *protocol.Model, _ *machine) { m.Channels.Synchronous = !m.Channels.Synchronous }, false)},
		{"any order", 167, states(func(m *protocol.Model, _ *machine) { m.Channels.FIFO = !m.Channels.FIFO }, false)},
		{"crashes are left out", 91, states(func(_ *protocol.Model, x *machine) { x.Options.Implicit = true }, false)},
		{"variables do not speak of processes", 0, states(func(_ *protocol.Model, x *machine) { x.sym.locals = make([]bool, len(x.sym.locals)) }, true)},
		{"messages do not speak of processes", 3, states(func(_ *protocol.Model, x *machine) { x.sym.messages = !x.sym.messages }, true)},
		{"a process is not interchanged", 0, states(func(_ *protocol.Model, x *machine) { x.fixed[0] = true }, true)},
		{"fairness forgets who is who", 281, func(m *protocol.Model, g *full) bool {
			p := m.Lookup("live")
			if !slices.Contains(p.Fair, true) || len(g.states) > 400 {
				return false
			}
			cases, why, err := interp.Violation(m, p, true)
			if err != nil || why != "" {
				return false
			}
			violated := false
			for _, c := range cases {
				fixed := make([]bool, m.Processes())
				for _, q := range c.Fixed {
					fixed[q] = true
				}
				x, err := newMachine(m, interp.Options{}, nil, 0, true, fixed)
				if err != nil {
					t.Fatal(err)
				}
				x.fairly(p.Fair)
				spoilt := newGraph(x, explore.Bounds{})
				spoilt.sound = func(*compile.Env) bool { return true }
				f := spoilt.formula(c.Formula)
				found, err := explore.Search(context.Background(), forgetful{spoilt}, f, explore.Bounds{States: 1 << 20})
				if err != nil {
					return false
				}
				violated = violated || found.Start >= 0
			}
			return violated != g.violates(t, p)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range need.First(c.shows, 330) {
				text := random.Protocol(rand.New(rand.NewPCG(uint64(seed), 7)))
				if seed >= 300 {
					text = overtaking(int(seed))
				}
				m, err := instantiate.Read("random.ftdp", text, nil)
				if err != nil {
					t.Fatal(err)
				}
				g, err := explored(&interp.Interpreter{Model: m}, 1500)
				if err != nil {
					continue
				}
				if c.found(m, g) {
					t.Logf("found in case %d", seed)
					return
				}
			}
			t.Error("not found")
		})
	}
}
