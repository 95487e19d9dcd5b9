package story

import (
	"slices"

	"tacheck/internal/diag"
	"tacheck/protocol"
	"tacheck/protocol/ftdp"
	"tacheck/protocol/parametric"
)

// branches says what the conditions saw that decided what a rule does, beyond its guard: those of ifs inside, as far as
// what they look at has not been changed before in the same step. All that is said is so in the state before the step.
func (x *explainer) branches(rule int, frame []int32, s *protocol.State) []string {
	t := &x.Model.Rules[rule]
	full := make([]int32, t.Frame)
	copy(full, frame)
	now := &protocol.Evaluation{M: x.x.Model, State: s.Clone(), Frame: full, Packets: x.packets,
		Outs: map[[2]int]protocol.Message{}}
	for _, p := range x.packets {
		if p.Absent {
			now.State.Status[p.From] = protocol.Crashed
		}
	}
	b := &brancher{x: x, t: t, before: s, now: now, ifs: x.ifs(rule), late: map[int]bool{}}
	var none error // the rule is carried out again, of a run that was carried out
	func() {
		defer protocol.Catch(&none)
		b.walk(t.Body)
	}()
	return b.seen
}

// ifs finds the ifs of the text that the steps of a rule were made of.
func (x *explainer) ifs(rule int) func(*protocol.Step) *ftdp.If {
	if x.source != nil {
		return func(st *protocol.Step) *ftdp.If {
			return x.Model.Origins.Ifs[protocol.IfAt{Rule: x.Model.Rules[rule].Label, At: st.Pos}]
		}
	}
	at := map[diag.Pos]*ftdp.If{}
	if r := x.ruleOf(rule); r != nil {
		for st := range ftdp.All(r.Body) {
			if st.If != nil {
				at[ftdp.At(st.Pos)] = st.If
			}
		}
	}
	return func(st *protocol.Step) *ftdp.If { return at[st.Pos] }
}

// ruleOf is the text of a rule of a protocol of fixed size; nil if it has none.
func (x *explainer) ruleOf(rule int) *ftdp.Rule {
	for _, sec := range x.Model.Source.Sections {
		for _, r := range sec.Rules {
			if !r.Else && r.Label.Name == x.Model.Rules[rule].Label {
				return r
			}
		}
	}
	return nil
}

// brancher carries a rule out.
type brancher struct {
	x      *explainer
	t      *protocol.Transition
	before *protocol.State
	now    *protocol.Evaluation
	ifs    func(*protocol.Step) *ftdp.If // of the text
	loops  []*protocol.Step              // around the step that is carried out
	// places that were assigned: what conditions behind that see of them was not there before
	written []*protocol.Term
	late    map[int]bool // names of values, by cell of the frame, that were made of these
	seen    []string
}

func (b *brancher) walk(list []*protocol.Step) {
	for _, st := range list {
		switch st.Kind {
		case protocol.StepIf:
			b.choose(st)
			continue
		case protocol.StepFor:
			b.loops = append(b.loops, st)
			b.now.Each(st.Range, st.Var, func() bool {
				b.walk(st.Blocks[0])
				return true
			})
			b.loops = b.loops[:len(b.loops)-1]
			continue
		}
		if st.Kind == protocol.StepAssign && st.Target.Base == protocol.BaseLet {
			b.late[st.Target.Var] = b.touched(st.Value)
		}
		protocol.Collect([]*protocol.Step{st}, func(t *protocol.Term, write bool) {
			if write {
				b.written = append(b.written, t)
			}
		})
		b.now.Run([]*protocol.Step{st})
	}
}

// choose looks at the conditions of an if that decide: the one that is true, and those before it, which are false.
func (b *brancher) choose(st *protocol.Step) {
	to := slices.IndexFunc(st.Conds, b.now.Truth)
	decide := st.Conds
	if to >= 0 {
		decide = st.Conds[:to+1]
	} else if to = len(st.Conds); to == len(st.Blocks) {
		return // nothing is done
	}
	if of := b.ifs(st); of != nil {
		for i, cond := range decide {
			b.see(parametric.Guards(of)[i], cond, i == to)
		}
	}
	b.walk(st.Blocks[to])
}

// see notes what gives a condition its value.
func (b *brancher) see(e *ftdp.Expr, cond *protocol.Term, value bool) {
	if b.touched(cond) {
		return
	}
	p := part{b.x.named(e, b.t, b.now.Frame).Putting(b.bound()), cond, b.now.Frame}
	if list, holds := b.x.sees(p, b.before); holds == value {
		b.seen = append(b.seen, list...)
	}
}

// bound are the values of the variables of loops.
func (b *brancher) bound() map[string]*ftdp.Expr {
	with := map[string]*ftdp.Expr{}
	for _, st := range b.loops {
		with[st.Name] = &ftdp.Expr{Op: ftdp.Name, Name: st.Range.Type.Format(b.now.Frame[st.Var])}
	}
	return with
}

// touched reports whether a condition may see what was assigned before it.
func (b *brancher) touched(cond *protocol.Term) (is bool) {
	cond.Places(func(t *protocol.Term) {
		is = is || t.Base == protocol.BaseLet && b.late[t.Var] || t.Base != protocol.BaseLet &&
			slices.ContainsFunc(b.written, func(w *protocol.Term) bool { return protocol.Overlap(w, t) })
	})
	return is
}
