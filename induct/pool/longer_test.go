package pool

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
)

// TestAlike has what a text compares, or assigns to each other: truth values that are data, as opposed to others, and numbers of
// different ranges.
func TestAlike(t *testing.T) {
	v := newVocabulary(read(t, "hierarchy"), Known{}, nil)
	cells := map[string]scalar{}
	for _, s := range v.scalars(subject{name: "i", role: 0, bit: 1}, nil) {
		cells[s.expr.String()] = s
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"value", "proposed", true},
		{"value", "decided", false},
		{"up", "decided", false},
		{"up", "up", false},
		{"value", "value", true},
		{"rank", "round", true},
		{"rank", "value", false},
	} {
		a, b := cells["process[i]."+c.a], cells["process[i]."+c.b]
		if got := v.sortOf(a) != "" && v.sortOf(a) == v.sortOf(b); got != c.want {
			t.Errorf("%s and %s: %v (%q, %q)", c.a, c.b, got, v.sortOf(a), v.sortOf(b))
		}
	}
	var list []string
	for _, q := range v.quantities() {
		a := v.in(q, scalar{expr: made.Name("here"), uses: 1})
		list = append(list, a.yes.String(), a.no.String())
	}
	want := []string{
		"exists (k: processID) not process[k].rank != here", "forall (k: processID) process[k].rank != here",
		"exists (k: processID) process[k].rank > 0 and process[k].proposed = here",
		"forall (k: processID) not (process[k].rank > 0 and process[k].proposed = here)",
	}
	if !slices.Equal(list, want) {
		t.Errorf("quantities: %q", list)
	}
}

func read(t *testing.T, name string) *protocol.Model {
	t.Helper()
	file := "../../protocol/everysize/testdata/" + name + ".ftdp"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read(file, string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestExchanged has clauses about two processes that are equal when these are exchanged.
func TestExchanged(t *testing.T) {
	v := newVocabulary(read(t, "hierarchy"), Known{}, nil)
	p := prefix{v: v}.process("i", 0).process("j", 0)
	p.swapped = [2]string{"i", "j"}
	c := p.templates()[0]
	place := map[string]int{}
	for l := range 2 * len(c.atoms) {
		if e := c.literal(l); e != nil {
			place[e.String()] = l
		}
	}
	tried := func(texts ...string) bool {
		var lits []int
		for _, s := range texts {
			l, ok := place[s]
			if !ok {
				t.Fatalf("there is no %s", s)
			}
			lits = append(lits, l)
		}
		slices.Sort(lits)
		return c.first(lits)
	}
	up, value := "not process[%].up", "process[%].value"
	i, j := "i", "j"
	of := func(s, p string) string { return strings.ReplaceAll(s, "%", p) }
	for _, pair := range [][2][]string{
		{{of(up, i)}, {of(up, j)}},
		{{of(up, i), of(value, j)}, {of(up, j), of(value, i)}},
		{{of(up, i), "process[i].rank = process[j].round"}, {of(up, j), "process[i].round = process[j].rank"}},
		{{of(up, i), "process[i].value = process[j].proposed"}, {of(up, j), "process[i].proposed = process[j].value"}},
	} {
		if tried(pair[0]...) == tried(pair[1]...) {
			t.Errorf("not one of %q", pair)
		}
	}
	if !tried(of(up, i), of(up, j)) {
		t.Error("what is the same with names exchanged is left out")
	}
}
