// Package graphviz lays out graphs with Graphviz, compiled to WebAssembly.
//
// Linking it costs every start of a program 30 ms, and a second the first time,
// since the library compiles its module before main begins. So it has a program
// of its own, tacheck-draw, and nothing else imports it but tests.
package graphviz

import (
	"bytes"
	"context"
	"errors"

	"github.com/goccy/go-graphviz"
)

// SVG lays out a graph in the dot language and returns it as SVG. A second or
// more for hundreds of edges.
func SVG(ctx context.Context, text string) (out []byte, err error) {
	viz, err := graphviz.New(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, viz.Close()) }()
	g, err := graphviz.ParseBytes([]byte(text))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	var b bytes.Buffer
	if err := viz.Render(ctx, g, graphviz.SVG, &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
