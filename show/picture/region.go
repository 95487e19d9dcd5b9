package picture

import (
	"fmt"
	"html"
	"strings"
)

// CellKind says what a cell of a plane is.
type CellKind uint8

// The kinds of cells.
const (
	Outside CellKind = iota
	Inside
	Weakest
)

// Plane is a square of values of two unknowns, from 0 to Max.
type Plane struct {
	Title, X, Y string
	Max         int
	Cell        func(x, y int) (kind CellKind, text string)
}

// Region draws a plane as SVG: cells inside are filled, the weakest have a
// dark edge; what a cell stands for shows under the pointer.
func Region(p Plane) string {
	const cell, left, top = 34, 60, 50
	size := cell * (p.Max + 1)
	width, height := left+size+30, top+size+80
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif" font-size="12">`+"\n", width, height, width, height)
	b.WriteString(`<style>.in{fill:#cfe8d5}.out{fill:#f6f7f9}.least{fill:#7fbf8e;stroke:#1e6b34;stroke-width:2}rect{stroke:#c3cbd3}text{fill:#323f4b}.no{fill:#b3261e}</style>` + "\n")
	fmt.Fprintf(&b,
		`<rect width="%d" height="%d" fill="#fff" stroke="none"/><text x="%d" y="28" font-size="15">%s</text>`+"\n",
		width, height, left, html.EscapeString(p.Title))
	var late strings.Builder // drawn last, so that edges are whole
	for y := 0; y <= p.Max; y++ {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%d</text>`+"\n", left-8, top+size-cell*y-cell/2+4, y)
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%d</text>`+"\n", left+cell*y+cell/2, top+size+18, y)
		for x := 0; x <= p.Max; x++ {
			kind, text := p.Cell(x, y)
			out, class := &b, "out"
			switch kind {
			case Inside:
				class = "in"
			case Weakest:
				out, class = &late, "least"
			}
			fmt.Fprintf(out, `<rect class="%s" x="%d" y="%d" width="%d" height="%d"><title>%s</title></rect>`+"\n",
				class, left+cell*x, top+size-cell*(y+1), cell, cell, html.EscapeString(text))
			if kind == Outside {
				fmt.Fprintf(&b, `<text class="no" x="%d" y="%d" text-anchor="middle" pointer-events="none">×</text>`+
					"\n", left+cell*x+cell/2, top+size-cell*y-cell/2+4)
			}
		}
	}
	b.WriteString(late.String())
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" font-size="14">%s</text>`+"\n", left+size/2, top+size+38,
		html.EscapeString(p.X))
	fmt.Fprintf(&b, `<text x="22" y="%d" text-anchor="middle" font-size="14">%s</text>`+"\n", top+size/2,
		html.EscapeString(p.Y))
	fmt.Fprintf(&b,
		`<rect class="in" x="%d" y="%d" width="14" height="14"/><text x="%d" y="%d">all hold</text><rect class="least" x="%d" y="%d" width="14" height="14"/><text x="%d" y="%d">weakest</text><text class="no" x="%d" y="%d">×</text><text x="%d" y="%d">refuted</text>`+"\n",
		left, height-26, left+20, height-15, left+90, height-26, left+110, height-15, left+180, height-15, left+194,
		height-15)
	b.WriteString("</svg>\n")
	return b.String()
}
