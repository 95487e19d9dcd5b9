// Package induct proves invariants of instances of protocols by induction, where there are too many states to visit
// them: k-induction (de Moura, Rueß, Sorea, CAV 2003), strengthened transitions and lemmas (Bokor, thesis, chapter 5).
// The lemmas are found.
package induct

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt"
)

// DefaultDepth is how deep induction goes before lemmas are looked for, and after.
const DefaultDepth = 4

// patience is how long a depth of induction with strengthened transitions may take, before lemmas are tried.
const patience = 5 * time.Second

// handy is how large an encoding may be, by steps and variables, for paths of several
// strengthened steps to be worth while.
const handy = 20_000

// Result is what is known of an invariant of an instance.
type Result struct {
	Property string
	Verdict  verdict.Verdict
	Reason   string // for unknown
	Options  interp.Options
	Proof    *Proof       // if it holds, but by the next
	Every    *ForSizes    // a proof for all sizes, or, where it names none, for those of the instance
	Run      *interp.Run  // if it is violated
	Step     *StepFailure // if it is unknown: a counterexample to induction
	Depth    int          // no run of so many steps violates it
	Stats    Stats
}

// Drawn is the proof, as it is drawn; nil if there is none.
func (r *Result) Drawn() *Proof {
	if r.Every != nil {
		return r.Every.graph()
	}
	return r.Proof
}

// Prove decides an invariant of an instance. Errors are those of the model
// (*machine.ModelError), what cannot be encoded (*protocol.Unsupported), a lemma by hand that
// cannot be read (diag.List), and internal ones; limits and cancellation end in Unknown.
func Prove(ctx context.Context, m *protocol.Model, p *protocol.Prop, o Options) (*Result, error) {
	start := time.Now()
	how := interp.Options{Implicit: o.Crash == "implicit" || o.Crash == "" && machine.Implicit(m, p)}
	r := &Result{Property: p.Name, Verdict: machine.Unknown, Options: how, Depth: -1}
	x, err := encode.New(m, how)
	var failed *protocol.Failure
	if errors.As(err, &failed) {
		return nil, &machine.ModelError{Failure: failed, Run: &interp.Run{Model: m, Options: how, Loop: -1,
			Failure: failed}}
	}
	if err != nil {
		return nil, err
	}
	if o.K == 0 {
		o.K = DefaultDepth
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	// The base case is searched beside the rest, in a circuit of its own.
	work, stop := context.WithCancel(ctx)
	defer stop()
	near := nearby(work, stop, m, p, how, o)
	err = prove(work, x, p, o, r)
	if r.Verdict == machine.Unknown && err == nil && ctx.Err() == nil {
		// No proof. A violation may be near: as much time again.
		longer, done := context.WithTimeout(ctx, max(time.Since(start), 2*time.Second))
		near.wait(longer)
		done()
	}
	stop()
	<-near.ended
	for len(near.depths) > 0 {
		r.Depth = <-near.depths
	}
	r.Stats.Queries += near.stats.Queries
	r.Stats.Time = time.Since(start)
	if near.run != nil {
		return r.violated(near.run)
	}
	undone := func(err error) bool { return err != nil && ctx.Err() == nil && !errors.Is(err, context.Canceled) }
	switch {
	case r.Verdict == machine.Holds:
		r.Reason = machine.Doubt(m, p, how)
		return r, err
	case r.Verdict != machine.Unknown:
		return r, err
	case undone(err):
		return nil, err
	case undone(near.err):
		return nil, near.err
	case ctx.Err() != nil:
		r.Reason = smt.Interrupted(ctx)
	}
	return r, nil
}

// violated makes the run that was found the result.
func (r *Result) violated(run *interp.Run) (*Result, error) {
	if r.Verdict == machine.Holds {
		return nil, fmt.Errorf("internal error, please report: %s is proved and violated", r.Property)
	}
	if run.Failure != nil {
		return nil, &machine.ModelError{Failure: run.Failure, Run: run}
	}
	r.Verdict, r.Reason, r.Step, r.Run = machine.Violated, "", nil, run
	return r, nil
}

// near is a search for a violation, step by step from the initial states, beside the search for a proof.
type near struct {
	depths chan int      // that have no violation
	ended  chan struct{} // closed when what follows is known
	run    *interp.Run   // nil if none was found
	err    error
	stats  Stats
}

// nearby begins such a search. It calls stop when it ends: with a run, or because nothing more can be done.
func nearby(ctx context.Context, stop func(), m *protocol.Model, p *protocol.Prop, how interp.Options,
	o Options) *near {
	n := &near{depths: make(chan int, 1000), ended: make(chan struct{})}
	go func() {
		defer stop()
		defer close(n.ended)
		x, err := encode.New(m, how)
		if err != nil {
			n.err = err
			return
		}
		n.run, n.err = base(ctx, x, p, o, -1, func(k int) {
			select {
			case n.depths <- k:
			default:
			}
		}, &n.stats)
	}()
	return n
}

// wait waits until it has ended, or time is up.
func (n *near) wait(ctx context.Context) {
	select {
	case <-n.ended:
	case <-ctx.Done():
	}
}

// based decides the base case of induction of a depth. A run that it finds is the result.
func based(ctx context.Context, x *encode.Encoding, p *protocol.Prop, o Options, k int, r *Result) (bool, error) {
	exact, err := encode.New(x.Model, x.Options)
	if err != nil {
		return false, err
	}
	run, err := base(ctx, exact, p, o, k-1, nil, &r.Stats)
	if run != nil && run.Failure != nil {
		return false, &machine.ModelError{Failure: run.Failure, Run: run}
	}
	if run != nil {
		r.Verdict, r.Run = machine.Violated, run
	}
	return run == nil && err == nil, err
}

func guardsOf(steps []*encode.Step) []encode.Lit {
	return lists.Map(steps, func(s *encode.Step) encode.Lit { return s.Guard })
}

// violates reports whether a state of the instance that was visited is none of a condition.
func (s *samples) violates(l encode.Lit) bool {
	e := encode.NewEvaluation(s.v.x.Circuit)
	for _, a := range s.states[0].states {
		e.Reset(a)
		if !e.True(l) {
			return true
		}
	}
	return false
}

// explored finds the run to a violation that is known to be near.
func (q *search) explored(x *encode.Encoding, p *protocol.Prop, r *Result) error {
	crash := "explicit"
	if x.Options.Implicit {
		crash = "implicit"
	}
	list, err := machine.Check(q.ctx, x.Model, []*protocol.Prop{p},
		machine.Options{Crash: crash, Partial: machine.Unreduced,
			Bounds: explore.Bounds{Jobs: 1, States: 4 * sampleStates}})
	if err != nil {
		return err
	}
	if list[0].Run == nil {
		<-q.ctx.Done() // a random run has found it: the base case will
		return nil
	}
	r.Verdict, r.Run = machine.Violated, list[0].Run
	return nil
}

// byHand adds lemmas that were given. They have to be inductive together.
func (q *search) byHand(list []*Given) ([]encode.Lit, error) {
	var out []encode.Lit
	for _, given := range list {
		l, err := q.v.lemma(given)
		if err != nil {
			return nil, err
		}
		if l == nil {
			continue
		}
		l.given = true
		if err := l.make(q.v); err != nil {
			return nil, err
		}
		if !q.initially(l.all) {
			return nil, fmt.Errorf("the lemma %s is false in an initial state", given.Text)
		}
		q.kept = append(q.kept, q.add(l, l.all))
	}
	t, _, _, err := q.find(q.kept, q.kept)
	if err == nil && t != nil {
		// they rest on the invariant
		if t, _, _, err = q.find(append(q.targets[:1:1], q.kept...), q.kept); err == nil && t == nil {
			for _, t := range q.kept {
				t.lemma.given = false
			}
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if t != nil {
		return nil, fmt.Errorf("the lemma %s is not inductive, with the others and the invariant", t.lemma.Text())
	}
	for _, t := range q.kept {
		out = append(out, t.all)
	}
	return out, nil
}

func (q *search) handLemmas() []*Lemma {
	var list []*Lemma
	for _, t := range q.kept {
		if t.lemma.given {
			list = append(list, t.lemma)
		}
	}
	return list
}
