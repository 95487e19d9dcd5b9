// Package shorten makes runs short, whatever they are runs of.
package shorten

// Most is how many steps a run has at most that is made shorter: every change is replayed.
const Most = 200

// Run leaves steps out of a run, in which those from loop on repeat for ever (-1 for none), as long as what is left
// is accepted: neighbours first, many of them before few. None of the steps of what it returns
// can be left out.
func Run[S any](steps []S, loop int, accepted func(steps []S, loop int) bool) ([]S, int) {
	if len(steps) > Most {
		return steps, loop
	}
	for size := max(1, len(steps)/2); size > 0; {
		shorter := false
		for from := len(steps) - size; from >= 0; from-- {
			to := from + size
			if loop >= 0 && loop < len(steps) && from <= loop && to == len(steps) || to > len(steps) {
				continue // something has to repeat
			}
			left := append(append([]S{}, steps[:from]...), steps[to:]...)
			begin := loop
			if loop > from {
				begin = max(from, loop-size)
			}
			if accepted(left, begin) {
				steps, loop, shorter = left, begin, true
			}
		}
		if size > 1 {
			size /= 2
		} else if !shorter {
			break
		}
	}
	return steps, loop
}
