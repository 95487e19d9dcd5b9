package rounds

import (
	"context"
	"sync"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// Decider decides specifications of one automaton. What they have in common is asked once: RT, C1 and C2 are the same
// whatever the adversary. It may be used by several goroutines.
type Decider struct {
	// Violated, if there is one, reports whether something else than the automaton, such as a small instance of the
	// text that it is made of, is known to violate a specification. It is asked where sets of values do not exclude a
	// violation, before the first rounds are.
	Violated func(ctx context.Context, spec string) (bool, error)

	m     *machine
	mu    sync.Mutex
	of    map[string]*asked // by the digest of the text of an automaton
	about *ta.Automaton     // of the question before: mostly it is about the same one
	last  *asked            // what is known of that
}

// asked is an automaton about which questions are asked, and what is found out about it once.
type asked struct {
	a       *ta.Automaton
	graphs  *cutgraph.Shared
	answers map[string]*answer // by the digest of the formula
	mu      sync.Mutex
	runs    bool // it is known that there are some
}

// answer is what became of a question. The asker locks it.
type answer struct {
	sync.Mutex
	r *verify.Result
}

// NewDecider reads an automaton with rounds. Its error is a diag.List.
func NewDecider(a *ta.Automaton) (*Decider, error) {
	m, err := newMachine(a)
	return &Decider{m: m, of: map[string]*asked{}}, err
}

// once answers a question, by what was answered before if that was an answer. fresh says that it was not.
func (d *Decider) once(ctx context.Context, a *ta.Automaton, spec *ta.Spec,
	o verify.Options) (r *verify.Result, fresh bool, err error) {
	of, known, err := d.question(a, spec, o)
	if err != nil {
		return nil, false, err
	}
	known.Lock()
	defer known.Unlock()
	if known.r != nil {
		return known.r, false, nil
	}
	o.Graphs, o.Admissible = of.graphs, of.hasRuns()
	if r, err = verify.Decide(ctx, of.a, spec, o); err == nil && r.Verdict != verify.Unknown {
		known.r = r
		of.found()
	}
	return r, true, err
}

// question finds a question among those that were asked before, and the automaton that it is about.
func (d *Decider) question(a *ta.Automaton, spec *ta.Spec, o verify.Options) (*asked, *answer, error) {
	start, err := verify.SolverFactory(o)
	if err != nil {
		return nil, nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.about != a {
		text := record.Digest(syntax.Format(a.Syntax()))
		if d.about, d.last = a, d.of[text]; d.last == nil {
			d.last = &asked{a: a, graphs: cutgraph.Share(a, start), answers: map[string]*answer{}}
			d.of[text] = d.last
		}
	}
	key := record.Digest(spec.Formula.String())
	known := d.last.answers[key]
	if known == nil {
		known = &answer{}
		d.last.answers[key] = known
	}
	return d.last, known, nil
}

func (x *asked) hasRuns() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.runs
}

// found notes that there are runs: some question has an answer.
func (x *asked) found() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.runs = true
}
