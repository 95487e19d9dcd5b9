package picture

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/show/graphviz"
)

// Formats are what Render can make.
var Formats = []string{"svg", "png", "dot"}

// Render returns a picture in one of Formats; dot is the text itself.
func Render(ctx context.Context, text, format string) ([]byte, error) {
	switch format {
	case "dot":
		return []byte(text), nil
	case "svg":
		return laidOut(ctx, text)
	case "png":
		svg, err := laidOut(ctx, text)
		if err != nil {
			return nil, err
		}
		return raster(svg)
	}
	return nil, fmt.Errorf("cannot draw as %q: the formats are %v", format, Formats)
}

// widest is how wide pictures are that are drawn from left to right, in points.
const widest = 1600

// laidOut draws a graph: one that would be very wide from top to bottom, where that is narrower.
func laidOut(ctx context.Context, text string) ([]byte, error) {
	svg, err := graphviz.SVG(ctx, text)
	down := strings.Replace(text, `rankdir="LR"`, `rankdir="TB"`, 1)
	if err != nil || wide(svg) <= widest || down == text {
		return svg, err
	}
	if other, err := graphviz.SVG(ctx, down); err != nil || wide(other) < wide(svg) {
		return other, err
	}
	return svg, nil
}

var width = regexp.MustCompile(`<svg width="(\d+)`)

// wide is how wide a picture is.
func wide(svg []byte) int {
	n := 0
	if found := width.FindSubmatch(svg); found != nil {
		n, _ = strconv.Atoi(string(found[1]))
	}
	return n
}
