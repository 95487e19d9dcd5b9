package hand

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
)

// program is an instance of a Promela model: each event is one process that takes a step.
type program struct {
	noFaults[*promela.World, promela.RunStep]
	m     *promela.Model
	in    *promela.Instance
	start []*promela.World
	more  bool
	found []*promela.Counterexample
}

// acted is a step of a process.
type acted = step[*promela.World, promela.RunStep]

// NewPromela makes a Subject of an instance, with counterexamples to jump to.
func NewPromela(ctx context.Context, m *promela.Model, in *promela.Instance,
	found []*promela.Counterexample) (Subject, error) {
	start, more, err := in.SomeStarts(ctx, MostStarts)
	return walk(&program{m: m, in: in, start: start, more: more, found: found}), err
}

// Title implements Subject.
func (p *program) Title() string {
	if text := p.in.String(); text != "" {
		return called(p.m.File) + " with " + text
	}
	return called(p.m.File)
}

// alike reports whether a process before one is like it: equal processes do the same.
func alike(w *promela.World, who int) bool {
	l := w.Processes[who]
	return slices.IndexFunc(w.Processes, func(k promela.Local) bool { return slices.Equal(k, l) }) < who
}

func (p *program) next(_ context.Context, at **promela.World,
	yield func(*promela.World, promela.RunStep) bool) error {
	if at == nil {
		return begin(p.start, p.more, promela.RunStep{}, yield)
	}
	w := *at
	for who, l := range w.Processes {
		if alike(w, who) {
			continue
		}
		outcomes, err := p.in.Steps(w, who)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			if slices.Equal(o.Local, l) && slices.Equal(o.Shared, w.Shared) {
				continue
			}
			to := &promela.World{Shared: o.Shared, Processes: slices.Clone(w.Processes)}
			to.Processes[who] = o.Local
			if !yield(to, promela.RunStep{Before: l, After: o.Local, Shared: o.Shared, Taken: o.Taken}) {
				return nil
			}
		}
	}
	return nil
}

func (p *program) key(w *promela.World) string { return fmt.Sprint(w.Shared, w.Processes) }

func (p *program) lines(w *promela.World, before **promela.World) (list []Line) {
	if before == nil {
		before = &w
	}
	old := *before
	for i, l := range w.Processes {
		list = append(list, Line{fmt.Sprintf("process %d", i+1), p.in.Describe(l), !slices.Equal(l, old.Processes[i])})
	}
	for k, v := range p.m.Shared {
		list = append(list, Line{v.Name, fmt.Sprint(w.Shared[k]), w.Shared[k] != old.Shared[k]})
	}
	return list
}

func (p *program) choice(at **promela.World, _ *promela.World, s promela.RunStep) string {
	w := *at
	who := slices.IndexFunc(w.Processes, func(l promela.Local) bool { return slices.Equal(l, s.Before) })
	text := fmt.Sprintf("process %d: %s becomes %s", who+1, p.in.Describe(s.Before), p.in.Describe(s.After))
	if shared := p.in.Changes(w.Shared, s.Shared); shared != "" {
		text += ", " + shared
	}
	return text
}

func (p *program) tell(_ context.Context, v *View, path []acted) error {
	if len(path) == 0 {
		return nil
	}
	v.Blocked = p.blocked(path[len(path)-1].state)
	v.told = (&promela.Counterexample{Run: p.run(path)}).Told()
	return nil
}

// blocked says of guards why they are false: for the first of processes that are alike.
func (p *program) blocked(w *promela.World) (list []string) {
	for who := range w.Processes {
		if alike(w, who) {
			continue
		}
		refused, err := p.in.Refused(w, who)
		if err != nil {
			continue // the choices say so
		}
		for _, r := range refused {
			list = append(list, fmt.Sprintf("process %d, line %d: %s", who+1, r.Pos.Line, r.Text))
		}
	}
	return list
}

func (p *program) run(path []acted) *promela.Run {
	r := &promela.Run{Instance: p.in, Start: path[0].state, Loop: promela.Finite}
	for _, s := range path[1:] {
		r.Steps = append(r.Steps, s.event)
	}
	return r
}

func (p *program) claims(path []acted) (list []claim, err error) {
	r := p.run(path)
	for i := range p.m.Formulas {
		c := claim{name: p.m.Formulas[i].Name, parts: conditions(p.m.Formulas[i].Formula, p.m.IsTemporal,
			func(e *pml.Expr) []*pml.Expr { return e.Args })}
		violated, err := r.Violates(&p.m.Formulas[i])
		if err != nil {
			return list, err
		}
		if violated {
			c.broken = &promela.Counterexample{Spec: c.name, Run: r}
		}
		list = append(list, c)
	}
	return list, nil
}

func (p *program) file([]acted) json.Marshaler { return nil }

func (p *program) goals() (list []target[*promela.World, promela.RunStep]) {
	for _, x := range p.found {
		t := target[*promela.World, promela.RunStep]{spec: x.Spec, begin: acted{state: x.Run.Start}}
		if worlds, err := x.Run.Worlds(); err == nil { // it was replayed when it was found
			t.then = worlds[1:]
		}
		list = append(list, t)
	}
	return list
}

// watch reads what is watched: a condition, or a value.
func (p *program) watch(text string) (*watch[*promela.World], error) {
	example := "true"
	if len(p.m.Shared) > 0 {
		example = p.m.Shared[0].Name + " >= 1"
	}
	if err := nothing(text, example); err != nil {
		return nil, err
	}
	e, err := p.m.Condition(text)
	if err != nil {
		return nil, err
	}
	if p.m.Truth(e) {
		return condition(func(w *promela.World) (bool, error) {
			value, err := p.in.Holds(e, w)
			return value != 0, err
		}), nil
	}
	return &watch[*promela.World]{value: noCondition(text), show: func(w *promela.World) (string, error) {
		value, err := p.in.Holds(e, w)
		return fmt.Sprint(value), err
	}}, nil
}
