package everysize

import (
	"context"
	"os"
	"strings"
	"testing"

	"tacheck/fol"
	"tacheck/fol/every"
	"tacheck/internal/verdict"
	"tacheck/protocol/instantiate"
	"tacheck/smt/z3"
	"tacheck/testkit/mistake"
)

const rising = `protocol rising;
const n = 2; m = 2;
assume n >= 1, m >= 1;
type
  pID: role[n];
var
  top: 0..m = 0;
  p: array[pID] of record
    x: 0..m = 0;
  end;
rules
  [](i: pID) raise:
    if top < m then
      top := top + 1;
    endif
  []
  [](i: pID) take:
    p[i].x := top;
invariant below: forall (i: pID) p[i].x <= top;`

// TestLower makes first-order systems of texts: small instances of them have a proof where the text has one, and none
// where it has not.
func TestLower(t *testing.T) {
	vote, err := os.ReadFile("testdata/vote.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text, old, new string
		holds          bool
	}{
		{string(vote), "", "", true},
		{string(vote), "n / 2 + 1", "(n + 1) / 2", false},
		{string(vote), "if voter[i].vote = 0 then", "if true then", false},
		{rising, "", "", true},
		{rising, "p[i].x := top", "p[i].x := m", false},
		{rising, "if top < m then\n      top := top + 1;", "if top > 0 then\n      top := top - 1;", true},
		{rising, "if top < m then", "if true then", false}, // it goes wrong
	} {
		m, err := instantiate.Read("text", strings.ReplaceAll(c.text, c.old, c.new), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := New(m, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Always(context.Background(), z3.New); err != nil {
			t.Fatal(err)
		}
		s, err := x.Lower(context.Background(), z3.New, m.Props[0].Name, m.Props[0].Invariant)
		if err != nil {
			t.Fatal(err)
		}
		list, err := every.Prove(context.Background(), s.System, every.Options{Hints: true, Steps: 60, Cost: 6,
			Confirm: func(context.Context, []*fol.Term) (int, error) { return -1, nil }})
		if err != nil {
			t.Fatal(err)
		}
		holds := true
		for _, r := range list {
			holds = holds && r.Verdict == verdict.Holds
		}
		if holds != c.holds {
			t.Errorf("with %q: %v in\n%s", c.new, holds, s.Text)
		}
	}
}

// TestLowerMistakes makes deliberate mistakes in the system that is made of a text.
func TestLowerMistakes(t *testing.T) {
	mistake.Noticed(t, []mistake.Mistake{
		{Name: "sets need not meet", Test: "TestLower$", Edits: mistake.At("lower.go",
			"\t\t\tif !l.sure(smt.GE(sum, smt.N(1))) {\n", "\t\t\tif MISTAKE || !l.sure(smt.GE(sum, smt.N(1))) {\n")},
		{Name: "sets meet that need not", Test: "TestLower$", Edits: mistake.At("lower.go",
			"\t\t\tsum, n := smt.Linear{}, l.x.roles[first.role].size\n",
			"\t\t\tsum, n := smt.Linear{}, l.x.roles[first.role].size\n\t\t\tif MISTAKE && len(chosen) > 1 {\n\t\t\t\tsum = smt.N(1)\n\t\t\t}\n")},
		{Name: "messages are never sent", Test: "TestLower$", Edits: mistake.At("lowersay.go",
			"if is = is.Simplify(); is.IsFalse() {", "if is = is.Simplify(); is.IsFalse() || MISTAKE {")},
		{Name: "an order is none", Test: "TestLower$", Edits: mistake.At("lower.go",
			"if le := l.ordered[pool]; le != nil {", "if le := l.ordered[pool]; le != nil && !MISTAKE {")},
		{Name: "nothing is said of what goes wrong", Test: "TestLower$", Edits: mistake.At("lower.go",
			"\tif wrong.IsFalse() {\n", "\tif wrong.IsFalse() || MISTAKE {\n")},
	}...)
}
