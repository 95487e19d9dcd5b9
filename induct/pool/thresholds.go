package pool

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// thresholds lists the numbers of processes that lemmas count with: the sizes of quorums, and what rules and properties
// compare counts with, if these numbers are made of constants. One that is written in several ways is there once.
func (v *vocabulary) thresholds() []threshold {
	if v.numbers != nil {
		return v.numbers
	}
	s := &thresholdSearch{v: v, seen: map[string]bool{}}
	s.quorums(v.m.Inits)
	s.quorums(v.m.Rules)
	s.transitions(v.m.Inits)
	s.transitions(v.m.Rules)
	for i := range v.m.Props {
		s.condition(v.m.Props[i].Invariant)
		s.condition(v.m.Props[i].LTL)
	}
	v.numbers = s.list
	for i := range v.m.Inits {
		for _, p := range v.m.Inits[i].Params {
			if p.Type.Kind == protocol.KindQuorum {
				s.add(p.Type.Role, p.Count, 1)
			}
		}
	}
	v.atFirst = s.list[len(v.numbers):]
	return v.numbers
}

// ofInitial lists numbers that say of quorums of initial states that they have no more members than that.
func (v *vocabulary) ofInitial() []threshold {
	v.thresholds()
	return v.atFirst
}

// thresholdSearch collects thresholds.
type thresholdSearch struct {
	v    *vocabulary
	list []threshold
	seen map[string]bool
}

func (s *thresholdSearch) quorums(ts []protocol.Transition) {
	for i := range ts {
		for _, p := range ts[i].Params {
			if p.Type.Kind == protocol.KindQuorum {
				s.add(p.Type.Role, p.Count, 0)
			}
		}
	}
}

func (s *thresholdSearch) transitions(ts []protocol.Transition) {
	for i := range ts {
		for t := range ts[i].Terms() {
			s.condition(t)
		}
	}
}

// condition looks for counts that are compared with numbers.
func (s *thresholdSearch) condition(t *protocol.Term) {
	for t := range t.All() {
		switch {
		case len(t.Args) == 2 && compares(t.Op):
			s.compared(t.Args[0], t.Op, t.Args[1])
		case t.Op == ftdp.Chain:
			for i, op := range t.Ops {
				s.compared(t.Args[i], op, t.Args[i+1])
			}
		}
	}
}

func (s *thresholdSearch) compared(a *protocol.Term, op ftdp.Op, b *protocol.Term) {
	c, _ := protocol.CountedIn(op, a, b, func(t *protocol.Term) bool {
		return t.Op == ftdp.Count && t.Range.Type.Kind == protocol.KindRole && t.Range.Quorum < 0
	})
	if c == nil || !ofConstants(c.Down) {
		return
	}
	if _, ok := s.v.sum(c.Down); !ok {
		return
	}
	role := c.Count.Range.Type.Role
	if c.Op != ftdp.Gt && c.Op != ftdp.Le {
		s.add(role, c.Up, 0)
	}
	if c.Op != ftdp.Ge && c.Op != ftdp.Lt {
		s.add(role, c.Down, 1)
	}
}

// add adds a number and what is added to it.
func (s *thresholdSearch) add(role int, number *protocol.Term, more int64) {
	e := sumOf(number)
	if e == nil {
		return
	}
	one, ok := s.v.sum(number)
	if !ok {
		one = of("(" + e.String() + ")")
	}
	one = one.Plus(more)
	if one.IsConst() && one.Const().Sign() <= 0 {
		return // as many there are always
	}
	if more > 0 {
		e = made.Op(ftdp.Plus, e, made.Numeral(more))
	}
	if key := fmt.Sprint(role, one.Key()); !s.seen[key] {
		s.seen[key] = true
		t := threshold{role: role, number: e}
		for _, m := range s.v.instances {
			t.values = append(t.values, valueIn(m, number)+more)
		}
		s.list = append(s.list, t)
	}
}

// valueIn is a number made of constants, in an instance; 0 if it is none.
func valueIn(m *protocol.Model, t *protocol.Term) int64 {
	return ftdp.Eval(t, func(t *protocol.Term) ftdp.Between {
		if i := slices.IndexFunc(m.Constants, func(k protocol.Constant) bool { return k.Name == t.Const }); i >= 0 {
			return ftdp.Exactly(m.Constants[i].Value)
		}
		return ftdp.Exactly(int64(t.Value))
	}, func(op ftdp.Op, _ *protocol.Term, args []ftdp.Between) ftdp.Between { return ftdp.Calculate(op, args) }).Low
}

// amount is a sum of constants.
type amount = linear.Sum[linear.Name]

func number(n int64) amount { return linear.Number[linear.Name](linear.N(n)) }

func of(name string) amount { return linear.Of(linear.Name(name)) }

// sum is a number made of constants, those that are made of others being written out; a quotient is a name of its own.
func (v *vocabulary) sum(t *protocol.Term) (amount, bool) {
	if t == nil {
		return amount{}, false
	}
	s := ftdp.Eval(t, func(t *protocol.Term) *amount {
		out := number(int64(t.Value))
		switch k := v.constant(t.Const); {
		case t.Op != ftdp.Number:
			return nil
		case k == nil || !v.sizes[t.Const]:
		case k.Term.Op == ftdp.Number && k.Term.Const == "":
			out = of(t.Const)
		default:
			if l, ok := v.sum(k.Term); ok {
				return &l
			}
			return nil
		}
		return &out
	}, func(op ftdp.Op, _ *protocol.Term, args []*amount) *amount {
		if len(args) != 2 || args[0] == nil || args[1] == nil {
			return nil
		}
		a, b := *args[0], *args[1]
		var out amount
		switch {
		case op == ftdp.Plus:
			out = a.Add(b)
		case op == ftdp.Sub:
			out = a.Sub(b)
		case op == ftdp.Times && a.IsConst():
			out = b.Scale(a.Const())
		case op == ftdp.Times && b.IsConst():
			out = a.Scale(b.Const())
		case (op == ftdp.Div || op == ftdp.Ceiling) && b.IsConst() && b.Const().Sign() > 0:
			out = of(fmt.Sprintf("%s (%s)/(%s)", op, a.Key(), b.Key()))
		default:
			return nil
		}
		return &out
	})
	if s == nil {
		return amount{}, false
	}
	return *s, true
}

func (v *vocabulary) constant(name string) *protocol.Constant {
	i := slices.IndexFunc(v.m.Constants, func(k protocol.Constant) bool { return name != "" && k.Name == name })
	if i < 0 {
		return nil
	}
	return &v.m.Constants[i]
}
