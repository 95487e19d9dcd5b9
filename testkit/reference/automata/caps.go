package automata

// Variables that grow on cycles of locations have no greatest value. Where that is so, an instance
// tells values apart up to a cap only, and keeps every larger one at the cap.
//
// Why that is exact. Let every comparison of guards and specifications, once parameters have their
// values, be S + L + k compared with 0, where S is a sum of shared variables all of whose coefficients
// have the same sign, L a sum of locations, and k a number. There are never more than N processes. If
// C > |k| + |L's coefficients| * N for all comparisons, and a variable with a coefficient in S is C or more,
// then S outweighs L + k, as the other variables of S do not count against it; so the comparison has the
// value that it has with C in place of the variable's value. And adding to the larger value and to C gives
// C or more both times; setting both to a number makes them equal. Variables that some rule decreases have no cap. So the relation "equal, or both at least C" is a bisimulation, and runs satisfy
// the same formulas. Comparisons of other forms are refused here (errNonlinear).

// findCaps finds the caps of variables that grow on cycles.
func (i *Instance) findCaps() error {
	m := i.Model
	i.Caps = make([]int, len(m.Shared))
	growing := false
	for v := range i.Caps {
		i.Caps[v] = -1
		for _, rule := range m.Rules {
			if rule.Update[v] > 0 && m.onCycle(rule) {
				i.Caps[v] = 0
				growing = true
			}
		}
		if m.decreased(v) {
			i.Caps[v] = -1
		}
	}
	if !growing {
		return nil
	}
	processes := 0
	for _, c := range i.Initial {
		total := 0
		for l := range m.Locations {
			total += c[l]
		}
		processes = max(processes, total)
	}
	most := 0
	var problem error
	visit := func(comparison *Node) {
		outweighed, err := i.outweighed(comparison, processes)
		if err != nil {
			problem = err
		}
		most = max(most, outweighed)
	}
	for _, rule := range m.Rules {
		comparisons(rule.Guard, visit)
		for _, name := range m.Parameters {
			// Fairness leaves parameters out of guards.
			comparisons(without(m, rule.Guard, name), visit)
		}
	}
	for _, spec := range m.Specs {
		comparisons(spec.Formula, visit)
	}
	for v := range i.Caps {
		if i.Caps[v] == 0 {
			i.Caps[v] = most + 1
		}
	}
	for v := range i.Caps {
		for _, rule := range m.Rules {
			if i.Caps[v] >= 0 {
				i.Caps[v] = max(i.Caps[v], rule.Reset[v])
			}
		}
	}
	for n, c := range i.Initial {
		i.Initial[n] = i.capped(c)
	}
	return problem
}

// outweighed is the greatest absolute value of what a comparison has besides shared variables.
func (i *Instance) outweighed(comparison *Node, processes int) (int, error) {
	left, err := i.linear(comparison.Left)
	if err != nil {
		return 0, err
	}
	right, err := i.linear(comparison.Right)
	if err != nil {
		return 0, err
	}
	form := left.plus(right.times(-1))
	total := abs(form.constant)
	positive, negative := false, false
	for j, c := range form.coefficients {
		if j < len(i.Model.Locations) {
			total += abs(c) * processes
			continue
		}
		positive = positive || c > 0
		negative = negative || c < 0
	}
	if positive && negative {
		return 0, errNonlinear
	}
	return total, nil
}

// decreased says whether some rule decreases a variable.
func (m *Model) decreased(v int) bool {
	for _, rule := range m.Rules {
		if rule.Update[v] < 0 {
			return true
		}
	}
	return false
}

func abs(n int) int { return max(n, -n) }

// capped keeps values at the caps.
func (i *Instance) capped(c Configuration) Configuration {
	c = append(Configuration{}, c...)
	for v, most := range i.Caps {
		at := len(i.Model.Locations) + v
		if most >= 0 && c[at] > most {
			c[at] = most
		}
	}
	return c
}

// onCycle says whether a rule leads to where its process can come from.
func (m *Model) onCycle(rule Rule) bool { return m.reaches(rule.To, rule.From) }

// reaches says whether rules lead from a location to another one, or whether they are the same.
func (m *Model) reaches(from, to int) bool {
	seen := map[int]bool{from: true}
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		for _, rule := range m.Rules {
			if rule.From == todo[0] && !seen[rule.To] {
				seen[rule.To] = true
				todo = append(todo, rule.To)
			}
		}
	}
	return seen[to]
}
