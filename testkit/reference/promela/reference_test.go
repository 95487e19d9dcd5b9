package promela

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// text is a model with two kinds of steps to fill in: an initial block, and a loop; and formulas.
func text(initial, loop, rest string) string {
	return "symbolic int N, T;\nint x;\nassume(N >= T);\n" +
		"atomic zero = all(Proc:pc == 0);\natomic one = some(Proc:pc == 1);\natomic two = some(Proc:pc == 2);\n" +
		"active[N - T] proctype Proc() {\n  byte pc = 0; int r = 0, q = 0;\n  " + initial + "\nend: do\n" + loop + "\n  od;\n}\n" + rest
}

func instance(t *testing.T, source string, params ...int64) (*Model, *Graph) {
	t.Helper()
	m, err := Parse(source, nil)
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.NewInstance(params)
	if err != nil {
		t.Fatal(err)
	}
	g, err := in.Explore(10000)
	if err != nil {
		t.Fatal(err)
	}
	return m, g
}

// TestStates counts states that were counted by hand.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		initial, loop string
		params        []int64
		states, stops int
	}{
		// Two processes, each at 0 or 1: 4 orders of states; x counts those at 1.
		{"", ":: atomic { pc == 0 -> pc = 1; x++ }", []int64{2, 0}, 4, 1},
		{"", ":: atomic { pc == 0 -> pc = 1; x++ } :: atomic { skip }", []int64{2, 0}, 4, 0},
		{"if :: pc = 0 :: pc = 1 fi;", ":: atomic { false }", []int64{2, 0}, 4, 4},
		// No processes: one state, which repeats.
		{"", ":: atomic { pc == 0 -> pc = 1; x++ }", []int64{2, 2}, 1, 1},
		// A condition in the middle that is false: the step cannot be taken, and nothing of it happens.
		{"", ":: atomic { x++; pc == 1; pc = 2 }", []int64{1, 0}, 1, 1},
		// else is for when no alternative can begin, not for when none can be completed.
		{"", ":: atomic { if :: pc == 0 -> pc == 5; pc = 1 :: else -> pc = 2 fi }", []int64{1, 0}, 1, 1},
		{"", ":: atomic { if :: pc == 3 -> pc = 1 :: else -> pc = 2 fi }", []int64{1, 0}, 2, 0},
		// An if is executable if one of its alternatives is.
		{"", ":: atomic { if :: if :: pc == 3 -> skip :: pc == 0 -> skip fi; pc == 1; :: else -> pc = 2 fi }", []int64{1, 0}, 1, 1},
		{"", ":: atomic { if :: if :: pc == 3 -> skip :: pc == 4 -> skip fi; pc == 1; :: else -> pc = 2 fi }", []int64{1, 0}, 2, 0},
		// havoc never blocks, so else is never taken.
		{"", ":: atomic { if :: havoc(q); assume(q <= 2); pc = q; q = 0 :: else -> pc = 9 fi }", []int64{1, 0}, 3, 0},
		// goto leaves the step; break leaves the loop.
		{"", ":: atomic { if :: pc == 0 -> pc = 1; goto end :: else fi; pc = 2 }", []int64{1, 0}, 3, 0},
		{"", ":: atomic { pc == 0 -> pc = 1; break }", []int64{1, 0}, 2, 1},
		// What is not atomic is one statement at a time.
		{"", ":: pc == 0 -> pc = 1; pc = 2; pc = 0", []int64{1, 0}, 4, 0},
		{"", ":: atomic { pc = (pc == 0 -> 1 : 0) }", []int64{1, 0}, 2, 0},
		{"", ":: atomic { r = r - 1; r >= -3 }", []int64{1, 0}, 4, 1},
		// A step may go round; a way that comes back with the same variables leads nowhere else.
		{"", ":: atomic { pc == 0 -> do :: pc < 3 -> pc++ :: break od; pc = pc + 4 }", []int64{1, 0}, 5, 4},
		{"", ":: atomic { pc <= 1 -> do :: skip :: pc = 1 - pc :: break od; pc = pc + 2 }", []int64{1, 0}, 3, 2},
		{"", ":: atomic { pc == 0 -> do :: skip od } :: atomic { pc == 0 -> pc = 1 }", []int64{1, 0}, 2, 1},
		{"", ":: atomic { pc == 0 -> pc = 1; again: pc++; if :: pc < 4 -> goto again :: else fi }", []int64{1, 0}, 2, 1},
		// goto and break are no steps, but as the first statement of an alternative.
		{"", ":: pc == 0 -> goto over :: pc == 5 -> skip od; over: pc = 1; do :: false", []int64{1, 0}, 3, 1},
		{"", ":: goto over od; pc = 1; over: do :: false", []int64{1, 0}, 2, 1},
		// A label in front of a step ends the step that goes there.
		{"", ":: atomic { pc == 0 -> break } od; again: atomic { pc < 2 -> pc++; goto again; pc = 7 } do :: false", []int64{1, 0}, 4, 1},
		// That an assertion failed is forgotten in the next step.
		{"", ":: atomic { pc == 0 -> pc = 1; assert(pc == 0) } :: atomic { pc == 1 -> pc = 2 }", []int64{1, 0}, 3, 1},
		// An initial block may go on below, and ends at a label that is gone back to.
		{"if :: pc = 0 :: pc = 1; goto over fi;", ":: false od; over: do :: atomic { pc < 2 -> pc = 2 }", []int64{1, 0}, 3, 2},
		{"back: if :: pc < 2 -> pc++; goto back :: else fi;", ":: false", []int64{1, 0}, 6, 1},
		{"", ":: atomic { int d = x; pc == 0; d = d + 1; pc = d }", []int64{1, 0}, 2, 1},
	} {
		_, g := instance(t, text(c.initial, c.loop, ""), c.params...)
		if len(g.Worlds) != c.states || g.Stops != c.stops {
			t.Errorf("%s %s: %d states, %d stop", c.initial, c.loop, len(g.Worlds), g.Stops)
		}
	}
}

// TestFormulas decides formulas by hand.
func TestFormulas(t *testing.T) {
	const once = ":: atomic { pc == 0 -> pc = 1 } :: atomic { pc == 1 -> pc = 2 }"
	const maybe = once + " :: atomic { skip }"
	for _, c := range []struct {
		loop, formula string
		params        []int64
		violated      bool
	}{
		{once, "<>two", []int64{1, 0}, false},
		{maybe, "<>two", []int64{1, 0}, true},
		{once, "<>[]two", []int64{2, 0}, false},
		{once, "[]<>one", []int64{2, 0}, true}, // the run stops at 2 and 2
		{once, "[](two -> []two)", []int64{2, 0}, false},
		{once, "[]zero", []int64{2, 2}, false}, // no processes
		{once, "<>one", []int64{2, 2}, true},
		{once, "zero U one", []int64{2, 0}, false},
		{once, "zero U two", []int64{2, 0}, true},
		{maybe, "zero U one", []int64{2, 0}, true},
		{maybe, "zero W one", []int64{2, 0}, false},
		{once, "one V (zero || one)", []int64{1, 0}, false}, // released when both hold, at the second state
		{once, "two V (zero || one)", []int64{1, 0}, true},
		{once, "two -> zero -> one", []int64{1, 0}, true}, // (two -> zero) -> one
		{once, "two -> (zero -> one)", []int64{1, 0}, false},
		{maybe, "[]<>one -> <>two", []int64{1, 0}, true},
		{once, "<>one && <>two <-> true", []int64{1, 0}, false},
	} {
		m, g := instance(t, text("", c.loop, "ltl f { "+c.formula+" }"), c.params...)
		run, err := g.Violation(m.Formulas[0].Expr, 100000)
		if err != nil {
			t.Fatal(err)
		}
		if (run != nil) != c.violated {
			t.Errorf("%s: %s %v: violated %v", c.loop, c.formula, c.params, run != nil)
		}
		if run != nil {
			if holds, err := g.In.Holds(m.Formulas[0].Expr, run.Lasso(g)); holds || err != nil {
				t.Errorf("%s %s: the run satisfies the formula: %s", c.loop, c.formula, g.Story(run))
			}
		}
	}
}

// TestAssertions has assertions that hold, fail, and fail in a step that cannot be taken.
func TestAssertions(t *testing.T) {
	for loop, violated := range map[string]bool{
		":: atomic { pc == 0 -> assert(pc == 0); pc = 1 }": false,
		":: atomic { pc == 0 -> pc = 1; assert(pc == 0) }": true,
		":: atomic { assert(pc == 1); pc == 1; pc = 0 }":   false,
	} {
		m, g := instance(t, text("", loop, ""), 1, 0)
		run, err := g.Violation(m.formula("assert_11").Expr, 1000)
		if err != nil || (run != nil) != violated {
			t.Errorf("%s: %v %v", loop, run != nil, err)
		}
	}
}

// TestInfinite says of which formulas the counterexamples are infinite.
func TestInfinite(t *testing.T) {
	for formula, infinite := range map[string]bool{
		"[]p": false, "<>p": true, "[](p -> <>p)": true, "p -> []p": false, "!<>p": false, "!([]p)": true, "p U p": true, "p W p": true, "p V p": false,
		"<>p -> []p": false, "[]p -> p": true, "p <-> []p": true, "p": false,
	} {
		m, err := Parse(text("", ":: atomic { skip }", "atomic p = x == 0;\nltl f { "+formula+" }"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if m.Formulas[0].Expr.Infinite() != infinite {
			t.Errorf("%s", formula)
		}
	}
}

// TestGrouping holds the reading of formulas and expressions against what `spin -a` of 6.5.2 prints.
func TestGrouping(t *testing.T) {
	renamed := strings.NewReplacer(" q", " q1", " r", " r1")
	for formula, want := range map[string]string{
		"p -> q -> r":     "((p -> q) -> r)",
		"p <-> q -> r":    "((p <-> q) -> r)",
		"p -> q <-> r":    "((p -> q) <-> r)",
		"p U q U r":       "((p U q) U r)",
		"p -> q U r":      "(p -> (q U r))",
		"!p U q":          "((! p) U q)",
		"[]p U q":         "(([] p) U q)",
		"[]p && q U r":    "(([] p) && (q U r))",
		"p U q && r":      "((p U q) && r)",
		"x > 1 U q":       "((x > 1) U q)",
		"p || q && r":     "(p || (q && r))",
		"![]p U q":        "((! ([] p)) U q)",
		"always p -> q":   "(([] p) -> q)",
		"p until q":       "(p U q)",
		"x + 1 > 1 && p":  "(((x + 1) > 1) && p)",
		"!x == 1":         "((! x) == 1)",
		"x - 1 - 1 == -1": "(((x - 1) - 1) == (-1))",
		"x == 1 == 0":     "((x == 1) == 0)",
		"not p and q":     "((! p) && q)",
	} {
		m, err := Parse(text("", ":: atomic { skip }", "atomic p = x == 0; atomic q1 = x == 0; atomic r1 = x == 0;\nltl f { "+
			renamed.Replace(formula)+" }"), nil)
		if err != nil {
			t.Errorf("%s: %v", formula, err)
			continue
		}
		got := strings.NewReplacer("q1", "q", "r1", "r").Replace(m.Formulas[0].Expr.String())
		if got != want {
			t.Errorf("%s: %s", formula, got)
		}
	}
}

// TestPreprocessor compares words.
func TestPreprocessor(t *testing.T) {
	for _, c := range []struct {
		text    string
		defines []string
		want    string
	}{
		{"#define A 1\nA B", nil, "1 B"},
		{"#define A B\n#define B A\nA", nil, "A"},
		{"#define TWICE(x) x + x\nTWICE((1)) TWICE", nil, "( 1 ) + ( 1 ) TWICE"},
		{"#define F(x, y) y x\nF(a, (b, c))", nil, "( b , c ) a"},
		{"#define O (1)\nO", nil, "( 1 )"},
		{"#ifdef A\nyes\n#else\nno\n#endif", []string{"A"}, "yes"},
		{"#ifndef A\nyes\n#else\nno\n#endif", []string{"A"}, "no"},
		{"#if A == 2 && !defined(B)\nyes\n#elif 1\nno\n#elif 1\nnever\n#endif", []string{"A=2"}, "yes"},
		{"#if A\n#if 1\na\n#else\nb\n#endif\n#elif defined B\nc\n#else\nd\n#endif", []string{"B=0"}, "c"},
		{"#define A 1\n#undef A\nA", nil, "A"},
		{"a /* #define\n */ b // c\n#pragma x\n\"/* \" d", nil, "a b \"/* \" d"},
		{"#define A 1 \\\n 2\nA", nil, "1 2"},
		{"F\n#define F(x) x\nF\n(1)", nil, "F 1"},
	} {
		words, err := Preprocess(c.text, c.defines)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var got []string
		for _, w := range words {
			got = append(got, w.Text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}

// TestRefused has texts that are none.
func TestRefused(t *testing.T) {
	good := text("", ":: atomic { pc = 1 }", "ltl f { zero }")
	if _, err := Parse(good, nil); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		"pc = 1":    "none = 1",
		"od":        "",
		"ltl":       "#if 1\nltl",
		"{ zero }":  "{ nothing }",
		"symbolic":  "#include <x>\nsymbolic",
		"int x":     "int N",
		"ltl f":     "chan c = [1] of { int };\nltl f",
		"{ pc = 1 ": "{ [] pc == 1 ",
	} {
		if _, err := Parse(strings.Replace(good, from, to, 1), nil); err == nil {
			t.Errorf("%q in place of %q is accepted", to, from)
		}
	}
}

// TestErrors has instances that go wrong when they run.
func TestErrors(t *testing.T) {
	for loop, want := range map[string]error{
		":: atomic { x = 1 / x }":                             errDivision,
		":: atomic { pc = 300 }":                              ErrRange,
		":: atomic { pc = 0 - 1 }":                            ErrRange,
		":: atomic { havoc(q); assume(q >= r); r = q; q = 0}": ErrUnbounded,
		":: atomic { x++ }":                                   ErrTooLarge,
		":: atomic { do :: r = r + 1 od }":                    ErrRounds,
		":: atomic { x = 1 << (x - 1) }":                      errShift,
	} {
		m, err := Parse(text("", loop, ""), nil)
		if err != nil {
			t.Fatal(err)
		}
		in, err := m.NewInstance([]int64{1, 0})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Explore(100); !errors.Is(err, want) {
			t.Errorf("%s: %v", loop, err)
		}
	}
}

// TestDecisions holds the tableau against single runs: of random graphs, a formula and its negation cannot both hold, and a run
// that is found violates the formula.
func TestDecisions(t *testing.T) {
	t.Parallel()
	violated := 0
	for seed := int64(0); seed < int64(need.Cases(t, 50)); seed++ {
		c := Generate(seed)
		m, err := Parse(c.Text, c.Defines)
		if err != nil {
			continue
		}
		for _, params := range m.Admissible(2) {
			in, err := m.NewInstance(params)
			if err != nil {
				t.Fatal(err)
			}
			g, err := in.Explore(300)
			if err != nil {
				continue
			}
			for _, f := range m.Formulas {
				for _, e := range []*Expr{f.Expr, {Op: "!", Args: []*Expr{f.Expr}}} {
					run, err := g.Violation(e, 100000)
					if err != nil || run == nil {
						continue
					}
					violated++
					if holds, err := in.Holds(e, run.Lasso(g)); holds || err != nil {
						t.Errorf("seed %d %v: %s: %s, %v", seed, params, e, g.Story(run), err)
					}
				}
				both := 0
				for _, e := range []*Expr{f.Expr, {Op: "!", Args: []*Expr{f.Expr}}} {
					if run, err := g.Violation(e, 100000); err == nil && run == nil {
						both++
					}
				}
				if both == 2 && g.Starts > 0 {
					t.Errorf("seed %d %v: %s holds, and its negation", seed, params, f.Expr)
				}
			}
		}
	}
	t.Log(violated)
}

// TestSpin asks Spin about small models whose answers are known.
func TestSpin(t *testing.T) {
	t.Parallel()
	need.Peers(t, "spin", "gcc")
	s := &Spin{Folder: t.TempDir()}
	for formula, want := range map[string]bool{
		"[](zero || one)": false, "[]<>zero": true, "zero -> one -> two": true, "zero U one": false,
	} {
		source := text("if :: pc = 0 :: pc = 1; fi;", ":: atomic { pc == 0 -> havoc(q); assume(1 <= q && q <= 2); q < 2; pc = q; q = 0; }", "ltl f { "+formula+" }")
		m, g := instance(t, source, 2, 0)
		p, err := g.In.Plain(m.Formulas[0], true)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Violated(p)
		run, _ := g.Violation(m.Formulas[0].Expr, 10000)
		if err != nil || got != want || (run != nil) != want {
			t.Errorf("%s: spin %v %v, reference %v\n%s", formula, got, err, run != nil, p.Model)
		}
	}
}

// TestMistakes changes what the reference thinks a text means: the comparison with the program has to notice.
func TestMistakes(t *testing.T) {
	t.Parallel()
	sources := map[string]func(*Model){
		"nothing": func(*Model) {},
		"fairness is not assumed": func(m *Model) {
			for i := range m.Formulas {
				m.Formulas[i].Name = strings.TrimPrefix(m.Formulas[i].Name, "fairness")
			}
		},
		"the threshold is another one": func(m *Model) { m.Body[0].Options[1].Body[0].Body[0].Expr.Args[1].Args[1].Args[1].Value++ },
		"the formula is negated": func(m *Model) {
			f := &m.Formulas[1]
			f.Expr = &Expr{Op: "!", Args: []*Expr{f.Expr}}
		},
		"one process less": func(m *Model) {
			m.Count = &Expr{Op: "-", Args: []*Expr{m.Count, {Op: "num", Value: 1}}}
		},
		"a step is left out": func(m *Model) { m.Body[0].Options = m.Body[0].Options[:1] },
		"x starts with 1":    func(m *Model) { m.Shared[0].Initial = &Expr{Op: "num", Value: 1} },
	}
	source := text("", ":: atomic { pc == 0 -> pc = 1; x++; }\n :: atomic { pc == 1 && x >= N - 1 -> pc = 2; }\n :: atomic { pc == 2 }",
		"ltl fairness { []<>two }\nltl f { [](one -> <>two) }\nltl g { [](x <= 2 -> zero || one) }\nltl h { []!two }\nltl k { [](two -> x >= N - 1) }")
	for name, change := range sources {
		k := NewComparison(&Program{Path: program, Timeout: 20e9}, t.TempDir())
		k.Mistake = change
		c := &Case{Text: source, Tags: map[string]bool{}, Seed: 1}
		if err := k.Case(c); err != nil {
			t.Fatal(err)
		}
		if (len(k.Found) == 0) != (name == "nothing") {
			t.Errorf("%s: %s", name, fmt.Sprint(k.Kinds(), k.Refusals))
		}
	}
}
