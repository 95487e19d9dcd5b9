package verify

import (
	"context"
	"sync"
	"time"

	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/smt"
)

// workers returns what a search may work with. Further solvers cannot be had where what the solver is asked is saved:
// it would be in no order.
func (r *run) workers(disjunct int) schedule.Workers {
	o := &r.method.complete
	w := schedule.Workers{Main: r.solver, Jobs: o.Jobs, Progress: o.Progress}
	if o.DumpSMT == "" && !o.OneSolver {
		w.Start = r.startMore
	}
	if o.Journal != nil {
		w.Journal = o.Journal
	}
	if o.Elsewhere != nil {
		w.Elsewhere = func(ctx context.Context, s schedule.Subtree) (schedule.Outcome, error) {
			out, err := o.Elsewhere(ctx, disjunct, s)
			r.more.add(out.Queries, out.Solving)
			return out, err
		}
	}
	return w
}

// startMore starts a solver whose queries are counted.
func (r *run) startMore() (smt.Solver, error) {
	s, err := r.method.start()
	if err != nil {
		return nil, err
	}
	return &counted{Meter: smt.Meter{Solver: s}, total: &r.more}, nil
}

// counted adds what it counts to a total when it is closed.
type counted struct {
	smt.Meter
	total *totals
}

// totals are queries, and the time for them, of several solvers.
type totals struct {
	mu      sync.Mutex
	queries int
	time    time.Duration
}

func (t *totals) add(queries int, time time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queries += queries
	t.time += time
}

// Close closes the solver.
func (c *counted) Close() error {
	c.total.add(c.Queries, c.Time)
	return c.Solver.Close()
}
