package interference

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
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
func (l *layout) formsOf(steps []*protocol.Step, v values) []form {
	if l.m.Message == nil {
		return nil
	}
	c := &collector{l: l, cells: l.m.Message.Cells}
	c.block(steps, v, nil)
	return c.list
}

// collector collects the forms of messages that statements write.
type collector struct {
	l     *layout
	cells int // of a message
	list  []form
}

// written has the forms so far, by receiver.
type written map[string]*form

// inner is a branch, with the values that are known in it.
type inner struct {
	steps []*protocol.Step
	v     values
}

// start is the form of a receiver, which begins as it was before.
func (c *collector) start(w, before written, key string, to []int) *form {
	f := w[key]
	if f == nil {
		f = &form{to: to, has: make([]bool, c.cells), cells: make([]possible, c.cells),
			undefined: map[int][]assignment{}}
		if b := before[key]; b != nil {
			copy(f.has, b.has)
			for i, p := range b.cells {
				f.cells[i] = possible{p.any, slices.Clone(p.list)}
			}
		}
		w[key] = f
	}
	return f
}

// block lists the forms of statements, and of their branches with what was written before.
func (c *collector) block(steps []*protocol.Step, v values, before written) {
	here := written{}
	nested := c.collect(steps, v, here, before)
	for _, f := range here {
		c.list = append(c.list, *f)
	}
	for key, f := range before {
		if here[key] == nil {
			here[key] = f
		}
	}
	for _, b := range nested {
		c.block(b.steps, b.v, here)
	}
}

// collect notes what statements write, and returns their branches.
func (c *collector) collect(steps []*protocol.Step, v values, here, before written) (nested []inner) {
	for _, s := range steps {
		switch {
		case s.Kind == protocol.StepUndefine, s.Kind == protocol.StepAssign && s.Target.Base == protocol.BaseOuts:
			if toSend(s.Target) { // nothing is known of what is left
				for _, to := range c.l.processes(s.Target, v) {
					f := c.start(here, nil, "undefined "+fmt.Sprint(to), []int{to})
					for i := range f.cells {
						f.cells[i].any = true
					}
				}
			}
		case s.Kind == protocol.StepAssign:
			if toSend(s.Target) {
				c.assign(s, v, c.start(here, before, receiver(s.Target, v), c.l.processes(s.Target, v)))
			}
		case s.Kind == protocol.StepIf:
			for _, b := range s.Blocks {
				nested = append(nested, inner{b, v})
			}
			if len(s.Blocks) > len(s.Conds) {
				c.always(s.Blocks, v, here, before)
			}
		case s.Kind == protocol.StepFor && s.Range.Quorum >= 0:
			unknown := v.with(s.Var, 0)
			unknown.known[s.Var] = false
			nested = append(nested, inner{s.Blocks[0], unknown})
		case s.Kind == protocol.StepFor:
			for i := s.Range.Type.Lo; i <= s.Range.Type.Hi; i++ {
				nested = append(nested, c.collect(s.Blocks[0], v.with(s.Var, i), here, before)...)
			}
		}
	}
	return nested
}

// assign notes what an assignment writes.
func (c *collector) assign(s *protocol.Step, v values, f *form) {
	inside, exact := cells(s.Target, v)
	for _, i := range inside {
		f.has[i] = f.has[i] || exact
		f.undefined[i] = append(f.undefined[i], assignment{value: s.Value, v: v})
		if value, ok := v.constant(s.Value, nil); ok && len(inside) == 1 {
			f.cells[i].list = append(f.cells[i].list, value)
		} else {
			f.cells[i].any = true
		}
	}
}

// always notes what all branches write, where one is always taken.
func (c *collector) always(blocks [][]*protocol.Step, v values, here, before written) {
	var all written
	for i, b := range blocks {
		w := written{}
		c.collect(b, v, w, nil)
		for key, f := range all {
			for i := range f.has {
				f.has[i] = f.has[i] && w[key] != nil && w[key].has[i]
			}
		}
		if i == 0 {
			all = w
		}
	}
	for key, w := range all {
		if slices.Contains(w.has, true) {
			f := c.start(here, before, key, w.to)
			for i, has := range w.has {
				f.has[i] = f.has[i] || has
				f.cells[i].any = f.cells[i].any || has
			}
		}
	}
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
