package certificate

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Request says what to certify.
type Request struct {
	Question *model.Question // the model, and which of its specifications
	Read     model.Options   // with which its text was read
	Options  verify.Options
	Bound    Bound
	Release  string // of this program
	NoProofs bool   // do not ask solvers for proofs
	NoReview bool   // do not ask whether what holds does so for a bad reason
}

// Make verifies specifications, has the answers confirmed, and writes the certificate to a folder that must not exist.
// report is called with every result, and with what confirms it. The error is ErrNotCertified if a verdict is unknown,
// or another solver cannot confirm it.
//
// Of a model that is verified by an automaton that is made of its text, the text is in the certificate, too.
func Make(ctx context.Context, dir string, q Request, report func(*model.Result, string) error) error {
	if q.Question.Automaton == nil {
		return fmt.Errorf("%w: no automaton can be made of %s", ErrNotCertified, q.Question.Model.File())
	}
	if err := Free(dir); err != nil {
		return err
	}
	if q.Bound.UpTo < 0 || q.Bound.UpTo > maxUpTo {
		return fmt.Errorf("instances can be explored with parameters from 0 up to %d, not %d", maxUpTo, q.Bound.UpTo)
	}
	solvers, err := confirming(ctx, q.Options.Solver)
	if err != nil {
		return err
	}
	if err := verify.InspectAll(q.Question.Automaton.Automaton, q.Question.Asked); err != nil {
		return err
	}
	return wholly(dir, func(out folder) error {
		m := &maker{q: q, out: out, solvers: solvers}
		err := m.make(ctx, report)
		if err != nil && ctx.Err() != nil && !errors.Is(err, ErrNotCertified) {
			return fmt.Errorf("%w: %s", ErrNotCertified, smt.Interrupted(ctx))
		}
		return err
	})
}

type maker struct {
	q     Request
	out   folder
	index index

	solvers []string  // that confirm
	until   time.Time // there is time for what is certified now; zero for no limit
	rounds  map[string]answered
}

func (m *maker) make(ctx context.Context, report func(*model.Result, string) error) error {
	each := m.spec
	if m.q.Question.AboutRounds() {
		each = m.roundsSpec
	}
	for _, name := range m.q.Question.Names() {
		if limit := m.q.Options.Timeout; limit > 0 {
			m.until = time.Now().Add(limit - m.q.Question.Spent)
		}
		r, how, err := each(ctx, name)
		if err != nil {
			return err
		}
		if r.Search.Search != "" || m.index.Search == "" {
			m.index.Search, m.index.Encode, m.index.Solver = r.Search.Search, r.Search.Encoding, r.Search.Solver
		}
		if err := report(r, how); err != nil {
			return err
		}
	}
	if err := m.method(ctx); err != nil {
		return err
	}
	source, err := m.text(ctx)
	if err != nil {
		return err
	}
	m.index.Format, m.index.Version, m.index.Release = formatName, formatVersion, textFor(m.q.Release)
	m.index.Model, m.index.Digest = textFor(filepath.Base(m.q.Question.Model.File())), digest([]byte(source))
	m.index.Plain, m.index.Bound = m.q.Options.NoSimplify, m.q.Bound
	if !m.q.Question.Automaton.Monotone() {
		m.index.Resets = m.q.Options.Events
	}
	if err := m.out.write(modelFile, []byte(source)); err != nil {
		return err
	}
	return m.out.finish(m.index)
}

// spec verifies one specification and writes its part of the certificate. how says what confirms the verdict.
func (m *maker) spec(ctx context.Context, name string) (r *model.Result, how string, err error) {
	var script *closing
	solver, said := "", verify.Unknown // by the automaton
	decide := func(ctx context.Context, a *ta.Automaton, s *ta.Spec, o verify.Options) (*verify.Result, error) {
		start, err := verify.SolverFactory(o)
		if err != nil {
			return nil, err
		}
		recorded, to := recording(o, start, func(s string) { solver = s })
		script = to
		r, err := verify.Decide(ctx, a, s, recorded)
		if err == nil {
			said = r.Verdict
			err = m.review(ctx, a, s, r)
		}
		return r, err
	}
	if r, err = m.q.Question.One(ctx, name, m.q.Options, decide); err != nil {
		return nil, "", err
	}
	switch {
	case r.Verdict == verify.Violated:
		return r, byCounterexample, m.witness(name, r)
	case r.Verdict == verify.Unknown:
		return r, "", fmt.Errorf("%w: %s is unknown (%s)", ErrNotCertified, name, r.Reason)
	case said != verify.Holds:
		return r, "",
			fmt.Errorf("%w: %s holds by a more precise automaton than the one that `tacheck translate` writes: only "+
				"that is certified", ErrNotCertified, name)
	}
	entry := spec{Name: name, Verdict: r.Verdict, Queries: r.Search.Queries, Solver: textFor(solver)}
	if err := m.holds(ctx, &entry, m.q.Question.Automaton.Automaton, m.q.Question.Automaton.Spec(name),
		script.Bytes()); err != nil {
		return nil, "", err
	}
	m.index.Specs = append(m.index.Specs, entry)
	return r, entry.how(m.q.Bound), nil
}

// byCounterexample is what confirms that something is violated.
const byCounterexample = "by the counterexample"

// witness writes a counterexample.
func (m *maker) witness(name string, r *model.Result) error {
	text, err := json.MarshalIndent(r.Counterexample, "", "  ")
	if err != nil {
		return err
	}
	m.index.Specs = append(m.index.Specs, spec{Name: name, Verdict: r.Verdict})
	return m.out.write(witnessFile(name), append(text, '\n'))
}

// holds has the solvers confirm a specification of an automaton, explores instances, and writes all that down.
func (m *maker) holds(ctx context.Context, entry *spec, a *ta.Automaton, s *ta.Spec, script []byte) (err error) {
	if err := m.out.write(queriesFile(entry.Name), script); err != nil {
		return err
	}
	if err := m.out.write(answersFile(entry.Name, "recorded"), lines(smtlib.ReadAnswers(script))); err != nil {
		return err
	}
	for _, another := range m.solvers {
		c, err := m.confirm(ctx, entry.Name, another, script)
		if err != nil {
			return err
		}
		entry.Confirmed = append(entry.Confirmed, c)
	}
	exploring, stop := m.within(ctx, "instances are not explored")
	defer stop()
	if entry.Instances, err = explored(exploring, a, s, m.q.Bound); err != nil && exploring.Err() != nil &&
		ctx.Err() == nil {
		return fmt.Errorf("%w: %s: %w", ErrNotCertified, entry.Name, context.Cause(exploring))
	}
	for i := range entry.Confirmed {
		if err == nil {
			err = m.proof(ctx, entry.Name, &entry.Confirmed[i], script)
		}
	}
	return err
}

// within returns a context that ends when the time for what is certified is up, and then says what has not been done.
func (m *maker) within(ctx context.Context, undone string) (context.Context, context.CancelFunc) {
	if m.until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadlineCause(ctx, m.until, fmt.Errorf("%s in %s", undone, m.q.Options.Timeout))
}

// how says what confirms a verdict.
func (s spec) how(b Bound) string {
	if s.Verdict == verify.Violated {
		return byCounterexample
	}
	names := lists.Map(s.Confirmed, func(c confirmation) string { return c.Version })
	return fmt.Sprintf("%d queries by %s, again by %s; %s", s.Queries, s.Solver, strings.Join(names, " and "),
		s.Instances.how(b))
}

// confirm has another solver answer the queries.
func (m *maker) confirm(ctx context.Context, name, solver string, script []byte) (confirmation, error) {
	limited, stop := m.within(ctx, solver+" does not answer all queries")
	defer stop()
	t, err := confirm(limited, solver, script)
	if err != nil {
		return confirmation{}, fmt.Errorf("%w: %s: %w", ErrNotCertified, name, err)
	}
	c := confirmation{Solver: solver, Version: textFor(t.Solver)}
	return c, m.out.write(answersFile(name, solver), lines(t.Answers))
}

// proof has a solver that confirms the answers prove them, if it can in the time that is left.
func (m *maker) proof(ctx context.Context, name string, c *confirmation, script []byte) error {
	if m.q.NoProofs {
		c.NoProof = "not asked for"
		return nil
	}
	proving, stop := m.within(ctx, c.Solver+" has no proof")
	defer stop()
	proof, err := prove(proving, c.Solver, script)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.NoProof = textFor(err.Error())
		return nil
	}
	c.Proof = proofCommands[c.Solver].format
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err = z.Write([]byte(proof))
	if err = errors.Join(err, z.Close()); err != nil {
		return err
	}
	return m.out.write(proofFile(name, c.Solver), b.Bytes())
}
