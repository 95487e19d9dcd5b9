package tla_test

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/tla"
)

// moving is a module whose place %s has something that is not needed.
const moving = `This MODULE (* is about "moving
---- MODULE moving ----
EXTENDS Integers, TLAPS
CONSTANT N
VARIABLES a, b
vars == <<a, b>>
Init == a = N /\ b = 0
%s
Go == a > 0 /\ a' = a - 1 /\ b' = b + 1
Next == Go
Spec == Init /\ [][Next]_vars
Safe == b <= N
====
`

// TestUnread: what is outside of what is read is a warning where it is needed, and nothing elsewhere.
func TestUnread(t *testing.T) {
	for text, warning := range map[string]string{
		`Even == b % 2 = 0 \/ a > 0`:                                "Even is not asked about: the operator `%` is outside",
		"Even ==\n  /\\ a >= 0\n  /\\ b % 2 = 0":                    "Even is not asked about: the operator `%` is outside",
		`Type == vars \in Nat \X Nat`:                               "Type is not asked about: the operator `\\X` is outside",
		`Type == [x |-> a] \in [x : Nat]`:                           "Type is not asked about: sets of records",
		`Long == <<a>> \o <<b>> = vars`:                             "the operator `\\o` is outside",
		`Where == DOMAIN [i \in {1} |-> a] = {1}`:                   "Where is not asked about: `DOMAIN` is outside",
		`Some == a >= CHOOSE n \in Nat : TRUE`:                      "Some is not asked about: `CHOOSE` is outside",
		`Sets == {a} \in SUBSET Nat`:                                "Sets is not asked about: `SUBSET` is outside",
		`Pairs == \A <<x, y>> \in {<<1, 2>>} : a >= 0`:              "Pairs is not asked about: names in tuples are outside",
		`Any == \A x : a >= 0`:                                      "Any is not asked about: names of anything",
		`Other == I!Safe`:                                           "Other is not asked about: what another module is an instance of",
		`Say == "a\n" = "b" \/ a >= 0`:                              "Say is not asked about: the operator",
		`Map == (1 :> a) @@ (2 :> b) = vars`:                        "Map is not asked about: the operator `:>`",
		"LOCAL Half(x) == x % 2":                                    "",
		"Op(F(_), x) == F(x)":                                       "this definition is left out: a parameter that is an operator",
		"x \\oplus y == x + y":                                      "this definition is left out: the operator `\\oplus`",
		"RECURSIVE Sum(_)\nSum(n) == IF n = 0 THEN 0 ELSE Sum(n-1)": "",
		"LOCAL INSTANCE FiniteSets":                                 "",
		"THEOREM Spec => []Safe\n<1>1. Init => Safe\n  BY DEF Init, Safe\n<1>. QED BY <1>1, PTL DEF Spec\nPROOF\n  <1> DEFINE I == a % 2\n  OBVIOUS": "",
	} {
		tr, a := translate(t, strings.Replace(moving, "%s", text, 1))
		if a.SpecNamed("Safe") == nil || len(a.Specs) > 1 {
			t.Errorf("%q: %d specifications", text, len(a.Specs))
		}
		said := ""
		for _, note := range tr.Notes {
			said += note.Msg + "\n"
		}
		if !strings.Contains(said, warning) || (warning == "") != (said == "") {
			t.Errorf("%q: the warnings are %q, not %q", text, said, warning)
		}
	}
}

// TestBlamed: messages name the operator, the action and the variables that are to blame.
func TestBlamed(t *testing.T) {
	for _, c := range [][]string{
		{`Go == a > 0`, `Go == a % 2 = 0 /\ a > 0`, "Go cannot be read: the operator `%` is outside of what is read"},
		{`Go == a > 0`, `Go == a > DOMAIN a`, "Go cannot be read: `DOMAIN` is outside"},
		{` /\ b' = b + 1`, ``, "the action Go does not say what happens to b"},
		{`a > 0 /\ a'`, `a'`, "the action Go takes a process out of a without asking"},
		{`Spec == Init`, `Spec == \AA x : Init`, "Spec cannot be read: the operator `\\AA`"},
		{`Safe == b <= N`, `Safe == b <= `, "expected"},
	} {
		_, err := tla.Translate("m.tla", strings.Replace(strings.Replace(moving, "%s", "", 1), c[0], c[1], 1))
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v, not %q", c[1], err, c[2])
		}
	}
	_, err := tla.Translate("m.tla", `---- MODULE lock ----
EXTENDS Naturals
CONSTANT N
VARIABLES idle, crit, lock
vars == <<idle, crit, lock>>
Init == idle = N /\ crit = 0 /\ lock = 1
Enter == idle > 0 /\ lock > 0 /\ idle' = idle - 1 /\ crit' = crit + 1 /\ lock' = lock - 1
Leave == crit > 0 /\ crit' = crit - 1 /\ idle' = idle + 1 /\ lock' = lock + 1
Next == Enter \/ Leave
Spec == Init /\ [][Next]_vars
====`)
	if err == nil || !strings.Contains(err.Error(), "the action Enter changes crit, idle and lock") {
		t.Error(err)
	}
}
