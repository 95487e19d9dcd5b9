package automata

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A resilienceAnswer is what resilience --json prints.
type resilienceAnswer struct {
	Replaced []string `json:"replaced"`
	Specs    []struct {
		Spec    string             `json:"spec"`
		Reason  string             `json:"reason"`
		Minimal []minimalCondition `json:"minimal"`
	} `json:"specs"`
	Complete bool `json:"complete"`
}

type minimalCondition struct {
	Condition string         `json:"condition"`
	Values    map[string]int `json:"values"`
	Weaker    []struct {
		Condition string            `json:"condition"`
		Violates  string            `json:"violates"`
		With      map[string]string `json:"with"`
	} `json:"weaker"`
}

// most is the greatest value of an unknown.
const most = 2

// resilience compares the weakest conditions: what is at or above one has no violation in small instances, and one
// assignment that is not has a counterexample.
func (k *check) resilience() {
	p := k.model.Parameters[k.random.Intn(len(k.model.Parameters))]
	q := k.model.Parameters[k.random.Intn(len(k.model.Parameters))]
	bound := []string{"w1*" + q + " + w2", "w1*" + q, "w2", "w2*" + q + " + w1*" + q}[k.random.Intn(4)]
	if p == q {
		bound = "w1"
	}
	operator := []string{">", ">="}[k.random.Intn(2)]
	k.tag("mode resilience")
	k.tag("resilience %s", operator)
	args := []string{"resilience", k.file, "--json", "--timeout", "10s", "--max", itoa(most), "--assume", p + " " + operator + " " + bound}
	for _, spec := range k.c.Fragment {
		args = append(args, "--spec", spec)
	}
	a := ask(args...)
	var r resilienceAnswer
	if err := json.Unmarshal([]byte(a.out), &r); err != nil || a.code < 0 || a.code == 2 {
		if strings.Contains(a.err, "everything would hold") {
			k.tag("everything would hold")
			return
		}
		k.disagree("resilience fails", "%v: exit code %d: %s", args, a.code, a.err)
		return
	}
	if !r.Complete {
		k.tag("resilience not complete")
	}
	replaced := k.replaced(p)
	if len(replaced) != len(r.Replaced) {
		k.disagree("resilience replaces", "%s: %v, the reference %v", p, r.Replaced, replaced)
		return
	}
	for _, s := range r.Specs {
		if s.Reason != "" {
			k.tag("resilience: %s", s.Reason)
			continue
		}
		k.tag("resilience decided")
		k.resilienceOf(s.Spec, s.Minimal, replaced, p+" "+operator+" "+bound)
	}
}

func (k *check) resilienceOf(spec string, minimal []minimalCondition, replaced []int, form string) {
	var below []map[string]int
	for w1 := 0; w1 <= most; w1++ {
		for w2 := 0; w2 <= most; w2++ {
			values := map[string]int{"w1": w1, "w2": w2}
			above := false
			for _, m := range minimal {
				least := true
				for name, value := range m.Values {
					least = least && values[name] >= value
				}
				above = above || least
			}
			if !above {
				below = append(below, values)
				continue
			}
			v := k.assuming(form, values, replaced)
			for _, parameters := range v.model.Admissible(k.c.MaxParameter) {
				if bad, err := v.violated(spec, parameters); err == nil && bad {
					k.disagree("resilience too weak", "%s with %v: %s is violated with %v", form, values, spec, parameters)
					return
				}
			}
		}
	}
	for _, m := range minimal {
		for _, weaker := range m.Weaker {
			v := k.assuming(weaker.Condition, nil, replaced)
			with := map[string]int{}
			for name, value := range weaker.With {
				with[name], _ = strconv.Atoi(value)
			}
			i := &Instance{Model: v.model, Parameters: with}
			if !v.model.Admits(with) {
				k.disagree("resilience counterexample", "%s: %v is not admissible", weaker.Condition, i)
			}
			if total(with) > 8 {
				continue
			}
			k.tag("resilience counterexample")
			if bad, err := v.violated(weaker.Violates, with); err == nil && !bad && !k.open(v, with) {
				k.disagree("resilience counterexample", "%s: %s is not violated with %v", weaker.Condition, weaker.Violates, i)
			}
		}
	}
	if len(below) == 0 {
		return
	}
	k.tag("resilience refusal")
	v := k.assuming(form, below[k.random.Intn(len(below))], replaced)
	for _, parameters := range v.model.Admissible(k.c.MaxParameter) {
		if bad, err := v.violated(spec, parameters); err == nil && bad {
			return
		}
	}
	v.refused([]string{spec})
	for _, problem := range v.problems {
		k.disagree("resilience too strong", "%s: %s\n%s", form, problem, v.c.Text)
	}
}

func (k *check) open(v *check, parameters map[string]int) bool {
	i, err := v.instance(parameters)
	return err != nil || i.Open
}

func total(values map[string]int) int {
	sum := 0
	for _, value := range values {
		sum += value
	}
	return sum
}

// replaced are the assumptions that hold the parameter against others.
func (k *check) replaced(parameter string) []int {
	var all []int
	for n, assumption := range k.model.Assumptions {
		names := map[string]bool{}
		assumption.walk(func(part *Node) {
			if part.Op == "name" {
				names[part.Name] = true
			}
		})
		if names[parameter] && len(names) > 1 {
			all = append(all, n)
		}
	}
	return all
}

// assuming is the case with the condition in place of assumptions.
func (k *check) assuming(form string, values map[string]int, replaced []int) *check {
	for name, value := range values {
		form = strings.ReplaceAll(form, name, itoa(value))
	}
	for _, name := range []string{"w1", "w2"} {
		form = strings.ReplaceAll(form, name, "0")
	}
	lines := []string{form + ";"}
	for n, assumption := range k.model.Assumptions {
		if !contains(replaced, n) {
			lines = append(lines, assumption.String()+";")
		}
	}
	begin := strings.Index(k.c.Text, "  assumptions")
	end := begin + strings.Index(k.c.Text[begin:], "}") + 1
	return k.variant(fmt.Sprintf("%s  assumptions { %s }%s", k.c.Text[:begin], strings.Join(lines, " "), k.c.Text[end:]))
}

func contains(list []int, n int) bool {
	for _, other := range list {
		if other == n {
			return true
		}
	}
	return false
}
