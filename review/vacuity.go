package review

import (
	"context"
	"errors"
	"math/big"

	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// need is something a run has to satisfy for a specification to say anything
// about it, with what is wrong if no run does.
type need struct {
	*syntax.Expr
	missing string
}

// needs lists what a run has to satisfy for a specification to say anything about it.
func needs(a *ta.Automaton, spec *ta.Spec) []need {
	x := ltl.Dissect(spec.Formula)
	var list []need
	for _, p := range x.Premises {
		what := "no run satisfies its premise"
		if len(list) > 0 {
			what += " together with those before it"
		}
		list = append(list, need{p, what})
	}
	if x.Trigger != nil {
		list = append(list, need{unary(syntax.Finally, x.Trigger), "what it promises a response to never happens"})
	}
	if infinite, err := verify.Inspect(a, spec); err == nil && infinite {
		list = append(list, need{unary(syntax.Globally, everybody(a, spec)), "no such" + infinitely})
	}
	return list
}

const infinitely = " run is infinite: add self-loops where processes may wait"

// everybody is the condition that the processes of all locations together are not less than none: always true, and in
// the fragment, since no rule changes their number.
func everybody(a *ta.Automaton, spec *ta.Spec) *syntax.Expr {
	all := lists.Map(a.Locations, func(l ta.Name) *syntax.Expr { return &syntax.Expr{Op: syntax.Name, Name: l.Name} })
	sum := all[0]
	if len(all) > 1 {
		sum = &syntax.Expr{Op: syntax.Add, Args: all}
	}
	return &syntax.Expr{Op: syntax.Ge, Pos: spec.Pos, Width: len(spec.Name),
		Args: []*syntax.Expr{sum, {Op: syntax.Number, Num: new(big.Int)}}}
}

func unary(op syntax.Op, arg *syntax.Expr) *syntax.Expr {
	return &syntax.Expr{Op: op, Pos: arg.Pos, Width: arg.Width, Args: []*syntax.Expr{arg}}
}

func conjoin(list []*syntax.Expr) *syntax.Expr {
	if len(list) == 1 {
		return list[0]
	}
	return &syntax.Expr{Op: syntax.And, Pos: list[0].Pos, Width: list[0].Width, Args: list}
}

func conjunction(list []need) *syntax.Expr {
	args := lists.Map(list, func(n need) *syntax.Expr { return n.Expr })
	return conjoin(args)
}

// answer is what is known of whether something happens in some run. If nothing is, as of the zero answer, it neither
// happens nor never does.
type answer struct {
	happens, never bool
	run            *witness.Witness // in which it happens; nil if that is all that is known
	why            string           // neither is known
}

// possible asks whether some run satisfies e.
func possible(ctx context.Context, a *ta.Automaton, what string, e *syntax.Expr, o verify.Options) (answer, error) {
	o.KeepFirst, o.OneSolver, o.Journal, o.Progress = true, true, nil, nil
	o.Search, o.Encoding = "", "" // the fastest: how the verdict was found does not matter
	r, err := verify.Decide(ctx, a, impossible(what, e), o)
	if err != nil {
		return answer{}, err
	}
	return answer{r.Verdict == verify.Violated, r.Verdict == verify.Holds, r.Witness, r.Reason}, nil
}

// impossible is the specification that no run satisfies e.
func impossible(what string, e *syntax.Expr) *ta.Spec {
	return &ta.Spec{Name: what, Formula: unary(syntax.Not, e), Pos: e.Pos}
}

// NeverFires reports whether it is certain that no run fires a rule with the given guard from a location.
func NeverFires(ctx context.Context, a *ta.Automaton, from string, guard *syntax.Expr, o verify.Options) (bool, error) {
	there := &syntax.Expr{Op: syntax.Ge, Pos: guard.Pos, Width: guard.Width, Args: []*syntax.Expr{
		{Op: syntax.Name, Name: from, Pos: guard.Pos}, {Op: syntax.Number, Num: big.NewInt(1), Pos: guard.Pos}}}
	is, err := possible(ctx, a, from+".fires", unary(syntax.Finally, conjoin([]*syntax.Expr{there, guard})), o)
	return is.never, err
}

// Vacuous looks for the reason why a specification that holds says nothing: no run satisfies its premises and has its
// trigger. It returns nil if some run does, and a warning that says where the fault lies otherwise. Errors are as for
// verify.Decide.
func Vacuous(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (diag.List, error) {
	return vacuous(a, spec, func(what string, e *syntax.Expr) (answer, error) {
		return possible(ctx, a, what, e, o)
	})
}

// VacuousFor is Vacuous for the runs with some parameters, all explored. Errors are as for automata.Decide.
func VacuousFor(ctx context.Context, a *ta.Automaton, spec *ta.Spec, params []*big.Int, states int) (diag.List, error) {
	return vacuous(a, spec, func(what string, e *syntax.Expr) (answer, error) {
		x, err := automata.Decide(ctx, a, impossible(what, e), params, states)
		if err != nil {
			return answer{}, err
		}
		return answer{happens: x.Witness != nil, never: x.Witness == nil}, nil
	})
}

func vacuous(a *ta.Automaton, spec *ta.Spec,
	possible func(what string, e *syntax.Expr) (answer, error)) (l diag.List, err error) {
	needs := needs(a, spec)
	if len(needs) == 0 {
		return nil, nil
	}
	ask := func(k int) (answer, error) {
		return possible(spec.Name+".premises", conjunction(needs[:k]))
	}
	is, err := ask(len(needs))
	var outside diag.List
	switch {
	case errors.As(err, &outside): // premises of a form that cannot be decided
		return nil, nil
	case err != nil, is.happens:
		return nil, err
	case !is.never:
		l.Warn(needs[0].Pos, needs[0].Width, "%s may hold only because no run satisfies its premises: not decided (%s)",
			spec.Name, is.why).Open = true
		return l, nil
	}
	if every := needs[len(needs)-1]; every.missing == "no such"+infinitely {
		if is, err = possible(spec.Name+".infinite", every.Expr); err != nil {
			return nil, err
		} else if is.never {
			l.Warn(every.Pos, every.Width, "%s holds for no good reason: %s", spec.Name, "no"+infinitely)
			return l, nil
		}
	}
	// The first k of them are the shortest list that is impossible.
	k := 1
	for ; k < len(needs); k++ {
		if is, err = ask(k); err != nil {
			return nil, err
		}
		if !is.happens {
			break
		}
	}
	last, missing := needs[k-1], needs[k-1].missing
	if !is.happens && !is.never {
		missing = "not decided which of its premises no run satisfies (" + is.why + ")"
	}
	pos, width := last.Pos, last.Width
	if pos.Line == 0 { // an assumption that is not written
		pos, width = spec.Pos, len(spec.Name)
	}
	l.Warn(pos, width, "%s holds for no good reason: %s", spec.Name, missing)
	return l, nil
}

// unneeded reports premises without which a specification holds as well.
func unneeded(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (diag.List, error) {
	x := ltl.Dissect(spec.Formula)
	o.KeepFirst = true
	var l diag.List
	for i, p := range x.Premises {
		rest := append(x.Premises[:i:i], x.Premises[i+1:]...)
		e := x.Claim
		for k := len(rest) - 1; k >= 0; k-- {
			e = implies(rest[k], e)
		}
		r, err := verify.Decide(ctx, a, &ta.Spec{Name: spec.Name + ".without", Formula: e, Pos: spec.Pos}, o)
		var outside diag.List
		switch {
		case errors.As(err, &outside):
		case err != nil:
			return nil, err
		case r.Verdict == verify.Holds:
			l.Hint(p.Pos, p.Width, "%s holds without this premise", spec.Name)
		}
	}
	return l, nil
}

// mentioned lists the locations that a specification speaks of, with the first place where it does.
func mentioned(a *ta.Automaton, e *syntax.Expr, seen map[int]bool, visit func(location int, at *syntax.Expr)) {
	if e.Op == syntax.Name {
		if s, ok := a.Lookup(e.Name); ok && s.Kind == ta.Counter && !seen[s.Index] {
			seen[s.Index] = true
			visit(s.Index, e)
		}
	}
	for _, arg := range e.Args {
		mentioned(a, arg, seen, visit)
	}
}
