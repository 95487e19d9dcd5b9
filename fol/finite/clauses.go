package finite

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt/sat"
)

// Clauses are an instance as clauses: a state, a step, and the state after it, all unknown. What is
// asked is said by assumptions.
type Clauses struct {
	*Instance
	solver  *sat.Solver
	yes     sat.Lit
	cells   [2][]element // of the state before the step, and of the state after it
	step    sat.Lit      // there is a step
	initial sat.Lit      // the state is one to begin in
	chosen  []sat.Lit    // it is this transition
	params  [][]element
	gates   map[[2]sat.Lit]sat.Lit
}

// element is which element it is: a literal for each.
type element []sat.Lit

// NewClauses makes the clauses of an instance.
func (x *Instance) NewClauses() *Clauses {
	c := &Clauses{Instance: x, solver: sat.New(), gates: map[[2]sat.Lit]sat.Lit{}}
	c.yes = c.solver.Var()
	c.solver.Add(c.yes)
	for k := range c.cells {
		for cell := range x.Cells {
			if k == 1 && !x.System.Symbols[x.symbol[cell]].Mutable {
				c.cells[k] = append(c.cells[k], c.cells[0][cell])
				continue
			}
			c.cells[k] = append(c.cells[k], c.oneOf(x.widths[cell], x.System.Symbols[x.symbol[cell]].Result == nil))
		}
	}
	c.step, c.initial = c.solver.Var(), c.solver.Var()
	for _, a := range x.axioms {
		c.solver.Add(c.formula(a, nil))
	}
	for _, a := range x.init {
		c.solver.Add(c.initial.Not(), c.formula(a, nil))
	}
	any := []sat.Lit{c.step.Not()}
	for _, t := range x.steps {
		chosen := c.solver.Var()
		env := lists.Map(t.sizes, func(n int) element { return c.oneOf(n, false) })
		for _, list := range t.guards {
			for _, g := range list {
				c.solver.Add(chosen.Not(), c.formula(g, env))
			}
		}
		for _, p := range t.posts {
			c.solver.Add(chosen.Not(), c.formula(p, env))
		}
		for cell := range x.Cells {
			if x.System.Symbols[x.symbol[cell]].Mutable && !slices.Contains(t.free, cell) {
				for v := range c.cells[0][cell] {
					c.solver.Add(chosen.Not(), c.cells[0][cell][v].Not(), c.cells[1][cell][v])
					c.solver.Add(chosen.Not(), c.cells[0][cell][v], c.cells[1][cell][v].Not())
				}
			}
		}
		c.chosen, c.params, any = append(c.chosen, chosen), append(c.params, env), append(any, chosen)
	}
	c.solver.Add(any...)
	return c
}

// oneOf makes an unknown element; for a formula, the values are false and true.
func (c *Clauses) oneOf(n int, formula bool) element {
	if formula {
		l := c.solver.Var()
		return element{l.Not(), l}
	}
	if n == 1 {
		return element{c.yes}
	}
	out := make(element, n)
	for i := range out {
		out[i] = c.solver.Var()
	}
	c.solver.Add(out...)
	for i := range out {
		for j := range i {
			c.solver.Add(out[i].Not(), out[j].Not())
		}
	}
	return out
}

func (c *Clauses) constant(v, n int) element {
	out := make(element, n)
	for i := range out {
		out[i] = c.yes.Not()
	}
	out[v] = c.yes
	return out
}

func (c *Clauses) and(a, b sat.Lit) sat.Lit {
	switch no := c.yes.Not(); {
	case a == no || b == no || a == b.Not():
		return no
	case a == c.yes || a == b:
		return b
	case b == c.yes:
		return a
	}
	if a > b {
		a, b = b, a
	}
	key := [2]sat.Lit{a, b}
	if g, is := c.gates[key]; is {
		return g
	}
	g := c.solver.Var()
	c.solver.Add(g.Not(), a)
	c.solver.Add(g.Not(), b)
	c.solver.Add(g, a.Not(), b.Not())
	c.gates[key] = g
	return g
}

func (c *Clauses) or(a, b sat.Lit) sat.Lit { return c.and(a.Not(), b.Not()).Not() }

// all is the conjunction of literals.
func (c *Clauses) all(list []sat.Lit) sat.Lit {
	list = slices.Clone(list)
	slices.Sort(list)
	list = slices.Compact(list)
	out := list[:0]
	for i, l := range list {
		if l == c.yes.Not() || i > 0 && l == list[i-1].Not() {
			return c.yes.Not()
		}
		if l != c.yes {
			out = append(out, l)
		}
	}
	switch len(out) {
	case 0:
		return c.yes
	case 1:
		return out[0]
	case 2:
		return c.and(out[0], out[1])
	}
	g := c.solver.Var()
	long := []sat.Lit{g}
	for _, l := range out {
		c.solver.Add(g.Not(), l)
		long = append(long, l.Not())
	}
	c.solver.Add(long...)
	return g
}

// Numbered leaves out states before the step that are others but for how the elements of a sort are numbered: of two
// that differ by exchanging an element and the next, the one that is greater. Whatever is asked then must not tell
// elements apart.
func (c *Clauses) Numbered() {
	fixed := []int{} // what never changes first: that decides most
	for _, mutable := range []bool{false, true} {
		for cell := range c.Cells {
			if c.System.Symbols[c.symbol[cell]].Mutable == mutable {
				fixed = append(fixed, cell)
			}
		}
	}
	for s, n := range c.Sizes {
		for a := range n - 1 {
			c.inOrder(fixed, s, a)
		}
	}
}

// inOrder says that the state, as a list of cells, is not greater than with an element of a sort and the next one
// exchanged.
func (c *Clauses) inOrder(cells []int, sort, first int) {
	swapped := func(s *fol.Sort, v int) int {
		if s == nil || s.Index != sort || v != first && v != first+1 {
			return v
		}
		return 2*first + 1 - v
	}
	same := c.yes // so far
	for _, cell := range cells {
		symbol, args := c.atom(cell)
		for i, s := range symbol.Args {
			args[i] = swapped(s, args[i])
		}
		one, other := c.cells[0][cell], c.cells[0][c.at(symbol, args)]
		var equal, greater []sat.Lit
		for v := range one {
			for w := range other {
				switch both := c.and(one[v], other[w]); {
				case v == swapped(symbol.Result, w):
					equal = append(equal, both.Not())
				case v > swapped(symbol.Result, w):
					greater = append(greater, both)
				}
			}
		}
		for _, g := range greater {
			c.solver.Add(same.Not(), g.Not())
		}
		if same = c.and(same, c.all(equal).Not()); same == c.yes.Not() {
			return
		}
	}
}

// formula is a literal that says the same.
func (c *Clauses) formula(n *node, env []element) sat.Lit {
	switch n.op {
	case fol.Apply:
		return c.apply(n, env)[1]
	case fol.And, fol.Or:
		var list []sat.Lit
		for _, a := range n.args {
			l := c.formula(a, env)
			if n.op == fol.Or {
				l = l.Not()
			}
			list = append(list, l)
		}
		if n.op == fol.Or {
			return c.all(list).Not()
		}
		return c.all(list)
	case fol.Not:
		return c.formula(n.args[0], env).Not()
	case fol.Implies:
		a := c.formula(n.args[0], env)
		if a == c.yes.Not() {
			return c.yes
		}
		return c.or(a.Not(), c.formula(n.args[1], env))
	case fol.Iff:
		a, b := c.formula(n.args[0], env), c.formula(n.args[1], env)
		return c.and(c.or(a.Not(), b), c.or(a, b.Not()))
	case fol.Equal:
		a, b := c.element(n.args[0], env), c.element(n.args[1], env)
		out := c.yes.Not()
		for i := range a {
			out = c.or(out, c.and(a[i], b[i]))
		}
		return out
	case fol.If:
		if n.args[1].op == fol.Use {
			break
		}
		a := c.formula(n.args[0], env)
		return c.and(c.or(a.Not(), c.formula(n.args[1], env)), c.or(a, c.formula(n.args[2], env)))
	}
	var list []sat.Lit
	c.eachOf(n, env, func(env []element) {
		l := c.formula(n.args[0], env)
		if n.op == fol.Exists {
			l = l.Not()
		}
		list = append(list, l)
	})
	if n.op == fol.Exists {
		return c.all(list).Not()
	}
	return c.all(list)
}

func (c *Clauses) eachOf(n *node, env []element, f func([]element)) {
	env = slices.Clone(env)
	for len(env) <= n.slots[len(n.slots)-1] {
		env = append(env, nil)
	}
	var from func(i int)
	from = func(i int) {
		if i == len(n.slots) {
			f(env)
			return
		}
		for v := range n.sizes[i] {
			env[n.slots[i]] = c.constant(v, n.sizes[i])
			from(i + 1)
		}
	}
	from(0)
}

// element says which element a node is.
func (c *Clauses) element(n *node, env []element) element {
	switch n.op {
	case fol.Use:
		return env[n.slots[0]]
	case fol.Apply:
		return c.apply(n, env)
	}
	is := c.formula(n.args[0], env)
	a, b := c.element(n.args[1], env), c.element(n.args[2], env)
	out := make(element, len(a))
	for i := range out {
		out[i] = c.or(c.and(is, a[i]), c.and(is.Not(), b[i]))
	}
	return out
}

// apply is the value of what is applied: false and true of a relation.
func (c *Clauses) apply(n *node, env []element) element {
	args := lists.Map(n.args, func(a *node) element { return c.element(a, env) })
	state := c.cells[0]
	if n.next {
		state = c.cells[1]
	}
	out := make(element, n.width)
	for i := range out {
		out[i] = c.yes.Not()
	}
	var from func(i, at int, so sat.Lit)
	from = func(i, at int, so sat.Lit) {
		if so == c.yes.Not() {
			return
		}
		if i == len(args) {
			for v, l := range state[n.first+at] {
				out[v] = c.or(out[v], c.and(so, l))
			}
			return
		}
		for v, l := range args[i] {
			from(i+1, at*n.dims[i]+v, c.and(so, l))
		}
	}
	from(0, 0, c.yes)
	return out
}

// Before is a literal that says that a formula is true of the state, After of the state after the step.
func (c *Clauses) Before(t *fol.Term) sat.Lit { return c.formula(c.compile(t, nil), nil) }
func (c *Clauses) After(t *fol.Term) sat.Lit  { return c.formula(c.compile(t.After(), nil), nil) }

// Takes is a literal that says that the step is one of a transition.
func (c *Clauses) Takes(t *fol.Transition) sat.Lit {
	return c.chosen[slices.Index(c.System.Transitions, t)]
}

// Begin looks for a state to begin in in which literals are true.
func (c *Clauses) Begin(ctx context.Context, lits ...sat.Lit) (s State, ok bool) {
	sat, ok := c.solver.Solve(ctx, append([]sat.Lit{c.initial, c.step.Not()}, lits...)...)
	if sat {
		s = c.state(0)
	}
	return s, ok
}

// Consistent reports whether a state satisfies the axioms.
func (c *Clauses) Consistent(ctx context.Context) bool {
	sat, _ := c.solver.Solve(ctx, c.initial.Not(), c.step.Not())
	return sat
}

// Move is a step that was found.
type Move struct {
	Before, After State
	Step          Step
}

// Move looks for a step that makes literals true; if there is none, Failed lists some that cannot be true together.
func (c *Clauses) Move(ctx context.Context, lits ...sat.Lit) (m *Move, ok bool) {
	sat, ok := c.solver.Solve(ctx, append([]sat.Lit{c.initial.Not(), c.step}, lits...)...)
	if !sat {
		return nil, ok
	}
	m = &Move{Before: c.state(0), After: c.state(1)}
	for i, l := range c.chosen {
		if c.solver.True(l) {
			m.Step.Transition = i
			for _, p := range c.params[i] {
				m.Step.Params = append(m.Step.Params, c.which(p))
			}
			break
		}
	}
	return m, true
}

// Failed lists literals that cannot all be true.
func (c *Clauses) Failed() []sat.Lit { return c.solver.Failed() }

func (c *Clauses) which(e element) int {
	return slices.IndexFunc(e, c.solver.True)
}

func (c *Clauses) state(k int) (s State) {
	for _, e := range c.cells[k] {
		s = append(s, uint8(c.which(e)))
	}
	return s
}

// are says that the state before the step (0), or after it (1), is this one.
func (c *Clauses) are(k int, s State) (lits []sat.Lit) {
	for i, v := range s {
		lits = append(lits, c.cells[k][i][v])
	}
	return lits
}
