package terminal

import (
	"math/big"
	"testing"
	"time"
)

// TestProgressText: how far a search is, and how long it may take.
func TestProgressText(t *testing.T) {
	n := func(x int64) *big.Int { return big.NewInt(x) }
	for _, test := range []struct {
		checked, pruned, total *big.Int
		want                   string
	}{
		{n(1), n(0), new(big.Int).Exp(n(10), n(40), nil), "1 shapes checked, 0 pruned of 10000000000000000000000000000000000000000, 10 s"},
		{n(1), n(0), n(2000), "1 shapes checked, 0 pruned of 2000, 10 s, about 6 h left"},
		{n(20), n(5), n(100), "20 shapes checked, 5 pruned of 100, 10 s, about 30 s left"},
		{n(20), n(80), n(100), "20 shapes checked, 80 pruned of 100, 10 s"},
		{n(0), n(0), n(100), "0 shapes checked, 0 pruned of 100, 10 s"},
		{n(20), nil, nil, "20 shapes checked, 10 s"},
	} {
		w := &Watch{line: func(string) {}, total: 1}
		w.Shapes(test.checked, test.pruned, test.total)
		if got := w.text(10 * time.Second); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	w := &Watch{line: func(string) {}, total: 3, noun: "specifications"}
	w.Shapes(n(20), n(5), n(100))
	if err := w.Next(func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got, want := w.text(5*time.Second), "1 of 3 specifications; working, 5 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
