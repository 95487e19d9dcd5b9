package protocol

import (
	"maps"
	"slices"
)

// neglected lists the instances of fair rules that are possible all along the loop and never
// taken, each with the positions in the loop before which a step of it changes nothing.
func (r *Run) neglected(x *Interpreter, p *Prop) (map[string]map[int]Event, error) {
	var always map[string]map[int]Event
	for k := r.Loop; k < len(r.States); k++ {
		list, err := x.Successors(r.States[k-1])
		if err != nil {
			return nil, err
		}
		possible := map[string]map[int]Event{}
		for _, s := range list {
			e := s.Event
			if e.Fate != Processed || !p.Fair[e.Rule] || x.volunteered(r.States[k-1], e) {
				continue
			}
			name := r.Model.instance(e)
			if possible[name] == nil {
				possible[name] = map[int]Event{}
			}
			if s.State.Key() == r.States[k-1].Key() {
				possible[name][k] = e
			}
		}
		if e := r.Events[k]; e.Fate == Processed && p.Fair[e.Rule] {
			delete(possible, r.Model.instance(e))
		}
		if always == nil {
			always = possible
			continue
		}
		maps.DeleteFunc(always, func(name string, at map[int]Event) bool {
			maps.Copy(at, possible[name])
			return possible[name] == nil
		})
	}
	return always, nil
}

// Complete adds steps to the loop that change nothing, of fair rules that are possible all along
// it and never taken, so that the run is fair.
func (r *Run) Complete(p *Prop) error {
	if r.Loop < 0 || !slices.Contains(p.Fair, true) {
		return nil
	}
	list, err := r.neglected(&Interpreter{Model: r.Model, Options: r.Options}, p)
	if err != nil {
		return err
	}
	added := map[int][]Event{}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if at := slices.Sorted(maps.Keys(list[name])); len(at) > 0 {
			added[at[0]] = append(added[at[0]], list[name][at[0]])
		}
	}
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(added))) {
		states := slices.Repeat([]*State{r.States[k-1]}, len(added[k]))
		r.Events, r.States = slices.Insert(r.Events, k, added[k]...), slices.Insert(r.States, k, states...)
	}
	return nil
}
