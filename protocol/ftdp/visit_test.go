package ftdp

import (
	"testing"
)

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		alike bool
	}{
		{"forall (x: node) exists (y: node) f[x] = g[y]", "forall (y: node) exists (x: node) f[y] = g[x]", true},
		{"forall (x: node) exists (y: node) f[x] = g[y]", "forall (x: node) exists (y: node) f[y] = g[x]", false},
		{"forall (x: node) xv = true", "forall (y: node) yv = true", false}, // the names of others begin like these
		{"exists (x: node) x = y", "exists (y: node) y = y", false},
		{"a + b", "a - b", false},
	} {
		var list []*Expr
		for _, text := range []string{c.a, c.b} {
			e, err := ReadExpr("", text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, e)
		}
		if got := list[0].Alike(list[1]); got != c.alike {
			t.Errorf("%s, %s: %v", c.a, c.b, got)
		}
	}
}
