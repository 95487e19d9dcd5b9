// Package machine explores protocols fast: local states, messages and what channels hold are numbered as they are met,
// so that a state is a short vector of numbers, and what a rule does is computed once for every local state and message
// that it meets. It is a Space for package explore.
package machine

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
)

// machine is a model made ready to be explored.
type machine struct {
	space
	conditions []*protocol.Term
	view       *view // of the conditions
	frames     int
	symmetric  bool

	rules []*compile.Rule
	left  []bool // rules that are left out
	units []*unitInfo
	inits []*compile.Rule
	any   func() ([]uint32, error) // numbers of all messages, for Byzantine senders
	sym   *symmetry
	por   *partial // nil without partial orders

	mu      sync.Mutex
	workers []*worker // all of them
	counts  bool      // they count what finds no room

	constraints []constraint       // of fairness
	constrained map[constraint]int // their numbers
}

// constraint is a fair rule with the process that moves and the sender, or -1.
type constraint struct{ rule, process, sender int }

// fairly makes rules weakly fair, for each process that moves, and each sender unless there is a quorum.
func (x *machine) fairly(rules []bool) {
	x.constrained = map[constraint]int{}
	for _, u := range x.units {
		for i := range u.instances {
			inst := &u.instances[i]
			c := constraint{inst.rule, inst.process, u.sender}
			if _, known := x.constrained[c]; rules[inst.rule] && !known {
				x.constrained[c] = len(x.constraints)
				x.constraints = append(x.constraints, c)
			}
			if rules[inst.rule] {
				inst.constraint = x.constrained[c]
			}
		}
	}
}

// constraint returns the number of a constraint; none if the rule is not fair.
func (x *machine) constraint(rule, process, sender int) int {
	if i, ok := x.constrained[constraint{rule, process, sender}]; ok {
		return i
	}
	return none
}

// newMachine makes a machine that watches conditions of states. If symmetric is set, states count once that differ by
// how processes of a role are numbered; those in fixed are left alone. The model must have no Asymmetry then.
func newMachine(m *protocol.Model, o interp.Options, conditions []*protocol.Term, frames int, symmetric bool,
	fixed []bool) (*machine, error) {
	x := &machine{space: *newSpace(m, o, fixed), conditions: conditions, frames: frames, symmetric: symmetric}
	if len(conditions) > most {
		return nil, fmt.Errorf("more than %d conditions at once", most)
	}
	c := x.at.Compiler()
	for i := range m.Rules {
		x.rules = append(x.rules, c.Rule(&m.Rules[i]))
	}
	for i := range m.Inits {
		x.inits = append(x.inits, c.Rule(&m.Inits[i]))
	}
	x.left = make([]bool, len(m.Rules))
	x.view = x.newView(conditions)
	x.any = sync.OnceValues(x.domain)
	looks := slices.ContainsFunc(m.Rules, func(t protocol.Transition) bool { return !t.Receives() && !own(&t) })
	for i := range m.Rules {
		x.addUnits(i, looks)
	}
	if symmetric {
		x.sym = newSymmetry(m)
	}
	return x, nil
}

// leave leaves rules out, by their names in the text.
func (x *machine) leave(names []string) {
	for i := range x.left {
		x.left[i] = slices.Contains(names, story.RuleName(x.Model, i))
	}
}

// follows reports whether an event is of no rule that is left out.
func (x *machine) follows(e interp.Event) bool {
	return e.Init || e.Fate != interp.Processed || !x.left[e.Rule]
}

// own reports whether what a rule does depends on nothing but the process that moves, and what that receives from one.
func own(t *protocol.Transition) bool {
	own := !t.Quorum()
	t.Touch(func(p *protocol.Term, write bool) {
		switch p.Base {
		case protocol.BaseRole, protocol.BaseStatus, protocol.BaseWhole:
			own = own && p.Base != protocol.BaseWhole && p.Who.Op == ftdp.Name && p.Who.Var == t.Cell(t.Executor)
		}
	})
	return own
}

// addUnits adds what a rule does. Where some look at others, all that receive nothing are one unit.
func (x *machine) addUnits(rule int, looks bool) {
	t := &x.Model.Rules[rule]
	looking := looks && !t.Receives()
	general := looking || !own(t)
	t.EachScalar(func(frame []int32) {
		me := interp.Process(x.Model, t, t.Executor, frame)
		inst := instance{rule: rule, process: me, frame: slices.Clone(frame), rules: []int{rule}, constraint: none}
		sender, slot := -1, -1
		if t.Receives() && !t.Quorum() {
			sender = interp.Process(x.Model, t, t.Sender, frame)
			slot = x.channel[sender][me]
		}
		u := &unitInfo{process: me, sender: sender, slot: slot, general: general, looking: looking}
		for _, v := range x.units {
			if looking && v.looking || !general && !v.general && v.process == me && v.sender == sender {
				u = v
			}
		}
		if u.instances = append(u.instances, inst); len(u.instances) == 1 {
			x.units = append(x.units, u)
		}
		if sender >= 0 {
			u.senders = []int{sender}
			u.single = !x.Model.Channels.Duplicating && x.Model.Channels.Bound > 1
		}
		if general && !looking {
			u.reads = slices.DeleteFunc(x.at.Compiler().For(t, inst.frame).Touches(func(visit func(*protocol.Term)) {
				t.Touch(func(p *protocol.Term, _ bool) { visit(p) })
			}), func(p int) bool { return p == me })
			if t.Quorum() {
				role := &x.Model.Roles[t.Params[t.Sender].Type.Role]
				for i := range role.Size {
					u.senders = append(u.senders, role.First+i)
				}
			}
		}
		u.slots = lists.Map(u.senders, func(j int) int { return x.channel[j][me] })
	})
}

// maxDomain bounds the messages among which Byzantine processes choose.
const maxDomain = 200_000

// domain numbers all messages.
func (x *machine) domain() ([]uint32, error) {
	size := interp.DomainSize(x.Model.Message)
	if size > maxDomain {
		return nil,
			fmt.Errorf("there are %.0f messages that a Byzantine process might send: give it rules marked byz, or "+
				"make the message smaller", size)
	}
	return lists.Map(interp.Domain(x.Model.Message), func(m protocol.Message) uint32 { return x.in.message(m) }), nil
}

// Slots implements explore.Space.
func (x *machine) Slots() int { return x.slots }

var _ explore.Space = (*machine)(nil)

// most is how many conditions a machine watches at once.
const most = 64
