package protocol

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// refusing is a text that is right, of which parts are replaced by what the documentation says is refused.
const refusing = `protocol refusing;
const c = 1;
channels reliable;
type N: role[2]; M: role[1];
message A(x: 0..1), B;
var
  n: array[N] of record a: 0..2 = 0; s: seq[2] of 0..1 = seq(); t: set of 0..1 = {}; u: set of 0..5 = {}; end;
  m: array[M] of record b: bool = false; end;
rules
  [](i: N) go: if n[i].a = 0 then n[i].a := 1; send A(1) to all of N; endif
  []
  [](i: N) maybe get: receive A(x) from j: N n[i].a := 2;
invariant p: forall (k: N) n[k].a < 3;
ltl f fair: F (forall (k: N) n[k].a >= 1);
`

// TestRefused: what the documentation says is refused is refused, with its place.
func TestRefused(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""}, // nothing
		{"f fair:", "f fair(get):"},
		{"f fair:", "f fair(restart):"},
		{"(k: N) n[k].a < 3", "(k: N) forall (k: N) n[k].a < 3"},
		{"forall (k: N) n[k].a < 3", "true <-> true <-> true"},
		{"n[k].a < 3", "n[k].a < 3 <-> true <-> true"},
		{"n[k].a < 3", "forall (x: 2..1) x = 1"},
		{"n[i].a := 1;", "n[i].s[1] := 1;"},
		{"n[i].a := 1;", "n[i].u := union(n[i].t, n[i].u);"},
		{"n[i].a := 1;", "n[i].u := n[i].t;"},
		{"n[k].a < 3", "n[k].t != n[k].u"},
		{"n[k].a < 3", "size({}) = 0"},
		{"n[k].a < 3", "length(seq()) = 0"},
		{"n[k].a < 3", "(a: 1) = (a: 1)"},
		{"n[i].a := 1;", "n[i].status := crash;"},
		{"n[i].a := 2;", "if msg.absent then skip; endif"},
		{"n[k].a < 3", "n[k].a < 536870912"},
		{"const c = 1;", "const c = 1; assume c > 1;"},
		{"to all of N", "to all"},
		{"to all of N", "to sender"},
		{"to all of N", ""},
		{"from j: N", "from j"},
		{"receive A(x)", "receive A(i)"},
		{"n[i].a := 2;", "let x = 3;"},
		{"role[2]", "role[63]"},
		{"seq[2] of 0..1 = seq()", "seq[2] of 0..1 = seq(5)"},
		{"a: 0..2 = 0", "a: 0..2 = c + 2"},
		{"reliable;", "reliable lossy;"},
		{"n[k].a < 3", "F n[k].a = 1"},
	} {
		source := strings.Replace(refusing, c[0], c[1], 1)
		file := filepath.Join(t.TempDir(), "refused.ftdp")
		if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		run, err := program.run("explore", file, "--json", "--jobs", "1")
		if err != nil {
			t.Fatal(err)
		}
		if c[0] == "" {
			if run.Code != 0 {
				t.Errorf("the text is refused: %s", run.Message)
			}
		} else if run.Code != 2 || !run.static() || len(run.Results) > 0 {
			t.Errorf("%q in place of %q is not refused: %d %s", c[1], c[0], run.Code, run.Message)
		}
	}
}
