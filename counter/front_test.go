package counter_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	. "github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/forms"
	"github.com/tacheck/tacheck/verify"
)

// broadcast is reliable broadcast, made by hand: correct processes begin with a value (1) or without (0), send (2) what
// they have, or what more than t have sent, and accept (3) what n - t have sent. Each hears from f liars, too.
type broadcast struct {
	form  *Form
	needs []amount // by move, of what a process has heard
	few   int64    // so many more than t have to be heard
}

var heard = Of(Received, 0)

func newBroadcast(few int64) *broadcast {
	n, t, f, sent := Of(Parameter, 0), Of(Parameter, 1), Of(Parameter, 2), Of(Sent, 0)
	x := &broadcast{few: few}
	x.form = &Form{
		Called: func(q Quantity) string {
			return map[Kind][]string{Parameter: {"n", "t", "f"}, Sent: {"sent"}}[q.Kind][q.Index]
		},
		Shared: []Shared{{Of: Sent.Numbered(0)}},
		Locations: []Location{{Name: "none", Start: true}, {Name: "has", Start: true}, {Name: "told"},
			{Name: "accepted"}},
		Groups: []Group{{Locations: []int{0, 1}, Count: n.Sub(f)}},
	}
	g := &Guards{Known: &Known{Cases: [][]Sum{{n.Sub(t.Scale(linear.N(3))).Plus(-1), t.Sub(f), f, t.Plus(-1)}}}}
	bounds := []amount{heard, sent.Add(f).Sub(heard)}
	for _, m := range []struct {
		Move
		need amount
	}{
		{Move{From: 1, To: 2, Adds: []Add{{Sent.Numbered(0), 1}}}, number(0)},
		{Move{From: 0, To: 2, Adds: []Add{{Sent.Numbered(0), 1}}}, heard.Sub(t).Plus(-few)},
		{Move{From: 2, To: 3}, heard.Sub(n).Add(t)},
	} {
		guard, _, _ := g.Eliminate(append([]amount{m.need}, bounds...), Quantity.Own)
		m.Guard = g.Strongest(slices.DeleteFunc(guard, g.Always))
		x.form.Moves, x.needs = append(x.form.Moves, m.Move), append(x.needs, m.need)
		rests, possible, _ := g.Eliminate(append([]amount{m.need.Complement(), heard.Sub(sent)}, bounds...), Quantity.Own)
		d := Duty{At: []int{m.From}}
		if possible && !g.Excluded(rests) {
			d.Rests = [][]amount{slices.DeleteFunc(rests, g.Always)}
		}
		x.form.Duties = append(x.form.Duties, d)
	}
	return x
}

// tree is the automaton, with what it is asked.
func (x *broadcast) tree(specs map[string]*syntax.Expr) *syntax.File {
	var o syntax.Origin
	b := &syntax.Builder{Name: "Broadcast", Parameters: o.Idents("n", "t", "f")}
	for _, text := range []string{"n > 3 * t", "t >= f", "t >= 1"} {
		e, err := syntax.ParseExpr("", text)
		if err != nil {
			panic(err)
		}
		b.Assumptions = append(b.Assumptions, e)
	}
	x.form.Build(b)
	for l := range x.form.Locations {
		b.Move(o, x.form.Locations[l].Name, x.form.Locations[l].Name)
	}
	for name, e := range specs {
		b.Specs = append(b.Specs, o.Spec(name, e))
	}
	return b.File()
}

// node is a process that has heard so many.
type node struct {
	at    int
	heard int64
}

// nodes play runs.
type nodes struct {
	*broadcast
	n, t, f     int64
	all         []node
	sent, steps int64
}

func (p *nodes) Begin(counts []int64) error {
	for l, n := range counts {
		p.all = append(p.all, slices.Repeat([]node{{at: l}}, int(n))...)
	}
	return nil
}

// does reports whether a need is satisfied by so many that were heard.
func (p *nodes) does(m int, heard int64) bool {
	return p.needs[m].At(func(q Quantity) int64 {
		return append([]int64{p.n, p.t, p.f}, heard)[map[Kind]int{Received: 3}[q.Kind]+q.Index]
	}).Sign() >= 0
}

func (p *nodes) Take(m int) error {
	for i := range p.all {
		x := &p.all[i]
		for h := x.heard; x.at == p.form.Moves[m].From && h <= p.sent+p.f; h++ {
			if p.does(m, h) {
				x.at, x.heard = p.form.Moves[m].To, h
				p.sent += int64(len(p.form.Moves[m].Adds))
				p.steps++
				return nil
			}
		}
	}
	return &NoRun{Text: fmt.Sprintf("no process can take move %d", m)}
}

func (p *nodes) Idle(int) bool { return false }

// Settle: what is sent arrives, and no process has something to do then.
func (p *nodes) Settle([]int) (bool, error) {
	for i := range p.all {
		x := &p.all[i]
		x.heard = max(x.heard, p.sent)
		for m := range p.needs {
			if p.form.Moves[m].From == x.at && p.does(m, x.heard) {
				return false, &NoRun{Text: fmt.Sprintf("a process in %s has something to do", p.form.Locations[x.at].Name)}
			}
		}
	}
	return true, nil
}

func (p *nodes) State() (string, int) { return fmt.Sprint(p.all, p.sent), int(p.steps) }

// TestFrontEnd: a form that no front end has made is translated and verified, and a counterexample comes back as steps
// of its processes.
func TestFrontEnd(t *testing.T) {
	var o syntax.Origin
	for few, want := range map[int64]map[string]verify.Verdict{
		1: {"unforgeable": verify.Holds, "correct": verify.Holds, "relay": verify.Holds},
		0: {"unforgeable": verify.Violated, "correct": verify.Holds, "relay": verify.Holds},
		2: {"unforgeable": verify.Holds, "correct": verify.Holds, "relay": verify.Violated},
	} {
		x := newBroadcast(few)
		if err := forms.Check(x.form); err != nil {
			t.Fatal(err)
		}
		accept, fair := x.form.Present(o, []int{3}, true), x.form.Fairness(o)
		file := x.tree(map[string]*syntax.Expr{
			"unforgeable": o.Implies(x.form.Present(o, []int{1}, false),
				o.Op(syntax.Globally, x.form.Present(o, []int{3}, false))),
			"correct": o.Implies(fair, o.Implies(x.form.Present(o, []int{0}, false), o.Op(syntax.Finally, accept))),
			"relay": o.Implies(fair, o.Op(syntax.Globally, o.Implies(accept,
				o.Op(syntax.Finally, x.form.Present(o, []int{0, 1, 2}, false))))),
		})
		a, err := ta.Resolve("broadcast.ta", file)
		if err != nil {
			t.Fatalf("%v\n%s", err, forms.Text(x.form))
		}
		for name, want := range want {
			r, err := verify.Decide(context.Background(), a, a.SpecNamed(name), verify.Options{})
			if err != nil || r.Verdict != want {
				t.Fatalf("%d more than t, %s: %v, %v, not %v\n%s", few, name, r, err, want, forms.Text(x.form))
			}
			if r.Witness == nil {
				continue
			}
			run := r.Witness.Run
			p := &nodes{broadcast: x, n: run.Start.Params[0].Int64(), t: run.Start.Params[1].Int64(),
				f: run.Start.Params[2].Int64()}
			loop, err := Play(p, run, 4, len(x.form.Moves), name != "unforgeable")
			if err != nil {
				t.Fatalf("%d more than t, %s: %v\n%v", few, name, err, run)
			}
			accepted := slices.ContainsFunc(p.all, func(x node) bool { return x.at == 3 })
			waits := slices.ContainsFunc(p.all, func(x node) bool { return x.at != 3 })
			if !accepted || name == "relay" && (!waits || loop != int(p.steps)) {
				t.Errorf("%d more than t, %s: the processes come to %v", few, name, p.all)
			}
			// With fewer liars, a run of the automaton is none of the processes.
			p = &nodes{broadcast: x, n: p.n, t: p.t}
			if _, err := Play(p, run, 4, len(x.form.Moves), false); name == "unforgeable" &&
				!errors.As(err, new(*NoRun)) {
				t.Errorf("without liars, nothing keeps processes from %v", p.all)
			}
		}
	}
}
