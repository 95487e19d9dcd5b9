package chart

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/run"
)

// runs returns a run to a violation of each property of the embedded protocols that has one.
func runs(t *testing.T) map[string]*interp.Run {
	t.Helper()
	if all == nil {
		all = search(t)
	}
	return all
}

var all map[string]*interp.Run

func search(t *testing.T) map[string]*interp.Run {
	t.Helper()
	out := map[string]*interp.Run{}
	for _, name := range append(benchmarks.Protocols(), small...) {
		text, ok := benchmarks.Read(name)
		if !ok {
			text, ok = texts[name], true
		}
		f, err := ftdp.Parse(name, text)
		if err != nil {
			t.Fatal(name, err)
		}
		m, err := instantiate.Model(f, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		for i := range m.Props {
			list, err := machine.Check(context.Background(), m, []*protocol.Prop{&m.Props[i]}, machine.Options{Bounds: explore.Bounds{Jobs: 1, States: 3000}})
			if err == nil && list[0].Run != nil {
				out[name+" "+m.Props[i].Name] = list[0].Run
			}
		}
	}
	if len(out) < 8 {
		t.Fatalf("only %d runs", len(out))
	}
	return out
}

// Protocols whose runs have what embedded ones lack: lies, crashes, long names.
var small = []string{"lies", "crashes"}

var texts = map[string]string{
	"lies": `protocol lies;
parameters n, t, f;
assume n > 3 * t, t >= f, f >= 0, n = 4, f = 1;
faults byzantine f;
messages ECHO(0..1), READY;
process a_very_long_name_of_a_role[n]
  local has_a_long_name_too: bool; local done: bool;
  first: if not has_a_long_name_too then send ECHO(1); has_a_long_name_too := true; endif
  second: if heard(ECHO(0)) >= 1 and heard(ECHO(1)) >= 1 and not done then done := true; send READY; endif
end
ltl never: G all(not done);
`,
	"crashes": `protocol crashes;
parameters n, f;
assume n = 3, f = 1;
faults crash f;
messages A;
process node[n]
  local sent: bool; local got: bool;
  send_it: if not sent then send A; sent := true; endif
  take_it: if heard(A) >= 1 and not got then got := true; endif
end
ltl all_get: G (some(got) -> F all(got));
`,
}

// TestLayout: nothing leaves the sheet, no two texts overlap, boxes do not, what is in a box stays in it, and no arrow
// lies behind a box.
func TestLayout(t *testing.T) {
	for name, r := range runs(t) {
		t.Run(name, func(t *testing.T) {
			c := Draw(told(r))
			checkLayout(t, c)
			checkComplete(t, r, c)
			for _, room := range []float64{least, 600} {
				narrow := c.Within(room)
				checkLayout(t, narrow)
				checkComplete(t, r, narrow)
				if lanes := float64(len(narrow.Run.Lanes)); narrow.Width > max(room, 70*lanes+60) {
					t.Errorf("in %v pixels, with %v processes, it is %v wide", room, lanes, narrow.Width)
				}
			}
		})
	}
}

// area is what a mark covers.
func area(m Mark) (x, y, x2, y2 float64) {
	if m.Kind == cross {
		return m.X - 6, m.Y - 6, m.X + 6, m.Y + 6
	}
	if m.Kind != text {
		return min(m.X, m.X2), min(m.Y, m.Y2), max(m.X, m.X2), max(m.Y, m.Y2)
	}
	x, w := m.X, width(m.Class, m.Text)
	switch {
	case m.Middle:
		x -= w / 2
	case m.End:
		x -= w
	}
	return x, m.Y - letters[m.Class]*0.75, x + w, m.Y + letters[m.Class]*0.22
}

func overlap(a, b Mark) bool {
	ax, ay, ax2, ay2 := area(a)
	bx, by, bx2, by2 := area(b)
	return ax < bx2 && bx < ax2 && ay < by2 && by < ay2
}

func inside(a, b Mark) bool {
	ax, ay, ax2, ay2 := area(a)
	bx, by, bx2, by2 := area(b)
	return bx <= ax && ax2 <= bx2 && by <= ay && ay2 <= by2
}

func checkLayout(t *testing.T, c *Chart) {
	t.Helper()
	sheet := Mark{Kind: box, X2: c.Width, Y2: c.Height}
	for i, m := range c.Marks {
		if m.Kind != cross && !inside(m, sheet) {
			t.Errorf("%+v leaves the sheet of %v x %v", m, c.Width, c.Height)
		}
		if m.Kind == segment && slices.ContainsFunc(c.Marks[:i], func(o Mark) bool { return o.Kind == box }) {
			t.Errorf("the line %+v is in front of boxes", m)
		}
		if arrow := m.Class == message || m.Class == lost || m.Class == faulty; m.Kind == segment && arrow {
			for _, o := range c.Marks {
				if down := m.X == m.X2 && (m.Class == faulty && m.Step == 0 || c.tight); o.Kind == box && o.Class != frame && !down && overlap(m, o) {
					t.Errorf("the arrow %+v lies behind the box %+v", m, o)
				}
			}
		}
		if m.Kind == segment || m.Kind == loop || m.Kind == cross || m.Class == frame {
			continue
		}
		for _, o := range c.Marks[:i] {
			if o.Kind == cross && m.Kind == text && overlap(m, o) {
				t.Errorf("%q lies on the cross %+v", m.Text, o)
			}
			if o.Kind > text || o.Kind == segment || o.Class == frame || !overlap(m, o) {
				continue
			}
			switch {
			case m.Kind == text && o.Kind == text:
				t.Errorf("%q and %q overlap", m.Text, o.Text)
			case m.Kind == box && o.Kind == box:
				t.Errorf("boxes overlap: %+v and %+v", m, o)
			case m.Kind == text && !inside(m, o):
				t.Errorf("%q does not fit into its box: %+v in %+v", m.Text, m, o)
			}
		}
	}
}

// checkComplete: every step is there, and what it does is not cut off.
func checkComplete(t *testing.T, r *interp.Run, c *Chart) {
	t.Helper()
	var words strings.Builder
	for _, m := range c.Marks {
		words.WriteString(m.Text)
	}
	all := strings.ReplaceAll(words.String(), " ", "")
	for i, e := range told(r).Events {
		for _, text := range append(e.Changes, e.Sends...) {
			if e.Lane >= 0 && !strings.Contains(all, strings.ReplaceAll(text, " ", "")) {
				t.Errorf("step %d: %q is not in the chart", i+1, text)
			}
		}
	}
	for _, generated := range []string{"hear_", "heard_", "_crashing", "lie_"} {
		if strings.Contains(all, generated) {
			t.Errorf("the chart shows names of the instance: %s", generated)
		}
	}
}

// TestFiles: each ending has its format; pages of a long chart break between steps and show all of it.
func TestFiles(t *testing.T) {
	list := runs(t)
	for i, name := range slices.Sorted(maps.Keys(list)) {
		if os.Getenv("TACHECK_SHOTS") == "" && i%4 != 0 {
			continue
		}
		c := Draw(told(list[name]))
		for ending, begin := range map[string]string{".svg": "<svg", ".png": "\x89PNG", ".pdf": "%PDF", ".PDF": "%PDF", "": "<svg"} {
			data, err := c.Bytes("x" + ending)
			if err != nil || !strings.HasPrefix(string(data), begin) {
				t.Errorf("%s: %q: %v, %.20q", name, ending, err, data)
			}
			if folder := os.Getenv("TACHECK_SHOTS"); folder != "" && ending != "" && ending != ".PDF" {
				if err := os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, " ", "_")+ending), data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := c.Bytes("x.jpeg"); err == nil {
			t.Error("x.jpeg is taken")
		}
		at := 0.0
		for _, p := range c.pages(400) {
			if p.from != at || p.to <= p.from {
				t.Errorf("%s: page from %v to %v, after %v", name, p.from, p.to, at)
			}
			at = p.to
			for _, m := range c.Marks {
				if m.Kind == box && m.Class == action && m.Y < p.from && m.Y2 > p.from {
					t.Errorf("%s: a page begins in the midst of %+v", name, m)
				}
			}
		}
		if at != c.Height {
			t.Errorf("%s: pages end at %v of %v", name, at, c.Height)
		}
	}
}

// TestPlainColours: programs that know no variables in styles draw charts with the light colours.
func TestPlainColours(t *testing.T) {
	text := style()
	plain := regexp.MustCompile(`([\w-]+):(#\w{6});([\w-]+):var\(--\w+,(#\w{6})\)`).FindAllStringSubmatch(text, -1)
	if n := strings.Count(text, "var("); n < 20 || n != len(plain) {
		t.Errorf("some variables have no value:\n%s", text)
	}
	for _, m := range plain {
		if m[1] != m[3] || m[2] != m[4] {
			t.Errorf("%s: it is not the light value", m[0])
		}
	}
	for c, p := range paints {
		if _, letters := letters[c]; letters != (p.letters != "") {
			t.Errorf("letters of %s: they have a size, or a colour, only", c)
		}
		for _, name := range []string{p.line, p.fill, p.letters} {
			if name != "" {
				light(name)
			}
		}
	}
}

func told(r *interp.Run) *run.Run { return story.Told(r) }
