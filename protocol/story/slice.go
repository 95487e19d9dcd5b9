package story

// A slice of a run is what of it led to something: the steps that wrote last what is looked at, those that wrote what
// these read (in their guards and conditions, in what they assign, in messages), and so on to the beginning (B. Korel,
// J. Laski, Dynamic program slicing, Information Processing Letters 29, 1988). The steps of a slice are a run by
// themselves, and what is looked at has the same values at its end.

// look is what is looked at behind a step.
type look struct {
	step int
	at   spots
}

// slice returns which steps belong to the slice of a run for what is looked at: with the spots because of which they
// do; none for those that only make room in channels, or take what would come first.
func (h *history) slice(looks []look) map[int]spots {
	forced := map[int]bool{}
	for {
		kept := h.backwards(looks, forced)
		more := h.obstacles(kept)
		if len(more) == 0 {
			return kept
		}
		for _, k := range more {
			forced[k] = true
		}
	}
}

// backwards goes through the run from its end.
func (h *history) backwards(looks []look, forced map[int]bool) map[int]spots {
	kept, wanted := map[int]spots{}, spots{}
	for k := len(h.effects) - 1; k > 0; k-- {
		for _, l := range looks {
			if l.step == k {
				wanted.add(l.at)
			}
		}
		f, for_, from := &h.effects[k], spots{}, spots{}
		for at, read := range f.writes {
			if wanted[at] {
				for_[at] = true
				from.add(read)
			}
		}
		if len(for_) == 0 && !forced[k] {
			continue
		}
		kept[k] = for_
		for at := range for_ {
			delete(wanted, at)
		}
		wanted.add(from)
		wanted.add(f.needs)
	}
	return kept
}
