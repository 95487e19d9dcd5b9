package hand_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/testkit/browse"
)

// TestWithoutFaults: beside a counterexample stands the same run with all processes correct, with what is not possible then.
func TestWithoutFaults(t *testing.T) {
	server := httptest.NewServer(hand.Handler(broadcast(t), "secret", 0))
	defer server.Close()
	ctx := browse.Open(t, server.URL+"/secret/", 1300)
	wait := func(condition string) {
		browse.Do(t, ctx, chromedp.Poll(condition, nil, chromedp.WithPollingTimeout(30*time.Second)))
	}
	browse.Do(t, ctx, chromedp.WaitVisible("button.goal", chromedp.ByQuery), chromedp.Click("button.goal", chromedp.ByQuery))
	wait(`Number(document.body.dataset.steps) > 3`)
	browse.Do(t, ctx, chromedp.SetValue("#beside", "without", chromedp.ByQuery))
	browse.Ask[bool](t, ctx, `document.querySelector("#beside").dispatchEvent(new Event("change"))`)
	wait(`document.querySelectorAll("#charts svg").length === 2`)
	if got := browse.Ask[string](t, ctx, `document.querySelector("#besidechart").innerText`); !strings.Contains(got, "relay is true of this run") || !strings.Contains(got, "not possible then: step 4") {
		t.Errorf("beside it stands %q", got)
	}
	if n := browse.Ask[int](t, ctx, `document.querySelectorAll("#besidechart h2").length`); n != 1 {
		t.Errorf("%d headings", n)
	}
	browse.Shot(t, ctx, "hand-without.png")
	link := browse.Ask[string](t, ctx, `location.href`)
	browse.Do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(link), chromedp.WaitVisible("#besidechart svg", chromedp.ByQuery))
	browse.Do(t, ctx, chromedp.Click("#restart", chromedp.ByQuery))
	wait(`document.body.dataset.steps === "0"`)
}
