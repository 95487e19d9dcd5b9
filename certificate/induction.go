package certificate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/verify"
)

// A proof by induction is certified by itself: a folder with the protocol, and the proof, which the checker gives
// to every solver that is installed. Nothing is searched.

const (
	inductionName = "tacheck-induction"
	protocolFile  = "model.ftdp"

	inductionVersion = 1
)

// induction is certificate.json of a proof by induction.
type induction struct {
	identified
	Proof induct.File `json:"proof"`
}

// inductions are certificates of proofs for the values of all constants.
var inductions = of{format: inductionName, version: inductionVersion,
	given: func(protocol.Constant) bool { return true }}

// MakeInduction has a proof checked by every solver that is installed, and writes it to a folder that must not exist.
// One of them has to be of another make than the first, which has searched. It returns the solvers.
func MakeInduction(ctx context.Context, dir, release, first string, m *protocol.Model,
	r *induct.Result) ([]string, error) {
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
	x := induction{identify(inductions, release, m, r.Property, r.Options.Implicit, solvers), r.Proof.File()}
	return solvers, writeFolder(dir, x, map[string][]byte{protocolFile: []byte(interp.Text(m))})
}

// formatOf is the format that the index of a folder says it has; "" if it says none.
func formatOf(in folder) string {
	text, err := in.read(indexFile)
	var format struct {
		Format string `json:"format"`
	}
	if err != nil || json.Unmarshal(text, &format) != nil {
		return ""
	}
	return format.Format
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
		n, err := x.Proof.Check(ctx, m, p, interp.Options{Implicit: x.Implicit}, pipe(name))
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
	how := fmt.Sprintf("by induction of depth %d: %s for %s and %s, answered alike by %s", x.Proof.K,
		counted(queries, "query", "queries"),
		counted(len(x.Proof.Lemmas), "lemma", "lemmas"), counted(len(x.Proof.Strengthened), "strengthened guard",
			"strengthened guards"), strings.Join(solvers, " and "))
	if len(solvers) == 1 {
		how += " alone"
	}
	if values := m.Differing(func(string) bool { return true }); len(values) > 0 {
		how += "; with " + strings.Join(values, ", ")
	}
	if x.Implicit {
		how += "; implicit crashes"
	}
	return Summary{1, len(m.Props)}, report(Checked{File: protocolFile, Spec: p.Name, Verdict: verify.Holds, How: how})
}

// open reads the proof and the protocol, and checks that the proof is one of it.
func (x *induction) open(in *sealed, d Demand) (*protocol.Model, *protocol.Prop, error) {
	if err := in.begin(x, map[string]bool{indexFile: true, protocolFile: true}); err != nil {
		return nil, nil, err
	}
	return x.identified.open(in, d, inductions)
}

// pipe starts a solver of smtlib.Known.
func pipe(name string) smt.Factory {
	return func() (smt.Solver, error) { return smtlib.New(smtlib.Known[name]) }
}
