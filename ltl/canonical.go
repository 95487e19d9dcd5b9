package ltl

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
)

// Node is a node of a canonical syntax tree (Definition 4.6): the formula
//
//	Prop && F Finally[0] && ... && F Finally[k-1] && G Globally
//
// in canonical form (Definition 4.3): under a Globally node, no child has a Globally part of its own.
//
// Node identifiers are the paper's: the root is 0 (or, if the formula is a single F psi or G psi, the node of that: the
// root has no identifier then); a node w has its proposition at w.0, its Finally children at w.1 ... w.k and its
// Globally child at w.k+1.
type Node struct {
	ID       string
	Prop     *ta.Cond
	Finally  []*Node
	Globally *Node // nil for G true
	Pos      diag.Pos
}

// maxDisjuncts bounds the disjuncts that Canonical makes: each costs a search.
const maxDisjuncts = 1000

// Canonical returns canonical formulas whose disjunction is equivalent to f, as syntax trees. F and GF are distributed
// over ||, G over &&, and GG and FF shrink to one. Its error is a diag.List that points at the subformula outside the
// fragment: one with a temporal operator under || under G.
//
// The number of trees is the product of the disjunctions that stand in conjunctions; over a thousand is an error.
func Canonical(f Formula) ([]*Node, error) {
	trees, err := canonical(f, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range trees {
		t.numberRoot()
	}
	return trees, nil
}

// canonical works bottom-up; under is the innermost G around f, or nil.
func canonical(f Formula, under *Globally) ([]*Node, error) {
	switch f := f.(type) {
	case Prop:
		return []*Node{{Prop: f.Cond, Pos: f.Cond.Pos}}, nil
	case *Or:
		if under != nil {
			var l diag.List
			e := l.Add(f.pos, 1, "outside the fragment: a temporal operator under `||` under `[]`")
			e.Notes = append(e.Notes, diag.Note{Pos: under.pos,
				Msg: "this operator, as it stands in the negated specification, is []"})
			return nil, l
		}
		return canonicalOr(f)
	case *And:
		return canonicalAnd(f, under)
	case *Finally:
		list, err := canonical(f.Arg, nil)
		if err != nil {
			return nil, err
		}
		out := make([]*Node, len(list))
		for i, n := range list {
			if n.Prop.IsTrue() && n.Globally == nil && len(n.Finally) == 1 {
				n = n.Finally[0] // FF
			}
			out[i] = &Node{Prop: ta.True, Finally: []*Node{n}, Pos: f.pos}
		}
		return out, nil
	case *Globally:
		list, err := canonical(f.Arg, f)
		if err != nil {
			return nil, err
		}
		// There may be several disjuncts, from an || under an F under the G: GF distributes over ||.
		out := make([]*Node, len(list))
		for i, n := range list {
			if inner := n.Globally; inner != nil {
				n = merge([]*Node{{Prop: n.Prop, Finally: n.Finally}, inner}, n.Pos) // G(a && G b) = G(a && b)
			}
			out[i] = &Node{Prop: ta.True, Globally: n, Pos: f.pos}
		}
		return out, nil
	}
	panic("ltl: unknown formula")
}

func canonicalOr(f *Or) ([]*Node, error) {
	var out []*Node
	for _, arg := range f.Args {
		list, err := canonical(arg, nil)
		if err != nil {
			return nil, err
		}
		if out = append(out, list...); len(out) > maxDisjuncts {
			return nil, tooMany(f.pos)
		}
	}
	return out, nil
}

func canonicalAnd(f *And, under *Globally) ([]*Node, error) {
	product := [][]*Node{nil}
	for _, arg := range f.Args {
		list, err := canonical(arg, under)
		if err != nil {
			return nil, err
		}
		if len(product)*len(list) > maxDisjuncts {
			return nil, tooMany(f.pos)
		}
		var next [][]*Node
		for _, left := range product {
			for _, right := range list {
				next = append(next, append(left[:len(left):len(left)], right))
			}
		}
		product = next
	}
	out := lists.Map(product, func(nodes []*Node) *Node { return merge(nodes, f.pos) })
	return out, nil
}

// merge returns the conjunction of nodes. Their G-parts become one.
func merge(nodes []*Node, pos diag.Pos) *Node {
	out := &Node{Pos: pos}
	var props []*ta.Cond
	var globals []*Node
	for _, n := range nodes {
		props = append(props, n.Prop)
		out.Finally = append(out.Finally, n.Finally...)
		if n.Globally != nil {
			globals = append(globals, n.Globally)
		}
	}
	out.Prop = ta.And(props...)
	switch len(globals) {
	case 0:
	case 1:
		out.Globally = globals[0]
	default:
		out.Globally = merge(globals, pos)
	}
	return out
}

func tooMany(pos diag.Pos) error {
	return diag.Wrong(pos, 1, "the negated specification has more than %d disjuncts", maxDisjuncts)
}

// numberRoot numbers the tree. If the formula is a single F psi or G psi, the
// paper takes that node for the root; ours is then a nameless root above it.
func (n *Node) numberRoot() {
	id := "0"
	if n.Prop.IsTrue() && (len(n.Finally) == 1) != (n.Globally != nil) && len(n.Finally) <= 1 {
		id = ""
	}
	n.number(id)
}

// number copies what is shared and assigns identifiers.
func (n *Node) number(id string) {
	n.ID = id
	for i, child := range n.Finally {
		c := *child
		c.Finally = append([]*Node(nil), child.Finally...)
		n.Finally[i] = &c
		c.number(childID(id, i+1))
	}
	if n.Globally != nil {
		c := *n.Globally
		c.Finally = append([]*Node(nil), n.Globally.Finally...)
		n.Globally = &c
		c.number(childID(id, len(n.Finally)+1))
	}
}

func childID(parent string, i int) string {
	if parent == "" {
		return "0"
	}
	return fmt.Sprintf("%s.%d", parent, i)
}

// HasGlobally reports whether a G-node occurs in the tree below n: if none does, a finite run can witness the formula.
func (n *Node) HasGlobally() bool {
	if n.Globally != nil {
		return true
	}
	return slices.ContainsFunc(n.Finally, (*Node).HasGlobally)
}

// Invariant returns what must hold from the node's cut point on: the
// proposition of its G-child (prop(psi_k+1) in Definition 4.11), or true.
func (n *Node) Invariant() *ta.Cond {
	if n.Globally == nil {
		return ta.True
	}
	return n.Globally.Prop
}

// Formula returns the formula of the tree.
func (n *Node) Formula() Formula {
	args := []Formula{Prop{n.Prop}}
	for _, c := range n.Finally {
		args = append(args, &Finally{c.Formula(), c.Pos})
	}
	if n.Globally != nil {
		args = append(args, &Globally{n.Globally.Formula(), n.Globally.Pos})
	}
	return junction(true, args, n.Pos)
}

// Events are the nodes whose formulas hold again and again, or at some time, where the tree does: those under F, and
// those under the F of its G.
func (n *Node) Events() []*Node {
	if n.Globally == nil {
		return n.Finally
	}
	return append(n.Finally[:len(n.Finally):len(n.Finally)], n.Globally.Finally...)
}

// Always joins what holds, from some time on, in all configurations of a run that satisfies the tree: all propositions
// under G.
func (n *Node) Always() *ta.Cond {
	parts := []*ta.Cond{n.Invariant()}
	for _, c := range n.Events() {
		parts = append(parts, c.Always())
	}
	return ta.And(parts...)
}
