package rounds

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// doubled is chosenLate, with each location twice: rules lead to any of the two. One of them, or none, has another guard in one of the
// copies, so that what looks alike need not be.
func doubled(r *rand.Rand, odd int, other string) string {
	rules := []struct{ from, to, guard, effect string }{
		{"v0", "a", "true", "z0' == z0 + 1;"}, {"v1", "a", "true", "z1' == z1 + 1;"},
		{"d0", "a", "true", "z0' == z0 + 1;"}, {"d1", "a", "true", "z1' == z1 + 1;"},
		{"a", "p0", "z0 >= 1 && y1 < 1", "y0' == y0 + 1;"}, {"a", "p1", "z1 >= 1 && y0 < 1", "y1' == y1 + 1;"},
		{"a", "m", "z0 >= 1 && z1 >= 1", ""},
	}
	either := func(l string) string { return l + []string{"", "x"}[r.IntN(2)] }
	var text, locations, inits strings.Builder
	for _, l := range []string{"v0", "v1", "d0", "d1", "a", "p0", "p1", "m"} {
		fmt.Fprintf(&locations, "%s; %sx; ", l, l)
		switch l {
		case "v0", "v1":
			fmt.Fprintf(&inits, "%sx == 0; ", l)
		default:
			fmt.Fprintf(&inits, "%s == 0; %sx == 0; ", l, l)
		}
	}
	n := 0
	for i, rule := range rules {
		for copies, suffix := range []string{"", "x"} {
			guard := rule.guard
			if 2*i+copies == odd {
				guard = other
			}
			n++
			fmt.Fprintf(&text, "%d: %s -> %s when (%s) do { %s };\n", n, rule.from+suffix, either(rule.to), guard, rule.effect)
		}
	}
	var next []any
	value := [2][]string{{"v0"}, {"v1"}}
	for i, l := range []string{"d0", "d0", "d1", "d1", "v0", "v1"} {
		to := either(l)
		next = append(next, to)
		if which := i / 2; i < 4 && !slices.Contains(value[which], to) {
			value[which] = append(value[which], to)
		} else if i >= 4 && to != l {
			value[i-4] = append(value[i-4], to)
		}
	}
	ends := fmt.Sprintf("p0 -> %s; p0x -> %s; p1 -> %s; p1x -> %s; m -> toss(%s, %s); mx -> toss(v0, v1);", next...)
	return fmt.Sprintf(`ta Doubled {
  shared z0, z1, y0, y1;
  parameters n;
  assumptions { n >= 2; }
  locations { %s }
  inits { v0 + v1 == n; %s z0 == 0; z1 == 0; y0 == 0; y1 == 0; }
  rules { %s }
  rounds {
    %s
    values (%s) (%s);
    in_order: almost_surely_in_order p0 + p0x + p1 + p1x;
    seen: almost_surely p0 + p0x + p1 + p1x;
  }
  specifications { any: [](z0 >= 0); }
}`, locations.String(), inits.String(), text.String(), ends, strings.Join(value[0], ", "), strings.Join(value[1], ", "))
}

// shown says what is shown of C1 and binding by an automaton, and by classes of its locations; how many locations these are fewer.
func shown(t *testing.T, text, spec string) (plain, lumped []bool, fewer int) {
	t.Helper()
	a, err := ta.Parse("test.ta", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	d, err := NewDecider(a)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	k := &asker{d: d, ctx: context.Background(), result: &verify.Result{Spec: spec}}
	c, err := d.m.closure(k, &claim{at: d.m.first()})
	if err != nil {
		t.Fatal(err)
	}
	p := &prover{machine: d.m, k: k, nodes: c.nodes, out: &Result{Result: k.result}}
	for i := range d.m.rs.Almost {
		if d.m.rs.Almost[i].Name == spec {
			p.spec = &d.m.rs.Almost[i]
		}
	}
	v := d.m.valuations()[0]
	q, small, err := p.lumped(v)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if q == nil {
		return nil, nil, 0
	}
	for _, step := range []func(*prover, values) (bool, error){(*prover).deterministic, (*prover).binding} {
		one, err := step(p, v)
		if err != nil {
			t.Fatal(err)
		}
		two, err := step(q, small)
		if err != nil {
			t.Fatal(err)
		}
		plain, lumped = append(plain, one), append(lumped, two)
	}
	return plain, lumped, len(a.Locations) - len(q.a.Locations)
}

// TestClasses: of a round and of the classes of its locations the same is shown.
func TestClasses(t *testing.T) {
	guards := []string{"true", "z0 >= 2", "z1 >= n", "z0 >= 1 && y1 < 1", "z1 >= 1 && z0 >= 1"}
	fewer := 0
	for seed := range need.Cases(t, 10) {
		r := rand.New(rand.NewPCG(28, uint64(seed)))
		text, spec := doubled(r, 8+r.IntN(8), guards[r.IntN(len(guards))]), []string{"in_order", "seen"}[r.IntN(2)]
		plain, lumped, less := shown(t, text, spec)
		fewer += less
		if !slices.Equal(plain, lumped) {
			t.Errorf("seed %d: of %s shown is %v, by classes %v\n%s", seed, spec, plain, lumped, text)
		}
	}
	if fewer == 0 {
		t.Error("no classes of several locations")
	}
	text := doubled(rand.New(rand.NewPCG(28, 0)), 11, "true") // who is in ax may end the round with 1, whatever others do
	if plain, lumped, _ := shown(t, text, "in_order"); plain[0] || lumped[0] {
		t.Errorf("C1 is shown %v, by classes %v", plain[0], lumped[0])
	}
}
