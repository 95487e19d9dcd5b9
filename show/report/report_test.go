package report_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/report"
	"github.com/tacheck/tacheck/testkit/browse"
)

// write verifies embedded models and writes their report to a file.
func write(t *testing.T, names ...string) string {
	t.Helper()
	var list []report.File
	for _, name := range names {
		text, _ := benchmarks.Read(name)
		m, err := model.Open(context.Background(), name, text, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q, err := m.(model.ForAll).Ask(context.Background(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := report.File{File: name, Automaton: q.Automaton.Automaton, Source: text}
		err = q.Verify(context.Background(), model.Verifying{}, func(r *model.Result) error {
			f.Results = append(f.Results, r)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	var b bytes.Buffer
	if err := report.Write(context.Background(), &b, "test", list); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSelfContained: the page asks the network for nothing, and what models
// contain is text in it.
func TestSelfContained(t *testing.T) {
	text, err := os.ReadFile(write(t, "rb.ta", "broken/rb-n3t.ta"))
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range regexp.MustCompile(`(?i)(src|href|url)\s*[=(]\s*["']?([^"' >)]+)`).FindAllStringSubmatch(string(text), -1) {
		if !strings.HasPrefix(link[2], "#") && !strings.Contains(link[2], "www.w3.org") {
			t.Errorf("the page links to %s", link[2])
		}
	}
	if strings.Contains(string(text), "v1 == 0 && (echo") {
		t.Error("formulas are not escaped")
	}
	seen := map[string]bool{}
	for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(string(text), -1) {
		if seen[id[1]] {
			t.Errorf("id %s is used twice", id[1])
		}
		seen[id[1]] = true
	}
}

const output = `document.querySelector(".story output").textContent`

// counts lists how many processes are where, as the picture shows.
const counts = `[...document.querySelectorAll(".stage .location")].map(g =>
	g.querySelector("text").textContent + "=" + (g.querySelector("text.count").textContent || 0)).sort().join(" ")`

// TestStepThrough clicks and types its way through a counterexample: v1 sends
// and accepts, v0 waits for ever.
func TestStepThrough(t *testing.T) {
	ctx := browse.Open(t, "file://"+write(t, "broken/rb-n3t.ta"), 1200)
	expect := func(what, state, said string) {
		t.Helper()
		if got := browse.Ask[string](t, ctx, counts); got != state {
			t.Errorf("%s: the picture shows %s, want %s", what, got, state)
		}
		if got := browse.Ask[string](t, ctx, output); !strings.Contains(got, said) {
			t.Errorf("%s: the page says %q, want %q", what, got, said)
		}
	}
	expect("at first", "accepted=0 sent=0 v0=1 v1=1", "Start.")
	click := func(name string) chromedp.Action {
		return chromedp.Click(`.story [data-go="`+name+`"]`, chromedp.ByQuery)
	}
	browse.Do(t, ctx, click("next"))
	expect("after next", "accepted=0 sent=1 v0=1 v1=0", "Step 1 of 3: 1 × rule 1, v1 → sent: echo = 1.")
	if got := browse.Ask[string](t, ctx, `[...document.querySelectorAll(".gauge .met")].map(e => e.textContent).join("|")`); !strings.Contains(got, "t + 1 - f = 1") {
		t.Errorf("thresholds reached: %q", got)
	}
	if got := browse.Ask[string](t, ctx, `[...document.querySelectorAll(".stage .edge.now[data-move]")].map(e => e.dataset.move).join()`); got != "1-2" {
		t.Errorf("the edge %s is marked", got)
	}
	browse.Do(t, ctx, click("last"))
	expect("at last", "accepted=1 sent=0 v0=1 v1=0", "From here the loop repeats for ever.")
	browse.Do(t, ctx, click("previous"))
	expect("after previous", "accepted=1 sent=0 v0=1 v1=0", "Step 2 of 3")
	if got := browse.Ask[int](t, ctx, `document.querySelectorAll(".why dd.now").length`); got < 1 {
		t.Error("no reason is marked in step 2")
	}

	// The same by keyboard; Home, arrows, End.
	browse.Do(t, ctx, chromedp.Focus(".story", chromedp.ByQuery))
	press := func(key string) string {
		return `document.querySelector(".story").dispatchEvent(new KeyboardEvent("keydown", {key: "` + key + `", bubbles: true}))`
	}
	browse.Ask[bool](t, ctx, press("Home"))
	expect("after Home", "accepted=0 sent=0 v0=1 v1=1", "Start.")
	browse.Ask[bool](t, ctx, press("ArrowRight"))
	browse.Ask[bool](t, ctx, press("ArrowRight"))
	expect("after two arrows", "accepted=1 sent=0 v0=1 v1=0", "Step 2 of 3")
	browse.Ask[bool](t, ctx, press("ArrowLeft"))
	expect("after an arrow back", "accepted=0 sent=1 v0=1 v1=0", "Step 1 of 3")
	browse.Do(t, ctx, chromedp.Click(".steps tbody tr:nth-child(3)", chromedp.ByQuery))
	expect("after a click into the table", "accepted=1 sent=0 v0=1 v1=0", "Step 2 of 3")

	// Playing goes on by itself and round the loop, and stops.
	browse.Ask[bool](t, ctx, press("Home"))
	browse.Do(t, ctx, click("play"), chromedp.Poll(output+`.includes("(in the loop)")`, nil, chromedp.WithPollingTimeout(15*time.Second)))
	if got := browse.Ask[string](t, ctx, `document.querySelector("[data-go=play]").getAttribute("aria-pressed")`); got != "true" {
		t.Errorf("play is pressed: %s", got)
	}
	browse.Do(t, ctx, click("play"))
	before := browse.Ask[string](t, ctx, output)
	time.Sleep(1500 * time.Millisecond)
	if after := browse.Ask[string](t, ctx, output); after != before {
		t.Errorf("it plays on: %q, then %q", before, after)
	}
	browse.Shot(t, ctx, "light.png")
}

// TestLooks: no page is wider than the window, dark is dark, and every button
// has a name.
func TestLooks(t *testing.T) {
	file := write(t, "rb.ta", "broken/cf1s-faults.ta", "broken/nbac-unfair.ta")
	for name, width := range map[string]int64{"narrow.png": 390, "wide.png": 1400} {
		ctx := browse.Open(t, "file://"+file, width)
		if got := browse.Ask[int64](t, ctx, `document.documentElement.scrollWidth`); got > width {
			t.Errorf("the page is %d wide in a window of %d", got, width)
		}
		browse.Ask[int](t, ctx, `document.querySelectorAll(".story [data-go=next]").forEach(b => b.click()), 0`)
		if got := browse.Ask[string](t, ctx, `[...document.querySelectorAll("button, input")].filter(b => !b.getAttribute("aria-label")).map(b => b.outerHTML).join()`); got != "" {
			t.Errorf("without a name: %s", got)
		}
		browse.Shot(t, ctx, name)
	}
	ctx := browse.Open(t, "file://"+file, 1200)
	browse.Do(t, ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	const background = `getComputedStyle(document.body).backgroundColor`
	if got := browse.Ask[string](t, ctx, background); got != "rgb(23, 24, 28)" {
		t.Errorf("dark is %s", got)
	}
	browse.Shot(t, ctx, "dark.png")
	browse.Do(t, ctx, chromedp.Click("#theme", chromedp.ByQuery))
	if got := browse.Ask[string](t, ctx, background); got != "rgb(255, 255, 255)" {
		t.Errorf("after a click on the button, dark is %s", got)
	}
}

// TestScrolled: a chart that is higher than its window is scrolled to where the last step ends, and the names of processes that stay in
// sight do not cover it.
func TestScrolled(t *testing.T) {
	ctx := browse.Open(t, "file://"+writeProtocol(t), 900)
	browse.Do(t, ctx, chromedp.EmulateViewport(900, 500))
	if got := browse.Ask[string](t, ctx, `(() => {
		const run = document.querySelector(".run"), figure = run.querySelector(".sequence:not([hidden])");
		if (figure.scrollHeight < figure.clientHeight + 100) return "the chart is too low to be scrolled";
		run.querySelector("[data-go=last]").click();
		const seen = figure.getBoundingClientRect(), rows = [...figure.querySelectorAll("svg:not([aria-hidden]) g[class]")];
		const last = Math.max(...rows.map(g => parseInt(g.getAttribute("class").slice(1), 10) || 0));
		const ends = rows.filter(g => g.getAttribute("class") === "r" + last).map(g => g.getBoundingClientRect().bottom);
		if (!ends.length || Math.max(...ends) > seen.bottom || Math.max(...ends) < seen.top) return "the last step ends at " + Math.max(...ends) + ", the window at " + seen.bottom;
		return getComputedStyle(figure.querySelector(".heads svg")).overflow;
	})()`); got != "hidden" {
		t.Errorf("%s", got)
	}
}

// writeProtocol writes the report of a protocol to a file.
func writeProtocol(t *testing.T) string {
	t.Helper()
	text, _ := benchmarks.Read("paxos_learner.ftdp")
	m, err := instantiate.Read("paxos_learner.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	results, err := machine.Check(context.Background(), m, []*protocol.Prop{m.Lookup("agreement")}, machine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.Write(context.Background(), &b, "test", []report.File{{File: "/a/b/" + m.File, Instance: true, Name: m.Name, Source: text, About: "channels " + m.Channels.String(), Results: []*model.Result{model.ProtocolResult(m, results[0])}}}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestProtocol steps through the counterexample of a protocol in a browser.
func TestProtocol(t *testing.T) {
	ctx := browse.Open(t, "file://"+writeProtocol(t), 1300)
	const output, later = `document.querySelector(".run output").textContent`, `document.querySelectorAll(".run g.later").length`
	if text := browse.Ask[string](t, ctx, output); !strings.Contains(text, "step 11 of 11: learner: learn receives") {
		t.Errorf("at the end: %s", text)
	}
	if n := browse.Ask[int](t, ctx, later); n != 0 {
		t.Errorf("%d parts of the chart are faint at the end", n)
	}
	browse.Shot(t, ctx, "protocol.png")
	browse.Do(t, ctx, chromedp.Click(`.run [data-go=first]`, chromedp.ByQuery), chromedp.Click(`.run [data-go=next]`, chromedp.ByQuery))
	if text := browse.Ask[string](t, ctx, output); !strings.Contains(text, "step 1 of 11: proposer") {
		t.Errorf("after a step: %s", text)
	}
	if n := browse.Ask[int](t, ctx, later); n == 0 {
		t.Error("nothing of the chart is faint")
	}
}
