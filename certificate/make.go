package certificate

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tacheck/review"
	"tacheck/smt"
	"tacheck/smt/smtlib"
	"tacheck/ta"
	"tacheck/verify"
)

// Request says what to certify.
type Request struct {
	Automaton *ta.Automaton
	Source    string // the text of the model
	Specs     []*ta.Spec
	Options   verify.Options
	Bound     Bound
	Release   string // of this program
	NoProofs  bool   // do not ask solvers for proofs
	NoReview  bool   // do not ask whether what holds does so for a bad reason
}

// ErrNotCertified says that something could not be confirmed; nothing is
// written then.
var ErrNotCertified = errors.New("not certified")

// Make verifies specifications, has the answers confirmed, and writes the
// certificate to a folder that must not exist. report is called with every
// result, and with what confirms it. The error is ErrNotCertified if a verdict
// is unknown, or another solver cannot confirm it.
func Make(ctx context.Context, dir string, q Request, report func(*verify.Result, string) error) error {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s exists already", dir)
	}
	if q.Bound.UpTo < 0 || q.Bound.UpTo > maxUpTo {
		return fmt.Errorf("instances can be explored with parameters from 0 up to %d, not %d", maxUpTo, q.Bound.UpTo)
	}
	solvers, err := confirming(ctx, q.Options.Solver)
	if err != nil {
		return err
	}
	if err := verify.InspectAll(q.Automaton, q.Specs); err != nil {
		return err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	tmp, err := os.MkdirTemp(parent, ".tacheck-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return err
	}
	defer root.Close()
	m := &maker{q: q, out: folder{root}, solvers: solvers}
	if err := m.make(ctx, report); err != nil {
		if ctx.Err() != nil && !errors.Is(err, ErrNotCertified) {
			err = fmt.Errorf("%w: %s", ErrNotCertified, smt.Interrupted(ctx))
		}
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}

type maker struct {
	q     Request
	out   folder
	index index

	solvers []string // that confirm
}

func (m *maker) make(ctx context.Context, report func(*verify.Result, string) error) error {
	for _, s := range m.q.Specs {
		r, how, err := m.spec(ctx, s)
		if err != nil {
			return err
		}
		m.index.Search, m.index.Encode = r.Search, r.Encoding
		if m.index.Solver, err = solverName(ctx, r.Solver); err != nil {
			return err
		}
		if err := report(r, how); err != nil {
			return err
		}
	}
	m.index.Format, m.index.Version, m.index.Release = formatName, formatVersion, textFor(m.q.Release)
	m.index.Model, m.index.Digest = textFor(filepath.Base(m.q.Automaton.File)), digest([]byte(m.q.Source))
	m.index.Plain, m.index.Bound = m.q.Options.NoSimplify, m.q.Bound
	if !m.q.Automaton.Monotone() {
		m.index.Resets = m.q.Options.Events
	}
	text, err := json.MarshalIndent(m.index, "", "  ")
	if err != nil {
		return err
	}
	if err := m.out.write(modelFile, []byte(m.q.Source)); err != nil {
		return err
	}
	if err := m.out.write(indexFile, append(text, '\n')); err != nil {
		return err
	}
	sums, err := m.out.sums()
	if err != nil {
		return err
	}
	return m.out.write(sumsFile, []byte(sums))
}

// closing is a buffer that can be closed.
type closing struct{ bytes.Buffer }

func (*closing) Close() error { return nil }

// nameless keeps a solver's name out of scripts: nothing that a solver calls itself, or is
// said to, gets to another one.
type nameless struct{ smt.Solver }

func (nameless) Name() string { return "asked by tacheck" }

// recording returns options under which the solver is recorded, and told is called with its
// name.
func recording(o verify.Options, start smt.Factory, told func(string)) (verify.Options, *closing) {
	var script closing
	o.OneSolver = true
	o.Start = func() (smt.Solver, error) {
		s, err := start()
		if err != nil {
			return nil, err
		}
		told(s.Name())
		return smtlib.Record(nameless{s}, &script), nil
	}
	return o, &script
}

// spec verifies one specification and writes its part of the certificate. how
// says what confirms the verdict.
func (m *maker) spec(ctx context.Context, s *ta.Spec) (r *verify.Result, how string, err error) {
	start, err := verify.SolverFactory(m.q.Options)
	if err != nil {
		return nil, "", err
	}
	name := ""
	o, script := recording(m.q.Options, start, func(s string) { name = s })
	if r, err = verify.Decide(ctx, m.q.Automaton, s, o); err != nil {
		return nil, "", err
	}
	if r.Verdict == verify.Holds && !m.q.NoReview {
		begin := time.Now()
		found, err := review.Vacuous(ctx, m.q.Automaton, s, m.q.Options)
		if err != nil {
			return nil, "", err
		}
		r.Review = time.Since(begin)
		r.Warnings = append(r.Warnings, found...)
	}
	switch r.Verdict {
	case verify.Violated:
		text, err := json.MarshalIndent(r.Witness, "", "  ")
		if err != nil {
			return nil, "", err
		}
		m.index.Specs = append(m.index.Specs, spec{Name: s.Name, Verdict: r.Verdict})
		return r, "by the counterexample", m.out.write(witnessFile(s.Name), append(text, '\n'))
	case verify.Unknown:
		return r, "", fmt.Errorf("%w: %s is unknown (%s)", ErrNotCertified, s.Name, r.Reason)
	}
	entry := spec{Name: s.Name, Verdict: r.Verdict, Queries: r.Queries, Solver: textFor(name)}
	if err := m.out.write(queriesFile(s.Name), script.Bytes()); err != nil {
		return nil, "", err
	}
	if err := m.out.write(answersFile(s.Name, "recorded"), lines(smtlib.ReadAnswers(script.Bytes()))); err != nil {
		return nil, "", err
	}
	for _, solver := range m.solvers {
		c, err := m.confirm(ctx, s.Name, solver, script.Bytes())
		if err != nil {
			return nil, "", err
		}
		entry.Confirmed = append(entry.Confirmed, c)
	}
	if entry.Instances, err = explored(ctx, m.q.Automaton, s, m.q.Bound); err != nil {
		return nil, "", err
	}
	m.index.Specs = append(m.index.Specs, entry)
	return r, entry.how(m.q.Bound), nil
}

// how says what confirms a verdict.
func (s spec) how(b Bound) string {
	if s.Verdict == verify.Violated {
		return "by the counterexample"
	}
	var names []string
	for _, c := range s.Confirmed {
		names = append(names, c.Version)
	}
	return fmt.Sprintf("%d queries by %s, again by %s; %s", s.Queries, s.Solver, strings.Join(names, " and "), s.Instances.how(b))
}

func (m *maker) confirm(ctx context.Context, name, solver string, script []byte) (Confirmation, error) {
	limited, cancel := ctx, func() {}
	if limit := m.q.Options.Timeout; limit > 0 {
		limited, cancel = context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s does not answer all queries in %s", solver, limit))
	}
	defer cancel()
	t, err := confirm(limited, solver, script)
	if err != nil {
		return Confirmation{}, fmt.Errorf("%w: %s: %w", ErrNotCertified, name, err)
	}
	c := Confirmation{Solver: solver, Version: textFor(t.Solver)}
	if err := m.out.write(answersFile(name, solver), lines(t.Answers)); err != nil {
		return c, err
	}
	if m.q.NoProofs {
		c.NoProof = "not asked for"
		return c, nil
	}
	proving, stop := ctx, func() {}
	if limit := m.q.Options.Timeout; limit > 0 {
		proving, stop = context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s has no proof after %s", solver, limit))
	}
	defer stop()
	proof, err := prove(proving, solver, script)
	if ctx.Err() != nil {
		return c, ctx.Err()
	}
	if err != nil {
		c.NoProof = textFor(err.Error())
		return c, nil
	}
	c.Proof = proofCommands[solver].format
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err = z.Write([]byte(proof))
	if err = errors.Join(err, z.Close()); err != nil {
		return c, err
	}
	return c, m.out.write(proofFile(name, solver), b.Bytes())
}

func lines(list []string) []byte { return []byte(strings.Join(list, "\n") + "\n") }
