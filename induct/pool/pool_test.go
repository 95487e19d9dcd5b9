package pool

import (
	"os"
	"slices"
	"testing"

	"tacheck/protocol"
	"tacheck/protocol/everysize"
	"tacheck/testkit/need"
)

// TestClauses holds clauses against the interpreter: as lemmas, they are true in all states that were sampled, and
// without any of their conditions false in one.
func TestClauses(t *testing.T) {
	for _, name := range []string{"commit", "echo", "lock"} {
		file := "../../protocol/everysize/testdata/" + name + ".ftdp"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := protocol.Read(file, string(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, states, err := everysize.Ghost(m, false, 60)
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(m, nil, []Sample{{m, x, states}})
		if err != nil {
			t.Fatal(err)
		}
		holds := func(c *clause) bool {
			list, err := m.LemmasOf("lemma", []string{c.text()})
			if err != nil {
				t.Fatal(c.text(), err)
			}
			return !slices.ContainsFunc(states, func(s *protocol.State) bool {
				is, err := x.Holds(s, list[0].Invariant, list[0].Frame)
				return err != nil || !is
			})
		}
		n, most := 0, need.Cases(t, 8) // of a context
		for _, c := range p.contexts {
			for k := 0; k < len(c.clauses); k += 1 + len(c.clauses)/most {
				one := c.clauses[k]
				if n++; !holds(one) {
					t.Errorf("%s: false in a state: %s", name, one.text())
				}
				for i := range one.lits {
					less := &clause{of: c, lits: slices.Delete(slices.Clone(one.lits), i, i+1)}
					if len(less.lits) > 0 && holds(less) {
						t.Errorf("%s: true with less: %s", name, one.text())
					}
				}
			}
		}
		if n < 5 {
			t.Errorf("%s: %d clauses", name, n)
		}
	}
}
