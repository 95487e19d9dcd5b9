package chart

import (
	_ "embed"
	"fmt"
	"image/color"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/plot/vg"
)

// paint says how marks of a class look, with names of colours of the palette: their lines, what is within, and their
// letters.
type paint struct {
	line, fill, letters string
	width               float64
	dashes              []vg.Length
}

var paints = map[Class]paint{
	title: {letters: "ink"}, subtitle: {letters: "soft"}, head: {line: "edge", fill: "box", letters: "ink", width: 1},
	faulty: {line: "bad", fill: "badbox", letters: "bad", width: 1.4}, life: {line: "line", width: 1,
		dashes: []vg.Length{4, 4}}, gone: {line: "line", width: 1, dashes: []vg.Length{1, 6}},
	action: {line: "edge", fill: "box", width: 1}, name: {letters: "ink"}, change: {letters: "soft"},
	sends: {letters: "msg"}, message: {line: "msg", width: 1.4}, arrowLabel: {letters: "msg"},
	lost:   {line: "bad", letters: "bad", width: 1.4, dashes: []vg.Length{5, 3}},
	number: {letters: "soft"}, frame: {line: "loop", width: 1.6, dashes: []vg.Length{7, 4}},
	crash: {line: "bad", letters: "bad", width: 2}, state: {line: "line", fill: "sheet", letters: "soft", width: 0.7},
	wrong: {line: "bad", fill: "badbox", letters: "bad", width: 1.4},
	why:   {letters: "ink"},
}

//go:embed chart.css
var palette string

var (
	variable = regexp.MustCompile(`--(\w+):#(\w+)`)
	lights   = sync.OnceValue(func() map[string]string {
		list := map[string]string{}
		for _, m := range variable.FindAllStringSubmatch(palette[:strings.IndexByte(palette, '}')], -1) {
			list[m[1]] = m[2]
		}
		return list
	})
)

// light is a colour on white paper.
func light(name string) color.Color {
	n, err := strconv.ParseUint(lights()[name], 16, 24)
	if err != nil {
		panic(err) // the palette is part of the program
	}
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
}

// use gives something a colour: the light one for programs that know no variables in styles, before the variable and
// within it.
func use(property, name string) string {
	return fmt.Sprintf("%s:#%s;%[1]s:var(--%[3]s,#%[2]s);", property, lights()[name], name)
}

// style says how marks look, light or dark as the reader likes; letters have the sizes that they were measured with.
var style = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString(palette)
	fmt.Fprintf(&b, ".chart .sheet{%s}\n", use("fill", "sheet"))
	for _, c := range slices.Sorted(maps.Keys(paints)) {
		p := paints[c]
		if p.letters != "" {
			fmt.Fprintf(&b, ".chart text.%s{%sfont-size:%spx", c, use("fill", p.letters), px(letters[c]))
			if strong[c] {
				b.WriteString(";font-weight:bold")
			}
			if over[c] {
				fmt.Fprintf(&b, ";%spaint-order:stroke;stroke-width:4px;stroke-linejoin:round", use("stroke", "sheet"))
			}
			b.WriteString("}\n")
		}
		if p.line == "" {
			continue
		}
		fmt.Fprintf(&b, ".chart line.%s,.chart path.%[1]s,.chart rect.%[1]s{%sfill:none;stroke-width:%s", c,
			use("stroke", p.line), px(p.width))
		if p.dashes != nil {
			b.WriteString(";stroke-dasharray:" + strings.Trim(fmt.Sprint(p.dashes), "[]"))
		}
		fmt.Fprintf(&b, "}\n.chart path.tip.%s{stroke:none;%s}\n", c, use("fill", p.line))
		if p.fill != "" {
			fmt.Fprintf(&b, ".chart rect.%s{%s}\n", c, use("fill", p.fill))
		}
	}
	b.WriteString(".chart path.cross{stroke-width:2;stroke-dasharray:none}\n")
	return b.String()
})

// over are the classes whose letters may lie over lines.
var over = map[Class]bool{arrowLabel: true, lost: true, faulty: true, number: true}
