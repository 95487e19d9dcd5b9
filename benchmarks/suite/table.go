package suite

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
)

// Format is how a table is printed.
type Format string

// The formats.
const (
	Text     Format = "text"
	CSV      Format = "csv"
	Markdown Format = "markdown"
)

// Print writes rows as a table. With one method, there is a row a specification and a column a figure; with several, a
// column of seconds a method. earlier, if not nil, are rows to compare with: their seconds divided by the new ones.
func Print(w io.Writer, rows []Row, format Format, earlier []Row) error {
	methods := methodsOf(rows)
	var t table.Writer
	switch {
	case len(methods) > 1:
		t = byMethod(rows, methods)
	case len(rows) > 0 && rows[0].Published != nil:
		t = besideOthers(rows)
	default:
		t = byFigure(rows, earlier)
	}
	t.SetStyle(Style)
	t.SuppressTrailingSpaces()
	var out string
	switch format {
	case CSV:
		t.ResetFooters()
		out = t.RenderCSV()
	case Markdown:
		out = t.RenderMarkdown() + "\n\n" + tally(rows)
	default:
		out = t.Render() + "\n" + tally(rows)
	}
	_, err := fmt.Fprintln(w, out)
	return err
}

// Style is a table without frames.
var Style = table.Style{
	Name:    "tacheck",
	Box:     table.BoxStyle{PaddingRight: "  ", MiddleHorizontal: "-"},
	Format:  table.FormatOptions{Header: text.FormatDefault, Footer: text.FormatDefault},
	Options: table.Options{SeparateHeader: false, SeparateFooter: true},
}

func methodsOf(rows []Row) []Method {
	seen := map[Method]bool{}
	var list []Method
	for _, r := range rows {
		if !seen[r.Method] {
			seen[r.Method] = true
			list = append(list, r.Method)
		}
	}
	return list
}

// shown shows a verdict, and whether it is not the one expected.
func shown(r *Row) string {
	v := string(r.Verdict)
	if r.Reason != "" {
		v += " (" + r.Reason + ")"
	}
	switch {
	case r.AsExpected():
	case r.ExpectStates > 0 && r.Expect == r.Verdict:
		v += fmt.Sprintf(", expected %d states", r.ExpectStates)
	default:
		v += ", expected " + string(r.Expect)
	}
	return v
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

func byFigure(rows []Row, earlier []Row) table.Writer {
	t := table.NewWriter()
	header := table.Row{"file", "specification", "verdict", "shapes", "searched", "checked", "pruned", "rounds",
		"lemmas", "fallbacks", "queries", "transitions", "s", "solver s", "whole s", "MiB"}
	shapes, lazy := false, false
	for _, r := range rows {
		shapes, lazy = shapes || r.Checked != "", lazy || r.Rounds > 0
	}
	if !lazy {
		header = append(header[:7:7], header[10:]...)
	}
	if !shapes { // the search does not go by shapes
		header = append(header[:4:4], header[7:]...)
	}
	before := map[string]*Row{}
	for i := range earlier {
		before[earlier[i].key()] = &earlier[i]
	}
	if earlier != nil {
		header = append(header, "earlier s", "ratio")
	}
	t.AppendHeader(header)
	var sum, solving, whole, peak float64
	queries := 0
	for i := range rows {
		r := &rows[i]
		line := table.Row{r.name(), r.Spec, shown(r), r.size()}
		if shapes {
			line = append(line, r.Reduced, r.Checked, r.Pruned)
		}
		if lazy {
			line = append(line, r.Rounds, r.Lemmas, r.Fallbacks)
		}
		line = append(line, r.Queries, r.Transitions, seconds(r.Seconds), seconds(r.SolverSeconds),
			seconds(r.WholeSeconds), fmt.Sprintf("%.0f", r.PeakMiB))
		if earlier != nil {
			line = append(line, ratio(before[r.key()], r)...)
		}
		t.AppendRow(line)
		sum, solving, whole = sum+r.Seconds, solving+r.SolverSeconds, whole+r.WholeSeconds
		queries, peak = queries+r.Queries, max(peak, r.PeakMiB)
	}
	footer := table.Row{"total", spell.Count(len(rows), "specification", "specifications"), "", ""}
	if shapes {
		footer = append(footer, "", "", "")
	}
	if lazy {
		footer = append(footer, "", "", "")
	}
	t.AppendFooter(append(footer, queries, "", seconds(sum), seconds(solving), seconds(whole),
		fmt.Sprintf("%.0f", peak)))
	t.SetColumnConfigs(rightAligned(header))
	return t
}

// ratio returns the earlier seconds and how many times the new ones they are.
func ratio(old, now *Row) table.Row {
	if old == nil {
		return table.Row{"", ""}
	}
	return table.Row{seconds(old.Seconds), fmt.Sprintf("%.2f", old.Seconds/now.Seconds)}
}

// rightAligned is for columns of figures, behind the first three.
func rightAligned(header table.Row) (list []table.ColumnConfig) {
	for i := 3; i < len(header); i++ {
		list = append(list, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight,
			AlignFooter: text.AlignRight})
	}
	return list
}

// tally counts verdicts.
func tally(rows []Row) string {
	var count verdict.Tally
	expected, met := 0, 0
	for i := range rows {
		count.Add(rows[i].Verdict)
		if rows[i].Expect != "" {
			expected++
			if rows[i].AsExpected() {
				met++
			}
		}
	}
	out := fmt.Sprintf("%d hold, %d violated, %d unknown", count.Holds, count.Violated, count.Unknown)
	switch {
	case expected == 0:
		return out
	case met == expected:
		out += ": all as expected"
	default:
		out = fmt.Sprintf("%s: %d of %d NOT AS EXPECTED", out, expected-met, expected)
	}
	return out + means(rows)
}

// means are the geometric means of our seconds and of those that others have published, of the rows that have both.
func means(rows []Row) (out string) {
	if len(rows) == 0 {
		return ""
	}
	for k, f := range rows[0].Published {
		ours, theirs, n := 0.0, 0.0, 0
		for _, r := range rows {
			s, err := strconv.ParseFloat(r.Published[k].Value, 64)
			if err == nil && s > 0 && r.CPUSeconds > 0 && r.Verdict != verdict.Unknown {
				ours, theirs, n = ours+math.Log(r.CPUSeconds), theirs+math.Log(s), n+1
			}
		}
		if n > 0 && strings.HasSuffix(f.Column, " s") {
			out += fmt.Sprintf("\n%s: geometric means of %d rows: %.2f, ours %.2f", f.Column, n,
				math.Exp(theirs/float64(n)), math.Exp(ours/float64(n)))
		}
	}
	return out
}

// byMethod has a row a specification and a column a method, then the figures that others have published; a verdict that
// differs from the first method's stands beside the seconds.
func byMethod(rows []Row, methods []Method) table.Writer {
	t := table.NewWriter()
	header := table.Row{"file", "specification", "verdict"}
	shapes := slices.ContainsFunc(rows, func(r Row) bool { return r.Shapes != "" })
	if shapes {
		header = append(header, "shapes")
	}
	for _, m := range methods {
		counts := ""
		for i := range rows {
			if rows[i].Method == m && counts == "" {
				counts = rows[i].counted()
			}
		}
		header = append(header, m.String()+counts+" s")
	}
	for _, f := range rows[0].Published {
		header = append(header, f.Column)
	}
	t.AppendHeader(header)
	cells := map[string]*Row{}
	var firsts []*Row
	for i := range rows {
		r := &rows[i]
		cells[r.key()] = r
		if r.Method == methods[0] {
			firsts = append(firsts, r)
		}
	}
	sums := make([]float64, len(methods))
	for _, first := range firsts {
		line := table.Row{first.name(), first.Spec, shown(first)}
		if shapes {
			line = append(line, first.size())
		}
		for i, m := range methods {
			other := *first
			other.Method = m
			r := cells[other.key()]
			if r == nil {
				line = append(line, "")
				continue
			}
			took, cell := r.took()
			sums[i] += took
			if r.Verdict != first.Verdict {
				cell += " " + shown(r)
			}
			line = append(line, cell)
		}
		for _, f := range first.Published {
			line = append(line, f.Value)
		}
		t.AppendRow(line)
	}
	footer := table.Row{"total", spell.Count(len(firsts), "specification", "specifications"), ""}
	if shapes {
		footer = append(footer, "")
	}
	for _, s := range sums {
		footer = append(footer, seconds(s))
	}
	t.AppendFooter(footer)
	t.SetColumnConfigs(rightAligned(header))
	return t
}

// counted names what a row of a table counts beside seconds.
func (r *Row) counted() string {
	switch {
	case r.Method.Way != "" && r.States > 0:
		return ": states /"
	case r.Method.Way != "" && r.Lemmas > 0:
		return ": lemmas /"
	}
	return ""
}

// took is how long a method has taken. What is asked in the ways of a table is measured as a process, in seconds of the
// processor, with what it has visited or found.
func (r *Row) took() (took float64, shown string) {
	switch {
	case r.Method.Way == "":
		return r.Seconds, seconds(r.Seconds)
	case r.States > 0:
		return r.CPUSeconds, fmt.Sprintf("%d / %.2f", r.States, r.CPUSeconds)
	case r.Lemmas > 0:
		return r.CPUSeconds, fmt.Sprintf("%d / %.2f", r.Lemmas, r.CPUSeconds)
	}
	return r.CPUSeconds, fmt.Sprintf("%.2f", r.CPUSeconds)
}

// besideOthers has a row a file and the figures that others have published beside ours.
func besideOthers(rows []Row) table.Writer {
	t := table.NewWriter()
	part := "decided"
	if rows[0].Spec != "" {
		part = "specification"
	}
	header := table.Row{"file", part, "verdict", "CPU s", "MiB"}
	states := slices.ContainsFunc(rows, func(r Row) bool { return r.States > 0 })
	if states {
		header = append(header, "our states")
	}
	lemmas := slices.ContainsFunc(rows, func(r Row) bool { return r.Lemmas > 0 })
	if lemmas {
		header = append(header, "lemmas")
	}
	for _, f := range rows[0].Published {
		header = append(header, f.Column)
	}
	t.AppendHeader(header)
	decided, cpu, peak, folder := 0, 0.0, 0.0, folderOf(rows)
	theirs := make([]int, len(rows[0].Published))
	for i := range rows {
		r := &rows[i]
		line := table.Row{strings.TrimPrefix(r.name(), folder), r.Decided + r.Spec, shown(r),
			fmt.Sprintf("%.2f", r.CPUSeconds), fmt.Sprintf("%.0f", r.PeakMiB)}
		if states {
			line = append(line, r.States)
		}
		if lemmas {
			line = append(line, r.Lemmas)
		}
		for k, f := range r.Published {
			line = append(line, f.Value)
			if _, err := strconv.ParseFloat(f.Value, 64); err == nil {
				theirs[k]++
			}
		}
		t.AppendRow(line)
		if r.Verdict != verdict.Unknown {
			decided++
		}
		cpu, peak = cpu+r.CPUSeconds, max(peak, r.PeakMiB)
	}
	footer := table.Row{fmt.Sprintf("%d rows", len(rows)), "", fmt.Sprintf("%d decided", decided),
		fmt.Sprintf("%.2f", cpu), fmt.Sprintf("%.0f", peak)}
	if states {
		footer = append(footer, "")
	}
	if lemmas {
		footer = append(footer, "")
	}
	for _, n := range theirs {
		footer = append(footer, fmt.Sprintf("%d figures", n))
	}
	t.AppendFooter(footer)
	t.SetColumnConfigs(rightAligned(header))
	return t
}

// folderOf is the folder in which all files are, with the slash at its end.
func folderOf(rows []Row) string {
	folder := rows[0].File
	for i := range rows {
		for !strings.HasPrefix(rows[i].File, folder) || folder != "" && !strings.HasSuffix(folder, "/") {
			folder = folder[:1+strings.LastIndexByte(strings.TrimSuffix(folder, "/"), '/')]
		}
	}
	return folder
}

// name is the file, and what is different from it.
func (r *Row) name() string {
	if r.Variant == "" {
		return r.File
	}
	return r.File + ", " + r.Variant
}

// size is how many lasso shapes there are, or states of a model of fixed size.
func (r *Row) size() string {
	if r.States > 0 {
		return fmt.Sprintf("%d states", r.States)
	}
	return r.Shapes
}
