package story

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// Conditions are walked in one way, whether for what they read, for what is said of them, or for whom they are about:
// a claim is taken apart into claims about its parts, down to facts, and of these those count that it follows from.

// part is a part of a formula, for values of the variables that are bound outside.
type part struct {
	t     *protocol.Term
	frame []int32
	over  []*protocol.Term // quantifiers around it, of a condition that was taken apart
	any   bool             // it is enough for some of their values
}

// claim says that a part has a value.
type claim = run.Claim[part]

// split takes a claim about a state apart.
func split(e *protocol.Evaluation, c claim) (run.Shape, []claim) {
	p, t, want := c.Part, c.Part.t, c.Want
	of := func(t *protocol.Term, want bool) claim {
		return claim{Part: part{t: t, frame: p.frame, over: p.over}, Want: want, Premise: c.Premise}
	}
	is := func(t *protocol.Term) bool {
		e.Frame = slices.Clone(p.frame)
		return e.Truth(t)
	}
	if cond, then, other := t.Either(); cond != nil {
		if holds := is(cond); holds {
			return run.All, []claim{of(cond, true), of(then, want)}
		}
		return run.All, []claim{of(cond, false), of(other, want)}
	}
	switch t.Op {
	case ftdp.Not:
		return run.All, []claim{of(t.Args[0], !want)}
	case ftdp.And, ftdp.Or:
		return run.Junction(t.Op == ftdp.And, want),
			lists.Map(t.Args, func(a *protocol.Term) claim { return of(a, want) })
	case ftdp.Implies:
		right := of(t.Args[1], want)
		right.Premise = c.Premise && want
		return run.Junction(false, want), []claim{of(t.Args[0], !want), right}
	case ftdp.Iff:
		left := is(t.Args[0])
		return run.All, []claim{of(t.Args[0], left), of(t.Args[1], left == want)}
	case ftdp.ForAll, ftdp.Exists:
		var list []claim
		e.Frame = slices.Clone(p.frame)
		e.Each(t.Range, t.Var, func() bool {
			q := of(t.Args[0], want)
			q.Part.frame, q.Part.over = slices.Clone(e.Frame), append(slices.Clip(p.over), t)
			list = append(list, q)
			return true
		})
		return run.Junction(t.Op == ftdp.ForAll, want), list
	}
	return run.Fact, nil
}

// grounds lists the facts from which a claim follows in a state, as far as they are written in the text: where one of
// several is enough, the first one, but a guard that is false is so for all reasons there are. What the text does not
// have in parts is a fact by itself.
func (x *explainer) grounds(c claim, s *protocol.State) []claim {
	list := x.leaves(c, s)
	return slices.DeleteFunc(list, func(f claim) bool { return x.evident(f, list, s) })
}

func (x *explainer) leaves(c claim, s *protocol.State) (out []claim) {
	shape, list := run.Fact, []claim(nil)
	if x.defined(c.Part, s) {
		shape, list = split(x.evaluation(nil, s), c)
	}
	if shape == run.Any && slices.ContainsFunc(list, func(q claim) bool {
		return fixed(q.Part.t) && ofValues(q.Part) && x.has(q.Part, q.Want, s)
	}) {
		return nil // it is so in all states, of these values: i = j or ...
	}
	saysSo := x.acting >= 0 && !x.refused // what is so in all states is no reason to do something
	for _, q := range list {
		if !x.has(q.Part, q.Want, s) || shape == run.All && saysSo && fixed(q.Part.t) {
			continue
		}
		inner, one := x.leaves(q, s), shape == run.Any && !(x.refused && !c.Want)
		for i := range inner {
			inner[i].Part.any = inner[i].Part.any || one
		}
		if out = append(out, inner...); one && !binds(c.Part.t.Op) {
			break
		}
	}
	counts := func(t *protocol.Term) bool { return x.hidden || x.written(t) }
	if len(out) == 0 && counts(c.Part.t) &&
		!slices.ContainsFunc(list, func(q claim) bool { return counts(q.Part.t) }) {
		return []claim{c}
	}
	return out
}

// ofValues reports whether a part has variables of the quantifiers around it.
func ofValues(p part) bool {
	return p.t.Any(func(t *protocol.Term) bool {
		return t.Op == ftdp.Name && slices.ContainsFunc(p.over, func(q *protocol.Term) bool { return q.Var == t.Var })
	})
}

func binds(op ftdp.Op) bool { return op == ftdp.ForAll || op == ftdp.Exists }

// evident reports whether a fact says only that something has a value of which others say which.
func (x *explainer) evident(c claim, others []claim, s *protocol.State) bool {
	if c.Part.t.Op != ftdp.Undefined || c.Want {
		return false
	}
	of := x.readsIn(c.Part, s)
	return len(of) > 0 && slices.ContainsFunc(others, func(o claim) bool {
		return o.Part.t.Op != ftdp.Undefined && contains(x.readsIn(o.Part, s), of)
	})
}

// evidence says what gives a claim its value in a state: facts of several values of variables once, with these values,
// as far as the facts have the variables.
func (x *explainer) evidence(c claim, s *protocol.State) (out []fact) {
	type instance struct {
		over         []*protocol.Term
		values       part
		one, general []string // in the words of these values, and in those of any
	}
	var by partition.Groups[string, instance]
	for _, f := range x.grounds(c, s) {
		i := instance{values: f.Part, one: x.say(f, s)}
		i.over = slices.DeleteFunc(slices.Clone(f.Part.over), func(q *protocol.Term) bool {
			return x.quantified(q) && slices.Equal(x.opened([]*protocol.Term{q}, f, s), i.one)
		})
		i.general = x.opened(i.over, f, s)
		by.Add(x.named(i.over, []part{f.Part}), i)
	}
	var alike partition.Groups[string, instance]
	for _, list := range by.All() {
		all := list[0]
		for _, i := range list[1:] {
			all.one, all.general = append(all.one, i.one...), append(all.general, i.general...)
		}
		if all.one = lists.Union(nil, all.one...); len(all.one) > 0 {
			alike.Add(strings.Join(lists.Union(nil, all.general...), ", "), all)
		}
	}
	groups := 0 // of which one is enough
	for _, list := range alike.All() {
		first, of := list[0], ""
		if first.values.any {
			if groups++; groups > most {
				continue
			}
		}
		if len(list) > 1 || slices.ContainsFunc(first.over, func(q *protocol.Term) bool { return !x.quantified(q) }) {
			of = x.named(first.over, lists.Map(list, func(i instance) part { return i.values }))
		}
		if len(list) > 1 {
			first.one = lists.Union(nil, first.general...)
		}
		out = append(out, lists.Map(first.one, func(text string) fact { return fact{of, text} })...)
	}
	if groups > most {
		out = append(out, fact{of: others})
	}
	return out
}

// opened says of a fact what it is for any values of some variables.
func (x *explainer) opened(over []*protocol.Term, f claim, s *protocol.State) []string {
	defer func(outer []int) { x.open = outer }(x.open)
	for _, q := range over {
		x.open = append(slices.Clip(x.open), q.Var)
	}
	return x.say(f, s)
}

// quantified reports whether the text has a name for what a quantifier ranges over: all(...) and others have none.
func (x *explainer) quantified(q *protocol.Term) bool {
	return x.written(q) && binds(q.Written.Meaning().Own().Op)
}

// named says which values variables of quantifiers have, or which processes they are: "for i = 1, j = 2 and 3", "node 1
// and 2".
func (x *explainer) named(over []*protocol.Term, list []part) string {
	if len(over) == 0 {
		return ""
	}
	text := x.valued(over, list)
	if x.quantified(over[0]) {
		text = "for " + text
	}
	return text
}

// valued is named without the first "for".
func (x *explainer) valued(over []*protocol.Term, list []part) string {
	if len(over) == 0 {
		return ""
	}
	q := over[0]
	var by partition.Groups[string, part] // by the value of the first
	inOrder := func(a, b part) int { return cmp.Compare(a.frame[q.Var], b.frame[q.Var]) }
	for _, p := range slices.SortedStableFunc(slices.Values(list), inOrder) {
		by.Add(q.Range.Type.FormatValue(p.frame[q.Var:q.Var+q.Range.Type.Cells]), p)
	}
	var alike partition.Groups[string, []part]
	texts := map[string][]string{}
	for value, inner := range by.All() {
		rest := x.valued(over[1:], inner)
		alike.Add(rest, inner)
		texts[rest] = append(texts[rest], value)
	}
	var out []string
	for rest, of := range alike.All() {
		text := ""
		if x.quantified(q) {
			text = q.Name + " = " + interp.List(texts[rest])
		} else {
			text = interp.Names(x.Model, lists.Map(of, func(l []part) int {
				return x.Model.Roles[q.Range.Type.Role].First + int(l[0].frame[q.Var]) - 1
			}))
		}
		if rest != "" {
			text += ", " + rest
		}
		out = append(out, text)
	}
	if x.quantified(q) {
		return strings.Join(out, "; for ")
	}
	return strings.Join(out, "; ")
}

// contains reports whether some places are all among others.
func contains(all, some spots) bool {
	for at := range some {
		if !all[at] {
			return false
		}
	}
	return true
}
