package hand_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/testkit/browse"
)

// vast has too many successors of one state to list: a process receives from 9 of 18 Byzantine ones. Its
// second rule has as many cases, none possible.
const vast = `protocol vast;
const n = 18; least = 0;
channels asynchronous reliable authenticated unordered bounded 1;
type
  nodeID: role[n];
  watcherID: role[1];
  Msg: record v: 0..1; end;
var
  node: array[nodeID] of record x: bool; end;
  watcher: array[watcherID] of record seen: 0..9; end;
init
  start:
    for k: nodeID do node[k].x := false; node[k].status := byz; endfor
    for k: watcherID do watcher[k].seen := 0; endfor
rules
  [](i: watcherID) [](Q: quorum[9] of nodeID) hear:
    if least = 0 then watcher[i].seen := count (j: Q) (msg[j].v = 1); endif
  []
  [](i: watcherID) [](Q: quorum[9] of nodeID) never:
    if count (j: Q) (msg[j].v = 1) > 9 then watcher[i].seen := 9; endif
  []
  [](i: watcherID) wait:
    skip
invariant few: forall (k: watcherID) watcher[k].seen < 14;
`

func vastly(t *testing.T, least int64) hand.Subject {
	t.Helper()
	m, err := instantiate.Read("vast.ftdp", vast, map[string]int64{"least": least})
	if err != nil {
		t.Fatal(err)
	}
	return hand.NewProtocol(m, interp.Options{}, nil)
}

// TestVast: where too much can happen to list, there are pages, which say that there is more; a search that takes too
// long is given up, with a message.
func TestVast(t *testing.T) {
	ctx := context.Background()
	s := vastly(t, 0)
	v, err := s.View(ctx, []int{0}, 0)
	if err != nil || len(v.Choices) != 100 || !v.More || !strings.HasPrefix(v.Rest, "1 to 100 of at least ") {
		t.Fatalf("%d choices, %q, %v", len(v.Choices), v.Rest, err)
	}
	next, err := s.View(ctx, []int{0}, 100)
	if err != nil || len(next.Choices) != 100 || slices.Equal(next.Choices, v.Choices) || !strings.HasPrefix(next.Rest, "101 to 200 of at least ") {
		t.Errorf("behind them: %d choices, %q, %v", len(next.Choices), next.Rest, err)
	}
	if last, err := s.View(ctx, []int{0, 150}, 0); err != nil || last.Story[1].Text != next.Choices[50] {
		t.Errorf("what was chosen is not what was shown: %v, %v", last, err)
	}
	short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	if none, err := vastly(t, 1).View(short, []int{0}, 0); err != nil || len(none.Choices) != 0 || !strings.HasPrefix(none.Rest, "none was found") {
		t.Errorf("where all is impossible, before wait: %+v, %v", none, err)
	}
	for _, far := range [][]int{{0, 999_999_999}, {0, 0, 999_999_999}} {
		gone, stop := context.WithTimeout(ctx, 50*time.Millisecond)
		defer stop()
		if _, err := s.View(gone, far, 0); err == nil || !strings.Contains(err.Error(), "was not found among all that can happen") {
			t.Errorf("%v: %v", far, err)
		}
	}
	if _, err := s.Find(short, []int{0}, "false"); err == nil || !strings.Contains(err.Error(), "given up") {
		t.Errorf("a search without end: %v", err)
	}
}

// TestPages turns pages in a browser, and chooses on the second.
func TestPages(t *testing.T) {
	server := httptest.NewServer(hand.Handler(vastly(t, 0), "secret", 0))
	defer server.Close()
	ctx := browse.Open(t, server.URL+"/secret/", 900)
	first := func(text string) chromedp.Action {
		return chromedp.Poll(`document.querySelector("#rest").textContent.startsWith("`+text+`")`, nil, chromedp.WithPollingTimeout(20*time.Second))
	}
	browse.Do(t, ctx, first("1 to 100 of at least"), chromedp.KeyEvent("]"), first("101 to 200"), chromedp.Click("#further", chromedp.ByQuery), first("201 to 300"),
		chromedp.KeyEvent("["), first("101 to 200"))
	chosen := browse.Ask[string](t, ctx, `document.querySelector("#choices button").lastChild.textContent`)
	browse.Do(t, ctx, chromedp.KeyEvent("1"), chromedp.WaitVisible(`body[data-steps="2"]`, chromedp.ByQuery))
	if told := browse.Ask[string](t, ctx, `document.querySelector("#story li:last-child a").textContent`); told != chosen {
		t.Errorf("%q was chosen, %q is told", chosen, told)
	}
	if hash := browse.Ask[string](t, ctx, `location.hash`); hash != "#path=0.100" {
		t.Errorf("the link is %q", hash)
	}
	for _, what := range browse.Nameless(t, ctx) {
		t.Errorf("no name: %s", what)
	}
}

// TestAlike: of many initial states, those that are the same but for the order of processes are listed once; a counterexample that
// begins with another one is there, too.
func TestAlike(t *testing.T) {
	m, err := instantiate.Read("many.ftdp", `protocol many;
parameters n, f;
assume n > 2 * f;
faults byzantine f;
messages GO;

process node[n]
  input knows: bool;
  local sent: bool;

  go: if knows and not sent then send GO; sent := true; endif
end

invariant none: all(not sent);
`, map[string]int64{"n": 12, "f": 4})
	if err != nil {
		t.Fatal(err)
	}
	x := &interp.Interpreter{Model: m}
	var last interp.Successor
	n := 0
	err = x.EachInitial(context.Background(), true, func(s interp.Successor) bool {
		n++
		last = s
		return n < 200
	})
	if err != nil {
		t.Fatal(err)
	}
	r := &interp.Run{Model: m, Loop: -1, Property: "none"}
	if ok, err := r.Begin(last.Event); !ok {
		t.Fatal(err)
	}
	s := hand.NewProtocol(m, interp.Options{}, []*interp.Run{r})
	v, err := s.View(context.Background(), nil, 0)
	if err != nil || len(v.Choices) > 100 || len(v.Choices) < 9 || v.Rest != "" || len(v.Notes) != 1 {
		t.Errorf("%d initial states, %q, %v, %v", len(v.Choices), v.Rest, v.Notes, err)
	}
	for _, g := range s.Goals(context.Background()) {
		w, err := s.View(context.Background(), g.Path, 0)
		if err != nil || len(w.Story) != 1 || g.Lost != "" {
			t.Errorf("%+v: %v", g, err)
		}
	}
	over, stop := context.WithCancel(context.Background())
	stop()
	if g := hand.NewProtocol(m, interp.Options{}, []*interp.Run{r}).Goals(over); g[0].Lost == "" || g[0].Path != nil {
		t.Errorf("nobody had time to find it: %+v", g)
	}
}
