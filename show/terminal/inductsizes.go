package terminal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
)

// SizesJSON is the object printed for an invariant by --all-sizes --json.
type SizesJSON struct {
	AnswerJSON
	Sizes    []string      `json:"sizes"`
	Assumed  []string      `json:"assumed"`
	Unsaid   bool          `json:"assumed_unsaid,omitempty"`
	Below    []string      `json:"below,omitempty"`
	Untrue   []string      `json:"lemmas_untrue,omitempty"`
	Refused  string        `json:"refused,omitempty"`
	Lemmas   []string      `json:"lemmas,omitempty"`
	Given    int           `json:"lemmas_given"`
	History  []HistoryJSON `json:"history,omitempty"`
	OnItsWay []HistoryJSON `json:"on_its_way,omitempty"`
	Defined  []string      `json:"always_defined,omitempty"`
	Proved   int           `json:"questions,omitempty"`
	Clauses  int           `json:"ground_clauses,omitempty"`
	Explored int           `json:"instances_explored"`
	Partly   int           `json:"instances_explored_partly"`
	Failing  string        `json:"failing,omitempty"`
	Before   []string      `json:"before,omitempty"`
	Seconds  float64       `json:"seconds"`
	Witness  *interp.Run   `json:"witness,omitempty"`
}

// HistoryJSON is a variable of a formula: whether something has been.
type HistoryJSON struct {
	Variable string `json:"variable"`
	Means    string `json:"means"`
}

// everyJSON is a proof of an instance that tells no processes apart.
type everyJSON struct {
	Sizes   []string `json:"sizes"` // constants that are any numbers; none if it is one for those of the instance
	Assumed []string `json:"assumed"`
	Lemmas  []string `json:"lemmas"`
	Given   int      `json:"lemmas_given"`
	Rests   [][]int  `json:"rests_on"`
	Defined []string `json:"always_defined"`
	Proved  int      `json:"questions"`
	Clauses int      `json:"ground_clauses"`
}

// EveryJSONOf is a proof for every size as the part of an answer for one size.
func EveryJSONOf(r *induct.ForSizes) *everyJSON {
	out := &everyJSON{r.Sizes, r.Assumed(), []string{}, r.Given, r.Rests, r.Defined, r.Proved, r.Clauses}
	for _, l := range r.Lemmas {
		out.Lemmas = append(out.Lemmas, l.Name)
	}
	return out
}

// EveryText tells a proof that tells no processes apart.
func EveryText(b *strings.Builder, r *induct.ForSizes) {
	for i, l := range r.Lemmas {
		from := "found"
		switch {
		case i < r.Values:
			from = "value"
		case i < r.Given:
			from = "given"
		}
		fmt.Fprintf(b, "  L%-3d %-6s %s\n", i+1, from, l.Name)
	}
	fmt.Fprintf(b, "  always defined: %s\n", strings.Join(r.Defined, ", "))
	fmt.Fprintf(b, "  %s, each without quantifiers, %s in all\n", spell.Count(r.Proved, "question", "questions"),
		spell.Count(r.Clauses, "clause", "clauses"))
}

// ConstantsOf are those of the instance that is violated, or those of the text that are no sizes.
func ConstantsOf(r *induct.ForSizes) map[string]any {
	if r.Run != nil {
		return r.Run.Model.ConstantValues()
	}
	out := r.Model.ConstantValues()
	maps.DeleteFunc(out, func(name string, _ any) bool {
		return slices.ContainsFunc(r.Model.Constants,
			func(k protocol.Constant) bool { return k.Name == name && !k.Fixed() })
	})
	return out
}

// unsaidText tells what is assumed of a text that assumes nothing.
func unsaidText(b *strings.Builder, r *induct.ForSizes) {
	if !r.Unsaid || len(r.Sizes) == 0 {
		return
	}
	fmt.Fprintf(b, "  the text assumes nothing: numbers of processes are sizes\n")
	if r.Run == nil { // else of no less is there one
		for _, what := range r.Below {
			fmt.Fprintf(b, "  not so for less: %s\n", what)
		}
	}
}

// openText tells what has no proof.
func openText(b *strings.Builder, m *protocol.Model, r *induct.ForSizes) {
	if u := r.Refused; u != nil {
		fmt.Fprintf(b, "  %s: %s\n", u.Pos, excerpt(m, u))
	}
	if r.Failing == "" {
		return
	}
	fmt.Fprintf(b, "  not proved: %s\n", r.Failing)
	for i, line := range r.Before {
		if i == 0 {
			line = "before the step, as far as it is known, with " + line + ":"
		}
		fmt.Fprintf(b, "       %s\n", line)
	}
	if len(r.Before) > 0 {
		b.WriteString("  if no run leads there, a lemma that excludes it helps: --lemma 'e', or lemma name: e; " +
			"in the text\n")
	}
}

// excerpt is the line that something is in.
func excerpt(m *protocol.Model, u *protocol.Unsupported) string {
	lines := strings.Split(interp.Text(m), "\n")
	if u.Pos.Line < 1 || u.Pos.Line > len(lines) {
		return u.Msg
	}
	return strings.TrimSpace(lines[u.Pos.Line-1])
}

// Sizes tells what is known of an invariant for every size, without its counterexample.
func (s Screen) Sizes(m *protocol.Model, r *induct.ForSizes) string {
	var b strings.Builder
	said := string(r.Verdict)
	if r.Reason != "" {
		said += ": " + r.Reason
	}
	of := r.Sizing()
	if r.Run != nil {
		of = r.Run.Model.Assignments()
	}
	fmt.Fprintf(&b, "%s (%s): %s  %s", m.File, of, r.Property, s.Paint(VerdictColour[r.Verdict], said))
	if r.Verdict == machine.Holds {
		fmt.Fprintf(&b, "  by induction, with %s", spell.Count(len(r.Lemmas), "lemma", "lemmas"))
	}
	how := "explicit"
	if r.Implicit {
		how = "implicit"
	}
	fmt.Fprintf(&b, ", %.2f s (%s crashes)\n", r.Time.Seconds(), how)
	unsaidText(&b, r)
	for _, text := range r.Untrue {
		fmt.Fprintf(&b, "  left out: lemma %s\n", text)
	}
	if r.Run != nil {
		return b.String()
	}
	for _, h := range r.History {
		fmt.Fprintf(&b, "  history: %s, before the last step: %s\n", h.Name, h.Means)
	}
	for _, cell := range r.OnItsWay {
		name, means := r.Means(cell)
		fmt.Fprintf(&b, "  %s: %s\n", name, means)
	}
	if r.Verdict == machine.Holds {
		EveryText(&b, r)
	}
	openText(&b, m, r)
	if r.Explored+r.Partly > 0 { // where time is up it is not known
		fmt.Fprintf(&b, "  instances of sizes up to 4: %s to the end, %d in part, no violation\n",
			spell.Count(r.Explored, "explored", "explored"), r.Partly)
	}
	return b.String()
}
