package run

import (
	"maps"
	"slices"
)

// A slice of a run is what of it led to something: the steps that wrote last what is looked at, those that wrote what
// these read (in their guards and conditions, in what they assign, in messages), and so on to the beginning (B. Korel,
// J. Laski, Dynamic program slicing, Information Processing Letters 29, 1988). The steps of a slice are a run by
// themselves, and what is looked at has the same values at its end.

// Places is a set of what steps read and write: a kind of models says what there is of that.
type Places[S comparable] map[S]bool

// Add adds places.
func (p Places[S]) Add(other Places[S]) { maps.Copy(p, other) }

// Effect is what a step does, and from what.
type Effect[S comparable] struct {
	Needs  Places[S]       // for it to happen, as it does
	Writes map[S]Places[S] // what it writes, from what
}

// Sliced are steps of a run, from 1, with the places that put them into its slice; none for those that
// are there for another reason.
type Sliced[S comparable] map[int]Places[S]

// Steps lists them in their order.
func (s Sliced[S]) Steps() []int { return slices.Sorted(maps.Keys(s)) }

// slicing is a run to be sliced: effects[k] is what step k does.
type slicing[S comparable] struct {
	effects []Effect[S]
	looks   map[int]Places[S] // what is looked at, behind a step
	live    map[int]Places[S] // by step: what later ones of the slice need, or is looked at
}

// Live is what is needed behind a step.
func (x *slicing[S]) Live(step int) Places[S] { return x.live[step] }

// Looked is all that is looked at.
func (x *slicing[S]) Looked() Places[S] {
	all := Places[S]{}
	for _, at := range x.looks {
		all.Add(at)
	}
	return all
}

// Look notes that something is looked at behind a step.
func (x *slicing[S]) look(step int, at Places[S]) {
	if x.looks == nil {
		x.looks = map[int]Places[S]{}
	}
	if x.looks[step] == nil {
		x.looks[step] = Places[S]{}
	}
	x.looks[step].Add(at)
}

// slice returns the slice of the run for what is looked at. More says which steps have to be in it, too, for some to be
// possible by themselves; nil if that is none.
func (x *slicing[S]) slice(more func(Sliced[S]) []int) Sliced[S] {
	forced := map[int]bool{}
	for {
		kept := x.backwards(forced)
		if more == nil {
			return kept
		}
		also := more(kept)
		if len(also) == 0 {
			return kept
		}
		for _, k := range also {
			forced[k] = true
		}
	}
}

// backwards goes through the run from its end.
func (x *slicing[S]) backwards(forced map[int]bool) Sliced[S] {
	kept, wanted := Sliced[S]{}, Places[S]{}
	x.live = map[int]Places[S]{}
	for k := len(x.effects) - 1; k > 0; k-- {
		wanted.Add(x.looks[k])
		x.live[k] = maps.Clone(wanted)
		f, for_, from := &x.effects[k], Places[S]{}, Places[S]{}
		for at, read := range f.Writes {
			if wanted[at] {
				for_[at] = true
				from.Add(read)
			}
		}
		if len(for_) == 0 && !forced[k] {
			continue
		}
		kept[k] = for_
		for at := range for_ {
			delete(wanted, at)
		}
		wanted.Add(from)
		wanted.Add(f.Needs)
	}
	return kept
}

// enabled returns, by step of a slice, the steps of it that wrote what it needs: the last one, or all that added to it.
func (x *slicing[S]) enabled(kept Sliced[S]) map[int][]int {
	out, last := map[int][]int{}, map[S][]int{}
	for k := 1; k < len(x.effects); k++ {
		if _, is := kept[k]; !is {
			continue
		}
		by := Places[int]{}
		need := func(list Places[S]) {
			for at := range list {
				for _, j := range last[at] {
					by[j] = true
				}
			}
		}
		need(x.effects[k].Needs)
		for at := range kept[k] {
			from := maps.Clone(x.effects[k].Writes[at])
			if !from[at] { // else it adds to what others have made of it
				last[at] = nil
			}
			delete(from, at)
			need(from)
		}
		out[k] = slices.Sorted(maps.Keys(by))
		for at := range kept[k] {
			last[at] = append(last[at], k)
		}
	}
	return out
}
