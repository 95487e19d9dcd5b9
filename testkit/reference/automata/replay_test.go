package automata

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
)

// replay has one witness of the program, and changed copies of it, checked by the program and by the reference.
func (k *check) replay() {
	if len(k.witnesses) == 0 {
		return
	}
	w := k.witnesses[k.random.Intn(len(k.witnesses))]
	k.replayed("unchanged", w)
	for n := 0; n < 2; n++ {
		changed, how := k.change(w)
		k.replayed(how, changed)
	}
}

func (k *check) replayed(how string, w *Witness) {
	k.tag("mode replay %s", how)
	text, err := json.Marshal(w)
	if err != nil {
		panic(err)
	}
	file := k.file + ".json"
	if err := os.WriteFile(file, text, 0o600); err != nil {
		panic(err)
	}
	a := ask("replay", k.file, file)
	problem := k.model.Refutes(w)
	if errors.Is(problem, errNonlinear) || errors.Is(problem, errLarge) {
		return
	}
	k.tag("replay exit code %d", a.code)
	if a.code == 1 && strings.Contains(a.out+a.err, "does not stay as it is when the loop is repeated") {
		return // docs/witness.md
	}
	if (problem == nil) != (a.code == 0) || a.code > 2 {
		k.disagree("replay", "%s: exit code %d (%s%s), the reference says %v\n%s", how, a.code, a.out, a.err, problem, text)
	}
}

// change makes a witness that says something else. What it says about each step is what the rules make of it.
func (k *check) change(w *Witness) (*Witness, string) {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err)
	}
	var c Witness
	if err := json.Unmarshal(text, &c); err != nil {
		panic(err)
	}
	how := "unchanged"
	one := func() int { return 2*k.random.Intn(2) - 1 }
	bump := func(values map[string]int, names []string) {
		if len(names) > 0 {
			name := names[k.random.Intn(len(names))]
			values[name] = max(0, values[name]+one())
		}
	}
	at := 0
	if len(c.Steps) > 0 {
		at = k.random.Intn(len(c.Steps))
	}
	switch kind := k.random.Intn(8); {
	case kind == 0:
		how = "parameter"
		bump(c.Values, k.model.Parameters)
	case kind == 1:
		how = "start"
		bump(c.Start.State, k.model.Locations)
	case kind == 2:
		how = "variable at the start"
		bump(c.Start.State, k.model.Shared)
	case kind == 3:
		how = "loop"
		c.Loop = k.random.Intn(len(c.Steps) + 1)
	case kind == 4:
		how = "specification"
		c.Spec = k.model.Specs[k.random.Intn(len(k.model.Specs))].Name
	case kind == 5 && len(c.Steps) > 0:
		how = "factor"
		c.Steps[at].Times += one()
	case kind == 6 && len(c.Steps) > 0:
		how = "step left out"
		c.Steps = append(c.Steps[:at], c.Steps[at+1:]...)
		if c.Loop > at+1 {
			c.Loop--
		}
		if c.Loop > len(c.Steps) {
			c.Loop = 0
		}
	case kind == 7 && len(c.Steps) > 0:
		how = "step twice"
		c.Steps = append(c.Steps[:at+1], c.Steps[at:]...)
		if c.Loop > at+1 {
			c.Loop++
		}
	}
	k.settle(&c)
	return &c, how
}

// settle numbers the steps, and writes what each one changes.
func (k *check) settle(w *Witness) {
	m := k.model
	now, err := m.configuration(w.Start.State)
	if err != nil {
		panic(err)
	}
	for n := range w.Steps {
		step := &w.Steps[n]
		before := append(Configuration{}, now...)
		for _, rule := range m.Rules {
			if slices.Equal(step.Lines, []int{rule.Line}) && m.Shown(rule) == step.Rule {
				now[rule.From] -= step.Times
				now[rule.To] += step.Times
				for n := 0; n < step.Times; n++ {
					copy(now[len(m.Locations):], m.written(rule, now))
				}
			}
		}
		step.State = map[string]int{}
		for j, name := range slices.Concat(m.Locations, m.Shared) {
			if now[j] != before[j] {
				step.State[name] = now[j]
			}
		}
	}
}
