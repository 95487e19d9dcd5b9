package report_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/report"
	"github.com/tacheck/tacheck/testkit/browse"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// pictured are runs to look at: what a mistake in an algorithm leads to, of every kind of text.
var pictured = []struct {
	file, mistake string // of the zoo: the name of the mistake
	spec          string
	set           []model.Setting // nil for all sizes
	define        string
	old, new      string // in the text
}{
	{file: "zoo/bracha.ftdp", mistake: "accepting with t + 1", spec: "totality"},
	{file: "zoo/benor.ftdp", mistake: "n = 2t", spec: "agreement"},
	{file: "zoo/pbft.ftdp", mistake: "one prepare too few", spec: "prepared_agree"},
	{file: "zoo/flooding.ftdp", mistake: "deciding without all", spec: "agreement"},
	{file: "sources/rb.ftdp", spec: "relay", old: "n > 3 * t", new: "n >= 3 * t"},
	{file: "rounds/benor_clean.ftdp", spec: "agreement", old: "2 * heard(REPORT(1)) > n", new: "heard(REPORT(1)) >= 1"},
	{file: "chandra_toueg.ftdp", spec: "agreement", set: []model.Setting{{Name: "oldest", Value: 1, Truth: true}}},
	{file: "view_change.ftdp", spec: "agreement", set: []model.Setting{{Name: "views", Value: 1}, {Name: "own", Value: 1, Truth: true}}},
	{file: "chain.ftdp", spec: "consistency", set: []model.Setting{{Name: "anybody", Value: 1, Truth: true}}},
	{file: "abd.ftdp", spec: "atomic", set: []model.Setting{{Name: "writeBack", Value: 0, Truth: true}}},
	{file: "two_phase_commit.ftdp", spec: "agreement", set: []model.Setting{{Name: "hasty", Value: 1, Truth: true}}},
	{file: "lock_server.ftdp", spec: "mutex", set: []model.Setting{{Name: "early", Value: 1, Truth: true}}},
	{file: "peterson.ftdp", spec: "mutex", set: []model.Setting{{Name: "late", Value: 1, Truth: true}}},
	{file: "raft.ftdp", spec: "electionSafety", set: []model.Setting{{Name: "terms", Value: 1}, {Name: "entries", Value: 1}, {Name: "twice", Value: 1, Truth: true}}},
	{file: "paxos_learner.ftdp", spec: "agreement", set: []model.Setting{}},
	{file: "om1_traitors.ftdp", spec: "IC2", set: []model.Setting{}},
	{file: "rb.pml", spec: "relay", define: "N3T", set: []model.Setting{{Name: "N", Value: 3}, {Name: "T", Value: 1}, {Name: "F", Value: 1}}},
	{file: "broken/rb-n3t.ta", spec: "relay"},
	{file: "broken/cf1s-faults.ta", spec: "fast0_alive"},
}

// textOf is the text of a run that is looked at.
func textOf(t *testing.T, file, mistake, old, replacement string) string {
	t.Helper()
	text, ok := benchmarks.Read(file)
	if !ok {
		data, err := os.ReadFile("../../benchmarks/" + file)
		if err != nil {
			t.Fatal(err)
		}
		text = string(data)
	}
	edits := []string{old, replacement}
	for _, a := range benchmarks.ExpectedZoo() {
		for _, m := range a.Broken {
			if "zoo/"+a.File == file && m.Name == mistake {
				edits = m.Edits
			}
		}
	}
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			t.Fatalf("%s: there is no %q", file, edits[i])
		}
		if edits[i] != "" {
			text = strings.ReplaceAll(text, edits[i], edits[i+1])
		}
	}
	return text
}

// runOf finds a run that is looked at.
func runOf(t *testing.T, i int) model.Counterexample {
	t.Helper()
	p, ctx := pictured[i], context.Background()
	m, err := model.Open(ctx, p.file, textOf(t, p.file, p.mistake, p.old, p.new), model.Options{Defines: map[string]string{cmp.Or(p.define, "NOTHING"): ""}})
	if err != nil {
		t.Fatal(err)
	}
	var found *model.Result
	if p.set == nil {
		q, err := m.(model.ForAll).Ask(ctx, []string{p.spec}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Verify(ctx, model.Verifying{Options: verify.Options{Jobs: 1}, Decide: verify.Decide}, func(r *model.Result) error { found = r; return nil }); err != nil {
			t.Fatal(err)
		}
	} else {
		x, err := m.(model.Fixed).Instance(ctx, p.set)
		if err != nil {
			t.Fatal(err)
		}
		list, err := x.Explore(ctx, []string{p.spec}, model.Exploring{Machine: machine.Options{Bounds: explore.Bounds{Jobs: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		found = list[0]
	}
	if found.Counterexample == nil {
		t.Fatalf("%s: %s %s (%s)", p.file, p.spec, found.Verdict, found.Reason)
	}
	return found.Counterexample
}

// album writes a page with all runs that are looked at.
func album(t *testing.T) string {
	t.Helper()
	style, script := report.Assets()
	var b bytes.Buffer
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>runs</title><style>%s</style>`+
		`<header><button type="button" id="theme">theme</button></header><main>`, style)
	for i := range pictured {
		part, err := report.Part(context.Background(), runOf(t, i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, `<section id="run%d">%s</section>`, i, part)
	}
	fmt.Fprintf(&b, "</main><script>%s</script>", script)
	file := filepath.Join(t.TempDir(), "album.html")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// collisions lists, of all charts, texts that lie on each other, leave their box or their picture, or are too small to be read,
// as a browser has set them.
const collisions = `(() => {
	const out = [], say = (svg, text) => out.push(svg.closest("section").id + ": " + text);
	for (const svg of document.querySelectorAll(".sequence svg:not([aria-hidden]), .stage svg")) {
		const sheet = svg.getBoundingClientRect(), figure = svg.closest("figure");
		if (figure.hidden) continue;
		if (figure.matches(".sequence") && svg.querySelectorAll("g.names rect").length <= 4 && figure.scrollWidth > figure.clientWidth) say(svg, "has to be scrolled sideways");
		if (!sheet.width) say(svg, "is not there");
		const texts = [...svg.querySelectorAll("text")].filter(e => e.textContent && !e.classList.contains("count")).map(e => ({e, r: e.getBoundingClientRect()}));
		const boxes = [...svg.querySelectorAll("rect.head, rect.action, rect.state, rect.faulty")].map(e => e.getBoundingClientRect());
		const crosses = [...svg.querySelectorAll("path.cross")].map(e => e.getBoundingClientRect());
		const hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
		const within = (a, b) => b.left <= a.left + 1 && a.right <= b.right + 1 && b.top <= a.top + 1 && a.bottom <= b.bottom + 1;
		texts.forEach((a, i) => {
			if (!within(a.r, sheet)) say(svg, a.e.textContent + " leaves the picture");
			if (a.r.height < 9) say(svg, a.e.textContent + " is " + a.r.height.toFixed(1) + " pixels high");
			for (const b of texts.slice(0, i)) if (hit(a.r, b.r)) say(svg, a.e.textContent + " lies on " + b.e.textContent);
			for (const b of crosses) if (hit(a.r, b)) say(svg, a.e.textContent + " lies on a cross");
			for (const b of boxes) if (hit(a.r, b) && !within(a.r, b)) say(svg, a.e.textContent + " leaves its box");
		});
		for (const e of svg.querySelectorAll(".tip")) if (e.getBoundingClientRect().height < 5) say(svg, "an arrow has no tip");
		if (svg.getBoundingClientRect().right > figure.getBoundingClientRect().right + 1 && getComputedStyle(figure).overflowX !== "auto") say(svg, "is cut off");
	}
	if (document.documentElement.scrollWidth > innerWidth) out.push("the page is " + document.documentElement.scrollWidth + " wide");
	return out.join("\n");
})()`

// TestPictured: in windows of all widths, light and dark, nothing in the charts of broken algorithms lies on anything else,
// leaves its box, or is too small.
func TestPictured(t *testing.T) {
	need.Usual(t, "all pictures in a browser")
	ctx := browse.Open(t, "file://"+album(t), 1600)
	for _, mode := range []string{"light", "dark"} {
		browse.Do(t, ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: mode}}))
		for _, width := range []int64{400, 900, 1600} {
			browse.Do(t, ctx, chromedp.EmulateViewport(width, 900))
			if got := browse.Ask[string](t, ctx, collisions); got != "" {
				t.Errorf("%s, %d pixels:\n%s", mode, width, got)
			}
			shots(t, ctx, fmt.Sprintf("%s-%d", mode, width))
		}
	}
}

// shots saves a picture of each run in the folder that TACHECK_SHOTS names.
func shots(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("TACHECK_SHOTS")
	if folder == "" || name == "dark-900" || name == "light-1600" || name == "dark-400" { // others show as much
		return
	}
	for i, p := range pictured {
		box := browse.Ask[map[string]float64](t, ctx, fmt.Sprintf(`(() => { const r = document.getElementById("run%d").getBoundingClientRect(); return {x: 0, y: r.y + scrollY, w: innerWidth, h: r.height}; })()`, i))
		var image []byte
		browse.Do(t, ctx, chromedp.ActionFunc(func(ctx context.Context) (err error) {
			image, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).WithClip(&page.Viewport{X: 0, Y: box["y"], Width: box["w"], Height: box["h"], Scale: 1}).Do(ctx)
			return err
		}))
		file := strings.NewReplacer("/", "-", ".", "-").Replace(p.file) + "-" + name + ".png"
		if err := os.WriteFile(filepath.Join(folder, file), image, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
