package explore

import (
	"context"
	"errors"
	"math"
	"testing"
)

// grid is a space of pairs below a bound, each of which can be increased; the last
// corner violates the condition.
type grid struct{ bound uint32 }

func (g grid) Slots() int        { return 2 }
func (g grid) NewWorker() Worker { return g }

func (g grid) Hash(s []uint32) uint64 {
	return (uint64(s[0])*uint64(g.bound) + uint64(s[1]) + 7) * 0x9e3779b97f4a7c15
}

func (g grid) Initial(emit func([]uint32, uint64)) error {
	s := []uint32{0, 0}
	emit(s, g.Hash(s))
	return nil
}

func (g grid) Successors(s []uint32, emit func([]uint32, uint64)) error {
	for i := range s {
		if next := []uint32{s[0], s[1]}; s[i]+1 < g.bound {
			next[i]++
			emit(next, g.Hash(next))
		}
	}
	return nil
}

func (g grid) Violated(s []uint32) (uint64, error) {
	if s[0] == g.bound-1 && s[1] == g.bound-1 {
		return 1, nil
	}
	return 0, nil
}

// TestForay: a search without bounds visits everything, and finds what there is to
// be found, on a path of steps; one with bounds keeps to them.
func TestForay(t *testing.T) {
	const n = 40
	g := grid{n}
	for seed := range uint64(10) {
		for _, order := range []Order{Deep, Walk} {
			f := RandomSearch{Seed: seed, Order: order, States: 1 << 20, Steps: 1 << 20, Depth: 1000}
			out, err := f.SetOut(context.Background(), g, 1)
			if err != nil || out.Condition != 0 || len(out.Path) != 2*n-1 {
				t.Fatalf("%s: %+v, %v", order, out, err)
			}
			for i, s := range out.Path[1:] {
				if p := out.Path[i]; s[0]+s[1] != p[0]+p[1]+1 {
					t.Fatalf("%s: %v to %v is no step", order, p, s)
				}
			}
		}
		f := RandomSearch{Seed: seed, Order: Deep, States: 1 << 20, Steps: 1 << 20, Depth: 1000}
		if out, err := f.SetOut(context.Background(), g, 0); err != nil || !out.Whole || out.States != n*n || out.Path != nil || out.Transitions != 2*n*(n-1) {
			t.Errorf("%+v, %v", out, err)
		}
		for _, bounded := range []RandomSearch{{States: 100, Steps: 1 << 20, Depth: 1000}, {States: 1 << 20, Steps: 200, Depth: 1000}, {States: 1 << 20, Steps: 1 << 20, Depth: 10}} {
			for _, bounded.Order = range []Order{Deep, Walk} {
				bounded.Seed = seed
				if bounded.Order == Walk {
					bounded.Steps = min(bounded.Steps, 5000)
				}
				out, err := bounded.SetOut(context.Background(), g, 1)
				if err != nil || out.Whole || out.Depth > bounded.Depth || out.States > int64(bounded.States)+2 || out.Transitions > bounded.Steps+2 {
					t.Errorf("%+v: %+v, %v", bounded, out, err)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (RandomSearch{Order: Deep, States: 1 << 20, Steps: 1 << 40, Depth: 1 << 20}).SetOut(ctx, grid{1 << 20}, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestCover: what searches have visited together is counted about right, and there
// are at least that many.
func TestCover(t *testing.T) {
	const n = 150
	var list []*RandomResult
	union := map[uint64]bool{}
	for seed := range uint64(12) {
		f := RandomSearch{Seed: seed, Order: []Order{Deep, Walk}[seed%2], States: 4000, Steps: 40_000, Depth: 1000}
		out, err := f.SetOut(context.Background(), grid{n}, 0)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, out)
		for _, h := range out.Sample {
			union[h] = true
		}
	}
	c := Cover(list)
	if c.Visited < 4000 || c.Visited > n*n*1.15 || c.AtLeast < c.Visited || c.AtLeast > n*n*1.6 {
		t.Errorf("of %d states: %+v", n*n, c)
	}
	// One that has visited everything leaves nothing to be estimated.
	whole, err := (RandomSearch{Order: Deep, States: 1 << 20, Steps: 1 << 20, Depth: 1000}).SetOut(context.Background(), grid{n}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if c := Cover([]*RandomResult{whole, whole}); math.Abs(c.Visited/(n*n)-1) > 0.15 || c.AtLeast != c.Visited {
		t.Errorf("of %d states: %+v", n*n, c)
	}
}
