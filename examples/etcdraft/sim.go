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

// TraceEvent implements raft.TraceLogger.
func (s *Sim) TraceEvent(e *raft.TracingEvent) { s.write(e) }

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
	s.splits, s.late, s.changes = s.r.IntN(6), []int{0, 3, 30}[s.r.IntN(3)], []int{0, 0, 8}[s.r.IntN(3)]
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
	if s.changes > 0 {
		applied = n.disk.applied
	}
	n.raw, err = raft.NewRawNode(&raft.Config{ID: n.id, ElectionTick: 10, HeartbeatTick: 2, Storage: n.disk, Applied: applied, MaxSizePerMsg: s.size, MaxInflightMsgs: 8, TraceLogger: s})
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
	default:
		s.deliver()
	}
	for _, n := range s.nodes {
		s.handle(n)
	}
}

// change has a leader propose that somebody leaves, or joins again.
func (s *Sim) change(n *node) {
	if n.raw.BasicStatus().RaftState != raft.StateLeader {
		return
	}
	who, kind := s.nodes[s.r.IntN(len(s.nodes))].id, pb.ConfChangeAddNode
	if slices.Contains(n.disk.conf.Voters, who) {
		kind = pb.ConfChangeRemoveNode
	}
	if kind == pb.ConfChangeRemoveNode && len(n.disk.conf.Voters) <= 2 {
		return
	}
	_ = n.raw.ProposeConfChange(&pb.ConfChange{Type: kind.Enum(), NodeId: &who}) // a proposal may be dropped
}

// apply acts on entries that are committed: those that change who is a member.
func (s *Sim) apply(n *node, entries []*pb.Entry) {
	for _, e := range entries {
		if e.GetType() == pb.EntryConfChange {
			var change pb.ConfChange
			if err := proto.Unmarshal(e.GetData(), &change); err != nil && s.err == nil {
				s.err = err
			}
			n.disk.conf = n.raw.ApplyConfChange(&change)
		}
		n.disk.applied = e.GetIndex()
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
		s.write(s.event("Drop", nil, m))
		return
	}
	switch err := to.raw.Step(m); {
	case errors.Is(err, raft.ErrStepPeerNotFound): // an answer of somebody who has left: nothing looks at it
		s.write(s.event("Drop", nil, m))
	case err != nil && s.err == nil && !errors.Is(err, raft.ErrProposalDropped):
		s.err = err
	}
}

// handle writes to disk what a node has to write, and then sends what it has to send.
func (s *Sim) handle(n *node) {
	for n.down == 0 && s.err == nil && n.raw.HasReady() {
		rd := n.raw.Ready()
		if rd.HardState != nil && !raft.IsEmptyHardState(rd.HardState) {
			s.err = n.disk.SetHardState(rd.HardState)
		}
		if err := n.disk.Append(rd.Entries); err != nil {
			s.err = err
		}
		for _, m := range rd.Messages {
			if s.crowded(m) {
				s.write(s.event("Drop", nil, m))
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
			EntryLength: len(m.GetEntries()), LogTerm: m.GetLogTerm(), Index: m.GetIndex(), Commit: m.GetCommit(), Reject: m.GetReject()}
	}
	return e
}
