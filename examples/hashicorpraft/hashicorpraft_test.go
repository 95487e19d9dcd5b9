package hashicorpraft

import (
	"bytes"
	"os"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/tacheck/tacheck/conform"
	"github.com/tacheck/tacheck/testkit/need"
)

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// TestExplained: what the library does is a run of the protocol, in which its invariants hold. HASHICORPRAFT_FROM and
// _SEEDS say which logs and how many, _EVENTS how long.
func TestExplained(t *testing.T) {
	from := number("HASHICORPRAFT_FROM", 0)
	for seed := from; seed < from+number("HASHICORPRAFT_SEEDS", 4) && !t.Failed(); seed++ {
		var rec conform.Recorder
		synctest.Test(t, func(t *testing.T) {
			if err := Run(uint64(seed), 3+seed%2*2, number("HASHICORPRAFT_EVENTS", 2000), os.Getenv("HASHICORPRAFT_HALVES") != "", &rec); err != nil {
				t.Error(err)
			}
		})
		if f := os.Getenv("HASHICORPRAFT_LOG"); f != "" {
			if err := os.WriteFile(f, rec.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		began := need.CPU()
		conform.Check(t, conform.Files("raft.ftdp", "hashicorp.reading"), &rec)
		events := bytes.Count(rec.Bytes(), []byte("\n"))
		t.Logf("seed %d, %d nodes: %d events, %.0f a second", seed, 3+seed%2*2, events,
			float64(events)/(need.CPU()-began).Seconds())
	}
}
