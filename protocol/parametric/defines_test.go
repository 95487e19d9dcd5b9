package parametric

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// TestUnusedDefinitions checks that a definition which nothing uses is right if it is at some place, and what is wrong
// with it is told otherwise, in rounds, too.
func TestUnusedDefinitions(t *testing.T) {
	const text = `protocol u;
parameters n, t;
assume n > 3 * t;
faults byzantine t;
messages B(0..1);
process node[n]
  KEPT input v: 0..1;
  local s: bool = false;
  go: if not s then s := true; send B(v); endif
  fin: if s and heard(B) >= n - t then NEXT endif
end
define used = v = 1;
DEFINE
invariant p: all(used) or some(v = 0);
`
	for define, want := range map[string]string{
		"define most(k: 0..1) = 2 * heard(B(k)) > n; define two = most(0) and most(1);": "",
		"define mine = v = 1 and s;":           "",
		"define quota = n - t;":                "",
		"define ends = F all(used);":           "",
		"define nest = foo and used;":          `13:15: unknown name "foo"`,
		"define w = all(v = 3) or x;":          `13:26: unknown name "x"`,
		"define w(k: 0..1) = heard(C(k)) > 1;": `13:27: there are no messages "C"`,
		"define w = s + 1;":                    "13:12: expected a number",
		"define turn = coordinator and used;":  `13:15: unknown name "coordinator"`,
	} {
		for _, rounds := range []bool{false, true} {
			if rounds && strings.Contains(want, "coordinator") { // it has a meaning there
				continue
			}
			kept, next := "", "skip;"
			if rounds {
				kept, next = "kept", "next;"
			}
			fill := strings.NewReplacer("KEPT ", kept+" ", "NEXT", next, "DEFINE", define)
			f, err := ftdp.Parse("u.ftdp", fill.Replace(text))
			if err != nil {
				t.Fatal(define, err)
			}
			if rounds {
				_, err = Rounds(f)
			} else {
				_, err = Of(f)
			}
			got := ""
			if err != nil {
				got = err.Error()
			}
			if (want == "") != (got == "") || !strings.Contains(got, want) {
				t.Errorf("%s (rounds: %v): %q, not %q", define, rounds, got, want)
			}
		}
	}
}
