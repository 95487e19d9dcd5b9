package cutgraph

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// Shared are the threshold graphs of an automaton, for searches that follow each other or go on at the same time:
// specifications mostly have the same thresholds, those of the rules. Each graph is made once, by a solver of its own,
// so that what a search's solver is asked does not depend on who came first.
type Shared struct {
	a     *ta.Automaton
	start smt.Factory
	mu    sync.Mutex
	by    map[string]*ThresholdGraph // by its thresholds
}

// Share makes room for the graphs of an automaton.
func Share(a *ta.Automaton, start smt.Factory) *Shared {
	return &Shared{a: a, start: start, by: map[string]*ThresholdGraph{}}
}

// Of reports whether they are those of an automaton.
func (g *Shared) Of(a *ta.Automaton) bool { return g != nil && g.a == a }

// Graph is the graph of thresholds, as NewThresholdGraph makes it. It is read-only.
func (g *Shared) Graph(ctx context.Context, thresholds []ta.Threshold) (graph *ThresholdGraph, err error) {
	var b strings.Builder
	for _, t := range thresholds {
		b.WriteString(t.Key())
		b.WriteByte('\n')
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if graph = g.by[b.String()]; graph != nil {
		return graph, nil
	}
	s, err := g.start()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if graph, err = NewThresholdGraph(ctx, s, g.a, thresholds); err != nil {
		return nil, err
	}
	g.by[b.String()] = graph
	return graph, nil
}
