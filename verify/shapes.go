package verify

import (
	"context"
	"fmt"
	"iter"

	"tacheck/cutgraph"
	"tacheck/schedule"
	"tacheck/ta"
)

// ShapesOf returns the graphs whose lasso shapes a specification's
// counterexamples can have: one for each disjunct of its negation. Errors are
// as for Decide, or cutgraph.ErrUndecided if ctx was cancelled.
func ShapesOf(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o Options) ([]*cutgraph.Graph, error) {
	m, err := o.resolve()
	if err != nil {
		return nil, err
	}
	trees, err := negated(a, spec)
	if err != nil {
		return nil, err
	}
	s, err := m.start()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var list []*cutgraph.Graph
	for _, tree := range trees {
		p, err := schedule.NewProblem(ctx, s, a, tree, o.NoSimplify)
		if err != nil {
			return nil, fmt.Errorf("spec %q: %w", spec.Name, err)
		}
		list = append(list, p.Paper)
	}
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
