package threshold

import (
	"context"
	"testing"
)

// TestCrashes: what is violated because processes are gone is found by counting, and what is so whoever is gone is not.
func TestCrashes(t *testing.T) {
	s := source(t, `protocol gone;
parameters n, t, f;
assume n > 2 * t, t >= f, f >= 0;
faults crash f;
messages M;
process node[n]
  input v: bool;
  local sent: bool;
  tell: if not sent then send M; sent := true; endif
end
invariant alive: all(not crashed);
invariant asked: all(not v or not crashed);
invariant some_on: some(not crashed);
invariant most: count(sent or not sent) >= n;
invariant few: count(crashed) <= f;
`)
	names := []string{"alive", "asked", "some_on", "most", "few"}
	found, err := SearchCounters(context.Background(), s, map[string]int64{"n": 3, "t": 1, "f": 1}, names, 10_000)
	if err != nil || !found.Complete || len(found.Asked) != len(names) {
		t.Fatal(found, err)
	}
	for _, name := range names {
		if want := name == "alive" || name == "asked" || name == "most"; want != (found.Runs[name] != nil) {
			t.Errorf("%s: violated %v", name, !want)
		}
		one, err := SearchCounters(context.Background(), s, map[string]int64{"n": 3, "t": 1, "f": 1}, []string{name}, 10_000)
		if err != nil || (one.Runs[name] != nil) != (found.Runs[name] != nil) {
			t.Errorf("%s alone: %v, and not %v: %v", name, one.Runs[name] != nil, found.Runs[name] != nil, err)
		}
	}
}
