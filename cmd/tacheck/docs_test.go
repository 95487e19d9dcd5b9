package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacheck/tacheck/testkit/need"
)

// TestDocs runs what the documentation says. In README.md and docs/*.md,
//
//   - a fenced block ```ta NAME.ta (or ```ftdp, ```pyv, ```reading, ```ndjson, ```log) is a file of that name;
//   - in a fenced block ```console, lines that begin with "$ tacheck" are run, in
//     one folder a page, and what follows each is what they print; a line "..."
//     stands for any lines. `$ echo $?` prints the last exit code. `$ go run` and
//     `$ sed` are run by a shell. Other commands are not run;
//   - a picture that a command of the page has drawn into a file of its name is what the page shows.
//
// Numbers of queries and times may differ. TACHECK_UPDATE=1 writes anew what is
// printed, but in blocks with "...".
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	t.Setenv("COLUMNS", "100")
	commands, every := 0, need.Every(t, 1)
	for i, page := range append([]string{"../../README.md"}, pages...) {
		if i%every > 0 && os.Getenv("TACHECK_UPDATE") == "" {
			continue
		}
		page, err := filepath.Abs(page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			got := fenced.ReplaceAllStringFunc(string(text), func(block string) string {
				m := fenced.FindStringSubmatch(block)
				switch info, body := m[1], m[2]; {
				case strings.HasPrefix(info, "ta "), strings.HasPrefix(info, "ftdp "), strings.HasPrefix(info, "pyv "), strings.HasPrefix(info, "reading "),
					strings.HasPrefix(info, "ndjson "), strings.HasPrefix(info, "log "), strings.HasPrefix(info, "go "):
					_, name, _ := strings.Cut(info, " ")
					if err := os.WriteFile(name, []byte(body), 0o666); err != nil {
						t.Fatal(err)
					}
				case info == "console":
					out, n := console(t, body)
					commands += n
					return "```console\n" + out + "```\n"
				}
				return block
			})
			if os.Getenv("TACHECK_UPDATE") != "" && got != string(text) {
				if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(mask(string(text)), mask(got)); diff != "" {
				t.Errorf("(-page +printed)\n%s", diff)
			}
			for _, m := range drawings.FindAllStringSubmatch(string(text), -1) {
				if drawn, err := os.ReadFile(filepath.Base(m[1])); err == nil {
					sameDrawing(t, filepath.Join(filepath.Dir(page), m[1]), drawn)
				}
			}
		})
	}
	if every == 1 && commands < 24 {
		t.Errorf("only %d commands", commands)
	}
}

var fenced = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```\n")

var drawings = regexp.MustCompile(`!\[[^\]]*\]\(([^)]+\.svg)\)`)

// sameDrawing compares a picture of the documentation with what the program draws. TACHECK_UPDATE=1 draws it anew.
func sameDrawing(t *testing.T, picture string, drawn []byte) {
	if os.Getenv("TACHECK_UPDATE") != "" {
		if err := os.WriteFile(picture, drawn, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if then, err := os.ReadFile(picture); err != nil || !bytes.Equal(then, drawn) {
		t.Errorf("%s is not what the program draws (%v): TACHECK_UPDATE=1 go test ./cmd/tacheck -run %s",
			picture, err, t.Name())
	}
}

var times = regexp.MustCompile(`\d+ quer(y|ies)|\d+\.\d+ s\b`)

// mask hides what may differ.
func mask(text string) string { return times.ReplaceAllString(text, "N") }

// console runs the commands of a block and returns the block with what they
// print.
func console(t *testing.T, body string) (out string, run int) {
	code := 0
	for _, part := range regexp.MustCompile(`(?m)^\$ `).Split(body, -1)[1:] {
		line, want, _ := strings.Cut(part, "\n")
		got, known := "", true
		switch {
		case strings.HasPrefix(line, "tacheck "):
			run++
			got, code = shell(t, line)
		case strings.HasPrefix(line, "go run "), strings.HasPrefix(line, "sed "):
			all, err := exec.Command("sh", "-c", line).CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v\n%s", line, err, all)
			}
			got = string(all)
		case line == "echo $?":
			got = strings.TrimSpace(string(rune('0'+code))) + "\n"
		default:
			known = false
		}
		if !known || fits(want, got) {
			got = want
		}
		out += "$ " + line + "\n" + got
	}
	return out, run
}

// fits reports whether what was printed is what is wanted.
func fits(want, got string) bool {
	var pattern strings.Builder
	for line := range strings.Lines(mask(want)) {
		if strings.TrimSpace(line) == "..." {
			pattern.WriteString(`(?:.*\n)*`)
		} else {
			pattern.WriteString(regexp.QuoteMeta(line))
		}
	}
	return regexp.MustCompile("^" + pattern.String() + "$").MatchString(mask(got))
}

// shell runs one command line, with quotes and a redirection at most.
func shell(t *testing.T, line string) (out string, code int) {
	redirection := regexp.MustCompile(` > ([^ ']+)$`).FindStringSubmatch(line)
	if redirection != nil {
		line = strings.TrimSuffix(line, redirection[0])
	}
	var args []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	var b bytes.Buffer
	code = runMain(args[1:], &b)
	if redirection != nil {
		if err := os.WriteFile(redirection[1], b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return "", code
	}
	return b.String(), code
}

func runMain(args []string, out *bytes.Buffer) int {
	return execute(context.Background(), append(args, jobs(args)...), strings.NewReader(""), out, out)
}

// jobs makes verdicts come in one way, whatever the machine.
func jobs(args []string) []string {
	if args[0] == "verify" {
		return []string{"--jobs", "1"}
	}
	return nil
}

// TestLinks: pages link to what is there, files and headings.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	links, anchors := 0, 0
	for _, page := range append(pages, "../../README.md", "../../docs/vscode/README.md",
		"../../benchmarks/RESULTS.md", "../../benchmarks/SCALE.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range linked.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
			}
			there, err := os.ReadFile(target)
			if _, missing := os.Stat(target); missing != nil {
				t.Errorf("%s: %v", page, missing)
			} else if m[2] != "" {
				anchors++
				if err != nil || !slices.Contains(headings(string(there)), m[2]) {
					t.Errorf("%s: %s has no heading #%s", page, target, m[2])
				}
			}
		}
	}
	if links < 50 || anchors < 5 {
		t.Errorf("only %d links, %d of them to headings", links, anchors)
	}
}

var (
	linked     = regexp.MustCompile(`\]\(([^)#\s]*)#?([^)\s]*)\)`)
	heading    = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notInNames = regexp.MustCompile(`[^\pL\pN _-]`)
)

// headings are the names by which links ask for the headings of a page.
func headings(page string) (names []string) {
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
		name := notInNames.ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(strings.TrimSpace(name), " ", "-"))
	}
	return names
}
