package encode

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
)

// Step is a way to take a step: a rule with values of its parameters, from which
// slots messages come, and what becomes of them.
type Step struct {
	Rule    int
	frame   []int32 // values of the parameters
	Me      int     // the process that moves
	senders []int
	slots   []int // by sender: the slot of its message; Anything for a Byzantine one
	absent  uint64
	// Guard is when the step is possible and nothing goes wrong in it, Fail when something does.
	Guard, Fail Lit
	after       map[int]value // by variable that changes: truth values, or numbers
	order       []int         // these variables, sorted
}

// anything stands for the slot of a message that a Byzantine process makes up.
const anything = -1

// Changes lists the variables that the step may change, sorted.
func (s *Step) Changes() []int { return s.order }

// canonicalFrame reports whether a frame is the first one of those that differ by
// permutations of processes inside roles: processes are named in their order.
func (x *Encoding) canonicalFrame(t *protocol.Transition, frame []int32) bool {
	known := make([]int32, len(x.Model.Roles)) // processes 1..known have been named
	cell := 0
	for _, p := range t.Params {
		switch p.Type.Kind {
		case protocol.KindRole:
			if frame[cell] > known[p.Type.Role]+1 {
				return false
			}
			known[p.Type.Role] = max(known[p.Type.Role], frame[cell])
		case protocol.KindQuorum:
			set := protocol.JoinQuorum(frame[cell], frame[cell+1])
			k := known[p.Type.Role]
			for rest := set >> k; rest != 0; rest >>= 1 {
				if rest&1 == 0 {
					return false
				}
				k++
			}
			known[p.Type.Role] = k
		}
		cell += p.Type.Cells
	}
	return true
}

// findSteps makes the steps.
func (x *Encoding) findSteps() {
	before := x.state()
	for k := range x.Model.Rules {
		t := &x.Model.Rules[k]
		x.Model.Frames(t, func(frame []int32) {
			canonical := x.Model.Asymmetry != nil || x.canonicalFrame(t, frame)
			first := len(x.Steps)
			x.rule(k, t, slices.Clone(frame), before)
			if canonical {
				x.Canonical = append(x.Canonical, x.Steps[first:]...)
			}
		})
	}
}

func (x *Encoding) may(s *config, t *protocol.Transition, process int) Lit {
	if t.Strategy {
		return x.is(s.status[process], int32(protocol.Byzantine))
	}
	return x.Or(x.is(s.status[process], int32(protocol.Correct)), x.is(s.status[process], int32(protocol.Crash)))
}

// anything is when a process sends any messages at any time.
func (x *Encoding) anything(s *config, process int) Lit {
	r, _ := x.Model.RoleOf(process)
	if x.Model.Roles[r].Strategy {
		return False
	}
	return x.is(s.status[process], int32(protocol.Byzantine))
}

// doubtful is when it may turn out that a sender had stopped.
func (x *Encoding) doubtful(s *config, process int) Lit {
	if x.Options.Implicit {
		return False
	}
	return x.Or(x.is(s.status[process], int32(protocol.Crash)), x.is(s.status[process], int32(protocol.Crashed)))
}

// rule makes the steps of a rule with values for its parameters.
func (x *Encoding) rule(k int, t *protocol.Transition, frame []int32, before *config) {
	me := interp.Process(x.Model, t, t.Executor, frame)
	senders := interp.Senders(x.Model, t, frame)
	may := x.may(before, t, me)
	var pick func(i int, slots []int, absent uint64, possible Lit)
	pick = func(i int, slots []int, absent uint64, possible Lit) {
		if possible == False {
			return
		}
		if i == len(senders) {
			x.fates(Step{Rule: k, frame: frame, Me: me, senders: senders, slots: slices.Clone(slots), absent: absent},
				t, before, possible)
			return
		}
		free := x.anything(before, senders[i])
		for at, slot := range x.channels[senders[i]*x.n+me] {
			if at == 0 || !x.Model.Channels.FIFO {
				pick(i+1, append(slots, at), absent, x.And(possible, free.Not(), x.lits[slot.present]))
			}
		}
		pick(i+1, append(slots, anything), absent, x.And(possible, free))
		if x.Model.Channels.Synchronous {
			pick(i+1, append(slots, anything), absent|1<<i, x.And(possible, free))
		}
	}
	pick(0, nil, 0, may)
}

// input returns the message that a Byzantine process makes up, and when the variables are one.
func (x *Encoding) input(i int) ([]cell, Lit) {
	for len(x.inputs) <= i {
		var cells []cell
		for k, t := range x.Model.MessageLeaves() {
			c, _ := x.cell(fmt.Sprintf("i%d_%d", len(x.inputs), k), t, false)
			cells = append(cells, c)
		}
		x.inputs = append(x.inputs, cells)
	}
	if t := x.Model.Message; t.Kinds != nil || t.HasSequence() {
		unsupported(&protocol.Term{Pos: diag.Pos{File: x.Model.File, Line: 1, Col: 1}, Width: 1},
			"induction cannot follow Byzantine processes that send messages of several kinds, or sequences: declare "+
				"one record of all fields, or rules marked byz")
	}
	valid := True
	for _, c := range x.inputs[i] {
		if c.vars != nil {
			valid = x.And(valid, x.exactlyOne(c.vars))
			continue
		}
		num := of(c.num)
		valid = x.And(valid, x.nonNegative(num.Sub(number(int64(c.lo)))), x.nonNegative(number(int64(c.hi)).Sub(num)))
	}
	return x.inputs[i], valid
}

func (s *config) clone() *config {
	out := &config{status: slices.Clone(s.status), channels: slices.Clone(s.channels)}
	for _, c := range s.cells {
		out.cells = append(out.cells, slices.Clone(c))
	}
	return out
}

// fates makes the steps of a rule that receives certain messages.
func (x *Encoding) fates(step Step, t *protocol.Transition, before *config, possible Lit) {
	var packets []packet
	for i, from := range step.senders {
		p := packet{from: from, absent: step.absent>>i&1 != 0}
		if at := step.slots[i]; at != anything {
			p.cells = before.channels[from*x.n+step.Me][at].cells
		} else {
			cells, valid := x.input(i)
			p.cells = lists.Map(cells, x.load)
			possible = x.And(possible, valid)
		}
		packets = append(packets, p)
	}
	frame := make([]int32, t.Frame)
	copy(frame, step.frame)
	step.frame = step.frame[:len(step.frame):len(step.frame)]
	e := &execution{Encoding: x, s: before.clone(), frame: frame, packets: packets}
	local := True
	if t.Guard != nil {
		local = e.truth(t.Guard, possible)
	}
	wrong := e.fail // possible is in it
	possible = x.And(possible, local, wrong.Not())
	for i, from := range step.senders {
		if step.slots[i] != anything {
			x.dropped(step, before, i, from, possible)
		}
	}
	absences := 1
	if x.Model.Channels.Synchronous {
		absences = 1 << len(step.senders)
	}
	for absent := range absences {
		e := &execution{Encoding: x, s: before.clone(), frame: slices.Clone(frame), packets: slices.Clone(packets),
			outs: map[[2]int][]value{}}
		if absent > 0 {
			wrong = False
		}
		x.processed(step, t, before, e, uint64(absent), possible, wrong)
	}
}

// emit adds a step, with what it changes.
func (x *Encoding) emit(s Step, before, after *config) {
	s.after = map[int]value{}
	x.difference(&s, before, after)
	x.Steps = append(x.Steps, &s)
}

// dropped makes the steps that take a message and do nothing: it is lost, or its sender has crashed.
func (x *Encoding) dropped(s Step, before *config, i, from int, possible Lit) {
	if s.Guard = possible; x.Model.Channels.Lossy && s.Guard != False {
		after := before.clone()
		x.take(after, from, s.Me, s.slots[i])
		x.emit(s, before, after)
	}
	if s.Guard = x.And(possible, x.doubtful(before, from)); !x.Model.Channels.Synchronous && s.Guard != False {
		after := before.clone()
		after.status[from] = constantValue(int32(protocol.Crashed))
		x.take(after, from, s.Me, s.slots[i])
		x.emit(s, before, after)
	}
}

// processed makes the step that carries a rule out while some of the senders turn out to have crashed; wrong is when it
// fails before that.
func (x *Encoding) processed(s Step, t *protocol.Transition, before *config, e *execution, absent uint64,
	possible, wrong Lit) {
	when := possible
	for i, from := range s.senders {
		if absent>>i&1 != 0 {
			when = x.And(when, x.doubtful(before, from))
			e.packets[i].absent = true
			e.s.status[from] = constantValue(int32(protocol.Crashed))
		}
	}
	if when == False && wrong == False {
		return
	}
	s.absent |= absent
	e.run(t.Body, when)
	blocked := x.send(e, before, s.Me)
	s.Guard = x.And(when, e.fail.Not(), blocked.Not())
	s.Fail = x.Or(x.And(when, e.fail), wrong)
	for i, from := range s.senders {
		if s.slots[i] != anything {
			x.take(e.s, from, s.Me, s.slots[i])
		}
	}
	if s.Guard != False || s.Fail != False {
		x.emit(s, before, e.s)
	}
}

// take removes a message from a channel.
func (x *Encoding) take(s *config, from, to, at int) {
	ch := from*x.n + to
	list := slices.Clone(s.channels[ch])
	copy(list[at:], list[at+1:])
	list[len(list)-1] = content{False, blank(x.Model.Message.Cells)}
	s.channels[ch] = list
}

// send puts messages into channels; it returns when the sender has to wait for room in one of them.
func (x *Encoding) send(e *execution, before *config, me int) (blocked Lit) {
	for r := range x.Model.Roles {
		for i := range x.Model.Roles[r].Size {
			out := e.outs[[2]int{r, i}]
			if out == nil {
				continue
			}
			to := x.Model.Roles[r].First + i
			empty := True
			for _, v := range out {
				empty = x.And(empty, v.undefined(x.Circuit))
			}
			sent := x.And(empty.Not(), x.is(e.s.status[to], int32(protocol.Crashed)).Not(), x.anything(e.s, to).Not())
			ch := me*x.n + to
			list := slices.Clone(e.s.channels[ch])
			room := before.channels[ch]
			if !x.Model.Channels.Lossy {
				blocked = x.Or(blocked, x.And(sent, room[len(room)-1].present))
			}
			for k := range list {
				here := x.And(sent, room[k].present.Not())
				if k > 0 {
					here = x.And(here, room[k-1].present)
				}
				cells := make([]value, len(out))
				for c := range out {
					cells[c] = x.choose(here, out[c], list[k].cells[c])
				}
				list[k] = content{x.Or(list[k].present, here), cells}
			}
			e.s.channels[ch] = list
		}
	}
	return blocked
}

// difference notes which variables a step changes.
func (x *Encoding) difference(s *Step, before, after *config) {
	change := func(c cell, old, now value) {
		if c.vars == nil {
			if c.undef >= 0 {
				x.changed(s, c.undef, now.undefined(x.Circuit))
			}
			if len(now) != len(old) || !slices.EqualFunc(now, old,
				func(a, b alternative) bool { return a.when == b.when && a.same(b) }) {
				// Without a number the variable has some value of its type.
				var v value
				for _, a := range now {
					if a.undef {
						a.undef, a.lin = false, number(int64(c.lo))
					}
					v = x.add(v, a)
				}
				s.after[c.num] = v
				s.order = append(s.order, c.num)
			}
			return
		}
		for i, v := range c.vars {
			switch {
			case v < 0:
			case v == c.undef:
				x.changed(s, v, now.undefined(x.Circuit))
			default:
				x.changed(s, v, x.is(now, c.lo+int32(i)))
			}
		}
	}
	for p := range x.n {
		for i, c := range x.cells[p] {
			change(c, before.cells[p][i], after.cells[p][i])
		}
		change(x.status[p], before.status[p], after.status[p])
	}
	for ch, slots := range x.channels {
		for k, slot := range slots {
			x.changed(s, slot.present, after.channels[ch][k].present)
			for i, c := range slot.cells {
				change(c, before.channels[ch][k].cells[i], after.channels[ch][k].cells[i])
			}
		}
	}
	slices.Sort(s.order)
}

func (x *Encoding) changed(s *Step, v int, now Lit) {
	if now == x.lits[v] {
		return
	}
	s.after[v] = value{{when: now, lin: number(1)}}
	s.order = append(s.order, v)
}

// After returns a condition on the state after a step as one on the state before it.
func (x *Encoding) After(s *Step) func(Lit) Lit {
	memo := map[int]Lit{}
	var after func(Lit) Lit
	after = func(l Lit) Lit {
		n := l.node()
		r, known := memo[n]
		if !known {
			r = x.afterNode(s, n, after)
			memo[n] = r
		}
		return r ^ l&1
	}
	return after
}

func (x *Encoding) afterNode(s *Step, n int, after func(Lit) Lit) Lit {
	node := x.nodes[n]
	switch node.kind {
	case variable:
		if now, ok := s.after[node.v]; ok {
			return now[0].when
		}
	case all:
		args := make([]Lit, len(node.args))
		same := true
		for i, a := range node.args {
			args[i] = after(a)
			same = same && args[i] == a
		}
		if !same {
			return x.And(args...)
		}
	case atLeast:
		sum := value{{when: True, lin: amount{}.AddScaled(node.lin.Const(), number(1))}}
		for _, t := range node.lin.Terms() {
			now, ok := s.after[int(t.Var)]
			if !ok {
				now = value{{when: True, lin: of(int(t.Var))}}
			}
			var next value
			for _, a := range sum {
				for _, b := range now {
					next = x.add(next, alternative{when: x.And(a.when, b.when), lin: a.lin.AddScaled(t.Coef, b.lin)})
				}
			}
			sum = next
		}
		out := False
		for _, a := range sum {
			out = x.Or(out, x.And(a.when, x.nonNegative(a.lin)))
		}
		return out
	}
	return Lit(n) << 1
}

// Holds encodes a condition of states that the model's text has: when it is true, and when evaluating it fails. The
// frame is for the variables bound outside.
func (x *Encoding) Holds(t *protocol.Term, frame []int32) (holds, fail Lit, err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	e := &execution{Encoding: x, s: x.state(), frame: slices.Clone(frame)}
	holds = e.truth(t, True)
	return x.And(holds, e.fail.Not()), e.fail, nil
}

// Becomes says that a variable, after a step, is what the step makes of it.
func (x *Encoding) Becomes(s *Step, v int, before, after *Instance) *smt.Formula {
	if !x.Vars[v].Int {
		return smt.Iff(smt.Lit(after.Var(v)), before.Formula(s.after[v][0].when))
	}
	var list []*smt.Formula
	for _, a := range s.after[v] {
		list = append(list, smt.Implies(before.Formula(a.when), smt.EQ(smt.V(after.Var(v)), before.sum(a.lin))))
	}
	return smt.And(list...)
}
