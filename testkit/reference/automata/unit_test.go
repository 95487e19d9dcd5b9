package automata

import "testing"

// model reads a text that has to be right.
func model(t *testing.T, text string) *Model {
	t.Helper()
	m, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func parsed(t *testing.T, text string) *Node {
	t.Helper()
	formula, err := ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	return formula
}

// expect decides a specification of a model for n processes.
func expect(t *testing.T, text, spec string, n int, want bool) {
	t.Helper()
	m := model(t, text)
	i, err := NewInstance(m, map[string]int{"n": n}, 2, startLimit)
	if err != nil {
		t.Fatal(err)
	}
	formula, err := ParseFormula(spec)
	if err != nil {
		t.Fatal(err)
	}
	// Caps depend on specifications.
	m.Specs = []Spec{{"s", formula}}
	if err := i.findCaps(); err != nil {
		t.Fatal(err)
	}
	got, err := i.Violated(formula, stateLimit)
	if err != nil || got != want {
		t.Errorf("%s with n = %d: violated = %v, %v", spec, n, got, err)
	}
}

func TestPrecedence(t *testing.T) {
	for text, want := range map[string]string{
		"a == 0 -> b == 0 -> c == 0":         "(((a == 0) -> (b == 0)) -> (c == 0))",
		"! v0 == 0":                          "!((v0 == 0))",
		"[]<>! a == 0 && b == 0 || c == 0":   "(([](<>(!((a == 0)))) && (b == 0)) || (c == 0))",
		"x + 2 * n / 3 - -1 >= 1 - 1 - 1":    "(((x + ((2 * n) / 3)) - -(1)) >= ((1 - 1) - 1))",
		"/* one\ntwo */ x<y // and the rest": "(x < y)",
	} {
		formula, err := ParseFormula(text)
		if err != nil || formula.String() != want {
			t.Errorf("%s: %v, %v", text, formula, err)
		}
	}
}

func TestDivisionRoundsDown(t *testing.T) {
	for numerator, want := range map[int]int{5: 2, 4: 2, 0: 0, -1: -1, -4: -2, -5: -3} {
		if got := floor(numerator, 2); got != want {
			t.Errorf("%d / 2 is %d, not %d", numerator, got, want)
		}
	}
}

// Two processes go from a to b; only there they may stay.
const line = `ta Line { shared x; parameters n; locations { a; b; } inits { a == n; b == 0; x == 0; }
  rules { 1: a -> b when (x < 2) do { x' == x + 1; }; 2: b -> b; } specifications { s: [](n >= 0); } }`

func TestLine(t *testing.T) {
	m := model(t, line)
	for n, want := range []int{1, 2, 3, 3, 3} {
		i, err := NewInstance(m, map[string]int{"n": n}, 2, startLimit)
		if err != nil {
			t.Fatal(err)
		}
		if count, err := i.Reachable(stateLimit); err != nil || count != want {
			t.Errorf("n = %d: %d configurations, not %d (%v)", n, count, want, err)
		}
	}
	// No process can move: there is no infinite run, so nothing is violated that needs one.
	expect(t, line, "<>(b != 0)", 0, false)
	// A finite run is enough where the negation has no [].
	expect(t, line, "[](a != 0)", 0, true)
	expect(t, line, "a != 0", 0, true)
	// One process has to leave a, as no process can stay there.
	expect(t, line, "<>(b != 0)", 1, false)
	expect(t, line, "[](b == 0)", 1, true)
	// Two of three get through; then those in b stay for ever.
	expect(t, line, "<>(a == 0)", 2, true)
	expect(t, line, "<>(a == 0)", 1, false)
	expect(t, line, "[]<>(b == 2) -> a == 3", 3, false)
	expect(t, line, "<>[](b == 1)", 2, true)
	// The opposite of a chain a -> b -> c is (!a || b) && !c.
	expect(t, line, "[](b == 0) -> x == 0 -> b != 0", 1, true)
	expect(t, line, "[](b == 0) -> (x == 0 -> b == 0)", 1, false)
}

// One process goes round and counts.
const round = `ta Round { shared x; parameters n; locations { a; b; } inits { a == n; b == 0; x == 0; }
  rules { 1: a -> b do { x' == x + 1; }; 2: b -> a; } specifications { s: [](n >= 0); } }`

func TestGrowing(t *testing.T) {
	expect(t, round, "<>(x >= 3)", 1, false)
	expect(t, round, "[](x < 3)", 1, true)
	expect(t, round, "<>[](a == 0)", 1, true)
	expect(t, round, "[]<>(a == 0)", 1, false)
	expect(t, round, "<>(x == 3)", 1, false)
	expect(t, round, "<>[](x != 2)", 1, false)
	expect(t, round, "[]<>(x == 2)", 1, true)
}

func TestOpenInitialValues(t *testing.T) {
	m := model(t, `{ shared x; parameters n; locations { a; } inits { a == 2 * n + 1; x >= 1; } rules { 1: a -> a; }
	  specifications { s: x < 3; } }`)
	i, err := NewInstance(m, map[string]int{"n": 1}, 3, startLimit)
	if err != nil || len(i.Initial) != 3 || !i.Open || i.Initial[0].key() != "3 1" {
		t.Errorf("%v %v", i, err)
	}
}

func TestFairness(t *testing.T) {
	m := model(t, `ta F { shared x; parameters n, t, f; locations { a; b; c; } inits { a == n; b == 0; c == 0; x == 0; } rules {
	    1: a -> b when (x >= t + 1 - f);
	    2: a -> b when (x >= (n - f) / 2);
	    3: a -> b when (x + f >= t + 2 * ((n + f) / 3));
	    4: a -> b when (x < f);
	    5: a -> b when (!(x < n - f));
	    6: b -> c; 7: c -> b; 8: a -> a; 9: b -> b when (x >= 1);
	  } specifications { s: [](n >= 0); } }`)
	forces := Fairness{Silent: "f"}.Forces(m)
	for n, want := range []string{"(x >= ((t + 1) - 0))", "(x >= ((n - 0) / 2))", "false", "(x < 0)", "(x >= (n - 0))", "true", "true"} {
		if got := forces[n].Guard.String(); got != want {
			t.Errorf("rule %d: %s, not %s", n+1, got, want)
		}
	}
	// The division makes up for less than the fault itself does: it helps throughout, never hinders.
	greater, smaller := Fairness{Silent: "f"}.effect(m, parsed(t, "f - (2 * f - n) / 3"), 1)
	if !greater || smaller {
		t.Error("f - (2 * f - n) / 3 never decreases")
	}
	if forces := (Fairness{Except: "b", Silent: "f"}).Forces(m); len(forces) != 1 || forces[0].Rule.Name != "6" {
		t.Errorf("with exceptions: %v", forces)
	}
}

// Two that take turns keep a location occupied, and neither stays there; one alone cannot.
func TestTakingTurns(t *testing.T) {
	m := model(t, `ta T { parameters n; locations { a; b; } inits { a == n; b == 0; }
	  rules { 1: a -> b; 2: b -> a; 3: a -> a; 4: b -> b; } specifications { s: <>(a == 0); } }`)
	for n, want := range []bool{false, false, true, true} {
		i, err := NewInstance(m, map[string]int{"n": n}, 2, startLimit)
		if err != nil {
			t.Fatal(err)
		}
		bad, err := i.ViolatedFairly(m.Specs[0].Formula, Fairness{}.Forces(m), mostNamed, stateLimit)
		if err != nil || bad != want {
			t.Errorf("n = %d: %v %v", n, bad, err)
		}
	}
}

func TestWitness(t *testing.T) {
	m := model(t, line)
	m.Specs[0].Formula, _ = ParseFormula("<>(a == 0)")
	w := &Witness{Spec: "s", Values: map[string]int{"n": 2},
		Start: WitnessStep{State: map[string]int{"a": 2, "b": 0, "x": 0}},
		Steps: []WitnessStep{
			{"1", []int{2}, 1, map[string]int{"a": 1, "b": 1, "x": 1}, "a -> b"},
			{"2", []int{2}, 3, nil, "b -> b"},
		}, Loop: 2}
	if err := m.Refutes(w); err != nil {
		t.Error(err)
	}
	w.Loop = 0
	if m.Refutes(w) == nil {
		t.Error("a finite run is accepted")
	}
	w.Loop = 1
	if m.Refutes(w) == nil {
		t.Error("a loop that does not lead back is accepted")
	}
	w.Loop, w.Steps[0].Times = 2, 2
	if m.Refutes(w) == nil {
		t.Error("a wrong change is accepted")
	}
}
