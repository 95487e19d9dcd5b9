package induct

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"tacheck/protocol"
	"tacheck/protocol/encode"
	"tacheck/protocol/machine"
	"tacheck/smt/z3"
)

func TestTry(t *testing.T) {
	for _, file := range strings.Split(os.Getenv("TRY"), ",") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Skip(err)
		}
		m, err := protocol.Read(file, string(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Props {
			p := &m.Props[i]
			if p.Invariant == nil {
				continue
			}
			start := time.Now()
			x, err := encode.New(m, protocol.Options{Implicit: machine.Implicit(m, p)})
			if err != nil {
				t.Fatal(err)
			}
			goal, _, err := x.Holds(p.Invariant, make([]int32, p.Frame))
			if err != nil {
				t.Fatal(err)
			}
			var st Stats
			ctx, stop := context.WithTimeout(context.Background(), 60*time.Second)
			q, ok, err := lemmas(ctx, x, goal, Options{Solver: z3.New}, &st)
			stop()
			t.Logf("%s %s: %v %v %+v %v", file, p.Name, ok, err, st, time.Since(start))
			if q != nil && q.stuck != nil {
				st := x.State(q.stuck)
				for p := range st.Cells {
					t.Logf("    stuck %s: %s", m.ProcessName(p), m.StateText(st, p))
				}
				for ch, l := range st.Channels {
					for _, msg := range l {
						t.Logf("    %s -> %s: %s", m.ProcessName(ch/m.Processes()), m.ProcessName(ch%m.Processes()), m.MessageText(msg))
					}
				}
				e := encode.NewEvaluation(x.Circuit)
				for _, s := range q.steps {
					e.Reset(q.stuck)
					if e.True(s.Fail) {
						t.Logf("    fails %s %v %v", m.Rules[s.Rule].Label, s.Frame, s.Slots)
					}
					if e.True(s.Guard) {
						e.Reset(e.Next(s))
						if !e.True(goal) {
							t.Logf("    step %s %v %v", m.Rules[s.Rule].Label, s.Frame, s.Slots)
						}
					}
				}
			}
			if q != nil {
				for _, g := range q.kept {
					if true {
						t.Logf("  %s: %s", g.lemma.Class, g.lemma.Text())
					}
				}
			}
		}
	}
}
