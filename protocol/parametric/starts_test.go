package parametric

import (
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// TestStartsBounded: numbers of processes with each value are tried until a bound, however many there are.
func TestStartsBounded(t *testing.T) {
	f, err := ftdp.Parse("odd.ftdp", `protocol odd; parameters n; messages M;
process node[n]
  input a, b, c, d, e: bool;
  tell: if a then send M; endif
end
init 2 * count(a) = 2 * count(b) + 1, count(c and d) >= 1, count(e and a) >= 1;
invariant u: all(a);`)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Of(f)
	if err != nil {
		t.Fatal(err)
	}
	const most = 100
	if ok, tried := s.startable(map[string]int64{"n": 20}, most); ok || tried != most+1 {
		t.Errorf("there is a start: %v, after %d tries of %d", ok, tried, most)
	}
	if ok, _ := s.Admissible(map[string]int64{"n": 1}); ok {
		t.Error("one process begins with half a process more in a than in b")
	}
}
