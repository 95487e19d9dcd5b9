package every

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/pyv"
	"github.com/tacheck/tacheck/internal/verdict"
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

// TestOpen stops work as soon as it is told of a step that induction fails at: the result has it, too.
func TestOpen(t *testing.T) {
	s, err := pyv.Read("", `sort node
mutable relation wants(node)
mutable relation holds(node)
mutable relation free
init !wants(N) & !holds(N) & free
transition ask(n: node)
  modifies wants
  new(wants(N)) <-> wants(N) | N = n
transition take(n: node)
  modifies wants, holds, free
  & wants(n) & free & !new(free)
  & (forall N. new(wants(N)) <-> wants(N) & N != n)
  & (forall N. new(holds(N)) <-> holds(N) | N = n)
safety [mutex] holds(N1) & holds(N2) -> N1 = N2
`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	list, err := Prove(ctx, s, Options{Open: func(Open) { stop() }})
	if err != nil {
		t.Fatal(err)
	}
	if r := list[0]; r.Verdict != verdict.Unknown || r.Step == nil || r.Breaks != s.Safety[0].Formula {
		t.Errorf("%s, open is %v", r.Verdict, r.Open)
	}
}
