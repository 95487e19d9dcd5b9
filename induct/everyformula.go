package induct

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/protocol/history"
	"github.com/tacheck/tacheck/protocol/interp"
)

// formula makes an invariant of a formula, over a protocol with history variables; messages name the one that
// was given.
func (q *everySearch) formula() error {
	if q.p.Invariant != nil {
		return nil
	}
	x, err := history.Monitor(q.m, q.p)
	if err != nil {
		return err
	}
	q.own, q.m, q.p, q.r.History = &given{q.m, q.p}, x.Model, x.Prop, x.History
	q.values, q.stays = x.Defined, x.Stays
	return nil
}

// given is what was given, where that is no invariant.
type given struct {
	m *protocol.Model
	p *protocol.Prop
}

// violated takes a run that violates the invariant. Where that was made of a formula, the same steps are those of a run
// of the protocol that was given, which the interpreter follows.
func (q *everySearch) violated(run *interp.Run) error {
	if q.own != nil {
		own, err := followed(q.own.m, q.own.p.Name, run)
		if err != nil {
			return fmt.Errorf("%s is violated as an invariant, and its run is none of the protocol: %w", q.own.p.Name,
				err)
		}
		run = own
	}
	q.r.Run = run
	return nil
}

// evaluated adds, of the conditions that a formula is made of, those that may not have a value, as lemmas to be proved.
func (q *everySearch) evaluated() {
	for i := range q.values {
		l := &q.values[i]
		said := slices.ContainsFunc(q.active, func(c everysize.Condition) bool { return c.Name == l.Name })
		if !said && !q.x.Total(l.Invariant) {
			q.active = append(q.active, everysize.Condition{Name: l.Name, Term: l.Invariant})
			q.r.Values++
		}
	}
}
