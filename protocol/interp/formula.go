package interp

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Formula is a temporal formula in negation normal form, with quantifiers over temporal operators multiplied out. Op is
// And, Or, Finally, Globally, Until or Release, or "" for a condition of states.
type Formula struct {
	Op      ftdp.Op
	Args    []*Formula
	Cond    *protocol.Term // of states, with values for variables that are bound outside
	Frame   []int32
	Negated bool
}

// Case is a formula for some values of the variables that all-quantifiers in front of it bind.
type Case struct {
	Formula *Formula
	Fixed   []int // the processes that these variables are
}

// maxFormula bounds formulas that are multiplied out.
const maxFormula = 10_000

// Violation returns, for a property, formulas that runs satisfy which violate it. If symmetric is set, it looks at
// variables of quantifiers in front up to permutation of processes only; why says why that is impossible, if it is.
func Violation(m *protocol.Model, p *protocol.Prop, symmetric bool) (cases []Case, why string, err error) {
	defer protocol.Catch(&err)
	frame := make([]int32, p.Frame)
	t := p.LTL
	if t == nil {
		t = &protocol.Term{Op: ftdp.Globally, Type: protocol.BoolType, Args: []*protocol.Term{p.Invariant},
			Pos: p.Invariant.Pos, Width: p.Invariant.Width}
	}
	x := new(Multiplier)
	var strip func(t *protocol.Term, fixed []int)
	strip = func(t *protocol.Term, fixed []int) {
		if !symmetric || t.Op != ftdp.ForAll || t.Range.Type.Kind != protocol.KindRole || !protocol.Temporal(t) {
			cases = split(cases, x.Formula(t, frame, true), fixed)
			return
		}
		r := &m.Roles[t.Range.Type.Role]
		fresh := false
		for i := range r.Size {
			if !slices.Contains(fixed, r.First+i) {
				if fresh {
					continue // like the one before
				}
				fresh = true
			}
			frame[t.Var] = int32(i) + 1
			strip(t.Args[0], lists.Union(slices.Clip(fixed), r.First+i))
		}
	}
	strip(t, nil)
	if symmetric && x.named {
		return nil, "the formula names processes inside temporal operators", nil
	}
	return cases, "", nil
}

// Conditions returns a condition that is true in every state in which all that a property says of states can be
// evaluated, for all values of the variables that it binds, and an error in others.
func Conditions(p *protocol.Prop) *protocol.Term {
	if p.Invariant != nil {
		return sound(p.Invariant)
	}
	all := &protocol.Term{Op: ftdp.And, Type: protocol.BoolType, Pos: p.LTL.Pos, Width: p.LTL.Width}
	var walk func(t *protocol.Term, bound []*protocol.Term)
	walk = func(t *protocol.Term, bound []*protocol.Term) {
		if !protocol.Temporal(t) {
			t = sound(t)
			for _, b := range slices.Backward(bound) {
				outer := *b
				outer.Op, outer.Args = ftdp.ForAll, []*protocol.Term{t}
				t = &outer
			}
			all.Args = append(all.Args, t)
			return
		}
		if t.Range != nil {
			bound = append(slices.Clip(bound), t)
		}
		for _, a := range t.Args {
			walk(a, bound)
		}
	}
	walk(p.LTL, nil)
	return all
}

// sound is true where a condition can be evaluated.
func sound(t *protocol.Term) *protocol.Term {
	not := &protocol.Term{Op: ftdp.Not, Type: protocol.BoolType, Args: []*protocol.Term{t}, Pos: t.Pos, Width: t.Width}
	return &protocol.Term{Op: ftdp.Or, Type: protocol.BoolType, Args: []*protocol.Term{t, not}, Pos: t.Pos,
		Width: t.Width}
}

// split makes a case of each part of a disjunction.
func split(cases []Case, f *Formula, fixed []int) []Case {
	if f.Op != ftdp.Or {
		return append(cases, Case{f, fixed})
	}
	for _, a := range f.Args {
		cases = split(cases, a, fixed)
	}
	return cases
}

// Multiplier multiplies quantifiers out.
type Multiplier struct {
	size  int
	named bool // a quantifier over processes was multiplied out
}

func (x *Multiplier) Formula(t *protocol.Term, frame []int32, negate bool) *Formula {
	if x.size++; x.size > maxFormula {
		t.Failf("the formula has more than %d parts", maxFormula)
	}
	if !protocol.Temporal(t) {
		return &Formula{Cond: t, Frame: slices.Clone(frame), Negated: negate}
	}
	out := &Formula{Op: t.Op}
	dual := map[ftdp.Op]ftdp.Op{ftdp.And: ftdp.Or, ftdp.Or: ftdp.And, ftdp.Finally: ftdp.Globally,
		ftdp.Globally: ftdp.Finally, ftdp.Until: ftdp.Release, ftdp.Release: ftdp.Until}
	switch t.Op {
	case ftdp.Not:
		return x.Formula(t.Args[0], frame, !negate)
	case ftdp.Implies:
		out.Op = ftdp.Or
		if negate {
			out.Op = ftdp.And
		}
		out.Args = []*Formula{x.Formula(t.Args[0], frame, !negate), x.Formula(t.Args[1], frame, negate)}
		return out
	case ftdp.ForAll, ftdp.Exists:
		out.Op = ftdp.And
		if (t.Op == ftdp.Exists) != negate {
			out.Op = ftdp.Or
		}
		x.named = x.named || t.Range.Type.Kind == protocol.KindRole
		for v := t.Range.Type.Lo; v <= t.Range.Type.Hi; v++ {
			inner := slices.Clone(frame)
			inner[t.Var] = v
			out.Args = append(out.Args, x.Formula(t.Args[0], inner, negate))
		}
		return out
	}
	if negate {
		out.Op = dual[t.Op]
	}
	for _, a := range t.Args {
		out.Args = append(out.Args, x.Formula(a, frame, negate))
	}
	return out
}

// HoldsAlong evaluates a formula on a run: whether it is true at each position. The run goes on from its last state at
// position loop; a loop of -1 stands for a run that may go on in any way, where only what has been decided is true.
func (x *Interpreter) HoldsAlong(f *Formula, states []*protocol.State, loop int) ([]bool, error) {
	return f.Along(len(states), loop, func(f *Formula) (out []bool, err error) {
		for _, s := range states {
			v, err := x.HoldsWith(s, f.Cond, f.Frame)
			if err != nil {
				return nil, err
			}
			out = append(out, v != f.Negated)
		}
		return out, nil
	})
}

// Along is HoldsAlong for n states, where it is known of the conditions in the formula where each is true.
func (f *Formula) Along(n, loop int, condition func(*Formula) ([]bool, error)) ([]bool, error) {
	if f.Op == "" {
		return condition(f)
	}
	var args [][]bool
	for _, a := range f.Args {
		v, err := a.Along(n, loop, condition)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	if f.Op == ftdp.And || f.Op == ftdp.Or {
		return boolean.Joined(f.Op == ftdp.Or, args, n), nil
	}
	return boolean.Along(f.Op == ftdp.Globally || f.Op == ftdp.Release, args, loop), nil
}

// String prints the formula.
func (f *Formula) String() string {
	if f.Op == "" {
		return fmt.Sprintf("cond@%v%v", f.Cond.Pos, f.Negated)
	}
	return fmt.Sprint(string(f.Op), f.Args)
}
