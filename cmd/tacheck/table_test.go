package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacheck/tacheck/testkit/need"
)

// ofKind is a model of each kind, in the order of the table's columns: one that is right, one with
// a mistake, one with unknowns, and a size of the first.
var ofKind = []struct{ valid, broken, unknowns, size string }{
	{"valid.ta", "broken.ta", "unknowns.ta", "n=2"}, {"valid.pml", "broken.pml", "unknowns.pml", "N=2"},
	{"sizes.ftdp", "sizes-broken.ftdp", "unknowns.ftdp", "n=2"}, {"fixed.ftdp", "fixed-broken.ftdp", "unknowns-fixed.ftdp", "n=2"},
}

// cell is what one of the table says: `CODE PART`.
type cell struct {
	code int
	part string
}

var cellText = regexp.MustCompile("^(\\d) `(.*)`$")

// tableOfKinds reads the table of testdata/kinds/table.md: commands, and a cell for each kind.
func tableOfKinds(t *testing.T) (commands []string, cells map[string][]cell) {
	t.Helper()
	text, err := os.ReadFile("testdata/kinds/table.md")
	if err != nil {
		t.Fatal(err)
	}
	cells = map[string][]cell{}
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(parts) != 1+len(ofKind) || strings.Contains(line, "automaton | Promela") {
			continue
		}
		name := strings.Trim(strings.TrimSpace(parts[0]), "`")
		commands = append(commands, name)
		for _, p := range parts[1:] {
			m := cellText.FindStringSubmatch(strings.TrimSpace(p))
			if m == nil {
				t.Fatalf("%s: what does %q mean?", name, p)
			}
			code, _ := strconv.Atoi(m[1])
			cells[name] = append(cells[name], cell{code, m[2]})
		}
	}
	if len(commands) < 20 {
		t.Fatalf("%d rows", len(commands))
	}
	return commands, cells
}

// TestTableOfKinds: every command does with every kind of models what testdata/kinds/table.md says, from a
// file and from standard input, with right texts and with wrong ones.
func TestTableOfKinds(t *testing.T) {
	need.All(t, "z3", "cvc5") // certificates
	commands, cells := tableOfKinds(t)
	const mistake = "a text with a mistake"
	every := need.Every(t, 1)
	for i, kind := range ofKind {
		dir := t.TempDir()
		for _, name := range []string{kind.valid, kind.broken, kind.unknowns} {
			text, err := os.ReadFile(filepath.Join("testdata", "kinds", name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Run(kind.valid, func(t *testing.T) {
			t.Chdir(dir)
			if out, code := both([]string{"explore", kind.valid, "--set", kind.size, "--spec", "none", "--witness", "run.json"}, ""); code != exitViolated {
				t.Fatal(out)
			}
			for row, command := range commands {
				if command == mistake || (row+i)%every > 0 {
					continue
				}
				want := cells[command][i]
				wrong := cells[mistake][i]
				for _, stdin := range []bool{false, true} {
					out, code, asked := runRow(t, command, kind.valid, kind.size, stdin)
					if asked && (code != want.code || !strings.Contains(spaced(out), want.part)) {
						t.Errorf("%s (standard input: %v): exit code %d, want %d, and %q in\n%s", command, stdin, code, want.code, want.part, out)
					}
					out, code, asked = runRow(t, command, kind.broken, kind.size, stdin)
					refused := want.code == exitUsage || strings.HasPrefix(command, "fmt") && code == exitHolds
					if asked && !refused && (code != wrong.code || !strings.Contains(out, kind.broken+":"+wrong.part)) {
						t.Errorf("%s with a mistake (standard input: %v): exit code %d, want %d, and %q in\n%s", command, stdin, code, wrong.code, wrong.part, out)
					}
					if refused && code != exitUsage && code != exitHolds {
						t.Errorf("%s with a mistake: exit code %d\n%s", command, code, out)
					}
				}
			}
		})
	}
}

var spaces = regexp.MustCompile(`  +`)

// spaced has columns two spaces apart.
func spaced(text string) string { return spaces.ReplaceAllString(text, "  ") }

// runRow runs a command of the table; asked is false if it takes no model on standard input.
func runRow(t *testing.T, command, file, size string, stdin bool) (out string, code int, asked bool) {
	t.Helper()
	switch {
	case strings.Contains(command, "bench DIR"):
		return benchFolder(t, file, stdin)
	case strings.HasPrefix(command, "lsp"):
		if stdin {
			return "", 0, false
		}
		out, code := editorRow(t, file)
		return out, code, true
	}
	text := ""
	var args []string
	for i, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(command, -1) {
		switch word = strings.Trim(word, "'"); word {
		case "FILE", "UNKNOWNS":
			if word == "UNKNOWNS" {
				for _, kind := range ofKind {
					if file == kind.broken { // what is wrong with it has nothing to do with unknowns
						return "", 0, false
					} else if file == kind.valid {
						file = kind.unknowns
					}
				}
			}
			word = file
			if stdin {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				text, word = string(data), "-"
				args = append(args, "--stdin-name", file)
			}
		case "SIZE":
			word = size
		case "RUN":
			word = "run.json"
		case "OUT":
			word = "out.html"
		case "DIR":
			word = filepath.Join(t.TempDir(), "certificate"+strconv.Itoa(i))
		}
		parameter, _, _ := strings.Cut(size, "=")
		args = append(args, strings.Replace(word, "PARAMETER", parameter, 1))
	}
	if strings.Contains(command, "--cluster") { // its workers are processes
		return ownProcess(t, text, args)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	w := &untilServed{stop: stop}
	code = execute(ctx, args, strings.NewReader(text), w, w)
	return w.text.String(), code, true
}

// untilServed ends what serves a page as soon as it does.
type untilServed struct {
	mu   sync.Mutex
	text bytes.Buffer
	stop func()
}

func (w *untilServed) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if bytes.Contains(p, []byte("interrupt to stop")) {
		w.stop()
	}
	return w.text.Write(p)
}

// benchFolder measures the models of a folder, in processes of their own.
func benchFolder(t *testing.T, file string, stdin bool) (string, int, bool) {
	if stdin {
		return "", 0, false
	}
	dir := t.TempDir()
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, file), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ownProcess(t, "", []string{"bench", dir})
}

// ownProcess runs a command in a process of its own.
func ownProcess(t *testing.T, stdin string, args []string) (string, int, bool) {
	t.Helper()
	cmd := exec.Command("tacheck", args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode(), true
}

// TestStandardInput: a text says the same from a file and from standard input.
func TestStandardInput(t *testing.T) {
	for _, kind := range ofKind[:3] {
		name := filepath.Join("testdata", "kinds", kind.broken)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, _ := both([]string{"verify", name}, "")
		stdin, _ := both([]string{"verify", "-", "--stdin-name", name}, string(text))
		if diff := cmp.Diff(file, stdin); diff != "" {
			t.Error(diff)
		}
	}
}
