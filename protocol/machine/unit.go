package machine

import "github.com/tacheck/tacheck/protocol/compile"

// unitInfo is a part of what can happen: all that one process does by itself, all that it does when it receives
// something from another one, one rule, or all that processes do that receive nothing where some look at others.
type unitInfo struct {
	process int // that moves
	sender  int // -1 if nothing is received, or if there is a quorum
	slot    int // channel from the sender; -1 if there is none
	// single: what it does depends on one message of several in the channel, and takes that.
	single    bool
	instances []instance
	general   bool  // what happens depends on more than the process and one message
	looking   bool  // of all processes that receive nothing
	reads     []int // for general ones: the processes whose states matter
	senders   []int // from whom something is received
	slots     []int // channels from them
}

// instance is a rule with values for its parameters, quorums aside.
type instance struct {
	rule       int
	process    int // that moves
	frame      []int32
	rules      []int // the rule
	parts      []int // with partial orders: the number of its transition, if it has no quorum
	constraint int   // of fairness, or none
}

// empty reports whether a unit receives something, and there is no message.
func (u *unitInfo) empty(state []uint32) bool {
	return u.sender >= 0 && (u.slot < 0 || state[u.slot] == 0)
}

// unit is what a worker knows of what a part of a rule does.
type unit struct {
	*unitInfo
	memo  memo
	now   []*outcome // in the state of a visit, where nothing is remembered
	visit uint64
	tight []*compile.Rule // by instance: for its parameters; nil until it has been used often
	uses  []int
	// of one that receives nothing: its guards, once evaluated often
	guards *guards
	looks  int
	parts  map[uint64][]int // with partial orders, by quorum: the number of its transition
}

// memo remembers what a unit does: by the states of the processes that matter, and the contents of the channels.
type memo struct {
	known   finder
	own     []uint32     // by local state, where nothing else matters
	list    [][]*outcome // the first is empty
	reuse   reuse
	useless bool
}

func newMemo(u *unitInfo) memo {
	return memo{useless: u.looking, known: finder{width: 1 + len(u.reads) + len(u.senders)}, list: [][]*outcome{nil}}
}

func (u *unit) forget() {
	if !u.memo.useless {
		u.memo = newMemo(u.unitInfo)
	}
}
