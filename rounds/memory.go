package rounds

import (
	"context"
	"sync"

	"tacheck/ta"
	"tacheck/ta/syntax"
	"tacheck/verify"
)

// Decider decides specifications of one automaton. What they have in common is asked once: RT, C1 and C2 are the same whatever the
// adversary. It may be used by several goroutines.
type Decider struct {
	m    *machine
	mu   sync.Mutex
	asks map[string]*answer
}

// answer is what became of a question. Whoever asks it locks it.
type answer struct {
	sync.Mutex
	r *verify.Result
}

// NewDecider reads an automaton with rounds. Its error is a diag.List.
func NewDecider(a *ta.Automaton) (*Decider, error) {
	m, err := newMachine(a)
	return &Decider{m: m, asks: map[string]*answer{}}, err
}

// once answers a question, by what was answered before if that was an answer. fresh says that it was not.
func (d *Decider) once(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (r *verify.Result, fresh bool, err error) {
	key := syntax.Format(a.Syntax()) + "\n" + spec.Formula.String()
	d.mu.Lock()
	known := d.asks[key]
	if known == nil {
		known = &answer{}
		d.asks[key] = known
	}
	d.mu.Unlock()
	known.Lock()
	defer known.Unlock()
	if known.r != nil {
		return known.r, false, nil
	}
	if r, err = verify.Decide(ctx, a, spec, o); err == nil && r.Verdict != verify.Unknown {
		known.r = r
	}
	return r, true, err
}
