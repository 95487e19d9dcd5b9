package rounds

import (
	"fmt"
	"slices"
)

// A pending is a draw whose outcome is not known yet: the common coin of a round, or a toss that an adversary does not see.
// For each outcome, the kept variables that come of it. The process that has drawn has left the round, and waits.
type pending struct {
	coin bool
	kept [][]byte
}

// draw is a rule with these effects, one for each outcome of its draw, if it has one. It may be that the process crashes as it sends.
func (in *Instance) draw(w world, process, rule, stage int, effects []effect, crashes bool) []move {
	after := func(e effect) world {
		to := in.apply(w, process, stage, e, crashes)
		if crashes {
			in.at(to, process)[crashedAt] = 1
		}
		if in.class == good && in.Text.Rules[rule].Timeout {
			in.shared(to, stage)[in.layout.late] = 1
		}
		return to
	}
	first := effects[0]
	if first.draw == "" {
		return []move{in.move(process, rule, stage, after(first))}
	}
	if !first.next {
		panic(misuse("a draw without next"))
	}
	if in.class != "" && in.class != good {
		if crashes {
			return nil // the adversary can do as well without
		}
		return in.drawAgainst(w, process, rule, stage, effects, after)
	}
	var moves []move
	for i, e := range effects {
		to := after(e)
		if first.draw == "coin" && in.mistake != coinsOwn {
			coin := &in.shared(to, stage)[in.layout.coin]
			if *coin != 0 && int(*coin) != i+1 {
				continue
			}
			*coin = byte(i + 1)
		}
		moves = append(moves, in.move(process, rule, stage, to))
	}
	return moves
}

// drawAgainst is a draw where an adversary chooses the steps, and coins say the rest.
func (in *Instance) drawAgainst(w world, process, rule, stage int, effects []effect, after func(effect) world) []move {
	coin := effects[0].draw == "coin"
	drawn := int(in.shared(w, stage)[in.layout.coin])
	if coin && drawn > 0 {
		return []move{in.move(process, rule, stage, after(effects[drawn-1]))}
	}
	asked := int(in.shared(w, stage)[in.layout.asked]) + 1
	if in.class == unseen || coin && asked < in.need {
		return in.wait(w, process, rule, stage, effects, after)
	}
	var results []world
	for i, e := range effects {
		to := after(e)
		if coin {
			in.shared(to, stage)[in.layout.coin] = byte(i + 1)
			for p := range in.processes {
				if in.round(to, p) == stage+1 && !in.crashed(to, p) {
					in.come(to, p, i)
				}
			}
		}
		results = append(results, to)
	}
	return []move{in.move(process, rule, stage, results...)}
}

// known are draws of common coins that no process needs to come to: an adversary that sees coins may know what they say as soon as some process is in
// their round.
func (in *Instance) known(w world) (moves []move) {
	if in.sides == 0 || in.need > 0 || in.class != inOrder && in.class != seen {
		return nil
	}
	for stage := range min(in.stages, in.furthest(w)+1) {
		if in.over(w, stage) || in.shared(w, stage)[in.layout.coin] > 0 {
			continue
		}
		var results []world
		for i := range in.sides {
			to := slices.Clone(w)
			in.shared(to, stage)[in.layout.coin] = byte(i + 1)
			results = append(results, to)
		}
		moves = append(moves, in.move(nobody, noRule, lastStage, results...))
	}
	return moves
}

// wait is that a process has drawn, and the outcome is not known.
func (in *Instance) wait(w world, process, rule, stage int, effects []effect, after func(effect) world) []move {
	p := pending{coin: effects[0].draw == "coin"}
	for _, e := range effects {
		for i := range e.variables {
			if !in.Text.Variables[i].Kept && e.variables[i] != effects[0].variables[i] && in.Text.alwaysReads(i) {
				return nil // rules of the round would show what was drawn
			}
		}
		p.kept = append(p.kept, slices.Clone(in.keptOf(after(e), process)))
	}
	key := fmt.Sprint(p)
	if in.pendingOf[key] == 0 {
		in.pendings = append(in.pendings, p)
		in.pendingOf[key] = len(in.pendings)
	}
	to := after(effects[0])
	copy(in.keptOf(to, process), in.keptOf(w, process))
	in.at(to, process)[pendingAt] = byte(in.pendingOf[key])
	if p.coin {
		in.shared(to, stage)[in.layout.asked]++
	}
	return []move{in.move(process, rule, stage, to)}
}

// come says what a process has drawn, if it waits for that.
func (in *Instance) come(w world, process, outcome int) {
	if id := in.at(w, process)[pendingAt]; id > 0 {
		copy(in.keptOf(w, process), in.pendings[id-1].kept[outcome])
		in.at(w, process)[pendingAt] = 0
	}
}

// forget leaves out the first stage when all have left it, and draws before what is pending there.
func (in *Instance) forget(w world) (worlds []world, begins bool) {
	if in.crashes(w) == in.processes || !in.over(w, 0) {
		return []world{w}, false
	}
	for _, w := range in.come1(w) {
		in.shift(w)
		more, _ := in.forget(w)
		worlds = append(worlds, more...)
	}
	return worlds, true
}

// come1 are the worlds that come of all draws that are pending in the first stage.
func (in *Instance) come1(w world) []world {
	worlds := []world{slices.Clone(w)}
	coin := []int{}
	for p := range in.processes {
		id := in.at(w, p)[pendingAt]
		if id == 0 || in.round(w, p) != 1 || in.crashed(w, p) {
			continue
		}
		if in.pendings[id-1].coin {
			coin = append(coin, p)
			continue
		}
		worlds = in.outcomes(worlds, []int{p}, len(in.pendings[id-1].kept))
	}
	if len(coin) > 0 {
		worlds = in.outcomes(worlds, coin, len(in.pendings[in.at(w, coin[0])[pendingAt]-1].kept))
	}
	return worlds
}

// outcomes are worlds after one draw, for some processes.
func (in *Instance) outcomes(worlds []world, processes []int, outcomes int) []world {
	var next []world
	for _, w := range worlds {
		for i := range outcomes {
			to := slices.Clone(w)
			for _, p := range processes {
				in.come(to, p, i)
			}
			next = append(next, to)
		}
	}
	return next
}

// shift makes the second stage the first one.
func (in *Instance) shift(w world) {
	if in.layout.header > 0 {
		w[0] = byte((int(w[0]) + 1) % in.size)
	}
	for stage := range in.stages {
		if stage+1 < in.stages {
			copy(in.shared(w, stage), in.shared(w, stage+1))
		} else {
			clear(in.shared(w, stage))
		}
		for p := range in.processes {
			if stage+1 < in.stages {
				copy(in.stageOf(w, p, stage), in.stageOf(w, p, stage+1))
				copy(in.flags(w, p, stage), in.flags(w, p, stage+1))
			} else {
				clear(in.stageOf(w, p, stage))
				clear(in.flags(w, p, stage))
				copy(in.stageOf(w, p, stage), in.layout.startOfLocals)
			}
		}
	}
	for p := range in.processes {
		if !in.crashed(w, p) {
			in.at(w, p)[roundAt]--
		}
	}
}

// alwaysReads tells whether rules with always speak of a variable.
func (t *Text) alwaysReads(variable int) bool {
	var speaks func(e *Expr) bool
	speaks = func(e *Expr) bool {
		return e != nil && (e.Op == "variable" && e.index == variable || slices.ContainsFunc(e.Args, speaks))
	}
	found := false
	for _, r := range t.Rules {
		if !r.Always {
			continue
		}
		each(r.Body, func(s *Statement) {
			found = found || speaks(s.Value) || slices.ContainsFunc(s.Values, speaks)
			for _, b := range s.Branches {
				found = found || speaks(b.Guard)
			}
		})
	}
	return found
}
