package induct

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/history"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// spoken are protocols with what random formulas say of i and j.
var spoken = []struct {
	file, role string
	set        map[string]int64
	atoms      []string
}{
	{"commit", "participantID", map[string]int64{"n": 2}, []string{"participant[i].voted",
		"participant[i].decision = COMMITTED", "participant[j].decision = ABORTED",
		"participant[j].willing", "exists (k: coordinatorID) coordinator[k].asked", "exists (c: coordinatorID) coordinator[c].yes[i]",
		"forall (k: participantID) not participant[k].voted"}},
	{"vote", "voterID", map[string]int64{"n": 2, "l": 1}, []string{"voter[i].vote = 1", "voter[j].vote > 0",
		"exists (k: learnerID) learner[k].learnt[2]", "voter[i].vote = voter[j].vote"}},
	{"lock", "clientID", map[string]int64{"n": 2, "b": 1}, []string{"client[i].holding", "client[j].no > 0",
		"forall (s: serverID) server[s].free", "exists (s: serverID) server[s].holder = j",
		"client[i].no = client[j].no"}},
}

// randomFormula is a formula whose form can become an invariant.
func randomFormula(r *rand.Rand, atoms []string, depth int) string {
	state := func() string {
		s := "(" + atoms[r.IntN(len(atoms))] + ")"
		if r.IntN(3) == 0 {
			s = "not " + s
		}
		if r.IntN(4) == 0 {
			s = "(" + s + " or (" + atoms[r.IntN(len(atoms))] + "))"
		}
		return s
	}
	if depth == 0 {
		return state()
	}
	inner := func() string { return "(" + randomFormula(r, atoms, depth-1) + ")" }
	switch r.IntN(9) {
	case 0, 1:
		return "G " + inner()
	case 2, 3:
		return state() + " -> " + inner()
	case 4:
		return state() + " R " + inner()
	case 5:
		return inner() + " and " + inner()
	case 6:
		return fmt.Sprintf("not ((%s) U (%s))", state(), negation(inner()))
	case 7:
		a := state()
		return fmt.Sprintf("(%s U %s) or G %s", a, state(), a)
	}
	return "not F " + negation(inner())
}

func negation(f string) string { return "(not " + f + ")" }

// TestFormulas holds invariants that are made of random formulas against the formulas: an instance violates both or neither, and a run
// to the invariant is one to the formula. Without what keeps the variables up to date, some would be different.
func TestFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 7))
	cases := need.Cases(t, 60)
	violated, held, missed := 0, 0, 0
	for k := range cases {
		of := spoken[k%len(spoken)]
		row := sizesRow{File: of.file}
		quantifiers := fmt.Sprintf("forall (i: %s) forall (j: %s) ", of.role, of.role)
		text := lemmas.ReplaceAllString(row.text(t), "") + "\nltl said: " + quantifiers + "(" + randomFormula(r, of.atoms, 1+r.IntN(3)) + ");\n"
		file, err := ftdp.Parse("formula.ftdp", text)
		if err != nil {
			t.Fatal(err, text)
		}
		m, err := instantiate.Model(file, of.set)
		if err != nil {
			t.Fatal(err, text)
		}
		x, err := history.Monitor(m, m.Lookup("said"))
		if err != nil {
			if !strings.Contains(err.Error(), "two parts of a disjunction") {
				t.Errorf("%v\n%s", err, text)
			}
			continue
		}
		want, got := checked(t, m, m.Lookup("said")), checked(t, x.Model, x.Prop)
		if want.Verdict != got.Verdict {
			t.Errorf("%v, and as an invariant %v:\n%s\n%s", want.Verdict, got.Verdict, text, interp.Text(x.Model))
		}
		if want.Verdict != machine.Violated {
			held++
			continue
		}
		violated++
		q := &everySearch{r: &ForSizes{}, own: &given{m, m.Lookup("said")}}
		if err := q.violated(got.Run); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		forgets := remembers.ReplaceAllString(interp.Text(x.Model), "${1}false;")
		less, err := instantiate.Read("formula.ftdp", forgets, of.set)
		if err == nil && checked(t, less, less.Lookup(x.Prop.Name)).Verdict != machine.Violated {
			missed++
		}
	}
	t.Logf("%d violated, %d not, %d violations missed by variables that forget", violated, held, missed)
	if cases >= 12 && (violated < 3 || held < 3 || missed == 0) {
		t.Errorf("%d violated, %d not, %d missed", violated, held, missed)
	}
}

// remembers is what notes that something has been.
var remembers = regexp.MustCompile(`(\bhistory\w*(?:\[\w+\])* := )true;`)

func checked(t *testing.T, m *protocol.Model, p *protocol.Prop) *machine.Result {
	t.Helper()
	options := machine.Options{Crash: "implicit", Bounds: explore.Bounds{Jobs: 1, States: 200_000}}
	list, err := machine.Check(context.Background(), m, []*protocol.Prop{p}, options)
	if err != nil {
		t.Fatal(err, interp.Text(m))
	}
	return list[0]
}

// TestFormulasForSizes proves formulas of two-phase commit for any number of participants, and finds a violation of one.
func TestFormulasForSizes(t *testing.T) {
	row := sizesRow{File: "commit"}
	for i, c := range []struct {
		formula string
		holds   bool
	}{
		{"forall (c: coordinatorID) forall (i: participantID) (coordinator[c].decision = COMMITTED R participant[i].decision != COMMITTED)", true},
		{"(exists (i: participantID) not participant[i].willing) -> G (forall (i: participantID) participant[i].decision != COMMITTED)", true},
		{"forall (i: participantID) G (participant[i].decision = COMMITTED -> G participant[i].decision = COMMITTED)", true},
		{"forall (i: participantID) G (participant[i].voted -> G participant[i].decision != ABORTED)", false},
	} {
		if i%min(3, need.Every(t, 1)) > 0 {
			continue
		}
		m, err := instantiate.Read("commit.ftdp", lemmas.ReplaceAllString(row.text(t), "")+"\nltl said: "+c.formula+";\n", nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := EverySize(context.Background(), m, m.Lookup("said"), Options{Solver: z3.New})
		if err != nil {
			t.Fatal(c.formula, err)
		}
		if (r.Verdict == machine.Holds) != c.holds || (r.Run != nil) == c.holds {
			t.Errorf("%s: %v", c.formula, r.Verdict)
		}
		if r.Run != nil && (interp.Text(r.Run.Model) != interp.Text(m) || r.Run.Check() != nil) {
			t.Errorf("%s: the run is none of the protocol", c.formula)
		}
	}
}

// TestNoInvariant names formulas that no invariant is made of, with their places.
func TestNoInvariant(t *testing.T) {
	row := sizesRow{File: "commit"}
	for _, c := range [][2]string{
		{"forall (i: participantID) F participant[i].voted", "happens at last"},
		{"forall (i: participantID) G (participant[i].voted -> F participant[i].decision != NONE)", "happens at last"},
		{"exists (i: participantID) G not participant[i].voted", "of some process at all times"},
		{"forall (i: participantID) (G participant[i].voted or G not participant[i].voted)", "two parts of a disjunction"},
		{"forall (i: participantID) ((G participant[i].voted) R participant[i].voted)", "what ends this"},
	} {
		m, err := instantiate.Read("commit.ftdp", row.text(t)+"\nltl said: "+c[0]+";\n", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = history.Monitor(m, m.Lookup("said"))
		if u, ok := err.(*protocol.Unsupported); !ok || !strings.Contains(u.Msg, c[1]) || u.Pos.Line != strings.Count(row.text(t), "\n")+2 {
			t.Errorf("%s: %v", c[0], err)
		}
	}
}
