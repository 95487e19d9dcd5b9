package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
)

// SwarmTask is one search of a swarm for a violation of an invariant of a protocol, whose text is the task's model.
type SwarmTask struct {
	File     string
	Set      map[string]int64 `json:",omitempty"`
	Property string
	Traffic  interp.Traffic `json:",omitempty"`
	Crash    string         `json:",omitempty"`
	Plain    bool           `json:",omitempty"`
	Search   explore.RandomSearch
}

// Returned is what it has seen.
type Returned struct {
	States      int64
	Transitions int64
	Depth       int
	Whole       bool            `json:",omitempty"`
	Sample      []uint64        `json:",omitempty"`
	Run         json.RawMessage `json:",omitempty"`
	// Wrong is the error in the model that the search has come to. It ends a swarm, as it ends exploring.
	Wrong string `json:",omitempty"`
}

// Swarm is the kind of tasks that search as one of a swarm.
var Swarm = cluster.Kind[SwarmTask, Returned]{Name: "swarm"}

// What one search may ask for.
const (
	mostStates = 1 << 28
	mostSteps  = 1 << 36
)

// Fly does one search.
func Fly(ctx context.Context, model []byte, q SwarmTask) (out Returned, keep bool, err error) {
	if f := q.Search; f.States < 1 || f.States > mostStates || f.Steps > mostSteps || f.Depth > mostStates {
		return out, false, fmt.Errorf("a search of %d states and %d steps is too large", f.States, f.Steps)
	}
	m, err := instantiate.Read(q.File, string(model), q.Set)
	if err != nil {
		return out, false, err
	}
	p := m.Lookup(q.Property)
	if p == nil {
		return out, false, fmt.Errorf("%s has no property %q", q.File, q.Property)
	}
	f, run, err := machine.RandomSearch(ctx, m, []*protocol.Prop{p}, q.Search,
		machine.Options{Traffic: q.Traffic, Crash: q.Crash, Plain: q.Plain})
	var bad *machine.ModelError
	if errors.As(err, &bad) {
		return Returned{Wrong: fmt.Sprintf("%v (tacheck explore shows the run)", bad.Problem())}, true, nil
	}
	if err != nil {
		return out, false, err
	}
	out = Returned{States: f.States, Transitions: f.Transitions, Depth: f.Depth, Whole: f.Whole, Sample: f.Sample}
	if run != nil {
		if out.Run, err = json.Marshal(run); err != nil {
			return out, false, err
		}
	}
	return out, true, nil
}

// Of makes searches of one swarm, with q's model and property, of the worker of a task: runs are replayed in m, and a
// search that has come to an error in the model is done again here.
func (q SwarmTask) Of(m *protocol.Model, fly func(context.Context, SwarmTask) (Returned, error)) func(context.Context,
	explore.RandomSearch) (*explore.RandomResult, *interp.Run, error) {
	return func(ctx context.Context, f explore.RandomSearch) (*explore.RandomResult, *interp.Run, error) {
		q := q
		q.Search = f
		r, err := fly(ctx, q)
		var unable *cluster.Failed
		if errors.As(err, &unable) {
			return nil, nil, &machine.Lost{Reason: unable.Reason}
		}
		if err != nil {
			return nil, nil, err
		}
		if r.Wrong != "" {
			return nil, nil, q.confirm(ctx, m, r.Wrong)
		}
		run, err := r.replay(m, q.Property)
		return r.result(), run, err
	}
}

// confirm does a search again that is said to have come to an error in the model, which it returns; else it is lost.
func (q SwarmTask) confirm(ctx context.Context, m *protocol.Model, said string) error {
	p := m.Lookup(q.Property)
	_, _, err := machine.RandomSearch(ctx, m, []*protocol.Prop{p}, q.Search,
		machine.Options{Traffic: q.Traffic, Crash: q.Crash, Plain: q.Plain})
	var bad *machine.ModelError
	switch {
	case errors.As(err, &bad):
		return fmt.Errorf("%v (tacheck explore shows the run)", bad.Problem())
	case err != nil:
		return err
	}
	return &machine.Lost{Reason: "the worker says that there is an error in the model, which is not so: " + said}
}

// replay replays the run of a search that another worker has done; nil if it has found none.
func (r *Returned) replay(m *protocol.Model, property string) (*interp.Run, error) {
	if r.Run == nil {
		return nil, nil
	}
	run, err := interp.ReadRun(m, r.Run)
	if err == nil {
		err = run.Check()
	}
	if err == nil && run.Property != property {
		err = fmt.Errorf("it is one to %q", run.Property)
	}
	return run, err
}

// result is what it has seen, without the run.
func (r *Returned) result() *explore.RandomResult {
	return &explore.RandomResult{States: r.States, Transitions: r.Transitions, Depth: r.Depth, Whole: r.Whole,
		Sample: r.Sample}
}
