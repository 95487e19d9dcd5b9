package ta

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta/syntax"
)

// effect is what the actions of a rule say.
type effect struct {
	adds   Linear
	resets []Reset
	asks   *Cond // what they demand of the variables besides: true, unless they contradict each other
}

// action is what one action says of a variable: x' == value, or x' == x + value.
type action struct {
	pos   diag.Pos
	reset bool
	value linear.Int
}

// update reads the actions of a rule: x' == x + c, x' == c, with == or :=, and unchanged(x).
//
// Actions are demands on the next values, all of which have to be met. Where two say different
// things of a variable, the rule can fire only where these are the same thing: x' == x + 1 with
// unchanged(x) nowhere, x' == 0 with unchanged(x) where x is 0.
func (r *resolver) update(s *syntax.Rule) (out effect, ok bool) {
	ok, out.asks = true, True
	seen := map[string]action{}
	var order []*syntax.Ident
	say := func(id *syntax.Ident, now action) {
		now.pos = id.Position()
		first, again := seen[id.Name]
		if !again {
			seen[id.Name] = now
			order = append(order, id)
			return
		}
		if first.reset == now.reset && first.value.Equal(now.value) {
			e := r.a.Warnings.Warn(now.pos, len(id.Name), "rule %s says twice what happens to %q", s.ID, id.Name)
			e.Notes = append(e.Notes, diag.Note{Pos: first.pos, Msg: "first here"})
			return
		}
		out.asks = And(out.asks, r.contradiction(s, id, first, now))
		if now.reset && !first.reset {
			seen[id.Name] = now
		}
	}
	for _, act := range s.Actions {
		if act.Unchanged != nil {
			for _, id := range act.Unchanged.Names {
				if r.shared(id) {
					say(id, action{})
				} else {
					ok = false
				}
			}
			continue
		}
		if now, fine := r.action(s, act.Update); fine {
			say(act.Update.Var, now)
		} else {
			ok = false
		}
	}
	for _, id := range order {
		x, now := r.a.names[id.Name], seen[id.Name]
		if now.reset {
			out.resets = append(out.resets, Reset{x.Index, now.value.Big()})
		} else {
			out.adds = out.adds.AddScaled(now.value, Var(x))
		}
	}
	slices.SortFunc(out.resets, func(a, b Reset) int { return a.Shared - b.Shared })
	return out, ok
}

// contradiction warns of two actions that say different things of a variable, and returns where they are the same.
func (r *resolver) contradiction(s *syntax.Rule, id *syntax.Ident, first, now action) *Cond {
	cond, when := False, "never fires"
	if first.reset != now.reset {
		at := first.value.Sub(now.value)
		if now.reset {
			at = at.Neg()
		}
		if at.Sign() >= 0 {
			cond = AtomCond(Atom{Linear: Var(r.a.names[id.Name]).Sub(Number(at)), Rel: EQ, Pos: now.pos,
				Width: len(id.Name)})
			when = "fires only where it is " + at.String()
		}
	}
	e := r.a.Warnings.Warn(now.pos, len(id.Name), "rule %s says two things of what happens to %q, so it %s", s.ID,
		id.Name, when)
	e.Notes = append(e.Notes, diag.Note{Pos: first.pos, Msg: "first here"})
	return cond
}

// action reads x' == value.
func (r *resolver) action(s *syntax.Rule, u *syntax.Update) (now action, ok bool) {
	known := r.shared(u.Var)
	value, ok := r.linear(u.Value, anything)
	if !known || !ok {
		return now, false
	}
	name := u.Var.Name
	delta := value.Sub(Var(r.a.names[name]))
	switch {
	case value.IsConst() && value.Const().Sign() >= 0:
		return action{reset: true, value: value.Const()}, true
	case value.IsConst():
		r.errs.Add(u.Var.Position(), len(name), "rule %s sets %q to %s: shared variables are natural numbers", s.ID,
			name, value.Const())
		return now, false
	case !delta.IsConst():
		r.errs.Add(u.Var.Position(), len(name),
			"rule %s assigns %q something other than %s plus a constant, or a constant", s.ID, name, name)
		return now, false
	}
	return action{value: delta.Const()}, true
}
