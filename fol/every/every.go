// Package every proves safety properties of first-order systems for every size, by induction with lemmas that it finds.
//
// Lemmas come from one grammar (grammar.go), cheap ones first. Steps that break what is to be proved are looked for in
// instances of small sizes; a lemma is a clause that is false before such a step and true of all states that were
// visited (sample.go, separate.go). If there is none of the cost at hand, the step is taken for one that can happen,
// until cost rises. When no small instance has a step that breaks anything, a solver is asked about every size
// (script.go): what it proves holds, whatever the search did.
package every

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/finite"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/smt/sat"
)

// Options say how to prove.
type Options struct {
	Hints    bool     // use the invariants of the text as lemmas
	Solver   []string // the command line of a solver that knows quantifiers
	Progress func(string)
	Open     func(Open) // is told what there is no proof for
}

// Open is a step that induction fails at.
type Open struct {
	Step     *finite.Move
	Instance *finite.Instance // of the step
	Breaks   *fol.Term        // what the step breaks
}

// Result is what is known of a property.
type Result struct {
	Property string
	Verdict  verdict.Verdict
	Reason   string      // of unknown
	Lemmas   []*fol.Term // of a proof, the property first
	Run      *finite.Run // of a violation
	Open                 // of unknown, if there is such a step
	Stats
}

// Stats say what was done.
type Stats struct {
	Samples, Steps, Level int
	Time                  time.Duration
}

// lemma is something that is to be kept by all steps.
type lemma struct {
	t      *fol.Term
	key    string // the same of lemmas that say the same with other names
	cost   int
	safety int // number of the property, or -1
	out    bool
	// By instance: literals that say that it is true before, and false after; what it was proved of; nil if not.
	before, broken map[*bounded]sat.Lit
	core           map[*bounded][]*lemma
}

// bounded is an instance as clauses.
type bounded struct {
	*finite.Clauses
	sample *sample
}

func newBounded(s *sample) *bounded {
	b := &bounded{s.NewClauses(), s}
	b.Numbered()
	return b
}

// prover proves all properties of a system.
type prover struct {
	sys        *fol.System
	o          Options
	samples    []*sample
	telling    []place // states in which formulas were false, the last one first
	bounded    []*bounded
	parts      []*fol.Term
	pairs      []*fol.Term
	byCount    map[int][]*prefix
	kinds      []kind // of atoms, whatever the prefix
	kindOf     map[string]int
	epoch      int
	at         level
	lemmas     []*lemma
	refused    map[string]bool // lemmas that a solver does not prove
	consistent bool            // the axioms, at some of the sizes that were tried
	last       *broken
	stats      Stats
	begin      time.Time
}

// broken is a step that breaks a lemma.
type broken struct {
	in   *bounded
	move *finite.Move
	by   *lemma
}

func (b *broken) open() Open { return Open{b.move, b.in.Instance, b.by.t} }

// level is how much a lemma may cost, with how many variables it is searched, and how many it may be given when it is
// made more general.
type level struct{ cost, searched, vars int }

// levels are those of the search.
var levels = []level{{4, 5, 6}, {5, 5, 6}, {6, 5, 6}, {10, 5, 6}, {12, 5, 6}, {14, 8, 10}}

const (
	perStep = 3 // lemmas that are added for a step
)

// Prove proves the safety properties of a system, or finds out that they are violated.
func Prove(ctx context.Context, s *fol.System, o Options) ([]*Result, error) {
	p := &prover{sys: s, o: o, byCount: map[int][]*prefix{}, kindOf: map[string]int{}, refused: map[string]bool{},
		begin: time.Now()}
	if o.Progress == nil {
		p.o.Progress = func(string) {}
	}
	if o.Open == nil {
		p.o.Open = func(Open) {}
	}
	runs, err := p.start(ctx)
	if err != nil {
		return nil, err
	}
	none := "there is no initial state of the sizes that were tried"
	if !p.consistent {
		none = "nothing of the sizes that were tried satisfies the axioms"
	}
	out := make([]*Result, len(s.Safety))
	for i, c := range s.Safety {
		out[i] = &Result{Property: c.Name, Verdict: verdict.Unknown, Reason: none}
		if runs[i] != nil {
			out[i].Verdict, out[i].Run, out[i].Reason = verdict.Violated, runs[i], ""
			continue
		}
		p.lemmas = append(p.lemmas, p.newLemma(c.Formula, i))
	}
	if o.Hints {
		for _, h := range s.Hints {
			p.lemmas = append(p.lemmas, p.newLemma(h.Formula, -1))
		}
	}
	open := slices.ContainsFunc(p.lemmas, func(l *lemma) bool { return l.safety >= 0 })
	if open && len(p.samples) > 0 {
		if err := p.search(ctx, out); err != nil {
			return nil, err
		}
	}
	for _, r := range out {
		p.stats.Time = time.Since(p.begin)
		for _, s := range p.samples {
			p.stats.Samples += s.real
		}
		r.Stats = p.stats
		p.stats.Samples = 0
	}
	return out, nil
}

func (p *prover) newLemma(t *fol.Term, safety int) *lemma {
	return &lemma{t: t, key: t.String(), safety: safety, before: map[*bounded]sat.Lit{},
		broken: map[*bounded]sat.Lit{}, core: map[*bounded][]*lemma{}}
}

// start visits small instances: runs that violate properties, or samples.
func (p *prover) start(ctx context.Context) ([]*finite.Run, error) {
	runs := make([]*finite.Run, len(p.sys.Safety))
	sizes, err := p.admissible(ctx)
	if err != nil {
		return nil, late(ctx, err)
	}
	for k := 0; k < len(sizes); k++ { // there may be more of them
		n := sizes[k]
		s, err := p.newSample(n)
		if err != nil {
			return nil, err
		}
		bad := s.visit(ctx, len(runs))
		for i := range runs {
			if bad[i] && runs[i] == nil {
				if err := p.tell(ctx, s.Instance, runs); err != nil {
					return nil, err
				}
			}
		}
		if !slices.Contains(runs, nil) {
			return runs, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p.samples = append(p.samples, s)
		if len(n) > 0 && k == len(sizes)-1 && s.whole && len(s.states) < fewStates {
			if more := lists.Map(n, func(n int) int { return n + 1 }); p.begins(ctx, more) {
				sizes = append(sizes, more)
			}
		}
	}
	if len(p.samples) == 0 {
		return runs, nil
	}
	p.vocabulary()
	for _, s := range p.chosen() {
		p.o.Progress("looking at " + s.String())
		p.bounded = append(p.bounded, newBounded(s))
	}
	return runs, nil
}

// fewStates is how few states the greatest instance has if a greater one is visited, too.
const fewStates = 200

// tell finds the shortest runs of an instance, in which a property is known to be violated.
func (p *prover) tell(ctx context.Context, x *finite.Instance, runs []*finite.Run) error {
	e, err := x.Explore(ctx, explore.Bounds{States: 2_000_000})
	if err != nil {
		return late(ctx, err)
	}
	found := false
	for i, r := range e.Runs {
		if r != nil && runs[i] == nil {
			runs[i], found = r, true
		}
	}
	if !found {
		return late(ctx, fmt.Errorf("a state of %s violates a property, and exploring %d states does not find it",
			x, e.States))
	}
	return nil
}

// chosen are the samples whose sizes are looked at for steps that break lemmas: all by one more than the least, by two.
func (p *prover) chosen() (list []*sample) {
	for _, s := range p.samples[1:] {
		if slices.Max(s.Sizes) > slices.Max(p.samples[0].Sizes) {
			list = append(list, s)
		}
	}
	spread := func(s *sample) int { return slices.Max(s.Sizes) - slices.Min(s.Sizes) }
	slices.SortStableFunc(list, func(a, b *sample) int { return spread(a) - spread(b) })
	if len(list) == 0 {
		list = p.samples[len(p.samples)-1:]
	}
	return list[:min(len(list), 2)]
}

func late(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// claims are the lemmas that are not given up.
func (p *prover) claims() []*lemma {
	return lists.Keep(p.lemmas, func(l *lemma) bool { return !l.out })
}

// search looks for lemmas, level by level.
func (p *prover) search(ctx context.Context, out []*Result) error {
	for _, level := range levels {
		p.at, p.stats.Level = level, level.cost
		p.forget()
		for _, l := range p.lemmas {
			if l.safety >= 0 {
				l.out = false
			}
		}
		for {
			proved, err := p.level(ctx)
			if err != nil {
				return p.unknown(ctx, out, err)
			}
			if !proved {
				break
			}
			needed, open, err := p.confirm(ctx)
			if err != nil {
				return p.unknown(ctx, out, err)
			}
			if len(open) > 0 && p.grow(ctx, needed, open) {
				continue
			}
			if len(open) > 0 {
				if needed, open, err = p.together(ctx, needed, open); err != nil {
					return p.unknown(ctx, out, err)
				}
			}
			failing := weakest(needed, open)
			if failing == nil {
				for i, r := range out {
					if r.Verdict == verdict.Unknown {
						r.Verdict, r.Reason = verdict.Holds, ""
						r.Lemmas = first(needed, i)
					}
				}
				return nil
			}
			if failing.safety >= 0 {
				return p.unknown(ctx, out,
					errors.New("no small instance has a step that breaks it, and no solver proves it for every size"))
			}
			p.refused[failing.key] = true
			p.drop(failing)
		}
	}
	return p.unknown(ctx, out, fmt.Errorf("there is no proof by lemmas of cost %d", p.stats.Level))
}

// first lists the formulas of a proof, the property first.
func first(list []*lemma, property int) (out []*fol.Term) {
	for _, l := range list {
		if l.safety == property {
			out = append(out, l.t)
		}
	}
	for _, l := range list {
		if l.safety != property {
			out = append(out, l.t)
		}
	}
	return out
}

// unknown says why there is no proof.
func (p *prover) unknown(ctx context.Context, out []*Result, why error) error {
	var failure interface{ Unwrap() error }
	if ctx.Err() == nil && errors.As(why, &failure) {
		return why
	}
	for _, r := range out {
		if r.Verdict != verdict.Unknown {
			continue
		}
		r.Reason = why.Error()
		if p.last != nil {
			r.Open = p.last.open()
		}
	}
	return nil
}

// forget drops what was assumed at a level.
func (p *prover) forget() {
	p.epoch++
	for _, s := range p.samples {
		s.forget()
	}
}

func (p *prover) drop(l *lemma) {
	l.out = true
	if l.safety < 0 {
		p.lemmas = slices.DeleteFunc(p.lemmas, func(o *lemma) bool { return o == l })
	}
}

// level adds lemmas until no small instance has a step that breaks one. It reports whether all properties are still
// claimed.
func (p *prover) level(ctx context.Context) (bool, error) {
	for {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		p.o.Progress(fmt.Sprintf("looking for lemmas up to cost %d: %d at present, %d steps that broke some", p.at.cost,
			len(p.lemmas)-len(p.sys.Safety), p.stats.Steps))
		b, err := p.breaks(ctx)
		if err != nil {
			return false, err
		}
		if b == nil {
			return true, nil
		}
		p.stats.Steps++
		excluded := p.add(ctx, b)
		if p.last == nil || !excluded && b.by.safety >= 0 {
			p.last = b
			p.o.Open(b.open())
		}
		if excluded {
			continue
		}
		// No lemma of this cost says that the state before cannot be: it is taken for one that can, and so the state
		// after.
		b.in.sample.add(b.move.Before)
		b.in.sample.add(b.move.After)
		for _, l := range p.claims() {
			f := b.in.Compile(l.t, nil)
			if !b.in.sample.worker.Holds(f, b.move.After, nil) {
				p.drop(l)
			}
		}
		if slices.ContainsFunc(p.lemmas, func(l *lemma) bool { return l.out }) {
			return false, nil
		}
	}
}

// add adds lemmas that are false before a step.
func (p *prover) add(ctx context.Context, b *broken) bool {
	added := 0
	tried := map[string]bool{}
	for _, c := range p.separate(ctx, b.in.sample, b.move.Before) {
		one := c.clause()
		if key := one.key(); tried[key] {
			continue
		} else {
			tried[key] = true
		}
		one = p.general(one)
		l := p.newLemma(one.term(), -1)
		l.key, l.cost = one.key(), c.cost
		if p.refused[l.key] || slices.ContainsFunc(p.lemmas, func(o *lemma) bool { return o.key == l.key }) {
			continue
		}
		if !p.initial(ctx, l) {
			continue
		}
		p.lemmas = append(p.lemmas, l)
		if added++; added == perStep {
			break
		}
	}
	return added > 0
}

// initial reports whether a lemma is true in all initial states of small instances; one in which it is not becomes a
// sample.
func (p *prover) initial(ctx context.Context, l *lemma) bool {
	for _, b := range p.bounded {
		s, _ := b.Begin(ctx, p.beforeLit(b, l).Not())
		if s == nil {
			continue
		}
		b.sample.add(s)
		return false
	}
	return true
}

func (p *prover) beforeLit(b *bounded, l *lemma) sat.Lit {
	lit, is := l.before[b]
	if !is {
		lit = b.Before(l.t)
		l.before[b] = lit
	}
	return lit
}

// breaks looks for a step of a small instance that breaks a claim: a property, or a lemma that one needs.
func (p *prover) breaks(ctx context.Context) (*broken, error) {
	for before := -1; ; { // what is needed in one instance is needed in all
		needed := p.needed()
		if len(needed) == before {
			return nil, nil
		}
		before = len(needed)
		for _, b := range p.bounded {
			for i := 0; i < len(needed); i++ {
				l := needed[i]
				if !l.kept(b) {
					m, err := p.keep(ctx, b, l, needed)
					if err != nil {
						return nil, err
					}
					if m != nil {
						return &broken{b, m, l}, nil
					}
				}
				needed = lists.Union(needed, l.core[b]...)
			}
		}
	}
}

// kept reports whether it is known that no step breaks a lemma.
func (l *lemma) kept(b *bounded) bool {
	return l.core[b] != nil && !slices.ContainsFunc(l.core[b], func(o *lemma) bool { return o.out })
}

// keep looks for a step that breaks a lemma. If there is none, it notes as few lemmas as it can for which that is so:
// those that are needed anyway come first, then cheap ones.
func (p *prover) keep(ctx context.Context, b *bounded, l *lemma, needed []*lemma) (*finite.Move, error) {
	lit, is := l.broken[b]
	if !is {
		lit = b.After(l.t).Not()
		l.broken[b] = lit
	}
	ask := func(list []*lemma) (*finite.Move, error) {
		assumed := lists.Map(list, func(o *lemma) sat.Lit { return p.beforeLit(b, o) })
		m, ok := b.Move(ctx, append([]sat.Lit{lit}, assumed...)...)
		if !ok {
			return nil, context.Cause(ctx)
		}
		if m == nil {
			failed := b.Failed()
			l.core[b] = []*lemma{l}
			for i, o := range list {
				if o != l && slices.Contains(failed, assumed[i]) {
					l.core[b] = append(l.core[b], o)
				}
			}
		}
		return m, nil
	}
	if m, err := ask(needed); m == nil {
		return nil, err
	}
	others := lists.Keep(p.claims(), func(o *lemma) bool { return !slices.Contains(needed, o) })
	slices.SortStableFunc(others, func(a, b *lemma) int { return a.cost - b.cost })
	m, err := ask(slices.Concat(needed, others))
	if m != nil || err != nil {
		return m, err
	}
	for i := len(others) - 1; i >= 0; i-- {
		if o := others[i]; slices.Contains(l.core[b], o) {
			less := slices.DeleteFunc(slices.Concat(needed, l.core[b]), func(x *lemma) bool { return x == o })
			if _, err := ask(less); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// grow looks at one more instance from now on: the least, of those that are somewhat greater than the first, in which a
// step makes an open question true. It reports whether there is one.
func (p *prover) grow(ctx context.Context, of []*lemma, open []Question) bool {
	for _, n := range p.greater() {
		s, err := p.sampleOf(n)
		if err != nil || s.Cells > mostCells {
			continue
		}
		b := newBounded(s)
		if !slices.ContainsFunc(open, func(q Question) bool { return q.by != nil && p.can(ctx, b, of, q) }) {
			continue
		}
		if !slices.Contains(p.samples, s) {
			if len(s.visit(ctx, 1)) > 0 { // it is violated, as exploring says
				return false
			}
			p.samples = append(p.samples, s)
		}
		p.o.Progress("looking at " + s.String())
		p.bounded = append(p.bounded, b)
		return true
	}
	return false
}

// can reports whether a step of an instance makes a question true, where lemmas are.
func (p *prover) can(ctx context.Context, b *bounded, of []*lemma, q Question) bool {
	lits := []sat.Lit{b.Takes(q.by), b.After(of[q.Lemma].t).Not()}
	for _, l := range of {
		lits = append(lits, p.beforeLit(b, l))
	}
	m, _ := b.Move(ctx, lits...)
	return m != nil
}

// greater lists sizes that are greater than those of the first instance, and not looked at: the least in all first.
func (p *prover) greater() (list [][]int) {
	var fill func(n []int, i, more int)
	fill = func(n []int, i, more int) {
		switch {
		case i == len(n) && more == 0:
			if !slices.ContainsFunc(p.bounded, func(b *bounded) bool { return slices.Equal(b.sample.Sizes, n) }) {
				list = append(list, slices.Clone(n))
			}
		case i < len(n):
			for k := range more + 1 {
				n[i] += k
				fill(n, i+1, more-k)
				n[i] -= k
			}
		}
	}
	for more := 1; more <= mostGrown; more++ {
		fill(slices.Clone(p.bounded[0].sample.Sizes), 0, more)
	}
	return list[:min(len(list), mostGreater)]
}

// mostGrown is how many more elements a greater instance has than the first, mostGreater how many such are tried.
const mostGrown, mostGreater = 5, 150

// sampleOf is the sample of sizes, which is made if there is none.
func (p *prover) sampleOf(n []int) (*sample, error) {
	for _, s := range p.samples {
		if slices.Equal(s.Sizes, n) {
			return s, nil
		}
	}
	return p.newSample(n)
}

// needed are the properties and the lemmas on which they rest in small instances, as far as that is known.
func (p *prover) needed() (list []*lemma) {
	for _, l := range p.lemmas {
		if l.safety >= 0 && !l.out {
			list = append(list, l)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, b := range p.bounded {
			if !list[i].kept(b) {
				continue
			}
			list = lists.Union(list, list[i].core[b]...)
		}
	}
	return list
}

// confirm has a solver prove what is needed in small instances, for every size. It returns the questions that are open.
func (p *prover) confirm(ctx context.Context) (needed []*lemma, open []Question, err error) {
	needed = p.needed()
	open, err = p.unproved(ctx, needed, Questions(p.sys, terms(needed)))
	return needed, open, err
}

// together has a solver prove all lemmas, if those that are needed in small instances leave questions open: these come
// first.
func (p *prover) together(ctx context.Context, needed []*lemma, open []Question) ([]*lemma, []Question, error) {
	claims := p.claims()
	if len(needed) == len(claims) {
		return needed, open, nil
	}
	for i, q := range open {
		if q.by != nil {
			open[i] = keeps(q.by, terms(claims), needed[q.Lemma].t, q.Lemma)
		}
	}
	open, err := p.unproved(ctx, claims, open)
	if len(open) > 0 || err != nil {
		return needed, open, err
	}
	open, err = p.unproved(ctx, claims, Questions(p.sys, terms(claims)))
	return claims, open, err
}

func terms(list []*lemma) []*fol.Term {
	return lists.Map(list, func(l *lemma) *fol.Term { return l.t })
}

// unproved has a solver answer questions, and returns those that it does not prove.
func (p *prover) unproved(ctx context.Context, assumed []*lemma, list []Question) (open []Question, err error) {
	p.o.Progress(fmt.Sprintf("asking %d questions about every size, with %d lemmas", len(list),
		len(assumed)-len(p.sys.Safety)))
	answers, err := ask(ctx, p.o.Solver, p.sys, list)
	if err != nil {
		return nil, late(ctx, err)
	}
	for i, a := range answers {
		if a != "unsat" {
			open = append(open, list[i])
		}
	}
	return open, nil
}

// weakest is what some questions are about: a lemma, before a property; nil if there are none.
func weakest(of []*lemma, open []Question) (failing *lemma) {
	for _, q := range open {
		if failing == nil || failing.safety >= 0 {
			failing = of[q.Lemma]
		}
	}
	return failing
}
