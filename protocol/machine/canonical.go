package machine

import (
	"cmp"
	"slices"

	"github.com/tacheck/tacheck/internal/hash"
	"github.com/tacheck/tacheck/protocol"
)

// symmetry knows which parts of states speak of processes by their numbers.
type symmetry struct {
	locals   []bool // by role: variables hold processes, or are indexed by them
	messages bool
}

func newSymmetry(m *protocol.Model) *symmetry {
	s := &symmetry{messages: m.Message != nil && names(m.Message)}
	for i := range m.Roles {
		s.locals = append(s.locals, names(m.Roles[i].State))
	}
	return s
}

// names reports whether values of a type speak of processes.
func names(t *protocol.Type) bool {
	switch t.Kind {
	case protocol.KindRole:
		return true
	case protocol.KindArray:
		return t.Index.Kind == protocol.KindRole || names(t.Elem)
	}
	return slices.ContainsFunc(t.Fields, func(f protocol.TypeField) bool { return names(f.Type) })
}

// permutation renumbers the processes of each role: [role][number-1] is the new number, less one.
type permutation [][]int

// permute writes what becomes of a value when processes are renumbered.
func permute(t *protocol.Type, in, out []int32, by permutation) {
	switch t.Kind {
	case protocol.KindRole:
		out[0] = in[0]
		if in[0] != protocol.Undef {
			out[0] = int32(by[t.Role][in[0]-1]) + 1
		}
	case protocol.KindRecord:
		for _, f := range t.Fields {
			permute(f.Type, in[f.Offset:f.Offset+f.Type.Cells], out[f.Offset:f.Offset+f.Type.Cells], by)
		}
	case protocol.KindArray:
		n := t.Elem.Cells
		for i := range t.Index.Size() {
			to := i
			if t.Index.Kind == protocol.KindRole {
				to = by[t.Index.Role][i]
			}
			permute(t.Elem, in[i*n:(i+1)*n], out[to*n:(to+1)*n], by)
		}
	default:
		out[0] = in[0]
	}
}

// outline is a digest of a value that does not change when processes are renumbered.
func outline(t *protocol.Type, cells []int32) uint64 {
	switch t.Kind {
	case protocol.KindRole:
		return bits(cells[0] == protocol.Undef)
	case protocol.KindRecord:
		h := uint64(7)
		for _, f := range t.Fields {
			h = hash.Mix(h*31 + outline(f.Type, cells[f.Offset:f.Offset+f.Type.Cells]))
		}
		return h
	case protocol.KindArray:
		h, n := uint64(11), t.Elem.Cells
		for i := range t.Index.Size() {
			e := outline(t.Elem, cells[i*n:(i+1)*n])
			if t.Index.Kind == protocol.KindRole {
				h += hash.Mix(e + 13)
			} else {
				h = hash.Mix(h*31 + e)
			}
		}
		return h
	}
	return hash.Mix(uint64(uint32(cells[0])) + 17)
}

func bits(b bool) uint64 {
	if b {
		return 3
	}
	return 5
}

// about is a digest of how a value refers to one process; 0 if it does not.
func about(t *protocol.Type, cells []int32, role, number int) uint64 {
	switch t.Kind {
	case protocol.KindRole:
		if t.Role == role && int(cells[0]) == number {
			return 1
		}
	case protocol.KindRecord:
		h := uint64(0)
		for i, f := range t.Fields {
			if a := about(f.Type, cells[f.Offset:f.Offset+f.Type.Cells], role, number); a != 0 {
				h += hash.Mix(a + uint64(i)*41)
			}
		}
		return h
	case protocol.KindArray:
		h, n := uint64(0), t.Elem.Cells
		for i := range t.Index.Size() {
			part := cells[i*n : (i+1)*n]
			a := about(t.Elem, part, role, number)
			switch {
			case t.Index.Kind != protocol.KindRole:
				if a != 0 {
					h += hash.Mix(a + uint64(i)*43)
				}
			case t.Index.Role == role && i+1 == number:
				h += hash.Mix(outline(t.Elem, part) + hash.Mix(a) + 47)
			case a != 0:
				h += hash.Mix(a + 53)
			}
		}
		return h
	}
	return 0
}

// canonizer finds canonical forms for one worker: of all states that differ by
// how the processes of each role are numbered, always the same one.
//
// Processes are sorted by what they are without their numbers; only among those that are alike all orders
// are tried, and among those that can be interchanged without any change (twins) only one. So the result is exact:
// there are as many canonical forms as there are orbits.
type canonizer struct {
	*space
	parts *parts
	sym   *symmetry
	base  [][]uint64 // by role and local state: outline
	rel   [][][]uint64
	cont  []uint64 // by content: outline
	crel  [][]uint64

	colours, sums []uint64
	order         []int // processes in their new order: order[new] = old
	state         []uint32
	best, try     []uint32
	perm, bestBy  permutation
	any           bool
	key           []byte
	moved         map[string]*moved
}

// moved remembers what becomes of parts of states under one permutation.
type moved struct {
	locals   [][]uint32 // plus one
	contents []uint32
}

func newCanonizer(parts *parts, sym *symmetry) *canonizer {
	x := parts.space
	c := &canonizer{space: x, parts: parts, sym: sym, base: make([][]uint64, len(x.Model.Roles)),
		rel: make([][][]uint64, len(x.Model.Roles)), colours: make([]uint64, x.n), sums: make([]uint64, x.n),
		order: make([]int, x.n), best: make([]uint32, x.slots), try: make([]uint32, x.slots),
		moved: map[string]*moved{}}
	for i := range x.Model.Roles {
		c.perm = append(c.perm, make([]int, x.Model.Roles[i].Size))
		c.bestBy = append(c.bestBy, make([]int, x.Model.Roles[i].Size))
	}
	return c
}

func (c *canonizer) outlineOf(p int, local uint32) uint64 {
	known := at(&c.base[c.roles[p]], int(local))
	if *known == 0 {
		item := c.item(p, local)
		*known = item.Digest
		if c.sym.locals[c.roles[p]] {
			*known = hash.Mix(outline(c.Model.Roles[c.roles[p]].State, item.Cells) + uint64(item.Status)*59 +
				61*uint64(c.roles[p]))
		}
	}
	return *known
}

// relations are how a local state refers to each process.
func (c *canonizer) relations(p int, local uint32) []uint64 {
	known := at(&c.rel[c.roles[p]], int(local))
	if *known == nil {
		item := c.item(p, local)
		for q := range c.n {
			r, number := c.Model.RoleOf(q)
			*known = append(*known, about(c.Model.Roles[c.roles[p]].State, item.Cells, r, number))
		}
	}
	return *known
}

func (c *canonizer) contentOutline(id uint32) uint64 {
	known := at(&c.cont, int(id))
	if *known == 0 {
		item := c.in.contents.item(id)
		*known = item.Digest
		if c.sym.messages {
			h := uint64(67)
			for _, m := range item.Cells {
				o := outline(c.Model.Message, c.in.messages.item(m).Cells)
				if c.Model.Channels.FIFO {
					h = hash.Mix(h*31 + o)
				} else {
					h += hash.Mix(o)
				}
			}
			*known = h
		}
	}
	return *known
}

func (c *canonizer) contentRelations(id uint32) []uint64 {
	known := at(&c.crel, int(id))
	if *known == nil {
		item := c.in.contents.item(id)
		for q := range c.n {
			r, number := c.Model.RoleOf(q)
			h := uint64(0)
			for i, m := range item.Cells {
				a := about(c.Model.Message, c.in.messages.item(m).Cells, r, number)
				if a != 0 && c.Model.Channels.FIFO {
					a += uint64(i) * 71
				}
				if a != 0 {
					h += hash.Mix(a)
				}
			}
			*known = append(*known, h)
		}
	}
	return *known
}

// canonical returns the canonical form of a state, in a vector that is reused.
// c.bestBy is the permutation that leads to it.
func (c *canonizer) canonical(state []uint32) []uint32 {
	c.state, c.any = state, false
	for p := range c.n {
		c.colours[p] = c.outlineOf(p, state[p])
		if c.fixed[p] {
			c.colours[p] = hash.Mix(c.colours[p] + uint64(p)*73)
		}
	}
	for range 3 {
		c.refine()
		if c.sorted() {
			break
		}
	}
	c.arrange(0)
	return c.best
}

// refine adds to the colour of each process what it has to do with others.
func (c *canonizer) refine() {
	s := c.state
	copy(c.sums, c.colours)
	link := func(content uint32, p, q int, kind uint64) {
		h := c.contentOutline(content) + kind
		c.sums[p] += hash.Mix(h*3 ^ c.colours[q])
		c.sums[q] += hash.Mix(h*5 ^ c.colours[p])
		if c.sym.messages {
			for r, a := range c.contentRelations(content) {
				if a != 0 {
					c.sums[r] += hash.Mix(a*7 ^ c.colours[p]*11 ^ c.colours[q]*13)
					c.sums[p] += hash.Mix(a*17 ^ c.colours[r])
					c.sums[q] += hash.Mix(a*19 ^ c.colours[r])
				}
			}
		}
	}
	for _, pq := range c.pairs {
		if v := s[c.channel[pq[0]][pq[1]]]; v != 0 {
			link(v, pq[0], pq[1], 0)
		}
		if slot := c.sent[pq[0]][pq[1]]; slot >= 0 && s[slot] != 0 {
			link(s[slot], pq[0], pq[1], 79)
		}
	}
	for p := range c.n {
		if !c.sym.locals[c.roles[p]] {
			continue
		}
		for q, a := range c.relations(p, s[p]) {
			if a != 0 {
				c.sums[p] += hash.Mix(a*23 ^ c.colours[q] + bits(p == q))
				c.sums[q] += hash.Mix(a*29 ^ c.colours[p])
			}
		}
	}
	for p := range c.n {
		c.colours[p] = hash.Mix(c.sums[p])
	}
}

// sorted puts the processes of each role in the order of their colours, and reports whether no two of them are alike.
func (c *canonizer) sorted() bool {
	distinct := true
	for i := range c.Model.Roles {
		r := &c.Model.Roles[i]
		free := c.order[r.First:r.First]
		for p := r.First; p < r.First+r.Size; p++ {
			if !c.fixed[p] {
				free = append(free, p)
			}
		}
		// Insertion sort: there are few, and mostly in order.
		for a := 1; a < len(free); a++ {
			for b := a; b > 0 && c.colours[free[b]] < c.colours[free[b-1]]; b-- {
				free[b], free[b-1] = free[b-1], free[b]
			}
		}
		for a := 1; a < len(free); a++ {
			distinct = distinct && c.colours[free[a]] != c.colours[free[a-1]]
		}
		// Those that are fixed stay where they are.
		for p := r.First + r.Size - 1; p >= r.First; p-- {
			if c.fixed[p] {
				c.order[p] = p
				continue
			}
			c.order[p] = free[len(free)-1]
			free = free[:len(free)-1]
		}
	}
	return distinct
}

// arrange tries all orders of processes that are alike, from a position on.
func (c *canonizer) arrange(from int) {
	for from < c.n {
		end := c.alike(from)
		if end > from+1 {
			break
		}
		from++
	}
	if from == c.n {
		c.offer()
		return
	}
	// Positions of free processes with the same colour.
	var places []int
	for p := from; p < c.n && c.roles[p] == c.roles[from]; p++ {
		if !c.fixed[p] && c.colours[c.order[p]] == c.colours[c.order[from]] {
			places = append(places, p)
		}
	}
	members := make([]int, len(places))
	for i, p := range places {
		members[i] = c.order[p]
	}
	last := places[len(places)-1] + 1
	// Twins are interchangeable: one order of them stands for all.
	group := make([]int, len(members))
	for i := range members {
		group[i] = i
		for j := range i {
			if group[j] == j && c.twins(members[i], members[j]) {
				group[i] = j
				break
			}
		}
	}
	used := make([]bool, len(members))
	var choose func(k int)
	choose = func(k int) {
		if k == len(places) {
			c.arrange(last)
			return
		}
		for i := range members {
			if used[i] {
				continue
			}
			// Of a group of twins, the first that is left.
			first := true
			for j := range i {
				first = first && (used[j] || group[j] != group[i])
			}
			if !first {
				continue
			}
			used[i] = true
			c.order[places[k]] = members[i]
			choose(k + 1)
			used[i] = false
		}
	}
	choose(0)
	for i, p := range places {
		c.order[p] = members[i]
	}
}

// alike returns the end of a run of free processes of the same role and colour.
func (c *canonizer) alike(from int) int {
	if c.fixed[from] {
		return from + 1
	}
	for p := c.n - 1; p > from; p-- {
		if c.roles[p] == c.roles[from] && !c.fixed[p] && c.colours[c.order[p]] == c.colours[c.order[from]] {
			return p + 1
		}
	}
	return from + 1
}

// twins reports whether interchanging two processes of a role leaves the state as it is.
func (c *canonizer) twins(p, q int) bool {
	for i := range c.perm {
		for k := range c.perm[i] {
			c.perm[i][k] = k
		}
	}
	r := &c.Model.Roles[c.roles[p]]
	c.perm[c.roles[p]][p-r.First], c.perm[c.roles[p]][q-r.First] = q-r.First, p-r.First
	c.move(c.state, c.try, c.perm)
	return slices.Equal(c.state, c.try)
}

// offer compares the state in the present order with the best so far.
func (c *canonizer) offer() {
	for i := range c.perm {
		first := c.Model.Roles[i].First
		for k := range c.perm[i] {
			c.perm[i][c.order[first+k]-first] = k
		}
	}
	c.move(c.state, c.try, c.perm)
	if c.any {
		less := 0
		for i := range c.try {
			if c.try[i] != c.best[i] {
				if less = cmp.Compare(c.parts.sum(i, c.try[i]), c.parts.sum(i, c.best[i])); less != 0 {
					break
				}
			}
		}
		if less >= 0 {
			return
		}
	}
	c.any = true
	c.best, c.try = c.try, c.best
	for i := range c.perm {
		copy(c.bestBy[i], c.perm[i])
	}
}

// move renumbers the processes of a state.
func (c *canonizer) move(from, to []uint32, by permutation) {
	m := c.memory(by)
	place := func(p int) int {
		first := c.Model.Roles[c.roles[p]].First
		return first + by[c.roles[p]][p-first]
	}
	for p := range c.n {
		v := from[p]
		if m != nil && c.sym.locals[c.roles[p]] {
			v = c.movedLocal(m, c.roles[p], v, by)
		}
		to[place(p)] = v
	}
	content := func(v uint32) uint32 {
		if v == 0 || !c.sym.messages {
			return v
		}
		return c.movedContent(m, v, by)
	}
	for _, pq := range c.pairs {
		p, q := place(pq[0]), place(pq[1])
		to[c.channel[p][q]] = content(from[c.channel[pq[0]][pq[1]]])
		if c.delivers() {
			to[c.sent[p][q]] = content(from[c.sent[pq[0]][pq[1]]])
		}
	}
}

// memory returns what is known of a permutation; nil if parts of states do not change under any.
func (c *canonizer) memory(by permutation) *moved {
	if !c.sym.messages && !slices.Contains(c.sym.locals, true) {
		return nil
	}
	key := c.key[:0]
	for _, r := range by {
		for _, k := range r {
			key = append(key, byte(k))
		}
	}
	c.key = key
	m := c.moved[string(key)]
	if m == nil {
		m = &moved{locals: make([][]uint32, len(by))}
		c.moved[string(key)] = m
	}
	return m
}

func (c *canonizer) movedLocal(m *moved, role int, id uint32, by permutation) uint32 {
	known := at(&m.locals[role], int(id))
	if *known == 0 {
		item := c.in.locals[role].item(id)
		out := make([]int32, len(item.Cells))
		permute(c.Model.Roles[role].State, item.Cells, out, by)
		*known = c.in.local(role, item.Status, out) + 1
	}
	return *known - 1
}

func (c *canonizer) movedContent(m *moved, id uint32, by permutation) uint32 {
	known := at(&m.contents, int(id))
	if *known == 0 {
		var list []uint32
		for _, k := range c.in.contents.item(id).Cells {
			cells := c.in.messages.item(k).Cells
			out := make([]int32, len(cells))
			permute(c.Model.Message, cells, out, by)
			list = append(list, c.in.message(out))
		}
		*known = c.in.content(list) + 1
	}
	return *known - 1
}
