package chart

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

//go:embed chart.svg.tmpl
var sheet string

var page = template.Must(template.New("chart").Funcs(template.FuncMap{"px": px, "tip": tip}).Parse(sheet))

// px prints a length.
func px(v float64) string { return strconv.FormatFloat(v, 'f', -1, 32) }

// Names reports whether a mark is of the row that names the processes, which a page may keep in sight.
func (c *Chart) Names(m Mark) bool { return m.Class == head || m.Kind == box && m.Y == c.Top }

// tip is the path of an arrow's tip, which comes from a place.
func tip(x, y, fromX, fromY float64) string {
	p := tipOf(x, y, fromX, fromY)
	return fmt.Sprintf("M%s %sL%s %sL%s %sz", px(x), px(y), px(p[0]), px(p[1]), px(p[2]), px(p[3]))
}

// tipOf are the corners of an arrow's tip, beside where it points.
func tipOf(x, y, fromX, fromY float64) [4]float64 {
	long := math.Hypot(x-fromX, y-fromY)
	dx, dy := (x-fromX)/long, (y-fromY)/long
	return [4]float64{x - 9*dx - 4.5*dy, y - 9*dy + 4.5*dx, x - 9*dx + 4.5*dy, y - 9*dy - 4.5*dx}
}

// Wide and High are the sizes of a box, and Back is where a loop ends.
func (m Mark) Wide() float64 { return m.X2 - m.X }
func (m Mark) High() float64 { return m.Y2 - m.Y }
func (m Mark) Back() float64 { return m.X + 2 }

// SVG draws the chart on one sheet, light or dark as its reader likes. Marks of step k have
// the class r<k>, so that a page can show the run step by step.
func (c *Chart) SVG() string {
	var b strings.Builder
	err := page.Execute(&b, struct {
		*Chart
		Alt   string
		Style template.CSS
	}{c, strings.Join(c.Title, "; "), template.CSS(style())})
	if err != nil {
		panic(err) // the template is part of the program
	}
	return b.String()
}

// Long is how long a text is drawn: as long as it was measured, whatever the font is.
func (m Mark) Long() float64 { return width(m.Class, m.Text) }
