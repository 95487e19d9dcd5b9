package spell

import "testing"

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
