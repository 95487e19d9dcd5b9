package machine

import (
	binary "math/bits"
	"slices"
)

// effects remember what the instances of a unit do that receives nothing, process by process: a process that changes
// becomes what its local state decides, and what is read of others; so do the messages that are sent.
type effects struct {
	of    []effect // by instance
	table []known  // its length is a power of two; what is new takes the place of what was there
	keys  []uint64
	sent  [][]send // with the number 0 for none
	used  int      // targets
}

// effect is what an instance does: to each target. There are none if it is not remembered.
type effect struct {
	targets []target
	reuse   reuse
	made    outcome // in the state that is visited, where it is remembered
}

// target is a process that changes; or else, with the number of processes, what is sent.
type target struct {
	process int
	number  uint32
	decide  columns
}

// known is what becomes of a target, and where.
type known struct {
	key           uint64
	number, value uint32
}

// leastCached and mostCached bound the tables in which is remembered what instances do.
const (
	leastCached = 1 << 8
	mostCached  = 1 << 14
)

// clear forgets what has been remembered.
func (x *effects) clear() { x.table, x.sent = make([]known, leastCached), [][]send{nil} }

// add finds out what an instance does, and what decides that.
func (x *effects) add(w *worker, g *guards, u *unit, k int) {
	inst := &u.instances[k]
	t := w.rules[inst.rule].Transition
	x.of[k].made = outcome{process: inst.process, rules: inst.rules,
		merit: merit{constraint: inst.constraint, voluntary: t.Voluntary(), left: w.left[inst.rule]}}
	for _, e := range w.at.Compiler().For(t, inst.frame).Effects(t) {
		y := target{process: e.Process, decide: g.columns(e.Reads)}
		x.used++
		y.number = uint32(x.used)
		x.of[k].targets = append(x.of[k].targets, y)
		if len(y.decide.list) > mostClassified {
			x.forget(g, k)
			return
		}
	}
}

// forget has nothing remembered of an instance any more.
func (x *effects) forget(g *guards, k int) {
	for i := range x.of[k].targets {
		g.drop(&x.of[k].targets[i].decide)
	}
	x.of[k].targets = nil
}

func (x *effects) at(number uint32, key uint64) *known {
	return &x.table[home(key*0xbf58476d1ce4e5b9+uint64(number), binary.LeadingZeros64(uint64(len(x.table)-1)))]
}

// recall adds what an instance does whose guard holds, where what is read of the state is known.
func (w *worker) recall(u *unit, k int, state []uint32) {
	x, from := &u.guards.effects, len(w.changes)
	f := &x.of[k]
	x.keys = x.keys[:0]
	all := true
	targets := f.targets
	f.made.sends = nil
	for i := range targets {
		y := &targets[i]
		key, fits := u.guards.key(&y.decide)
		if !fits {
			x.forget(u.guards, k)
			targets = nil
			break
		}
		x.keys = append(x.keys, key)
		switch e := x.at(y.number, key); {
		case e.key != key || e.number != y.number:
			all = false
		case y.process == w.n:
			f.made.sends = x.sent[e.value]
		default:
			w.change(y.process, e.value)
		}
	}
	if all && targets != nil {
		f.reuse.looked(true)
		f.made.changes, f.made.parts = w.changes[from:len(w.changes):len(w.changes)], u.instances[k].parts
		w.found = append(w.found, &f.made)
		return
	}
	w.changes = w.changes[:from]
	w.effect(u, k, state)
	if targets != nil {
		x.learn(w, u, k, state, w.found[len(w.found)-1])
	}
}

// learn remembers what an instance has done.
func (x *effects) learn(w *worker, u *unit, k int, state []uint32, o *outcome) {
	if x.of[k].reuse.looked(false) {
		if len(x.table) >= mostCached {
			x.forget(u.guards, k)
			return
		}
		x.table = make([]known, 4*len(x.table))
	}
	if o.err != nil {
		return
	}
	for i, key := range x.keys {
		y := &x.of[k].targets[i]
		e := known{key: key, number: y.number}
		if y.process == w.n {
			e.value = x.number(o.sends)
		} else {
			e.value = state[y.process]
			if c := slices.IndexFunc(o.changes, func(c change) bool { return c.slot == y.process }); c >= 0 {
				e.value = o.changes[c].value
			}
		}
		*x.at(y.number, key) = e
	}
}

// number numbers what is sent.
func (x *effects) number(list []send) uint32 {
	if len(list) == 0 {
		return 0
	}
	if len(x.sent) >= mostCached {
		x.clear()
	}
	x.sent = append(x.sent, slices.Clone(list))
	return uint32(len(x.sent) - 1)
}
