//go:build cgo

package cutgraph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/ta"
)

// hurried is a solver whose patience ends after some questions; those that are asked later are counted.
type hurried struct {
	smt.Solver
	stop        context.CancelFunc
	asked, late int
	most        int
}

func (h *hurried) Check(ctx context.Context) (smt.Answer, error) {
	if ctx.Err() != nil {
		h.late++
	}
	if h.asked++; h.asked == h.most {
		h.stop()
	}
	return h.Solver.Check(ctx)
}

// TestInterrupted: who does not wait any longer is not kept waiting by all pairs of thresholds.
func TestInterrupted(t *testing.T) {
	var rules strings.Builder
	for i := 2; i < 14; i++ {
		fmt.Fprintf(&rules, "%d: a -> b when (%d * x >= n + %d) do { };\n", i, i, 7*i%5)
	}
	a, err := ta.Parse("many.ta", `ta Many { shared x; parameters n; assumptions { n > 1; } locations { a; b; } inits { a == n; b == 0; x == 0; }
		rules { 1: a -> b when (true) do { x' == x + 1; }; `+rules.String()+` } specifications { s: [](b == 0); } }`)
	if err != nil {
		t.Fatal(err)
	}
	list := thresholdsOf(t, a)
	z, err := z3.New()
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all := &hurried{Solver: z, stop: func() {}}
	if _, err := cutgraph.NewThresholdGraph(t.Context(), all, a, list); err != nil || all.asked < 20 {
		t.Fatalf("%d questions, %v: there have to be some to interrupt", all.asked, err)
	}
	for most := 1; most < all.asked; most += 9 {
		ctx, stop := context.WithCancel(t.Context())
		h := &hurried{Solver: z, stop: stop, most: most}
		if _, err := cutgraph.NewThresholdGraph(ctx, h, a, list); !errors.Is(err, cutgraph.ErrUndecided) || h.late > 0 {
			t.Errorf("interrupted in question %d of %d: %v, and %d questions more", most, all.asked, err, h.late)
		}
		stop()
	}
}
