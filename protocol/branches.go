package protocol

import (
	"slices"
	"strings"
)

// branches says what the conditions saw that decided what a rule does, beyond its guard: those of ifs inside, as far as what they look at
// has not been changed before in the same step.
func (x *explainer) branches(rule int, frame []int32, s *State) string {
	t := &x.Model.Rules[rule]
	text := x.textOf(rule)
	if text == nil {
		return ""
	}
	full := make([]int32, t.Frame)
	copy(full, frame)
	now := &evaluation{x: x.x, state: s.clone(), frame: full, packets: x.packets, outs: map[[2]int]Message{}}
	b := &brancher{x: x, t: t, now: now, ifs: ifsOf(text, nil)}
	var none error // the rule is carried out again, of a run that was carried out
	func() {
		defer catch(&none)
		b.walk(t.Body)
	}()
	return strings.Join(distinct(b.seen), ", ")
}

// textOf is what the text says that a rule does; nil if that is not known.
func (x *explainer) textOf(rule int) []*Statement {
	if x.source != nil {
		for _, r := range x.source.Rules {
			if r.Label.Name == x.Model.Origin(rule).Name {
				return r.Body
			}
		}
		return nil
	}
	for _, sec := range x.Model.Source.Sections {
		for _, r := range sec.Rules {
			if !r.Else && r.Label.Name == x.Model.Rules[rule].Label {
				return r.Body
			}
		}
	}
	return nil
}

// ifsOf lists all ifs of a text, outer ones first.
func ifsOf(list []*Statement, out []*If) []*If {
	for st := range all(list) {
		if st.If != nil {
			out = append(out, st.If)
		}
	}
	return out
}

// brancher carries a rule out.
type brancher struct {
	x       *explainer
	t       *Transition
	now     *evaluation
	ifs     []*If   // of the text that were not met yet
	written []*Term // places that were assigned: what conditions behind that see of them was not there before
	seen    []string
}

func (b *brancher) walk(list []*Step) {
	for _, st := range list {
		switch st.Kind {
		case StepIf:
			b.choose(st)
			continue
		case StepFor:
			ifs := b.ifs
			b.now.each(st.Range, st.Var, func() bool {
				b.ifs = ifs // the same ones for each value
				b.walk(st.Blocks[0])
				return true
			})
			continue
		}
		collect([]*Step{st}, func(t *Term, write bool) {
			if write {
				b.written = append(b.written, t)
			}
		})
		b.now.run([]*Step{st})
	}
}

// choose looks at the condition of an if that is true.
func (b *brancher) choose(st *Step) {
	of := slices.IndexFunc(b.ifs, func(f *If) bool {
		guards := f.guards()
		return len(guards) == len(st.Conds) && !slices.ContainsFunc(guards, func(e *Expr) bool { return !b.x.alike(e, st.Conds[slices.Index(guards, e)]) })
	})
	for i, cond := range st.Conds {
		if !b.now.truth(cond) {
			continue
		}
		if of >= 0 {
			p := part{b.x.named(b.ifs[of].guards()[i], b.t, b.now.frame), cond, b.now.frame}
			b.ifs = b.ifs[of+1:]
			if text, holds := b.x.sees(p, b.now.state); holds && text != "" && !b.touched(cond) {
				b.seen = append(b.seen, text)
			}
		}
		b.walk(st.Blocks[i])
		return
	}
	if len(st.Blocks) > len(st.Conds) {
		b.walk(st.Blocks[len(st.Conds)])
	}
}

// touched reports whether a condition may see what was assigned before it.
func (b *brancher) touched(cond *Term) (is bool) {
	cond.Places(func(t *Term) {
		is = is || t.Base != BaseLet && slices.ContainsFunc(b.written, func(w *Term) bool { return overlap(w, t) })
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
