package story

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// throughoutRange says why a quantifier has its value for all values of its variable: the same reasons for several of
// them once, with the name of the variable.
func (x *explainer) throughoutRange(p part, want bool, s *protocol.State) (out []fact) {
	type reason struct {
		value        string
		one, general []fact // in the words of this value, and in those of any
	}
	var reasons partition.Groups[string, reason]
	typ := p.t.Range.Type
	for v := typ.Lo; v <= typ.Hi; v++ {
		q, ok := x.bound(p, v)
		if !ok || !x.has(q, want, s) {
			continue
		}
		r := reason{value: typ.Format(v), one: x.evidence(q, want, s)}
		if len(r.one) == 0 || q.t.Op == ftdp.Or && x.itself(q, want) {
			continue
		}
		x.open = append(x.open, p.t.Var)
		r.general = x.evidence(q, want, s)
		x.open = x.open[:len(x.open)-1]
		reasons.Add(strings.Join(inWords(r.general), ", "), r)
	}
	groups := 0
	for range reasons.All() {
		groups++
	}
	for text, list := range reasons.All() {
		switch first := list[0]; {
		case text == strings.Join(inWords(first.one), ", "), len(list) == 1 && (groups == 1 || len(first.one) == 1 &&
			first.one[0].of == ""): // it says by itself of what it is
			out = append(out, first.one...)
		default:
			values := interp.List(lists.Map(list, func(r reason) string { return r.value }))
			of := first.general
			if len(list) == 1 {
				of = first.one
			}
			out = append(out, within(forValues+p.t.Name+" = "+values, of)...)
		}
	}
	return out
}

// itself reports whether a condition has its value for all processes, whatever their states are: i = j or ...
func (x *explainer) itself(p part, want bool) bool {
	return slices.ContainsFunc(p.t.Args,
		func(t *protocol.Term) bool { return fixed(t) && x.has(part{t, p.frame}, want, x.states[0]) })
}
