// Package hashicorpraft runs servers of github.com/hashicorp/raft in one process and records what they do, to be held
// against raft.ftdp: elections, losses, restarts, what clients write. The library is as it is: what it does is seen at
// its interfaces for transports, stores, state machines, observers and logs.
package hashicorpraft

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing/synctest"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"

	"github.com/tacheck/tacheck/conform"
)

// event is a line of the log.
type event = map[string]any

// Sim is a cluster, with a network that loses and delays messages and is split now and then. It lives in a bubble of
// testing/synctest: time passes when everybody waits, so that all that a message or a timeout leads to is over before
// the next one.
type Sim struct {
	r       *rand.Rand
	rec     *conform.Recorder
	nodes   []*node
	apart   []bool // which nodes are cut off from the others; nil if none is
	rest    int    // how many steps the network stays split
	losses  int    // of a hundred messages
	crashes int    // of ten thousand steps
	splits  int    // of ten thousand steps
	late    int    // of a hundred messages: they arrive after long
	size    int    // entries of a request
	halves  bool   // servers stop when they have written half of a vote

	mu     sync.Mutex // of what follows, and of nodes
	events int
	flight []*call
	err    error
}

// call is a request on its way, or its answer.
type call struct {
	*Sim
	from, to *node
	run      int   // of the caller: after a restart it does not wait for the answer
	round    int   // of pre-votes, of the one that calls
	asked    event // what it says
	args     any
	answered event // nil for a request
	answer   any
	due      time.Time
	back     chan any // the answer, or nil
}

// node is a server: the library's, and its hooks.
type node struct {
	*raft.InmemStore
	*Sim
	id      string
	lib     *raft.Raft
	rpc     chan raft.RPC
	run     int     // how often it has started
	round   int     // how often it has asked for pre-votes
	down    int     // steps until it starts again; 0 while it is up
	handles bool    // a request: what shows meanwhile is told after it
	half    bool    // it has written half of a vote
	later   []event // to be told then
	leads   bool    // as was told
	commit  uint64  // as was told
}

// Run runs a cluster in a bubble until so many events are recorded. With halves, servers stop now and then when they have
// written half of a vote.
func Run(seed uint64, nodes, events int, halves bool, rec *conform.Recorder) error {
	s := &Sim{r: rand.New(rand.NewPCG(seed, 3)), rec: rec, halves: halves}
	s.losses, s.crashes, s.splits = s.r.IntN(20), s.r.IntN(20), s.r.IntN(8)
	s.late, s.size = []int{0, 2, 10}[s.r.IntN(3)], []int{1, 3, 64}[s.r.IntN(3)]
	var all raft.Configuration
	for i := range nodes {
		id := strconv.Itoa(i + 1)
		s.nodes = append(s.nodes, &node{InmemStore: raft.NewInmemStore(), Sim: s, id: id})
		all.Servers = append(all.Servers, raft.Server{ID: raft.ServerID(id), Address: raft.ServerAddress(id)})
	}
	for _, n := range s.nodes {
		if err := raft.BootstrapCluster(n.config(), n.InmemStore, n.InmemStore, raft.NewDiscardSnapshotStore(), n, all); err != nil {
			return err
		}
		n.start()
	}
	for s.events < events && s.err == nil {
		s.step()
	}
	for _, n := range s.nodes {
		s.stop(n)
	}
	time.Sleep(time.Second) // no server waits for a message any more
	return s.err
}

// step is something that happens: a message arrives or is lost, a client writes, a server crashes or starts again, the
// network splits or heals, or only time passes.
func (s *Sim) step() {
	time.Sleep(time.Duration(s.r.IntN(int(4 * time.Millisecond))))
	synctest.Wait()
	s.split()
	n := s.nodes[s.r.IntN(len(s.nodes))]
	switch k := s.r.IntN(10_000); {
	case n.down > 0:
		if n.down--; n.down == 0 {
			n.tell(event{"event": "restart", "at": n.id})
			n.start()
		}
	case k < s.crashes:
		s.stop(n)
	case k < 500 && n.leads:
		n.lib.Apply([]byte("x"), 0)
	default:
		s.deliver()
	}
	synctest.Wait()
	for _, n := range s.nodes {
		if n.down == 0 {
			n.tellCommit()
		}
	}
}

// split cuts some nodes off from the others for a while.
func (s *Sim) split() {
	switch {
	case s.rest > 0:
		if s.rest--; s.rest == 0 {
			s.apart = nil
		}
	case s.r.IntN(10_000) < s.splits:
		s.apart, s.rest = make([]bool, len(s.nodes)), 500+s.r.IntN(2000)
		for i := range s.apart {
			s.apart[i] = s.r.IntN(2) == 0
		}
	}
}

// deliver delivers or loses a message.
func (s *Sim) deliver() {
	s.mu.Lock()
	var due []int
	for i, c := range s.flight {
		if !c.due.After(time.Now()) && len(due) < 6 {
			due = append(due, i)
		}
	}
	if due == nil {
		s.mu.Unlock()
		return
	}
	i := due[s.r.IntN(len(due))]
	c := s.flight[i]
	s.flight = slices.Delete(s.flight, i, i+1)
	s.mu.Unlock()
	to := c.to
	if c.answer != nil {
		to = c.from
	}
	switch {
	case to.down > 0 || c.answer != nil && to.run != c.run || s.apart != nil && s.apart[c.from.index()] != s.apart[c.to.index()] || s.r.IntN(100) < s.losses:
		s.lose(c)
	case c.answer != nil:
		line := c.line("answer")
		line["late"] = to.round != c.round
		to.tell(line)
		c.back <- c.answer
		synctest.Wait()
		to.tellCommit()
		to.tell(event{"event": "state", "at": to.id, "state": to.state()})
	default:
		s.ask(c)
	}
}

// ask delivers a request.
func (s *Sim) ask(c *call) {
	answers := make(chan raft.RPCResponse, 1)
	c.to.handles = true
	c.to.rpc <- raft.RPC{Command: c.args, RespChan: answers}
	synctest.Wait()
	select {
	case a := <-answers:
		if a.Error != nil {
			s.fail(a.Error)
			return
		}
		c.answer = a.Response
		switch a := a.Response.(type) {
		case *raft.RequestPreVoteResponse:
			c.answered = event{"kind": "PreVote", "term": a.Term, "granted": a.Granted}
		case *raft.RequestVoteResponse:
			c.answered = event{"kind": "Vote", "term": a.Term, "granted": a.Granted}
		case *raft.AppendEntriesResponse:
			c.answered = event{"kind": "Appended", "term": a.Term, "granted": a.Success, "last": a.LastLog}
			if c.asked["kind"] == "Beat" {
				c.answered = event{"kind": "Beaten", "term": a.Term, "granted": a.Success}
			}
		}
	default:
		s.fail(fmt.Errorf("no answer to %v", c.asked))
		return
	}
	if c.to.half {
		c.to.half, c.answered = false, nil
		c.to.handled(c.line("half a vote"))
		s.stop(c.to)
		c.giveUp()
		return
	}
	line := c.line("receive")
	line["state"] = c.to.state()
	c.to.handled(line)
	s.send(c)
}

// handled tells that a node has handled a request, and what has shown meanwhile.
func (n *node) handled(line event) {
	n.mu.Lock()
	n.handles = false
	later := n.later
	n.later = nil
	n.commit = n.lib.CommitIndex()
	n.mu.Unlock()
	n.tell(line)
	for _, e := range later {
		n.tell(e)
	}
}

// send puts a message on its way.
func (s *Sim) send(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.due = time.Now()
	if s.r.IntN(100) < s.late {
		c.due = c.due.Add(time.Duration(s.r.IntN(int(2 * time.Second))))
	}
	s.flight = append(s.flight, c)
}

// lose loses a message: who waits for the answer gives up after a while.
func (s *Sim) lose(c *call) {
	line := c.line("lose")
	c.to.tell(line)
	go func() {
		time.Sleep(time.Duration(s.r.IntN(int(300 * time.Millisecond))))
		c.giveUp()
	}()
}

func (c *call) giveUp() {
	select {
	case c.back <- nil:
	default:
	}
}

// line is an event of a call: what it asks, and the answer, if there is one.
func (c *call) line(name string) event {
	e := event{"event": name, "from": c.from.id, "to": c.to.id, "asked": c.asked}
	if c.answered != nil {
		e["answered"] = c.answered
	}
	return e
}

func (s *Sim) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// tell records an event of a node, or after the request that it handles.
func (n *node) tell(e event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.handles {
		n.later = append(n.later, e)
		return
	}
	n.events++
	n.rec.Record(e)
}

// tellCommit tells what a leader has committed since.
func (n *node) tellCommit() {
	n.mu.Lock()
	to := n.lib.CommitIndex()
	news := n.leads && !n.handles && to > n.commit
	if news {
		n.commit = to
	}
	n.mu.Unlock()
	if news {
		n.tell(event{"event": "commit", "at": n.id, "index": to})
	}
}

// state is what a node shows, and what is in its stores.
func (n *node) state() event {
	var last raft.Log
	index, err := n.LastIndex()
	if err == nil && index > 0 {
		err = n.GetLog(index, &last)
	}
	term, e := n.GetUint64([]byte("LastVoteTerm"))
	if err = errors.Join(err, e); err != nil {
		n.fail(err)
	}
	var vote any
	if v, err := n.Get([]byte("LastVoteCand")); err == nil { // it has voted
		vote = string(v)
	}
	return event{"role": n.lib.State().String(), "term": n.lib.CurrentTerm(), "voteTerm": term, "vote": vote,
		"last": index, "lastTerm": last.Term, "commit": n.lib.CommitIndex()}
}

func (n *node) index() int { return slices.Index(n.nodes, n) }

func (n *node) config() *raft.Config {
	c := raft.DefaultConfig()
	c.LocalID = raft.ServerID(n.id)
	c.MaxAppendEntries = n.size
	c.SnapshotInterval, c.SnapshotThreshold = 1000*time.Hour, 1<<60
	log := hclog.NewInterceptLogger(&hclog.LoggerOptions{Output: io.Discard, Level: hclog.Error})
	log.RegisterSink(n)
	c.Logger = log
	return c
}

// start starts a node with what is in its stores.
func (n *node) start() {
	n.run++
	n.rpc = make(chan raft.RPC)
	n.leads, n.commit = false, 0
	lib, err := raft.NewRaft(n.config(), n, n, n, raft.NewDiscardSnapshotStore(), n)
	if err != nil {
		n.fail(err)
		return
	}
	n.lib = lib
	lib.RegisterObserver(raft.NewObserver(nil, false, n.observe))
	synctest.Wait()
}

// stop stops a node. What it has sent stays on its way.
func (s *Sim) stop(n *node) {
	if n.down > 0 {
		return
	}
	n.down = 20 + s.r.IntN(300)
	n.leads = false
	done := n.lib.Shutdown()
	s.mu.Lock()
	for _, c := range s.flight {
		if c.from == n {
			c.giveUp()
		}
	}
	s.mu.Unlock()
	if err := done.Error(); err != nil {
		s.fail(err)
	}
}

// What follows are the hooks.

// Accept implements hclog.SinkAdapter: a round of pre-votes begins.
func (n *node) Accept(_ string, _ hclog.Level, msg string, _ ...any) {
	if msg == "entering candidate state" {
		n.round++
		n.tell(event{"event": "candidate", "at": n.id})
	}
}

// observe is called with what the library shows to observers: who begins or ceases to lead.
func (n *node) observe(o *raft.Observation) bool {
	switch state, _ := o.Data.(raft.RaftState); {
	case o.Data == raft.Leader:
		n.commit = n.lib.CommitIndex()
		n.leads = true
		n.tell(event{"event": "lead", "at": n.id})
	case o.Data == raft.Follower && n.leads && state == raft.Follower:
		n.tellCommit()
		n.leads = false
		if !n.handles {
			n.tell(event{"event": "step down", "at": n.id})
		}
	}
	return false
}

// SetUint64 implements raft.StableStore: a candidate begins the next term.
func (n *node) SetUint64(key []byte, value uint64) error {
	if string(key) == "CurrentTerm" && n.down == 0 && n.lib != nil && !n.handles && n.lib.State() == raft.Candidate {
		n.tell(event{"event": "elect", "at": n.id, "term": value})
	}
	if err := n.InmemStore.SetUint64(key, value); err != nil {
		return err
	}
	if n.half = n.halves && string(key) == "LastVoteTerm" && n.handles && n.r.IntN(3) == 0; n.half {
		return errors.New("the server stops here")
	}
	return nil
}

// StoreLogs implements raft.LogStore: a leader writes.
func (n *node) StoreLogs(logs []*raft.Log) error {
	if !n.handles {
		for _, l := range logs {
			n.tell(event{"event": "write", "at": n.id, "index": l.Index, "term": l.Term})
		}
	}
	return n.InmemStore.StoreLogs(logs)
}

// Apply implements raft.FSM.
func (n *node) Apply(l *raft.Log) any {
	n.tellCommit()
	n.tell(event{"event": "apply", "at": n.id, "index": l.Index, "term": l.Term})
	return nil
}

// Snapshot implements raft.FSM: there are none.
func (n *node) Snapshot() (raft.FSMSnapshot, error) { return nil, errors.New("no snapshots") }

// Restore implements raft.FSM.
func (n *node) Restore(io.ReadCloser) error { return errors.New("no snapshots") }

// call sends a request and waits for the answer.
func (n *node) call(to raft.ServerID, args any, asked event) (any, error) {
	i, err := strconv.Atoi(string(to))
	if err != nil || n.down > 0 {
		return nil, errors.Join(err, errors.New("down"))
	}
	c := &call{Sim: n.Sim, from: n, to: n.nodes[i-1], run: n.run, round: n.round, asked: asked, args: args, back: make(chan any, 1)}
	n.tellCommit()
	n.tell(c.line("send"))
	n.send(c)
	if answer := <-c.back; answer != nil {
		return answer, nil
	}
	return nil, errors.New("no answer")
}

// RequestPreVote implements raft.WithPreVote.
func (n *node) RequestPreVote(to raft.ServerID, _ raft.ServerAddress, r *raft.RequestPreVoteRequest, answer *raft.RequestPreVoteResponse) error {
	a, err := n.call(to, r, event{"kind": "PreAsk", "term": r.Term, "index": r.LastLogIndex, "logTerm": r.LastLogTerm})
	if err == nil {
		*answer = *a.(*raft.RequestPreVoteResponse)
	}
	return err
}

// RequestVote implements raft.Transport.
func (n *node) RequestVote(to raft.ServerID, _ raft.ServerAddress, r *raft.RequestVoteRequest, answer *raft.RequestVoteResponse) error {
	a, err := n.call(to, r, event{"kind": "Ask", "term": r.Term, "index": r.LastLogIndex, "logTerm": r.LastLogTerm})
	if err == nil {
		*answer = *a.(*raft.RequestVoteResponse)
	}
	return err
}

// AppendEntries implements raft.Transport.
func (n *node) AppendEntries(to raft.ServerID, _ raft.ServerAddress, r *raft.AppendEntriesRequest, answer *raft.AppendEntriesResponse) error {
	asked := event{"kind": "Beat", "term": r.Term}
	if r.Entries != nil {
		asked = event{"kind": "Append", "term": r.Term, "index": r.PrevLogEntry, "logTerm": r.PrevLogTerm, "count": len(r.Entries), "commit": r.LeaderCommitIndex, "upTo": 0}
		if k := len(r.Entries); k > 0 {
			asked["upTo"] = r.Entries[k-1].Index
		}
	}
	a, err := n.call(to, r, asked)
	if err == nil {
		*answer = *a.(*raft.AppendEntriesResponse)
	}
	return err
}

// AppendEntriesPipeline implements raft.Transport: there are none.
func (n *node) AppendEntriesPipeline(raft.ServerID, raft.ServerAddress) (raft.AppendPipeline, error) {
	return nil, raft.ErrPipelineReplicationNotSupported
}

// InstallSnapshot implements raft.Transport.
func (n *node) InstallSnapshot(raft.ServerID, raft.ServerAddress, *raft.InstallSnapshotRequest, *raft.InstallSnapshotResponse, io.Reader) error {
	return errors.New("no snapshots")
}

// TimeoutNow implements raft.Transport.
func (n *node) TimeoutNow(raft.ServerID, raft.ServerAddress, *raft.TimeoutNowRequest, *raft.TimeoutNowResponse) error {
	return errors.New("leadership is not transferred")
}

// Consumer implements raft.Transport.
func (n *node) Consumer() <-chan raft.RPC { return n.rpc }

// LocalAddr implements raft.Transport.
func (n *node) LocalAddr() raft.ServerAddress { return raft.ServerAddress(n.id) }

// EncodePeer implements raft.Transport.
func (n *node) EncodePeer(_ raft.ServerID, a raft.ServerAddress) []byte { return []byte(a) }

// DecodePeer implements raft.Transport.
func (n *node) DecodePeer(a []byte) raft.ServerAddress { return raft.ServerAddress(a) }

// SetHeartbeatHandler implements raft.Transport: heartbeats go the way of all requests.
func (n *node) SetHeartbeatHandler(func(raft.RPC)) {}
