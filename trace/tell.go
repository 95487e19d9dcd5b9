package trace

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/run"
)

// Tell writes an outcome for people: the verdict in a line, and then why. steps is how many
// steps at the end of the run are told, at most Options.Keep; paint may colour a verdict.
func (out *Outcome) Tell(w io.Writer, log string, steps int, paint func(verdict, text string) string) error {
	var b strings.Builder
	if paint == nil {
		paint = func(_, text string) string { return text }
	}
	verdict := out.Verdict
	if out.Reason != "" {
		verdict += ": " + out.Reason
	}
	fmt.Fprintf(&b, "%s: %s  %s\n", log, paint(out.Verdict, verdict), out.size())
	for _, n := range out.Notes {
		fmt.Fprintf(&b, "  %s\n", n)
	}
	for _, n := range out.Result.Names {
		fmt.Fprintf(&b, "  %s\n", namesText(n))
	}
	for _, p := range out.Result.Broken {
		told := ""
		if len(out.Result.Broken) > 1 && out.Unexplained == nil && p == out.Result.surest() {
			told = " (explained below)"
		}
		fmt.Fprintf(&b, "  %s is violated %s%s\n", p.Property, out.where(p), told)
	}
	out.Result.Told.story(&b, steps)
	if u := out.Unexplained; u != nil {
		out.unexplained(&b, u)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (out *Outcome) size() string {
	r := out.Result
	text := fmt.Sprintf("%s explained by %s", spell.Count(r.Events, "event", "events"),
		spell.Count(r.Steps, "step", "steps"))
	if r.Most > 1 {
		text += fmt.Sprintf(", by up to %d states at once", r.Most)
	}
	if a := out.Model.Assignments(); a != "" {
		text += " (" + a + ")"
	}
	return text + fmt.Sprintf(", %.2f s", out.Time.Seconds())
}

func namesText(n Names) string {
	by := slices.SortedFunc(maps.Keys(n.Names), func(a, b string) int { return int(n.Names[a] - n.Names[b]) })
	var list []string
	same := true
	for _, name := range by {
		list = append(list, fmt.Sprintf("%d is %q", n.Names[name], name))
		same = same && name == strconv.Itoa(int(n.Names[name]))
	}
	if same {
		return n.Role + ": named by their numbers"
	}
	return n.Role + ": " + strings.Join(list, ", ")
}

func (out *Outcome) where(b *Break) string {
	text := "at the beginning"
	if b.Event != nil {
		text = "after " + b.Event.Place()
	} else if b.Step > 0 {
		text = fmt.Sprintf("after step %d", b.Step)
	}
	if !slices.Contains(out.Result.Certain, b.Property) && out.Verdict != Violated {
		text += ", in the run that was found"
	}
	return text
}

// story tells the last steps of the run.
func (t *Told) story(b *strings.Builder, steps int) {
	if steps <= 0 || len(t.Events) == 0 {
		return
	}
	told, err := verdict.Tell(func() (*run.Run, error) { return story.Told(t.Run), nil })
	if err != nil {
		fmt.Fprintf(b, "  %s\n", record.Printable(err.Error()))
		return
	}
	for i := max(0, len(t.Events)-steps); i < len(t.Events); i++ {
		number := t.First + int64(i)
		switch {
		case i == 0 && number > 0: // the steps before it are not kept
			continue
		case i == 0:
			fmt.Fprintf(b, "  at first\n")
			details(b, told.Beats[0].Details)
			continue
		}
		place := ""
		if e := t.Shown[i]; e != nil {
			place = "  [" + e.Place() + "]"
		}
		e := told.Events[i-1]
		fmt.Fprintf(b, "  %3d  %s%s\n", number, spell.Abridged(e.Text, mostTold), place)
		details(b, run.Details(e.Changes, e.Sends))
	}
}

func details(b *strings.Builder, lines []string) {
	for _, text := range lines {
		fmt.Fprintf(b, "       %s\n", spell.Abridged(text, mostTold))
	}
}

// Drawn is the run as it is drawn: as far as it violates a property, or the last steps. Processes have the names that
// the log has for them, and steps the lines that show them.
func (out *Outcome) Drawn(steps int) *run.Run {
	t := out.violating()
	if t == nil {
		t = out.Result.Told.last(steps)
	}
	r := story.Told(t.Run)
	for _, n := range out.Result.Names {
		for name, k := range n.Names {
			for c := range r.Lanes {
				l := &r.Lanes[c]
				whom, more, _ := strings.Cut(l.Name, " (")
				if name != strconv.Itoa(int(k)) && (whom == fmt.Sprintf("%s %d", n.Role, k) || whom == n.Role) {
					l.Name = strings.TrimSuffix(fmt.Sprintf("%s: %s (%s", whom, name, more), " (")
				}
			}
		}
	}
	for i := range r.Events {
		note := "not in the log"
		if e := t.Shown[i+1]; e != nil {
			note = filepath.Base(e.Place())
		}
		if r.Events[i].Lane >= 0 {
			r.Events[i].Notes = append(r.Events[i].Notes, note)
		}
	}
	if out.Unexplained != nil {
		r.Name += ": the log is not a run"
	}
	return r
}

// violating is the run as far as it violates a property; nil if it does not, or others need not.
func (out *Outcome) violating() *Told {
	if out.Unexplained != nil || len(out.Result.Broken) == 0 {
		return nil
	}
	t := out.Result.surest().Told
	if t.First > 0 {
		t = t.last(mostDrawn)
	}
	return t
}

// mostDrawn is how much is drawn of a run whose first steps are not kept.
const mostDrawn = 60

// last are so many steps at the end.
func (t *Told) last(steps int) *Told {
	from := len(t.Events) - 1 - steps
	if from <= 0 {
		return t
	}
	run := *t.Run
	run.Events, run.States, run.First = run.Events[from:], run.States[from:], run.First+int64(from)
	if run.Loop >= 0 {
		run.Loop -= from
	}
	return &Told{Run: &run, Shown: t.Shown[from:]}
}

// Why says why the run violates a property; of one whose first steps are not kept, only what is so at its end.
func (out *Outcome) Why() (run.Explanation, error) {
	t := out.violating()
	if t == nil {
		return nil, nil
	}
	why, err := story.Explain(t.Run)
	if t.First > 0 {
		why = lists.Keep(why, func(r run.Reason) bool { return r.Kind == run.Broken || r.Kind == run.Never })
	}
	return why, err
}

// Why says behind the last step that nothing explains the event, and what comes nearest: for pictures.
func (u *Unexplained) Why(last int) run.Explanation {
	why := run.Explanation{{Kind: run.Broken, Step: last,
		Text: fmt.Sprintf("%s: no run explains this event: %s", filepath.Base(u.Event.Place()), u.Event.Abridged())}}
	for _, n := range u.Nearest {
		text := strings.Join(append([]string{record.Printable(n.What)}, n.Differs...), "; ")
		why.Add(run.Reason{Kind: run.Nearest, Text: text})
	}
	return why
}

func (out *Outcome) unexplained(b *strings.Builder, u *Unexplained) {
	fmt.Fprintf(b, "%s: no run explains this event:\n  %s\n", u.Event.Place(), u.Event.Abridged())
	for i, n := range u.Nearest {
		head := "nearest"
		if i > 0 {
			head = "or"
		}
		fmt.Fprintf(b, "  %s: %s  (line %d of the reading)\n", head, record.Printable(n.What), n.Line)
		for _, d := range n.Differs {
			fmt.Fprintf(b, "       %s\n", d)
		}
		if i == 0 {
			for _, s := range n.State {
				fmt.Fprintf(b, "       before it: %s\n", s)
			}
		}
	}
	if k := out.Core; k != nil {
		fmt.Fprintf(b, "  these lines show it alone, whatever events of their kinds stand for the others, or none:\n")
		for _, e := range k.Events {
			fmt.Fprintf(b, "       %s: %s\n", e.Place(), e.Abridged())
		}
		if k.Open > 0 {
			fmt.Fprintf(b, "       (whether %d of them are needed was not decided)\n", k.Open)
		}
	}
	if len(u.Able) > 0 {
		fmt.Fprintf(b, "  what is possible there:\n")
		for _, a := range u.Able {
			fmt.Fprintf(b, "       %s\n", a)
		}
	}
	if len(u.Unseen) > 0 {
		rules := strings.Join(u.Unseen, ", ")
		fmt.Fprintf(b, "  the reading says nothing of %s; if it happens unseen: `silent %[1]s;`\n", rules)
	}
}

// Story tells where in the log it was, and the last steps of the run that leads there.
func (f *Failed) Story() string {
	var b strings.Builder
	if f.Event != nil {
		b.WriteString(f.Event.Place() + ": it shows here:\n  " + f.Event.Abridged() + "\n")
	}
	if len(f.Told.Events) > 0 {
		b.WriteString("The run that leads there:\n")
		f.Told.story(&b, Drawn+1)
	}
	return b.String()
}
