package counter_test

import (
	"strings"
	"testing"

	. "github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/forms"
)

type amount = Sum

var names, named, quantity, number = Names, Named, QuantityOf, NumberOf

// hand is a form that no front end has made: processes that say yes once, and go on when n - t have.
func hand() *Form {
	n, t, yes := quantity("n"), quantity("t"), quantity("yes")
	return &Form{
		Called: func(q Quantity) string { return names[q.Index] },
		Shared: []Shared{{Of: named("yes"), Added: map[int]int64{1: 2}}},
		Locations: []Location{{Name: "quiet", Start: true},
			{Name: "loud", Start: true, When: []amount{t.Plus(-1)}},
			{Name: "said"}, {Name: "done"}},
		Groups: []Group{{Locations: []int{0, 1}, Count: n.Sub(t), Signed: true}},
		Duties: []Duty{{At: []int{0, 1}}, {At: []int{2}, Rests: [][]amount{{n.Sub(yes).Plus(-1)}}}},
		Moves: []Move{{From: 0, To: 2, Adds: []Add{{named("yes"), 1}}, Remark: "say"},
			{From: 2, To: 3, Guard: []amount{yes.Sub(n).Add(t)}}, {From: 1, To: 3, Guard: []amount{t.Sub(yes)}}},
	}
}

// TestForm: a form is enough to make an automaton.
func TestForm(t *testing.T) {
	f := hand()
	if err := forms.Check(f); err != nil {
		t.Fatal(err)
	}
	text := forms.Text(f)
	for _, want := range []string{"quiet + loud == n - t || (n - t < 0 && quiet + loud == 0);", "t >= 1 || loud == 0;",
		"said == 0;", "yes == 0 + 2 * loud;",
		"1: quiet -> said // say\n", "when (yes >= n - t)", "when (yes <= t)", "do { yes' == yes + 1; };",
		"<>[](quiet == 0 && loud == 0 && (said == 0 || yes <= n - 1));"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	text = strings.Replace(text, "shared", "parameters n, t;\n  shared", 1)
	if _, err := ta.Parse("hand.ta", text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestCheck: what no front end may make is found.
func TestCheck(t *testing.T) {
	for want, spoil := range map[string]func(f *Form){
		"is the name of something else": func(f *Form) { f.Locations[2].Name = "yes" },
		"is in 0 groups":                func(f *Form) { f.Groups = nil },
		"is in 1 groups, and not in 0":  func(f *Form) { f.Locations[0].Start = false },
		"depends on a shared variable":  func(f *Form) { f.Groups[0].Count = quantity("yes") },
		"leads from 0 to 4":             func(f *Form) { f.Moves[0].To = 4 },
		"adds -1 to yes":                func(f *Form) { f.Moves[0].Adds[0].By = -1 },
		"adds 1 to sent 1":              func(f *Form) { f.Moves[0].Adds[0].Of = named("sent 1") },
		"no process begins in said":     func(f *Form) { f.Locations[2].When = []amount{quantity("n")} },
		"something of processes at [4]": func(f *Form) { f.Duties[0].At = []int{4} },
		"quiet has received":            func(f *Form) { f.Duties[0].Rests = [][]amount{{Of(Received, 0)}} },
		"shared variables against each other": func(f *Form) {
			f.Moves[1].Guard = []amount{quantity("yes").Sub(quantity("sent 0"))}
		},
	} {
		f := hand()
		spoil(f)
		if err := forms.Check(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
}
