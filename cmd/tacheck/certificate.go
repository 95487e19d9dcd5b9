package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/certificate"
	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/cluster/work"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/verify"
)

// certify verifies specifications and writes a certificate.
func (c *command) certify(q *model.Question, f verifyFlags, w *terminal.Watch, each func(*model.Result) error) error {
	if f.fair {
		return errors.New("--certify certifies specifications as they stand in the model: write the assumption that " +
			"--fair derives there")
	}
	bound := certificate.DefaultBound
	bound.UpTo = f.bound
	read, err := c.reading()
	if err != nil {
		return err
	}
	request := certificate.Request{Question: q, Read: read, Options: f.Options, Bound: bound, Release: release,
		NoProofs: f.noProofs, NoReview: f.noReview}
	told, err := c.told(q, f)
	if err != nil {
		return err
	}
	err = certificate.Make(c.ctx, f.certify, request, func(r *model.Result, how string) error {
		if there := told[r.Spec].verdict; there != "" && there != verify.Unknown && there != r.Verdict {
			return fmt.Errorf("in the cluster %s is said to be %q, and it is %q: results are forged", r.Spec,
				there, r.Verdict)
		}
		if err := each(r); err != nil || f.format.Quiet || f.format.Name != "text" {
			return err
		}
		return c.say("  confirmed: %s\n", how)
	})
	if err != nil && q.Automaton != nil {
		return q.Automaton.Wrong(err)
	}
	if err != nil {
		return err
	}
	if err := c.tell(told, f); err != nil || f.format.Quiet || f.format.Name != "text" {
		return err
	}
	w.End()
	return c.say("%s: written\n", record.Name(filepath.Clean(f.certify)))
}

// toldOf is what is said of a specification in a cluster.
type toldOf struct {
	verdict verdict.Verdict
	from    cluster.Origin
}

// told asks what is said of specifications in a cluster, if there is one.
func (c *command) told(of *model.Question, f verifyFlags) (map[string]toldOf, error) {
	out := map[string]toldOf{}
	if f.session == nil || of.Automaton == nil {
		return out, nil
	}
	m := of.Automaton
	if m.Generated {
		return nil,
			fmt.Errorf("%s is %s: what a cluster says of its automaton is not said of the text; leave out --cluster, "+
				"or certify what `tacheck translate` writes", of.Model.File(), of.Model.What())
	}
	for _, spec := range of.Asked {
		q, err := work.Ask(m.Automaton, spec.Name, nil, f.Options)
		if err != nil {
			return nil, err
		}
		r, from, err := work.Decide(c.ctx, f.session.Run, m.Automaton, m.Text(), spec,
			work.Asked{Question: q, Review: !f.noReview})
		if err != nil {
			return nil, err
		}
		out[spec.Name] = toldOf{r.Verdict, from}
	}
	return out, nil
}

// tell tells the cluster which certificate there is now.
func (c *command) tell(told map[string]toldOf, f verifyFlags) error {
	if len(told) == 0 {
		return nil
	}
	sums, err := os.ReadFile(filepath.Join(f.certify, "SHA256SUMS"))
	if err != nil {
		return err
	}
	digest := sha256.Sum256(sums)
	for _, x := range told {
		if x.verdict == verify.Unknown {
			continue
		}
		if err := f.session.Certify(c.ctx, x.from, hex.EncodeToString(digest[:])); err != nil {
			return err
		}
	}
	return nil
}

func (c *command) checkCertificate() *cobra.Command {
	demand := certificate.Demand{Bound: certificate.DefaultBound}
	cmd := &cobra.Command{
		Use:   "check-certificate FOLDER [MODEL]",
		Short: "Check a certificate without trusting who made it",
		Long: `Check a certificate that verify or induct has written with --certify, without trusting the
run that made it. Its questions have to follow from the model, and every solver on the PATH
(z3, cvc5) has to answer them alike. Instances are explored again, counterexamples replayed.
If MODEL is given, the certificate must be about its text; blanks at the end do not count.

Exit code: 0 accepted, 1 rejected, 2 it cannot be read, or a solver fails, 3 interrupted.`,
		Example: `  tacheck check-certificate proof
  tacheck check-certificate proof rb.ta --up-to 3`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			if demand.Bound.UpTo < 0 {
				return errors.New("--up-to has to be at least 0")
			}
			var err error
			if demand.Read, err = c.reading(); err != nil {
				return err
			}
			name := ""
			if len(args) == 2 {
				text, err := c.read(args[1])
				if err != nil {
					return err
				}
				demand.Model, name = &text, args[1]
			}
			return c.runCheckCertificate(args[0], name, demand)
		},
	}
	cmd.Flags().Int64Var(&demand.Bound.UpTo, "up-to", demand.Bound.UpTo,
		"demand that instances with parameters up to this `number` were explored")
	return cmd
}

// runCheckCertificate checks a certificate; name is what the model is called in the output: as
// it was given, or else by its place in the folder. The certificate has no say in that.
func (c *command) runCheckCertificate(dir, name string, demand certificate.Demand) error {
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	w, at := c.watch(1, "certificate"), record.Name(dir)
	sum, err := certificate.Check(c.ctx, dir, demand, func(x certificate.Checked) error {
		model := name
		if model == "" {
			model = filepath.Join(dir, x.File)
		}
		return w.Next(func() error {
			return c.say("%s: %s  %s: %s\n", record.Name(model), x.Spec, x.Verdict, x.How)
		})
	})
	w.End()
	var bad *certificate.RejectedError
	switch {
	case errors.As(err, &bad):
		c.outcome(verdict.Violated)
		return c.say("%s: rejected: %v\n", at, bad)
	case err != nil && c.ctx.Err() != nil:
		c.outcome(verdict.Unknown)
		return c.say("%s: not checked: %s\n", at, smt.Interrupted(c.ctx))
	case err != nil:
		return err
	}
	part := ""
	if sum.Certified < sum.Specs {
		part = fmt.Sprintf(", for %d of the %d specifications of the model", sum.Certified, sum.Specs)
	}
	return c.say("%s: accepted%s\n", at, part)
}
