package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
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

// TestNewcomers: what people write who come from other languages, or have just begun, is answered with its place and
// what to write: the first line of the answer (testdata/newcomer/table.md). TACHECK_UPDATE=1 writes what is said.
func TestNewcomers(t *testing.T) {
	folder, err := filepath.Abs("testdata/newcomer")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "table.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 4 || !strings.HasPrefix(line, "| `") {
			continue
		}
		plain := strings.NewReplacer("`", "", `\|`, "|", `\n`, "\n")
		args := strings.Fields(plain.Replace(cells[0]))
		name, right, wrong := args[1], plain.Replace(cells[1]), plain.Replace(cells[2])
		model, _ := benchmarks.Read(name)
		if own, err := os.ReadFile(filepath.Join(folder, name)); err == nil {
			model = string(own)
		}
		if !strings.Contains(model, right) {
			t.Fatalf("table.md:%d: not in %s: %s", i+1, name, right)
		}
		if err := os.WriteFile(name, []byte(strings.Replace(model, right, wrong, 1)), 0o666); err != nil && model != "" {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		code := execute(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
		said := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.Split(stderr.String(), "\n")[0], name+":"), "tacheck: "))
		if said = strings.ReplaceAll(said, "|", `\|`); code != exitUsage || stdout.Len() > 0 {
			t.Errorf("table.md:%d: exit code %d, %s%s", i+1, code, &stdout, &stderr)
		}
		if os.Getenv("TACHECK_UPDATE") != "" {
			lines[i] = "| " + strings.Join(append(cells[:3], said), " | ") + " |"
		} else if said != cells[3] {
			t.Errorf("table.md:%d: %s\ninstead of %s", i+1, said, cells[3])
		}
	}
	if os.Getenv("TACHECK_UPDATE") != "" {
		if err := os.WriteFile(filepath.Join(folder, "table.md"), []byte(strings.Join(lines, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
