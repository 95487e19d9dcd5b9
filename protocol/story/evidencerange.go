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
func (x *explainer) throughoutRange(p part, want bool, s *protocol.State) (out []string) {
	type reason struct {
		value string
		one   []string // in the words of this value
	}
	var reasons partition.Groups[string, reason]
	typ := p.t.Range.Type
	for v := typ.Lo; v <= typ.Hi; v++ {
		q, ok := x.bound(p, v)
		if !ok || !x.has(q, want, s) {
			continue
		}
		one := distinct(x.evidence(q, want, s))
		if len(one) == 0 || q.t.Op == ftdp.Or && x.itself(q, want) {
			continue
		}
		x.open = append(x.open, p.t.Var)
		general := strings.Join(distinct(x.evidence(q, want, s)), ", ")
		x.open = x.open[:len(x.open)-1]
		reasons.Add(general, reason{typ.Format(v), one})
	}
	for text, list := range reasons.All() {
		if one := list[0].one; len(list) == 1 || text == strings.Join(one, ", ") {
			out = append(out, one...)
			continue
		}
		values := lists.Map(list, func(r reason) string { return r.value })
		out = append(out, text+" for "+p.t.Name+" = "+interp.List(values))
	}
	return out
}

// itself reports whether a condition has its value for all processes, whatever their states are: i = j or ...
func (x *explainer) itself(p part, want bool) bool {
	return slices.ContainsFunc(p.t.Args,
		func(t *protocol.Term) bool { return fixed(t) && x.has(part{t, p.frame}, want, x.states[0]) })
}
