package induct

import (
	"context"
	"fmt"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/machine"
)

// attempt is a search for a proof of one invariant, with all that was found on the way.
type attempt struct {
	*search
	p    *protocol.Prop
	o    Options
	r    *Result
	goal encode.Lit   // the invariant
	hand []encode.Lit // lemmas that were given
}

// prove tries one strategy after the other, until one has an answer: induction without help, states that were visited
// anyway, strengthened transitions, lemmas for every size, lemmas that these states satisfy.
func prove(ctx context.Context, x *encode.Encoding, p *protocol.Prop, o Options, r *Result) error {
	goal, _, err := x.Holds(p.Invariant, make([]int32, p.Frame))
	if err != nil {
		return err
	}
	q, err := newSearch(ctx, x, o, goal, r)
	if err != nil {
		return err
	}
	defer func() { q.s.Close() }() // it may have been replaced
	if !q.initially(goal) {
		<-ctx.Done() // the base case finds it
		return nil
	}
	a := &attempt{search: q, p: p, o: o, r: r, goal: goal}
	if a.hand, err = q.byHand(o.Lemmas); err != nil {
		return err
	}
	strategies := []func() (bool, error){a.plainly, a.sampled, a.strengthened, a.quantified, a.withLemmas}
	if o.Plain {
		strategies = []func() (bool, error){a.plainly}
	}
	for _, try := range strategies {
		if done, err := try(); done || err != nil {
			return a.late(err)
		}
	}
	return nil
}

// late says at which state the search was if time ran out.
func (a *attempt) late(err error) error {
	if a.r.Verdict == machine.Unknown && a.r.Step == nil && a.ctx.Err() != nil {
		a.r.Step = a.failure("there was no time to find out whether this state can be reached")
	}
	return err
}

// newSearch returns a search whose only target is the invariant.
func newSearch(ctx context.Context, x *encode.Encoding, o Options, goal encode.Lit, r *Result) (*search, error) {
	s, err := newSession(x, o.Solver, &r.Stats.Queries)
	if err != nil {
		return nil, err
	}
	q := &search{factory: o.Solver, ctx: ctx, x: x, v: newVocabulary(x), s: s, steps: x.Canonical,
		stats: &r.Stats}
	for _, i := range x.Initial {
		q.base = append(q.base, x.Assign(i.State))
	}
	for _, st := range q.steps {
		q.guards = append(q.guards, st.Guard)
	}
	s.Assert(s.copy(0).Formula(x.Valid))
	q.add(nil, goal)
	return q, nil
}

func (a *attempt) say(format string, args ...any) { a.o.Progress(fmt.Sprintf(format, args...)) }

// step looks for a state from which a path of so many steps leads to a violation.
func (a *attempt) step(ctx context.Context, lemmas, guards []encode.Lit, k int) (encode.Assignment, error) {
	return step(ctx, a.x, a.goal, lemmas, guards, k, a.o, &a.r.Stats.Queries)
}

// based decides the base case of induction of a depth.
func (a *attempt) based(k int) (bool, error) { return based(a.ctx, a.x, a.p, a.o, k, a.r) }

// plainly tries induction with the lemmas that were given: of depth one, or of every depth if
// nothing else is wanted. Lemmas that rest on the invariant are for depth one.
func (a *attempt) plainly() (bool, error) {
	if len(a.hand) < len(a.kept) {
		bad, _, _, err := a.find(append(a.targets[:1:1], a.kept...), a.targets[:1])
		if err != nil {
			return true, err
		}
		if ok := false; bad == nil {
			if ok, err = a.based(1); ok && err == nil {
				if a.r.Proof, err = a.minimise(); err == nil {
					a.r.Verdict = machine.Holds
				}
			}
			return true, err
		}
	}
	deepest := 1
	if a.o.Plain {
		deepest = a.o.K
	}
	for k := 1; k <= deepest; k++ {
		a.say("induction, depth %d", k)
		state, err := a.step(a.ctx, a.hand, guardsOf(a.x.Steps), k)
		if err != nil {
			return true, err
		}
		if state != nil {
			a.stuck = state
			continue
		}
		ok, err := a.based(k)
		if ok {
			a.r.Verdict, a.r.Proof = machine.Holds, &Proof{K: k, Lemmas: a.handLemmas()}
		}
		if err != nil || a.r.Verdict != machine.Unknown {
			return true, err
		}
	}
	if a.o.Plain {
		a.r.Reason = fmt.Sprintf("induction fails at depth %d", a.o.K)
		a.r.Step = a.failure("nothing is known of whether this state can be reached")
	}
	return a.o.Plain, nil
}

// sampled visits states; one of them may violate the invariant.
func (a *attempt) sampled() (done bool, err error) {
	a.say("visiting states")
	if a.samples, err = collect(a.ctx, a.v); err != nil {
		return true, err
	}
	a.r.Stats.Samples = a.samples.total
	if a.samples.violates(a.goal) {
		return true, a.explored(a.x, a.p, a.r)
	}
	return false, nil
}

// strengthened tries induction over transitions whose guards say what they imply anyway.
func (a *attempt) strengthened() (bool, error) {
	if len(a.x.Steps)*a.x.StateVars() > handy {
		return false, nil
	}
	a.say("strengthening transitions")
	strong, guards, err := a.strengthen()
	if err != nil || len(strong) == 0 {
		return false, err
	}
	for k := 1; k <= a.o.K; k++ {
		a.say("induction with strengthened transitions, depth %d", k)
		brief, done := context.WithTimeout(a.ctx, patience)
		state, err := a.step(brief, a.hand, guards, k)
		late := brief.Err() != nil && a.ctx.Err() == nil
		done()
		if err != nil && late {
			return false, nil // lemmas may be faster
		}
		if err != nil {
			return true, err
		}
		if state != nil {
			continue
		}
		if ok, err := a.based(k); !ok {
			return true, err
		}
		if strong, err = a.fewest(strong, a.goal, a.hand, k, a.o); err != nil {
			return true, err
		}
		a.r.Verdict, a.r.Proof = machine.Holds, &Proof{K: k, Lemmas: a.handLemmas(), Strengthened: strong,
			Obligations: a.obligations(strong)}
		return true, nil
	}
	return false, nil
}
