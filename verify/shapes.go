package verify

import (
	"context"
	"errors"
	"iter"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/ta"
)

// ShapesOf returns the graphs whose lasso shapes a specification's counterexamples can have: one for each disjunct of
// its negation. Errors are as for Decide, or ctx's.
func ShapesOf(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o Options) ([]*cutgraph.Graph, error) {
	_, problems, err := prepare(ctx, a, spec, o)
	if err != nil && ctx.Err() != nil && !errors.As(err, new(diag.List)) { // it may fail at anything then
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	list := lists.Map(problems, func(p *schedule.Problem) *cutgraph.Graph { return p.Paper })
	return list, nil
}

// DescribeShapes enumerates the shapes of graphs, one line each.
func DescribeShapes(a *ta.Automaton, graphs []*cutgraph.Graph) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, g := range graphs {
			for s := range g.Shapes() {
				if !yield(g.Describe(a, s)) {
					return
				}
			}
		}
	}
}
