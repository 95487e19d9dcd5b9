package ltl

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ta"
)

// drawFormula draws a formula over p, q, r being non-zero, of any form.
func drawFormula(t *rapid.T, depth int) Formula {
	kind := 0
	if depth > 0 {
		kind = rapid.IntRange(0, 5).Draw(t, "kind")
	}
	switch kind {
	case 1:
		return junction(true, []Formula{drawFormula(t, depth-1), drawFormula(t, depth-1)}, diag.Pos{})
	case 2:
		return junction(false, []Formula{drawFormula(t, depth-1), drawFormula(t, depth-1)}, diag.Pos{})
	case 3, 4:
		return &Finally{drawFormula(t, depth-1), diag.Pos{}}
	case 5:
		return &Globally{drawFormula(t, depth-1), diag.Pos{}}
	}
	counter := ta.Var(ta.Symbol{Kind: ta.Counter, Index: rapid.IntRange(0, 2).Draw(t, "letter")})
	rel := rapid.SampledFrom([]ta.Rel{ta.EQ, ta.NE}).Draw(t, "rel")
	return Prop{ta.AtomCond(ta.Atom{Linear: counter, Rel: rel})}
}

func drawTrace(t *rapid.T) Trace {
	tr := Trace{}
	for range rapid.IntRange(1, 6).Draw(t, "length") {
		b := rapid.IntRange(0, 7).Draw(t, "letters")
		tr.Configs = append(tr.Configs, &ta.Config{Counters: ta.Ints(int64(b&1), int64(b>>1&1), int64(b>>2)), Params: ta.Ints(3)})
	}
	tr.Loop = rapid.IntRange(0, len(tr.Configs)-1).Draw(t, "loop")
	return tr
}

// value is the obvious definition: positions wrap from the last to the loop.
func (t Trace) value(f Formula, at int) bool {
	switch f := f.(type) {
	case Prop:
		return ta.Holds(f.Cond, t.Configs[at].Value)
	case *And:
		for _, g := range f.Args {
			if !t.value(g, at) {
				return false
			}
		}
		return true
	case *Or:
		for _, g := range f.Args {
			if t.value(g, at) {
				return true
			}
		}
		return false
	case *Finally:
		return t.somewhere(at, func(i int) bool { return t.value(f.Arg, i) })
	case *Globally:
		return !t.somewhere(at, func(i int) bool { return !t.value(f.Arg, i) })
	}
	panic("unknown formula")
}

func (t Trace) somewhere(from int, is func(int) bool) bool {
	for step, i := 0, from; step < 2*len(t.Configs); step++ {
		if is(i) {
			return true
		}
		if i++; i == len(t.Configs) {
			i = t.Loop
		}
	}
	return false
}

// TestEvaluate compares the evaluator with the obvious definition, and with
// the negation.
func TestEvaluate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, tr := drawFormula(t, 4), drawTrace(t)
		got := tr.Truth(f)
		not := tr.Truth(Negate(f))
		for i := range got {
			if want := tr.value(f, i); got[i] != want {
				t.Fatalf("position %d: %v, want %v", i, got[i], want)
			}
			if got[i] == not[i] {
				t.Fatalf("position %d: the formula and its negation are both %v", i, got[i])
			}
		}
	})
}

// TestCanonical checks that canonical trees are equivalent to the formula, and
// canonical.
func TestCanonical(t *testing.T) {
	inside := 0
	rapid.Check(t, func(t *rapid.T) {
		f, tr := drawFormula(t, 4), drawTrace(t)
		trees, err := Canonical(f)
		if err != nil {
			return // outside the fragment: see TestFragment
		}
		inside++
		some := false
		for _, n := range trees {
			some = some || tr.value(n.Formula(), 0)
			checkCanonical(t, n, false)
			again, err := Canonical(n.Formula())
			if err != nil || len(again) != 1 {
				t.Fatalf("Canonical of a canonical formula: %d trees, %v", len(again), err)
			}
		}
		if want := tr.value(f, 0); some != want {
			t.Fatalf("the trees are %v, the formula is %v", some, want)
		}
	})
	if inside == 0 {
		t.Error("no formula was in the fragment")
	}
}

// checkCanonical checks Definition 4.3: no G right under G.
func checkCanonical(t *rapid.T, n *Node, underG bool) {
	if underG && n.Globally != nil {
		t.Fatalf("G under G at %s", n.ID)
	}
	for _, c := range n.Finally {
		checkCanonical(t, c, false)
	}
	if n.Globally != nil {
		checkCanonical(t, n.Globally, true)
	}
}

// TestHoldsInsideAcceleration: a configuration that an accelerated transition
// passes through counts.
func TestHoldsInsideAcceleration(t *testing.T) {
	a, err := ta.Parse("acc.ta", `ta A { shared x; parameters n; locations { p; q; } inits { p == n; q == 0; x == 0; }
		rules { 1: p -> q when (true) do { x' == x + 1; }; 2: q -> q when (true) do { }; }
		specifications { passes: <>(p == 7 && q == 3); skips: <>(x == 11); edge: <>(x == 10); never: <>(p + q != 10); } }`)
	if err != nil {
		t.Fatal(err)
	}
	run := &ta.Run{Start: &ta.Config{Params: ta.Ints(10), Counters: ta.Ints(10, 0), Shared: ta.Ints(0)}, Loop: 1,
		Steps: []ta.Transition{{Rule: 0, Factor: ta.Ints(10)[0]}, {Rule: 1, Factor: ta.Ints(1)[0]}}}
	configs, err := a.Replay(run)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"passes": true, "skips": false, "edge": true, "never": false} {
		f, err := Parse(a, a.SpecNamed(name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Holds(a, f, run, configs); err != nil || got != want {
			t.Errorf("%s is %v, %v", name, got, err)
		}
	}
}
