package machine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// full is a state graph, as the interpreter has it.
type full struct {
	x      *interp.Interpreter
	states []*protocol.State
	index  map[string]int
	depth  []int
	start  []int
	next   [][]interp.Successor
	to     [][]int
}

var errLarge = errors.New("too large")

func explored(x *interp.Interpreter, limit int) (*full, error) {
	g := &full{x: x, index: map[string]int{}}
	number := func(s *protocol.State, depth int) int {
		key := s.Key()
		n, known := g.index[key]
		if !known {
			n = len(g.states)
			g.index[key] = n
			g.states, g.depth = append(g.states, s), append(g.depth, depth)
		}
		return n
	}
	list, err := x.Initial()
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		g.start = append(g.start, number(s.State, 0))
	}
	for i := 0; i < len(g.states); i++ {
		if len(g.states) > limit {
			return nil, errLarge
		}
		list, err := x.Successors(g.states[i])
		if err != nil {
			return nil, err
		}
		var to []int
		for _, s := range list {
			to = append(to, number(s.State, g.depth[i]+1))
		}
		g.next, g.to = append(g.next, list), append(g.to, to)
	}
	return g, nil
}

// stuck reports whether a state has no steps but idling.
func (g *full) stuck(state int) bool {
	return !slices.ContainsFunc(g.next[state], func(s interp.Successor) bool { return s.Event.Fate != interp.Idle })
}

// ends counts states without steps.
func (g *full) ends() (count int) {
	for i := range g.states {
		if g.stuck(i) {
			count++
		}
	}
	return count
}

// orbits counts states up to permutation of the processes of each role, by
// trying all permutations, and those of them without steps.
func (g *full) orbits() (states, ends int) {
	m := g.x.Model
	var all []permutation
	var build func(role int, by permutation)
	build = func(role int, by permutation) {
		if role == len(m.Roles) {
			all = append(all, slices.Clone(by))
			return
		}
		n := m.Roles[role].Size
		var perm func(list []int, left []int)
		perm = func(list, left []int) {
			if len(left) == 0 {
				build(role+1, append(slices.Clone(by), slices.Clone(list)))
				return
			}
			for i := range left {
				perm(append(slices.Clone(list), left[i]), slices.Delete(slices.Clone(left), i, i+1))
			}
		}
		first := make([]int, n)
		for i := range first {
			first[i] = i
		}
		perm(nil, first)
	}
	build(0, nil)
	seen := map[string]bool{}
	for i, s := range g.states {
		least := ""
		for _, by := range all {
			if key := renumber(m, s, by).Key(); least == "" || key < least {
				least = key
			}
		}
		if !seen[least] && g.stuck(i) {
			ends++
		}
		seen[least] = true
	}
	return len(seen), ends
}

// renumber applies a permutation to a state of the interpreter.
func renumber(m *protocol.Model, s *protocol.State, by permutation) *protocol.State {
	n := m.Processes()
	place := func(p int) int {
		r, number := m.RoleOf(p)
		return m.Roles[r].First + by[r][number-1]
	}
	out := &protocol.State{Cells: make([][]int32, n), Status: make([]protocol.Status, n), Channels: make([][]protocol.Message, n*n), Sent: make([][]protocol.Message, n*n)}
	for p := range n {
		r, _ := m.RoleOf(p)
		cells := make([]int32, len(s.Cells[p]))
		permute(m.Roles[r].State, s.Cells[p], cells, by)
		out.Cells[place(p)], out.Status[place(p)] = cells, s.Status[p]
		for q := range n {
			for k, from := range [][]protocol.Message{s.Channels[p*n+q], s.Sent[p*n+q]} {
				var list []protocol.Message
				for _, msg := range from {
					moved := make(protocol.Message, len(msg))
					permute(m.Message, msg, moved, by)
					list = append(list, moved)
				}
				if !m.Channels.FIFO {
					slices.SortFunc(list, func(a, b protocol.Message) int { return slices.Compare(a, b) })
				}
				if k == 0 {
					out.Channels[place(p)*n+place(q)] = list
				} else {
					out.Sent[place(p)*n+place(q)] = list
				}
			}
		}
	}
	return out
}

// invariant returns the depth of a state in which an invariant is false; -1 if
// there is none.
func (g *full) invariant(p *protocol.Prop) (int, error) {
	for i, s := range g.states {
		holds, err := g.x.Holds(s, p.Invariant, p.Frame)
		if err != nil {
			return 0, err
		}
		if !holds {
			return g.depth[i], nil
		}
	}
	return -1, nil
}

// unsound reports whether what a property says of states is an error in some state.
func (g *full) unsound(p *protocol.Prop) bool {
	for _, s := range g.states {
		if _, err := g.x.Holds(s, interp.Conditions(p), p.Frame); err != nil {
			return true
		}
	}
	return false
}

// tally counts what happened to random protocols.
type tally struct {
	cases, failures, large, states int
	verdicts                       map[verdict.Verdict]int
}

// TestRandom holds the machine against the interpreter: the same states and the
// same verdicts, with and without symmetry, in all models of traffic and of
// crashes; as many states with symmetry as there are orbits.
func TestRandom(t *testing.T) {
	cases, seed := need.Cases(t, 15), need.Seed(t, 1)
	count := &tally{verdicts: map[verdict.Verdict]int{}}
	for i := range cases {
		if !randomCase(t, seed+i, count) {
			return
		}
	}
	t.Logf("%+v", *count)
}

func randomCase(t *testing.T, seed int, count *tally) bool {
	r := rand.New(rand.NewPCG(uint64(seed), 7))
	text := random.Protocol(r)
	if seed%3 == 2 {
		text = random.Channels(r)
	}
	return textCase(t, seed, text, 4000, count)
}

// TestCollections does the same with sequences, sets, kinds of messages, several messages a
// step, global variables, restarts and duplication.
func TestCollections(t *testing.T) {
	cases, seed := need.Cases(t, 30), need.Seed(t, 1)
	count := &tally{verdicts: map[verdict.Verdict]int{}}
	for i := range cases {
		if !textCase(t, seed+i, random.Collections(rand.New(rand.NewPCG(uint64(seed+i), 27))), 800, count) {
			return
		}
	}
	t.Logf("%+v", *count)
}

// hurry makes the machine compile what it uses for its parameters at once, remember nothing that is looked for twice, and change
// its mind about partial orders early, in three of four cases.
func hurry(seed int) (back func()) {
	was := []int64{int64(often), int64(judged), soon, tried, sample, int64(mostNumbered), int64(mostKept)}
	if seed%4 > 0 {
		often = 1
	}
	if seed%4 > 1 {
		judged, soon, tried, sample = 1, int64(seed%50), int64(1+seed%7), int64(1+seed%3)
		mostNumbered, mostKept = 1+seed%9, seed%70
	}
	return func() {
		often, judged, soon, tried, sample = int(was[0]), int32(was[1]), was[2], was[3], was[4]
		mostNumbered, mostKept = int(was[5]), int(was[6])
	}
}

// textCase holds the machine against the interpreter on one text, of at most so many states.
func textCase(t *testing.T, seed int, text string, limit int, count *tally) bool {
	fail := func(format string, args ...any) bool {
		t.Errorf("seed %d: %s\n%s", seed, fmt.Sprintf(format, args...), text)
		return false
	}
	m, err := instantiate.Read("random.ftdp", text, nil)
	if err != nil {
		return fail("%v", err)
	}
	if m.Asymmetry != nil {
		return fail("asymmetric: %v", m.Asymmetry)
	}
	count.cases++
	defer hurry(seed)()
	verdicts := map[string]verdict.Verdict{} // of the models that must agree
	for _, traffic := range []interp.Traffic{interp.Direct, interp.Generalized, interp.Reference} {
		for _, crash := range []string{"explicit", "implicit"} {
			how := interp.Options{Traffic: traffic, Implicit: crash == "implicit"}
			g, err := explored(&interp.Interpreter{Model: m, Options: how}, limit)
			if errors.Is(err, errLarge) {
				count.large++
				continue
			}
			failure := err
			for _, plain := range []bool{true, false} {
				o := Options{Traffic: traffic, Crash: crash, Plain: plain, Bounds: explore.Bounds{Jobs: 1 + seed%2}}
				what := fmt.Sprintf("traffic %s, crash %s, plain %v", traffic, crash, plain)
				all, err := Count(context.Background(), m, o)
				var model *ModelError
				if errors.As(err, &model) != (failure != nil) || err != nil && model == nil {
					return fail("%s: the interpreter says %v, the machine %v", what, failure, err)
				}
				if failure != nil {
					count.failures++
					if err := model.Run.Check(); err != nil && len(model.Run.Events) > 0 {
						return fail("%s: the run to the error %v: %v", what, model, err)
					}
					continue
				}
				want, ends := len(g.states), g.ends()
				if !plain {
					want, ends = g.orbits()
				}
				count.states += want
				if all.States != int64(want) || all.Deadlocks != int64(ends) {
					return fail("%s: %d states, %d without steps, want %d, %d", what, all.States, all.Deadlocks, want, ends)
				}
				for i := range m.Props {
					p := &m.Props[i]
					if p.Invariant == nil && (traffic != interp.Direct || len(g.states) > 600) {
						continue
					}
					list, err := Check(context.Background(), m, []*protocol.Prop{p}, o)
					if g.unsound(p) { // somewhere; a violation may be nearer
						if !errors.As(err, &model) && (err != nil || list[0].Verdict == Holds && p.Invariant != nil) {
							return fail("%s: %s: it has to be an error: %v %+v", what, p.Name, err, list)
						}
						count.failures++
						continue
					}
					if err != nil {
						return fail("%s: %s: %v", what, p.Name, err)
					}
					verdict, depth := Holds, -1
					if p.Invariant != nil {
						if depth, err = g.invariant(p); err != nil {
							return fail("%v", err)
						}
					} else if g.violates(t, p) {
						depth = list[0].Depth
					}
					if depth >= 0 {
						verdict = Violated
					}
					longer := seed%4 > 1 && list[0].Depth > depth // partial orders begin early, and need not find a shortest run
					if list[0].Verdict != verdict || list[0].Verdict == Violated && list[0].Depth != depth && !longer {
						return fail("%s: %s is %s at %d, want %s at %d", what, p.Name, list[0].Verdict, list[0].Depth, verdict, depth)
					}
					if p.Invariant != nil && verdict == Holds && list[0].Deadlocks != int64(ends) {
						return fail("%s: %s: %d states without steps, want %d", what, p.Name, list[0].Deadlocks, ends)
					}
					count.verdicts[verdict]++
					if p.Invariant == nil {
						continue
					}
					// Models of traffic agree, and those of crashes where theorem 2 applies.
					key := p.Name
					if !m.Channels.Lossy || m.Channels.Synchronous {
						key += crash
					}
					if m.Channels.Duplicating { // what stays where it was delivered has to be taken again
						key += string(traffic)
					}
					if old, known := verdicts[key]; known && old != verdict {
						return fail("%s: %s is %s, and was %s in another model", what, p.Name, verdict, old)
					}
					verdicts[key] = verdict
				}
			}
		}
	}
	return true
}

// violates decides a formula on the full graph in another way than the engine:
// a product with sets of subformulas that are supposed to be true; those
// without a fair run are dropped, until nothing changes (Emerson and
// Lei).
func (g *full) violates(t *testing.T, p *protocol.Prop) bool {
	cases, _, err := interp.Violation(g.x.Model, p, false)
	if err != nil {
		t.Fatal(err)
	}
	var some func(f *interp.Formula) bool
	some = func(f *interp.Formula) bool {
		if f.Op == ftdp.Or {
			return slices.ContainsFunc(f.Args, some)
		}
		return g.satisfiable(t, f, p)
	}
	return slices.ContainsFunc(cases, func(c interp.Case) bool { return some(c.Formula) })
}

func (g *full) satisfiable(t *testing.T, f *interp.Formula, p *protocol.Prop) bool {
	// Subformulas in an order in which parts come first.
	var subs []*interp.Formula
	place := map[*interp.Formula]int{}
	var visit func(f *interp.Formula)
	visit = func(f *interp.Formula) {
		for _, a := range f.Args {
			visit(a)
		}
		place[f] = len(subs)
		subs = append(subs, f)
	}
	visit(f)
	var temporal []int
	for i, s := range subs {
		switch s.Op {
		case ftdp.Finally, ftdp.Globally, ftdp.Until, ftdp.Release:
			temporal = append(temporal, i)
		}
	}
	if len(temporal) > 6 {
		t.Fatal("too many temporal operators")
	}
	// A node is a state and a guess which temporal subformulas are true in the
	// next one.
	type node struct{ state, guess int }
	values := map[node][]bool{}
	nextTrue := func(guess, sub int) bool { return guess>>slices.Index(temporal, sub)&1 != 0 }
	for s := range g.states {
		for guess := range 1 << len(temporal) {
			v := make([]bool, len(subs))
			for i, sub := range subs {
				arg := func(k int) bool { return v[place[sub.Args[k]]] }
				switch sub.Op {
				case "":
					h, err := g.x.HoldsWith(g.states[s], sub.Cond, sub.Frame)
					if err != nil {
						t.Fatal(err)
					}
					v[i] = h != sub.Negated
				case ftdp.And:
					v[i] = true
					for k := range sub.Args {
						v[i] = v[i] && arg(k)
					}
				case ftdp.Or:
					for k := range sub.Args {
						v[i] = v[i] || arg(k)
					}
				case ftdp.Finally:
					v[i] = arg(0) || nextTrue(guess, i)
				case ftdp.Globally:
					v[i] = arg(0) && nextTrue(guess, i)
				case ftdp.Until:
					v[i] = arg(1) || arg(0) && nextTrue(guess, i)
				case ftdp.Release:
					v[i] = arg(1) && (arg(0) || nextTrue(guess, i))
				}
			}
			values[node{s, guess}] = v
		}
	}
	// Edges carry the instances of fair rules that they are.
	type edge struct {
		to    node
		taken string
	}
	edges := map[node][]edge{}
	able := make([]map[string]bool, len(g.states))
	instances := map[string]bool{}
	for s := range g.states {
		able[s] = map[string]bool{}
		for k, succ := range g.next[s] {
			taken := ""
			e := succ.Event
			made := e.Fate == interp.Processed && g.x.Model.Rules[e.Rule].Voluntary() || slices.ContainsFunc(e.Packets, func(q protocol.Packet) bool { return g.states[s].Status[q.From] == protocol.Byzantine })
			if e.Fate == interp.Processed && p.Fair[e.Rule] && !made {
				r := &g.x.Model.Rules[e.Rule]
				taken = fmt.Sprint(e.Rule, " ", interp.Process(g.x.Model, r, r.Executor, e.Frame))
				if r.Receives() && !r.Quorum() {
					taken += fmt.Sprint(" ", interp.Process(g.x.Model, r, r.Sender, e.Frame))
				}
				able[s][taken], instances[taken] = true, true
			}
			for guess := range 1 << len(temporal) {
				from := node{s, guess}
				for next := range 1 << len(temporal) {
					to := node{g.to[s][k], next}
					consistent := true
					for _, i := range temporal {
						consistent = consistent && values[to][i] == nextTrue(guess, i)
					}
					if consistent {
						edges[from] = append(edges[from], edge{to, taken})
					}
				}
			}
		}
	}
	// What has to happen again and again.
	var again []func(from node, e edge) bool
	for _, i := range temporal {
		sub := subs[i]
		var goal int
		switch sub.Op {
		case ftdp.Finally:
			goal = place[sub.Args[0]]
		case ftdp.Until:
			goal = place[sub.Args[1]]
		default:
			continue
		}
		again = append(again, func(from node, _ edge) bool { return !values[from][i] || values[from][goal] })
	}
	for name := range instances {
		again = append(again, func(from node, e edge) bool { return !able[from.state][name] || e.taken == name })
	}
	again = append(again, func(node, edge) bool { return true })
	alive := map[node]bool{}
	for n := range values {
		alive[n] = true
	}
	for changed := true; changed; {
		changed = false
		for _, goal := range again {
			good := map[node]bool{} // a goal edge inside alive can be reached
			for more := true; more; {
				more = false
				for n := range alive {
					if good[n] {
						continue
					}
					for _, e := range edges[n] {
						if alive[e.to] && (good[e.to] || goal(n, e)) {
							good[n], more = true, true
							break
						}
					}
				}
			}
			for n := range alive {
				if !good[n] {
					delete(alive, n)
					changed = true
				}
			}
		}
	}
	for _, s := range g.start {
		for guess := range 1 << len(temporal) {
			if n := (node{s, guess}); alive[n] && values[n][place[f]] {
				return true
			}
		}
	}
	return false
}

// TestText checks that what the generator makes is what it is meant to be.
func TestText(t *testing.T) {
	text := random.Protocol(rand.New(rand.NewPCG(1, 7)))
	if !strings.Contains(text, "rules") {
		t.Error(text)
	}
}

// TestLiveness has cases that other tools are known to get wrong when they
// reduce by symmetry, or look for "eventually" without its due: loops in which
// processes take turns, fairness of one process among interchangeable ones, and
// what happens only on cycles or where paths join.
func TestLiveness(t *testing.T) {
	const head = `protocol p; const n = 3;
channels asynchronous reliable authenticated unordered bounded 1;
type N: role[n];
var node: array[N] of record busy: bool; turn: 0..3 end;
init start: for k: N do node[k].busy := false; node[k].turn := 0 endfor
rules
`
	for _, c := range []struct {
		name, rules, formula string
		verdict              verdict.Verdict
	}{
		// Up to symmetry there are two states, and a process is busy again and again;
		// but it may always be the same process.
		{"always the same", `[](i: N) take: if forall (k: N) not node[k].busy then node[i].busy := true endif
[] [](i: N) drop: if node[i].busy then node[i].busy := false endif`, `ltl p: forall (k: N) G F node[k].busy;`, Violated},
		// Weak fairness does not help: a process may take only where none is busy, which is not always.
		{"weak fairness is weak", `[](i: N) take: if forall (k: N) not node[k].busy then node[i].busy := true endif
[] [](i: N) drop: if node[i].busy then node[i].busy := false endif`, `ltl p fair: forall (k: N) G F node[k].busy;`, Violated},
		// Each process may always toggle: fairness brings each of them to do so. Up
		// to symmetry a loop may toggle one process again and again, which looks like
		// all of them do.
		{"fairness of each", `[](i: N) toggle: node[i].busy := not node[i].busy;`, `ltl p fair: forall (k: N) G F node[k].busy;`, Holds},
		{"without fairness", `[](i: N) toggle: node[i].busy := not node[i].busy;`, `ltl p: forall (k: N) G F node[k].busy;`, Violated},
		// A symmetric condition that is true again and again though no process stays.
		{"somebody", `[](i: N) toggle: if node[i].busy or forall (k: N) not node[k].busy then node[i].busy := not node[i].busy endif`, `ltl p: G F exists (k: N) node[k].busy;`, Holds},
		// "Eventually" fails on a cycle that is never left.
		{"a cycle", `[](i: N) step: if node[i].turn < 2 then node[i].turn := 1 - node[i].turn endif
[] [](i: N) leave: if node[i].turn = 1 then node[i].turn := 3 endif`, `ltl p: F exists (k: N) node[k].turn = 3;`, Violated},
		// "Eventually" fails on one of two paths that join in a state where it is false, and
		// that was first reached by the path on which it was true.
		{"a join", `[](i: N) one: if node[i].turn = 0 and forall (k: N) not node[k].busy then node[i].turn := 1 endif
[] [](i: N) two: if node[i].turn = 0 then node[i].busy := true; node[i].turn := 2 endif
[] [](i: N) three: if node[i].turn = 1 then node[i].turn := 2; node[i].busy := true endif`, `ltl p: F exists (k: N) node[k].turn = 1;`, Violated},
		// Rotation: the one who was busy last is not the next. Up to symmetry the
		// loop has length one.
		{"rotation", `[](i: N) take: if not node[i].busy and node[i].turn = 0 then
  for k: N do node[k].busy := false; node[k].turn := 0 endfor
  node[i].busy := true; node[i].turn := 1 endif`, `ltl p: forall (k: N) (G F node[k].busy -> G F not node[k].busy);`, Holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := instantiate.Read("p.ftdp", head+c.rules+"\n"+c.formula, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, plain := range []bool{true, false} {
				r, err := Check(context.Background(), m, []*protocol.Prop{&m.Props[0]}, Options{Plain: plain})
				if err != nil {
					t.Fatal(err)
				}
				if r[0].Verdict != c.verdict || r[0].Symmetric == plain {
					t.Errorf("plain %v: %s (symmetric %v, %s), want %s", plain, r[0].Verdict, r[0].Symmetric, r[0].Asymmetry, c.verdict)
				}
			}
		})
	}
}
