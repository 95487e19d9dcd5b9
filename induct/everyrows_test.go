package induct

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

const everySizeTexts = "../protocol/everysize/testdata/"

// sizesRow is what is expected of a text for every size: the invariant that holds, the lemmas of the text that are given for
// that, and mistakes that violate it.
type sizesRow struct {
	File   string
	Zoo    bool // it is one of the examples, which assume nothing
	Holds  string
	Given  []string
	Broken []benchmarks.Mistaken
}

func sizesRows(t *testing.T) (list []sizesRow) {
	t.Helper()
	data, err := os.ReadFile(everySizeTexts + "expected.json")
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (row *sizesRow) text(t *testing.T) string {
	t.Helper()
	folder := everySizeTexts
	if row.Zoo {
		folder = "../benchmarks/protocols/"
	}
	text, err := os.ReadFile(folder + row.File + ".ftdp")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (row *sizesRow) read(t *testing.T, text string) (*protocol.Model, *protocol.Prop) {
	t.Helper()
	m, err := instantiate.Read(row.File+".ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := unassumed(m, nil); a != nil {
		if m, err = a.model(); err != nil {
			t.Fatal(err)
		}
	}
	p := m.Lookup(row.Holds)
	if p == nil {
		t.Fatalf("%s has no %s", row.File, row.Holds)
	}
	return m, p
}

// TestBrokenForSizes has mistakes in all texts that are proved for every size: with the lemmas of the text, nothing of them is
// proved; and an instance violates the invariant, by a run that the interpreter follows.
func TestBrokenForSizes(t *testing.T) {
	k, step := 0, need.Every(t, 4)
	for _, row := range sizesRows(t) {
		text := row.text(t)
		for i := range row.Broken {
			broken := &row.Broken[i]
			if k++; k%step != 0 {
				continue
			}
			changed, err := broken.In(text)
			if err != nil {
				t.Fatal(row.File, err)
			}
			m, p := row.read(t, changed)
			r, err := decidedForSizes(m, p, true)
			if err != nil || r.Verdict == machine.Holds {
				t.Errorf("%s, %s: proved: %v", row.File, broken.Name, err)
			}
			r, err = EverySize(context.Background(), m, p, Options{Solver: z3.New, Plain: true})
			switch {
			case err != nil:
				t.Errorf("%s, %s: %v", row.File, broken.Name, err)
			case r.Verdict != machine.Violated || r.Run == nil:
				t.Errorf("%s, %s: %v", row.File, broken.Name, r.Verdict)
			case r.Run.Check() != nil:
				t.Errorf("%s, %s: %v", row.File, broken.Name, r.Run.Check())
			}
		}
	}
}

// TestEverySizeIsExplored explores instances of all sizes up to 4 of what holds for every size: each of them to its end if it has few
// states.
func TestEverySizeIsExplored(t *testing.T) {
	states := int64(need.Cases(t, 1000))
	for _, row := range sizesRows(t) {
		m, _ := row.read(t, row.text(t))
		q := &everySearch{m: m, r: &ForSizes{Sizes: m.Free()}}
		explored := 0
		for set := range q.assignments() {
			sized, err := instantiate.Model(m.Source, set)
			if err != nil {
				continue // the text means nothing for these
			}
			list, err := machine.Check(context.Background(), sized, []*protocol.Prop{sized.Lookup(row.Holds)},
				machine.Options{Bounds: explore.Bounds{Jobs: 1, States: states}})
			if err != nil {
				t.Fatalf("%s with %v: %v", row.File, set, err)
			}
			if list[0].Verdict == machine.Violated {
				t.Errorf("%s is violated with %v", row.Holds, set)
			}
			explored++
		}
		if explored < min(2, 1+len(q.r.Sizes)) {
			t.Errorf("%s: %d instances", row.File, explored)
		}
	}
}
