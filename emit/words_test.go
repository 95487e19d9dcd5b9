package emit_test

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
)

// wordy is a protocol whose names are words of the languages that it is written in, or look like some.
const wordy = `protocol End;
const
  n = 2;
channels asynchronous reliable authenticated unordered bounded 1;
type
  nodeID: role[n];
message static(END: -2..1), void(EOF: set of 0..2, WF_q: seq[2] of -1..1), WF_x;
var
  NULL: -1..2 = -1;
  SF_: enum {Start, CLEAR, TRUE_, WF_1, CASE, STATE} = Start;
  node: array[nodeID] of record
    CASE: -2..1 = -2;
    END: set of 0..2;
    log: seq[2] of -2..1;
    end_: bool = false;
    Undef: bool;
    OTHER: record IF: 0..1; WITH: 0..1; Do: 0..1; end;
  end;
init
  [](x: bool) start:
    for k: nodeID do node[k].END := {}; node[k].OTHER.WITH := 0; node[k].log := seq(); endfor
rules
  [](i: nodeID) Init:
    if node[i].CASE < 0 and NULL < 1 then node[i].CASE := node[i].CASE + 2; NULL := NULL + 1; send static(node[i].CASE) to others; endif
  []
  [](i: nodeID) get: receive static(v) from j
    if length(node[i].log) < 2 then
      node[i].log := append(node[i].log, v);
      node[i].END += (v + 2) % 3;
      node[i].end_ := true;
      node[i].OTHER.Do := 1;
      SF_ := CASE;
    endif
  []
  [](z: bool) [](BY: nodeID) maybe skip_:
    if node[BY].end_ and isundefined(node[BY].Undef) then node[BY].Undef := (z or -7 / 2 = -4) and -7 % 2 = 1; SF_ := WF_1; endif

invariant TypeOK: forall (WITH: nodeID) node[WITH].CASE >= -2 and size(node[WITH].END) <= 1;
invariant vars: NULL <= 0 and SF_ != CASE;
invariant Spec: forall (k: nodeID) not isundefined(node[k].Undef) -> node[k].Undef;
invariant INVARIANT: forall (k: nodeID) node[k].OTHER.WITH = 0;
ltl Progress: F (NULL = 1);
ltl WF fair: F (exists (k: nodeID) length(node[k].log) > 0);
ltl WF_ fair: F (exists (k: nodeID) length(node[k].log) > 0);
ltl SF_a fair: F (SF_ = CASE or SF_ = WF_1);
ltl Idle fair(get): forall (k: nodeID) G (node[k].CASE = 0 -> F node[k].end_);
`

// liar is a protocol in which a Byzantine process sends messages whose fields are words of Murphi's.
const liar = `protocol liar;
channels synchronous unordered bounded 1;
type N: role[2];
message A(log: seq[1] of 0..1, clear: array[0..1] of bool), STOP;
var node: array[N] of record x: 0..1 = 0; done: bool = false; end;
init [](i: N) start: node[i].status := byz;
rules
  [](i: N) ask: if node[i].x = 0 then send STOP to all; endif
  []
  [](i: N) got: receive A(v, w) from j
    if length(v) > 0 and w[1] then node[i].x := v[1]; node[i].done := w[0]; endif
invariant low: forall (k: N) node[k].x = 0;
`

// wordyAutomaton is an automaton of that kind: x is 1 at first, which Spin's state before that does not know.
const wordyAutomaton = `ta WF_k { shared static, _last, BASE; parameters n; assumptions { n > 1; }
  locations { WF_a: [0]; End: [1]; void: [2]; SF_: [3]; ELSE: [4]; _: [5]; }
  inits { WF_a == n; End == 0; void == 0; SF_ == 0; ELSE == 0; _ == 0; static == 1; _last == 0; BASE == 0; }
  rules { 0: WF_a -> End when (true) do { _last' == _last + 1; }; 1: End -> void when (_last >= 1) do { };
    2: void -> SF_ when (true) do { BASE' == BASE + 1; };
    3: SF_ -> ELSE when (true) do { }; 4: ELSE -> _ when (true) do { }; }
  specifications { bool: [](static >= 1); init: [](WF_a != 0 || End != 0 || void != 0 || SF_ != 0 || ELSE != 0 || _ != 0);
    End: [](End == 0); trace: [](_ == 0);
    WF_: [](BASE < 9); INVARIANT: [](_last < 9); } }`

// TestWords: names that a language has no place for are written in another way.
func TestWords(t *testing.T) {
	protocol, _ := written(t, wordy, "tla")
	a, err := ta.Parse("words.ta", wordyAutomaton)
	if err != nil {
		t.Fatal(err)
	}
	automaton := instance(a)
	if !automaton.violated["trace"] || automaton.violated["init"] {
		t.Fatal(automaton.violated)
	}
	t.Run("TLA+", func(t *testing.T) {
		need.More(t, "names in TLA+")
		jar := need.TLC(t)
		_, files := written(t, wordy, "tla")
		protocol.right(t, protocol.tlc(t, jar, files), files[".tla"])
		files = automaton.files(t, "tla")
		for _, wrong := range automaton.tlc(t, jar, files) {
			t.Errorf("%s\n%s", wrong, files[".tla"])
		}
	})
	t.Run("Murphi", func(t *testing.T) {
		need.More(t, "names in Murphi")
		need.Peers(t, "rumur", "gcc")
		for _, text := range []string{wordy, liar} {
			protocol, files := written(t, text, "murphi")
			wrong, _ := protocol.rumur(t, files[".m"])
			protocol.right(t, wrong, files[".m"])
		}
		files := automaton.files(t, "murphi")
		if wrong := automaton.rumur(t, files); wrong != "" {
			t.Errorf("%s\n%s", wrong, files[".m"])
		}
	})
	t.Run("Promela", func(t *testing.T) {
		need.Peers(t, "spin", "gcc")
		_, files := written(t, wordy, "promela")
		protocol.right(t, protocol.spin(t, files[".pml"]), files[".pml"])
		files = automaton.files(t, "promela")
		if wrong := automaton.spin(t, files); wrong != "" {
			t.Errorf("%s\n%s", wrong, files[".pml"])
		}
		if mistaken := strings.ReplaceAll(files[".pml"], "!begun || ", ""); automaton.spin(t, emit.Files{".pml": mistaken}) == "" {
			t.Error("claims about the state before the first one are not noticed")
		}
	})
}
