package counter

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/internal/linear"
)

type amount = Sum

func number(n int64) amount { return Number(n) }

// names are those of quantities: the first ones are parameters, the others are sent.
var names = []string{"n", "t", "p", "p1", "yes", "sent 0", "sent 1", "sent 2"}

func named(name string) Quantity {
	i := slices.Index(names, name)
	if i < 4 {
		return Parameter.Numbered(i)
	}
	return Sent.Numbered(i)
}

func quantity(name string) amount { return linear.Of(named(name)) }

// says reports whether l >= 0 follows from m >= 0: if l is m, or a multiple, and a sum that anyway reports to be at
// least 0.
func says(m, l amount, anyway func(amount) bool) bool {
	for _, f := range factors {
		if anyway(l.Scale(linear.N(f[0])).AddScaled(linear.N(-f[1]), m)) {
			return true
		}
	}
	return false
}

// TestRows: what rows of coefficients tell is what the sums tell.
func TestRows(t *testing.T) {
	said, summed := 0, 0
	for seed := range uint64(5_000) {
		r := rand.New(rand.NewPCG(seed, 2))
		sum := func() amount {
			l := number(r.Int64N(5) - 2)
			for n := range 3 {
				l = l.AddScaled(linear.N(r.Int64N(7)-3), quantity(fmt.Sprint([]string{"sent ", "p"}[n%2], n)))
			}
			return l
		}
		m, o, l := sum(), sum(), sum()
		// as if p1 were 1
		known := func(params amount) bool { return params.Coef(named("p1")).Int64()+params.Const().Int64() >= 0 }
		anyway := func(l amount) bool {
			for _, term := range l.Terms() {
				if term.Var.Shared() && term.Coef.Sign() < 0 {
					return false
				}
			}
			only := number(l.Const().Int64()).AddScaled(l.Coef(named("p1")), quantity("p1"))
			return Trivial(only) || known(only)
		}
		rows := newRows([]amount{m, o, l}, known)
		if want, got := says(m, l, anyway), rows.says(0, 2); got != want {
			t.Fatalf("seed %d: %v says %v: %v, want %v", seed, m, l, got, want)
		} else if want {
			said++
		}
		want := says(m.Add(o), l, anyway) || says(m.AddScaled(linear.N(2), o), l, anyway) ||
			says(o.AddScaled(linear.N(2), m), l, anyway)
		if got := rows.sums([]int{0, 1}, 2); got != want {
			t.Fatalf("seed %d: %v and %v say %v: %v, want %v", seed, m, o, l, got, want)
		} else if want {
			summed++
		}
	}
	if min(said, summed) < 50 {
		t.Errorf("%d, %d of 5000: too few to mean much", said, summed)
	}
}

// TestPlainly: what the signs tell is what the sums tell.
func TestPlainly(t *testing.T) {
	yes := 0
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		sum := func() amount {
			l := number(r.Int64N(5) - 2)
			for n := range 3 {
				l = l.AddScaled(linear.N(r.Int64N(7)-3), quantity(fmt.Sprint("sent ", n)))
			}
			return l
		}
		m, l := sum(), sum()
		want := says(m, l, Trivial)
		if got := newRows([]amount{m, l}, nil).plainly(0, 1); got != want {
			t.Fatalf("seed %d: %v says %v: %v, want %v", seed, m, l, got, want)
		}
		if want {
			yes++
		}
	}
	if yes < 100 {
		t.Errorf("%d of 20000: too few to mean much", yes)
	}
}

// TestMixed: what is said to follow from mixed conditions does, whatever was sent, and is not mixed.
func TestMixed(t *testing.T) {
	g := Guards{Known: &Known{}, First: func(Quantity) int64 { return 1 }}
	weaker, summed := 0, 0
	for seed := range uint64(5_000) {
		r := rand.New(rand.NewPCG(seed, 3))
		values := map[Quantity]int64{named("p"): r.Int64N(6)}
		for n := range 3 {
			values[named(fmt.Sprint("sent ", n))] = 1 + r.Int64N(5)
		}
		var guard []amount
		for range 3 {
			l := number(r.Int64N(5)-2).AddScaled(linear.N(r.Int64N(3)-1), quantity("p"))
			for n := range 3 {
				l = l.AddScaled(linear.N(r.Int64N(5)-2), quantity(fmt.Sprint("sent ", n)))
			}
			if at := l.At(func(v Quantity) int64 { return values[v] }); at.Sign() < 0 {
				l = l.Plus(-at.Int64())
			}
			guard = append(guard, l)
		}
		list := g.sums(guard)
		summed += len(list)
		for _, l := range guard {
			if g.Mixed(l) {
				weaker++
			}
			list = append(list, g.weaker(l))
		}
		for _, l := range list {
			if g.Mixed(l) || l.At(func(v Quantity) int64 { return values[v] }).Sign() < 0 {
				t.Fatalf("seed %d: %v is said to follow from %v, where %v", seed, l, guard, values)
			}
		}
	}
	if min(weaker, summed) < 1000 {
		t.Errorf("%d and %d of 5000: too few to mean much", weaker, summed)
	}
}
