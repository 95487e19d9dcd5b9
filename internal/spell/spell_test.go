package spell

import (
	"math/rand"
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name string
		from []string
		want string
	}{
		{"relai", []string{"relay", "unforgeability"}, "relay"},
		{"RELAY", []string{"relay"}, "relay"},
		{"locSX", []string{"locSF", "locSE", "loc"}, "locSE"}, // of two that are as near, the first in the alphabet
		{"n", []string{"t", "f"}, ""},                         // another letter is another name
		{"N", []string{"n"}, "n"},
		{"agreement", []string{"validity"}, ""},
		{"agreement", []string{"agreement"}, ""}, // itself is no correction
		{"agrement", nil, ""},
	} {
		if got := Nearest(c.name, c.from); got != c.want {
			t.Errorf("%s of %v: %q, want %q", c.name, c.from, got, c.want)
		}
	}
	if got := Hint("relai", []string{"relay"}); got != ` (did you mean "relay"?)` {
		t.Error(got)
	}
}

// TestBraces checks that what is written with braces are the names, each once.
func TestBraces(t *testing.T) {
	if got := Braces([]string{"p_v0_NO", "p_v0_YES", "q_v0_NO", "q_v0_YES", "p_v1_NO", "a", "b"}); !slices.Equal(got,
		[]string{"{p,q}_v0_{NO,YES}", "p_v1_NO", "a", "b"}) {
		t.Errorf("got %q", got)
	}
	r := rand.New(rand.NewSource(1))
	for range 300 {
		var names []string
		for range 12 {
			parts := make([]string, 1+r.Intn(4))
			for i := range parts {
				parts[i] = string(rune('a' + r.Intn(3)))
			}
			names = append(names, strings.Join(parts, "_"))
		}
		slices.Sort(names)
		names = slices.Compact(names)
		var written []string
		for _, text := range Braces(names) {
			written = append(written, expanded(text)...)
		}
		if slices.Sort(written); !slices.Equal(written, names) {
			t.Fatalf("%v is written %v", names, Braces(names))
		}
	}
}

// expanded are the names that braces stand for.
func expanded(text string) (list []string) {
	before, rest, found := strings.Cut(text, "{")
	if !found {
		return []string{text}
	}
	inner, after, _ := strings.Cut(rest, "}")
	for _, part := range strings.Split(inner, ",") {
		list = append(list, expanded(before+part+after)...)
	}
	return list
}
