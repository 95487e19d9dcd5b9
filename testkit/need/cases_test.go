package need

import "testing"

// TestCases: the knob multiplies, or sets, and thins tables out.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		text         string
		cases, every int
	}{{"", 20, 4}, {"1x", 20, 4}, {"2x", 40, 1}, {"3x", 60, 1}, {"100x", 2000, 1}, {"7", 7, 1}} {
		t.Setenv(casesVariable, c.text)
		if cases, every := Cases(t, 20), Every(t, 4); cases != c.cases || every != c.every {
			t.Errorf("%q: %d cases, each %d. row; want %d, %d", c.text, cases, every, c.cases, c.every)
		}
	}
	t.Setenv(seedVariable, "")
	if got := Seed(t, 3); got != 3 {
		t.Error(got)
	}
	t.Setenv(seedVariable, "9")
	if got := Seed(t, 3); got != 9 {
		t.Error(got)
	}
}
