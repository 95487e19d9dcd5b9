package counter

import (
	"slices"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Duty says when processes at some locations rest, if all that is sure to arrive has arrived: in one of some cases, in
// each of which sums are at least 0. Else they do, sooner or later, what fairness asks for.
type Duty struct {
	At    []int
	Rests [][]Sum // without cases, they never rest
}

// maxAlternatives bounds the cases of what fairness is on cycles.
const maxAlternatives = 32

// Fairness is what fair runs come to: all duties are done; nil if there are none.
//
// A process that comes and goes need not do what it could do in between. If no process is at the other locations of the
// cycle eventually, none comes and goes. Less is asked of runs where that would be too many cases.
func (f *Form) Fairness(o syntax.Origin) *syntax.Expr {
	var always, come []*syntax.Expr // of those on cycles
	cycles := f.Cycles()
	alternatives := 1
	for _, d := range f.Duties {
		done := f.Present(o, d.At, false)
		if len(d.Rests) > 0 {
			done = o.Or(done, f.Cases(o, d.Rests))
		}
		if len(d.At) > 1 || len(cycles[d.At[0]]) == 0 {
			always = append(always, done)
		} else if alternatives *= 2; alternatives <= maxAlternatives {
			come = append(come, o.Or(o.Op(syntax.Globally, o.Op(syntax.Finally, f.Present(o, cycles[d.At[0]], true))),
				o.Op(syntax.Finally, o.Op(syntax.Globally, done))))
		}
	}
	if always != nil {
		come = append([]*syntax.Expr{o.Op(syntax.Finally, o.Op(syntax.Globally, o.And(always...)))}, come...)
	}
	if come == nil {
		return nil
	}
	return o.And(come...)
}

// Cycles lists, by location, the others from which and to which there are moves.
func (f *Form) Cycles() [][]int {
	g := simple.NewDirectedGraph()
	for i := range f.Locations {
		g.AddNode(simple.Node(i))
	}
	for _, m := range f.Moves {
		if m.From != m.To {
			g.SetEdge(g.NewEdge(simple.Node(m.From), simple.Node(m.To)))
		}
	}
	out := make([][]int, len(f.Locations))
	for _, c := range topo.TarjanSCC(g) {
		for _, a := range c {
			for _, b := range c {
				if a.ID() != b.ID() {
					out[a.ID()] = append(out[a.ID()], int(b.ID()))
				}
			}
			slices.Sort(out[a.ID()])
		}
	}
	return out
}

// Present says that a process is at some locations, or that none is.
func (f *Form) Present(o syntax.Origin, locations []int, some bool) *syntax.Expr {
	return present(o, lists.Map(locations, func(l int) string { return f.Locations[l].Name }), some)
}

// present says that a process is at locations of some names, or that none is.
func present(o syntax.Origin, names []string, some bool) *syntax.Expr {
	is := map[bool]syntax.Op{false: syntax.Eq, true: syntax.Ne}[some]
	parts := lists.Map(names, func(n string) *syntax.Expr { return o.Op(is, o.Name(n), o.Int(0)) })
	if some {
		return o.Or(parts...)
	}
	return o.And(parts...)
}

// Cases says that in one of some cases, sums are at least 0.
func (f *Form) Cases(o syntax.Origin, list [][]Sum) *syntax.Expr {
	var parts []*syntax.Expr
	counts := func(l Sum) bool { return !l.IsConst() && !l.Has(func(q Quantity) bool { return q.Kind != At }) }
	for _, c := range list {
		if slices.ContainsFunc(c, func(l Sum) bool { return counts(l) && Trivial(l.Complement()) }) {
			continue
		}
		said := slices.DeleteFunc(slices.Clone(c), func(l Sum) bool { return counts(l) && Trivial(l) })
		parts = append(parts, f.allAtLeast0(o, said))
	}
	return o.Or(parts...)
}
