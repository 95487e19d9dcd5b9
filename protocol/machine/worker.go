package machine

import (
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/hash"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/stubborn"
)

// worker is one goroutine's view of a machine: it remembers what it has computed.
type worker struct {
	*machine
	units  []unit
	lacked int64 // of interned, when code was compiled last
	calm   bool  // all processes that have been met are correct
	scratch
	parts
	next     []uint32 // the state that is visited, and after what happens
	sums     []uint64 // by slot: its part in the hash of that
	written  []int    // slots that are not as in the state that is visited
	key      []byte
	list     []*outcome // of several messages
	env      compile.Env
	tested   compile.Parts             // of guards
	watch    compile.Env               // of conditions
	verdicts finder                    // by what conditions see of processes: which set of them is false, plus one
	sets     []uint64                  // of conditions
	unasked  bool                      // verdicts are of no use
	asked    reuse                     // of verdicts
	tests    []func(*compile.Env) bool // conditions
	asks     int                       // how often they have been evaluated as they are
	seen     *sight                    // by conditions
	here     []uint32
	able     []bool // by constraint
	frame    []int32
	canon    *canonizer
	reducer  *reducer      // nil without partial orders
	fired    []bool        // by rule: it has happened
	yielded  []int         // the rules of the step that is yielded
	crowd    *fullChannels // nil where that is not counted
}

// NewWorker implements explore.Space.
func (x *machine) NewWorker() explore.Worker { return x.worker() }

func (x *machine) worker() *worker {
	w := &worker{machine: x, next: make([]uint32, x.slots), sums: make([]uint64, x.slots),
		frame: make([]int32, x.frames), lacked: -1, parts: newParts(&x.space)}
	w.base = make([]uint64, x.slots)
	for _, u := range x.units {
		w.units = append(w.units, unit{unitInfo: u, memo: newMemo(u), tight: make([]*compile.Rule, len(u.instances)),
			uses: make([]int, len(u.instances)), parts: map[uint64][]int{}})
	}
	w.env, w.watch = x.at.NewEnv(), x.at.NewEnv()
	w.tested = compile.Parts{}
	w.tests = x.at.Compiler().Tests(x.conditions)
	w.seen, w.here, w.able = x.sight(x.view), make([]uint32, x.slots), make([]bool, len(x.constraints))
	w.verdicts.width = len(w.seen.processes)
	w.fired = make([]bool, len(x.rules))
	if x.counts {
		w.crowd = &fullChannels{waited: make([]bool, len(x.rules)), unanswered: make([]bool, len(x.rules)),
			answered: make([]bool, len(x.rules))}
	}
	if x.symmetric {
		w.canon = newCanonizer(&w.parts, x.sym)
	}
	if x.por != nil {
		w.reducer = newReducer(w)
	}
	x.mu.Lock()
	x.workers = append(x.workers, w)
	x.mu.Unlock()
	return w
}

// Initial implements explore.Worker.
func (w *worker) Initial(emit func(state []uint32, hash uint64)) (err error) {
	defer protocol.Catch(&err)
	started := false
	w.entered = 0
	for i := range w.inits {
		t := w.inits[i]
		w.Model.Starts(t.Transition, w.alike(), func(cells []int32) bool {
			if !t.Start(&w.env, cells) {
				return true
			}
			state := make([]uint32, w.slots)
			for p := range w.n {
				state[p] = w.in.local(w.roles[p], w.env.Status(p), w.env.Cells(p))
			}
			w.emit(state, w.total(state), emit)
			started = true
			return true
		})
	}
	if !started {
		return interp.NoInitial(w.Model)
	}
	return nil
}

// alike says which processes are interchangeable; nil if none are.
func (w *worker) alike() func(p, q int) bool {
	if w.sym == nil {
		return nil
	}
	return func(p, q int) bool { return !w.fixed[p] && !w.fixed[q] }
}

// emit passes a state on, in canonical form if that is wanted.
func (w *worker) emit(state []uint32, total uint64, emit func([]uint32, uint64)) {
	if w.canon != nil {
		state = w.canon.canonical(state)
		total = w.total(state)
	}
	emit(state, hash.Mix(total))
}

// Successors implements explore.Worker.
func (w *worker) Successors(state []uint32, emit func(next []uint32, hash uint64)) error {
	return w.steps(state, nil, func(m merit, next []uint32, total uint64) {
		if !m.left {
			w.emit(next, total, emit)
		}
	})
}

// steps calls yield with what happens in a state: what it is for fairness, and the next state with
// its sum. Only outcomes of some transitions are looked at, unless within is nil.
func (w *worker) steps(state []uint32, within stubborn.Set, yield func(m merit, next []uint32, total uint64)) error {
	w.arrive(state)
	copy(w.next, state)
	copy(w.sums, w.base)
	for k := range w.units {
		u := &w.units[k]
		if u.empty(state) && (w.calm || w.silent(u, state)) {
			continue
		}
		for _, o := range w.outcomes(u, state) {
			if within != nil && !o.within(within) {
				continue
			}
			if o.err != nil {
				if !w.stoppable(o, state) {
					continue
				}
				return o.err
			}
			if w.Options.Traffic == interp.Reference && !w.clean(o, state) {
				continue
			}
			if total, ok := w.apply(o, state); ok {
				for _, rule := range o.rules {
					w.fired[rule] = true
				}
				w.yielded = o.rules
				yield(o.merit, w.next, total)
			}
			w.restore()
		}
	}
	if w.delivers() {
		for _, pq := range w.pairs {
			from, to := w.sent[pq[0]][pq[1]], w.channel[pq[0]][pq[1]]
			if state[from] == 0 {
				continue
			}
			for _, m := range w.held(state[from]).offered {
				total := w.all
				w.put(&total, from, w.removed(state[from], m))
				w.put(&total, to, w.added(state[to], m))
				w.yielded = nil
				yield(merit{constraint: none}, w.next, total)
				w.restore()
			}
		}
	}
	return nil
}

// silent reports whether there is nothing to be received for a unit that receives something.
func (w *worker) silent(u *unit, state []uint32) bool {
	return u.empty(state) && !w.anything(u.sender, state[u.sender])
}

// outcomes returns what a unit can do in the state that is visited, where it is not silent, until the next call.
func (w *worker) outcomes(u *unit, state []uint32) []*outcome {
	if !u.single || !w.calm && w.anything(u.sender, state[u.sender]) {
		return w.remembered(u, state, nil)
	}
	offered := w.held(state[u.slot]).offered
	if len(offered) == 1 {
		return w.remembered(u, state, offered)
	}
	list := w.list[:0]
	for i := range offered {
		list = append(list, w.remembered(u, state, offered[i:i+1])...)
	}
	w.list = list
	return list
}

// remembered returns what a unit can do with one message, or with all that there are if that is nil.
func (w *worker) remembered(u *unit, state []uint32, one []uint32) []*outcome {
	m := &u.memo
	if !m.useless {
		known := w.place(u, state, one)
		if m.useless = m.reuse.looked(*known != 0); m.useless {
			*m = memo{useless: true}
		} else {
			if *known == 0 {
				*known, w.found = 1, w.found[:0] // nothing happens
				if w.compute(u, state, one); len(w.found) > 0 {
					m.list = append(m.list, lists.Map(distinct(w.found), func(o *outcome) *outcome { return o.kept() }))
					*known = uint32(len(m.list))
				}
			}
			return m.list[*known-1]
		}
	}
	if u.visit != w.env.Visit || one != nil {
		u.visit = w.env.Visit
		spare := w.found
		w.found = u.now[:0]
		w.compute(u, state, one)
		if !u.looking { // those that receive nothing are told apart
			w.found = distinct(w.found)
		}
		u.now, w.found = w.found, spare
	}
	return u.now
}

// clean reports whether an outcome takes everything that has been delivered to a process.
func (w *worker) clean(o *outcome, state []uint32) bool {
	n := 0
	for _, slot := range w.incoming[o.process] {
		n += w.held(state[slot]).count
	}
	return n == o.taken
}

// set writes what is in a slot after what happens, whose part in the hash is known.
func (w *worker) set(total *uint64, slot int, value uint32, sum uint64) {
	*total += sum - w.sums[slot]
	w.next[slot], w.sums[slot] = value, sum
	w.written = append(w.written, slot)
}

func (w *worker) put(total *uint64, slot int, value uint32) {
	w.set(total, slot, value, w.sum(slot, value))
}

// restore undoes what was set.
func (w *worker) restore() {
	for _, slot := range w.written {
		w.next[slot], w.sums[slot] = w.now[slot], w.base[slot]
	}
	w.written = w.written[:0]
}

// stoppable reports whether the processes that have stopped in an outcome are ones that do.
func (w *worker) stoppable(o *outcome, state []uint32) bool {
	for _, p := range o.stopped {
		if s := w.status(p, state[p]); s != protocol.Crash && s != protocol.Crashed {
			return false
		}
	}
	return true
}

// apply makes the state after an outcome, in w.next; ok is false if it cannot happen: its
// sender has not crashed, or has to wait for room in a channel.
func (w *worker) apply(o *outcome, state []uint32) (total uint64, ok bool) {
	total = w.all
	if len(o.stopped) > 0 {
		if !w.stoppable(o, state) {
			return 0, false
		}
		for _, p := range o.stopped {
			w.put(&total, p, w.crashed(p, state[p]))
		}
	}
	for i := range o.changes {
		c := &o.changes[i]
		w.set(&total, c.slot, c.value, c.sum)
	}
	if o.takes {
		w.put(&total, o.from, w.removed(state[o.from], o.message))
	}
	for i, s := range o.sends {
		if w.deaf(s.to, w.next[s.to]) {
			continue
		}
		channel, full := w.channel[o.process][s.to], w.full(o, i, state)
		if w.crowd != nil {
			w.crowd.note(o, channel, full)
		}
		if full {
			if w.Model.Channels.Lossy {
				continue
			}
			return 0, false
		}
		into := channel
		if w.delivers() {
			into = w.sent[o.process][s.to]
		}
		w.put(&total, into, w.added(w.next[into], s.message))
	}
	return total, true
}

// full reports whether there is no room for a message of an outcome, behind those that it sends before.
func (w *worker) full(o *outcome, i int, state []uint32) bool {
	to := o.sends[i].to
	there := w.held(state[w.channel[o.process][to]]).count
	if w.delivers() {
		there += w.held(state[w.sent[o.process][to]]).count
	}
	for _, earlier := range o.sends[:i] {
		if earlier.to == to {
			there++
		}
	}
	return there >= w.Model.Channels.Bound
}

// Violated implements explore.Worker.
func (w *worker) Violated(state []uint32) (set uint64, err error) {
	if len(w.conditions) == 0 {
		return 0, nil
	}
	var known *uint32
	if !w.unasked {
		known = w.verdicts.at(w.seen.of(state))
		if w.asked.looked(*known != 0) {
			w.asks, w.unasked, w.verdicts, w.sets = 0, true, finder{}, nil
		} else if *known != 0 {
			return w.sets[*known-1], nil
		}
	}
	w.learn()
	if w.asks++; w.asks == often && w.unasked {
		w.tests = w.at.Compiler().Unrolled().In(compile.Parts{}, w.lacks).Tests(w.conditions)
	}
	defer protocol.Catch(&err)
	for p := range w.n {
		w.enter(&w.watch, p, state)
	}
	w.watch.Release()
	w.watch.Visit++
	for i, f := range w.tests {
		w.watch.Frame(w.frame)
		if !f(&w.watch) {
			set |= 1 << i
		}
	}
	if !w.unasked {
		w.sets = append(w.sets, set)
		*known = uint32(len(w.sets))
	}
	return set, nil
}

// load makes the states of all processes those of an env.
func (w *worker) load(state []uint32) {
	w.entered = 0
	w.env.Release()
	for p := range w.n {
		w.enter(&w.env, p, state)
	}
}

// enter puts the state of a process where compiled code finds it.
func (w *worker) enter(e *compile.Env, p int, state []uint32) {
	e.Load(p, w.item(p, state[p]))
}

// form returns a state in the form in which it is explored.
func (w *worker) form(state []uint32) []uint32 {
	if w.canon != nil {
		return w.canon.canonical(state)
	}
	return state
}

// Forget implements explore.forgetful.
func (w *worker) Forget() {
	for k := range w.units {
		u := &w.units[k]
		if u.guards != nil {
			u.guards.effects.clear()
		}
		u.forget()
	}
	if !w.unasked {
		w.verdicts, w.sets = finder{width: len(w.seen.processes)}, nil
	}
	w.adds = finder{width: 2}
	if w.canon != nil {
		w.canon.moved = map[string]*moved{}
	}
	if w.reducer != nil {
		clear(w.reducer.chosen)
	}
}

// Hash implements explore.Worker.
func (w *worker) Hash(state []uint32) uint64 {
	w.arrive(state)
	return hash.Mix(w.all)
}
