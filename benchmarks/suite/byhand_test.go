package suite

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// published are the algorithms for which Bertrand, Konnov, Lazic and Widder wrote a round by hand (CONCUR 2019).
var published = []string{"benor_clean", "benor_crash", "benor_byzantine", "bracha_crash", "bracha_symmetric", "bracha_byzantine", "kset", "rs_bosco"}

// byHand is a round of an algorithm, as it is derived from the text, where a run stops when a round is ended; and what is said about it.
type byHand struct {
	many, round *ta.Automaton
	values      [][]int
}

func newByHand(t *testing.T, file string) *byHand {
	t.Helper()
	text, ok := benchmarks.Read("rounds/" + file + ".ftdp")
	if !ok {
		t.Fatal(file)
	}
	return byHandOf(t, text)
}

func byHandOf(t *testing.T, text string) *byHand {
	t.Helper()
	m, err := model.Open(context.Background(), "round.ftdp", text, model.Options{})
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
	return &byHand{many.Automaton, round, many.Rounds.Values[0]}
}

// none says that some locations are empty.
func (x *byHand) none(list []int) string {
	if len(list) == 0 {
		return "(0 == 0)"
	}
	var names []string
	for _, l := range list {
		names = append(names, x.round.Locations[l].Name)
	}
	return "(" + strings.Join(names, " + ") + " == 0)"
}

// ends lists the locations at which a round is ended so that something is true of all borders to which they may lead.
func (x *byHand) ends(is func(border int) bool) (list []int) {
	for _, s := range x.many.Rounds.Switches {
		if !slices.ContainsFunc(s.To, func(b int) bool { return !is(b) }) {
			list = append(list, s.From)
		}
	}
	return list
}

// sure lists the ends with a value that no coin decides.
func (x *byHand) sure(value int) []int {
	return x.ends(func(b int) bool { return slices.Contains(x.values[value], b) })
}

// deciding lists the ends with a value at which a process has decided.
func (x *byHand) deciding(value int) []int {
	goal := x.many.Rounds.Almost[0].Goal
	at := x.sure(value)
	return slices.DeleteFunc(at, func(l int) bool {
		for _, s := range x.many.Rounds.Switches {
			if s.From == l && slices.ContainsFunc(s.To, func(b int) bool { return !slices.Contains(goal, b) }) {
				return true
			}
		}
		return false
	})
}

// waiting lists the locations of processes that have not come to the end of the round, and may.
func (x *byHand) waiting() (list []int) {
	comes := make([]bool, len(x.round.Locations))
	for more := true; more; {
		more = false
		for i := range x.round.Rules {
			r := &x.round.Rules[i]
			end := slices.ContainsFunc(x.many.Rounds.Switches, func(s ta.Switch) bool { return s.From == r.To })
			if (end || comes[r.To]) && !comes[r.From] {
				comes[r.From], more = true, true
			}
		}
	}
	for l := range x.round.Locations {
		if comes[l] && !slices.ContainsFunc(x.many.Rounds.Switches, func(s ta.Switch) bool { return s.From == l }) {
			list = append(list, l)
		}
	}
	return list
}

// asked are the specifications of a round that was made by hand, by their names: one formula each, or one for each value.
func (x *byHand) asked() map[string][]string {
	fair, out := x.many.Rounds.Fair.String(), map[string][]string{}
	over := x.none(x.waiting())
	var never, decided []string
	for v := range x.values {
		var begins []int
		for w := range x.values {
			if w != v {
				begins = append(begins, x.values[w]...)
			}
		}
		dec, sure := x.deciding(v), x.sure(v)
		without := func(list []int) []int {
			return slices.DeleteFunc(x.ends(func(int) bool { return true }), func(l int) bool { return slices.Contains(list, l) })
		}
		other, rest := without(sure), without(dec)
		out["validity"] = append(out["validity"], x.none(x.values[v])+" -> []"+x.none(x.sure(v)))
		out["completeness"] = append(out["completeness"], fmt.Sprintf("((%s) && %s) -> <>(%s && %s)", fair, x.none(begins), over, x.none(rest)))
		if len(x.values) == 2 {
			out["agreement"] = append(out["agreement"], fmt.Sprintf("[](!%s -> []%s)", x.none(dec), x.none(other)))
		}
		never, decided = append(never, x.none(x.sure(v))), append(decided, "[]"+x.none(dec))
	}
	if len(x.values) > 2 { // k-set agreement: not all values
		out["agreement"] = []string{strings.Join(decided, " || ")}
	}
	out["round_term"] = []string{fmt.Sprintf("(%s) -> <>%s", fair, over)}
	out["decide_or_flip"] = []string{fmt.Sprintf("(%s) -> <>(%s && (%s))", fair, over, strings.Join(never, " || "))}
	return out
}

// namesByHand are their names, in the order of the table.
var namesByHand = []string{"validity", "agreement", "completeness", "round_term", "decide_or_flip"}

// TestRoundsByHand: of a round, as it is derived from the text of each of the published algorithms, the specifications are decided that were asked of the automata
// made by hand (CONCUR 2019), where a run of the round stops at the toss. (Where it goes on, all values may be left for sure; here it is never asked so.) The
// table is in docs/rounds-proofs.md.
func TestRoundsByHand(t *testing.T) {
	need.More(t, "asking of a round what was asked of one by hand")
	const file = "../../docs/rounds-proofs.md"
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(doc)
	for _, name := range published {
		x := newByHand(t, name)
		row := fmt.Sprintf("| `%s` | %d, %d |", name, len(x.round.Locations), len(x.round.Rules))
		asked := x.asked()
		for _, spec := range namesByHand {
			row += " " + x.decide(t, name, spec, asked[spec]) + " |"
		}
		t.Log(row)
		if os.Getenv("TACHECK_UPDATE") != "" {
			if i := strings.Index(text, "\n| `"+name+"` | "); i >= 0 {
				end := i + 1 + strings.IndexByte(text[i+1:], '\n')
				text = text[:i+1] + row + text[end:]
			}
		}
		if !strings.Contains(text, "\n"+row+"\n") {
			t.Errorf("docs/rounds-proofs.md does not have the row\n%s", row)
		}
	}
	benor, _ := benchmarks.Read("rounds/benor_clean.ftdp")
	for spec, edits := range map[string][]string{
		"agreement": {"heard(PROPOSE(0)) >= t + 1", "heard(PROPOSE(0)) >= 1"}, "round_term": {"heard(PROPOSE) >= n - t", "heard(PROPOSE) >= n"}, "decide_or_flip": {"2 * heard(REPORT(1)) > n", "heard(REPORT(1)) >= 1"},
	} {
		x := byHandOf(t, mistaken(t, benor, edits))
		if got := x.decide(t, "benor_clean", spec, x.asked()[spec]); !strings.Contains(got, "violated") {
			t.Errorf("with %q, %s %s", edits, spec, got)
		}
	}
	if text != string(doc) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// decide says what is so of a specification for all values.
func (x *byHand) decide(t *testing.T, name, spec string, formulas []string) string {
	t.Helper()
	said := ""
	for _, formula := range formulas {
		e, err := syntax.ParseExpr("", formula)
		if err != nil {
			t.Fatalf("%s: %v", formula, err)
		}
		r, err := verify.Decide(context.Background(), x.round, &ta.Spec{Name: spec, Formula: e}, verify.Options{KeepFirst: true, NoCount: true})
		if err != nil {
			t.Fatalf("%s: %s: %v", name, formula, err)
		}
		verdict := map[verify.Verdict]string{verify.Holds: "holds"}[r.Verdict]
		if verdict == "" {
			verdict = string(r.Verdict)
		}
		if said != "" && said != verdict {
			verdict = said + ", " + verdict
		}
		said = verdict
	}
	return said
}
