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
		for r := range in.role(p).Rules {
			if in.enabled(w, p, r) {
				moves = append(moves, in.take(w, p, r)...)
			}
		}
		for _, to := range in.hearing(w, p) {
			moves = append(moves, move{p, -1, to})
		}
		if in.mayCrash(w, p) {
			to := slices.Clone(w)
			in.crash(to, p)
			moves = append(moves, move{p, -1, to})
		}
	}
	if in.Text.Faults == "symmetric" && in.mistake != "liars are silent" {
		for i, k := range in.Text.Kinds {
			for _, role := range k.senders {
				lies := in.layout.lies + i*len(in.Text.Roles) + role
				if int(w[lies]) == in.mayLie(role) {
					continue
				}
				for number := range k.values() {
					to := slices.Clone(w)
					to[lies]++
					if in.mistake == "lies to all may stay away" {
						to[in.layout.partial+in.slot(i, role, number)]++
					} else {
						to[in.slot(i, role, number)]++
					}
					moves = append(moves, move{-1, -1, to})
				}
			}
		}
	}
	return moves
}

// mayLie is how many processes of a role lie.
func (in *Instance) mayLie(role int) int {
	if in.mistake == "anybody may lie" {
		return in.faults()
	}
	return in.liars[role]
}

// mayCrash tells whether a process may crash: whether a budget for its type is not used up.
func (in *Instance) mayCrash(w world, process int) bool {
	if in.Text.Faults != "crash" && in.Text.Faults != "clean" {
		return false
	}
	if in.alone(in.roles[process]) && in.mistake == "a distinguished process is correct" {
		return false
	}
	for i, b := range in.Text.Budgets {
		if !slices.Contains(b.roles, in.roles[process]) && in.mistake != "anybody may crash" {
			continue
		}
		crashes := 0
		for p := range in.processes {
			if slices.Contains(b.roles, in.roles[p]) && (in.roles[p] == in.roles[process] || in.mistake != "crashes are not shared") {
				crashes += truth(in.crashed(w, p))
			}
		}
		if crashes < in.budgets[i] {
			return true
		}
	}
	return false
}

// enabled tells whether a process can take a rule.
func (in *Instance) enabled(w world, process, rule int) bool {
	r := in.role(process).Rules[rule]
	if r.Elsif && in.mistake == "elsif makes nothing possible" {
		r.Guard = r.Body[0].Branches[0].Guard
	}
	return !in.crashed(w, process) && scope{in, w, process}.holds(r.Guard)
}

// take is what may happen when a process takes a rule: it does; or it crashes while it sends, and its messages
// may reach some only.
func (in *Instance) take(w world, process, rule int) []move {
	to := slices.Clone(w)
	var slots []int
	in.execute(to, process, in.role(process).Rules[rule].Body, &slots)
	if len(slots) == 0 {
		return []move{{process, rule, to}}
	}
	if in.mistake == "one message in a step" {
		slots = slots[:1]
	}
	partly := slices.Clone(to)
	if in.mistake == "a crashing step changes nothing" {
		partly = slices.Clone(w)
	}
	for _, slot := range slots {
		partly[in.layout.partial+slot]++
		if !in.Correct(process) && in.mistake != "omissions are mended" {
			to[in.layout.partial+slot]++
		} else {
			to[slot]++
		}
	}
	moves := []move{{process, rule, to}}
	dirty := in.Text.Faults == "crash" && in.mistake != "crashes are clean" || in.mistake == "clean crashes are not"
	if dirty && in.mayCrash(w, process) {
		in.crash(partly, process)
		moves = append(moves, move{process, rule, partly})
	}
	return moves
}

// execute changes a process's variables; slots become what it sends.
func (in *Instance) execute(w world, process int, body []Statement, slots *[]int) {
	s := scope{in, w, process}
	for _, statement := range body {
		switch statement.Op {
		case ":=":
			v := in.role(process).Variables[statement.index]
			value := s.value(statement.Value)
			if v.Input && in.mistake == "inputs stay" {
				continue
			}
			if value < v.Low || value > v.High {
				panic(misuse(fmt.Sprintf("%s becomes %d", v.Name, value)))
			}
			in.setVariable(w, process, statement.index, value)
		case "send":
			k := in.Text.Kinds[statement.index]
			if in.hasSent(w, process)[statement.index] == 1 {
				panic(misuse(k.Name + " is sent twice"))
			}
			in.hasSent(w, process)[statement.index] = 1
			var values []int
			for _, e := range statement.Values {
				values = append(values, s.value(e))
			}
			number := k.number(values)
			if number < 0 {
				panic(misuse(fmt.Sprintf("%s(%d) is sent", k.Name, values)))
			}
			*slots = append(*slots, in.slot(statement.index, in.group(process), number))
		case "if":
			for _, b := range statement.Branches {
				if b.Guard == nil || s.holds(b.Guard) {
					in.execute(w, process, b.Body, slots)
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
		for i, k := range in.Text.Kinds {
			senders := k.senders
			if in.mistake == "all types send" {
				senders = allRoles(in.Text)
			}
			for _, role := range senders {
				lies := 0
				for number := range k.values() {
					lies += int(in.unsure(w, process)[in.slot(i, role, number)])
				}
				for number := 0; number < k.values() && lies < in.mayLie(role); number++ {
					hear(in.unsure, in.slot(i, role, number))
				}
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
