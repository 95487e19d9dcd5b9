package induct

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestLarge has a text that ten processes violate, in few states; and one that assumes nine, so that no small instance
// says anything.
func TestLarge(t *testing.T) {
	const votes = `protocol votes;
const n = 3;
assume n >= 1;
type nodeID: role[n];
var
  d: array[1..2] of bool = false;
  node: array[nodeID] of record a: 0..2 = 0; end;
rules
  [](v: 1..2) [](i: nodeID) cast: if node[i].a = 0 then node[i].a := v; endif
  []
  [](v: 1..2) [](i: nodeID) decide: if count (k: nodeID) (node[k].a = v) >= 5 then d[v] := true; endif
invariant one: not (d[1] and d[2]);
`
	const act = `protocol act;
const n = 9;
assume n >= 9;
type nodeID: role[n];
var node: array[nodeID] of record m: bool = false; x: 0..3 = 1; y: 0..3 = 2; end;
rules
  [](i: nodeID) act: if node[i].x != node[i].y != 1 then node[i].m := true; endif
invariant ok: forall (k: nodeID) not node[k].m;
`
	for _, c := range []struct {
		text string
		want verdict.Verdict
		n    int64
	}{{votes, machine.Violated, 10}, {act, machine.Holds, 0}} {
		m, err := instantiate.Read("text.ftdp", c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := EverySize(context.Background(), m, &m.Props[0], Options{Solver: z3.New})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want || r.Run != nil && value(r.Run.Model, "n") != c.n {
			t.Errorf("%s: %s, %s", r.Property, r.Verdict, r.Reason)
		}
	}
}

// TestShort: a violation that a random search has found is told by a run of a search in order.
func TestShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "backups.ftdp"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read("backups.ftdp", string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := EverySize(context.Background(), m, &m.Props[0], Options{Solver: z3.New})
	if err != nil {
		t.Fatal(err)
	}
	if r.Run == nil || len(r.Run.Events) > 20 {
		t.Errorf("%s, %d steps; 14 do", r.Verdict, len(r.Run.Events))
	}
}

// TestFirst proves rows of relations that are functions, entries at constant indices, and that some process exists.
func TestFirst(t *testing.T) {
	files, err := filepath.Glob("testdata/first/*.ftdp")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	for i, file := range files {
		if i%need.Every(t, 1) > 0 {
			continue
		}
		m := fromFile(t, file)
		r, err := EverySize(context.Background(), m, &m.Props[0], Options{Solver: z3.New})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != machine.Holds {
			t.Errorf("%s: %s, %s", file, r.Verdict, r.Reason)
		}
	}
}
