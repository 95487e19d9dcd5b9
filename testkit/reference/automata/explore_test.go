package automata

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// explore compares all small instances, which the program decides in the same way.
func (k *check) explore() {
	k.tag("mode explore")
	a := ask("explore", k.file, "--all-up-to", itoa(k.c.MaxParameter), "--json")
	rows, err := a.rows()
	if a.code == 2 && strings.Contains(a.err, "satisfy the assumptions") && len(k.model.Admissible(k.c.MaxParameter)) == 0 {
		k.tag("no admissible parameters")
		return
	}
	if a.code == 2 && strings.Contains(a.err, "no initial configuration") && len(k.instancesWithRuns()) == 0 {
		k.tag("no initial configuration at all")
		return
	}
	if err != nil || a.code == 2 {
		k.disagree("explore fails", "exit code %d: %s", a.code, a.err)
		return
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.Spec == "" }) // warnings, of the model
	at := 0
	for _, spec := range k.model.Specs {
		for _, parameters := range k.model.Admissible(k.c.MaxParameter) {
			if at == len(rows) || rows[at].Spec != spec.Name || fmt.Sprint(rows[at].Parameters) != fmt.Sprint(parameters) {
				if i, err := k.instance(parameters); err == nil && len(i.Initial) == 0 {
					k.tag("no initial configuration")
					continue // the program leaves these out
				}
				k.disagree("explore leaves out", "%s with %v", spec.Name, parameters)
				return
			}
			r := rows[at]
			at++
			k.exploredRow(r)
			if r.Verdict == "violated" || r.Verdict == "unknown" { // larger instances are left out
				break
			}
		}
	}
	if at != len(rows) {
		k.disagree("explore adds", "%s with %v", rows[at].Spec, rows[at].Parameters)
	}
}

// instancesWithRuns are the parameters of small instances with an initial configuration: the program leaves out
// others.
func (k *check) instancesWithRuns() []map[string]int {
	var all []map[string]int
	for _, parameters := range k.model.Admissible(k.c.MaxParameter) {
		i, err := k.instance(parameters)
		if err == nil && len(i.Initial) == 0 {
			k.tag("no initial configuration")
			continue
		}
		all = append(all, parameters)
	}
	return all
}

func (k *check) exploredRow(r row) {
	k.tag("explore %s", r.Verdict)
	if r.Verdict == "violated" {
		k.refutes("explore", r)
	}
	bad, err := k.violated(r.Spec, r.Parameters)
	if err != nil {
		k.tag("reference: %v", err)
		return
	}
	i, _ := k.instance(r.Parameters)
	if r.Verdict == "unknown" && i.Open {
		return // it may have infinitely many configurations
	}
	if i.Open {
		k.tag("open instance")
	}
	if bad != (r.Verdict == "violated") && (bad || !i.Open) {
		k.disagree("explore verdict", "%s with %v is %s, the reference says violated = %v", r.Spec, r.Parameters, r.Verdict, bad)
	}
	for _, most := range i.Caps {
		if most >= 0 {
			return
		}
	}
	if i.Open || r.Verdict == "violated" {
		return
	}
	if count, err := i.Reachable(stateLimit); err == nil && always(k.formula(r.Spec)) && count != r.Configurations {
		k.disagree("explore count", "%s with %v: %d configurations, the reference has %d", r.Spec, r.Parameters, r.Configurations, count)
	} else if err == nil && count < r.Configurations {
		k.disagree("explore count", "%s with %v: %d configurations of %d", r.Spec, r.Parameters, r.Configurations, count)
	}
}

// always says whether a formula is []p with no operator in p: then everything is visited unless it is violated.
func always(formula *Node) bool { return formula.Op == "[]" && !formula.Left.temporal() }

// refutes checks a counterexample.
func (k *check) refutes(who string, r row) *Witness {
	var w Witness
	if err := json.Unmarshal(r.Witness, &w); err != nil {
		k.disagree(who+" witness", "%s: %v", r.Spec, err)
		return nil
	}
	if w.Spec != r.Spec || fmt.Sprint(w.Values) != fmt.Sprint(r.Parameters) {
		k.disagree(who+" witness", "%s: is about %s with %v", r.Spec, w.Spec, w.Values)
	}
	if w.Loop > 0 {
		k.tag("witness with a loop")
	} else {
		k.tag("finite witness")
	}
	k.witnesses = append(k.witnesses, &w)
	if err := k.model.Refutes(&w); err != nil {
		if errors.Is(err, errNonlinear) || errors.Is(err, errLarge) {
			k.tag("reference: %v", err)
			return &w
		}
		k.disagree(who+" witness", "%s: %v", r.Spec, err)
		return nil
	}
	return &w
}
