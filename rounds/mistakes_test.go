package rounds

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/mistake"
	"github.com/tacheck/tacheck/verify"
)

// TestMistakes: that processes stay behind is not forgotten, and how many stop in a good round is counted, and classes of locations ask what guards say.
func TestMistakes(t *testing.T) {
	mistake.Noticed(t, []mistake.Mistake{
		{Name: "who stays behind is forgotten", Test: "TestTogether", Edits: mistake.At(
			"safety.go", "\t\t\tif len(s.at) == 0 {\n\t\t\t\tout.over",
			"\t\t\tif MISTAKE {\n\t\t\t\ts.shown = 0\n\t\t\t}\n\t\t\tif len(s.at) == 0 {\n\t\t\t\tout.over")},
		{Name: "too many stop in a good round", Test: "TestAfter", Edits: mistake.At(
			"good.go", "linear.N(spare + 1)", "linear.N(spare + 1 + map[bool]int64{true: spare}[MISTAKE])")},
		{Name: "one more process lives", Test: "TestAfter", Edits: mistake.At(
			"good.go", "ta.Int(-living)", "ta.Int(-living - map[bool]int64{true: 1}[MISTAKE])")},
		{Name: "those count that do not come to the goal", Test: "TestOmission", Edits: mistake.At(
			"prover.go", "!slices.Contains(p.others, i)", "slices.Contains(p.others, i) == MISTAKE")},
		{Name: "classes do not ask what guards say", Test: "TestClasses", Edits: mistake.At(
			"lump.go", "\treturn m.a.FormatCond(r.Guard) + ",
			"\tif MISTAKE {\n\t\treturn m.a.FormatUpdate(r)\n\t}\n\treturn m.a.FormatCond(r.Guard) + ")},
	}...)
}

// TestTogether: a process that stays behind in the first round counts in the second one.
func TestTogether(t *testing.T) {
	a, err := ta.Parse("test.ta", later)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDecider(a)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := d.Decide(context.Background(), "together", verify.Options{}); err != nil || r.Verdict != verify.Violated {
		t.Errorf("%v, %v", r, err)
	}
}

// TestSabotage spoils what the prover is given, in one way at a time; each makes a wrong verdict of a right one.
func TestSabotage(t *testing.T) {
	for _, s := range []struct {
		name, text, spec string
		right, wrong     verify.Verdict
		make             func(m *machine)
	}{
		{"a message of another round counted", twoMessages, "never", verify.Holds, verify.Violated, func(m *machine) {
			for i := range m.a.Shared {
				m.rs.Throughout = append(m.rs.Throughout, i)
			}
		}},
		{"binding left out", chosenLate, "in_order", verify.Unknown, verify.Holds, func(m *machine) { m.rs.Almost[0].Against = ta.Unseen }},
		{"kept values forgotten", later, "never", verify.Violated, verify.Holds, func(m *machine) {
			for i := range m.rs.Switches {
				m.rs.Switches[i].To = m.first()
			}
		}},
	} {
		t.Run(s.name, func(t *testing.T) {
			for _, mistake := range []bool{false, true} {
				a, err := ta.Parse("test.ta", s.text)
				if err != nil {
					t.Fatal(err)
				}
				d, err := NewDecider(a)
				if err != nil {
					t.Fatal(err)
				}
				want := s.right
				if mistake {
					want = s.wrong
					s.make(d.m)
				}
				r, err := d.Decide(context.Background(), s.spec, verify.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != want {
					t.Errorf("mistake %v: %s (%s), want %s", mistake, r.Verdict, r.Reason, want)
				}
			}
		})
	}
}

// later: a process stays behind in the first round, and one gets to another place in the second one only.
const later = `ta Later {
  shared x;
  parameters n;
  assumptions { n >= 2; }
  locations { begin; stays; done; again; there; }
  inits { begin == n; stays == 0; done == 0; again == 0; there == 0; x == 0; }
  rules {
    1: begin -> stays when (true) do { };
    2: begin -> done when (true) do { };
    3: again -> there when (true) do { };
  }
  rounds { done -> again; there -> again; }
  specifications {
    never: [](there == 0);
    together: [](stays == 0 || there == 0);
  }
}`

// twoMessages: one process is chosen in the first round, which sends one message in each round; two would be needed.
const twoMessages = `ta TwoMessages {
  shared x, z;
  parameters n;
  assumptions { n >= 2; }
  locations { begin; chosen; other; one; rest; sent; two; }
  inits { begin == n; chosen == 0; other == 0; one == 0; rest == 0; sent == 0; two == 0; x == 0; z == 0; }
  rules {
    1: begin -> chosen when (x < 1) do { x' == x + 1; };
    2: begin -> other when (true) do { };
    3: one -> sent when (true) do { z' == z + 1; };
    4: sent -> two when (z >= 2) do { };
  }
  rounds { chosen -> one; other -> rest; sent -> one; two -> one; }
  specifications { never: [](two == 0); }
}`

// chosenLate: a process with neither value for sure tosses; the first to come chooses which value others have, and
// may be chosen after.
const chosenLate = `ta ChosenLate {
  shared z0, z1, y0, y1;
  parameters n;
  assumptions { n >= 2; }
  locations { v0; v1; d0; d1; a; p0; p1; m; }
  inits { v0 + v1 == n; d0 == 0; d1 == 0; a == 0; p0 == 0; p1 == 0; m == 0; z0 == 0; z1 == 0; y0 == 0; y1 == 0; }
  rules {
    1: v0 -> a when (true) do { z0' == z0 + 1; };
    2: v1 -> a when (true) do { z1' == z1 + 1; };
    3: d0 -> a when (true) do { z0' == z0 + 1; };
    4: d1 -> a when (true) do { z1' == z1 + 1; };
    5: a -> p0 when (z0 >= 1 && y1 < 1) do { y0' == y0 + 1; };
    6: a -> p1 when (z1 >= 1 && y0 < 1) do { y1' == y1 + 1; };
    7: a -> m when (z0 >= 1 && z1 >= 1) do { };
  }
  rounds {
    p0 -> d0; p1 -> d1; m -> toss(v0, v1);
    values (v0, d0) (v1, d1);
    in_order: almost_surely_in_order d0 + d1;
  }
  specifications { any: [](z0 >= 0); }
}`
