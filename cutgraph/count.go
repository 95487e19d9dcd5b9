package cutgraph

import (
	"context"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
)

// Counting lasso shapes without enumerating them.
//
// Cut points and thresholds constrain each other only through the loop start. A shape is therefore an ordering of the
// cut points (a linear extension of their forest), an ordering of the thresholds that flip before the loop (a prefix of
// a linear extension), and a way to interleave the two. With m cut points, e orderings of them, and h(j) prefixes of j
// thresholds, there are
//
//	sum over j of  e * h(j) * C(j+m, m)
//
// shapes; if the graph is finite the last vertex must be a cut point, which leaves C(j+m-1, m-1) interleavings.
//
// The h(j) come from dynamic programming over the sets of elements that are left (the complements of down-sets): a set
// that falls apart into unrelated parts is counted part by part, and a connected one by which element comes first.
// Antichains, forests and chains cost little; in the worst case the sets are exponential in the number of thresholds,
// hence maxSets.

// maxSets bounds the sets that counting remembers, to a few hundred megabytes.
const maxSets = 1 << 17

// Count returns the number of lasso shapes, or nil if counting them takes too much memory, or ctx ends.
func (g *Graph) Count(ctx context.Context) *big.Int {
	w := g.Start()
	w.Until(ctx)
	return w.Remaining()
}

// Until has Remaining give up when ctx ends.
func (w *Walker) Until(ctx context.Context) {
	w.remaining.cuts.ctx, w.remaining.flips.ctx = ctx, ctx
}

// counter counts orderings of what is left of a graph, and remembers them.
type counter struct {
	g     *Graph
	cuts  *poset
	flips *poset
}

func newCounter(g *Graph) *counter {
	cuts := make([][]int, len(g.Cuts))
	for i, parent := range g.Parent {
		if parent >= 0 {
			cuts[i] = []int{parent}
		}
	}
	flips := lists.Map(g.Thresholds, func(c Class) []int { return c.Requires })
	return &counter{g, newPoset(cuts), newPoset(flips)}
}

func (c *counter) shapes(cutDone, flipDone []bool, inLoop bool) *big.Int {
	cuts, flips := left(cutDone), left(flipDone)
	m := int64(len(cuts))
	if inLoop || c.g.Finite && m == 0 {
		return big.NewInt(1)
	}
	orders, prefixes := c.cuts.prefixes(cuts), c.flips.prefixes(flips)
	if orders == nil || prefixes == nil {
		return nil
	}
	sum := new(big.Int)
	for j, h := range prefixes {
		ways := new(big.Int)
		if c.g.Finite {
			ways.Binomial(int64(j)+m-1, m-1)
		} else {
			ways.Binomial(int64(j)+m, m)
		}
		sum.Add(sum, ways.Mul(ways, h))
	}
	return sum.Mul(sum, orders[m])
}

func left(done []bool) []int {
	var list []int
	for i, d := range done {
		if !d {
			list = append(list, i)
		}
	}
	return list
}

// poset is a partial order on 0..n-1: before[i] lists elements that come
// before i (not necessarily all of them: it is closed transitively).
type poset struct {
	before [][]int
	linked [][]bool // comparable pairs
	memo   map[string][]*big.Int
	ctx    context.Context // may be nil
	looks  int             // since ctx was looked at
}

// over reports whether counting has to be given up.
func (p *poset) over() bool {
	if len(p.memo) > maxSets {
		return true
	}
	p.looks++
	if p.ctx == nil || p.looks < 256 {
		return false
	}
	if p.ctx.Err() != nil { // and it stays so
		return true
	}
	p.looks = 0
	return false
}

func newPoset(before [][]int) *poset {
	n := len(before)
	p := &poset{before: before, linked: make([][]bool, n), memo: map[string][]*big.Int{}}
	for i := range before {
		p.linked[i] = make([]bool, n)
	}
	for i, list := range before {
		for _, j := range list {
			p.linked[i][j], p.linked[j][i] = true, true
		}
	}
	return p
}

// prefixes returns, for every j, the number of sequences of j elements of set in which each element comes after those
// of set that are before it; nil if there are too many sets to remember. The set is sorted, and closed upwards: it is
// what is left when a down-set is taken away.
func (p *poset) prefixes(set []int) []*big.Int {
	if len(set) == 0 {
		return []*big.Int{big.NewInt(1)}
	}
	key := setKey(set)
	if known, ok := p.memo[key]; ok {
		return known
	}
	if p.over() {
		return nil
	}
	var out []*big.Int
	if parts := p.parts(set); len(parts) > 1 {
		out = []*big.Int{big.NewInt(1)}
		for _, part := range parts {
			out = shuffle(out, p.prefixes(part))
		}
	} else {
		out = p.byFirst(set)
	}
	p.memo[key] = out
	return out
}

// byFirst counts by the first element: h(j) is the sum of h(j-1) over what every minimal element leaves.
func (p *poset) byFirst(set []int) []*big.Int {
	out := make([]*big.Int, len(set)+1)
	for j := range out {
		out[j] = new(big.Int)
	}
	out[0].SetInt64(1)
	in := map[int]bool{}
	for _, i := range set {
		in[i] = true
	}
	for at, i := range set {
		if slices.ContainsFunc(p.before[i], func(j int) bool { return in[j] }) {
			continue
		}
		rest := append(append([]int(nil), set[:at]...), set[at+1:]...)
		tail := p.prefixes(rest)
		if tail == nil {
			return nil
		}
		for j, h := range tail {
			out[j+1].Add(out[j+1], h)
		}
	}
	return out
}

// parts splits a sorted set into the connected components of comparability.
func (p *poset) parts(set []int) [][]int {
	part := make([]int, len(set)) // index of set -> component
	for i := range part {
		part[i] = -1
	}
	var parts [][]int
	for start := range set {
		if part[start] >= 0 {
			continue
		}
		c := len(parts)
		part[start] = c
		for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
			for k := range set {
				if part[k] < 0 && p.linked[set[queue[0]]][set[k]] {
					part[k] = c
					queue = append(queue, k)
				}
			}
		}
		parts = append(parts, nil)
	}
	for k, i := range set {
		parts[part[k]] = append(parts[part[k]], i)
	}
	return parts
}

// shuffle counts prefixes of two unrelated orders: those of length j consist
// of i elements of one and j-i of the other, interleaved.
func shuffle(a, b []*big.Int) []*big.Int {
	if a == nil || b == nil {
		return nil
	}
	out := make([]*big.Int, len(a)+len(b)-1)
	for j := range out {
		out[j] = new(big.Int)
	}
	var ways big.Int
	for i, x := range a {
		for k, y := range b {
			ways.Binomial(int64(i+k), int64(i))
			ways.Mul(&ways, x)
			out[i+k].Add(out[i+k], ways.Mul(&ways, y))
		}
	}
	return out
}

func setKey(set []int) string {
	key := make([]byte, 0, 2*len(set))
	for _, i := range set {
		key = append(key, byte(i), byte(i>>8))
	}
	return string(key)
}
