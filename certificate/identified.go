package certificate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/smtlib"
)

// identified is what all certificates of protocols with identities say, in certificate.json.
type identified struct {
	Format    string           `json:"format"`
	Version   int              `json:"version"`
	Release   string           `json:"release"`
	Model     string           `json:"model"`
	Digest    string           `json:"digest"`
	Constants map[string]int64 `json:"constants"` // the values for which it is proved
	Invariant string           `json:"invariant"`
	Implicit  bool             `json:"implicit_crashes"`
	Confirmed []string         `json:"confirmed"` // solvers that have checked the proof
}

// identify says what a proof is of.
func identify(kind proofFormat, release string, m *protocol.Model, invariant string, implicit bool,
	solvers []string) identified {
	return identified{kind.format, kind.version, textFor(release), textFor(filepath.Base(m.File)),
		digest([]byte(interp.Text(m))), kind.constants(m), invariant, implicit, solvers}
}

// proofFormat is a format of certificates of protocols with identities.
type proofFormat struct {
	format  string
	version int
	before  int                          // an older version that is accepted, too; 0 for none
	given   func(protocol.Constant) bool // the constants that have a value
	assumes bool                         // what is assumed of sizes is said with the verdict: the text need not say it
}

// constants are the values that a certificate says.
func (f proofFormat) constants(m *protocol.Model) map[string]int64 {
	all := map[string]int64{}
	for _, k := range m.Constants {
		if f.given(k) {
			all[k.Name] = k.Value
		}
	}
	return all
}

// open reads an index, which x is a part of, and the protocol, and checks that it is the one that was certified. There
// are these files besides.
func (x *identified) open(in *sealed, d Demand, kind proofFormat, index any,
	files ...string) (*protocol.Model, *protocol.Prop, error) {
	if err := in.begin(index, append(files, protocolFile)...); err != nil {
		return nil, nil, err
	}
	if x.Format != kind.format || x.Version != kind.version && (x.Version != kind.before || kind.before == 0) {
		return nil, nil, rejected("%s is not of this format and version", indexFile)
	}
	if err := confirmed(x.Confirmed, x.Release, x.Model); err != nil {
		return nil, nil, err
	}
	source, err := in.read(protocolFile)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case digest(source) != x.Digest:
		return nil, nil, rejected("%s is not the protocol that was certified", protocolFile)
	case d.Model != nil && bare(*d.Model) != bare(string(source)) &&
		!(kind.assumes && assumes(*d.Model, string(source))):
		return nil, nil, rejected("the certificate is about another version of the protocol")
	}
	m, err := instantiate.Read(protocolFile, string(source), x.Constants)
	if err != nil {
		return nil, nil, rejected("%v", err)
	}
	p := m.Lookup(x.Invariant)
	switch {
	case !maps.Equal(kind.constants(m), x.Constants):
		return nil, nil, rejected("the certificate does not say what the constants are")
	case p == nil || p.Invariant == nil:
		return nil, nil, rejected("the protocol has no invariant %q", x.Invariant)
	case x.Implicit && !machine.Implicit(m, p):
		return nil, nil, rejected("crashes must not be left out of this protocol")
	}
	return m, p, nil
}

// proof is what is certified: the index and the other files of its folder, and how a solver confirms it.
type proof struct {
	index any
	files map[string][]byte
	ask   func(solver string) error
}

// Free is an error if a certificate cannot be written to a folder, which has to be new.
func Free(dir string) error {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s exists already", dir)
	}
	return nil
}

// publish has a proof confirmed by every solver that is installed, one of another make than the first among them, and
// writes it to a folder that must not exist. It returns the solvers.
func publish(ctx context.Context, dir, first string, prepare func(solvers []string) (proof, error)) ([]string, error) {
	if err := Free(dir); err != nil {
		return nil, err
	}
	solvers, err := confirming(ctx, first)
	if err != nil {
		return nil, err
	}
	p, err := prepare(solvers)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotCertified, err)
	}
	for _, name := range solvers {
		if err := p.ask(name); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrNotCertified, name, err)
		}
	}
	return solvers, writeFolder(dir, p.index, p.files)
}

// alike has every solver that is installed confirm a proof again, and says who did. about begins what is said of one
// that does not.
func alike(ctx context.Context, about string, ask func(solver string) error) (string, error) {
	solvers, err := answering(ctx)
	if err != nil {
		return "", err
	}
	for _, name := range solvers {
		err := ask(name)
		switch {
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case errors.As(err, new(*RejectedError)):
			return "", err
		case err != nil:
			return "", unlessFailed(err, "%s%s: %v", about, name, err)
		}
	}
	said := "answered alike by " + strings.Join(solvers, " and ")
	if len(solvers) == 1 {
		said += " alone"
	}
	return said, nil
}

// under says for which values of constants a proof is, where the text has others, and whether crashes are left out.
func (x identified) under(m *protocol.Model, said func(constant string) bool) (text string) {
	if values := m.Differing(said); len(values) > 0 {
		text = "; with " + strings.Join(values, ", ")
	}
	if x.Implicit {
		text += "; implicit crashes"
	}
	return text
}

// confirmed checks the names that an index has: each solver is known, and there once.
func confirmed(solvers []string, texts ...string) error {
	for i, name := range solvers {
		if smtlib.Known[name] == nil || slices.Contains(solvers[:i], name) {
			return rejected("unknown solver %q", name)
		}
	}
	switch {
	case slices.ContainsFunc(texts, func(s string) bool { return textFor(s) != s }):
		return rejected("%s has a text that is none for people", indexFile)
	case len(solvers) == 0:
		return rejected("no solver has confirmed the proof")
	}
	return nil
}

// bare is a text without what follows its last word, as texts are kept.
func bare(text string) string { return strings.TrimRight(text, " \t\r\n") }

// assumes reports whether a text is a given one that assumes nothing, with what "induct --all-sizes" adds to such a
// text.
func assumes(given, text string) bool {
	rest, ok := strings.CutPrefix(text, bare(given))
	if !ok {
		return false
	}
	m, err := instantiate.Read(protocolFile, given, nil)
	f, wrong := ftdp.Parse(protocolFile, text)
	if err != nil || wrong != nil {
		return false
	}
	said := f.Sections[len(f.Sections)-1].Assume
	return bare(strings.TrimLeft(rest, " \t\r\n")) == protocol.Assumption(said) && induct.Unassumed(m, said)
}
