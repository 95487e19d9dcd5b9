package chart

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/run"
)

// odd is a run whose names are such as notations have for themselves.
func odd() *run.Run {
	lanes := []run.Lane{{Name: `a;b#c"<d>`}, {Name: "end", Start: []string{"x=1; //y"}, End: []string{"**z**"}}}
	return &run.Run{Name: "m", With: "n = 2", Formula: `[](x < 2 -> "y")`, Lanes: lanes, Loop: 2, Facts: run.Facts{Spec: "s", Repeats: 1},
		Wrong: []run.Reason{{Kind: run.Broken, Text: "s: x = 3", Step: 2}, {Kind: run.Waiting, Text: "waiting: a", Step: 3}},
		Events: []run.Event{
			{Lane: 0, Name: "go;", Sends: []string{"M#1 to end"}},
			{Lane: 1, Name: "get", Changes: []string{"x becomes 3"}, Ends: true, Arrows: []run.Arrow{{From: 0, To: 1, Label: []string{"M#1"}, Sent: 1}}},
			{Lane: -1, Arrows: []run.Arrow{{From: 1, To: 0, Label: []string{"N", "is lost"}, Lost: true}}},
		}}
}

// TestText: sequence diagrams as text have each line in the notation, all that is drawn, and what breaks the property.
func TestText(t *testing.T) {
	lines := map[string]*regexp.Regexp{
		".mmd":  regexp.MustCompile(`^(---|title: "[^"]*"|sequenceDiagram|  participant p\d as (?:#\w+;|[^;"<>])+|  Note over p\d(,p\d)?: .+|  p\d(->>|--x)p\d: .+|  loop .+|  rect rgba\(.*\)|  end)$`),
		".puml": regexp.MustCompile(`^(@startuml|@enduml|title .+|participant "[^"]*" as p\d|note (over p\d(,p\d)?|across #\w+) : .+|p\d (->|-->x) p\d : .+|group .+|end|destroy p\d)$`),
	}
	list := []*run.Run{odd()}
	for _, r := range runs(t) {
		list = append(list, told(r))
	}
	for ending, line := range lines {
		for _, r := range list {
			text := notations[ending].text(r)
			for part := range strings.Lines(text) {
				if !line.MatchString(strings.TrimSuffix(part, "\n")) {
					t.Errorf("%s of %s: %q is no line of it", ending, r.Name, part)
				}
			}
			for k, e := range r.Events {
				if (len(e.Arrows) > 0 || len(content(&e)) > 0) && !strings.Contains(text, fmt.Sprintf(": %d. ", k+1)) {
					t.Errorf("%s of %s: step %d is not in it", ending, r.Name, k+1)
				}
			}
			if r.Loop >= 0 && !strings.Contains(text, repeated(r)) || r.Loop < 0 && strings.Contains(text, again) {
				t.Errorf("%s of %s: what repeats is not said, or what does not is", ending, r.Name)
			}
		}
	}
	if text := notations[".mmd"].text(odd()); strings.Index(text, "3. N") < strings.Index(text, "✗ s: x = 3") {
		t.Errorf("what breaks comes after the step behind it:\n%s", text)
	}
}

// TestSent: an arrow goes from where a message is sent to where it is received; what breaks the property is marked behind that step.
func TestSent(t *testing.T) {
	c := Draw(odd())
	at := slices.IndexFunc(c.Marks, func(m Mark) bool { return m.Kind == segment && m.Class == message })
	wrong := slices.IndexFunc(c.Marks, func(m Mark) bool { return m.Kind == box && m.Class == wrong })
	box := c.Marks[slices.IndexFunc(c.Marks, func(m Mark) bool { return m.Class == action && m.Step == 1 })]
	out, down, tip := c.Marks[at], c.Marks[at+1], c.Marks[at+2]
	if out.X != box.X && out.X != box.X2 || out.Y <= box.Y || out.Y >= box.Y2 || out.Y2 != out.Y || down.X2 != down.X ||
		[2]float64{down.X, down.Y} != [2]float64{out.X2, out.Y2} || tip.Y2 != tip.Y || out.Tip || down.Tip || !tip.Tip ||
		[2]float64{tip.X, tip.Y} != [2]float64{down.X2, down.Y2} {
		t.Errorf("the arrow %+v, %+v, %+v does not leave the box %+v at a side, go down and arrive level", out, down, tip, box)
	}
	if !slices.ContainsFunc(c.Marks, func(m Mark) bool { return m.Kind == text && m.Class == why && m.Step == 3 }) {
		t.Error("it is not said who waits")
	}
	if wrong < 0 || c.Marks[wrong].Step != 2 {
		t.Error("what breaks the property is not marked at step 2")
	}
	half, ok := clip(down, part{from: 0, to: (down.Y + down.Y2) / 2})
	if !ok || half.Tip || half.X2 != down.X || half.Y2 != (down.Y+down.Y2)/2 {
		t.Errorf("half of the arrow is %+v", half)
	}
}
