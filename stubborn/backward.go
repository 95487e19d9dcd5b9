package stubborn

// Backward computes sets from what interferes back to what is necessary for it. A Backward is for one goroutine.
type Backward struct {
	r      *Relations
	Weak   bool // sets need not be strong: only their initial transition stays enabled whatever happens outside
	set    Set
	work   []int
	lowest [][]int // by transition: its needs, those with fewer transitions first
}

// NewBackward prepares for a system.
func NewBackward(r *Relations) *Backward {
	b := &Backward{r: r, set: NewSet(r.transitions())}
	for t := range r.Needs {
		var order []int
		for k := range r.Needs[t] {
			at := len(order)
			for at > 0 && r.Needs[t][order[at-1]].Len() > r.Needs[t][k].Len() {
				at--
			}
			order = append(order[:at], append([]int{k}, order[at:]...)...)
		}
		b.lowest = append(b.lowest, order)
	}
	return b
}

// Stubborn returns a stubborn set that has a given enabled transition, with those that are not enabled; it is valid
// until the next call. It has at most so many enabled transitions, or else the result is nil. If visibly is set, a set
// with an enabled transition that is restoring has all that are violating.
func (b *Backward) Stubborn(initial int, enabled Set, state State, visibly bool, most int) Set {
	clear(b.set)
	b.work = b.work[:0]
	left := most
	saw := false
	b.add(initial, enabled, &left)
	for len(b.work) > 0 && left >= 0 {
		t := b.work[len(b.work)-1]
		b.work = b.work[:len(b.work)-1]
		switch {
		case enabled.Has(t):
			if visibly && !saw && b.r.Restoring.Has(t) {
				saw = true
				b.addAll(b.r.Violating, nil, enabled, &left)
			}
			var except Set
			if b.Weak && t != initial && b.r.DisabledBy != nil {
				except = b.r.DisabledBy[t]
			}
			b.addAll(b.r.Dependent[t], except, enabled, &left)
		default:
			b.addAll(b.r.Needs[t][b.choose(t, enabled, state)], nil, enabled, &left)
		}
	}
	if left < 0 {
		return nil
	}
	return b.set
}

// necessary returns transitions that are not enabled, and enabled ones, such that t, which is not enabled, cannot get
// enabled before one of the enabled ones occurs. It is valid until the next call.
func (b *Backward) necessary(t int, enabled Set, state State) Set {
	clear(b.set)
	b.work = b.work[:0]
	left := 0
	b.add(t, enabled, &left)
	for len(b.work) > 0 {
		u := b.work[len(b.work)-1]
		b.work = b.work[:len(b.work)-1]
		if !enabled.Has(u) {
			b.addAll(b.r.Needs[u][b.choose(u, enabled, state)], nil, enabled, &left)
		}
	}
	return b.set
}

// choose chooses an unmet need: the one for which the fewest enabled
// transitions have to be added, and then the fewest others.
func (b *Backward) choose(t int, enabled Set, state State) int {
	best, bestEnabled, bestAll := -1, 0, 0
	for _, k := range b.lowest[t] {
		if !state.Unmet(t, k) {
			continue
		}
		costEnabled, costAll := 0, 0
		for i, w := range b.r.Needs[t][k] {
			w &^= b.set[i]
			costAll += onesCount(w)
			costEnabled += onesCount(w & enabled[i])
		}
		if best < 0 || costEnabled < bestEnabled || costEnabled == bestEnabled && costAll < bestAll {
			best, bestEnabled, bestAll = k, costEnabled, costAll
		}
		if costAll == 0 {
			break
		}
	}
	if best < 0 {
		panic("stubborn: a transition that is not enabled has all that it needs")
	}
	return best
}

func (b *Backward) add(t int, enabled Set, left *int) {
	if b.set.Has(t) {
		return
	}
	b.set.Add(t)
	b.work = append(b.work, t)
	if enabled.Has(t) {
		*left--
	}
}

func (b *Backward) addAll(s, except Set, enabled Set, left *int) {
	for i, w := range s {
		w &^= b.set[i]
		if except != nil {
			w &^= except[i]
		}
		for ; w != 0; w &= w - 1 {
			b.add(64*i+trailing(w), enabled, left)
		}
	}
}
