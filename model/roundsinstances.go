package model

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/protocol/threshold"
)

// instances are small instances of a text, with a bound on rounds, that are searched for what violates its properties,
// all of them at once.
type instances struct {
	m *roundsText

	mu      sync.Mutex
	lists   map[int][]*instance    // by how many rounds
	least   int64                  // the processes of the smallest one in which some process is faulty
	partial bool                   // there are more than were listed
	runs    map[string]*interp.Run // by property
	unasked map[string]bool        // properties that cannot be asked so
}

// instance is one with values of all parameters.
type instance struct {
	s         *parametric.Source
	params    map[string]int64
	own       []int64 // values of the parameters of the text, as they are declared
	sum       int64   // of these
	processes int64
	rounds    int
	complete  bool
	tried     int // states, at most
	work      int // what it took
}

// scope says which instances are searched: those of so many rounds, with so many processes more than the smallest one
// in which some process is faulty.
type scope struct{ rounds, more int }

// soon is what is searched as soon as a violation is suspected; atLast is what is searched where nothing else is known,
// while there is time.
var (
	soon   = []scope{{1, 1}, {2, 0}, {3, 0}}
	atLast = []scope{{2, 1}, {3, 1}, {3, 2}, {4, 2}}
)

func newInstances(m *roundsText) *instances {
	return &instances{m: m, lists: map[int][]*instance{}, runs: map[string]*interp.Run{}, unasked: map[string]bool{}}
}

// lookFor searches instances until one violates a property: those of each scope up to so much work, at first.
func (x *instances) lookFor(ctx context.Context, name string, scopes []scope, work int, states ...int) (*interp.Run,
	error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.runs[name] != nil || x.unasked[name] {
		return x.runs[name], nil
	}
	var failed error
	run, err := counter.Smallest(ctx, func(yield func(counter.Instance[interp.Run]) bool) {
		for _, of := range scopes {
			list, err := x.list(of.rounds)
			if err != nil {
				failed = err
				return
			}
			total := 0
			for _, in := range list {
				if in.processes > x.least+int64(of.more) || total > work || x.unasked[name] {
					break
				}
				if !yield(func(states int) (*interp.Run, bool, error) {
					err := x.search(ctx, in, states)
					total += in.work
					return x.runs[name], in.complete || x.unasked[name], err
				}) {
					return
				}
			}
		}
	}, states...)
	if ctx.Err() != nil {
		err = nil
	}
	return run, cmp.Or(failed, err)
}

// search searches an instance; what it violates is looked for in smaller ones, too.
func (x *instances) search(ctx context.Context, in *instance, states int) error {
	if in.complete || in.tried >= states {
		return nil
	}
	open := lists.Keep(names(x.m), func(name string) bool { return x.runs[name] == nil && !x.unasked[name] })
	found, err := threshold.SearchCounters(ctx, in.s, in.params, open, states)
	if err != nil {
		return err
	}
	in.complete, in.tried, in.work = found.Complete, states, found.Work
	for _, name := range open {
		x.unasked[name] = found.Asked != nil && !slices.Contains(found.Asked, name)
	}
	for name, run := range found.Runs {
		smaller, err := x.smaller(ctx, in, name, states)
		if err != nil && ctx.Err() == nil {
			return err
		}
		x.runs[name] = cmp.Or(smaller, run)
	}
	return nil
}

// smaller looks for what an instance violates in others of as many processes, whose parameters come first in the order
// in which they are declared, or are its own, and in fewer rounds.
func (x *instances) smaller(ctx context.Context, in *instance, name string, states int) (*interp.Run, error) {
	var list []*instance
	for count := range in.rounds {
		more, err := x.list(count + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	order := func(a, b *instance) int {
		return cmp.Or(slices.Compare(a.own, b.own), cmp.Compare(a.rounds, b.rounds))
	}
	list = lists.Keep(list, func(c *instance) bool { return c.processes == in.processes && order(c, in) < 0 })
	slices.SortStableFunc(list, order)
	ways := lists.Map(list, func(c *instance) counter.Instance[interp.Run] {
		return func(states int) (*interp.Run, bool, error) {
			found, err := threshold.SearchCounters(ctx, c.s, c.params, []string{name}, states)
			if err != nil {
				return nil, true, err
			}
			return found.Runs[name], true, nil
		}
	})
	return counter.Smallest(ctx, slices.Values(ways), states)
}

// mostValue bounds the values of parameters that are tried, and the processes.
const mostValue = 10

// list lists the instances with so many rounds, one for all that common coins may say, and for whichever coordinator is
// faulty: small ones first, and of these the ones with large values of the other parameters.
func (x *instances) list(count int) ([]*instance, error) {
	if known, ok := x.lists[count]; ok {
		return known, nil
	}
	if x.least == 0 {
		one, err := parametric.Of(x.m.r.One())
		if err != nil {
			return nil, x.m.wrong(err)
		}
		small, err := one.Smallest(nil)
		if err != nil {
			return nil, x.m.wrong(err)
		}
		x.least = one.Processes(small)
	}
	files := []*ftdp.File{x.m.r.Unrolled(count)}
	for n := 1; x.m.r.Coordinated() && n <= count; n++ {
		files = append(files, x.m.r.UnrolledTo(count, n))
	}
	var list []*instance
	for _, f := range files {
		few, err := x.m.unrolled(f)
		if err != nil {
			return nil, err
		}
		all, whole := few.s.Admitted(mostValue)
		x.partial = x.partial || !whole
		for _, params := range all {
			in := &instance{s: few.s, params: params, processes: few.s.Processes(params), rounds: count}
			for _, name := range lists.Keep(few.s.Params, x.m.r.Declares) {
				in.own = append(in.own, params[name])
				in.sum += params[name]
			}
			if in.processes <= mostValue {
				list = append(list, in)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *instance) int {
		return cmp.Or(cmp.Compare(a.processes, b.processes), cmp.Compare(b.sum, a.sum))
	})
	x.lists[count] = list
	return list, nil
}

// violatedSoon reports whether a small instance violates a specification.
func (m *roundsText) violatedSoon(ctx context.Context, name string) (bool, error) {
	run, err := m.few.lookFor(ctx, name, soon, 1<<12, 1<<12)
	return run != nil, err
}

// run is one that violates a specification, found before.
func (x *instances) run(name string) *interp.Run {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.runs[name]
}

// timeForInstances bounds how long instances are searched at last.
const timeForInstances = 20 * time.Second

// reserving returns a context that leaves some of the time for a specification for that.
func reserving(ctx context.Context) (context.Context, context.CancelFunc) {
	end, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(timeForInstances, time.Until(end)/10)))
}

// bySize searches instances for a violation of what nothing else is known of.
func (m *roundsText) bySize(ctx context.Context, out *Result) error {
	within, stop := context.WithTimeout(ctx, timeForInstances)
	defer stop()
	run, err := m.few.lookFor(within, out.Spec, atLast, math.MaxInt, 1<<14, 1<<16, 1<<18, 1<<20)
	if err != nil {
		return err
	}
	if run != nil {
		out.violated(run)
		return nil
	}
	if tried := m.few.tried(out.Spec); tried != "" {
		out.Reason += "; " + tried
		out.Search.Reason = out.Reason
	}
	return nil
}

// small looks in small instances for a violation.
func (m *roundsText) small(ctx context.Context, of Other) (Counterexample, bool, error) {
	run, err := m.few.lookFor(ctx, of.Name, soon, math.MaxInt, 1<<12, 1<<16)
	if run == nil || err != nil {
		return nil, false, err
	}
	return found(run), false, nil
}

// violated says that a run violates the specification.
func (r *Result) violated(run *interp.Run) {
	r.Verdict, r.Reason, r.Counterexample = verdict.Violated, "", found(run)
	r.Search.Verdict, r.Search.Reason, r.Search.Because = verdict.Violated, "", nil
}

// tried says which instances were searched, all of them: with at most so many processes, in so many rounds.
func (x *instances) tried(name string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.unasked[name] || x.partial {
		return ""
	}
	var parts []string
	said := int64(0)
	for count := atLast[len(atLast)-1].rounds; count > 0; count-- {
		upTo := int64(0)
		for _, in := range x.lists[count] {
			if !in.complete {
				upTo = min(upTo, in.processes-1)
				break
			}
			upTo = in.processes
		}
		if upTo > said {
			parts = append(parts, fmt.Sprintf("of at most %s violates it in %s", spell.Count(upTo, "process",
				"processes"), spell.Count(int64(count), "round", "rounds")))
			said = upTo
		}
	}
	if parts == nil {
		return ""
	}
	return "no instance " + strings.Join(parts, ", and none ")
}
