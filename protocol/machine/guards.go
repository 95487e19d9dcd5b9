package machine

import (
	"cmp"
	binary "math/bits"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
)

// guards are those of the instances of a unit that receives nothing. What one process decides, its local state does:
// the instances that it allows are remembered. The rest of a guard is tested for those that all processes allow.
type guards struct {
	sides   []*side  // by process
	allowed []uint64 // instances
	doubted []uint64
	read    []uint64   // of the state: by column; local states, plus one, come first
	rest    [][]*joint // by instance
	unsure  bool       // something may be an error
	effects effects
}

// side is what one process decides: of each instance, some parts of its guard.
type side struct {
	parts   []*part    // in the order in which instances evaluate them
	classes []*classes // of its local states
	// table has places for local states, plus one. Behind that are the instances that one allows, those in doubt, and
	// classes.
	table  []uint64
	size   int // of a row
	places int
	cells  int  // of a local state, and its status
	whole  bool // the number of a local state is looked at
}

// part is a condition on the state of a process. It is no error where certain cells have values.
type part struct {
	holds func(*compile.Env) bool
	cells []int
	of    []uint64 // instances that it is a part of
	place int      // in their guards
	key   string
}

// joint is a part of a guard that more processes decide: what it comes to is remembered for classes of their local
// states, which are alike in what it reads.
type joint struct {
	test  func(*compile.Env) bool
	visit uint64 // of the state in which it was tested last, and what came of it
	now   bool
	// parts compiles it with parts that are evaluated once, for where nothing is remembered of it.
	parts func() func(*compile.Env) bool
	// more: what comes after it is another case of the same quantifier, and may be an error where it does not hold.
	more  bool
	sides columns
	table []uint64 // places for classes, each with what it comes to in the lowest bit; nil where nothing is remembered
	shift int
	reuse reuse
}

// columns are places in what is read of the processes of a state: the numbers there are a key, with so many bits each.
type columns struct {
	list []int
	bits int
}

// classes number what is read of a local state.
type classes struct {
	cells []int
	known finder
	base  uint64 // numbers that are not given again
	users int    // columns that are still looked at
	row   []uint32
}

// mostNumbered bounds the cells of which classes are told apart at a time.
var mostNumbered = 1 << 20

// mostSides bounds the local states of a process of which something is remembered, mostJoint what is of a joint part.
const mostSides, mostJoint = 1 << 14, 1 << 14

// guards compiles the guards of a unit.
func (w *worker) guards(u *unit) *guards {
	words := (len(u.instances) + 63) / 64
	g := &guards{allowed: make([]uint64, words), doubted: make([]uint64, words),
		rest: make([][]*joint, len(u.instances)), effects: effects{of: make([]effect, len(u.instances))}}
	g.effects.clear()
	for p := range w.n {
		g.sides = append(g.sides, &side{places: 1, cells: 1 + w.Model.Roles[w.roles[p]].State.Cells})
	}
	joints := map[string]*joint{}
	for k := range u.instances {
		w.guard(u, g, k, joints)
		g.effects.add(w, g, u, k)
	}
	for _, s := range g.sides {
		slices.SortStableFunc(s.parts, func(a, b *part) int { return cmp.Compare(a.place, b.place) })
		s.size = 1 + 2*words + len(s.classes)
		s.table = make([]uint64, s.size)
		g.read = make([]uint64, max(len(g.read), (1+len(s.classes))*w.n))
	}
	return g
}

// guard adds the guard of an instance to those of a unit.
func (w *worker) guard(u *unit, g *guards, k int, joints map[string]*joint) {
	inst := &u.instances[k]
	t, process := w.rules[inst.rule], inst.process
	c := w.at.Compiler().For(t.Transition, inst.frame).In(nil, w.lacks)
	key := "correct"
	if t.Strategy {
		key = "byzantine"
	}
	g.add(process, part{holds: func(e *compile.Env) bool { return t.May(e.Status(process)) }, key: key}, k)
	const nobody, everybody = -1, -2
	doubt := nobody // whose states decide whether what came before is an error
	for i, x := range c.Conjuncts(t.Guard) {
		if doubt == nobody && x.Never() {
			g.add(process, part{holds: func(*compile.Env) bool { return false }, place: i, key: "never"}, k)
			break
		}
		key, sure := x.Key(), x.Sure()
		if p, cells := x.Alone(); p >= 0 && key != "" && (doubt == nobody || doubt == p) {
			g.add(p, part{holds: x.Test(nil), cells: cells, place: i, key: key}, k)
			if !sure {
				doubt = p
			}
			continue
		}
		if !sure {
			doubt, g.unsure = everybody, true
		}
		if x.More && key != "" {
			key += "more"
		}
		j := joints[key]
		if j == nil || key == "" {
			j = &joint{test: x.Test(nil), more: x.More}
			j.parts = func() func(*compile.Env) bool { return x.Test(w.tested) }
			joints[key] = j
			g.classify(w, j, &x, key != "")
		}
		g.rest[k] = append(g.rest[k], j)
	}
}

// add adds a part of the guard of an instance to a side.
func (g *guards) add(process int, p part, k int) {
	s := g.sides[process]
	i := slices.IndexFunc(s.parts, func(q *part) bool { return q.key == p.key && q.place == p.place })
	if i < 0 {
		p.of = make([]uint64, len(g.allowed))
		i, s.parts = len(s.parts), append(s.parts, &p)
	}
	s.parts[i].of[k>>6] |= 1 << (k & 63)
}

// classify finds out what a joint part reads of each process.
func (g *guards) classify(w *worker, j *joint, x *compile.Conjunct, pure bool) {
	reads := make([][]int, w.n)
	processes := 0
	x.Reads(func(at int) {
		p, _ := w.at.Owner(at)
		if len(reads[p]) == 0 {
			processes++
		}
		reads[p] = lists.Union(reads[p], at)
	})
	if !pure || processes == 0 || processes > mostClassified {
		j.test = j.parts()
		return
	}
	j.table, j.shift = make([]uint64, leastCached), 64-binary.Len(leastCached-1)
	j.sides = g.columns(reads)
}

// mostClassified bounds the processes of a key.
const mostClassified = 7

// columns returns where the classes are of what is read of each process; where that is most of its cells, all of its
// local states are told apart.
func (g *guards) columns(reads [][]int) (x columns) {
	for p, cells := range reads {
		if len(cells) == 0 {
			continue
		}
		s := g.sides[p]
		if 4*len(cells) > 3*s.cells {
			s.whole = true
			x.list = append(x.list, p)
			continue
		}
		slices.Sort(cells)
		i := slices.IndexFunc(s.classes, func(c *classes) bool { return slices.Equal(c.cells, cells) })
		if i < 0 {
			i, s.classes = len(s.classes), append(s.classes, &classes{cells: cells, known: finder{width: len(cells)}})
		}
		s.classes[i].users++
		x.list = append(x.list, (1+i)*len(g.sides)+p)
	}
	x.bits = 62 / max(1, len(x.list))
	return x
}

// key puts classes together; ok is false if that takes too many bits.
func (g *guards) key(x *columns) (key uint64, ok bool) {
	over := uint64(0)
	for _, at := range x.list {
		n := g.read[at]
		key, over = key<<x.bits|n, over|n>>x.bits
	}
	return key, over == 0
}

// drop says that columns are not looked at any more.
func (g *guards) drop(x *columns) {
	for _, at := range x.list {
		if i := at/len(g.sides) - 1; i >= 0 {
			g.sides[at%len(g.sides)].classes[i].users--
		}
	}
}

// number returns the class of the local state that compiled code looks at: the same only if what is read is the same.
func (x *classes) number(e *compile.Env) uint64 {
	if x.users == 0 {
		return 0
	}
	x.row = x.row[:0]
	for _, at := range x.cells {
		x.row = append(x.row, uint32(e.Value(at)))
	}
	if x.known.used*len(x.cells) >= mostNumbered {
		x.base += uint64(x.known.used)
		x.known = finder{width: len(x.cells)}
	}
	known := x.known.at(x.row)
	if *known == 0 {
		*known = uint32(x.known.used)
	}
	return x.base + uint64(*known)
}

// home is where a key is in a table.
func home(key uint64, shift int) int { return int(key * 0x9e3779b97f4a7c15 >> shift) }

// holds reports whether a joint part holds in a state.
func (j *joint) holds(w *worker, g *guards, state []uint32) bool {
	if j.visit != w.env.Visit {
		j.now = j.tested(w, g, state)
		j.visit = w.env.Visit
	}
	return j.now
}

func (j *joint) tested(w *worker, g *guards, state []uint32) bool {
	if j.table == nil {
		w.see(state)
		return j.test(&w.env)
	}
	key, fits := g.key(&j.sides)
	if !fits {
		j.forget(g)
		return j.tested(w, g, state)
	}
	e := &j.table[home(key, j.shift)]
	known := *e>>1 == key
	if known {
		j.reuse.looked(true)
		return *e&1 != 0
	}
	w.see(state)
	v := j.test(&w.env)
	if *e = key << 1; v {
		*e |= 1
	}
	if j.reuse.looked(false) {
		if 64-j.shift < binary.Len(mostJoint-1) {
			j.shift -= 2
			j.table = make([]uint64, 1<<(64-j.shift))
		} else {
			j.forget(g)
		}
	}
	return v
}

// forget has a joint part evaluated from now on.
func (j *joint) forget(g *guards) {
	j.table, j.test = nil, j.parts()
	g.drop(&j.sides)
}

// of returns what is remembered for the local state of a process.
func (s *side) of(w *worker, g *guards, state []uint32, process int) []uint64 {
	local := state[process]
	at := (int(local) & (s.places - 1)) * s.size
	row := s.table[at : at+s.size]
	if row[0] == uint64(local)+1 {
		return row
	}
	if size := 1 << binary.Len32(local); size > s.places && s.places < mostSides {
		s.places = min(size, mostSides)
		s.table = make([]uint64, s.places*s.size)
	}
	at = (int(local) & (s.places - 1)) * s.size
	row = s.table[at : at+s.size]
	w.see(state)
	words := len(g.allowed)
	row[0] = 0
	for i := range words {
		row[1+i], row[1+words+i] = ^uint64(0), 0
	}
	for _, p := range s.parts {
		p.tell(&w.env, row[1:1+words], row[1+words:1+2*words])
	}
	for i, c := range s.classes {
		row[1+2*words+i] = c.number(&w.env)
	}
	row[0] = uint64(local) + 1
	return row
}

// tell tests a part for the instances that are allowed so far, and not in doubt.
func (p *part) tell(e *compile.Env, allowed, doubted []uint64) {
	some := uint64(0)
	for i, word := range p.of {
		some |= word & allowed[i] &^ doubted[i]
	}
	if some == 0 {
		return
	}
	for _, at := range p.cells {
		if e.Value(at) == protocol.Undef {
			for i, word := range p.of {
				doubted[i] |= word & allowed[i]
			}
			return
		}
	}
	if !p.holds(e) {
		for i, word := range p.of {
			allowed[i] &^= word &^ doubted[i]
		}
	}
}

// try adds what a unit does in a state. It stops with a failure if a joint part may be one.
func (w *worker) try(u *unit, state []uint32) {
	g := u.guards
	for i := range g.allowed {
		g.allowed[i], g.doubted[i] = ^uint64(0), 0
	}
	g.allowed[len(g.allowed)-1] >>= -len(u.instances) & 63
	for p, x := range g.sides {
		if len(x.parts)+len(x.classes) == 0 && !x.whole {
			continue
		}
		row := x.of(w, g, state, p)
		some := uint64(0)
		for i := range g.allowed {
			g.allowed[i] &= row[1+i]
			g.doubted[i] |= row[1+len(g.allowed)+i]
			some |= g.allowed[i]
		}
		if g.read[p] != row[0] {
			g.read[p] = row[0]
			for i, n := range row[1+2*len(g.allowed):] {
				g.read[(1+i)*len(g.sides)+p] = n
			}
		}
		if some == 0 {
			return
		}
	}
	for i := range g.allowed {
		for word := g.allowed[i]; word != 0; word &= word - 1 {
			bit := binary.TrailingZeros64(word)
			if g.doubted[i]>>bit&1 != 0 {
				w.plainly(u, i<<6+bit, state)
			} else if g.met(w, i<<6+bit, state) {
				w.recall(u, i<<6+bit, state)
			}
		}
	}
}

// met reports whether the joint parts of the guard of an instance hold.
func (g *guards) met(w *worker, k int, state []uint32) bool {
	holds := true
	for _, j := range g.rest[k] {
		holds = j.holds(w, g, state) && holds
		if !holds && !j.more {
			return false
		}
	}
	return true
}
