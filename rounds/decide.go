package rounds

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// Specs lists the names of the specifications of an automaton with rounds, those about probability one last.
func Specs(a *ta.Automaton) (names []string) {
	for _, s := range a.Specs {
		names = append(names, s.Name)
	}
	for _, s := range a.Rounds.After {
		names = append(names, s.Name)
	}
	for _, s := range a.Rounds.Almost {
		names = append(names, s.Name)
	}
	return names
}

// Decide decides a specification in all rounds, for all admissible parameters. Its error is a diag.List if the
// automaton has no run at all; running out of time is a result.
func (d *Decider) Decide(ctx context.Context, name string, o verify.Options) (result *Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error while verifying %q, please report: %v\n%s", name, r, debug.Stack())
		}
	}()
	m := d.m
	begin := time.Now()
	ctx, stop := o.Bound(ctx)
	defer stop()
	o.Timeout, o.Memory, o.NoCount = 0, 0, true
	k := &asker{d: d, ctx: ctx, o: o, proof: &Proof{}, result: &verify.Result{Spec: name, Verdict: verify.Holds}}
	out := &Result{Result: k.result}
	err = m.decide(k, name, out)
	var input diag.List
	if err != nil && ctx.Err() != nil && !errors.As(err, &input) {
		err = nil
		k.unknown("%s", smt.Interrupted(ctx))
	}
	k.result.Time = time.Since(begin)
	if k.result.Verdict == verify.Holds {
		out.Proof = k.proof
	}
	return out, err
}

// decide decides a specification by its name.
func (m *machine) decide(k *asker, name string, out *Result) error {
	if spec := m.a.SpecNamed(name); spec != nil {
		return m.safety(k, spec, nil, out)
	}
	if after := m.after(name); after != nil {
		always := &syntax.Expr{Op: syntax.Globally, Args: []*syntax.Expr{after.Formula}, Pos: after.Formula.Pos}
		return m.safety(k, &ta.Spec{Name: name, Formula: always, Pos: after.Pos}, after, out)
	}
	for i := range m.rs.Almost {
		if m.rs.Almost[i].Name == name {
			return m.almost(k, &m.rs.Almost[i], out)
		}
	}
	return nil
}

// Prove shows that a specification holds, by a proof and answers. A question that is answered by an automaton without
// runs is one about nothing that can be. An error that is no Unproved is one of answer, or of the context.
func (d *Decider) Prove(ctx context.Context, name string, p *Proof, answer Answer) error {
	if !slices.Contains(Specs(d.m.a), name) {
		return Unproved(fmt.Sprintf("there is no specification %q", name))
	}
	g := &given{proof: p, answer: answer}
	k := &asker{d: d, ctx: ctx, given: g, result: &verify.Result{Spec: name, Verdict: verify.Holds}}
	if err := d.m.decide(k, name, &Result{Result: k.result}); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return errors.New(smt.Interrupted(ctx))
	case k.why != "":
		return Unproved(k.why)
	case k.result.Verdict != verify.Holds:
		return Unproved(k.result.Reason)
	case p.Division != 0 && !g.divided:
		return Unproved("it says what processes have in common, and nothing asks for that")
	case g.used != len(p.Fixpoints):
		return Unproved("it has more fixpoints than there are claims")
	}
	return nil
}
