package threshold

import (
	"context"
	"errors"
	"testing"

	"github.com/tacheck/tacheck/counter"
)

// TestDivided: no process of five can hear four messages of three kinds, and no more than a third of five of each; of four,
// a process can hear three. The automaton for all sizes says less, as if there were fractions of messages; that of an
// instance does not.
func TestDivided(t *testing.T) {
	const text = `protocol thirds;
parameters n, t, f;
assume n > 3 * t, t >= f, t >= 1;
faults clean f;
messages A, B, C;
process p[n]
  input c: enum {X, Y, Z};
  local s: enum {NEW, SAID, NONE};
  a: if s = NEW and c = X then send A; s := SAID; endif
  b: if s = NEW and c = Y then send B; s := SAID; endif
  c: if s = NEW and c = Z then send C; s := SAID; endif
  none: if s = SAID and heard(A) + heard(B) + heard(C) >= n - t and not (heard(A) > n / 3) and 3 * heard(B) <= n and not (heard(C) > n / 3) then s := NONE; endif
end
invariant never: all(s != NONE);
`
	ctx := context.Background()
	s := source(t, text)
	all, err := Translate(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	u, err := translate(ctx, s, how{blocked: only(t, "n == 5")})
	if err != nil {
		t.Fatal(err)
	}
	first, err := never(u.Tree(), "")
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	var none *counter.NoRun
	for n := int64(4); n <= 9; n++ {
		want := 3*(n/3) >= n-1
		run, err := all.fixed(ctx, map[string]int64{"n": n, "t": 1, "f": 0}, "never", never)
		if err != nil && !errors.As(err, &none) {
			t.Fatal(err)
		}
		if (run != nil) != want {
			t.Errorf("n = %d: %v, %v", n, run, err)
		}
	}
	run, err := all.Refute(ctx, first, "never", never, false)
	if err != nil || run.Model.Processes() != 4 {
		t.Errorf("%v, %v", run, err)
	}
}

// TestCountedTogether: of many values, liars send one of those that are counted together.
func TestCountedTogether(t *testing.T) {
	const text = `protocol six;
parameters n, t, f;
assume n > 3 * t, t >= f, t >= 1;
faults byzantine f;
messages V(0..5);
process p[n]
  local sent, bad: bool;
  tell: if not sent then send V(5); sent := true; endif
  two: if sent and heard(V(0)) + heard(V(1)) >= t + 1 then bad := true; endif
end
invariant never: all(not bad);
`
	u, err := Translate(context.Background(), source(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if run, err := never(u.Tree(), ""); err != nil || run != nil {
		t.Errorf("%v, %v", run, err)
	}
}
