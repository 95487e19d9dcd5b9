package report_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tacheck/tacheck/testkit/browse"
)

// TestAccess: by keyboard alone, and without seeing the report, one follows a counterexample in it.
func TestAccess(t *testing.T) {
	ctx := browse.Open(t, "file://"+write(t, "broken/rb-n3t.ta"), 1200)
	follow(t, ctx, "Step 1 of", `document.querySelector(".why dd.now") ? "" : document.querySelector(".story output").textContent`)
}

// TestAccessProtocol: and in that of a protocol.
func TestAccessProtocol(t *testing.T) {
	ctx := browse.Open(t, "file://"+writeProtocol(t), 1200)
	follow(t, ctx, "step 1 of", `document.querySelector(".why dd.now") ? "" : document.querySelector(".run output").textContent`)
	for _, width := range []int64{400, 900} {
		browse.Do(t, ctx, chromedp.EmulateViewport(width, 900))
		if over := browse.TooWide(t, ctx); over > 0 {
			t.Errorf("at %d pixels the page is %d too wide", width, over)
		}
	}
}

// follow steps through a counterexample by keys.
func follow(t *testing.T, ctx context.Context, first, reason string) {
	t.Helper()
	for _, what := range browse.Nameless(t, ctx) {
		t.Errorf("no name: %s", what)
	}
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return strings.HasPrefix(s.Name, "Counterexample") })
	browse.Do(t, ctx, chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.ArrowRight))
	if got := browse.Ask[string](t, ctx, `document.querySelector("output").textContent`); !strings.HasPrefix(got, first) {
		t.Errorf("after an arrow the page says %q", got)
	}
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return s.Tag == "DD" })
	for _, key := range []string{" ", kb.Enter} {
		browse.Do(t, ctx, chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(key))
		if got := browse.Ask[string](t, ctx, reason); got != "" {
			t.Errorf("%q at a reason leads to %q", key, got)
		}
	}
	if pressed := browse.Ask[string](t, ctx, `document.querySelector("[data-go=play]")?.getAttribute("aria-pressed") || "false"`); pressed != "false" {
		t.Error("space at a reason plays the run")
	}
	for _, mode := range []string{"light", "dark"} {
		browse.Media(t, ctx, "prefers-color-scheme", mode)
		for _, text := range browse.Faint(t, ctx) {
			t.Errorf("%s: too pale: %s", mode, text)
		}
	}
	browse.Media(t, ctx, "prefers-reduced-motion", "reduce")
	for _, what := range browse.Moving(t, ctx) {
		t.Errorf("it moves although nothing should: %s", what)
	}
}
