package picture

import (
	"bytes"
	"context"
	"fmt"

	"github.com/goccy/go-graphviz"
)

// Formats are what Render can make.
var Formats = []string{"svg", "png", "dot"}

// Render lays out a picture and returns it in one of Formats; dot is the text
// itself. Laying out takes a second or more for hundreds of rules.
func Render(ctx context.Context, text, format string) ([]byte, error) {
	switch format {
	case "dot":
		return []byte(text), nil
	case "svg":
		return layout(ctx, text)
	case "png":
		svg, err := layout(ctx, text)
		if err != nil {
			return nil, err
		}
		return raster(svg)
	}
	return nil, fmt.Errorf("cannot draw as %q: the formats are %v", format, Formats)
}

// layout returns a picture as SVG.
func layout(ctx context.Context, text string) (out []byte, err error) {
	viz, err := graphviz.New(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := viz.Close(); err == nil {
			err = cerr
		}
	}()
	g, err := graphviz.ParseBytes([]byte(text))
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := g.Close(); err == nil {
			err = cerr
		}
	}()
	var b bytes.Buffer
	if err := viz.Render(ctx, g, graphviz.SVG, &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
