package picture

import (
	"context"
	"fmt"

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
		return graphviz.SVG(ctx, text)
	case "png":
		svg, err := graphviz.SVG(ctx, text)
		if err != nil {
			return nil, err
		}
		return raster(svg)
	}
	return nil, fmt.Errorf("cannot draw as %q: the formats are %v", format, Formats)
}
