package synth

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// TestAhead: what is found does not depend on how many questions are decided at
// once, though more of them are.
func TestAhead(t *testing.T) {
	outline := func(f *Found) (text string) {
		for _, s := range f.Solutions {
			text += fmt.Sprintln(s.Values, s.Warnings, s.Idle)
		}
		for _, r := range f.Refutations {
			text += fmt.Sprintln(r, r.Values)
		}
		return text + fmt.Sprintln(f.Complete, f.Vacuous, f.Verified)
	}
	every := need.Every(t, 2)
	for i, c := range small[:4] {
		if i%every > 0 {
			continue
		}
		var want string
		var least int32
		for _, ahead := range []int{0, 2, 5} {
			x := template(t, c.file, c.old, c.new, c.unknowns, c.bounds)
			var asked atomic.Int32
			found, err := x.Search(context.Background(), Options{Vacuous: true, Ahead: ahead,
				Decide: func(ctx context.Context, _ *ta.Automaton, text func() string, spec string, o verify.Options) (*verify.Result, error) {
					asked.Add(1)
					a, err := ta.Parse(c.file, text()) // as a worker would
					if err != nil {
						return nil, err
					}
					return verify.Decide(ctx, a, a.SpecNamed(spec), o)
				}})
			if err != nil {
				t.Fatal(err)
			}
			got := outline(found)
			if ahead == 0 {
				want, least = got, asked.Load()
			}
			if got != want || asked.Load() < least {
				t.Errorf("%s %s, %d at once: %s\nwant %s", c.file, c.new, ahead, got, want)
			}
		}
	}
	text, _ := benchmarks.Read("rb.ta")
	var want string
	for _, ahead := range []int{0, 4} {
		x, err := NewCondition("rb.ta", parsed(t, text), "n > a*t + b*f + c", 4)
		if err != nil {
			t.Fatal(err)
		}
		r, err := x.Find(context.Background(), Options{Ahead: ahead})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintln(r.Sentence(), r.Verified, r.Refutations)
		if ahead == 0 {
			want = got
		}
		if got != want {
			t.Errorf("%d at once: %s, want %s", ahead, got, want)
		}
	}
}
