package model_test

import (
	"context"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/play"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// told are the lines of an explanation.
func told(t *testing.T, x model.Counterexample) string {
	t.Helper()
	why, err := x.Why()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range why {
		b.WriteString(string(line.Kind) + " " + line.Text + "\n")
		if line.Step < 0 || line.Step > x.Told().Steps {
			t.Errorf("%+v is about a step of %d", line, x.Told().Steps)
		}
	}
	return b.String()
}

// TestCausesOfPseudoCode: the story of each broken text names the cause that its header states.
func TestCausesOfPseudoCode(t *testing.T) {
	causes := map[string][]string{
		"broadcast_n3t.ftdp relay": {"step 1: node 2: echo, since knows", "never after step", "all(accepted) (node", "accept, since heard(ECHO) = 2 (from node", "n - t = 2",
			"accept is not possible: heard(ECHO) = 1", "which is faulty: sends ECHO to node", "sends nothing to node", "at the limit of n >= 3 * t"},
		"broadcast_f1.ftdp unforgeability": {"assumed at the start: all(not knows)", "all(not accepted) is false", "node 3, which is faulty", "node 4, which is faulty", "t + 1 >= f"},
		"broadcast_f1.ftdp correctness":    {"never some(accepted)", "accept is not possible: heard(ECHO) = 2", "n - t = 3", "t + 1 >= f"},
		"broadcast_f1.ftdp relay":          {"never after step", "accept is not possible: heard(ECHO) = 1", "t + 1 >= f"},
		"readies.ftdp unforgeability":      {"assumed at the start: all(not begins)", "since heard(READY) = 1 (from node 4), t = 1", "node 4, which is faulty: sends READY"},
		"accept_first.ftdp relay":          {"accept, since begins", "heard(MSG) = 0", "fault step", "crashes"},
		"minority.ftdp agreement":          {"2 * heard(VOTE(0)) = 4 (from node", "2 * heard(VOTE(1)) = 4 (from node", "n = 4"},
		"commit_alone.ftdp agreement":      {"steps 1 and 2: node 1 and 2: vote, since state = START, yes", "step 3: node 1: suspect, since state = WAITING", "heard(VOTE(1)) = 2 (from node 1 and 2), n = 2", "abort, since state = SUSPECTS"},
	}
	for _, e := range play.Broken() {
		m, err := model.Open(context.Background(), e.Name, e.Text, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q, err := m.(model.ForAll).Ask(context.Background(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		broken := false
		err = q.Verify(context.Background(), model.Verifying{Options: verify.Options{}}, func(r *model.Result) error {
			if r.Counterexample == nil {
				return nil
			}
			broken = true
			checkCause(t, causes, e.Name+" "+r.Spec, told(t, r.Counterexample))
			return nil
		})
		if err != nil || !broken {
			t.Errorf("%s: nothing is violated (%v)", e.Name, err)
		}
	}
	for name := range causes {
		t.Errorf("%s is not violated", name)
	}
}

// violating is a run of a protocol that violates a property.
func violating(t *testing.T, file, text string, set map[string]int64, property string) *interp.Run {
	t.Helper()
	m, err := instantiate.Read(file, text, set)
	if err != nil {
		t.Fatal(err)
	}
	list, err := machine.Check(context.Background(), m, []*protocol.Prop{m.Lookup(property)}, machine.Options{Bounds: explore.Bounds{Jobs: 1}})
	if err != nil || list[0].Run == nil {
		t.Fatalf("%s %s: %v", file, property, err)
	}
	return list[0].Run
}

// checkCause holds a story against what it should name, and takes that off the table.
func checkCause(t *testing.T, causes map[string][]string, name, story string) {
	t.Helper()
	if causes[name] == nil {
		t.Errorf("what is the cause of %s?\n%s", name, story)
	}
	for _, part := range causes[name] {
		if !strings.Contains(story, part) {
			t.Errorf("%s: there is no %q in\n%s", name, part, story)
		}
	}
	delete(causes, name)
}

// TestCausesOfProtocols: so does the story of each property of the embedded protocols that is violated (the field "why" of
// expected.json).
func TestCausesOfProtocols(t *testing.T) {
	two := []string{".val = 2", ".val = 1", "takes accept with ACCEPT(no=2, val=2)", "takes accept with ACCEPT(no=1, val=1)"}
	causes := map[string][]string{
		"multicast.ftdp agreement":              {"receiver 1, which is faulty: takes echoAll", "receiver 2, which is faulty: takes echoAll", "commitAny with ECHO(1) from receiver 1, 2 and 3", "with ECHO(2) from receiver 1, 2 and 4"},
		"om1_traitors.ftdp IC1":                 {"lieutenant 2 takes receiveReport with (comm=false) from lieutenant 1, then with (comm=false) from lieutenant 3", "commander, which is faulty", "lieutenant 1, which is faulty"},
		"om1_traitors.ftdp IC2":                 {"lieutenant 1, which is faulty: sends (comm=true)", "lieutenant 2, which is faulty: sends (comm=true)", "commander[1].command = false", ".decision = true"},
		"paxos.ftdp acceptedIsChosen":           two,
		"paxos_accepting.ftdp agreement":        {"learner[1].learnt[1] and learner[1].learnt[2]", "accept with ACCEPT(no=1, val=1) from proposer 1", "learn with ACCEPTED(no=1, val=1)", "with ACCEPTED(no=2, val=2)"},
		"paxos_accepting.ftdp acceptedIsChosen": two,
		"paxos_drained.ftdp acceptedIsChosen":   two,
		"paxos_learner.ftdp agreement":          {"proposer 1 and 2: prepare", "acceptor i = 1 and 3 take promise with PREPARE(no=1) from proposer 1", "1 is not 2", "learner takes learn with ACCEPTED(no=2, val=2) from acceptor 2, ACCEPTED(no=1, val=1) from acceptor 3"},
		"paxos_learner.ftdp acceptedIsChosen":   two,
		"paxos_literal.ftdp acceptedIsChosen":   {".acceptedVal = 2", ".acceptedVal = 1"},
		"paxos_lowest.ftdp agreement":           {"learner[1].learnt[1] and learner[1].learnt[2]", "learn with ACCEPTED(no=1, val=1)", "with ACCEPTED(no=2, val=2)"},
		"paxos_lowest.ftdp acceptedIsChosen":    two,
		"rb.ftdp relay":                         {"never after step 4: node[3].accepted", "node 1, which is faulty: sends ECHO to node 2, sends nothing to node 3", "hear could be taken"},
		"storage.ftdp lastOnly":                 {"reader[1].got = 1", "reader[1].least = 0", "VALUE(1) from base"},
		"storage_drained.ftdp lastOnly":         {"reader[1].got = 1", "reader[1].least = 0", "VALUE(1) from base"},
		"abd.ftdp atomic":                       {"reader[2].result = 0, reader[2].since = 1", "VALUE(value=0) from server 2 and 3"},
		"chain.ftdp consistency":                {"seen[1] = 2, server[3].log[1] = undefined", "server 1: query"},
		"chain.ftdp delivery":                   {"server 1: update (op=1)", "onUpdate waits for a message that never comes"},
		"chang_roberts.ftdp greatest":           {"node[4].leader = 2, node[1].id = 4", "node 4 takes onElection with ELECTION(id=2)"},
		"lock_server.ftdp mutex":                {"client[1].at = HOLDING and client[2].at = HOLDING", "step 2: server takes onLock with LOCK from client 1", "server takes onLock with LOCK from client 2, since early"},
		"multi_paxos.ftdp inOrder":              {"chosen[1] != {} is false", "ACCEPT(ballot=1, slot=2"},
		"multi_paxos.ftdp agreement":            {"size(chosen[1]) = 2", "since proposer[2].at = PREPARING, selfish", "proposer i = 1 and 2: propose (s=1)"},
		"peterson.ftdp mutex":                   {"node[1].at = INSIDE and node[2].at = INSIDE", "since node[2].at = WAITING, subset(wants, {2})", "since node[1].at = WAITING, last = 2"},
		"raft.ftdp electionSafety": {"server 3 takes onRequestVote with RequestVote(term=1, length=0, lastTerm=0) from server 1",
			"server 3 takes onRequestVote with RequestVote(term=1, length=0, lastTerm=0) from server 2"},
		"raft.ftdp leaderCompleteness": {"server[1].log[1] = 1, server[2].log[1] = 2", "server 1 takes onAppended with Appended(term=3, match=1) from server 3"},
		"chandra_toueg.ftdp unanimous": {"node[2].decision = node[3].value is false (node[2].decision = 1, node[3].value = 0)",
			"node 1 takes decide with REPLY(round=1, ack=true) from node 1 and 2"},
		"chandra_toueg.ftdp agreement": {"node 2 takes propose with ESTIMATE(round=2, value=1, stamp=1) from node 1, ESTIMATE(round=2, value=0, stamp=0) from node 2",
			"take accept with PROPOSE(round=2, value=0) from node 2", "node[1].decision = 1, node[3].decision = 0"},
		"view_change.ftdp agreement":        {"node[2].log[1] = undefined", "node 2 takes newView with DO_CHANGE(view=1, commit=1, log=<0>, normal=0) from node 1, DO_CHANGE(view=1, commit=0, log=<>, normal=0) from node 2"},
		"two_phase_commit.ftdp nonblocking": {"never after step 3: not isundefined(participant[1].decision)", "participant 1: onDecide waits for a message that never comes", "coordinator: onVote waits for a message that never comes"},
		"two_phase_commit.ftdp agreement":   {"participant 2: refuse", "participant 1: commitAlone"},
		"three_phase_commit.ftdp agreement": {"proceed, since leader = 3, site[3].up, site[3].state = WAITING, atOnce, backup, not yes", "proceed, since leader = 2, site[2].up, site[2].state = PREPARED"},
		"early_deciding.ftdp agreement":     {"next, since", "= 3 (node 1, 2 and 3), node[3].before = 3", "node[2].decision = 1, node[3].decision = 0"},
		"bakery_same.ftdp mutex":            {"max (j: procID) proc[j].ticket = 0, m = 1000; proc[1].ticket stays 0", "proc 1: enter, since proc[1].pc = TRYING, proc[2].ticket = 0", "proc 2: enter, since proc[2].pc = TRYING, proc[1].ticket = 0"},
	}
	row, every := 0, need.Every(t, 2)
	for _, e := range benchmarks.ExpectedProtocols() {
		if e.Verdict != verify.Violated {
			continue
		}
		if row++; row%every > 0 {
			delete(causes, e.File+" "+e.Property)
			continue
		}
		text, _ := benchmarks.Read(e.File)
		story := told(t, model.ProtocolRun(violating(t, e.File, text, e.Set, e.Property)))
		checkCause(t, causes, e.File+" "+e.Property, story)
	}
	for name := range causes {
		t.Errorf("%s is not violated", name)
	}
}

// TestStoriesAreTrue: what a story says of the value of a condition is so; each run that violates a formula has something
// that is wrong. Thresholds of the broken texts are changed at random.
func TestStoriesAreTrue(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	wrong, cases := 0, need.Cases(t, 3)
	texts := map[string]string{}
	for _, e := range play.Broken() {
		texts[e.Name] = e.Text
	}
	for _, name := range benchmarks.Sources() {
		texts[strings.TrimPrefix(name, "sources/")], _ = benchmarks.Read(name)
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for range cases {
			text := texts[name]
			for _, change := range [][2]string{{"t + 1", "t"}, {"n - t", "n - t - 1"}, {"> 3 * t", "> 2 * t"}, {"2 * t + 1", "t + 1"}, {"fair:", ":"}, {"> n", ">= n"}} {
				if random.Intn(3) == 0 {
					text = strings.ReplaceAll(text, change[0], change[1])
				}
			}
			wrong += storiesOf(t, name, text)
		}
	}
	if wrong < 6*cases {
		t.Errorf("only %d runs that violate something", wrong)
	}
}

// storiesOf explores the smallest instance of a text, and looks at the stories of what is violated.
func storiesOf(t *testing.T, name, text string) (wrong int) {
	t.Helper()
	f, err := ftdp.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Model(f, nil)
	if err != nil {
		return 0 // there are no sizes like that
	}
	for i := range m.Props {
		list, err := machine.Check(context.Background(), m, []*protocol.Prop{&m.Props[i]}, machine.Options{Bounds: explore.Bounds{Jobs: 1, States: 3000}})
		if err != nil || list[0].Run == nil {
			continue
		}
		wrong++
		why, err := story.Explain(list[0].Run)
		if err != nil {
			t.Fatalf("%s %s: %v", name, m.Props[i].Name, err)
		}
		seen := false
		for _, line := range why {
			seen = seen || line.Kind == run.Broken || line.Kind == run.Never || line.Kind == run.Happens
			for _, generated := range []string{"p_", "heard_", "hear_", "_crashing", "h_", "i_", "nodeID", "status"} {
				if strings.Contains(line.Text, generated) {
					t.Errorf("%s: %q is no word of the text", name, line.Text)
				}
			}
		}
		if !seen {
			t.Errorf("%s %s: nothing is wrong? %v\n%s", name, m.Props[i].Name, why, text)
		}
	}
	return wrong
}
