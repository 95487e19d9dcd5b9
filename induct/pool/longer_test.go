package pool

import (
	"os"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
)

// TestAlike has what a text compares, or assigns to each other: truth values that are data, as opposed to others, and numbers of
// different ranges.
func TestAlike(t *testing.T) {
	v := newVocabulary(read(t, "hierarchy"), Known{})
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

// TestKeys has clauses that say the same with the names of processes exchanged, which have one key.
func TestKeys(t *testing.T) {
	v := newVocabulary(read(t, "hierarchy"), Known{})
	p := prefix{v: v}.process("i", 0).process("j", 0)
	c := p.templates()[0]
	place := map[string]int{}
	for l := range 2 * len(c.atoms) {
		if e := c.literal(l); e != nil {
			place[e.String()] = l
		}
	}
	key := func(texts ...string) string {
		cl := &clause{of: c}
		for _, s := range texts {
			l, ok := place[s]
			if !ok {
				t.Fatalf("there is no %s", s)
			}
			cl.lits = append(cl.lits, l)
		}
		return cl.key()
	}
	up, value := "not process[%].up", "process[%].value"
	i, j := "i", "j"
	of := func(s, p string) string { return strings.ReplaceAll(s, "%", p) }
	for _, pair := range [][2][]string{
		{{of(up, i)}, {of(up, j)}},
		{{of(up, i), of(value, j)}, {of(value, i), of(up, j)}},
		{{of(up, i), "process[i].rank = process[j].round"}, {of(up, j), "process[i].round = process[j].rank"}},
		{{of(up, i), "process[i].value = process[j].proposed"}, {of(up, j), "process[i].proposed = process[j].value"}},
	} {
		if key(pair[0]...) != key(pair[1]...) {
			t.Errorf("%q say the same", pair)
		}
	}
	if key(of(up, i), of(value, i)) == key(of(up, i), of(value, j)) {
		t.Error("one process, and two")
	}
}
