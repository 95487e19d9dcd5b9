package hand_test

import (
	"context"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/testkit/browse"
	"github.com/tacheck/tacheck/witness"
)

func paxos(t *testing.T) (*protocol.Model, hand.Subject) {
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
	return m, hand.NewProtocol(m, interp.Options{}, []*interp.Run{results[0].Run})
}

// TestProtocol walks through a protocol in a browser: it chooses events, goes
// back, jumps to a counterexample, and saves it as a file that replays.
func TestProtocol(t *testing.T) {
	m, subject := paxos(t)
	server := httptest.NewServer(hand.Handler(subject, "secret", 0))
	defer server.Close()
	ctx := browse.Open(t, server.URL+"/secret/", 1300)
	steps := func(n string) chromedp.Action {
		return chromedp.WaitVisible(`body[data-steps="`+n+`"]`, chromedp.ByQuery)
	}
	browse.Do(t, ctx, steps("0"), chromedp.Click("#choices button", chromedp.ByQuery), steps("1"), chromedp.Click("#choices button", chromedp.ByQuery), steps("2"))
	if text := browse.Ask[string](t, ctx, `document.querySelector("#story").innerText`); !strings.Contains(text, "prepare") {
		t.Errorf("the story is %q", text)
	}
	if n := browse.Ask[int](t, ctx, `document.querySelectorAll("#state tr.changed").length`); n != 1 {
		t.Errorf("%d lines of the state are marked as changed, want 1", n)
	}
	browse.Do(t, ctx, chromedp.Click("#back", chromedp.ByQuery), steps("1"), chromedp.WaitVisible("button.goal", chromedp.ByQuery), chromedp.Click("button.goal", chromedp.ByQuery), steps("12"))
	if text := browse.Ask[string](t, ctx, `document.querySelector("#notes").innerText`); !strings.Contains(text, "agreement is violated") {
		t.Errorf("the notes say %q", text)
	}
	if text := browse.Ask[string](t, ctx, `document.querySelector("#properties tr .wrong").parentElement.innerText`); !strings.Contains(text, "violated") ||
		!strings.Contains(text, "learner[1].learnt[1] and learner[1].learnt[2]") {
		t.Errorf("of the property that is violated stands %q", text)
	}
	walkOn(t, ctx, steps)
	browse.Shot(t, ctx, "hand.png")
	browse.Do(t, ctx, chromedp.Click("#save", chromedp.ByQuery), chromedp.WaitVisible("body[data-saved]", chromedp.ByQuery))
	data := browse.Ask[string](t, ctx, `document.body.dataset.saved`)
	r, err := interp.ReadRun(m, []byte(data))
	if err == nil {
		err = r.Check()
	}
	if err != nil || r.Property != "agreement" {
		t.Errorf("the saved run: %v", err)
	}
}

// walkOn goes back and forward by keys without losing the run, watches a condition, looks for the state where it begins to
// hold, and opens the link of a state.
func walkOn(t *testing.T, ctx context.Context, steps func(string) chromedp.Action) {
	t.Helper()
	browse.Do(t, ctx, chromedp.Blur("button.goal", chromedp.ByQuery))
	pressed := func(k, n string) {
		browse.Ask[bool](t, ctx, `document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "`+k+`", bubbles: true}))`)
		browse.Do(t, ctx, steps(n))
	}
	pressed("ArrowLeft", "11")
	pressed("Home", "0")
	pressed("ArrowRight", "1")
	browse.Do(t, ctx, chromedp.SetValue("#condition", "exists (k: acceptorID) acceptor[k].no > 0", chromedp.ByQuery), chromedp.Click("#watch button", chromedp.ByQuery),
		chromedp.WaitVisible("#watched .false", chromedp.ByQuery))
	link := browse.Ask[string](t, ctx, `location.href`)
	pressed("End", "12")
	browse.Do(t, ctx, chromedp.WaitVisible("#watched .true", chromedp.ByQuery))
	pressed("Home", "0")
	browse.Do(t, ctx, chromedp.Click("#find", chromedp.ByQuery), chromedp.WaitVisible("#watched .true", chromedp.ByQuery))
	if n := browse.Ask[string](t, ctx, `document.body.dataset.steps`); n == "12" || n == "0" {
		t.Errorf("the nearest state where something is accepted is after %s steps", n)
	}
	browse.Do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(link), steps("1"), chromedp.WaitVisible("#watched .false", chromedp.ByQuery))
	pressed("End", "12")
	browse.Do(t, ctx, chromedp.SetValue("#condition", "acceptor[", chromedp.ByQuery), chromedp.Click("#find", chromedp.ByQuery),
		chromedp.Poll(`document.querySelector("#notes").textContent.includes("condition:1")`, nil, chromedp.WithPollingTimeout(20*time.Second)))
	pressed("End", "12")
	browse.Do(t, ctx, chromedp.Poll(`document.querySelector("#notes").textContent.includes("agreement is violated")`, nil, chromedp.WithPollingTimeout(20*time.Second)))
}

// TestAutomaton walks through an automaton without a browser.
func TestAutomaton(t *testing.T) {
	a, err := benchmarks.Parse("broken/rb-f1.ta")
	if err != nil {
		t.Fatal(err)
	}
	params := []*big.Int{}
	for _, v := range map[int][]int64{3: {4, 1, 2}}[len(a.Parameters)] {
		params = append(params, big.NewInt(v))
	}
	start, err := automata.Initial(a, params)
	if err != nil || len(start) == 0 {
		t.Fatal(start, err)
	}
	var found []*witness.Witness
	for i := range a.Specs {
		if e, err := automata.Decide(context.Background(), a, &a.Specs[i], params, 0); err == nil && e.Witness != nil {
			found = append(found, e.Witness)
		}
	}
	s := hand.NewAutomaton(a, start, false, found)
	v, err := s.View(context.Background(), nil, 0)
	if err != nil || len(v.Choices) != len(start) {
		t.Fatal(v, err)
	}
	goals := s.Goals(context.Background())
	if len(goals) == 0 {
		t.Fatal("no counterexample to jump to")
	}
	for _, g := range goals {
		if v, err = s.View(context.Background(), g.Path, 0); err != nil || len(v.Story) != len(g.Path) {
			t.Errorf("%s: %+v, %v", g.Name, v, err)
		}
		name, data, err := s.Save(context.Background(), g.Path)
		if err != nil {
			continue // a loop is not walked
		}
		if _, err := witness.Read(a, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if v, err = s.View(context.Background(), []int{0}, 0); err != nil || len(v.Blocked) == 0 || !strings.Contains(strings.Join(v.Blocked, "\n"), "not echo = 0 >= ") || !strings.Contains(v.Picture, "<svg") {
		t.Errorf("why guards are false, and the picture: %v, %v", v.Blocked, err)
	}
	for condition, want := range map[string]string{"accepted == 0": "true", "echo >= 1": "false", "<>(echo >= 1)": "temporal", "acepted == 0": "acepted"} {
		if w := s.Watch(context.Background(), []int{0}, []string{condition}); !strings.Contains(w[0].Value, want) {
			t.Errorf("%s is %q", condition, w[0].Value)
		}
	}
	for condition, want := range map[string]bool{"accepted >= 1": true, "echo >= 2": true, "accepted >= 99": false} {
		further, err := s.Find(context.Background(), []int{0}, condition)
		if (err == nil) != want {
			t.Errorf("%s: %v, %v", condition, further, err)
			continue
		}
		if want && s.Watch(context.Background(), append([]int{0}, further...), []string{condition})[0].Value != "true" {
			t.Errorf("%s is not so after %v", condition, further)
		}
	}
	if _, err := s.View(context.Background(), []int{0, 99}, 0); err == nil {
		t.Error("a path that leads nowhere is accepted")
	}
}

// TestSecret: a request gets nothing without the token, from another host, or
// with a path that leads nowhere.
func TestSecret(t *testing.T) {
	_, subject := paxos(t)
	server := httptest.NewServer(hand.Handler(subject, "secret", 0))
	defer server.Close()
	get := func(path, host string) int {
		req, err := http.NewRequest("GET", server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	for _, c := range []struct {
		path, host string
		want       int
	}{{"/", "", 404}, {"/wrong/", "", 404}, {"/secret/", "evil.example:80", 404}, {"/secret/", "", 200}, {"/secret/goals", "", 200}} {
		if got := get(c.path, c.host); got != c.want {
			t.Errorf("%s from %q: %d, want %d", c.path, c.host, got, c.want)
		}
	}
	foreign, err := http.NewRequest("GET", server.URL+"/secret/goals", nil)
	if err != nil {
		t.Fatal(err)
	}
	foreign.Header.Set("Origin", "http://evil.example")
	if resp, err := http.DefaultClient.Do(foreign); err != nil || resp.StatusCode != 404 {
		t.Errorf("another page gets %v, %v", resp, err)
	}
	resp, err := http.Post(server.URL+"/secret/view", "application/json", strings.NewReader(`{"path":[7,7]}`))
	if err != nil || resp.StatusCode != 400 {
		t.Errorf("a path that leads nowhere: %v, %v", resp, err)
	}
	resp.Body.Close()
}

// TestServe: the page is there, at the address that is announced, until the
// context ends.
func TestServe(t *testing.T) {
	_, subject := paxos(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	address := make(chan string, 1)
	done := make(chan error, 1)
	go func() { done <- hand.Serve(ctx, subject, 0, func(a string) { address <- a }) }()
	resp, err := http.Get(<-address)
	if err != nil || resp.StatusCode != 200 {
		t.Fatal(resp, err)
	}
	resp.Body.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
