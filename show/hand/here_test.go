package hand_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
)

// TestHere: the conditions that each property is made of are said to be true or false of the state, those of automata with why; and
// what breaks a property is marked in the chart. Pages do not say in which folder a model is.
func TestHere(t *testing.T) {
	ctx := context.Background()
	for _, x := range []struct {
		name, text string
		set        []model.Setting
		path       []int // of the first counterexample if nil
		want       []string
		marked     bool
	}{
		{"broken/rb-n3t.ta", "", []model.Setting{{Name: "n", Value: 3}, {Name: "t", Value: 1}, {Name: "f", Value: 1}}, []int{1, 0, 1},
			[]string{"v1 == 0: true", "accepted == 0: false (accepted = 1)", "v0 == 0 && v1 == 0 && sent == 0: false (sent = 1)"}, false},
		{"rb.pml", "", []model.Setting{{Name: "N", Value: 4}, {Name: "T", Value: 1}, {Name: "F", Value: 1}}, []int{0}, []string{"some_accepted: false", "all0: true"}, false},
		{"field/half_a_vote.ftdp", "", nil, nil, []string{"server[i].newer -> server[j].newer: false (server[3].granted[2] = 3, server[3].newer, not server[2].newer)"}, true},
		{"lock.pyv", lock, []model.Setting{{Name: "node", Value: 2}}, nil, []string{"A = B: false", "free | (exists A:node. holds(A)): true"}, true},
	} {
		text, there := benchmarks.Read(x.name)
		if !there {
			text = x.text
		}
		m, err := model.Open(ctx, "/a/folder/"+x.name, text, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := m.(model.Fixed).Instance(ctx, x.set)
		if err != nil {
			t.Fatal(err)
		}
		found, err := in.Explore(ctx, nil, model.Exploring{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := in.Walk(ctx, found)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s.Title(), "folder") {
			t.Errorf("the title is %s", s.Title())
		}
		if x.path == nil {
			x.path = s.Goals(ctx)[0].Path
		}
		v, err := s.View(ctx, x.path, 0)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, p := range v.Properties {
			for _, c := range p.Here {
				said = append(said, fmt.Sprintf("%s: %s", c.Text, c.Value))
			}
		}
		for _, want := range x.want {
			if !slices.ContainsFunc(said, func(text string) bool { return strings.HasSuffix(text, want) }) {
				t.Errorf("%s: of the state it is not said that %s:\n%s", x.name, want, strings.Join(said, "\n"))
			}
		}
		if marked := strings.Contains(v.Charts[0], `rect class="wrong"`); marked != x.marked {
			t.Errorf("%s: what breaks is marked: %v, want %v", x.name, marked, x.marked)
		}
	}
}
