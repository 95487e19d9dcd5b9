package machine

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
)

// looking writes a protocol without messages whose rules look at other processes and at what all share: guards begin
// alike, variables have no values at times, indices are computed, and what is evaluated or stored may be an error.
func looking(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	number := func() string { return fmt.Sprint(r.IntN(3)) }
	atoms, steps, first := []string{}, []string{}, pick("", " = 0")
	switch r.IntN(3) {
	case 0: // values may be out of range
		atoms = append(atoms, "every (c: 0..2) board[board[c] + #] <= #", "every (c: 0..2) board[mark[c]] <= #", "board[node[@].k] <= #", "every (j: N) board[node[j].k] <= #")
		steps, first = append(steps, "node[i].x := node[i].x + 1", "node[i].k := b + 1", "mark[2] := 3", "mark[2] := 3"), " = 0"
	case 1: // or missing
		atoms = append(atoms, "every (c: 0..2) mark[c] <= #", "node[@].k <= 1", "mark[b] <= #", "every (j: N) node[j].k <= #")
		steps, first = append(steps, "undefine mark[2]", "undefine node[i].k", "undefine mark[2]"), " = 0"
	}
	atom := func(i string) string {
		return strings.NewReplacer("@", i, "#", number(), "<=", pick("<=", "<", ">=", "=", "!="), "every", pick("forall", "exists"),
			"some", pick("exists", "forall")).Replace(pick(append([]string{"node[@].x <= #", "node[@].on",
			"board[b] <= node[@].x", "board[node[@].x] <= board[b]", "isundefined(mark[b]) or mark[b] <= #",
			"isundefined(node[@].k) or node[@].k <= #", "some (j: N) (node[j].x <= node[@].x and j != @)",
			"every (j: N) (node[j].on or node[j].x <= #)", "count (j: N) node[j].on <= #", "every (c: 0..2) board[c] <= #",
			"max (j: N) node[j].x <= #", "2 * node[@].x <= board[b] + 1", "board[(node[@].x + board[b]) % 3] <= #"}, atoms...)...))
	}
	header, other, size := "", "i", "2"
	if r.IntN(2) == 0 { // rules name a process besides, and there are others
		header, other, size = "[](p: N) ", "p", "3"
	}
	guard := func(alike []string) string {
		parts := append([]string{}, alike[:r.IntN(len(alike)+1)]...)
		for range 1 + r.IntN(2) {
			parts = append(parts, "("+atom(pick("i", other))+")")
		}
		return strings.Join(parts, " and ")
	}
	step := func() string {
		return strings.ReplaceAll(pick(append([]string{"node[i].x := (node[i].x + 1) % 3", "node[i].on := not node[i].on",
			"board[b] := node[i].x", "board[node[i].x] := #", "mark[b] := node[i].x", "node[i].k := b", "for j: N do node[j].x := # endfor",
			"board[b] := board[node[i].x]", "let old& = node[i].x; node[i].x := #; board[b] := old&",
			"node[i].x := board[#]", "node[i].x := node[" + other + "].x; board[b] := node[i].x"}, steps...)...),
			"#", number()) + ";"
	}
	text := "protocol looking;\ntype N: role[" + size + "];\nvar board: array[0..2] of 0..2 = 0;\n  mark: array[0..2] of 0..3" +
		first + ";\n  node: array[N] of record x: 0..2 = 0; on: bool = false; k: 0..3" + first + "; end;\nrules\n"
	alike := []string{"(" + atom("i") + ")", "(" + atom(other) + ")"}
	for k := range 2 + r.IntN(2) {
		if k > 0 {
			text += "  []\n"
		}
		text += fmt.Sprintf("  [](b: 0..2) %s[](i: N) r%d: if %s then %s %s endif\n", header, k, guard(alike), strings.ReplaceAll(step(), "&", ""), strings.ReplaceAll(pick("", step()), "&", "2"))
	}
	return text + fmt.Sprintf("invariant c: forall (i: N) (forall (b: 0..2) ((%s) or (%s)));\n", atom("i"), atom("i"))
}

// TestLooking holds the machine against the interpreter where rules look at other processes.
func TestLooking(t *testing.T) {
	cases, seed := need.Cases(t, 60), need.Seed(t, 1)
	count := &tally{verdicts: map[verdict.Verdict]int{}}
	for i := range cases {
		if !textCase(t, seed+i, looking(rand.New(rand.NewPCG(uint64(seed+i), 31))), 200, count) {
			return
		}
	}
	t.Logf("%+v", *count)
}

// TestObserveEnds: what never happens is the same where a search ends when nothing is left to be said.
func TestObserveEnds(t *testing.T) {
	said, silent := 0, 0
	for seed := range uint64(need.Cases(t, 150)) {
		m, err := instantiate.Read("random.ftdp", looking(rand.New(rand.NewPCG(seed, 31))), nil)
		if err != nil {
			t.Fatal(err)
		}
		all, whole, err := Observe(t.Context(), m, interp.Options{}, false, true, 2000)
		if err != nil || !whole {
			continue
		}
		early, whole, err := Observe(t.Context(), m, interp.Options{}, false, false, 2000)
		if err != nil || !whole || !slices.Equal(all.Never, early.Never) {
			t.Fatalf("seed %d: %v, want %v (%v, %v)", seed, early, all, whole, err)
		}
		if len(all.Never) > 0 {
			said++
		} else {
			silent++
		}
	}
	if said == 0 || silent == 0 {
		t.Error(said, silent)
	}
}

// TestErrorOfNumbers: a part of a guard that is an error whatever the state is one where guards are compiled for their parameters.
func TestErrorOfNumbers(t *testing.T) {
	defer func(was int) { often = was }(often)
	for _, often = range []int{1, 200} {
		m, err := instantiate.Read("numbers.ftdp", `protocol numbers;
type N: role[1];
var node: array[N] of record x: 0..9 = 0; y: 0..1 = 0; end;
rules
  [](b: 0..1) [](i: N) divide: if node[i].x = 7 and 1 < (b + b + b) / (b - 1) + 1 then node[i].y := 1; endif
  []
  [](i: N) up: if node[i].x < 9 then node[i].x := node[i].x + 1; endif
invariant c: forall (i: N) node[i].y = 0;
`, nil)
		if err != nil {
			t.Fatal(err)
		}
		var failed *ModelError
		if _, err := Check(t.Context(), m, []*protocol.Prop{&m.Props[0]}, Options{}); !errors.As(err, &failed) {
			t.Errorf("compiled after %d uses: %v", often, err)
		}
	}
}

// TestSteps holds the steps out of each state against those of the interpreter, where they are remembered, too.
func TestSteps(t *testing.T) {
	defer func(was int) { often = was }(often)
	often = 1
	for seed := range uint64(need.Cases(t, 60)) {
		text := looking(rand.New(rand.NewPCG(seed, 31)))
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := explored(&interp.Interpreter{Model: m}, 2000)
		if err != nil {
			continue
		}
		x, err := newMachine(m, interp.Options{}, nil, 0, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := x.worker()
		for k := range 2 * len(g.states) {
			got, want, n := map[string]bool{}, map[string]bool{}, k%len(g.states)
			for _, to := range g.to[n] {
				want[g.states[to].Key()] = true
			}
			got[g.states[n].Key()], want[g.states[n].Key()] = true, true // where nothing changes
			if err := w.Successors(x.encode(g.states[n]), func(next []uint32, _ uint64) { got[x.decode(next).Key()] = true }); err != nil || !maps.Equal(got, want) {
				t.Fatalf("seed %d, state %d: %d steps, want %d (%v)\n%s", seed, n, len(got), len(want), err, text)
			}
		}
	}
}
