package suite

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tacheck/benchmarks"
	"tacheck/internal/verdict"
	"tacheck/model"
	"tacheck/ta"
	"tacheck/ta/syntax"
	"tacheck/testkit/need"
	"tacheck/verify"
)

// TestRoundsSuite: algorithms that go round after round have the verdicts that are known of them, and with a mistake others. By default it is
// one property of each; all of all take minutes.
func TestRoundsSuite(t *testing.T) {
	animals := benchmarks.ExpectedRounds()
	if len(animals) != len(benchmarks.Rounds()) {
		t.Errorf("%d algorithms, and something is expected of %d", len(benchmarks.Rounds()), len(animals))
	}
	for _, a := range animals {
		text, ok := benchmarks.Read("rounds/" + a.File)
		if !ok {
			t.Fatal(a.File)
		}
		t.Run(strings.TrimSuffix(a.File, ".ftdp"), func(t *testing.T) {
			asked, quick := quickRounds[a.File]
			if all(t) {
				asked = nil
			} else if !quick { // none of its properties is decided in a second or two
				need.More(t, "each property of this algorithm")
			} else if a.File != "mmr.ftdp" {
				need.Usual(t, "this algorithm")
			}
			_, got := decideSome(t, text, asked)
			if n := len(a.Holds) + len(a.Violated) + len(a.Unknown); asked == nil && len(got) != n {
				t.Errorf("%d properties, and something is expected of %d", len(got), n)
			}
			expect(t, got, a.Holds, verdict.Holds)
			expect(t, got, a.Violated, verdict.Violated)
			expect(t, got, a.Unknown, verdict.Unknown)
		})
		for _, m := range a.Broken {
			if !all(t) && !(a.File == "benor_clean.ftdp" && m.Name == "a majority is one" || a.File == "flooding.ftdp" && m.Name == "f rounds") {
				continue
			}
			t.Run(a.File+", "+m.Name, func(t *testing.T) {
				need.Usual(t, "this mistake")
				_, got := decideSome(t, mistaken(t, text, m.Edits), slices.Concat(m.Violated, m.Unknown))
				are(t, got, m.Violated, verdict.Violated)
				are(t, got, m.Unknown, verdict.Unknown)
				if len(m.Violated) > 0 {
					tells(t, got[m.Violated[0]].run, m.Story)
				}
			})
		}
	}
}

// quickRounds are the properties that are asked by default.
var quickRounds = map[string][]string{
	"benor_clean.ftdp": {"agreement", "unseen"}, "bracha_crash.ftdp": {"validity0"}, "fmr.ftdp": {"in_order"}, "mmr.ftdp": {"validity0"},
	"flooding.ftdp": nil, "rotating.ftdp": {"agreement"}, "phase_king.ftdp": {"agreement"},
}

// all reports whether all is asked.
func all(t *testing.T) bool {
	t.Helper()
	return need.Every(t, 2) == 1
}

// expect holds those that were asked against what is expected.
func expect(t *testing.T, got map[string]decided, names []string, want verdict.Verdict) {
	t.Helper()
	are(t, got, slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, asked := got[name]; return !asked }), want)
}

// mistaken is a text with mistakes: texts and what stands in their place.
func mistaken(t *testing.T, text string, edits []string) string {
	t.Helper()
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			t.Fatalf("there is no %q", edits[i])
		}
		text = strings.ReplaceAll(text, edits[i], edits[i+1])
	}
	return text
}

// TestRoundsByHand: of a round of Ben-Or's algorithm, as it is derived from the text, the specifications hold that hold of the automaton
// that Bertrand, Konnov, Lazic and Widder made by hand (CONCUR 2019), where a run of the round stops at the toss. (Where it goes on, both
// values may be left for sure; here it is never asked so.)
func TestRoundsByHand(t *testing.T) {
	need.More(t, "asking of a round what was asked of one by hand")
	text, _ := benchmarks.Read("rounds/benor_clean.ftdp")
	m, err := model.Open(context.Background(), "benor_clean.ftdp", text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	many, err := m.(model.ForAll).Automaton(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	tree := *many.Syntax()
	tree.Sections = slices.DeleteFunc(slices.Clone(tree.Sections), func(s *syntax.Section) bool { return s.Rounds != nil })
	round, err := ta.Resolve("round.ta", &tree)
	if err != nil {
		t.Fatal(err)
	}
	ended := func(with ...string) string { // nobody has ended the round so
		var list []string
		for _, s := range many.Rounds.Switches {
			end := many.Locations[s.From].Name
			if slices.ContainsFunc(with, func(w string) bool { return strings.HasPrefix(end, w) && strings.HasSuffix(end, "_over") }) {
				list = append(list, end)
			}
		}
		return "(" + strings.Join(list, " + ") + " == 0)"
	}
	var waiting []string
	for i, l := range round.Locations {
		if l.Name != "crashed" && !slices.ContainsFunc(many.Rounds.Switches, func(s ta.Switch) bool { return s.From == i }) {
			waiting = append(waiting, l.Name)
		}
	}
	over := "(" + strings.Join(waiting, " + ") + " == 0)"
	fair := many.Rounds.Fair.String()
	for name, formula := range map[string]string{
		"validity0":      "(v1_NO == 0) -> [](" + ended("v1_") + ")",
		"validity1":      "(v0_NO == 0) -> [](" + ended("v0_") + ")",
		"agreement0":     "[](!" + ended("v0_ZERO") + " -> []" + ended("v1_") + ")",
		"agreement1":     "[](!" + ended("v1_ONE") + " -> []" + ended("v0_") + ")",
		"round_term":     "(" + fair + ") -> <>" + over,
		"decide_or_flip": "(" + fair + ") -> <>(" + over + " && (" + ended("v0_") + " || " + ended("v1_") + "))",
	} {
		e, err := syntax.ParseExpr("", formula)
		if err != nil {
			t.Fatalf("%s: %v", formula, err)
		}
		r, err := verify.Decide(context.Background(), round, &ta.Spec{Name: name, Formula: e}, verify.Options{})
		if err != nil {
			t.Fatalf("%s: %v", formula, err)
		}
		if r.Verdict != verify.Holds {
			t.Errorf("%s: %s (%s)", name, r.Verdict, r.Reason)
		}
	}
}
