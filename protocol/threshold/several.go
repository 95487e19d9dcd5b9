package threshold

import "math/bits"

// manyValues is how many values messages have of which no more is said than of each, and of all together.
const manyValues = 5

// several bounds what a process can have heard of several values of a kind, but not of all: who lies says one thing to it. Of
// two values, the bounds of each and of both say as much.
func (t *Translation) several(ch channel, c int, faulty linear) (out all) {
	n := ch.kind.Hi - ch.kind.Lo + 1
	if n >= manyValues {
		return nil
	}
	for set := 1; set < 1<<n-1; set++ {
		if bits.OnesCount(uint(set)) < 2 {
			continue
		}
		sum := faulty
		for v := range n {
			if i := (item{ch.kind.Name, ch.kind.Lo + v, ch.from}); set>>v&1 != 0 {
				sum = sum.plus(t.most(i, nil, c), 1).plus(quantity(heard+i.name()), -1)
			}
		}
		out = append(out, sum)
	}
	return out
}
