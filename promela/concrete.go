package promela

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"time"

	"tacheck/ta"
)

// NoRun says that no run of the model was found that follows a run of the
// automaton: what the automaton does may be an artefact of intervals.
type NoRun struct {
	Step int // of the automaton's run, from 1; 0 if it is not one step
	Text string
}

func (e *NoRun) Error() string { return e.Text }

// Concrete makes a run of processes, with numbers for all counters, of a run of
// the automaton that violates a formula. Only the interpreter says what a process
// can do, and it replays the result. Its error is a *NoRun if none was found,
// after some ways to choose among what can be received.
func (t *Translation) Concrete(ctx context.Context, f *Named, run *ta.Run) (*Run, error) {
	params := make([]int64, len(t.Model.Params))
	for i := range params {
		p := run.Start.Params[i]
		if !p.IsInt64() || p.Int64() > maxParam {
			return nil, &NoRun{0, fmt.Sprintf("parameter %s is too large to be tried with processes", t.Model.Params[i])}
		}
		params[i] = p.Int64()
	}
	in, err := t.Model.NewInstance(params)
	if err != nil {
		return nil, &NoRun{0, err.Error()}
	}
	want := t.Model.Negation(f.Formula, t.Model.assumed(f.Formula))
	var first error
	begin := time.Now()
	for try := range 12 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if first != nil && time.Since(begin) > confirmTime {
			break
		}
		c := &concretiser{t: t, in: in, run: run, outcomes: map[string][]Outcome{}, until: time.Now().Add(confirmTime), greedy: try%2 == 1, random: rand.New(rand.NewSource(int64(try)))}
		if try < 2 {
			c.random = nil
		}
		got, err := c.follow(want.Infinite())
		if err == nil {
			var ok bool
			if ok, err = got.Satisfies(want); ok {
				return got, nil
			}
			if err == nil {
				err = &NoRun{0, "with numbers for what is received, the run does not violate the formula"}
			}
		}
		if _, none := err.(*NoRun); !none {
			return nil, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// maxParam bounds parameters of instances that are run, and maxConcrete steps.
const maxParam, maxConcrete = 200, 20_000

// concretiser follows a run of the automaton with processes.
type concretiser struct {
	t        *Translation
	in       *Instance
	run      *ta.Run
	greedy   bool       // receive as much as possible, not as little
	random   *rand.Rand // choose at random
	world    *World
	out      *Run
	outcomes map[string][]Outcome
	until    time.Time // when to give up
}

// classOf returns the location that a local state belongs to, or -1.
func (c *concretiser) classOf(l Local) int {
	s := state{locals: slices.Clone(l)}
	counting := make([]bool, len(l))
	for _, k := range c.t.counters {
		counting[k.local] = true
		reached := make([]bool, len(k.bounds))
		for i, b := range k.bounds {
			value := b.konst
			for v, n := range b.coef {
				value += n * c.in.Params[v.index]
			}
			reached[i] = l[k.local] >= value
		}
		cell := slices.IndexFunc(k.cells, func(cell []bool) bool { return slices.Equal(cell, reached) })
		if cell < 0 {
			return -1
		}
		s.cells = append(s.cells, cell)
	}
	key := ""
	for k, v := range l {
		if !counting[k] {
			key += fmt.Sprint(v, ",")
		}
	}
	i, known := c.t.index[fmt.Sprint(key, s.cells)]
	if !known {
		return -1
	}
	return c.t.class[i]
}

func (c *concretiser) steps(l Local) ([]Outcome, error) {
	key := localKey(l) + "|" + localKey(c.world.Shared)
	list, known := c.outcomes[key]
	if !known {
		var err error
		if list, err = c.in.Steps(l, c.world.Shared); err != nil {
			return nil, err
		}
		list = distinct(list)
		c.outcomes[key] = list
	}
	return list, nil
}

// follow makes the run.
func (c *concretiser) follow(infinite bool) (*Run, error) {
	if err := c.start(); err != nil {
		return nil, err
	}
	prefix, loop := c.run.Steps, []ta.Transition(nil)
	if c.run.Loop != ta.Finite {
		prefix, loop = c.run.Steps[:c.run.Loop], c.run.Steps[c.run.Loop:]
	}
	for i, s := range prefix {
		if err := c.transition(i, s); err != nil {
			return nil, err
		}
	}
	if !infinite || loop == nil {
		return c.out, nil
	}
	if stopped, err := c.in.Stopped(c.world); err != nil || stopped {
		c.out.Loop = len(c.out.Steps)
		return c.out, err
	}
	if err := c.receive(); err != nil {
		return nil, err
	}
	// Go round until a world comes back.
	seen := map[string]int{c.world.key(): len(c.out.Steps)}
	for range 50 {
		for i, s := range loop {
			if err := c.transition(len(prefix)+i, s); err != nil {
				return nil, err
			}
		}
		if at, again := seen[c.world.key()]; again && at < len(c.out.Steps) {
			c.out.Loop = at
			return c.out, nil
		}
		seen[c.world.key()] = len(c.out.Steps)
	}
	return nil, &NoRun{len(prefix) + 1, "with numbers for what is received, the loop does not come back to where it began"}
}

// start puts processes where the automaton's run starts.
func (c *concretiser) start() error {
	starts, err := c.in.Starts()
	if err != nil {
		return err
	}
	c.world = &World{Shared: c.in.shared0()}
	for class, n := range c.run.Start.Counters[:len(c.t.Names)] {
		k := slices.IndexFunc(starts, func(l Local) bool { return c.classOf(l) == class })
		if n.Sign() > 0 && k < 0 {
			return &NoRun{0, fmt.Sprintf("no process starts in %s", c.t.Names[class])}
		}
		for range n.Int64() {
			c.world.Processes = append(c.world.Processes, starts[k])
		}
	}
	c.out = &Run{Instance: c.in, Start: c.world, Loop: Finite}
	return nil
}

// transition lets as many processes take a rule as the automaton's run says.
// Who goes on waiting need not do so more than once.
func (c *concretiser) transition(i int, s ta.Transition) error {
	if s.Rule >= len(c.t.moves) { // of the process that says that runs may end
		return nil
	}
	m := &c.t.moves[s.Rule]
	times := s.Factor.Int64()
	if !s.Factor.IsInt64() || times > maxConcrete {
		return &NoRun{i + 1, fmt.Sprintf("step %d is taken too often to be tried with processes", i+1)}
	}
	if m.from == m.to && !slices.ContainsFunc(m.adds, func(n int64) bool { return n != 0 }) {
		times = 1
	}
	for range times {
		if err := c.move(i, m); err != nil {
			return err
		}
	}
	return nil
}

// move lets one process take a rule.
func (c *concretiser) move(i int, m *move) error {
	if len(c.out.Steps) > maxConcrete || time.Now().After(c.until) {
		return &NoRun{i + 1, "the run is too long to be followed with numbers for what is received"}
	}
	type choice struct {
		who int
		Outcome
	}
	var list []choice
	tried := map[string]bool{}
	for k, l := range c.world.Processes {
		if key := localKey(l); tried[key] || c.classOf(l) != m.from {
			continue
		} else {
			tried[key] = true
		}
		outcomes, err := c.steps(l)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			if c.classOf(o.Local) == m.to && c.adds(o, m.adds) {
				list = append(list, choice{k, o})
			}
		}
	}
	if len(list) == 0 {
		return &NoRun{i + 1, fmt.Sprintf("step %d, %s -> %s, is none of any process with numbers for what it has received", i+1, c.t.Names[m.from], c.t.Names[m.to])}
	}
	// Who waits changes nothing, if possible.
	best := slices.IndexFunc(list, func(x choice) bool { return m.from == m.to && slices.Equal(x.Local, c.world.Processes[x.who]) })
	switch {
	case best >= 0:
	case c.random != nil:
		best = c.random.Intn(len(list))
	default:
		best = 0
		for k, x := range list {
			if more := c.received(x.Local) - c.received(list[best].Local); more < 0 != c.greedy && more != 0 {
				best = k
			}
		}
	}
	c.take(list[best].who, list[best].Outcome)
	return nil
}

func (c *concretiser) take(who int, o Outcome) {
	c.out.Steps = append(c.out.Steps, RunStep{c.world.Processes[who], o.Local, o.Shared, o.Taken})
	next := &World{Shared: o.Shared, Processes: slices.Clone(c.world.Processes)}
	next.Processes[who] = o.Local
	c.world = next
}

func (c *concretiser) adds(o Outcome, adds []int64) bool {
	for k, n := range adds {
		if o.Shared[k]-c.world.Shared[k] != n {
			return false
		}
	}
	return true
}

// received sums up the counters of a process.
func (c *concretiser) received(l Local) (n int64) {
	for _, k := range c.t.counters {
		n += l[k.local]
	}
	return n
}

// receive lets every process receive as much as it can without going elsewhere:
// in a fair run, what is sent arrives.
func (c *concretiser) receive() error {
	for who := range c.world.Processes {
		l := c.world.Processes[who]
		outcomes, err := c.steps(l)
		if err != nil {
			return err
		}
		best := -1
		for k, o := range outcomes {
			if c.classOf(o.Local) == c.classOf(l) && c.adds(o, make([]int64, len(o.Shared))) && c.received(o.Local) > c.received(l) &&
				(best < 0 || c.received(o.Local) > c.received(outcomes[best].Local)) {
				best = k
			}
		}
		if best >= 0 {
			c.take(who, outcomes[best])
		}
	}
	return nil
}
