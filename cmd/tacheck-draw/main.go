// Tacheck-draw lays out a graph in Graphviz's dot language, from standard input,
// and writes it as SVG to standard output. The commands `tacheck graph` and
// `tacheck report` run it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"tacheck/internal/graphviz"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := draw(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "tacheck-draw:", err)
		os.Exit(2)
	}
}

func draw(ctx context.Context) error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	svg, err := graphviz.SVG(ctx, string(text))
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(svg)
	return err
}
