package promela

import (
	"maps"
	"slices"
)

// A counter may be one that steps make larger, or smaller, by numbers: such variables are found in the text. Those that
// are compared with parameters or shared variables are counters at once; others if they take many values.

// manyValues is how many values a variable that grows takes as control.
const manyValues = 40

// growing lists the variables that steps may change by a number, again and again, and of these the ones that are
// compared with something that is not a number.
func (m *Model) growing() (grows, compared map[int]bool) {
	g := growth{m: m, flow: map[[2]int]bool{}}
	for s := range all(bodies(m.Loop)) {
		switch {
		case s.Cond != nil:
			g.compares(s.Cond)
		case s.Assume != nil:
			g.compares(&s.Assume.Expr)
		case s.Set != nil:
			g.assigns(s.Set)
		}
	}
	for _, e := range m.said() {
		g.compares(e)
	}
	n := len(m.Locals)
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
		for j := range n {
			_, reach[i][j] = g.flow[[2]int{i, j}]
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	grows, compared = map[int]bool{}, map[int]bool{}
	for edge, changes := range g.flow {
		if !changes || !reach[edge[1]][edge[0]] && edge[0] != edge[1] {
			continue
		}
		for k := range n { // the whole circle
			if k == edge[0] || reach[edge[0]][k] && reach[k][edge[0]] {
				grows[k] = true
				for _, other := range g.measured {
					if other == k || reach[other][k] && reach[k][other] {
						compared[k] = true
					}
				}
			}
		}
	}
	return grows, compared
}

type growth struct {
	m        *Model
	flow     map[[2]int]bool // from one variable to another: whether changed on the way
	measured []int           // compared with parameters or shared variables
}

func (g *growth) assigns(a *Assign) {
	to := g.m.symbols[a.Name.Name]
	if to.kind != local {
		return
	}
	if a.Value == nil {
		g.flow[[2]int{to.index, to.index}] = true
		return
	}
	for from := range g.mentions(a.Value, local) {
		edge := [2]int{from, to.index}
		g.flow[edge] = g.flow[edge] || a.Value.Op != Name
	}
}

// mentions lists the variables of a kind in an expression.
func (g *growth) mentions(e *Expr, want kind) map[int]bool {
	out := map[int]bool{}
	for e := range e.all() {
		if s, known := g.m.symbols[e.Name]; e.Op == Name && known && s.kind == want {
			out[s.index] = true
		}
	}
	return out
}

func (g *growth) compares(e *Expr) {
	for e := range e.all() {
		switch e.Op {
		case "==", "!=", "<", "<=", ">", ">=":
			if len(g.mentions(e, param))+len(g.mentions(e, shared)) > 0 {
				g.measured = slices.AppendSeq(g.measured, maps.Keys(g.mentions(e, local)))
			}
		}
	}
}
