package sizes

import (
	"encoding/json"
	"fmt"
	"slices"
)

// resilient is what resilience prints.
type resilient struct {
	Complete bool
	Specs    []struct {
		Spec, Reason string
		Minimal      []struct {
			Condition string
			Values    map[string]int
			Weaker    []struct {
				Condition string
				Violates  string
				With      map[string]json.Number
			}
		}
	}
}

// resilience: a property holds of all small instances that satisfy one of the conditions found.
func (c *Case) resilience() {
	if !slices.Contains(c.Text.Parameters, "n") || !slices.Contains(c.Text.Parameters, "f") {
		return
	}
	form, others := "n > u0*f", []string{"f"}
	if slices.Contains(c.Text.Parameters, "t") {
		form, others = "n > u0*t + u1*f", []string{"t", "f"}
	}
	a := c.program.run("resilience", "text.ta", "--assume", form, "--json", "--timeout", "6s", "--max", "4", "--jobs", "1")
	c.broken("resilience", a)
	if a.code == 2 || a.code == -1 {
		c.note("resilience: %s", refusal(a.err))
		return
	}
	var found resilient
	if err := json.Unmarshal([]byte(a.out), &found); err != nil {
		c.disagree("resilience", "cannot be read: %v: %s", err, a.out)
		return
	}
	rest := *c.Text
	rest.Assumptions = nil
	for _, e := range c.Text.Assumptions {
		if !comparesWithOthers(e, "n") {
			rest.Assumptions = append(rest.Assumptions, e)
		}
	}
	instances := Instances(&rest, largestParameter)
	for _, s := range found.Specs {
		i := slices.IndexFunc(c.Text.Properties, func(p Property) bool { return p.Name == s.Spec })
		if i < 0 || s.Reason != "" {
			continue
		}
		for _, m := range s.Minimal {
			c.tag("resilience")
			for _, in := range instances {
				bound := 0
				for i, name := range others {
					bound += m.Values[fmt.Sprintf("u%d", i)] * in.Parameters[slices.Index(c.Text.Parameters, name)]
				}
				if in.Parameters[slices.Index(c.Text.Parameters, "n")] <= bound {
					continue
				}
				if v, err := in.Decide(c.Text.Properties[i], c.limit/4); err == nil && v == Violated {
					c.disagree("resilience", "%s is said to hold if %s, but not with %s", s.Spec, m.Condition, in)
					return
				}
			}
			for _, w := range m.Weaker {
				if w.Violates != s.Spec {
					continue
				}
				in := instanceOf(&rest, values(&rest, w.With))
				if in == nil {
					c.disagree("resilience", "%s: %s: not admissible: %v", s.Spec, w.Condition, w.With)
				} else if v, err := in.Decide(c.Text.Properties[i], c.limit/4); err == nil && v == Holds {
					c.note("resilience: weaker condition refuted where the text holds (the automaton may say less)")
				}
			}
		}
	}
}

// instanceOf is an instance, or nil, also if the parameters are nil.
func instanceOf(t *Text, parameters []int) *Instance {
	if parameters == nil {
		return nil
	}
	return NewInstance(t, parameters)
}

// values are the parameters of a text, in order.
func values(t *Text, by map[string]json.Number) []int {
	var list []int
	for _, name := range t.Parameters {
		value, err := by[name].Int64()
		if err != nil {
			return nil
		}
		list = append(list, int(value))
	}
	return list
}

// comparesWithOthers tells whether a condition speaks of a parameter and another one.
func comparesWithOthers(e *Expr, parameter string) bool {
	names := map[string]bool{}
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if e.Op == "parameter" {
			names[e.Name] = true
		}
		for _, arg := range e.Args {
			walk(arg)
		}
	}
	walk(e)
	return names[parameter] && len(names) > 1
}

// String of a disagreement.
func (d Disagreement) String() string {
	return fmt.Sprintf("%s: %s", d.Kind, d.Detail)
}
