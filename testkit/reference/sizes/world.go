package sizes

import (
	"bytes"
	"slices"
)

// A world is a state of an instance, as bytes:
//
//   - for each slot (kind and value of messages), how many were sent that are sure to arrive;
//   - for each slot, how many were sent that may reach some only;
//   - for each kind, how many faulty processes that lie to all alike have sent one;
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
	return int(in.at(w, process)[1+variable]) + in.Text.Variables[variable].Low
}

func (in *Instance) setVariable(w world, process, variable, value int) {
	in.at(w, process)[1+variable] = byte(value - in.Text.Variables[variable].Low)
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
	return in.at(w, process)[start : start+in.layout.kinds]
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

// count is for how many processes a condition is true: of the correct ones that have not crashed, or
// of all if the condition speaks of crashed.
func (in *Instance) count(w world, condition *Expr) int {
	all := mentions(condition, "crashed")
	count := 0
	for p := range in.processes {
		if in.Correct(p) && (all || !in.crashed(w, p)) {
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
}

// sorted is the world with its processes in order; those that omit and those that do not remain
// apart. Worlds that differ in who is who become the same.
func (in *Instance) sorted(w world) world {
	result := slices.Clone(w)
	for _, group := range [][2]int{{0, in.omitting}, {in.omitting, in.processes}} {
		var states [][]byte
		for p := group[0]; p < group[1]; p++ {
			states = append(states, in.at(w, p))
		}
		slices.SortFunc(states, bytes.Compare)
		for i, state := range states {
			copy(in.at(result, group[0]+i), state)
		}
	}
	return result
}

// initial are the worlds in which the instance begins.
func (in *Instance) initial() []world {
	worlds := []world{make(world, in.layout.first+in.processes*in.layout.size)}
	for p := range in.processes {
		for i, v := range in.Text.Variables {
			var next []world
			for _, w := range worlds {
				for value := v.Low; value <= v.High; value++ {
					if v.Input || value == v.Start {
						w = slices.Clone(w)
						in.setVariable(w, p, i, value)
						next = append(next, w)
					}
				}
			}
			worlds = next
		}
	}
	return worlds
}
