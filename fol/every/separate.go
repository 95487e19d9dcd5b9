package every

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/finite"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/rows"
)

func rowHash(row []uint64) uint64 {
	h := uint64(14695981039346656037)
	for _, w := range row {
		h = (h ^ w) * 0x9E3779B97F4A7C15
		h ^= h >> 32
	}
	return h
}

// refresh adds rows for states that are new.
func (p *prover) refresh(x *prefix) {
	if x.epoch != p.epoch { // what was assumed is forgotten
		x.assumed, x.epoch = rowSet{}, p.epoch
	}
	for i, s := range p.samples {
		if len(x.real.next) <= i {
			x.real.next = append(x.real.next, 0)
		}
		if len(x.assumed.next) <= i {
			x.assumed.next = append(x.assumed.next, s.real)
		}
		add := func(to, but *rowSet, end int) {
			p.rows(x, s, to.next[i], end, func(row []uint64) { to.add(row, but) })
			to.next[i] = end
		}
		add(&x.real, nil, s.real)
		add(&x.assumed, &x.real, s.known())
	}
}

// rows calls f with the rows of some states of a sample, for all different elements that the variables can be. The row
// is reused.
func (p *prover) rows(x *prefix, s *sample, from, end int, f func([]uint64)) {
	if from == end {
		return
	}
	tables := p.tables(x, s)
	columns := make([][]uint64, (len(x.atoms)+63)/64*64) // by atom: in which states it is true of the elements
	elements := make([]uint8, len(x.vars))
	put := func(last int) { // atoms whose last variable this is
		for _, k := range x.byLast[last] {
			columns[k] = tables[k].of(x.atoms[k].places, elements)
		}
	}
	row := make([]uint64, len(columns)/64)
	block := make([][64]uint64, len(row)) // by state
	states := func() {
		for first := from &^ 63; first < end; first += 64 {
			for w := range row {
				for k, column := range columns[w*64 : w*64+64] {
					block[w][k] = 0
					if column != nil {
						block[w][k] = column[first/64]
					}
				}
				transpose(&block[w])
			}
			for at := max(from, first); at < min(end, first+64); at++ {
				for w := range row {
					row[w] = block[w][at-first]
				}
				f(row)
			}
		}
	}
	put(0)
	var fill func(i int)
	fill = func(i int) {
		if i == len(x.vars) {
			states()
			return
		}
		for e := range s.Sizes[x.vars[i].Sort.Index] {
			again := false
			for k := range i {
				again = again || x.vars[k].Sort == x.vars[i].Sort && int(elements[k]) == e
			}
			if !again {
				elements[i] = uint8(e)
				put(i + 1)
				fill(i + 1)
			}
		}
	}
	fill(0)
}

// transpose exchanges rows and columns.
func transpose(m *[64]uint64) {
	mask := uint64(1)<<32 - 1
	for j := 32; j > 0; j /= 2 {
		for k := 0; k < 64; k = (k + j + 1) &^ j {
			t := (m[k]>>j ^ m[k+j]) & mask
			m[k] ^= t << j
			m[k+j] ^= t
		}
		mask ^= mask << (j / 2)
	}
}

// of are the states in which the formula is true of some elements.
func (t *table) of(places []int, elements []uint8) []uint64 {
	at := 0
	for i, p := range places {
		at = at*t.sizes[i] + int(elements[p])
	}
	return t.bits[at]
}

// tables returns the tables of a prefix's atoms, with all states of the sample.
func (p *prover) tables(x *prefix, s *sample) []*table {
	out := make([]*table, len(x.atoms))
	for k := range x.atoms {
		a := &x.atoms[k]
		t := s.tables[a.kind]
		if t == nil {
			t = &table{}
			of := p.kinds[a.kind]
			tuples := 1
			for _, v := range of.vars {
				n := s.Sizes[v.Sort.Index]
				t.sizes = append(t.sizes, n)
				tuples *= n
			}
			t.bits = make([][]uint64, tuples)
			t.formula = s.Compile(of.t, of.vars)
			s.tables[a.kind] = t
		}
		out[k] = t
		t.fill(s)
	}
	return out
}

// fill adds states that are new.
func (t *table) fill(s *sample) {
	elements := make([]uint8, len(t.sizes))
	for ; t.states < len(s.states); t.states++ {
		word, bit := t.states/64, uint64(1)<<(t.states%64)
		for tuple := range t.bits {
			rest := tuple
			for i := len(elements) - 1; i >= 0; i-- {
				elements[i] = uint8(rest % t.sizes[i])
				rest /= t.sizes[i]
			}
			if word == len(t.bits[tuple]) {
				t.bits[tuple] = append(t.bits[tuple], 0)
			}
			t.bits[tuple][word] &^= bit
			if s.worker.Holds(t.formula, s.states[t.states], elements) {
				t.bits[tuple][word] |= bit
			}
		}
	}
}

// candidate is a clause that is false in a state and in none of the samples.
type candidate struct {
	x     *prefix
	atoms []int
	signs []bool // of each: the literal is the atom, not its negation
	cost  int
}

const (
	mostNodes = 20_000 // of a search
	wanted    = 40     // candidates of a search
)

// target is a row that clauses are to be false in, and of which rows of samples it is known how they differ.
type target struct {
	row   []uint64
	least [][]uint64
}

// separate looks for the cheapest clauses that are false in a state and true of all samples, up to the cost at hand.
func (p *prover) separate(ctx context.Context, s *sample, state finite.State) (list []candidate) {
	at := map[*prefix][]*target{} // rows of the state that are none of the samples
	s.ask(state)
	defer s.cut(len(s.states) - 1)
	for cost := 1; cost <= p.at.cost && len(list) == 0; cost++ {
		for vars := 0; vars < cost && vars <= p.at.searched; vars++ {
			for _, x := range p.prefixes(vars) {
				if len(x.atoms) == 0 || ctx.Err() != nil {
					continue
				}
				mine, known := at[x]
				if !known {
					p.refresh(x)
					tried := map[uint64]bool{}
					p.rows(x, s, s.known(), len(s.states), func(row []uint64) {
						key := rowHash(row)
						if !x.real.seen[key] && !x.assumed.seen[key] && !tried[key] {
							tried[key] = true
							own := slices.Clone(row)
							mine = append(mine, &target{own, x.nearest(own)})
						}
					})
					at[x] = mine
				}
				for _, t := range mine {
					list = append(list, x.hit(t, cost-vars)...)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(a.cost-b.cost, len(a.atoms)-len(b.atoms))
	})
	return list
}

// firstRows is how many rows a search begins with: those that are most like the one at hand.
const firstRows = 60

// nearest lists the rows that differ least from one, as what differs.
func (x *prefix) nearest(row []uint64) (list [][]uint64) {
	var count [64*16 + 1]int
	far := func(r []uint64) (n int) {
		for i, w := range r {
			n += bits.OnesCount64(w ^ row[i])
		}
		return min(n, len(count)-1)
	}
	for _, l := range [][][]uint64{x.real.list, x.assumed.list} {
		for _, r := range l {
			count[far(r)]++
		}
	}
	most, sum := 0, 0
	for ; most < len(count)-1 && sum+count[most] < firstRows; most++ {
		sum += count[most]
	}
	for _, l := range [][][]uint64{x.real.list, x.assumed.list} {
		for _, r := range l {
			if far(r) <= most && len(list) < 2*firstRows {
				list = append(list, x.differs(r, row))
			}
		}
	}
	return list
}

func (x *prefix) differs(r, row []uint64) []uint64 {
	d := make([]uint64, len(r))
	for i := range r {
		d[i] = r[i] ^ row[i]
	}
	return d
}

// missed returns a row that is as the given one in all chosen atoms, or nil.
func (x *prefix) missed(row, chosen []uint64) []uint64 {
	for _, l := range [][][]uint64{x.real.list, x.assumed.list} {
		for _, r := range l {
			hit := false
			for i, w := range r {
				if hit = (w^row[i])&chosen[i] != 0; hit {
					break
				}
			}
			if !hit {
				return x.differs(r, row)
			}
		}
	}
	return nil
}

// hit looks for sets of atoms such that each row has one that differs from the given row: clauses of what is not so
// there.
func (x *prefix) hit(t *target, most int) (out []candidate) {
	row := t.row
	all := uint64(1)<<len(x.vars) - 1
	chosen := make([]uint64, len(row))
	banned := make([]uint64, len(row))
	var set []int
	nodes := 0
	var search func(left int)
	search = func(left int) {
		if nodes++; nodes > mostNodes || len(out) >= wanted {
			return
		}
		var open []uint64
		fewest := 1 << 30
		for _, d := range t.least {
			hit, n := false, 0
			for i := range d {
				hit = hit || d[i]&chosen[i] != 0
				n += bits.OnesCount64(d[i] &^ banned[i])
			}
			if hit {
				continue
			}
			if n < fewest {
				open, fewest = d, n
			}
			if n == 0 {
				return
			}
		}
		if open == nil {
			if open = x.missed(row, chosen); open != nil {
				t.least = append(t.least, open)
			}
		}
		if open == nil {
			var uses uint64
			for _, a := range set {
				uses |= x.atoms[a].uses
			}
			if uses == all && x.minimal(set, t.least) {
				c := candidate{x: x, atoms: slices.Sorted(slices.Values(set)), cost: len(x.vars)}
				for _, a := range c.atoms {
					c.cost += x.atoms[a].cost
					c.signs = append(c.signs, row[a/64]>>(a%64)&1 == 0)
				}
				out = append(out, c)
			}
			return
		}
		var mine []int
		for a := range x.atoms {
			bit := uint64(1) << (a % 64)
			if open[a/64]&bit == 0 || banned[a/64]&bit != 0 || x.atoms[a].cost > left {
				continue
			}
			chosen[a/64] |= bit
			set = append(set, a)
			search(left - x.atoms[a].cost)
			set = set[:len(set)-1]
			chosen[a/64] &^= bit
			banned[a/64] |= bit
			mine = append(mine, a)
		}
		for _, a := range mine {
			banned[a/64] &^= 1 << (a % 64)
		}
	}
	search(most)
	return out
}

// minimal reports whether each atom of a set is needed.
func (x *prefix) minimal(set []int, rows [][]uint64) bool {
	for _, a := range set {
		needed := false
		for _, d := range rows {
			alone := d[a/64]>>(a%64)&1 == 1
			for _, b := range set {
				alone = alone && (a == b || d[b/64]>>(b%64)&1 == 0)
			}
			if needed = alone; needed {
				break
			}
		}
		if !needed {
			return false
		}
	}
	return true
}

// clause is a lemma as it is generalised: literals, and variables that are different.
type clause struct {
	vars     []*fol.Var
	literals []*fol.Term
	apart    [][2]*fol.Var
}

func (c *candidate) clause() clause {
	out := clause{vars: c.x.vars}
	for i, a := range c.atoms {
		t := c.x.atoms[a].t
		if !c.signs[i] {
			t = fol.Neg(t)
		}
		out.literals = append(out.literals, t)
	}
	for i, v := range out.vars {
		for _, w := range out.vars[:i] {
			if v.Sort == w.Sort {
				out.apart = append(out.apart, [2]*fol.Var{w, v})
			}
		}
	}
	return out
}

func (c clause) term() *fol.Term {
	list := lists.Map(c.apart, func(pair [2]*fol.Var) *fol.Term { return fol.Eq(fol.V(pair[0]), fol.V(pair[1])) })
	list = append(list, c.literals...)
	return fol.ForAll(c.vars, fol.Any(list...))
}

// key is the same of clauses that differ by the names of variables and the order of what they say.
func (c clause) key() string {
	sorts := lists.Map(c.vars, func(v *fol.Var) string { return letter(v.Sort) })
	return rows.Key(sorts, func(names []string) []string {
		with := map[*fol.Var]*fol.Term{}
		for i, v := range c.vars {
			with[v] = fol.V(&fol.Var{Name: names[i], Sort: v.Sort})
		}
		said := lists.Map(c.literals, func(t *fol.Term) string { return t.Substitute(with).String() })
		for _, pair := range c.apart {
			a, b := with[pair[0]].String(), with[pair[1]].String()
			said = append(said, min(a, b)+" = "+max(a, b))
		}
		return said
	})
}

// alone reports whether a sort has one element in all samples: two of it are the same.
func (p *prover) alone(s *fol.Sort) bool {
	return !slices.ContainsFunc(p.samples, func(x *sample) bool { return x.Sizes[s.Index] > 1 })
}

// general drops what a clause says more than it has to, as far as the samples agree: that variables are different, and
// that places have the same variable.
func (p *prover) general(c clause) clause {
	c.apart, _ = lists.Needed(c.apart, func(less [][2]*fol.Var) (bool, error) {
		return p.holds(clause{c.vars, c.literals, less}.term()), nil
	})
	for again := true; again && len(c.vars) < p.at.vars; {
		again = false
		for _, v := range c.vars {
			for l, t := range c.literals {
				if !slices.Contains(t.Free(), v) || again || p.alone(v.Sort) {
					continue
				}
				n := 0
				for _, u := range c.literals {
					u.Visit(func(u *fol.Term) bool {
						if u.Op == fol.Use && u.Vars[0] == v {
							n++
						}
						return true
					})
				}
				if n < 2 {
					continue
				}
				for k := 0; ; k++ { // the k-th place in this literal
					fresh := &fol.Var{Name: "X" + letter(v.Sort), Sort: v.Sort}
					for slices.ContainsFunc(c.vars, func(w *fol.Var) bool { return w.Name == fresh.Name }) {
						fresh.Name += "x"
					}
					at := 0
					put := t.Map(func(u *fol.Term) *fol.Term {
						if u.Op != fol.Use || u.Vars[0] != v {
							return u
						}
						if at++; at-1 == k {
							return fol.V(fresh)
						}
						return u
					})
					if at <= k {
						break
					}
					less := c
					less.vars = append(slices.Clone(c.vars), fresh)
					less.literals = slices.Clone(c.literals)
					less.literals[l] = put
					if p.holds(less.term()) {
						c, again = less, true
						break
					}
				}
			}
		}
	}
	return c
}
