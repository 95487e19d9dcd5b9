package verdict

import "testing"

func TestWorst(t *testing.T) {
	for _, test := range []struct {
		list []Verdict
		want Verdict
	}{
		{nil, Holds},
		{[]Verdict{Holds, Holds}, Holds},
		{[]Verdict{Holds, Unknown, Holds}, Unknown},
		{[]Verdict{Violated, Unknown}, Violated},
		{[]Verdict{Unknown, Violated, Holds}, Violated},
	} {
		if got := Worst(test.list...); got != test.want {
			t.Errorf("%v: %s, want %s", test.list, got, test.want)
		}
	}
}

func TestTally(t *testing.T) {
	var n Tally
	for _, v := range []Verdict{Holds, Unknown, Violated, Holds, Violated, Violated} {
		n.Add(v)
	}
	if n != (Tally{Holds: 2, Unknown: 1, Violated: 3}) {
		t.Error(n)
	}
}
