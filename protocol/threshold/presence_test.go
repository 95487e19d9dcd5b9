package threshold

import (
	"context"
	"testing"
)

// TestPresence: comparisons that say that no process is somewhere, or that one is, are printed as such, and no others.
func TestPresence(t *testing.T) {
	const nobody, somebody = "[](idle == 0)", "[](idle != 0)"
	for condition, want := range map[string]string{
		"count(not v) = 0": nobody, "count(not v) <= 0": nobody, "count(not v) < 1": nobody, "0 = count(not v)": nobody,
		"1 > count(not v)":       nobody,
		"not (count(not v) > 0)": nobody, "0 >= 2 * count(not v)": nobody, "all(v)": nobody,
		"count(not v) > 0": somebody, "count(not v) != 0": somebody, "1 <= count(not v)": somebody,
		"0 < count(not v)": somebody, "some(not v)": somebody,
		"not (count(not v) = 0)": somebody, "count(not v) >= 1": somebody,
		"count(not v) = 1": "", "count(not v) <= 1": "", "count(not v) >= 2": "", "count(not v) < 2": "",
		"count(not v) >= 0": "", "count(not v) < 0": "",
		"count(not v) = count(v)": "", "count(not v) <= count(v)": "", "n > count(not v)": "",
		"count(not v) + n = 0": "",
	} {
		text := "protocol p;\nparameters n;\nassume n > 1;\nfaults none;\nprocess node[n]\n  input v: bool;\n  up: " +
			"if not v then v := true; endif\nend\ninvariant i: " + condition + ";\n"
		u, err := Translate(context.Background(), source(t, text))
		if err != nil {
			t.Fatal(condition, err)
		}
		if got := u.automaton.Specs[0].Formula.String(); want != "" && got != want ||
			want == "" && (got == nobody || got == somebody) {
			t.Errorf("%s: %s", condition, got)
		}
	}
}
