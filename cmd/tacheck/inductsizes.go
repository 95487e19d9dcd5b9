package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tacheck/tacheck/certificate"
	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
)

// inductSizes decides invariants for every size.
func (c *command) inductSizes(x model.Model, m *protocol.Model, invariants []*protocol.Prop, f inductFlags) error {
	if m.Source.Parameterized() {
		return errors.New("--all-sizes is for protocols with identities: `tacheck verify` decides this text for all " +
			"sizes")
	}
	if err := ownSizes(m, f.set); err != nil {
		return err
	}
	told := false
	for _, p := range invariants {
		r, err := c.inductSize(m, p, f)
		if err != nil {
			return c.notInduced(x, err, f)
		}
		c.outcome(r.Verdict)
		if r.Run != nil && !told {
			told = true
			if err := c.saveRunAndChart(model.ProtocolRun(r.Run), f.witness, "", f.chart); err != nil {
				return err
			}
		}
		if err := c.printSizes(m, r, f); err != nil {
			return err
		}
		if f.certify != "" {
			if err := c.certifySizes(m, r, f); err != nil {
				return err
			}
		}
	}
	if f.chart != "" && !told {
		c.notDrawn("chart", f.chart, "counterexample")
	}
	return nil
}

// certifySizes writes a proof that others have checked.
func (c *command) certifySizes(m *protocol.Model, r *induct.ForSizes, f inductFlags) error {
	if r.Verdict != machine.Holds {
		return c.unproved(r.Property, r.Verdict)
	}
	if r.OnItsWay != nil {
		return fmt.Errorf("%w: its proof counts what is on its way, which certificates do not know of",
			certificate.ErrNotCertified)
	}
	solvers, err := certificate.MakeEverySize(c.ctx, f.certify, release, f.solver, r.Model, r)
	return c.written(solvers, err, f)
}

// ownSizes refuses values of constants that are any numbers, or follow from such.
func ownSizes(m *protocol.Model, set settings) error {
	for _, k := range m.Constants {
		if !slices.ContainsFunc(set, func(s model.Setting) bool { return s.Name == k.Name }) {
			continue
		}
		if k.Size {
			return fmt.Errorf("--set %s: with --all-sizes it is any number that the text assumes", k.Name)
		}
		if k.Term.Op != ftdp.Number || k.Term.Const != "" {
			return fmt.Errorf("--set %s: with --all-sizes it follows from other constants", k.Name)
		}
	}
	return nil
}

func (c *command) inductSize(m *protocol.Model, p *protocol.Prop, f inductFlags) (*induct.ForSizes, error) {
	for _, k := range f.set {
		f.Fixed = append(f.Fixed, k.Name)
	}
	type question struct {
		text   string
		before []string
	}
	var open atomic.Pointer[question]
	f.Open = func(text string, before []string) { open.Store(&question{text, before}) }
	return induced(c, p, f, func(ctx context.Context, o induct.Options) (*induct.ForSizes, error) {
		r, err := induct.EverySize(ctx, m, p, o)
		if r != nil {
			r.Time += f.spent
		}
		return r, err
	}, func(reason string, took time.Duration) *induct.ForSizes {
		r := induct.Unanswered(m, p, f.Options, reason, took)
		if q := open.Load(); q != nil {
			r.Failing, r.Before = q.text, q.before
		}
		return r
	})
}

// sizesJSON is the object printed for an invariant by --all-sizes --json.
type sizesJSON struct {
	File      string          `json:"file"`
	Property  string          `json:"property"`
	Verdict   verdict.Verdict `json:"verdict"`
	Reason    string          `json:"reason,omitempty"`
	Constants map[string]any  `json:"constants"`
	Sizes     []string        `json:"sizes"`
	Assumed   []string        `json:"assumed"`
	Unsaid    bool            `json:"assumed_unsaid,omitempty"`
	Below     []string        `json:"below,omitempty"`
	Untrue    []string        `json:"lemmas_untrue,omitempty"`
	Refused   string          `json:"refused,omitempty"`
	Lemmas    []string        `json:"lemmas,omitempty"`
	Given     int             `json:"lemmas_given"`
	History   []historyJSON   `json:"history,omitempty"`
	OnItsWay  []historyJSON   `json:"on_its_way,omitempty"`
	Defined   []string        `json:"always_defined,omitempty"`
	Proved    int             `json:"questions,omitempty"`
	Clauses   int             `json:"ground_clauses,omitempty"`
	Explored  int             `json:"instances_explored"`
	Partly    int             `json:"instances_explored_partly"`
	Failing   string          `json:"failing,omitempty"`
	Before    []string        `json:"before,omitempty"`
	Seconds   float64         `json:"seconds"`
	Witness   *interp.Run     `json:"witness,omitempty"`
}

// historyJSON is a variable of a formula: whether something has been.
type historyJSON struct {
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

func everyJSONOf(r *induct.ForSizes) *everyJSON {
	out := &everyJSON{r.Sizes, r.Assumed(), []string{}, r.Given, r.Rests, r.Defined, r.Proved, r.Clauses}
	for _, l := range r.Lemmas {
		out.Lemmas = append(out.Lemmas, l.Name)
	}
	return out
}

// everyText tells a proof that tells no processes apart.
func everyText(b *strings.Builder, r *induct.ForSizes) {
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

func (c *command) printSizes(m *protocol.Model, r *induct.ForSizes, f inductFlags) error {
	if f.json {
		out := sizesJSON{File: m.File, Property: r.Property, Verdict: r.Verdict, Reason: r.Reason,
			Constants: constantsOf(m, r), Sizes: r.Sizes, Assumed: r.Assumed(), Unsaid: r.Unsaid, Below: r.Below,
			Untrue: r.Untrue, Given: r.Given, Defined: r.Defined, Proved: r.Proved, Clauses: r.Clauses,
			Explored: r.Explored,
			Partly:   r.Partly, Failing: r.Failing, Before: r.Before, Seconds: r.Time.Seconds(), Witness: r.Run}
		for _, l := range r.Lemmas {
			out.Lemmas = append(out.Lemmas, l.Name)
		}
		if r.Refused != nil {
			out.Refused = r.Refused.Error()
		}
		for _, h := range r.History {
			out.History = append(out.History, historyJSON{h.Name, h.Means})
		}
		for _, cell := range r.OnItsWay {
			name, means := r.Means(cell)
			out.OnItsWay = append(out.OnItsWay, historyJSON{name, means})
		}
		return encodeJSON(c.stdout, out)
	}
	_, err := fmt.Fprint(c.stdout, c.sizesText(m, r))
	if r.Run != nil && err == nil {
		err = c.screen().run(c.stdout, model.ProtocolRun(r.Run))
	}
	return err
}

// constantsOf are those of the instance that is violated, or those of the text that are no sizes.
func constantsOf(m *protocol.Model, r *induct.ForSizes) map[string]any {
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

// sizesText tells what is known of an invariant for every size, without its counterexample.
func (c *command) sizesText(m *protocol.Model, r *induct.ForSizes) string {
	var b strings.Builder
	s := c.screen()
	said := string(r.Verdict)
	if r.Reason != "" {
		said += ": " + r.Reason
	}
	of := r.Sizing()
	if r.Run != nil {
		of = r.Run.Model.Assignments()
	}
	fmt.Fprintf(&b, "%s (%s): %s  %s", m.File, of, r.Property, s.paint(verdictColour[r.Verdict], said))
	if r.Verdict == machine.Holds {
		fmt.Fprintf(&b, "  by induction, with %s", spell.Count(len(r.Lemmas), "lemma", "lemmas"))
	}
	how := "explicit"
	if r.Implicit {
		how = "implicit"
	}
	fmt.Fprintf(&b, ", %.2f s (%s crashes)\n", r.Time.Seconds(), how)
	unsaidText(&b, m, r)
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
		everyText(&b, r)
	}
	openText(&b, m, r)
	fmt.Fprintf(&b, "  instances of sizes up to 4: %s to the end, %d in part, no violation\n",
		spell.Count(r.Explored, "explored", "explored"), r.Partly)
	return b.String()
}

// unsaidText tells what is assumed of a text that assumes nothing.
func unsaidText(b *strings.Builder, m *protocol.Model, r *induct.ForSizes) {
	if !r.Unsaid || len(r.Sizes) == 0 {
		return
	}
	own := ""
	for _, k := range m.Constants {
		if k.Fixed() && !slices.Contains(r.Sizes, k.Name) {
			own += fmt.Sprintf(", %s=%v", k.Name, m.ConstantValues()[k.Name])
		}
	}
	fmt.Fprintf(b, "  the text assumes nothing: numbers of processes are sizes (%s)%s\n",
		strings.Join(r.Assumed(), ", "), own)
	for _, what := range r.Below {
		if r.Run != nil {
			break // of no less is there one
		}
		fmt.Fprintf(b, "  not so for less: %s\n", what)
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
}

// excerpt is the line that something is in.
func excerpt(m *protocol.Model, u *protocol.Unsupported) string {
	lines := strings.Split(interp.Text(m), "\n")
	if u.Pos.Line < 1 || u.Pos.Line > len(lines) {
		return u.Msg
	}
	return strings.TrimSpace(lines[u.Pos.Line-1])
}
