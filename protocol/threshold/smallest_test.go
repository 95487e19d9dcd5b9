package threshold

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// TestRefuteSmallest: a counterexample with too many processes is looked for in the smallest instance first.
func TestRefuteSmallest(t *testing.T) {
	const text = `protocol many;
parameters n, t, f, common_coin1;
assume n > 3 * t, t >= f, t >= 1, common_coin1 <= 1;
faults byzantine f;
messages M;
process p[n]
  input x: bool;
  local s, d: bool;
  say: if x and not s then send M; s := true; endif
  go: if s and heard(M) >= n - t and common_coin1 = 1 then d := true; endif
end
invariant never: all(not d);
`
	ctx := context.Background()
	s := source(t, text)
	s.File.Unrolled(map[string]ftdp.OfRound{"common_coin1": {}})
	asked := 0
	decide := func(tree *syntax.File, _ string) (*ta.Run, error) {
		asked++
		return never(tree, "")
	}
	large, err := translate(ctx, s, how{blocked: only(t, "n >= 40")})
	if err != nil {
		t.Fatal(err)
	}
	first, err := decide(large.Tree(), "")
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	all, err := Translate(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	run, err := all.Refute(ctx, first, "never", decide, false)
	if err != nil {
		t.Fatal(err)
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	small, err := s.Smallest(map[string]int64{"common_coin1": 1})
	if err != nil || small["n"] != 4 || small["common_coin1"] != 1 {
		t.Fatal(small, err)
	}
	for _, k := range run.Model.Constants {
		if want, is := small[k.Name]; is && k.Value != want {
			t.Errorf("%s = %d, not %d", k.Name, k.Value, want)
		}
	}
}
