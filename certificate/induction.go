package certificate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

	inductionVersion = 1
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
// it to a folder that must not exist. One of them has to be of another make than the first, which
// has searched. It returns the solvers.
func MakeInduction(ctx context.Context, dir, release, first string, m *protocol.Model, r *induct.Result) ([]string, error) {
	if _, err := os.Lstat(dir); err == nil {
		return nil, fmt.Errorf("%s exists already", dir)
	}
	solvers, err := confirming(ctx, first)
	if err != nil {
		return nil, err
	}
	p := m.Lookup(r.Property)
	for _, name := range solvers {
		if _, err := r.Proof.Check(ctx, m, p, r.Options, pipe(name)); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrNotCertified, name, err)
		}
	}
	text := m.Text()
	x := induction{Format: inductionName, Version: inductionVersion, Release: textFor(release), Model: textFor(filepath.Base(m.File)), Digest: digest([]byte(text)),
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
func checkInduction(ctx context.Context, in *sealed, d Demand, report func(Checked) error) (Summary, error) {
	var x induction
	m, p, err := x.open(in, d)
	if err != nil {
		return Summary{}, err
	}
	solvers, err := answering(ctx)
	if err != nil {
		return Summary{}, err
	}
	queries := 0
	var form *induct.FormError
	for _, name := range solvers {
		n, err := x.Proof.Check(ctx, m, p, protocol.Options{Implicit: x.Implicit}, pipe(name))
		switch {
		case ctx.Err() != nil:
			return Summary{}, context.Cause(ctx)
		case errors.As(err, &form):
			return Summary{}, rejected("%s: %v", p.Name, err)
		case err != nil:
			return Summary{}, unlessFailed(err, "%s: %s: %v", p.Name, name, err)
		}
		queries = n
	}
	how := fmt.Sprintf("by induction of depth %d: %d queries for %d lemmas and %d strengthened guards, answered alike by %s",
		x.Proof.K, queries, len(x.Proof.Lemmas), len(x.Proof.Strengthened), strings.Join(solvers, " and "))
	if len(solvers) == 1 {
		how += " alone"
	}
	if values := m.Differing(); len(values) > 0 {
		how += "; with " + strings.Join(values, ", ")
	}
	if x.Implicit {
		how += "; implicit crashes"
	}
	return Summary{1, len(m.Props)}, report(Checked{File: protocolFile, Spec: p.Name, Verdict: verify.Holds, How: how})
}

// open reads the proof and the protocol, and checks that the proof is one of it.
func (x *induction) open(in *sealed, d Demand) (*protocol.Model, *protocol.Prop, error) {
	if _, err := in.folder.read(sumsFile); err != nil {
		return nil, nil, rejected("%v", err)
	}
	if err := in.index(x); err != nil {
		return nil, nil, err
	}
	if err := in.seal(map[string]bool{indexFile: true, protocolFile: true}); err != nil {
		return nil, nil, err
	}
	for i, name := range x.Confirmed {
		if smtlib.Known[name] == nil || slices.Contains(x.Confirmed[:i], name) {
			return nil, nil, rejected("unknown solver %q", name)
		}
	}
	switch {
	case x.Format != inductionName || x.Version != inductionVersion:
		return nil, nil, rejected("%s is not of this format and version", indexFile)
	case textFor(x.Release) != x.Release || textFor(x.Model) != x.Model:
		return nil, nil, rejected("%s has a text that is none for people", indexFile)
	case len(x.Confirmed) == 0:
		return nil, nil, rejected("no solver has confirmed the proof")
	}
	source, err := in.read(protocolFile)
	if err != nil {
		return nil, nil, err
	}
	// A text is kept without what follows its last word.
	bare := func(text string) string { return strings.TrimRight(text, " \t\r\n") }
	switch {
	case digest(source) != x.Digest:
		return nil, nil, rejected("%s is not the protocol that was certified", protocolFile)
	case d.Model != nil && bare(*d.Model) != bare(string(source)):
		return nil, nil, rejected("the certificate is about another version of the protocol")
	}
	m, err := protocol.Read(protocolFile, string(source), x.Constants)
	if err != nil {
		return nil, nil, rejected("%v", err)
	}
	all := map[string]int64{}
	for _, k := range m.Constants {
		all[k.Name] = k.Value
	}
	p := m.Lookup(x.Invariant)
	switch {
	case !maps.Equal(all, x.Constants):
		return nil, nil, rejected("the certificate does not say what the constants are")
	case p == nil || p.Invariant == nil:
		return nil, nil, rejected("the protocol has no invariant %q", x.Invariant)
	case x.Implicit && !machine.Implicit(m, p):
		return nil, nil, rejected("crashes must not be left out of this protocol")
	}
	return m, p, nil
}

// pipe starts a solver of smtlib.Known.
func pipe(name string) smt.Factory {
	return func() (smt.Solver, error) { return smtlib.New(smtlib.Known[name]) }
}
