package sizes

import (
	"bytes"
	"slices"
)

// A world is a state of an instance, as bytes:
//
//   - for each slot (kind, group of senders and values of messages), how many were sent that are sure to arrive;
//   - for each slot, how many were sent that may reach some only;
//   - for each kind and type of processes, how many faulty ones that lie to all alike have sent one;
//   - for each process: whether it has crashed, its variables (above the least value), for each slot
//     how many sure messages and how many others it has heard, for each kind whether it has sent one.
//
// Of a process that has crashed nothing but its variables is known.
type world []byte

// at is the state of a process.
func (in *Instance) at(w world, process int) []byte {
	start := in.layout.first + process*in.layout.size
	return w[start : start+in.layout.size]
}

func (in *Instance) crashed(w world, process int) bool {
	return in.at(w, process)[0] == 1
}

func (in *Instance) variable(w world, process, variable int) int {
	return int(in.at(w, process)[1+variable]) + in.role(process).Variables[variable].Low
}

func (in *Instance) setVariable(w world, process, variable, value int) {
	in.at(w, process)[1+variable] = byte(value - in.role(process).Variables[variable].Low)
}

// sure is how many messages that are sure to arrive a process has heard, by slots; unsure are the others.
func (in *Instance) sure(w world, process int) []byte {
	start := 1 + in.layout.variables
	return in.at(w, process)[start : start+in.layout.slots]
}

func (in *Instance) unsure(w world, process int) []byte {
	start := 1 + in.layout.variables + in.layout.slots
	return in.at(w, process)[start : start+in.layout.slots]
}

// hasSent notes the kinds that a process has sent.
func (in *Instance) hasSent(w world, process int) []byte {
	start := 1 + in.layout.variables + 2*in.layout.slots
	return in.at(w, process)[start : start+len(in.Text.Kinds)]
}

func (in *Instance) heard(w world, process, slot int) int {
	return int(in.sure(w, process)[slot]) + int(in.unsure(w, process)[slot])
}

func (in *Instance) crashes(w world) int {
	count := 0
	for p := range in.processes {
		count += truth(in.crashed(w, p))
	}
	return count
}

// count is for how many processes of some types a condition is true: of the correct ones that have not crashed, or
// of all if the condition speaks of crashed; or of every one whose variables mean something.
func (in *Instance) count(w world, roles []int, condition *Expr, every bool) int {
	all := mentions(condition, "crashed")
	count := 0
	for p := range in.processes {
		counts := every || in.Correct(p) && (all || !in.crashed(w, p))
		if in.mistake == "the crashed count" {
			counts = every || in.Correct(p)
		}
		if counts && slices.Contains(roles, in.roles[p]) {
			count += scope{in, w, p}.value(condition)
		}
	}
	return count
}

// crash makes a process stop. It keeps its variables; what it has heard and sent is of no use any more.
func (in *Instance) crash(w world, process int) {
	state := in.at(w, process)
	state[0] = 1
	clear(state[1+in.layout.variables:])
	if in.mistake == "the crashed forget" {
		clear(state[1:])
	}
}

// sorted is the world with its processes in order; those that omit and those that do not remain
// apart, and so do types. Worlds that differ in who is who become the same; not if it matters who has sent what.
func (in *Instance) sorted(w world) world {
	result := slices.Clone(w)
	if in.layout.named {
		return result
	}
	for first := 0; first < in.processes; {
		var states [][]byte
		for p := first; p < in.processes && in.roles[p] == in.roles[first] && in.omitting[p] == in.omitting[first]; p++ {
			states = append(states, in.at(w, p))
		}
		slices.SortFunc(states, bytes.Compare)
		for i, state := range states {
			copy(in.at(result, first+i), state)
		}
		first += len(states)
	}
	return result
}

// initial are the worlds in which the instance begins.
func (in *Instance) initial() []world {
	worlds := []world{make(world, in.layout.first+in.processes*in.layout.size)}
	for p := range in.processes {
		for i, v := range in.role(p).Variables {
			var next []world
			for _, w := range worlds {
				for value := v.Low; value <= v.High; value++ {
					start := v.Start
					if in.mistake == "first values are the least" {
						start = v.Low
					}
					if v.Input && in.mistake != "inputs are locals" || value == start {
						w = slices.Clone(w)
						in.setVariable(w, p, i, value)
						next = append(next, w)
					}
				}
			}
			worlds = next
		}
	}
	if in.mistake == "init is ignored" {
		return worlds
	}
	asked := *in
	if in.mistake == "init asks the faulty" {
		asked.omitting = make([]bool, in.processes)
	}
	return slices.DeleteFunc(worlds, func(w world) bool {
		return slices.ContainsFunc(in.Text.Init, func(e *Expr) bool { return !scope{&asked, w, -1}.holds(e) }) || in.mistake == "inputs are alike" && !in.alike(w)
	})
}

// alike tells whether all inputs of a name have the same value.
func (in *Instance) alike(w world) bool {
	for p := range in.processes {
		for i, v := range in.role(p).Variables {
			for q := range p {
				if j := variable(in.role(q), v.Name); v.Input && j >= 0 && in.variable(w, p, i) != in.variable(w, q, j) {
					return false
				}
			}
		}
	}
	return true
}
