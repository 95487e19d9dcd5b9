package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/tacheck/tacheck/internal/lists"
)

// The image renderer of our Graphviz library fills lines that it should draw. Its SVG is right, and simple: groups of
// paths, polygons, ellipses and text. So an SVG is laid out, and drawn here.

// resolution of images, in dots an inch: less for those that would have more than maxPixels.
const (
	resolution = 144
	maxPixels  = 12e6
)

// svgNode is any element of an SVG that Graphviz writes.
type svgNode struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []svgNode  `xml:",any"`
}

func (n *svgNode) attr(name, otherwise string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return otherwise
}

func (n *svgNode) number(name string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(strings.TrimSuffix(n.attr(name, ""), "pt"), 64)
	if err != nil {
		return otherwise
	}
	return v
}

// raster draws an SVG as Graphviz writes it on white, as PNG.
func raster(svg []byte) ([]byte, error) {
	var root svgNode
	if err := xml.Unmarshal(svg, &root); err != nil {
		return nil, err
	}
	width, height := root.number("width", 0), root.number("height", 0)
	if width <= 0 || height <= 0 || width*height > 1e8 {
		return nil, fmt.Errorf("a picture of %g by %g points is too large: draw it as svg", width, height)
	}
	dpi := resolution
	if pixels := width * height * resolution * resolution / (72 * 72); pixels > maxPixels {
		dpi = max(20, int(resolution*math.Sqrt(maxPixels/pixels)))
	}
	p := &painter{canvas: vgimg.NewWith(vgimg.UseWH(vg.Length(width), vg.Length(height)), vgimg.UseDPI(dpi)),
		fonts: font.NewCache(liberation.Collection())}
	p.canvas.SetColor(color.White)
	p.canvas.Fill(rectangle(width, height))
	p.dx, p.dy = 0, height // the canvas has its origin below
	p.draw(&root)
	var b bytes.Buffer
	_, err := vgimg.PngCanvas{Canvas: p.canvas}.WriteTo(&b)
	return b.Bytes(), err
}

func rectangle(width, height float64) vg.Path {
	return vg.Rectangle{Max: vg.Point{X: vg.Length(width), Y: vg.Length(height)}}.Path()
}

type painter struct {
	canvas *vgimg.Canvas
	fonts  *font.Cache
	dx, dy float64
}

func (p *painter) point(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(p.dx + x), Y: vg.Length(p.dy - y)}
}

var translate = regexp.MustCompile(`translate\(([-0-9.]+)[ ,]+([-0-9.]+)\)`)

func (p *painter) draw(n *svgNode) {
	q := *p
	if m := translate.FindStringSubmatch(n.attr("transform", "")); m != nil {
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		q.dx, q.dy = p.dx+x, p.dy-y
	}
	switch n.XMLName.Local {
	case "path":
		q.paint(n, q.curve(n.attr("d", "")))
	case "polygon", "polyline":
		q.paint(n, q.lines(n.attr("points", ""), n.XMLName.Local == "polygon"))
	case "ellipse":
		q.paint(n, q.ellipse(n))
	case "text":
		q.text(n)
	}
	for i := range n.Children {
		q.draw(&n.Children[i])
	}
}

// paint fills and draws a path as its element asks for.
func (p *painter) paint(n *svgNode, path vg.Path) {
	if c, ok := colour(n.attr("fill", "black")); ok {
		p.canvas.SetColor(c)
		p.canvas.Fill(path)
	}
	if c, ok := colour(n.attr("stroke", "none")); ok {
		p.canvas.SetColor(c)
		p.canvas.SetLineWidth(vg.Length(n.number("stroke-width", 1)))
		dashes := lists.Map(numbers(n.attr("stroke-dasharray", "")), func(d float64) vg.Length { return vg.Length(d) })
		p.canvas.SetLineDash(dashes, 0)
		p.canvas.Stroke(path)
	}
}

var colourNames = map[string]color.Color{"black": color.Black, "white": color.White, "lightgrey": color.Gray{0xd3}}

// colour reads a colour; none and transparent are none.
func colour(text string) (color.Color, bool) {
	if c, ok := colourNames[text]; ok {
		return c, true
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != 7 {
		return nil, false
	}
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}, true
}

var numeral = regexp.MustCompile(`-?[0-9.]+`)

func numbers(text string) []float64 {
	var list []float64
	for _, m := range numeral.FindAllString(text, -1) {
		if v, err := strconv.ParseFloat(m, 64); err == nil {
			list = append(list, v)
		}
	}
	return list
}

// curve reads "M x,y C x,y x,y x,y ...": one start, then cubic curves.
func (p *painter) curve(d string) vg.Path {
	var path vg.Path
	v := numbers(d)
	if len(v) < 2 {
		return path
	}
	path.Move(p.point(v[0], v[1]))
	for v = v[2:]; len(v) >= 6; v = v[6:] {
		path.CubeTo(p.point(v[0], v[1]), p.point(v[2], v[3]), p.point(v[4], v[5]))
	}
	return path
}

func (p *painter) lines(points string, closed bool) vg.Path {
	var path vg.Path
	for v := numbers(points); len(v) >= 2; v = v[2:] {
		if len(path) == 0 {
			path.Move(p.point(v[0], v[1]))
		} else {
			path.Line(p.point(v[0], v[1]))
		}
	}
	if closed {
		path.Close()
	}
	return path
}

func (p *painter) ellipse(n *svgNode) vg.Path {
	const corners = 40
	var points strings.Builder
	for i := range corners {
		angle := 2 * math.Pi * float64(i) / corners
		fmt.Fprintf(&points, "%.3f,%.3f ", n.number("cx", 0)+n.number("rx", 0)*math.Cos(angle),
			n.number("cy", 0)+n.number("ry", 0)*math.Sin(angle))
	}
	return p.lines(points.String(), true)
}

func (p *painter) text(n *svgNode) {
	face := p.fonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Length(n.number("font-size", 14)))
	at := p.point(n.number("x", 0), n.number("y", 0))
	switch n.attr("text-anchor", "start") {
	case "middle":
		at.X -= face.Width(n.Text) / 2
	case "end":
		at.X -= face.Width(n.Text)
	}
	c, ok := colour(n.attr("fill", "black"))
	if !ok {
		c = color.Black
	}
	p.canvas.SetColor(c)
	p.canvas.FillString(face, at, n.Text)
}
