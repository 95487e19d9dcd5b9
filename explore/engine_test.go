package explore

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// randomGraph is a small graph with fair steps.
type randomGraph struct {
	start       []int
	steps       [][]Step
	atoms       [2][]bool
	constraints int
	fair        []int // by label: its constraint, or -1
}

func newRandomGraph(r *rand.Rand) *randomGraph {
	n := 1 + r.IntN(14)
	g := &randomGraph{constraints: r.IntN(3), start: []int{0}}
	for k := range g.atoms {
		for range n {
			g.atoms[k] = append(g.atoms[k], r.IntN(3) > 0)
		}
	}
	if r.IntN(3) == 0 && n > 1 {
		g.start = append(g.start, r.IntN(n-1)+1)
	}
	for s := range n {
		var list []Step
		for range 1 + r.IntN(2) {
			to := r.IntN(n)
			if r.IntN(2) == 0 {
				to = min(s+1, n-1)
			}
			list = append(list, Step{to, len(g.fair)})
			g.fair = append(g.fair, r.IntN(3)-1)
		}
		g.steps = append(g.steps, list)
	}
	for i, f := range g.fair {
		g.fair[i] = min(f, g.constraints-1)
	}
	return g
}

func (g *randomGraph) Initial() ([]int, error)          { return g.start, nil }
func (g *randomGraph) Successors(s int) ([]Step, error) { return g.steps[s], nil }
func (g *randomGraph) Holds(atom, s int) bool           { return g.atoms[atom][s] }
func (g *randomGraph) Constraints() int                 { return g.constraints }
func (g *randomGraph) Renamed(Step) []int               { return nil }
func (g *randomGraph) Taken(s Step) (list []int)        { return g.taken(s.Label) }
func (g *randomGraph) taken(label int) (list []int) {
	if c := g.fair[label]; c >= 0 {
		list = append(list, c)
	}
	return list
}

func (g *randomGraph) Enabled(s int) (list []int) {
	for _, e := range g.steps[s] {
		list = append(list, g.taken(e.Label)...)
	}
	return list
}

func randomFormula(r *rand.Rand, depth int) *Formula {
	if depth == 0 || r.IntN(5) == 0 {
		return &Formula{Op: Atom, Atom: r.IntN(2)}
	}
	op := Op(1 + r.IntN(6))
	f := &Formula{Op: op, Args: []*Formula{randomFormula(r, depth-1)}}
	if op != Finally && op != Globally {
		f.Args = append(f.Args, randomFormula(r, depth-1))
	}
	return f
}

// satisfies evaluates a formula on a lasso, at each of its states.
func (g *randomGraph) satisfies(f *Formula, states []int, loop int) []bool {
	n := len(states)
	out := make([]bool, n)
	if f.Op == Atom {
		for i, s := range states {
			out[i] = g.Holds(f.Atom, s)
		}
		return out
	}
	var args [][]bool
	for _, a := range f.Args {
		args = append(args, g.satisfies(a, states, loop))
	}
	for i := range out {
		out[i] = f.Op == Globally || f.Op == Release
	}
	for range n + 1 { // to the fixpoint
		for i := n - 1; i >= 0; i-- {
			next := out[loop]
			if i+1 < n {
				next = out[i+1]
			}
			switch f.Op {
			case And:
				out[i] = args[0][i] && args[1][i]
			case Or:
				out[i] = args[0][i] || args[1][i]
			case Finally:
				out[i] = args[0][i] || next
			case Globally:
				out[i] = args[0][i] && next
			case Until:
				out[i] = args[1][i] || args[0][i] && next
			case Release:
				out[i] = args[1][i] && (args[0][i] || next)
			}
		}
	}
	return out
}

// check evaluates what was found: a run of the graph, fair, that satisfies the
// formula. A finite one satisfies it however it goes on.
func (g *randomGraph) check(t *testing.T, f *Formula, found *Found) {
	t.Helper()
	states := []int{found.Start}
	follow := func(steps []Step) {
		for _, s := range steps {
			if !slices.Contains(g.steps[states[len(states)-1]], s) {
				t.Fatalf("no such step: %v", s)
			}
			states = append(states, s.To)
		}
	}
	if !slices.Contains(g.start, found.Start) {
		t.Fatal("the run does not begin at the start")
	}
	follow(found.Prefix)
	loop := len(states) - 1
	if found.Loop == nil {
		seen := map[int]int{}
		for at := states[loop]; ; at = states[len(states)-1] { // any way on
			if k, again := seen[at]; again {
				loop = k
				break
			}
			seen[at] = len(states) - 1
			follow(g.steps[at][:1])
		}
	} else {
		follow(found.Loop)
		if states[loop] != states[len(states)-1] {
			t.Fatal("the loop does not close")
		}
		for c := range g.constraints {
			met := false
			for k, s := range found.Loop {
				met = met || slices.Contains(g.Taken(s), c) || !slices.Contains(g.Enabled(states[loop+k]), c)
			}
			if !met {
				t.Fatalf("constraint %d is not met", c)
			}
		}
	}
	if loop < len(states)-1 {
		states = states[:len(states)-1]
	}
	if !g.satisfies(f, states, loop)[0] {
		t.Fatalf("the run does not satisfy the formula: %v, loop at %d", states, loop)
	}
}

// TestAbsorbs: operators that add nothing are left out, and nothing else is: the same runs satisfy a
// formula, and it has as many subformulas as the shorter one.
func TestAbsorbs(t *testing.T) {
	wrap := func(f *Formula, ops ...Op) *Formula {
		for _, op := range slices.Backward(ops) {
			f = &Formula{Op: op, Args: []*Formula{f}}
		}
		return f
	}
	for _, test := range []struct{ long, short []Op }{
		{[]Op{Finally, Finally}, []Op{Finally}}, {[]Op{Globally, Globally}, []Op{Globally}},
		{[]Op{Finally, Globally, Finally}, []Op{Globally, Finally}}, {[]Op{Globally, Finally, Globally}, []Op{Finally, Globally}},
		{[]Op{Finally, Finally, Globally, Globally, Finally, Globally}, []Op{Finally, Globally}},
		{[]Op{Finally, Globally}, []Op{Finally, Globally}}, {[]Op{Globally, Finally}, []Op{Globally, Finally}},
	} {
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 2))
			g, f := newRandomGraph(r), randomFormula(r, 2)
			long, short := wrap(f, test.long...), wrap(f, test.short...)
			var subformulas [2]int
			for i, f := range []*Formula{long, short} {
				p, err := newProduct(context.Background(), g, f, Bounds{})
				if err != nil {
					t.Fatal(err)
				}
				subformulas[i] = len(p.formulas)
			}
			if subformulas[0] != subformulas[1] {
				t.Fatalf("%v: %d subformulas, and %v: %d", test.long, subformulas[0], test.short, subformulas[1])
			}
			at, run := g.start[0], []int{}
			for range 6 {
				run = append(run, at)
				steps := g.steps[at]
				at = steps[r.IntN(len(steps))].To
			}
			for loop := range run {
				if a, b := g.satisfies(long, run, loop), g.satisfies(short, run, loop); !slices.Equal(a, b) {
					t.Fatalf("%v and %v differ on %v, loop at %d", test.long, test.short, run, loop)
				}
			}
		}
	}
}

// TestSearch: what is found is a fair run that satisfies the formula, and
// whether there is one does not depend on where the search looks first. (That it finds
// all there are is tested with protocols, against another algorithm.)
func TestSearch(t *testing.T) {
	defer func(was [2]int) { nearby = was }(nearby)
	found := 0
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		g, f := newRandomGraph(r), randomFormula(r, 3)
		var verdicts []bool
		for _, nearby = range [][2]int{{1, 0}, {1, 8}, {1 << 10, 1 << 10}} {
			x, err := Search(context.Background(), g, f, Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			if x.Start >= 0 {
				found++
				g.check(t, f, x)
			}
			verdicts = append(verdicts, x.Start >= 0)
		}
		if slices.Contains(verdicts, true) && slices.Contains(verdicts, false) {
			t.Fatalf("seed %d: %v", seed, verdicts)
		}
	}
	if found < 10_000 {
		t.Error("hardly any runs")
	}
}

// visited is a space of counters that counts states whose steps are asked for.
type visited struct {
	counting
	asked *atomic.Int64
}

func (g visited) NewWorker() Worker { return g }

func (g visited) Successors(state []uint32, emit func([]uint32, uint64)) error {
	g.asked.Add(1)
	return g.counting.Successors(state, emit)
}

// TestWay: the way to a state has before each state the one of smallest hash, as all of them show, whichever worker found it and whether
// the search was taken up again; and it is found without a second search.
func TestWay(t *testing.T) {
	g := visited{counting{5, 6}, &atomic.Int64{}}
	var before func(state []uint32) [][]uint32
	before = func(state []uint32) [][]uint32 {
		var best []uint32
		if sum(state) == 1 && state[0] == 1 || sum(state) == 0 {
			return [][]uint32{state}
		}
		for i := range state {
			if at := slices.Clone(state); at[i] > 0 {
				// The state 1, 0, ... is an initial one: from nothing, others are a step away, and as far as their sum is from there.
				if at[i]--; (at[0] > 0 || state[0] == 0) && (best == nil || g.Hash(at) < g.Hash(best)) {
					best = at
				}
			}
		}
		return append(before(best), state)
	}
	way := func(bounds Bounds) [][]uint32 {
		r, err := Reach(t.Context(), g, 1, bounds)
		if err != nil {
			t.Fatal(err)
		}
		if bounds.States > 0 {
			return nil
		}
		g.asked.Store(0)
		way, err := r.Way(t.Context(), r.First[0])
		if err != nil {
			t.Fatal(err)
		}
		if n := g.asked.Load(); n > int64(2*len(way)) {
			t.Errorf("the steps of %d states are asked for to find a way of %d", n, len(way))
		}
		return way
	}
	want := before([]uint32{6, 6, 6, 6, 6})
	journal := &Journal{File: filepath.Join(t.TempDir(), "journal")}
	way(Bounds{States: 5000, Journal: journal})
	again := &Journal{File: journal.File, Resume: true}
	for _, bounds := range []Bounds{{Jobs: 1}, {Jobs: 2}, {Jobs: 7}, {Journal: again}} {
		if got := way(bounds); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%+v: the way is %v, want %v", bounds, got, want)
		}
	}
}

// TestCountsAreKept: what is written between two levels, and taken up again, has the same counts in the end.
func TestCountsAreKept(t *testing.T) {
	defer func(was time.Duration) { between = was }(between)
	between = 0
	journal := &Journal{File: filepath.Join(t.TempDir(), "journal")}
	search := func() *Reached {
		r, err := Reach(t.Context(), grid{9}, 0, Bounds{Journal: journal})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := search()
	journal.Resume = true
	got := search()
	if got.States != want.States || got.Transitions != want.Transitions || got.Deadlocks != want.Deadlocks || want.Deadlocks == 0 {
		t.Errorf("%d states, %d transitions, %d deadlocks after it was taken up again; %d, %d, %d in one go",
			got.States, got.Transitions, got.Deadlocks, want.States, want.Transitions, want.Deadlocks)
	}
}
