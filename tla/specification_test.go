package tla_test

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/tla"
	"github.com/tacheck/tacheck/verify"
)

// specified is the module with another specification, and what is claimed.
func specified(spec, claims string) string {
	return strings.Replace(strings.Replace(counting, "Spec == Init /\\ [][Next]_vars /\\ Fair", spec, 1), "CLAIMS", claims, 1)
}

// TestSpecification: runs are those of Spec, whatever else there is.
func TestSpecification(t *testing.T) {
	for _, c := range []struct {
		spec, claim string
		want        verify.Verdict
	}{
		{`Spec == Init /\ [][Next]_vars`, "m <= N", verify.Holds},
		{`Two == a > 0 /\ a' = a - 1 /\ b' = b + 1 /\ m' = m + 2
Spec == Init /\ [][Two]_vars`, "m <= N", verify.Violated},
		{`Spec == Fair /\ Init /\ [][Next]_vars`, "m <= N", verify.Holds},
		{`More == a = N /\ b = 0 /\ m = 1
Spec == More /\ [][Next]_vars`, "Spec => [](m <= N)", verify.Violated},
		{`Spec == Init /\ N = 1 /\ [][Next]_<<b, a, m>>`, "m <= 1", verify.Holds},
		{`Steps == [][Next]_vars
Safe == Init /\ Steps
System == Safe /\ Fair`, "System => [](m <= N)", verify.Holds},
		{`System == Init /\ [][Next]_vars
Unfair == System /\ Fair`, "Unfair => [](m < N)", verify.Violated},
	} {
		_, a := translate(t, specified(c.spec, "Claim == "+c.claim))
		if r := decide(t, a, "Claim"); r.Verdict != c.want {
			t.Errorf("%s\n%s: %s (%s)", c.spec, c.claim, r.Verdict, r.Reason)
		}
	}
}

// TestOtherSpecifications: what is claimed of other runs is not asked about, and what more is said of runs is refused.
func TestOtherSpecifications(t *testing.T) {
	const other = "Other == a = 0 /\\ b = N /\\ m = 1 /\\ [][Next]_vars\nClaim == Other => [](m <= N)"
	tr, a := translate(t, specified(`Spec == Init /\ [][Next]_vars`, other))
	if len(a.Specs) > 0 || len(tr.Notes) != 2 || !strings.Contains(tr.Notes[1].Msg, "Other is another specification") {
		t.Errorf("%v, %v", a.Specs, tr.Notes)
	}
	for spec, want := range map[string]string{
		`Spec == Init /\ [][Next]_a`:                                         "b is not in the subscript",
		`Spec == Init /\ [][Next]_vars /\ [](m = 0)`:                         "and nothing else",
		`Spec == Init /\ [][Next]_vars /\ []<>(m = 0)`:                       "and nothing else",
		`Spec == Init /\ [][Next]_vars /\ (Fair => <>(m = N))`:               "and nothing else",
		`Spec == Init /\ [][Next]_vars /\ [][a > 1]_vars`:                    "says twice what steps are",
		"A == Init /\\ [][Next]_vars\nB == Init /\\ m = 0 /\\ [][Next]_vars": "another specification, A",
	} {
		if _, err := tla.Translate("m.tla", specified(spec, "")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", spec, err, want)
		}
	}
}
