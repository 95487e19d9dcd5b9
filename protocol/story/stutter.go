package story

import (
	"maps"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// Complete adds steps to the loop that change nothing, of fair rules that are possible all along
// it and never taken, so that the run is fair.
func Complete(r *interp.Run, p *protocol.Prop) error {
	if r.Loop < 0 || !slices.Contains(p.Fair, true) {
		return nil
	}
	list, err := r.Neglected(&interp.Interpreter{Model: r.Model, Options: r.Options}, p)
	if err != nil {
		return err
	}
	added := map[int][]interp.Event{}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if at := slices.Sorted(maps.Keys(list[name])); len(at) > 0 {
			added[at[0]] = append(added[at[0]], list[name][at[0]])
		}
	}
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(added))) {
		states := slices.Repeat([]*protocol.State{r.States[k-1]}, len(added[k]))
		r.Events, r.States = slices.Insert(r.Events, k, added[k]...), slices.Insert(r.States, k, states...)
	}
	return nil
}
