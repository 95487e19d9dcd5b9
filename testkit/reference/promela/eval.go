package promela

import "errors"

// A scope is what an expression is evaluated in.
type scope struct {
	params []int64
	shared []int64
	proc   *Proc  // the process that speaks, or that all, some, card speak of
	procs  []Proc // all processes, for propositions
	where  *Control
}

var (
	errDivision = errors.New("division by zero")
	errShift    = errors.New("a shift by less than 0 or more than 31")
	errScope    = errors.New("a variable of a process where no process is")
)

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// eval computes an expression, as C and Spin do: comparisons give 0 or 1, division rounds towards zero.
func (e *Expr) eval(s scope) (int64, error) {
	switch e.Op {
	case "num":
		return e.Value, nil
	case "param":
		return s.params[e.Index], nil
	case "shared":
		return s.shared[e.Index], nil
	case "local":
		if s.proc == nil {
			return 0, errScope
		}
		return s.proc.Vars[e.Index], nil
	case "at":
		if s.proc == nil {
			return 0, errScope
		}
		return truth(s.where.labels[place{0, e.Name}] == s.proc.Node), nil
	case "location":
		if s.proc == nil {
			return 0, errScope
		}
		return s.where.location(s.proc.Node), nil
	case "prop":
		return e.Args[0].eval(s)
	case "all", "some", "card":
		return e.quantify(s)
	}
	a, err := e.Args[0].eval(s)
	if err != nil {
		return 0, err
	}
	switch e.Op {
	case "!":
		return truth(a == 0), nil
	case "neg":
		return -a, nil
	case "~":
		return ^a, nil
	case "&&":
		if a == 0 {
			return 0, nil
		}
	case "||":
		if a != 0 {
			return 1, nil
		}
	case "?:":
		if a != 0 {
			return e.Args[1].eval(s)
		}
		return e.Args[2].eval(s)
	}
	b, err := e.Args[1].eval(s)
	if err != nil {
		return 0, err
	}
	return binary(e.Op, a, b)
}

func binary(op string, a, b int64) (int64, error) {
	switch op {
	case "&&", "||":
		return truth(b != 0), nil
	case "->":
		return truth(a == 0 || b != 0), nil
	case "<->":
		return truth((a == 0) == (b == 0)), nil
	case "==":
		return truth(a == b), nil
	case "!=":
		return truth(a != b), nil
	case "<":
		return truth(a < b), nil
	case "<=":
		return truth(a <= b), nil
	case ">":
		return truth(a > b), nil
	case ">=":
		return truth(a >= b), nil
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	case "*":
		return a * b, nil
	case "/", "%":
		if b == 0 {
			return 0, errDivision
		}
		if op == "/" {
			return a / b, nil
		}
		return a % b, nil
	case "|":
		return a | b, nil
	case "^":
		return a ^ b, nil
	case "&":
		return a & b, nil
	case "<<", ">>":
		if b < 0 || b > 31 {
			return 0, errShift
		}
		if op == "<<" {
			return a << uint64(b), nil
		}
		return a >> uint64(b), nil
	}
	return 0, errors.New("unknown operator " + op)
}

// quantify computes all, some and card over the processes.
func (e *Expr) quantify(s scope) (int64, error) {
	count := int64(0)
	for i := range s.procs {
		inner := s
		inner.proc = &s.procs[i]
		v, err := e.Args[0].eval(inner)
		if err != nil {
			return 0, err
		}
		count += truth(v != 0)
	}
	switch e.Op {
	case "all":
		return truth(count == int64(len(s.procs))), nil
	case "some":
		return truth(count > 0), nil
	}
	return count, nil
}

// fits says whether the type has the number.
func (variable Variable) fits(v int64) bool {
	switch variable.Type {
	case "unsigned":
		return 0 <= v && v < 1<<max(variable.Width, 1)
	case "bit", "bool":
		return v == 0 || v == 1
	case "byte", "pid":
		return 0 <= v && v <= 255
	case "short":
		return v == int64(int16(v))
	}
	return v == int64(int32(v))
}
