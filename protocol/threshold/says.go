package threshold

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/ta"
)

// Says writes a threshold of the automaton in the words of the text: how many processes must have been heard from for
// something to be possible, such as heard(ECHO) >= t + 1 where the automaton has echo >= t + 1 - f, since f Byzantine
// processes can be heard from, too. False if the threshold is of other quantities, or of several kinds of messages.
func (t *Translation) Says(a *ta.Automaton, th ta.Threshold) (string, bool) {
	var values []int64
	var k *parametric.MessageKind
	var from []int
	var coef linear.Int
	some := -1
	for _, term := range th.LHS.Terms() {
		i, mayGetLost, ok := t.counts(a.SymbolName(term.Var))
		if !ok || k != nil && (t.channelOf(i).kind != k || !coef.Equal(term.Coef)) ||
			some >= 0 && some != mayGetLost || term.Coef.Sign() <= 0 {
			return "", false
		}
		ch := t.channelOf(i)
		k, coef, some = ch.kind, term.Coef, mayGetLost
		if !slices.Contains(values, t.items[i].value) {
			values = append(values, t.items[i].value)
		}
		if !slices.Contains(from, ch.from) {
			from = append(from, ch.from)
		}
	}
	if k == nil || len(from) < len(k.From) || len(th.LHS.Terms()) != len(values)*len(from) {
		return "", false
	}
	bound, ok := t.withFaulty(a, th.Bound, coef, from)
	if !ok {
		return "", false
	}
	text := "heard(" + k.Name + ")"
	if k.Valued() && int64(len(values)) < k.Hi-k.Lo+1 {
		var parts []string
		slices.Sort(values)
		for _, v := range values {
			parts = append(parts, "heard("+k.Format(v)+")")
		}
		if text = strings.Join(parts, " + "); len(parts) > 1 && !coef.Is(1) {
			text = "(" + text + ")"
		}
	}
	if !coef.Is(1) {
		text = coef.String() + " * " + text
	}
	return text + " >= " + a.FormatLinear(bound), true
}

// counts returns what a shared variable of the automaton counts, and whether (1, else 0) messages that may reach some
// only are among it.
func (t *Translation) counts(name string) (item, some int, ok bool) {
	for i := range t.items {
		switch name {
		case t.names[counter.Sent.Numbered(i)]:
			return i, 0, true
		case t.names[counter.SentSome.Numbered(i)]:
			return i, 1, true
		}
	}
	return 0, 0, false
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
