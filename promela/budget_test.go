package promela_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/counters"
)

// TestBudget: what may be done bounds a search, and not the replay of what it found.
func TestBudget(t *testing.T) {
	text, err := os.ReadFile("../benchmarks/rb.pml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := promela.Parse("rb.pml", string(text), map[string]string{"N3T": "1"})
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(m.Formulas, func(f promela.Named) bool { return f.Name == "relay" })
	for budget, want := range map[int]error{100: explore.ErrTooLarge, counters.ConfirmWork: nil} {
		in, err := m.NewInstance([]int64{3, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		in.Budget = &budget
		e, err := m.Explore(context.Background(), &m.Formulas[k], in, counters.ConfirmStates)
		if !errors.Is(err, want) || want == nil && (e.Run == nil || in.Budget != nil) {
			t.Errorf("%d: %v", budget, err)
		}
	}
}
