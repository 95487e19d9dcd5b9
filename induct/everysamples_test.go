package induct

import (
	"slices"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
)

// TestSampledSizes visits instances in which quorums of two sizes are in both orders, and one with so many processes
// that half of them are three: in smaller ones a process and another one are half of all.
func TestSampledSizes(t *testing.T) {
	const quorums = `protocol two;
const n = 3; q1 = 2; q2 = 2; b = 2; w = 2; m = 2;
assume n >= 1, q1 >= 1, q2 >= 1, q1 + q2 >= n + 1, q1 <= n, q2 <= n, b >= 1, w >= 1, m >= 1;
type P: role[n]; M: role[m]; B: 1..b; W: 1..w;
var p: array[P] of record no: 0..b = 0; value: 0..w = 0; end; o: array[M] of record done: bool = false; end;
rules
  [](c: B) [](v: W) [](i: P) one: if p[i].no < c then p[i].no := c; p[i].value := v; endif
  []
  [](i: M) two: if count (k: P) (p[k].no > 0) >= q1 then o[i].done := true; endif
  []
  [](i: M) three: if count (k: P) (p[k].no = 0) >= q2 then o[i].done := false; endif
invariant some: forall (i: M) not o[i].done or exists (k: P) p[k].no > 0;
`
	const half = `protocol half;
const n = 3; b = 2;
assume n >= 1, b >= 1;
type P: role[n]; B: 1..b;
var p: array[P] of record no: 0..b = 0; end;
rules
  [](i: P) up: if p[i].no < b and count (k: P) (p[k].no >= p[i].no) >= n / 2 then p[i].no += 1; endif
invariant some: forall (i: P) p[i].no <= b;
`
	type sizes func(name string) int64
	for _, c := range []struct {
		text, what string
		is         func(of sizes) bool
	}{
		{quorums, "q1 > q2", func(of sizes) bool { return of("q1") > of("q2") }},
		{quorums, "q1 < q2", func(of sizes) bool { return of("q1") < of("q2") }},
		{half, "n / 2 > 2 and b > 1", func(of sizes) bool { return of("n") > 5 && of("b") > 1 }},
	} {
		m, err := instantiate.Read("sizes.ftdp", c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		q := &everySearch{m: m, r: &ForSizes{Sizes: m.Free()}}
		var seen []*protocol.Model
		for one := range q.sampled() {
			if seen = append(seen, one); len(seen) == sampledSizes {
				break
			}
		}
		if !slices.ContainsFunc(seen, func(m *protocol.Model) bool {
			return c.is(func(name string) int64 { return value(m, name) })
		}) {
			t.Errorf("no instance with %s is visited", c.what)
			for _, m := range seen {
				t.Log(m.Assignments())
			}
		}
	}
}
