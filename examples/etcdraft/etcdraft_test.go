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

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/testkit/mistake"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/trace"
	"github.com/tacheck/tacheck/trace/reading"
)

const raftModule = "go.etcd.io/raft/v3"

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
	r, err := reading.Parse("etcd.reading", string(words))
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
		began := need.CPU()
		out := check(t, log.Bytes())
		took := need.CPU() - began
		if out.Verdict != trace.Explained || out.Result.Most > 64 { // an event that makes a server a learner may show an earlier one
			t.Errorf("seed %d, %d nodes: %s", seed, nodes, told(t, out))
		}
		t.Logf("seed %d, %d nodes: %d events by %d steps, %d states at once, %.0f a second", seed, nodes, out.Result.Events, out.Result.Steps, out.Result.Most,
			float64(out.Result.Events)/took.Seconds())
	}
}

// TestMistakes: each mistake is found, at an event where it shows, with what differs.
func TestMistakes(t *testing.T) {
	library := mistake.Copy(t, raftModule)
	// Receipts need not wait: there is one clock.
	library.Put(t, mistake.Edit{File: "state_trace.go", Old: "time.Sleep(time.Millisecond)", New: "_ = time.Millisecond"})
	log := filepath.Join(t.TempDir(), "log")
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			library.Put(t, mistake.Edit{File: m.file, Old: m.old, New: m.new})
			program := library.Build(t, "./cmd/sim", "build", "-tags", "with_tla")
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
				t.Logf("| %s | %d | %d | %s |", m.name, seed, out.Unexplained.Event.Line, name)
				t.Log(told(t, out))
				return
			}
			t.Error("not found")
		})
	}
}
