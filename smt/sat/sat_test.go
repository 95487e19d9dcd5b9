package sat

import (
	"context"
	"math/rand"
	"testing"
)

// TestRandom: clauses, and assumptions, against trying all values.
func TestRandom(t *testing.T) {
	ctx := context.Background()
	for seed := range int64(3000) {
		rng := rand.New(rand.NewSource(seed))
		s := New()
		n := 3 + rng.Intn(9)
		for range n {
			s.Var()
		}
		lit := func() Lit { return Lit(rng.Intn(2 * n)) }
		var clauses [][]Lit
		for range 6 {
			for range rng.Intn(n) {
				c := []Lit{lit(), lit(), lit()}[:1+rng.Intn(3)]
				clauses = append(clauses, c)
				s.Add(c...)
			}
			assumed := []Lit{lit(), lit(), lit()}[:rng.Intn(4)]
			possible := func(assumed []Lit) bool {
				for m := range 1 << n {
					is := func(l Lit) bool { return m>>(l>>1)&1 == 1 != (l&1 == 1) }
					ok := true
					for _, c := range clauses {
						any := false
						for _, l := range c {
							any = any || is(l)
						}
						ok = ok && any
					}
					for _, l := range assumed {
						ok = ok && is(l)
					}
					if ok {
						return true
					}
				}
				return false
			}
			sat, ok := s.Solve(ctx, assumed...)
			if want := possible(assumed); sat != want || !ok {
				t.Fatalf("seed %d: %v, want %v", seed, sat, want)
			}
			if sat {
				all := clauses
				for _, l := range assumed {
					all = append(all, []Lit{l})
				}
				for _, c := range all {
					any := false
					for _, l := range c {
						any = any || s.True(l)
					}
					if !any {
						t.Fatalf("seed %d: the model does not satisfy %v", seed, c)
					}
				}
			} else if possible(s.Failed()) {
				t.Fatalf("seed %d: %v can be true", seed, s.Failed())
			}
		}
	}
}

// TestHard: as many pigeons as holes have their places, one more has none; with few learned clauses kept, so that some
// are forgotten.
func TestHard(t *testing.T) {
	const holes = 6
	s := New()
	s.enough = 60
	var in [holes + 1][holes]Lit
	for p := range in {
		for h := range in[p] {
			in[p][h] = s.Var()
			for q := range p {
				s.Add(in[p][h].Not(), in[q][h].Not())
			}
		}
	}
	var here []Lit
	for p := range in {
		here = append(here, s.Var())
		s.Add(append([]Lit{here[p].Not()}, in[p][:]...)...)
	}
	for range 2 {
		if sat, _ := s.Solve(context.Background(), here...); sat || len(s.Failed()) != len(here) {
			t.Fatalf("all pigeons have a hole, or these have none: %v", s.Failed())
		}
		for p := range here {
			left := append(append([]Lit{}, here[:p]...), here[p+1:]...)
			if sat, _ := s.Solve(context.Background(), left...); !sat {
				t.Fatalf("there is no place for %v", left)
			}
		}
	}
	if s.enough == 60 {
		t.Error("nothing was forgotten")
	}
}
