package sizes

import (
	"slices"
	"strings"
	"testing"
)

// TestWrittenOut: the rules that a rule with parameters means, and their labels.
func TestWrittenOut(t *testing.T) {
	text, err := Parse(tiny("none", "local x: bool;", "[](v: -1..0) [](o: enum {UP, DN}) maybe r: if v = 0 and o = UP then x := true; endif [](b: bool) q: if x = b then x := not b; endif", ""))
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, r := range text.Roles[0].Rules {
		labels = append(labels, r.Label)
		if r.Maybe != strings.HasPrefix(r.Label, "r_") {
			t.Errorf("%s: maybe %v", r.Label, r.Maybe)
		}
	}
	if want := []string{"r_minus1_UP", "r_minus1_DN", "r_0_UP", "r_0_DN", "q_false", "q_true"}; !slices.Equal(labels, want) {
		t.Errorf("%v, want %v", labels, want)
	}
}

// TestArguments: what stands for parameters of definitions means what it means where the definition is used, and a constant
// is a value of the parameter.
func TestArguments(t *testing.T) {
	for _, test := range []struct{ definitions, condition, same string }{
		{"define D(x: 0..1) = i = x;", "D(1 - i)", "i = 1 - i"},
		{"define D(i: 0..1) = i = j;", "D(1)", "1 = j"},
		{"define D(i: 0..1, j: 0..1) = i < j;", "D(j, i)", "j < i"},
		{"define E(j: 0..1) = D(1 - j, j); define D(i: 0..1, j: 0..1) = i < j;", "E(i)", "1 - i < i"},
		{"define D = i; define E(i: 0..1) = D = i;", "E(1)", "i = 1"},
		{"define D(b: bool) = not b;", "D(i = 0 or j = 0)", "not (i = 0 or j = 0)"},
		{"define D(k: 0..1) = 2 * k;", "D(i + j) > 1", "2 * (i + j) > 1"},
		{"define D(k: 0..1) = i = k;", "D(2)", ""},
		{"define D(k: 0..1) = i = k;", "D(1, 1)", ""},
		{"define D(k: 0..1) = i = k;", "D", ""},
		{"define D(k: 0..1) = D(1 - k);", "D(1)", ""},
		{"define D = i;", "D(1)", ""},
	} {
		parsed := func(definitions, condition string) (*Text, error) {
			return Parse(tiny("none", "input i, j: 0..1;", "", definitions+" invariant p: all("+condition+");"))
		}
		text, err := parsed(test.definitions, test.condition)
		if test.same == "" {
			if err == nil {
				t.Errorf("%s %s: no error", test.definitions, test.condition)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", test.definitions, test.condition, err)
			continue
		}
		other, err := parsed("", test.same)
		if err != nil {
			t.Fatal(err)
		}
		a, b := NewInstance(text, []int{1, 0}), NewInstance(other, []int{1, 0})
		worlds := b.initial()
		for i, w := range a.initial() {
			got, want := scope{a, w, -1}.holds(text.Properties[0].Formula), scope{b, worlds[i], -1}.holds(other.Properties[0].Formula)
			if got != want {
				t.Errorf("%s %s: %v in %v, want %v", test.definitions, test.condition, got, w, want)
			}
		}
	}
}
