package protocol

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Sureness says where the evaluation of a term cannot be an error, from what is known of its parts.
type Sureness struct {
	Model *Model
	Value func(*Term) (int32, bool) // of what is the same in all states
	Lacks func(place *Term) bool    // a part of a place may have no value
}

// Undefined reports whether the value of a term may be undefined.
func (k *Sureness) Undefined(t *Term) bool {
	switch {
	case t.IsPlace():
		return k.Lacks(t)
	case t.Op == ftdp.Max || t.Op == ftdp.Min:
		return len(t.Args) > 1 && k.Undefined(t.Args[0]) || len(t.Args) == 3 && k.Undefined(t.Args[2])
	case t.Op == ftdp.Tuple || t.Op == ftdp.Collect || t.Op == ftdp.Append || t.Op == ftdp.Slice:
		return true
	}
	return false
}

// Fails reports whether a term may be an error, or have no value.
func (k *Sureness) Fails(t *Term) bool { return k.needs(t, map[int]bool{}) }

// needs reports whether a term fails where it has to have a value; members are the
// variables that stand for members of the quorum.
func (k *Sureness) needs(t *Term, members map[int]bool) bool {
	return k.Undefined(t) || k.failing(t, members)
}

// failing reports whether the evaluation of a term may be an error, where its value may be undefined.
func (k *Sureness) failing(t *Term, members map[int]bool) bool {
	all := func(list []*Term) bool {
		return slices.ContainsFunc(list, func(a *Term) bool { return k.needs(a, members) })
	}
	some := func(list []*Term) bool {
		return slices.ContainsFunc(list, func(a *Term) bool { return k.failing(a, members) })
	}
	switch t.Op {
	case ftdp.Number, ftdp.Name:
		return false
	case ftdp.Undefined, ftdp.Eq, ftdp.Ne:
		return some(t.Args)
	case ftdp.In:
		return k.failing(t.Args[0], members)
	case ftdp.Chain:
		for _, op := range t.Ops {
			if op != ftdp.Eq && op != ftdp.Ne {
				return all(t.Args)
			}
		}
		return some(t.Args)
	case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return all(t.Args)
	case ftdp.ForAll, ftdp.Exists, ftdp.Count, ftdp.Max, ftdp.Min:
		if t.Range.Quorum >= 0 {
			inside := map[int]bool{t.Var: true}
			for m := range members {
				inside[m] = true
			}
			members = inside
		}
		if t.Op != ftdp.Max && t.Op != ftdp.Min {
			return all(t.Args)
		}
		if len(t.Args) == 3 { // what is undefined is left out
			return some(t.Args)
		}
		last := t.Args[len(t.Args)-1]
		// over nothing
		return t.Range.Quorum >= 0 || t.Range.Type.Size() == 0 || k.needs(last, members) || some(t.Args)
	case ftdp.Div, ftdp.Mod:
		if by := Bounds(t.Args[1]); by.Low <= 0 && by.High >= 0 {
			return true
		}
		fallthrough
	case ftdp.Plus, ftdp.Sub, ftdp.Times, ftdp.Minus, ftdp.Floor, ftdp.Ceiling:
		return !Bounds(t).Small() || all(t.Args)
	}
	if t.IsPlace() {
		return k.misses(t, members)
	}
	return true
}

// misses reports whether there may be no such place.
func (k *Sureness) misses(p *Term, members map[int]bool) bool {
	if p.Base == BaseValue { // what it is made of may be an error
		return true
	}
	if p.Who != nil {
		if p.Base == BaseMsg || p.Base == BaseAbsent {
			if p.Who.Op != ftdp.Name || !members[p.Who.Var] {
				return true
			}
		} else if p.Who.Type == nil || p.Who.Type.Kind != KindRole || k.needs(p.Who, members) {
			n, ok := k.Value(p.Who)
			if !ok || n < 1 || int(n) > k.Model.Roles[p.Role].Size {
				return true
			}
		}
	}
	for _, x := range p.Indices {
		at := Bounds(x.Index)
		if n, constant := k.Value(x.Index); constant {
			at = ftdp.Exactly(int64(n))
		}
		if at.Low < int64(x.Array.Index.Lo) || at.High > int64(x.Array.Index.Hi) || k.needs(x.Index, members) {
			return true
		}
	}
	return false
}

// Bounds is what the types of its parts say of a number, if nothing in it is an error.
func Bounds(t *Term) ftdp.Between {
	return ftdp.Eval(t, func(t *Term) ftdp.Between {
		switch {
		case t.Op == ftdp.Number:
			return ftdp.Exactly(int64(t.Value))
		case t.Op == ftdp.Count:
			return ftdp.Between{High: int64(t.Range.Type.Size())}
		case t.Type != nil && t.Type.Scalar():
			return ftdp.Between{Low: int64(t.Type.Lo), High: int64(t.Type.Hi)}
		}
		return ftdp.Anything
	}, func(op ftdp.Op, _ *Term, args []ftdp.Between) ftdp.Between { return ftdp.Calculate(op, args) })
}
