package suite

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestField: faults of real programs violate what their reports say, by runs as short; repaired, every property holds.
func TestField(t *testing.T) {
	faults, page := benchmarks.Faults(), ""
	if text, err := os.ReadFile("../../docs/field.md"); err != nil {
		t.Error(err)
	} else {
		page = string(text)
	}
	if len(faults) != len(benchmarks.Field()) {
		t.Errorf("%d texts, and something is expected of %d", len(benchmarks.Field()), len(faults))
	}
	for _, f := range faults {
		t.Run(strings.TrimSuffix(f.File, ".ftdp"), func(t *testing.T) {
			steps := map[string]int{}
			want := map[string]verdict.Verdict{}
			for _, b := range f.Violated {
				want[b.Property], steps[b.Property] = verdict.Violated, b.Steps
			}
			for _, name := range f.Holds {
				want[name] = verdict.Holds
			}
			results := checkField(t, f.File, nil)
			for name, r := range results {
				switch {
				case r.Verdict != want[name]:
					t.Errorf("%s: %s %s, not %q", name, r.Verdict, r.Reason, want[name])
				case r.Verdict == verdict.Violated && steps[name] > 0 && r.Depth != steps[name]:
					t.Errorf("%s: violated after %d steps, not %d", name, r.Depth, steps[name])
				}
			}
			if len(results) != len(want) {
				t.Errorf("%d properties, and something is expected of %d", len(results), len(want))
			}
			for name, r := range checkField(t, f.File, map[string]int64{"repaired": 1}) {
				if r.Verdict != verdict.Holds {
					t.Errorf("%s, repaired: %s %s", name, r.Verdict, r.Reason)
				}
			}
			for _, e := range f.More {
				if r := checkField(t, f.File, e.Set)[e.Property]; r == nil || r.Verdict != e.Verdict {
					t.Errorf("%s with %v: not %s", e.Property, e.Set, e.Verdict)
				}
			}
			if text, _ := benchmarks.Read("field/" + f.File); strings.Count(text, "\n") > 60 {
				t.Errorf("%d lines, and 60 are read", strings.Count(text, "\n"))
			}
			for _, part := range []string{"## " + f.Title, f.Source, f.What, f.Repair, "field/" + f.File, f.Every.Says()} {
				if !strings.Contains(page, part) {
					t.Errorf("docs/field.md has no %q", part)
				}
			}
		})
	}
}

// TestFieldEverySize: what the gallery says to be proved for every size is, and with the fault it is violated.
func TestFieldEverySize(t *testing.T) {
	for _, f := range benchmarks.Faults() {
		if len(f.Every.Proved) == 0 {
			continue
		}
		t.Run(strings.TrimSuffix(f.File, ".ftdp"), func(t *testing.T) {
			for _, b := range f.Violated {
				if r := everySize(t, f, b.Property, 0); r.Verdict != verdict.Violated {
					t.Errorf("%s: %s %s, not violated", b.Property, r.Verdict, r.Reason)
				}
			}
			if f.File != "vote_erased.ftdp" && f.File != "half_a_vote.ftdp" {
				need.Usual(t, "proofs that take longer")
			}
			for _, name := range f.Every.Proved {
				if r := everySize(t, f, name, 1); r.Verdict != verdict.Holds {
					t.Errorf("%s, repaired: %s %s", name, r.Verdict, r.Reason)
				}
			}
		})
	}
}

// everySize decides a property of a fault's text for every size, with its lemmas.
func everySize(t *testing.T, f benchmarks.Fault, property string, repaired int64) *induct.ForSizes {
	t.Helper()
	text, _ := benchmarks.Read("field/" + f.File)
	m, err := instantiate.Read(f.File, text, map[string]int64{"repaired": repaired})
	if err != nil {
		t.Fatal(err)
	}
	o := induct.Options{Solver: z3.New}
	for _, text := range f.Every.Lemmas {
		l, err := induct.ReadLemma(text)
		if err != nil {
			t.Fatal(err)
		}
		o.Lemmas = append(o.Lemmas, l)
	}
	r, err := induct.EverySize(context.Background(), m, m.Lookup(property), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkField decides all properties of a fault's text.
func checkField(t *testing.T, file string, set map[string]int64) map[string]*machine.Result {
	t.Helper()
	text, ok := benchmarks.Read("field/" + file)
	if !ok {
		t.Fatal(file)
	}
	m, err := instantiate.Read(file, text, set)
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]*machine.Result{}
	var props []*protocol.Prop
	for i := range m.Props {
		props = append(props, &m.Props[i])
	}
	list, err := machine.Check(context.Background(), m, props, machine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range list {
		results[m.Props[i].Name] = r
	}
	return results
}

// TestFigures: the paper's Paxos, as its figures have it, is right with one proposal a leader. With two it chooses two values,
// with each repair alone, too.
func TestFigures(t *testing.T) {
	text, _ := benchmarks.Read("paxos_figures.ftdp")
	for _, set := range []map[string]int64{{}, {"raises": 1}, {"compares": 1}} {
		if set["compares"] == 1 {
			need.Usual(t, "the repair that takes a longer run")
		}
		set["L"] = 2
		m, err := instantiate.Read("paxos_figures.ftdp", text, set)
		if err != nil {
			t.Fatal(err)
		}
		p := m.Lookup("once")
		s := machine.Swarm{Searches: 4, States: 1 << 20, Jobs: 1, Each: func() error { return nil },
			Fly: func(ctx context.Context, f explore.RandomSearch) (*explore.RandomResult, *interp.Run, error) {
				return machine.RandomSearch(ctx, m, []*protocol.Prop{p}, f, machine.Options{})
			}}
		r, err := s.Find(context.Background(), m, p, machine.Options{})
		if err != nil || r.Verdict != verdict.Violated {
			t.Errorf("%v: %v %v, not violated", set, r, err)
			continue
		}
		if err := r.Run.Check(); err != nil {
			t.Errorf("%v: %v", set, err)
		}
	}
}
