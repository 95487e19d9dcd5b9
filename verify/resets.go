package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/facts"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/witness"
)

// Epochs says how a specification was decided of an automaton whose rules reset or decrease variables.
type Epochs struct {
	All   int // rules that there are
	Rules int // that can fire, for all that is known, in counterexamples
	// Events is the number of firings of rules that are not monotone up to which counterexamples were looked for; or
	// how many the counterexample has.
	Events int
	// Induction is the number of events for which no end of a counterexample exists; 0 if that was not shown.
	Induction int
}

// DefaultEvents is how many firings of rules that reset or decrease variables a counterexample has at most, unless
// Options say something else.
const DefaultEvents = 8

// searchEpochs looks for a run of an automaton with rules that are not monotone that satisfies one of the trees.
func (r *run) searchEpochs(trees []*ltl.Node) error {
	r.result.Search, r.result.Encoding = schedule.Lazy.Name(), schedule.Flow.Name()
	r.result.Epochs = &Epochs{All: len(r.a.Rules)}
	for _, tree := range trees {
		d := &deepening{run: r, tree: tree, runs: facts.Runs{Start: tree.Prop, Always: tree.Invariant()}}
		err := d.decide()
		switch {
		case errors.Is(err, facts.ErrUndecided):
			r.unknown("the solver does not know what holds in every configuration")
			if r.ctx.Err() != nil {
				r.unknown(smt.Interrupted(r.ctx))
				return nil
			}
		case err != nil:
			return fmt.Errorf("spec %q: %w", r.spec.Name, err)
		case r.result.Verdict == Violated:
			r.result.Because = nil
			return nil
		case r.ctx.Err() != nil:
			r.unknown(smt.Interrupted(r.ctx))
			return nil
		}
	}
	if r.result.Verdict != Holds {
		r.result.Because = nil
	}
	return nil
}

func (r *run) unknown(reason string) { r.result.Verdict, r.result.Reason = Unknown, reason }

// deepening decides one canonical tree: first by facts alone, then epoch by epoch.
type deepening struct {
	*run
	tree  *ltl.Node
	runs  facts.Runs
	known *facts.Facts
	p     *schedule.Problem
}

func (d *deepening) decide() error {
	known, err := facts.Find(d.ctx, d.solver, d.a, d.runs)
	if err != nil {
		return err
	}
	d.known = known
	if done, err := d.byFacts(); err != nil || done {
		return err
	}
	stronger, err := facts.Stronger(d.ctx, d.solver, d.a, d.runs, known, ltl.Atoms(d.tree.Formula()))
	switch {
	case errors.Is(err, facts.ErrUndecided) && d.ctx.Err() == nil: // those that are known are facts all the same
	case err != nil:
		return err
	default:
		d.known = stronger
		if done, err := d.byFacts(); err != nil || done {
			return err
		}
	}
	d.result.Epochs.Rules = max(d.result.Epochs.Rules, count(d.known.Live))
	if d.p, err = schedule.NewEpochs(d.ctx, d.solver, d.a, d.known.Live, d.known.Cond(), d.tree,
		d.method.complete.NoSimplify); err != nil {
		return err
	}
	d.p.Settle(ltl.Atoms(d.tree.Formula()))
	return d.deepen()
}

// byFacts reports whether the facts alone exclude the tree: no run begins as it demands, or some proposition that has
// to be true at some time never is.
func (d *deepening) byFacts() (done bool, err error) {
	if d.known.None {
		return true, nil
	}
	for _, cond := range demands(d.tree) {
		if done, err = d.known.Excludes(d.ctx, d.solver, d.a, d.runs, cond); err != nil {
			return false, err
		}
		if done {
			d.result.Epochs.Rules = max(d.result.Epochs.Rules, count(d.known.Live))
			return true, d.because(cond)
		}
	}
	return false, nil
}

// demands lists conditions that some configuration of every run that satisfies a tree satisfies.
func demands(n *ltl.Node) []*ta.Cond {
	var list []*ta.Cond
	if n.Globally != nil {
		list = append(list, n.Always())
	}
	for _, c := range n.Events() {
		list = append(list, ta.And(c.Prop, c.Invariant()))
		list = append(list, demands(c)...)
	}
	return list
}

func count(list []bool) (n int) {
	for _, yes := range list {
		if yes {
			n++
		}
	}
	return n
}

// ask decides one of the problem's questions.
func (d *deepening) ask(p *schedule.Problem) (schedule.Outcome, error) {
	w := schedule.Workers{Main: d.solver}
	out, err := schedule.Decide(d.ctx, w, p, schedule.Lazy, schedule.Flow)
	l := &d.result.Lazy
	l.Rounds, l.Lemmas, l.Fallbacks = l.Rounds+out.Refinement.Rounds, l.Lemmas+out.Refinement.Lemmas,
		l.Fallbacks+out.Refinement.Fallbacks
	d.result.Longest = max(d.result.Longest, out.Transitions)
	return out, err
}

// deepen looks for counterexamples with more and more events, until none is left or the limit is reached.
func (d *deepening) deepen() error {
	limit := d.method.complete.Events
	if limit == 0 {
		limit = DefaultEvents
	}
	loops, err := d.loops()
	if err != nil {
		return err
	}
	settled := true // no counterexample with so many events, or fewer
	for k := 0; ; k++ {
		out, err := d.ask(d.p.Base(k))
		if err != nil || d.ctx.Err() != nil {
			return err
		}
		switch out.Status {
		case smt.Sat:
			return d.found(k, out.Run)
		case smt.Unknown:
			settled = false
			d.unknown(out.Reason)
		}
		if len(loops) > 0 && k <= loopEvents {
			if done, err := d.lassos(k); err != nil || done {
				return err
			}
		}
		d.result.Epochs.Events = max(d.result.Epochs.Events, k)
		if settled && len(loops) == 0 {
			done, err := d.done(k)
			if err != nil || done {
				return err
			}
		}
		if k >= limit {
			break
		}
	}
	d.unknown(d.why(limit, loops))
	return nil
}

// loopEvents bounds the events before a loop that has events, and in it. Questions about these are exact, and large.
const loopEvents = 2

// lassos looks for counterexamples whose loops have events, with k of them before.
func (d *deepening) lassos(k int) (found bool, err error) {
	for inside := 1; inside <= loopEvents; inside++ {
		out, err := d.p.Lasso(d.ctx, d.solver, k, inside)
		if err != nil || d.ctx.Err() != nil {
			return true, err
		}
		if out.Status == smt.Sat {
			return true, d.witness(k+inside, d.p.Original(out.Run))
		}
	}
	return false, nil
}

// done reports whether there is nothing left to look for beyond counterexamples with k events.
func (d *deepening) done(k int) (bool, error) {
	if len(d.p.Events()) == 0 || d.p.Immediate() {
		return true, nil
	}
	for _, p := range []*schedule.Problem{d.p.Step(k + 1), d.p.Possible(k + 1)} {
		excluded, err := p.Excluded(d.ctx, d.solver)
		if err != nil {
			return false, err
		}
		if excluded {
			d.result.Epochs.Induction = max(d.result.Epochs.Induction, k+1)
			return true, nil
		}
	}
	return false, nil
}

// found makes a witness of a run.
func (d *deepening) found(events int, found *ta.Run) (err error) {
	p := d.p.Base(events)
	if !d.method.complete.KeepFirst {
		if _, found, err = schedule.Minimise(d.ctx, d.solver, found, p); err != nil {
			return err
		}
	}
	return d.witness(events, p.Original(found))
}

// witness makes a witness of a run with so many events.
func (d *deepening) witness(events int, run *ta.Run) (err error) {
	r := d.result
	r.Verdict, r.Reason = Violated, ""
	r.Epochs.Events = events
	if r.Witness, err = witness.New(d.a, d.spec, run); err == nil && !d.method.complete.KeepFirst {
		r.Witness = witness.Shorten(r.Witness, d.spec)
	}
	return err
}

// loops lists the rules that are not monotone that may fire in the loop of a counterexample, again and again: from
// where a rule leads, rules that can fire in the loop have to lead back; and a rule that needs a variable to be small
// that it increases, and that no rule makes smaller, does not fire for ever.
func (d *deepening) loops() ([]string, error) {
	if !d.tree.HasGlobally() {
		return nil, nil
	}
	within := facts.Runs{Start: ta.True, Always: ta.And(d.runs.Always, d.tree.Always())}
	live, err := d.known.Within(d.ctx, d.solver, d.a, within)
	if err != nil {
		return nil, err
	}
	for i := range live {
		live[i] = live[i] && !exhausted(d.a, live, &d.a.Rules[i])
	}
	var rules []int
	for i, yes := range live {
		if yes {
			rules = append(rules, i)
		}
	}
	part := d.a.With(rules, ta.True)
	_, component := part.Components()
	var names []string
	for i := range part.Rules {
		if r := &part.Rules[i]; !r.Monotone() && component[r.From] == component[r.To] {
			names = append(names, d.a.RuleName(&d.a.Rules[rules[i]]))
		}
	}
	return names, nil
}

// exhausted reports whether a rule cannot fire for ever: in each case of its guard, a threshold has to be false which
// the rule raises and that no rule that is live lowers.
func exhausted(a *ta.Automaton, live []bool, r *ta.Rule) bool {
	cases, err := r.Cases()
	if err != nil {
		return false
	}
	var rules []*ta.Rule
	for i := range a.Rules {
		if live[i] {
			rules = append(rules, &a.Rules[i])
		}
	}
	for _, c := range cases {
		if !slices.ContainsFunc(c, func(l ta.Literal) bool {
			rising := ta.DirectionUnder(rules, l.Threshold.LHS)&ta.Rising != 0
			return l.Negated && rising && r.Effect(l.Threshold.LHS).Sign() > 0
		}) {
			return false
		}
	}
	return true
}

// why says why it is not known whether there is a counterexample.
func (d *deepening) why(limit int, loops []string) string {
	if len(loops) > 0 {
		return fmt.Sprintf("no counterexample was found, but its loop may fire %s again and again, and such loops "+
			"are looked for only if they are short", spell.Rules(loops))
	}
	names := lists.Map(d.p.Events(), func(e *ta.Rule) string { return d.a.RuleName(e) })
	if d.result.Reason != "" {
		return d.result.Reason
	}
	return fmt.Sprintf("there is no counterexample that fires %s at most %d times, and what holds in every "+
		"configuration does not exclude longer ones (--resets looks for them)", spell.Rules(names),
		limit)
}

// because explains why facts exclude a counterexample: which rules can never fire though a process may be where they
// start, and what keeps their guards false.
func (d *deepening) because(excluded *ta.Cond) error {
	lines, err := d.known.Explain(d.ctx, d.solver, d.a, d.runs, excluded)
	d.result.Because = lists.Union(d.result.Because, lines...)
	return err
}
