package induct

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestInstances proves invariants of the suite in the way that answers first: by lemmas for every size, or by such as all states
// satisfy.
func TestInstances(t *testing.T) {
	need.Usual(t, "some seconds each")
	for _, c := range []struct {
		file, property string
		set            map[string]int64
		every          bool // by lemmas that tell no processes apart; else by either kind
	}{
		{"storage.ftdp", "regularity", nil, true},
		{"consensus.ftdp", "validity", map[string]int64{"n": 4}, true},
		{"multicast.ftdp", "integrity", nil, true}, // it has a constant that is called i
		{"paxos.ftdp", "agreement", nil, false},
	} {
		text, _ := benchmarks.Read(c.file)
		m, err := instantiate.Read(c.file, text, c.set)
		if err != nil {
			t.Fatal(err)
		}
		p := m.Lookup(c.property)
		got, r := byInduction(t, m, p, Options{}, 10*time.Minute)
		if got != machine.Holds || c.every && r.Every == nil {
			t.Errorf("%s: %s is %s, for every size: %v", c.file, c.property, got, r.Every != nil)
			continue
		}
		if r.Every == nil {
			_, err = r.Proof.File().proof().Check(context.Background(), m, p, r.Options, z3.New)
		} else {
			err = r.Every.File(m).Ask(context.Background(), m, p, r.Options.Implicit, z3.New, func(string, [][]*smt.Formula) error { return nil })
		}
		if err != nil {
			t.Errorf("%s: %s: the proof is none: %v", c.file, c.property, err)
		}
	}
}

// TestNotAllStates proves invariants where only some states are visited: what is true of these by chance is dropped.
func TestNotAllStates(t *testing.T) {
	defer func(states, kept, walks int) {
		wholeStates, sampleKept, sampleWalks = states, kept, walks
	}(wholeStates, sampleKept, sampleWalks)
	wholeStates = 10
	dropped := 0
	for _, c := range []struct {
		file, property string
		kept, walks    int // states, random runs
	}{{"rb.ftdp", "unforgeability", 2_000, 30}, {"rb.ftdp", "unforgeability", 10, 0}} {
		sampleKept, sampleWalks = c.kept, c.walks
		text, _ := benchmarks.Read(c.file)
		m, err := instantiate.Read(c.file, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := m.Lookup(c.property)
		got, r := byInduction(t, m, p, Options{apart: true}, time.Minute)
		if got != machine.Holds {
			t.Errorf("%s, %d states: %s is %s: %s", c.file, c.kept, c.property, got, r.Reason)
			continue
		}
		if _, err = r.Proof.File().proof().Check(context.Background(), m, p, r.Options, z3.New); err != nil {
			t.Errorf("%s, %d states: the proof is none: %v", c.file, c.kept, err)
		}
		dropped += r.Stats.Dropped
	}
	if dropped == 0 {
		t.Error("no lemma was dropped")
	}
}

// TestEligible refuses instances that a proof for the sizes of a text says nothing about: constants that do not follow, and
// numbers that may be too large.
func TestEligible(t *testing.T) {
	text, _ := benchmarks.Read("multicast.ftdp")
	for _, c := range []struct {
		set  map[string]int64
		want bool
	}{{nil, true}, {map[string]int64{"h": 3}, true}, {map[string]int64{"quorumSize": 2}, false}} {
		if got := eligibleText(t, text, c.set); got != c.want {
			t.Errorf("multicast %v: %v", c.set, got)
		}
	}
	text, _ = benchmarks.Read("bakery.ftdp")
	large := strings.ReplaceAll(text, "proc[j].ticket) + 1", "proc[j].ticket) + 20 * m")
	for m, want := range map[int64]bool{1000: true, 200_000_000: false} {
		if !eligibleText(t, text, map[string]int64{"m": m}) || large == text || eligibleText(t, large, map[string]int64{"m": m}) != want {
			t.Errorf("bakery m=%d", m)
		}
	}
}

func eligibleText(t *testing.T, text string, set map[string]int64) bool {
	t.Helper()
	m, err := instantiate.Read("text.ftdp", text, set)
	if err != nil {
		t.Fatal(err)
	}
	return eligible(m)
}
