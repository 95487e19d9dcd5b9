package rounds

import "slices"

// Deliberate mistakes, for tests.
const (
	roundsMixed     = "messages of all rounds count"
	keptForgotten   = "what is kept is forgotten"
	staysForgotten  = "who stays behind does not count"
	alwaysForgotten = "rules with always are taken in the own round only"
	coinsOwn        = "the common coin says something else to everybody"
	crashesAnew     = "crashes are counted anew in each round"
	alwaysFirst     = "the first process coordinates all rounds"
	anybodyLeads    = "what others than the coordinator send counts"
	notAwaited      = "who has not sent need not be waited for"
	alwaysLate      = "good rounds are like others"
	endedBySome     = "what is true after some rounds is so when somebody has ended them"
)

// Mistakes are all of them.
var Mistakes = []string{roundsMixed, keptForgotten, staysForgotten, alwaysForgotten, coinsOwn, crashesAnew,
	alwaysFirst, anybodyLeads, notAwaited, endedBySome, alwaysLate, goOnAsFirst, guardsOnly, coinsMerged}

// A move is something that happens in a world: one of its results, each with some probability. Where a process takes a rule in
// a stage these are named; otherwise rule is -1.
type move struct {
	process, rule, stage int
	to                   []world
	begins               bool // whether all have left the first stage, which is forgotten
}

// Rules of moves that take none.
const (
	noRule    = -1
	nobody    = -1
	lastStage = -1
)

// moves are all that can happen next.
func (in *Instance) moves(w world) []move {
	var moves []move
	for p := range in.processes {
		if in.crashed(w, p) {
			continue
		}
		for r := range in.Text.Rules {
			for stage := range min(in.stages, in.round(w, p)+1) {
				if in.mayTake(w, p, r, stage) {
					moves = append(moves, in.take(w, p, r, stage)...)
				}
			}
		}
		if in.mayCrash(w) {
			to := slices.Clone(w)
			in.at(to, p)[crashedAt] = 1
			moves = append(moves, in.move(p, noRule, lastStage, to))
		}
	}
	return slices.Concat(moves, in.lies(w), in.known(w))
}

// mayTake tells whether a process may take a rule in a stage, if the guard is true.
func (in *Instance) mayTake(w world, process, rule, stage int) bool {
	if in.over(w, stage) {
		return false
	}
	if in.Text.Rules[rule].Always && in.mistake != alwaysForgotten {
		return true
	}
	return in.round(w, process) == stage && in.at(w, process)[pendingAt] == 0
}

// mayCrash tells whether one more process may crash.
func (in *Instance) mayCrash(w world) bool {
	if in.Text.Faults != "crash" && in.Text.Faults != "clean" {
		return false
	}
	if in.mistake == crashesAnew {
		return in.crashes(w) < in.faults*(1+in.furthest(w))
	}
	return in.crashes(w) < in.faults
}

// furthest is the last stage in which some process is.
func (in *Instance) furthest(w world) int {
	last := 0
	for p := range in.processes {
		if !in.crashed(w, p) {
			last = max(last, in.round(w, p))
		}
	}
	return last
}

// lies are messages that faulty processes send to all alike, in rounds in which some process is.
func (in *Instance) lies(w world) []move {
	var moves []move
	if in.Text.Faults != "symmetric" {
		return nil
	}
	for stage := range min(in.stages, in.furthest(w)+1) {
		for j := range in.layout.sources * len(in.Text.Kinds) {
			i, source := j/in.layout.sources, j%in.layout.sources
			if in.over(w, stage) || int(in.shared(w, stage)[2*in.layout.slots+j]) == in.liarsOf(w, stage, source) {
				continue
			}
			for number := range in.Text.Kinds[i].values() {
				to := slices.Clone(w)
				in.shared(to, stage)[2*in.layout.slots+j]++
				in.shared(to, stage)[in.layout.first[i]+source*in.Text.Kinds[i].values()+number]++
				moves = append(moves, in.move(nobody, noRule, lastStage, to))
			}
		}
	}
	return moves
}

// take is a rule that a process takes in a stage, after it has received more of what the rule asks for: all that it can do then.
func (in *Instance) take(w world, process, rule, stage int) []move {
	var moves []move
	r := &in.Text.Rules[rule]
	for _, heard := range in.receiving(w, process, rule, stage) {
		s := in.scope(heard, process, stage)
		if !s.holds(r.Guard) {
			continue
		}
		effects := []effect{in.Text.execute(r, s, 0)}
		for outcome := 1; outcome < effects[0].outcomes; outcome++ {
			effects = append(effects, in.Text.execute(r, s, outcome))
		}
		moves = append(moves, in.draw(heard, process, rule, stage, effects, false)...)
		if len(effects[0].sends) > 0 && in.Text.Faults == "crash" && in.mayCrash(w) {
			moves = append(moves, in.draw(heard, process, rule, stage, effects, true)...)
		}
	}
	return moves
}

// possible tells whether the guard of a rule is true with what a process has heard.
func (in *Instance) possible(w world, process, rule, stage int) bool {
	return in.scope(w, process, stage).holds(in.Text.Rules[rule].Guard)
}

// scope is that of rules.
func (in *Instance) scope(w world, process, stage int) scope {
	s := scope{parameters: in.Parameters, kinds: in.Text.Kinds, variables: in.variables(w, process, stage)}
	s.leads = in.coordinator(w, stage) == process
	s.heard = func(kind, number int, led bool) int {
		count := 0
		for source := range in.layout.sources {
			if led && source == 0 && in.mistake != anybodyLeads {
				continue
			}
			slot := in.layout.first[kind] + source*in.Text.Kinds[kind].values() + number
			for other := range in.stages {
				if other == stage || in.mistake == roundsMixed && other < stage {
					count += int(in.sure(w, process, other)[slot]) + int(in.unsure(w, process, other)[slot])
				}
			}
		}
		return count
	}
	s.arrived = func(kind int, led bool) bool { return in.arrived(w, process, stage, kind, led) }
	return s
}

// receiving are the worlds in which a process has received more of the kinds that a rule asks for, or nothing.
func (in *Instance) receiving(w world, process, rule, stage int) []world {
	worlds := []world{w}
	sent := in.shared(w, stage)
	for i, k := range in.Text.Kinds {
		if !in.Text.Rules[rule].reads[i] {
			continue
		}
		for slot := in.layout.first[i]; slot < in.layout.first[i]+k.values()*in.layout.sources; slot++ {
			var next []world
			for _, w := range worlds {
				for sure := in.sure(w, process, stage)[slot]; sure <= sent[slot]; sure++ {
					for unsure := in.unsure(w, process, stage)[slot]; int(unsure) <= in.mostUnsure(w, process, stage, i, slot); unsure++ {
						to := slices.Clone(w)
						in.sure(to, process, stage)[slot], in.unsure(to, process, stage)[slot] = sure, unsure
						next = append(next, to)
					}
				}
			}
			worlds = next
		}
	}
	return worlds
}

// mostUnsure is how many messages of a slot may have arrived that are not sure to.
func (in *Instance) mostUnsure(w world, process, stage, kind, slot int) int {
	switch in.Text.Faults {
	case "byzantine":
		others, values := 0, in.Text.Kinds[kind].values()
		source := (slot - in.layout.first[kind]) / values
		first := in.layout.first[kind] + source*values
		for other := first; other < first+values; other++ {
			if other != slot {
				others += int(in.unsure(w, process, stage)[other])
			}
		}
		return in.liarsOf(w, stage, source) - others
	case "crash", "omission":
		return int(in.shared(w, stage)[in.layout.slots+slot])
	}
	return 0
}

// apply is the world after an effect.
func (in *Instance) apply(w world, process, stage int, e effect, partly bool) world {
	to := slices.Clone(w)
	in.setVariables(to, process, stage, e.variables)
	for _, m := range e.sends {
		slot := in.slot(w, process, stage, m[0], m[1])
		if partly || in.omitting[process] {
			slot += in.layout.slots
		}
		in.shared(to, stage)[slot]++
		if in.layout.flags > 0 {
			in.flags(to, process, stage)[m[0]] = 1
		}
	}
	if e.next {
		in.at(to, process)[roundAt]++
		if in.mistake == keptForgotten {
			for i, v := range in.Text.Variables {
				if v.Kept {
					in.at(to, process)[keptAt+in.layout.place[i]] = byte(v.Start - v.Low)
				}
			}
		}
	}
	return to
}

// move finishes what leads to one world, or several with some probability each.
func (in *Instance) move(process, rule, stage int, to ...world) move {
	m := move{process: process, rule: rule, stage: stage}
	for _, w := range to {
		if in.class == "" {
			m.to = append(m.to, w)
			continue
		}
		worlds, begins := in.forget(w)
		m.to = append(m.to, worlds...)
		m.begins = m.begins || begins
	}
	if in.mistake != roundsMixed {
		for _, w := range m.to {
			in.tidy(w)
		}
	}
	return m
}
