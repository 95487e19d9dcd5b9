package model_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/testkit/need"
)

// randomCoins is the text of a protocol in which what is kept is assigned before and after coins, with one end of the round behind branches, and with a
// specification for each pair of values of two things that are kept.
func randomCoins(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.Intn(len(list))] }
	coin := pick("toss s;", "coin s;", "toss k;")
	var assigned func(depth int, after bool) string
	assigned = func(depth int, after bool) string {
		if depth < 2 && r.Intn(3) == 0 {
			when := pick("x = 0", "k = 1", "w = 1", pick("k = 2", map[bool]string{true: "s = 0", false: "x = 1"}[after]))
			return fmt.Sprintf("if %s then %s else %s endif ", when, assigned(depth+1, after), assigned(depth+1, after))
		}
		list := []string{"x := 0; ", "k := 1; ", "k := 2; ", "x := 1 - x; ", "k := x; ", "k := 2 - x; "}
		if after {
			return pick(append(list, "x := s; ", "k := s + 1; ")...)
		}
		return pick(append(list, "w := 1; ", "w := x; ")...)
	}
	end := func() string { return pick("", assigned(0, false)) + coin + " " + pick("", assigned(0, true)) }
	heard := pick("heard(M) >= 1", "heard(M(0)) >= 1", "heard(M(1)) >= n")
	var b strings.Builder
	b.WriteString("protocol coins;\nparameters n;\nassume n >= 1;\nfaults none;\nmessages M(0..1);\nprocess p[n]\n  kept input x: 0..1;\n  kept local k: 0..2;\n  local w, s: 0..1;\n  local sent: bool;\n")
	b.WriteString("  say: if not sent then send M(x); sent := true; endif\n")
	switch r.Intn(3) {
	case 0: // one end for all branches
		fmt.Fprintf(&b, "  go: if sent and %s then if x = 0 then %s elsif heard(M(1)) >= 1 then %s endif %s next; endif\n", heard, end(), assigned(0, false), assigned(2, true))
	case 1: // the same, behind the coin
		fmt.Fprintf(&b, "  go: if sent and %s then %s %s if s = x then %s next; else next; endif endif\n", heard, assigned(0, false), coin, assigned(0, true))
	default:
		fmt.Fprintf(&b, "  go: if sent and %s then %s next; endif\n  back: if sent then %s next; endif\n", heard, end(), end())
	}
	b.WriteString("end\n")
	for k := range 3 {
		fmt.Fprintf(&b, "ltl kept%d: all(x = 0 and k = 0) -> G all(not (x = %d and k = %d));\n", k, r.Intn(2), k)
	}
	return b.String()
}

// TestRandomCoins: a process that waits for its coin, in the automaton of a round, is in no state that the text does not have; so all is decided, and
// as exploration says.
func TestRandomCoins(t *testing.T) {
	need.Usual(t, "each text of many rounds")
	if counts := compareRounds(t, randomCoins, need.Cases(t, 1)); counts[verdict.Unknown] > 0 {
		t.Errorf("%d are unknown", counts[verdict.Unknown])
	}
}

// TestRoundsOneEnd: what follows branches in which a coin is tossed is done in each of them, and in what is left.
func TestRoundsOneEnd(t *testing.T) {
	const text = `protocol ends;
parameters n;
assume n >= 1;
faults none;
messages M;
process p[n]
  kept input x: 0..3;
  kept local seen: bool;
  local s: bool;
  say: if not s then send M; s := true; endif
  go: if s and heard(M) >= n then if x = 0 then toss x; elsif x = 1 then x := 2; endif seen := true; next; endif
end
ltl two: all(x = 1 and not seen) -> G all(x = 1 and not seen or x = 2 and seen);
ltl rest: all(x = 3 and not seen) -> G all(x = 3);
ltl never: all(x = 3 and not seen) -> G all(not seen);
ltl coin: all(x = 0 and not seen) -> G all(x = 0 or seen);
ltl low: all(x = 0 and not seen) -> G all(x != 2);
`
	want := map[string]verdict.Verdict{"two": verdict.Holds, "rest": verdict.Holds, "never": verdict.Violated, "coin": verdict.Holds, "low": verdict.Violated}
	for name, r := range verifyRounds(t, text) {
		if r.Verdict != want[name] {
			t.Errorf("%s %s %s", name, r.Verdict, r.Reason)
		}
	}
	if len(want) != len(openRounds(t, text).(model.ForAll).Specs()) {
		t.Error("not all are asked")
	}
}
