package interference

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/stubborn"
)

// any is the value of a cell that may have all values.
const anyValue = -1 << 31

// footprint is what a transition touches.
type footprint struct {
	reads, writes stubborn.Set // facets; what only parts of the guard read is not in reads
	assigns       map[int][]assignment
	sends         []sending
	conditions    []*protocol.Term // parts of the guard
	pattern       []int32          // by cell of messages: what it must be in a message that is received, or anyValue
	forms         []form           // of what it sends
	empty         []bool           // by cell of messages: what it receives may come without it
	prefix        int              // how many conditions are evaluated before the last that the pattern is from
}

// assignment is one way to write a facet.
type assignment struct {
	value      *protocol.Term // nil for undefined
	v          values
	conditions []*protocol.Term // that hold when it happens
	sure       bool             // it happens in all cases
}

// sending is what may be sent to a process.
type sending struct {
	to    int
	cells []possible // by cell of the message
}

// possible says which values a cell may have, if it has one.
type possible struct {
	any  bool
	list []int32
}

// layout numbers facets: the parts of the states of processes that can be told apart.
type layout struct {
	m     *protocol.Model
	first []int // by process: its first facet; its status comes last
	count int
}

func newLayout(m *protocol.Model) *layout {
	l := &layout{m: m}
	for p := range m.Processes() {
		l.first = append(l.first, l.count)
		r, _ := m.RoleOf(p)
		l.count += m.Roles[r].State.Cells + 1
	}
	return l
}

func (l *layout) status(p int) int {
	r, _ := l.m.RoleOf(p)
	return l.first[p] + l.m.Roles[r].State.Cells
}

// process returns the process that a facet is of.
func (l *layout) process(f int) int {
	p := len(l.first) - 1
	for f < l.first[p] {
		p--
	}
	return p
}

// processes lists those that a place may be about.
func (l *layout) processes(p *protocol.Term, v values) []int {
	role := &l.m.Roles[p.Role]
	if p.Who != nil {
		if n, ok := v.constant(p.Who, nil); ok && n >= 1 && int(n) <= role.Size {
			return []int{role.First + int(n) - 1}
		}
	}
	return lists.Make(role.Size, func(i int) int { return role.First + i })
}

// cells lists the cells that a place may be, in the state or message that it is in; exact says that there is no choice.
func cells(p *protocol.Term, v values) (list []int, exact bool) {
	starts := []int{p.Offset}
	exact = true
	for _, x := range p.Indices {
		n, ok := v.constant(x.Index, nil)
		lo, hi := x.Array.Index.Lo, x.Array.Index.Hi
		if ok && n >= lo && n <= hi {
			lo, hi = n, n
		} else {
			exact = false
		}
		var next []int
		for _, s := range starts {
			for i := lo; i <= hi; i++ {
				next = append(next, s+int(i-x.Array.Index.Lo)*x.Stride)
			}
		}
		starts = next
	}
	for _, s := range starts {
		for i := range p.Type.Cells {
			list = append(list, s+i)
		}
	}
	return list, exact
}

// facets lists those that a place may be.
func (l *layout) facets(p *protocol.Term, v values) (list []int, exact bool) {
	who := l.processes(p, v)
	exact = len(who) == 1
	for _, q := range who {
		switch p.Base {
		case protocol.BaseStatus:
			list = append(list, l.status(q))
		case protocol.BaseWhole:
			for f := l.first[q]; f <= l.status(q); f++ {
				list = append(list, f)
			}
		default:
			inside, one := cells(p, v)
			exact = exact && one
			for _, c := range inside {
				list = append(list, l.first[q]+c)
			}
		}
	}
	return list, exact
}

// read adds the facets that a term reads to a set.
func (l *layout) read(t *protocol.Term, v values, into stubborn.Set) {
	t.Places(func(p *protocol.Term) {
		if ofProcesses(p) {
			list, _ := l.facets(p, v)
			for _, f := range list {
				into.Add(f)
			}
		}
	})
}

// footprint works out what a rule touches, for some values of its parameters.
func (l *layout) footprint(t *protocol.Transition, v values) *footprint {
	f := &footprint{reads: stubborn.NewSet(l.count), writes: stubborn.NewSet(l.count), assigns: map[int][]assignment{}}
	f.conditions = conjuncts(t.Guard, nil)
	if l.m.Message != nil {
		f.pattern = slices.Repeat([]int32{anyValue}, l.m.Message.Cells)
	}
	l.body(f, t.Body, v, f.conditions, true)
	return f
}

// match adds what a part of the guard asks of what is received; of all of a
// quorum, if the variable each stands for its members. It reports whether it does.
func (f *footprint) match(c *protocol.Term, v values, each int) (found bool) {
	mine := func(p *protocol.Term) bool {
		if !p.IsPlace() || p.Base != protocol.BaseMsg || p.Type.Cells != 1 || len(p.Indices) > 0 {
			return false
		}
		return p.Who == nil && each < 0 || p.Who != nil && p.Who.Op == ftdp.Name && p.Who.Var == each
	}
	set := func(p *protocol.Term, value int32) { f.pattern[p.Offset], found = value, true }
	switch {
	case c.Op == ftdp.ForAll && c.Range.Quorum >= 0 && each < 0:
		for _, part := range conjuncts(c.Args[0], nil) {
			found = f.match(part, v, c.Var) || found
		}
	case c.Op == ftdp.Eq && len(c.Args) == 2:
		for i, a := range c.Args {
			if value, ok := v.constant(c.Args[1-i], nil); ok && mine(a) {
				set(a, value)
			}
		}
	case mine(c):
		set(c, 1)
	case c.Op == ftdp.Not && mine(c.Args[0]):
		set(c.Args[0], 0)
	}
	return found
}

// body adds what statements touch, under conditions that hold.
func (l *layout) body(f *footprint, steps []*protocol.Step, v values, conditions []*protocol.Term, sure bool) {
	read := func(t *protocol.Term) {
		if t != nil {
			l.read(t, v, f.reads)
		}
	}
	for _, s := range steps {
		read(s.Value)
		for _, c := range s.Conds {
			read(c)
		}
		switch s.Kind {
		case protocol.StepAssign, protocol.StepUndefine:
			l.assign(f, s, v, conditions, sure)
		case protocol.StepIf:
			for i, block := range s.Blocks {
				under := conditions
				if i < len(s.Conds) {
					under = conjuncts(s.Conds[i], slices.Clone(conditions))
				}
				l.body(f, block, v, under, false)
			}
		case protocol.StepSend:
			l.body(f, s.Blocks[0], v, conditions, sure)
		case protocol.StepFor:
			if s.Range.Quorum >= 0 {
				unknown := v.with(s.Var, 0)
				unknown.known[s.Var] = false
				l.body(f, s.Blocks[0], unknown, conditions, false)
				continue
			}
			for i := s.Range.Type.Lo; i <= s.Range.Type.Hi; i++ {
				l.body(f, s.Blocks[0], v.with(s.Var, i), conditions, sure)
			}
		}
	}
}

func (l *layout) assign(f *footprint, s *protocol.Step, v values, conditions []*protocol.Term, sure bool) {
	p := s.Target
	index := func(t *protocol.Term) {
		if t != nil {
			l.read(t, v, f.reads)
		}
	}
	index(p.Who)
	for _, x := range p.Indices {
		index(x.Index)
	}
	if ofProcesses(p) {
		list, exact := l.facets(p, v)
		value := s.Value
		if p.Type.Cells != 1 || p.Base == protocol.BaseWhole {
			exact, value = false, nil
		}
		for _, x := range list {
			f.writes.Add(x)
			f.assigns[x] = append(f.assigns[x], assignment{value, v, conditions, sure && exact})
		}
		return
	}
	if !toSend(p) {
		return
	}
	for _, to := range l.processes(p, v) {
		i := slices.IndexFunc(f.sends, func(s sending) bool { return s.to == to })
		if i < 0 {
			i = len(f.sends)
			f.sends = append(f.sends, sending{to, make([]possible, l.m.Message.Cells)})
		}
		if s.Kind == protocol.StepUndefine {
			continue
		}
		list, _ := cells(p, v)
		if p.Base == protocol.BaseOuts {
			list = nil
			for c := range l.m.Message.Cells {
				list = append(list, c)
			}
		}
		for _, c := range list {
			cell := &f.sends[i].cells[c]
			if value, ok := v.constant(s.Value, nil); ok && len(list) == 1 {
				cell.list = append(cell.list, value)
			} else {
				cell.any = true
			}
		}
	}
}

// may reports whether what is sent can be what a pattern asks for.
func (s *sending) may(pattern []int32) bool {
	for c, want := range pattern {
		if p := s.cells[c]; want != anyValue && !p.any && !slices.Contains(p.list, want) {
			return false
		}
	}
	return true
}

// overlap reports whether one message can be what two patterns ask for.
func overlap(a, b []int32) bool {
	for c := range a {
		if a[c] != anyValue && b[c] != anyValue && a[c] != b[c] {
			return false
		}
	}
	return true
}
