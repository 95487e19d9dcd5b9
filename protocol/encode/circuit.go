package encode

import (
	"encoding/binary"
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
)

// Lit is a condition: a node of a Circuit, or its negation.
type Lit int32

// The constants. Not(False) is True.
const (
	False Lit = 0
	True  Lit = 1
)

// Not negates a condition.
func (l Lit) Not() Lit { return l ^ 1 }

func (l Lit) node() int { return int(l >> 1) }

type kind uint8

const (
	constant kind = iota
	variable      // of sort Bool
	all           // conjunction of args
	atLeast       // lin >= 0
)

type node struct {
	kind kind
	args []Lit
	v    int
	lin  amount
}

// amount is a sum of integer variables, by their places among those of the circuit.
type amount = linear.Sum[linear.Index]

func number(n int64) amount { return linear.Number[linear.Index](linear.N(n)) }

func of(v int) amount { return linear.Of(linear.Index(v)) }

// Var is a variable of a state, or of what a step chooses.
type Var struct {
	name  string
	Int   bool
	Group int // of variables, exactly one of them true; -1 if it is in none
}

// Circuit holds conditions over variables, each once. It is for one goroutine at a time.
type Circuit struct {
	Vars   []Var
	groups [][]int // variables by group
	nodes  []node
	ids    map[string]Lit
	lits   []Lit // of variables
}

func newCircuit() *Circuit {
	return &Circuit{nodes: []node{{kind: constant}}, ids: map[string]Lit{}}
}

// boolVar adds a variable.
func (c *Circuit) boolVar(name string, group int) int {
	v := len(c.Vars)
	c.Vars = append(c.Vars, Var{name: name, Group: group})
	c.nodes = append(c.nodes, node{kind: variable, v: v})
	c.lits = append(c.lits, Lit(len(c.nodes)-1)<<1)
	if group >= 0 {
		c.groups[group] = append(c.groups[group], v)
	}
	return v
}

func (c *Circuit) intVar(name string) int {
	c.Vars = append(c.Vars, Var{name: name, Int: true, Group: -1})
	c.lits = append(c.lits, False)
	return len(c.Vars) - 1
}

func (c *Circuit) group() int {
	c.groups = append(c.groups, nil)
	return len(c.groups) - 1
}

func (c *Circuit) intern(n node) Lit {
	key := []byte{byte(n.kind)}
	for _, a := range n.args {
		key = binary.AppendVarint(key, int64(a))
	}
	if n.kind == atLeast {
		key = append(key, n.lin.Key()...)
	}
	if l, ok := c.ids[string(key)]; ok {
		return l
	}
	l := Lit(len(c.nodes)) << 1
	c.nodes = append(c.nodes, n)
	c.ids[string(key)] = l
	return l
}

// flat bounds the conjunctions that are taken into larger ones.
const flat = 12

// And returns the conjunction.
func (c *Circuit) And(args ...Lit) Lit {
	list := make([]Lit, 0, len(args))
	for _, a := range args {
		if n := &c.nodes[a.node()]; a&1 == 0 && n.kind == all && len(n.args) <= flat {
			list = append(list, n.args...)
			continue
		}
		list = append(list, a)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	grouped := false
	for i, a := range list {
		switch {
		case a == False, i > 0 && list[i-1] == a.Not():
			return False
		}
		n := &c.nodes[a.node()]
		grouped = grouped || n.kind == variable && c.Vars[n.v].Group >= 0
	}
	if grouped {
		var ok bool
		if list, ok = c.exclusive(list); !ok {
			return False
		}
	}
	if len(list) > 0 && list[0] == True {
		list = list[1:]
	}
	switch len(list) {
	case 0:
		return True
	case 1:
		return list[0]
	}
	return c.intern(node{kind: all, args: list})
}

// exclusive uses that exactly one variable of a group is true.
func (c *Circuit) exclusive(list []Lit) ([]Lit, bool) {
	is := map[int]Lit{} // by group: what is true
	not := map[int]int{}
	for _, a := range list {
		n := &c.nodes[a.node()]
		if n.kind != variable || c.Vars[n.v].Group < 0 {
			continue
		}
		g := c.Vars[n.v].Group
		if a&1 == 1 {
			not[g]++
		} else if is[g] != 0 {
			return nil, false
		} else {
			is[g] = a
		}
	}
	for g, k := range not {
		if is[g] != 0 {
			continue
		}
		switch len(c.groups[g]) - k {
		case 0:
			return nil, false
		case 1:
			for _, v := range c.groups[g] {
				if !slices.Contains(list, c.lits[v].Not()) {
					is[g] = c.lits[v]
				}
			}
		}
	}
	if len(is) == 0 {
		return list, true
	}
	out := make([]Lit, 0, len(list))
	for _, a := range list {
		n := &c.nodes[a.node()]
		if n.kind == variable && c.Vars[n.v].Group >= 0 && is[c.Vars[n.v].Group] != 0 {
			continue
		}
		out = append(out, a)
	}
	for _, a := range is {
		out = append(out, a)
	}
	slices.Sort(out)
	return out, true
}

// Or returns the disjunction.
func (c *Circuit) Or(args ...Lit) Lit {
	list := lists.Map(args, Lit.Not)
	return c.And(list...).Not()
}

func (c *Circuit) implies(a, b Lit) Lit { return c.Or(a.Not(), b) }

func (c *Circuit) ite(i, t, e Lit) Lit {
	switch {
	case i == True || t == e:
		return t
	case i == False:
		return e
	}
	return c.Or(c.And(i, t), c.And(i.Not(), e))
}

// nonNegative returns l >= 0.
func (c *Circuit) nonNegative(l amount) Lit {
	if l.IsConst() {
		if l.Const().Sign() >= 0 {
			return True
		}
		return False
	}
	return c.intern(node{kind: atLeast, lin: l})
}

func (c *Circuit) zero(l amount) Lit {
	return c.And(c.nonNegative(l), c.nonNegative(l.Neg()))
}

// Instance turns conditions into formulas whose variables have a suffix.
type Instance struct {
	c      *Circuit
	suffix string
	memo   []*smt.Formula
	vars   []*smt.Var
}

// Instance returns formulas of the circuit's conditions over a copy of its variables.
func (c *Circuit) Instance(suffix string) *Instance { return &Instance{c: c, suffix: suffix} }

// Var returns the copy of a variable.
func (x *Instance) Var(v int) *smt.Var {
	for len(x.vars) <= v {
		x.vars = append(x.vars, nil)
	}
	if x.vars[v] == nil {
		sort := smt.Bool
		if x.c.Vars[v].Int {
			sort = smt.Int
		}
		x.vars[v] = &smt.Var{Name: x.c.Vars[v].name + x.suffix, Sort: sort}
	}
	return x.vars[v]
}

// Formula returns the formula of a condition.
func (x *Instance) Formula(l Lit) *smt.Formula {
	for len(x.memo) < len(x.c.nodes) {
		x.memo = append(x.memo, nil)
	}
	f := x.memo[l.node()]
	if f == nil {
		n := &x.c.nodes[l.node()]
		switch n.kind {
		case constant:
			f = smt.False
		case variable:
			f = smt.Lit(x.Var(n.v))
		case atLeast:
			f = smt.GE(x.sum(n.lin), smt.N(0))
		default:
			args := lists.Map(n.args, x.Formula)
			f = &smt.Formula{Op: smt.OpAnd, Args: args}
		}
		x.memo[l.node()] = f
	}
	if l&1 == 1 {
		return smt.Not(f)
	}
	return f
}

func (x *Instance) sum(l amount) smt.Linear {
	return linear.Map(l, func(v linear.Index) smt.Linear { return smt.V(x.Var(int(v))) })
}
