package hand_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/model"
)

// TestPromela walks through a Promela model without a browser: conditions are watched and looked for, guards say why they are false,
// and the run has its chart.
func TestPromela(t *testing.T) {
	ctx := context.Background()
	x := broken(t)
	s, err := x.Walk(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Explore(ctx, []string{"relay"}, model.Exploring{})
	if err != nil {
		t.Fatal(err)
	}
	jump, err := x.Walk(ctx, found)
	if err != nil {
		t.Fatal(err)
	}
	if g := jump.Goals(ctx); len(g) != 1 || g[0].Lost != "" || len(g[0].Path) < 3 { // its loop has a step that changes nothing
		t.Errorf("counterexamples to jump to: %+v", g)
	}
	v, err := s.View(context.Background(), []int{0}, 0)
	if err != nil || len(v.Charts) == 0 {
		t.Fatal(v, err)
	}
	both, err := s.Find(ctx, nil, "some(Proc:pc == V0) && some(Proc:pc == V1)")
	if err != nil || len(both) != 1 {
		t.Fatal(both, err)
	}
	if why := strings.Join(v.Blocked, "\n"); !strings.Contains(why, "not ") || !strings.Contains(why, "heard >= N - T (N = 3, T = 1)") {
		t.Errorf("why guards are false: %s", why)
	}
	w := s
	for condition, want := range map[string]string{"echo == 0": "true", "card(Proc:pc == ACC)": "0", "some_accepted": "false", "echo": "0", "N - T": "2", "some(Proc:pc == ACC)": "false", "[] (echo == 0)": "temporal",
		"ecko == 0": "condition:1:1", "Proc:pc == 0": "belongs inside of all, some or card", "": "there is nothing", "echo ==": "condition:1", "echo / 0": "division by zero"} {
		if got := w.Watch(context.Background(), []int{0}, []string{condition})[0]; !strings.Contains(got.Value, want) {
			t.Errorf("%s is %q, want %q", condition, got.Value, want)
		}
	}
	for condition, found := range map[string]bool{"some(Proc:pc == ACC)": true, "all(Proc:pc == ACC)": true, "echo == 2": true, "echo == 99": false, "echo >": false} {
		further, err := w.Find(ctx, both, condition)
		if (err == nil) != found {
			t.Errorf("%s: %v, %v", condition, further, err)
			continue
		}
		if found && w.Watch(context.Background(), append(both[:1:1], further...), []string{condition})[0].Value != "true" {
			t.Errorf("%s is not so after %v", condition, further)
		}
	}
	if path, err := w.Find(ctx, nil, "echo == 1"); err != nil || len(path) != 2 {
		t.Errorf("from before the start: %v, %v", path, err)
	}
}

// TestWhere: where a process is is no guard of the text, and does not stand among those that are false.
func TestWhere(t *testing.T) {
	ctx := context.Background()
	m, err := model.Open(ctx, "w.pml", "symbolic int N; assume(N > 0); active[N] proctype P() { byte v = 0;\ndo\n:: v == 0 -> v = 1\n:: v == 1 -> v = 2\nod }", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := m.(model.Fixed).Instance(ctx, []model.Setting{{Name: "N", Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := x.Walk(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.View(ctx, []int{0}, 0); err != nil || strings.Join(v.Blocked, "\n") != "process 1, line 4: not v == 1 (v = 0)" {
		t.Errorf("guards that are false: %q (%v)", v.Blocked, err)
	}
}
