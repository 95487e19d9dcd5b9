package story

import (
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
	"tacheck/protocol/interp"
)

// throughoutRange says why a quantifier has its value for all values of its variable: the same reasons for several of
// them once, with the name of the variable.
func (x *explainer) throughoutRange(p part, want bool, s *protocol.State) (out []string) {
	type reason struct {
		values []string
		one    []string // in the words of the only value
	}
	reasons := map[string]*reason{}
	var order []string
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
		any := strings.Join(distinct(x.evidence(q, want, s)), ", ")
		x.open = x.open[:len(x.open)-1]
		if reasons[any] == nil {
			reasons[any] = &reason{one: one}
			order = append(order, any)
		}
		reasons[any].values = append(reasons[any].values, typ.Format(v))
	}
	for _, text := range order {
		r := reasons[text]
		if len(r.values) == 1 || text == strings.Join(r.one, ", ") {
			out = append(out, r.one...)
			continue
		}
		out = append(out, text+" for "+p.t.Name+" = "+interp.Enumerate(r.values))
	}
	return out
}

// itself reports whether a condition has its value for all processes, whatever their states are: i = j or ...
func (x *explainer) itself(p part, want bool) bool {
	for _, t := range p.t.Args {
		fixed := true
		t.Places(func(*protocol.Term) { fixed = false })
		if fixed && x.has(part{t, p.frame}, want, x.states[0]) {
			return true
		}
	}
	return false
}
