package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Formats are what Render can make.
var Formats = []string{"svg", "png", "dot"}

// Layout lays out a graph in the dot language and returns it as SVG.
type Layout func(ctx context.Context, text string) ([]byte, error)

// Render returns a picture in one of Formats; dot is the text itself.
func Render(ctx context.Context, layout Layout, text, format string) ([]byte, error) {
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

// Helper is the program that lays out pictures.
const Helper = "tacheck-draw"

// External lays out a graph with tacheck-draw, from the folder of this program
// or the PATH, or else with Graphviz's own program, if that is installed.
func External(ctx context.Context, text string) ([]byte, error) {
	command, err := program()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin = bytes.NewReader([]byte(text))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", command[0], err, bytes.TrimSpace(errs.Bytes()))
	}
	return out.Bytes(), nil
}

func program() ([]string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), Helper)
		if _, err := os.Stat(beside); err == nil {
			return []string{beside}, nil
		}
	}
	if path, err := exec.LookPath(Helper); err == nil {
		return []string{path}, nil
	}
	if path, err := exec.LookPath("dot"); err == nil {
		return []string{path, "-Tsvg"}, nil
	}
	return nil, errors.New("there is no " + Helper + " beside tacheck or on the PATH, and no Graphviz: `go install tacheck/cmd/tacheck-draw`, or ask for the format dot")
}
