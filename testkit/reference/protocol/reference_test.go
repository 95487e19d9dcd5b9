package protocol

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// load reads a text that has to be right.
func load(t *testing.T, source string, set map[string]int) *Model {
	t.Helper()
	text, err := Parse(source)
	if err != nil {
		t.Fatal(err, source)
	}
	m, err := Load(text, set)
	if err != nil {
		t.Fatal(err, source)
	}
	return m
}

// sender is a text with channels and rules to be filled in: two processes that send once, and one that counts.
const sender = `protocol sender;
channels CHANNELS;
type
  fromID: role[2];
  toID: role[1];
  Msg: record val: 0..1; end;
var
  from: array[fromID] of record sent: bool; end;
  to: array[toID] of record got: 0..2; end;
init
  start:
    for k: fromID do
      from[k].sent := false;
      from[k].status := STATUS;
    endfor
    for k: toID do
      to[k].got := 0;
    endfor
rules
  [](i: fromID) send:
    if not from[i].sent then
      from[i].sent := true;
      for k: toID do
        2to[k].val := 0;
      endfor
    endif
  []
  RECEIVE
invariant few: forall (k: toID) to[k].got < 2;
ltl all: F (forall (k: toID) to[k].got = 2);
ltl allfair fair: F (forall (k: toID) to[k].got = 2);
`

const receiveOne = `[](i: toID) [](j: fromID) receive:
    if to[i].got < 2 then
      to[i].got := to[i].got + 1;
    endif`

const receiveAll = `[](i: toID) [](Q: quorum[2] of fromID) receive:
    to[i].got := count (q: Q) (msg[q].val = 0);`

func senderText(channels, status, receive string) string {
	return strings.NewReplacer("CHANNELS", channels, "STATUS", status, "RECEIVE", receive).Replace(sender)
}

// TestByHand compares with numbers calculated by hand.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		name, channels, status, receive string
		implicit                        bool
		states, orbits, deadlocks       int
		few                             int
		all, fair                       bool
	}{
		// Each sender: not sent, on its way, received: 3 * 3 states.
		{"reliable", "asynchronous reliable authenticated unordered bounded 1", "corr", receiveOne, false, 9, 6, 1, 4, true, true},
		// Each: not sent, on its way, received, lost; what counts is how many were received, and who has sent: by how
		// many have been sent (1, 2 times on its way or not and received or not, ...): 1 + 2*3 + (1 + 2*2 + 3).
		{"lossy", "asynchronous lossy authenticated unordered bounded 1", "corr", receiveOne, false, 15, 10, 3, 4, false, false},
		// Both at once: (not sent, sent) for each, and received.
		{"quorum", "asynchronous reliable authenticated unordered bounded 1", "corr", receiveAll, false, 5, 4, 1, 3, true, true},
		// Byzantine senders never move; a message may come at any time, and no process makes it come.
		{"byz", "asynchronous reliable authenticated unordered bounded 1", "byz", receiveOne, false, 3, 3, 1, 2, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, senderText(c.channels, c.status, c.receive), nil)
			g, complete := m.Explore(Options{Traffic: Direct, Implicit: c.implicit}, 1000)
			if !complete {
				t.Fatal("not complete")
			}
			orbits, _, closed := g.Orbits()
			if len(g.Nodes) != c.states || orbits != c.orbits || !closed || g.Deadlocks() != c.deadlocks {
				t.Errorf("%d states, %d orbits (%v), %d deadlocks, expected %d, %d, %d", len(g.Nodes), orbits, closed, g.Deadlocks(), c.states, c.orbits, c.deadlocks)
			}
			if depth, _ := g.Violation(m.Text.Properties[0]); depth != c.few {
				t.Errorf("violated at %d, expected %d", depth, c.few)
			}
			if v := g.Decide(m.Text.Properties[1]); v.Holds != c.all {
				t.Errorf("formula: %v, expected %v", v.Holds, c.all)
			}
			if v := g.Decide(m.Text.Properties[2]); v.Holds != c.fair {
				t.Errorf("fair formula: %v, expected %v", v.Holds, c.fair)
			}
		})
	}
}

// TestExpressions compares values of expressions.
func TestExpressions(t *testing.T) {
	for source, want := range map[string]int{
		"7 / 2": 3, "(0 - 7) / 2": -4, "[7 / 2]": 4, "⌊7 / 2⌋": 3, "⌈6 / 2⌉": 3, "(0 - 1) % 3": 2, "2 + 3 * 4": 14, "10 - 3 - 2": 5,
		"count (k: 0..4) (k > 2)": 2, "max (k: 0..4) (k % 3)": 2, "min (k: 1..4) (k) by (k % 2)": 4, "max (k: 1..4) (k) by (0 - k % 2)": 4,
		"count (k: bool) (k -> false)": 1, "count (k: 1..3) (1 < k < 3)": 1, "count (k: 0..2) (0 != k != 1)": 1,
	} {
		m := load(t, "protocol p; const c = "+source+";", nil)
		if got := m.Consts["c"].Cells[0]; got != want {
			t.Errorf("%s = %d, expected %d", source, got, want)
		}
	}
}

// TestPublished compares with the paper: OM(1) with three lieutenants has 1,797 states, 345 up to permutation.
func TestPublished(t *testing.T) {
	m := load(t, oralMessages, nil)
	g, _ := m.Explore(Options{Traffic: Direct}, 10000)
	if orbits, _, _ := g.Orbits(); len(g.Nodes) != 1797 || orbits != 345 {
		t.Errorf("%d states, %d orbits", len(g.Nodes), orbits)
	}
}

// TestMistakes makes mistakes in the reference on purpose: each is noticed, on a text where nothing is without it.
func TestMistakes(t *testing.T) {
	reliable, lossy := "asynchronous reliable authenticated unordered bounded 1", "asynchronous lossy authenticated unordered bounded 1"
	replace := strings.NewReplacer
	for wrong, source := range map[string]string{
		mistakeLoss:   senderText(lossy, "corr", receiveOne),
		mistakeStop:   senderText(reliable, "crash", receiveOne),
		mistakeFair:   senderText(reliable, "corr", receiveOne+"\n  []\n  [](i: toID) spin:\n    skip;"),
		mistakeOrbits: replace("to[k].got < 2;", "to[k].got < 3;").Replace(senderText(reliable, "corr", receiveOne)),
		mistakeIdle:   senderText(reliable, "byz", receiveOne),
		mistakeAbsent: replace("to[i].got < 2 then", "to[i].got < 2 and true then", "to[i].got + 1", "2; if not msg.absent then to[i].got := 1; endif").Replace(senderText("synchronous reliable authenticated unordered bounded 1", "byz", receiveOne)),
		mistakeAtLeast: replace("quorum[2]", "quorum[>= 1]", "(msg[q].val = 0)", "true").
			Replace(senderText(reliable, "corr", receiveAll)),
		mistakeBound:    replace("from[i].sent := true", "skip", "to[k].got < 2;", "to[k].got < 3;").Replace(senderText(reliable, "corr", receiveOne)),
		mistakeStrategy: senderText(reliable, "byz", receiveOne+"\n  []\n  [](i: fromID) byz nothing:\n    if false then skip; endif"),
		mistakeOrder: senderText("asynchronous reliable authenticated fifo bounded 2", "corr", strings.Replace(receiveOne, "to[i].got < 2", "msg.val = 1 and to[i].got < 2", 1)+
			"\n  []\n  [](i: fromID) again:\n    if from[i].sent then\n      for k: toID do\n        2to[k].val := 1;\n      endfor\n    endif"),
		mistakeRounding: strings.Replace(senderText(reliable, "corr", receiveOne), "to[k].got < 2;", "(0 - to[k].got) / 2 > 0 - 1;", 1),
	} {
		notices(t, wrong, source, "", nil)
	}
}

// notices makes a mistake in the reference: the comparison of a text notices it, and finds nothing without it.
func notices(t *testing.T, wrong, source string, traffic Traffic, set map[string]int) {
	t.Helper()
	if traffic == "" {
		traffic = Direct
	}
	runs := explored(t, source, traffic, set)
	for _, makes := range []string{"", wrong} {
		mistake = makes
		found := disagreements(t, source, runs, traffic, set)
		mistake = ""
		if (len(found) > 0) != (makes != "") {
			t.Errorf("%s, made: %v: %v", wrong, makes != "", found)
		}
	}
}

// explored is what the program says of a text, without symmetry and with it.
func explored(t *testing.T, source string, traffic Traffic, set map[string]int) []*Run {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mistake.ftdp")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"explore", file, "--json", "--jobs", "1", "--por", "none", "--traffic", string(traffic)}
	for name, v := range set {
		args = append(args, "--set", fmt.Sprint(name, "=", v))
	}
	var runs []*Run
	for _, symmetry := range []string{"none", "roles"} {
		run, err := program.run(append(args, "--symmetry", symmetry)...)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	return runs
}

// disagreements holds what the program says of a text against the reference. If a mistake confuses that altogether, it
// is one.
func disagreements(t *testing.T, source string, runs []*Run, traffic Traffic, set map[string]int) (found []Disagreement) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			if mistake == "" {
				panic(r)
			}
			found = append(found, Disagreement{Kind: "confused", Text: fmt.Sprint(r)})
		}
	}()
	m := load(t, source, set)
	j := &judge{model: m, limit: 6000, known: map[Options]*expected{}}
	for _, run := range runs {
		found = append(found, j.compare(run, traffic, m.Text.Properties)...)
	}
	if m.Unsaid != "" {
		t.Errorf("not documented: %s\n%s", m.Unsaid, source)
	}
	return found
}

// oralMessages is figure 8 of the paper.
const oralMessages = `
protocol om1;

const
  n = 3; // lieutenants
  defVal = false; // what counts if nothing arrives, or there is no majority

channels synchronous reliable authenticated unordered bounded 1;

type
  commanderID: role[1];
  lieutenantID: role[n];
  Msg: record
    comm: bool;
  end;

var
  commander: array[commanderID] of record
    command: bool;
    hasProposed: bool;
  end;
  lieutenant: array[lieutenantID] of record
    commands: array[lieutenantID] of bool; // what each lieutenant says; one's own place: what the commander said
    decision: bool;
  end;

init
  // A lieutenant is the traitor.
  [](t: lieutenantID) [](order: bool) traitorousLieutenant:
    for k: commanderID do
      commander[k].command := order;
      commander[k].hasProposed := false;
      commander[k].status := corr;
    endfor
    for k: lieutenantID do
      if k = t then
        lieutenant[k].status := byz;
      else
        lieutenant[k].status := corr;
      endif
    endfor
  []
  // The commander is.
  [](c: commanderID) traitorousCommander:
    commander[c].status := byz;
    for k: lieutenantID do
      lieutenant[k].status := corr;
    endfor

rules
  [](i: commanderID) propose:
    if not commander[i].hasProposed then
      for k: lieutenantID do
        2lieutenant[k].comm := commander[i].command;
      endfor
      commander[i].hasProposed := true;
    endif
  []
  [](i: lieutenantID) [](j: commanderID) receiveOrder:
    if isundefined(lieutenant[i].commands[i]) then
      if msg.absent then
        lieutenant[i].commands[i] := defVal;
      else
        lieutenant[i].commands[i] := msg.comm;
      endif
      for k: lieutenantID do
        if k != i then
          2lieutenant[k].comm := lieutenant[i].commands[i];
        endif
      endfor
    endif
  []
  [](i: lieutenantID) [](j: lieutenantID) receiveReport:
    if isundefined(lieutenant[i].commands[j]) then
      if msg.absent then
        lieutenant[i].commands[j] := defVal;
      else
        lieutenant[i].commands[j] := msg.comm;
      endif
      if forall (k: lieutenantID) not isundefined(lieutenant[i].commands[k]) then
        if count (k: lieutenantID) (lieutenant[i].commands[k] != defVal) >= [(n + 1) / 2] then
          lieutenant[i].decision := not defVal;
        else
          lieutenant[i].decision := defVal;
        endif
      endif
    endif
  []
  ELSE

invariant IC1:
  forall (i: lieutenantID) forall (j: lieutenantID)
    lieutenant[i].status = corr
    and lieutenant[j].status = corr
    and not isundefined(lieutenant[i].decision)
    and not isundefined(lieutenant[j].decision)
    -> lieutenant[i].decision = lieutenant[j].decision;

invariant IC2:
  forall (i: commanderID) forall (j: lieutenantID)
    commander[i].status = corr and not isundefined(lieutenant[j].decision)
    -> commander[i].command = lieutenant[j].decision;
`
