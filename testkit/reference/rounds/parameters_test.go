package rounds

import (
	"slices"
	"strings"
	"testing"
)

// many is a text whose rules have parameters of all types, and whose definitions have some, too.
const many = `protocol many; parameters n; assume n >= one; faults none; messages A(-1..1, bool);
const two = 2; const one = two - 1;
define BOTH(v: 0..1, other: 0..1) = v = other;
define TWICE(v: 0..1) = BOTH(v, 0) or BOTH(v, w);
define EVER(d: enum {NO, YES}) = all(decided = d);
process node[n]
  kept input v, w: 0..1;
  kept local decided: enum {NO, YES};
  local sent: bool;
  local c: 0..1;
  [](x: -1..1) [](b: bool) say: if not sent and x <= one then send A(x, b); sent := true; endif
  [](k: enum {P, Q}) maybe give: if k = P or TWICE(w) then v := one; next; endif
  [](x: 0..1) end: if sent then coin c; if BOTH(c, x) then v := x; endif next; endif
end
invariant safe: EVER(NO);`

// TestFamilies: rules with parameters are rules for each value, in their order.
func TestFamilies(t *testing.T) {
	text, err := Parse(many)
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, r := range text.Rules {
		labels = append(labels, r.Label)
	}
	want := strings.Fields("say_minus1_false say_minus1_true say_0_false say_0_true say_1_false say_1_true give_P give_Q end_0 end_1")
	if !slices.Equal(labels, want) {
		t.Errorf("%v", labels)
	}
	for i, want := range []string{"(number -1)(number 0)", "(number -1)(number 1)"} {
		var got string
		for _, e := range text.Rules[i].Body[0].Branches[0].Body[0].Values {
			got += "(number " + text1(e) + ")"
		}
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if !text.Rules[6].Maybe || !text.Rules[7].Maybe || text.Rules[8].Maybe {
		t.Error("maybe is of each rule of a family")
	}
	// what stands for a parameter is the variable of the process that uses the definition; other names are those of the definition
	if got, want := text1(text.Rules[7].Guard), "or (= (1)(0))(or (= (variable w)(0))(= (variable w)(variable w)))"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// text1 writes an expression with names.
func text1(e *Expr) string {
	out := text(e)
	out = strings.ReplaceAll(out, "number ", "")
	return strings.ReplaceAll(out, "  ", " ")
}

// TestWrittenOut: a text that is written out has the same rules.
func TestWrittenOut(t *testing.T) {
	for seed := range uint64(60) {
		source := Generate(seed)
		written, err := WrittenOut(source)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		one, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		other, err := Parse(written)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, written)
		}
		if len(other.Families) > 0 || len(other.Definitions) > 0 || len(one.Rules) != len(other.Rules) {
			t.Errorf("seed %d: not written out: %s", seed, written)
		}
		for i, r := range one.Rules {
			if q := other.Rules[i]; r.Label != q.Label || statements(r.Body) != statements(q.Body) || r.Always != q.Always || r.Maybe != q.Maybe || r.Timeout != q.Timeout {
				t.Errorf("seed %d: %s and %s: %s %s", seed, r.Label, q.Label, statements(r.Body), statements(q.Body))
			}
		}
	}
}
