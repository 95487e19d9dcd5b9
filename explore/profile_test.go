package explore

import (
	"context"
	"testing"
)

// twins are two symmetric processes, each with a and b below a bound; they share c.
type twins struct{ step string }

func (twins) Slots() int          { return 5 }
func (x twins) NewWorker() Worker { return &x }

func (x *twins) Initial(emit func([]uint32, uint64)) error {
	emit([]uint32{0, 0, 0, 0, 0}, 1)
	return nil
}

func (x *twins) Successors(s []uint32, emit func([]uint32, uint64)) error {
	for i, bound := range []uint32{3, 2, 3, 2, 1} {
		if next := append([]uint32{}, s...); next[i]+1 < bound {
			next[i]++
			if next[4] = 0; next[0]*2+next[1] > next[2]*2+next[3] {
				next[0], next[1], next[2], next[3] = next[2], next[3], next[0], next[1]
			}
			x.step = []string{"a", "b", "a", "b", ""}[i]
			emit(next, x.Hash(next))
		}
	}
	return nil
}

func (x *twins) Violated([]uint32) (uint64, error) { return 0, nil }

func (x *twins) Hash(s []uint32) (h uint64) {
	for _, v := range s {
		h = h*31 + uint64(v) + 1
	}
	return spread(h)
}

func (x *twins) Names() []string { return []string{"c", "a", "b"} }

func (x *twins) Parts(s []uint32) []Part {
	return []Part{{Values: []uint64{uint64(s[4])}}, {1, 1, []uint64{uint64(s[0]), uint64(s[1])}}, {1, 1, []uint64{uint64(s[2]), uint64(s[3])}}}
}

func (x *twins) Rule() string { return x.step }

// TestProfile: 21 pairs of 6; without a there are 3 of 2, without b 6 of 3.
func TestProfile(t *testing.T) {
	p, err := NewProfile(context.Background(), twins{}, Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Varied{{"a", 6, 3}, {"b", 3, 6}, {"c", 1, 21}}
	for i, v := range p.Variables {
		if v != want[i] {
			t.Errorf("%+v, want %+v", v, want[i])
		}
	}
	found := int64(0)
	for _, r := range p.Rules {
		found += r.States
	}
	if p.States != 21 || p.Reason != "" || found != 20 || p.Rules[0] != (Caused{"b", 14, 21}) {
		t.Errorf("%+v: %d are found by rules", p, found)
	}
}
