package report_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tacheck/testkit/browse"
)

// TestAccess: by keyboard alone, and without seeing the report, one follows a counterexample in it.
func TestAccess(t *testing.T) {
	ctx := browse.Open(t, "file://"+write(t, "broken/rb-n3t.ta"), 1200)
	for _, what := range browse.Nameless(t, ctx) {
		t.Errorf("no name: %s", what)
	}
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return strings.HasPrefix(s.Name, "Counterexample") })
	browse.Do(t, ctx, chromedp.KeyEvent(kb.ArrowRight))
	if got := browse.Ask[string](t, ctx, output); !strings.HasPrefix(got, "Step 1 of") {
		t.Errorf("after an arrow the page says %q", got)
	}
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return s.Tag == "DD" })
	for _, key := range []string{" ", kb.Enter} {
		browse.Do(t, ctx, chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(key))
		if got := browse.Ask[string](t, ctx, `document.querySelector(".why dd.now") ? "" : document.querySelector(".story output").textContent`); got != "" {
			t.Errorf("%q at a reason leads to %q", key, got)
		}
	}
	if pressed := browse.Ask[string](t, ctx, `document.querySelector("[data-go=play]").getAttribute("aria-pressed")`); pressed != "false" {
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
