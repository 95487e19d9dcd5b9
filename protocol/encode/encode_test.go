package encode

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// reach returns states of a model, by the interpreter, nearest first, at most max;
// those that fail are among them.
func reach(t *testing.T, x *interp.Interpreter, max int) []*protocol.State {
	t.Helper()
	first, err := x.Initial()
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	var list []*protocol.State
	add := func(next []interp.Successor) {
		for _, s := range next {
			if key := s.State.Key(); !seen[key] && len(list) < max {
				seen[key] = true
				list = append(list, s.State)
			}
		}
	}
	add(first)
	for i := 0; i < len(list); i++ {
		next, err := x.Successors(list[i])
		if err == nil {
			add(next)
		}
	}
	return list
}

// ways evaluates a step for all messages that Byzantine processes make up.
func (x *Encoding) ways(a Assignment, s *Step, yield func(Assignment)) {
	var choose func(i int)
	choose = func(i int) {
		if i == len(s.slots) {
			yield(a)
			return
		}
		if s.slots[i] != anything {
			choose(i + 1)
			return
		}
		for _, m := range interp.Domain(x.Model.Message) {
			cells := x.inputs[i]
			for k, c := range cells {
				for _, v := range c.vars {
					a[v] = 0
				}
				a.set(c, m[k])
			}
			choose(i + 1)
		}
	}
	choose(0)
}

// agree holds the encoding against the interpreter in a state.
func agree(t *testing.T, x *Encoding, s *protocol.State) (difference string) {
	t.Helper()
	in := &interp.Interpreter{Model: x.Model, Options: x.Options}
	want := map[string]bool{}
	list, err := in.Successors(s)
	for _, n := range list {
		if n.Event.Fate != interp.Idle {
			want[n.State.Key()] = true
		}
	}
	a := x.Assign(s)
	if x.State(a).Key() != s.Key() {
		return "the state does not come back"
	}
	e := NewEvaluation(x.Circuit)
	e.Reset(a)
	if !e.True(x.Valid) {
		return "the state is not valid"
	}
	got, failed := map[string]bool{}, false
	for _, step := range x.Steps {
		x.ways(a, step, func(a Assignment) {
			e.Reset(a)
			failed = failed || e.True(step.Fail)
			if !e.True(step.Guard) {
				return
			}
			next := e.Next(step)
			e.Reset(next)
			if !e.True(x.Valid) {
				difference = "a successor is not valid"
			}
			got[x.State(next).Key()] = true
		})
	}
	var failure *protocol.Failure
	if failed != errors.As(err, &failure) {
		return "failing: " + strconv.FormatBool(failed) + ", but " + strconv.FormatBool(!failed)
	}
	if failed {
		return ""
	}
	for key := range want {
		if !got[key] {
			return "missing: " + key
		}
	}
	for key := range got {
		if !want[key] {
			return "too much: " + key
		}
	}
	return difference
}

// TestEncoding holds the transition relation of random protocols against the
// interpreter, state by state: the same successors, the same failures, the same values
// of invariants.
func TestEncoding(t *testing.T) {
	states := 0
	for seed := range need.Cases(t, 150) {
		text := random.Protocol(rand.New(rand.NewPCG(uint64(seed), 14)))
		if seed%3 == 2 {
			text = random.Collections(rand.New(rand.NewPCG(uint64(seed), 27)))
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		x, err := New(m, interp.Options{Implicit: seed%5 == 4})
		var failed *protocol.Failure
		if errors.As(err, &failed) {
			continue
		}
		var refused *protocol.Unsupported
		if errors.As(err, &refused) && seed%3 == 2 { // two messages to one process, channels that duplicate
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		in := &interp.Interpreter{Model: m, Options: x.Options}
		list := reach(t, in, 40)
		// And states that are hardly reachable.
		r := rand.New(rand.NewPCG(uint64(seed), 15))
		for _, s := range list[:min(10, len(list))] {
			list = append(list, scramble(r, x, s))
		}
		for _, s := range list {
			if diff := agree(t, x, s); diff != "" {
				t.Fatalf("seed %d: %s\nin %v\n%s", seed, diff, s.Key(), text)
			}
			states++
			for i := range m.Props {
				p := &m.Props[i]
				if p.Invariant == nil {
					continue
				}
				holds, fail, err := x.Holds(p.Invariant, make([]int32, p.Frame))
				if err != nil {
					t.Fatal(err)
				}
				e := NewEvaluation(x.Circuit)
				e.Reset(x.Assign(s))
				want, err := in.Holds(s, p.Invariant, p.Frame)
				if e.True(fail) != (err != nil) || err == nil && e.True(holds) != want {
					t.Fatalf("seed %d: %s is %v, %v\n%s", seed, p.Name, want, err, text)
				}
			}
		}
	}
	t.Logf("%d states", states)
}

// scramble changes some cells of a state.
func scramble(r *rand.Rand, x *Encoding, s *protocol.State) *protocol.State {
	out := x.State(x.Assign(s))
	for p := range out.Cells {
		role, _ := x.Model.RoleOf(p)
		for i := range out.Cells[p] {
			if of := x.Model.Roles[role].State.CellType(i); r.IntN(3) == 0 {
				out.Cells[p][i] = of.Lo + r.Int32N(int32(of.Size()))
				if r.IntN(4) == 0 {
					out.Cells[p][i] = protocol.Undef
				}
			}
		}
	}
	if x.Model.Message == nil {
		return out
	}
	domain := interp.Domain(x.Model.Message)
	for ch := range x.channels {
		if x.channels[ch] == nil || r.IntN(3) > 0 {
			continue
		}
		out.Channels[ch] = nil
		for range r.IntN(x.Model.Channels.Bound + 1) {
			out.Channels[ch] = append(out.Channels[ch], domain[r.IntN(len(domain))])
		}
		if !x.Model.Channels.FIFO {
			slices.SortFunc(out.Channels[ch], func(a, b protocol.Message) int { return slices.Compare(a, b) })
		}
	}
	return out
}

// TestSuiteEncodings holds the protocols of the suite against the interpreter.
func TestSuiteEncodings(t *testing.T) {
	files, err := filepath.Glob("../../benchmarks/protocols/*.ftdp")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	refused := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := instantiate.Read(file, string(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := New(m, interp.Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "induction cannot follow") { // then its place and what to write instead are said
				t.Fatalf("%s: %v", file, err)
			}
			refused++
			continue
		}
		for _, s := range reach(t, &interp.Interpreter{Model: m}, 30) {
			if diff := agree(t, x, s); diff != "" {
				t.Fatalf("%s: %s\nin %v", file, diff, s.Key())
			}
		}
		t.Logf("%s: %d steps, %d of them canonical, %d variables, %d nodes", filepath.Base(file), len(x.Steps), len(x.Canonical), x.states, len(x.nodes))
	}
	if refused > len(files)/4 {
		t.Errorf("%d of %d protocols have no encoding", refused, len(files))
	}
}

// TestSabotage makes mistakes in the steps of encodings; in some state that can be
// reached each is noticed.
func TestSabotage(t *testing.T) {
	text, err := os.ReadFile("../../benchmarks/protocols/rb.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		mistake func(x *Encoding)
	}{
		{"a step is always possible", func(x *Encoding) { x.Steps[0].Guard = True }},
		{"a step is never possible", func(x *Encoding) { x.Steps[0].Guard = False }},
		{"a step is left out", func(x *Encoding) { x.Steps = x.Steps[1:] }},
		{"a variable does not change", func(x *Encoding) {
			s := x.Steps[0]
			for _, v := range s.order {
				s.after[v] = value{{when: x.lits[v], lin: number(1)}}
			}
		}},
		{"a step fails that does not", func(x *Encoding) { x.Steps[0].Fail = x.Steps[0].Guard }},
		{"what was taken is still there", func(x *Encoding) {
			for _, s := range x.Steps {
				for _, v := range s.order {
					if strings.HasPrefix(x.Vars[v].name, "c") {
						s.after[v] = value{{when: x.lits[v], lin: number(1)}}
					}
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := instantiate.Read("rb.ftdp", string(text), nil)
			if err != nil {
				t.Fatal(err)
			}
			x, err := New(m, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c.mistake(x)
			for _, s := range reach(t, &interp.Interpreter{Model: m}, 60) {
				if agree(t, x, s) != "" {
					return
				}
			}
			t.Error("nothing was noticed")
		})
	}
}
