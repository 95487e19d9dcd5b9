package pool

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestClauses holds clauses against the interpreter: as lemmas, they are true in all states that were sampled, and
// without any of their conditions false in one. Some of those of Paxos say what quorums choose.
func TestClauses(t *testing.T) {
	for _, name := range []string{"commit", "echo", "lock", "paxos"} {
		m := read(t, name)
		x, states, err := everysize.HistoryStates(m, false, 60)
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(t.Context().Err, m, known(t, m), []Sample{{m, x, states}})
		if err != nil {
			t.Fatal(err)
		}
		if p.Chooses() != (name == "paxos") {
			t.Errorf("%s: what quorums choose: %t", name, p.Chooses())
		}
		holds := func(c *clause) bool {
			list, err := m.LemmasMade([]*ftdp.Expr{c.lemma()})
			if err != nil {
				t.Fatal(c.text(), err)
			}
			return !slices.ContainsFunc(states, func(s *protocol.State) bool {
				is, err := x.Holds(s, list[0].Invariant, list[0].Frame)
				return err != nil || !is
			})
		}
		n, most := 0, need.Cases(t, 8) // of a context
		for _, c := range p.templates {
			if name == "paxos" && !c.chooses {
				continue
			}
			list, err := p.clausesOf(c)
			if err != nil {
				t.Fatal(err)
			}
			for k := 0; k < len(list); k += 1 + len(list)/most {
				one := list[k]
				if n++; !holds(one) {
					t.Errorf("%s: false in a state: %s", name, one.text())
				}
				for i := range one.lits {
					less := &clause{of: c, lits: slices.Delete(slices.Clone(one.lits), i, i+1)}
					if len(less.lits) > 0 && holds(less) {
						t.Errorf("%s: true with less: %s", name, one.text())
					}
				}
			}
		}
		if n < 5 {
			t.Errorf("%s: %d clauses", name, n)
		}
	}
}

// known is what always has a value in a text.
func known(t *testing.T, m *protocol.Model) Known {
	t.Helper()
	x, err := everysize.New(m, false)
	if err == nil {
		err = x.Always(t.Context(), z3.New)
	}
	if err != nil {
		t.Fatal(err)
	}
	return Known{Defined: x.AlwaysDefined()}
}

// TestThresholds: what counts are compared with, and sizes of quorums, each once where it is written in several ways.
func TestThresholds(t *testing.T) {
	const text = `protocol counts;
const n = 7; t = 2; q = n - t; more = 2 * t + 1;
assume n >= 3 * t + 1, t >= 1;
type P: role[n];
var p: array[P] of record heard: array[P] of bool = false; done: bool = false; end;
init [](Q: quorum[q] of P) start: skip;
rules
  [](i: P) one: if count (k: P) p[i].heard[k] > t then p[i].done := true; endif
  []
  [](i: P) two: if count (k: P) p[i].heard[k] >= n - t then p[i].done := true; endif
  []
  [](i: P) three: if more <= count (k: P) p[i].heard[k] then p[i].done := true; endif
  []
  [](i: P) four: if count (k: P) p[i].heard[k] < 2 * t + 1 then p[i].done := false; endif
  []
  [](i: P) five: if count (k: P) p[i].heard[k] = count (k: P) p[k].done then p[i].done := false; endif
invariant some: forall (i: P) p[i].done -> 2 * (n / 2) != count (k: P) p[k].done;
`
	m, err := instantiate.Read("counts.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := newVocabulary(m, Known{}, m)
	var got []string
	for _, one := range slices.Concat(v.thresholds(), v.ofInitial()) {
		got = append(got, fmt.Sprint(one.number, " ", one.values))
	}
	want := []string{"q [5]", "t + 1 [3]", "more [5]", "2 * (n / 2) [6]", "2 * (n / 2) + 1 [7]", "q + 1 [6]"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !v.sizes["q"] || !v.sizes["more"] {
		t.Error("constants made of sizes are none")
	}
}

// TestStrongest: of clauses that differ by a threshold those that follow from others wait for these.
func TestStrongest(t *testing.T) {
	few, many := &threshold{values: []int64{2, 3}}, &threshold{values: []int64{3, 3}}
	c := &template{atoms: []atom{{yes: made.Name("a"), no: made.Name("b")}, {counted: "c", least: few, yes: made.Name("c"), no: made.Name("d")}, {counted: "c", least: many, yes: made.Name("e"), no: made.Name("f")}}}
	c.clauses = []*clause{{of: c, lits: []int{0, 2}}, {of: c, lits: []int{0, 4}}, {of: c, lits: []int{3}}, {of: c, lits: []int{5}}, {of: c, lits: []int{1, 2}}}
	c.strongest()
	p := &Pool{refused: map[string]bool{}}
	for i, weak := range []bool{true, false, false, true, false} {
		if p.weak(c.clauses[i]) != weak {
			t.Errorf("clause %d: %t", i, !weak)
		}
	}
	p.refused[c.clauses[1].key()] = true
	if p.weak(c.clauses[0]) {
		t.Error("it waits for one that cannot be proved")
	}
}

// TestEntails: what follows from what.
func TestEntails(t *testing.T) {
	is := func(field string) *ftdp.Expr {
		return made.Op(ftdp.Eq, made.Field(made.Name("y"), field), made.Name("a"))
	}
	some := func(name string, e *ftdp.Expr) *ftdp.Expr {
		from := variable{name, made.Typed("P")}
		sent := ranging(made.Index(made.Name("sent"), made.Name(name)), nil)
		return exists(e, from, variable{"y", sent})
	}
	both := made.And(is("one"), is("two"))
	count := func(e *ftdp.Expr) *ftdp.Expr {
		return made.Binder(ftdp.Count, "k", made.Typed("P"), some("k", e).Args[0])
	}
	for _, c := range []struct {
		e, of *ftdp.Expr
		is    bool
	}{
		{is("one"), both, true}, {both, is("one"), false}, {both, made.And(is("two"), is("one")), true},
		{some("p", is("one")), some("k", both), true}, {some("p", both), some("k", is("one")), false},
		{some("p", both), count(both), true}, {count(is("one")), count(both), true}, {count(both), some("p", both), false},
		{count(both), count(is("one")), false},
		{made.Binder(ftdp.ForAll, "k", made.Typed("P"), is("one")), some("k", is("one")), false},
	} {
		if entails(c.e, c.of) != c.is {
			t.Errorf("%s follows from %s: %t", c.e, c.of, !c.is)
		}
	}
}

// TestStatuses: a claim about the statuses of processes is one that lemmas say.
func TestStatuses(t *testing.T) {
	m, err := instantiate.Read("up.ftdp", `protocol up;
const n = 2; assume n >= 1;
type P: role[n];
var p: array[P] of record done: bool = false; end;
rules
  [](i: P) one: if forall (k: P) p[k].status = corr -> not p[k].done then p[i].done := true; endif
invariant some: forall (i: P) p[i].done;
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := newVocabulary(m, Known{}, m)
	var got []string
	for _, a := range v.about() {
		got = append(got, a.yes.String())
	}
	want := []string{"forall (k_: P) p[k_].status = corr -> not p[k_].done"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
