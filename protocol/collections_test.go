package protocol_test

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
)

// several is a protocol with kinds of messages, sequences and sets, in which a marked place is replaced.
const several = `protocol p;
channels asynchronous lossy authenticated unordered bounded 2;
type N: role[2]; E: record t: 0..2; who: N end;
message A(val: 0..2), C(who: N), STOP;
var total: 0..2 = 0;
 node: array[N] of record x: 0..2 = 0; log: seq[2] of E = seq(); seen: set of N = {}; end;
rules
  [](i: N) [](j: N) get: receive A(no) from j RULE
PROP
`

// TestCollectionErrors checks what is said of wrong sequences, sets, messages and named values.
func TestCollectionErrors(t *testing.T) {
	for _, c := range []struct{ rule, want string }{
		{"send B to all", `there are no messages "B"`},
		{"send A to all", "A has one field, not 0"},
		{"send STOP(1) to all", "STOP has no fields, not 1"},
		{"send STOP", "say to whom: send STOP to all, to others, to sender, or to a process"},
		{"if true then send STOP i; endif", "`send KIND to k`"},
		{"send STOP to N", "say to which: to all of N, to others of N, or to a process"},
		{"node[i].seen += {i}", "union(s, t) has the members of both"},
		{"node[i].x := node.x", "that of process i is node[i].x"},
		{"node[i].x := none", "a variable without a first value has none"},
		{"send STOP to node[i].x", "messages are sent to processes, not to what is a number"},
		{"send STOP to i % 2 + 1", "`next: N` of node, which init sets, as on a ring `node[k].next := k % n + 1`"},
		{"send A(i) to all", ""}, // told as an asymmetry
		{"send A(true) to all", "a truth value is assigned to a number"},
		{"node[i].log[1] := (t: 1, who: j)", "a part of a sequence is not changed by itself"},
		{"node[i].log := append(node[i].log, 1)", "a number is assigned to a record"},
		{"node[i].log := node[i].log.items", "a sequence has no fields: write length(s), s[k], last(s)"},
		{"node[i].seen := {1, 2}", ""},
		{"node[i].seen := {true}", "a truth value in a set of what is a process of N"},
		{"if node[i].x in node[i].x then skip endif", "in compares a process with a quorum of its role, or asks for a member of a set"},
		{"let y = {}; skip", "it does not show here of what this is a set"},
		{"let y = (t: 1); skip", "it does not show here which record this is"},
		{"let no = 1; skip", `there is a variable "no" already`},
		{"let y = node[i].x; y := 1", "this cannot be changed"},
		{"node[i].log -= (t: 1)", "-= is for numbers, sets and sequences"},
		{"node[i].log := (t: 1)", "a record, and not a sequence"},
		{"node[i].x := max (k: N) node[k].x default true", "a truth value instead of a number"},
		{"total := true", "a truth value is assigned to a number"},
		{"node[i].x := msg.who.t", "this has no fields"},
	} {
		text := strings.NewReplacer("RULE", c.rule, "PROP", "").Replace(several)
		m, err := instantiate.Read("p.ftdp", text, nil)
		if c.want == "" {
			if err != nil || m.Asymmetry == nil {
				t.Errorf("%s: %v", c.rule, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.rule, err, c.want)
		}
		if list, ok := err.(diag.List); ok && list[0].Pos.Line != 8 {
			t.Errorf("%s: at %v", c.rule, list[0].Pos)
		}
	}
}

// TestDefinitions: what an argument of a definition counts is not overwritten by what the definition
// counts itself.
func TestDefinitions(t *testing.T) {
	text := strings.NewReplacer("RULE", "node[i].x := no", "PROP", `
define all(v: 0..2) = forall (k: N) v > node[k].x;
invariant short: all(count (l: N) node[l].x = 0);
invariant long: forall (k: N) (count (l: N) node[l].x = 0) > node[k].x;
`).Replace(several)
	text = strings.ReplaceAll(text, "count (l: N) node[l].x = 0", "count (l: N) (node[l].x = 0)")
	m, err := instantiate.Read("p.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &interp.Interpreter{Model: m}
	list, err := x.Initial()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range [][]int32{{0, 0}, {1, 0}, {0, 2}, {2, 1}} {
		s := list[0].State
		s.Cells[0][0], s.Cells[1][0] = v[0], v[1]
		var got [2]bool
		for i := range got {
			if got[i], err = x.Holds(s, m.Props[i].Invariant, m.Props[i].Frame); err != nil {
				t.Fatal(err)
			}
		}
		if got[0] != got[1] {
			t.Errorf("x = %v: %v", v, got)
		}
	}
}

// TestLetters: two sends to one process in a rule are two messages, in their order.
func TestLetters(t *testing.T) {
	text := strings.NewReplacer("RULE", "send C(i) to sender; send STOP to j", "PROP", "").Replace(several)
	text = strings.Replace(text, "unordered", "fifo", 1) + "[] [](i: N) begin: if total = 0 then total := 1; send A(1) to others endif"
	text = strings.Replace(text, "\n\n[]", "\n[]", 1)
	m, err := instantiate.Read("p.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &interp.Interpreter{Model: m}
	list, err := x.Initial()
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{"begin", "get"} {
		next, err := x.Successors(list[0].State)
		if err != nil {
			t.Fatal(err)
		}
		list = nil
		for _, s := range next {
			if s.Event.Fate == interp.Processed && m.Rules[s.Event.Rule].Label == rule && list == nil {
				list = append(list, s)
			}
		}
		if list == nil {
			t.Fatal(rule, " is not possible")
		}
	}
	for _, sent := range list[0].State.Channels {
		if len(sent) > 0 && (len(sent) != 2 || interp.MessageText(m, sent[0]) != "C(who=2)" || interp.MessageText(m, sent[1]) != "STOP") {
			t.Errorf("%v", sent)
		}
	}
}
