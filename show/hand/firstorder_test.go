package hand_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/model"
)

const lock = `sort node
mutable relation holds(node)
mutable relation free
init free
init !holds(A)
transition take(n: node)
  modifies holds, free
  free & (forall A. new(holds(A)) <-> holds(A) | A = n)
safety [one] holds(A) & holds(B) -> A = B
safety [some] free | exists A. holds(A)
`

// TestFirstOrder walks through a first-order system: all properties are told, conditions watched, states found.
func TestFirstOrder(t *testing.T) {
	ctx := context.Background()
	m, err := model.Open(ctx, "lock.pyv", lock, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := m.(model.Fixed).Instance(ctx, []model.Setting{{Name: "node", Value: 2}})
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Explore(ctx, nil, model.Exploring{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := x.Walk(ctx, found)
	if err != nil {
		t.Fatal(err)
	}
	goals := s.Goals(ctx)
	if len(goals) != 1 || goals[0].Name != "one is violated" || len(goals[0].Path) != 3 {
		t.Fatalf("goals: %+v", goals)
	}
	v, err := s.View(ctx, goals[0].Path, 0)
	if err != nil || len(v.Properties) != 2 || !v.Properties[0].Broken || !strings.Contains(strings.Join(v.Properties[0].Why, ""), "holds") ||
		v.Properties[1].Value != "not violated so far" || !slices.Contains(v.Notes, "one is violated") {
		t.Errorf("%+v, %v", v, err)
	}
	for condition, want := range map[string]string{"exists A. holds(A)": "true", "forall A. !holds(A)": "false", "holds(": "condition:1:7", "": "there is nothing"} {
		if w := s.Watch(ctx, goals[0].Path, []string{condition})[0]; !strings.Contains(w.Value, want) {
			t.Errorf("%s: %+v, want %s", condition, w, want)
		}
	}
	if path, err := s.Find(ctx, nil, "exists A. exists B. holds(A) & holds(B) & A != B"); err != nil || len(path) != 3 {
		t.Errorf("%v, %v", path, err)
	}
	if _, data, err := s.Save(ctx, goals[0].Path); err != nil {
		t.Error(err)
	} else if _, err := m.Replay(data); err != nil {
		t.Error(err)
	}
}
