package model

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/protocol/threshold"
)

// instances are small instances of a text, with a bound on rounds, that are searched for what violates its properties,
// all of them at once.
type instances struct {
	m *roundsText

	mu      sync.Mutex
	sources map[string]*parametric.Source
	lists   map[int][]instance // by how many rounds
	// by how many rounds: the processes of the smallest one in which some process is faulty
	least   map[int]int64
	partial bool                   // there are more than were listed
	runs    map[string]*interp.Run // by property
	unasked map[string]bool        // properties that cannot be asked so
}

// instance is one with values of all parameters.
type instance struct {
	s         *parametric.Source
	params    map[string]int64
	processes int64
	rest      int64 // the sum of the parameters
	complete  bool
	tried     int // states, at most
	work      int // what it took
}

// effort is how many instances are searched, and how far: those of so many rounds, with so many processes more than the
// smallest one in which some process is faulty; so many states of each, and of all.
type effort struct {
	rounds, more, states, total int
}

// soon is what is searched as soon as a violation is suspected; atLast is what is searched where nothing else is known,
// while there is time.
var (
	soon   = []effort{{1, 1, 1 << 12, 1 << 12}, {2, 0, 1 << 12, 1 << 12}, {3, 0, 1 << 12, 1 << 11}}
	atLast = []effort{{2, 1, 1 << 14, all}, {3, 1, 1 << 16, all}, {3, 2, 1 << 18, all}, {4, 2, 1 << 20, all}}
)

const all = math.MaxInt

func newInstances(m *roundsText) *instances {
	return &instances{m: m, sources: map[string]*parametric.Source{}, lists: map[int][]instance{},
		least: map[int]int64{}, runs: map[string]*interp.Run{}, unasked: map[string]bool{}}
}

// lookFor searches instances until one violates a property.
func (x *instances) lookFor(ctx context.Context, name string, e effort) (*interp.Run, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.runs[name] != nil || x.unasked[name] {
		return x.runs[name], nil
	}
	list, least, err := x.list(e.rounds)
	if err != nil {
		return nil, err
	}
	total := 0
	for i := range list {
		in := &list[i]
		if in.processes > least+int64(e.more) || total > e.total || ctx.Err() != nil {
			break
		}
		if !in.complete && in.tried < e.states {
			if err := x.search(ctx, in, e); err != nil || x.runs[name] != nil || x.unasked[name] {
				return x.runs[name], err
			}
		}
		total += in.work
	}
	return nil, nil
}

// search searches an instance; what it violates is looked for in fewer rounds, too.
func (x *instances) search(ctx context.Context, in *instance, e effort) error {
	var open []string
	for _, s := range x.m.Specs() {
		if x.runs[s.Name] == nil && !x.unasked[s.Name] {
			open = append(open, s.Name)
		}
	}
	found, err := threshold.Census(ctx, in.s, in.params, open, e.states)
	if err != nil {
		return err
	}
	in.complete, in.tried, in.work = found.Complete, e.states, found.Work
	for _, name := range open {
		if found.Asked != nil && !slices.Contains(found.Asked, name) {
			x.unasked[name] = true
		}
	}
	for name, run := range found.Runs {
		x.runs[name] = run
		if err := x.smaller(ctx, in, name, e); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// smaller looks for what an instance violates in others of as many processes, whose parameters come first in the order
// in which they are declared, or are its own, and in fewer rounds.
func (x *instances) smaller(ctx context.Context, in *instance, name string, e effort) error {
	type candidate struct {
		instance
		rounds int
	}
	var candidates []candidate
	for count := 1; count <= e.rounds; count++ {
		list, _, err := x.list(count)
		if err != nil {
			return err
		}
		for _, c := range list {
			order := x.order(c.params, in.params)
			if c.processes == in.processes && (order < 0 || order == 0 && count < e.rounds) {
				candidates = append(candidates, candidate{c, count})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		return cmp.Or(x.order(a.params, b.params), cmp.Compare(a.rounds, b.rounds))
	})
	for _, c := range candidates {
		found, err := threshold.Census(ctx, c.s, c.params, []string{name}, e.states)
		if err != nil {
			return err
		}
		if found.Runs[name] != nil {
			x.runs[name] = found.Runs[name]
			return nil
		}
	}
	return nil
}

// order compares values of the parameters of the text, as they are declared.
func (x *instances) order(a, b map[string]int64) int {
	for _, name := range x.names() {
		if c := cmp.Compare(a[name], b[name]); c != 0 {
			return c
		}
	}
	return 0
}

// names are the parameters of the text.
func (x *instances) names() (names []string) {
	for _, sec := range x.m.r.File.Sections {
		for _, p := range sec.Parameters {
			names = append(names, p.Name)
		}
	}
	return names
}

// Bounds of the values of parameters that are tried, and of the processes.
const mostValue, mostListed = 10, 20_000

// list lists the instances with so many rounds, small ones first, and of these the ones with large values of the other
// parameters; and how many processes the smallest one has in which some process is faulty.
func (x *instances) list(count int) ([]instance, int64, error) {
	names := x.names()
	if known, ok := x.lists[count]; ok {
		return known, x.least[count], nil
	}
	values := map[string]int64{}
	var list []instance
	left := mostListed
	for chosen := range lists.Product(make([]int64, len(names)), slices.Repeat([]int64{mostValue}, len(names))) {
		if left--; left < 0 {
			x.partial = true
			break
		}
		for i, name := range names {
			values[name] = chosen[i]
		}
		more, err := x.admitted(count, values)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, more...)
	}
	slices.SortStableFunc(list, func(a, b instance) int {
		return cmp.Or(cmp.Compare(a.processes, b.processes), cmp.Compare(b.rest, a.rest))
	})
	one, err := parametric.Of(x.m.r.One())
	if err != nil {
		return nil, 0, x.m.wrong(err)
	}
	small, err := one.Smallest(nil)
	if err != nil {
		return nil, 0, x.m.wrong(err)
	}
	least := one.Processes(small)
	x.lists[count], x.least[count] = list, least
	return list, least, nil
}

// admitted are the instances with values of the parameters of the text, if the assumptions admit them: one for all that
// common coins may say, and for whichever coordinator is faulty.
func (x *instances) admitted(count int, values map[string]int64) (list []instance, err error) {
	s, err := x.source(count, values)
	if s == nil || err != nil {
		return nil, err
	}
	outcomes := int64(2)
	if !x.m.r.Coordinated() {
		outcomes = int64(x.m.r.Outcomes())
	}
	var hidden []string
	all, rest := map[string]int64{}, int64(0)
	for _, name := range s.Params {
		if v, ok := values[name]; ok {
			all[name] = v
			rest += v
		} else {
			hidden = append(hidden, name)
		}
	}
	most := slices.Repeat([]int64{outcomes - 1}, len(hidden))
	for says := range lists.Product(make([]int64, len(hidden)), most) {
		for i, name := range hidden {
			all[name] = says[i]
		}
		if ok, _ := s.Admissible(all); ok {
			list = append(list, instance{s: s, params: maps.Clone(all), processes: s.Processes(all), rest: rest})
		}
	}
	return list, nil
}

// source is the text with so many rounds, for so many processes; nil if there is none of so many.
func (x *instances) source(count int, values map[string]int64) (*parametric.Source, error) {
	n, ok := x.m.r.Size(values)
	if !ok || n < 1 || n > mostValue {
		return nil, nil
	}
	key := fmt.Sprint(count)
	if x.m.r.Coordinated() && n <= int64(count) {
		key = fmt.Sprint(count, n)
	}
	if x.sources[key] == nil {
		var set []Setting
		for name, v := range values {
			set = append(set, Setting{Name: name, Value: v})
		}
		few, err := x.m.sized(count, set, "")
		if err != nil {
			return nil, err
		}
		x.sources[key] = few.s
	}
	return x.sources[key], nil
}

// violatedSoon reports whether a small instance violates a specification.
func (m *roundsText) violatedSoon(ctx context.Context, name string) (bool, error) {
	for _, e := range soon {
		if run, err := m.small.lookFor(ctx, name, e); run != nil || err != nil {
			return run != nil, err
		}
	}
	return false, nil
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
	for _, e := range atLast {
		run, err := m.small.lookFor(within, out.Spec, e)
		if err != nil && within.Err() == nil {
			return err
		}
		if run != nil {
			out.violated(run)
			return nil
		}
		if within.Err() != nil {
			break
		}
	}
	if tried := m.small.tried(out.Spec); tried != "" {
		out.Reason += "; " + tried
		out.Search.Reason = out.Reason
	}
	return nil
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
