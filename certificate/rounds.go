package certificate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// Of a model with rounds, what holds does so by a proof (rounds.Proof) and by answers to questions about single rounds.
// The questions follow from the model and the proof; each is certified as the specification of an automaton is, and
// once, whichever specifications it is for.

// roundName is how a question about a round is called, by what it asks.
func roundName(a *ta.Automaton, s *ta.Spec) string {
	const length = 32
	return "round_" + digest([]byte(syntax.Format(a.Syntax()) + "\n" + s.Formula.String()))[:length]
}

// roundsSpec verifies a specification about all rounds, and writes its part of the certificate.
func (m *maker) roundsSpec(ctx context.Context, name string) (*model.Result, string, error) {
	r, err := m.q.Question.One(ctx, name, m.q.Options, nil)
	if err != nil {
		return nil, "", err
	}
	switch {
	case r.Verdict == verify.Violated:
		return r, byCounterexample, m.witness(name, r)
	case r.Verdict == verify.Unknown:
		return r, "", fmt.Errorf("%w: %s is unknown (%s)", ErrNotCertified, name, r.Reason)
	case r.Proof == nil:
		return r, "", fmt.Errorf("%w: there is no proof of %s", ErrNotCertified, name)
	}
	d, err := rounds.NewDecider(m.q.Question.Automaton.Automaton)
	if err != nil {
		return nil, "", err
	}
	asked := &askedRounds{}
	err = d.Prove(ctx, name, r.Proof, func(ctx context.Context, a *ta.Automaton, s *ta.Spec,
		o verify.Options) (*verify.Result, error) {
		return m.round(ctx, a, s, asked)
	})
	if unproved, is := errors.AsType[rounds.Unproved](err); is {
		return nil, "", fmt.Errorf("internal error, please report: the proof of %s is none: %w", name, unproved)
	}
	if err != nil {
		return nil, "", err
	}
	m.index.Specs = append(m.index.Specs, spec{Name: name, Verdict: r.Verdict, Rounds: r.Proof})
	return r, asked.how(m.index.Questions, m.q.Bound), nil
}

// askedRounds are the questions of a specification.
type askedRounds []string

func (x *askedRounds) add(name string) { *x = lists.Union(*x, name) }

// how says what confirms a verdict about all rounds.
func (x askedRounds) how(all []spec, b Bound) string {
	queries, of := 0, counted{}
	first, solvers := "", []string(nil)
	for _, q := range all {
		if !slices.Contains(x, q.Name) {
			continue
		}
		queries += q.Queries
		of.add(q.Instances)
		first, solvers = q.Solver, lists.Map(q.Confirmed, func(c confirmation) string { return c.Version })
	}
	return fmt.Sprintf("%d questions about single rounds, %d queries by %s, again by %s; %s", len(x), queries,
		first, strings.Join(solvers, " and "), of.how(b))
}

// round answers a question about a round. If it is answered as it should be, that is confirmed and written.
func (m *maker) round(ctx context.Context, a *ta.Automaton, s *ta.Spec, asked *askedRounds) (*verify.Result, error) {
	name := roundName(a, s)
	if known, ok := m.rounds[name]; ok {
		if known.r == nil || known.r.Verdict == verify.Holds {
			asked.add(name)
		}
		return known.r, known.err
	}
	start, err := verify.SolverFactory(m.q.Options)
	if err != nil {
		return nil, err
	}
	solver := ""
	o := m.q.Options
	if o.Timeout > 0 {
		o.Timeout = max(1, time.Until(m.until))
	}
	recorded, script := recording(o, start, func(s string) { solver = s })
	r, err := verify.Decide(ctx, a, s, recorded)
	_, none := errors.AsType[*verify.NoRuns](err)
	if err != nil && !none {
		return nil, err
	}
	if m.rounds == nil {
		m.rounds = map[string]answered{}
	}
	m.rounds[name] = answered{r, err}
	if !none && r.Verdict != verify.Holds {
		return r, err
	}
	entry := spec{Name: name, Verdict: verify.Holds, Solver: textFor(solver), Queries: 0}
	if r != nil {
		m.index.Search, m.index.Encode, m.index.Solver = r.Search, r.Encoding, r.Solver
		entry.Queries = r.Queries
	}
	if err := m.holds(ctx, &entry, a, s, script.Bytes()); err != nil {
		return nil, err
	}
	m.index.Questions = append(m.index.Questions, entry)
	asked.add(name)
	return r, err
}

// answered is what became of a question about a round.
type answered struct {
	r   *verify.Result
	err error
}

// about checks that the specifications of the index are some of the model's.
func (c *checker) about() error {
	known := map[string]bool{}
	if c.a.Rounds != nil {
		for _, name := range rounds.Specs(c.a.Automaton) {
			known[name] = true
		}
	}
	for _, s := range c.index.Specs {
		_, is := model.SpecNamed(c.m, s.Name)
		if !is || s.Verdict == verify.Holds && c.a.Rounds == nil && c.a.Spec(s.Name) == nil ||
			c.a.Rounds != nil && !known[s.Name] {
			return rejected("the model has no specification %q", s.Name)
		}
		if s.Verdict == verify.Holds && (s.Rounds != nil) != (c.a.Rounds != nil) {
			return rejected("%s: a proof is what it takes where there are rounds, and nowhere else", s.Name)
		}
	}
	if c.a.Rounds == nil && len(c.index.Questions) > 0 {
		return rejected("%s has questions about rounds, and the model has none", indexFile)
	}
	return nil
}

// roundsSpec shows a specification by its proof: the questions that follow from it are those of the certificate.
func (c *checker) roundsSpec(ctx context.Context, s spec, done Checked) (Checked, error) {
	d, err := rounds.NewDecider(c.a.Automaton)
	if err != nil {
		return done, rejected("%v", err)
	}
	asked := &askedRounds{}
	err = d.Prove(ctx, s.Name, s.Rounds, func(ctx context.Context, a *ta.Automaton, spec *ta.Spec,
		_ verify.Options) (*verify.Result, error) {
		return c.round(ctx, a, spec, asked)
	})
	if ctx.Err() != nil {
		return done, context.Cause(ctx)
	}
	if unproved, is := errors.AsType[rounds.Unproved](err); is {
		return done, rejected("%s: the proof is none: %v", s.Name, unproved)
	}
	if err != nil {
		return done, err
	}
	queries, of := 0, counted{}
	for _, name := range *asked {
		q := c.rounds[name]
		queries += q.queries
		of.add(&q.instances)
	}
	done.How = fmt.Sprintf("%d questions about single rounds, %d queries, follow from the model and the proof, and "+
		"are answered alike by %s; %s%s", len(*asked), queries, c.alike, of.how(c.index.Bound), c.index.readWith())
	return done, nil
}

// checkedRound is a question about a round that was checked.
type checkedRound struct {
	recorded  string // its name in the certificate
	r         *verify.Result
	err       error // that there are no runs
	queries   int
	instances counted
}

// round checks what is recorded of a question. Of what is not recorded nothing is known.
func (c *checker) round(ctx context.Context, a *ta.Automaton, of *ta.Spec, asked *askedRounds) (*verify.Result, error) {
	name := roundName(a, of)
	known, ok := c.rounds[name]
	if !ok {
		s, err := c.recorded(ctx, name, a, of)
		if s == nil || err != nil {
			return &verify.Result{Verdict: verify.Unknown, Reason: "it is not recorded"}, err
		}
		r, n, err := c.holds(ctx, *s, a, of)
		if _, none := errors.AsType[*verify.NoRuns](err); err != nil && !none {
			return nil, err
		}
		known = checkedRound{s.Name, r, err, s.Queries, *n}
		c.rounds[name] = known
	}
	asked.add(name)
	return known.r, known.err
}

// recorded is the question of the certificate that is one about a round: the one with its name, or else, since an
// earlier version may have written the round in another way, one with the same queries; nil if there is none.
func (c *checker) recorded(ctx context.Context, name string, a *ta.Automaton, of *ta.Spec) (*spec, error) {
	list := c.index.Questions
	if i := slices.IndexFunc(list, func(s spec) bool { return s.Name == name }); i >= 0 {
		return &list[i], nil
	}
	for i := range list {
		queries, err := c.in.read(queriesFile(list[i].Name))
		if err != nil {
			return nil, err
		}
		_, _, err = c.regenerated(ctx, list[i], a, of, queries)
		if _, none := errors.AsType[*verify.NoRuns](err); err == nil || none {
			return &list[i], nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return nil, nil
}

// superfluous rejects questions about rounds that no specification asks.
func (c *checker) superfluous() error {
	used := map[string]bool{}
	for x := range maps.Values(c.rounds) {
		used[x.recorded] = true
	}
	for _, q := range c.index.Questions {
		if !used[q.Name] {
			return rejected("no specification asks %q", q.Name)
		}
	}
	return nil
}
