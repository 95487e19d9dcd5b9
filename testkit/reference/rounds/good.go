package rounds

import "slices"

// GoodAtLast looks for a run that is fair and good at last, in which no state is ever reached where all come to the property's
// goal. It visits so many states at most, and tells whether these were all.
func (in *Instance) GoodAtLast(p Property, limit int) (strategy Strategy, complete bool) {
	goal := p.Formula.Args[0]
	complete = true
	for _, in.seat = range in.seatings() {
		d := &decisions{in: in}
		complete = d.visit(goal, limit) && complete
		if d.goesOn() {
			return Forever, complete
		}
		if goal.Op == "all" && slices.ContainsFunc(d.nodes, func(n node) bool { return d.stuck(n.world, goal.Args[0]) }) {
			return Stuck, complete
		}
	}
	return "", complete
}

// goodStage tells whether a stage may be one of those in which no process takes a rule that is marked timeout: from some round on
// those are all whose coordinator is correct and never crashes. Here no process crashes any more.
func (in *Instance) goodStage(w world, stage int) bool {
	if !in.Text.turns {
		return true
	}
	leader := in.coordinator(w, stage)
	return leader != liar && !in.omitting[leader] && !in.crashed(w, leader)
}

// late tells whether a move is one that does not happen for ever in runs that are good at last.
func (in *Instance) late(w world, m move) bool {
	if in.class != good || m.rule < 0 || in.mistake == alwaysLate {
		return false
	}
	return in.Text.Rules[m.rule].Timeout && in.goodStage(w, m.stage)
}

// mayWait tells whether a rule need not be taken in the first stage: one that is marked timeout, if from this stage on no process has
// taken such a rule where it is not to be. It looks at runs in which no process has crashed only: good rounds begin after the last crash.
func (in *Instance) mayWait(w world, rule int) bool {
	if in.class != good || !in.Text.Rules[rule].Timeout || in.crashes(w) > 0 {
		return false
	}
	for stage := range in.stages {
		if in.goodStage(w, stage) && in.shared(w, stage)[in.layout.late] > 0 {
			return false
		}
	}
	return in.goodStage(w, 0)
}
