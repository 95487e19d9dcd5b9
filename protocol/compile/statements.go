package compile

import (
	"github.com/tacheck/tacheck/protocol"
)

func (c Compiler) block(steps []*protocol.Step) action {
	list := make([]action, len(steps))
	for i, s := range steps {
		list[i] = c.step(s)
	}
	if len(list) == 1 {
		return list[0]
	}
	return func(e *Env) {
		for _, f := range list {
			f(e)
		}
	}
}

func (c Compiler) step(s *protocol.Step) action {
	switch s.Kind {
	case protocol.StepAssign:
		return c.assign(s)
	case protocol.StepUndefine:
		return c.undefine(s.Target)
	case protocol.StepSend:
		return c.send(s)
	case protocol.StepIf:
		var conds []func(*Env) bool
		var blocks []action
		for i, b := range s.Blocks {
			if i < len(s.Conds) {
				if v, known := c.constant(s.Conds[i]); known && v == 0 {
					continue
				}
				conds = append(conds, c.Test(s.Conds[i]))
			}
			blocks = append(blocks, c.block(b))
		}
		return func(e *Env) {
			for i, holds := range conds {
				if holds(e) {
					blocks[i](e)
					return
				}
			}
			if len(blocks) > len(conds) {
				blocks[len(conds)](e)
			}
		}
	}
	body := written(c, s.Range, s.Var, size(s.Blocks[0]), func(c Compiler) action { return c.block(s.Blocks[0]) })
	return func(e *Env) {
		body.each(e, func(f action) bool {
			f(e)
			return true
		})
	}
}

// size counts the terms of statements.
func size(steps []*protocol.Step) (n int) {
	for _, s := range steps {
		n += terms(s.Conds...) + 1
		for _, t := range []*protocol.Term{s.Target, s.Value} {
			if t != nil {
				n += terms(t)
			}
		}
		for _, b := range s.Blocks {
			n += size(b)
		}
	}
	return n
}

// writable returns the cells of a place, to be changed.
func (c Compiler) writable(t *protocol.Term) func(*Env) []int32 {
	a, ok := c.address(t)
	if !ok || t.Base == protocol.BaseLet {
		return c.part(t)
	}
	at, n := c.find(a), t.Type.Cells
	return func(e *Env) []int32 {
		k := at(e)
		e.changed[e.owner[k]] = true
		return e.mem[k : k+n]
	}
}

// fresh returns the cells of a place that is about to be written: of a message, each only once.
func (c Compiler) fresh(t *protocol.Term) func(*Env) []int32 {
	part := c.writable(t)
	if t.Base != protocol.BaseOut {
		return part
	}
	return func(e *Env) []int32 {
		cells := part(e)
		if some(cells) {
			c.fail(t, protocol.Twice)
		}
		return cells
	}
}

func (c Compiler) undefine(t *protocol.Term) action {
	r := &c.m.Roles[t.Role]
	switch t.Base {
	case protocol.BaseWhole:
		from, to := c.whole(t)
		return func(e *Env) {
			for p := r.First; p < r.First+r.Size; p++ {
				e.changed[p] = true
			}
			for i := from; i < to; i++ {
				e.mem[i] = protocol.Undef
			}
		}
	case protocol.BaseOuts:
		return func(e *Env) {
			for p := r.First; p < r.First+r.Size; p++ {
				e.outs[p] = nil
			}
		}
	case protocol.BaseStatus:
		return func(*Env) { c.fail(t, "a status cannot be undefined") }
	}
	part := c.writable(t)
	return func(e *Env) {
		cells := part(e)
		for i := range cells {
			cells[i] = protocol.Undef
		}
	}
}

func (c Compiler) assign(s *protocol.Step) action {
	t := s.Target
	if t.Base == protocol.BaseStatus {
		who, value := c.process(t), c.defined(s.Value)
		return func(e *Env) {
			v, p := value(e), who(e)
			e.mem[p], e.changed[p] = v, true
		}
	}
	part := c.fresh(t)
	if !t.Type.Scalar() {
		from, fit := c.part(s.Value), c.fit(t.Type, s.Value)
		return func(e *Env) {
			v := e.copied(from(e))
			fit(v)
			copy(part(e), v)
		}
	}
	value, lo, hi := c.value(s.Value), t.Type.Lo, t.Type.Hi
	outside := func(v int32) { c.fail(t, "%s is out of range: %s", t.Type.Format(v), bounds(t.Type)) }
	if at, known := c.cell(t); known && t.Base == protocol.BaseRole {
		p := c.at.owner[at]
		if k, known := c.constant(s.Value); known && (k == protocol.Undef || k >= lo && k <= hi) {
			return func(e *Env) { e.mem[at], e.changed[p] = k, true }
		}
		return func(e *Env) {
			v := value(e)
			if v != protocol.Undef && (v < lo || v > hi) {
				outside(v)
			}
			e.mem[at], e.changed[p] = v, true
		}
	}
	return func(e *Env) {
		v := value(e)
		if v != protocol.Undef && (v < lo || v > hi) {
			outside(v)
		}
		part(e)[0] = v
	}
}

// send sends a message of its own: what is written to the same process otherwise is another one.
func (c Compiler) send(s *protocol.Step) action {
	who, body := c.process(s.Target), c.block(s.Blocks[0])
	return func(e *Env) {
		p := who(e)
		before := e.outs[p]
		e.outs[p] = nil
		body(e)
		e.letters = append(e.letters, outgoing{p, e.outs[p]})
		e.outs[p] = before
	}
}
