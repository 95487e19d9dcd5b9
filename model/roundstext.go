package model

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/protocol/threshold"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// roundsText is a protocol for all sizes whose processes go round after round.
type roundsText struct {
	identities
	r *parametric.RoundSource

	auto *Automaton

	once sync.Once
	d    *rounds.Decider
	err  error
	few  *instances
}

// openRoundsText opens a protocol with rounds.
func openRoundsText(ctx context.Context, x identities, o Options) (Model, error) {
	r, err := parametric.Rounds(x.f)
	if err == nil && !o.Listed {
		err = threshold.CheckRounds(ctx, r)
	}
	if err != nil {
		return nil, x.wrong(err)
	}
	x.what = "a protocol for all sizes, with rounds"
	return newRoundsText(x, r), nil
}

func newRoundsText(x identities, r *parametric.RoundSource) *roundsText {
	m := &roundsText{identities: x, r: r}
	m.few = newInstances(m)
	return m
}

func (m *roundsText) Specs() []Spec { return specsOf(m.f.Sections) }

// Automaton is a round.
func (m *roundsText) Automaton(ctx context.Context) (*Automaton, error) {
	if m.auto == nil {
		a, err := m.translated(threshold.TranslateRounds(ctx, m.r))
		if err != nil {
			return nil, err
		}
		m.auto = a
	}
	return m.auto, nil
}

func (m *roundsText) Ask(ctx context.Context, names []string, fair *review.FairnessOptions) (*Question, error) {
	return askRounds(ctx, m, names, fair)
}

// unrolled is a text made of this one that has no rounds.
func (m *roundsText) unrolled(f *ftdp.File) (*sizes, error) {
	s, err := parametric.Of(f)
	if err != nil {
		return nil, m.wrong(err)
	}
	return &sizes{identities: identities{base{m.file, m.text, m.what, nil, m.find}, f}, s: s}, nil
}

// decideRounds decides a specification by the automaton of a round, and searches small instances for a violation where
// that leaves it open.
func (m *roundsText) decideRounds(ctx context.Context, name string, o verify.Options) (*Result, error) {
	begin := time.Now()
	first, stop := reserving(ctx)
	defer stop()
	out, err := m.byAutomaton(first, name, o)
	if err != nil && first.Err() != nil && ctx.Err() == nil {
		search := &verify.Result{Spec: name, Verdict: verdict.Unknown, Reason: smt.Interrupted(first)}
		out, err = &Result{Spec: name, Verdict: verdict.Unknown, Reason: search.Reason, Search: search}, nil
	}
	if err != nil {
		return nil, err
	}
	if out.Verdict == verdict.Unknown && ctx.Err() == nil && !o.Soon && m.unexplored()[name] == "" {
		if err := m.bySize(ctx, out); err != nil {
			return nil, err
		}
	}
	out.Time = time.Since(begin)
	if out.Search != nil {
		out.Search.Time = out.Time
	}
	return out, nil
}

// byAutomaton decides a specification by the automaton of a round. What it says to be violated is asked of the
// protocol with that many rounds, and is a run of that, or of a small instance.
func (m *roundsText) byAutomaton(ctx context.Context, name string, o verify.Options) (*Result, error) {
	a, err := m.Automaton(ctx)
	if err != nil {
		return nil, err
	}
	m.once.Do(func() {
		if m.d, m.err = rounds.NewDecider(a.Automaton); m.err == nil {
			m.d.Violated = m.violatedSoon
		}
	})
	if m.err != nil {
		return nil, a.wrong(m.err)
	}
	r, err := m.d.Decide(ctx, name, o)
	if err != nil {
		return nil, a.wrong(err)
	}
	out := &Result{Spec: name, Verdict: r.Verdict, Reason: r.Reason, Time: r.Time, Search: r.Result, Lacks: r.Lacks,
		Proof: r.Proof}
	after := slices.ContainsFunc(a.Rounds.After, func(s ta.After) bool { return s.Name == name })
	if r.Verdict == verdict.Unknown && r.Suspect > 0 && m.r.Coordinated() {
		return m.refute(ctx, out, r, after, o)
	}
	if slices.ContainsFunc(r.Lacks, func(l rounds.Lack) bool { return l.Condition == "RT" && l.Run != nil }) {
		return m.stuck(ctx, out, r, o)
	}
	if r.Verdict != verdict.Violated {
		return out, nil
	}
	if r.Elsewhere {
		out.violated(m.few.run(name))
		return out, nil
	}
	out.Verdict, r.Result.Verdict, r.Result.Witness = verdict.Unknown, verdict.Unknown, nil
	out.Reason = "there was no time to look for a run of the text"
	r.Reason = out.Reason
	return m.exactly(ctx, out, r, o)
}

// more is how many rounds more than the counterexample of the automaton has are asked exactly, where no run of the text
// is one of so many.
const more = 1

// exactly looks for a violation in as many rounds of the text as the automaton of a round needs for one, and in some
// more: the last one may be needed, though it was only begun there, and others may be where guards of the automaton say
// less than the text.
func (m *roundsText) exactly(ctx context.Context, out *Result, r *rounds.Result, o verify.Options) (*Result, error) {
	first, last := r.Rounds, r.Rounds+more
	if r.Begun && first > 1 {
		first--
	}
	begin := time.Now()
	violated, err := m.unroll(ctx, first, last, out.Spec, r, o, func(count int, found *Result) bool {
		switch {
		case found.Search == nil && count > r.Rounds: // so many are too many for an automaton
			return true
		case found.Search == nil:
			out.Reason, r.Reason = found.Reason, found.Reason
			return true
		case found.Verdict == verdict.Holds:
			found.Verdict = verdict.Unknown
			found.Reason = fmt.Sprintf("the automaton of a round, which may be weaker than the text, violates it "+
				"within %d rounds; the first %d rounds of the text do not", r.Rounds, count)
		}
		found.Search.Verdict, found.Search.Reason = found.Verdict, found.Reason
		r.Queries = found.Search.Queries
		out = found
		return false
	})
	if violated != nil || err != nil {
		return violated, err
	}
	out.Time = r.Time + time.Since(begin)
	return out, nil
}

// unroll decides a specification of the protocol with first to last rounds, until so many violate it, or enough says
// that what was found is enough. Of rounds that are too many for an automaton nothing is known.
func (m *roundsText) unroll(ctx context.Context, first, last int, name string, before *rounds.Result, o verify.Options,
	enough func(count int, found *Result) bool) (*Result, error) {
	for count := first; count <= last && ctx.Err() == nil; count++ {
		found, err := m.within(ctx, count, name, before, o)
		if large := (*InputError)(nil); errors.As(err, &large) {
			why, _, _ := strings.Cut(large.Error(), "\n")
			found, err = &Result{Verdict: verdict.Unknown, Reason: "no automaton is made of them: " + why}, nil
		}
		if err != nil || found.Verdict == verdict.Violated {
			return found, err
		}
		if enough(count, found) || found.Search == nil {
			break
		}
	}
	return nil, nil
}

// within decides a specification of the protocol with so many rounds, after something else was found out.
func (m *roundsText) within(ctx context.Context, count int, name string, before *rounds.Result,
	o verify.Options) (out *Result, err error) {
	few, err := m.unrolled(m.r.UnrolledFor(count, name))
	if err != nil {
		return nil, err
	}
	o.NoCount = true
	q, err := few.Ask(ctx, []string{name}, nil)
	if err != nil {
		return nil, err
	}
	err = q.Verify(ctx, Verifying{Options: o, Decide: verify.Decide}, func(found *Result) error {
		found.Time += before.Time
		if found.Search != nil {
			found.Search.Queries += before.Queries
			found.Search.Search = "" // of so many rounds, whose shapes are not counted
			found.Search.Because = append(found.Search.Because, before.Because...)
		}
		out = found
		return nil
	})
	return out, err
}

// mostRefuted is in how many rounds a violation is looked for of what depends on whose turn it is.
const mostRefuted = 3

// refute looks for a violation in the first rounds where the automaton of one does not exclude it.
func (m *roundsText) refute(ctx context.Context, unknown *Result, r *rounds.Result, after bool,
	o verify.Options) (*Result, error) {
	first := r.Suspect
	if after {
		first = 1
	}
	last := min(max(first+1, 2), mostRefuted)
	why := fmt.Sprintf("; no violation was found in the first %d rounds", last)
	enough := func(count int, found *Result) bool {
		if found.Verdict == verdict.Unknown {
			why = fmt.Sprintf("; of %d rounds: %s", count, found.Reason)
		}
		return found.Verdict == verdict.Unknown
	}
	violated, err := m.unroll(ctx, min(first, last), last, unknown.Spec, r, o, enough)
	if violated != nil || err != nil {
		return violated, err
	}
	unknown.Reason += why
	r.Reason = unknown.Reason
	return unknown, nil
}

// stuck looks for fair runs of the first rounds in which a process stays in a round for ever, and does not come to
// where all should come almost surely: coins do not help it. In the automaton of a round there is such a run.
func (m *roundsText) stuck(ctx context.Context, unknown *Result, r *rounds.Result,
	o verify.Options) (*Result, error) {
	because := r.Because
	if r.Verdict == verdict.Violated {
		r.Verdict, r.Witness = verdict.Unknown, nil
		r.Reason = "in the automaton of the first round there is a fair run in which a process never comes to its end"
		unknown.Verdict, unknown.Reason = r.Verdict, r.Reason
	}
	r.Because = nil
	within, stop := context.WithTimeout(ctx, timeForInstances)
	defer stop()
	violated, err := m.unroll(within, 1, mostRefuted, unknown.Spec, r, o,
		func(int, *Result) bool { return false })
	if violated != nil || err != nil && within.Err() == nil {
		return violated, err
	}
	r.Because = because
	return unknown, nil
}

// Parameters are those of the text, and how many rounds there are.
func (m *roundsText) Parameters() []Parameter {
	few, err := m.unrolled(m.r.Unrolled(defaultRounds))
	if err != nil {
		return nil
	}
	list := slices.DeleteFunc(few.Parameters(), func(p Parameter) bool { return m.hidden(p.Name) })
	return append(list, Parameter{Name: roundsParameter, Value: big.NewInt(defaultRounds)})
}

// hidden reports whether a parameter is one of unrolled texts only: what the common coin says in a round, or whether a
// coordinator is faulty.
func (m *roundsText) hidden(name string) bool { return !m.r.Declares(name) }

const (
	defaultRounds   = 2
	mostRounds      = 12
	roundsParameter = "rounds"
)

// Instance is one with a bound on rounds: with --set rounds=3, processes stop after three.
func (m *roundsText) Instance(ctx context.Context, set []Setting) (Instance, error) {
	few, count, rest, err := m.bounded(set)
	if err != nil {
		return nil, err
	}
	return m.every(ctx, few, count, rest)
}

// Unrolled implements Unrolling.
func (m *roundsText) Unrolled(set []Setting) (Identified, []Setting, error) {
	few, _, rest, err := m.bounded(set)
	return few, rest, err
}

// bounded is the protocol with as many rounds as settings say, and the other settings.
func (m *roundsText) bounded(set []Setting) (few *sizes, count int, rest []Setting, err error) {
	count = defaultRounds
	for _, s := range set {
		if s.Name == roundsParameter {
			count = int(s.Value)
			continue
		}
		rest = append(rest, s)
	}
	if count < 1 || count > mostRounds {
		return nil, 0, nil, fmt.Errorf("rounds: 1 to %d are explored", mostRounds)
	}
	few, err = m.sized(count, rest, "")
	return few, count, rest, err
}

// sized is the protocol with so many rounds, and processes as settings say: each may be the coordinator of several
// rounds. It has what follows from a property of a name.
func (m *roundsText) sized(count int, set []Setting, name string) (*sizes, error) {
	values := map[string]int64{}
	for _, s := range set {
		values[s.Name] = s.Value
	}
	n, ok := m.r.Size(values)
	if !m.r.Coordinated() || !ok || n > int64(count) || n < 1 {
		return m.unrolled(m.r.UnrolledFor(count, name))
	}
	return m.unrolled(m.r.UnrolledTo(count, int(n)))
}

// every is an instance for everything that the common coins may say, and with coordinators that are faulty or not.
func (m *roundsText) every(ctx context.Context, few *sizes, count int, set []Setting) (_ Instance, err error) {
	out := &roundsInstance{count: count, hidden: m.hidden, beyond: m.unexplored()}
	var open []string
	outcomes := 2
	for _, name := range few.s.Params {
		if m.hidden(name) {
			open = append(open, name)
		}
	}
	if !m.r.Coordinated() {
		outcomes = m.r.Outcomes()
	} else if set, err = m.completions(few, set); err != nil {
		return nil, err
	}
	total := 1
	for range open {
		if total *= outcomes; total > 4096 {
			return nil, fmt.Errorf("the common coins of %d rounds may say more than 4096 things together", count)
		}
	}
	var refused error
	for n := range total {
		mine, rest := slices.Clone(set), n
		for _, name := range open {
			mine = append(mine, Setting{Name: name, Value: int64(rest % outcomes)})
			rest /= outcomes
		}
		x, err := few.Instance(ctx, mine)
		if err != nil && m.r.Coordinated() { // not so many are faulty
			refused = err
			continue
		}
		if err != nil {
			return nil, err
		}
		out.each = append(out.each, x)
	}
	if out.each == nil {
		return nil, refused
	}
	return out, nil
}

// completions completes the parameters of one instance, for each choice of faulty processes in it.
func (m *roundsText) completions(few *sizes, set []Setting) (out []Setting, err error) {
	given := map[string]int64{}
	for _, s := range set {
		given[s.Name] = s.Value
	}
	values, err := few.s.Smallest(given)
	if err != nil {
		return nil, m.wrong(err)
	}
	out = slices.Clone(set)
	for _, name := range few.s.Params {
		if _, known := given[name]; !known && !m.hidden(name) {
			out = append(out, Setting{Name: name, Value: values[name]})
		}
	}
	return out, nil
}

func (m *roundsText) Instances(ctx context.Context, upTo int64) ([]Instance, error) {
	few, err := m.unrolled(m.r.Unrolled(defaultRounds))
	if err != nil {
		return nil, err
	}
	params := m.Parameters()
	params = params[:len(params)-1]
	return combinations(ctx, len(params), upTo, func(values []*big.Int) (Instance, error) {
		var set []Setting
		all := map[string]int64{}
		for i, p := range params {
			set = append(set, Setting{Name: p.Name, Value: values[i].Int64()})
			all[p.Name] = values[i].Int64()
		}
		of, admitted := few, false
		if m.r.Coordinated() {
			if of, err = m.sized(defaultRounds, set, ""); err != nil {
				return nil, err
			}
			_, err := m.completions(of, set)
			admitted = err == nil
		} else {
			for r := 1; r <= defaultRounds && m.r.Outcomes() > 1; r++ {
				all[parametric.CoinName(r)] = 0
			}
			admitted, _ = few.s.Admissible(all)
		}
		if !admitted {
			return nil, nil
		}
		return m.every(ctx, of, defaultRounds, set)
	})
}

// unexplored are the specifications that bounded instances do not have, and why.
func (m *roundsText) unexplored() map[string]string {
	out := map[string]string{}
	for _, sec := range m.f.Sections {
		switch {
		case sec.LTL != nil && sec.LTL.Almost != nil:
			out[sec.LTL.Name.Name] = "what happens almost surely is decided for all sizes, by verify; instances of " +
				"so many rounds are not asked"
		case sec.LTL != nil && sec.LTL.Good:
			out[sec.LTL.Name.Name] = "what all come to when rounds are good at last is decided for all sizes, by " +
				"verify; instances of so many rounds are not asked"
		}
	}
	return out
}

// roundsInstance is an instance with a bound on rounds, for everything that common coins may say.
type roundsInstance struct {
	each   []Instance
	count  int
	hidden func(name string) bool // parameters that are no one's business
	beyond map[string]string      // specifications that no instance has, and why
}

func (x *roundsInstance) Values() []Value {
	list := lists.Keep(x.each[0].Values(), func(v Value) bool { return !x.hidden(v.Name) })
	return append(list, Value{Name: roundsParameter, Value: big.NewInt(int64(x.count))})
}

// Explore decides specifications of states; others are unknown, each with its reason. Where none are named, all of the
// first kind are.
func (x *roundsInstance) Explore(ctx context.Context, specs []string, o Exploring) ([]*Result, error) {
	inside := lists.Keep(specs, func(name string) bool { return x.beyond[name] == "" })
	var found []*Result
	if len(inside) > 0 || len(specs) == 0 {
		var err error
		if found, err = x.explore(ctx, inside, o); err != nil {
			return nil, err
		}
	}
	for i, name := range specs {
		if why := x.beyond[name]; why != "" {
			found = slices.Insert(found, i, &Result{Spec: name, Verdict: verdict.Unknown, Reason: why,
				Space: &Space{Instance: x.Values()}})
		}
	}
	return found, nil
}

func (x *roundsInstance) explore(ctx context.Context, specs []string, o Exploring) ([]*Result, error) {
	var out []*Result
	for i, one := range x.each {
		if i > 0 && ctx.Err() != nil {
			for _, r := range out {
				if r.Verdict == verdict.Holds {
					r.undecided(ctx, ctx.Err())
				}
			}
			return out, nil
		}
		list, err := one.Explore(ctx, specs, o)
		if err != nil {
			return nil, err
		}
		for i, r := range list {
			r.Space.Instance = x.Values()
			if len(out) <= i {
				out = append(out, r)
				continue
			}
			was := out[i]
			space := was.Space
			space.Add(r.Space)
			if was.Verdict != verdict.Violated && verdict.Worst(was.Verdict, r.Verdict) != was.Verdict {
				was = r
			}
			was.Time += r.Time
			was.Space = space
			out[i] = was
		}
	}
	return out, nil
}

// Profile implements Profiled, for the first of what coins may say.
func (x *roundsInstance) Profile(ctx context.Context, specs []string, o Exploring) (*explore.Profile, error) {
	return x.each[0].(Profiled).Profile(ctx, specs, o)
}

// Never implements Observed.
func (x *roundsInstance) Never(ctx context.Context, specs []string, o Exploring) (machine.Observation, bool, error) {
	return inNone(ctx, x.each, specs, o)
}

func (x *roundsInstance) Walk(ctx context.Context, found []*Result) (hand.Subject, error) {
	return x.each[0].Walk(ctx, found)
}

// Replay replays a run of as many rounds as it says to be one of.
func (m *roundsText) Replay(data []byte) (Counterexample, error) {
	set, err := interp.RunConstants(data)
	if err != nil {
		return nil, err
	}
	count := set[parametric.RoundsName]
	if count < 1 || count > mostRounds {
		return nil, fmt.Errorf("the run does not say how many rounds it has (%s, 1 to %d)", parametric.RoundsName,
			mostRounds)
	}
	var values []Setting
	for name, v := range set {
		values = append(values, Setting{Name: name, Value: v})
	}
	f, err := run.Read(run.Protocol, data)
	if err != nil {
		return nil, err
	}
	few, err := m.sized(int(count), values, f.Property)
	if err != nil {
		return nil, err
	}
	return few.Replay(data)
}
