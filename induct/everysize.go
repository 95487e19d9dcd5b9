package induct

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tacheck/explore"
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
	Given    int                   // how many of these were given, in the text or by hand; they are the first
	Defined  []string              // what always has a value
	Proved   int                   // questions that were answered
	Clauses  int                   // ground clauses, of all of them
	Explored int                   // instances whose states were all visited
	Partly   int                   // instances of which some were
	Run      *protocol.Run         // if it is violated
	Failing  string                // the question that fails, if it is unknown
	Before   []string              // what is known of the state in which it does
	Time     time.Duration
}

// Greatest is the size up to which instances are explored, and instanceStates how many
// of their states.
const (
	greatest       = 4
	instanceStates = 30_000
	instancesAtAll = 40
)

// EverySize decides an invariant for all sizes that a text assumes. Instances of sizes up to
// 4 are explored first: a violation of one is the result. Errors are *protocol.Unsupported,
// *machine.ModelError, of lemmas by hand, and internal ones.
func EverySize(ctx context.Context, m *protocol.Model, p *protocol.Prop, o Options) (*ForSizes, error) {
	start := time.Now()
	r := &ForSizes{Property: p.Name, Verdict: machine.Unknown, Implicit: machine.Implicit(m, p)}
	defer func() { r.Time = time.Since(start) }()
	x, err := everysize.New(m, r.Implicit)
	if err != nil {
		return nil, err
	}
	if r.Sizes = x.Sizes(); r.Sizes == nil {
		return nil, fmt.Errorf("%s: no constant is a size: say what is assumed of those that are, as in `assume n >= 1;`", m.File)
	}
	q := &everySearch{ctx: ctx, m: m, p: p, x: x, o: o, r: r}
	if err := q.instances(); err != nil || r.Run != nil {
		return r, err
	}
	if err := x.Always(ctx, o.Solver); err != nil {
		if ctx.Err() != nil {
			r.Reason = smt.Interrupted(ctx)
			return r, nil
		}
		return nil, err
	}
	r.Defined = x.AlwaysDefined()
	if err := q.given(); err != nil {
		return nil, err
	}
	err = q.run()
	if ctx.Err() != nil {
		r.Verdict, r.Reason = machine.Unknown, smt.Interrupted(ctx)
		return r, nil
	}
	return r, err
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
	pool   []everysize.Condition
	proved map[string]proof                // questions
	failed map[string]*everysize.Structure // lemmas that are not kept, with a state before a step that makes them false
}

// proof is that a question has no model.
type proof struct {
	used    map[string]bool // names of conditions that it rests on
	clauses int
}

// instances explores instances of small sizes.
func (q *everySearch) instances() error {
	budget, stop := context.WithTimeout(q.ctx, 20*time.Second)
	defer stop()
	tried := 0
	for _, set := range q.assignments() {
		if budget.Err() != nil || tried == instancesAtAll {
			return nil
		}
		m, err := q.m.Source.Model(set)
		if err != nil {
			continue // the text means nothing for these sizes
		}
		tried++
		list, err := machine.Check(budget, m, []*protocol.Prop{m.Lookup(q.p.Name)}, machine.Options{Bounds: explore.Bounds{Jobs: 1, States: instanceStates}})
		switch {
		case err != nil && budget.Err() != nil:
			return nil
		case err != nil:
			return err
		case list[0].Verdict == machine.Violated:
			q.r.Verdict, q.r.Run = machine.Violated, list[0].Run
			return nil
		case list[0].Verdict == machine.Holds:
			q.r.Explored++
		default:
			q.r.Partly++
		}
	}
	return nil
}

// assignments lists values of the sizes up to the greatest, the smallest sums first.
func (q *everySearch) assignments() []map[string]int64 {
	fixed := map[string]int64{}
	for _, k := range q.m.Constants {
		if !k.Size && k.Term.Op == protocol.Number && k.Term.Const == "" {
			fixed[k.Name] = k.Value
		}
	}
	list := []map[string]int64{fixed}
	for _, name := range q.r.Sizes {
		var more []map[string]int64
		for _, set := range list {
			for v := int64(0); v <= greatest; v++ {
				next := map[string]int64{name: v}
				for k, w := range set {
					next[k] = w
				}
				more = append(more, next)
			}
		}
		list = more
	}
	sum := func(set map[string]int64) (s int64) {
		for _, name := range q.r.Sizes {
			s += set[name]
		}
		return s
	}
	slices.SortStableFunc(list, func(a, b map[string]int64) int { return int(sum(a) - sum(b)) })
	return list
}

// given takes the lemmas of the text and those by hand.
func (q *everySearch) given() error {
	q.active = []everysize.Condition{{Name: q.p.Name, Term: q.p.Invariant}}
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
	q.proved, q.failed = map[string]proof{}, map[string]*everysize.Structure{}
	return nil
}

// run asks all there is to ask, takes lemmas that exclude what fails, and drops those that do
// not stand themselves.
func (q *everySearch) run() error {
	pooled := q.o.Plain
	for {
		failing, a, target, err := q.failing()
		if err != nil {
			return err
		}
		if failing == nil {
			return q.confirm()
		}
		if !pooled {
			pooled = true
			if err := q.fill(); err != nil {
				return err
			}
		}
		taken, err := q.exclude(a)
		if err != nil || q.ctx.Err() != nil {
			return err
		}
		if taken {
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
			return nil
		}
		q.drop(target)
	}
}

// drop gives up a lemma, and what rests on it.
func (q *everySearch) drop(target int) {
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
// the invariant.
func (q *everySearch) failing() (*everysize.Question, *everysize.Answer, int, error) {
	list, err := q.x.Failures(q.active)
	if err != nil {
		return nil, nil, 0, err
	}
	targets := make([]int, len(list))
	for i, c := range q.active {
		more, err := q.x.Questions(q.active, c)
		if err != nil {
			return nil, nil, 0, err
		}
		for range more {
			targets = append(targets, i)
		}
		list = append(list, more...)
	}
	for i, question := range list {
		if a, err := q.ask(question); err != nil || a != nil {
			return question, a, targets[i], err
		}
	}
	return nil, nil, 0, nil
}

// ask asks a question that has no proof so far; the answer is nil if it is proved.
func (q *everySearch) ask(question *everysize.Question) (*everysize.Answer, error) {
	key := question.String()
	if _, done := q.proved[key]; done {
		return nil, nil
	}
	a, err := q.x.Ask(q.ctx, q.o.Solver, question)
	if err != nil {
		return nil, err
	}
	if q.o.Progress != nil {
		q.o.Progress(fmt.Sprintf("%d lemmas, %s", len(q.active)-1, key))
	}
	if !a.Proved {
		return a, nil
	}
	used := map[string]bool{}
	for _, name := range a.Used {
		used[name] = true
	}
	q.proved[key] = proof{used, a.Clauses()}
	return nil, nil
}

func (q *everySearch) holds() {
	q.r.Verdict = machine.Holds
	q.r.Lemmas = q.active[1:]
	q.r.Proved = len(q.proved)
	for _, p := range q.proved {
		q.r.Clauses += p.clauses
	}
}

// confirm leaves out lemmas that are not needed, and asks all questions again with those that are left; if they are too
// few, with all.
func (q *everySearch) confirm() error {
	if len(q.active) == q.fixed {
		q.holds()
		return nil
	}
	all := slices.Clone(q.active)
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
			q.holds()
			return nil
		}
	}
	q.r.Failing, q.r.Reason = failing.String(), "a proof that was found is none when all is asked again"
	return nil
}

// needed leaves out lemmas that were found and that nothing rests on, in the end.
func (q *everySearch) needed() error {
	use := map[string]bool{}
	for _, c := range q.active[:q.fixed] {
		use[c.Name] = true
	}
	keys := map[string]string{} // of questions, and what they are about
	for i, c := range q.active {
		list, err := q.x.Questions(q.active, c)
		if err != nil {
			return err
		}
		if i == 0 {
			more, err := q.x.Failures(q.active)
			if err != nil {
				return err
			}
			list = append(list, more...)
		}
		for _, question := range list {
			keys[question.String()] = c.Name
		}
	}
	for changed := true; changed; {
		changed = false
		for key, about := range keys {
			for name := range q.proved[key].used {
				changed = changed || use[about] && !use[name]
				use[name] = use[name] || use[about]
			}
		}
	}
	q.active = slices.DeleteFunc(q.active, func(c everysize.Condition) bool { return !use[c.Name] })
	return nil
}

// fill makes the pool: candidates that are true in all states that are visited.
func (q *everySearch) fill() error {
	for i := range q.m.Props {
		if p := &q.m.Props[i]; p.Invariant != nil && p.Name != q.p.Name {
			q.pool = append(q.pool, everysize.Condition{Name: p.Name, Term: p.Invariant})
		}
	}
	texts := candidateTexts(q.m, q.r.Defined)
	const states, instances = 400, 4
	tried := 0
	for _, set := range q.assignments() {
		if len(texts) == 0 || tried == instances || q.ctx.Err() != nil {
			break
		}
		if slices.ContainsFunc(q.r.Sizes, func(name string) bool { return set[name] == 1 || set[name] == 0 }) && tried == 0 {
			continue // what is true of one process only says little
		}
		m, err := q.m.Source.Model(set)
		if err != nil {
			continue
		}
		tried++
		x, list, err := everysize.Ghost(m, q.r.Implicit, states)
		if err != nil {
			return err
		}
		lemmas, err := m.LemmasOf("lemma", texts)
		if err != nil {
			return err
		}
		var left []string
		for i, l := range lemmas {
			if !slices.ContainsFunc(list, func(s *protocol.State) bool {
				is, err := x.Holds(s, l.Invariant, l.Frame)
				return err != nil || !is
			}) {
				left = append(left, texts[i])
			}
		}
		texts = left
	}
	if texts = strongest(texts); tried == 0 || len(texts) == 0 {
		return nil
	}
	list, err := q.m.LemmasOf("lemma", texts)
	if err != nil {
		return err
	}
	for i, l := range list {
		q.pool = append(q.pool, everysize.Condition{Name: texts[i], Term: l.Invariant})
	}
	return nil
}

// strongest leaves out what is said of different processes if it is true of any two.
func strongest(texts []string) []string {
	all := map[string]bool{}
	for _, t := range texts {
		all[t] = true
	}
	return slices.DeleteFunc(texts, func(t string) bool {
		return strings.Contains(t, differ) && all[strings.Replace(t, differ, "", 1)]
	})
}
