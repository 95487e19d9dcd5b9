package automata

import (
	"regexp"
	"sort"
	"strings"
)

// mostNamed is the greatest number of processes that are followed by name.
const mostNamed = 3

// fairness compares the assumption that is derived from the rules, and verdicts under it.
func (k *check) fairness() {
	f := Fairness{Silent: k.model.SilentParameter()}
	var options []string
	switch k.random.Intn(5) {
	case 0:
		f.Except = k.model.Locations[k.random.Intn(len(k.model.Locations))]
		options = append(options, "--except", f.Except)
		k.tag("--except location")
	case 1:
		if len(k.model.Rules) > 0 {
			f.Except = k.model.Shown(k.model.Rules[k.random.Intn(len(k.model.Rules))])
			options = append(options, "--except", f.Except)
			k.tag("--except rule")
		}
	}
	if len(k.model.Rules) > 0 && k.random.Intn(6) == 0 {
		rule := k.model.Rules[k.random.Intn(len(k.model.Rules))]
		if rule.Guard.Op != "true" && rule.Guard.Op != "false" {
			f.ExceptGuard = rule.Guard.String()
			options = append(options, "--except-guard", f.ExceptGuard)
			k.tag("--except-guard")
		}
	}
	switch k.random.Intn(6) {
	case 0:
		f.Silent = ""
		options = append(options, "--silent", "-")
		k.tag("--silent -")
	case 1:
		f.Silent = k.model.Parameters[k.random.Intn(len(k.model.Parameters))]
		options = append(options, "--silent", f.Silent)
		k.tag("--silent parameter")
	}
	for _, rule := range k.model.Rules {
		if f.Silent != "" && f.stronger(k.model, rule.Guard) {
			k.tag("faults under a multiple of a quotient")
			return
		}
	}
	forces := f.Forces(k.model)
	k.derived(forces, options)
	k.fairly(forces, options)
}

var comment = regexp.MustCompile(`/\*.*?\*/`)

// derived compares the formula that the program prints with the one of the reference: what they say again
// and again about configurations of small instances.
func (k *check) derived(forces []Force, options []string) {
	k.tag("mode fairness")
	a := ask(append([]string{"fairness", k.file}, options...)...)
	if a.code != 0 {
		k.disagree("fairness fails", "%v: %s", options, a.err)
		return
	}
	printed, err := ParseFormula(comment.ReplaceAllString(a.out, " "))
	if err != nil {
		k.disagree("fairness", "%v: %v\n%s", options, err, a.out)
		return
	}
	var theirs []*Node
	for _, conjunct := range conjuncts(printed) {
		switch {
		case conjunct.Op == "true":
		case conjunct.Op == "[]" && conjunct.Left.Op == "<>":
			theirs = append(theirs, conjunct.Left.Left)
		default:
			k.disagree("fairness", "%v: unexpected form\n%s", options, a.out)
			return
		}
	}
	ours := Conjuncts(k.model, forces)
	for _, parameters := range k.model.Admissible(min(3, k.c.MaxParameter)) {
		if x, y := k.meaning(theirs, parameters), k.meaning(ours, parameters); x != y {
			k.disagree("fairness", "%v: with %v the program's formula says something else\n%s\n%v", options, parameters, a.out, ours)
			return
		}
	}
}

func conjuncts(n *Node) []*Node {
	if n.Op == "&&" {
		return append(conjuncts(n.Left), conjuncts(n.Right)...)
	}
	return []*Node{n}
}

// meaning has for each conjunct the configurations in which it is true, without those that another one implies.
func (k *check) meaning(conjuncts []*Node, parameters map[string]int) string {
	i := &Instance{Model: k.model, Parameters: parameters}
	width := len(k.model.Locations) + len(k.model.Shared)
	columns := make([][]byte, len(conjuncts))
	c := make(Configuration, width)
	var choose func(j int)
	choose = func(j int) {
		if j == width {
			for n, conjunct := range conjuncts {
				columns[n] = append(columns[n], "01"[map[bool]int{false: 0, true: 1}[i.Truth(conjunct, c)]])
			}
			return
		}
		most := 1
		if j >= len(k.model.Locations) {
			most = []int{0, 8, 5, 3}[len(k.model.Shared)]
		}
		for c[j] = 0; c[j] <= most; c[j]++ {
			choose(j + 1)
		}
	}
	choose(0)
	different := map[string]bool{}
	for _, column := range columns {
		different[string(column)] = true
	}
	var least []string
	for column := range different {
		implied := !strings.Contains(column, "0")
		for other := range different {
			implied = implied || other != column && implies(other, column)
		}
		if !implied {
			least = append(least, column)
		}
	}
	sort.Strings(least)
	return strings.Join(least, " ")
}

func implies(p, q string) bool {
	for i := range p {
		if p[i] == '1' && q[i] == '0' {
			return false
		}
	}
	return true
}

// fairly compares verdicts under the derived assumption.
func (k *check) fairly(forces []Force, options []string) {
	if len(forces) == 0 {
		return // nothing is assumed; finite runs count
	}
	k.tag("mode verify --fair")
	args := append([]string{"verify", k.file, "--json", "--timeout", itoa(patience) + "s", "--no-sanity", "--fair"}, options...)
	if k.random.Intn(2) == 0 {
		ways := everyWay(k.random)
		k.tagOptions(ways)
		args = append(args, ways...)
	}
	for _, spec := range k.c.Fragment {
		args = append(args, "--spec", spec)
	}
	a := ask(args...)
	rows, err := a.rows()
	if err != nil || a.code == 2 || a.code < 0 || len(rows) != len(k.c.Fragment) {
		if !strings.Contains(a.err, "everything would hold") {
			k.disagree("verify --fair fails", "%v: exit code %d: %s", args, a.code, a.err)
		}
		return
	}
	for _, r := range rows {
		k.tag("fair verdict %s", r.Verdict)
		switch r.Verdict {
		case "unknown":
			k.tag("fair unknown: %s", r.Reason)
		case "violated":
			if w := k.witness(r); w != nil {
				doubt, err := k.model.RefutesFairly(w, forces)
				if err != nil || doubt != "" {
					k.disagree("verify --fair witness", "%v: %s: %s %v", args, r.Spec, doubt, err)
				}
			}
		case "holds":
			k.holdsFairly(forces, args, r)
		}
	}
}

func (k *check) holdsFairly(forces []Force, args []string, r row) {
	for _, parameters := range k.model.Admissible(k.c.MaxParameter) {
		i, err := k.instance(parameters)
		if err != nil {
			continue
		}
		bad, err := i.ViolatedFairly(k.formula(r.Spec), forces, mostNamed, 4*stateLimit)
		if err != nil {
			k.tag("reference, named: %v", err)
			continue
		}
		k.tag("named instance")
		if bad {
			k.disagree("verify --fair holds wrongly", "%v: %s with %v", args, r.Spec, parameters)
			return
		}
	}
}
