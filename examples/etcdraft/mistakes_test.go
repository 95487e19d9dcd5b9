//go:build with_tla

package etcdraft

import "strings"

// mistake is a deliberate one in a copy of the library: a piece of its text that is replaced.
type mistake struct {
	name     string
	file     string
	old, new string
	shows    []string // events at which it shows
}

const anyReceive = "ReceiveRequestVoteRequest ReceiveRequestVoteResponse ReceiveAppendEntriesRequest ReceiveAppendEntriesResponse"

var mistakes = []mistake{
	{"votes twice in a term", "raft.go", "(r.Vote == None && r.lead == None) ||", "r.lead == None ||", []string{"SendRequestVoteResponse"}},
	{"votes for a shorter log", "raft.go", "if canVote && r.raftLog.isUpToDate(candLastID) {", "if canVote {", []string{"SendRequestVoteResponse"}},
	{"commits an entry of an old term by counting", "log.go", "&& l.matchTerm(at) {", "{", []string{"Commit"}},
	{"forgets its vote at restart", "raft.go", "r.Vote = state.GetVote()", "", append(strings.Fields(anyReceive), "Ready", "BecomeFollower")},
	{"acknowledges before appending", "raft.go", "	if mlastIndex, ok := r.raftLog.maybeAppend(a, m.GetCommit()); ok {",
		"	if len(a.entries) > 1 {\n		r.send(&pb.Message{To: m.From, Type: pb.MsgAppResp.Enum(), Index: new(a.prev.index + uint64(len(a.entries)))})\n		return\n	}\n" +
			"	if mlastIndex, ok := r.raftLog.maybeAppend(a, m.GetCommit()); ok {", []string{"SendAppendEntriesResponse", "Ready"}},
	{"a follower commits what the leader has not sent", "log.go", "l.commitTo(min(committed, lastnewi))", "l.commitTo(min(committed, l.lastIndex()))", []string{"SendAppendEntriesResponse", "Ready"}},
	{"appends without looking at the entry before", "log.go", "	if !l.matchTerm(a.prev) {", "	if a.prev.index > l.lastIndex() {", []string{"SendAppendEntriesResponse", "Ready"}},
	{"commits with a minority", "quorum/majority.go", "pos := n - (n/2 + 1)", "pos := n - 1", []string{"Commit"}},
	{"leads with one vote", "quorum/majority.go", "if votedCnt >= q {", "if votedCnt >= 1 {", []string{"BecomeLeader"}},
	{"takes entries of an old leader", "raft.go", "case m.GetTerm() < r.Term:", "case m.GetTerm() < r.Term && m.GetType() != pb.MsgApp:", append(strings.Fields(anyReceive), "SendAppendEntriesResponse", "BecomeFollower", "Ready")},
	{"a heartbeat commits what was not acknowledged", "raft.go", "commit := min(pr.Match, r.raftLog.committed)", "commit := r.raftLog.committed", []string{"SendAppendEntriesRequest"}},
	{"campaigns in the term that it is in", "raft.go", "r.reset(r.Term + 1)", "r.reset(max(r.Term, 1))", []string{"BecomeCandidate"}},

	{"does not step down for a candidate of a higher term", "raft.go", "inLease := r.checkQuorum && r.lead != None && r.electionElapsed < r.electionTimeout", "inLease := r.state == StateLeader", []string{"ReceiveAppendEntriesResponse", "SendAppendEntriesRequest", "Replicate"}},
	{"leads on in a higher term", "raft.go", "				r.becomeFollower(m.GetTerm(), None)\n			}\n		}\n\n	case m.GetTerm() < r.Term:",
		"				if r.state == StateLeader {\n					r.Term = m.GetTerm()\n				} else {\n					r.becomeFollower(m.GetTerm(), None)\n				}\n			}\n		}\n\n	case m.GetTerm() < r.Term:", []string{"Ready", "SendRequestVoteResponse"}},
	{"takes a refusal for a vote", "raft.go", "r.poll(m.GetFrom(), m.GetType(), !m.GetReject())", "r.poll(m.GetFrom(), m.GetType(), true)", []string{"BecomeLeader"}},
	{"counts a vote twice", "tracker/tracker.go", "	_, ok := p.Votes[id]\n	if !ok {\n		p.Votes[id] = v\n	}",
		"	for k := range p.Voters.IDs() {\n		if _, ok := p.Votes[id]; ok {\n			id = k\n		}\n	}\n	p.Votes[id] = v", []string{"BecomeLeader"}},
	{"compares the lengths of logs only", "log.go", "return their.term > our.term || their.term == our.term && their.index >= our.index", "return their.index >= our.index", []string{"SendRequestVoteResponse"}},
	{"compares the last terms of logs only", "log.go", "return their.term > our.term || their.term == our.term && their.index >= our.index", "return their.term >= our.term", []string{"SendRequestVoteResponse"}},
	{"keeps its vote in a new term", "raft.go", "		r.Term = term\n		r.Vote = None", "		r.Term = term", []string{"BecomeFollower"}},
	{"cuts off entries that agree", "log.go", "ci := l.findConflict(a.entries)", "ci := l.findConflict(a.entries)\n	if len(a.entries) > 0 {\n		ci = a.prev.index + 1\n	}", []string{"Ready"}},
	{"cuts off what is committed", "raft.go", "	if a.prev.index < r.raftLog.committed {", "	if a.prev.index+2 < r.raftLog.committed {\n		r.raftLog.committed = a.prev.index\n	} else if a.prev.index < r.raftLog.committed {", []string{"SendAppendEntriesResponse"}},
	{"keeps entries that conflict", "log.go", "			return id.index\n		}\n	}\n	return 0", "			if id.index > l.lastIndex() {\n				return id.index\n			}\n		}\n	}\n	return 0", []string{"SendAppendEntriesResponse", "Ready"}},
	{"takes an entry before of any earlier term", "log.go", "return t == id.term", "return t >= id.term", []string{"Ready", "SendAppendEntriesResponse"}},
	{"commits past the end of its log", "log.go", "l.commitTo(min(committed, lastnewi))", "l.commitTo(min(committed, lastnewi+1, l.lastIndex()))", []string{"Ready"}},
	{"acknowledges all of its log", "raft.go", "	if mlastIndex, ok := r.raftLog.maybeAppend(a, m.GetCommit()); ok {", "	if mlastIndex, ok := r.raftLog.maybeAppend(a, m.GetCommit()); ok {\n		mlastIndex = r.raftLog.lastIndex()", []string{"SendAppendEntriesResponse"}},
	{"forgets its term at restart", "raft.go", "	r.Term = state.GetTerm()\n", "", []string{"BecomeFollower"}},
	{"forgets what is committed at restart", "raft.go", "	r.raftLog.committed = state.GetCommit()\n", "", []string{"ReceiveAppendEntriesRequest", "BecomeCandidate"}},
	{"loses the last entry of its log at restart", "storage.go", "	case uint64(len(ms.ents)) == offset:\n		ms.ents = append(ms.ents, entries...)",
		"	case uint64(len(ms.ents)) == offset && offset%7 == 6:\n		ms.ents = append(ms.ents, entries[:len(entries)-1]...)\n	case uint64(len(ms.ents)) == offset:\n		ms.ents = append(ms.ents, entries...)", []string{"ReceiveAppendEntriesResponse"}},
	{"takes a refusal for an acknowledgement", "raft.go", "		pr.RecentActive = true\n\n		if m.GetReject() {\n", "		pr.RecentActive = true\n\n		if m.GetReject() {\n			pr.MaybeUpdate(m.GetIndex())\n", []string{"Commit", "SendAppendEntriesRequest"}},
	{"counts what it has sent as acknowledged", "raft.go", "	pr.SentEntries(len(ents), uint64(payloadsSize(ents)))", "	pr.Match = prevIndex + uint64(len(ents))\n	pr.SentEntries(len(ents), uint64(payloadsSize(ents)))", []string{"Commit"}},
	{"takes an answer to a heartbeat for an acknowledgement", "raft.go", "		pr.MsgAppFlowPaused = false\n\n		// NB", "		pr.MsgAppFlowPaused = false\n		pr.MaybeUpdate(r.raftLog.lastIndex())\n\n		// NB", []string{"SendAppendEntriesRequest", "Commit"}},
	{"counts its own acknowledgement for another", "raft.go", "	case pb.MsgAppResp:\n		// NB", "	case pb.MsgAppResp:\n		if m.GetFrom() == r.id {\n			r.trk.Progress[r.id%3+1].MaybeUpdate(m.GetIndex())\n		}\n		// NB", []string{"Commit"}},
	{"counts acknowledgements of an earlier term", "raft.go", "case m.GetTerm() < r.Term:", "case m.GetTerm() < r.Term && m.GetType() != pb.MsgAppResp:", []string{"SendAppendEntriesRequest"}},
	{"counts votes of an earlier term", "raft.go", "case m.GetTerm() < r.Term:", "case m.GetTerm() < r.Term && m.GetType() != pb.MsgVoteResp:", []string{"BecomeLeader"}},
	{"stays a candidate when it hears of a leader", "raft.go", "	case pb.MsgHeartbeat:\n		r.becomeFollower(m.GetTerm(), m.GetFrom()) // always m.Term == r.Term\n", "	case pb.MsgHeartbeat:\n", []string{"Ready"}},
	{"proposes in an earlier term", "raft.go", "		cloned[i].Term = new(r.Term)", "		cloned[i].Term = new(max(1, r.Term-1))", []string{"SendAppendEntriesRequest"}},
	{"sends a commit index that it does not have", "raft.go", "		Commit:  new(r.raftLog.committed),\n", "		Commit:  new(r.raftLog.lastIndex()),\n", []string{"SendAppendEntriesRequest"}},
	{"sends the wrong entries", "raft.go", "	prevIndex := pr.Next - 1\n", "	prevIndex := pr.Next - 1\n	if pr.Next > 3 {\n		prevIndex--\n	}\n", []string{"Ready"}},
	{"a leader drops what is not committed", "raft.go", "	traceBecomeLeader(r)\n", "	traceBecomeLeader(r)\n	if last := r.raftLog.lastIndex(); last > r.raftLog.committed+1 {\n		if e, err := r.raftLog.entries(r.raftLog.committed+1, 1); err == nil {\n			r.raftLog.append(e...)\n		}\n	}\n", []string{"Replicate"}},
	{"follows a leader of an earlier term by its heartbeats", "raft.go", "case m.GetTerm() < r.Term:", "case m.GetTerm() < r.Term && m.GetType() != pb.MsgHeartbeat:", []string{"BecomeFollower"}},
	{"becomes leader without the votes of its term", "raft.go", "	r.trk.ResetVotes()\n	r.trk.Visit(", "	r.trk.Visit(", []string{"BecomeLeader"}},
	{"keeps acknowledgements of the term before", "raft.go", "			Match:     0,\n", "			Match:     pr.Match,\n", []string{"SendAppendEntriesRequest"}},
	{"commits what a follower has not", "raft.go", "	r.raftLog.commitTo(m.GetCommit())\n", "	r.raftLog.commitTo(min(m.GetCommit()+1, r.raftLog.lastIndex()))\n", []string{"Ready"}},
	{"a heartbeat takes the commit index back", "raft.go", "	r.raftLog.commitTo(m.GetCommit())\n", "	r.raftLog.committed = m.GetCommit()\n", []string{"Ready"}},
	{"votes for a candidate of an earlier term", "raft.go", "case m.GetTerm() < r.Term:", "case m.GetTerm() < r.Term && m.GetType() != pb.MsgVote:", []string{"SendRequestVoteResponse"}},
	{"changes members twice at once", "raft.go", "alreadyPending := r.pendingConfIndex > r.raftLog.applied", "alreadyPending := false", []string{"ChangeConf"}},
	{"keeps counting who has left", "raft.go", "	r.trk.Config = cfg\n", "	if len(cfg.Voters[0]) >= len(r.trk.Config.Voters[0]) {\n		r.trk.Config = cfg\n	}\n", []string{"ApplyConfChange"}},
	{"somebody who has left campaigns", "raft.go", "	return pr != nil && !pr.IsLearner && !r.raftLog.hasNextOrInProgressSnapshot()", "	return pr == nil || !pr.IsLearner && !r.raftLog.hasNextOrInProgressSnapshot()", []string{"BecomeCandidate"}},
}
