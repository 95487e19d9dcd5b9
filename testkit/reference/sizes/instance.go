package sizes

import "fmt"

// An Instance is a text with values for its parameters.
type Instance struct {
	Text       *Text
	Parameters []int

	processes int // those that have a state; liars have none
	omitting  int // so many of them, the first ones, omit to send or receive
	budget    int // how many may crash, or lie
	layout    layout
	mistake   string // for tests: what the reference does wrong, on purpose
}

// A layout says where in a world the parts of its state are.
type layout struct {
	slots, kinds, variables int
	partial, lies, first    int // where these parts begin: see world
	size                    int // of the state of a process
}

// NewInstance makes an instance. It returns nil if the text does not admit these parameters: there is
// at least one process, and no more are faulty than there are.
func NewInstance(t *Text, parameters []int) *Instance {
	in := &Instance{Text: t, Parameters: parameters}
	s := scope{in: in, process: -1}
	for _, a := range t.Assumptions {
		if !s.holds(a) {
			return nil
		}
	}
	size := s.value(t.Size)
	in.processes = size
	if t.Budget != nil {
		in.budget = s.value(t.Budget)
	}
	switch t.Faults {
	case "none":
		in.budget = 0
	case "byzantine", "symmetric":
		in.processes -= in.budget
	case "omission":
		in.omitting = in.budget
	}
	if size < 1 || in.budget < 0 || in.processes < 0 || in.omitting > size {
		return nil
	}
	in.layout = layout{slots: t.slots(), kinds: len(t.Kinds), variables: len(t.Variables)}
	in.layout.partial = in.layout.slots
	in.layout.lies = 2 * in.layout.slots
	in.layout.first = in.layout.lies + in.layout.kinds
	in.layout.size = 1 + in.layout.variables + 2*in.layout.slots + in.layout.kinds
	return in
}

// Correct tells whether a process follows the protocol, and everything that it is sent arrives.
func (in *Instance) Correct(process int) bool {
	return process >= in.omitting
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
	var instances []*Instance
	var try func(parameters []int)
	try = func(parameters []int) {
		if len(parameters) == len(t.Parameters) {
			if in := NewInstance(t, append([]int(nil), parameters...)); in != nil {
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
