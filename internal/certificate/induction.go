package certificate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tacheck/induct"
	"tacheck/protocol"
	"tacheck/protocol/machine"
	"tacheck/smt"
	"tacheck/smt/smtlib"
	"tacheck/verify"
)

// A proof by induction is certified by itself: a folder with the protocol, and the
// proof, which whoever checks it gives to every solver that is installed. Nothing is
// searched.

const (
	inductionName = "tacheck-induction"
	protocolFile  = "model.ftdp"
)

// induction is certificate.json of a proof by induction.
type induction struct {
	Format    string           `json:"format"`
	Version   int              `json:"version"`
	Release   string           `json:"release"`
	Model     string           `json:"model"`
	Digest    string           `json:"digest"`
	Constants map[string]int64 `json:"constants"`
	Invariant string           `json:"invariant"`
	Implicit  bool             `json:"implicit_crashes"`
	Proof     induct.File      `json:"proof"`
	Confirmed []string         `json:"confirmed"` // solvers that have checked it
}

// MakeInduction has a proof checked by every solver that is installed, and writes
// it to a folder that must not exist. It returns the solvers.
func MakeInduction(ctx context.Context, dir, release string, m *protocol.Model, r *induct.Result) ([]string, error) {
	if _, err := os.Lstat(dir); err == nil {
		return nil, fmt.Errorf("%s exists already", dir)
	}
	solvers := installed()
	if len(solvers) == 0 {
		return nil, errors.New("a certificate needs a second solver: install z3 or cvc5")
	}
	p := m.Lookup(r.Property)
	for _, name := range solvers {
		if _, err := r.Proof.Check(ctx, m, p, r.Options, pipe(name)); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrNotCertified, name, err)
		}
	}
	text := m.Text()
	x := induction{Format: inductionName, Version: formatVersion, Release: release, Model: filepath.Base(m.File), Digest: digest([]byte(text)),
		Constants: map[string]int64{}, Invariant: r.Property, Implicit: r.Options.Implicit, Proof: r.Proof.File(), Confirmed: solvers}
	for _, k := range m.Constants {
		x.Constants[k.Name] = k.Value
	}
	tmp, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), ".tacheck-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	out := folder{root}
	index, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(out.write(protocolFile, []byte(text)), out.write(indexFile, append(index, '\n'))); err != nil {
		return nil, err
	}
	sums, err := out.sums()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(out.write(sumsFile, []byte(sums)), os.Chmod(tmp, 0o755)); err != nil {
		return nil, err
	}
	return solvers, os.Rename(tmp, dir)
}

// isInduction reports whether a folder is a certificate of this kind.
func isInduction(in folder) bool {
	text, err := in.read(indexFile)
	var format struct {
		Format string `json:"format"`
	}
	return err == nil && json.Unmarshal(text, &format) == nil && format.Format == inductionName
}

// checkInduction checks a proof again, with every solver that is installed.
func checkInduction(ctx context.Context, in folder, model string, report func(Checked) error) error {
	recorded, err := in.read(sumsFile)
	if err != nil {
		return rejected("%v", err)
	}
	sums, err := in.sums()
	if err != nil {
		return rejected("%v", err)
	}
	if sums != string(recorded) {
		return rejected("%s", difference(sums, string(recorded)))
	}
	text, err := in.read(indexFile)
	if err != nil {
		return rejected("%v", err)
	}
	var x induction
	if err := decode(text, &x); err != nil {
		return rejected("%s: %v", indexFile, err)
	}
	if x.Version != formatVersion {
		return rejected("%s is not of this version", indexFile)
	}
	source, err := in.read(protocolFile)
	if err != nil {
		return rejected("%v", err)
	}
	switch {
	case digest(source) != x.Digest:
		return rejected("%s is not the protocol that was certified", protocolFile)
	case model != "" && strings.TrimSpace(model) != strings.TrimSpace(string(source)): // a text is kept without what follows its last word
		return rejected("the certificate is about another version of the protocol")
	}
	m, err := protocol.Read(x.Model, string(source), x.Constants)
	if err != nil {
		return rejected("%v", err)
	}
	p := m.Lookup(x.Invariant)
	if p == nil || p.Invariant == nil {
		return rejected("the protocol has no invariant %q", x.Invariant)
	}
	if x.Implicit && !machine.Implicit(m, p) {
		return rejected("crashes must not be left out of this protocol")
	}
	solvers := installed()
	if len(solvers) == 0 {
		return errors.New("no solver is on the PATH: install z3 or cvc5")
	}
	queries := 0
	for _, name := range solvers {
		n, err := x.Proof.Proof().Check(ctx, m, p, protocol.Options{Implicit: x.Implicit}, pipe(name))
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return rejected("%s: %s: %v", x.Invariant, name, err)
		}
		queries = n
	}
	name := x.Model
	if a := m.Assignments(); a != "" {
		name += " (" + a + ")"
	}
	return report(Checked{Model: name, Spec: x.Invariant, Verdict: verify.Holds,
		How: fmt.Sprintf("%d queries for %d lemmas, answered alike by %s", queries, len(x.Proof.Lemmas), strings.Join(solvers, " and "))})
}

// pipe starts a solver of smtlib.Known.
func pipe(name string) smt.Factory {
	return func() (smt.Solver, error) { return smtlib.New(smtlib.Known[name]) }
}
