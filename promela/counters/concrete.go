package counters

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/ta"
)

// concrete makes a run of processes, with numbers for all counters, of a run of the automaton that violates a formula.
// Only the interpreter says what a process can do, and it replays the result. Its error is a *counter.NoRun if none was
// found, after some ways to choose among what can be received.
func (t *Translation) concrete(ctx context.Context, f *promela.Named, run *ta.Run) (*promela.Run, error) {
	in, err := t.instance(run)
	if err != nil {
		return nil, err
	}
	want := t.Model.Negation(f.Formula)
	var first error
	budget := ConfirmWork // of all tries
	for try := range 12 {
		if first != nil && budget < 0 {
			break
		}
		c := &concretiser{t: t, in: in, outcomes: map[string][]promela.Outcome{}, places: map[string][]int{},
			ctx: ctx, greedy: try%2 == 1, random: rand.New(rand.NewSource(int64(try)))}
		if try < 2 {
			c.random = nil
		}
		in.Budget = &budget
		loop, err := counter.Play(c, run, len(t.first), len(t.ways), want.Infinite())
		in.Budget = nil
		if err == nil {
			var ok bool
			c.out.Loop = loop
			if ok, err = c.out.Satisfies(want); ok {
				return c.out, nil
			}
			if err == nil {
				err = &counter.NoRun{Text: "with numbers for what is received, the run does not violate the formula"}
			}
		}
		if errors.Is(err, explore.ErrTooLarge) {
			err = counter.TooLong
		}
		if _, none := err.(*counter.NoRun); !none {
			return nil, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// maxParam bounds parameters of instances that are run.
const maxParam = 200

// instance is the one with the parameters of a run. Its error is a *counter.NoRun.
func (t *Translation) instance(run *ta.Run) (*promela.Instance, error) {
	params := make([]int64, len(t.Model.Params))
	for i := range params {
		p := run.Start.Params[i]
		if !p.IsInt64() || p.Int64() > maxParam {
			return nil, &counter.NoRun{Text: fmt.Sprintf("parameter %s is too large to be tried with processes",
				t.Model.Params[i])}
		}
		params[i] = p.Int64()
	}
	in, err := t.Model.NewInstance(params)
	if err != nil {
		return nil, &counter.NoRun{Text: err.Error()}
	}
	return in, nil
}

// concretiser follows a run of the automaton with processes.
type concretiser struct {
	t        *Translation
	in       *promela.Instance
	greedy   bool       // receive as much as possible, not as little
	random   *rand.Rand // choose at random
	world    *promela.World
	out      *promela.Run
	outcomes map[string][]promela.Outcome
	places   map[string][]int // states by local states
	ctx      context.Context
}

// states are those that a local state belongs to: they differ in how it began.
func (c *concretiser) states(l promela.Local) []int {
	key := promela.LocalKey(l)
	list, known := c.places[key]
	if !known {
		s := state{locals: l}
		for _, k := range c.t.counters {
			reached := lists.Map(k.bounds, func(b amount) bool {
				return k.number(l) >= c.t.known.At(b, func(p counter.Quantity) int64 { return c.in.Params[p.Index] })
			})
			cell := slices.IndexFunc(k.cells, func(cell []bool) bool { return slices.Equal(cell, reached) })
			s.cells = append(s.cells, cell)
		}
		list = c.t.index[c.t.stateKey(&s)]
		c.places[key] = list
	}
	return list
}

// inside reports whether a local state belongs to a location.
func (c *concretiser) inside(l promela.Local, class int) bool {
	return slices.ContainsFunc(c.states(l), func(i int) bool { return c.t.class[i] == class })
}

func (c *concretiser) steps(who int) ([]promela.Outcome, error) {
	return c.in.Cached(c.outcomes, c.world, who, func(promela.Outcome) bool { return false })
}

// State implements counter.Player.
func (c *concretiser) State() (string, int) { return c.world.Key(), len(c.out.Steps) }

// Idle implements counter.Player: who goes on waiting need not do so more than once.
func (c *concretiser) Idle(k int) bool {
	m := &c.t.form.Moves[k]
	return m.From == m.To && len(m.Adds) == 0
}

// Begin implements counter.Player.
func (c *concretiser) Begin(counts []int64) error {
	first := c.in.Shared0()
	starts, err := c.in.Begins(slices.Clone(first))
	if err != nil {
		return err
	}
	c.world = &promela.World{Shared: slices.Clone(first)}
	for class, n := range counts {
		k := slices.IndexFunc(starts, func(o promela.Outcome) bool {
			adds := added(difference(o.Shared, first))
			return slices.ContainsFunc(c.states(o.Local), func(i int) bool {
				return c.t.class[i] == class && slices.Equal(c.t.states[i].adds, adds)
			})
		})
		if n > 0 && k < 0 {
			return &counter.NoRun{Text: fmt.Sprintf("no process starts in %s", c.t.at(class))}
		}
		for range n {
			c.world.Processes = append(c.world.Processes, starts[k].Local)
			for i, d := range difference(starts[k].Shared, first) {
				c.world.Shared[i] += d
			}
		}
	}
	c.out = &promela.Run{Instance: c.in, Start: c.world, Loop: promela.Finite}
	return nil
}

// Take implements counter.Player.
func (c *concretiser) Take(k int) error {
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	m := &c.t.form.Moves[k]
	var list []choice
	tried := map[string]bool{}
	for k, l := range c.world.Processes {
		if key := promela.LocalKey(l); tried[key] || !c.inside(l, m.From) {
			continue
		} else {
			tried[key] = true
		}
		found, err := c.choices(k, m)
		if err != nil {
			return err
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		return &counter.NoRun{Text: fmt.Sprintf("%s -> %s is not a step of any process, whatever it has received",
			c.t.at(m.From), c.t.at(m.To))}
	}
	// Who waits changes nothing, if possible.
	best := slices.IndexFunc(list, func(x choice) bool {
		return m.From == m.To && slices.Equal(x.Local, c.world.Processes[x.who])
	})
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
	for _, o := range list[best].before {
		c.take(list[best].who, o)
	}
	c.take(list[best].who, list[best].Outcome)
	return nil
}

// choice is a step of a process, and others that it takes before it.
type choice struct {
	who    int
	before []promela.Outcome
	promela.Outcome
}

// maxWaiting bounds the local states through which a process goes before it takes a rule.
const maxWaiting = 300

// choices returns the ways in which a process can take a rule: at once, or after
// steps that the automaton does not see, in which it receives something.
func (c *concretiser) choices(who int, m *counter.Move) ([]choice, error) {
	world := c.world
	defer func() { c.world = world }()
	queue := []choice{{who: who, Outcome: promela.Outcome{Local: world.Processes[who]}}}
	seen := map[string]bool{promela.LocalKey(queue[0].Local): true}
	for i := 0; i < len(queue) && len(queue) < maxWaiting; i++ {
		at := queue[i]
		c.world = world.With(who, promela.Outcome{Local: at.Local, Shared: world.Shared})
		outcomes, err := c.steps(who)
		if err != nil {
			return nil, err
		}
		before := at.before
		if i > 0 {
			before = append(before[:len(before):len(before)], at.Outcome)
		}
		var list []choice
		for _, o := range outcomes {
			if c.inside(o.Local, m.To) && c.adds(o, m.Adds) {
				list = append(list, choice{who, before, o})
			}
			if key := promela.LocalKey(o.Local); !seen[key] && c.inside(o.Local, m.From) && c.adds(o, nil) {
				seen[key] = true
				queue = append(queue, choice{who, before, o})
			}
		}
		if len(list) > 0 {
			return list, nil
		}
	}
	return nil, nil
}

func (c *concretiser) take(who int, o promela.Outcome) {
	c.out.Steps = append(c.out.Steps, promela.RunStep{Before: c.world.Processes[who], After: o.Local,
		Shared: o.Shared, Taken: o.Taken})
	c.world = c.world.With(who, o)
}

// adds reports whether an outcome adds to shared variables what a move does.
func (c *concretiser) adds(o promela.Outcome, list []counter.Add) bool {
	ofModel := lists.Keep(list, func(a counter.Add) bool { return a.Of.Kind == counter.Sent })
	return slices.Equal(added(difference(o.Shared, c.world.Shared)), ofModel)
}

// received sums up the counters of a process.
func (c *concretiser) received(l promela.Local) (n int64) {
	for k, counting := range c.t.counting {
		if counting {
			n += l[k]
		}
	}
	return n
}

// Settle implements counter.Player: every process receives as much as it can without going elsewhere, since what is
// sent arrives in a fair run.
func (c *concretiser) Settle([]int) (stays bool, err error) {
	if stopped, err := c.in.Stopped(c.world); err != nil || stopped {
		return stopped, err
	}
	for who := range c.world.Processes {
		for range maxWaiting {
			l := c.world.Processes[who]
			outcomes, err := c.steps(who)
			if err != nil {
				return false, err
			}
			best := -1
			for k, o := range outcomes {
				if c.alike(o.Local, l) && c.adds(o, nil) && c.received(o.Local) > c.received(l) &&
					(best < 0 || c.received(o.Local) > c.received(outcomes[best].Local)) {
					best = k
				}
			}
			if best < 0 {
				break
			}
			c.take(who, outcomes[best])
		}
	}
	return false, nil
}

// alike reports whether two local states belong to the same location.
func (c *concretiser) alike(a, b promela.Local) bool {
	return slices.ContainsFunc(c.states(a), func(i int) bool { return c.inside(b, c.t.class[i]) })
}

func difference(a, b []int64) []int64 {
	out := make([]int64, len(a))
	for k := range a {
		out[k] = a[k] - b[k]
	}
	return out
}

// Runs with the same parameters are looked for as long as this allows: expressions that are evaluated, and states.
const ConfirmWork, ConfirmStates = 30_000_000, 200_000
