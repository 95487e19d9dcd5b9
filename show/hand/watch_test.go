package hand_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/testkit/browse"
)

const echoing = `protocol echoing;
parameters n, t, f;
assume n > 3 * t, t >= f;
faults byzantine f;
messages ECHO;
define enough = t + 1;

process node[n]
  input knows: bool;
  local sent: bool;

  echo: if (knows or heard(ECHO) >= enough) and not sent then send ECHO; sent := true; endif
end

invariant quiet: all(not sent);
`

// TestWatch: what can be watched in a text for all sizes, and in a protocol of fixed size, and what is said of what cannot be, with its
// place, in the words of the text.
func TestWatch(t *testing.T) {
	m, err := instantiate.Read("echoing.ftdp", echoing, map[string]int64{"n": 4, "t": 1, "f": 1})
	if err != nil {
		t.Fatal(err)
	}
	path := startWith(t, m, "node 1: knows=false, sent=false; node 2: knows=false, sent=false; node 3: knows=true, sent=false; node 4: byz; ")
	watched(t, hand.NewProtocol(m, interp.Options{}, nil), path, map[string]string{
		"some(knows)":                     "true",
		"count(knows)":                    "1",
		"count(knows) + n":                "5",
		"knows":                           "node 1 and 2: false; node 3: true",
		"node[3].knows":                   "true",
		"node[n].knows":                   "anything: node 4 is faulty",
		"heard(ECHO)":                     "node 1, 2 and 3: 0",
		"heard(ECHO) >= enough or knows":  "node 1 and 2: false; node 3: true",
		"some(heard(ECHO) >= 1)":          "false (node 1, 2 and 3: heard(ECHO) = 0)",
		"exists (i: node) node[i].knows":  "true",
		"forall (i: node) node[i].knows":  "false",
		"some(sent) or node[3].knows;":    "true",
		"":                                "condition:1:1: there is nothing: write a condition or a value, such as node[1].knows",
		"  ":                              "condition:1:1: there is nothing",
		"some(knows) and\n  node[5].sent": "condition:2:8: there is no node 5: they are 4",
		"node[1].snt":                     `condition:1:9: node has no variable "snt" (did you mean "sent"?)`,
		"noode[1].sent":                   `condition:1:1: unknown type of processes "noode" (did you mean "node"?)`,
		"sennt":                           `condition:1:1: unknown name "sennt" (did you mean "sent"?)`,
		"all(sennt)":                      `condition:1:5: unknown name "sennt" (did you mean "sent"?)`,
		"node[1]":                         "condition:1:1: what of node[1]? A variable: node[1].x",
		"node[x].sent":                    "condition:1:6: which node? A number, or the name of a quantifier",
		"exists (i: nodeID) node[i].sent": "condition:1:1: i is of a type of processes here, such as (i: node)",
		"all(":                            "condition:1:5: unexpected end of what is asked",
		"heard(READY)":                    `condition:1:7: there are no messages "READY"`,
		"F some(sent)":                    "condition:1:1: F is for ltl formulas",
	})
	text, _ := benchmarks.Read("om1.ftdp")
	if m, err = instantiate.Read("om1.ftdp", text, nil); err != nil {
		t.Fatal(err)
	}
	path = startWith(t, m, "commander: command=false, hasProposed=false; lieutenant 1: byz; ")
	watched(t, hand.NewProtocol(m, interp.Options{}, nil), path, map[string]string{
		"lieutenant[2].decision":              "undefined",
		"isundefined(lieutenant[2].decision)": "true",
		"lieutenant[1].decision":              "anything: lieutenant 1 is faulty",
		"commander[1].command":                "false",
		"n":                                   "3",
		"lieutenant[1].status":                "byz",
		"exists (i: lieutenantID) lieutenant[i].decision": "undefined",
		"lieutenant[9].decision":                          "condition:1:12: there is no process 9 of lieutenantID",
		"commander[1].comand":                             `condition:1:1: there is no field "comand" (did you mean "command"?)`,
	})
}

// startWith is the path to an initial state that is described so.
func startWith(t *testing.T, m *protocol.Model, text string) []int {
	t.Helper()
	v, err := hand.NewProtocol(m, interp.Options{}, nil).View(context.Background(), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range v.Choices {
		if c == text {
			return []int{i}
		}
	}
	t.Fatalf("%q is not among %q", text, v.Choices)
	return nil
}

func watched(t *testing.T, s hand.Subject, path []int, list map[string]string) {
	t.Helper()
	for text, want := range list {
		w := s.Watch(context.Background(), path, []string{text})[0]
		if wrong := strings.HasPrefix(want, "condition:"); !wrong && w.Value != want || wrong && !strings.HasPrefix(w.Value, want) || w.Wrong != wrong {
			t.Errorf("%q is %q (wrong: %t), want %q", text, w.Value, w.Wrong, want)
		}
	}
}

// TestWatchRounds: in a text with rounds, variables and messages are watched as they are called there.
func TestWatchRounds(t *testing.T) {
	text, _ := benchmarks.Read("rounds/benor_clean.ftdp")
	ctx := context.Background()
	m, err := model.Open(ctx, "benor_clean.ftdp", text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := model.Small(ctx, m.(model.Fixed))
	if err != nil {
		t.Fatal(err)
	}
	s, err := x.Walk(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	watched(t, s, []int{0}, map[string]string{
		"all(decided = NO)":                      "true",
		"node[1].decided":                        "NO",
		"heard(REPORT(0) of round 1)":            "node 1, 2 and 3: 0",
		"some(heard(REPORT(1) of round 2) >= 1)": "false (node 1, 2 and 3: heard(REPORT(1) of round 2) = 0)",
		"all(decidd = NO)":                       `condition:1:5: unknown name "decidd" (did you mean "decided"?)`,
		"all(heard(REPORT(1) of round 1) = 0) and all(decidd = NO)": `condition:1:46: unknown name "decidd"`,
	})
}

// TestWatched watches by hand, in a browser: values of processes, a mistake, and a link that has both.
func TestWatched(t *testing.T) {
	m, err := instantiate.Read("echoing.ftdp", echoing, map[string]int64{"n": 4, "t": 1, "f": 1})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(hand.Handler(hand.NewProtocol(m, interp.Options{}, nil), "secret", 0))
	defer server.Close()
	ctx := browse.Open(t, server.URL+"/secret/", 900)
	watch := func(text string, n int) chromedp.Tasks {
		return chromedp.Tasks{chromedp.SetValue("#condition", text, chromedp.ByQuery), chromedp.Click("#watch button", chromedp.ByQuery), rows(n)}
	}
	browse.Do(t, ctx, chromedp.Click("#choices button", chromedp.ByQuery), chromedp.WaitVisible(`body[data-steps="1"]`, chromedp.ByQuery),
		watch("heard(ECHO) >= 1", 1), watch("node[9].sent", 2))
	shown := `[...document.querySelectorAll("#watched td:nth-child(2)")].map(e => e.textContent).join("|") + "|" + document.querySelector("#watched .wrong").textContent`
	want := "node 2, 3 and 4: false|condition:1:6: there is no node 9: they are 4|condition:1:6: there is no node 9: they are 4"
	if got := browse.Ask[string](t, ctx, shown); got != want {
		t.Errorf("watched: %q, want %q", got, want)
	}
	browse.Do(t, ctx, chromedp.SetValue("#condition", "node[2].sent or some(heard(ECHO) >= 1)", chromedp.ByQuery), chromedp.Click("#find", chromedp.ByQuery),
		chromedp.Poll(`Number(document.body.dataset.steps) > 1`, nil), chromedp.Poll(`document.querySelector("#watched td:nth-child(2)").textContent.includes("true")`, nil))
	link := browse.Ask[string](t, ctx, `location.href`)
	browse.Do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(link), chromedp.WaitVisible("#watched tr", chromedp.ByQuery), rows(2),
		chromedp.Poll(`document.querySelector("#watched td:nth-child(2)").textContent.includes("true")`, nil))
}

// rows waits until so many conditions are watched.
func rows(n int) chromedp.Action {
	return chromedp.Poll(`document.querySelectorAll("#watched tr").length === `+string(rune('0'+n)), nil)
}
