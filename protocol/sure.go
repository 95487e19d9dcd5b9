package protocol

import (
	"math"
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

// Fails reports whether a term may be an error, or have no value; with no value only where it has to have one.
func (k *Sureness) Fails(t *Term, value bool) bool {
	return value && k.needs(t, map[int]bool{}) || !value && k.failing(t, map[int]bool{})
}

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
	case ftdp.Plus, ftdp.Sub, ftdp.Times, ftdp.Minus, ftdp.Floor, ftdp.Ceiling, ftdp.Div, ftdp.Mod:
		_, _, ok := bounds(t)
		return !ok || all(t.Args)
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
		lo, hi, ok := bounds(x.Index)
		if n, constant := k.Value(x.Index); constant {
			lo, hi, ok = int64(n), int64(n), true
		}
		if !ok || lo < int64(x.Array.Index.Lo) || hi > int64(x.Array.Index.Hi) || k.needs(x.Index, members) {
			return true
		}
	}
	return false
}

// bounds returns the least and the greatest value that a term may have, if they and
// those of its parts are numbers that can be calculated with.
func bounds(t *Term) (lo, hi int64, ok bool) {
	switch t.Op {
	case ftdp.Number:
		return int64(t.Value), int64(t.Value), true
	case ftdp.Count:
		return 0, int64(t.Range.Type.Size()), true
	case ftdp.Minus:
		lo, hi, ok = bounds(t.Args[0])
		return -hi, -lo, ok
	case ftdp.Floor, ftdp.Ceiling:
		return bounds(t.Args[0])
	case ftdp.Div, ftdp.Mod: // by a number other than 0
		a, b, ok := bounds(t.Args[0])
		by := int64(t.Args[1].Value)
		if !ok || t.Args[1].Op != ftdp.Number || by == 0 {
			return 0, 0, false
		}
		most := max(a, -a, b, -b, by, -by)
		return -most, most, true
	case ftdp.Plus, ftdp.Sub, ftdp.Times:
		a, b, ok := bounds(t.Args[0])
		c, d, also := bounds(t.Args[1])
		if !ok || !also {
			return 0, 0, false
		}
		switch t.Op {
		case ftdp.Plus:
			lo, hi = a+c, b+d
		case ftdp.Sub:
			lo, hi = a-d, b-c
		default:
			lo, hi = min(a*c, a*d, b*c, b*d), max(a*c, a*d, b*c, b*d)
		}
		return lo, hi, lo > -math.MaxInt32 && hi < math.MaxInt32
	}
	if t.Type == nil || !t.Type.Scalar() || !t.IsPlace() && t.Op != ftdp.Name || t.Type.Lo <= -math.MaxInt32 ||
		t.Type.Hi == math.MaxInt32 {
		return 0, 0, false
	}
	return int64(t.Type.Lo), int64(t.Type.Hi), true
}
