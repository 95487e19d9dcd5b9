package induct

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"tacheck/induct/pool"
	"tacheck/internal/verdict"
	"tacheck/protocol"
	"tacheck/protocol/everysize"
	"tacheck/protocol/machine"
	"tacheck/smt"
)

// ForSizes is what is known of an invariant for every size.
type ForSizes struct {
	Property string
	Verdict  verdict.Verdict
	Reason   string
	Sizes    []string // the constants that are any numbers
	Implicit bool
	Lemmas   []everysize.Condition // if it holds
	Rests    [][]int               // by lemma, and last for the invariant: what it rests on; the number after the last lemma is the invariant
	Given    int                   // how many of these were given, in the text or by hand; they are the first
	Defined  []string              // what always has a value
	Proved   int                   // questions that were answered
	Clauses  int                   // ground clauses, of all of them
	Explored int                   // instances whose states were all visited
	Partly   int                   // instances of which some were
	Run      *protocol.Run         // if it is violated
	Failing  string                // the question that fails, if it is unknown
	Before   []string              // what is known of the state in which it does
	History  []protocol.History    // of a formula: variables of what has been, which lemmas speak of
	Values   int                   // of a formula: how many lemmas say that its conditions can be evaluated; they are the first
	Time     time.Duration
}

// EverySize decides an invariant, or a formula that says what never happens, for all sizes that a text assumes. Instances of sizes up to
// 4 are explored first: a violation of one is the result. Errors are *protocol.Unsupported,
// *machine.ModelError, of lemmas by hand, and internal ones.
func EverySize(ctx context.Context, m *protocol.Model, p *protocol.Prop, o Options) (*ForSizes, error) {
	start := time.Now()
	r := &ForSizes{Property: p.Name, Verdict: machine.Unknown}
	defer func() { r.Time = time.Since(start) }()
	q := &everySearch{ctx: ctx, m: m, p: p, r: r}
	if err := q.formula(); err != nil {
		return nil, err
	}
	r.Implicit = machine.Implicit(q.m, q.p)
	x, err := everysize.New(q.m, r.Implicit)
	if err != nil {
		return nil, err
	}
	if r.Sizes = x.Sizes(); r.Sizes == nil {
		return nil, fmt.Errorf("%s: no constant is a size: say what is assumed of those that are, as in `assume n >= 1;`", m.File)
	}
	solver, done := smt.Reuse(o.Solver)
	o.Solver = solver
	q.x, q.o, q.raids = x, o, usualRaids
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
	err := q.x.Always(q.ctx, q.o.Solver)
	if err == nil {
		q.r.Defined = q.x.AlwaysDefined()
		if err = q.given(); err != nil {
			return err
		}
		err = q.run()
	}
	if q.ctx.Err() != nil {
		q.r.Verdict, q.r.Reason = machine.Unknown, smt.Interrupted(q.ctx)
		return nil
	}
	return err
}

// everySearch proves an invariant for every size, with lemmas from a pool.
type everySearch struct {
	ctx    context.Context
	m      *protocol.Model
	p      *protocol.Prop
	x      *everysize.Encoding
	o      Options
	r      *ForSizes
	active []everysize.Condition // the invariant, what was given, and lemmas in use
	fixed  int                   // of these, that are not dropped
	pool   *pool.Pool
	proved map[string]proof // questions
	own    *given           // of a formula: what was given
	values []protocol.Prop  // of a formula: that its conditions can be evaluated
	stays  []protocol.Prop  // of a formula: what may be invariant, too
	apart  bool             // the invariant does not follow from lemmas of the pool, as far as was tried
	raids  raids
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
	if len(q.o.Lemmas) > 0 {
		list, err := q.m.LemmasOf("lemma", q.o.Lemmas)
		if err != nil {
			return err
		}
		for i, l := range list {
			q.active = append(q.active, everysize.Condition{Name: q.o.Lemmas[i], Term: l.Invariant})
		}
	}
	q.fixed = len(q.active)
	q.r.Given = q.fixed - 1
	q.proved = map[string]proof{}
	return nil
}

// run asks all there is to ask, where all lemmas of the pool may be assumed. Those that a proof needs are to be proved
// in the same way; one that cannot be is none of the pool any more, and what rests on it is asked again. So in the end
// there is a proof if the most lemmas of the pool that stand together are enough for one.
func (q *everySearch) run() error {
	pooled := q.o.Plain || q.pool != nil
	for {
		failing, a, target, err := q.failing()
		if err != nil || q.ctx.Err() != nil {
			return err
		}
		if failing == nil {
			return q.confirm()
		}
		if !pooled {
			pooled = true
			if err := q.swarm(q.raids.first); err != nil || q.r.Run != nil {
				return err
			}
			if err := q.fill(); err != nil {
				return err
			}
			continue
		}
		if target < q.fixed {
			q.r.Failing, q.r.Reason = failing.String(), a.Reason
			if a.Structure != nil {
				q.r.Before = a.Structure.Lines()
			}
			if q.r.Reason == "" {
				q.r.Reason = "no lemma is known that excludes a step"
			}
			if err := q.swarm(q.raids.last); err != nil || q.r.Run != nil || a.Structure == nil || q.ctx.Err() != nil {
				return err
			}
			return q.imagined(a.Structure.Sizes())
		}
		q.drop(target)
	}
}

// drop gives up a lemma, and what rests on it.
func (q *everySearch) drop(target int) {
	q.pool.Drop(q.active[target].Name)
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

// searchRounds is how many rounds of instances a question gets while lemmas are looked for.
const searchRounds = 600

// ask asks a question that has no proof so far; the answer is nil if it is proved. Lemmas of the pool that the proof
// needs are active from then on.
func (q *everySearch) ask(question *everysize.Question) (*everysize.Answer, error) {
	key := question.String()
	if _, done := q.proved[key]; done {
		return nil, nil
	}
	var a *everysize.Answer
	var err error
	if q.pool == nil {
		a, err = q.x.Ask(q.ctx, q.o.Solver, question)
	} else {
		a, err = q.x.AskWith(q.ctx, q.o.Solver, question, q.pool.Hints(), searchRounds)
	}
	if err != nil {
		return nil, err
	}
	if q.o.Progress != nil {
		q.o.Progress(fmt.Sprintf("%d lemmas, %s", len(q.active)-1, key))
	}
	if !a.Proved {
		return a, nil
	}
	q.note(question, a)
	return nil, nil
}

// note remembers a proof, and the lemmas of the pool that it needs.
func (q *everySearch) note(question *everysize.Question, a *everysize.Answer) {
	used := map[string]bool{}
	for _, name := range a.Used {
		used[name] = true
	}
	q.proved[question.String()] = proof{used, a.Clauses()}
	for _, c := range a.Hints {
		if !slices.ContainsFunc(q.active, func(d everysize.Condition) bool { return d.Name == c.Name }) {
			q.active = append(q.active, c)
		}
	}
}

// about lists the questions about a condition: none if it is the invariant, and follows from the others.
func (q *everySearch) about(i int) ([]*everysize.Question, error) {
	if i == 0 {
		if is, err := q.follows(); is || err != nil {
			return nil, err
		}
	}
	return q.x.Questions(q.active, q.active[i])
}

// follows reports whether the invariant follows from the lemmas: those that were given, and, if there are such, those of the pool, too.
func (q *everySearch) follows() (bool, error) {
	searching := q.pool != nil
	switch {
	case len(q.active) == 1, searching && (q.r.Given == 0 || q.apart):
		return false, nil
	}
	if q.followed() {
		return true, nil
	}
	var hint everysize.Hint
	if searching {
		hint = q.pool.Hints()
	}
	question, a, err := q.x.Follows(q.ctx, q.o.Solver, q.active, q.active[0], hint)
	if err != nil || !a.Proved {
		q.apart = searching
		return false, err
	}
	q.note(question, a)
	return true, nil
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
	q.r.Verdict = machine.Holds
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

// rests lists what the proofs of the questions about each lemma use, and last of those about the invariant and failures.
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

// Graph is the proof as one of an instance is drawn.
func (r *ForSizes) Graph() *Proof {
	p := &Proof{K: 1, Rests: r.Rests}
	for i, l := range r.Lemmas {
		class := Found
		if i < r.Given {
			class = ByHand
		}
		p.Lemmas = append(p.Lemmas, &Lemma{Class: class, Formula: l.Name})
	}
	return p
}
