package promela_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestNever: Spin says the same with the automata that we make of formulas as with its own, which takes
// long where there are more operators.
func TestNever(t *testing.T) {
	need.Peers(t, "spin")
	need.Any(t, compilers...)
	r := rand.New(rand.NewSource(int64(need.Seed(t, 1))))
	count := map[bool]int{}
	for range need.Cases(t, 4) {
		var b strings.Builder
		b.WriteString("symbolic int N; int a; assume(N >= 1);\nactive[N] proctype P() {\n  byte p = 0; byte q = 0;\n " +
			" do\n")
		for range 2 + r.Intn(4) {
			fmt.Fprintf(&b, "    :: atomic { p == %d && q == %d -> p = %d; q = %d }\n", r.Intn(2), r.Intn(2), r.Intn(2),
				r.Intn(2))
		}
		b.WriteString("  od\n}\natomic p1 = some(P:p == 1); atomic q1 = some(P:q == 1); atomic both = some(P:p == " +
			"P:q);\n")
		for i := range 12 {
			fmt.Fprintf(&b, "ltl f%d { %s }\n", i, randomFormula(r, 2))
		}
		m, err := promela.Parse("never.pml", b.String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var list []*promela.Named
		for i := range m.Formulas {
			list = append(list, &m.Formulas[i])
		}
		in, err := m.NewInstance([]int64{1})
		if err != nil {
			t.Fatal(err)
		}
		var answers [2][]bool
		for i, operators := range []int{0, 99} {
			text, err := in.Spin(list, 0, operators)
			if err == nil {
				answers[i], err = spin(t.TempDir(), text, len(list))
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
		for _, violated := range answers[0] {
			count[violated]++
		}
		if fmt.Sprint(answers[0]) != fmt.Sprint(answers[1]) {
			t.Errorf("ours %v\nits  %v\n%s", answers[0], answers[1], b.String())
		}
	}
	if t.Logf("%d violated, %d not", count[true], count[false]); count[true] == 0 || count[false] == 0 {
		t.Error("the cases are one-sided")
	}
}

// randomFormula has so many levels of operators at most.
func randomFormula(r *rand.Rand, depth int) string {
	if depth == 0 || r.Intn(8) == 0 {
		return []string{"p1", "q1", "both", "!p1"}[r.Intn(4)]
	}
	one := func() string { return "(" + randomFormula(r, depth-1) + ")" }
	switch r.Intn(8) {
	case 0:
		return one() + " && " + one()
	case 1:
		return one() + " || " + one()
	case 2:
		return one() + " -> " + one()
	case 3:
		return one() + " U " + one()
	case 4:
		return one() + " V " + one()
	case 5:
		return "<>" + one()
	}
	return "[]" + one()
}
