package play_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tacheck/tacheck/testkit/browse"
)

// TestByKeyboard: a user without mouse and sight comes from the page's start to an understood counterexample. All
// keys are real ones, every place where the focus stops is seen, and all controls and pictures have names.
func TestByKeyboard(t *testing.T) {
	ctx := opened(t, 1600)
	named(t, ctx, "at first")
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return s.Tag == "INPUT" && s.Name == "n > 3 * t" })
	browse.Do(t, ctx, chromedp.KeyEvent(kb.ArrowLeft))
	browse.Do(t, ctx, chromedp.Poll(`document.querySelector("#verdicts .violated") && document.querySelector("#run svg.chart")`, nil, chromedp.WithPollingTimeout(50*time.Second)))
	decided(t, ctx)
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return s.Tag == "BUTTON" && strings.Contains(s.Name, "relay violated") })
	browse.Do(t, ctx, chromedp.KeyEvent(kb.Enter))
	if got := browse.Ask[string](t, ctx, `document.activeElement.dataset.spec + " " + document.activeElement.getAttribute("aria-pressed")`); got != "relay true" {
		t.Errorf("after Enter the focus is at %s", got)
	}
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return strings.HasPrefix(s.Name, "Counterexample") })
	const said = `document.querySelector("#run output").textContent`
	last := browse.Ask[string](t, ctx, said)
	browse.Do(t, ctx, chromedp.KeyEvent(kb.Home))
	first := browse.Ask[string](t, ctx, said)
	browse.Do(t, ctx, chromedp.KeyEvent(kb.ArrowRight))
	if next := browse.Ask[string](t, ctx, said); next == first || first == last || next == last {
		t.Errorf("keys step from %q and %q to %q", last, first, next)
	}
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return s.Tag == "DD" })
	browse.Do(t, ctx, chromedp.KeyEvent(" "))
	if n := browse.Ask[int](t, ctx, `document.querySelectorAll("#run dd.now").length`); n == 0 {
		t.Error("a reason does not lead to the step that it is about")
	}
	named(t, ctx, "with a counterexample")
	for _, mode := range []string{"light", "dark"} {
		browse.Media(t, ctx, "prefers-color-scheme", mode)
		for _, text := range browse.Faint(t, ctx) {
			t.Errorf("%s: %s", mode, text)
		}
	}
	browse.Media(t, ctx, "prefers-reduced-motion", "reduce")
	browse.Ask[bool](t, ctx, `(editor.view.focus(), true)`)
	browse.Do(t, ctx, chromedp.Poll(`document.querySelector("#editor .cm-focused")`, nil, chromedp.WithPollingTimeout(20*time.Second)))
	for _, what := range browse.Moving(t, ctx) {
		t.Errorf("it moves although nothing should: %s", what)
	}
}

func named(t *testing.T, ctx context.Context, when string) {
	t.Helper()
	for _, what := range browse.Nameless(t, ctx) {
		t.Errorf("%s: no name: %s", when, what)
	}
}
