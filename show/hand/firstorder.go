package hand

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/tacheck/tacheck/fol/finite"
	"github.com/tacheck/tacheck/fol/pyv"
)

// firstOrder is an instance of a first-order system.
type firstOrder struct {
	noFaults[finite.State, finite.Step]
	x     *finite.Instance
	found []*finite.Run
}

// moved is a transition that was taken.
type moved = step[finite.State, finite.Step]

// NewFirstOrder makes a Subject of an instance, with counterexamples to jump to.
func NewFirstOrder(x *finite.Instance, found []*finite.Run) Subject {
	return walk(&firstOrder{x: x, found: found})
}

// Title implements Subject.
func (x *firstOrder) Title() string { return called(x.x.System.File) + " with " + x.x.String() }

func (x *firstOrder) next(_ context.Context, at *finite.State, yield func(finite.State, finite.Step) bool) error {
	if at == nil {
		x.x.NewWorker().Initial(func(s finite.State) bool { return yield(slices.Clone(s), finite.Step{}) })
		return nil
	}
	x.x.NewWorker().Successors(*at, func(s finite.State, e finite.Step) bool {
		return yield(slices.Clone(s), finite.Step{Transition: e.Transition, Params: slices.Clone(e.Params)})
	})
	return nil
}

func (x *firstOrder) key(s finite.State) string { return string(s) }

func (x *firstOrder) lines(s finite.State, before *finite.State) (list []Line) {
	for _, mutable := range []bool{true, false} {
		for _, line := range x.x.Describe(s, mutable) {
			changed := mutable && before != nil && !slices.Contains(x.x.Describe(*before, true), line)
			list = append(list, Line{map[bool]string{true: "now", false: "always"}[mutable], line, changed})
		}
	}
	return list
}

func (x *firstOrder) choice(_ *finite.State, _ finite.State, e finite.Step) string {
	return x.x.Said(e)
}

func (x *firstOrder) run(path []moved) *finite.Run {
	r := &finite.Run{Instance: x.x}
	for i, s := range path {
		if r.States = append(r.States, s.state); i > 0 {
			r.Steps = append(r.Steps, s.event)
		}
	}
	return r
}

func (x *firstOrder) tell(_ context.Context, v *View, path []moved) error {
	if len(path) > 0 {
		v.told = x.run(path).Told()
	}
	return nil
}

func (x *firstOrder) claims(path []moved) (list []claim, err error) {
	broken := x.x.NewWorker().Broken(path[len(path)-1].state)
	for i, s := range x.x.System.Safety {
		c := claim{name: s.Name, parts: []string{s.Formula.String()}}
		if slices.Contains(broken, i) {
			r := x.run(path)
			r.Property, c.broken = s.Name, r
		}
		list = append(list, c)
	}
	return list, nil
}

func (x *firstOrder) file(path []moved) json.Marshaler { return x.run(path) }

func (x *firstOrder) goals() (list []target[finite.State, finite.Step]) {
	for _, r := range x.found {
		list = append(list, target[finite.State, finite.Step]{r.Property, moved{state: r.States[0]}, r.States[1:]})
	}
	return list
}

// watch reads a formula.
func (x *firstOrder) watch(text string) (*watch[finite.State], error) {
	example := "true"
	if list := x.x.System.Safety; len(list) > 0 {
		example = list[0].Formula.String()
	}
	if err := nothing(text, example); err != nil {
		return nil, err
	}
	t, err := pyv.Condition(x.x.System, "condition", text)
	if err != nil {
		return nil, err
	}
	f := x.x.Compile(t, nil)
	return condition(func(s finite.State) (bool, error) { return x.x.NewWorker().Holds(f, s, nil), nil }), nil
}
