package interp

import (
	"maps"

	"github.com/tacheck/tacheck/protocol"
)

// Neglected lists the instances of fair rules that are possible all along the loop and never
// taken, each with the positions in the loop before which a step of it changes nothing.
func (r *Run) Neglected(x *Interpreter, p *protocol.Prop) (map[string]map[int]Event, error) {
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
			name := instance(r.Model, e)
			if possible[name] == nil {
				possible[name] = map[int]Event{}
			}
			if s.State.Key() == r.States[k-1].Key() {
				possible[name][k] = e
			}
		}
		if e := r.Events[k]; e.Fate == Processed && p.Fair[e.Rule] {
			delete(possible, instance(r.Model, e))
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
