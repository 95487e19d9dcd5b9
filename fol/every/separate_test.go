package every

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/pyv"
	"github.com/tacheck/tacheck/internal/verdict"
)

// TestKey: clauses that differ by names and order have one key, and others have others.
func TestKey(t *testing.T) {
	sort := &fol.Sort{Name: "node"}
	sent := &fol.Symbol{Name: "sent", Args: []*fol.Sort{sort, sort}}
	up := &fol.Symbol{Name: "up", Args: []*fol.Sort{sort}}
	x, y := &fol.Var{Name: "X", Sort: sort}, &fol.Var{Name: "Y", Sort: sort}
	of := func(a, b *fol.Var, apart bool) clause {
		c := clause{vars: []*fol.Var{x, y}, literals: []*fol.Term{fol.Of(sent, fol.V(a), fol.V(b)),
			fol.Neg(fol.Of(up, fol.V(a)))}}
		if apart {
			c.apart = [][2]*fol.Var{{x, y}}
		}
		return c
	}
	other := of(y, x, true)
	other.literals[0], other.literals[1] = other.literals[1], other.literals[0]
	if of(x, y, true).key() != other.key() {
		t.Errorf("%q is not %q", of(x, y, true).key(), other.key())
	}
	seen := map[string]bool{}
	for _, c := range []clause{of(x, y, true), of(x, y, false), of(x, x, true)} {
		if seen[c.key()] {
			t.Errorf("%q is the key of different clauses", c.key())
		}
		seen[c.key()] = true
	}
}

// TestOpen stops work as soon as it is told of a step that induction fails at: the result has it, too.
func TestOpen(t *testing.T) {
	s, err := pyv.Read("", `sort node
mutable relation wants(node)
mutable relation holds(node)
mutable relation free
init !wants(N) & !holds(N) & free
transition ask(n: node)
  modifies wants
  new(wants(N)) <-> wants(N) | N = n
transition take(n: node)
  modifies wants, holds, free
  & wants(n) & free & !new(free)
  & (forall N. new(wants(N)) <-> wants(N) & N != n)
  & (forall N. new(holds(N)) <-> holds(N) | N = n)
safety [mutex] holds(N1) & holds(N2) -> N1 = N2
`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	list, err := Prove(ctx, s, Options{Open: func(Open) { stop() }})
	if err != nil {
		t.Fatal(err)
	}
	if r := list[0]; r.Verdict != verdict.Unknown || r.Step == nil || r.Breaks != s.Safety[0].Formula {
		t.Errorf("%s, open is %v", r.Verdict, r.Open)
	}
}

// TestManyVariables: a key moves in a message that names both nodes and a value, so that a lemma about two messages
// needs seven variables. Where who sends does not give the key away, two nodes have it.
func TestManyVariables(t *testing.T) {
	text := `sort node
sort key
sort value
mutable relation has(node, key, value)
mutable relation moves(node, node, key, value)
init has(N, K, V) & has(M, K, W) -> N = M & V = W
init !moves(N, M, K, V)
transition send(n: node, m: node, k: key, v: value)
  modifies has, moves
  & has(n, k, v)
  & (forall N, K, V. new(has(N, K, V)) <-> has(N, K, V) & !(N = n & K = k))
  & (forall N, M, K, V. new(moves(N, M, K, V)) <-> moves(N, M, K, V) | N = n & M = m & K = k & V = v)
transition receive(n: node, m: node, k: key, v: value)
  modifies has, moves
  & moves(n, m, k, v)
  & (forall N, M, K, V. new(moves(N, M, K, V)) <-> moves(N, M, K, V) & !(N = n & M = m & K = k & V = v))
  & (forall N, K, V. new(has(N, K, V)) <-> has(N, K, V) | N = m & K = k & V = v)
safety has(N, K, V) & has(M, K, W) -> N = M & V = W
`
	solver, err := Solver()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]verdict.Verdict{
		text: verdict.Holds,
		strings.ReplaceAll(text, " & !(N = n & K = k))", ")"): verdict.Violated,
	} {
		s, err := pyv.Read("", text)
		if err != nil {
			t.Fatal(err)
		}
		list, err := Prove(t.Context(), s, Options{Solver: solver})
		if err != nil {
			t.Fatal(err)
		}
		if list[0].Verdict != want {
			t.Errorf("%s, want %s: %s", list[0].Verdict, want, list[0].Reason)
		}
	}
}

// TestRows: the rows of a prefix are what its atoms are in the states, evaluated one by one.
func TestRows(t *testing.T) {
	system, err := pyv.Read("t.pyv", `sort node
sort value
mutable relation has(node, value)
mutable relation seen(node, node)
mutable function last(node): value
init !has(N, V) & !seen(N, M)
transition put(n: node, v: value)
  modifies has, last
  (new(has(N, V)) <-> has(N, V) | N = n & V = v) & new(last(N)) = (if N = n then v else last(N))
transition meet(n: node, m: node)
  modifies seen
  (exists V. has(n, V)) & (new(seen(N, M)) <-> seen(N, M) | N = n & M = m)
safety seen(N, M) -> has(N, last(N))`)
	if err != nil {
		t.Fatal(err)
	}
	p := &prover{sys: system, o: Options{Progress: func(string) {}}, byCount: map[int][]*prefix{}, kindOf: map[string]int{}}
	s, err := p.newSample([]int{3, 2})
	if err != nil {
		t.Fatal(err)
	}
	s.visit(context.Background(), 1)
	p.vocabulary()
	if len(s.states) < 130 {
		t.Fatalf("%d states are too few", len(s.states))
	}
	count := 0
	for n := range 4 {
		for _, x := range p.prefixes(n) {
			from, end := 7, len(s.states)-5
			got := map[uint64]int{}
			p.rows(x, s, from, end, func(row []uint64) { got[rowHash(row)]++ })
			row, elements := make([]uint64, (len(x.atoms)+63)/64), make([]uint8, n)
			for _, state := range s.states[from:end] {
				var fill func(i int)
				fill = func(i int) {
					for e := 0; i < n && e < s.Sizes[x.vars[i].Sort.Index]; e++ {
						elements[i] = uint8(e)
						fill(i + 1)
					}
					for i, v := range x.vars {
						for k, w := range x.vars[:i] {
							if v.Sort == w.Sort && elements[i] == elements[k] {
								return
							}
						}
					}
					if i < n {
						return
					}
					clear(row)
					for k, a := range x.atoms {
						if s.worker.Holds(s.Compile(a.t, x.vars), state, elements) {
							row[k/64] |= 1 << (k % 64)
						}
					}
					got[rowHash(row)]--
					count++
				}
				fill(0)
			}
			for _, k := range got {
				if k != 0 {
					t.Fatalf("rows of %v differ", x.vars)
				}
			}
		}
	}
	if count < 1000 {
		t.Errorf("only %d rows", count)
	}
}
