package model

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"tacheck/internal/verdict"
	"tacheck/protocol"
	"tacheck/protocol/threshold"
	"tacheck/review"
	"tacheck/rounds"
	"tacheck/show/hand"
	"tacheck/ta"
	"tacheck/verify"
)

// roundsText is a protocol for all sizes whose processes go round after round.
type roundsText struct {
	identities
	r *protocol.RoundSource

	auto *Automaton

	once sync.Once
	d    *rounds.Decider
	err  error
}

// openRoundsText opens a protocol with rounds.
func openRoundsText(ctx context.Context, x identities, o Options) (Model, error) {
	r, err := x.f.Rounds()
	if err == nil && !o.Listed {
		err = threshold.CheckRounds(ctx, r)
	}
	if err != nil {
		return nil, x.wrong(err)
	}
	x.what = "a protocol for all sizes, with rounds"
	return &roundsText{identities: x, r: r}, nil
}

func (m *roundsText) Specs() (list []Spec) {
	for _, sec := range m.f.Sections {
		if sec.Invariant == nil && sec.LTL == nil {
			continue
		}
		id, sort := sec.Named(), Formula
		if sec.Invariant != nil {
			sort = Invariant
		}
		list = append(list, Spec{id.Name, id.Place(), sort})
	}
	return list
}

// Automaton is a round.
func (m *roundsText) Automaton(ctx context.Context) (*Automaton, error) {
	if m.auto == nil {
		t, err := threshold.TranslateRounds(ctx, m.r)
		if err != nil {
			return nil, m.wrong(err)
		}
		a, err := newAutomaton(m.file, m.text, t.Text, t.Place)
		if err != nil {
			return nil, err
		}
		if len(t.Inexact) > 0 {
			a.Notes = append(a.Notes, fmt.Sprintf("%s: note: in the automaton, guards of %s say less than the text; no violation rests on that, since counterexamples are played",
				m.file, strings.Join(t.Inexact, ", ")))
		}
		m.auto = a
	}
	return m.auto, nil
}

func (m *roundsText) Ask(ctx context.Context, names []string, fair *review.FairnessOptions) (*Question, error) {
	return askRounds(ctx, m, names, fair)
}

// several is the protocol with so many rounds.
func (m *roundsText) several(count int) (*sizes, error) {
	f := m.r.Unrolled(count)
	s, err := f.Source()
	if err != nil {
		return nil, m.wrong(err)
	}
	return &sizes{identities: identities{base{m.file, m.text, m.what, nil}, f}, s: s}, nil
}

// decideRounds decides a specification by the automaton of a round. What it says to be violated is asked of the
// protocol with that many rounds, and is a run of that.
func (m *roundsText) decideRounds(ctx context.Context, name string, o verify.Options) (*Result, error) {
	a, err := m.Automaton(ctx)
	if err != nil {
		return nil, err
	}
	m.once.Do(func() { m.d, m.err = rounds.NewDecider(a.Automaton) })
	if m.err != nil {
		return nil, a.wrong(m.err)
	}
	r, err := m.d.Decide(ctx, name, o)
	if err != nil {
		return nil, a.wrong(err)
	}
	out := &Result{Spec: name, Verdict: r.Verdict, Reason: r.Reason, Time: r.Time, Search: r.Result, Lacks: r.Lacks}
	if r.Verdict != verdict.Violated {
		return out, nil
	}
	out.Verdict, r.Result.Verdict, r.Result.Witness = verdict.Unknown, verdict.Unknown, nil
	after := slices.ContainsFunc(a.Rounds.After, func(s ta.After) bool { return s.Name == name })
	if !after && a.SpecNamed(name) == nil {
		out.Reason = "in the automaton of the first round there is a fair run in which somebody never comes to its end"
		r.Reason = out.Reason
		return out, nil
	}
	if after {
		r.Rounds-- // the last one is only begun
	}
	few, err := m.several(r.Rounds)
	if err != nil {
		return nil, err
	}
	o.NoCount = true
	q, err := few.Ask(ctx, []string{name}, nil)
	if err != nil {
		return nil, err
	}
	err = q.Verify(ctx, Verifying{Options: o, Decide: verify.Decide}, func(found *Result) error {
		found.Time += r.Time
		if found.Search != nil {
			found.Search.Queries += r.Queries
			found.Search.Because = append(found.Search.Because, r.Because...)
		}
		if found.Verdict == verdict.Holds {
			found.Verdict = verdict.Unknown
			found.Reason = fmt.Sprintf("the automaton of a round says that it is violated within %d rounds, and that of so many rounds that it is not", r.Rounds)
			found.Search.Verdict, found.Search.Reason = found.Verdict, found.Reason
		}
		out = found
		return nil
	})
	return out, err
}

// Parameters are those of the text, and how many rounds there are.
func (m *roundsText) Parameters() []Parameter {
	few, err := m.several(defaultRounds)
	if err != nil {
		return nil
	}
	list := slices.DeleteFunc(few.Parameters(), func(p Parameter) bool { return m.coin(p.Name) })
	return append(list, Parameter{Name: roundsParameter, Value: big.NewInt(defaultRounds)})
}

// coin reports whether a name is that of what the common coin says in a round.
func (m *roundsText) coin(name string) bool {
	return m.r.Outcomes() > 1 && strings.HasPrefix(name, strings.TrimSuffix(protocol.CoinName(0), "0"))
}

const (
	defaultRounds   = 2
	mostRounds      = 12
	roundsParameter = "rounds"
)

// Instance is one with a bound on rounds: with --set rounds=3, processes stop after three.
func (m *roundsText) Instance(ctx context.Context, set []Setting) (Instance, error) {
	count := int64(defaultRounds)
	var rest []Setting
	for _, s := range set {
		if s.Name == roundsParameter {
			count = s.Value
			continue
		}
		rest = append(rest, s)
	}
	if count < 1 || count > mostRounds {
		return nil, fmt.Errorf("rounds: 1 to %d are explored", mostRounds)
	}
	few, err := m.several(int(count))
	if err != nil {
		return nil, err
	}
	return m.coins(ctx, few, int(count), rest)
}

// coins is an instance for everything that the common coins may say.
func (m *roundsText) coins(ctx context.Context, few *sizes, count int, set []Setting) (Instance, error) {
	out := &roundsInstance{count: count}
	k, total := m.r.Outcomes(), 1
	for range count {
		if total *= k; total > 4096 {
			return nil, fmt.Errorf("the common coins of %d rounds may say more than 4096 things together", count)
		}
	}
	for n := range total {
		mine := slices.Clone(set)
		for r, rest := 1, n; r <= count && k > 1; r, rest = r+1, rest/k {
			mine = append(mine, Setting{Name: protocol.CoinName(r), Value: int64(rest % k)})
		}
		x, err := few.Instance(ctx, mine)
		if err != nil {
			return nil, err
		}
		out.each = append(out.each, x)
	}
	return out, nil
}

func (m *roundsText) Instances(ctx context.Context, upTo int64) (list []Instance, err error) {
	few, err := m.several(defaultRounds)
	if err != nil {
		return nil, err
	}
	params := m.Parameters()
	params = params[:len(params)-1]
	err = combinations(ctx, len(params), upTo, func(values []*big.Int) error {
		var set []Setting
		all := map[string]int64{}
		for i, p := range params {
			set = append(set, Setting{Name: p.Name, Value: values[i].Int64()})
			all[p.Name] = values[i].Int64()
		}
		for r := 1; r <= defaultRounds && m.r.Outcomes() > 1; r++ {
			all[protocol.CoinName(r)] = 0
		}
		if ok, _ := few.s.Admissible(all); !ok {
			return nil
		}
		x, err := m.coins(ctx, few, defaultRounds, set)
		list = append(list, x)
		return err
	})
	return list, err
}

// roundsInstance is an instance with a bound on rounds, for everything that common coins may say.
type roundsInstance struct {
	each  []Instance
	count int
}

func (x *roundsInstance) Values() []Value {
	var list []Value
	for _, v := range x.each[0].Values() {
		if !strings.HasPrefix(v.Name, strings.TrimSuffix(protocol.CoinName(0), "0")) && v.Name != protocol.RoundsName {
			list = append(list, v)
		}
	}
	return append(list, Value{Name: roundsParameter, Value: big.NewInt(int64(x.count))})
}

func (x *roundsInstance) Explore(ctx context.Context, specs []string, o Exploring) ([]*Result, error) {
	var out []*Result
	for _, one := range x.each {
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

func (x *roundsInstance) Walk(ctx context.Context, found []*Result) (hand.Subject, error) {
	return x.each[0].Walk(ctx, found)
}

// Replay replays a run of as many rounds as it says to be one of.
func (m *roundsText) Replay(data []byte) (Counterexample, error) {
	set, err := protocol.RunConstants(data)
	if err != nil {
		return nil, err
	}
	count := set[protocol.RoundsName]
	if count < 1 || count > mostRounds {
		return nil, fmt.Errorf("the run does not say how many rounds it has (%s, 1 to %d)", protocol.RoundsName, mostRounds)
	}
	few, err := m.several(int(count))
	if err != nil {
		return nil, err
	}
	return few.Replay(data)
}
