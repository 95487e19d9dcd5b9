// Package encode turns instances of protocols into transition relations: the variables of a state, and for each way to
// take a step the condition under which it is possible and what every variable is after it, as conditions on the
// variables before it. Solvers get them as formulas of package smt.
//
// A cell of few values has a variable for each (exactly one is true), others are integers. A channel that holds k
// messages has k slots, filled from the first; in channels that are not queues the order of slots means nothing.
package encode

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// few is how many values a cell has at most that gets a variable for each.
const few = 17

// Encoding is an instance of a protocol as a transition relation.
type Encoding struct {
	*Circuit
	Model   *protocol.Model
	Options interp.Options
	Initial []interp.Successor
	// Valid holds in all states that variables can stand for.
	Valid Lit
	Steps []*Step
	// Canonical are the steps; all others are copies with processes
	// of roles interchanged; all of them if the protocol is not symmetric.
	Canonical []*Step

	n        int // processes
	states   int // variables below this number are those of a state
	cells    [][]cell
	status   []cell
	statuses []bool
	channels [][]slot // by from*n+to; nil if nothing is ever sent there
	inputs   [][]cell // by packet, of Byzantine processes
}

// cell holds a scalar.
type cell struct {
	lo, hi int32
	vars   []int // by value from lo, and last the one for undefined; nil for integers
	num    int   // else: the number
	undef  int   // and whether there is none; -1 if there always is
}

// slot is a place for a message.
type slot struct {
	present int
	cells   []cell
}

// New encodes an instance: its states and its steps. Message traffic has to be protocol.Direct. The error is a
// *protocol.Failure for a model that fails at its initial states, an *protocol.Unsupported for what has no encoding.
func New(m *protocol.Model, o interp.Options) (x *Encoding, err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { x, err = nil, u })
	if m.Channels.Duplicating {
		unsupported(&protocol.Term{Pos: diag.Pos{File: m.File, Line: 1, Col: 1}, Width: 1},
			"induction cannot follow channels that duplicate: let rules leave alone what they have received already")
	}
	if x, err = States(m, o); err == nil {
		x.findSteps()
	}
	return x, err
}

// States encodes the states of an instance, without its steps. The errors are those of New.
func States(m *protocol.Model, o interp.Options) (x *Encoding, err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { x, err = nil, u })
	x = &Encoding{Circuit: newCircuit(), Model: m, Options: o, n: m.Processes()}
	if x.Initial, err = (&interp.Interpreter{Model: m, Options: o}).Initial(); err != nil {
		return nil, err
	}
	x.findStatuses()
	var valid []Lit
	for p := range x.n {
		r, _ := m.RoleOf(p)
		var cells []cell
		for i := range m.Roles[r].State.Cells {
			c, ok := x.cell(fmt.Sprintf("s%d_%d", p, i), m.Roles[r].State.CellType(i), true)
			cells, valid = append(cells, c), append(valid, ok)
		}
		x.cells = append(x.cells, cells)
		c, ok := x.statusCell(p)
		x.status, valid = append(x.status, c), append(valid, ok)
	}
	x.channels = make([][]slot, x.n*x.n)
	for ch, used := range x.usedChannels() {
		if !used {
			continue
		}
		for k := range m.Channels.Bound {
			name := fmt.Sprintf("c%d_%d", ch, k)
			s := slot{present: x.boolVar(name, -1)}
			present := x.lits[s.present]
			empty := []Lit{}
			for i, t := range m.MessageLeaves() {
				c, ok := x.cell(fmt.Sprintf("%s_%d", name, i), t, true)
				s.cells, valid = append(s.cells, c), append(valid, ok)
				empty = append(empty, x.load(c).undefined(x.Circuit))
			}
			valid = append(valid, x.ite(present, x.And(empty...).Not(), x.And(empty...)))
			if k > 0 {
				valid = append(valid, x.implies(present, x.lits[x.channels[ch][k-1].present]))
			}
			x.channels[ch] = append(x.channels[ch], s)
		}
	}
	x.states = len(x.Vars)
	x.Valid = x.And(valid...)
	return x, nil
}

// cell makes the variables of a cell, with the condition that they stand for a value.
func (x *Encoding) cell(name string, t *protocol.Type, undefined bool) (cell, Lit) {
	c := cell{lo: t.Lo, hi: t.Hi, undef: -1}
	if t.Size() >= 1 && t.Size() <= few {
		g := x.group()
		for v := t.Lo; v <= t.Hi; v++ {
			c.vars = append(c.vars, x.boolVar(fmt.Sprintf("%s_v%d", name, v-t.Lo), g))
		}
		if undefined {
			c.undef = x.boolVar(name+"_u", g)
			c.vars = append(c.vars, c.undef)
		}
		return c, x.exactlyOne(c.vars)
	}
	c.num = x.intVar(name)
	num := of(c.num)
	ok := x.And(x.nonNegative(num.Sub(number(int64(t.Lo)))), x.nonNegative(number(int64(t.Hi)).Sub(num)))
	if undefined {
		c.undef = x.boolVar(name+"_u", -1)
	}
	return c, ok
}

// exactlyOne is a conjunction that And must not simplify with what it says.
func (x *Encoding) exactlyOne(vars []int) Lit {
	var list []Lit
	none := make([]Lit, len(vars))
	for i, v := range vars {
		none[i] = x.lits[v].Not()
		for _, w := range vars[:i] {
			list = append(list, x.intern(node{kind: all, args: []Lit{x.lits[w], x.lits[v]}}).Not())
		}
	}
	list = append(list, x.intern(node{kind: all, args: none}).Not())
	slices.Sort(list)
	return x.intern(node{kind: all, args: list})
}

// findStatuses finds out which statuses processes can have.
func (x *Encoding) findStatuses() {
	x.statuses = make([]bool, protocol.Byzantine+1)
	for _, s := range x.Initial {
		for _, status := range s.State.Status {
			x.statuses[status] = true
		}
	}
	for i := range x.Model.Rules {
		x.Model.Rules[i].Touch(func(t *protocol.Term, write bool) {
			if write && t.Base == protocol.BaseStatus {
				for s := range x.statuses {
					x.statuses[s] = true
				}
			}
		})
	}
	if x.statuses[protocol.Crash] && !x.Options.Implicit {
		x.statuses[protocol.Crashed] = true
	}
}

func (x *Encoding) statusCell(p int) (cell, Lit) {
	c := cell{lo: 0, hi: int32(protocol.Byzantine), undef: -1}
	g := x.group()
	var vars []int
	for s, possible := range x.statuses {
		if !possible {
			c.vars = append(c.vars, -1)
			continue
		}
		c.vars = append(c.vars, x.boolVar(fmt.Sprintf("t%d_v%d", p, s), g))
		vars = append(vars, c.vars[s])
	}
	return c, x.exactlyOne(vars)
}

// usedChannels says between which processes something may be sent.
func (x *Encoding) usedChannels() []bool {
	used := make([]bool, x.n*x.n)
	m := x.Model
	for i := range m.Rules {
		t := &m.Rules[i]
		from := &m.Roles[t.Params[t.Executor].Type.Role]
		t.Touch(func(place *protocol.Term, write bool) {
			if !write || place.Base != protocol.BaseOut {
				return
			}
			to := &m.Roles[place.Role]
			for p := from.First; p < from.First+from.Size; p++ {
				for q := to.First; q < to.First+to.Size; q++ {
					used[p*x.n+q] = true
				}
			}
		})
	}
	return used
}

// load returns what a cell holds.
func (x *Encoding) load(c cell) value {
	if c.vars == nil {
		defined := True
		var v value
		if c.undef >= 0 {
			defined = x.lits[c.undef].Not()
			v = x.add(v, alternative{when: x.lits[c.undef], undef: true})
		}
		return x.add(v, alternative{when: defined, lin: of(c.num)})
	}
	var v value
	for i, w := range c.vars {
		switch {
		case w < 0:
		case w == c.undef:
			v = append(v, alternative{when: x.lits[w], undef: true})
		default:
			v = append(v, alternative{when: x.lits[w], lin: number(int64(c.lo) + int64(i))})
		}
	}
	return v
}

// config is a state whose cells are values over the variables of another one.
type config struct {
	cells    [][]value
	status   []value
	channels [][]content
}

type content struct {
	present Lit
	cells   []value
}

// state returns the state that the variables are.
func (x *Encoding) state() *config {
	s := &config{}
	for p := range x.n {
		s.cells = append(s.cells, lists.Map(x.cells[p], x.load))
		s.status = append(s.status, x.load(x.status[p]))
	}
	for _, ch := range x.channels {
		list := lists.Map(ch,
			func(slot slot) content { return content{x.lits[slot.present], lists.Map(slot.cells, x.load)} })
		s.channels = append(s.channels, list)
	}
	return s
}

// Assignment gives every variable a value; truth values are 0 and 1.
type Assignment []int32

// Assign returns the values that stand for a state.
func (x *Encoding) Assign(s *protocol.State) Assignment {
	a := make(Assignment, len(x.Vars))
	for p := range x.n {
		for i, c := range x.cells[p] {
			a.set(c, s.Cells[p][i])
		}
		a.set(x.status[p], int32(s.Status[p]))
	}
	for ch, slots := range x.channels {
		for k, slot := range slots {
			if k < len(s.Channels[ch]) {
				a[slot.present] = 1
			}
			for i, c := range slot.cells {
				if k < len(s.Channels[ch]) {
					a.set(c, s.Channels[ch][k][i])
				} else {
					a.set(c, protocol.Undef)
				}
			}
		}
	}
	return a
}

func (a Assignment) set(c cell, v int32) {
	switch {
	case v == protocol.Undef:
		a[c.undef] = 1
		if c.vars == nil {
			a[c.num] = c.lo
		}
	case c.vars == nil:
		a[c.num] = v
	case v >= c.lo && v <= c.hi:
		a[c.vars[v-c.lo]] = 1
	}
}

// State returns the state that values stand for.
func (x *Encoding) State(a Assignment) *protocol.State {
	s := &protocol.State{Channels: make([][]protocol.Message, x.n*x.n), Sent: make([][]protocol.Message, x.n*x.n)}
	for p := range x.n {
		s.Cells = append(s.Cells, lists.Map(x.cells[p], a.get))
		s.Status = append(s.Status, protocol.Status(a.get(x.status[p])))
	}
	for ch, slots := range x.channels {
		for _, slot := range slots {
			if a[slot.present] == 1 {
				s.Channels[ch] = append(s.Channels[ch], lists.Map(slot.cells, a.get))
			}
		}
		if !x.Model.Channels.FIFO {
			slices.SortFunc(s.Channels[ch], func(a, b protocol.Message) int { return slices.Compare(a, b) })
		}
	}
	return s
}

func (a Assignment) get(c cell) int32 {
	switch {
	case c.undef >= 0 && a[c.undef] == 1:
		return protocol.Undef
	case c.vars == nil:
		return a[c.num]
	}
	for i, v := range c.vars {
		if v >= 0 && a[v] == 1 {
			return c.lo + int32(i)
		}
	}
	return protocol.Undef
}

// StateVars returns how many variables a state has: they are the first ones.
func (x *Encoding) StateVars() int { return x.states }
