package terminal

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
)

// InductionJSON is the object printed for an invariant by --json.
type InductionJSON struct {
	AnswerJSON
	Crash   string       `json:"crash"`
	Proof   *induct.File `json:"proof,omitempty"`
	Every   *everyJSON   `json:"every_size,omitempty"`
	Step    *StepJSON    `json:"step,omitempty"`
	NoRun   int          `json:"no_violation_within"` // steps; -1 if not even initial states were looked at
	Queries int          `json:"queries"`
	Samples int          `json:"samples"`
	Seconds float64      `json:"seconds"`
	Witness *interp.Run  `json:"witness,omitempty"`
}

// StepJSON is a step that induction fails at.
type StepJSON struct {
	Rule   string            `json:"rule"`
	Before map[string]string `json:"before"`
	After  map[string]string `json:"after,omitempty"`
	Said   string            `json:"said"`
}

// StateTexts has the state of each process as text, by its name; nil for no state.
func StateTexts(m *protocol.Model, s *protocol.State) map[string]string {
	if s == nil {
		return nil
	}
	out := map[string]string{}
	for p := range s.Cells {
		out[interp.ProcessName(m, p)] = story.StateText(m, s, p)
	}
	return out
}

// ProofText tells a proof of one size: guards that were strengthened, lemmas, and what was asked.
func ProofText(b *strings.Builder, r *induct.Result) {
	p := r.Proof
	for i, g := range p.Strengthened {
		var asked []string
		for _, o := range p.Obligations {
			if o.Guard == i && !o.Kept {
				asked = append(asked, o.Rule)
			}
		}
		fmt.Fprintf(b, "  rule %s: %s -> %s\n", g.Rule, strings.Join(g.Guard, " and "), g.And)
		fmt.Fprintf(b, "      no step makes that false; asked of the solver for %s, other rules do not touch it\n",
			strings.Join(asked, ", "))
	}
	for i, l := range p.Lemmas {
		fmt.Fprintf(b, "  L%-3d %-15s %s\n", i+1, l.Class, l.Text())
	}
	for i, list := range p.Rests {
		name := r.Property
		if i < len(p.Lemmas) {
			if list == nil {
				continue
			}
			name = fmt.Sprintf("L%d", i+1)
		}
		var on []string
		for _, k := range list {
			if k == len(p.Lemmas) {
				on = append(on, r.Property)
			} else {
				on = append(on, fmt.Sprintf("L%d", k+1))
			}
		}
		if on == nil {
			on = []string{"nothing else"}
		}
		fmt.Fprintf(b, "  %s rests on %s\n", name, strings.Join(on, ", "))
	}
}

// StepText tells the step at which induction fails.
func StepText(b *strings.Builder, m *protocol.Model, r *induct.Result) {
	fmt.Fprintf(b, "  no run of up to %d steps violates it; induction fails at this step:\n", r.Depth)
	show := func(what string, s *protocol.State) {
		fmt.Fprintf(b, "  %s\n", what)
		for p := range s.Cells {
			if text := story.StateText(m, s, p); text != "" {
				fmt.Fprintf(b, "       %s: %s\n", interp.ProcessName(m, p), text)
			}
		}
		n := m.Processes()
		for ch, list := range s.Channels {
			for _, msg := range list {
				fmt.Fprintf(b, "       on its way from %s to %s: %s\n", interp.ProcessName(m, ch/n),
					interp.ProcessName(m, ch%n), interp.MessageText(m, msg))
			}
		}
	}
	show("before "+r.Step.Rule, r.Step.Before)
	if r.Step.After != nil {
		for _, ch := range interp.Changes(m, r.Step.Before, r.Step.After) {
			fmt.Fprintf(b, "  %s.%s becomes %s (was %s)\n", interp.ProcessName(m, ch.Process), ch.Path, ch.After,
				ch.Before)
		}
	} else {
		fmt.Fprintf(b, "  something goes wrong\n")
	}
	fmt.Fprintf(b, "  %s\n", r.Step.Said)
}
