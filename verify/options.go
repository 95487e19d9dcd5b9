package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/memory"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/smt/z3"
)

// Options say how to verify. The zero value means the defaults.
type Options struct {
	// Search is lazy (the default), symbolic, incremental or enumerate.
	Search string
	// Encoding is flow (the default) or path.
	Encoding string
	// Solver is z3 (in process, where the build has it), z3-pipe, cvc5, or a command line of a solver that
	// speaks SMT-LIB 2 on its standard streams. The default is DefaultSolver.
	Solver string
	// Start, if set, starts the solver in place of that named by Solver.
	Start smt.Factory
	// With, if set, is a new solver to search with; the caller closes it.
	// Further solvers are started as Start and Solver say.
	With smt.Solver
	// Timeout bounds the time for one specification; 0 means no bound.
	Timeout time.Duration
	// Memory bounds the memory that this process and its solvers use together, in bytes; 0 means no bound. Whatever is
	// being verified when it is exceeded is Unknown.
	Memory uint64
	// Jobs is how many solvers may be at work at once; 0 means 1. All decides as many specifications at once; searches
	// that go by shapes explore as many parts of the tree of shapes at once.
	Jobs int
	// OneSolver keeps a search from starting further solvers.
	OneSolver bool
	// Events is how many firings of rules that reset or decrease variables a counterexample may have;
	// 0 means DefaultEvents.
	Events int
	// Journal, if not nil, remembers which parts of a search are done.
	Journal *Journal
	// Progress, if not nil, is told now and then how far a search by shapes is:
	// shapes checked and pruned of a total, which is nil if it is not known.
	Progress func(checked, pruned, total *big.Int)
	// Elsewhere, if not nil, explores subtrees of searches by shapes on other machines (see Prepare): of the
	// disjunct of the negated specification with this number.
	Elsewhere func(ctx context.Context, disjunct int, s schedule.Subtree) (schedule.Outcome, error)
	// KeepFirst reports the first counterexample that is found, instead of one with small parameters and few steps.
	KeepFirst bool
	// Soon is for interactive use: where an automaton was made of a text, and its counterexample cannot be played,
	// the instance that it is of is explored before others are asked for.
	Soon bool
	// NoSimplify encodes rules that never fire because their source location is never reached, rules that do the same
	// as others, and rules that have nothing to do with the specification, too.
	NoSimplify bool
	// NoCount does not count lasso shapes: for many small questions the number is of no interest.
	NoCount bool
	// Graphs, if not nil, are threshold graphs of the automaton that others need, too: other specifications, and
	// questions whether they hold for a bad reason. What is decided, and what is found, does not depend on who else
	// there is.
	Graphs *cutgraph.Shared
	// Admissible says that it is known already that the automaton has runs.
	Admissible bool
	// DumpSMT is a folder in which to save what the solver is asked, one file a specification; "" means not to.
	DumpSMT string
}

// ByShapes reports whether a search goes by shapes, so that it can be cut into subtrees.
func ByShapes(search string) bool {
	return search == schedule.Incremental.Name() || search == schedule.Enumerate.Name()
}

// Names of the choices that Options has.
var (
	SearchNames   = lists.Map(schedule.Searches, schedule.Search.Name)
	EncodingNames = lists.Map(schedule.Encodings, schedule.Encoding.Name)
	SolverNames   = append([]string{"z3"}, smtlib.Names...)
)

// method is how to verify, resolved from options.
type method struct {
	search   schedule.Search
	encode   schedule.Encoding
	start    smt.Factory
	complete Options // with defaults filled in
}

// DefaultSolver is the solver in process, where the build has it, or else the first known one on the PATH.
func DefaultSolver() string {
	if z3.Available {
		return "z3"
	}
	return append(smtlib.Installed(), smtlib.Names[0])[0]
}

// resolve fills in defaults and checks the choices.
func (o Options) resolve() (method, error) {
	m := method{}
	if o.Search == "" {
		o.Search = SearchNames[0]
	}
	if o.Encoding == "" {
		o.Encoding = EncodingNames[0]
	}
	if o.Solver == "" {
		o.Solver = DefaultSolver()
	}
	for _, s := range schedule.Searches {
		if s.Name() == o.Search {
			m.search = s
		}
	}
	for _, e := range schedule.Encodings {
		if e.Name() == o.Encoding {
			m.encode = e
		}
	}
	switch {
	case m.search == nil:
		return m, fmt.Errorf("unknown search %q (have %s)", o.Search, strings.Join(SearchNames, ", "))
	case m.encode == nil:
		return m, fmt.Errorf("unknown encoding %q (have %s)", o.Encoding, strings.Join(EncodingNames, ", "))
	}
	start := o.Start
	if start == nil {
		start = solverFactory(o.Solver)
	}
	m.complete = o
	m.start = func() (smt.Solver, error) {
		s, err := start()
		if err != nil {
			return nil, fmt.Errorf("solver %s: %w", o.Solver, err)
		}
		return s, nil
	}
	return m, nil
}

// solverFactory starts a solver by name or command line.
func solverFactory(name string) smt.Factory {
	if name == "z3" {
		return z3.New
	}
	command, known := smtlib.Known[name]
	if !known {
		command = strings.Fields(name)
	}
	return func() (smt.Solver, error) { return smtlib.New(command) }
}

// Bound returns a context that ends when the limits on time or memory are reached. What was under way is Unknown then.
func (o Options) Bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := memory.Limit(ctx, o.Memory)
	if o.Timeout <= 0 {
		return ctx, stop
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	return ctx, func() { cancel(); stop() }
}

// record has what the solver is asked saved if that is wanted, until done is called.
func (m method) record(s smt.Solver, automaton, spec string) (_ smt.Solver, done func() error, err error) {
	if m.complete.DumpSMT == "" {
		return s, func() error { return nil }, nil
	}
	w, err := createDump(m.complete.DumpSMT, automaton+"."+spec+".smt2")
	if err != nil {
		return nil, nil, err
	}
	r := smtlib.Record(lent{s}, w)
	return r, r.Close, nil
}

// dump is a file that is written as the solver is asked: what it was asked before the program dies is in it. It is
// removed if it cannot be written.
type dump struct {
	file *os.File
	err  error
}

func createDump(dir, name string) (io.WriteCloser, error) {
	if err := save.Folder(dir); err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(dir, name))
	return &dump{file: f}, err
}

func (d *dump) Write(p []byte) (int, error) {
	n, err := d.file.Write(p)
	d.err = errors.Join(d.err, err)
	return n, err
}

func (d *dump) Close() error {
	d.err = errors.Join(d.err, d.file.Close())
	if d.err != nil {
		return errors.Join(d.err, os.Remove(d.file.Name()))
	}
	return nil
}

// SolverFactory returns what starts the solver that o names, or an error if a choice in o is not known.
func SolverFactory(o Options) (smt.Factory, error) {
	m, err := o.resolve()
	return m.start, err
}

// lent is a solver that the caller closes.
type lent struct{ smt.Solver }
