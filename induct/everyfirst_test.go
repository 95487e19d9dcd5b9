package induct

import (
	"context"
	"os"
	"testing"

	"tacheck/protocol/everysize"
	"tacheck/protocol/instantiate"
	"tacheck/protocol/machine"
	"tacheck/smt/z3"
)

// first proves the first invariant of a text with lemmas of one grammar alone.
func first(t *testing.T, file, text string) *everySearch {
	t.Helper()
	m, err := instantiate.Read(file, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Lemmas = nil
	p := &m.Props[0]
	q := &everySearch{ctx: context.Background(), m: m, p: p, r: unanswered(m, p), o: Options{Solver: z3.New}}
	if q.x, err = everysize.New(m, machine.Implicit(m, p)); err != nil {
		t.Fatal(err)
	}
	if err := q.x.Always(q.ctx, z3.New); err != nil {
		t.Fatal(err)
	}
	if err := q.given(); err != nil {
		t.Fatal(err)
	}
	if _, err := q.firstOrder(); err != nil {
		t.Fatal(err)
	}
	return q
}

// TestFirstOrder proves texts by one grammar: rows of relations that are functions, entries at constant indices, that
// there is somebody who; quorums, Byzantine ones, and numbers that are ordered.
func TestFirstOrder(t *testing.T) {
	for _, file := range []string{"first/naive_consensus", "first/const_index", "first/firewall", "claims/certificates",
		"told/election", "told/grants", "../../protocol/everysize/testdata/vote"} {
		text, err := os.ReadFile("testdata/" + file + ".ftdp")
		if err != nil {
			t.Fatal(err)
		}
		if q := first(t, file, string(text)); q.r.Verdict != machine.Holds {
			t.Errorf("%s is %s", file, q.r.Verdict)
		}
	}
}
