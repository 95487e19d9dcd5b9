//go:build with_tla

package etcdraft

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tacheck/protocol/ftdp"
	"tacheck/trace"
)

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// check holds a log against the protocol.
func check(t *testing.T, log []byte) *trace.Outcome {
	t.Helper()
	out, err := checkWith(t, log, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// checkWith is check with values for constants, and its error.
func checkWith(t *testing.T, log []byte, set map[string]int64) (*trace.Outcome, error) {
	t.Helper()
	text, err := os.ReadFile("raft.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	words, err := os.ReadFile("etcd.reading")
	if err != nil {
		t.Fatal(err)
	}
	p, err := ftdp.Parse("raft.ftdp", string(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := trace.ParseReading("etcd.reading", string(words))
	if err != nil {
		t.Fatal(err)
	}
	return trace.Check(context.Background(), p, r, []trace.Source{trace.Bytes("log", log)}, trace.How{Set: set})
}

func told(t *testing.T, out *trace.Outcome) string {
	t.Helper()
	var b strings.Builder
	if err := out.Tell(&b, "log", 3, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestExplained: what the library does is a run of the protocol, in which its invariants hold.
// ETCDRAFT_SEEDS says how many logs, ETCDRAFT_EVENTS how long.
func TestExplained(t *testing.T) {
	for seed := range number("ETCDRAFT_SEEDS", 4) {
		var log bytes.Buffer
		nodes := 3 + seed%2*2
		if err := Run(uint64(seed), nodes, number("ETCDRAFT_EVENTS", 2000), &log); err != nil {
			t.Fatal(err)
		}
		out := check(t, log.Bytes())
		if out.Verdict != trace.Explained || out.Result.Most > 2 {
			t.Errorf("seed %d, %d nodes: %s", seed, nodes, told(t, out))
		}
		t.Logf("seed %d, %d nodes: %d events by %d steps, %d states at once, %.0f a second", seed, nodes, out.Result.Events, out.Result.Steps, out.Result.Most,
			float64(out.Result.Events)/out.Time.Seconds())
	}
}

// module is the folder of the library.
func module(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.etcd.io/raft/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(dir))
}

// library copies the library into a folder.
func library(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "raft")
	if err := os.CopyFS(dir, os.DirFS(module(t))); err != nil {
		t.Fatal(err)
	}
	// Receipts need not wait: there is one clock.
	replace(t, filepath.Join(dir, "state_trace.go"), "time.Sleep(time.Millisecond)", "_ = time.Millisecond")
	return dir
}

// replace replaces a piece of a file that is there exactly once; it returns the file as it was.
func replace(t *testing.T, name, old, new string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%s: %q is there %d times", name, old, strings.Count(string(text), old))
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(text), old, new, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	return text
}

// build builds the harness with a copy of the library.
func build(t *testing.T, dir string) string {
	t.Helper()
	tmp := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			here, err := filepath.Abs("../..")
			if err != nil {
				t.Fatal(err)
			}
			text = []byte(strings.Replace(string(text), "=> ../..", "=> "+here, 1) + "\nreplace go.etcd.io/raft/v3 => " + dir + "\n")
		}
		if err := os.WriteFile(filepath.Join(tmp, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(tmp, "sim")
	cmd := exec.Command("go", "build", "-mod=mod", "-modfile", filepath.Join(tmp, "go.mod"), "-tags", "with_tla", "-o", program, "./cmd/sim")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// TestMistakes: each mistake is found, at an event where it shows, with what differs.
func TestMistakes(t *testing.T) {
	dir := library(t)
	log := filepath.Join(t.TempDir(), "log")
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			file := filepath.Join(dir, m.file)
			was := replace(t, file, m.old, m.new)
			defer func() {
				if err := os.WriteFile(file, was, 0o644); err != nil {
					t.Fatal(err)
				}
			}()
			program := build(t, dir)
			for seed := range number("ETCDRAFT_TRIES", 800) {
				// What the library panics with ends the log.
				_ = exec.Command(program, "-seed", fmt.Sprint(seed), "-nodes", fmt.Sprint(3+seed%2*2), "-events", "2000", "-o", log).Run()
				data, err := os.ReadFile(log)
				if err != nil {
					t.Fatal(err)
				}
				out := check(t, data)
				if out.Unexplained == nil {
					continue // it does not show
				}
				event, _ := out.Unexplained.Event.Value.(map[string]any)["event"].(map[string]any)
				name, _ := event["name"].(string)
				if !slices.Contains(append(strings.Fields(showState), m.shows...), name) || len(out.Unexplained.Nearest) == 0 {
					t.Errorf("found at %s, not one of %v, or an event that shows a node's state", name, m.shows)
				}
				t.Logf("seed %d, event %d:\n%s", seed, out.Unexplained.Event.Line, told(t, out))
				return
			}
			t.Error("not found")
		})
	}
}
