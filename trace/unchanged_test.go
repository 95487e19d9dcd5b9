package trace

import (
	"math/rand/v2"
	"testing"

	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// arrays has invariants of parts of arrays, whose indices are variables.
const arrays = `type N: role[2];
var node: array[N] of record
  a: array[1..3] of 0..2;
  at: 1..3 = 1;
  r: array[1..2] of record b: 0..2; c: array[N] of 0..2; end;
end;
init
  start: for i: N do
    for k: 1..3 do node[i].a[k] := 0; endfor
    for k: 1..2 do node[i].r[k].b := 0; for j: N do node[i].r[k].c[j] := 0; endfor endfor
  endfor
rules
  [](k: 1..3) [](v: 0..2) [](i: N) element: node[i].a[k] := v; []
  [](k: 1..3) [](i: N) here: node[i].at := k; []
  [](k: 1..2) [](v: 0..2) [](i: N) field: node[i].r[k].b := v; []
  [](k: 1..2) [](j: N) [](v: 0..2) [](i: N) inner: node[i].r[k].c[j] := v;
invariant every: forall (i: N) forall (k: 1..3) node[i].a[k] < 2;
invariant that: forall (i: N) node[i].a[node[i].at] < 2;
invariant third: exists (i: N) node[i].a[3] < 2;
invariant parts: forall (i: N) exists (k: 1..2) node[i].r[k].b < 2;
invariant inside: forall (i: N) forall (j: N) forall (k: 1..2) node[i].r[k].c[j] < 2;
`

// TestLooks: where a step changes nothing that an invariant looks at, the invariant is what it was;
// and steps that change nothing of it are common.
func TestLooks(t *testing.T) {
	skipped, looked, changed := 0, 0, 0
	for seed := range need.Cases(t, 60) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		text := arrays
		if seed%4 > 0 {
			text = random.Protocol(r)
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := &interp.Interpreter{Model: m}
		list, err := x.Initial()
		if err != nil {
			continue
		}
		s := list[r.IntN(len(list))].State
		for range 25 {
			next, err := x.Successors(s)
			if err != nil {
				break
			}
			n := next[r.IntN(len(next))].State
			for i := range m.Props {
				p := &m.Props[i]
				if p.Invariant == nil {
					continue
				}
				was, err := x.Holds(s, p.Invariant, p.Frame)
				is, also := x.Holds(n, p.Invariant, p.Frame)
				switch same := newLooks(m, p.Invariant).same(m, s, n); {
				case same && (was != is || (err == nil) != (also == nil)):
					t.Fatalf("seed %d: %s changes from %v to %v, and what it looks at does not", seed, p.Name, was, is)
				case same:
					skipped++
				case was != is:
					changed++
				default:
					looked++
				}
			}
			s = n
		}
	}
	t.Logf("the same %d times, looked at %d times, another value %d times", skipped, looked, changed)
	if skipped == 0 || changed == 0 {
		t.Error("nothing was tested")
	}
}
