package threshold

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// A counter search visits the states of one instance up to who is who. A state counts the processes in each local
// state, the messages that each of them has heard, and the messages that were sent. A process hears nothing until a
// step asks for it, and then the least that the step needs: a process that has heard less can do everything that one
// can do that has heard more, since it may hear the rest later. Processes take steps in the order of levels
// (levels.go). So the search visits far fewer states than the text has, and what it finds is played as a run of the
// text.

// counterSearch searches one instance for violations by counter abstraction: a state has a counter for each local
// state.
type counterSearch struct {
	*Translation
	lies   []int64 // by channel: the Byzantine processes that send
	vars   []counter.Quantity
	said   []int      // by item: the variable that counts how many may be heard
	needs  [][]weight // by move
	room   []*weight  // by move that is a crash: what is left of those that may crash
	asks   [][]int    // by move: the items that it asks for
	raises [][]int    // by move: the variables that count it
	order  *levels
	reads  [][]bool // by location: the variables that a process there may ask for, then or later
	claims []*claim

	locals   []local
	localIDs map[string]uint32
	answers  map[string][]*answer // by what they depend on
	nodes    []visited
	known    map[string]bool
	most     int
}

// local is a local state with what was heard.
type local struct {
	at    int
	heard []uint8 // by item, from those that do not lie
	lied  []uint8 // by item, from those that do
}

// configuration is a state of an instance. It says nothing of variables that no process asks for any more.
type configuration struct {
	claims uint64  // which claims may still be violated
	shared []uint8 // by variable
	locals []uint32
}

// visited is a configuration, and how it was reached.
type visited struct {
	*configuration
	from  int // node; -1 for the first
	steps []step
	last  int // the greatest level of a possible step
}

// step is a move of a process in a local state.
type step struct {
	move int
	who  uint32
	by   *answer
}

// answer says what a process hears for a step, of the items that the step asks for, and where the process is then.
type answer struct {
	more []int64
	to   uint32
}

// Found are violations of properties in an instance.
type Found struct {
	Runs     map[string]*interp.Run
	Asked    []string // properties that were asked
	Complete bool     // all its states were visited
	Work     int      // steps between local states, and states
}

// SearchCounters searches an instance for violations of properties, by how many processes are in each local state. It
// visits at most so many states, and local states with at most so many steps between them. It leaves out properties
// that are not about single states. If the text has something that it cannot count, it asks nothing.
func SearchCounters(ctx context.Context, s *parametric.Source, params map[string]int64, properties []string,
	most int) (*Found, error) {
	out := &Found{Runs: map[string]*interp.Run{}}
	if s.Processes(params) > maxProcesses || len(s.Kinds) > 64 || len(s.Starts) > 0 {
		return out, nil
	}
	t := newTranslation(ctx, s, how{processes: s.Processes(params), given: params, bare: true})
	t.steps = most
	err := t.locations(most)
	out.Work = len(t.Moves)
	if t.ctx.Err() != nil || err != nil || len(t.Locations) > most || len(t.Moves) > most ||
		slices.ContainsFunc(t.channels, func(ch channel) bool { return ch.joined }) {
		return out, ctx.Err()
	}
	t.name()
	x := &counterSearch{Translation: t, localIDs: map[string]uint32{}, answers: map[string][]*answer{},
		known: map[string]bool{}, most: most}
	if !x.prepare(properties) {
		return out, nil
	}
	for _, c := range x.claims {
		out.Asked = lists.Union(out.Asked, c.property)
	}
	out.Complete = x.search()
	if out.Work += len(x.nodes); ctx.Err() != nil {
		return out, nil
	}
	for _, c := range x.claims {
		if c.found < 0 || out.Runs[c.property] != nil {
			continue
		}
		run, err := x.play(ctx, c)
		if err != nil {
			return out, err
		}
		out.Runs[c.property] = run
	}
	return out, nil
}

// weight is a need: a sum that is not negative.
type weight struct {
	k      int64
	heard  []int64 // by item
	shared []int64 // by variable
}

// known is what of a need does not depend on what is heard.
func (w *weight) known(c *configuration) int64 {
	sum := w.k
	for v, f := range w.shared {
		sum += f * int64(c.shared[v])
	}
	return sum
}

// weigh reads a need. It returns false if the need has a quantity that the search does not count.
func (x *counterSearch) weigh(l amount) (w weight, ok bool) {
	w = weight{l.Const().Int64(), make([]int64, len(x.items)), make([]int64, len(x.vars))}
	for _, term := range l.Terms() {
		c, k := term.Coef.Int64(), term.Var.Index
		switch term.Var.Kind {
		case counter.Parameter:
			w.k += c * x.given[x.params[k]]
		case counter.Received:
			w.heard[k] = c
		default:
			v := slices.Index(x.vars, term.Var)
			if v < 0 {
				return w, false
			}
			w.shared[v] = c
		}
	}
	return w, true
}

// prepare reads what moves need and what properties say. It returns false if the search cannot count something of that.
func (x *counterSearch) prepare(properties []string) bool {
	for _, ch := range x.channels {
		n := x.liars(ch.from)
		if !n.IsConst() {
			return false
		}
		x.lies = append(x.lies, n.Const().Int64())
	}
	x.vars = x.variables()
	for i := range x.items {
		x.said = append(x.said, slices.Index(x.vars, x.reached(i).Vars()[0]))
	}
	x.needs, x.asks, x.room = make([][]weight, len(x.Moves)), make([][]int, len(x.Moves)), make([]*weight, len(x.Moves))
	for m := range x.Moves {
		if x.Moves[m].crash {
			g := x.group(x.Locations[x.Moves[m].From].Type)
			left, ok := x.weigh(x.sum(g.Count, nil).Sub(x.crashes(g.Types)))
			if x.room[m] = &left; !ok {
				return false
			}
		}
		x.raises = append(x.raises, lists.Map(x.Moves[m].adds,
			func(a counter.Add) int { return slices.Index(x.vars, a.Of) }))
		asked := make([]bool, len(x.items))
		for _, l := range x.Moves[m].Needs {
			w, ok := x.weigh(l)
			if !ok {
				return false
			}
			x.needs[m] = append(x.needs[m], w)
			for i := range x.items {
				asked[i] = asked[i] || w.heard[i] != 0
			}
		}
		for i, yes := range asked {
			if yes {
				x.asks[m] = append(x.asks[m], i)
			}
		}
	}
	x.order = x.leveled()
	x.reads = make([][]bool, len(x.Locations))
	for l := range x.reads {
		x.reads[l] = make([]bool, len(x.vars))
	}
	for changed := true; changed; {
		changed = false
		for m, move := range x.Moves {
			read := slices.Clone(x.reads[move.To])
			for _, i := range x.asks[m] {
				read[x.said[i]] = true
			}
			for v := range x.vars {
				read[v] = read[v] || x.room[m] != nil && x.room[m].shared[v] != 0 ||
					slices.ContainsFunc(x.needs[m], func(w weight) bool { return w.shared[v] != 0 })
				changed = changed || read[v] && !x.reads[move.From][v]
				x.reads[move.From][v] = x.reads[move.From][v] || read[v]
			}
		}
	}
	for _, name := range properties {
		x.claims = append(x.claims, x.claimsOf(name)...)
	}
	x.order.hide(x)
	return len(x.claims) > 0 && len(x.claims) <= 64 && x.refused == nil
}

func (x *counterSearch) id(l local) uint32 {
	key := string(binary.BigEndian.AppendUint32(nil, uint32(l.at))) + string(l.heard) + string(l.lied)
	id, ok := x.localIDs[key]
	if !ok {
		id = uint32(len(x.locals))
		x.localIDs[key], x.locals = id, append(x.locals, l)
	}
	return id
}

// fresh is the local state of a process that has heard nothing.
func (x *counterSearch) fresh(at int) uint32 {
	return x.id(local{at, make([]uint8, len(x.items)), make([]uint8, len(x.items))})
}

func (c *configuration) key() string {
	b := binary.BigEndian.AppendUint64(nil, c.claims)
	b = append(b, c.shared...)
	for _, l := range c.locals {
		b = binary.BigEndian.AppendUint32(b, l)
	}
	return string(b)
}

// add notes a configuration, if it is new, and what it violates.
func (x *counterSearch) add(of *configuration, from int, steps []step, list []int) []int {
	c := *of
	c.shared, c.locals = slices.Clone(of.shared), slices.Sorted(slices.Values(of.locals))
	for v := range x.vars {
		if !slices.ContainsFunc(c.locals, func(l uint32) bool { return x.reads[x.locals[l].at][v] }) {
			c.shared[v] = 0
		}
	}
	key := c.key()
	if x.known[key] {
		return list
	}
	x.known[key] = true
	last := -1
	for _, l := range c.locals {
		last = max(last, x.order.last[x.locals[l].at])
	}
	x.nodes = append(x.nodes, visited{&c, from, steps, last})
	for i, q := range x.claims {
		if c.claims>>i&1 != 0 && q.found < 0 && !q.later(&c) {
			q.found = len(x.nodes) - 1
		}
	}
	return append(list, len(x.nodes)-1)
}

// starts are the configurations in which processes begin.
func (x *counterSearch) starts() (list []*configuration, ok bool) {
	list = []*configuration{{shared: make([]uint8, len(x.vars))}}
	for _, g := range x.groups() {
		if !g.Count.IsConst() {
			return nil, false
		}
		list = x.spread(list, g.Locations, g.Count.Const().Int64())
	}
	return list, true
}

// spread adds so many processes to configurations, in all ways.
func (x *counterSearch) spread(list []*configuration, where []int, count int64) (out []*configuration) {
	for _, c := range list {
		var put func(c *configuration, k int, left int64)
		put = func(c *configuration, k int, left int64) {
			if left == 0 {
				out = append(out, c)
				return
			}
			if k == len(where) {
				return
			}
			for n := int64(0); n <= left; n++ {
				d := *c
				d.locals = append(slices.Clone(c.locals), slices.Repeat([]uint32{x.fresh(where[k])}, int(n))...)
				put(&d, k+1, left-n)
			}
		}
		put(c, 0, count)
	}
	return out
}

// search visits configurations, level by level; false if there are more than so many, or time is over.
func (x *counterSearch) search() bool {
	starts, ok := x.starts()
	if !ok {
		return false
	}
	var active []int
	for _, c := range starts {
		for i, q := range x.claims {
			if q.first == nil || !q.first(c) {
				c.claims |= 1 << i
			}
		}
		active = x.add(c, -1, nil, active)
	}
	for level := range x.order.count {
		var on []int
		for i := 0; i < len(active); i++ {
			if x.over() {
				return false
			}
			if !slices.ContainsFunc(x.claims, func(c *claim) bool { return c.found < 0 }) {
				return true
			}
			next, stays := x.expand(active[i], level, x.order.cyclic[level])
			if x.order.cyclic[level] {
				active = append(active, next...)
			} else {
				on = append(on, next...)
			}
			if stays {
				on = append(on, active[i])
			}
		}
		if x.over() {
			return false
		}
		active = slices.DeleteFunc(on, func(n int) bool { return x.nodes[n].last <= level })
	}
	return true
}

// over reports whether there are too many nodes, or time is over.
func (x *counterSearch) over() bool { return len(x.nodes) > x.most || x.ctx.Err() != nil }

// options are the steps of a level that a process may take. stays says that it may also take none: not if it has to
// take one of these sooner or later and that changes nothing for others, because what it sends only helps, and no
// property sees a difference.
func (x *counterSearch) options(c *configuration, who uint32, level int) (list []step, stays bool) {
	at := x.locals[who].at
	stays = true
	for _, m := range x.order.from[at] {
		if x.order.of[m] != level {
			continue
		}
		found := x.listened(c, who, m)
		for _, by := range found {
			list = append(list, step{m, who, by})
		}
		stays = stays && (len(found) == 0 || !x.order.hidden[m] || x.order.last[at] > level)
	}
	return list, stays
}

// expand adds the configurations after which each process has taken a step of a level, or none: such steps need nothing
// of each other, so their order does not matter. Where they do (alone), it adds those after one process has taken one.
func (x *counterSearch) expand(node, level int, alone bool) (next []int, stays bool) {
	c := x.nodes[node].configuration
	type choice struct {
		list  []step
		stays bool
	}
	choices := make([]choice, len(c.locals))
	stays = true
	none := true
	for i, l := range c.locals {
		if i > 0 && c.locals[i-1] == l {
			choices[i] = choices[i-1]
			continue
		}
		choices[i].list, choices[i].stays = x.options(c, l, level)
		stays = stays && choices[i].stays
		none = none && len(choices[i].list) == 0
	}
	if none {
		return nil, true
	}
	var taken []step
	var choose func(d *configuration, i, least int)
	choose = func(d *configuration, i, least int) {
		if x.over() {
			return
		}
		if last := i == len(c.locals); last || alone && len(taken) > 0 {
			if len(taken) > 0 {
				next = x.add(d, node, slices.Clone(taken), next)
			}
			return
		}
		from := 0
		if i > 0 && c.locals[i-1] == c.locals[i] {
			from = least
		}
		for k := from; k < len(choices[i].list); k++ {
			s := choices[i].list[k]
			if e := x.after(d, i, s); e != nil {
				taken = append(taken, s)
				choose(e, i+1, k)
				taken = taken[:len(taken)-1]
			}
		}
		if choices[i].stays || alone {
			choose(d, i+1, len(choices[i].list))
		}
	}
	choose(c, 0, 0)
	return next, stays
}

// after is the configuration after a step of the i-th process; nil if that process may not crash.
func (x *counterSearch) after(c *configuration, i int, s step) *configuration {
	if w := x.room[s.move]; w != nil && w.known(c) <= 0 {
		return nil
	}
	d := *c
	d.shared, d.locals = slices.Clone(c.shared), slices.Clone(c.locals)
	d.locals[i] = s.by.to
	for _, v := range x.raises[s.move] {
		d.shared[v]++
	}
	return &d
}

// listened are the local states to which a step may lead, where the process hears the least that the step needs.
func (x *counterSearch) listened(c *configuration, who uint32, m int) []*answer {
	key := fmt.Appendf(nil, "%d %d:", m, who)
	for _, i := range x.asks[m] {
		key = append(key, c.shared[x.said[i]])
	}
	k := make([]int64, len(x.needs[m])) // what does not depend on what is heard
	for n := range x.needs[m] {
		k[n] = x.needs[m][n].known(c)
		key = binary.AppendVarint(key, k[n])
	}
	out, ok := x.answers[string(key)]
	if !ok {
		out = x.hear(c, who, m, k)
		x.answers[string(key)] = out
	}
	return out
}

// hear finds the least that a process may hear so that it can take a step. It takes messages of correct processes
// first.
func (x *counterSearch) hear(c *configuration, who uint32, m int, k []int64) (out []*answer) {
	l, asks, to := x.locals[who], x.asks[m], x.Moves[m].To
	var least [][]int64
	spare := slices.Clone(x.lies) // those that lie and were not heard
	for i, n := range l.lied {
		spare[x.items[i].channel] -= int64(n)
	}
	satisfied := func(more []int64) bool {
		for n, w := range x.needs[m] {
			sum := k[n]
			for a, i := range asks {
				sum += w.heard[i] * (int64(l.heard[i]+l.lied[i]) + more[a])
			}
			if sum < 0 {
				return false
			}
		}
		return true
	}
	sent, of := make([]int64, len(asks)), make([]int, len(asks))
	for a, i := range asks {
		sent[a], of[a] = int64(c.shared[x.said[i]]-l.heard[i]), x.items[i].channel
	}
	for more := range amounts(make([]int64, len(asks)), sent, of, spare) {
		if slices.ContainsFunc(least, func(v []int64) bool { return within(v, more) }) || !satisfied(more) {
			continue
		}
		least = append(least, slices.Clone(more))
		a := &answer{least[len(least)-1], x.heardMore(c, &l, asks, more, to)}
		if !slices.ContainsFunc(out, func(b *answer) bool { return b.to == a.to }) {
			out = append(out, a)
		}
	}
	return out
}

// within reports whether no number is greater than the other one.
func within(a, b []int64) bool {
	for i := range a {
		if a[i] > b[i] {
			return false
		}
	}
	return true
}

// heardMore is the local state of a process that has heard more. It forgets what the process does not ask for from
// there on.
func (x *counterSearch) heardMore(c *configuration, l *local, asks []int, more []int64, to int) uint32 {
	out := local{to, slices.Clone(l.heard), slices.Clone(l.lied)}
	for a, i := range asks {
		honest := min(more[a], int64(c.shared[x.said[i]]-l.heard[i]))
		out.heard[i] += uint8(honest)
		out.lied[i] += uint8(more[a] - honest)
	}
	for i, it := range x.items {
		ch := it.channel
		if reads := x.reads[to][x.said[i]]; !reads && (x.lies[ch] == 0 || !x.readsAny(to, ch)) {
			out.heard[i], out.lied[i] = 0, 0
		} else if !reads {
			out.heard[i] = 0
		}
	}
	return x.id(out)
}

// readsAny reports whether a process may ask for some message of a channel, there or later: then it matters who has
// lied to it.
func (x *counterSearch) readsAny(at, ch int) bool {
	for i, it := range x.items {
		if it.channel == ch && x.reads[at][x.said[i]] {
			return true
		}
	}
	return false
}
