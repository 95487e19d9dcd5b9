package interference

import (
	"fmt"
	"slices"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// form is what a message consists of that a block of statements writes some of: with what blocks
// around it have written.
type form struct {
	to        []int  // processes that it may go to
	has       []bool // by cell: it is written wherever something else in the block is
	cells     []possible
	undefined map[int][]assignment // by cell: values that may be undefined
}

// may reports whether a message of a form can be what a pattern asks for. What the block
// does not write, another one may.
func (f *form) may(pattern []int32) bool {
	for c, want := range pattern {
		if p := f.cells[c]; want != anyValue && f.has[c] && !p.any && !slices.Contains(p.list, want) {
			return false
		}
	}
	return true
}

// formsOf lists the forms of the messages that statements send.
func (l *layout) formsOf(steps []*protocol.Step, v values) (list []form) {
	if l.m.Message == nil {
		return nil
	}
	n := l.m.Message.Cells
	type written map[string]*form
	start := func(w, before written, key string, to []int) *form {
		f := w[key]
		if f == nil {
			f = &form{to: to, has: make([]bool, n), cells: make([]possible, n), undefined: map[int][]assignment{}}
			if b := before[key]; b != nil {
				copy(f.has, b.has)
				for c, p := range b.cells {
					f.cells[c] = possible{p.any, slices.Clone(p.list)}
				}
			}
			w[key] = f
		}
		return f
	}
	type inner struct {
		steps []*protocol.Step
		v     values
	}
	// collect notes what statements write, those in branches aside; always what they write in all cases.
	var collect func(steps []*protocol.Step, v values, here, before written) []inner
	var always func(steps []*protocol.Step, v values) written
	collect = func(steps []*protocol.Step, v values, here, before written) (nested []inner) {
		for _, s := range steps {
			kind := s.Kind
			if kind == protocol.StepAssign && s.Target.Base == protocol.BaseOuts {
				kind = protocol.StepUndefine
			}
			switch kind {
			case protocol.StepUndefine:
				if toSend(s.Target) { // nothing is known of what is left
					for _, to := range l.processes(s.Target, v) {
						f := start(here, nil, "undefined "+fmt.Sprint(to), []int{to})
						for c := range n {
							f.cells[c].any = true
						}
					}
				}
			case protocol.StepAssign:
				if !toSend(s.Target) {
					continue
				}
				f := start(here, before, receiver(s.Target, v), l.processes(s.Target, v))
				inside, exact := cells(s.Target, v)
				for _, c := range inside {
					f.has[c] = f.has[c] || exact
					f.undefined[c] = append(f.undefined[c], assignment{value: s.Value, v: v})
					if value, ok := v.constant(s.Value, nil); ok && len(inside) == 1 {
						f.cells[c].list = append(f.cells[c].list, value)
					} else {
						f.cells[c].any = true
					}
				}
			case protocol.StepIf:
				for _, b := range s.Blocks {
					nested = append(nested, inner{b, v})
				}
				if len(s.Blocks) == len(s.Conds) {
					continue
				}
				var all written
				for i, b := range s.Blocks {
					w := always(b, v)
					for key, f := range all {
						for c := range f.has {
							f.has[c] = f.has[c] && w[key] != nil && w[key].has[c]
						}
					}
					if i == 0 {
						all = w
					}
				}
				for key, w := range all {
					if slices.Contains(w.has, true) {
						f := start(here, before, key, w.to)
						for c, has := range w.has {
							f.has[c] = f.has[c] || has
							f.cells[c].any = f.cells[c].any || has
						}
					}
				}
			case protocol.StepFor:
				if s.Range.Quorum >= 0 {
					unknown := v.with(s.Var, 0)
					unknown.known[s.Var] = false
					nested = append(nested, inner{s.Blocks[0], unknown})
					continue
				}
				for i := s.Range.Type.Lo; i <= s.Range.Type.Hi; i++ {
					nested = append(nested, collect(s.Blocks[0], v.with(s.Var, i), here, before)...)
				}
			}
		}
		return nested
	}
	always = func(steps []*protocol.Step, v values) written {
		w := written{}
		collect(steps, v, w, nil)
		return w
	}
	var block func(steps []*protocol.Step, v values, before written)
	block = func(steps []*protocol.Step, v values, before written) {
		here := written{}
		nested := collect(steps, v, here, before)
		for _, f := range here {
			list = append(list, *f)
		}
		for key, f := range before {
			if here[key] == nil {
				here[key] = f
			}
		}
		for _, b := range nested {
			block(b.steps, b.v, here)
		}
	}
	block(steps, v, nil)
	return list
}

// receiver names the process that a message goes to: alike where it is the same.
func receiver(p *protocol.Term, v values) string {
	if p.Base == protocol.BaseOut {
		if n, ok := v.constant(p.Who, nil); ok {
			return fmt.Sprint(p.Role, " ", n)
		}
		if p.Who.Op == ftdp.Name {
			return fmt.Sprint(p.Role, " variable ", p.Who.Var)
		}
	}
	return fmt.Sprintf("%p", p)
}
