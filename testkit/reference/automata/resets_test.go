package automata

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// TestResets compares verdicts on automata whose rules reset and decrease variables with all instances
// up to 4: what holds is violated in none of them, and what is violated has a run that is one here.
func TestResets(t *testing.T) {
	cases, seed := need.Cases(t, 12), int64(need.Seed(t, 1))
	folder := t.TempDir()
	groups := map[string][]string{}
	count := map[string]int{}
	for n := int64(0); n < int64(cases); n++ {
		k := newCheck(caseFile(folder, seed+n), seed+n, GenerateResets(seed+n))
		for _, spec := range k.c.Wild {
			count[k.reset(spec)]++
		}
		if k.random.Intn(10) == 0 {
			k.explore()
		}
		if k.random.Intn(5) == 0 {
			k.replay()
		}
		if len(k.problems) > 0 {
			kind, _, _ := strings.Cut(k.problems[0], ":")
			groups[kind] = append(groups[kind], fmt.Sprintf("seed %d\n%s\n%s", k.seed, strings.Join(k.problems, "\n"), k.c.Text))
		}
	}
	report(t, groups)
	t.Logf("%d automata", cases)
	for what, n := range count {
		t.Logf("%6d %s", n, what)
	}
	if cases >= 40 && (count["holds"] < cases/8 || count["violated"] < cases/8) {
		t.Error("the cases are one-sided")
	}
}

// reset compares one verdict, and says what came out.
func (k *check) reset(spec string) string {
	a := ask("verify", k.file, "--json", "--no-sanity", "--first", "--resets", "2", "--timeout", "5s", "--spec", spec)
	rows, err := a.rows()
	if err != nil || len(rows) != 1 {
		if a.code == 2 && strings.Contains(a.err, "outside the fragment") {
			return "outside the fragment"
		}
		k.disagree("verify fails", "%s: exit code %d: %s", spec, a.code, a.err)
		return "failed"
	}
	r := rows[0]
	switch r.Verdict {
	case "holds":
		for _, parameters := range k.model.Admissible(k.c.MaxParameter) {
			if bad, err := k.violated(spec, parameters); err == nil && bad {
				k.disagree("verify holds wrongly", "%s with %v", spec, parameters)
				return "wrong"
			}
		}
	case "violated":
		var w Witness
		if err := json.Unmarshal(r.Witness, &w); err != nil {
			k.disagree("witness", "%v", err)
		} else if err := k.model.Refutes(&w); err != nil && !errors.Is(err, errNonlinear) && !errors.Is(err, errLarge) {
			k.disagree("witness", "%s: %v", spec, err)
		}
		k.witnesses = append(k.witnesses, &w)
	case "unknown":
		for _, parameters := range k.model.Admissible(k.c.MaxParameter) {
			if bad, err := k.violated(spec, parameters); err == nil && bad {
				return "unknown, and an instance violates it: " + reasonOf(r.Reason)
			}
		}
		return "unknown, and no instance violates it: " + reasonOf(r.Reason)
	}
	return r.Verdict
}

// reasonOf is a reason without names of rules and numbers.
func reasonOf(reason string) string {
	var words []string
	for _, w := range strings.Fields(reason) {
		if w[0] >= '0' && w[0] <= '9' {
			w = "#"
		}
		if n := len(words); n == 0 || words[n-1] != w {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}
