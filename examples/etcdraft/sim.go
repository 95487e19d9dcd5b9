//go:build with_tla

// Package etcdraft runs nodes of go.etcd.io/raft/v3 in one process and logs what they do, to be
// held against raft.ftdp: elections, losses, duplicates, restarts, proposals. It is built with
// the tag with_tla, for which the library shows its events.
package etcdraft

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// Sim is a cluster, with a network that loses, delays and duplicates
// messages, and is split now and then.
type Sim struct {
	r      *rand.Rand
	out    *bufio.Writer
	nodes  []*node
	flight []packet
	now    int // steps
	events int
	err    error
	// What happens how often, different in each run:
	losses  int    // of a hundred messages
	crashes int    // of a thousand steps
	splits  int    // of a thousand steps
	late    int    // of a hundred messages: they arrive after hundreds of steps, others nearly in the order in which they were sent
	size    uint64 // of messages: 1 is for one entry
	changes int    // of a thousand steps: members join or leave
	joint   bool   // perhaps two at once
	snaps   int    // of a thousand steps: a log is compacted
	preVote bool

	apart []bool // which nodes are cut off from the others; nil if none is
	rest  int    // how many steps the network stays split
}

// packet is a message on its way.
type packet struct {
	*pb.Message
	due int // the step before which it does not arrive
}

type node struct {
	id    uint64
	raw   *raft.RawNode
	disk  *disk
	down  int  // steps until it restarts; 0 while it is up
	fresh bool // it has handled everything
}

// disk is stable storage: what a node writes survives it.
type disk struct {
	*raft.MemoryStorage
	conf    *pb.ConfState
	applied uint64 // the last entry that conf knows of
}

func (d *disk) InitialState() (*pb.HardState, *pb.ConfState, error) {
	hs, _, err := d.MemoryStorage.InitialState()
	return hs, d.conf, err
}

// TraceEvent implements raft.TraceLogger. The library shows the index of a snapshot as a number of entries.
func (s *Sim) TraceEvent(e *raft.TracingEvent) {
	if m := e.Message; m != nil && m.Type == "MsgSnap" {
		m.Index, m.EntryLength = uint64(m.EntryLength), 0
	}
	s.write(e)
}

// listener writes what the library tells people, and does not trace.
type listener struct {
	*raft.DefaultLogger
	*Sim
	*node
}

// Infof implements raft.Logger.
func (l *listener) Infof(format string, args ...any) {
	if format == "%x became pre-candidate at term %d" {
		e := l.event("BecomePreCandidate", l.node, nil)
		e.State.Term = args[1].(uint64)
		e.Properties = map[string]any{"prevote": 1}
		l.write(e)
	}
}

func (s *Sim) write(e any) {
	data, err := json.Marshal(map[string]any{"event": e})
	if err == nil {
		_, err = s.out.Write(append(data, '\n'))
	}
	if s.err == nil {
		s.err = err
	}
	s.events++
}

// Run runs a cluster until so many events are logged. What the library panics with is an error.
func Run(seed uint64, nodes, events int, w io.Writer) (err error) {
	s := &Sim{r: rand.New(rand.NewPCG(seed, 3)), out: bufio.NewWriter(w)}
	s.losses, s.crashes, s.size = 2+s.r.IntN(30), 1+s.r.IntN(8), []uint64{1, 40}[s.r.IntN(2)]
	raft.SetLogger(&raft.DefaultLogger{Logger: silent})
	s.splits, s.late, s.changes = s.r.IntN(6), []int{0, 3, 30}[s.r.IntN(3)], []int{0, 0, 30}[s.r.IntN(3)]
	s.joint, s.snaps, s.preVote = s.r.IntN(2) == 0, []int{0, 20}[s.r.IntN(2)], s.r.IntN(2) == 0
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("the library panics: %v", x)
		}
		if f := s.out.Flush(); err == nil {
			err = f
		}
	}()
	conf := &pb.ConfState{}
	for i := range nodes {
		conf.Voters = append(conf.Voters, uint64(i+1))
	}
	for i := range nodes {
		n := &node{id: uint64(i + 1), disk: &disk{raft.NewMemoryStorage(), conf, 0}}
		s.nodes = append(s.nodes, n)
		if err := s.start(n); err != nil {
			return err
		}
	}
	for s.events < events && s.err == nil {
		s.step()
	}
	return s.err
}

func (s *Sim) start(n *node) (err error) {
	applied := uint64(0) // all is applied again
	if s.changes > 0 || s.snaps > 0 {
		applied = n.disk.applied
	}
	n.raw, err = raft.NewRawNode(&raft.Config{ID: n.id, ElectionTick: 10, HeartbeatTick: 2, Storage: n.disk, Applied: applied, MaxSizePerMsg: s.size, MaxInflightMsgs: 8, TraceLogger: s,
		PreVote: s.preVote, Logger: &listener{&raft.DefaultLogger{Logger: silent}, s, n}})
	return err
}

// step is something that happens: a tick, a proposal, a message that arrives or is lost, a
// crash, a restart; the network splits and heals.
func (s *Sim) step() {
	s.now++
	s.split()
	n := s.nodes[s.r.IntN(len(s.nodes))]
	switch k := s.r.IntN(1000); {
	case n.down > 0:
		if n.down--; n.down == 0 && s.err == nil {
			s.err = s.start(n)
		}
	case k < s.crashes:
		s.write(s.event("Crash", n, nil))
		n.down, n.raw = 10+s.r.IntN(120), nil
	case k < 200:
		n.raw.Tick()
	case k < 260:
		if n.raw.BasicStatus().RaftState == raft.StateLeader {
			_ = n.raw.Propose([]byte("x")) // a proposal may be dropped
		}
	case k < 260+s.changes:
		s.change(n)
	case k < 260+s.changes+s.snaps:
		s.compact(n)
	default:
		s.deliver()
	}
	for _, n := range s.nodes {
		s.handle(n)
	}
}

// change has a leader propose that a server joins, as a member or learner, or leaves; perhaps two at once.
func (s *Sim) change(n *node) {
	conf := n.disk.conf
	if n.raw.BasicStatus().RaftState != raft.StateLeader {
		return
	}
	var changes []*pb.ConfChangeSingle
	voters := len(conf.Voters)
	for _, k := range s.r.Perm(len(s.nodes))[:1+s.r.IntN(2)] {
		who, kind := s.nodes[k].id, pb.ConfChangeAddNode
		switch {
		case slices.Contains(conf.Voters, who):
			kind = pb.ConfChangeRemoveNode
			voters--
		case slices.Contains(conf.Learners, who) && s.r.IntN(3) == 0:
			kind = pb.ConfChangeRemoveNode
		case !slices.Contains(conf.Learners, who) && s.r.IntN(2) == 0:
			kind = pb.ConfChangeAddLearnerNode
		}
		changes = append(changes, &pb.ConfChangeSingle{Type: kind.Enum(), NodeId: &who})
		if !s.joint {
			break
		}
	}
	switch {
	case voters < 2:
	case len(changes) == 1:
		_ = n.raw.ProposeConfChange(&pb.ConfChange{Type: changes[0].Type, NodeId: changes[0].NodeId}) // a proposal may be dropped
	default:
		_ = n.raw.ProposeConfChange(&pb.ConfChangeV2{Changes: changes})
	}
}

// compact replaces the first entries of a log by a snapshot.
func (s *Sim) compact(n *node) {
	d := n.disk
	first, err := d.FirstIndex()
	if err != nil || d.applied < first+5 {
		return
	}
	if _, err = d.CreateSnapshot(d.applied, d.conf, nil); err == nil {
		err = d.Compact(d.applied - s.r.Uint64N(4))
	}
	if err != nil && s.err == nil {
		s.err = err
	}
}

// apply acts on entries that are committed: those that change who is a member.
func (s *Sim) apply(n *node, entries []*pb.Entry) {
	for _, e := range entries {
		var change pb.ConfChange
		var changes pb.ConfChangeV2
		var err error
		switch e.GetType() {
		case pb.EntryConfChange:
			err = proto.Unmarshal(e.GetData(), &change)
			n.disk.conf = n.raw.ApplyConfChange(&change)
		case pb.EntryConfChangeV2:
			err = proto.Unmarshal(e.GetData(), &changes)
			n.disk.conf = n.raw.ApplyConfChange(&changes)
		}
		if err != nil && s.err == nil {
			s.err = err
		}
		n.disk.applied = e.GetIndex()
	}
}

// drop loses a message. Who has sent a snapshot is told so.
func (s *Sim) drop(m *pb.Message) {
	s.write(s.event("Drop", nil, m))
	if from := s.nodes[m.GetFrom()-1]; m.GetType() == pb.MsgSnap && from.raw != nil {
		from.raw.ReportSnapshot(m.GetTo(), raft.SnapshotFailure)
	}
}

// split cuts some nodes off from the others for a while: two leaders then write their logs at once.
func (s *Sim) split() {
	switch {
	case s.rest > 0:
		if s.rest--; s.rest == 0 {
			s.apart = nil
		}
	case s.r.IntN(1000) < s.splits:
		s.apart, s.rest = make([]bool, len(s.nodes)), 200+s.r.IntN(1000)
		for i := range s.apart {
			s.apart[i] = s.r.IntN(2) == 0
		}
	}
}

// deliver delivers or loses a message.
func (s *Sim) deliver() {
	var due []int
	for i := range s.flight {
		if s.flight[i].due <= s.now && len(due) < 6 {
			due = append(due, i)
		}
	}
	if due == nil {
		return
	}
	i := due[s.r.IntN(len(due))]
	m := s.flight[i].Message
	s.flight = append(s.flight[:i:i], s.flight[i+1:]...)
	to := s.nodes[m.GetTo()-1]
	if to.down > 0 || s.apart != nil && s.apart[m.GetFrom()-1] != s.apart[m.GetTo()-1] || s.r.IntN(100) < s.losses {
		s.drop(m)
		return
	}
	if t := m.GetType(); t == pb.MsgPreVote || t == pb.MsgPreVoteResp && s.known(to, m.GetFrom()) {
		s.write(s.event("ReceivePreVote", nil, m))
	}
	switch err := to.raw.Step(m); {
	case errors.Is(err, raft.ErrStepPeerNotFound): // an answer of a server that has left: it is ignored
		s.drop(m)
	case err != nil && s.err == nil && !errors.Is(err, raft.ErrProposalDropped):
		s.err = err
	}
}

// known reports whether a node looks at answers of another one: not if it has left.
func (s *Sim) known(n *node, id uint64) bool {
	c := n.disk.conf
	return slices.Contains(c.Voters, id) || slices.Contains(c.Learners, id) || slices.Contains(c.VotersOutgoing, id)
}

// handle writes to disk what a node has to write, and then sends what it has to send.
func (s *Sim) handle(n *node) {
	for n.down == 0 && s.err == nil && n.raw.HasReady() {
		rd := n.raw.Ready()
		if rd.HardState != nil && !raft.IsEmptyHardState(rd.HardState) {
			s.err = n.disk.SetHardState(rd.HardState)
		}
		if snap := rd.Snapshot; snap != nil && !raft.IsEmptySnap(snap) {
			s.err = errors.Join(s.err, n.disk.ApplySnapshot(snap))
			n.disk.conf, n.disk.applied = snap.GetMetadata().GetConfState(), snap.GetMetadata().GetIndex()
		}
		if err := n.disk.Append(rd.Entries); err != nil {
			s.err = err
		}
		for _, m := range rd.Messages {
			if t := m.GetType(); t == pb.MsgPreVote || t == pb.MsgPreVoteResp {
				s.write(s.event("SendPreVote", nil, m))
			}
			if s.crowded(m) || m.GetType() == pb.MsgSnap && !s.among(m) {
				s.drop(m)
				continue
			}
			s.send(m)
			if s.r.IntN(100) < 4 && s.repeatable(n, m) {
				s.write(s.event("Duplicate", nil, m))
				s.send(proto.Clone(m).(*pb.Message))
			}
		}
		s.apply(n, rd.CommittedEntries)
		n.raw.Advance(rd)
	}
}

// among reports whether a snapshot knows who gets it: who has joined since is not served by it.
func (s *Sim) among(m *pb.Message) bool {
	return s.known(&node{disk: &disk{conf: m.GetSnapshot().GetMetadata().GetConfState()}}, m.GetTo())
}

func (s *Sim) send(m *pb.Message) {
	due := s.now
	if s.r.IntN(100) < s.late {
		due += 50 + s.r.IntN(800)
	}
	s.flight = append(s.flight, packet{m, due})
}

// mostOnTheWay is how many messages from one node to another are on their way at most: fewer than
// the protocol's channels have room for (etcd.reading).
const mostOnTheWay = 60

// crowded reports whether the network loses a message at once.
func (s *Sim) crowded(m *pb.Message) bool {
	n := 0
	for _, o := range s.flight {
		if o.GetFrom() == m.GetFrom() && o.GetTo() == m.GetTo() {
			n++
		}
	}
	return n >= mostOnTheWay
}

// repeatable reports whether the node would send the same request again: answers are not
// duplicated, nor requests of a state that it has left.
func (s *Sim) repeatable(n *node, m *pb.Message) bool {
	st := n.raw.BasicStatus()
	switch m.GetType() {
	case pb.MsgVote:
		return st.RaftState == raft.StateCandidate && st.HardState.GetTerm() == m.GetTerm()
	case pb.MsgApp:
		return st.RaftState == raft.StateLeader && st.HardState.GetTerm() == m.GetTerm() && st.HardState.GetCommit() == m.GetCommit()
	case pb.MsgHeartbeat:
		return st.RaftState == raft.StateLeader && st.HardState.GetTerm() == m.GetTerm()
	}
	return false
}

// event is an event of the network, or of a node, in the library's form.
func (s *Sim) event(name string, n *node, m *pb.Message) *raft.TracingEvent {
	e := &raft.TracingEvent{Name: name}
	if n != nil {
		e.NodeID = strconv.FormatUint(n.id, 10)
	}
	if m != nil {
		e.NodeID = strconv.FormatUint(m.GetFrom(), 10)
		e.State.Term, e.State.Vote = m.GetTerm(), "0"
		e.Message = &raft.TracingMessage{Type: m.GetType().String(), Term: m.GetTerm(), From: strconv.FormatUint(m.GetFrom(), 10), To: strconv.FormatUint(m.GetTo(), 10),
			EntryLength: len(m.GetEntries()), LogTerm: m.GetLogTerm(), Index: m.GetIndex() + m.GetSnapshot().GetMetadata().GetIndex(), Commit: m.GetCommit(), Reject: m.GetReject()}
	}
	return e
}
