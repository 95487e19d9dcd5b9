package emit_test

import (
	"testing"

	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/testkit/need"
)

// begins is a protocol in which the conditions of initial states ask for first values, and rules for parts of values that are put together.
const begins = `protocol begins;
type nodeID: role[2];
var
  g: 0..1 = 1;
  node: array[nodeID] of record n: 0..2 = 0; s: set of 0..1 = {}; q: seq[2] of 0..1 = seq(0, 1); end;
init
  start: if g = 0 then skip; endif
  []
  other: if forall (k: nodeID) node[k].n = 0 then for x: nodeID do node[x].n := 1; endfor endif
rules
  [](i: nodeID) go: if size(add(node[i].s, node[i].n)) > size(node[i].s) then node[i].s += node[i].n; endif
  []
  [](i: nodeID) part: if length(slice(node[i].q, 1, node[i].n)) = 1 then
    let most = max (k: nodeID) length(slice(node[k].q, 1, node[k].n));
    if slice(node[i].q, most, 2)[1] = 0 then node[i].n := slice(node[i].q, 1, 1)[1] + length(slice(node[i].q, 2, 2)) - 1; endif
    endif
invariant low: forall (k: nodeID) node[k].n = 0;
invariant high: forall (k: nodeID) node[k].n = 1;
`

// parts asks for parts of values that are put together.
const parts = begins + `
invariant one: forall (k: nodeID) length(slice(node[k].q, 2, 2)) = 1 and last(slice(node[k].q, 1, 1)) = 0;
invariant many: forall (k: nodeID) slice(node[k].q, 2, 2)[1] = 0;
`

func written(t *testing.T, text, target string) (*exported, emit.Files) {
	t.Helper()
	m, err := instantiate.Read("begins.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := decide(t, "begins", text, m, 5000)
	if s == nil {
		t.Fatal("it is not decided")
	}
	files, err := emit.Protocol(m, target, "model")
	if err != nil {
		t.Fatal(err)
	}
	return s, files
}

// TestFirstValuesTLC: conditions of initial states are asked of first values, for TLC too.
func TestFirstValuesTLC(t *testing.T) {
	jar := need.TLC(t)
	s, files := written(t, parts, "tla")
	s.right(t, s.tlc(t, jar, files), files[".tla"])
}

// TestFirstValuesRumur: and for rumur.
func TestFirstValuesRumur(t *testing.T) {
	need.Peers(t, "rumur", "gcc")
	s, files := written(t, parts, "murphi")
	wrong, _ := s.rumur(t, files[".m"])
	s.right(t, wrong, files[".m"])
}

// TestFirstValuesSpin: and for Spin.
func TestFirstValuesSpin(t *testing.T) {
	need.Peers(t, "spin", "gcc")
	s, files := written(t, parts, "promela")
	s.right(t, s.spin(t, files[".pml"]), files[".pml"])
}

// nested is a protocol in which a value is put together within one that is put together, one is looked for within what is looked for, and
// an invariant that is false whatever the state.
const nested = `protocol nested;
type nodeID: role[2];
var node: array[nodeID] of record sets: seq[2] of set of bool = seq({false}); end;
init start: skip;
rules
  [](i: nodeID) more: if length(node[i].sets) < 2 then node[i].sets := append(node[i].sets, {true}); endif
  []
  [](i: nodeID) other: if node[i].sets[1] = {false} then node[i].sets := seq({true, false}, {}); endif
invariant one: forall (k: nodeID) length(node[k].sets) = 1;
invariant never: 1 > 2;
invariant far: (max (k: nodeID) k by (max (j: nodeID) length(node[j].sets) by j)) = 2;
`

// TestNestedTLC: names that are bound within others differ from them, and TLC says in words of its own what is always false.
func TestNestedTLC(t *testing.T) {
	jar := need.TLC(t)
	s, files := written(t, nested, "tla")
	s.right(t, s.tlc(t, jar, files), files[".tla"])
}

// TestConstantsTLC: formulas about constants are what they are, though TLC has its own view of them.
func TestConstantsTLC(t *testing.T) {
	jar := need.TLC(t)
	s, files := written(t, begins+`
ltl still: G G (1 <= 1);
ltl pairs: forall (k: nodeID) exists (j: nodeID) G (count (q: nodeID) (j != k) <= 2);
ltl either: G (false) or F F (2 != 1);
ltl never: F F (2 < 1);
`, "tla")
	s.right(t, s.tlc(t, jar, files), files[".tla"])
}

// moves is a protocol in which an assignment changes the index of the place that it writes.
const moves = `protocol moves;
type N: role[1];
var
  tab: array[0..1] of record k: 0..1; v: 0..1; end;
  node: array[N] of record done: bool = false; end;
init start: for x: 0..1 do tab[x] := (k: 0, v: 0); endfor
rules [](i: N) go: if not node[i].done then tab[tab[0].k] := (k: 1, v: 1); node[i].done := true; endif
invariant other: tab[1].v = 0;
`

// TestPlaceMoves: what is written part by part is written in one place.
func TestPlaceMoves(t *testing.T) {
	need.Peers(t, "rumur", "spin", "gcc")
	s, files := written(t, moves, "murphi")
	wrong, _ := s.rumur(t, files[".m"])
	s.right(t, wrong, files[".m"])
	s, files = written(t, moves, "promela")
	s.right(t, s.spin(t, files[".pml"]), files[".pml"])
}
