package promela

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/explore"
)

// TestBudget: what may be done bounds a search, and not the replay of what it found.
func TestBudget(t *testing.T) {
	text, err := os.ReadFile("../benchmarks/rb.pml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse("rb.pml", string(text), map[string]string{"N3T": "1"})
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(m.Formulas, func(f Named) bool { return f.Name == "relay" })
	for budget, want := range map[int]error{100: explore.ErrTooLarge, confirmWork: nil} {
		in, err := m.NewInstance([]int64{3, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		in.budget = &budget
		e, err := m.Explore(context.Background(), &m.Formulas[k], in, confirmStates)
		if !errors.Is(err, want) || want == nil && (e.Run == nil || in.budget != nil) {
			t.Errorf("%d: %v", budget, err)
		}
	}
}
