package explore

import (
	"cmp"
	"context"
	"slices"
)

// profiled is a Worker that knows what its states are made of.
type profiled interface {
	Worker
	// Names lists the variables.
	Names() []string
	// Parts are what a state consists of, valid until the next call. They are in no order if their keys are the same.
	Parts(state []uint32) []Part
	// Rule names the rule of the step that Successors emits, during that.
	Rule() string
}

// Part is a part of a state, such as a process: values of variables in a row, as numbers that are the same if they are.
type Part struct {
	Key    uint64
	First  int // its first variable
	Values []uint64
}

// Profile says what states are many for.
type Profile struct {
	States int64
	Reason string // why these are not all
	// Variables and rules, those that matter most first.
	Variables []Varied
	Rules     []Caused
}

// Varied is a variable: how many values it has, of all processes that have one, and how many states there are without
// it.
type Varied struct {
	Name    string `json:"name"`
	Values  int64  `json:"values"`
	Without int64  `json:"states_without"`
}

// Caused is a rule: how many states are found first by it, and how many of all steps are its.
type Caused struct {
	Name   string `json:"name"`
	States int64  `json:"states"`
	Steps  int64  `json:"steps"`
}

// NewProfile visits states, breadth first, and looks at what they are made of.
func NewProfile(ctx context.Context, space Space, bounds Bounds) (*Profile, error) {
	w := space.NewWorker().(profiled)
	store := NewStore(space.Slots())
	adder := store.NewAdder()
	out, rules := &Profile{}, map[string]*Caused{}
	for _, name := range w.Names() {
		out.Variables = append(out.Variables, Varied{Name: name})
	}
	// By variable, of each state: what the variable is, and what the rest is.
	alone, rest := make([][]uint64, len(out.Variables)), make([][]uint64, len(out.Variables))
	var list []uint32
	find := func(next []uint32, hash uint64) bool {
		adder.Begin()
		n, added := adder.Add(next, hash)
		adder.End()
		if added {
			list = append(list, n)
		}
		return added
	}
	if err := w.Initial(func(next []uint32, hash uint64) { find(next, hash) }); err != nil {
		return nil, err
	}
	state := make([]uint32, space.Slots())
	for i := 0; i < len(list) && out.Reason == ""; i++ { // grows
		store.Read(list[i], state)
		dissect(w.Parts(state), alone, rest)
		err := w.Successors(state, func(next []uint32, hash uint64) {
			name := w.Rule()
			if rules[name] == nil {
				rules[name] = &Caused{Name: name}
			}
			rules[name].Steps++
			if find(next, hash) {
				rules[name].States++
			}
		})
		if err != nil {
			return nil, err
		}
		out.States++
		if out.States%64 == 0 && i+1 < len(list) {
			out.Reason = bounds.exceeded(ctx, out.States, store.Bytes()+int64(len(alone))*out.States*16)
		}
	}
	for k := range out.Variables {
		out.Variables[k].Values, out.Variables[k].Without = different(alone[k]), different(rest[k])
	}
	slices.SortStableFunc(out.Variables, func(a, b Varied) int {
		return cmp.Or(cmp.Compare(a.Without, b.Without), cmp.Compare(b.Values, a.Values))
	})
	for _, r := range rules {
		out.Rules = append(out.Rules, *r)
	}
	slices.SortFunc(out.Rules, func(a, b Caused) int {
		return cmp.Or(cmp.Compare(b.States, a.States), cmp.Compare(b.Steps, a.Steps), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}

// dissect adds the fingerprints of a state: parts with the same key may change places.
func dissect(parts []Part, alone, rest [][]uint64) {
	of := func(variable int, value uint64) uint64 { return spread(spread(uint64(variable)+1) + value) }
	total, all := uint64(0), make([]uint64, len(parts))
	for i, p := range parts {
		for k, v := range p.Values {
			all[i] += of(p.First+k, v)
		}
		total += spread(p.Key + all[i])
	}
	own, without := make([]uint64, len(alone)), slices.Repeat([]uint64{total}, len(rest))
	for i, p := range parts {
		for k, v := range p.Values {
			h := of(p.First+k, v)
			own[p.First+k] += spread(p.Key + h)
			without[p.First+k] += spread(p.Key+all[i]-h) - spread(p.Key+all[i])
		}
	}
	for k := range alone {
		alone[k], rest[k] = append(alone[k], own[k]), append(rest[k], without[k])
	}
}

// spread spreads the bits of a number (the finalizer of SplitMix64).
func spread(x uint64) uint64 {
	x = (x + 0x9e3779b97f4a7c15 ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// different counts the numbers of a list, each once; it puts them in order.
func different(list []uint64) int64 {
	slices.Sort(list)
	return int64(len(slices.Compact(list)))
}
