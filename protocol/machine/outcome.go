package machine

import (
	"fmt"

	"tacheck/stubborn"
)

// unit is what a worker knows of what a part of a rule does.
type unit struct {
	*unitInfo
	alone    []outcomes           // by local state: without a message, or with any message of a Byzantine sender
	together [][]outcomes         // by local state and content of the channel
	wide     map[string]*outcomes // of general units
}

// outcomes is what may happen, once it has been computed.
type outcomes struct {
	known bool
	list  []outcome
	// With partial orders:
	able     stubborn.Set // transitions with an outcome that is possible in any case
	doubtful bool         // others may be possible
}

// outcome is something that may happen.
type outcome struct {
	locals  []change // of processes
	takes   []take
	sends   []send
	stopped []int // processes that must be crash-faulty for this to happen, and have crashed after it
	rules   []int // that happen like this
	merit   merit
	taken   int // messages taken from channels
	err     error
	parts   []int // with partial orders: the transitions that it is an outcome of
}

// merit is what a step is for fairness.
type merit struct {
	constraint int  // that it meets, or none
	voluntary  bool // it takes a Byzantine process to move or to send something, which nobody can make it do
}

// none stands for no constraint.
const none = -1

type change struct {
	slot  int
	value uint32
}

type take struct {
	slot    int
	message uint32
}

type send struct {
	to      int
	message uint32
}

// distinct drops outcomes that are the same as earlier ones: a message that
// changes nothing might as well be lost.
func distinct(list []outcome) []outcome {
	first := map[string]int{}
	var out []outcome
	for _, o := range list {
		rules, parts := o.rules, o.parts
		o.rules, o.parts = nil, nil
		key := fmt.Sprint(o)
		if i, known := first[key]; known {
			out[i].rules = append(out[i].rules, rules...)
			out[i].parts = append(out[i].parts, parts...)
			continue
		}
		first[key] = len(out)
		o.rules, o.parts = rules, parts
		out = append(out, o)
	}
	return out
}
