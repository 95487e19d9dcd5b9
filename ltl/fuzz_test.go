package ltl

import (
	"testing"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/figures"
)

// FuzzFormula reads formulas: no panic, negating twice changes nothing, and
// what is in the fragment has canonical trees.
func FuzzFormula(f *testing.F) {
	a, err := ta.Parse("figure2.ta", figures.Figure2)
	if err != nil {
		f.Fatal(err)
	}
	for i := range a.Specs {
		f.Add(a.Specs[i].Formula.String())
	}
	f.Add("[](x >= 1 || <>(x == 0)) -> !<>[](x != 2)")
	f.Add("((((x))))+-*&&||->!<>[]==!=<=>=")
	f.Add("1 == 1 -> [][]<><>(2 * x * 3 - 4 < n)")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := syntax.ParseExpr("fuzz", text)
		if err != nil {
			return
		}
		formula, err := FromExpr(a, e)
		if err != nil {
			return
		}
		if again := Format(a, Negate(Negate(formula))); again != Format(a, formula) {
			t.Errorf("%s negated twice is %s", Format(a, formula), again)
		}
		trees, err := Canonical(formula)
		if err == nil && len(trees) == 0 {
			t.Errorf("%s has no tree", text)
		}
	})
}
