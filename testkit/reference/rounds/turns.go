package rounds

import "slices"

// What has the number of a coordinator, if it is no process with a state.
const (
	liar    = -1 // a faulty process that sends anything
	nothing = -2 // there are no coordinators
)

// coordinator is the process whose turn a stage is.
func (in *Instance) coordinator(w world, stage int) int {
	if !in.Text.turns || len(in.seat) == 0 {
		return nothing
	}
	if in.layout.header > 0 {
		stage += int(w[0])
	}
	if in.mistake == alwaysFirst {
		stage = 0
	}
	return in.seat[stage%in.size]
}

// seatings are the ways in which processes can have the numbers that matter, up to who is who: those of the stages, or, where
// rounds go on for ever, all.
func (in *Instance) seatings() [][]int {
	if !in.Text.turns {
		return [][]int{nil}
	}
	numbers := in.size
	if in.class == "" {
		numbers = min(in.stages, in.size)
	}
	var all [][]int
	var try func(seat []int)
	try = func(seat []int) {
		if len(seat) == numbers {
			all = append(all, slices.Clone(seat))
			return
		}
		count := 0
		for _, p := range seat {
			count += truth(p == liar)
		}
		if count < in.liars {
			try(append(seat, liar))
		}
		for _, omitting := range []bool{false, true} {
			for p := range in.processes {
				if in.omitting[p] == omitting && !slices.Contains(seat, p) {
					try(append(seat, p))
					break
				}
			}
		}
	}
	try(nil)
	return all
}

// liarsOf is how many processes of a stage send anything: of the coordinator's messages (source 1), or of others.
func (in *Instance) liarsOf(w world, stage, source int) int {
	leads := truth(in.coordinator(w, stage) == liar)
	if source == 1 {
		return leads
	}
	return in.liars - leads
}

// arrived tells whether each process, or the coordinator, that is correct and has not crashed has sent a kind in a stage, and
// a process has received it from all that have sent it to all.
func (in *Instance) arrived(w world, process, stage, kind int, led bool) bool {
	for q := range in.processes {
		if in.crashed(w, q) || in.omitting[q] || led && in.coordinator(w, stage) != q {
			continue
		}
		if in.flags(w, q, stage)[kind] == 0 && in.mistake != notAwaited {
			return false
		}
	}
	values := in.Text.Kinds[kind].values()
	for source := range in.layout.sources {
		first := in.layout.first[kind] + source*values
		if led && source == 0 {
			continue
		}
		if !slices.Equal(in.sure(w, process, stage)[first:first+values], in.shared(w, stage)[first:first+values]) {
			return false
		}
	}
	return true
}
