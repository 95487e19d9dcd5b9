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

	"tacheck/cluster"
	"tacheck/cutgraph"
	"tacheck/internal/record"
	"tacheck/schedule"
	"tacheck/smt"
	"tacheck/ta"
	"tacheck/verify"
)

// Part is a subtree of a search by shapes.
type Part struct {
	Question
	Disjunct int // of the negated specification
	Prefix   []cutgraph.Vertex
	Name     string // digest of what a journal calls it
}

// Explored is what was found in a subtree.
type Explored struct {
	Status      smt.Status
	Reason      string          `json:",omitempty"`
	Checked     *big.Int        `json:",omitempty"`
	Pruned      *big.Int        `json:",omitempty"`
	Transitions int             `json:",omitempty"`
	Queries     int             `json:",omitempty"`
	Solving     time.Duration   `json:",omitempty"`
	Witness     json.RawMessage `json:",omitempty"`
}

// Subtree is the kind of tasks that explore a subtree.
var Subtree = cluster.Kind[Part, Explored]{Name: "subtree"}

// subtrees explores subtrees; what those of a question have in common is prepared
// once, for the last questions.
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

func (s *subtrees) explore(ctx context.Context, model []byte, q Part) (out Explored, keep bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := s.prepared(ctx, model, q.Question)
	if err != nil {
		return out, false, err
	}
	found, w, err := p.Explore(ctx, q.Disjunct, q.Prefix, func(part string) bool { return record.Digest(part) == q.Name })
	if err != nil {
		return out, false, err
	}
	out = Explored{Status: found.Status, Reason: found.Reason, Checked: found.Checked, Pruned: found.Pruned, Transitions: found.Transitions,
		Queries: found.Queries, Solving: found.Solving}
	if w != nil {
		if out.Witness, err = json.Marshal(w); err != nil {
			return out, false, err
		}
	}
	return out, found.Status != smt.Unknown, nil
}

// Elsewhere has subtrees explored by workers, for verify.Options. A counterexample
// is replayed; one that is none leaves its subtree open.
func Elsewhere(run *cluster.Run, a *ta.Automaton, model string, spec *ta.Spec, q Question) func(context.Context, int, schedule.Subtree) (schedule.Outcome, error) {
	q.Timeout, q.Memory = 0, 0 // they are for the whole of the search
	return func(ctx context.Context, disjunct int, s schedule.Subtree) (schedule.Outcome, error) {
		x, from, err := Subtree.Ask(ctx, run, q.Solver, []byte(model), Part{q, disjunct, s.Prefix, record.Digest(s.Part)})
		out := schedule.Outcome{Status: x.Status, Reason: x.Reason, Checked: x.Checked, Pruned: x.Pruned, Transitions: x.Transitions, Queries: x.Queries, Solving: x.Solving}
		if out.Checked == nil {
			out.Checked = new(big.Int)
		}
		var failed *cluster.Failed
		switch {
		case errors.As(err, &failed):
			out.Status, out.Reason = smt.Unknown, failed.Reason
			return out, nil
		case err != nil && ctx.Err() != nil:
			out.Status, out.Reason = smt.Unknown, smt.Interrupted(ctx)
			return out, nil
		case err != nil:
			return out, err
		}
		switch x.Status {
		case smt.Unsat, smt.Unknown:
		case smt.Sat:
			w, err := verify.Witnessed(a, spec, x.Witness)
			if err != nil {
				out.Status, out.Reason = smt.Unknown, forged(from, err)
				return out, nil
			}
			out.Run = w.Run
		default:
			out.Status, out.Reason = smt.Unknown, fmt.Sprintf("%s answered %d, which is no status", from.Worker, x.Status)
		}
		return out, nil
	}
}
