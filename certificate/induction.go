package certificate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tacheck/tacheck/internal/spell"

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
var inductions = proofFormat{format: inductionName, version: inductionVersion,
	given: func(protocol.Constant) bool { return true }}

// MakeInduction certifies a proof by induction.
func MakeInduction(ctx context.Context, dir, release, first string, m *protocol.Model,
	r *induct.Result) ([]string, error) {
	return publish(ctx, dir, first, func(solvers []string) (proof, error) {
		x := induction{identify(inductions, release, m, r.Property, r.Options.Implicit, solvers), r.Proof.File()}
		return proof{x, map[string][]byte{protocolFile: []byte(interp.Text(m))}, func(solver string) error {
			_, err := r.Proof.Check(ctx, m, m.Lookup(r.Property), r.Options, pipe(solver))
			return err
		}}, nil
	})
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
	m, p, err := x.open(in, d, inductions, &x)
	if err != nil {
		return Summary{}, err
	}
	queries := 0
	answered, err := alike(ctx, p.Name+": ", func(solver string) error {
		n, err := x.Proof.Check(ctx, m, p, interp.Options{Implicit: x.Implicit}, pipe(solver))
		queries = n
		if errors.As(err, new(*induct.FormError)) {
			return rejected("%s: %v", p.Name, err)
		}
		return err
	})
	if err != nil {
		return Summary{}, err
	}
	how := fmt.Sprintf("by induction of depth %d: %s for %s and %s, %s", x.Proof.K,
		spell.Count(queries, "query", "queries"), spell.Count(len(x.Proof.Lemmas), "lemma", "lemmas"),
		spell.Count(len(x.Proof.Strengthened), "strengthened guard", "strengthened guards"), answered)
	how += x.under(m, func(string) bool { return true })
	return Summary{1, len(m.Props)}, report(Checked{File: protocolFile, Spec: p.Name, Verdict: verify.Holds, How: how})
}

// pipe starts a solver of smtlib.Known.
func pipe(name string) smt.Factory {
	return func() (smt.Solver, error) { return smtlib.New(smtlib.Known[name]) }
}
