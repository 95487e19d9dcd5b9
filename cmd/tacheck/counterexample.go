package main

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"tacheck/ta"
	"tacheck/witness"
)

// witness prints a counterexample: its parameters, a table of its steps, and
// what is wrong with it.
func (s screen) witness(w io.Writer, x *witness.Witness) error {
	a, run := x.Automaton, x.Run
	why, err := x.Explain()
	if err != nil {
		return err
	}
	fmt.Fprintln(w)
	for line := range strings.Lines(text.WrapSoft(x.Title(), s.width-2)) {
		fmt.Fprintln(w, s.paint(text.Bold, "  "+strings.TrimSpace(line)))
	}
	s.labelled(w, [][2]string{{"start", configLine(a, run.Start)}})
	if len(run.Steps) > 0 {
		fmt.Fprintln(w)
		s.steps(w, x)
	}
	end := [][2]string{{"end", configLine(a, x.Configs[len(x.Configs)-1])}}
	if run.Loop != ta.Finite {
		again := "and " + loopSteps(run) + " for ever"
		if grows := x.Grows(); grows != "" {
			again += ", which raises " + grows + " each time"
		}
		end = append(end, [2]string{"", again})
	}
	s.labelled(w, end)
	fmt.Fprintf(w, "\n%s\n", s.paint(text.Bold, "  what goes wrong"))
	var lines [][2]string
	for _, r := range why {
		lines = append(lines, [2]string{string(r.Kind), r.Text})
	}
	s.labelled(w, lines)
	fmt.Fprintln(w)
	return nil
}

// steps prints the table of steps.
func (s screen) steps(w io.Writer, x *witness.Witness) {
	t := plainTable()
	rows := [][]any{{"step", "times", "rule", "move", "messages", []string{"thresholds reached"}}}
	for i, step := range x.Steps() {
		if i == x.Run.Loop {
			rows = append(rows, []any{"loop"})
		}
		rows = append(rows, []any{fmt.Sprint(i + 1), step.Times.String(), step.Name, step.Move, strings.Join(step.Messages, ", "), step.Reached})
	}
	used := 0
	for k := range 5 {
		widest := 0
		for _, row := range rows {
			if k < len(row) {
				widest = max(widest, text.StringWidthWithoutEscSequences(row[k].(string)))
			}
		}
		if k == 4 { // long lists of messages share what is left with thresholds
			widest = min(widest, max(12, (s.width-used-4)/2))
		}
		used += widest + 2
	}
	left := max(12, s.width-used-4)
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 1, Align: text.AlignRight}, {Number: 2, Align: text.AlignRight},
		{Number: 5, WidthMax: left, WidthMaxEnforcer: text.WrapSoft}})
	for _, row := range rows {
		if len(row) == 6 { // a threshold a line
			var lines []string
			for _, line := range row[5].([]string) {
				lines = append(lines, text.WrapSoft(line, left))
			}
			row[5] = strings.Join(lines, "\n")
		}
		t.AppendRow(row)
	}
	s.render(w, t)
}

// labelled prints lines with a word before each, and wraps them.
func (s screen) labelled(w io.Writer, lines [][2]string) {
	label := 0
	for _, l := range lines {
		label = max(label, len(l[0]))
	}
	t := plainTable()
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMax: max(20, s.width-label-4), WidthMaxEnforcer: text.WrapSoft}})
	for _, l := range lines {
		t.AppendRow(table.Row{l[0], l[1]})
	}
	s.render(w, t)
}

// render prints a table two columns in, without spaces at the ends of lines.
func (s screen) render(w io.Writer, t table.Writer) {
	for line := range strings.Lines(t.Render()) {
		fmt.Fprintln(w, strings.TrimRight("  "+line, " \n"))
	}
}

func loopSteps(run *ta.Run) string {
	if first := run.Loop + 1; first < len(run.Steps) {
		return fmt.Sprintf("steps %d to %d", first, len(run.Steps))
	}
	return fmt.Sprintf("step %d", len(run.Steps))
}

// configLine shows what is not 0.
func configLine(a *ta.Automaton, c *ta.Config) string {
	parts := []string{}
	for _, s := range []string{assignments(a.Locations, c.Counters, false), assignments(a.Shared, c.Shared, false)} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return "all 0"
	}
	return strings.Join(parts, ", ") + " (all else 0)"
}

// assignments lists names and values, zeros only if asked.
func assignments(names []ta.Name, values []*big.Int, zeros bool) string {
	var list []string
	for i, n := range names {
		if zeros || values[i].Sign() != 0 {
			list = append(list, fmt.Sprintf("%s = %s", n.Name, values[i]))
		}
	}
	return strings.Join(list, ", ")
}
