package promela

import (
	"maps"
	"slices"

	"github.com/tacheck/tacheck/promela/pml"
)

// A counter may be one that steps make larger, or smaller, by numbers: such variables are found in the text. Those that
// are compared with parameters or shared variables are counters at once; others if they take many values.

// ManyValues is how many values a variable that grows takes as control.
const ManyValues = 40

// Growing lists the variables that steps may change by a number, again and again, and of these the ones that are
// compared with something that is not a number.
func (m *Model) Growing() (grows, compared map[int]bool) {
	g := growth{m: m, flow: map[[2]int]bool{}}
	for s := range All(Bodies(m.Loop)) {
		switch {
		case s.Asks() != nil:
			g.compares(s.Asks())
		case s.Set != nil:
			g.assigns(s.Set)
		}
	}
	for _, e := range m.Said() {
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

func (g *growth) assigns(a *pml.Assign) {
	to := g.m.Symbols[a.Name.Name]
	if to.Kind != LocalName {
		return
	}
	if a.Value == nil {
		g.flow[[2]int{to.Index, to.Index}] = true
		return
	}
	for from := range g.mentions(a.Value, LocalName) {
		edge := [2]int{from, to.Index}
		g.flow[edge] = g.flow[edge] || a.Value.Op != pml.Name
	}
}

// mentions lists the variables of a kind in an expression, without what has few values whatever they are.
func (g *growth) mentions(e *pml.Expr, want NameKind) map[int]bool {
	out := map[int]bool{}
	var visit func(e *pml.Expr)
	visit = func(e *pml.Expr) {
		few := func(a *pml.Expr) bool { return a.Op == pml.Number && a.Num >= 0 && a.Num < ManyValues }
		if e.Op == "%" && few(e.Args[1]) || e.Op == "&" && slices.ContainsFunc(e.Args, few) {
			return
		}
		if s, known := g.m.Symbols[e.Name]; e.Op == pml.Name && known && s.Kind == want {
			out[s.Index] = true
		}
		for _, a := range e.Args {
			visit(a)
		}
	}
	visit(e)
	return out
}

func (g *growth) compares(e *pml.Expr) {
	for e := range e.All() {
		switch e.Op {
		case "==", "!=", "<", "<=", ">", ">=":
			if len(g.mentions(e, ParamName))+len(g.mentions(e, SharedName)) > 0 {
				g.measured = slices.AppendSeq(g.measured, maps.Keys(g.mentions(e, LocalName)))
			}
		}
	}
}
