package rounds

import "testing"

// stuck are texts in which a correct process may never end a round: it has a value with which none can, or stops inside of one.
var stuck = []string{`protocol stuck; parameters n; assume n >= 2; faults none; messages VOTE;
process node[n]
  kept local v: 0..1 = 0;
  kept local d: enum {NO, D0};
  away: if v = 1 then v := 0; next; endif
  win: if v = 1 then d := D0; next; endif
end`, `protocol stops; parameters n; assume n >= 2; faults none; messages VOTE;
process node[n]
  kept local d: enum {NO, D0};
  local dead: bool;
  local c: 0..1;
  maybe die: if not dead then dead := true; endif
  go: if not dead then coin c; if c = 0 then d := D0; endif next; endif
end`}

// TestStuck: who can never end a round, though correct, keeps all from coming to the goal.
func TestStuck(t *testing.T) {
	for i, source := range stuck {
		text, err := Parse(source + `
ltl unseen almost surely unseen: F all(d != NO);
ltl seen almost surely: F all(d != NO);
ltl last eventually good: F all(d != NO);`)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range text.Properties {
			in := NewInstance(text, []int{2}, 1, p.Class, "")
			if strategy, complete := in.Adversary(p, 1000); strategy != Stuck && !(i == 1 && p.Class == good && strategy == Forever) || !complete {
				t.Errorf("%s, %s: %q", text.Name, p.Name, strategy)
			}
		}
	}
}
