package protocol_test

import (
	"os"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
)

func read(t testing.TB, name string, set map[string]int64) *protocol.Model {
	t.Helper()
	text, err := os.ReadFile("../benchmarks/protocols/" + name + ".ftdp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read(name+".ftdp", string(text), set)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// reachable counts the states of an interpreter.
func reachable(t testing.TB, x *interp.Interpreter, limit int) int {
	t.Helper()
	list, err := x.Initial()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range list {
		seen[s.State.Key()] = true
	}
	for len(list) > 0 && len(seen) < limit {
		next, err := x.Successors(list[0].State)
		if err != nil {
			t.Fatal(err)
		}
		list = list[1:]
		for _, s := range next {
			if key := s.State.Key(); !seen[key] {
				seen[key] = true
				list = append(list, s)
			}
		}
	}
	return len(seen)
}

func TestPublished(t *testing.T) {
	if n := reachable(t, &interp.Interpreter{Model: read(t, "om1", nil)}, 1e6); n != 1797 {
		t.Errorf("OM(1) with 3 lieutenants has %d states, published are 1,797", n)
	}
}
