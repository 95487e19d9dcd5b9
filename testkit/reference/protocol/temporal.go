package protocol

import (
	"fmt"
	"slices"
)

// formula is a temporal formula in which negations have been pushed to conditions. Op
// is "cond", "and", "or", "U" or "R".
type formula struct {
	op    string
	args  []*formula
	id    int
	cond  *Expr // with the values of names that it needs
	names map[string]Value
	neg   bool
}

// negated builds the formula that the runs satisfy which violate a property. Quantifiers around
// temporal operators become conjunctions and disjunctions.
type builder struct {
	model *Model
	all   []*formula
	known map[string]*formula
}

// temporal tells whether there are temporal operators in an expression.
func temporal(e *Expr) bool {
	return slices.Contains([]string{"F", "G", "U", "R"}, e.Op) || slices.ContainsFunc(e.Args, temporal)
}

func (b *builder) node(f *formula) *formula {
	key := f.op
	for _, a := range f.args {
		key += fmt.Sprint(" ", a.id)
	}
	if f.op == "cond" {
		key = fmt.Sprintf("%p %v", f.cond, f.neg)
		for _, n := range sortedNames(f.names) {
			key += fmt.Sprint(" ", n, f.names[n].Cells)
		}
	}
	if old, ok := b.known[key]; ok {
		return old
	}
	f.id = len(b.all)
	b.all = append(b.all, f)
	b.known[key] = f
	return f
}

func sortedNames(names map[string]Value) []string {
	var list []string
	for n := range names {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

var constantCond = map[bool]*Expr{true: {Op: "bool", Number: 1}, false: {Op: "bool"}}

func (b *builder) constant(v bool) *formula {
	return b.node(&formula{op: "cond", cond: constantCond[v]})
}

// build turns an expression, or its negation, into a formula.
func (b *builder) build(e *Expr, names map[string]Value, neg bool) *formula {
	if !temporal(e) {
		return b.node(&formula{op: "cond", cond: e, names: cloneMap(names), neg: neg})
	}
	both := func(op string, x, y *formula) *formula { return b.node(&formula{op: op, args: []*formula{x, y}}) }
	sub := func(i int, n bool) *formula { return b.build(e.Args[i], names, n) }
	dual := func(op, negOp string) string {
		if neg {
			return negOp
		}
		return op
	}
	switch {
	case e.Op == "U" && mistake == mistakeUntil:
		return sub(1, neg)
	case e.Op == "R" && mistake == mistakeRelease:
		return both(dual("U", "R"), sub(0, neg), sub(1, neg))
	}
	switch e.Op {
	case "not":
		return sub(0, !neg)
	case "and":
		return both(dual("and", "or"), sub(0, neg), sub(1, neg))
	case "or":
		return both(dual("or", "and"), sub(0, neg), sub(1, neg))
	case "->":
		return both(dual("or", "and"), sub(0, !neg), sub(1, neg))
	case "<->":
		return both("and", both("or", sub(0, true), sub(1, neg)), both("or", sub(0, false), sub(1, !neg)))
	case "F":
		return both(dual("U", "R"), b.constant(!neg), sub(0, neg))
	case "G":
		return both(dual("R", "U"), b.constant(neg), sub(0, neg))
	case "U":
		return both(dual("U", "R"), sub(0, neg), sub(1, neg))
	case "R":
		return both(dual("R", "U"), sub(0, neg), sub(1, neg))
	case "forall", "exists":
		op := "and"
		if (e.Op == "exists") != neg {
			op = "or"
		}
		typ, values := (&scope{model: b.model, names: names}).domain(e.Range)
		var result *formula
		for _, v := range values {
			inner := cloneMap(names)
			inner[e.Var] = Value{typ, []int{v}}
			f := b.build(e.Args[0], inner, neg)
			if result == nil {
				result = f
			} else {
				result = both(op, result, f)
			}
		}
		if result == nil {
			return b.constant((e.Op == "forall") != neg)
		}
		return result
	}
	panic("no formula: " + e.Op)
}

// obligations are numbers of formulas that have to hold from a state on, sorted.
type obligations []int

// expansion is one way to meet obligations in a state: what is left for the next one, and the
// formulas "f U g" whose g is put off.
type expansion struct {
	next obligations
	late []int
}

// expand lists the ways to meet obligations where conditions have these values.
func (b *builder) expand(now obligations, truth func(*formula) bool) []expansion {
	type partial struct {
		todo, done, next, late []int
	}
	var result []expansion
	stack := []partial{{todo: slices.Clone(now)}}
	seen := map[string]bool{}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, list := range []*[]int{&p.todo, &p.done, &p.next, &p.late} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		key := fmt.Sprint(p)
		if seen[key] {
			continue
		}
		seen[key] = true
		if len(p.todo) == 0 {
			result = append(result, expansion{p.next, p.late})
			continue
		}
		f := b.all[p.todo[0]]
		rest := slices.Clone(p.todo[1:])
		if slices.Contains(p.done, f.id) {
			p.todo = rest
			stack = append(stack, p)
			continue
		}
		more := func(todo []int, next, late []int) {
			stack = append(stack, partial{
				append(slices.Clone(rest), todo...), append(slices.Clone(p.done), f.id),
				append(slices.Clone(p.next), next...), append(slices.Clone(p.late), late...),
			})
		}
		switch f.op {
		case "cond":
			if truth(f) {
				more(nil, nil, nil)
			}
		case "and":
			more([]int{f.args[0].id, f.args[1].id}, nil, nil)
		case "or":
			more([]int{f.args[0].id}, nil, nil)
			more([]int{f.args[1].id}, nil, nil)
		case "U":
			more([]int{f.args[1].id}, nil, nil)
			more([]int{f.args[0].id}, []int{f.id}, []int{f.id})
		case "R":
			more([]int{f.args[0].id, f.args[1].id}, nil, nil)
			more([]int{f.args[1].id}, []int{f.id}, nil)
		}
	}
	return result
}
