package induct

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tacheck/tacheck/induct/pool"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/history"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt"
)

// ForSizes is what is known of an invariant for every size.
type ForSizes struct {
	Property string
	Verdict  verdict.Verdict
	Reason   string
	Sizes    []string // the constants that are any numbers
	Implicit bool
	Lemmas   []everysize.Condition // if it holds
	// by lemma, and last for the invariant: what it rests on; the number after the last lemma is the invariant
	Rests    [][]int
	Given    int               // how many of these were given, in the text or by hand; they are the first
	Defined  []string          // what always has a value
	Proved   int               // questions that were answered
	Clauses  int               // ground clauses, of all of them
	Explored int               // instances whose states were all visited
	Partly   int               // instances that were explored in part
	Run      *interp.Run       // if it is violated
	Failing  string            // the question that fails, if it is unknown
	Before   []string          // what is known of the state in which it does
	History  []history.History // of a formula: variables of what has been, which lemmas speak of
	// of a formula: how many lemmas say that its conditions can be evaluated; they are the first
	Values   int
	Time     time.Duration
	OnItsWay []history.TransitCell // variables that count messages that have not arrived, which lemmas speak of
	Model    *protocol.Model       // the text, with what is assumed of sizes
	Unsaid   bool                  // the text assumes nothing: what is assumed is that numbers of processes are sizes
	Below    []string              // then, what is wrong with instances of smaller sizes than those that are assumed
	Refused  *protocol.Unsupported // what cannot be said for every size, if that is why it is unknown
	Untrue   []string              // lemmas that were given and are not true, and where; they are not used
}

// unanswered is what is known of an invariant before anything is done.
func unanswered(m *protocol.Model, p *protocol.Prop) *ForSizes {
	return &ForSizes{Property: p.Name, Verdict: machine.Unknown, Model: m, Implicit: machine.Implicit(m, p),
		Sizes: m.Free()}
}

// Unanswered is the result of an EverySize that ended before it had one, with what Options.Open was told last; nil for
// nothing.
func Unanswered(m *protocol.Model, p *protocol.Prop, o Options, known *ForSizes, reason string,
	took time.Duration) *ForSizes {
	a := unassumed(m, o.Fixed)
	if a != nil {
		if assumed, err := a.model(); err == nil {
			m = assumed
		}
	}
	r := unanswered(m, p)
	r.Unsaid, r.Reason, r.Time = a != nil, reason, took
	if known != nil {
		r.Failing, r.Before, r.Untrue = known.Failing, known.Before, known.Untrue
		r.Explored, r.Partly = known.Explored, known.Partly
	}
	return r
}

// everySize decides an invariant, or a formula, for all sizes that a text assumes; none, if it has none.
func everySize(ctx context.Context, m *protocol.Model, p *protocol.Prop, o Options) (*ForSizes, error) {
	r := unanswered(m, p)
	q := &everySearch{ctx: ctx, m: m, p: p, r: r, efforts: usualEfforts}
	if err := q.formula(); err != nil {
		return nil, err
	}
	r.Implicit = machine.Implicit(q.m, q.p)
	solver, done := smt.Reuse(o.Solver)
	o.Solver = solver
	q.o = o
	if err := errors.Join(q.decide(), done()); err != nil {
		return nil, err
	}
	return r, nil
}

// decide explores instances, and looks for a proof where these have no violation.
func (q *everySearch) decide() error {
	if err := q.instances(); err != nil || q.r.Run != nil {
		return err
	}
	err := q.search()
	if err == nil {
		err = q.once()
	}
	var refused *protocol.Unsupported
	switch {
	case q.ctx.Err() != nil:
		q.r.Verdict, q.r.Reason = machine.Unknown, smt.Interrupted(q.ctx)
		return nil
	case errors.As(err, &refused):
		q.r.Verdict, q.r.Reason, q.r.Refused = machine.Unknown, refused.Msg, refused
		return q.swarm(q.efforts.last)
	}
	return err
}

// search looks for a proof. Its error is an *protocol.Unsupported where the text cannot be said.
func (q *everySearch) search() (err error) {
	if q.x, err = everysize.New(q.m, q.r.Implicit); err != nil {
		return err
	}
	if err := q.x.Says(q.p.Invariant); err != nil {
		return err
	}
	if err := q.x.Always(q.ctx, q.o.Solver); err != nil {
		return err
	}
	q.r.Defined = q.x.AlwaysDefined()
	if err := q.given(); err != nil {
		return err
	}
	return q.run()
}

// everySearch proves an invariant for every size, with lemmas from a pool.
type everySearch struct {
	ctx     context.Context
	m       *protocol.Model
	p       *protocol.Prop
	x       *everysize.Encoding
	o       Options
	r       *ForSizes
	active  []everysize.Condition // the invariant, what was given, and lemmas in use
	fixed   int                   // of these, that are not dropped
	pool    *pool.Pool
	pooled  bool             // there is no other pool to come
	proved  map[string]proof // questions
	own     *given           // of a formula: what was given
	values  []protocol.Prop  // of a formula: that its conditions can be evaluated
	stays   []protocol.Prop  // of a formula: what may be invariant, too
	apart   bool             // the invariant does not follow from lemmas of the pool, as far as was tried
	patient bool             // lemmas that took long are tried again, to the end
	efforts efforts
	further bool            // more states are visited to make the pool
	untrue  int             // lemmas of the pool that could not be proved
	visited map[string]bool // instances for the pool, beyond the first ones
	tried   map[string]bool // lemmas that were given: instances were explored for a violation
}

// proof is that a question has no model.
type proof struct {
	used    map[string]bool // names of conditions that it rests on
	clauses int
}

// given takes the lemmas of the text and those by hand.
func (q *everySearch) given() error {
	q.active = []everysize.Condition{{Name: q.r.Property, Term: q.p.Invariant}}
	q.evaluated()
	for _, l := range q.m.Lemmas {
		q.active = append(q.active, everysize.Condition{Name: l.Name, Term: l.Invariant})
	}
	for _, g := range q.o.Lemmas {
		if g.formula == nil {
			continue // of an instance
		}
		list, err := q.m.Resolved([]*protocol.ConditionText{g.formula})
		if err != nil {
			return err
		}
		q.active = append(q.active, everysize.Condition{Name: g.Text, Term: list[0].Invariant})
	}
	q.active = once(q.active)
	q.fixed = len(q.active)
	q.r.Given = q.fixed - 1
	q.proved, q.tried = map[string]proof{}, map[string]bool{}
	return nil
}

// once is a list without what is in it again.
func once(list []everysize.Condition) (out []everysize.Condition) {
	for _, c := range list {
		if !slices.ContainsFunc(out, func(d everysize.Condition) bool { return d.Name == c.Name }) {
			out = append(out, c)
		}
	}
	return out
}

// run asks all there is to ask, where all lemmas of the pool may be assumed. Those that a proof needs are to be proved
// in the same way; one that cannot be is none of the pool any more, and what rests on it is asked again. So in the end
// there is a proof if the most lemmas of the pool that stand together are enough for one.
func (q *everySearch) run() error {
	q.pooled = q.o.Plain || q.pool != nil
	for {
		failing, a, target, err := q.failing()
		if err != nil || q.ctx.Err() != nil {
			return err
		}
		if failing == nil {
			return q.confirm()
		}
		if 0 < target && target < q.fixed && a.CTI != nil && q.refuted(target) {
			continue
		}
		if !q.pooled {
			q.pooled = true
			if err := q.swarm(q.efforts.first); err != nil || q.r.Run != nil {
				return err
			}
			if err := q.fill(); err != nil {
				return err
			}
			continue
		}
		if target < q.fixed && q.pool.Closely() {
			q.apart = false
			continue
		}
		if target < q.fixed && q.pool.Restore() {
			q.patient, q.apart = true, false
			continue
		}
		if is, err := q.lookFurther(target < q.fixed); err != nil {
			return err
		} else if is {
			continue
		}
		if target < q.fixed {
			q.open(failing, a)
			q.r.Reason = cmp.Or(a.Reason, "no lemma is known that excludes a step")
			if err := q.swarm(q.efforts.last); err != nil || q.r.Run != nil || a.CTI == nil || q.ctx.Err() != nil {
				return err
			}
			return q.imagined(a.CTI.Sizes())
		}
		q.drop(target, a.CTI == nil && !q.patient)
		if a.CTI != nil {
			q.untrue++
			if err := q.visit(a.CTI.Sizes()); err != nil {
				return err
			}
		}
	}
}

// drop gives up a lemma, and what rests on it; or only for as long as a proof may be found without it.
func (q *everySearch) drop(target int, postponed bool) {
	q.pool.Drop(q.active[target].Name, postponed)
	q.active = slices.Delete(q.active, target, target+1)
	q.forget()
}

// forget leaves out proofs that rest on conditions that are not among those that are known any more.
func (q *everySearch) forget() {
	known := map[string]bool{}
	for _, c := range q.active {
		known[c.Name] = true
	}
	maps.DeleteFunc(q.proved, func(_ string, p proof) bool {
		for name := range p.used {
			if !known[name] {
				return true
			}
		}
		return false
	})
}

// failing finds a question that has no proof: which condition it is about. Of failures, it is
// the invariant. Conditions that a proof needs are asked about at once, before others.
func (q *everySearch) failing() (*everysize.Question, *everysize.Answer, int, error) {
	list, err := q.x.Failures(q.active)
	if err != nil {
		return nil, nil, 0, err
	}
	for _, question := range list {
		if a, err := q.ask(question); err != nil || a != nil {
			return question, a, 0, err
		}
	}
	done := map[string]bool{}
	for len(done) < len(q.active) {
		i := len(q.active) - 1 // the newest one that was not asked about
		for ; done[q.active[i].Name]; i-- {
		}
		n := len(q.active)
		list, err := q.about(i)
		if err != nil {
			return nil, nil, 0, err
		}
		for _, question := range list {
			if a, err := q.ask(question); err != nil || a != nil {
				return question, a, i, err
			}
			if len(q.active) > n {
				break
			}
		}
		if len(q.active) == n {
			done[q.active[i].Name] = true
		}
	}
	return nil, nil, 0, nil
}

// How many rounds of instances a question gets while lemmas are looked for: those about the invariant are asked with a
// few at first; and those about lemmas of the pool, as long as there may be others, so many in which nothing is found.
const (
	plainRounds  = 200 // of each, before lemmas are looked for
	searchRounds = 600
	idleRounds   = 200
	briefRounds  = 100
)

// ask asks a question that has no proof so far; the answer is nil if it is proved. Lemmas of the pool that the proof
// needs are active from then on.
func (q *everySearch) ask(question *everysize.Question) (*everysize.Answer, error) {
	effort := everysize.Effort{Rounds: searchRounds}
	if !q.patient && q.ofPool(question.Target) {
		effort.Idle = idleRounds
	}
	return q.askFor(question, effort)
}

// ofPool reports whether a condition is a lemma of the pool.
func (q *everySearch) ofPool(name string) bool {
	return name != "" && !slices.ContainsFunc(q.active[:q.fixed],
		func(c everysize.Condition) bool { return c.Name == name })
}

// askFor asks with some effort, where lemmas are looked for.
func (q *everySearch) askFor(question *everysize.Question, effort everysize.Effort) (*everysize.Answer, error) {
	key := question.String()
	if _, done := q.proved[key]; done {
		return nil, nil
	}
	if q.r.Failing == "" {
		q.open(question, &everysize.Answer{})
	}
	var a *everysize.Answer
	var err error
	switch {
	case q.pool == nil && q.pooled:
		a, err = q.x.Ask(q.ctx, q.o.Solver, question)
	case q.pool == nil: // what is open then may lack a lemma that can be found
		a, err = q.x.AskWith(q.ctx, q.o.Solver, question, nil, everysize.Effort{Rounds: plainRounds})
	default:
		a, err = q.x.AskWith(q.ctx, q.o.Solver, question, q.hints(question), effort)
	}
	if err != nil {
		return nil, err
	}
	if q.o.Progress != nil {
		q.o.Progress(fmt.Sprintf("%d lemmas, %s", len(q.active)-1, key))
	}
	if !a.Proved {
		q.open(question, a)
		return a, nil
	}
	q.note(question, a)
	return nil, nil
}

// open remembers which question has no proof so far, and the state that it fails in, if one is known: one about the
// invariant rather than one about a lemma that was found.
func (q *everySearch) open(question *everysize.Question, a *everysize.Answer) {
	key := q.named(question)
	if q.r.Failing != "" && q.ofPool(question.Target) {
		return
	}
	if a.CTI != nil {
		q.r.Before = a.CTI.Lines()
	} else if q.r.Failing != key {
		q.r.Before = nil
	}
	q.r.Failing = key
	if q.o.Open != nil {
		q.o.Open(*q.r)
	}
}

// named is a question as people read it: whether its lemma is one of the pool, which they have not written.
func (q *everySearch) named(question *everysize.Question) string {
	if q.ofPool(question.Target) {
		return question.String() + " (a lemma that was tried)"
	}
	return question.String()
}

// hints names lemmas for a question about a condition, or about what goes wrong: those that say that something exists,
// if the condition does.
func (q *everySearch) hints(question *everysize.Question) everysize.Hint {
	var about []*protocol.Term
	some := false
	for _, c := range q.active {
		if c.Name == question.Target {
			about = append(about, c.Term)
			some = c.Term.Any(func(t *protocol.Term) bool { return t.Op == ftdp.Exists })
		}
	}
	return q.pool.Hints(some, q.pool.About(question.Rule, about...))
}

// note remembers a proof, and the lemmas of the pool that it needs.
func (q *everySearch) note(question *everysize.Question, a *everysize.Answer) {
	used := map[string]bool{}
	for _, name := range a.Used {
		used[name] = true
	}
	if q.proved[question.String()] = (proof{used, a.Clauses()}); q.r.Failing == q.named(question) {
		q.r.Failing, q.r.Before = "", nil
	}
	for _, c := range a.Hints {
		if !slices.ContainsFunc(q.active, func(d everysize.Condition) bool { return d.Name == c.Name }) {
			c.Waits = q.pool.Chooses()
			q.active = append(q.active, c)
		}
	}
}

// about lists the questions about a condition: none if it is the invariant, and follows from the others.
func (q *everySearch) about(i int) ([]*everysize.Question, error) {
	if i == 0 && (q.pool == nil || q.r.Given > 0 || q.followed()) {
		if is, err := q.follows(); is || err != nil {
			return nil, err
		}
	}
	list, err := q.x.Questions(q.active, q.active[i])
	if err != nil || i > 0 || q.pool == nil || q.apart || !q.pool.Chooses() {
		return list, err
	}
	// Nothing is given. The invariant may follow from lemmas of the pool: that is asked where its steps are not simple.
	for _, question := range list {
		if a, err := q.askFor(question, everysize.Effort{Rounds: briefRounds}); err != nil {
			return nil, err
		} else if a == nil {
			continue
		}
		if is, err := q.follows(); is || err != nil {
			return nil, err
		}
		break
	}
	return list, nil
}

// follows reports whether the invariant follows from the lemmas: those that were given, and those of the pool.
func (q *everySearch) follows() (bool, error) {
	searching := q.pool != nil
	switch {
	case !searching && len(q.active) == 1, searching && q.apart:
		return false, nil
	}
	if q.followed() {
		return true, nil
	}
	var hint everysize.Hint
	if searching {
		hint = q.hints(q.x.Implication(q.active, q.active[0]))
	}
	for {
		question, a, err := q.x.Follows(q.ctx, q.o.Solver, q.active, q.active[0], hint)
		if err != nil || !a.Proved {
			q.apart = searching
			return false, err
		}
		if same, err := q.restated(a.Hints); err != nil {
			return false, err
		} else if !same {
			q.note(question, a)
			return true, nil
		}
	}
}

// restated leaves lemmas out of the pool that say no more than the invariant, where an implication rests on nothing but
// such ones.
func (q *everySearch) restated(hints []everysize.Condition) (bool, error) {
	for _, c := range hints {
		_, a, err := q.x.Follows(q.ctx, q.o.Solver, q.active[:1], c, nil)
		if err != nil || !a.Proved {
			return false, err
		}
	}
	for _, c := range hints {
		q.pool.Drop(c.Name, false)
	}
	return len(hints) > 0, nil
}

// followed reports whether it is known that the invariant follows from the lemmas.
func (q *everySearch) followed() bool {
	_, is := q.proved[q.x.Implication(q.active, q.active[0]).String()]
	return is
}

func (q *everySearch) holds() error {
	var err error
	if q.r.Rests, err = q.rests(); err != nil {
		return err
	}
	q.r.Verdict, q.r.Failing, q.r.Before = machine.Holds, "", nil
	q.r.Lemmas = q.active[1:]
	q.r.Proved = len(q.proved)
	for _, p := range q.proved {
		q.r.Clauses += p.clauses
	}
	return nil
}

// confirm leaves out lemmas that are not needed, and asks all questions again with those that are left; if they are too
// few, with all.
func (q *everySearch) confirm() error {
	if len(q.active) == q.fixed {
		return q.holds()
	}
	all := slices.Clone(q.active)
	q.pool = nil
	if err := q.needed(); err != nil {
		return err
	}
	var failing *everysize.Question
	for _, active := range [][]everysize.Condition{q.active, all} {
		var err error
		q.active = active
		clear(q.proved)
		if failing, _, _, err = q.failing(); err != nil {
			return err
		}
		if failing == nil {
			return q.holds()
		}
	}
	q.r.Failing, q.r.Reason = failing.String(), "a proof that was found is none when all is asked again"
	return nil
}

// needed leaves out lemmas that were found and that nothing rests on, in the end.
func (q *everySearch) needed() error {
	rests, err := q.rests()
	if err != nil {
		return err
	}
	last := len(q.active) - 1
	use := make([]bool, len(q.active)) // by condition: lemmas first, the invariant last
	for i := range q.fixed - 1 {
		use[i] = true
	}
	use[last] = true
	for changed := true; changed; {
		changed = false
		for i, list := range rests {
			for _, k := range list {
				changed = changed || use[i] && !use[k]
				use[k] = use[k] || use[i]
			}
		}
	}
	var kept []everysize.Condition
	for i, c := range q.active {
		if i == 0 || use[i-1] {
			kept = append(kept, c)
		}
	}
	q.active = kept
	return nil
}

// rests lists what the proofs of the questions about each lemma use, and last of those about the invariant and
// failures.
func (q *everySearch) rests() ([][]int, error) {
	n := len(q.active)
	place := map[string]int{} // lemmas first, the invariant last
	for i, c := range q.active {
		place[c.Name] = (i + n - 1) % n
	}
	out := make([][]int, n)
	for i, c := range q.active {
		list, err := q.x.Questions(q.active, c)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			if q.followed() {
				list = nil
			}
			list = append(list, q.x.Implication(q.active, c))
			more, err := q.x.Failures(q.active)
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
		used := map[int]bool{}
		for _, question := range list {
			for name := range q.proved[question.String()].used {
				if k, ok := place[name]; ok {
					used[k] = true
				}
			}
		}
		out[place[c.Name]] = slices.Sorted(maps.Keys(used))
	}
	return out, nil
}
