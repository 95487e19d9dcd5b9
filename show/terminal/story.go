package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/run"
)

// A verdict is printed before its counterexample is told, and that before it is said why: neither waits for what comes
// after it.

// Counterexample tells a run, whatever kind of model it is of.
func (s Screen) Counterexample(w io.Writer, x model.Counterexample) error { return s.told(w, x, true) }

// Run tells a run of a protocol, event by event, without its title.
func (s Screen) Run(w io.Writer, x model.Counterexample) error { return s.told(w, x, false) }

func (s Screen) told(w io.Writer, x model.Counterexample, titled bool) error {
	story, err := model.Told(x)
	if err != nil {
		return untold(w, err)
	}
	title, end := story.Title, ""
	if story.Spec == run.Sought {
		title = "run" + strings.TrimPrefix(title, "counterexample")
	}
	var b strings.Builder
	if story.Beats == nil {
		end = "\n"
		s.schedule(&b, title, story)
	} else {
		if titled {
			fmt.Fprintf(&b, "  %s\n", title)
		}
		s.Beats(&b, story)
	}
	if err := s.Why(&b, x.Why, story.Spec == run.Sought); err != nil {
		return err
	}
	_, err = io.WriteString(w, b.String()+end)
	return err
}

// schedule tells a run as a table, from its start to its end.
func (s Screen) schedule(b *strings.Builder, title string, story *run.Run) {
	fmt.Fprintln(b)
	for line := range strings.Lines(text.WrapSoft(title, s.Width-2)) {
		fmt.Fprintln(b, s.Paint(text.Bold, "  "+strings.TrimSpace(line)))
	}
	s.labelled(b, under("start", story.Start))
	if len(story.Events) > 0 {
		fmt.Fprintln(b)
		s.table(b, story)
	}
	s.labelled(b, under("end", story.End))
}

// Why says what goes wrong.
func (s Screen) Why(w io.Writer, why func() (run.Explanation, error), sought bool) error {
	list, err := verdict.Tell(why)
	if err != nil {
		return untold(w, err)
	}
	if len(list) == 0 {
		return nil
	}
	var b strings.Builder
	head := "what goes wrong"
	if sought {
		head = "how it comes about"
	}
	fmt.Fprintf(&b, "\n%s\n", s.Paint(text.Bold, "  "+head))
	var lines [][2]string
	for _, r := range list {
		label := string(r.Kind)
		if sought && r.Kind == run.Broken {
			label = "found"
		}
		lines = append(lines, [2]string{label, r.Text})
	}
	s.labelled(&b, lines)
	_, err = io.WriteString(w, b.String())
	return err
}

// untold prints what goes wrong in the place of a story: the verdict stands, and others are told after it.
func untold(w io.Writer, err error) error {
	_, err = fmt.Fprintf(w, "  %s\n", record.Printable(err.Error()))
	return err
}

// under puts a label before the first of several lines.
func under(label string, lines []string) (out [][2]string) {
	for i, line := range lines {
		if i > 0 {
			label = ""
		}
		out = append(out, [2]string{label, line})
	}
	return out
}

// Beats tells what happens in a run of a protocol.
func (s Screen) Beats(w io.Writer, story *run.Run) {
	margin := 3
	for _, beat := range story.Beats {
		margin = max(margin, len(steps(beat)))
	}
	for _, beat := range story.Beats {
		if beat.Loop {
			fmt.Fprintln(w, "  and then, again and again:")
		}
		if beat.Step == 0 {
			fmt.Fprintf(w, "  %s\n", beat.Text)
		} else {
			s.indented(w, steps(beat), margin, beat.Text)
		}
		for _, detail := range beat.Details {
			s.indented(w, "", margin, detail)
		}
	}
	if story.End != nil {
		fmt.Fprintln(w, "  at the end")
	}
	for _, line := range story.End {
		s.indented(w, "", margin, line)
	}
}

// steps names the steps that are told as one: 3, or 3-5.
func steps(beat run.Beat) string {
	if beat.Last > beat.Step {
		return fmt.Sprintf("%d-%d", beat.Step, beat.Last)
	}
	return fmt.Sprint(beat.Step)
}

// indented prints a line behind a label, and what does not fit below it.
func (s Screen) indented(w io.Writer, label string, margin int, line string) {
	for part := range strings.Lines(text.WrapSoft(line, s.Width-margin-4)) {
		fmt.Fprintf(w, "  %*s  %s\n", margin, label, strings.TrimSpace(part))
		label = ""
	}
}

// table prints a table of steps. Columns that would be too wide are wrapped.
func (s Screen) table(w io.Writer, story *run.Run) {
	rows := [][]string{slices.Concat([]string{"step"}, story.Columns)}
	wide, list := make([]int, len(rows[0])), make([]bool, len(rows[0]))
	for i, e := range story.Events {
		rows = append(rows, slices.Concat([]string{fmt.Sprint(i + 1)}, e.Cells))
	}
	for _, row := range rows {
		for k, cell := range row {
			wide[k] = max(wide[k], text.LongestLineLen(cell))
			list[k] = list[k] || strings.ContainsAny(cell, ",\n")
		}
	}
	fit(s.Width-2*len(wide), wide, list)
	t := plainTable()
	var configs []table.ColumnConfig
	for k, title := range rows[0] {
		if title == "step" || title == "times" {
			configs = append(configs, table.ColumnConfig{Number: k + 1, Align: text.AlignRight})
		}
	}
	t.SetColumnConfigs(configs)
	for i, row := range rows {
		if i > 0 && i-1 == story.Loop {
			t.AppendRow(table.Row{"loop"})
		}
		var cells table.Row
		for k, cell := range row {
			cells = append(cells, strings.Join(lists.Map(strings.Split(cell, "\n"),
				func(line string) string { return text.WrapSoft(line, wide[k]) }), "\n"))
		}
		t.AppendRow(cells)
	}
	s.render(w, t)
}

// fit makes columns narrower until they fit: the widest one of those that have lists first, then of all.
func fit(room int, wide []int, list []bool) {
	for _, least := range []int{16, 12} {
		for {
			used, at := 0, -1
			for k, n := range wide {
				used += n
				if (list[k] || least == 12) && n > least && (at < 0 || n > wide[at]) {
					at = k
				}
			}
			if used <= room || at < 0 {
				break
			}
			wide[at]--
		}
	}
}

// labelled prints lines with a word before each, and wraps them.
func (s Screen) labelled(w io.Writer, lines [][2]string) {
	label := 0
	for _, l := range lines {
		label = max(label, len(l[0]))
	}
	t := plainTable()
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMax: max(20, s.Width-label-4),
		WidthMaxEnforcer: text.WrapSoft}})
	for _, l := range lines {
		t.AppendRow(table.Row{l[0], l[1]})
	}
	s.render(w, t)
}

// render prints a table two columns in, without spaces at the ends of lines.
func (s Screen) render(w io.Writer, t table.Writer) {
	for line := range strings.Lines(t.Render()) {
		fmt.Fprintln(w, strings.TrimRight("  "+line, " \n"))
	}
}
