package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"slices"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// Endings are those of the names of files that charts are written to.
var Endings = []string{"svg", "png", "pdf", "mmd", "puml"}

// Bytes draws the chart for a file: what it is is told by the file's ending, one of Endings; with .narrow before that,
// for a telephone's screen.
func (c *Chart) Bytes(file string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if strings.HasSuffix(strings.TrimSuffix(file, filepath.Ext(file)), ".narrow") {
		c = c.Within(least)
	}
	switch ending := strings.ToLower(filepath.Ext(file)); ending {
	case ".mmd", ".puml":
		b.WriteString(notations[ending].text(c.Run))
	case ".svg", "":
		b.WriteString(c.SVG())
	case ".png":
		err = c.png(&b)
	case ".pdf":
		err = c.pdf(&b)
	default:
		err = fmt.Errorf("%s: charts are written to files whose names end in .%s", file, strings.Join(Endings, ", ."))
	}
	return b.Bytes(), err
}

// printed is the font of a class under a name of its own: what writes PDF looks for bold letters
// by a style that it has not given them.
func printed(c Class) font.Face {
	f := fontOf(c)
	if strong[c] {
		f.Font.Typeface += "Bold"
		f.Font.Weight = xfont.WeightNormal
	}
	return f
}

// paper is a part of the chart, from a height on, on a canvas.
type paper struct {
	vg.Canvas
	from, height, shift float64
}

func (p *paper) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x), Y: vg.Length(p.height - (y - p.from) - p.shift)}
}

func (p *paper) path(closed bool, points ...vg.Point) (path vg.Path) {
	path.Move(points[0])
	for _, pt := range points[1:] {
		path.Line(pt)
	}
	if closed {
		path.Close()
	}
	return path
}

func (p *paper) pen(c Class) {
	look := paints[c]
	p.SetColor(light(look.line))
	p.SetLineWidth(vg.Length(look.width))
	p.SetLineDash(look.dashes, 0)
}

func (p *paper) tip(x, y, fromX, fromY float64) {
	t := tipOf(x, y, fromX, fromY)
	p.Fill(p.path(true, p.at(x, y), p.at(t[0], t[1]), p.at(t[2], t[3])))
}

func (p *paper) draw(m Mark) {
	switch m.Kind {
	case box:
		path := p.path(true, p.at(m.X, m.Y), p.at(m.X2, m.Y), p.at(m.X2, m.Y2), p.at(m.X, m.Y2))
		if fill := paints[m.Class].fill; fill != "" {
			p.SetColor(light(fill))
			p.Fill(path)
		}
		p.pen(m.Class)
		p.Stroke(path)
	case segment:
		p.pen(m.Class)
		p.Stroke(p.path(false, p.at(m.X, m.Y), p.at(m.X2, m.Y2)))
		if m.Tip {
			p.tip(m.X2, m.Y2, m.X, m.Y)
		}
	case loop:
		p.pen(m.Class)
		p.Stroke(p.path(false, p.at(m.X, m.Y), p.at(m.X2, m.Y), p.at(m.X2, m.Y2), p.at(m.Back(), m.Y2)))
		if m.Tip {
			p.tip(m.Back(), m.Y2, m.X2, m.Y2)
		}
	case cross:
		p.pen(m.Class)
		p.SetLineDash(nil, 0)
		p.Stroke(p.path(false, p.at(m.X-6, m.Y-6), p.at(m.X+6, m.Y+6)))
		p.Stroke(p.path(false, p.at(m.X+6, m.Y-6), p.at(m.X-6, m.Y+6)))
	case text:
		x := m.X
		switch w := width(m.Class, m.Text); {
		case m.Middle:
			x -= w / 2
		case m.End:
			x -= w
		}
		p.SetColor(light(paints[m.Class].letters))
		p.FillString(printed(m.Class), p.at(x, m.Y), m.Text)
	}
}

func (c *Chart) png(w io.Writer) error {
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Length(c.Width), vg.Length(c.Height)), vgimg.UseDPI(144),
		vgimg.UseBackgroundColor(color.White))
	p := &paper{Canvas: canvas, height: c.Height}
	for _, m := range c.Marks {
		p.draw(m)
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// pdf draws the chart on as many pages as it takes, of the proportions of A4; each begins with the names of processes.
func (c *Chart) pdf(w io.Writer) error {
	most := max(c.Width*297/210, 600)
	var canvas *vgpdf.Canvas
	for _, part := range c.pages(most) {
		head := 0.0
		if part.from > 0 {
			head = c.headed()
		}
		if canvas == nil {
			canvas = vgpdf.New(vg.Length(c.Width), vg.Length(most))
		} else {
			canvas.NextPage()
		}
		p := &paper{Canvas: canvas, from: part.from, height: most, shift: head}
		if part.from > 0 {
			h := &paper{Canvas: canvas, from: c.Top - margin, height: most}
			for _, m := range c.Heads {
				h.draw(m)
			}
		}
		for _, m := range c.Marks {
			if m, ok := clip(m, part); ok {
				p.draw(m)
			}
		}
	}
	_, err := canvas.WriteTo(w)
	return err
}

// part is what a page shows: heights from and to.
type part struct{ from, to float64 }

// headed is how much room the names of processes take on a page.
func (c *Chart) headed() float64 {
	if len(c.Heads) == 0 {
		return 0
	}
	return c.Heads[0].Y2 - c.Top + 2*margin
}

// pages divides the chart between steps.
func (c *Chart) pages(most float64) (list []part) {
	from := 0.0
	for c.Height-from > most {
		room := most
		if from > 0 {
			room -= c.headed()
		}
		i, _ := slices.BinarySearch(c.Breaks, from+room)
		if i == 0 || c.Breaks[i-1] <= from {
			break // a step that is higher than a page
		}
		list = append(list, part{from, c.Breaks[i-1]})
		from = c.Breaks[i-1]
	}
	return append(list, part{from, c.Height})
}

// clip returns what a page shows of a mark.
func clip(m Mark, p part) (Mark, bool) {
	top, bottom := m.Y, m.Y
	if m.Kind == segment || m.Kind == box || m.Kind == loop {
		top, bottom = min(m.Y, m.Y2), max(m.Y, m.Y2)
	}
	if bottom < p.from || top >= p.to {
		return m, false
	}
	if m.Kind == segment || m.Kind == box && m.Class == frame { // what goes on
		m.Y, m.Y2 = max(m.Y, p.from), min(m.Y2, p.to)
	}
	return m, true
}
