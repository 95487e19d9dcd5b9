package promela

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/promela/pml"
)

// Untaken lists the places of alternatives, other than else, that no step of an instance takes; whole is
// false if it has more worlds than so many, or unbounded values.
func (in *Instance) Untaken(ctx context.Context, most int) (idle []diag.Pos, whole bool, err error) {
	taken := map[diag.Pos]bool{}
	x := &space{in: in, ids: map[string]int{}}
	if _, err := x.Initial(); err != nil {
		return nil, false, err
	}
	for i := 0; i < len(x.worlds); i++ { // grows
		if len(x.worlds) > most || ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		w := x.worlds[i]
		done := map[string]bool{}
		for who := range w.Processes {
			key := LocalKey(w.Processes[who])
			if done[key] {
				continue
			}
			done[key] = true
			outcomes, err := in.Steps(w, who)
			if err != nil {
				return nil, false, err
			}
			for _, o := range outcomes {
				for _, pos := range o.Taken {
					taken[pos] = true
				}
				x.world(w.With(who, o), 0)
			}
		}
	}
	in.m.alternatives(func(o *pml.Option) {
		if pos := scan.Place(o.Pos); o.Else == "" && !o.Spot && !o.Later && !taken[pos] {
			taken[pos] = true // said once
			idle = append(idle, pos)
		}
	})
	return idle, !in.Cut, nil
}

// With is the world after a step of a process.
func (w *World) With(who int, o Outcome) *World {
	next := &World{Shared: o.Shared, Processes: slices.Clone(w.Processes)}
	next.Processes[who] = o.Local
	return next
}

// alternatives visits those of all steps.
func (m *Model) alternatives(visit func(*pml.Option)) {
	for s := range reached([]*pml.Statement{{If: m.Loop}}) {
		for _, o := range Alternatives(s) {
			visit(o)
		}
	}
}

// Need is what no run of an instance has, so that a formula says nothing of it.
type Need struct {
	*pml.Expr
	Missing string
}

// Vacuous looks for the reason why a formula p -> (q -> G (trigger -> response)) says nothing of an instance: no run
// satisfies its premises and has its trigger. It returns nil if some run does. Errors are those of Explore.
func (m *Model) Vacuous(ctx context.Context, f *Named, in *Instance, limit int) (*Need, error) {
	var needs []Need
	e := f.Formula
	for ; e.Op == pml.Implies; e = e.Args[1] {
		needs = append(needs, Need{e.Args[0], "no run satisfies its premise"})
	}
	if e.Op == pml.Globally && e.Args[0].Op == pml.Implies {
		trigger := e.Args[0].Args[0]
		needs = append(needs, Need{trigger.As(pml.Finally, trigger),
			"what it promises a response to never happens"})
	}
	var all *pml.Expr
	for i, n := range needs {
		if all == nil {
			all = n.Expr
		} else {
			all = all.As(pml.And, all, n.Expr)
		}
		no := all.As(pml.Not, all)
		r, err := m.Explore(ctx, &Named{Name: f.Name, Formula: no, Pos: f.Pos}, in, limit)
		if err != nil {
			return nil, err
		}
		if r.Run == nil {
			return &needs[i], nil
		}
	}
	return nil, nil
}
