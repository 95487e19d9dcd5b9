package work

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/cluster/hub"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

const role = "TACHECK_TEST_ROLE"

// forge has a slot answer what it should not.
const forge = "TACHECK_TEST_FORGE"

func TestMain(m *testing.M) {
	if os.Getenv(role) != "slot" {
		os.Exit(m.Run())
	}
	h := Handlers("")
	if what := os.Getenv(forge); what != "" {
		for name := range h {
			h[name] = func(context.Context, []byte, json.RawMessage) (any, bool, error) {
				return json.RawMessage(what), true, nil
			}
		}
	}
	if err := cluster.Serve(context.Background(), os.Stdin, os.Stdout, h, nil); err != nil {
		os.Exit(1)
	}
}

// start starts a cluster, with a worker whose slots answer as they are told.
func start(t *testing.T, forged string) *cluster.Run {
	t.Helper()
	s, err := hub.Start(hub.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	c, err := cluster.Connect(context.Background(), cluster.Options{URL: "nats://" + s.Addr().String(), Build: "test", Release: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		w := cluster.Worker{Client: c, Jobs: 1, Solvers: []string{"z3", "z3-pipe"}, Log: func(string) {}, Slot: func() *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), role+"=slot", forge+"="+forged)
			return cmd
		}}
		done <- w.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	r, err := c.Start(context.Background(), cluster.RunOptions{Key: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

func model(t *testing.T, name string) (*ta.Automaton, string) {
	t.Helper()
	text, ok := benchmarks.Read(name)
	if !ok {
		t.Fatal(name)
	}
	a, err := ta.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return a, text
}

// TestDecide: what comes back from a worker is what is decided here.
func TestDecide(t *testing.T) {
	run := start(t, "")
	ctx := context.Background()
	for _, name := range []string{"rb.ta", "broken/rb-n3t.ta"} {
		a, text := model(t, name)
		for i := range a.Specs {
			spec := &a.Specs[i]
			for _, search := range []string{"", "symbolic", "incremental", "enumerate"} {
				o := verify.Options{Search: search}
				want, err := verify.Decide(ctx, a, spec, o)
				if err != nil {
					t.Fatal(err)
				}
				q, err := Ask(a, spec.Name, nil, o)
				if err != nil {
					t.Fatal(err)
				}
				got, _, err := Decide(ctx, run, a, text, spec, Asked{Question: q})
				if err != nil {
					t.Fatal(err)
				}
				if got.Verdict != want.Verdict || got.Queries != want.Queries || got.Longest != want.Longest || (got.Witness == nil) != (want.Witness == nil) {
					t.Errorf("%s %s %s: %+v, want %+v", name, spec.Name, search, got, want)
				}
			}
		}
	}
}

// TestSubtrees: a search whose subtrees are explored elsewhere, with small budgets,
// too, counts the same shapes and asks the same questions, and finds a counterexample
// if there is one.
func TestSubtrees(t *testing.T) {
	defer func(old int) { budget = old }(budget)
	run := start(t, "")
	ctx := context.Background()
	for name, spec := range map[string]string{"c1cs.ta": "one_step0", "broken/c1cs-n3t.ta": "agreement0"} {
		if name == "c1cs.ta" && need.Every(t, 1) > 1 {
			continue // that takes seconds
		}
		a, text := model(t, name)
		s := a.SpecNamed(spec)
		o := verify.Options{Search: "incremental"}
		want, err := verify.Decide(ctx, a, s, o)
		if err != nil {
			t.Fatal(err)
		}
		q, err := Ask(a, spec, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, budget = range []int{500, 3} {
			o.Jobs, o.Elsewhere = 1, exploreElsewhere(run, a, text, s, q)
			got, err := verify.Decide(ctx, a, s, o)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != want.Verdict || got.Shapes.Checked.Cmp(want.Shapes.Checked) != 0 || got.Shapes.Pruned.Cmp(want.Shapes.Pruned) != 0 {
				t.Errorf("%s: %+v, want %+v", name, got.Shapes, want.Shapes)
			}
			// Prefixes of parts are asked about again.
			if got.Verdict == verify.Holds && (got.Queries < want.Queries || budget == 500 && got.Queries != want.Queries) {
				t.Errorf("%s: %d queries, want %d", name, got.Queries, want.Queries)
			}
		}
	}
}

// TestForgedResults: counterexamples that are none, and what is no verdict, leave a
// question open.
func TestForgedResults(t *testing.T) {
	ctx := context.Background()
	a, text := model(t, "rb.ta")
	spec := a.SpecNamed("relay")
	b, _ := model(t, "broken/rb-n3t.ta")
	r, err := verify.Decide(ctx, b, b.SpecNamed("relay"), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	real, err := json.Marshal(r.Witness)
	if err != nil {
		t.Fatal(err)
	}
	q, err := Ask(a, "relay", nil, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for forged, want := range map[string]string{
		`{"Verdict":"violated"}`:                                "is none",
		`{"Verdict":"violated","Witness":{}}`:                   "is none",
		`{"Verdict":"violated","Witness":` + string(real) + `}`: "is none", // of another model
		`{"Verdict":"perhaps"}`:                                 "which is no verdict",
		`{"Verdict":"violated","Command":"rm"}`:                 "cannot be read",
		`[]`:                                                    "cannot be read",
	} {
		got, _, err := Decide(ctx, start(t, forged), a, text, spec, Asked{Question: q})
		if err != nil {
			t.Fatal(err)
		}
		if got.Verdict != verify.Unknown || got.Witness != nil || !strings.Contains(got.Reason, want) {
			t.Errorf("%.60s: %s %s, want %s", forged, got.Verdict, got.Reason, want)
		}
	}
	for forged, want := range map[string]string{
		`{"Status":1}`: "is none", `{"Status":1,"Witness":` + string(real) + `}`: "is none", `{"Status":7}`: "which is no status", `{"Status":2,"Checked":"x"}`: "cannot be read",
	} {
		x, err := exploreElsewhere(start(t, forged), a, text, spec, q)(ctx, 0, schedule.Subtree{})
		if err != nil || x.Status != smt.Unknown || x.Run != nil || !strings.Contains(x.Reason, want) {
			t.Errorf("%.60s: %+v, %v, want %s", forged, x, err, want)
		}
	}
}

// TestTasks: workers refuse wrong tasks.
func TestTasks(t *testing.T) {
	ctx := context.Background()
	text, _ := benchmarks.Read("rb.ta")
	h := Handlers("/nonexistent")
	for _, c := range []struct{ kind, input, want string }{
		{"verify", `{"File":"rb.ta","Spec":"relay","Solver":"sh -c true"}`, "commands do not travel"},
		{"verify", `{"File":"rb.ta","Spec":"relay","DumpSMT":"/tmp"}`, "unknown field"},
		{"verify", `{"File":"rb.ta","Spec":"nothing","Solver":"z3"}`, "no specification"},
		{"subtree", `{"File":"rb.ta","Spec":"relay","Search":"incremental","Disjunct":9,"Name":"x"}`, "no disjunct"},
		{"subtree", `{"File":"rb.ta","Spec":"relay","Search":"incremental","Part":{"Prefix":[{"Kind":1,"Index":99}]},"Name":"x"}`, "no such subtree"},
		{"subtree", `{"File":"rb.ta","Spec":"relay","Search":"incremental","Name":"x"}`, "no such subtree"},
		{"bench", `{"File":"rb.ta","Spec":"relay","Method":{"solver":"rm -rf"},"Runs":1}`, "commands do not travel"},
		{"campaign", `{"Kind":"random","First":0,"Last":1000000}`, "no cases"},
		{"campaign", `{"Kind":"other","First":0,"Last":1}`, "no cases"},
		{"swarm", `{"File":"x.ftdp","Property":"p","Search":{"States":1000000000000}}`, "too large"},
		{"swarm", `{"File":"x.ftdp","Property":"p","Search":{"States":10}}`, "x.ftdp:"},
	} {
		_, _, err := h[c.kind](ctx, []byte(text), json.RawMessage(c.input))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %s", c.kind, c.input, err, c.want)
		}
	}
}

// TestReplayRuns: runs that swarms send back are replayed.
func TestReplayRuns(t *testing.T) {
	text, _ := benchmarks.Read("paxos_learner.ftdp")
	m, err := instantiate.Read("paxos_learner.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := SwarmTask{File: "paxos_learner.ftdp", Property: "agreement", Search: explore.RandomSearch{Order: explore.Deep, States: 20_000, Steps: 100_000, Depth: 100}}
	out, keep, err := Fly(context.Background(), []byte(text), q)
	if err != nil || !keep || out.Run == nil {
		t.Fatal(out, keep, err)
	}
	if run, err := out.replay(m, "agreement"); err != nil || run == nil {
		t.Error(err)
	}
	if _, err := out.replay(m, "acceptedIsChosen"); err == nil {
		t.Error("a run of another property is accepted")
	}
	out.Run = json.RawMessage(strings.Replace(string(out.Run), `"no":1`, `"no":2`, 1))
	if _, err := out.replay(m, "agreement"); err == nil {
		t.Error("a changed run is accepted")
	}
	if _, err := (&Returned{Run: json.RawMessage(`{}`)}).replay(m, "agreement"); err == nil {
		t.Error("no run at all is accepted")
	}
}

// TestErrorsOfSwarms: what is said to be an error in the model is looked for again.
func TestErrorsOfSwarms(t *testing.T) {
	text, _ := benchmarks.Read("paxos_learner.ftdp")
	m, err := instantiate.Read("paxos_learner.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := SwarmTask{File: "paxos_learner.ftdp", Property: "agreement"}
	fly := q.Of(m, func(context.Context, SwarmTask) (Returned, error) { return Returned{Wrong: "division by zero"}, nil })
	var lost *machine.Lost
	if _, _, err := fly(context.Background(), explore.RandomSearch{Order: explore.Deep, States: 200, Steps: 1000, Depth: 10}); !errors.As(err, &lost) {
		t.Errorf("%v: it is no search that is lost", err)
	}
}

// TestLimited: a task that meets the bound on memory says so, and its process does
// no more.
func TestLimited(t *testing.T) {
	wait := func(ctx context.Context, _ []byte, _ json.RawMessage) (any, bool, error) {
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-time.After(time.Minute):
			return nil, true, nil
		}
	}
	at := func(context.Context, []byte, json.RawMessage) (any, bool, error) { return 1, true, nil }
	handlers, spent := Limited(cluster.Handlers{"wait": wait, "at once": at}, 1)
	if _, _, err := handlers["wait"](t.Context(), nil, nil); !errors.Is(err, smt.ErrMemory) || !spent() {
		t.Error(err)
	}
	handlers, spent = Limited(cluster.Handlers{"wait": wait, "at once": at}, 1<<50)
	if out, keep, err := handlers["at once"](t.Context(), nil, nil); out != 1 || !keep || err != nil || spent() {
		t.Error(out, keep, err)
	}
}
