package rounds

import "fmt"

// A scope is what names in an expression stand for.
type scope struct {
	parameters []int
	kinds      []Kind
	variables  []int                                 // of the process that is spoken of
	crashed    bool                                  // whether it has crashed
	heard      func(kind, number int, led bool) int  // how many messages of a kind, with a number for its values, it has heard; led: of the coordinator
	arrived    func(kind int, led bool) bool         // whether all of a kind has arrived
	leads      bool                                  // whether it coordinates the round
	count      func(condition *Expr, every bool) int // of how many processes a condition is true
	ended      int                                   // so many rounds have all ended that count
}

// value is what an expression is now; conditions are 0 or 1.
func (s scope) value(e *Expr) int {
	switch e.Op {
	case "number":
		return e.Number
	case "parameter":
		return s.parameters[e.index]
	case "variable":
		return s.variables[e.index]
	case "heard":
		return s.counted(e)
	case "arrived":
		return truth(s.arrived(e.index, e.Led || s.kinds[e.index].led))
	case "coordinator":
		return truth(s.leads)
	case "ended":
		return truth(s.ended >= s.value(e.Args[0]))
	case "crashed":
		return truth(s.crashed)
	case "all", "every":
		return truth(s.count(not(e.Args[0]), e.Op == "every") == 0)
	case "some":
		return truth(s.count(e.Args[0], false) > 0)
	case "count":
		return s.count(e.Args[0], false)
	case "not":
		return 1 - s.value(e.Args[0])
	}
	a := s.value(e.Args[0])
	if e.Op == "and" && a == 0 || e.Op == "or" && a == 1 {
		return a
	}
	b := s.value(e.Args[1])
	switch e.Op {
	case "and", "or":
		return b
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
		return floor(a, b)
	case "/ up":
		return -floor(-a, b)
	}
	panic(fmt.Sprintf("cannot evaluate %s", e.Op))
}

// holds tells whether a condition is true.
func (s scope) holds(e *Expr) bool { return s.value(e) != 0 }

// counted is how many messages have been heard that an expression counts.
func (s scope) counted(e *Expr) int {
	k := s.kinds[e.index]
	count := 0
	for number := range k.values() {
		counts := true
		for i, value := range k.of(number) {
			if len(e.Args) > 0 && e.Args[i].Op != "any" && s.value(e.Args[i]) != value {
				counts = false
			}
		}
		if counts {
			count += s.heard(e.index, number, e.Led || k.led)
		}
	}
	return count
}

// floor is the greatest integer that is not greater than a / b, for b > 0.
func floor(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
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
