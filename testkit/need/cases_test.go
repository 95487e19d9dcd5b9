package need

import "testing"

// TestCases: the knob multiplies, or sets, and thins tables out.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		text         string
		cases, every int
	}{{"", 2, 20}, {"1x", 20, 4}, {"2x", 40, 1}, {"3x", 60, 1}, {"100x", 2000, 1}, {"7", 7, 1}} {
		t.Setenv(casesVariable, c.text)
		if cases, every := Cases(t, 20), Every(t, 4); cases != c.cases || every != c.every {
			t.Errorf("%q: %d cases, each %d. row; want %d, %d", c.text, cases, every, c.cases, c.every)
		}
	}
	for text, rows := range map[string]int{"": 10, "1x": 2, "2x": 2, "4x": 2, "5x": 1, "7": 1} {
		if t.Setenv(casesVariable, text); Rarely(t, 2) != rows {
			t.Errorf("%q: each %d. row, want %d", text, Rarely(t, 2), rows)
		}
	}
	t.Setenv(casesVariable, "")
	if got := Cases(t, 3); got != 1 {
		t.Error(got)
	}
	for text, want := range map[string][2]bool{"": {true, true}, "1x": {false, true}, "2x": {}, "9": {}} {
		t.Setenv(casesVariable, text)
		got := [2]bool{skips(t, Usual), skips(t, More)}
		if got != want {
			t.Errorf("%q: skipped are %v, want %v", text, got, want)
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

// skips says whether a test is skipped.
func skips(t *testing.T, unless func(testing.TB, string)) (skipped bool) {
	t.Run("", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		unless(t, "this")
	})
	return skipped
}
