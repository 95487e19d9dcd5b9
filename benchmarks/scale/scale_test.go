package scale_test

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/benchmarks/scale"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// TestVerdicts: small models of every family have the verdicts that they are
// said to have.
func TestVerdicts(t *testing.T) {
	for _, f := range scale.Families {
		for _, size := range f.Sizes[:3] {
			for _, violated := range []bool{false, true} {
				a, err := ta.Parse(f.Name+".ta", f.Model(size, violated))
				if err != nil {
					t.Fatal(err)
				}
				r, err := review.Verify(context.Background(), a, &a.Specs[0], verify.Options{})
				if err != nil {
					t.Fatal(err)
				}
				want := verify.Holds
				if violated {
					want = verify.Violated
				}
				if r.Verdict != want || len(r.Warnings) > 0 {
					t.Errorf("%s of %d: %s %s, want %s; %v", f.Name, size, r.Verdict, r.Reason, want, r.Warnings)
				}
			}
		}
	}
}
