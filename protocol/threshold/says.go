package threshold

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/ta"
)

// Says writes a threshold of the automaton in the words of the text: how many processes must have been heard from for
// something to be possible, such as heard(ECHO) >= t + 1 where the automaton has echo >= t + 1 - f, since f Byzantine
// processes can be heard from, too. False if the threshold is of other quantities, or of several kinds of messages.
func (t *Translation) Says(a *ta.Automaton, th ta.Threshold) (string, bool) {
	var values []int64
	var from []int
	var first counter.Quantity
	var k *parametric.MessageKind
	terms := th.LHS.Terms()
	for n, term := range terms {
		q := t.named(a.SymbolName(term.Var))
		if !counter.Is(counter.Sent, counter.SentSome)(q) || term.Coef.Sign() <= 0 {
			return "", false
		}
		ch := t.channelOf(q.Index)
		if n == 0 {
			first, k = q, ch.kind
		}
		if q.Kind != first.Kind || ch.kind != k || !term.Coef.Equal(terms[0].Coef) {
			return "", false
		}
		values, from = append(values, t.items[q.Index].value), append(from, ch.from)
	}
	slices.Sort(values)
	slices.Sort(from)
	values, from = slices.Compact(values), slices.Compact(from)
	if k == nil || len(from) < len(k.From) || len(terms) != len(values)*len(from) {
		return "", false
	}
	coef := terms[0].Coef
	bound, ok := t.withFaulty(a, th.Bound, coef, from)
	if !ok {
		return "", false
	}
	text := "heard(" + k.Name + ")"
	if k.Valued() && int64(len(values)) < k.Hi-k.Lo+1 {
		parts := lists.Map(values, func(v int64) string { return "heard(" + k.Format(v) + ")" })
		if text = strings.Join(parts, " + "); len(parts) > 1 && !coef.Is(1) {
			text = "(" + text + ")"
		}
	}
	if !coef.Is(1) {
		text = coef.String() + " * " + text
	}
	return text + " >= " + a.FormatLinear(bound), true
}

// named is the quantity with a name in the automaton; one that is none of messages if there is none.
func (t *Translation) named(name string) (q counter.Quantity) {
	for key, is := range t.names {
		if is == name {
			q = key
		}
	}
	return q
}

// withFaulty adds to a bound how many processes of some types are Byzantine; false if the text does not say that by a
// parameter.
func (t *Translation) withFaulty(a *ta.Automaton, bound ta.Linear, coef linear.Int, from []int) (ta.Linear, bool) {
	if !t.Source.Faults.Byzantine() {
		return bound, true
	}
	for _, typ := range from {
		e := t.Source.Faulty(typ)
		if e == nil {
			continue
		}
		at := slices.IndexFunc(a.Parameters, func(p ta.Name) bool {
			return e.Op == ftdp.Name && p.Name == t.called(t.parameter(e.Name).Vars()[0])
		})
		if at < 0 {
			return bound, false
		}
		bound = bound.AddScaled(coef, ta.Var(ta.Symbol{Kind: ta.Parameter, Index: at}))
	}
	return bound, true
}
