package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
)

// volatile is what differs from run to run, or from solver to solver.
var volatile = regexp.MustCompile(`\d+ quer(y|ies), \d+\.\d\d s`)

// piped runs a command line whose output goes to a file.
func piped(t *testing.T, width int, args ...string) string {
	t.Helper()
	t.Setenv("COLUMNS", strconv.Itoa(width))
	var out, errs bytes.Buffer
	if code := execute(context.Background(), args, strings.NewReader(""), &out, &errs); code == exitUsage {
		t.Fatal(errs.String())
	}
	return volatile.ReplaceAllString(out.String(), "N queries, 0.00 s")
}

// onTerminal runs a command line whose output goes to a terminal.
func onTerminal(t *testing.T, width int, args ...string) string {
	t.Helper()
	t.Setenv("COLUMNS", "")
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	if err := pty.Setsize(terminal, &pty.Winsize{Rows: 50, Cols: uint16(width)}); err != nil {
		t.Fatal(err)
	}
	shown := make(chan string)
	go func() {
		text, _ := io.ReadAll(screen) // ends with an error when the other side is closed
		shown <- string(text)
	}()
	code := execute(context.Background(), args, strings.NewReader(""), terminal, io.Discard)
	terminal.Close()
	text := strings.ReplaceAll(<-shown, "\r\n", "\n")
	if code == exitUsage {
		t.Fatal(text)
	}
	return volatile.ReplaceAllString(text, "N queries, 0.00 s")
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestScreens compares what is printed with what was looked at once, 80 and 120
// columns wide. TACHECK_UPDATE=1 writes the files anew: look at them again.
func TestScreens(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	for name, args := range map[string][]string{
		"holds":           {"verify", "rb.ta"},
		"relay":           {"verify", "broken/rb-n3t.ta"},
		"one-step":        {"verify", "broken/bosco-early.ta", "--spec", "lemma4_0"},
		"unfair":          {"verify", "broken/nbac-unfair.ta", "--spec", "termination"},
		"fast-with-crash": {"verify", "broken/cf1s-faults.ta", "--spec", "fast0_alive"},
		"explored":        {"explore", "broken/nbacc-early.ta", "--spec", "validity", "--params", "n=2"},
	} {
		for _, width := range []int{80, 120} {
			t.Run(name+"-"+strconv.Itoa(width), func(t *testing.T) {
				if args[0] == "verify" {
					args = append(args[:len(args):len(args)], "--jobs", "1")
				}
				got := piped(t, width, args...)
				if name == "explored" {
					got = regexp.MustCompile(`\d+\.\d\d s\n`).ReplaceAllString(got, "0.00 s\n")
				}
				file := filepath.Join("testdata", "screen", name+"-"+strconv.Itoa(width)+".txt")
				if os.Getenv("TACHECK_UPDATE") != "" {
					if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				verdict := 0
				for i, line := range strings.Split(got, "\n") {
					if strings.HasPrefix(line, args[1]) {
						verdict++ // one line, however long: people grep for it
					} else if len([]rune(line)) > width {
						t.Errorf("line %d is %d wide", i+1, len([]rune(line)))
					}
				}
				if name == "explored" {
					return // its time is in another place
				}
				shown := onTerminal(t, width, args...)
				if colours := len(escape.FindAllString(shown, -1)); colours < 2*verdict {
					t.Errorf("%d colours on a terminal", colours)
				}
				if diff := cmp.Diff(got, escape.ReplaceAllString(shown, "")); diff != "" {
					t.Errorf("a terminal shows something else (-file +terminal)\n%s", diff)
				}
				t.Setenv("NO_COLOR", "1")
				if shown := onTerminal(t, width, args...); strings.Contains(shown, "\x1b") {
					t.Error("colours in spite of NO_COLOR")
				}
			})
		}
	}
}
