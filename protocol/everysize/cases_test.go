package everysize

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestCases distinguishes cases where that is not needed: what is true is still proved; of what is
// broken as much is not as without.
func TestCases(t *testing.T) {
	need.Usual(t, "cases that are not needed")
	m, x := encoded(t, "testdata/bakery.ftdp", nil)
	x.first = bounds{1, 1}
	if failing := unproved(t, m, x, "first"); len(failing) > 0 {
		t.Errorf("with cases these are not proved: %v", failing)
	}
	for _, change := range [][2]string{
		{"proc[i].ticket < proc[j].ticket)", "proc[i].ticket <= proc[j].ticket)"},
		{"(max (j: procID) proc[j].ticket) + 1", "max (j: procID) proc[j].ticket"},
	} {
		m, x := encoded(t, "testdata/bakery.ftdp", strings.NewReplacer(change[:]...).Replace)
		plain := unproved(t, m, x, "first")
		x.first = bounds{1, 1}
		cases := unproved(t, m, x, "first")
		if !slices.Equal(plain, cases) {
			t.Errorf("%s: not proved: %v, with cases %v", change[1], plain, cases)
		}
	}
}

// unproved lists the questions about a condition that are not proved.
func unproved(t *testing.T, m *protocol.Model, x *Encoding, name string) (failing []string) {
	t.Helper()
	for _, q := range asked(t, m, x, name) {
		a, err := x.Ask(context.Background(), z3.New, q)
		if err != nil {
			t.Fatal(q, err)
		}
		if !a.Proved {
			failing = append(failing, q.String())
		}
	}
	return failing
}

// asked lists the questions about conditions, with all of the text known.
func asked(t *testing.T, m *protocol.Model, x *Encoding, names ...string) (list []*Question) {
	t.Helper()
	var known []Condition
	for _, p := range append(slices.Clone(m.Props), m.Lemmas...) {
		known = append(known, Condition{Name: p.Name, Term: p.Invariant})
	}
	for _, c := range known {
		if !slices.Contains(names, c.Name) {
			continue
		}
		more, err := x.Questions(known, c)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, more...)
	}
	return list
}

// TestPaxos proves Paxos for every size, with the lemmas of its text. Without one of those about quorums, and
// with quorums that need not meet, it does not.
func TestPaxos(t *testing.T) {
	need.Usual(t, "a text with fifteen lemmas")
	m, x := encoded(t, "testdata/paxos.ftdp", nil)
	if need.Every(t, 2) == 1 { // package induct proves it, too
		if failing, _ := refuted(t, m, x); len(failing) > 0 {
			t.Errorf("not proved: %v", failing)
		}
	}
	for _, c := range [][3]string{ // what is changed, and the condition that is not kept then
		{"quorum[n / 2 + 1]", "quorum[(n + 1) / 2]", "learnt is kept by learn"},
		{"msg.no >= acceptor[i].promised then", "true then", "promisedAfter is kept by accept"},
		{"max (q: Q) msg[q].val by msg[q].prev", "min (q: Q) msg[q].val by msg[q].prev", "choosable is kept by propose"},
	} {
		m, x := encoded(t, "testdata/paxos.ftdp", strings.NewReplacer(c[:2]...).Replace)
		name, _, _ := strings.Cut(c[2], " ")
		asked := slices.DeleteFunc(asked(t, m, x, name), func(q *Question) bool { return q.String() != c[2] })
		if len(asked) != 1 {
			t.Fatalf("%s: %d questions", c[2], len(asked))
		}
		ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
		a, err := x.Ask(ctx, z3.New, asked[0])
		stop()
		if err != nil {
			t.Fatal(err)
		}
		if a.Proved {
			t.Errorf("with %s, %s is proved", c[1], c[2])
		}
	}
}

// TestByHand proves protocols with the lemmas of their texts, and does not prove what is broken.
func TestByHand(t *testing.T) {
	need.Usual(t, "a lock server and echo multicast, right and broken")
	for _, c := range [][3]string{ // a file, and what breaks it
		{"lock", "if no = server[s].last then", "if true then"},
		{"echo", "(n + t) / 2 + 1", "(n + t) / 2"},
	} {
		m, x := encoded(t, "testdata/"+c[0]+".ftdp", nil)
		if failing, _ := refuted(t, m, x); len(failing) > 0 {
			t.Errorf("%s: %v", c[0], failing)
		}
		m, x = encoded(t, "testdata/"+c[0]+".ftdp", strings.NewReplacer(c[1], c[2]).Replace)
		if failing := unproved(t, m, x, m.Props[0].Name); len(failing) == 0 {
			if failing, _ = refuted(t, m, x); len(failing) == 0 {
				t.Errorf("%s with %s is proved", c[0], c[2])
			}
		}
	}
}
