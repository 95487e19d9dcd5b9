package rounds

import (
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// known is a text in which one of two rules ends each round: who knows the coin takes the one that does not decide.
const known = `protocol known; parameters n; assume n >= 1; faults none; messages A;
process node[n]
  kept local d: bool;
  local c: 0..1;
  zero: if true then coin c after LEAST; if c = 0 then d := true; endif next; endif
  one: if true then coin c after LEAST; if c = 1 then d := true; endif next; endif
end
ltl order almost surely in order: F all(d);
ltl any almost surely: F all(d);
`

// bound is a text in which the value of a round is bound when the first process comes to the coin, and not when the round begins.
const bound = `protocol bound; parameters n, f; assume n > f, f >= 0; faults clean f; messages EST(0..1), W(0..1);
process node[n]
  kept input v: 0..1;
  kept local d: enum {NO, ZERO, ONE};
  local st: 0..3;
  local c: 0..1;
  tell: if st = 0 then send EST(v); st := 1; endif
  say0: if st = 1 and heard(EST(0)) >= 1 and heard(EST(1)) = 0 then send W(0); st := 2; endif
  say1: if st = 1 and heard(EST(1)) >= 1 and heard(EST(0)) = 0 then send W(1); st := 2; endif
  mix0: if st = 1 and heard(EST(0)) >= 1 and heard(EST(1)) >= 1 then send W(0); st := 3; endif
  mix1: if st = 1 and heard(EST(0)) >= 1 and heard(EST(1)) >= 1 then send W(1); st := 3; endif
  finish: if st >= 2 and arrived(W) then
    if heard(W(1)) = 0 and st = 2 then coin c after LEAST; v := 0; if c = 0 and d = NO then d := ZERO; endif next;
    elsif heard(W(0)) = 0 and st = 2 then coin c after LEAST; v := 1; if c = 1 and d = NO then d := ONE; endif next;
    else coin c after LEAST; v := c; next; endif
  endif
end
ltl order almost surely in order: F all(d != NO);
`

// TestKnown: what adversaries can do depends on whether they know a coin when its round begins; the program knows that, too.
func TestKnown(t *testing.T) {
	for _, x := range []struct {
		source, least string
		parameters    []int
		want          Strategy
	}{{known, "n - 1", []int{1}, Forever}, {known, "n", []int{1}, ""}, {bound, "0", []int{2, 0}, Forever}, {bound, "1", []int{2, 0}, ""}} {
		source := strings.ReplaceAll(x.source, "LEAST", x.least)
		text, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range text.Properties {
			strategy, complete := NewInstance(text, x.parameters, 1, p.Class, "").Adversary(p, 20000)
			if strategy != x.want || !complete {
				t.Errorf("%s, %s, after %s: %q, complete: %v; want %q", text.Name, p.Name, x.least, strategy, complete, x.want)
			}
		}
		if text.Name != "bound" || x.want == "" && need.Every(t, 1) > 1 {
			continue
		}
		p := Program{Path: program, Folder: t.TempDir(), Patience: 60 * time.Second}
		for _, d := range Compare(p, 1, source, Limits{States: 5000, Instances: 2}).Disagreements {
			t.Errorf("%s, after %s: %v", text.Name, x.least, d)
		}
	}
}

// TestKnownCampaign compares the program with the reference where random texts say that no process, or as many as may crash, have to come to a
// coin before it is known.
func TestKnownCampaign(t *testing.T) {
	need.Usual(t, "each text of many rounds")
	p := Program{Path: program, Folder: t.TempDir(), Patience: 15 * time.Second, Processor: 6}
	cases := need.Cases(t, 1)
	for s := uint64(need.Seed(t, 1)); cases > 0; s++ {
		source := Generate(s)
		text, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(source, " after ")
		if at < 0 || strings.Count(source, "coin") == 0 || strings.Contains(source, "rounds:") || text.Faults == "omission" {
			continue
		}
		least, _, _ := strings.Cut(source[at:], ";")
		for _, other := range []string{" after 0", " after f"} {
			if other == " after f" && !strings.Contains(source, "parameters n, t, f") {
				continue
			}
			c := Compare(p, s, strings.ReplaceAll(source, least+";", other+";"), Usual)
			t.Logf("seed %d,%s: %s", s, other, strings.Join(c.Verdicts(), ", "))
			for _, d := range c.Disagreements {
				t.Errorf("seed %d,%s: %v", s, other, d)
			}
		}
		cases--
	}
}
