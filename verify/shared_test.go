package verify

import (
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestSharedGraphs: searches that share the threshold graphs of an automaton come to the expected verdicts in any order, and
// make few graphs.
func TestSharedGraphs(t *testing.T) {
	start, err := SolverFactory(Options{})
	if err != nil {
		t.Fatal(err)
	}
	models, graphs, made := map[string]*ta.Automaton{}, map[string]*cutgraph.Shared{}, 0
	every, files := need.Every(t, 3), 0
	list := benchmarks.Expected()
	for k := range list {
		e := list[len(list)-1-k] // specifications in another order
		a, seen := models[e.File]
		if !seen {
			if files++; files%every == 0 {
				text, _ := benchmarks.Read(e.File)
				a = parse(t, e.File, text)
				graphs[e.File] = cutgraph.Share(a, func() (smt.Solver, error) { made++; return start() })
			}
			models[e.File] = a
		}
		if a == nil {
			continue
		}
		if r := verify(t, a, e.Spec, Options{Graphs: graphs[e.File], NoCount: true}); r.Verdict != e.Verdict {
			t.Errorf("%s: %s %s %s, expected to be %s", e.File, e.Spec, r.Verdict, r.Reason, e.Verdict)
		}
	}
	specs := 0
	for _, e := range list {
		if models[e.File] != nil {
			specs++
		}
	}
	if made == 0 || made >= specs {
		t.Errorf("%d graphs were made for %d specifications", made, specs)
	}
}
