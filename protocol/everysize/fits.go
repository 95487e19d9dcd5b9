package everysize

import (
	"math"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Fits reports whether no result of arithmetic in an instance can be too large for 32 bits, by the bounds of what it is
// made of. Formulas have integers of any size: where it is false, that nothing goes wrong in them says less.
func Fits(m *protocol.Model) bool {
	f := &fitting{true}
	for _, list := range [][]protocol.Transition{m.Inits, m.Rules} {
		for i := range list {
			f.steps(list[i].First)
			f.size(list[i].Guard)
			f.steps(list[i].Body)
		}
	}
	for _, p := range m.Props {
		f.size(p.Invariant)
	}
	return f.fits
}

type fitting struct{ fits bool }

func (f *fitting) steps(list []*protocol.Step) {
	for s := range protocol.Steps(list) {
		for t := range s.Terms() {
			f.size(t)
		}
	}
}

// size bounds the absolute value of a term.
func (f *fitting) size(t *protocol.Term) int64 {
	if t == nil {
		return 0
	}
	f.size(t.Who)
	for _, i := range t.Indices {
		f.size(i.Index)
	}
	var args []int64
	largest := int64(0)
	for _, a := range t.Args {
		args = append(args, f.size(a))
		largest = max(largest, args[len(args)-1])
	}
	switch t.Op {
	case ftdp.Number:
		return absolute(t.Value)
	case ftdp.Plus, ftdp.Sub:
		return f.checked(args[0] + args[1])
	case ftdp.Times:
		return f.checked(args[0] * args[1]) // no more than 32 bits each
	case ftdp.Count:
		return int64(t.Range.Type.Hi) - int64(t.Range.Type.Lo) + 1
	case ftdp.Minus, ftdp.Floor, ftdp.Ceiling, ftdp.Div, ftdp.Mod, ftdp.Max, ftdp.Min:
		return largest
	}
	if t.Type != nil && t.Type.Scalar() {
		return max(absolute(t.Type.Lo), absolute(t.Type.Hi))
	}
	return largest
}

func (f *fitting) checked(n int64) int64 {
	if n > math.MaxInt32 {
		f.fits = false
		return math.MaxInt32
	}
	return n
}

func absolute(n int32) int64 {
	v := int64(n)
	return max(v, -v)
}
