package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/show/chart"
)

const halfway = `protocol halfway;
parameters n, f;
assume n = 4, f = 1;
faults crash f;
messages A;
process node[n]
  local sent, got: bool;
  go: if not sent then send A; sent := true; endif
  take: if heard(A) >= 1 and not got then got := true; endif
end
invariant few: all(not got) or count(crashed) = 0 or count(got) < 2 or some(sent);
`

// TestHalfway: of a message that is sent by a process that crashes while it sends it is told, and drawn, to whom it was sent: to those
// that receive it. While a run still goes on, others may.
func TestHalfway(t *testing.T) {
	r := violating(t, "halfway.ftdp", halfway, nil, "few")
	crash, heard := -1, []int{}
	for k, e := range r.Events[1:] {
		switch r.Model.Origin(e.Rule).Act {
		case protocol.ActCrashIn:
			crash = k + 1
		case protocol.ActMayHear:
			heard = append(heard, interp.Process(r.Model, &r.Model.Rules[e.Rule], r.Model.Rules[e.Rule].Executor, e.Frame))
		}
	}
	if crash < 0 || len(heard) != 2 {
		t.Fatalf("it is not a run in which two hear of one that crashes: %v", story.Told(r).Beats)
	}
	slices.Sort(heard)
	want := "A to " + interp.Names(r.Model, heard) + " only"
	if got := story.Told(r).Events[crash-1].Sends; !slices.Equal(got, []string{want}) {
		t.Errorf("it sends %q, want %q", got, want)
	}
	svg := chart.Draw(story.Told(r)).SVG()
	if strings.Contains(svg, "to all") || strings.Contains(svg, "never received") || !strings.Contains(svg, "only") {
		t.Errorf("the chart says that all were sent something:\n%s", svg)
	}
	on := *r
	on.Property, on.Events, on.States = "", r.Events[:crash+1], r.States[:crash+1]
	if got := story.Told(&on).Events[crash-1].Sends; !slices.Equal(got, []string{"A, which may reach some"}) {
		t.Errorf("before anybody has heard of it, it sends %q", got)
	}
	on.Property = "few"
	if got := story.Told(&on).Events[crash-1].Sends; !slices.Equal(got, []string{"A to no process"}) {
		t.Errorf("if that is all, it sends %q", got)
	}
}
