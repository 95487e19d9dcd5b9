package promela_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// TestExplanationsAreTrue reads the propositions in explanations of runs of random processes, and evaluates them in the
// worlds that their lines speak of.
func TestExplanationsAreTrue(t *testing.T) {
	cases, seed := need.Cases(t, 40), need.Seed(t, 0)
	read := map[run.Kind]int{}
	for i := range cases {
		generate := []func(*rand.Rand) string{random.Promela, random.PromelaVaried, random.PromelaSums, random.PromelaMixed}[i%4]
		text := generate(rand.New(rand.NewSource(int64(seed + i))))
		m, err := promela.Parse("random.pml", text, nil)
		if err != nil {
			continue
		}
		for k := range m.Formulas {
			f := &m.Formulas[k]
			run := smallRun(m, f)
			if run == nil {
				continue
			}
			why, err := (&promela.Counterexample{Spec: f.Name, Run: run}).Why()
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range why {
				n, err := lineIsTrue(text, run, line)
				if err != nil {
					t.Errorf("seed %d, %s: %s %s: %v\n%s", seed+i, f.Name, line.Kind, line.Text, err, text)
				}
				read[line.Kind] += n
			}
		}
	}
	t.Log(read)
	for _, kind := range []run.Kind{run.Assumed, run.Broken, run.Never} {
		if cases >= 400 && read[kind] == 0 {
			t.Errorf("nothing is read of lines %q", kind)
		}
	}
}

// smallRun violates a formula; nil if no run of three processes or fewer is found to.
func smallRun(m *promela.Model, f *promela.Named) *promela.Run {
	params := make([]int64, len(m.Params))
	for n := 0; n < 4*4*4; n++ {
		for i, rest := 0, n; i < len(params); i, rest = i+1, rest/4 {
			params[i] = int64(rest % 4)
		}
		in, err := m.NewInstance(append([]int64{}, params...))
		if err != nil {
			continue
		}
		if x, err := m.Explore(context.Background(), f, in, 20_000); err == nil && x.Run != nil {
			return x.Run
		}
	}
	return nil
}

var (
	placed = regexp.MustCompile(`^(?:(always)|at the start|after step (\d+))( for ever)?(?:, again and again)?: `)
	seen   = regexp.MustCompile(`^(.*) \((?:at last )?(?:one process: |[^()]* = -?\d|card|all|some).*\)$`)
)

// lineIsTrue evaluates the propositions of a line, and counts them.
func lineIsTrue(model string, of *promela.Run, line run.Reason) (n int, err error) {
	worlds, err := of.Worlds()
	if err != nil {
		return 0, err
	}
	found := placed.FindStringSubmatch(line.Text)
	if line.Kind == run.Because || line.Kind == run.Waiting || found == nil && line.Kind != run.Never {
		return 0, nil // what is assumed of all runs, and what TestBecauseIsTrue reads
	}
	at, text := 0, line.Text
	if found != nil {
		at, _ = strconv.Atoi(found[2])
		text = text[len(found[0]):]
	}
	if always := line.Kind == run.Never || found[1] != "" || found[3] != ""; always && of.Loop >= 0 {
		at = min(at, of.Loop)
	}
	text = strings.TrimSuffix(seen.ReplaceAllString(text, "$1"), " is true")
	before, after, isFalse := strings.Cut(text, " is false")
	if !isFalse && line.Kind == run.Never { // what it stands for comes behind it
		before, after, _ = strings.Cut(text, ", ")
	}
	if isFalse || line.Kind == run.Never {
		text = before
		if after != "" { // what it stands for
			text += "\n" + strings.TrimPrefix(after, ", ")
		}
	}
	want := !isFalse && line.Kind != run.Never
	from := worlds[at : at+1]
	if line.Kind == run.Never || found[1] != "" || found[3] != "" {
		from = worlds[at:]
	}
	for part := range strings.Lines(text) {
		if part = strings.TrimSpace(part); regexp.MustCompile(`\[\]|<>| U `).MatchString(part) {
			continue // a part with temporal operators
		}
		m, err := promela.Parse("line.pml", model+"\nltl probe { "+part+" }\n", nil)
		if err != nil {
			return n, err
		}
		in, err := m.NewInstance(of.Instance.Params)
		if err != nil {
			return n, err
		}
		n++
		for _, w := range from {
			if v, err := in.Holds(m.Formulas[len(m.Formulas)-1].Formula, w); err != nil || v != 0 != want {
				return n, errors.Join(fmt.Errorf("%s should be %v", part, want), err)
			}
		}
	}
	return n, nil
}
