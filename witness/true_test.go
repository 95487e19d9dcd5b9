package witness_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/selftest/generate"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// TestExplanationsAreTrue reads every condition and every value in explanations of counterexamples, and evaluates it in the
// configurations that its line speaks of.
func TestExplanationsAreTrue(t *testing.T) {
	cases, seed := need.Cases(t, 400), need.Seed(t, 0)
	read := map[run.Kind]int{}
	check := func(name string, a *ta.Automaton, spec *ta.Spec) {
		r, err := verify.Decide(context.Background(), a, spec, verify.Options{})
		if err != nil || r.Witness == nil {
			return // outside the fragment, or it holds
		}
		why, err := r.Witness.Why()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range why {
			n, err := lineIsTrue(r.Witness, line)
			if err != nil {
				t.Errorf("%s, %s: %s %s: %v", name, spec.Name, line.Kind, line.Text, err)
			}
			read[line.Kind] += n
		}
	}
	for _, e := range benchmarks.Expected() {
		if e.Verdict == verify.Violated {
			a, err := benchmarks.Parse(e.File)
			if err != nil {
				t.Fatal(err)
			}
			check(e.File, a, a.SpecNamed(e.Spec))
		}
	}
	for i := range cases {
		generate := []func(*rand.Rand) string{generate.Model, generate.Growing}[i%2]
		text := generate(rand.New(rand.NewSource(int64(seed + i))))
		a, err := ta.Parse("random.ta", text)
		if err != nil {
			t.Fatal(err)
		}
		for k := range a.Specs {
			check(fmt.Sprintf("seed %d", seed+i), a, &a.Specs[k])
		}
	}
	t.Log(read)
	for _, kind := range []run.Kind{run.Happens, run.Broken, run.Never, run.Because, run.Waiting, run.Edge} {
		if read[kind] == 0 {
			t.Errorf("nothing is read of lines %q", kind)
		}
	}
}

var (
	placed  = regexp.MustCompile(`^(always|at the start|after step (\d+)|in step (\d+), after (\d+) of \d+ times)( for ever|, again and again)?(: |$)`)
	because = regexp.MustCompile(`^step (\d+) takes rule [^:]*?\)(?:, since (.*?))?(?:, by steps? [^=]*)?$`)
	stays   = regexp.MustCompile(`^(\d+) process(?:es)? in (\w+): (.*)$`)
	seen    = regexp.MustCompile(`: (not enabled, |enabled by )(.*?)(, but nothing forces it to fire.*)?$`)
)

// lineIsTrue evaluates what a line says, and counts the conditions in it.
func lineIsTrue(w *witness.Witness, line run.Reason) (n int, err error) {
	every := func(text string, want bool, configs []*ta.Config) {
		e, wrong := syntax.ParseExpr("line", text)
		if wrong == nil && ltl.Temporal(e) {
			return // parts of formulas are told as they are written
		}
		n++
		for _, c := range configs {
			is, wrong := holds(w.Automaton, text, c)
			if wrong != nil || is != want {
				err = errors.Join(err, fmt.Errorf("%s should be %v: %w", text, want, wrong))
				return
			}
		}
	}
	values := func(text string, configs []*ta.Config) {
		for part := range strings.SplitSeq(text, ", ") {
			if part == "..." {
				continue
			}
			for _, atom := range atoms(part) {
				every(atom, true, configs)
			}
		}
	}
	switch line.Kind {
	case run.Because:
		found := because.FindStringSubmatch(line.Text)
		step, _ := strconv.Atoi(found[1])
		if found[2] != "" {
			values(found[2], w.Configs[step-1:step])
		}
		return n, err
	case run.Waiting:
		found := stays.FindStringSubmatch(line.Text)
		if found == nil {
			return 0, nil // who goes round
		}
		loop := w.Configs[w.Run.Loop:]
		every(found[2]+" == "+found[1], true, loop[:1])
		if what := seen.FindStringSubmatch(": " + found[3][strings.LastIndex(found[3], ": ")+2:]); what != nil && what[1] == "not enabled, " && !strings.HasPrefix(what[2], "needs ") {
			values(what[2], loop)
		}
		return n, err
	case run.Edge:
		for part := range strings.SplitSeq(strings.TrimPrefix(line.Text, "the parameters are at the limit of "), ", ") {
			every(strings.Replace(part, ">=", "==", 1), true, w.Configs[:1])
		}
		return n, err
	}
	text, configs := line.Text, w.Configs
	always := line.Kind == run.Never
	if found := placed.FindStringSubmatch(text); found != nil {
		text = text[len(found[0]):]
		always = always || found[1] == "always" || found[5] == " for ever"
		from := 0
		switch {
		case found[2] != "":
			from, _ = strconv.Atoi(found[2])
		case found[3] != "":
			step, _ := strconv.Atoi(found[3])
			times, _ := new(big.Int).SetString(found[4], 10)
			from = step
			configs = append(append([]*ta.Config{}, w.Configs...), nil)
			configs[step] = w.Configs[step-1].After(&w.Automaton.Rules[w.Run.Steps[step-1].Rule], times)
			copy(configs[step+1:], w.Configs[step:])
		}
		if always && w.Run.Loop != ta.Finite { // in the loop, what comes before is so again
			from = min(from, w.Run.Loop)
		}
		configs = configs[from:]
	}
	if !always {
		configs = configs[:1]
	}
	text, seen := told(text)
	if last, ok := strings.CutPrefix(seen, "at last "); ok {
		values(last, w.Configs[w.Run.Loop:])
	} else if seen != "" {
		values(seen, configs)
	}
	text, isFalse := strings.CutSuffix(strings.TrimSuffix(text, " is true"), " is false")
	every(text, !isFalse && line.Kind != run.Never, configs)
	return n, err
}

// told cuts what a line says into a condition, with "is false" if that is said, and what was seen.
func told(text string) (condition, values string) {
	reads := func(text string) bool {
		_, err := syntax.ParseExpr("line", strings.TrimSuffix(strings.TrimSuffix(text, " is true"), " is false"))
		return err == nil
	}
	for k := range text {
		if !reads(text) && strings.HasPrefix(text[k:], " (") && strings.HasSuffix(text, ")") && reads(text[:k]) {
			return text[:k], text[k+2 : len(text)-1]
		}
	}
	return text, ""
}

// atoms reads x = 3 >= t + 1 = 2 as x == 3, x >= t + 1 and t + 1 == 2.
func atoms(text string) (list []string) {
	value := regexp.MustCompile(`^(.*?) = (-?\d+)(?: (>=|<=|==|!=|<|>) (.*?)(?: = (-?\d+))?)?$`)
	found := value.FindStringSubmatch(text)
	if found == nil {
		return []string{text}
	}
	list = append(list, found[1]+" == "+found[2])
	if found[3] != "" {
		list = append(list, found[1]+" "+found[3]+" "+found[4])
	}
	if found[5] != "" {
		list = append(list, found[4]+" == "+found[5])
	}
	return list
}

// holds evaluates a condition.
func holds(a *ta.Automaton, text string, c *ta.Config) (bool, error) {
	e, err := syntax.ParseExpr("line", text)
	if err != nil {
		return false, err
	}
	f, err := ltl.FromExpr(a, e)
	if err != nil {
		return false, err
	}
	p, ok := f.(ltl.Prop)
	if !ok {
		return false, fmt.Errorf("%s is no condition", text)
	}
	return ta.Holds(p.Cond, c.Value), nil
}
