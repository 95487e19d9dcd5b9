package hashicorpraft

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/mistake"
)

// mistakes are deliberate ones in a copy of the library.
var mistakes = []struct {
	name string
	edit mistake.Edit
}{
	{"votes twice in a term", mistake.Edit{File: "raft.go",
		Old: "if lastVoteTerm == req.Term && lastVoteCandBytes != nil {", New: "if lastVoteTerm > req.Term && lastVoteCandBytes != nil {"}},
	{"votes for a log that is behind", mistake.Edit{File: "raft.go",
		Old: `		r.logger.Warn("rejecting vote request since our last index is greater",
			"candidate", candidate,
			"last-index", lastIdx,
			"last-candidate-index", req.LastLogIndex)
		return`, New: ""}},
	{"votes for a log that ends in an older term", mistake.Edit{File: "raft.go",
		Old: `		r.logger.Warn("rejecting vote request since our last term is greater",
			"candidate", candidate,
			"last-term", lastTerm,
			"last-candidate-term", req.LastLogTerm)
		return`, New: ""}},
	{"does not remember its vote", mistake.Edit{File: "raft.go",
		Old: "	if err := r.stable.SetUint64(keyLastVoteTerm, term); err != nil {", New: "	if err := error(nil); err != nil {"}},
	{"does not write a new term", mistake.Edit{File: "raft.go",
		Old: "	if err := r.stable.SetUint64(keyCurrentTerm, t); err != nil {", New: "	if err := error(nil); err != nil {"}},
	{"leads with half of the votes", mistake.Edit{File: "raft.go",
		Old: "	if grantedVotes >= votesNeeded {", New: "	if grantedVotes+1 >= votesNeeded {"}},
	{"counts a refusal as a vote", mistake.Edit{File: "raft.go",
		Old: "			if vote.Granted {", New: "			if vote.Granted || vote.Term > 0 {"}},
	{"begins an election without pre-votes", mistake.Edit{File: "raft.go",
		Old: "			if preVoteGrantedVotes >= votesNeeded {", New: "			if preVoteGrantedVotes > 0 {"}},
	{"grants pre-votes although it knows a leader", mistake.Edit{File: "raft.go",
		Old: `			"leader-id", string(leaderID))
		return
	}

	// Ignore an older term
	if req.Term < r.getCurrentTerm() {
		return
	}

	if req.Term > r.getCurrentTerm() {
		// continue`, New: `			"leader-id", string(leaderID))
	}

	// Ignore an older term
	if req.Term < r.getCurrentTerm() {
		return
	}

	if req.Term > r.getCurrentTerm() {
		// continue`}},
	{"appends without looking at the entry before", mistake.Edit{File: "raft.go",
		Old: "		if a.PrevLogTerm != prevLogTerm {", New: "		if false {"}},
	{"keeps what contradicts the leader", mistake.Edit{File: "raft.go",
		Old: "			if entry.Term != storeEntry.Term {", New: "			if false {"}},
	{"commits more than its log has", mistake.Edit{File: "raft.go",
		Old: "		idx := min(a.LeaderCommitIndex, r.getLastIndex())\n		r.setCommitIndex(idx)",
		New: "		idx := min(a.LeaderCommitIndex, r.getLastIndex())\n		r.setCommitIndex(a.LeaderCommitIndex)"}},
	{"commits by less than a majority", mistake.Edit{File: "commitment.go",
		Old: "matched[(len(matched)-1)/2]", New: "matched[len(matched)/2+1]"}},
	{"commits an entry of an old term by counting", mistake.Edit{File: "commitment.go",
		Old: " && quorumMatchIndex >= c.startIndex {", New: " {"}},
	{"takes a refusal for an acknowledgement", mistake.Edit{File: "replication.go",
		Old: "	if resp.Success {\n		// Update our replication state", New: "	if resp.Success || len(req.Entries) > 0 {\n		// Update our replication state"}},
	{"answers requests of an older term", mistake.Edit{File: "raft.go",
		Old: "	// Ignore an older term\n	if a.Term < r.getCurrentTerm() {\n		return\n	}\n", New: ""}},
	{"stays a candidate when it hears of the leader", mistake.Edit{File: "raft.go",
		Old: "(r.getState() != Follower && !r.candidateFromLeadershipTransfer.Load()) {", New: "r.getState() == Leader {"}},
	{"sends entries from the place before", mistake.Edit{File: "replication.go",
		Old: "		req.PrevLogEntry = l.Index\n", New: "		req.PrevLogEntry = l.Index + 1\n"}},
}

// unexplained is what the test says of the event at which a mistake shows.
var unexplained = regexp.MustCompile(`(?s)events:(\d+): no run explains this event:\n *(\S[^\n]*).*seed (\d+),`)

// called is what is asked there, and what happens.
var called = regexp.MustCompile(`"event":"([a-z ]+)"|"asked":\{[^}]*"kind":"([A-Za-z]+)"`)

// TestMistakes: each mistake is found by the test that finds nothing in the library as it is.
func TestMistakes(t *testing.T) {
	library := mistake.Copy(t, "github.com/hashicorp/raft")
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			library.Put(t, m.edit)
			program := library.Build(t, ".", "test", "-c", "-vet=off")
			cmd := exec.Command(program, "-test.run", "^TestExplained$", "-test.v")
			cmd.Env = append(os.Environ(), fmt.Sprint("HASHICORPRAFT_SEEDS=", number("HASHICORPRAFT_TRIES", 100)))
			out, err := cmd.CombinedOutput()
			found := unexplained.FindStringSubmatch(string(out))
			if err == nil || found == nil {
				t.Fatalf("not found: %v\n%s", err, out)
			}
			name := ""
			for _, m := range called.FindAllStringSubmatch(found[2], -1) {
				name = strings.TrimSpace(m[1] + " " + m[2] + name)
			}
			t.Logf("| %s | %s | %s | %s |", m.name, found[3], found[1], name)
			t.Log(found[2])
		})
	}
}
