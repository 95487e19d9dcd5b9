package every

import (
	"testing"

	"github.com/tacheck/tacheck/fol"
)

// TestKey: clauses that differ by names and order have one key, and others have others.
func TestKey(t *testing.T) {
	sort := &fol.Sort{Name: "node"}
	sent := &fol.Symbol{Name: "sent", Args: []*fol.Sort{sort, sort}}
	up := &fol.Symbol{Name: "up", Args: []*fol.Sort{sort}}
	x, y := &fol.Var{Name: "X", Sort: sort}, &fol.Var{Name: "Y", Sort: sort}
	of := func(a, b *fol.Var, apart bool) clause {
		c := clause{vars: []*fol.Var{x, y}, literals: []*fol.Term{fol.Of(sent, fol.V(a), fol.V(b)),
			fol.Neg(fol.Of(up, fol.V(a)))}}
		if apart {
			c.apart = [][2]*fol.Var{{x, y}}
		}
		return c
	}
	other := of(y, x, true)
	other.literals[0], other.literals[1] = other.literals[1], other.literals[0]
	if of(x, y, true).key() != other.key() {
		t.Errorf("%q is not %q", of(x, y, true).key(), other.key())
	}
	seen := map[string]bool{}
	for _, c := range []clause{of(x, y, true), of(x, y, false), of(x, x, true)} {
		if seen[c.key()] {
			t.Errorf("%q is the key of different clauses", c.key())
		}
		seen[c.key()] = true
	}
}
