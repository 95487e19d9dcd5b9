package lsp

import (
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"tacheck/ta"
	"tacheck/ta/syntax"
	"tacheck/verify"
)

// hover says what the word at a position means.
func (d *document) hover(p protocol.Position) *protocol.Hover {
	w := d.word(p)
	if w == nil || d.automaton == nil {
		return nil
	}
	text := d.describe(w)
	if text == "" {
		return nil
	}
	r := d.span(w.Pos, len(w.Text))
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.Markdown, Value: text}, Range: &r}
}

func (d *document) describe(w *syntax.Word) string {
	a := d.automaton
	for i := range a.Rules {
		if a.Rules[i].Pos.Line == w.Pos.Line && a.Rules[i].Pos.Col == w.Pos.Col {
			return describeRule(a, &a.Rules[i])
		}
	}
	if s := a.SpecNamed(w.Text); s != nil && s.Pos.Line == w.Pos.Line {
		return d.describeSpec(s)
	}
	if s, ok := a.Lookup(w.Text); ok {
		switch s.Kind {
		case ta.Counter:
			return describeLocation(a, s.Index)
		case ta.Shared:
			return describeShared(a, s)
		}
		return fmt.Sprintf("parameter **%s**, with `%s`", w.Text, a.FormatCond(a.Resilience))
	}
	if value, ok := a.Macro(w.Text); ok {
		return fmt.Sprintf("`%s` is `%s`", w.Text, a.FormatLinear(value))
	}
	return ""
}

// describeRule shows a rule with its guard in normal form: cases, each a
// conjunction of thresholds and their negations.
func describeRule(a *ta.Automaton, r *ta.Rule) string {
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

func describeLocation(a *ta.Automaton, i int) string {
	var b strings.Builder
	start := "nobody starts here"
	if !a.InitiallyEmpty()[i] {
		start = "processes may start here"
	}
	fmt.Fprintf(&b, "location **%s**: %s\n", a.Locations[i].Name, start)
	list := func(title string, use func(r *ta.Rule) bool) {
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
	list("in", func(r *ta.Rule) bool { return r.To == i })
	list("out", func(r *ta.Rule) bool { return r.From == i })
	return b.String()
}

func describeShared(a *ta.Automaton, s ta.Symbol) string {
	var writers, readers []string
	for i := range a.Rules {
		r := &a.Rules[i]
		if r.Update.Coef(s).Sign() != 0 || slices.ContainsFunc(r.Resets, func(x ta.Reset) bool { return x.Shared == s.Index }) {
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
	return fmt.Sprintf("shared variable **%s**: incremented by %s; read by %s", a.SymbolName(s), say(writers), say(readers))
}

func (d *document) describeSpec(s *ta.Spec) string {
	kind := "a counterexample is a finite run"
	switch infinite, err := verify.Inspect(d.automaton, s); {
	case err != nil:
		kind = "it cannot be decided: see the problem reported"
	case infinite:
		kind = "a counterexample is an infinite run"
	}
	return fmt.Sprintf("specification **%s**: %s\n```\n%s\n```", s.Name, kind, s.Formula)
}
