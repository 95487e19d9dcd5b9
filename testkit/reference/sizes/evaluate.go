package sizes

import (
	"fmt"
	"slices"
)

// A scope is what names in an expression stand for, at one process of a world.
type scope struct {
	in      *Instance
	world   world
	process int // -1 where no process is spoken of
}

// value is what an expression is now; conditions are 0 or 1.
func (s scope) value(e *Expr) int {
	if len(e.roles) > 1 && s.in.mistake == "conditions are of the first type" {
		first := *e
		first.roles = e.roles[:1]
		e = &first
	}
	switch e.Op {
	case "number":
		return e.Number
	case "parameter":
		return s.in.Parameters[e.index]
	case "variable":
		return s.in.variable(s.world, s.process, e.indices[s.in.roles[s.process]])
	case "heard":
		count := 0
		for group := range s.in.layout.groups {
			count += s.heard(e, group)
		}
		return count
	case "heard or crashed":
		return s.heardOrCrashed(e)
	case "crashes":
		if s.in.mistake == "crashes are of one type" {
			return s.in.count(s.world, []int{s.in.roles[s.process]}, &Expr{Op: "crashed"}, false)
		}
		return s.in.crashes(s.world)
	case "crashed":
		return truth(s.in.crashed(s.world, s.process))
	case "all":
		return truth(s.in.count(s.world, e.roles, not(e.Args[0]), false) == 0)
	case "every":
		return truth(s.in.count(s.world, e.roles, not(e.Args[0]), s.in.mistake != "every is all") == 0)
	case "some":
		return truth(s.in.count(s.world, e.roles, e.Args[0], false) > 0)
	case "count":
		return s.in.count(s.world, e.roles, e.Args[0], false)
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
	case "/":
		if s.in.mistake == "quotients are rounded up" {
			return -floor(-a, b)
		}
		if s.in.mistake == "quotients are cut" {
			return a / b
		}
		return floor(a, b)
	case "/ up":
		if s.in.mistake == "quotients are rounded down" {
			return floor(a, b)
		}
		return -floor(-a, b)
	}
	panic(fmt.Sprintf("cannot evaluate %s", e.Op))
}

// floor is the greatest integer that is not greater than a / b, for b > 0.
func floor(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// heard is how many messages of a group the process has heard that an expression counts.
func (s scope) heard(e *Expr, group int) int {
	k := s.in.Text.Kinds[e.index]
	if role := s.in.layout.groups[group]; e.role >= 0 && role != e.role && s.in.mistake != "types are alike" {
		return 0
	}
	count := 0
	for number := range k.values() {
		counts := true
		for i, value := range k.of(number) {
			if len(e.Args) == 0 {
				continue
			}
			if i > 0 && s.in.mistake == "only the first value counts" {
				continue
			}
			if f := k.Fields[i]; s.in.mistake == "a value that there is not is any" && e.Args[i].Op != "any" {
				if v := s.value(e.Args[i]); v < f.Low || v > f.High {
					continue
				}
			}
			if e.Args[i].Op == "any" {
				counts = counts && (s.in.mistake != "any is the first" || value == k.Fields[i].Low)
			} else {
				counts = counts && s.value(e.Args[i]) == value
			}
		}
		if counts {
			count += s.in.heard(s.world, s.process, s.in.slot(e.index, group, number))
		}
	}
	return count
}

// heardOrCrashed is how many of the processes that send a kind have been heard, or have crashed, or both.
func (s scope) heardOrCrashed(e *Expr) int {
	count := 0
	for p := range s.in.processes {
		role := s.in.roles[p]
		if !slices.Contains(s.in.Text.Kinds[e.index].senders, role) && s.in.mistake != "the crashed of all types are heard" || e.role >= 0 && role != e.role && s.in.mistake != "types are alike" {
			continue
		}
		heard, crashed := s.heard(e, p), truth(s.in.crashed(s.world, p))
		if s.in.mistake == "heard and crashed are two" {
			count += heard + crashed
		} else {
			count += max(heard, crashed)
		}
	}
	return count
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
