package names

import "testing"

func TestFresh(t *testing.T) {
	taken := Taken{"a": true, "a2": true, "b_2": true}
	for _, c := range []struct{ name, sep, want string }{{"a", "", "a3"}, {"b", "_", "b"}, {"b", "_", "b_3"}, {"a3", "", "a32"}} {
		if got := taken.Fresh(c.name, c.sep); got != c.want {
			t.Errorf("Fresh(%q, %q) = %q, want %q", c.name, c.sep, got, c.want)
		}
	}
}
