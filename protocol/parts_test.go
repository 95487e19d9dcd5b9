package protocol_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// TestParts walks through random protocols as they are and part by part: the same steps are possible in both, lead to the same states, and
// fail alike; and what their invariants say is the same.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 35))
	changed := 0
	for k := range need.Cases(t, 60) {
		text := random.Collections(r)
		if k%2 == 0 {
			text = random.Sets(r)
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := m.Parts()
		if problem := walkBoth(m, p.Model, r); problem != "" {
			t.Fatalf("%s\n%s", problem, text)
		}
		if problem := sayTheSame(m, p, r); problem != "" {
			t.Fatalf("%s\n%s", problem, text)
		}
		if !slices.EqualFunc(m.Rules, p.Model.Rules, func(a, b protocol.Transition) bool { return a.Frame == b.Frame }) {
			changed++
		}
	}
	t.Logf("%d protocols have what is written otherwise", changed)
	if changed == 0 {
		t.Error("there is nothing to rewrite")
	}
}

// sayTheSame holds invariants against what they are part by part, in states on a random run.
func sayTheSame(m *protocol.Model, p *protocol.Parts, r *rand.Rand) string {
	x := &interp.Interpreter{Model: m}
	first, err := x.Initial()
	if err != nil {
		return ""
	}
	s := first[r.IntN(len(first))].State
	for range 12 {
		for i := range m.Props {
			if t := m.Props[i].Invariant; t != nil {
				is, err := x.Holds(s, t, m.Props[i].Frame)
				other, err2 := x.Holds(s, p.Condition(t), p.Cells(t))
				if is != other || (err == nil) != (err2 == nil) {
					return m.Props[i].Name + " says something else"
				}
			}
		}
		list, err := x.Successors(s)
		if err != nil {
			return ""
		}
		s = list[r.IntN(len(list))].State
	}
	return ""
}

// TestMistakesOfParts shows that the comparison notices parts that are not assigned, and comparisons of some parts only.
func TestMistakesOfParts(t *testing.T) {
	for name, wrong := range map[string]func(m *protocol.Model){
		"parts are left out": func(m *protocol.Model) {
			for i := range m.Rules {
				forget(m.Rules[i].Body)
			}
		},
		"one equal part is enough": func(m *protocol.Model) {
			for i := range m.Rules {
				loosened(m.Rules[i].Guard)
			}
		},
	} {
		found := false
		for k := uint64(0); k < 300 && !found; k++ {
			r := rand.New(rand.NewPCG(k, 38))
			m, err := instantiate.Read("random.ftdp", random.Sets(r), nil)
			if err != nil {
				t.Fatal(err)
			}
			p := m.Parts()
			wrong(p.Model)
			found = walkBoth(m, p.Model, r) != ""
		}
		if !found {
			t.Errorf("%s: nobody notices", name)
		}
	}
}

// forget empties loops over parts, which have no variable of the text.
func forget(steps []*protocol.Step) {
	for _, s := range steps {
		if s.Kind == protocol.StepFor && s.Name == "" {
			s.Blocks = [][]*protocol.Step{nil}
		}
		for _, b := range s.Blocks {
			forget(b)
		}
	}
}

func loosened(t *protocol.Term) {
	if t == nil {
		return
	}
	if t.Op == ftdp.ForAll && t.Name == "" {
		t.Op = ftdp.Exists
	}
	for _, a := range t.Args {
		loosened(a)
	}
}
