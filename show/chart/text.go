package chart

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/run"
)

// A notation writes sequence diagrams as text, which other programs and pages of issues draw. In formats, %[1]s and
// %[2]s are who it is of, or from and to, and %[3]s is what is said.
type notation struct {
	head, tail          string // around all
	lane, note, across  string
	message, lost       string
	frame, end, destroy string
	newline             string
	escape              *strings.Replacer
}

var notations = map[string]notation{
	".mmd": {
		head: "---\ntitle: \"%[3]s\"\n---\nsequenceDiagram\n", lane: "  participant %[1]s as %[3]s\n",
		note: "  Note over %[1]s: %[3]s\n", across: "  rect rgba(220, 50, 40, 0.2)\n  Note over %[1]s: %[3]s\n  end\n",
		message: "  %[1]s->>%[2]s: %[3]s\n", lost: "  %[1]s--x%[2]s: %[3]s\n", frame: "  loop %[3]s\n", end: "  end\n",
		newline: "<br/>",
		escape:  strings.NewReplacer("#", "#35;", ";", "#59;", "<", "#lt;", ">", "#gt;", `"`, "#quot;", "\n", " "),
	},
	".puml": {
		head: "@startuml\ntitle %[3]s\n", tail: "@enduml\n", lane: "participant \"%[3]s\" as %[1]s\n",
		note: "note over %[1]s : %[3]s\n", across: "note across #FDECEA : %[3]s\n",
		message: "%[1]s -> %[2]s : %[3]s\n", lost: "%[1]s -->x %[2]s : %[3]s\n", frame: "group %[3]s\n", end: "end\n",
		destroy: "destroy %[1]s\n", newline: `\n`,
		escape: strings.NewReplacer(`\`, `\\`, "<", "~<", `"`, "''", "\n", " ", "**", "~**", "//", "~//", "__", "~__",
			"--", "~--"),
	},
}

// diagram is a run that is written in a notation.
type diagram struct {
	notation
	b strings.Builder
}

func (d *diagram) put(format, from, to string, lines ...string) {
	said := make([]string, len(lines))
	for i, text := range lines {
		said[i] = d.escape.Replace(text)
	}
	d.b.WriteString(strings.NewReplacer("%[1]s", from, "%[2]s", to, "%[3]s",
		strings.Join(said, d.newline)).Replace(format))
}

// text writes a run as a sequence diagram.
func (n notation) text(r *run.Run) string {
	d := &diagram{notation: n}
	who := func(c int) string { return fmt.Sprintf("p%d", c+1) }
	all := who(0)
	if len(r.Lanes) > 1 {
		all += "," + who(len(r.Lanes)-1)
	}
	heading := headline(r)
	d.put(d.head, "", "", heading[:1]...)
	for c, lane := range r.Lanes {
		d.put(d.lane, who(c), "", lane.Name)
	}
	if len(heading) > 1 {
		d.put(d.note, all, "", heading[1:]...)
	}
	for c, lane := range r.Lanes {
		if lane.Start != nil {
			d.put(d.note, who(c), "", lane.Start...)
		}
	}
	wrong := func(step int) {
		var said []string
		for _, w := range r.Wrong {
			switch {
			case w.Step != step:
			case w.Kind == run.Broken || w.Kind == run.Never:
				said = append(said, "✗ "+w.Text)
			default:
				said = append(said, w.Text)
			}
		}
		if said != nil {
			d.put(d.across, all, "", said...)
		}
	}
	wrong(0)
	for k := range r.Events {
		e := &r.Events[k]
		if k == r.Loop {
			d.put(d.frame, "", "", repeated(r))
		}
		number := fmt.Sprintf("%d. ", r.First+k+1)
		for _, a := range e.Arrows {
			format := d.message
			if a.Lost {
				format = d.lost
			}
			d.put(format, who(a.From), who(a.To), number+strings.Join(label(r, k+1, a), " "))
		}
		said := lists.Map(content(e), func(line line) string { return line.text })
		if said != nil {
			said[0] = number + said[0]
			d.put(d.note, who(e.Lane), "", said...)
		}
		if e.Ends && e.Lane >= 0 {
			d.put(d.destroy, who(e.Lane), "")
		}
		wrong(k + 1)
	}
	if r.Loop >= 0 {
		d.put(d.end, "", "")
	}
	for c, lane := range r.Lanes {
		if lane.End != nil {
			d.put(d.note, who(c), "", append([]string{"at the end"}, lane.End...)...)
		}
	}
	if r.Notes != nil {
		d.put(d.note, all, "", r.Notes...)
	}
	d.b.WriteString(d.tail)
	return d.b.String()
}
