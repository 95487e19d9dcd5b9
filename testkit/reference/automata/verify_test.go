package automata

import (
	"math/rand"
	"strings"
)

// verify compares verdicts for all parameters.
func (k *check) verify(options ...string) {
	name := "verify"
	if len(options) > 0 {
		name = "verify " + strings.Join(options, " ")
	}
	k.tag("mode verify")
	k.tagOptions(options)
	args := append([]string{"verify", k.file, "--json", "--timeout", itoa(patience) + "s"}, options...)
	for _, spec := range k.c.Fragment {
		args = append(args, "--spec", spec)
	}
	a := ask(args...)
	rows, err := a.rows()
	if err != nil || a.code == 2 || a.code < 0 || len(rows) != len(k.c.Fragment) {
		if strings.Contains(a.err, "everything would hold") && len(k.instancesWithRuns()) == 0 {
			k.tag("everything would hold")
		} else if strings.Contains(a.err, "outside the fragment") {
			k.disagree("verify refuses", "%s", a.err)
		} else {
			k.disagree("verify fails", "%s: exit code %d: %s", name, a.code, a.err)
		}
		return
	}
	code := 0
	for _, r := range rows {
		k.verifiedRow(name, r)
		code = max(code, map[string]int{"holds": 0, "unknown": 2, "violated": 3}[r.Verdict])
	}
	if want := []int{0, 0, 3, 1}[code]; a.code != want {
		k.disagree("verify exit code", "%s: %d, not %d", name, a.code, want)
	}
	for _, spec := range k.c.Wild {
		a := ask(append([]string{"verify", k.file, "--json", "--timeout", itoa(patience) + "s", "--spec", spec}, options...)...)
		rows, err := a.rows()
		if err == nil && len(rows) == 1 {
			k.tag("formula of any form is decided")
			k.verifiedRow(name, rows[0])
		} else if a.code == 2 && strings.Contains(a.err, "outside the fragment") {
			k.tag("formula of any form is refused")
		} else {
			k.disagree("verify fails", "%s of %s: exit code %d: %s", name, spec, a.code, a.err)
		}
	}
}

func (k *check) verifiedRow(name string, r row) {
	k.tag("verdict %s", r.Verdict)
	switch r.Verdict {
	case "unknown":
		k.tag("unknown: %s", r.Reason)
	case "holds":
		for _, parameters := range k.model.Admissible(k.c.MaxParameter) {
			bad, err := k.violated(r.Spec, parameters)
			if err != nil {
				k.tag("reference: %v", err)
				continue
			}
			if bad || k.violatedBeyond(r.Spec, parameters) {
				k.disagree("verify holds wrongly", "%s: %s with %v", name, r.Spec, parameters)
				return
			}
		}
		k.doubts(name, r)
	case "violated":
		w := k.refutes(name, r)
		if w == nil {
			return
		}
		if branches(k.formula(r.Spec), true) {
			return // a known difference: parameters are the smallest for one disjunct only
		}
		if r.Seconds > patience/4 {
			return // the search for smaller parameters may have been cut off
		}
		for _, parameters := range k.model.Admissible(k.c.MaxParameter) {
			if !k.less(parameters, w.Values) {
				continue
			}
			if bad, err := k.violated(r.Spec, parameters); err == nil && bad {
				k.disagree("parameters not smallest", "%s: %s with %v, not %v", name, r.Spec, w.Values, parameters)
				return
			}
		}
	}
}

// branches says whether a negated formula has disjuncts with temporal operators.
func branches(formula *Node, negated bool) bool {
	if !formula.temporal() {
		return false
	}
	switch formula.Op {
	case "!":
		return branches(formula.Left, !negated)
	case "||", "->", "&&":
		if (formula.Op == "&&") == negated {
			return true
		}
		return branches(formula.Left, negated != (formula.Op == "->")) || branches(formula.Right, negated)
	case "<>", "[]":
		return branches(formula.Left, negated)
	}
	return false
}

// violatedBeyond tries open values beyond the sum of the parameters.
func (k *check) violatedBeyond(spec string, parameters map[string]int) bool {
	if i, err := k.instance(parameters); err != nil || !i.Open {
		return false
	}
	i, err := NewInstance(k.model, parameters, total(parameters)+3, startLimit)
	if err != nil {
		return false
	}
	k.tag("open values beyond the sum")
	bad, err := i.Violated(k.formula(spec), stateLimit)
	return err == nil && bad
}

// less compares parameters in the order of their declaration.
func (k *check) less(a, b map[string]int) bool {
	for _, name := range k.model.Parameters {
		if a[name] != b[name] {
			return a[name] < b[name]
		}
	}
	return false
}

// doubts checks warnings that something holds for no good reason: no run of a small instance satisfies all
// premises.
func (k *check) doubts(name string, r row) {
	vacuous := false
	for _, warning := range r.Warnings {
		vacuous = vacuous || strings.Contains(warning, "no good reason")
	}
	if !vacuous {
		return
	}
	k.tag("vacuous")
	premises, claim := split(k.formula(r.Spec))
	if trigger, ok := response(claim); ok {
		premises = append(premises, &Node{Op: "<>", Left: trigger})
	}
	negation := &Node{Op: "false"}
	for _, premise := range premises {
		negation = &Node{Op: "||", Left: negation, Right: &Node{Op: "!", Left: premise}}
	}
	for _, parameters := range k.model.Admissible(k.c.MaxParameter) {
		i, err := k.instance(parameters)
		if err != nil {
			continue
		}
		possible, err := violated(counted{i, map[string]Configuration{}}, negation, false, stateLimit)
		if err == nil && possible {
			k.disagree("vacuity", "%s: %s has premises that some run with %v satisfies: %v", name, r.Spec, parameters, r.Warnings)
			return
		}
	}
}

// split divides p -> (q -> c) into premises and a claim.
func split(formula *Node) ([]*Node, *Node) {
	if formula.Op != "->" {
		return nil, formula
	}
	premises, claim := split(formula.Right)
	return append([]*Node{formula.Left}, premises...), claim
}

func response(claim *Node) (*Node, bool) {
	if claim.Op == "[]" && claim.Left.Op == "->" {
		return claim.Left.Left, true
	}
	return nil, false
}

// everyWay are options of verify that must not change verdicts.
func everyWay(random *rand.Rand) []string {
	var options []string
	if random.Intn(5) > 0 {
		options = append(options, "--search", []string{"lazy", "symbolic", "incremental", "enumerate"}[random.Intn(4)])
	}
	if random.Intn(2) > 0 {
		options = append(options, "--encoding", []string{"flow", "path"}[random.Intn(2)])
	}
	if len(options) == 0 || random.Intn(3) == 0 {
		options = append(options, "--no-simplify")
	}
	return options
}

// tagOptions has a feature for each option, with its value.
func (k *check) tagOptions(options []string) {
	for n, option := range options {
		switch option {
		case "--no-simplify":
			k.tag("%s", option)
		case "--search", "--encoding":
			k.tag("%s %s", option, options[n+1])
		}
	}
}
