package protocol

import (
	"slices"

	"tacheck/internal/diag"
)

// branches says what the conditions saw that decided what a rule does, beyond its guard: those of ifs inside, as far as what they look at
// has not been changed before in the same step. All that is said is so in the state before the step.
func (x *explainer) branches(rule int, frame []int32, s *State) []string {
	t := &x.Model.Rules[rule]
	full := make([]int32, t.Frame)
	copy(full, frame)
	now := &evaluation{m: x.x.Model, state: s.clone(), frame: full, packets: x.packets, outs: map[[2]int]Message{}}
	for _, p := range x.packets {
		if p.Absent {
			now.state.Status[p.From] = Crashed
		}
	}
	b := &brancher{x: x, t: t, before: s, now: now, ifs: x.ifs(rule), late: map[int]bool{}}
	var none error // the rule is carried out again, of a run that was carried out
	func() {
		defer catch(&none)
		b.walk(t.Body)
	}()
	return b.seen
}

// ifs finds the ifs of the text that the steps of a rule were made of.
func (x *explainer) ifs(rule int) func(*Step) *If {
	if x.source != nil {
		return func(st *Step) *If { return x.Model.origins.ifs[ifAt{rule: x.Model.Rules[rule].Label, at: st.Pos}] }
	}
	at := map[diag.Pos]*If{}
	if r := x.ruleOf(rule); r != nil {
		for st := range all(r.Body) {
			if st.If != nil {
				at[place(st.Pos)] = st.If
			}
		}
	}
	return func(st *Step) *If { return at[st.Pos] }
}

// ruleOf is the text of a rule of a protocol of fixed size; nil if it has none.
func (x *explainer) ruleOf(rule int) *Rule {
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
	x       *explainer
	t       *Transition
	before  *State
	now     *evaluation
	ifs     func(*Step) *If // of the text
	loops   []*Step         // around the step that is carried out
	written []*Term         // places that were assigned: what conditions behind that see of them was not there before
	late    map[int]bool    // names of values, by cell of the frame, that were made of these
	seen    []string
}

func (b *brancher) walk(list []*Step) {
	for _, st := range list {
		switch st.Kind {
		case StepIf:
			b.choose(st)
			continue
		case StepFor:
			b.loops = append(b.loops, st)
			b.now.each(st.Range, st.Var, func() bool {
				b.walk(st.Blocks[0])
				return true
			})
			b.loops = b.loops[:len(b.loops)-1]
			continue
		}
		if st.Kind == StepAssign && st.Target.Base == BaseLet {
			b.late[st.Target.Var] = b.touched(st.Value)
		}
		collect([]*Step{st}, func(t *Term, write bool) {
			if write {
				b.written = append(b.written, t)
			}
		})
		b.now.run([]*Step{st})
	}
}

// choose looks at the conditions of an if that decide: the one that is true, and those before it, which are false.
func (b *brancher) choose(st *Step) {
	to := slices.IndexFunc(st.Conds, b.now.truth)
	decide := st.Conds
	if to >= 0 {
		decide = st.Conds[:to+1]
	} else if to = len(st.Conds); to == len(st.Blocks) {
		return // nothing is done
	}
	if of := b.ifs(st); of != nil {
		for i, cond := range decide {
			b.see(of.guards()[i], cond, i == to)
		}
	}
	b.walk(st.Blocks[to])
}

// see notes what gives a condition its value.
func (b *brancher) see(e *Expr, cond *Term, value bool) {
	if b.touched(cond) {
		return
	}
	p := part{b.x.named(e, b.t, b.now.frame).putting(b.bound()), cond, b.now.frame}
	if list, holds := b.x.sees(p, b.before); holds == value {
		b.seen = append(b.seen, list...)
	}
}

// bound are the values of the variables of loops.
func (b *brancher) bound() map[string]*Expr {
	with := map[string]*Expr{}
	for _, st := range b.loops {
		with[st.Name] = &Expr{Op: Name, Name: st.Range.Type.Format(b.now.frame[st.Var])}
	}
	return with
}

// touched reports whether a condition may see what was assigned before it.
func (b *brancher) touched(cond *Term) (is bool) {
	cond.Places(func(t *Term) {
		is = is || t.Base == BaseLet && b.late[t.Var] || t.Base != BaseLet && slices.ContainsFunc(b.written, func(w *Term) bool { return overlap(w, t) })
	})
	return is
}

// before reports whether the first cell of a place, with whatever indices, is not behind the last one of another. Places of whole
// roles have no such order.
func (t *Term) before(u *Term) bool {
	if t.Base == BaseWhole || u.Base == BaseWhole {
		return true
	}
	end := u.Offset + u.Type.Cells
	for _, x := range u.Indices {
		end += (x.Array.Index.Size() - 1) * x.Stride
	}
	return t.Offset < end
}
