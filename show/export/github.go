package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/verify"
)

// gitHub writes workflow commands, which annotate the specification's line: an
// error for what is violated, a warning for what is undecided or doubtful.
func gitHub(w io.Writer, _ string, list []Outcome) error {
	var b strings.Builder
	for i := range list {
		o := &list[i]
		if o.Verdict != "" && !o.good() && !o.Findings {
			kind, title := "error", o.title()
			switch {
			case o.Failed:
				title = o.Spec + ": " + o.Said
			case o.Verdict == verify.Unknown:
				kind = "warning"
			}
			annotate(&b, kind, o.Pos, o.File, title, o.message())
		}
		for _, e := range o.Warnings {
			annotate(&b, levels[e.Severity].gitHub, e.Pos, o.File, o.Spec, e.Msg)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func annotate(b *strings.Builder, kind string, pos diag.Pos, file, title, text string) {
	place := "file=" + property.Replace(file)
	if pos.IsValid() {
		place += fmt.Sprintf(",line=%d,col=%d", pos.Line, pos.Col)
	}
	fmt.Fprintf(b, "::%s %s,title=%s::%s\n", kind, place, property.Replace(title), data.Replace(text))
}

// The characters that workflow commands give a meaning.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
