package report

import (
	"bytes"
	"context"
	"html/template"

	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/picture"
	"github.com/tacheck/tacheck/witness"
)

// Part is a counterexample as a part of another page, which has Assets and calls play for each
// element of the class story, and step for each of the class run. Its error is of drawing.
func Part(ctx context.Context, x model.Counterexample) (template.HTML, error) {
	r, err := show(x)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if r.Story == nil {
		err = pages.ExecuteTemplate(&b, "run", r.Run)
		return template.HTML(b.String()), err
	}
	a := x.(*witness.Witness).Automaton
	svg, err := picture.Render(ctx, picture.Automaton(a, picture.View{}), "svg")
	if err != nil {
		return "", err
	}
	b.WriteString(`<div class="model"><figure class="picture automaton" hidden>` + string(inline(svg)) + `</figure>`)
	err = pages.ExecuteTemplate(&b, "story", r.Story)
	b.WriteString(`</div>`)
	return template.HTML(b.String()), err
}

// Assets returns the style and the script of reports, for pages that have parts of them.
func Assets() (style, script []byte) {
	for name, to := range map[string]*[]byte{"report.css": &style, "report.js": &script} {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // they are part of the program
		}
		*to = text
	}
	return style, script
}
