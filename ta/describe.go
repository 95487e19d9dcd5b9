package ta

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
)

// describe says in Markdown what a name means.
func (a *Automaton) describe(name string) string {
	if s, ok := a.Lookup(name); ok {
		switch s.Kind {
		case Counter:
			return a.describeLocation(s.Index)
		case Shared:
			return a.describeShared(s)
		}
		return fmt.Sprintf("parameter **%s**, with `%s`", name, a.FormatCond(a.Resilience))
	}
	if value, ok := a.macro(name); ok {
		return fmt.Sprintf("`%s` is `%s`", name, a.FormatLinear(value))
	}
	return ""
}

// describeRule shows the rule at a place with its guard in normal form: cases, each a
// conjunction of thresholds and their negations.
func (a *Automaton) describeRule(pos diag.Pos) string {
	var r *Rule
	for i := range a.Rules {
		if a.Rules[i].Pos.Line == pos.Line && a.Rules[i].Pos.Col == pos.Col {
			r = &a.Rules[i]
		}
	}
	if r == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rule **%s**: %s → %s\n\n", a.RuleName(r), a.Locations[r.From].Name, a.Locations[r.To].Name)
	cases, err := r.Cases()
	switch {
	case err != nil:
		fmt.Fprintf(&b, "guard: `%s` (%v)", a.FormatCond(r.Guard), err)
	case r.Guard.IsTrue():
		b.WriteString("no guard")
	default:
		b.WriteString("guard, in normal form:\n")
		for i, c := range cases {
			var parts []string
			for _, l := range c {
				text := "`" + a.FormatThreshold(l.Threshold) + "`"
				if l.Negated {
					text = "not yet " + text
				}
				parts = append(parts, text)
			}
			or := "-"
			if i > 0 {
				or = "- or"
			}
			fmt.Fprintf(&b, "%s %s\n", or, strings.Join(parts, " and "))
		}
	}
	if r.Changes() {
		fmt.Fprintf(&b, "\n\nupdate: `%s`", a.FormatUpdate(r))
	}
	return b.String()
}

func (a *Automaton) describeLocation(i int) string {
	var b strings.Builder
	start := "no process starts here"
	if !a.InitiallyEmpty()[i] {
		start = "processes may start here"
	}
	fmt.Fprintf(&b, "location **%s**: %s\n", a.Locations[i].Name, start)
	list := func(title string, use func(r *Rule) bool) {
		var rules []string
		for k := range a.Rules {
			if r := &a.Rules[k]; use(r) && !r.SelfLoop() {
				text := fmt.Sprintf("- %s: %s → %s", a.RuleName(r), a.Locations[r.From].Name, a.Locations[r.To].Name)
				if !r.Guard.IsTrue() {
					text += " when `" + a.FormatCond(r.Guard) + "`"
				}
				rules = append(rules, text)
			}
		}
		if len(rules) > 0 {
			fmt.Fprintf(&b, "\n%s:\n%s\n", title, strings.Join(rules, "\n"))
		}
	}
	list("in", func(r *Rule) bool { return r.To == i })
	list("out", func(r *Rule) bool { return r.From == i })
	return b.String()
}

func (a *Automaton) describeShared(s Symbol) string {
	var writers, readers []string
	for i := range a.Rules {
		r := &a.Rules[i]
		if r.Update.Coef(s).Sign() != 0 || slices.ContainsFunc(r.Resets,
			func(x Reset) bool { return x.Shared == s.Index }) {
			writers = append(writers, a.RuleName(r))
		}
		for _, at := range r.Guard.Atoms(nil) {
			if at.Linear.Coef(s).Sign() != 0 {
				readers = append(readers, a.RuleName(r))
				break
			}
		}
	}
	say := func(list []string) string {
		if len(list) == 0 {
			return "no rule"
		}
		return "rules " + strings.Join(list, ", ")
	}
	return fmt.Sprintf("shared variable **%s**: changed by %s; read by %s", a.SymbolName(s), say(writers), say(readers))
}
