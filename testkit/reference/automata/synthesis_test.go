package automata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// A synthesisRow is a line of synth --json: a solution, or the end.
type synthesisRow struct {
	Unknowns  map[string]int `json:"unknowns"`
	Complete  *bool          `json:"complete"`
	Reason    string         `json:"reason"`
	Solutions int            `json:"solutions"`
	// Vacuous is a number at the end, and the reasons of a solution.
	Vacuous json.RawMessage `json:"vacuous"`
}

// synthesis compares the solutions of a template: those that the program finds have no violation in small
// instances; of the others one has a counterexample that the reference accepts.
func (k *check) synthesis() {
	k.tag("mode synth")
	args := []string{"synth", k.file, "--json", "--vacuous", "--timeout", "10s"}
	for _, spec := range k.c.Fragment {
		args = append(args, "--spec", spec)
	}
	a := ask(args...)
	solutions := map[string]bool{}
	complete := false
	decoder := json.NewDecoder(bytes.NewReader([]byte(a.out)))
	for decoder.More() {
		var r synthesisRow
		if err := decoder.Decode(&r); err != nil {
			k.disagree("synth", "%v\n%s", err, a.out)
			return
		}
		if r.Complete != nil {
			complete = *r.Complete
			if complete && r.Solutions != len(solutions) {
				k.disagree("synth", "%d solutions are counted, %d are shown", r.Solutions, len(solutions))
			}
			if !complete {
				k.tag("synth not complete")
			}
			continue
		}
		if len(r.Vacuous) > 0 {
			k.tag("synth vacuous solution")
		}
		solutions[fmt.Sprint(r.Unknowns)] = true
	}
	if a.code < 0 || a.code == 2 {
		if strings.Contains(a.err, "everything would hold") {
			k.tag("everything would hold")
			return
		}
		k.disagree("synth fails", "exit code %d: %s", a.code, a.err)
		return
	}
	var others []map[string]int
	found := 0
	for _, values := range k.assignments() {
		solution := solutions[fmt.Sprint(values)]
		if !solution {
			others = append(others, values)
			continue
		}
		found++
		k.tag("synth solution")
		s := k.with(values)
		for _, spec := range k.c.Fragment {
			for _, parameters := range s.model.Admissible(k.c.MaxParameter) {
				if bad, err := s.violated(spec, parameters); err == nil && bad {
					k.disagree("synth wrong solution", "%v violates %s with %v", values, spec, parameters)
				}
			}
		}
	}
	if found != len(solutions) {
		k.disagree("synth", "solutions %v are not all within the bounds", solutions)
	}
	if !complete || len(others) == 0 {
		return
	}
	k.tag("synth refusal")
	s := k.with(others[k.random.Intn(len(others))])
	for _, spec := range k.c.Fragment {
		for _, parameters := range s.model.Admissible(k.c.MaxParameter) {
			if bad, err := s.violated(spec, parameters); err == nil && bad {
				return
			}
		}
	}
	// No small instance refutes it: there has to be a larger one.
	k.tag("synth refusal beyond small instances")
	s.refused(s.c.Fragment)
	for _, problem := range s.problems {
		k.disagree("synth refuses a solution", "%s\n%s", problem, s.c.Text)
	}
}

// refused asks verify for a counterexample to one of the specifications, and checks it.
func (k *check) refused(specs []string) {
	args := []string{"verify", k.file, "--json", "--no-sanity", "--timeout", "5s"}
	for _, spec := range specs {
		args = append(args, "--spec", spec)
	}
	a := ask(args...)
	if strings.Contains(a.err, "everything would hold") {
		k.tag("everything would hold")
		return
	}
	rows, err := a.rows()
	if err != nil || len(rows) != len(specs) {
		k.disagree("verify fails", "%s", a.err)
		return
	}
	holds := 0
	for _, r := range rows {
		if r.Verdict == "violated" && k.refutes("verify", r) != nil {
			return
		}
		if r.Verdict == "holds" {
			holds++
		}
	}
	if holds == len(specs) {
		k.disagree("verify says that all hold", "%v", specs)
	}
}

// assignments are all values of the unknowns within their bounds.
func (k *check) assignments() []map[string]int {
	all := []map[string]int{{}}
	var names []string
	for name := range k.c.Unknowns {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		var more []map[string]int
		for _, values := range all {
			for v := k.c.Unknowns[name][0]; v <= k.c.Unknowns[name][1]; v++ {
				extended := map[string]int{name: v}
				for other, value := range values {
					extended[other] = value
				}
				more = append(more, extended)
			}
		}
		all = more
	}
	return all
}

// with is the case with values for the unknowns.
func (k *check) with(values map[string]int) *check {
	text := k.c.Text
	begin := strings.Index(text, "  unknowns")
	end := begin + strings.Index(text[begin:], ";") + 1
	var defines []string
	for name, value := range values {
		defines = append(defines, fmt.Sprintf("define %s == %d;", name, value))
	}
	sort.Strings(defines)
	return k.variant(text[:begin] + strings.Join(defines, " ") + text[end:])
}

// variant is a check of another text with the same specifications.
func (k *check) variant(text string) *check {
	c := *k.c
	c.Text = text
	return newCheck(k.file+".variant.ta", k.seed, &c)
}
