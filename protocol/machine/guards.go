package machine

import (
	"iter"
	binary "math/bits"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// guards are those of the instances of a unit that receives nothing. What one process decides, its local state does:
// a set of instances is remembered for it. The rest of a guard is tested for those that are in all sets.
type guards struct {
	sides []*side
	set   []uint64
	rest  [][]func(*env) bool // by instance
	risky bool                // one of the rest may be an error
}

// side is what one process decides: of each instance, some parts of its guard in a row.
type side struct {
	process int
	parts   []part
	rows    [][]int  // by instance
	said    []said   // by part, where it has been tested in a state
	sets    []uint64 // in places of their own: local states, plus one, each followed by the set of instances
	places  int
}

// part is a condition on the state of a process. It is no error where certain cells have values.
type part struct {
	holds func(*env) bool
	cells []int
}

// said is what a part of a guard comes to.
type said uint8

const (
	unsaid said = iota
	isTrue
	isFalse
	doubtful // a value is missing
)

// mostSides bounds the local states of a process whose sets are remembered.
const mostSides = 1 << 14

// conjunct is a term that has to be true, or false, where the values of some variables are known.
type conjunct struct {
	c    compiler
	term *protocol.Term
	not  bool
}

// conjuncts lists parts of a guard that are all to hold, in the order in which they are evaluated.
func (c compiler) conjuncts(t *protocol.Term, not bool) (list []conjunct) {
	each := func(c compiler, args ...*protocol.Term) {
		for _, a := range args {
			list = append(list, c.conjuncts(a, not)...)
		}
	}
	if t == nil {
		return nil
	}
	if v, known := c.constant(t); known && v != protocol.Undef {
		if (v != 0) != not {
			return nil
		}
		return []conjunct{{c, t, not}}
	}
	switch {
	case t.Op == ftdp.Not:
		return c.conjuncts(t.Args[0], !not)
	case t.Op == ftdp.And && !not:
		each(c, t.Args...)
		return list
	case t.Op == ftdp.Or && not:
		each(c, t.Args...)
		return list
	case t.Op == ftdp.Or || t.Op == ftdp.And:
		open := slices.DeleteFunc(slices.Clone(t.Args), func(a *protocol.Term) bool {
			v, known := c.constant(a)
			return known && v == bit(t.Op == ftdp.And)
		})
		if len(open) == 1 {
			return c.conjuncts(open[0], not)
		}
	case t.Op == ftdp.Implies && not:
		return append(c.conjuncts(t.Args[0], false), c.conjuncts(t.Args[1], true)...)
	case (t.Op == ftdp.ForAll && !not || t.Op == ftdp.Exists && not) && c.each(t, compiler.sure):
		for v := t.Range.Type.Lo; v <= t.Range.Type.Hi; v++ {
			each(c.with(t.Var, v), t.Args[0])
		}
		return list
	}
	return []conjunct{{c, t, not}}
}

// test compiles a conjunct.
func (x *conjunct) test() func(*env) bool {
	f := x.c.test(x.term)
	if x.not {
		return func(e *env) bool { return !f(e) }
	}
	return f
}

// alone returns the process whose state decides a conjunct, and the cells that have to have values; -1 if it is not one
// process, or if it may be another error.
func (x *conjunct) alone() (process int, cells []int) {
	c, process := x.c, -1
	if list := c.touches(x.term.Places); len(list) == 1 {
		process = list[0]
	}
	if process < 0 || c.sure(x.term) {
		return process, nil
	}
	lacks := c.lacks
	if c.lacks = func(role, cell int) bool { return false }; !c.sure(x.term) {
		return -1, nil
	}
	x.term.Places(func(t *protocol.Term) {
		if t.Base == protocol.BaseRole {
			for cell := range c.reach(t) {
				if lacks(t.Role, cell) {
					cells = append(cells, c.at.base[process]+cell)
				}
			}
		}
	})
	return process, cells
}

// guards compiles the guards of a unit.
func (w *worker) guards(u *unit) *guards {
	g := &guards{set: make([]uint64, (len(u.instances)+63)/64), rest: make([][]func(*env) bool, len(u.instances))}
	sides, parts := map[int]*side{}, map[string]int{}
	row := func(k, process int, key string, build func() part) {
		s := sides[process]
		if s == nil {
			s = &side{process: process, rows: make([][]int, len(u.instances)), places: 1,
				sets: make([]uint64, 1+len(g.set))}
			sides[process], g.sides = s, append(g.sides, s)
		}
		i, known := parts[key]
		if !known || key == "" {
			i, parts[key] = len(s.parts), len(s.parts)
			s.parts = append(s.parts, build())
		}
		s.rows[k] = append(s.rows[k], i)
	}
	const nobody, everybody = -1, -2
	for k := range u.instances {
		t := &w.rules[u.instances[k].rule]
		c := w.known(u.unitInfo, k)
		c.parts, c.lacks = w.tested, w.lacks
		key := "correct"
		if t.Strategy {
			key = "byzantine"
		}
		row(k, u.process, key, func() part {
			return part{holds: func(e *env) bool { return may(t, e.status(u.process)) }}
		})
		doubt := nobody // whose states decide whether what came before is an error
		for _, x := range c.conjuncts(t.Guard, false) {
			process, cells := x.alone()
			if v, known := x.c.constant(x.term); known && v != protocol.Undef && doubt == nobody {
				row(k, u.process, "never", func() part { return part{holds: func(*env) bool { return false }} })
				break
			}
			sure := x.c.sure(x.term)
			if process >= 0 && (doubt == nobody || doubt == process) {
				key, ok := x.c.key([]byte{byte('0' + bit(x.not))}, x.term, nil)
				if !ok {
					key = nil
				}
				row(k, process, string(key), func() part { return part{x.test(), cells} })
				if sure && doubt == nobody {
					continue
				}
			} else {
				process = everybody
			}
			g.rest[k] = append(g.rest[k], x.test())
			if !sure {
				doubt, g.risky = process, true
			}
		}
	}
	for _, s := range g.sides {
		s.said = make([]said, len(s.parts))
	}
	return g
}

// of returns the set of instances that a local state allows.
func (s *side) of(w *worker, state []uint32, words int) []uint64 {
	local := state[s.process]
	at := (int(local) & (s.places - 1)) * (words + 1)
	if known := s.sets[at : at+words+1]; known[0] == uint64(local)+1 {
		return known[1:]
	}
	if size := 1 << binary.Len32(local); size > s.places && s.places < mostSides {
		s.places = min(size, mostSides)
		s.sets = make([]uint64, s.places*(words+1))
	}
	at = (int(local) & (s.places - 1)) * (words + 1)
	set := s.sets[at : at+words+1]
	clear(set)
	set[0], set = uint64(local)+1, set[1:]
	clear(s.said)
	w.see(state)
	for k, row := range s.rows {
		if s.allows(row, &w.env) {
			set[k>>6] |= 1 << (k & 63)
		}
	}
	return set
}

// allows tests parts of a guard in a row, until one does not hold or is in doubt.
func (s *side) allows(row []int, e *env) bool {
	for _, i := range row {
		if s.said[i] == unsaid {
			s.said[i] = s.parts[i].test(e)
		}
		if s.said[i] != isTrue {
			return s.said[i] == doubtful
		}
	}
	return true
}

func (p *part) test(e *env) said {
	for _, at := range p.cells {
		if e.mem[at] == protocol.Undef {
			return doubtful
		}
	}
	if p.holds(e) {
		return isTrue
	}
	return isFalse
}

// possible lists the instances that all processes by themselves allow.
func (w *worker) possible(g *guards, state []uint32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range g.set {
			g.set[i] = ^uint64(0)
		}
		for _, s := range g.sides {
			some := uint64(0)
			for i, word := range s.of(w, state, len(g.set)) {
				g.set[i] &= word
				some |= g.set[i]
			}
			if some == 0 {
				return
			}
		}
		for i, word := range g.set {
			for ; word != 0; word &= word - 1 {
				if !yield(i<<6 + binary.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// try adds what a unit does in a state. It stops with a failure if that of a guard may be one.
func (w *worker) try(u *unit, state []uint32) {
next:
	for k := range w.possible(u.guards, state) {
		for _, holds := range u.guards.rest[k] {
			w.see(state)
			if !holds(&w.env) {
				continue next
			}
		}
		w.effect(u, k, state)
	}
}
