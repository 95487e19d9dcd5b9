package rounds

import (
	"fmt"
	"slices"
)

// An Instance is a text with values for its parameters, and so many stages: rounds that are looked at.
type Instance struct {
	Text       *Text
	Parameters []int

	size, faults int    // processes, and how many of them are faulty or may crash
	processes    int    // those that have a state; liars have none
	liars        int    // faulty processes that send anything
	omitting     []bool // of the processes with a state
	stages       int
	class        string // of adversaries; "" where coins may say anything
	sides        int    // outcomes of the common coin, if there is one
	need         int    // so many correct processes come to a common coin before any process knows it

	seat      []int // which process has which number; liar for those that send anything. Of others it makes no difference
	layout    layout
	pendings  []pending
	pendingOf map[string]int
	mistake   string // for tests: what the reference does wrong, on purpose
}

// NewInstance makes an instance. It returns nil if the text does not admit these parameters.
func NewInstance(t *Text, parameters []int, stages int, class, mistake string) *Instance {
	t = t.mistaken(mistake)
	in := &Instance{Text: t, Parameters: parameters, stages: stages, class: class, mistake: mistake, pendingOf: map[string]int{}}
	s := scope{parameters: parameters}
	for _, a := range t.Assumptions {
		if !s.holds(a) {
			return nil
		}
	}
	in.size = s.value(t.Size)
	if t.Number != nil {
		in.faults = s.value(t.Number)
	}
	if in.size < 1 || in.faults < 0 || t.turns && in.size < 2 {
		return nil
	}
	in.processes = in.size
	switch t.Faults {
	case "none":
		in.faults = 0
	case "byzantine", "symmetric":
		in.liars = in.faults
		in.processes -= in.liars
	}
	if t.Faults != "crash" && t.Faults != "clean" && in.faults > in.size {
		return nil
	}
	for p := range in.processes {
		in.omitting = append(in.omitting, t.Faults == "omission" && p < in.faults)
	}
	in.need = 1
	for _, r := range t.Rules {
		each(r.Body, func(c *Statement) {
			if c.Op != "coin" {
				return
			}
			v := t.Variables[c.index]
			in.sides = v.High - v.Low + 1
			if c.Value != nil {
				in.need = s.value(c.Value) - in.liars // the same wherever rounds end
			}
		})
	}
	in.lay()
	if len(in.initial()) == 0 {
		return nil
	}
	return in
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

// Parameters are all values of the parameters, up to a number, that a text admits with so many processes that follow it at most.
func Parameters(t *Text, limit, processes int) [][]int {
	var all [][]int
	var try func(parameters []int)
	try = func(parameters []int) {
		if len(parameters) == len(t.Parameters) {
			if in := NewInstance(t, slices.Clone(parameters), 1, "", ""); in != nil && in.processes <= processes {
				all = append(all, in.Parameters)
			}
			return
		}
		for i := range limit + 1 {
			try(append(parameters, i))
		}
	}
	try(nil)
	return all
}
