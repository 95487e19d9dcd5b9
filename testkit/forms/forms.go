// Package forms is for tests of what front ends make of texts: forms (package counter).
package forms

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Check finds what no front end may make.
func Check(f *counter.Form) error {
	names, shared := map[string]bool{}, map[counter.Quantity]bool{}
	name := f.Called
	left := func(q counter.Quantity) bool { return q.Kind == counter.At || q.Shared() }
	for _, x := range f.Shared {
		names[name(x.Of)], shared[x.Of] = true, true
	}
	for _, l := range f.Locations {
		if names[l.Name] || !syntax.IsName(l.Name) {
			return fmt.Errorf("%q is the name of something else, or none", l.Name)
		}
		names[l.Name] = true
		if len(l.When) > 0 && !l.Start {
			return fmt.Errorf("no process begins in %s, whatever the parameters are", l.Name)
		}
	}
	grouped := map[int]int{}
	for _, g := range f.Groups {
		for _, l := range g.Locations {
			grouped[l]++
		}
		for _, v := range g.Count.Vars() {
			if left(v) {
				return fmt.Errorf("how many processes there are depends on a shared variable")
			}
		}
	}
	for i, l := range f.Locations {
		if want := map[bool]int{true: 1}[l.Start]; grouped[i] != want {
			return fmt.Errorf("%s is in %d groups, and not in %d", l.Name, grouped[i], want)
		}
	}
	for _, m := range f.Moves {
		if min(m.From, m.To) < 0 || max(m.From, m.To) >= len(f.Locations) {
			return fmt.Errorf("a move leads from %d to %d, and there are %d locations", m.From, m.To, len(f.Locations))
		}
		for _, l := range m.Guard {
			if a := l.Only(left); !a.Rises() && !a.Neg().Rises() {
				return fmt.Errorf("a guard of %s holds shared variables against each other", f.Locations[m.From].Name)
			}
		}
		for _, a := range m.Adds {
			if a.By <= 0 || !shared[a.Of] {
				return fmt.Errorf("a move adds %d to %s", a.By, name(a.Of))
			}
		}
	}
	for _, d := range f.Duties {
		if len(d.At) == 0 || slices.ContainsFunc(d.At, func(l int) bool { return l < 0 || l >= len(f.Locations) }) {
			return fmt.Errorf("fairness asks something of processes at %d", d.At)
		}
		for _, l := range slices.Concat(d.Rests...) {
			if l.Has(counter.Quantity.Own) {
				return fmt.Errorf("fairness asks what a process at %s has received", f.Locations[d.At[0]].Name)
			}
		}
	}
	return nil
}

// Text prints a form for people: as the automaton that it is built to, without parameters, and what fair runs come
// to.
func Text(f *counter.Form) string {
	b := &syntax.Builder{Name: "Form", At: f.At}
	f.Build(b)
	if fair := f.Fairness(f.At); fair != nil {
		b.Specs = append(b.Specs, f.At.Spec("fair", fair))
	}
	return syntax.Format(b.File())
}
