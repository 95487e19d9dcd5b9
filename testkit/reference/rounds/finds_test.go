package rounds

import "testing"

// TestStuck: who can never end a round, though correct, keeps all from coming to the goal, whatever borders there are.
func TestStuck(t *testing.T) {
	text, err := Parse(`protocol stuck; parameters n; assume n >= 2; faults none; messages VOTE;
process node[n]
  kept local v: 0..1 = 0;
  kept local d: enum {NO, D0};
  away: if v = 1 then v := 0; next; endif
  win: if v = 1 then d := D0; next; endif
end
ltl unseen almost surely unseen: F all(d != NO);
ltl seen almost surely: F all(d != NO);
ltl last eventually good: F all(d != NO);`)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range text.Properties {
		if strategy, complete := NewInstance(text, []int{2}, 1, p.Class, "").Adversary(p, 1000); strategy != Stuck || !complete {
			t.Errorf("%s: %q", p.Name, strategy)
		}
	}
}
