package automata

import "errors"

// A linear form is a sum of locations and shared variables, in the order of a configuration, with
// coefficients, and a constant.
type linear struct {
	coefficients []int
	constant     int
}

var errNonlinear = errors.New("not linear")

// linear is a term over locations and shared variables once parameters have their values.
func (i *Instance) linear(n *Node) (linear, error) {
	width := len(i.Model.Locations) + len(i.Model.Shared)
	form := linear{coefficients: make([]int, width)}
	switch n.Op {
	case "number":
		form.constant = n.Number
		return form, nil
	case "name":
		if value, ok := i.Parameters[n.Name]; ok {
			form.constant = value
		} else if l := indexOf(i.Model.Locations, n.Name); l >= 0 {
			form.coefficients[l] = 1
		} else if v := indexOf(i.Model.Shared, n.Name); v >= 0 {
			form.coefficients[len(i.Model.Locations)+v] = 1
		} else if definition, ok := i.Model.Defines[n.Name]; ok {
			return i.linear(definition)
		} else {
			return form, errNonlinear
		}
		return form, nil
	case "neg":
		left, err := i.linear(n.Left)
		return left.times(-1), err
	}
	left, err := i.linear(n.Left)
	if err != nil {
		return form, err
	}
	right, err := i.linear(n.Right)
	if err != nil {
		return form, err
	}
	switch {
	case n.Op == "+":
		return left.plus(right), nil
	case n.Op == "-":
		return left.plus(right.times(-1)), nil
	case n.Op == "*" && left.fixed():
		return right.times(left.constant), nil
	case n.Op == "*" && right.fixed():
		return left.times(right.constant), nil
	case n.Op == "/" && left.fixed() && right.fixed() && right.constant > 0:
		form.constant = floor(left.constant, right.constant)
		return form, nil
	}
	return form, errNonlinear
}

func (f linear) fixed() bool {
	for _, c := range f.coefficients {
		if c != 0 {
			return false
		}
	}
	return true
}

func (f linear) times(k int) linear {
	product := linear{coefficients: make([]int, len(f.coefficients)), constant: k * f.constant}
	for j, c := range f.coefficients {
		product.coefficients[j] = k * c
	}
	return product
}

func (f linear) plus(g linear) linear {
	sum := linear{coefficients: make([]int, len(f.coefficients)), constant: f.constant + g.constant}
	for j := range f.coefficients {
		sum.coefficients[j] = f.coefficients[j] + g.coefficients[j]
	}
	return sum
}

// comparisons calls visit with every comparison of a formula, definitions left as they are.
func comparisons(formula *Node, visit func(*Node)) {
	formula.walk(func(n *Node) {
		switch n.Op {
		case "==", "!=", "<", "<=", ">", ">=":
			visit(n)
		}
	})
}
