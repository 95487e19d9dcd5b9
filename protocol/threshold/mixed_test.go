package threshold

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

const compares = `protocol compares;
parameters n, f;
assume n = %d, f = 1;
faults crash f;
messages M(0..1);
process node[n]
  input v: 0..1;
  local s: enum {BEGIN, SENT, ZERO, ONE};
  tell: if s = BEGIN then send M(v); s := SENT; endif
  zero: if s = SENT and arrived(M) and %[2]d * heard(M(0)) >= %[3]d * heard(M(1)) + %[4]d then s := ZERO; endif
  one: if s = SENT and arrived(M) and %[2]d * heard(M(1)) >= %[3]d * heard(M(0)) + %[4]d then s := ONE; endif
end
invariant never: all(s != ZERO) or all(s != ONE);
`

// both reports whether, of n processes one of which may crash while it sends, one may see enough zeros and another
// enough ones.
func both(n, a, b, k int64) bool {
	for zeros := range n {
		ones := n - 1 - zeros // and another one, of whom some have heard
		for more := range int64(2) {
			if a*(zeros+more) >= b*ones+k && a*ones >= b*zeros+k || a*zeros >= b*ones+k && a*(ones+more) >= b*zeros+k {
				return true
			}
			if a*(zeros+more) >= b*ones+k && a*ones >= b*(zeros+more)+k || a*zeros >= b*(ones+more)+k &&
				a*(ones+more) >= b*zeros+k {
				return true
			}
		}
	}
	return false
}

// TestMixed: where a guard can become true and false again, the automaton of an instance says what the text does; the
// one for all sizes may say less.
func TestMixed(t *testing.T) {
	decide := func(text string, processes int64) verify.Verdict {
		u, err := translate(context.Background(), source(t, text), how{processes: processes})
		if err != nil {
			t.Fatal(err)
		}
		a, err := ta.Resolve("compares.ftdp", u.Tree())
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Decide(context.Background(), a, a.SpecNamed("never"), verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Verdict
	}
	random := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 0))
	for range need.Cases(t, 6) {
		n, a, b, k := int64(3+random.IntN(2)), 1+random.Int64N(3), 1+random.Int64N(3), random.Int64N(4)-2
		want := verify.Holds
		if both(n, a, b, k) {
			want = verify.Violated
		}
		text := fmt.Sprintf(compares, n, a, b, k)
		if got := decide(text, n); got != want {
			t.Errorf("the instance is %s, and not %s:\n%s", got, want, text)
		}
		if got := decide(text, 0); got != want && want == verify.Violated {
			t.Errorf("for all sizes it is %s, and not %s:\n%s", got, want, text)
		}
	}
	// when all has arrived, what was sent of one value says what was of others
	for _, processes := range []int64{0, 3} {
		if got := decide(fmt.Sprintf(compares, 3, 1, 3, 1), processes); got != verify.Holds {
			t.Errorf("with %d processes it is %s", processes, got)
		}
	}
}

const fairly = `protocol fairly;
parameters n;
assume n = %d;
messages M(0..1);
process node[n]
  input v: 0..1;
  local sent, d: bool;
  tell: if not sent then send M(v); sent := true; endif
  go: if not d and %d * heard(M(0)) + %d >= %d * heard(M(1)) then d := true; endif
end
ltl done fair: count(v = 0) = %d -> F all(d);
`

// TestMixedFairness: at last, when all has arrived, what was sent of two values is held against each other as it is.
func TestMixedFairness(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 1))
	verdicts := map[verify.Verdict]int{}
	for range need.Cases(t, 30) {
		n, a, b, k := 2+random.Int64N(4), 1+random.Int64N(3), 1+random.Int64N(3), random.Int64N(3)
		zeros := random.Int64N(n + 1)
		text := fmt.Sprintf(fairly, n, a, k, b, zeros)
		u, err := Translate(context.Background(), source(t, text))
		if err != nil {
			t.Fatal(err)
		}
		aut, err := ta.Resolve("fairly.ftdp", u.Tree())
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Decide(context.Background(), aut, aut.SpecNamed("done"), verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]verify.Verdict{true: verify.Holds, false: verify.Violated}[a*zeros+k >= b*(n-zeros)]
		if verdicts[want]++; r.Verdict != want {
			t.Errorf("it is %s, and not %s:\n%s", r.Verdict, want, text)
		}
	}
	if len(verdicts) < 2 {
		t.Errorf("only %v", verdicts)
	}
}
