package model_test

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
)

// TestUnread: of a text whose automaton takes too long, small instances are looked at, of whatever kind it is.
func TestUnread(t *testing.T) {
	for file, text := range map[string]string{
		"a.pml": `symbolic int N; assume(N >= 2);
active[N] proctype P() { byte pc; do :: atomic { pc == 0 -> pc = 1 } od }
ltl wrong { [](some(P:pc == 0)) }
ltl right { [](all(P:pc <= 1)) }`,
		"a.ftdp": `protocol p;
parameters n;
assume n >= 2;
messages A;
process p[n]
  local sent: bool;
  go: if not sent then send A; sent := true; endif
end
invariant wrong: some(not sent);
invariant right: count(sent) <= n;`,
		"b.ftdp": `protocol p;
parameters n;
assume n >= 2;
messages A;
process p[n]
  kept local done: bool;
  local sent: bool;
  go: if not sent then send A; sent := true; endif
  over: if sent and heard(A) >= 1 then done := true; next; endif
end
invariant wrong: some(not done);
invariant right: count(done) <= n;`,
	} {
		m, err := model.Open(context.Background(), file, text, model.Options{Listed: true})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		q, err := model.Unread(m.(model.ForAll), nil, "late")
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Verify(context.Background(), model.Verifying{}, func(r *model.Result) error {
			want, why := verdict.Violated, ""
			if r.Spec == "right" {
				want, why = verdict.Unknown, "late"
			}
			if r.Verdict != want || r.Reason != why || (r.Counterexample == nil) != (want == verdict.Unknown) {
				t.Errorf("%s: %s is %s: %s", file, r.Spec, r.Verdict, r.Reason)
			}
			return nil
		}); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
