package automata

// findInitial finds the configurations that satisfy all initial conditions: every value is tried from 0
// to the greatest one that the conditions allow by themselves, and the conditions are evaluated. Where
// there is no greatest one, values are tried up to open.
func (i *Instance) findInitial(open, limit int) error {
	width := len(i.Model.Locations) + len(i.Model.Shared)
	most := i.greatest(width)
	for j := range most {
		if most[j] < 0 {
			most[j] = open
			i.Open = true
		}
	}
	c := make(Configuration, width)
	known := make([]bool, width)
	tried := 0
	var choose func(j int) error
	choose = func(j int) error {
		if tried++; tried > limit {
			return errLarge
		}
		if i.refuted(c, known) {
			return nil
		}
		if j == width {
			i.Initial = append(i.Initial, append(Configuration{}, c...))
			return nil
		}
		known[j] = true
		for c[j] = 0; c[j] <= most[j]; c[j]++ {
			if err := choose(j + 1); err != nil {
				return err
			}
		}
		known[j] = false
		return nil
	}
	return choose(0)
}

// refuted says that a condition all of whose values are known is false.
func (i *Instance) refuted(c Configuration, known []bool) bool {
	for _, condition := range i.Model.Inits {
		complete := true
		condition.walk(func(n *Node) {
			if n.Op != "name" {
				return
			}
			if l := indexOf(i.Model.Locations, n.Name); l >= 0 && !known[l] {
				complete = false
			}
			if v := indexOf(i.Model.Shared, n.Name); v >= 0 && !known[len(i.Model.Locations)+v] {
				complete = false
			}
			if _, ok := i.Model.Defines[n.Name]; ok {
				complete = complete && allKnown(known)
			}
		})
		if complete && !i.Truth(condition, c) {
			return true
		}
	}
	return false
}

func allKnown(known []bool) bool {
	for _, k := range known {
		if !k {
			return false
		}
	}
	return true
}

// greatest is the greatest value that the conditions allow for each location and variable, or -1: each
// condition that is a comparison, not a disjunction, bounds what has a positive coefficient when all
// else is as small as it can be.
func (i *Instance) greatest(width int) []int {
	most := make([]int, width)
	for j := range most {
		most[j] = -1
	}
	for round := 0; round <= width; round++ {
		for _, condition := range i.Model.Inits {
			for _, form := range i.nonPositive(condition) {
				form.bound(most)
			}
		}
	}
	return most
}

// nonPositive are forms that are at most 0 where the condition is true.
func (i *Instance) nonPositive(condition *Node) []linear {
	if condition.Op == "&&" {
		return append(i.nonPositive(condition.Left), i.nonPositive(condition.Right)...)
	}
	sign := map[string]int{"==": 1, "<": 1, "<=": 1, ">": -1, ">=": -1}[condition.Op]
	if sign == 0 {
		return nil
	}
	left, err := i.linear(condition.Left)
	if err != nil {
		return nil
	}
	right, err := i.linear(condition.Right)
	if err != nil {
		return nil
	}
	difference := left.plus(right.times(-1)).times(sign)
	if condition.Op == "==" {
		return []linear{difference, difference.times(-1)}
	}
	return []linear{difference}
}

// bound lowers greatest values, given that the form is at most 0.
func (f linear) bound(most []int) {
	for j, c := range f.coefficients {
		if c <= 0 {
			continue
		}
		least, bounded := f.constant, true
		for k, other := range f.coefficients {
			if k != j && other < 0 {
				bounded = bounded && most[k] >= 0
				least += other * most[k]
			}
		}
		if !bounded {
			continue
		}
		value := floor(-least, c)
		if value < 0 {
			value = 0 // nothing satisfies the condition, which is evaluated anyway
		}
		if most[j] < 0 || value < most[j] {
			most[j] = value
		}
	}
}
