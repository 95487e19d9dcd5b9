package sizes

import (
	"fmt"
	"slices"
)

// An Instance is a text with values for its parameters.
type Instance struct {
	Text       *Text
	Parameters []int

	processes int    // those that have a state; liars have none
	size      int    // how many there are, liars, too
	roles     []int  // of the processes with a state, in order
	omitting  []bool // whether they omit to send or receive
	budgets   []int  // how many are faulty, or may crash, for each of the text's budgets
	liars     []int  // of each role, how many lie
	layout    layout
	mistake   string  // for tests: what the reference does wrong, on purpose
	worlds    []world // all that can be reached, once they have been visited
}

// A layout says where in a world the parts of its state are. Messages are told apart by kind, group of senders and
// values: a slot for each. Groups are the roles, or, if it matters who has sent what, the processes.
type layout struct {
	named                bool
	groups               []int // their roles
	kinds                []int // the first slot of each
	slots, variables     int
	partial, lies, first int // where these parts begin: see world
	size                 int // of the state of a process
}

// NewInstance makes an instance. It returns nil if the text does not admit these parameters: there is
// at least one process of each type, no more are faulty than there are, and there is an initial state.
func NewInstance(t *Text, parameters []int) *Instance {
	return newInstance(t, parameters, "")
}

func newInstance(t *Text, parameters []int, mistake string) *Instance {
	in := &Instance{Text: t, Parameters: parameters, liars: make([]int, len(t.Roles)), mistake: mistake}
	s := scope{in: in, process: -1}
	for _, a := range t.Assumptions {
		if in.mistake == "assumptions have no quotients" && (mentions(a, "/") || mentions(a, "/ up")) {
			continue
		}
		if !s.holds(a) {
			return nil
		}
	}
	if !in.faulty(s) || !in.populate(s) {
		return nil
	}
	in.lay()
	if len(t.Init) > 0 && len(in.initial()) == 0 {
		return nil
	}
	return in
}

// faulty notes how many are. It returns false if the number is negative.
func (in *Instance) faulty(s scope) bool {
	for _, b := range in.Text.Budgets {
		number := s.value(b.Number)
		if number < 0 {
			return false
		}
		if in.Text.Faults == "none" {
			number = 0
		}
		in.budgets = append(in.budgets, number)
		if in.Text.Faults == "crash" || in.Text.Faults == "clean" {
			continue
		}
		if len(b.roles) != 1 {
			return false // of whom, the text does not say
		}
		if in.mistake == "a distinguished process is correct" && in.alone(b.roles[0]) {
			number = 0
		}
		in.liars[b.roles[0]] += number
	}
	return true
}

// alone tells whether there is one process of a type, by what the text says.
func (in *Instance) alone(role int) bool {
	size := in.Text.Roles[role].Size
	return len(in.Text.Roles) > 1 && size.Op == "number" && size.Number == 1
}

// populate makes the processes that have a state. It returns false if there are too few.
func (in *Instance) populate(s scope) bool {
	for i, role := range in.Text.Roles {
		size := s.value(role.Size)
		if size < 1 || in.liars[i] > size || in.liars[i] == size && in.mistake == "somebody is correct" {
			return false
		}
		in.size += size
		omitting := 0
		switch in.Text.Faults {
		case "byzantine", "symmetric":
			size -= in.liars[i]
		case "omission":
			omitting = in.liars[i]
		}
		for p := range size {
			in.roles = append(in.roles, i)
			in.omitting = append(in.omitting, p < omitting)
		}
	}
	in.processes = len(in.roles)
	return true
}

// lay lays out a world.
func (in *Instance) lay() {
	l := &in.layout
	l.named = in.Text.named()
	l.groups = allRoles(in.Text)
	if l.named {
		l.groups = in.roles
	}
	for _, k := range in.Text.Kinds {
		l.kinds = append(l.kinds, l.slots)
		l.slots += len(l.groups) * k.values()
	}
	for _, role := range in.Text.Roles {
		l.variables = max(l.variables, len(role.Variables))
	}
	l.partial = l.slots
	l.lies = 2 * l.slots
	l.first = l.lies + len(in.Text.Kinds)*len(in.Text.Roles)
	l.size = 1 + l.variables + 2*l.slots + len(in.Text.Kinds)
}

// slot is that of a message of a kind, with a number for its values, from a group.
func (in *Instance) slot(kind, group, number int) int {
	return in.layout.kinds[kind] + group*in.Text.Kinds[kind].values() + number
}

// group is that of a process.
func (in *Instance) group(process int) int {
	if in.layout.named {
		return process
	}
	return in.roles[process]
}

// faults is how many are faulty, or may crash.
func (in *Instance) faults() int {
	total := 0
	for _, b := range in.budgets {
		total += b
	}
	return total
}

// Correct tells whether a process follows the protocol, and everything that it is sent arrives.
func (in *Instance) Correct(process int) bool {
	return !in.omitting[process]
}

// role is that of a process.
func (in *Instance) role(process int) Role {
	return in.Text.Roles[in.roles[process]]
}

// String writes the parameters as the program wants them.
func (in *Instance) String() string {
	text := ""
	for i, name := range in.Text.Parameters {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf("%s=%d", name, in.Parameters[i])
	}
	return text
}

// Instances are all admissible ones with parameters up to a number, in the order of parameters.
func Instances(t *Text, limit int) []*Instance {
	return instancesOf(t, limit, "")
}

func instancesOf(t *Text, limit int, mistake string) []*Instance {
	var instances []*Instance
	var try func(parameters []int)
	try = func(parameters []int) {
		if len(parameters) == len(t.Parameters) {
			if in := newInstance(t, slices.Clone(parameters), mistake); in != nil {
				instances = append(instances, in)
			}
			return
		}
		for i := range limit + 1 {
			try(append(parameters, i))
		}
	}
	try(nil)
	return instances
}
