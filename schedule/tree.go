package schedule

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/smt"
)

// Incremental walks the tree of prefixes of shapes depth-first with the solver's stack, and prunes all shapes whose
// common prefix no run has. Enumerate asks one query a shape, as the paper does.
var (
	Incremental Search = tree{"incremental", true}
	Enumerate   Search = tree{"enumerate", false}
)

type tree struct {
	name  string
	prune bool
}

func (t tree) Name() string { return t.name }

// Trees with more shapes than manyShapes are cut into at least manyTasks subtrees. A subtree with a counterexample is
// explored with a new solver, so that results depend neither on how many workers there are nor on who does what.
const (
	manyShapes = 2000
	manyTasks  = 128
)

func (t tree) Run(ctx context.Context, w Workers, p *Problem, encode Encoding) (sum Outcome, err error) {
	n := p.Graph.Count(ctx)
	few := n != nil && n.Cmp(big.NewInt(manyShapes)) <= 0
	if w.Main != nil && (w.Start == nil || few) {
		return t.subtree(ctx, w.Main, p, encode, nil, 0)
	}
	tasks := [][]cutgraph.Vertex{nil}
	if !few {
		tasks = split(p.Graph, manyTasks)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		Outcome
		err error
	}
	sum = newTreeOutcome()
	solvers := newPool(w.Start, w.Jobs)
	defer func() { err = errors.Join(err, solvers.close()) }()
	ordered.Do(len(tasks), w.Jobs, cancel, func(i int) outcome {
		part := p.part(tasks[i])
		if out, known := w.recall(part); known {
			return outcome{out, nil}
		}
		var out Outcome
		var err error
		if w.Elsewhere != nil {
			out, err = w.Elsewhere(ctx, Subtree{part, tasks[i]})
		} else {
			out, err = t.task(ctx, solvers, p, encode, tasks[i], 0)
		}
		if err == nil && out.Status == smt.Unsat {
			err = w.remember(part, out)
		}
		return outcome{out, err}
	}, func(i int, o outcome) bool {
		if o.err != nil {
			err = o.err
			return false
		}
		sum.Join(o.Outcome)
		w.progress(sum, n)
		return sum.Status != smt.Sat && (sum.Status != smt.Unknown || ctx.Err() == nil)
	})
	return sum, err
}

// Part is a part of a subtree: the shapes that begin with the subtree's prefix and
// Below, until so many questions as Budget says have been asked; 0 means all of them.
type Part struct {
	Prefix, Below []cutgraph.Vertex
	Budget        int
}

// Explore explores parts of subtrees of a problem with solvers that start starts, one after the other. The function
// that it returns fails if a subtree is none of this problem, or its name not the one that is expected.
func Explore(start smt.Factory, p *Problem, search Search, encode Encoding) (explore func(ctx context.Context,
	part Part, named func(string) bool) (Outcome, error), end func() error) {
	solvers := newPool(start, 1)
	return func(ctx context.Context, part Part, named func(string) bool) (Outcome, error) {
		t, byShapes := search.(tree)
		prefix := slices.Concat(part.Prefix, part.Below)
		if !byShapes || !p.Graph.Leads(prefix) || !named(p.part(part.Prefix)) {
			return Outcome{}, errors.New("there is no such subtree: another tree is searched")
		}
		out, err := t.task(ctx, solvers, p, encode, prefix, part.Budget)
		for i := range out.Rest {
			out.Rest[i] = out.Rest[i][len(part.Prefix):]
		}
		return out, err
	}, solvers.close
}

// task explores a subtree with a solver of the pool.
func (t tree) task(ctx context.Context, solvers *pool, p *Problem, encode Encoding, prefix []cutgraph.Vertex,
	budget int) (Outcome, error) {
	s, err := solvers.take()
	if err != nil {
		return Outcome{}, err
	}
	out, err := t.subtree(ctx, s, p, encode, prefix, budget)
	if err == nil && out.Status == smt.Sat && s.tasks > 0 {
		if err = s.Close(); err != nil {
			return out, err
		}
		if s, err = solvers.fresh(); err != nil {
			return out, err
		}
		out, err = t.subtree(ctx, s, p, encode, prefix, budget)
	}
	return out, errors.Join(err, solvers.give(s))
}

func newTreeOutcome() Outcome {
	return Outcome{Status: smt.Unsat, Checked: new(big.Int), Pruned: new(big.Int)}
}

// Join adds the outcome of another subtree, which comes after this one.
func (o *Outcome) Join(other Outcome) {
	if other.Status != smt.Unsat {
		o.Status, o.Reason, o.Run = other.Status, other.Reason, other.Run
	}
	o.Checked.Add(o.Checked, other.Checked)
	if other.Pruned == nil || o.Pruned == nil {
		o.Pruned = nil
	} else {
		o.Pruned.Add(o.Pruned, other.Pruned)
	}
	o.Transitions = max(o.Transitions, other.Transitions)
	o.Queries += other.Queries
	o.Solving += other.Solving
}

// split returns prefixes, in the order in which the tree is walked, such that every shape begins with exactly one of
// them; at least the given number, if there are so many shapes.
func split(g *cutgraph.Graph, atLeast int) [][]cutgraph.Vertex {
	var list [][]cutgraph.Vertex
	for depth := 1; ; depth++ {
		list = nil
		leaves := 0
		w := g.Start()
		var visit func()
		visit = func() {
			if len(w.Path()) == depth || w.AtShape() {
				if w.AtShape() {
					leaves++
				}
				list = append(list, append([]cutgraph.Vertex(nil), w.Path()...))
				return
			}
			for _, v := range w.Next() {
				w.Enter(v)
				visit()
				w.Leave()
			}
		}
		visit()
		if len(list) >= atLeast || leaves == len(list) {
			return list
		}
	}
}

// subtree explores the shapes that begin with a prefix, until so many questions as budget says have been asked; 0 means
// all of them. What is left does not depend on who explores.
func (t tree) subtree(ctx context.Context, s smt.Solver, p *Problem, encode Encoding, prefix []cutgraph.Vertex,
	budget int) (Outcome, error) {
	s.Push()
	defer s.Pop()
	w := &prefixSearch{ctx: ctx, prune: t.prune, t: newTimeline(p, s, encode), w: p.Graph.Start(),
		known: make(flips, len(p.thresholds)), out: newTreeOutcome(), prefix: prefix, budget: budget}
	w.w.Until(ctx)
	w.t.sums = !p.grows() // for these searches that is faster: docs/performance.md
	done, err := w.judge()
	if err == nil && !done {
		err = w.descend()
	}
	return w.out, err
}

type prefixSearch struct {
	ctx    context.Context
	prune  bool
	t      *timeline
	w      *cutgraph.Walker
	known  flips
	prefix []cutgraph.Vertex // where the subtree begins
	out    Outcome
	stop   bool
	budget int // of questions; 0 for no bound
	asked  int // below the prefix
}

// next returns the ways to go on: one only on the way to the subtree.
func (w *prefixSearch) next() []cutgraph.Vertex {
	if depth := len(w.w.Path()); depth < len(w.prefix) {
		return w.prefix[depth : depth+1]
	}
	return w.w.Next()
}

// descend tries all ways to go on from the current prefix.
func (w *prefixSearch) descend() error {
	for _, v := range w.next() {
		if w.budget > 0 && w.asked >= w.budget {
			w.out.Rest = append(w.out.Rest, append(slices.Clone(w.w.Path()), v))
			continue
		}
		m := w.t.save()
		w.w.Enter(v)
		w.t.extend(v, w.known)
		done, err := w.judge()
		if err == nil && !done {
			err = w.descend()
		}
		if v.Kind == cutgraph.Flip {
			w.known[v.Index] = false
		}
		w.w.Leave()
		w.t.restore(m)
		if err != nil || w.stop {
			return err
		}
	}
	return nil
}

// judge checks the current prefix; done says that there is nothing below it.
func (w *prefixSearch) judge() (done bool, err error) {
	w.out.Transitions = max(w.out.Transitions, w.t.transitions())
	whole := w.w.AtShape()
	if !whole && !w.prune {
		return false, nil
	}
	answer, err := w.t.s.Check(w.ctx)
	if err != nil {
		return true, err
	}
	if len(w.w.Path()) > len(w.prefix) {
		w.asked++
	}
	if whole {
		w.out.Checked.Add(w.out.Checked, big.NewInt(1))
	}
	switch {
	case answer.Status == smt.Unsat && !whole:
		w.pruned()
		return true, nil
	case answer.Status == smt.Sat && whole:
		w.out.Status, w.out.Reason, w.stop = smt.Sat, "", true
		return true, w.t.take(w.ctx, &w.out)
	case answer.Status == smt.Unknown && (whole || w.ctx.Err() != nil):
		w.out.Status, w.out.Reason = smt.Unknown, answer.Reason
		w.stop = w.ctx.Err() != nil
		return true, nil
	}
	return whole, nil
}

// pruned counts the shapes of the subtree below the current prefix. On the way to the subtree, that is all of it.
func (w *prefixSearch) pruned() {
	depth := len(w.w.Path())
	for _, v := range w.prefix[min(depth, len(w.prefix)):] {
		w.w.Enter(v)
	}
	if n := w.w.Remaining(); n != nil && w.out.Pruned != nil {
		w.out.Pruned.Add(w.out.Pruned, n)
	} else {
		w.out.Pruned = nil
	}
	for len(w.w.Path()) > depth {
		w.w.Leave()
	}
}
