package machine

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interference"
	"github.com/tacheck/tacheck/stubborn"
)

// The reductions by partial orders.
const (
	Unreduced = "none"
	LPOR      = "lpor"     // sets as published, without necessary transitions
	LPORNet   = "lpor-net" // with what is necessary in a state
)

// partial is what a machine needs to follow only some of the transitions.
type partial struct {
	*interference.Analysis
	mode     string
	temporal bool // formulas ask for more
	forward  *stubborn.Forward
	sources  [][]needBit // by process: what its state decides
	channels [][]needBit // by slot: what the content decides
	foreign  []needBit   // conditions on several processes
	bits     [][]place   // by transition and need
}

// needAt is a need of a transition.
type needAt struct{ t, k int }

// needBit decides one bit: a condition on a local state, or a message in a channel.
type needBit struct {
	needAt
	holds func(*compile.Env) bool // for conditions
	frame []int32
}

// place is where the bits of a need are: one, or one for each sender.
type place struct {
	source int // process
	slots  []int
	bit    []int // in the class of the process, or of each slot
	least  int
}

// follow prepares a machine for partial orders: visible is what conditions, or the
// parts of a formula, look at. Its error is ctx's.
func (x *machine) follow(ctx context.Context, mode string, split interference.Split, visible []*protocol.Term,
	temporal bool) error {
	a, err := interference.New(ctx, x.Model, x.Options, split)
	if err != nil {
		return err
	}
	for _, c := range visible {
		if temporal {
			a.WatchFormula(c, x.frames)
		} else {
			a.Watch(c, x.frames)
		}
	}
	p := &partial{Analysis: a, mode: mode, temporal: temporal, sources: make([][]needBit, x.n),
		channels: make([][]needBit, x.slots)}
	if mode == LPOR {
		p.forward = stubborn.NewForward(a.Relations, false)
	}
	for t := range a.Transitions {
		tr := &a.Transitions[t]
		var places []place
		for k, need := range tr.Needs {
			at := place{source: -1}
			b := needBit{needAt: needAt{t, k}}
			switch need.Kind {
			case interference.Status:
				at.source, at.bit = tr.Process, []int{len(p.sources[tr.Process])}
				p.sources[tr.Process] = append(p.sources[tr.Process], b)
			case interference.Local:
				known := x.at.Compiler().For(&x.Model.Rules[tr.Rule], tr.Frame())
				b.holds, b.frame = known.Test(need.Condition), tr.Frame()
				if need.Process < 0 {
					at.bit = []int{len(p.foreign)}
					p.foreign = append(p.foreign, b)
					break
				}
				at.source, at.bit = need.Process, []int{len(p.sources[need.Process])}
				p.sources[need.Process] = append(p.sources[need.Process], b)
			case interference.Message:
				at.least = min(tr.Least, len(need.Senders))
				for _, j := range need.Senders {
					slot := x.channel[j][tr.Process]
					at.slots = append(at.slots, slot)
					if slot < 0 {
						at.bit = append(at.bit, 0)
						continue
					}
					at.bit = append(at.bit, len(p.channels[slot]))
					p.channels[slot] = append(p.channels[slot], b)
				}
			}
			places = append(places, at)
		}
		p.bits = append(p.bits, places)
	}
	for _, u := range x.units {
		for i := range u.instances {
			if inst := &u.instances[i]; !x.Model.Rules[inst.rule].Quorum() {
				inst.parts = []int{p.Number(inst.rule, inst.frame)}
			}
		}
	}
	x.por = p
	for _, w := range x.workers { // what they remember says nothing of transitions
		w.reducer = newReducer(w)
		w.env.Visit++
		w.now = w.now[:0]
		w.Forget()
	}
	return nil
}

// happens reports whether an outcome can happen in a state, as apply does.
func (w *worker) happens(o *outcome, state []uint32) bool {
	if possible := w.stoppable(o, state); !possible || w.Model.Channels.Lossy {
		return possible
	}
	for i, s := range o.sends {
		local := state[s.to]
		for _, c := range o.changes {
			if c.slot == s.to {
				local = c.value
			}
		}
		if !slices.Contains(o.stopped, s.to) && !w.deaf(s.to, local) && w.full(o, i, state) {
			return false
		}
	}
	return true
}

// reducer chooses transitions for one worker.
type reducer struct {
	w        *worker
	backward *stubborn.Backward
	enabled  stubborn.Set
	classes  [][]int32 // by process and local state, or slot and content: its class, plus one
	classOf  []map[string]int32
	sets     [][]stubborn.Set // by process or slot, and class: bits that are true
	now      []stubborn.Set   // by process or slot: bits in the state that is looked at
	anything []bool           // by process
	foreign  []bool
	key      []byte
	chosen   map[string]stubborn.Set
}

func newReducer(w *worker) *reducer {
	r := &reducer{w: w, backward: stubborn.NewBackward(w.por.Relations),
		enabled: stubborn.NewSet(len(w.por.Transitions)), classes: make([][]int32, w.slots),
		sets: make([][]stubborn.Set, w.slots), now: make([]stubborn.Set, w.slots), anything: make([]bool, w.n),
		foreign: make([]bool, len(w.por.foreign)), chosen: map[string]stubborn.Set{}}
	for range w.slots {
		r.classOf = append(r.classOf, map[string]int32{})
	}
	return r
}

// class returns the class of a local state or the content of a slot: which bits are true.
func (r *reducer) class(slot int, value uint32) int32 {
	known := at(&r.classes[slot], int(value))
	if *known != 0 {
		return *known - 1
	}
	w := r.w
	var bits []needBit
	if slot < w.n {
		bits = w.por.sources[slot]
	} else {
		bits = w.por.channels[slot]
	}
	set := stubborn.NewSet(len(bits) + 1)
	if slot < w.n {
		item := w.item(slot, value)
		for i, b := range bits {
			if b.holds == nil {
				if w.rules[w.por.Transitions[b.t].Rule].May(item.Status) {
					set.Add(i)
				}
				continue
			}
			w.env.Load(slot, item)
			w.entered = 0
			if r.holds(b) {
				set.Add(i)
			}
		}
		if w.anything(slot, value) {
			set.Add(len(bits))
		}
	} else if value != 0 {
		for _, m := range w.held(value).offered {
			message := w.in.messages.item(m).Cells
			for i, b := range bits {
				if w.por.Transitions[b.t].Receives(message) {
					set.Add(i)
				}
			}
		}
	}
	text := string(appendSet(nil, set))
	n, old := r.classOf[slot][text]
	if !old {
		n = int32(len(r.sets[slot]))
		r.classOf[slot][text] = n
		r.sets[slot] = append(r.sets[slot], set)
	}
	*at(&r.classes[slot], int(value)) = n + 1
	return n
}

// appendSet writes a set behind a key.
func appendSet(key []byte, set stubborn.Set) []byte {
	for _, word := range set {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	return key
}

// holds evaluates a condition; where that is an error, it is one of the outcomes.
func (r *reducer) holds(b needBit) (v bool) {
	return compile.Attempt(func() {
		r.w.env.Frame(b.frame)
		v = b.holds(&r.w.env)
	}) != nil || v
}

// Unmet implements stubborn.State.
func (r *reducer) Unmet(t, k int) bool {
	at := &r.w.por.bits[t][k]
	switch r.w.por.Transitions[t].Needs[k].Kind {
	case interference.Status:
		return !r.now[at.source].Has(at.bit[0])
	case interference.Local:
		if at.source < 0 {
			return !r.foreign[at.bit[0]]
		}
		return !r.now[at.source].Has(at.bit[0])
	case interference.Message:
		there := 0
		for i, j := range r.w.por.Transitions[t].Needs[k].Senders {
			if r.anything[j] || at.slots[i] >= 0 && r.now[at.slots[i]].Has(at.bit[i]) {
				there++
			}
		}
		return there < at.least
	}
	// The rest is what is missing only if nothing else is.
	for other, need := range r.w.por.Transitions[t].Needs {
		if need.Kind != interference.Other && r.Unmet(t, other) {
			return false
		}
	}
	return true
}

// look finds out what is enabled in a state, and what else the choice depends on. The error is one in the model.
func (r *reducer) look(state []uint32) error {
	w := r.w
	w.arrive(state)
	clear(r.enabled)
	for k := range w.units {
		u := &w.units[k]
		if w.silent(u, state) {
			continue
		}
		for _, o := range w.outcomes(u, state) {
			if o.err != nil && w.stoppable(o, state) {
				return o.err
			}
			if w.happens(o, state) {
				for _, t := range o.parts {
					r.enabled.Add(t)
				}
			}
		}
	}
	return nil
}

// signature names all that the choice in a state depends on.
func (r *reducer) signature(state []uint32) {
	w := r.w
	r.key = appendSet(r.key[:0], r.enabled)
	for slot, value := range state {
		if slot >= w.n && len(w.por.channels[slot]) == 0 {
			continue
		}
		class := r.class(slot, value)
		r.now[slot] = r.sets[slot][class]
		if slot < w.n {
			r.anything[slot] = r.now[slot].Has(len(w.por.sources[slot]))
		}
		r.key = append(r.key, byte(class), byte(class>>8))
	}
	if len(w.por.foreign) > 0 {
		w.load(state)
	}
	for i, at := range w.por.foreign {
		r.foreign[i] = r.holds(at)
		r.key = strconv.AppendBool(r.key, r.foreign[i])
	}
}

// mostChosen bounds how many choices are remembered.
const mostChosen = 1 << 18

// choose returns transitions that are enough to follow from a state; nil for all. The error is one in the model.
func (r *reducer) choose(state []uint32) (stubborn.Set, error) {
	if err := r.look(state); err != nil {
		return nil, err
	}
	if r.enabled.Len() < 2 {
		return nil, nil
	}
	r.signature(state)
	set, known := r.chosen[string(r.key)]
	if !known {
		if len(r.chosen) >= mostChosen {
			clear(r.chosen)
		}
		set = r.compute()
		r.chosen[string(r.key)] = set
	}
	return set, nil
}

// compute tries all enabled transitions as the one to begin with, invisible ones first, and returns the set with the
// fewest enabled transitions; nil if none has fewer than there are.
func (r *reducer) compute() stubborn.Set {
	w := r.w
	visible := stubborn.NewSet(len(w.por.Transitions))
	visible.AddAll(w.por.Relations.Violating)
	visible.AddAll(w.por.Relations.Restoring)
	all := r.enabled.Len()
	best, size := stubborn.Set(nil), all
	for _, wanted := range []bool{false, true} {
		r.enabled.Each(func(t int) {
			if visible.Has(t) != wanted || size == 1 {
				return
			}
			var set stubborn.Set
			if w.por.mode == LPOR {
				set = w.por.forward.Stubborn(t, r.enabled, nil, r)
				if set.Meets(visible) {
					return
				}
			} else if set = r.backward.Stubborn(t, r.enabled, r, true, size-1); set == nil {
				return
			}
			if n := set.Common(r.enabled); n < size && (!w.por.temporal || r.invisible(set)) {
				best, size = append(stubborn.Set(nil), set...), n
				best.Keep(r.enabled)
			}
		})
	}
	return best
}

// invisible reports whether a set has an enabled transition that is not visible.
func (r *reducer) invisible(set stubborn.Set) bool {
	for i, word := range set {
		if word&r.enabled[i]&^r.w.por.Relations.Violating[i] != 0 {
			return true
		}
	}
	return false
}

// Some implements explore.reducer. Where all runs end, nothing is put off for ever.
func (w *worker) Some(state []uint32, emit func(next []uint32, hash uint64)) (explore.Choice, error) {
	set, err := w.reducer.choose(state)
	if err != nil {
		return explore.Choice{Complete: true}, err
	}
	c := explore.Choice{Enabled: w.reducer.enabled.Len(), Complete: set == nil || w.por.Terminates}
	if c.Followed = c.Enabled; set != nil {
		c.Followed = set.Len()
	}
	return c, w.steps(state, set, func(_ merit, next []uint32, total uint64) { w.emit(next, total, emit) })
}

// tried is how many states, at least, are asked about before one says whether a reduction pays, and sample of how many
// one.
var tried, sample int64 = 1 << 12, 16

// reductionPolicy decides, in the course of a search, whether to reduce it. It goes by counts of steps, which do not
// depend on the machine that runs it.
type reductionPolicy struct {
	x      *machine
	follow func(r *explore.Reached) error // prepares what is needed
	first  int64                          // states before it is tried
	began  int                            // depth from which on there may be reductions; 0 if there are none
	paying bool
	next   int64             // states after which it is tried again
	before explore.Reduction // when the trial began
	notes  []string          // what was tried
}

// every implements explore.Bounds.Reduce.
func (e *reductionPolicy) every(r *explore.Reached) uint64 {
	if !e.paying && r.States < max(e.first, e.next) {
		return 0
	}
	if e.x.por == nil {
		if err := e.follow(r); err != nil { // time is up
			return 0
		}
		e.began, e.before = r.Depth, r.Reduced
		e.notes = append(e.notes, fmt.Sprintf("tried after %d states", r.States))
	}
	if r.Reduced.States-e.before.States < tried {
		if e.paying {
			return 1
		}
		return uint64(sample)
	}
	enabled, followed := r.Reduced.Enabled-e.before.Enabled, r.Reduced.Followed-e.before.Followed
	pays := 2*followed <= enabled // what is saved is to be more than the choices cost
	if pays != e.paying {
		e.notes = append(e.notes, map[bool]string{true: "kept", false: "dropped"}[pays]+
			fmt.Sprintf(" after %d: %d of %d steps are followed", r.States, followed, enabled))
	}
	e.paying, e.next, e.before = pays, 2*r.States, r.Reduced
	if pays {
		return 1
	}
	return 0
}
