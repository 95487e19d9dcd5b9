package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestGallery: the pictures of docs/field.md are those that the program draws. TACHECK_UPDATE=1 draws them anew.
func TestGallery(t *testing.T) {
	every := need.Every(t, 3)
	for i, f := range benchmarks.Faults() {
		update := os.Getenv("TACHECK_UPDATE") != ""
		if i%every > 0 && !update {
			continue
		}
		picture := filepath.Join("../../docs/field", strings.TrimSuffix(f.File, ".ftdp")+".svg")
		drawn := filepath.Join(t.TempDir(), "run.svg")
		args := []string{"explore", "field/" + f.File, "--spec", f.Violated[0].Property, "--chart", drawn}
		if code := execute(context.Background(), append(args, jobs(args)...), strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}); code != 1 {
			t.Errorf("%s: exit code %d", f.File, code)
			continue
		}
		now, err := os.ReadFile(drawn)
		if err != nil {
			t.Fatal(err)
		}
		sameDrawing(t, picture, now)
	}
}
