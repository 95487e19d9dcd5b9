package picture_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/show/picture"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

func parse(t *testing.T, name string) *ta.Automaton {
	t.Helper()
	a, err := benchmarks.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func svg(t *testing.T, text string) string {
	t.Helper()
	out, err := picture.Render(context.Background(), text, "svg")
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(out, new(struct{})); err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("&#45;", "-", "&gt;", ">", "&#160;", " ").Replace(string(out))
}

// TestSuite draws every embedded model: each location and each pair of
// locations with a rule is there, and every threshold is in the legend.
func TestSuite(t *testing.T) {
	for _, name := range benchmarks.Names() {
		a := parse(t, name)
		text := svg(t, picture.Automaton(a, picture.View{}))
		for i, l := range a.Locations {
			if !strings.Contains(text, `id="`+picture.LocationID(i)+`"`) || !strings.Contains(text, ">"+l.Name+"<") {
				t.Errorf("%s: no %s", name, l.Name)
			}
		}
		for i := range a.Rules {
			r := &a.Rules[i]
			if !strings.Contains(text, `id="`+picture.MoveID(r.From, r.To)+`"`) {
				t.Errorf("%s: rule %s is not drawn", name, r.ID)
			}
		}
	}
}

// TestRun: what a counterexample uses is marked with its steps.
func TestRun(t *testing.T) {
	a := parse(t, "broken/rb-n3t.ta")
	r, err := review.Verify(context.Background(), a, a.SpecNamed("relay"), verify.Options{})
	if err != nil || r.Witness == nil {
		t.Fatal(r, err)
	}
	text := svg(t, picture.Automaton(a, picture.View{Run: r.Witness.Run}))
	for _, want := range []string{">step 1<", ">4: T2<", ">step 3<", "T1:  echo >= t + 1 - f", "#b2182b", "#2166ac"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestShapes draws both graphs, without edges that others make up for.
func TestShapes(t *testing.T) {
	a := parse(t, "rb.ta")
	graphs, err := verify.ShapesOf(context.Background(), a, a.SpecNamed("relay"), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := svg(t, picture.Shapes(a, graphs))
	for _, want := range []string{">cut graph<", ">threshold graph<", ">accepted != 0<", ">loop start<", ">echo >= t + 1 - f<"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, `class="edge"`); n != 6 { // 3 between 4 thresholds, 3 of the cut graph
		t.Errorf("%d edges", n)
	}
}

// TestPNG: an image has ink: black for lines, and the colours of the run.
func TestPNG(t *testing.T) {
	a := parse(t, "broken/nbac-unfair.ta")
	out, err := picture.Render(context.Background(), picture.Automaton(a, picture.View{}), "png")
	if err != nil {
		t.Fatal(err)
	}
	image, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	dark, all := 0, 0
	for y := range image.Bounds().Dy() {
		for x := range image.Bounds().Dx() {
			r, _, _, _ := image.At(x, y).RGBA()
			all++
			if r < 0x4000 {
				dark++
			}
		}
	}
	if share := float64(dark) / float64(all); share < 0.005 || share > 0.1 {
		t.Errorf("%.3f of the picture is dark", share)
	}
	if _, err := picture.Render(context.Background(), "digraph {", "png"); err == nil {
		t.Error("what is no graph is drawn")
	}
	if _, err := picture.Render(context.Background(), "digraph {}", "gif"); err == nil {
		t.Error("drawn as gif")
	}
}

// TestWordsOfTheText: thresholds of pseudo-code's automata are written in the words of the text, where arrows have room for
// them, and else in the legend; the picture has no names of its own for them. Locations of the same values are told apart.
func TestWordsOfTheText(t *testing.T) {
	for name, want := range map[string][]string{
		"sources/rb.ftdp":  {"heard(ECHO) >= t + 1", "heard(ECHO) >= n - t", "after heard(ECHO) >= t + 1", "after heard(ECHO) >= n - t"},
		"sources/aba.ftdp": {"2 * heard(ECHO) >= n + t + 1", "heard(READY) >= 2 * t + 1"},
		"sources/cbc.ftdp": {"heard(VALUE) >= n - t", "2 * heard(VOTE(0)) >= n + 1", "2 * heard(VALUE(1)) >= n + 1 - t"},
	} {
		source, _ := benchmarks.Read(name)
		m, err := model.Open(context.Background(), name, source, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.(model.ForAll).Automaton(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		text := picture.Automaton(a.Automaton, picture.View{Says: a.Says})
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: the picture has no %q", name, part)
			}
		}
		if strings.Contains(text, "echo >=") || strings.Contains(text, "value0 >=") {
			t.Errorf("%s: the picture has thresholds in the words of the automaton", name)
		}
	}
}

// TestLabels: no arrow goes through a label.
func TestLabels(t *testing.T) {
	var (
		label = regexp.MustCompile(`class="node via-\d+">\n<title>[^<]*</title>\n(?:<text text-anchor="middle" x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]*)</text>\n)+`)
		curve = regexp.MustCompile(`class="edge[^"]*">\n<title>[^<]*</title>\n<path [^>]*d="([^"]*)"`)
	)
	for _, name := range benchmarks.Names() {
		text, labels := svg(t, picture.Automaton(parse(t, name), picture.View{})), 0
		for _, m := range label.FindAllStringSubmatch(text, -1) {
			labels++
			x, y, half := number(t, m[1]), number(t, m[2])-3.5, 2.3*float64(len(m[3]))
			for _, c := range curve.FindAllStringSubmatch(text, -1) {
				for _, p := range along(t, c[1]) {
					if math.Abs(p[0]-x) < half-1 && math.Abs(p[1]-y) < 3 {
						t.Errorf("%s: an arrow goes through %q, at %v", name, m[3], p)
						break
					}
				}
			}
		}
		if labels < 3 {
			t.Errorf("%s has %d labels", name, labels)
		}
	}
}

// along are points of a curve of Bézier, as SVG has it.
func along(t *testing.T, d string) (points [][2]float64) {
	var list [][2]float64
	for _, m := range regexp.MustCompile(`([-\d.]+),([-\d.]+)`).FindAllStringSubmatch(d, -1) {
		list = append(list, [2]float64{number(t, m[1]), number(t, m[2])})
	}
	for ; len(list) >= 4; list = list[3:] {
		for k := range 40 {
			u := float64(k) / 40
			at := func(i int) float64 {
				return (1-u)*(1-u)*(1-u)*list[0][i] + 3*u*(1-u)*(1-u)*list[1][i] + 3*u*u*(1-u)*list[2][i] + u*u*u*list[3][i]
			}
			points = append(points, [2]float64{at(0), at(1)})
		}
	}
	return points
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
