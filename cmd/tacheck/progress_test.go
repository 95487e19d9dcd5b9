package main

import (
	"math/big"
	"testing"
	"time"
)

func TestProgressText(t *testing.T) {
	n := func(x int64) *big.Int { return big.NewInt(x) }
	for _, test := range []struct {
		checked, pruned, total *big.Int
		want                   string
	}{
		{n(20), n(5), n(100), "20 shapes checked, 5 pruned of 100, 10 s, about 30 s left"},
		{n(20), n(80), n(100), "20 shapes checked, 80 pruned of 100, 10 s"},
		{n(0), n(0), n(100), "0 shapes checked, 0 pruned of 100, 10 s"},
		{n(20), nil, nil, "20 shapes checked, 10 s"},
	} {
		if got := progressText(test.checked, test.pruned, test.total, 10*time.Second); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
