package tla_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/tla"
	"github.com/tacheck/tacheck/verify"
)

// voting is a module with most of what is read: rounds whose counts are set to 0.
const voting = `text before the module
---- MODULE Voting ----
(* Votes are counted (* and counted again *) until all agree. *)
EXTENDS Integers, FiniteSets
CONSTANTS N, F \* faulty ones among them
ASSUME N > 3 * F /\ F >= 0
Sides == {"yes", "no"}
Steps == Sides \union {"wait", "done"}
VARIABLES at, votes, round
vars == <<at, votes, round>>
Init ==
  /\ at = [s \in Steps |-> IF s = "wait" THEN N - F ELSE 0]
  /\ votes = [s \in Sides |-> 0]
  /\ round \in 0..1
Move(from, to) ==
  /\ at[from] > 0
  /\ at' = [at EXCEPT ![from] = @ - 1, ![to] = @ + 1]
Vote(s) ==
  /\ Move("wait", s)
  /\ votes' = [votes EXCEPT ![s] = @ + 1]
  /\ UNCHANGED round
Again(s) == LET all == votes["yes"] + votes["no"] IN
  /\ all + F >= N
  /\ \lnot (votes[s] > 2 * F)
  /\ Move(s, "wait")
  /\ votes' = [t \in Sides |-> 0]
  /\ round' = round + 1
End == \E s \in Sides:
  /\ votes[s] > 2 * F
  /\ Move(s, "done")
  /\ UNCHANGED <<votes, round>>
Next == (\E s \in Sides : Vote(s) \/ Again(s)) \/ End \/ UNCHANGED vars
Spec == Init /\ [][Next]_vars
TypeOK == at \in [Steps -> Nat] /\ votes \in [Sides -> Nat] /\ round \in Nat
OneSide == votes["yes"] + votes["no"] <= N
Live == <>(at["done"] > 0)
THEOREM Spec => []OneSide
====
text behind it
`

func translate(t *testing.T, text string) (*tla.Translation, *ta.Automaton) {
	t.Helper()
	tr, err := tla.Translate("m.tla", text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := ta.Resolve("m.tla", tr.Tree)
	if err != nil {
		t.Fatalf("%v\n%s", err, syntax.Format(tr.Tree))
	}
	return tr, a
}

func decide(t *testing.T, a *ta.Automaton, spec string) *verify.Result {
	t.Helper()
	r, err := verify.Decide(context.Background(), a, a.SpecNamed(spec), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestVoting(t *testing.T) {
	tr, a := translate(t, voting)
	for _, want := range []string{
		"    yes;\n    no;\n    wait;\n    done;\n", "N >= 3 * F + 1;", "1 >= round;", "Vote_1: wait -> yes",
		"F + votes_no + votes_yes >= N", "votes_no' == 0;", "round' == round + 1;",
	} {
		if text := syntax.Format(tr.Tree); !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if len(tr.Notes) != 1 || !strings.HasPrefix(tr.Notes[0].Msg, "Live is not asked about: ") {
		t.Errorf("notes: %v", tr.Notes)
	}
	if pos := a.SpecNamed("OneSide").Pos; pos.Line != 35 {
		t.Errorf("OneSide is said to be at %v", pos)
	}
	if r := decide(t, a, "TypeOK"); r.Verdict != verify.Holds {
		t.Errorf("TypeOK: %s (%s)", r.Verdict, r.Reason)
	}
	if r := decide(t, a, "OneSide"); r.Verdict == verify.Violated {
		t.Errorf("OneSide: %s (%s)", r.Verdict, r.Reason)
	}
}

// TestTendermint: the public module is verified as it stands, and a mistake in it is found.
func TestTendermint(t *testing.T) {
	text, err := os.ReadFile("../../shared/corpus/tla/Tendermint_1round_safety.tla")
	if err != nil {
		t.Skip(err) // the project has to work without public modules; TestVoting is the same with a module of its own
	}
	_, a := translate(t, string(text))
	if len(a.Locations) != 6 || len(a.Shared) != 8 || len(a.Rules) != 17 {
		t.Errorf("%d locations, %d variables, %d rules", len(a.Locations), len(a.Shared), len(a.Rules))
	}
	if r := decide(t, a, "RoundAgreementInv"); r.Verdict != verify.Holds {
		t.Errorf("%s (%s)", r.Verdict, r.Reason)
	}
	mistaken := strings.ReplaceAll(string(text), "+ F >= 2 * T + 1", "+ F >= T + 1")
	_, a = translate(t, mistaken)
	if r := decide(t, a, "RoundAgreementInv"); r.Verdict != verify.Violated {
		t.Errorf("with a mistake: %s (%s)", r.Verdict, r.Reason)
	}
}

// TestRefused has mistakes in voting, and where they are said to be.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ old, mistake, want string }{
		{"  /\\ at[from] > 0\n", "", "takes a process out of at_wait without asking"},
		{"/\\ all + F >= N", "/\\ at[\"yes\"] >= N", "reads how many processes are in yes"},
		{"![to] = @ + 1", "![to] = @ + 2", "no variable counts the processes"},
		{"round' = round + 1", "round' = round * round", "not linear"},
		{"round' = round + 1", "round' = 2 * round", "something other than itself plus a number"},
		{"round' = round + 1", "round' = round - 1", "may become negative"},
		{"  /\\ UNCHANGED round\n", "", "does not say what happens to round"},
		{"{\"yes\", \"no\"}", "1..N", "this set depends on constants"},
		{"EXTENDS Integers", "EXTENDS Others", "module Others is not known"},
		{"Init ==", "Start ==", "unknown name Init"},
		{"votes[s] > 2 * F\n  /\\ Move(s", "votes[s] > 2 * F\n  /\\ Moves(s", "unknown name Moves"},
		{"Move(\"wait\", s)", "Move(\"wait\")", "takes 2 arguments, not 1"},
		{"votes = [s \\in Sides |-> 0]", "votes = {}", "is not made of numbers"},
		{"Move(from, to) ==", "Move(from, to) == /\\ Move(from, to)", "nested too deeply"},
		{"round \\in 0..1", "round = ", "expected an expression"},
		{"(* and counted again *)", "(* and counted again", "comment does not end"},
		{"Next == (", "Next == ((", "expected `)`"},
	} {
		text := strings.Replace(voting, c.old, c.mistake, 1)
		if text == voting {
			t.Fatalf("there is no %q", c.old)
		}
		_, err := tla.Translate("m.tla", text)
		var list diag.List
		if !errors.As(err, &list) || !strings.Contains(list[0].Msg, c.want) || list[0].Pos.Line < 1 {
			t.Errorf("%q: %v, not %q", c.mistake, err, c.want)
		}
	}
}

// counting is a module with one action, for what stands in the place of CLAIMS.
const counting = `---- MODULE counting ----
EXTENDS Integers
CONSTANTS N
ASSUME N >= 1
VARIABLES a, b, m
vars == <<a, b, m>>
Init == a = N /\ b = 0 /\ m = 0
Go == a > 0 /\ a' = a - 1 /\ b' = b + 1 /\ m' = m + 1
Next == Go
Spec == Init /\ [][Next]_vars /\ Fair
Fair == WF_vars(Next)
CLAIMS
====
`

// TestAlwaysFalse: what is false whatever the state is claims something of states, and what cannot be asked about is named.
func TestAlwaysFalse(t *testing.T) {
	tr, a := translate(t, strings.Replace(counting, "CLAIMS", `Flag == FALSE
Fine == m <= N
Wrong1 == m # m
Wrong2 == m \in {}
Wrong3 == m >= 0 /\ "a" = "b"
Wrong4 == [](m < 0 /\ FALSE)
Wrong5 == Spec => []FALSE
Wrong6 == LET some == m IN some < some
Fine2 == m = m
Step == [][m' = m + 1]_vars
Both == m = 0 /\ []Fine3
Fine3 == m >= 0
Number == m >= 0 /\ 5
Sum == a + b`, 1))
	for _, s := range a.Specs {
		want := verify.Holds
		if strings.HasPrefix(s.Name, "Wrong") {
			want = verify.Violated
		}
		if r := decide(t, a, s.Name); r.Verdict != want {
			t.Errorf("%s: %s (%s)", s.Name, r.Verdict, r.Reason)
		}
	}
	if len(a.Specs) != 8 {
		t.Errorf("%d are asked about:\n%s", len(a.Specs), syntax.Format(tr.Tree))
	}
	for i, want := range []string{
		"Step is not asked about: it speaks of steps",
		"Both is not asked about: a condition of the first state stands beside `[]`; nor about what is a part of it: Fine3",
		"Number is not asked about: expected a truth value",
	} {
		if len(tr.Notes) != 3 || !strings.HasPrefix(tr.Notes[i].Msg, want) {
			t.Errorf("notes: %v, not %q", tr.Notes, want)
		}
	}
}

// TestBinding: operators bind as in table 6 of "Specifying Systems", and what may not stand side by side there is refused.
func TestBinding(t *testing.T) {
	for text, same := range map[string]string{
		`m < 0 => m = 1 <=> m > N`:                      `(m < 0) => ((m = 1) <=> (m > N))`,
		`m = 1 <=> m > N => m < 0`:                      `((m = 1) <=> (m > N)) => (m < 0)`,
		`~m = 0 /\ m > 0`:                               `(~(m = 0)) /\ (m > 0)`,
		`m - 1 + 2 * m <= m + 3 - m`:                    `((m - 1) + (2 * m)) <= (m + (3 - m))`,
		`m \in {1, 2} \cup {3} /\ m # 2`:                `(m \in ({1, 2} \cup {3})) /\ (m # 2)`,
		`m \in 1..4 \ {2} \/ m = - 1 * 2`:               `(m \in ((1..4) \ {2})) \/ (m = -(1 * 2))`,
		"\n\t/\\ m > 0\n\t/\\ m < 9\n => m = 5":         `((m > 0) /\ (m < 9)) => (m = 5)`,
		"\n\t/\\ m > 0\n        /\\ m < 9 => m = 5":     `(m > 0) /\ ((m < 9) => (m = 5))`,
		"\n  /\\ m > 9\n\t\\/ m = 0\n        \\/ m = 7": `(m > 9) \/ (m = 0) \/ (m = 7)`,
	} {
		one, _ := translate(t, strings.Replace(counting, "CLAIMS", "Claim == "+text, 1))
		other, _ := translate(t, strings.Replace(counting, "CLAIMS", "Claim == "+same, 1))
		if one, other := syntax.Format(one.Tree), syntax.Format(other.Tree); one != other {
			t.Errorf("%s is not read as %s:\n%s\n%s", text, same, one, other)
		}
	}
	for _, text := range []string{
		`m >= 1 /\ m = 2 \/ m = 3`, `m = 0 <=> m = 0 <=> m >= 0`, `m = 0 = TRUE`, `m = 0 /= (m > 0)`,
		`{1} \cup {2} \ {2} = {1}`, `m > 1 \in {TRUE}`,
		`m = 0 => m = 0 => m >= 0`, `m = 4 \div 2 * 2`, `m = 8 \div 2 \div 2`, `m = 0 ~> m = 1 <=> m = 2`, `m \in {1} \ {2} \ {3}`,
	} {
		_, err := tla.Translate("m.tla", strings.Replace(counting, "CLAIMS", "Claim == "+text, 1))
		var list diag.List
		if !errors.As(err, &list) || !strings.Contains(list[0].Msg, "add parentheses") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestKeysInAnyOrder: functions are the same whatever order the names of their domain are written in.
func TestKeysInAnyOrder(t *testing.T) {
	tr, a := translate(t, `---- MODULE keys ----
EXTENDS Integers
CONSTANTS N
ASSUME N >= 1
VARIABLES at, f
Init ==
  /\ at = [l \in {"p", "q"} |-> IF l = "p" THEN N ELSE 0]
  /\ f = [s \in {"b", "a"} |-> IF s = "b" THEN 5 ELSE 0] \/ f = [s \in {"a", "b"} |-> 0]
Go == at["p"] > 0 /\ at' = [at EXCEPT !["p"] = @ - 1, !["q"] = @ + 1] /\ f' = [s \in {"b", "a"} |-> IF s = "a" THEN 1 ELSE 2]
Next == Go
First == f["a"] <= 1
Second == f["b"] \in {0, 2, 5}
Moved == at["q"] > 0 => f["a"] = 1
WrongA == f["a"] = 0
WrongB == f["b"] = 0
====
`)
	for _, s := range a.Specs {
		want := verify.Holds
		if strings.HasPrefix(s.Name, "Wrong") {
			want = verify.Violated
		}
		if r := decide(t, a, s.Name); r.Verdict != want {
			t.Errorf("%s: %s (%s)\n%s", s.Name, r.Verdict, r.Reason, syntax.Format(tr.Tree))
		}
	}
}
