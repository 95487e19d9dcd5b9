package promela

import (
	"fmt"
	"strings"
)

// formula prints a formula that assumes others. Where intervals leave a
// proposition open, it is taken such that no counterexample is lost: what helps
// the formula to be true must be certain, and what helps it to be false need only
// be possible.
func (t *translator) formula(e *Expr, assumed []string) (string, error) {
	text := ""
	for _, premise := range assumed {
		if text != "" {
			text += " && "
		}
		text += "(" + premise + ")"
	}
	if t.Stops && t.Model.temporal(e, true).Infinite() {
		if text != "" {
			text += " && "
		}
		text += fmt.Sprintf("([](%s == 0) || <>(%s))", stops, t.stopped())
	}
	claim, err := t.spec(e, true, false)
	if err != nil || text == "" {
		return claim, err
	}
	return "(" + text + ") -> (" + claim + ")", nil
}

// spec prints a formula, negated if asked; wanted says whether being true helps
// the specification.
func (t *translator) spec(e *Expr, wanted, negate bool) (string, error) {
	m := t.Model
	switch {
	case e.Op == Name && e.Process == "" && m.atomics[e.Name] != nil:
		return t.spec(m.atomics[e.Name], wanted, negate)
	case e.Op == Not:
		return t.spec(e.Args[0], wanted, !negate)
	case e.Op == Equivalent:
		return t.spec(e.bothWays(), wanted, negate)
	case e.Op == Implies && negate:
		return t.nary("&&", e.Args, wanted, []bool{false, true})
	case e.Op == Implies && !m.isTemporal(e):
		return t.nary("||", e.Args, wanted, []bool{true, false})
	case e.Op == Implies:
		left, err := t.spec(e.Args[0], !wanted, false)
		if err != nil {
			return "", err
		}
		right, err := t.spec(e.Args[1], wanted, false)
		return "((" + left + ") -> (" + right + "))", err
	case e.Op == And || e.Op == Or:
		op := string(e.Op)
		if negate {
			op = map[Op]string{And: "||", Or: "&&"}[e.Op]
		}
		flips := make([]bool, len(e.Args))
		for i := range flips {
			flips[i] = negate
		}
		return t.nary(op, e.Args, wanted, flips)
	case e.Op == Until || e.Op == Release:
		return "", problem(e.Pos, e.Width, "U, V and W are decided for instances only")
	case e.Op == Finally || e.Op == Globally:
		op := e.Op
		if negate {
			op = map[Op]Op{Finally: Globally, Globally: Finally}[e.Op]
		}
		arg, err := t.spec(e.Args[0], wanted, negate)
		return string(op) + "(" + arg + ")", err
	case e.Op == All || e.Op == Some:
		return t.quantified(e, wanted, negate)
	}
	return t.comparison(e, negate)
}

func (t *translator) nary(op string, args []*Expr, wanted bool, negate []bool) (string, error) {
	var parts []string
	for i, a := range args {
		text, err := t.spec(a, wanted, negate[i])
		if err != nil {
			return "", err
		}
		parts = append(parts, "("+text+")")
	}
	return strings.Join(parts, " "+op+" "), nil
}

// quantified prints all and some.
func (t *translator) quantified(e *Expr, wanted, negate bool) (string, error) {
	c := t.valued[e.Args[0].String()]
	all := (e.Op == All) != negate
	// What is said of each state: e, or its negation; certain if it is wanted.
	said := func(i int) *condition {
		switch {
		case !negate && wanted:
			return c.certain[i]
		case !negate:
			return c.possible[i]
		case wanted:
			return c.possible[i].Negate()
		}
		return c.certain[i].Negate()
	}
	var order []string
	groups := map[string][]string{}
	texts := map[string]string{}
	for class, i := range t.first {
		cond := said(i)
		if all && cond.IsTrue() || !all && cond.IsFalse() {
			continue
		}
		key := conditionKey(cond)
		if groups[key] == nil {
			order = append(order, key)
			texts[key] = cond.Inside(t.inequality)
		}
		groups[key] = append(groups[key], t.Names[class])
	}
	var parts []string
	for _, key := range order {
		if all {
			empty := strings.Join(groups[key], " == 0 && ") + " == 0"
			if texts[key] != "false" {
				empty = "(" + texts[key] + " || (" + empty + "))"
			}
			parts = append(parts, empty)
			continue
		}
		some := strings.Join(groups[key], " + ") + " != 0"
		if texts[key] != "true" {
			some = "(" + texts[key] + " && " + some + ")"
		}
		parts = append(parts, some)
	}
	if len(parts) == 0 {
		return fmt.Sprint(all), nil
	}
	return strings.Join(parts, map[bool]string{true: " && ", false: " || "}[all]), nil
}

// comparison prints a comparison of numbers.
func (t *translator) comparison(e *Expr, negate bool) (string, error) {
	negated := map[Op]Op{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
	if e.Op == Number {
		return fmt.Sprint((e.Num.Sign() != 0) != negate), nil
	}
	if negated[e.Op] == "" {
		return "", problem(e.Pos, e.Width, "`%s`: a number where a condition is expected", e)
	}
	op := e.Op
	if negate {
		op = negated[op]
	}
	left, err := t.number(e.Args[0])
	if err != nil {
		return "", err
	}
	right, err := t.number(e.Args[1])
	return left + " " + string(op) + " " + right, err
}

// number prints a sum of counts, shared variables and parameters.
func (t *translator) number(e *Expr) (string, error) {
	if n, err := e.constant(); err == nil {
		return fmt.Sprint(n), nil
	}
	switch e.Op {
	case Name:
		return e.Name, nil
	case Card:
		c := t.valued[e.Args[0].String()]
		var names []string
		for class, i := range t.first {
			switch {
			case c.certain[i].IsTrue():
				names = append(names, t.Names[class])
			case !c.possible[i].IsFalse():
				return "", problem(e.Pos, e.Width, "`%s` counts something that intervals of receive counters do not decide", e)
			}
		}
		if len(names) == 0 {
			return "0", nil
		}
		return "(" + strings.Join(names, " + ") + ")", nil
	}
	var parts []string
	for _, a := range e.Args {
		text, err := t.number(a)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	if (e.Op == "/" || e.Op == "%") && !t.Model.overParameters(e) {
		return "", problem(e.Pos, e.Width, "`%s`: only parameters and numbers can be divided", e)
	}
	switch e.Op {
	case Minus:
		return "-(" + parts[0] + ")", nil
	case "/":
		return "(" + parts[0] + " / " + parts[1] + ")", nil
	case "%":
		return "(" + parts[0] + " - " + parts[1] + " * (" + parts[0] + " / " + parts[1] + "))", nil
	case "+", "*":
		return "(" + strings.Join(parts, " "+string(e.Op)+" ") + ")", nil
	}
	return "", problem(e.Pos, e.Width, "`%s`: a number is expected", e)
}

// stopped says that nobody can move.
func (t *translator) stopped() string {
	var parts []string
	for class, i := range t.first {
		switch c := t.stuck[i]; {
		case c.IsTrue():
		case c.IsFalse():
			parts = append(parts, t.Names[class]+" == 0")
		default:
			parts = append(parts, fmt.Sprintf("(%s == 0 || %s)", t.Names[class], c.Inside(t.inequality)))
		}
	}
	if len(parts) == 0 {
		return "true"
	}
	return strings.Join(parts, " && ")
}
