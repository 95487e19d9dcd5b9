package rounds

import (
	"bytes"
	"slices"
)

// A world is a state of an instance, as bytes. First, where processes take turns for ever, whose turn the first stage is. For
// each stage:
//
//   - for each slot (kind and values of messages; whether the coordinator sends them), how many were sent that are sure to arrive;
//   - for each slot, how many were sent that may reach some only;
//   - for each kind, how many faulty processes that lie to all alike have sent one (the coordinator apart);
//   - what the common coin of the round says, from 1; how many have asked it before it was drawn;
//   - where runs have to be good at last, whether some process has taken a rule that is marked timeout.
//
// For each process: whether it has crashed, in which stage it is (the number of stages if it has ended the last one),
// what it waits for (a pending, from 1), its kept variables (above the least value), for each stage the kinds that it has sent
// (if arrivals are asked for), and for each stage its other variables, and how many sure messages and others it has heard, by slots.
type world []byte

// A layout says where in a world the parts of its state are.
type layout struct {
	first         []int // the first slot of each kind
	slots         int
	sources       int   // of messages of a kind: all, or the coordinator and others
	header        int   // size of what is before the stages
	flags         int   // kinds of which a process remembers that it has sent them
	place         []int // of each variable, among the kept ones or the others
	kept, local   int   // how many there are
	shared        int   // size of what is shared in a stage
	stage         int   // size of a stage of a process
	process       int   // size of a process
	coin, asked   int   // where they are in what is shared
	late          int   // where it is in what is shared
	keepsCrashed  bool  // whether properties speak of those that have crashed
	startOfLocals []byte
}

// Places in the state of a process.
const (
	crashedAt = iota
	roundAt
	pendingAt
	keptAt
)

// lay lays out a world.
func (in *Instance) lay() {
	l := &in.layout
	l.sources = 1 + truth(in.Text.turns)
	l.header = truth(in.Text.turns && in.class == good)
	for _, k := range in.Text.Kinds {
		l.first = append(l.first, l.slots)
		l.slots += k.values() * l.sources
	}
	if in.Text.arrivals {
		l.flags = len(in.Text.Kinds)
	}
	for _, v := range in.Text.Variables {
		if v.Kept {
			l.place = append(l.place, l.kept)
			l.kept++
		} else {
			l.place = append(l.place, l.local)
			l.local++
			l.startOfLocals = append(l.startOfLocals, byte(v.Start-v.Low))
		}
	}
	l.coin = 2*l.slots + len(in.Text.Kinds)*l.sources
	l.asked = l.coin + 1
	l.late = l.asked + 1
	l.shared = l.late + 1
	l.stage = l.local + 2*l.slots
	l.process = keptAt + l.kept + in.stages*(l.flags+l.stage)
	for _, p := range in.Text.Properties {
		l.keepsCrashed = l.keepsCrashed || mentions(p.Formula, "crashed") || mentions(p.Formula, "every")
	}
}

// shared is what is shared in a stage.
func (in *Instance) shared(w world, stage int) []byte {
	start := in.layout.header + stage*in.layout.shared
	return w[start : start+in.layout.shared]
}

// at is the state of a process.
func (in *Instance) at(w world, process int) []byte {
	start := in.layout.header + in.stages*in.layout.shared + process*in.layout.process
	return w[start : start+in.layout.process]
}

// stageOf is the state of a process in a stage.
func (in *Instance) stageOf(w world, process, stage int) []byte {
	start := keptAt + in.layout.kept + in.stages*in.layout.flags + stage*in.layout.stage
	return in.at(w, process)[start : start+in.layout.stage]
}

// flags say which kinds a process has sent in a stage.
func (in *Instance) flags(w world, process, stage int) []byte {
	start := keptAt + in.layout.kept + stage*in.layout.flags
	return in.at(w, process)[start : start+in.layout.flags]
}

// slot is that of a message that a process sends in a stage.
func (in *Instance) slot(w world, process, stage, kind, number int) int {
	if in.layout.sources == 2 && in.coordinator(w, stage) == process {
		number += in.Text.Kinds[kind].values()
	}
	return in.layout.first[kind] + number
}

// sure and unsure are how many messages a process has heard in a stage, by slots.
func (in *Instance) sure(w world, process, stage int) []byte {
	return in.stageOf(w, process, stage)[in.layout.local : in.layout.local+in.layout.slots]
}

func (in *Instance) unsure(w world, process, stage int) []byte {
	return in.stageOf(w, process, stage)[in.layout.local+in.layout.slots:]
}

func (in *Instance) crashed(w world, process int) bool { return in.at(w, process)[crashedAt] == 1 }
func (in *Instance) round(w world, process int) int    { return int(in.at(w, process)[roundAt]) }

// variables are those of a process in a stage; in the last but one they are the first values.
func (in *Instance) variables(w world, process, stage int) []int {
	var values []int
	for i, v := range in.Text.Variables {
		place := in.layout.place[i]
		switch {
		case v.Kept:
			values = append(values, v.Low+int(in.at(w, process)[keptAt+place]))
		case stage < in.stages:
			values = append(values, v.Low+int(in.stageOf(w, process, stage)[place]))
		default:
			values = append(values, v.Start)
		}
	}
	return values
}

// setVariables is the inverse of variables.
func (in *Instance) setVariables(w world, process, stage int, values []int) {
	for i, v := range in.Text.Variables {
		place, value := in.layout.place[i], byte(values[i]-v.Low)
		if v.Kept {
			in.at(w, process)[keptAt+place] = value
		} else {
			in.stageOf(w, process, stage)[place] = value
		}
	}
}

// keptOf are the kept variables of a process, as they are in a world.
func (in *Instance) keptOf(w world, process int) []byte {
	return in.at(w, process)[keptAt : keptAt+in.layout.kept]
}

// crashes is how many have crashed.
func (in *Instance) crashes(w world) int {
	count := 0
	for p := range in.processes {
		count += truth(in.crashed(w, p))
	}
	return count
}

// over tells whether all processes that have not crashed have left a stage.
func (in *Instance) over(w world, stage int) bool {
	for p := range in.processes {
		if !in.crashed(w, p) && in.round(w, p) <= stage {
			return false
		}
	}
	return true
}

// tidy forgets what cannot matter any more: what a process knows of a round that it has left, if there are no rules for
// that; rounds that all have left; all of a process that has crashed, but for what properties say of it.
func (in *Instance) tidy(w world) {
	always := in.Text.hasAlways()
	for stage := range in.stages {
		over := in.over(w, stage)
		if over {
			clear(in.shared(w, stage))
			for p := range in.processes {
				clear(in.flags(w, p, stage))
			}
		}
		for p := range in.processes {
			if over || in.crashed(w, p) || in.round(w, p) > stage && !always {
				clear(in.stageOf(w, p, stage))
			}
		}
	}
	for p := range in.processes {
		if in.crashed(w, p) {
			state := in.at(w, p)
			state[roundAt], state[pendingAt] = 0, 0
			if !in.layout.keepsCrashed {
				clear(state[keptAt:])
			}
		}
	}
}

// sorted is the world with its processes in order; those that omit and those that do not remain
// apart. Worlds that differ in who is who become the same.
func (in *Instance) sorted(w world) world {
	result := slices.Clone(w)
	done := make([]bool, in.processes)
	for first := range in.processes {
		if done[first] || slices.Contains(in.seat, first) {
			continue
		}
		var alike []int
		var states [][]byte
		for p := first; p < in.processes; p++ {
			if in.omitting[p] == in.omitting[first] && !slices.Contains(in.seat, p) {
				alike, states, done[p] = append(alike, p), append(states, in.at(w, p)), true
			}
		}
		slices.SortFunc(states, bytes.Compare)
		for i, state := range states {
			copy(in.at(result, alike[i]), state)
		}
	}
	return result
}

// initial are the worlds in which the instance begins, up to who is who.
func (in *Instance) initial() []world {
	empty := make(world, in.layout.header+in.stages*in.layout.shared+in.processes*in.layout.process)
	for p := range in.processes {
		for stage := range in.stages {
			copy(in.stageOf(empty, p, stage), in.layout.startOfLocals)
		}
	}
	worlds := []world{empty}
	for p := range in.processes {
		for i, v := range in.Text.Variables {
			if !v.Kept {
				continue
			}
			var next []world
			for _, w := range worlds {
				for value := v.Low; value <= v.High; value++ {
					if v.Input || value == v.Start {
						w = slices.Clone(w)
						in.at(w, p)[keptAt+in.layout.place[i]] = byte(value - v.Low)
						next = append(next, w)
					}
				}
			}
			worlds = next
		}
	}
	met := map[string]bool{}
	return slices.DeleteFunc(worlds, func(w world) bool {
		again := met[string(in.sorted(w))]
		met[string(in.sorted(w))] = true
		return again || slices.ContainsFunc(in.Text.Init, func(e *Expr) bool { return !in.state(w).holds(e) })
	})
}

// state is the scope of properties.
func (in *Instance) state(w world) scope {
	s := scope{parameters: in.Parameters, kinds: in.Text.Kinds, ended: in.ended(w)}
	s.count = func(condition *Expr, every bool) int {
		all := every || mentions(condition, "crashed")
		count := 0
		for p := range in.processes {
			if in.omitting[p] && !every || in.crashed(w, p) && !all || in.mistake == staysForgotten && in.staysBehind(w, p) {
				continue
			}
			of := scope{parameters: in.Parameters, variables: in.variables(w, p, in.stages), crashed: in.crashed(w, p)}
			count += of.value(condition)
		}
		return count
	}
	return s
}

// everSo is how many rounds all have ended if there is no process who counts.
const everSo = 1 << 20

// ended is how many rounds all have ended that count.
func (in *Instance) ended(w world) int {
	rounds := everSo
	for p := range in.processes {
		if !in.omitting[p] && !in.crashed(w, p) {
			rounds = min(rounds, in.round(w, p))
		}
	}
	if in.mistake == endedBySome {
		return in.furthest(w)
	}
	return rounds
}

// staysBehind tells whether some process is in a later round.
func (in *Instance) staysBehind(w world, process int) bool {
	for p := range in.processes {
		if !in.crashed(w, p) && in.round(w, p) > in.round(w, process) {
			return true
		}
	}
	return false
}
