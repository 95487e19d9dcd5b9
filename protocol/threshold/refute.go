package threshold

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tacheck/protocol"
	"tacheck/ta"
)

// tries is how many counterexamples of an automaton are tried in a row.
const tries = 3

// Refute makes a run of the protocol of a counterexample of its automaton. If that cannot be
// played, others are asked for, with other parameters, and of a precise automaton:
// again decides a property of an automaton and returns a run that violates it, or nil. If none can
// be, the instances that they are of are explored, within bounds. The error is a *NoRun if no run
// was found.
func (t *Translation) Refute(ctx context.Context, first *ta.Run, property string, again func(text string) (*ta.Run, error)) (*protocol.Run, error) {
	run, err := t.Run(ctx, first, property)
	var none *NoRun
	if !errors.As(err, &none) {
		return run, err
	}
	why := err
	h := &hunt{source: t.Source, property: property}
	h.add(first)
	// Precise ones take longer to verify.
	blocked := map[bool][]string{true: {t.small()}, false: {t.small(), t.block(first)}}
	for _, precise := range []bool{false, true, false, true} {
		for range tries {
			u, err := translate(ctx, t.Source, how{precise: precise, blocked: blocked[precise]})
			if err != nil {
				break // it is too large, or time is over
			}
			next, err := again(u.Text)
			if err != nil {
				return nil, err
			}
			if next == nil {
				break
			}
			if run, err = u.Run(ctx, next, property); !errors.As(err, &none) {
				return run, err
			}
			h.add(next)
			blocked[precise] = append(blocked[precise], u.block(next))
		}
	}
	if run, err := h.explore(ctx); run != nil || err != nil {
		return run, err
	}
	return nil, why
}

// soonStates bounds how many states RefuteSoon looks at.
const soonStates = 1 << 14

// RefuteSoon is Refute for somebody who waits: if the counterexample cannot be played, the instance that it is of is explored before others
// are asked for, within tighter bounds.
func (t *Translation) RefuteSoon(ctx context.Context, first *ta.Run, property string, again func(text string) (*ta.Run, error)) (*protocol.Run, error) {
	run, err := t.Run(ctx, first, property)
	var none *NoRun
	if !errors.As(err, &none) {
		return run, err
	}
	h := &hunt{source: t.Source, property: property}
	if h.add(first); len(h.list) > 0 {
		if m, err := t.Source.File.Model(h.list[0]); err == nil {
			if run, err := h.exhaust(ctx, m, soonStates); run != nil || err != nil {
				return run, err
			}
		}
	}
	return t.Refute(ctx, first, property, again)
}

// small leaves out parameters of instances whose runs are not made.
func (t *Translation) small() string {
	room := number(maxProcesses)
	for typ := range t.Source.Types {
		room = room.plus(t.size(typ), -1)
	}
	return t.conjunction(all{room})
}

// block leaves out the parameters of a run.
func (t *Translation) block(run *ta.Run) string {
	var parts []string
	for i, p := range t.Source.Params {
		parts = append(parts, fmt.Sprintf("%s < %s || %s > %s", t.called(p), run.Start.Params[i], t.called(p), run.Start.Params[i]))
	}
	return strings.Join(parts, " || ")
}
