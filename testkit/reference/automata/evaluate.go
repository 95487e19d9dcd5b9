package automata

import "fmt"

// An environment gives values to parameters, unknowns, locations and shared variables.
type environment map[string]int

// term is the value of a term. Division rounds down, also below zero.
func (e environment) term(defines map[string]*Node, n *Node) int {
	switch n.Op {
	case "number":
		return n.Number
	case "name":
		if value, ok := e[n.Name]; ok {
			return value
		}
		if definition, ok := defines[n.Name]; ok {
			return e.term(defines, definition)
		}
		panic(fmt.Sprintf("%s has no value", n.Name))
	case "neg":
		return -e.term(defines, n.Left)
	}
	left, right := e.term(defines, n.Left), e.term(defines, n.Right)
	switch n.Op {
	case "+":
		return left + right
	case "-":
		return left - right
	case "*":
		return left * right
	case "/":
		return floor(left, right)
	}
	panic("no term: " + n.String())
}

// floor is the greatest number whose product with right, which is positive, is at most left.
func floor(left, right int) int {
	quotient := left / right
	if quotient*right > left {
		quotient--
	}
	return quotient
}

// truth is the value of a formula without temporal operators.
func (e environment) truth(defines map[string]*Node, n *Node) bool {
	switch n.Op {
	case "true":
		return true
	case "false":
		return false
	case "!":
		return !e.truth(defines, n.Left)
	case "&&":
		return e.truth(defines, n.Left) && e.truth(defines, n.Right)
	case "||":
		return e.truth(defines, n.Left) || e.truth(defines, n.Right)
	case "->":
		return !e.truth(defines, n.Left) || e.truth(defines, n.Right)
	}
	left, right := e.term(defines, n.Left), e.term(defines, n.Right)
	switch n.Op {
	case "==":
		return left == right
	case "!=":
		return left != right
	case "<":
		return left < right
	case "<=":
		return left <= right
	case ">":
		return left > right
	case ">=":
		return left >= right
	}
	panic("no comparison: " + n.String())
}
