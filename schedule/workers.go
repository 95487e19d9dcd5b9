package schedule

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
)

// Workers is what a search may work with.
type Workers struct {
	Main smt.Solver
	// Start starts more solvers; nil if there are to be none.
	Start smt.Factory
	// Jobs is how many may be at work at once; 0 means 1.
	Jobs int
	// Journal remembers what is done, so that a search can be taken up again; it may be nil.
	Journal Journal
	// Progress is told now and then how far a search by shapes is; it may be nil. total is nil if it is not known.
	Progress func(checked, pruned, total *big.Int)
	// Elsewhere, if not nil, has subtrees explored elsewhere. So many as Jobs says are asked for at once.
	Elsewhere func(context.Context, Subtree) (Outcome, error)
}

// Subtree is the shapes that begin with a prefix, and what a journal calls them.
type Subtree struct {
	Part   string
	Prefix []cutgraph.Vertex
}

// Journal remembers the outcomes of parts of a search. A part is named by all that its outcome depends on, but for the
// automaton, the search and the encoding: the formula, the thresholds that are seen to flip and in which order they
// can, and where in the tree of shapes it lies. A journal is used by several goroutines at once.
type Journal interface {
	Recall(part string) (Outcome, bool)
	Remember(part string, out Outcome) error
}

// part names the subtree below a prefix.
func (p *Problem) part(prefix []cutgraph.Vertex) string {
	var b strings.Builder
	b.WriteString(ltl.Format(p.automaton, p.tree.Formula()))
	for _, c := range p.Graph.Thresholds {
		fmt.Fprintf(&b, "; %s %v", p.automaton.FormatThreshold(c.Threshold), c.Requires)
	}
	fmt.Fprintf(&b, "; %d moves; %v", len(p.moves), prefix)
	return b.String()
}

// apart returns workers that do without the main solver, and leave a job to others that work at the same time.
func (w Workers) apart() Workers {
	w.Main, w.Journal, w.Progress, w.Elsewhere = nil, nil, nil, nil
	w.Jobs--
	return w
}

func (w *Workers) recall(part string) (Outcome, bool) {
	if w.Journal == nil {
		return Outcome{}, false
	}
	return w.Journal.Recall(part)
}

func (w *Workers) remember(part string, out Outcome) error {
	if w.Journal == nil {
		return nil
	}
	return w.Journal.Remember(part, out)
}

func (w *Workers) progress(out Outcome, total *big.Int) {
	if w.Progress != nil {
		w.Progress(out.Checked, out.Pruned, total)
	}
}

// contender decides a problem, or is cancelled.
type contender func(context.Context) (Outcome, error)

// alone enters a search with a new solver: one that has been interrupted is not to be used again.
func (w Workers) alone(search Search, p *Problem, encode Encoding) contender {
	return func(ctx context.Context) (Outcome, error) {
		s, err := w.Start()
		if err != nil {
			return Outcome{}, err
		}
		out, err := search.Run(ctx, Workers{Main: s}, p, encode)
		return out, errors.Join(err, s.Close())
	}
}

// entered enters a search with workers of its own.
func (w Workers) entered(search Search, p *Problem, encode Encoding) contender {
	return func(ctx context.Context) (Outcome, error) { return search.Run(ctx, w, p, encode) }
}

// race runs contenders at once. The first that comes to a decision wins, and the others are cancelled and waited for.
// If none does, the result is the first contender's.
func race(ctx context.Context, contenders []contender) (Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type finish struct {
		who int
		out Outcome
		err error
	}
	finished := make(chan finish, len(contenders))
	for i, run := range contenders {
		go func() {
			out, err := run(ctx)
			finished <- finish{i, out, err}
		}()
	}
	var first, winner finish
	won := false
	for range contenders {
		f := <-finished
		if f.who == 0 {
			first = f
		}
		if !won && f.err == nil && f.out.Status != smt.Unknown {
			winner, won = f, true
			cancel()
		}
	}
	if won {
		return winner.out, nil
	}
	return first.out, first.err
}
