package hand_test

import (
	"context"
	"math/big"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/testkit/browse"
	"github.com/tacheck/tacheck/witness"
)

// broadcast is an instance of reliable broadcast with a run that violates relay.
func broadcast(t *testing.T) hand.Subject {
	t.Helper()
	text, _ := benchmarks.Read("rb.ftdp")
	m, err := instantiate.Read("rb.ftdp", text, map[string]int64{"n": 3})
	if err != nil {
		t.Fatal(err)
	}
	results, err := machine.Check(context.Background(), m, []*protocol.Prop{m.Lookup("relay")}, machine.Options{})
	if err != nil || results[0].Run == nil {
		t.Fatal("no run", err)
	}
	return hand.NewProtocol(m, interp.Options{}, []*interp.Run{results[0].Run})
}

// automaton is an instance of a broken automaton, with its counterexamples.
func automaton(t *testing.T) hand.Subject {
	t.Helper()
	a, err := benchmarks.Parse("broken/rb-f1.ta")
	if err != nil {
		t.Fatal(err)
	}
	params := []*big.Int{big.NewInt(4), big.NewInt(1), big.NewInt(2)}
	start, err := automata.Initial(a, params)
	if err != nil {
		t.Fatal(err)
	}
	var found []*witness.Witness
	for i := range a.Specs {
		if e, err := automata.Decide(context.Background(), a, &a.Specs[i], params, 0); err == nil && e.Witness != nil {
			found = append(found, e.Witness)
		}
	}
	return hand.NewAutomaton(a, start, false, found)
}

// broken is an instance of a broken Promela model.
func broken(t *testing.T) model.Instance {
	t.Helper()
	ctx := context.Background()
	text, _ := benchmarks.Read("rb.pml")
	m, err := model.Open(ctx, "rb.pml", text, model.Options{Defines: map[string]string{"N3T": ""}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := m.(model.Fixed).Instance(ctx, []model.Setting{{Name: "N", Value: 3}, {Name: "T", Value: 1}, {Name: "F", Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// agents is that instance with its counterexamples.
func agents(t *testing.T) hand.Subject {
	t.Helper()
	ctx := context.Background()
	x := broken(t)
	found, err := x.Explore(ctx, nil, model.Exploring{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := x.Walk(ctx, found)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAccess: by keyboard alone, and without seeing the page, one walks through models of all kinds.
func TestAccess(t *testing.T) {
	for name, subject := range map[string]hand.Subject{"protocol": broadcast(t), "automaton": automaton(t), "promela": agents(t)} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(hand.Handler(subject, "secret", 0))
			defer server.Close()
			ctx := browse.Open(t, server.URL+"/secret/", 1300)
			browse.Do(t, ctx, chromedp.WaitVisible("button.goal", chromedp.ByQuery), chromedp.WaitVisible("#choices button", chromedp.ByQuery))
			byKeys(t, ctx)
			for _, what := range browse.Nameless(t, ctx) {
				t.Errorf("no name: %s", what)
			}
			shown(t, ctx, name)
			browse.Media(t, ctx, "prefers-reduced-motion", "reduce")
			for _, what := range browse.Moving(t, ctx) {
				t.Errorf("it moves although nothing should: %s", what)
			}
		})
	}
}

// byKeys takes a step, looks at a counterexample, and goes back in it.
func byKeys(t *testing.T, ctx context.Context) {
	t.Helper()
	steps := func(condition string) {
		t.Helper()
		browse.Do(t, ctx, chromedp.Poll(`Number(document.body.dataset.steps) `+condition, nil, chromedp.WithPollingTimeout(30*time.Second)))
	}
	choice := func(s browse.Stop) bool {
		return s.Tag == "BUTTON" && browse.Ask[bool](t, ctx, `document.activeElement.parentElement.id === "choices"`)
	}
	begin := browse.Ask[int](t, ctx, `Number(document.body.dataset.steps)`)
	browse.TabTo(t, ctx, choice)
	browse.Do(t, ctx, chromedp.KeyEvent(kb.Enter))
	steps("> " + strconv.Itoa(begin))
	if !browse.Ask[bool](t, ctx, `document.activeElement.closest("#choices") !== null`) {
		t.Error("after a choice the focus is lost")
	}
	browse.Ask[bool](t, ctx, `(document.activeElement.blur(), document.body.focus(), true)`)
	browse.Do(t, ctx, chromedp.KeyEvent("g"))
	steps("> 2")
	last := browse.Ask[int](t, ctx, `Number(document.body.dataset.steps)`)
	if said := browse.Ask[string](t, ctx, `document.querySelector("#told[role=status]").textContent`); !strings.Contains(said, "step") {
		t.Errorf("of the step is told %q", said)
	}
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return s.Tag == "BUTTON" && strings.Contains(s.Name, "back") })
	browse.Do(t, ctx, chromedp.KeyEvent(kb.Enter))
	steps("< " + strconv.Itoa(last))
	browse.TabTo(t, ctx, func(s browse.Stop) bool { return s.Name == "forward →" })
	browse.Do(t, ctx, chromedp.KeyEvent(kb.Enter)) // to the end, where the button cannot be pressed again
	steps("=== " + strconv.Itoa(last))
	if browse.Ask[bool](t, ctx, `document.activeElement === document.body`) {
		t.Error("at the end the focus is lost")
	}
	// A step of the run is a button, too.
	browse.TabTo(t, ctx, func(s browse.Stop) bool {
		return browse.Ask[bool](t, ctx, `document.activeElement.closest("#story") !== null`)
	})
	browse.Do(t, ctx, chromedp.KeyEvent(" "))
	steps("=== 1")
	if !browse.Ask[bool](t, ctx, `document.activeElement.closest("#story") !== null`) {
		t.Error("after a step of the run the focus is lost")
	}
	browse.Do(t, ctx, chromedp.KeyEvent(kb.End))
	steps("=== " + strconv.Itoa(last))
}

// shown looks at the page at several widths, light and dark.
func shown(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	for _, mode := range []string{"light", "dark"} {
		browse.Media(t, ctx, "prefers-color-scheme", mode)
		for _, text := range browse.Faint(t, ctx) {
			t.Errorf("%s: too pale: %s", mode, text)
		}
		for _, width := range []int64{400, 900} {
			browse.Do(t, ctx, chromedp.EmulateViewport(width, 900))
			if over := browse.TooWide(t, ctx); over > 0 {
				t.Errorf("at %d pixels the page is %d too wide", width, over)
			}
			browse.Shot(t, ctx, "hand-"+name+"-"+mode+"-"+strconv.Itoa(int(width))+".png")
		}
	}
}
