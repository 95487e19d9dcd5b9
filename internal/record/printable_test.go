package record

import "testing"

// TestName: names that do something to a terminal are in quotes.
func TestName(t *testing.T) {
	for name, want := range map[string]string{"rb.ta": "rb.ta", "grüße.ta": "grüße.ta", "a\nb.ta": `"a\nb.ta"`, "\x1b[31m": `"\x1b[31m"`,
		"a\u202eb": `"a\u202eb"`, "a\xff": `"a\xff"`, `"a"`: `"\"a\""`} {
		if got := Name(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
