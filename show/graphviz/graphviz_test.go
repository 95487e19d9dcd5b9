package graphviz

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestSVG(t *testing.T) {
	svg, err := SVG(context.Background(), `digraph { a -> b [label="x >= 1"] }`)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<svg", "x &gt;= 1", "</svg>"} {
		if !strings.Contains(string(svg), part) {
			t.Errorf("there is no %q in\n%s", part, svg)
		}
	}
}

func TestBadInput(t *testing.T) {
	for _, text := range []string{"", "digraph {"} {
		if svg, err := SVG(context.Background(), text); err == nil {
			t.Errorf("%q is drawn as\n%s", text, svg)
		}
	}
}

// TestInterrupted: a layout that takes long ends with its context.
func TestInterrupted(t *testing.T) {
	var b strings.Builder
	b.WriteString("digraph {")
	for i := range 400 {
		for k := range 12 {
			fmt.Fprintf(&b, "n%d -> n%d;", i, (i*7+k*31)%400)
		}
	}
	b.WriteString("}")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := SVG(ctx, b.String()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("SVG = %v", err)
	}
}
