package sizes

import (
	"fmt"
	"slices"
)

// A move is something that happens in a world. Process and rule say whose rule it is, if it is one:
// otherwise rule is -1.
type move struct {
	process, rule int
	to            world
}

// A misuse of the language, met in some state: a variable leaves its range, or a process sends twice.
type misuse string

// moves are all that can happen next.
func (in *Instance) moves(w world) []move {
	var moves []move
	for p := range in.processes {
		if in.crashed(w, p) {
			continue
		}
		for r := range in.Text.Rules {
			if in.enabled(w, p, r) {
				moves = append(moves, in.take(w, p, r)...)
			}
		}
		for _, to := range in.hearing(w, p) {
			moves = append(moves, move{p, -1, to})
		}
		if in.mayCrash(w) {
			to := slices.Clone(w)
			in.crash(to, p)
			moves = append(moves, move{p, -1, to})
		}
	}
	if in.Text.Faults == "symmetric" && in.mistake != "liars are silent" {
		for i, k := range in.Text.Kinds {
			if int(w[in.layout.lies+i]) == in.budget {
				continue
			}
			for slot := k.first; slot < k.first+k.values(); slot++ {
				to := slices.Clone(w)
				to[in.layout.lies+i]++
				to[slot]++
				moves = append(moves, move{-1, -1, to})
			}
		}
	}
	return moves
}

// mayCrash tells whether one more process may crash.
func (in *Instance) mayCrash(w world) bool {
	crashing := in.Text.Faults == "crash" || in.Text.Faults == "clean"
	return crashing && in.crashes(w) < in.budget
}

// enabled tells whether a process can take a rule.
func (in *Instance) enabled(w world, process, rule int) bool {
	return !in.crashed(w, process) && scope{in, w, process}.holds(in.Text.Rules[rule].Guard)
}

// take is what may happen when a process takes a rule: it does; or it crashes while it sends, and its message
// may reach some only.
func (in *Instance) take(w world, process, rule int) []move {
	to := slices.Clone(w)
	slot := -1
	in.execute(to, process, in.Text.Rules[rule].Body, &slot)
	if slot < 0 {
		return []move{{process, rule, to}}
	}
	partly := slices.Clone(to)
	partly[in.layout.partial+slot]++
	if !in.Correct(process) && in.mistake != "omissions are mended" {
		to[in.layout.partial+slot]++
	} else {
		to[slot]++
	}
	moves := []move{{process, rule, to}}
	if in.Text.Faults == "crash" && in.mayCrash(w) && in.mistake != "crashes are clean" {
		in.crash(partly, process)
		moves = append(moves, move{process, rule, partly})
	}
	return moves
}

// execute changes a process's variables; slot becomes what it sends.
func (in *Instance) execute(w world, process int, body []Statement, slot *int) {
	s := scope{in, w, process}
	for _, statement := range body {
		switch statement.Op {
		case ":=":
			v := in.Text.Variables[statement.index]
			value := s.value(statement.Value)
			if value < v.Low || value > v.High {
				panic(misuse(fmt.Sprintf("%s becomes %d", v.Name, value)))
			}
			in.setVariable(w, process, statement.index, value)
		case "send":
			k := in.Text.Kinds[statement.index]
			if *slot >= 0 || in.hasSent(w, process)[statement.index] == 1 {
				panic(misuse(k.Name + " is sent twice, or two messages in a step"))
			}
			in.hasSent(w, process)[statement.index] = 1
			*slot = k.first
			if statement.Value != nil {
				value := s.value(statement.Value)
				if value < k.Low || value > k.High {
					panic(misuse(fmt.Sprintf("%s(%d) is sent", k.Name, value)))
				}
				*slot += value - k.Low
			}
		case "if":
			for _, b := range statement.Branches {
				if b.Guard == nil || s.holds(b.Guard) {
					in.execute(w, process, b.Body, slot)
					if in.mistake != "elsif is if" || b.Guard == nil {
						break
					}
				}
			}
		}
	}
}

// hearing are the worlds after a process has heard one more message.
func (in *Instance) hearing(w world, process int) []world {
	var worlds []world
	hear := func(of func(world, int) []byte, slot int) {
		to := slices.Clone(w)
		of(to, process)[slot]++
		worlds = append(worlds, to)
	}
	for slot := range in.layout.slots {
		if in.sure(w, process)[slot] < w[slot] {
			hear(in.sure, slot)
		}
		if in.unsure(w, process)[slot] < w[in.layout.partial+slot] {
			hear(in.unsure, slot)
		}
	}
	if in.Text.Faults == "byzantine" && in.mistake != "liars are silent" {
		for _, k := range in.Text.Kinds {
			lies := 0
			for slot := k.first; slot < k.first+k.values(); slot++ {
				lies += int(in.unsure(w, process)[slot])
			}
			for slot := k.first; slot < k.first+k.values() && lies < in.budget; slot++ {
				hear(in.unsure, slot)
			}
		}
	}
	return worlds
}

// settled tells whether all that is sure to arrive has arrived.
func (in *Instance) settled(w world) bool {
	for p := range in.processes {
		if in.crashed(w, p) || !in.Correct(p) {
			continue
		}
		for slot, heard := range in.sure(w, p) {
			if heard < w[slot] {
				return false
			}
		}
	}
	return true
}
