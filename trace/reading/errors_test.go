package reading_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/trace/reading"
)

// TestErrors checks what is said of readings that cannot be read, and where.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, at, want string }{
		{`when $e = "a" && $b = 1: step();`, "1:15", "conditions are joined by `and`"},
		{`when $e = "a" || $b = 1: step();`, "1:15", "conditions are joined by `or`"},
		{`when $e = "a": step() after node[i].x = 1 and $b;`, "1:47", "`EXPRESSION = $x`"},
		{`when $e = "a": step() after $b = node[i].x;`, "1:29", "`EXPRESSION = $x`"},
		{`when $e = "a": step() after node[$b].x = 1;`, "1:34", "`EXPRESSION = $x`"},
		{`when $e = "a": step(i = $b) && later();`, "1:29", "checks are separated by commas"},
	} {
		_, err := reading.Parse("r.reading", c.text)
		var list diag.List
		if !errors.As(err, &list) {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := list.Error(); !strings.HasPrefix(got, "r.reading:"+c.at+": ") || !strings.Contains(got, c.want) {
			t.Errorf("got %s\nwant %s: ... %s", got, c.at, c.want)
		}
	}
}
