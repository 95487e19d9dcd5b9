package trace

import (
	"testing"

	"github.com/tacheck/tacheck/testkit/mistake"
)

// TestMistakes: deliberate mistakes about the order of events are noticed.
func TestMistakes(t *testing.T) {
	mistake.Noticed(t, []mistake.Mistake{
		{Name: "intervals that have one moment in common are apart", Test: "TestRandom", Seed: 1, Cases: 100,
			Edits: mistake.At("order.go", "th.events[p.at[t]].began <= first",
				"(th.events[p.at[t]].began < first || !MISTAKE && th.events[p.at[t]].began == first)")},
		{Name: "what was over before may be after", Test: "TestRandom", Seed: 3019, Cases: 200,
			Edits: mistake.At("clock.go", "e.ended < t.until[i]", "!MISTAKE && e.ended < t.until[i]")},
		{Name: "what has no end has happened", Test: "TestRandom", Seed: 3, Cases: 100,
			Edits: mistake.At("clock.go", "return e.ended == never || e.Loose", "return e.ended == never && !MISTAKE || e.Loose")},
		{Name: "events of a process that overlap are in order", Test: "TestRandom", Seed: 203, Cases: 200,
			Edits: mistake.At("clock.go", "t.events[len(t.events)-1].ended < e.began",
				"(MISTAKE || t.events[len(t.events)-1].ended < e.began)")},
		{Name: "a process that moves in several threads moves in one", Test: "TestOrders",
			Edits: mistake.At("order.go", "len(o.of[me]) > 1", "(!MISTAKE && len(o.of[me]) > 1)")},
		{Name: "what is left out of a log has not happened", Test: "TestRandom", Seed: 8, Cases: 100,
			Edits: mistake.At("order.go", "e.Loose && seen(e.cases)", "e.Loose && (MISTAKE || seen(e.cases))")},
	}...)
}
