package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestBadInput gives every malformed model of package ta's tests to the
// command: exit code 2, a position, a caret, and nothing on standard output.
func TestBadInput(t *testing.T) {
	text, err := os.ReadFile("../../ta/testdata/errors.ta")
	if err != nil {
		t.Fatal(err)
	}
	chunks := strings.Split(string(text), "---\n")
	chunks = append(chunks, "", "\x00\x01\x02", "ta T { assumptions { "+strings.Repeat("(", 1<<20), strings.ReplaceAll(chunks[0], "\n", "\r\n"))
	position := regexp.MustCompile(`^[^\n]*bad\.ta:\d+:\d+: [^\n]+\n +\d+ \| [^\n]*\n +\| *\^`)
	for i, chunk := range chunks {
		file := filepath.Join(t.TempDir(), "bad.ta")
		if err := os.WriteFile(file, []byte(chunk), 0o666); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		code := execute(context.Background(), []string{"verify", file}, strings.NewReader(""), &stdout, &stderr)
		shown := strings.ReplaceAll(stderr.String(), "\t", " ")
		if code != exitUsage || stdout.Len() > 0 || !position.MatchString(shown) {
			t.Errorf("chunk %d: exit code %d, stdout %q, stderr\n%.500s\n%.300s", i, code, stdout.String(), shown, chunk)
		}
	}
}
