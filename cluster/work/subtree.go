package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// part is a part of a subtree of a search by shapes.
type part struct {
	Question
	Disjunct int // of the negated specification
	Part     schedule.Part
	Name     string // digest of what a journal calls the subtree
}

// budget is how many questions are asked for a task; what is left of its subtree then becomes further tasks. They take
// some seconds: long beside what a task costs, and short enough that the last one does not take long.
var budget = 500

// explored is what was found in a subtree.
type explored struct {
	Status      smt.Status
	Reason      string              `json:",omitempty"`
	Checked     *big.Int            `json:",omitempty"`
	Pruned      *big.Int            `json:",omitempty"`
	Transitions int                 `json:",omitempty"`
	Queries     int                 `json:",omitempty"`
	Solving     time.Duration       `json:",omitempty"`
	Witness     json.RawMessage     `json:",omitempty"`
	Rest        [][]cutgraph.Vertex `json:",omitempty"` // below the subtree's prefix
}

// subtree is the kind of tasks that explore a subtree.
var subtree = cluster.Kind[part, explored]{Name: "subtree"}

// subtrees explores subtrees; what those of a question have in common is prepared once, for the last questions.
type subtrees struct {
	mu    sync.Mutex
	names []string // the latest last
	ready map[string]*verify.Prepared
}

// mostReady is for how many questions searches are ready.
const mostReady = 8

// prepared prepares a question, unless it is ready.
func (s *subtrees) prepared(ctx context.Context, model []byte, q Question) (*verify.Prepared, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	name := record.Digest(string(model) + "\n" + string(text))
	if p := s.ready[name]; p != nil {
		i := slices.Index(s.names, name)
		s.names = append(slices.Delete(s.names, i, i+1), name)
		return p, nil
	}
	a, spec, err := q.spec(model)
	if err != nil {
		return nil, err
	}
	o, err := q.options()
	if err != nil {
		return nil, err
	}
	p, err := verify.Prepare(ctx, a, spec, o)
	if err != nil {
		return nil, err
	}
	if s.ready == nil {
		s.ready = map[string]*verify.Prepared{}
	}
	s.names, s.ready[name] = append(s.names, name), p
	if len(s.names) > mostReady {
		oldest := s.names[0]
		err = s.ready[oldest].Close()
		delete(s.ready, oldest)
		s.names = s.names[1:]
	}
	return p, err
}

func (s *subtrees) explore(ctx context.Context, model []byte, q part) (out explored, keep bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := s.prepared(ctx, model, q.Question)
	if err != nil {
		return out, false, err
	}
	found, w, err := p.Explore(ctx, q.Disjunct, q.Part, func(part string) bool { return record.Digest(part) == q.Name })
	if err != nil {
		return out, false, err
	}
	out = explored{Status: found.Status, Reason: found.Reason, Checked: found.Checked, Pruned: found.Pruned,
		Transitions: found.Transitions, Queries: found.Queries, Solving: found.Solving, Rest: found.Rest}
	if w != nil {
		if out.Witness, err = json.Marshal(w); err != nil {
			return out, false, err
		}
	}
	return out, found.Status != smt.Unknown, nil
}

// exploreElsewhere has subtrees explored by workers, for verify.Options. A counterexample
// is replayed; one that is none leaves its subtree open.
func exploreElsewhere(run *cluster.Run, a *ta.Automaton, model string, spec *ta.Spec,
	q Question) func(context.Context, int, schedule.Subtree) (schedule.Outcome, error) {
	q.Timeout, q.Memory = 0, 0 // they are for the whole of the search
	x := &elsewhere{run, a, []byte(model), spec}
	return func(ctx context.Context, disjunct int, s schedule.Subtree) (schedule.Outcome, error) {
		return x.explore(ctx, part{q, disjunct, schedule.Part{Prefix: s.Prefix, Budget: budget}, record.Digest(s.Part)})
	}
}

// mostBelow is how long the way to what is left of a subtree may be.
const mostBelow = 10_000

type elsewhere struct {
	run   *cluster.Run
	a     *ta.Automaton
	model []byte
	spec  *ta.Spec
}

// explore has a part of a subtree explored, and what is left of it.
func (x *elsewhere) explore(ctx context.Context, q part) (schedule.Outcome, error) {
	out, err := x.one(ctx, q)
	rest := out.Rest
	out.Rest = nil
	for _, below := range rest { // of a worker that is honest
		if n := len(q.Part.Below); len(below) <= n || len(below) > mostBelow || !slices.Equal(below[:n], q.Part.Below) {
			out.Status, out.Reason = smt.Unknown, "what a worker hands back is not below what it was given"
			return out, err
		}
	}
	if err != nil || out.Status == smt.Sat || len(rest) == 0 {
		return out, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		schedule.Outcome
		err error
	}
	ordered.Do(len(rest), len(rest), cancel, func(i int) outcome {
		part := q
		part.Part.Below = rest[i]
		more, err := x.explore(ctx, part)
		return outcome{more, err}
	}, func(_ int, more outcome) bool {
		if err = more.err; err != nil {
			return false
		}
		out.Join(more.Outcome)
		return out.Status != smt.Sat && (out.Status != smt.Unknown || ctx.Err() == nil)
	})
	return out, err
}

// one has a part of a subtree explored, until its budget is spent.
func (x *elsewhere) one(ctx context.Context, q part) (schedule.Outcome, error) {
	r, from, err := subtree.Ask(ctx, x.run, q.Solver, x.model, q)
	out := schedule.Outcome{Status: r.Status, Reason: r.Reason, Checked: r.Checked, Pruned: r.Pruned,
		Transitions: r.Transitions, Queries: r.Queries, Solving: r.Solving, Rest: r.Rest}
	if out.Checked == nil {
		out.Checked = new(big.Int)
	}
	open := func(why string) (schedule.Outcome, error) {
		out.Status, out.Reason, out.Rest = smt.Unknown, why, nil
		return out, nil
	}
	var failed *cluster.Failed
	switch {
	case errors.As(err, &failed):
		return open(failed.Reason)
	case err != nil && ctx.Err() != nil:
		return open(smt.Interrupted(ctx))
	case err != nil:
		return out, err
	}
	switch r.Status {
	case smt.Unsat, smt.Unknown:
		return out, nil
	case smt.Sat:
		w, err := verify.Witnessed(x.a, x.spec, r.Witness)
		if err != nil {
			return open(forged(from, err))
		}
		out.Run = w.Run
		return out, nil
	}
	return open(fmt.Sprintf("%s answered %d, which is no status", from.Worker, r.Status))
}
