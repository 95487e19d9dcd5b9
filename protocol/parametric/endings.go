package parametric

import (
	"slices"

	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// What follows an `if` in which a round ends, or a coin is tossed, belongs to each of its branches: `if c then x := 0;
// else toss x; endif next;` is `if c then x := 0; next; else toss x; next; endif`. The readings of a text with rounds
// are made of rules that are written so.

// endings is one rule whose ends of rounds are looked for.
type endings struct {
	*RoundSource
	rule *ftdp.ProcessRule
	next bool // whether there is a `next` in it
	bad  bool // something was refused
}

// endings puts what rules do into that form, and finds the ways in which they end rounds.
func (r *RoundSource) endings() {
	sec, p := *r.process, *r.process.Process
	p.Rules = nil
	for _, rule := range r.process.Process.Rules {
		p.Rules = append(p.Rules, r.ending(rule))
	}
	sec.Process = &p
	r.File.Sections[slices.Index(r.File.Sections, r.process)] = &sec
	r.process = &sec
}

// ending finds the ways in which a rule ends rounds, and checks that nothing comes after. It returns the rule with what
// follows an `if` in which that happens in each of its branches; statements keep their places.
func (r *RoundSource) ending(rule *ftdp.ProcessRule) *ftdp.ProcessRule {
	e := &endings{RoundSource: r, rule: rule}
	for st := range ftdp.All(rule.Body) {
		e.next = e.next || st.Next
		for _, x := range ftdp.Expressions(st) {
			for name := range x.NamesIn() {
				if name == "crashes" || name == "crashed" {
					r.wrong(x, "who has crashed is not something of a round: it counts in all of them together")
				}
			}
		}
	}
	out := *rule
	// others are refused where readings are read
	if whole := ftdp.Statements(rule.Body); len(whole) == 1 && whole[0].If != nil {
		out.Body = e.list(rule.Body, len(rule.Body))
	}
	r.awaits(rule)
	return &out
}

func (e *endings) refuse(st *ftdp.Statement, format string, args ...any) {
	e.bad = true
	e.Errs.Add(scan.Place(st.Pos), 4, format, args...)
}

// ends reports whether a round ends in a statement, or is about to.
func ends(st *ftdp.Statement) (found bool) {
	for st := range ftdp.All([]*ftdp.Statement{st}) {
		found = found || st.Round() != ""
	}
	return found
}

// list is what a branch does: so many statements of its own, and others that follow its `if`.
func (e *endings) list(list []*ftdp.Statement, own int) []*ftdp.Statement {
	i := slices.IndexFunc(list, ends)
	if i < 0 || e.bad {
		return list
	}
	st, rest := list[i], list[i+1:]
	switch more := ftdp.Statements(rest); {
	case e.rule.Always:
		e.refuse(first(st), "a rule that is taken in rounds that are over, too, does not end a round")
	case st.If != nil:
		return append(slices.Clone(list[:i]), e.spread(st, rest))
	case !st.Next:
		return append(slices.Clone(list[:i+1]), e.toss(st, more)...)
	case len(more) > 0 && slices.Index(list, more[0]) < own:
		e.refuse(more[0], "nothing is done after `next`: the round is over")
	case len(more) > 0:
		e.refuse(more[0], "nothing is done after `next`, which is in line %d, in a branch of the `if` before this: "+
			"the round is over there; what is done in other branches has to be in these", st.Pos.Line)
	default:
		e.site(Site{at: st})
	}
	return list
}

// first is the first statement in one that ends a round.
func first(st *ftdp.Statement) (out *ftdp.Statement) {
	for st := range ftdp.All([]*ftdp.Statement{st}) {
		if out == nil && st.Round() != "" {
			out = st
		}
	}
	return out
}

// spread is an `if` each of whose branches does what follows it, too. Where none is taken, that is all that is done.
func (e *endings) spread(st *ftdp.Statement, rest []*ftdp.Statement) *ftdp.Statement {
	then := func(list []*ftdp.Statement) []*ftdp.Statement {
		return e.list(append(slices.Clone(list), rest...), len(list))
	}
	out := st.Map(same, then)
	if out.If.Else == nil && len(ftdp.Statements(rest)) > 0 {
		out.If.Else = &ftdp.ElseBlock{Pos: st.Pos, Body: &ftdp.Block{List: then(nil)}}
	}
	return out
}

func same(e *ftdp.Expr) *ftdp.Expr { return e }

// toss is what follows a coin: assignments, and the end of the round, which may be that of each branch of the last one.
func (e *endings) toss(st *ftdp.Statement, more []*ftdp.Statement) []*ftdp.Statement {
	rest, next := over(more)
	before := len(e.Errs)
	defer func() { e.bad = e.bad || len(e.Errs) > before }()
	switch {
	case !e.next:
		e.refuse(st, "a coin ends the round: `next;` has to follow it in the same rule, after assignments; what is "+
			"waited for comes before the coin")
	case next == nil:
		e.refuse(st, "a coin ends the round: `next;` has to follow in the same branch, or behind its `endif`, after "+
			"assignments")
	default:
		e.assigns(rest)
		e.site(Site{toss: st.Toss, Coin: st.Coin, Rest: rest, at: st})
		return append(rest, next)
	}
	return more
}

// over are statements without the `next` that they end with, in each branch of the last one perhaps; nil if they do
// not.
func over(list []*ftdp.Statement) (before []*ftdp.Statement, next *ftdp.Statement) {
	if list = ftdp.Statements(list); len(list) == 0 {
		return nil, nil
	}
	before, last := slices.Clone(list[:len(list)-1]), list[len(list)-1]
	if last.Next {
		return before, last
	}
	if last.If == nil || last.If.Else == nil {
		return list, nil
	}
	all := true
	out := last.Map(same, func(list []*ftdp.Statement) []*ftdp.Statement {
		rest, end := over(list)
		if end == nil {
			all = false
			return list
		}
		next = end
		return rest
	})
	if !all {
		return list, nil
	}
	return append(before, out), next
}
