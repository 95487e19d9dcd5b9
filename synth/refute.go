package synth

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"tacheck/ta"
	"tacheck/ta/syntax"
	"tacheck/witness"
)

// Refutation is a run that violates a specification under some values of the
// unknowns. With its parameters and schedule fixed, every condition that it depends on is
// linear in the unknowns.
type Refutation struct {
	Spec    string
	Witness *witness.Witness
	Values  Values // for which it was found

	t          *Template
	conditions []inequality
	truth      []int8                   // of conditions for the values that are looked at: 1 or -1; 0 if not known
	run        *node                    // it is a run
	trace      []map[*syntax.Expr]*node // by position: atoms of the formula
	loop       int                      // position after the last one; -1 if the run ends
	exact      bool                     // the above says all; otherwise it has to be replayed for each assignment
}

// inequality is c + k·u >= 0, == 0 or != 0.
type inequality struct {
	op syntax.Op // Ge, Eq or Ne
	linear
}

// linear is a number plus multiples of unknowns.
type linear struct {
	c int64
	k []int64
}

// node is a condition on unknowns.
type node struct {
	op   syntax.Op // Bool, Number (an inequality), Not, And, Or
	is   bool
	n    int
	args []*node
}

var yes, no = &node{op: syntax.Bool, is: true}, &node{op: syntax.Bool}

// longest is how many configurations a run may have to be evaluated for all
// assignments at once.
const longest = 5000

// tooHard says that a run has to be replayed for each assignment.
type tooHard struct{}

// refute makes a refutation of a counterexample.
func (t *Template) refute(spec string, w *witness.Witness, v Values) (r *Refutation) {
	r = &Refutation{Spec: spec, Witness: w, Values: v, t: t, loop: -1, exact: true}
	defer func() {
		if e := recover(); e != nil {
			if _, is := e.(tooHard); !is {
				panic(e)
			}
			r.exact = false
		}
	}()
	x := &evaluation{r: r, defines: map[string]*syntax.Expr{}, known: map[string]int{}}
	guards := []*syntax.Expr{}
	start := x.at(w.Automaton, w.Configs[0])
	var parts []*node
	for _, s := range t.tree.Sections {
		if s.Define != nil {
			x.defines[s.Define.Name.Name] = s.Define.Value
		}
		if s.Rules != nil {
			for _, rule := range s.Rules.List {
				guards = append(guards, rule.Guard)
			}
		}
	}
	for _, s := range t.tree.Sections {
		for _, c := range []*syntax.Conditions{s.Assumptions, s.Inits} {
			if c != nil {
				for _, cond := range c.List {
					parts = append(parts, start.cond(cond.Expr))
				}
			}
		}
	}
	if ta.Growth(w.Run, w.Configs) != nil {
		panic(tooHard{}) // whether guards stay as they are matters
	}
	formula := t.formula(spec)
	position := func(c *ta.Config) {
		if len(r.trace) > longest {
			panic(tooHard{})
		}
		here := x.at(w.Automaton, c)
		atoms := map[*syntax.Expr]*node{}
		here.atoms(formula, atoms)
		r.trace = append(r.trace, atoms)
	}
	one := big.NewInt(1)
	position(w.Configs[0])
	for i, step := range w.Run.Steps {
		if i == w.Run.Loop {
			r.loop = len(r.trace) - 1
		}
		if !step.Factor.IsInt64() || step.Factor.Int64() > longest {
			panic(tooHard{})
		}
		c := w.Configs[i]
		for range step.Factor.Int64() {
			if g := guards[step.Rule]; g != nil {
				parts = append(parts, x.at(w.Automaton, c).cond(g))
			}
			c = c.After(&w.Automaton.Rules[step.Rule], one)
			position(c)
		}
	}
	r.run = join(syntax.And, parts)
	r.truth = make([]int8, len(r.conditions))
	return r
}

// evaluation evaluates expressions of the template in a configuration.
type evaluation struct {
	r       *Refutation
	defines map[string]*syntax.Expr
	known   map[string]int // inequalities, by what they say
	values  map[string]*big.Int
}

func (x *evaluation) at(a *ta.Automaton, c *ta.Config) *evaluation {
	out := *x
	out.values = map[string]*big.Int{}
	put := func(names []ta.Name, values []*big.Int) {
		for i, n := range names {
			out.values[n.Name] = values[i]
		}
	}
	put(a.Parameters, c.Params)
	put(a.Shared, c.Shared)
	put(a.Locations, c.Counters)
	return &out
}

// number evaluates a sum.
func (x *evaluation) number(e *syntax.Expr) linear {
	small := func(n *big.Int) linear {
		if !n.IsInt64() || n.Int64() > 1<<40 || n.Int64() < -1<<40 {
			panic(tooHard{})
		}
		return linear{n.Int64(), make([]int64, len(x.r.t.Unknowns))}
	}
	scale := func(l linear, by int64) linear {
		out := linear{l.c * by, make([]int64, len(l.k))}
		for i := range l.k {
			out.k[i] = l.k[i] * by
		}
		return out
	}
	switch e.Op {
	case syntax.Number:
		return small(e.Num)
	case syntax.Name:
		if i := x.r.t.index(e.Name); i >= 0 {
			l := small(new(big.Int))
			l.k[i] = 1
			return l
		}
		if v, ok := x.values[e.Name]; ok {
			return small(v)
		}
		if d, ok := x.defines[e.Name]; ok {
			return x.number(d)
		}
	case syntax.Neg:
		return scale(x.number(e.Args[0]), -1)
	case syntax.Add:
		out := small(new(big.Int))
		for _, a := range e.Args {
			l := x.number(a)
			out.c += l.c
			for i := range l.k {
				out.k[i] += l.k[i]
			}
		}
		return out
	case syntax.Mul:
		out := small(big.NewInt(1))
		for _, a := range e.Args {
			l := x.number(a)
			switch {
			case l.plain():
				out = scale(out, l.c)
			case out.plain():
				out = scale(l, out.c)
			default:
				panic(tooHard{})
			}
		}
		return out
	}
	panic(tooHard{}) // a quotient
}

// plain reports whether no unknown is in it.
func (l linear) plain() bool {
	return !slices.ContainsFunc(l.k, func(k int64) bool { return k != 0 })
}

// cond evaluates a condition without temporal operators.
func (x *evaluation) cond(e *syntax.Expr) *node {
	switch e.Op {
	case syntax.Bool:
		if e.Name == "true" {
			return yes
		}
		return no
	case syntax.Not:
		return negate(x.cond(e.Args[0]))
	case syntax.And, syntax.Or:
		var args []*node
		for _, a := range e.Args {
			args = append(args, x.cond(a))
		}
		return join(e.Op, args)
	case syntax.Implies: // to the left
		out := x.cond(e.Args[0])
		for _, a := range e.Args[1:] {
			out = join(syntax.Or, []*node{negate(out), x.cond(a)})
		}
		return out
	case syntax.Eq, syntax.Ne, syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge:
		a, b := x.number(e.Args[0]), x.number(e.Args[1])
		op := e.Op
		if op == syntax.Lt || op == syntax.Le {
			a, b = b, a
			op = map[syntax.Op]syntax.Op{syntax.Lt: syntax.Gt, syntax.Le: syntax.Ge}[op]
		}
		d := linear{a.c - b.c, make([]int64, len(a.k))}
		for i := range d.k {
			d.k[i] = a.k[i] - b.k[i]
		}
		if op == syntax.Gt {
			d.c--
			op = syntax.Ge
		}
		return x.inequality(inequality{op, d})
	}
	panic(tooHard{})
}

func (x *evaluation) inequality(q inequality) *node {
	if q.plain() {
		if q.holds(q.c) {
			return yes
		}
		return no
	}
	key := fmt.Sprint(q)
	n, known := x.known[key]
	if !known {
		n = len(x.r.conditions)
		x.known[key] = n
		x.r.conditions = append(x.r.conditions, q)
	}
	return &node{op: syntax.Number, n: n}
}

func (q *inequality) holds(value int64) bool {
	switch q.op {
	case syntax.Ge:
		return value >= 0
	case syntax.Eq:
		return value == 0
	}
	return value != 0
}

func negate(a *node) *node {
	switch a {
	case yes:
		return no
	case no:
		return yes
	}
	return &node{op: syntax.Not, args: []*node{a}}
}

func join(op syntax.Op, args []*node) *node {
	neutral, decides := yes, no
	if op == syntax.Or {
		neutral, decides = no, yes
	}
	out := &node{op: op}
	for _, a := range args {
		switch {
		case a == decides:
			return decides
		case a == neutral:
		default:
			out.args = append(out.args, a)
		}
	}
	if len(out.args) == 0 {
		return neutral
	}
	return out
}

// temporal reports whether a formula has temporal operators.
func temporal(e *syntax.Expr) bool {
	found := false
	walk(e, func(e *syntax.Expr) { found = found || e.Op == syntax.Finally || e.Op == syntax.Globally })
	return found
}

// atoms evaluates the greatest parts of a formula without temporal operators.
func (x *evaluation) atoms(e *syntax.Expr, into map[*syntax.Expr]*node) {
	if !temporal(e) {
		into[e] = x.cond(e)
		return
	}
	for _, a := range e.Args {
		x.atoms(a, into)
	}
}

// Refutes reports whether the run is one, and violates the specification, with
// other values of the unknowns.
func (r *Refutation) Refutes(v Values) bool {
	if !r.exact {
		return r.replays(v)
	}
	clear(r.truth)
	if !r.value(r.run, v) {
		return false
	}
	return !r.temporal(r.t.formula(r.Spec), v)[0]
}

// replays replays the run with other values.
func (r *Refutation) replays(v Values) bool {
	a, err := r.t.Instance(v)
	if err != nil {
		return false
	}
	_, err = witness.Check(a, a.SpecNamed(r.Spec), r.Witness.Run)
	return err == nil
}

func (r *Refutation) value(n *node, v Values) bool {
	switch n.op {
	case syntax.Bool:
		return n.is
	case syntax.Not:
		return !r.value(n.args[0], v)
	case syntax.And, syntax.Or:
		for _, a := range n.args {
			if r.value(a, v) == (n.op == syntax.Or) {
				return n.op == syntax.Or
			}
		}
		return n.op == syntax.And
	}
	if r.truth[n.n] == 0 {
		q := &r.conditions[n.n]
		sum := q.c
		for i, k := range q.k {
			sum += k * v[i]
		}
		r.truth[n.n] = -1
		if q.holds(sum) {
			r.truth[n.n] = 1
		}
	}
	return r.truth[n.n] > 0
}

// temporal evaluates a formula at all positions. A run that ends may go on in
// any way; then what is asked for always is false, so that only what is decided counts
// as a violation.
func (r *Refutation) temporal(e *syntax.Expr, v Values) []bool {
	return r.truths(e, v, true)
}

// truths evaluates a formula, or if positive is not set its negation: what is
// not decided on a run that ends is true.
func (r *Refutation) truths(e *syntax.Expr, v Values, positive bool) []bool {
	n := len(r.trace)
	out := make([]bool, n)
	if _, atom := r.trace[0][e]; atom {
		for i := range out {
			out[i] = r.value(r.trace[i][e], v) == positive
		}
		return out
	}
	combine := func(and bool, args ...[]bool) {
		for i := range out {
			out[i] = and
			for _, a := range args {
				if a[i] != and {
					out[i] = !and
				}
			}
		}
	}
	switch e.Op {
	case syntax.Not:
		return r.truths(e.Args[0], v, !positive)
	case syntax.And, syntax.Or:
		var args [][]bool
		for _, a := range e.Args {
			args = append(args, r.truths(a, v, positive))
		}
		combine((e.Op == syntax.And) == positive, args...)
	case syntax.Implies:
		return r.implies(e.Args, v, positive)
	case syntax.Finally, syntax.Globally:
		arg := r.truths(e.Args[0], v, positive)
		ever := (e.Op == syntax.Finally) == positive
		r.future(out, arg, ever)
	}
	return out
}

// implies evaluates a chain of implications, which associate to the left.
func (r *Refutation) implies(args []*syntax.Expr, v Values, positive bool) []bool {
	last := args[len(args)-1]
	before := args[:len(args)-1]
	right := r.truths(last, v, positive)
	var left []bool
	if len(before) == 1 {
		left = r.truths(before[0], v, !positive)
	} else {
		left = r.implies(before, v, !positive)
	}
	out := make([]bool, len(right))
	for i := range out {
		if positive {
			out[i] = left[i] || right[i]
		} else {
			out[i] = left[i] && right[i]
		}
	}
	return out
}

// future evaluates now or ever, or now and always. Only violations have to be
// certain: at the end of a run that goes on anyhow, both are as good as true.
func (r *Refutation) future(out, arg []bool, ever bool) {
	n := len(arg)
	later := true
	if r.loop >= 0 {
		later = !ever
		for _, a := range arg[r.loop:] {
			if a == ever {
				later = ever
			}
		}
	} else if !ever {
		later = true
	}
	for i := n - 1; i >= 0; i-- {
		if ever {
			out[i] = arg[i] || later
		} else {
			out[i] = arg[i] && later
		}
		later = out[i]
	}
}

// String says what the refutation is.
func (r *Refutation) String() string {
	var params []string
	for i, p := range r.Witness.Automaton.Parameters {
		params = append(params, fmt.Sprintf("%s = %v", p.Name, r.Witness.Configs[0].Params[i]))
	}
	return r.Spec + " with " + strings.Join(params, ", ")
}
