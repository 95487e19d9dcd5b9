package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// front is a kind of models that are verified by an automaton.
type front interface {
	ForAll
	// beyond lists what the text has and its automaton has not.
	beyond() []Other
	// confirm makes a counterexample of the automaton one of the text. If that cannot be done it
	// makes the result unknown, with the reason.
	confirm(ctx context.Context, r *verify.Result, o verify.Options) (Counterexample, error)
	// why says that a specification cannot be asked of the automaton, because of a problem that
	// has its place in the text.
	why(of diag.Pos, problem *diag.Error) string
}

// small is a model with instances that are looked at.
type small interface {
	// small looks in small instances for a counterexample to something that no automaton is asked; nil if it finds
	// none. It says whether there is no other instance, and nothing more in it.
	small(ctx context.Context, of Other) (x Counterexample, whole bool, err error)
}

// Other is a specification that the automaton of a model cannot be asked.
type Other struct {
	Name string
	Why  string // it is unknown if small instances do not violate it
}

// NoAutomaton says why a model has none, though its instances can be asked.
type NoAutomaton struct {
	Err    error // an *InputError
	Others []Other
}

func (e *NoAutomaton) Error() string { return e.Err.Error() }

// Unwrap returns the error of the text.
func (e *NoAutomaton) Unwrap() error { return e.Err }

// Translating is the error where an automaton is wanted: one message, at the first place, that names the others.
func (e *NoAutomaton) Translating() error {
	var input *InputError
	var list diag.List
	if !errors.As(e.Err, &input) || !errors.As(e.Err, &list) || len(list) == 0 {
		return e.Err
	}
	also := ""
	for _, other := range list[1:] {
		also += fmt.Sprintf(" (also at %d:%d)", other.Pos.Line, other.Pos.Col)
	}
	one := *list[0]
	one.Msg += also +
		": the text has no automaton to be translated to; verify asks small instances, formula by formula, and " +
		"explore any one"
	return &InputError{Err: diag.List{&one}, Text: input.Text}
}

// Question is specifications of a model that are to be verified for all parameters.
type Question struct {
	Model ForAll
	// Automaton is what is asked; nil if small instances are all that can be.
	Automaton *Automaton
	// Asked are what it is asked, with the assumption of fairness if one is made.
	Asked []*ta.Spec

	// Spent is how much of the time for each specification was spent when the automaton was made.
	Spent time.Duration

	names  []string         // of all, in the order in which they are answered
	asked  map[string]int   // those of Asked
	others map[string]Other // the others
	front  front
	fair   *review.Fairness
	rounds byRounds // nil if they are not about rounds
	unread bool     // no automaton was made: that takes too long
	asking sync.Mutex
}

// Verifying says how.
type Verifying struct {
	verify.Options
	// Decide decides a specification of the automaton: review.Verify if nil. Here is a way to do it
	// in this process, for what depends on the first answer; Decide if nil.
	Decide, Here verify.Func
	// Later, if not nil, is told after all results which of the specifications that hold do so for a bad reason, where
	// Decide does not ask: results come without that.
	Later func(name string, warnings diag.List) error
}

// ask prepares a question.
func ask(ctx context.Context, f front, wanted []string, fair *review.FairnessOptions) (*Question, error) {
	wanted, err := Select(f, wanted)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	q := &Question{Model: f, names: wanted, asked: map[string]int{}, others: map[string]Other{}, front: f}
	defer func() { q.Spent = time.Since(begin) }()
	var none *NoAutomaton
	others := []Other(nil)
	switch q.Automaton, err = f.Automaton(ctx); {
	case errors.As(err, &none):
		q.Automaton, others = nil, none.Others
	case err != nil:
		return nil, err
	default:
		others = f.beyond()
	}
	for _, o := range others {
		q.others[o.Name] = o
	}
	if fair != nil && q.Automaton != nil {
		if q.fair, err = review.NewFairness(q.Automaton.Automaton, *fair); err != nil {
			return nil, err
		}
	}
	for _, name := range wanted {
		if _, beyond := q.others[name]; beyond {
			continue
		}
		spec := q.Automaton.Spec(name)
		if q.fair != nil {
			spec = q.fair.Assume(q.Automaton.Automaton, spec)
		}
		if o, refused := q.refused(name, spec); refused {
			q.others[name] = o
			continue
		}
		q.asked[name] = len(q.Asked)
		q.Asked = append(q.Asked, spec)
	}
	return q, nil
}

// refused is the answer for a specification whose translation is outside of what automata can
// be asked. In an automaton that the user has written, that is an error.
func (q *Question) refused(name string, spec *ta.Spec) (Other, bool) {
	if !q.Automaton.Generated {
		return Other{}, false
	}
	var list diag.List
	if _, err := verify.Inspect(q.Automaton.Automaton, spec); !errors.As(err, &list) || len(list) == 0 {
		return Other{}, false
	}
	return Other{name, q.front.why(spec.Pos, list[0])}, true
}

// Names lists the specifications in the order in which they are answered.
func (q *Question) Names() []string { return slices.Clone(q.names) }

// Verify decides the specifications, o.Jobs at a time, and calls report with each result in their order; it stops if
// report returns an error, and returns that. Counterexamples are runs of the model.
func (q *Question) Verify(ctx context.Context, o Verifying, report func(*Result) error) error {
	decided := report
	report = func(r *Result) error {
		r.Time += q.Spent
		return decided(r)
	}
	q.spend(&o.Options)
	if q.rounds != nil {
		return q.verifyRounds(ctx, o.Options, report)
	}
	if o.Decide == nil {
		o.Decide = review.Verify
	}
	if o.Here == nil {
		o.Here = o.Decide
	}
	decide := o.Decide
	if q.fair != nil {
		decide = q.fair.Judge(decide, o.Here)
	}
	var held []holding
	next := 0
	// others reports what is not asked of the automaton and comes before name, or all.
	others := func(name string) error {
		for ; next < len(q.names) && q.names[next] != name; next++ {
			r, err := q.decideSmall(ctx, q.others[q.names[next]], o.Options)
			if err == nil {
				err = report(r)
			}
			if err != nil {
				return err
			}
		}
		next++
		return nil
	}
	if len(q.Asked) == 0 {
		return others("")
	}
	var failed error
	turn := 0
	inTurn := slices.DeleteFunc(slices.Clone(q.names), func(name string) bool { _, is := q.asked[name]; return !is })
	err := verify.All(ctx, q.Automaton.Automaton, q.Asked, o.Options, decide,
		func(spec *ta.Spec, r *verify.Result, err error) bool {
			name := inTurn[turn]
			turn++
			if failed = others(name); failed == nil {
				if err == nil && r.Verdict == verify.Holds {
					held = append(held, holding{name, spec})
				}
				failed = q.answer(ctx, name, spec, r, err, o.Options, report)
			}
			return failed == nil
		})
	switch {
	case err != nil:
		return q.Automaton.wrong(err)
	case failed != nil:
		return failed
	}
	if err := others(""); err != nil || o.Later == nil {
		return err
	}
	return q.review(ctx, held, o)
}

// holding is a specification that holds.
type holding struct {
	name string
	spec *ta.Spec
}

// review asks of specifications that hold whether they do for a bad reason.
func (q *Question) review(ctx context.Context, held []holding, o Verifying) error {
	type outcome struct {
		found diag.List
		err   error
	}
	var failed error
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ordered.Do(len(held), max(1, o.Jobs), cancel, func(i int) outcome {
		within, stop := o.Bound(ctx)
		defer stop()
		asked := o.Options
		asked.Timeout, asked.Memory = 0, 0
		found, err := review.Vacuous(within, q.Automaton.Automaton, held[i].spec, asked)
		return outcome{found, err}
	}, func(i int, out outcome) bool {
		switch {
		case out.err != nil:
			failed = out.err
		case len(out.found) > 0:
			failed = o.Later(held[i].name, out.found)
		}
		return failed == nil
	})
	return failed
}

// answer reports what was found out about a specification.
func (q *Question) answer(ctx context.Context, name string, spec *ta.Spec, r *verify.Result, err error,
	o verify.Options, report func(*Result) error) error {
	if err != nil {
		var list diag.List
		var none *verify.NoRuns
		if !q.Automaton.Generated || errors.As(err, &none) || !errors.As(err, &list) || len(list) == 0 {
			return q.Automaton.wrong(err)
		}
		out, err := q.decideSmall(ctx, Other{name, q.front.why(spec.Pos, list[0])}, o)
		if err != nil {
			return err
		}
		return report(out)
	}
	var x Counterexample
	if r.Witness != nil {
		within, stop := left(ctx, r, o)
		defer stop()
		other := r.Other
		if x, err = q.confirm(within, r, o); err == nil && r.Verdict == verify.Unknown && other != nil {
			again := *r // the smallest one may be none of the text, while another one is
			again.Verdict, again.Reason, again.Witness = verify.Violated, "", other
			if x, err = q.confirm(within, &again, o); x != nil {
				*r = again
			}
		}
		if err != nil {
			return err
		}
	}
	r.Spec = name
	return report(&Result{Spec: name, Verdict: r.Verdict, Reason: r.Reason, Warnings: r.Warnings, Counterexample: x,
		Time: r.Time + r.Review, Search: r})
}

// confirm makes a counterexample of the automaton one of the text, as long as there is time.
func (q *Question) confirm(ctx context.Context, r *verify.Result, o verify.Options) (Counterexample, error) {
	begin, found := time.Now(), *r
	o.Timeout, o.Memory = 0, 0
	x, left, err := heeded(q, ctx, func(ctx context.Context) (Counterexample, error) {
		return q.front.confirm(ctx, &found, o)
	})
	if left {
		unconfirmed(r, smt.Interrupted(ctx)+unplayed)
		r.Time += time.Since(begin)
		return nil, nil
	}
	*r = found
	return x, err
}

// heeded has the front do something. What does not heed the end of a context is left alone, and nothing else is asked
// while it goes on.
func heeded[T any](q *Question, ctx context.Context, work func(context.Context) (T, error)) (T, bool, error) {
	return limit.Heed(ctx, func(ctx context.Context) (T, error) {
		q.asking.Lock()
		defer q.asking.Unlock()
		return work(ctx)
	})
}

// decideSmall asks small instances.
func (q *Question) decideSmall(ctx context.Context, of Other, o verify.Options) (*Result, error) {
	begin := time.Now()
	search := &verify.Result{Spec: of.Name, Verdict: verdict.Unknown, Reason: of.Why}
	within, stop := left(ctx, search, o)
	defer stop()
	whole := false
	x, left, err := heeded(q, within, func(ctx context.Context) (x Counterexample, err error) {
		if m, ok := q.Model.(small); ok {
			x, whole, err = m.small(ctx, of)
		}
		return x, err
	})
	if err != nil && within.Err() == nil {
		return nil, err
	}
	if x != nil {
		search.Verdict, search.Reason = verdict.Violated, ""
	} else if !left && whole {
		search.Verdict, search.Reason = verdict.Holds, ""
	} else if within.Err() != nil && !q.unread {
		search.Reason += "; " + smt.Interrupted(within)
	}
	search.Time = time.Since(begin)
	return &Result{Spec: of.Name, Verdict: search.Verdict, Reason: search.Reason, Counterexample: x, Time: search.Time,
		Search: search}, nil
}

// spend takes from the time for a specification what was spent before.
func (q *Question) spend(o *verify.Options) {
	if o.Timeout > 0 {
		o.Timeout = max(1, o.Timeout-q.Spent)
	}
}

// left returns a context that ends when the rest of the time for a specification is up.
func left(ctx context.Context, r *verify.Result, o verify.Options) (context.Context, context.CancelFunc) {
	if o.Timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(0, o.Timeout-r.Time-r.Review))
}

// One decides one of the specifications as Verify does, by decide where the automaton is asked: its
// counterexample is a run of the model.
func (q *Question) One(ctx context.Context, name string, o verify.Options,
	decide verify.Func) (out *Result, err error) {
	defer func() {
		if out != nil {
			out.Time += q.Spent
		}
	}()
	q.spend(&o)
	if q.rounds != nil {
		out := q.untilEnded(ctx, name, o)
		return out.result, out.err
	}
	if of, other := q.others[name]; other {
		return q.decideSmall(ctx, of, o)
	}
	spec := q.Asked[q.asked[name]]
	r, err := decide(ctx, q.Automaton.Automaton, spec, o)
	err = q.answer(ctx, name, spec, r, err, o, func(r *Result) error {
		out = r
		return nil
	})
	return out, err
}

// Unread is a question about a model without an automaton, since making one takes too long: what no small instance
// violates is unknown, for the reason that is given.
func Unread(m ForAll, wanted []string, reason string) (*Question, error) {
	wanted, err := Select(m, wanted)
	if err != nil {
		return nil, err
	}
	q := &Question{Model: m, names: wanted, others: map[string]Other{}, unread: true}
	for _, name := range wanted {
		q.others[name] = Other{name, reason}
	}
	return q, nil
}

// Unread reports whether no automaton was made of the model.
func (q *Question) Unread() bool { return q.unread }
