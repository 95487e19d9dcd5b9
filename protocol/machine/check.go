package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interference"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
)

// Options say how to explore.
type Options struct {
	Traffic interp.Traffic // protocol.Direct if empty
	Crash   string         // implicit, explicit, or "" for what is faster and exact
	Plain   bool           // no symmetry
	// Partial is a reduction by partial orders. The empty one is for what is fastest:
	// Unreduced until there are many states, and then LPORNet, where that is exact.
	Partial string
	Split   interference.Split // interference.Combined if empty
	Without []string           // names of rules that runs do not use
	explore.Bounds
}

// Result is what is known of a property of an instance.
type Result struct {
	Property    string
	Verdict     verdict.Verdict
	Reason      string // for unknown; for holds why that is not exact, if it is not; for violated why there is no run
	Symmetric   bool
	Asymmetry   string // why there is no symmetry, where some was wanted
	Options     interp.Options
	Partial     string
	Split       interference.Split // interference.None without partial orders
	Saving      []string           // where nothing was asked for: what partial orders were found to save
	Whole       string             // why all transitions are followed, where a reduction was wanted
	States      int64
	Transitions int64
	Deadlocks   int64 // states after which nothing happens; of formulas: not counted
	Depth       int
	Time        time.Duration
	Bytes       float64 // per state
	Missed      float64 // the probability that a compact search has missed something
	Run         *interp.Run
}

// The verdicts.
const (
	Holds    = verdict.Holds
	Violated = verdict.Violated
	Unknown  = verdict.Unknown
)

// ModelError is an error in a model that shows when it runs: where it is, and the run that leads there.
type ModelError struct {
	*protocol.Failure
	Run *interp.Run
}

// Check decides properties of a model by visiting all its states: invariants all at once, formulas one by one. Its
// error is a *ModelError, of what goes wrong besides the violations that have been found before, or an internal one;
// limits and cancellation end in Unknown.
func Check(ctx context.Context, m *protocol.Model, props []*protocol.Prop, o Options) ([]*Result, error) {
	out := make([]*Result, len(props))
	if err := errors.Join(journalled(props, o), compact(props, o)); err != nil {
		return nil, err
	}
	if o.Compact || len(o.Without) > 0 {
		o.Partial = Unreduced
	}
	type search struct {
		how interp.Options
		of  []int // properties
	}
	var invariants, formulas []*search
	for i, p := range props {
		how := o.how(m, p)
		if o.Journal != nil { // of one exploration
			how = o.how(m, props...)
		}
		if p.Invariant == nil {
			formulas = append(formulas, &search{how, []int{i}})
		} else if k := slices.IndexFunc(invariants, func(s *search) bool { return s.how == how }); k >= 0 {
			invariants[k].of = append(invariants[k].of, i)
		} else {
			invariants = append(invariants, &search{how, []int{i}})
		}
	}
	searches := slices.Concat(invariants, formulas)
	for k, s := range searches {
		within, stop := share(ctx, len(searches)-k)
		defer stop()
		list := lists.Map(s.of, func(i int) *protocol.Prop { return props[i] })
		results, err := decideAll(within, m, list, s.how, o)
		for _, r := range results {
			if r.Reason == "timeout" && len(searches) > 1 {
				r.Reason = fmt.Sprintf("timeout (%d searches share the time)", len(searches))
			}
			out[slices.IndexFunc(props, func(p *protocol.Prop) bool { return p.Name == r.Property })] = r
		}
		if err != nil {
			return violated(out), err
		}
	}
	for i, r := range out {
		if r.Verdict == Holds {
			r.Reason = doubts(Doubt(m, props[i], r.Options), r.Missed)
		}
	}
	return out, nil
}

// compact says what a compact search cannot do.
func compact(props []*protocol.Prop, o Options) error {
	switch {
	case !o.Compact:
	case o.Partial != "" && o.Partial != Unreduced:
		return errors.New("a compact search follows all steps: --por none")
	case o.Journal != nil:
		return errors.New("a compact search remembers no states: there is nothing to save, or to go on from")
	case slices.ContainsFunc(props, func(p *protocol.Prop) bool { return p.Invariant == nil }):
		return errors.New("a compact search is for invariants: name those with --spec")
	}
	return nil
}

// doubts says why a property that holds may not.
func doubts(doubt string, missed float64) string {
	if missed == 0 {
		return doubt
	}
	text := fmt.Sprintf("64-bit fingerprints: with probability %.1g something was missed", missed)
	if doubt != "" {
		text = doubt + "; " + text
	}
	return text
}

// share bounds one of so many searches that are left by its part of the time.
func share(ctx context.Context, left int) (context.Context, context.CancelFunc) {
	if end, limited := ctx.Deadline(); limited && left > 1 {
		return context.WithTimeout(ctx, time.Until(end)/time.Duration(left))
	}
	return ctx, func() {}
}

// journalled says what cannot be kept in a journal, which is that of one exploration.
func journalled(props []*protocol.Prop, o Options) error {
	switch {
	case o.Journal == nil:
	case o.Partial == DPOR:
		return errors.New("dynamic reduction remembers no states: there is nothing to save, or to go on from")
	case len(props) > most:
		return fmt.Errorf("one exploration decides %d invariants at most: name those that are to be saved together",
			most)
	case slices.ContainsFunc(props, func(p *protocol.Prop) bool { return p.Invariant == nil }):
		return errors.New("explorations for formulas are not saved")
	}
	return nil
}

// soon is how many states are visited without partial orders, where none are
// asked for: few enough to be fast, and counterexamples are shortest.
var soon int64 = 1 << 19

// always is explore.Bounds.Reduce for a reduction that is asked for.
func always(*explore.Reached) uint64 { return 1 }

// decideAll decides a formula, or invariants: all at once as long as all transitions are followed, and those that are
// left then at once, too. A reduction that is asked for is used for each by itself: what one looks at spoils it for the
// others.
func decideAll(ctx context.Context, m *protocol.Model, props []*protocol.Prop, how interp.Options,
	o Options) (out []*Result, err error) {
	whole := unsuitable(m, nil, how)
	switch {
	case props[0].Invariant == nil:
		return single(formula(ctx, m, props[0], how, o))
	case o.Partial == "" && whole == "" && o.Journal == nil:
		return invariant(ctx, m, props, how, o)
	case o.Partial == "" || o.Partial == Unreduced || whole != "":
		wanted := o.Partial
		o.Partial = Unreduced
		out, err = invariant(ctx, m, props, how, o)
		for _, r := range out {
			if wanted != "" && wanted != Unreduced {
				r.Whole = whole
			}
		}
		return out, err
	case o.Journal != nil: // a journal is that of one exploration
		return invariant(ctx, m, props, how, o)
	}
	for _, p := range props {
		var one []*Result
		if o.Partial == DPOR {
			one, err = single(dynamic(ctx, m, p, how, o))
		} else {
			one, err = invariant(ctx, m, []*protocol.Prop{p}, how, o)
		}
		if err != nil { // which ends the search of one only where this is not violated before
			return violated(out), err
		}
		out = append(out, one...)
	}
	return out, nil
}

// single is the list of one result, or an error.
func single(r *Result, err error) ([]*Result, error) {
	if err != nil {
		return nil, err
	}
	return []*Result{r}, nil
}

// violated are the results that say so: they stand whatever goes wrong elsewhere.
func violated(list []*Result) []*Result {
	return slices.DeleteFunc(list, func(r *Result) bool { return r == nil || r.Verdict != Violated })
}

// unsuitable says why partial orders are not exact for a formula, or for invariants if there is none; "" if they are.
func unsuitable(m *protocol.Model, p *protocol.Prop, how interp.Options) string {
	switch {
	case m.Letters():
		return "partial orders are for rules that send one message to each process"
	case m.Channels.Duplicating:
		return "partial orders are for channels that do not duplicate"
	case how.TrafficName() != interp.Direct:
		return "partial orders are for message traffic M"
	case p != nil && slices.Contains(p.Fair, true):
		return "partial orders do not preserve fairness"
	}
	return ""
}

// Count visits all states without looking for anything.
func Count(ctx context.Context, m *protocol.Model, o Options) (*Result, error) {
	if o.Partial == "" {
		o.Partial = Unreduced
	}
	list, err := invariant(ctx, m, nil, interp.Options{Traffic: o.Traffic, Implicit: o.Crash == "implicit"}, o)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// Implicit reports whether crashes need not be modelled: a process that has crashed is one that moves no more, which is
// possible anyway (Bokor, thesis, theorem 2). That takes asynchronous channels, or absence would be noticed; lossy
// ones, or senders would wait for processes that have crashed to make room; and an invariant that does not speak of
// statuses, because runs in which only some processes move are not told from those in which the others have crashed.
func Implicit(m *protocol.Model, p *protocol.Prop) bool { return explicitly(m, p) == "" }

// explicitly says why crashes have to be modelled; "" if they need not be.
func explicitly(m *protocol.Model, p *protocol.Prop) string {
	switch {
	case m.Channels.Synchronous:
		return "channels are synchronous"
	case !m.Channels.Lossy:
		return "channels are reliable"
	case p.Invariant == nil:
		return "it is a formula"
	}
	speaks := false
	status := func(t *protocol.Term) {
		speaks = speaks || t.Base == protocol.BaseStatus || t.Base == protocol.BaseWhole
	}
	if p.Invariant.Places(status); speaks {
		return "it speaks of statuses"
	}
	for i := range m.Rules {
		if m.Rules[i].Touch(func(t *protocol.Term, _ bool) { status(t) }); speaks {
			return "rule " + m.Rules[i].Label + " speaks of statuses"
		}
	}
	return ""
}

// Doubt is why a property that holds without crashes may be violated with them; "" if it is not, or no process crashes.
func Doubt(m *protocol.Model, p *protocol.Prop, how interp.Options) string {
	if !how.Implicit || m.Source.Parameterized() || m.Source.Times(protocol.Crash.String()) == 0 {
		return ""
	}
	if why := explicitly(m, p); why != "" {
		return "without crashes, and that is not exact: " + why
	}
	return ""
}

// symmetric says whether states are counted up to symmetry, and why not.
func symmetric(m *protocol.Model, o Options) (bool, string) {
	switch {
	case o.Plain:
		return false, ""
	case m.Asymmetry != nil:
		e := m.Asymmetry[0]
		why := fmt.Sprintf("%s: %s", e.Pos, e.Msg)
		if more := len(m.Asymmetry) - 1; more > 0 {
			why += fmt.Sprintf("; lint shows %s", spell.Count(more, "other place", "other places"))
		}
		return false, why
	}
	return true, ""
}

// watching makes a machine that watches invariants.
func watching(m *protocol.Model, props []*protocol.Prop, how interp.Options, symmetric bool) (*machine, error) {
	frames := 0
	for _, p := range props {
		frames = max(frames, p.Frame)
	}
	conditions := lists.Map(props, func(p *protocol.Prop) *protocol.Term { return p.Invariant })
	return newMachine(m, how, conditions, frames, symmetric, nil)
}

func invariant(ctx context.Context, m *protocol.Model, props []*protocol.Prop, how interp.Options,
	o Options) ([]*Result, error) {
	if len(props) > most {
		first, err := invariant(ctx, m, props[:most], how, o)
		if err != nil {
			return first, err
		}
		rest, err := invariant(ctx, m, props[most:], how, o)
		return append(first, rest...), err
	}
	begin := time.Now()
	sym, why := symmetric(m, o)
	x, err := watching(m, props, how, sym)
	if err != nil {
		return nil, err
	}
	x.leave(o.Without)
	saving := &reductionPolicy{x: x, first: soon, follow: func(r *explore.Reached) error {
		var left []*protocol.Term
		for i, c := range x.conditions {
			if r.First[i] == explore.None {
				left = append(left, c)
			}
		}
		return x.follow(ctx, LPORNet, o.split(), left, false)
	}}
	switch o.Partial {
	case Unreduced:
	case "":
		o.Reduce = saving.every
	default:
		if err := x.follow(ctx, o.Partial, o.split(), x.conditions, false); err != nil {
			return late(ctx, begin, props, how, o), nil
		}
		o.Reduce = always
	}
	before := time.Since(begin)
	r, err := explore.Reach(ctx, x, len(props), o.Bounds)
	reached := time.Now()
	if err != nil {
		return nil, asModelError(err, m, how)
	}
	var failed *protocol.Failure
	var out []*Result
	e := &searched{r, x, saving, how, o, why}
	if len(props) == 0 && r.Failed == nil {
		out = []*Result{e.result(-1)}
	}
	for i, p := range props {
		res := e.result(i)
		res.Property = p.Name
		err := e.counterexample(ctx, res, p, i)
		switch {
		case r.Failed != nil && errors.As(err, &failed): // on the way there something goes wrong, which is told
			continue
		case err != nil:
			return nil, err
		}
		out = append(out, res)
	}
	if r.Failed != nil {
		out, err = violated(out), x.modelError(ctx, r, how)
	}
	for _, res := range out { // that of the search may be more than was now: of one that was taken up again
		res.Time = before + r.Duration + time.Since(reached)
	}
	return out, err
}

// searched is what a search for violations of conditions has found.
type searched struct {
	*explore.Reached
	x         *machine
	saving    *reductionPolicy
	how       interp.Options
	o         Options
	asymmetry string // why states are not counted up to symmetry
}

// violated reports whether a condition is false somewhere.
func (e *searched) violated(condition int) bool {
	return condition >= 0 && e.First[condition] != explore.None
}

// result is what is known of a condition; -1 for none.
func (e *searched) result(condition int) *Result {
	res := &Result{Verdict: Holds, Symmetric: e.x.symmetric, Asymmetry: e.asymmetry, Options: e.how, States: e.States,
		Transitions: e.Transitions, Deadlocks: e.Deadlocks, Depth: e.Depth, Partial: e.o.Partial,
		Split: e.o.usedSplit(), Missed: e.Missed(), Bytes: float64(e.Bytes()) / float64(max(1, e.States))}
	violated := e.violated(condition)
	switch {
	case e.o.Partial != "":
	case e.saving.began > 0 && (!violated || e.Depths[condition] >= e.saving.began):
		res.Partial, res.Split, res.Saving = LPORNet, e.o.split(), e.saving.notes
	default:
		res.Partial, res.Split = Unreduced, interference.None
	}
	switch {
	case violated:
		res.Verdict, res.Depth = Violated, e.Depths[condition]
	case e.Reason != "":
		res.Verdict, res.Reason = Unknown, e.Reason
	}
	return res
}

// counterexample adds the run that leads to where a property is violated, if it is.
func (e *searched) counterexample(ctx context.Context, res *Result, p *protocol.Prop, i int) error {
	if !e.violated(i) {
		return nil
	}
	run, err := e.x.run(ctx, e.Reached, e.First[i], e.how)
	full := (*explore.MemoryError)(nil)
	switch {
	case err != nil && ctx.Err() != nil:
		res.Reason = smt.Interrupted(ctx) + ", while the run of the violation was put together"
		return nil
	case errors.As(err, &full):
		res.Reason = "its run is not shown: " + full.Error()
		return nil
	case err != nil:
		return err
	}
	res.Run = run
	return violates(run, p)
}

// late are results where time was up before anything was visited.
func late(ctx context.Context, begin time.Time, props []*protocol.Prop, how interp.Options,
	o Options) (list []*Result) {
	for _, p := range props {
		list = append(list, &Result{Property: p.Name, Verdict: Unknown, Reason: smt.Interrupted(ctx),
			Time: time.Since(begin), Options: how, Partial: cmp.Or(o.Partial, Unreduced), Split: o.usedSplit()})
	}
	return list
}

// modelError tells an error in a model, with the run that leads there.
func (x *machine) modelError(ctx context.Context, r *explore.Reached, how interp.Options) error {
	var failed *protocol.Failure
	if !errors.As(r.Failed, &failed) {
		return r.Failed
	}
	run, err := x.run(ctx, r, r.FailedAt, how)
	if full := (*explore.MemoryError)(nil); err != nil && ctx.Err() != nil || errors.As(err, &full) {
		return asModelError(failed, x.Model, how)
	}
	return erring(run, failed, err)
}

// erring is an error in a model with the run that leads there, unless that could not be made.
func erring(run *interp.Run, failed *protocol.Failure, err error) error {
	if err != nil {
		return err
	}
	run.Fail(failed)
	return &ModelError{run.Failure, run}
}

// More is how long after the end of a search one still looks for the run that leads to what it has found: that has been
// found, whether it is shown or not.
const More = 350 * time.Millisecond

// run makes a run of a path, by the interpreter: where states were counted up
// to symmetry it follows one process by its number.
func (x *machine) run(ctx context.Context, r *explore.Reached, n uint32, how interp.Options) (*interp.Run, error) {
	ctx, stop := limit.Lasting(ctx, More)
	defer stop()
	way, err := r.Way(ctx, n)
	if err != nil {
		return nil, err
	}
	return x.worker().replayed(how, way)
}

// replayed is the run through some states, as the interpreter takes it.
func (w *worker) replayed(how interp.Options, states [][]uint32) (*interp.Run, error) {
	run := &interp.Run{Model: w.Model, Options: how, Loop: -1}
	for _, want := range states {
		ok, err := run.Extend(func(s interp.Successor) bool {
			return w.follows(s.Event) && slices.Equal(w.form(w.encode(s.State)), want)
		})
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errNoStep
		}
	}
	return run, nil
}

var errNoStep = errors.New("internal error, please report: a step of the counterexample is not one of the interpreter")

// violates checks that a run violates a property, plainly.
func violates(run *interp.Run, p *protocol.Prop) error {
	run.Property = p.Name
	if err := run.Check(); err != nil {
		return fmt.Errorf("internal error, please report: the counterexample of %s does not replay: %w", p.Name, err)
	}
	return nil
}

// how is what is explored for properties: without crashes where that is asked for, or exact for all of them.
func (o *Options) how(m *protocol.Model, props ...*protocol.Prop) interp.Options {
	exact := !slices.ContainsFunc(props, func(p *protocol.Prop) bool { return !Implicit(m, p) })
	return interp.Options{Traffic: o.Traffic, Implicit: o.Crash == "implicit" || o.Crash == "" && exact}
}

func (o *Options) split() interference.Split {
	if o.Split == "" {
		return interference.Combined
	}
	return o.Split
}

// usedSplit is the split of what was explored.
func (o *Options) usedSplit() interference.Split {
	if o.Partial == Unreduced {
		return interference.None
	}
	return o.split()
}

// formula decides a temporal formula.
func formula(ctx context.Context, m *protocol.Model, p *protocol.Prop, how interp.Options, o Options) (*Result, error) {
	begin := time.Now()
	res := &Result{Property: p.Name, Verdict: Holds, Options: how}
	if o.Partial == "" {
		o.Partial = Unreduced
	}
	if whole := unsuitable(m, p, how); whole != "" && o.Partial != Unreduced {
		o.Partial, res.Whole = Unreduced, whole
	}
	if o.Partial == DPOR {
		o.Partial, res.Whole = Unreduced, "dynamic reduction is for invariants"
	}
	res.Partial, res.Split = o.Partial, o.usedSplit()
	res.Symmetric, res.Asymmetry = symmetric(m, o)
	cases, why, err := interp.Violation(m, p, res.Symmetric)
	if err == nil && why != "" {
		res.Symmetric, res.Asymmetry = false, why
		cases, _, err = interp.Violation(m, p, false)
	}
	if err != nil {
		return nil, asModelError(err, m, how)
	}
	q := &question{ctx: ctx, m: m, p: p, how: how, o: o, res: res, graphs: map[string]*graph{}}
	for _, c := range cases {
		if err := q.decide(c); err != nil {
			return nil, err
		}
		if res.Verdict != Holds {
			break
		}
	}
	for _, g := range q.graphs {
		res.States, res.Transitions = res.States+g.states, res.Transitions+g.transitions
		res.Bytes = max(res.Bytes, float64(g.store.Bytes())/float64(max(1, g.states)))
	}
	res.Time = time.Since(begin)
	return res, nil
}

// question is a formula that is being decided.
type question struct {
	ctx    context.Context
	m      *protocol.Model
	p      *protocol.Prop
	how    interp.Options
	o      Options
	res    *Result
	graphs map[string]*graph // by the processes that are not interchanged
}

func asModelError(err error, m *protocol.Model, how interp.Options) error {
	var failed *protocol.Failure
	if errors.As(err, &failed) {
		return &ModelError{failed, &interp.Run{Model: m, Options: how, Loop: -1, Failure: failed}}
	}
	return err
}

// decide looks for a run that satisfies a formula.
func (q *question) decide(c interp.Case) error {
	fixed := make([]bool, q.m.Processes())
	for _, p := range c.Fixed {
		fixed[p] = true
	}
	key := fmt.Sprint(fixed)
	g, found, err := q.search(q.graphs[key], c, q.res.Symmetric, fixed, nil)
	if g != nil {
		q.graphs[key] = g
	}
	switch {
	case errors.Is(err, explore.ErrTooLarge):
		q.res.Verdict, q.res.Reason = Unknown, err.Error()
		return nil
	case err != nil && q.ctx.Err() != nil:
		q.res.Verdict, q.res.Reason = Unknown, smt.Interrupted(q.ctx)
		return nil
	case err != nil:
		return q.failed(err)
	case found.Start < 0:
		return nil
	}
	if q.res.Symmetric {
		// Look again, with processes by their numbers, among the states that the ones near the loop stand for.
		near := map[string]bool{}
		state := make([]uint32, g.w.slots)
		for _, n := range found.Near {
			g.store.Read(uint32(n), state)
			near[string(bytesOf(state))] = true
		}
		canon := g.w
		only := func(s []uint32) bool { return near[string(bytesOf(canon.canon.canonical(s)))] }
		longer := *q
		var stop context.CancelFunc
		longer.ctx, stop = limit.Lasting(q.ctx, More)
		defer stop()
		if g, found, err = longer.search(nil, c, false, fixed, &restriction{canon.machine, only}); err != nil {
			if longer.ctx.Err() != nil || errors.Is(err, explore.ErrTooLarge) {
				q.res.Verdict, q.res.Reason = Violated,
					"it is up to symmetry, and no run of it was put together in time"
				return nil
			}
			return q.failed(err)
		}
		if found.Start < 0 {
			return errors.New("internal error, please report: a violation up to symmetry is none without it")
		}
	}
	run, err := g.run(found, q.how)
	if err != nil {
		return err
	}
	q.res.Verdict, q.res.Run, q.res.Depth = Violated, run, len(run.States)-1
	return violates(run, q.p)
}

// failed tells an error in a model that shows in a state of a graph, or in what the formula
// says of one, with a shortest run to such a state.
func (q *question) failed(err error) error {
	var f *failure
	if !errors.As(err, &f) {
		return asModelError(err, q.m, q.how)
	}
	o := q.o
	o.Partial, o.Journal = Unreduced, nil
	if _, err := invariant(q.ctx, q.m, []*protocol.Prop{{Name: q.p.Name, Invariant: interp.Conditions(q.p),
		Frame: q.p.Frame}}, q.how, o); err != nil {
		return err
	}
	return asModelError(f.err, q.m, q.how) // a limit was met before
}

// restriction keeps a search to some states. It shares the numbers of parts of
// states with the machine that they come from.
type restriction struct {
	of   *machine
	only func([]uint32) bool
}

// search looks for a run that satisfies a formula, in a graph that may be known in part; nil for none.
func (q *question) search(g *graph, c interp.Case, sym bool, fixed []bool,
	to *restriction) (*graph, *explore.Found, error) {
	if g == nil {
		x, err := newMachine(q.m, q.how, nil, q.p.Frame, sym, fixed)
		if err != nil {
			return nil, nil, err
		}
		if to != nil {
			x.in = to.of.in
		}
		x.leave(q.o.Without)
		if slices.Contains(q.p.Fair, true) {
			x.fairly(q.p.Fair)
		}
		reduced := q.o.Partial != Unreduced && to == nil
		if reduced {
			if err := x.follow(q.ctx, q.o.Partial, q.o.split(), []*protocol.Term{q.p.LTL}, true); err != nil {
				return nil, nil, err
			}
		}
		g = newGraph(x, q.o.Bounds)
		g.sound = x.at.Compiler().Test(interp.Conditions(q.p))
		if to != nil {
			g.only = to.only
		}
		if reduced {
			if err := g.reduce(q.ctx); err != nil {
				return g, nil, err
			}
		}
	}
	g.atoms = nil
	bounds := q.o.Bounds
	bounds.States = 0 // the graph's own states count, not what is asked of them
	found, err := explore.Search(q.ctx, g, g.formula(c.Formula), bounds)
	if err == nil && g.failed != nil {
		err = g.failed
	}
	return g, found, err
}

// run makes a run of what a search found.
func (g *graph) run(found *explore.Found, how interp.Options) (*interp.Run, error) {
	run := &interp.Run{Model: g.w.Model, Options: how, Loop: -1}
	want := make([]uint32, g.w.slots)
	extend := func(s explore.Step) error {
		fair := none
		if s.Label >= 0 {
			fair = g.moves[s.Label].fair
		}
		g.store.Read(uint32(s.To), want)
		matches := func(s interp.Successor) bool {
			return g.w.follows(s.Event) && slices.Equal(g.w.encode(s.State), want)
		}
		meets := func(s interp.Successor) bool { return matches(s) && g.w.meets(s.Event) == fair }
		ok, err := run.Extend(meets)
		if err == nil && !ok {
			ok, err = run.Extend(matches)
		}
		if err == nil && !ok {
			err = errNoStep
		}
		return err
	}
	for _, s := range slices.Concat([]explore.Step{{To: found.Start, Label: -1}}, found.Prefix, found.Loop) {
		if err := extend(s); err != nil {
			return nil, err
		}
	}
	if found.Loop != nil {
		run.Loop = len(run.Events) - len(found.Loop)
	}
	return run, nil
}

// meets returns the constraint of fairness that an event meets, or none.
func (x *machine) meets(e interp.Event) int {
	if e.Init || e.Fate != interp.Processed {
		return none
	}
	t := &x.Model.Rules[e.Rule]
	sender := -1
	if t.Receives() && !t.Quorum() {
		sender = interp.Process(x.Model, t, t.Sender, e.Frame)
	}
	return x.constraint(e.Rule, interp.Process(x.Model, t, t.Executor, e.Frame), sender)
}
