package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// What guards and conditions of rules, and invariants, say of several things: parts of them that quantify or count, and
// speak of no variable outside of them, of one, or of two. Such a part of a rule is true when it makes its step, so
// beside what the step has written it is often a lemma: `node[i].ready[j]` was written where `forall (k: nodeID) k < j
// -> node[i].ready[k]`. One of an invariant may be true before what it is asked of.

// mostClaims is how many of them are taken from a text.
const mostClaims = 24

// claims reads them off a text: of invariants that can be said, what is below the quantifiers that these begin with.
func (v *vocabulary) claims(said []string) (list []claim) {
	seen := map[string]bool{}
	look := func(t *protocol.Term) bool {
		c, ok := v.claim(t)
		if ok {
			if text := v.claiming(c, "i", "j").String(); !seen[text] && len(list) < mostClaims {
				seen[text] = true
				list = append(list, c)
			}
		}
		return !ok
	}
	for i := range v.m.Props {
		if p := &v.m.Props[i]; slices.Contains(said, p.Name) {
			t := p.Invariant
			for t.Op == ftdp.ForAll {
				t = t.Args[0]
			}
			if t.EachPart(func(part *protocol.Term) bool { part.Inspect(look); return true }); t != p.Invariant {
				look(t)
			}
		}
	}
	for i := range v.m.Rules {
		for t := range v.m.Rules[i].Terms() {
			t.Inspect(look)
		}
	}
	return list
}

// claim recognises a condition that quantifies or counts, and is not made of others.
func (v *vocabulary) claim(t *protocol.Term) (claim, bool) {
	switch {
	case t.Type == nil || t.Type.Kind != protocol.KindBool || !aggregates(t):
		return claim{}, false
	case t.Op == ftdp.And || t.Op == ftdp.Or || t.Op == ftdp.Not || t.Op == ftdp.Implies || t.Op == ftdp.Iff:
		return claim{}, false
	}
	c := claim{term: t}
	outside(t, nil, func(name *protocol.Term) {
		if !slices.Contains(c.vars, name.Var) {
			c.vars, c.types = append(c.vars, name.Var), append(c.types, name.Type)
		}
	})
	if len(c.vars) == 2 && c.types[0].Kind != protocol.KindRole && c.types[1].Kind == protocol.KindRole {
		slices.Reverse(c.vars)
		slices.Reverse(c.types)
	}
	return c, len(c.vars) <= 2 && v.claiming(c, "i", "j") != nil
}

// aggregates reports whether a condition quantifies over processes or numbers, or counts them.
func aggregates(t *protocol.Term) bool {
	return t.Any(func(t *protocol.Term) bool {
		switch t.Op {
		case ftdp.ForAll, ftdp.Exists, ftdp.Count:
			return t.Range.Sent == nil && t.Range.Quorum < 0
		}
		return false
	})
}

// outside calls visit with the variables of a term that it does not bind.
func outside(t *protocol.Term, bound []int, visit func(name *protocol.Term)) {
	if t == nil {
		return
	}
	if t.Op == ftdp.Name && !slices.Contains(bound, t.Var) {
		visit(t)
	}
	if t.Range != nil {
		bound = append(bound[:len(bound):len(bound)], t.Var)
	}
	outside(t.Who, bound, visit)
	for _, a := range t.Args {
		outside(a, bound, visit)
	}
	for _, x := range t.Indices {
		outside(x.Index, bound, visit)
	}
}

// claiming is a claim with names for its variables; nil if lemmas cannot say it.
func (v *vocabulary) claiming(c claim, names ...string) *ftdp.Expr {
	of := map[int]string{}
	for k, cell := range c.vars {
		of[cell] = names[k]
	}
	return v.say(c.term, of, "")
}

// about are the claims about some subjects, and no others.
func (v *vocabulary) about(subjects ...subject) (out []atom) {
	for _, c := range v.claimed {
		if len(c.vars) != len(subjects) {
			continue
		}
		fits, names, uses := true, []string{}, uint64(0)
		for k, s := range subjects {
			fits = fits && v.indexes(s, c.types[k])
			names = append(names, s.name)
			uses |= s.bit
		}
		if fits {
			if len(subjects) == 0 {
				uses = closed
			}
			a := stated(v.claiming(c, names...), uses)
			a.counts = true
			out = append(out, a)
		}
	}
	return out
}
