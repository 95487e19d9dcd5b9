package suite

import (
	"image/color"
	"io"
	"math"
	"math/big"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/tacheck/tacheck/internal/lists"
)

// colours of methods, readable for colour-blind people too.
var colours = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
}

// PlotTime writes an SVG of the seconds that each file takes, all its specifications together, by method.
func PlotTime(w io.Writer, rows []Row) error {
	p, legend := plot.New(), plot.NewLegend()
	p.Title.Text = "time for all specifications of a file"
	p.Y.Label.Text = "seconds"
	var files []string
	sums := map[string]map[Method]float64{}
	for _, r := range rows {
		if sums[r.File] == nil {
			sums[r.File] = map[Method]float64{}
			files = append(files, r.File)
		}
		sums[r.File][r.Method] += r.Seconds
	}
	methods := methodsOf(rows)
	for i, m := range methods {
		var points plotter.XYs
		for x, f := range files {
			if s := sums[f][m]; s > 0 {
				points = append(points, plotter.XY{X: float64(x), Y: s})
			}
		}
		if err := scatter(p, &legend, points, m, i); err != nil {
			return err
		}
	}
	logarithmic(&p.Y)
	p.Add(plotter.NewGrid())
	labels := lists.Map(files, func(f string) string { return strings.TrimSuffix(filepath.Base(f), filepath.Ext(f)) })
	p.NominalX(labels...)
	p.X.Min, p.X.Max = -0.5, float64(len(files))-0.5
	return write(w, p, legend, max(14, vg.Length(len(files))*1.6)*vg.Centimeter)
}

// PlotShapes writes an SVG of the seconds of each specification against the number of its lasso shapes, by method.
func PlotShapes(w io.Writer, rows []Row) error {
	p, legend := plot.New(), plot.NewLegend()
	p.Title.Text = "time against the number of lasso shapes"
	p.X.Label.Text, p.Y.Label.Text = "lasso shapes", "seconds"
	for i, m := range methodsOf(rows) {
		var points plotter.XYs
		for _, r := range rows {
			n, ok := new(big.Float).SetString(r.Shapes)
			if r.Method != m || !ok || r.Seconds <= 0 {
				continue
			}
			if x, _ := n.Float64(); x > 0 {
				points = append(points, plotter.XY{X: x, Y: r.Seconds})
			}
		}
		if err := scatter(p, &legend, points, m, i); err != nil {
			return err
		}
	}
	logarithmic(&p.X)
	logarithmic(&p.Y)
	p.Add(plotter.NewGrid())
	return write(w, p, legend, 16*vg.Centimeter)
}

// logarithmic makes an axis logarithmic, from one power of ten to another.
func logarithmic(a *plot.Axis) {
	if a.Min <= 0 || math.IsInf(a.Min, 0) { // nothing was plotted
		a.Min, a.Max = 1, 10
	}
	a.Scale, a.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	a.Min = math.Pow(10, math.Floor(math.Log10(a.Min)))
	a.Max = max(10*a.Min, math.Pow(10, math.Ceil(math.Log10(a.Max))))
}

// glyphs tell methods apart without colour.
var glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.CrossGlyph{},
	draw.PlusGlyph{}, draw.RingGlyph{}}

func scatter(p *plot.Plot, legend *plot.Legend, points plotter.XYs, m Method, i int) error {
	if len(points) == 0 {
		return nil
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	s.Color = colours[i%len(colours)]
	s.Shape = glyphs[i%len(glyphs)]
	s.Radius = vg.Points(3)
	p.Add(s)
	legend.Add(m.String(), s)
	return nil
}

// write draws a plot with its legend to the right.
func write(w io.Writer, p *plot.Plot, legend plot.Legend, width vg.Length) error {
	const side, height = 5 * vg.Centimeter, 10 * vg.Centimeter
	c := vgsvg.New(width+side, height)
	all := draw.New(c)
	p.Draw(draw.Crop(all, 0, -side, 0, 0))
	legend.Top, legend.Left = true, true
	legend.Draw(draw.Crop(all, width+vg.Points(8), 0, 0, -vg.Points(24)))
	_, err := c.WriteTo(w)
	return err
}

// Curves is a plot of lines on logarithmic axes.
type Curves struct {
	Title, X, Y string
	Lines       []Curve
}

// Curve is a line; neighbouring pairs of curves, a plain and a dashed one, share a colour.
type Curve struct {
	Name   string
	Dashed bool
	Points [][2]float64 // x and y, both above 0
}

// Plot writes the curves as an SVG.
func (c Curves) Plot(w io.Writer) error {
	p, legend := plot.New(), plot.NewLegend()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	for i, l := range c.Lines {
		var points plotter.XYs
		for _, xy := range l.Points {
			points = append(points, plotter.XY{X: xy[0], Y: xy[1]})
		}
		if len(points) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.Color, marks.Color = colours[i/2%len(colours)], colours[i/2%len(colours)]
		marks.Shape = glyphs[i/2%len(glyphs)]
		if l.Dashed {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		p.Add(line, marks)
		legend.Add(l.Name, line, marks)
	}
	logarithmic(&p.X)
	logarithmic(&p.Y)
	p.Add(plotter.NewGrid())
	return write(w, p, legend, 14*vg.Centimeter)
}
