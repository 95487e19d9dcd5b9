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
	b := &brancher{x: x, t: t, frame: full, state: s, ifs: ifsOf(text, nil)}
	b.walk(t.Body)
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
	visitAll(list, func(st *Statement) {
		if st.If != nil {
			out = append(out, st.If)
		}
	})
	return out
}

// brancher walks through a rule as it is carried out in a state.
type brancher struct {
	x       *explainer
	t       *Transition
	frame   []int32
	state   *State
	ifs     []*If   // of the text that were not met yet
	written []*Term // places that were assigned: conditions behind that may see them
	lost    bool    // a condition was met whose value is not known, nor what comes then
	seen    []string
}

func (b *brancher) walk(list []*Step) {
	for _, st := range list {
		if st.Kind == StepIf {
			b.choose(st)
		} else {
			collect([]*Step{st}, func(t *Term, write bool) {
				if write {
					b.written = append(b.written, t)
				}
			})
		}
		if b.lost {
			return
		}
	}
}

// choose looks at the condition of an if that is true.
func (b *brancher) choose(st *Step) {
	of := slices.IndexFunc(b.ifs, func(f *If) bool {
		guards := f.guards()
		return len(guards) == len(st.Conds) && !slices.ContainsFunc(guards, func(e *Expr) bool { return !b.x.alike(e, st.Conds[slices.Index(guards, e)]) })
	})
	for i, cond := range st.Conds {
		p := part{t: cond, frame: b.frame}
		if of >= 0 {
			p.e = b.x.named(b.ifs[of].guards()[i], b.t, b.frame)
		}
		truth, known := b.truth(p)
		if !known {
			b.lost = true
			return
		}
		if !truth {
			continue
		}
		if of >= 0 {
			b.ifs = b.ifs[of+1:]
			if text, holds := b.x.sees(p, b.state); holds && text != "" {
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
		is = is || slices.ContainsFunc(b.written, func(w *Term) bool { return overlap(w, t) && w.before(t) && t.before(w) })
	})
	return is || slices.ContainsFunc(b.written, func(w *Term) bool { return w.Base == BaseLet })
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

// truth evaluates a condition in the state before the rule; false if it has no value, or may have another by now.
func (b *brancher) truth(p part) (truth, known bool) {
	if b.touched(p.t) {
		return false, false
	}
	var none error
	defer catch(&none)
	if !b.x.defined(p, b.state) {
		return false, false
	}
	return b.x.is(p, b.state), true
}
