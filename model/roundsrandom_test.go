package model_test

import (
	"context"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/testkit/need"
)

// randomRounds is the text of a protocol of one exchange of messages a round, with random guards.
func randomRounds(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.Intn(len(list))] }
	faults := pick("none", "clean f", "crash f", "byzantine f")
	kept := func() string {
		return pick("v := 0;", "v := 1;", "", "v := 1 - v;", "if v = 0 then d := ZERO; endif", "if v = 1 then d := ONE; endif", "d := ZERO;", "v := 1; d := ONE;")
	}
	guard := func() string {
		return pick("heard(K(0)) >= 1", "heard(K(1)) >= 1", "heard(K(0)) >= t + 1", "2 * heard(K(1)) > n", "2 * heard(K(0)) > n", "heard(K(1)) >= n - t", "heard(K(0)) >= n - t")
	}
	last := pick("next;", "toss v; next;", "coin v; next;", "coin c; if c = v then d := ONE; endif next;", "toss c; if c = 1 and v = 1 then d := ONE; else v := 0; endif next;")
	wait := pick("heard(K) >= n - t", "heard(K) >= 1", "heard(K) >= n - t")
	var b strings.Builder
	fmt.Fprintf(&b, "protocol random;\nparameters n, t, f;\nassume n > %d * t, t >= f, n >= 1;\nfaults %s;\nmessages K(0..1);\n", 1+r.Intn(2), faults)
	b.WriteString("process node[n]\n  kept input v: 0..1;\n  kept local d: enum {NO, ZERO, ONE};\n  local sent: bool;\n  local c: 0..1;\n")
	b.WriteString("  go: if not sent then send K(v); sent := true; endif\n")
	fmt.Fprintf(&b, "  finish: if sent and %s then\n    if %s then %s next;\n    elsif %s then %s next;\n    else %s\n    endif\n  endif\nend\n", wait, guard(), kept(), guard(), kept(), last)
	b.WriteString("invariant agreement: all(d != ZERO) or all(d != ONE);\nltl validity: all(v = 0) -> G all(d != ONE);\nltl other: all(v = 1) -> G all(d != ZERO);\n")
	return b.String()
}

// TestRandomRounds: what holds for all sizes and rounds is not violated in instances with up to three rounds; what is violated has been
// replayed by the interpreter.
func TestRandomRounds(t *testing.T) {
	need.Usual(t, "each text of many rounds")
	compareRounds(t, randomRounds, need.Cases(t, 1))
}

// TestRandomAfter: the same of rounds whose messages all arrive, and of what is true after some of them.
func TestRandomAfter(t *testing.T) {
	need.More(t, "each text of many rounds")
	compareRounds(t, randomAfter, need.Cases(t, 1))
}

// randomAfter is randomRounds with rounds that are synchronous, mostly, and what is true after some of them.
func randomAfter(r *rand.Rand) string {
	text := randomRounds(r)
	if r.Intn(5) > 0 {
		text = regexp.MustCompile(`sent and heard\(K\) >= (n - t|1)`).ReplaceAllString(text, "sent and arrived(K)")
	}
	if r.Intn(3) > 0 {
		text = strings.ReplaceAll(text, "v := 1 - v;", "")
		text = regexp.MustCompile(`faults \w+( f)?`).ReplaceAllString(text, "faults crash f")
	}
	for i, rounds := range []string{"1", "f", "f + 1", "2", "t + 1"} {
		text += fmt.Sprintf("invariant same%d after %s rounds: all(v = 0) or all(v = 1);\n", i, rounds)
	}
	return text
}

// TestRandomCoordinators: the same of rounds with coordinators, some of them faulty.
func TestRandomCoordinators(t *testing.T) {
	need.More(t, "each text of many rounds")
	compareRounds(t, randomCoordinators, need.Cases(t, 1))
}

// randomCoordinators is randomAfter where mostly the coordinator is heard, and there are no coins.
func randomCoordinators(r *rand.Rand) string {
	text := randomAfter(r)
	text = regexp.MustCompile(`(toss|coin) [vc];( if [^;]*; (else [^;]*; )?endif)?`).ReplaceAllString(text, "")
	text = strings.Replace(text, "  local c: 0..1;\n", "", 1)
	text = strings.Replace(text, "n >= 1;", "n >= 2, n > f;", 1)
	if r.Intn(2) == 0 {
		text = strings.Replace(text, "if not sent then", "if coordinator and not sent then", 1)
		text = strings.Replace(text, "if sent and", "if", 1)
	}
	if r.Intn(2) == 0 {
		text = regexp.MustCompile(`faults \w+( f)?`).ReplaceAllString(text, "faults byzantine f")
	}
	return regexp.MustCompile(`(heard|arrived)\(K`).ReplaceAllStringFunc(text, func(c string) string {
		if r.Intn(4) == 0 {
			return c
		}
		return strings.Replace(c, "(K", "(coordinator.K", 1)
	})
}

// TestRandomAlways: the same of rounds in which messages are passed on, in rounds that are over, too.
func TestRandomAlways(t *testing.T) {
	need.More(t, "each text of many rounds")
	compareRounds(t, randomAlways, need.Cases(t, 1))
}

// randomAlways is randomRounds with a message that is passed on, and waited for.
func randomAlways(r *rand.Rand) string {
	text := randomRounds(r)
	pick := func(list ...string) string { return list[r.Intn(len(list))] }
	text = strings.Replace(text, "messages K(0..1);", "messages K(0..1), L;", 1)
	text = strings.Replace(text, "local sent: bool;", "local sent, passed: bool;", 1)
	text = strings.Replace(text, "  finish:", fmt.Sprintf("  always pass: if not passed and %s then send L; passed := true; endif\n  finish:",
		pick("heard(K) >= 1", "heard(K(0)) >= 1", "heard(K(1)) >= t + 1", "heard(L) >= 1 and heard(K(1)) >= 1", "2 * heard(K(0)) > n")), 1)
	text = strings.Replace(text, "if sent and ", "if sent and "+pick("", "heard(L) >= 1 and ", "heard(L) >= n - t and ", "2 * heard(L) > n and "), 1)
	if r.Intn(2) == 0 {
		text = regexp.MustCompile(`(elsif) heard\(K\([01]\)\)`).ReplaceAllString(text, "$1 heard(L)")
	}
	return text
}

// refused reports whether it may matter in a text who crashes in a later round.
func refused(t *testing.T, text string) bool {
	t.Helper()
	_, err := openRounds(t, text).(model.ForAll).Automaton(context.Background())
	return err != nil && strings.Contains(err.Error(), "who crashes in a later round")
}

func compareRounds(t *testing.T, texts func(*rand.Rand) string, cases int) map[verdict.Verdict]int {
	var how model.Exploring
	how.Machine.States = 20_000
	counts := map[verdict.Verdict]int{}
	for seed := range cases {
		text := texts(rand.New(rand.NewSource(int64(seed))))
		if refused(t, text) {
			counts["refused"]++
			continue
		}
		found := verifyRounds(t, text)
		var holds []string
		for _, r := range found {
			if counts[r.Verdict]++; r.Verdict == verdict.Holds {
				holds = append(holds, r.Spec)
			}
		}
		if holds == nil {
			continue // what is violated has been replayed
		}
		fixed := openRounds(t, text).(model.Fixed)
		for _, set := range [][]model.Setting{
			{{Name: "n", Value: 2}, {Name: "rounds", Value: 3}},
			{{Name: "n", Value: 2}, {Name: "t", Value: 1}, {Name: "f", Value: 1}, {Name: "rounds", Value: 2}},
			{{Name: "n", Value: 3}, {Name: "t", Value: 1}, {Name: "f", Value: 1}, {Name: "rounds", Value: 2}},
		} {
			x, err := fixed.Instance(context.Background(), set)
			if err != nil {
				continue // the assumptions do not admit it
			}
			list, err := x.Explore(context.Background(), holds, how)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			for _, e := range list {
				if e.Verdict == verdict.Violated {
					t.Errorf("seed %d: %s holds, and is violated in an instance:\n%s", seed, e.Spec, text)
				}
			}
		}
	}
	t.Logf("%v", counts)
	if cases >= 10 && (counts[verdict.Holds] == 0 || counts[verdict.Violated] == 0) {
		t.Errorf("all verdicts are alike: %v", counts)
	}
	return counts
}

// TestRandomFlooding: what holds after some of the rounds in which crashes are shared out is not violated in instances, whose states are searched by counting.
func TestRandomFlooding(t *testing.T) {
	need.More(t, "each text of many rounds")
	counts := map[verdict.Verdict]int{}
	for seed := range need.Cases(t, 1) {
		text := randomFlooding(rand.New(rand.NewSource(int64(seed))))
		for _, r := range verifyRounds(t, text) {
			if counts[r.Verdict]++; r.Verdict != verdict.Holds {
				continue // what is violated has been replayed
			}
			for _, of := range []struct{ n, f, rounds int64 }{{2, 1, 1}, {3, 1, 1}, {3, 2, 1}, {3, 2, 2}, {4, 2, 1}, {4, 2, 2}, {5, 2, 1}, {4, 3, 2}} {
				violated, _, err := model.Searched(context.Background(), openRounds(t, text), map[string]int64{"n": of.n, "f": of.f}, int(of.rounds), 60_000)
				if err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, text)
				}
				if violated[r.Spec] {
					t.Errorf("seed %d: %s holds, and is violated with %v:\n%s", seed, r.Spec, of, text)
				}
			}
		}
	}
	t.Logf("%v", counts)
}

// randomFlooding is the text of a protocol in which processes send values, all of three mostly, and keep one of those that they hear.
func randomFlooding(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.Intn(len(list))] }
	guard := func(v int) string {
		return pick(fmt.Sprintf("heard(K(%d)) >= 1", v), fmt.Sprintf("heard(K(%d)) >= 1", v), fmt.Sprintf("heard(K(%d)) >= 1", v), fmt.Sprintf("heard(K(%d)) >= 2", v), fmt.Sprintf("2 * heard(K(%d)) > n", v))
	}
	order := r.Perm(3)
	var b strings.Builder
	fmt.Fprintf(&b, "protocol random;\nparameters n, f;\nassume n > f, f >= %s;\nfaults %s f;\nmessages K(0..2);\n", pick("0", "1", "2"), pick("crash", "crash", "clean"))
	b.WriteString("process node[n]\n  kept input v: 0..2;\n  local sent: bool;\n  go: if not sent then send K(v); sent := true; endif\n")
	fmt.Fprintf(&b, "  finish: if sent and arrived(K) then\n    if %s then v := %d;\n    elsif %s then v := %d; endif\n    next;\n  endif\nend\n", guard(order[0]), order[0], guard(order[1]), order[r.Intn(2)])
	for i, rounds := range []string{"f / 2 + 1", "(f + 1) / 2", "[f / 3] + 1", "f - f / 2", "f + 1"} {
		fmt.Fprintf(&b, "invariant two%d after %s rounds: all(v != 0) or all(v != 1) or all(v != 2);\n", i, rounds)
	}
	b.WriteString("invariant one after f / 2 + 1 rounds: all(v = 0) or all(v = 1) or all(v = 2);\n")
	return b.String()
}
