package rounds

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

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

// TestStuckRuns: the program shows a run in which a process stays in a round for ever, and the run can be played.
func TestStuckRuns(t *testing.T) {
	read := func(name string) string {
		source, err := os.ReadFile(filepath.Join("..", "..", "..", "benchmarks", "rounds", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(source)
	}
	benor, quorums := read("benor_clean.ftdp"), strings.Replace(read("quorums.ftdp"), "ltl termination", "ltl seen", 1)
	halts := strings.NewReplacer("decided := ZERO; next;", "decided := ZERO; step := HALT;", "decided := ONE; next;", "decided := ONE; step := HALT;",
		"PROPOSED};", "PROPOSED, HALT};")
	const violated, unknown = "violated", "unknown"
	properties := "\nltl unseen almost surely unseen: F all(d != NO);\nltl in_order almost surely in order: F all(d != NO);\n" +
		"ltl seen almost surely: F all(d != NO);\n"
	for i, x := range []struct{ source, unseen, inOrder, seen string }{
		{benor, "holds", "holds", unknown},
		{strings.Replace(benor, "heard(REPORT) >= n - t", "heard(REPORT) >= n - t + 1", 1), violated, violated, violated},
		{halts.Replace(benor), violated, unknown, violated}, // nobody begins the second round before all have ended the first
		{quorums, "", "", "holds"},
		{strings.Replace(quorums, "timeout suspect: if not told", "timeout suspect: if told and not told", 1), "", "", violated},
		{stuck[0] + properties, violated, violated, violated},
		{stuck[1] + properties, violated, violated, violated},
	} {
		if i%min(5, need.Every(t, 1)) > 0 {
			continue
		}
		c := Compare(Program{Path: program, Folder: t.TempDir(), Patience: 60 * time.Second}, 1, x.source, Limits{States: 200, Instances: 1})
		for _, d := range c.Disagreements {
			t.Errorf("%d: %v", i, d)
		}
		for name, want := range map[string]string{"unseen": x.unseen, "in_order": x.inOrder, "seen": x.seen} {
			if got := c.verified[name].Verdict; got != want {
				t.Errorf("%d: %s is %s, want %s: %s", i, name, got, want, c.verified[name].Reason)
			}
		}
		played := 0
		for _, n := range c.Notes {
			if strings.Contains(n, "and stuck") {
				played++
			}
		}
		if x.seen == violated && played == 0 {
			t.Errorf("%d: no run is played: %q", i, c.Notes)
		}
	}
}
