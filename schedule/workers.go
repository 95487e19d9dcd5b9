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
