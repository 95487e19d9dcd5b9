package suite

import (
	"image/color"
	"io"
	"math"
	"math/big"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// colours of methods, readable for colour-blind people too.
var colours = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
}

// PlotTime writes an SVG of the seconds that each file takes, all its
// specifications together, by method.
func PlotTime(w io.Writer, rows []Row) error {
	p := plot.New()
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
		if err := scatter(p, points, m, i); err != nil {
			return err
		}
	}
	logarithmic(&p.Y)
	p.Add(plotter.NewGrid())
	p.NominalX(files...)
	p.X.Tick.Label.Rotation = math.Pi / 4
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	return write(w, p, vg.Length(max(14, len(files)))*vg.Centimeter)
}

// PlotShapes writes an SVG of the seconds of each specification against the
// number of its lasso shapes, by method.
func PlotShapes(w io.Writer, rows []Row) error {
	p := plot.New()
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
		if err := scatter(p, points, m, i); err != nil {
			return err
		}
	}
	logarithmic(&p.X)
	logarithmic(&p.Y)
	p.Add(plotter.NewGrid())
	return write(w, p, 16*vg.Centimeter)
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
var glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}, draw.RingGlyph{}}

func scatter(p *plot.Plot, points plotter.XYs, m Method, i int) error {
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
	p.Legend.Add(m.String(), s)
	p.Legend.Top, p.Legend.Left = true, true
	return nil
}

func write(w io.Writer, p *plot.Plot, width vg.Length) error {
	c := vgsvg.New(width, 10*vg.Centimeter)
	p.Draw(draw.New(c))
	_, err := c.WriteTo(w)
	return err
}
