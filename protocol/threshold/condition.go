package threshold

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// values are what the variables of a process are.
type values map[string]int64

// sum evaluates an expression of numbers: variables have values, heard(...) and parameters are quantities.
func (t *Translation) sum(e *ftdp.Expr, v values) amount {
	return ftdp.Eval(e, func(e *ftdp.Expr) amount {
		n, known := t.Source.Number(e, v)
		given, is := t.given[e.Name]
		switch {
		case known:
			return number(n)
		case e.Op == ftdp.Name && e.Name == "crashes" && t.Source.Faults.Stop:
			return t.crashes(t.Source.Stopping())
		case e.Op == ftdp.Name && is:
			return number(given)
		case e.Op == ftdp.Name:
			return t.parameter(e.Name)
		case e.Op == ftdp.Call && e.Name == "heard":
			return t.heard(e.Args[0], v)
		case e.Op == ftdp.Call && e.Name == "count":
			return t.where(e)
		}
		t.refuse(e, "%s is no number", e)
		return amount{}
	}, func(op ftdp.Op, e *ftdp.Expr, args []amount) amount {
		switch op {
		case ftdp.Minus:
			return args[0].Neg()
		case ftdp.Plus:
			return args[0].Add(args[1])
		case ftdp.Sub:
			return args[0].Sub(args[1])
		case ftdp.Times:
			if args[0].IsConst() {
				return args[1].Scale(args[0].Const())
			}
			return args[0].Scale(args[1].Const())
		case ftdp.Ceiling:
			return t.guards.Divided(args[0].Neg(), args[1].Const().Int64()).Neg() // checked
		case ftdp.Div:
			return t.guards.Divided(args[0], args[1].Const().Int64())
		}
		if n, known := t.Source.Number(e, v); known { // a truth value
			return number(n)
		}
		t.refuse(e, "%s is no number", e)
		return amount{}
	})
}

// heard is from how many processes messages were received.
func (t *Translation) heard(e *ftdp.Expr, v values) amount {
	h := t.Source.Heard(e)
	from := h.From
	var out amount
	if h.Crashed {
		h.From = nil
		for c, ch := range t.channels {
			switch {
			case ch.kind.Name != h.Kind.Name || !slices.Contains(from, ch.from):
			case ch.joined:
				out = out.Add(t.heardOrCrashed(c))
			default:
				h.From = append(h.From, ch.from)
			}
		}
	}
	for _, n := range t.Source.Values(h, v) {
		for _, from := range h.From {
			out = out.Add(received(t.item(h.Kind, n, from)))
		}
	}
	return out
}

// condition evaluates a condition for values of a process's variables; with holds false, its negation.
func (t *Translation) condition(e *ftdp.Expr, v values, holds bool) dnf {
	if n, ok := t.Source.Number(e, v); ok {
		if (n != 0) == holds {
			return always
		}
		return nil
	}
	part := func(e *ftdp.Expr, holds bool) dnf { return t.condition(e, v, holds) }
	if out, ok := connected(e, holds, part, junctionOfCases); ok {
		return out
	}
	switch e.Op {
	case ftdp.Chain:
		return t.condition(&ftdp.Expr{Op: ftdp.And, Pos: e.Pos, Args: e.Pairs()}, v, holds)
	case ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return t.compared(e, e.Op, t.sum(e.Args[0], v), t.sum(e.Args[1], v), holds)
	case ftdp.Call:
		switch e.Name {
		case "arrived":
			return t.arrivedAll(e.Args[0], holds)
		case "all", "every": // no process is elsewhere
			return t.compared(e, ftdp.Le, t.where(e), number(0), holds)
		case "some":
			return t.compared(e, ftdp.Ge, t.where(e), number(1), holds)
		}
	}
	t.refuse(e, "%s is no condition", e)
	return nil
}

// connected puts together what a connective, or its negation, says from what its parts say: negations go down to
// conditions. Not ok if an expression is no connective.
func connected[R any](e *ftdp.Expr, holds bool, part func(e *ftdp.Expr, holds bool) R,
	join func(list []R, all bool) R) (out R, ok bool) {
	list := func(args []*ftdp.Expr, holds ...bool) (out []R) {
		for i, a := range args {
			out = append(out, part(a, holds[i%len(holds)]))
		}
		return out
	}
	if same, equal := equivalence(e); same != nil {
		return part(same, holds == equal), true
	}
	switch e.Op {
	case ftdp.Not:
		return part(e.Args[0], !holds), true
	case ftdp.And, ftdp.Or:
		return join(list(e.Args, holds), (e.Op == ftdp.And) == holds), true
	case ftdp.Implies:
		return join(list(e.Args, !holds, holds), !holds), true
	case ftdp.Iff:
		both, none := join(list(e.Args, true, holds), true), join(list(e.Args, false, !holds), true)
		return join([]R{both, none}, false), true
	}
	return out, false
}

// junctionOfCases is the conjunction or disjunction of conditions.
func junctionOfCases(list []dnf, all bool) dnf {
	if !all {
		return slices.Concat(list...).distinct()
	}
	out := always
	for _, d := range list {
		out = and(out, d)
	}
	return out
}

// equivalence returns what a comparison of truth values that are no values of variables means, as an equivalence, and
// whether it has to be true; nil for other expressions.
func equivalence(e *ftdp.Expr) (*ftdp.Expr, bool) {
	if e.Op != ftdp.Eq && e.Op != ftdp.Ne || !slices.ContainsFunc(e.Args, truth) {
		return nil, false
	}
	return &ftdp.Expr{Op: ftdp.Iff, Pos: e.Pos, Width: e.Width, Args: e.Args}, e.Op == ftdp.Eq
}

// truth reports whether an expression is put together so that its value is a truth value.
func truth(e *ftdp.Expr) bool {
	switch e.Op {
	case ftdp.Not, ftdp.And, ftdp.Or, ftdp.Implies, ftdp.Iff, ftdp.Chain,
		ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return true
	case ftdp.Call:
		return slices.Contains([]string{"all", "some", "every", "arrived"}, e.Name)
	}
	return false
}

// whole is a condition about whole numbers of messages. A multiple of what was heard is eliminated as if there were
// fractions, and says less than the text. Of an instance, whose parameters have values, it says the same as one without
// multiples, rounded: 3 * x <= 5 is x <= 1.
func (t *Translation) whole(l amount) amount {
	t.countsTogether(l)
	if t.given == nil {
		return l
	}
	return l.Tight()
}

// countsTogether notes values whose messages a condition counts together.
func (t *Translation) countsTogether(l amount) {
	for n := range t.Source.Kinds {
		k := &t.Source.Kinds[n]
		var set []int64
		for v := k.Lo; v <= k.Hi; v++ {
			if slices.ContainsFunc(k.From, func(from int) bool {
				return l.Coef(counter.Received.Numbered(t.item(k, v, from))).Sign() != 0
			}) {
				set = append(set, v)
			}
		}
		if !slices.ContainsFunc(t.together[k.Name], func(s []int64) bool { return slices.Equal(s, set) }) {
			t.together[k.Name] = append(t.together[k.Name], set)
		}
	}
}

func (t *Translation) compared(e *ftdp.Expr, op ftdp.Op, a, b amount, holds bool) dnf {
	if !holds {
		op = op.Opposite()
	}
	var out dnf
	for _, c := range counter.Compared(string(op), a, b) {
		list := lists.Map(c, func(l amount) amount {
			l, ok := t.guards.Multiplied(l)
			if !ok {
				t.refuse(e, "two quotients, of counts or parameters, or a multiple of one, are compared: "+
					"multiply out, `2 * a > b` for a > b / 2")
			}
			return t.whole(l)
		})
		if list, ok := linear.Tidy(list); ok {
			out = append(out, list)
		}
	}
	return out
}
