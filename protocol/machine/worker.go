package machine

import (
	"fmt"
	"slices"

	"tacheck/explore"
	"tacheck/protocol"
	"tacheck/stubborn"
)

// worker is one goroutine's view of a machine: it remembers what it has
// computed.
type worker struct {
	*Machine
	units    []unit
	statuses [][]protocol.Status // by role and local state
	stops    [][]uint32          // the same after a crash, plus one; 0 if not known
	sums     [][]uint64          // by slot and value: its part of a state's hash; 0 if not known
	counts   []int               // by content: how many messages, plus one
	adds     [][]uint32          // by content and message: content after adding it, plus one
	removes  [][]uint32          // after removing it
	next     []uint32
	key      []byte
	env      env
	verdicts map[string]uint64 // by what conditions see of processes: those that are false
	seen     *sight            // by conditions
	here     []uint32
	able     []bool // by constraint
	frame    []int32
	canon    *canonizer
	reducer  *reducer // nil without partial orders
	fired    []bool   // by rule: it has happened
}

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
	fair    int   // the constraint of fairness that this meets, plus one, or 0; less than 0 if it is voluntary
	taken   int   // messages taken from channels
	err     error
	parts   []int // with partial orders: the transitions that it is an outcome of
}

// voluntary marks what takes a Byzantine process to move or to send something,
// which nobody can make it do; less the constraint that it meets, plus one.
const voluntary = -1

// met returns the constraint that a step meets, or -1.
func met(fair int) int {
	if fair < 0 {
		fair = voluntary - fair
	}
	return fair - 1
}

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

// NewWorker implements explore.Space.
func (x *Machine) NewWorker() explore.Worker { return x.worker() }

func (x *Machine) worker() *worker {
	w := &worker{Machine: x, next: make([]uint32, x.slots), sums: make([][]uint64, x.slots), verdicts: map[string]uint64{}, frame: make([]int32, x.frames)}
	for _, u := range x.units {
		w.units = append(w.units, unit{unitInfo: u, wide: map[string]*outcomes{}})
	}
	w.statuses = make([][]protocol.Status, len(x.Model.Roles))
	w.stops = make([][]uint32, len(x.Model.Roles))
	w.env = env{cells: make([][]int32, x.n), status: make([]protocol.Status, x.n), outs: make([][]int32, x.n), changed: make([]bool, x.n)}
	w.seen, w.here, w.able = w.sight(x.view), make([]uint32, x.slots), make([]bool, len(x.constraints))
	w.fired = make([]bool, len(x.rules))
	if x.symmetric {
		w.canon = newCanonizer(w)
	}
	if x.por != nil {
		w.reducer = newReducer(w)
	}
	x.mu.Lock()
	x.workers = append(x.workers, w)
	x.mu.Unlock()
	return w
}

// at returns the element of a list that grows as needed.
func at[T any](list *[]T, i int) *T {
	if i >= len(*list) {
		*list = append(*list, make([]T, i+1-len(*list)+i/2)...)
	}
	return &(*list)[i]
}

func (w *worker) status(p int, local uint32) protocol.Status {
	list := w.statuses[w.roles[p]]
	if int(local) >= len(list) {
		items := w.in.locals[w.roles[p]]
		for i := len(list); i <= int(local); i++ {
			list = append(list, items.item(uint32(i)).status)
		}
		w.statuses[w.roles[p]] = list
	}
	return list[local]
}

// crashed returns the local state after a crash.
func (w *worker) crashed(p int, id uint32) uint32 {
	known := at(&w.stops[w.roles[p]], int(id))
	if *known == 0 {
		item := w.in.locals[w.roles[p]].item(id)
		*known = w.in.local(w.roles[p], protocol.Crashed, item.cells) + 1
	}
	return *known - 1
}

// sum is the part that a slot has in a state's hash. Empty channels have none.
func (w *worker) sum(slot int, value uint32) uint64 {
	known := at(&w.sums[slot], int(value))
	if *known == 0 {
		var d uint64
		if slot < w.n {
			d = w.in.locals[w.roles[slot]].item(value).digest
		} else if value != 0 {
			d = w.in.contents.item(value).digest
		}
		if slot < w.n || value != 0 {
			*known = mix(d ^ w.salts[slot])
		}
	}
	return *known
}

// total is the sum of all slots.
func (w *worker) total(state []uint32) uint64 {
	h := uint64(0)
	for i, v := range state {
		if v == 0 && i >= w.n {
			continue
		}
		if known := w.sums[i]; int(v) < len(known) && known[v] != 0 {
			h += known[v]
		} else {
			h += w.sum(i, v)
		}
	}
	return h
}

// Hash implements explore.Worker.
func (w *worker) Hash(state []uint32) uint64 { return mix(w.total(state)) }

func (w *worker) count(content uint32) int {
	known := at(&w.counts, int(content))
	if *known == 0 {
		*known = len(w.in.contents.item(content).messages) + 1
	}
	return *known - 1
}

func (w *worker) added(content, message uint32) uint32 {
	known := at(at(&w.adds, int(content)), int(message))
	if *known == 0 {
		list := append(slices.Clone(w.in.contents.item(content).messages), message)
		*known = w.in.content(list) + 1
	}
	return *known - 1
}

func (w *worker) removed(content, message uint32) uint32 {
	known := at(at(&w.removes, int(content)), int(message))
	if *known == 0 {
		list := slices.Clone(w.in.contents.item(content).messages)
		i := slices.Index(list, message)
		*known = w.in.content(slices.Delete(list, i, i+1)) + 1
	}
	return *known - 1
}

// offered lists the messages that can be received from a channel.
func (w *worker) offered(content uint32) []uint32 {
	list := w.in.contents.item(content).messages
	if w.Model.Channels.FIFO && len(list) > 1 {
		return list[:1]
	}
	return slices.Compact(slices.Clone(list))
}

// anything reports whether a process sends any messages at any time, so that
// none of its own are in channels.
func (w *worker) anything(p int, local uint32) bool {
	return w.status(p, local) == protocol.Byzantine && !w.Model.Roles[w.roles[p]].Strategy
}

// Initial implements explore.Worker.
func (w *worker) Initial(emit func(state []uint32, hash uint64)) (err error) {
	defer catch(&err)
	none := true
	for i := range w.inits {
		t := &w.inits[i]
		w.Model.Starts(t.Transition, w.alike(), func(cells []int32) bool {
			for p := range w.n {
				w.env.cells[p] = slices.Repeat([]int32{protocol.Undef}, w.Model.Roles[w.roles[p]].State.Cells)
				w.env.status[p], w.env.changed[p] = protocol.Correct, true
			}
			w.env.frame = make([]int32, t.Frame)
			copy(w.env.frame, cells)
			if t.guard != nil && !t.guard(&w.env) {
				return true
			}
			t.body(&w.env)
			state := make([]uint32, w.slots)
			for p := range w.n {
				state[p] = w.in.local(w.roles[p], w.env.status[p], w.env.cells[p])
			}
			w.emit(state, w.total(state), emit)
			none = false
			return true
		})
	}
	if none {
		return w.Model.NoInitial()
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

func catch(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(*protocol.Failure)
		if !ok {
			panic(r)
		}
		*err = f
	}
}

// attempt runs compiled code; what goes wrong in it is an error in the model.
func attempt(f func()) (err error) {
	defer catch(&err)
	f()
	return nil
}

// emit passes a state on, in canonical form if that is wanted.
func (w *worker) emit(state []uint32, total uint64, emit func([]uint32, uint64)) {
	if w.canon != nil {
		state = w.canon.canonical(state)
		total = w.total(state)
	}
	emit(state, mix(total))
}

// Successors implements explore.Worker.
func (w *worker) Successors(state []uint32, emit func(next []uint32, hash uint64)) error {
	return w.steps(state, nil, func(_ int, next []uint32, total uint64) { w.emit(next, total, emit) })
}

// steps calls yield with what happens in a state: the constraint of fairness
// that this meets, plus one, or voluntary, and the next state with its sum. Only
// outcomes of some transitions are looked at, unless within is nil.
func (w *worker) steps(state []uint32, within stubborn.Set, yield func(fair int, next []uint32, total uint64)) error {
	total := w.total(state)
	for k := range w.units {
		u := &w.units[k]
		list := w.outcomes(u, state).list
		for i := range list {
			o := &list[i]
			if within != nil && !o.within(within) {
				continue
			}
			if o.err != nil {
				if !w.stoppable(o, state) {
					continue
				}
				return o.err
			}
			if w.Options.Traffic == protocol.Reference && !w.clean(u, o, state) {
				continue
			}
			if next, ok := w.apply(u.process, o, state, total); ok {
				for _, rule := range o.rules {
					w.fired[rule] = true
				}
				yield(o.fair, w.next, next)
			}
		}
	}
	if w.delivers() {
		for _, pq := range w.pairs {
			from, to := w.sent[pq[0]][pq[1]], w.channel[pq[0]][pq[1]]
			if state[from] == 0 {
				continue
			}
			for _, m := range w.offered(state[from]) {
				copy(w.next, state)
				sum := total
				w.set(&sum, from, w.removed(state[from], m))
				w.set(&sum, to, w.added(state[to], m))
				yield(0, w.next, sum)
			}
		}
	}
	return nil
}

// outcomes returns what a unit can do in a state.
func (w *worker) outcomes(u *unit, state []uint32) *outcomes {
	me := state[u.process]
	if u.general {
		return w.generally(u, state)
	}
	if u.sender < 0 || w.anything(u.sender, state[u.sender]) {
		if int(me) < len(u.alone) && u.alone[me].known {
			return &u.alone[me]
		}
		into := w.outcomesOf(w.compute(u, me, nil))
		*at(&u.alone, int(me)) = into
		return &u.alone[me]
	}
	if u.slot < 0 || state[u.slot] == 0 {
		return &nothing
	}
	content := state[u.slot]
	if int(me) < len(u.together) {
		if row := u.together[me]; int(content) < len(row) && row[content].known {
			return &row[content]
		}
	}
	into := at(at(&u.together, int(me)), int(content))
	*into = w.outcomesOf(w.compute(u, me, w.offered(content)))
	return into
}

// nothing is what happens where nothing does.
var nothing outcomes

// generally returns what a general unit can do: it depends on the states of
// several processes or the contents of several channels.
func (w *worker) generally(u *unit, state []uint32) *outcomes {
	w.key = w.key[:0]
	put := func(v uint32) { w.key = append(w.key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24)) }
	put(state[u.process])
	for _, p := range u.reads {
		put(state[p])
	}
	for _, j := range u.senders {
		if w.anything(j, state[j]) {
			put(^uint32(0))
			continue
		}
		if slot := w.channel[j][u.process]; slot >= 0 {
			put(state[slot])
		} else {
			put(0)
		}
	}
	known := u.wide[string(w.key)]
	if known == nil {
		list := w.outcomesOf(w.computeGeneral(u, state))
		known = &list
		u.wide[string(w.key)] = known
	}
	return known
}

// clean reports whether an outcome takes everything that has been delivered to
// a process.
func (w *worker) clean(u *unit, o *outcome, state []uint32) bool {
	n := 0
	for _, slot := range w.incoming[u.process] {
		n += w.count(state[slot])
	}
	return n == o.taken
}

func (w *worker) set(sum *uint64, slot int, value uint32) {
	old := w.next[slot]
	if old == value {
		return
	}
	if slot < w.n || old != 0 {
		*sum -= w.sum(slot, old)
	}
	if slot < w.n || value != 0 {
		*sum += w.sum(slot, value)
	}
	w.next[slot] = value
}

// stoppable reports whether the processes that have stopped in an outcome are ones
// that do.
func (w *worker) stoppable(o *outcome, state []uint32) bool {
	for _, p := range o.stopped {
		if s := w.status(p, state[p]); s != protocol.Crash && s != protocol.Crashed {
			return false
		}
	}
	return true
}

// apply makes the state after an outcome; ok is false if it cannot happen: its
// sender has not crashed, or has to wait for room in a channel.
func (w *worker) apply(me int, o *outcome, state []uint32, total uint64) (sum uint64, ok bool) {
	if !w.stoppable(o, state) {
		return 0, false
	}
	copy(w.next, state)
	for _, p := range o.stopped {
		w.set(&total, p, w.crashed(p, state[p]))
	}
	for _, c := range o.locals {
		w.set(&total, c.slot, c.value)
	}
	for _, s := range o.sends {
		if status := w.status(s.to, w.next[s.to]); status == protocol.Crashed || status == protocol.Byzantine && !w.Model.Roles[w.roles[s.to]].Strategy {
			continue
		}
		channel := w.channel[me][s.to]
		into, there := channel, w.count(state[channel])
		if w.delivers() {
			into = w.sent[me][s.to]
			there += w.count(state[into])
		}
		if there >= w.Model.Channels.Bound {
			if w.Model.Channels.Lossy {
				continue
			}
			return 0, false
		}
		w.set(&total, into, w.added(w.next[into], s.message))
	}
	for _, t := range o.takes {
		w.set(&total, t.slot, w.removed(w.next[t.slot], t.message))
	}
	return total, true
}

// packet is a message that a rule receives.
type packet struct {
	from    int
	message uint32
	taken   bool // from a channel
	absent  bool
}

// compute works out what a unit that is not general does in a local state, with
// one of the given messages, or any message if the sender is Byzantine.
func (w *worker) compute(u *unit, me uint32, offered []uint32) []outcome {
	var choices []packet
	if u.sender >= 0 {
		var err error
		if choices, err = w.packets(u.sender, offered); err != nil {
			return []outcome{{err: err}}
		}
	}
	item := w.in.locals[w.roles[u.process]].item(me)
	var list []outcome
	for _, inst := range u.instances {
		t := &w.rules[inst.rule]
		if !may(t, item.status) {
			continue
		}
		w.env.cells[u.process], w.env.status[u.process] = item.cells, item.status
		if u.sender < 0 {
			list = w.fire(list, u, inst, inst.frame, nil)
			continue
		}
		for _, p := range choices {
			list = w.fire(list, u, inst, inst.frame, []packet{p})
		}
	}
	return distinct(list)
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

// may reports whether a process of a status executes a rule.
func may(t *compiled, s protocol.Status) bool {
	if t.Strategy {
		return s == protocol.Byzantine
	}
	return s == protocol.Correct || s == protocol.Crash
}

// packets lists what can be received from a process: the messages offered, or
// anything if they are nil.
func (w *worker) packets(from int, offered []uint32) ([]packet, error) {
	var list []packet
	for _, m := range offered {
		list = append(list, packet{from: from, message: m, taken: true})
	}
	if offered == nil {
		any, err := w.any()
		if err != nil {
			return nil, err
		}
		for _, m := range any {
			list = append(list, packet{from: from, message: m})
			if w.Model.Channels.Synchronous {
				list = append(list, packet{from: from, message: m, absent: true})
			}
		}
	}
	return list, nil
}

// computeGeneral works out what a general unit does in a state.
func (w *worker) computeGeneral(u *unit, state []uint32) []outcome {
	load := func(p int) {
		item := w.in.locals[w.roles[p]].item(state[p])
		w.env.cells[p], w.env.status[p] = item.cells, item.status
	}
	load(u.process)
	for _, p := range u.reads {
		load(p)
	}
	inst := u.instances[0]
	t := &w.rules[inst.rule]
	if !may(t, w.env.status[u.process]) {
		return nil
	}
	var list []outcome
	if !t.Receives() {
		return w.fire(list, u, inst, inst.frame, nil)
	}
	choices := make([][]packet, len(u.senders))
	for i, j := range u.senders {
		var offered []uint32
		if !w.anything(j, state[j]) {
			offered = []uint32{}
			if slot := w.channel[j][u.process]; slot >= 0 && state[slot] != 0 {
				offered = w.offered(state[slot])
			}
		}
		var err error
		if choices[i], err = w.packets(j, offered); err != nil {
			return []outcome{{err: err}}
		}
	}
	least, most := 1, 1
	if t.Quorum() {
		p := &t.Params[t.Sender]
		least, most = p.Size, p.Size
		if p.AtLeast {
			most = len(u.senders)
		}
	}
	frame := slices.Clone(inst.frame)
	var picked []packet
	var pick func(i int, set uint64)
	pick = func(i int, set uint64) {
		if len(picked)+len(choices)-i < least || len(picked) > most {
			return
		}
		if i == len(choices) {
			if t.Quorum() {
				cell := t.Cell(t.Sender)
				frame[cell], frame[cell+1] = protocol.SplitQuorum(set)
			}
			list = w.fire(list, u, inst, frame, picked)
			return
		}
		for _, p := range choices[i] {
			picked = append(picked, p)
			pick(i+1, set|1<<i)
			picked = picked[:len(picked)-1]
		}
		pick(i+1, set)
	}
	pick(0, 0)
	return distinct(list)
}

// fire adds what a rule does when it receives certain messages (paper, table 3).
func (w *worker) fire(list []outcome, u *unit, inst instance, frame []int32, picked []packet) (out []outcome) {
	t := &w.rules[inst.rule]
	out = list
	if w.por != nil {
		part := w.por.Number(inst.rule, frame)
		known := len(list)
		defer func() {
			for i := known; i < len(out); i++ {
				out[i].parts = []int{part}
			}
		}()
	}
	defer func() {
		var err error
		if r := recover(); r != nil {
			f, ok := r.(*protocol.Failure)
			if !ok {
				panic(r)
			}
			err = f
			out = append(list, outcome{err: err})
		}
	}()
	e := &w.env
	e.frame = append(e.frame[:0], frame...)
	w.receive(t, picked)
	if t.guard != nil && !t.guard(e) {
		return list
	}
	channels := &w.Model.Channels
	taken := func(list []packet) (takes []take) {
		for _, p := range list {
			if p.taken {
				takes = append(takes, take{w.channel[p.from][u.process], p.message})
			}
		}
		return takes
	}
	// What takes a Byzantine process to move or to send is voluntary, whatever becomes of
	// the messages.
	voluntarily := 0
	if t.Strategy || count(picked) < len(picked) {
		voluntarily = voluntary
	}
	// In the reference model a process takes all that is there, also where a
	// message is lost.
	if channels.Lossy {
		for i, p := range picked {
			if p.taken {
				out = append(out, outcome{takes: taken(picked[i : i+1]), taken: count(picked), fair: voluntarily})
			}
		}
	}
	doubtful := 0
	if !w.Options.Implicit {
		if !channels.Synchronous {
			for i, p := range picked {
				if p.taken {
					out = append(out, outcome{takes: taken(picked[i : i+1]), taken: count(picked), stopped: []int{p.from}, fair: voluntarily})
				}
			}
		} else {
			doubtful = len(picked)
		}
	}
	for absent := range 1 << doubtful {
		var stopped []int
		packets := slices.Clone(picked)
		skip := false
		for i := range packets[:doubtful] {
			if absent>>i&1 != 0 {
				stopped = append(stopped, packets[i].from)
				skip = skip || !packets[i].taken
				packets[i].absent = true
			}
		}
		if skip {
			continue
		}
		o := w.execute(t, u, frame, packets, stopped)
		o.stopped, o.takes, o.taken = stopped, taken(picked), count(picked)
		o.rules = []int{inst.rule}
		if o.fair = voluntarily; o.err == nil {
			// Nobody has to do what is voluntary; who does has done it.
			if c := w.constraint(inst.rule, u.process, u.sender); o.fair == voluntary {
				o.fair -= c
			} else {
				o.fair = c
			}
		}
		out = append(out, o)
	}
	return out
}

// count returns how many messages come from channels.
func count(list []packet) int {
	n := 0
	for _, p := range list {
		if p.taken {
			n++
		}
	}
	return n
}

// receive puts messages where compiled code finds them.
func (w *worker) receive(t *compiled, picked []packet) {
	e := &w.env
	if !t.Receives() {
		return
	}
	size := 1
	if t.Quorum() {
		size = w.Model.Roles[t.Params[t.Sender].Type.Role].Size + 1
	}
	e.msgs, e.absent = make([][]int32, size), make([]bool, size)
	for _, p := range picked {
		at := 0
		if t.Quorum() {
			_, at = w.Model.RoleOf(p.from)
		}
		e.msgs[at], e.absent[at] = w.in.messages.item(p.message).cells, p.absent
	}
}

// execute runs the statements of a rule.
func (w *worker) execute(t *compiled, u *unit, frame []int32, picked []packet, stopped []int) (o outcome) {
	e := &w.env
	before := slices.Clone(e.cells)
	statuses := slices.Clone(e.status)
	e.frame = append(e.frame[:0], frame...)
	for p := range w.n {
		e.changed[p], e.outs[p] = false, nil
	}
	w.receive(t, picked)
	defer func() {
		copy(e.cells, before)
		copy(e.status, statuses)
	}()
	for _, p := range stopped {
		if e.status[p] = protocol.Crashed; p == u.process {
			e.own(p)
		}
	}
	if o.err = attempt(func() { t.body(e) }); o.err != nil {
		return o
	}
	for p := range w.n {
		if e.changed[p] {
			o.locals = append(o.locals, change{p, w.in.local(w.roles[p], e.status[p], e.cells[p])})
		}
		if m := e.outs[p]; m != nil && slices.ContainsFunc(m, func(v int32) bool { return v != protocol.Undef }) {
			o.sends = append(o.sends, send{p, w.in.message(m)})
		}
	}
	return o
}

// Violated implements explore.Worker.
func (w *worker) Violated(state []uint32) (set uint64, err error) {
	if len(w.conditions) == 0 {
		return 0, nil
	}
	key := w.seen.of(state)
	set, known := w.verdicts[string(key)]
	if known {
		return set, nil
	}
	defer catch(&err)
	w.load(state)
	for i, f := range w.tests {
		w.env.frame = append(w.env.frame[:0], w.frame...)
		if !f(&w.env) {
			set |= 1 << i
		}
	}
	w.verdicts[string(key)] = set
	return set, nil
}

// load makes the states of all processes those of an env.
func (w *worker) load(state []uint32) {
	for p := range w.n {
		item := w.in.locals[w.roles[p]].item(state[p])
		w.env.cells[p], w.env.status[p] = item.cells, item.status
	}
}

// encode numbers the parts of a state of the interpreter.
func (w *worker) encode(s *protocol.State) []uint32 {
	state := make([]uint32, w.slots)
	for p := range w.n {
		state[p] = w.in.local(w.roles[p], s.Status[p], s.Cells[p])
	}
	content := func(list []protocol.Message) uint32 {
		var ids []uint32
		for _, m := range list {
			ids = append(ids, w.in.message(m))
		}
		return w.in.content(ids)
	}
	for _, pq := range w.pairs {
		ch := pq[0]*w.n + pq[1]
		state[w.channel[pq[0]][pq[1]]] = content(s.Channels[ch])
		if w.delivers() {
			state[w.sent[pq[0]][pq[1]]] = content(s.Sent[ch])
		}
	}
	return state
}

// form returns a state in the form in which it is explored.
func (w *worker) form(state []uint32) []uint32 {
	if w.canon != nil {
		return w.canon.canonical(state)
	}
	return state
}
