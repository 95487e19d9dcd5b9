package machine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interference"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/stubborn"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

var splits = []interference.Split{interference.None, interference.Quorum, interference.Reply, interference.Combined}

// nosy has rules look at the states of other processes.
var nosy = strings.NewReplacer(
	"if not node[i].done then", "if exists (k: N) node[k].done then",
	"if node[i].x = 0 then", "if forall (k: N) node[k].x = 0 then",
	"if node[i].x < 1 then", "if count (k: N) (node[k].x = 0) >= 1 and node[i].x < 1 then",
	"if node[i].x != 1 then", "if not (exists (k: N) (node[k].done and k != i)) then",
	"node[i].done := not node[i].done", "node[i].done := exists (k: N) node[k].x = 0",
)

// TestPartialOrders holds reductions against the full graph: on random
// protocols, all properties get the same verdict, errors in the model are found
// where there are some, and there are as many deadlocks.
func TestPartialOrders(t *testing.T) {
	cases, seed := need.Cases(t, 18), need.Seed(t, 1)
	count := map[string]int{}
	for i := range cases {
		text := random.Protocol(rand.New(rand.NewPCG(uint64(seed+i), 7)))
		switch i % 6 {
		case 1, 3, 5:
			text = random.Channels(rand.New(rand.NewPCG(uint64(seed+i), 7)))
		case 2:
			text = nosy.Replace(text)
		case 4:
			text = random.Collections(rand.New(rand.NewPCG(uint64(seed+i), 27)))
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, crash := range []string{"explicit", "implicit"} {
			back := hurry(seed + i)
			problem := reductions(m, crash, 1+i%2, count)
			if back(); problem != "" {
				t.Fatalf("seed %d: crash %s: %s\n%s", seed+i, crash, problem, text)
			}
		}
	}
	t.Log(count)
}

// reductions compares all reductions of a model with the full graph.
func reductions(m *protocol.Model, crash string, jobs int, count map[string]int) string {
	ctx := context.Background()
	bounds := explore.Bounds{Jobs: jobs, States: 4000}
	for _, plain := range []bool{true, false} {
		full := Options{Crash: crash, Plain: plain, Partial: Unreduced, Bounds: bounds}
		var model *ModelError
		all, err := Count(ctx, m, full)
		failed := errors.As(err, &model)
		if err != nil && !failed {
			return err.Error()
		}
		if !failed && all.Verdict == Unknown {
			count["large"]++
			continue
		}
		var want []*Result
		for i := range m.Props {
			r, err := Check(ctx, m, []*protocol.Prop{&m.Props[i]}, full)
			if err != nil && !errors.As(err, &model) {
				return err.Error()
			}
			if err != nil {
				r = []*Result{nil}
			}
			want = append(want, r[0])
		}
		if plain && !failed {
			if problem := dynamically(m, full, all, want, count); problem != "" {
				return problem
			}
		}
		for _, mode := range []string{LPOR, LPORNet, ""} {
			for _, split := range splits {
				if mode == "" && split != interference.Combined {
					continue
				}
				o := full
				o.Partial, o.Split, o.States = mode, split, 0 // there are few
				what := fmt.Sprintf("%s, split %s, plain %v", mode, split, plain)
				got, err := Count(ctx, m, o)
				if errors.As(err, &model) != failed {
					return fmt.Sprintf("%s: error %v, and there should be one: %v", what, err, failed)
				}
				if err != nil {
					count["errors"]++
					continue
				}
				if got.Deadlocks != all.Deadlocks || got.States > all.States {
					return fmt.Sprintf("%s: %d deadlocks in %d states, want %d in %d", what, got.Deadlocks, got.States, all.Deadlocks, all.States)
				}
				count["states"] += int(all.States)
				count["states with "+mode] += int(got.States)
				for i := range m.Props {
					p := &m.Props[i]
					r, err := Check(ctx, m, []*protocol.Prop{p}, o)
					if err != nil && !errors.As(err, &model) {
						return fmt.Sprintf("%s: %s: %v", what, p.Name, err)
					}
					switch {
					case err != nil && want[i] == nil:
					case err != nil || want[i] == nil:
						return fmt.Sprintf("%s: %s: error %v, want %v", what, p.Name, err, want[i])
					case want[i].Verdict == Unknown: // for the limit
					case r[0].Verdict != want[i].Verdict:
						return fmt.Sprintf("%s: %s is %s, want %s", what, p.Name, r[0].Verdict, want[i].Verdict)
					default:
						count[string(r[0].Verdict)]++
					}
				}
			}
		}
	}
	return ""
}

// dynamically compares dynamic reduction with the full graph.
func dynamically(m *protocol.Model, full Options, all *Result, want []*Result, count map[string]int) string {
	ctx := context.Background()
	for i := range m.Props {
		p := &m.Props[i]
		if p.Invariant == nil || want[i] == nil {
			continue
		}
		o := full
		o.Partial, o.States = DPOR, 20_000
		r, err := Check(ctx, m, []*protocol.Prop{p}, o)
		if err != nil {
			return fmt.Sprintf("dpor: %s: %v", p.Name, err)
		}
		switch {
		case r[0].Verdict == Unknown:
			count["dpor unknown"]++
		case r[0].Verdict != want[i].Verdict:
			return fmt.Sprintf("dpor: %s is %s, want %s", p.Name, r[0].Verdict, want[i].Verdict)
		case r[0].Verdict == Holds && r[0].Deadlocks != all.Deadlocks:
			return fmt.Sprintf("dpor: %d deadlocks, want %d", r[0].Deadlocks, all.Deadlocks)
		default:
			count["dpor"]++
		}
	}
	return ""
}

// TestPartialSuite compares reductions with the full graph on the embedded
// protocols.
func TestPartialSuite(t *testing.T) {
	every := need.Every(t, 9)
	for i, e := range benchmarks.ExpectedProtocols() {
		if i%every > 0 {
			continue
		}
		t.Run(fmt.Sprint(e.File, e.Set, e.Property), func(t *testing.T) {
			text, _ := benchmarks.Read(e.File)
			m, err := instantiate.Read(e.File, text, e.Set)
			if err != nil {
				t.Fatal(err)
			}
			p := m.Lookup(e.Property)
			check := func(o Options) *Result {
				o.Bounds = explore.Bounds{Jobs: 2, States: 60_000}
				r, err := Check(context.Background(), m, []*protocol.Prop{p}, o)
				if err != nil {
					t.Fatal(err)
				}
				return r[0]
			}
			for _, plain := range []bool{true, false} {
				full := check(Options{Plain: plain, Partial: Unreduced})
				for _, mode := range []string{LPOR, LPORNet} {
					for _, split := range splits {
						if (mode == LPOR || !plain || split != interference.None) && split != interference.Combined {
							continue
						}
						r := check(Options{Plain: plain, Partial: mode, Split: split})
						if r.Verdict == Unknown {
							t.Logf("%s, %s: %s", mode, split, r.Reason)
							continue
						}
						if r.Verdict != e.Verdict {
							t.Errorf("%s, %s: %s, want %s: %s", mode, split, r.Verdict, e.Verdict, e.Why)
						}
						if full.Verdict == Holds && r.Partial != Unreduced && p.Invariant != nil && (r.Deadlocks != full.Deadlocks || r.States > full.States) {
							t.Errorf("%s, %s: %d deadlocks in %d states, want %d in %d", mode, split, r.Deadlocks, r.States, full.Deadlocks, full.States)
						}
					}
				}
			}
		})
	}
}

// passing has processes that pass through a state one after the other, or
// together.
const passing = `protocol passing;
channels asynchronous reliable authenticated unordered bounded 1;
type N: role[2];
var node: array[N] of record x: 0..2; end;
init start: for k: N do node[k].x := 0; endfor
rules [](i: N) go: if node[i].x < 2 then node[i].x := node[i].x + 1; endif
invariant some: forall (k: N) node[k].x < 3;
invariant both: not (forall (k: N) node[k].x = 1);
`

// TestPartialSabotage makes mistakes in the relations and what is done with
// them: comparing with the full graph has to find each.
func TestPartialSabotage(t *testing.T) {
	ends := 0 // depth at which the reduction is dropped, if not 0
	explored := func(m *protocol.Model, p *protocol.Prop, symmetric bool, spoil func(x *machine, r *rand.Rand)) (*explore.Reached, error) {
		var conditions []*protocol.Term
		frame := 0
		if p != nil {
			conditions, frame = []*protocol.Term{p.Invariant}, p.Frame
		}
		x, err := newMachine(m, interp.Options{}, conditions, frame, symmetric, nil)
		if err != nil {
			return nil, err
		}
		b := explore.Bounds{Jobs: 1, States: 4000}
		if spoil != nil {
			if err := x.follow(context.Background(), LPORNet, interference.Combined, conditions, false); err != nil {
				return nil, err
			}
			spoil(x, rand.New(rand.NewPCG(3, 5)))
			b.Reduce = func(r *explore.Reached) uint64 {
				if ends == 0 || r.Depth < ends {
					return 1
				}
				x.por.Terminates = true // nothing is looked after on the last level that is reduced
				return uint64(max(0, ends+1-r.Depth))
			}
		}
		return explore.Reach(context.Background(), x, len(conditions), b)
	}
	clearSets := func(sets []stubborn.Set) {
		for _, s := range sets {
			clear(s)
		}
	}
	for _, c := range []struct {
		name      string
		symmetric bool
		shows     int64 // a case that shows it; 0 is passing, others are random
		spoil     func(x *machine, r *rand.Rand)
	}{
		{"no dependencies between receipts", false, 4, func(x *machine, _ *rand.Rand) { clearSets(x.por.Relations.Dependent) }},
		{"a dependency is missing", false, 16, func(x *machine, r *rand.Rand) {
			for _, s := range x.por.Relations.Dependent {
				if list := s.List(); len(list) > 0 {
					t := list[r.IntN(len(list))]
					s[t/64] &^= 1 << (t % 64)
				}
			}
		}},
		{"enabling is missing", false, 29, func(x *machine, _ *rand.Rand) {
			for _, needs := range x.por.Relations.Needs {
				clearSets(needs)
			}
		}},
		{"one pair of enabling is missing", false, 215, func(x *machine, r *rand.Rand) {
			for _, needs := range x.por.Relations.Needs {
				for _, s := range needs {
					if list := s.List(); len(list) > 0 && r.IntN(2) == 0 {
						t := list[r.IntN(len(list))]
						s[t/64] &^= 1 << (t % 64)
					}
				}
			}
		}},
		{"nothing is visible", false, 0, func(x *machine, _ *rand.Rand) {
			clear(x.por.Relations.Violating)
			clear(x.por.Relations.Restoring)
		}},
		{"cycles are not looked for", false, 89, func(x *machine, _ *rand.Rand) { x.por.Terminates = true }},
		{"a reduction is dropped in the middle of a cycle", false, 643, func(*machine, *rand.Rand) { ends = 2 }},
		{"relations are those of one process only", true, 4, func(x *machine, _ *rand.Rand) {
			for i := range x.por.Transitions {
				if x.por.Transitions[i].Process > 0 {
					clear(x.por.Relations.Dependent[i])
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ends = 0
			for seed := range need.First(c.shows, 1500) {
				text := passing
				if seed > 0 {
					text = random.Protocol(rand.New(rand.NewPCG(uint64(seed-1), 7)))
				}
				m, err := instantiate.Read("random.ftdp", text, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range []*protocol.Prop{nil, m.Lookup("some"), m.Lookup("both")} {
					full, err := explored(m, p, c.symmetric, nil)
					if err != nil || full.Reason != "" || full.Failed != nil {
						continue
					}
					spoilt, err := explored(m, p, c.symmetric, c.spoil)
					if err != nil {
						t.Fatal(err)
					}
					found := p == nil && spoilt.Deadlocks != full.Deadlocks
					for i := range full.First {
						found = found || (full.First[i] == explore.None) != (spoilt.First[i] == explore.None)
					}
					if found {
						t.Logf("found in case %d", seed)
						return
					}
				}
			}
			t.Error("not found")
		})
	}
}

// TestDefault: where nothing is asked for, small spaces are visited whole, and
// large ones again with partial orders, for what is not decided by then.
func TestDefault(t *testing.T) {
	defer func(was int64) { soon = was }(soon)
	text, _ := benchmarks.Read("paxos_drained.ftdp")
	m, err := instantiate.Read("paxos_drained.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	props := []*protocol.Prop{m.Lookup("agreement"), m.Lookup("acceptedIsChosen")}
	for _, c := range []struct {
		soon    int64
		partial [2]string
	}{{1 << 19, [2]string{Unreduced, Unreduced}}, {15_000, [2]string{LPORNet, Unreduced}}, {100, [2]string{LPORNet, LPORNet}}} {
		soon = c.soon
		r, err := Check(context.Background(), m, props, Options{Bounds: explore.Bounds{Jobs: 2}})
		if err != nil {
			t.Fatal(err)
		}
		if r[0].Verdict != Holds || r[1].Verdict != Violated || r[0].Partial != c.partial[0] || r[1].Partial != c.partial[1] {
			t.Errorf("after %d: %s %s, %s %s", c.soon, r[0].Verdict, r[0].Partial, r[1].Verdict, r[1].Partial)
		}
	}
	// A limit that is asked for is one.
	soon = 1000
	r, err := Check(context.Background(), m, props[:1], Options{Bounds: explore.Bounds{Jobs: 1, States: 800}})
	if err != nil {
		t.Fatal(err)
	}
	if r[0].Verdict != Unknown || r[0].Partial != Unreduced {
		t.Errorf("%s %s", r[0].Verdict, r[0].Partial)
	}
}

// others is a text whose guards speak of other processes: of one, and of several.
const others = `protocol others;
type N: role[3];
var node: array[N] of record x: 0..2 = 0; done: bool = false; end;
define next(i: N) = i % 3 + 1;
rules
  [](i: N) first: if node[i].x < 2 and node[next(i)].x <= node[i].x then node[i].x += 1; endif
  [](i: N) one: if not node[next(i)].done and node[i].x = 2 then node[next(i)].done := true; endif
  [](i: N) all: if node[i].done and exists (k: N) node[k].x = 0 then node[i].x := 0; endif
`

// TestNeeds holds what is remembered of needs against the conditions in each state.
func TestNeeds(t *testing.T) {
	for i := range need.Cases(t, 12) {
		text := others
		if i > 0 {
			text = nosy.Replace(random.Protocol(rand.New(rand.NewPCG(uint64(i), 7))))
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := newMachine(m, interp.Options{}, nil, 0, false, nil)
		if err == nil {
			err = x.follow(context.Background(), LPORNet, interference.Combined, nil, false)
		}
		if err != nil {
			t.Fatal(err)
		}
		reached, err := explore.Reach(context.Background(), x, 0, explore.Bounds{Jobs: 1, States: 500})
		if err != nil {
			t.Fatal(err)
		}
		w, state := x.worker(), make([]uint32, x.slots)
		reached.Each(func(n uint32) {
			reached.Store.Read(n, state)
			if w.reducer.look(state) != nil {
				return
			}
			w.reducer.signature(state)
			w.load(state)
			for k, tr := range x.por.Transitions {
				for j, asked := range tr.Needs {
					if asked.Kind != interference.Local {
						continue
					}
					holds := x.at.Compiler().For(&m.Rules[tr.Rule], tr.Frame()).Test(asked.Condition)
					if w.reducer.Unmet(k, j) == w.reducer.holds(needBit{holds: holds, frame: tr.Frame()}) {
						t.Fatalf("case %d, state %d: need %d of %s\n%s", i, n, j, x.por.Name(k), text)
					}
				}
			}
		})
	}
}

// TestLeftOut: what never happens is no transition; what may be an error before it is false is one.
func TestLeftOut(t *testing.T) {
	m, err := instantiate.Read("left.ftdp", `protocol left;
const n = 2;
type N: role[n];
var node: array[N] of record x: 0..2; y: 0..2 = 0; end;
rules
  [](k: 0..1) [](i: N) sure: if node[i].y < 2 and k = 1 then node[i].y += 1; endif
  [](k: 0..1) [](i: N) unsure: if node[i].x < 2 and k = 1 then node[i].y := 0; endif
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := interference.New(context.Background(), m, interp.Options{}, interference.None)
	if err != nil || len(a.Transitions) != 2+4 {
		t.Errorf("%d transitions, want 6; %v", len(a.Transitions), err)
	}
}
