package sizes

import "fmt"

// A scope is what names in an expression stand for, at one process of a world.
type scope struct {
	in      *Instance
	world   world
	process int // -1 where no process is spoken of
}

// value is what an expression is now; conditions are 0 or 1.
func (s scope) value(e *Expr) int {
	switch e.Op {
	case "number":
		return e.Number
	case "parameter":
		return s.in.Parameters[e.index]
	case "variable":
		return s.in.variable(s.world, s.process, e.index)
	case "heard":
		k := s.in.Text.Kinds[e.index]
		if len(e.Args) > 0 {
			value := s.value(e.Args[0])
			if value < k.Low || value > k.High {
				return 0
			}
			return s.in.heard(s.world, s.process, k.first+value-k.Low)
		}
		count := 0
		for i := range k.values() {
			count += s.in.heard(s.world, s.process, k.first+i)
		}
		return count
	case "crashes":
		return s.in.crashes(s.world)
	case "crashed":
		return truth(s.in.crashed(s.world, s.process))
	case "all":
		return truth(s.in.count(s.world, not(e.Args[0])) == 0)
	case "some":
		return truth(s.in.count(s.world, e.Args[0]) > 0)
	case "count":
		return s.in.count(s.world, e.Args[0])
	case "not":
		return 1 - s.value(e.Args[0])
	}
	a := s.value(e.Args[0])
	switch e.Op {
	case "and":
		if a == 0 {
			return 0
		}
		return s.value(e.Args[1])
	case "or":
		if a == 1 {
			return 1
		}
		return s.value(e.Args[1])
	}
	b := s.value(e.Args[1])
	switch e.Op {
	case "->":
		return truth(a == 0 || b == 1)
	case "<->", "=":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<":
		return truth(a < b)
	case "<=":
		return truth(a <= b)
	case ">":
		return truth(a > b)
	case ">=":
		return truth(a >= b)
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	panic(fmt.Sprintf("cannot evaluate %s", e.Op))
}

// holds tells whether a condition is true.
func (s scope) holds(e *Expr) bool {
	return s.value(e) != 0
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func not(e *Expr) *Expr {
	return &Expr{Op: "not", Args: []*Expr{e}}
}

// mentions tells whether an operator occurs in an expression.
func mentions(e *Expr, op string) bool {
	if e.Op == op {
		return true
	}
	for _, arg := range e.Args {
		if mentions(arg, op) {
			return true
		}
	}
	return false
}
