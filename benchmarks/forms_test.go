package benchmarks_test

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/ta"
)

// head is the beginning of the table that TestForms holds.
const head = `# One algorithm in several languages

Locations, and rules from one to another one, of the automata of each text; then those of the automata whose locations
are merged that no rule tells apart (bisimulation; what formulas ask is left aside).

Merged, what people wrote (.ta) and pseudocode (.ftdp) are of one size for seven of the ten: a location of pseudocode
keeps the values of all variables, what a process has heard that matters later, and that it has crashed. Of rb and aba,
people join the step that sends with the one that accepts. Of cbc, they leave out crashes before anything is sent, and
with a vote for none.
A location of Promela (.pml) says which bounds a receive counter has reached, also where nothing comes of it; and a step
may pass several of them.

| algorithm | text | locations | rules | merged locations | merged rules |
|---|---|---|---|---|---|
`

// TestForms: the table says how large the automata of an algorithm are, in whichever language it is written.
func TestForms(t *testing.T) {
	got := head
	for _, source := range benchmarks.Sources() {
		name := strings.TrimSuffix(path.Base(source), ".ftdp")
		for _, file := range []string{name + ".ta", name + ".pml", source} {
			text, ok := benchmarks.Read(file)
			if !ok {
				continue
			}
			m, err := model.Open(context.Background(), file, text, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			a, err := m.(model.ForAll).Automaton(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			rules := moves(a.Automaton)
			class, classes := merged(a.Automaton, rules)
			for i := range rules {
				rules[i].From, rules[i].To = class[rules[i].From], class[rules[i].To]
			}
			different := map[partition.Edge]bool{}
			for _, r := range rules {
				different[r] = true
			}
			got += fmt.Sprintf("| %s | %s | %d | %d | %d | %d |\n", name, path.Base(file), len(a.Locations), len(rules),
				classes, len(different))
		}
	}
	const table = "testdata/forms.md"
	if os.Getenv("TACHECK_UPDATE") != "" {
		if err := os.WriteFile(table, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(table); err != nil || string(want) != got {
		t.Errorf("%v: the table is another one (TACHECK_UPDATE=1 writes it):\n%s", err, got)
	}
}

// moves are the rules of an automaton that lead from one location to another one.
func moves(a *ta.Automaton) (list []partition.Edge) {
	for i := range a.Rules {
		if r := &a.Rules[i]; r.From != r.To {
			list = append(list, partition.Edge{From: r.From, To: r.To, Does: a.FormatCond(r.Guard) + a.FormatUpdate(r)})
		}
	}
	return list
}

// merged are the classes of locations that no rule tells apart, and how many there are.
func merged(a *ta.Automaton, rules []partition.Edge) (class []int, classes int) {
	empty := map[string]bool{}
	for _, c := range a.Inits.Conjuncts() {
		empty[a.FormatCond(c)] = true
	}
	var labels []string
	for _, l := range a.Locations {
		labels = append(labels, fmt.Sprint(empty[l.Name+" == 0"]))
	}
	return partition.Bisimilar(labels, rules)
}
