package schedule

import (
	"errors"
	"math/big"
	"math/rand"
	"testing"

	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// TestAnchorPath: a moving anchor is taken out of a flow if a process stays where it ends; else nothing has asked for
// it, and its variables have any values.
func TestAnchorPath(t *testing.T) {
	rules := []*ta.Rule{{From: 0, To: 1}, {From: 1, To: 2}}
	start, path := &smt.Var{Name: "start"}, &smt.Var{Name: "path"}
	other := &smt.Var{Name: "other"}
	p := &piece{rules: rules, anchors: []*anchor{{set: []int{0, 1}, starts: []*smt.Var{start, other},
		path: []*smt.Var{path, nil}}}}
	model := values{start: big.NewInt(1), path: big.NewInt(1), other: new(big.Int)}
	c := &ta.Config{Counters: ta.Ints(1, 0, 0)}
	flow := ta.Ints(1, 1)
	if got := p.anchorPath(c, flow, model); got != nil || flow[0].Int64() != 1 {
		t.Errorf("%v is taken, though nobody stays; what is left is %v", got, flow)
	}
	flow = ta.Ints(1, 0)
	if got := p.anchorPath(c, flow, model); len(got) != 1 || got[0] != rules[0] || flow[0].Sign() != 0 {
		t.Errorf("%v is taken; what is left is %v", got, flow)
	}
}

// TestRealise: flows that random walks of processes make can be ordered, and the
// order does what the walks did.
func TestRealise(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 2000 {
		a := &ta.Automaton{}
		n := 1 + random.Intn(5)
		for range n {
			a.Locations = append(a.Locations, ta.Name{Name: "l"})
		}
		for i := range 1 + random.Intn(8) {
			r := ta.Rule{Index: i, From: random.Intn(n), To: random.Intn(n), Guard: ta.True}
			if random.Intn(2) == 0 {
				r.Update = ta.Var(ta.Symbol{Kind: ta.Shared})
			}
			a.Rules = append(a.Rules, r)
		}
		start := &ta.Config{Counters: ta.Ints(make([]int64, n)...), Shared: ta.Ints(0)}
		for range 1 + random.Intn(3) {
			l := random.Intn(n)
			start.Counters[l] = new(big.Int).Add(start.Counters[l], big.NewInt(1))
		}
		end := start
		var rules []*ta.Rule
		flow := ta.Ints(make([]int64, len(a.Rules))...)
		for i := range a.Rules {
			rules = append(rules, &a.Rules[i])
		}
		for range random.Intn(30) {
			if r := rules[random.Intn(len(rules))]; end.Counters[r.From].Sign() > 0 {
				flow[r.Index].Add(flow[r.Index], big.NewInt(1))
				end = end.After(r, big.NewInt(1))
			}
		}
		steps, err := realise(a, a.GrowingCycles(), start, rules, flow)
		if err != nil {
			t.Fatal(err)
		}
		c := start
		for _, s := range steps {
			r := rules[s.Rule]
			if err := a.Enabled(c, r, s.Factor); err != nil {
				t.Fatal(err)
			}
			c = c.After(r, s.Factor)
		}
		if !c.Equal(end) {
			t.Fatalf("%v, want %v", c, end)
		}
	}
}

// TestTooLong: one process that has to go round very often is not shown.
func TestTooLong(t *testing.T) {
	a, err := ta.Parse("long.ta", `ta Long {
  shared x;
  parameters n;
  locations { a; b; }
  inits { a == 1; b == 0; x == 0; }
  rules { 1: a -> b when (true) do { x' == x + 1; }; 2: b -> a when (true) do { }; }
  specifications { s: [](x < 100000); }
}`)
	if err != nil {
		t.Fatal(err)
	}
	rules := []*ta.Rule{&a.Rules[0], &a.Rules[1]}
	c := &ta.Config{Counters: ta.Ints(1, 0), Shared: ta.Ints(0), Params: ta.Ints(0)}
	if _, err := realise(a, a.GrowingCycles(), c, rules, ta.Ints(100000, 100000)); !errors.Is(err, errTooLong) {
		t.Errorf("realise = %v", err)
	}
}
