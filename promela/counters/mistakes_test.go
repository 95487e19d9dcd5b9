package counters

import (
	"context"
	"math/rand"
	"testing"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/forms"
	"github.com/tacheck/tacheck/testkit/mistake"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
	"github.com/tacheck/tacheck/verify"
)

// TestTranslated: no formula that holds of the automaton is violated by the interpreter, for random models and for
// those below.
func TestTranslated(t *testing.T) {
	for name, text := range map[string]string{"head": aHead, "sums": onceEach, "joined": oneKind, "rounded": negative, "own": ownRest, "parts": parts} {
		t.Run(name, func(t *testing.T) {
			if wrong := translated(t, text, name == "sums" || name == "joined"); wrong != "" {
				t.Error(wrong)
			}
		})
	}
	for name, generate := range map[string]func(*rand.Rand) string{"random": random.Promela, "bits": random.PromelaBits} {
		t.Run(name, func(t *testing.T) {
			first := need.Seed(t, 0)
			for seed := first; seed < first+need.Cases(t, 7); seed++ {
				if wrong := translated(t, generate(rand.New(rand.NewSource(int64(seed)))), false); wrong != "" {
					t.Fatalf("case %d: %s", seed, wrong)
				}
			}
		})
	}
}

// TestCases: a number is in one case of an expression, in which its value is what the operator makes of it.
func TestCases(t *testing.T) {
	for _, op := range []pml.Op{"/", "%", "&", "|", "^", ">>"} {
		for by := int64(-9); by <= 9; by++ {
			if by <= 0 && (op == "/" || op == "%") || by < 0 && op == ">>" {
				continue
			}
			u := &undecided{op: op, of: counter.Of(counter.Received, 0), by: by}
			for n := int64(-20); n <= 20; n++ {
				want, _ := pml.Apply(op, []int64{n, by})
				found := 0
				for q := range int64(25) {
					for _, c := range u.cases(number(q)) {
						at := func(counter.Quantity) amount { return number(n) }
						if boolean.Map(c.when, func(q inequality) *condition { return atLeast0(linear.Map(q.lin, at)) }).IsTrue() {
							if found++; !linear.Map(c.value, at).Equal(number(want)) {
								t.Errorf("%d %s %d = %v, want %d", n, op, by, c.value, want)
							}
						}
					}
				}
				if found != 1 {
					t.Errorf("%d %s %d: %d cases", n, op, by, found)
				}
			}
		}
	}
}

// TestMistakes: mistakes in the translation are noticed.
func TestMistakes(t *testing.T) {
	const all = 400
	mistake.Noticed(t, []mistake.Mistake{
		{Name: "guards are off by one", Test: "TestTranslated/random", Seed: 38, Cases: all, Edits: mistake.At(
			"translate.go", "\t\t*out = append(*out, step{slices.Clone(cells), guard})\n", `		for i := range guard {
			if MISTAKE {
				guard[i] = guard[i].Plus(-1)
			}
		}
		*out = append(*out, step{slices.Clone(cells), guard})
`)},
		{Name: "what is possible is taken for certain", Test: "TestTranslated/random", Seed: 371, Cases: all,
			Edits: mistake.At(
				"specification.go", "t.some(q, some == wanted, none)", "t.some(q, some == wanted != MISTAKE, none)")},
		{Name: "formulas do not keep states apart", Test: "TestTranslated/random", Seed: 9, Cases: all,
			Edits: mistake.At(
				"merge.go",
				"\t\t\tlabels[i] += \"|\" + conditionKey(c.possible[i]) + \"|\" + conditionKey(c.certain[i])\n",
				"\t\t\tif !MISTAKE {\n\t\t\t\tlabels[i] += \"|\" + conditionKey(c.possible[i]) + \"|\" + "+
					"conditionKey(c.certain[i])\n\t\t\t}\n")},
		{Name: "steps change one variable of a sum", Test: "TestTranslated/sums", Edits: mistake.At(
			"translate.go", "c.inCell(after(c.value, p.locals, nil), cell)", `c.inCell(func() amount {
			out := after(c.value, p.locals, nil)
			if vars := c.value.Vars(); MISTAKE && len(vars) > 1 {
				out = out.AddScaled(c.value.Coef(vars[1]), of(vars[1]).Sub(p.locals[vars[1].Index]))
			}
			return out
		}(), cell)`)},
		{Name: "what is divided may be negative", Test: "TestTranslated/rounded", Edits: mistake.At(
			"linear.go", "\tcase !r.params.Implies(of):\n", "\tcase !MISTAKE && !r.params.Implies(of):\n")},
		{Name: "a rest is never negative", Test: "TestCases", Edits: mistake.At(
			"cases.go", "oneCase{number(sign * n), ", "oneCase{number(map[bool]int64{true: n, false: sign * n}[MISTAKE]), ")},
		{Name: "bits above those of a number are left out", Test: "TestCases", Edits: mistake.At(
			"cases.go", "\tcase u.op == \"&\" && by >= 0:\n", "\tcase u.op == \"&\" && (by >= 0 || MISTAKE):\n")},
		{Name: "a step goes on in one case only", Test: "TestTranslated/bits", Seed: 0, Cases: all, Edits: mistake.At(
			"cases.go", "; y.require(c.when) {\n", "; y.require(c.when) && !(MISTAKE && u.op == \"%\" && c.value.Const().Is(0)) {\n")},
		{Name: "a variable has no value until its case is known", Test: "TestTranslated/own", Edits: mistake.At(
			"symbolic.go", "\t\tif err != nil {\n\t\t\treturn err // it has",
			"\t\tif MISTAKE {\n\t\t\t*v = value\n\t\t}\n\t\tif err != nil {\n\t\t\treturn err // it has")},
		{Name: "rests that are possible are taken for certain", Test: "TestTranslated/parts", Edits: mistake.At(
			"specification.go", "\tif wanted {\n\t\tholds = not", "\tif wanted = wanted && !MISTAKE; wanted {\n\t\tholds = not")},
		{Name: "some that holds twice is taken for some that both hold of", Test: "TestTranslated/joined",
			Edits: mistake.At(
				"joined.go", "\tif e.Op == pml.Or {\n\t\top, dual", "\tif (e.Op == pml.Or) != MISTAKE {\n\t\top, dual")},
	}...)
}

// aHead has a difference that never becomes smaller.
const aHead = `symbolic int N, T, F; int a, b; assume(N >= 1); assume(F <= T);
active[N] proctype Proc() {
  byte pc = 0;
  do
    :: atomic { pc == 0 -> a++; pc = 1 }
    :: atomic { pc == 1 -> a++; b++; pc = 2 }
    :: atomic { pc == 2 && a - b >= 1 -> pc = 3 }
    :: atomic { pc == 2 -> skip }
  od
}
ltl never { [](all(Proc:pc != 3)) }
`

// parts has formulas about rests of shared variables.
const parts = `symbolic int N, T, F; int a; assume(N >= 1); assume(F <= T);
active[N] proctype Proc() { byte pc = 0; do :: atomic { pc == 0 -> a++; pc = 1 } od }
ltl even { [](a % 2 == 0) }
ltl low { [](a / 2 < N / 2 || N < 2) }
`

// onceEach has processes that go on if they have received two messages together, none alone.
const onceEach = `symbolic int N, T, F; int a, b; assume(N >= 2); assume(F <= T);
active[N] proctype Proc() {
  byte pc = 0; int got0 = 0, next0 = 0, got1 = 0, next1 = 0;
  do
    :: atomic { pc == 0 -> a++; b++; pc = 1 }
    :: atomic { pc == 1 && got1 < 1 -> havoc(next0); assume(next0 <= a); havoc(next1); assume(next1 <= b);
         got0 = next0; got1 = next1; next0 = 0; next1 = 0; pc = 2 }
    :: atomic { pc == 2 && got0 + got1 >= 2 && got0 < 2 && got1 < 2 -> pc = 3 }
  od
}
ltl never { [](all(Proc:pc != 3)) }
`

// oneKind has processes that receive messages of one kind only, but not all of the same.
const oneKind = `symbolic int N, T, F; int a; assume(N >= 2); assume(F <= T);
active[N] proctype Proc() {
  byte pc = 0; int got0 = 0, next0 = 0, got1 = 0, next1 = 0;
  do
    :: atomic { pc == 0 -> a++; pc = 1 }
    :: atomic { pc == 1 -> havoc(next0); assume(next0 <= a); got0 = next0; next0 = 0; pc = 2 }
    :: atomic { pc == 1 -> havoc(next1); assume(next1 <= a); got1 = next1; next1 = 0; pc = 3 }
  od
}
ltl never { [](!(some(Proc:got0 >= 1) && some(Proc:got1 >= 1))) }
`

// negative has processes that divide a negative number, which a variable has during a step only: it becomes 0, not -1.
const negative = `symbolic int N, T, F; int a; assume(N == 3); assume(F <= T);
active[N] proctype Proc() {
  byte pc = 0; int left = 0;
  do
    :: atomic { pc == 0 -> left = N - 4; if :: left / 2 >= 0 -> pc = 1 :: else -> skip fi; left = 0 }
  od
}
ltl never { [](all(Proc:pc != 1)) }
`

// ownRest has processes that take the rest of what they have received, and keep it in its place.
const ownRest = `symbolic int N, T, F; int a; assume(N == 2); assume(F <= T);
active[N] proctype Proc() {
  byte pc = 0; int got = 0;
  do
    :: atomic { pc == 0 -> a++; pc = 1 }
    :: atomic { pc == 1 && got < a -> got++ }
    :: atomic { pc == 1 && got >= N -> got = (got + 1) % 3; pc = 2 }
    :: atomic { pc == 2 && got == 0 -> pc = 3 }
  od
}
ltl never { [](all(Proc:pc != 3)) }
`

// translated says which formula holds of the automaton and is violated by the interpreter, if any is.
func translated(t *testing.T, text string, precise bool) string {
	ctx := context.Background()
	m, err := promela.Parse("random.pml", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := Translate(ctx, m, precise)
	if err != nil {
		return err.Error()
	}
	if err := forms.Check(&tr.form); err != nil {
		return err.Error()
	}
	a, err := ta.Resolve(m.File, tr.Tree)
	if err != nil {
		return err.Error()
	}
	for i := range a.Specs {
		r, err := verify.Decide(ctx, a, &a.Specs[i], verify.Options{})
		if err != nil || r.Verdict != verify.Holds {
			continue
		}
		for n := int64(1); n <= 3; n++ {
			for tt := range n + 1 {
				for ff := range tt + 1 {
					in, bad := m.NewInstance([]int64{n, tt, ff})
					if bad != nil {
						continue
					}
					e, err := m.Explore(ctx, tr.Decided[i], in, 2000)
					if err == nil && e.Run != nil {
						return tr.Decided[i].Name + " holds, but exploration finds a run"
					}
				}
			}
		}
	}
	return ""
}
