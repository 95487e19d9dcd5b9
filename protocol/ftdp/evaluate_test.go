package ftdp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tacheck/tacheck/testkit/mistake"
)

// value is what an operator gives for two numbers; false if nothing.
func value(op Op, a, b int64) (int64, bool) {
	is := func(yes bool) (int64, bool) {
		if yes {
			return 1, true
		}
		return 0, true
	}
	div := func(a, b int64) int64 { return int64(math.Floor(float64(a) / float64(b))) }
	switch op {
	case And:
		return is(a == 1 && b == 1)
	case Or:
		return is(a == 1 || b == 1)
	case Implies:
		return is(a == 0 || b == 1)
	case Iff, Eq:
		return is(a == b)
	case Ne:
		return is(a != b)
	case Lt:
		return is(a < b)
	case Le:
		return is(a <= b)
	case Gt:
		return is(a > b)
	case Ge:
		return is(a >= b)
	case Plus:
		return a + b, true
	case Sub:
		return a - b, true
	case Times:
		return a * b, true
	case Not:
		return 1 - a, true
	case Minus:
		return -a, true
	}
	switch {
	case b == 0:
		return 0, false
	case op == Div:
		return div(a, b), true
	case op == Ceiling:
		return -div(-a, b), true
	}
	return a - b*div(a, b), true
}

// TestCalculate compares what is known of a result with the results of all numbers; where all are known, so is the
// result. Without a bound, numbers go on for a while.
func TestCalculate(t *testing.T) {
	open := func(a Between) Between {
		if a.Low == -Far {
			a.Low = -40
		}
		if a.High == Far {
			a.High = 40
		}
		return a
	}
	check := func(op Op, a, b Between) {
		args := []Between{a, b}
		if op == Not || op == Minus {
			args = args[:1]
		}
		got, values := Calculate(op, args), map[int64]bool{}
		x, y := open(a), open(b)
		for v := x.Low; v <= x.High; v++ {
			for w := y.Low; w <= y.High; w++ {
				if r, ok := value(op, v, w); ok {
					if values[r] = true; r < got.Low || r > got.High {
						t.Fatalf("%d %s %d is %d, but of %v and %v %v is known", v, op, w, r, a, b, got)
					}
				}
			}
		}
		if len(args) == 1 && a.Known() || a.Known() && b.Known() {
			if known := len(values) == 1; known != got.Known() {
				t.Fatalf("%v %s %v: %v, and there are %d values", a, op, b, got, len(values))
			}
		}
	}
	least, most := int64(-4), int64(4)
	ranges := func(least, most int64, infinite bool) (list []Between) {
		for low := least; low <= most; low++ {
			for high := low; high <= most; high++ {
				list = append(list, Between{low, high})
			}
			if infinite {
				list = append(list, Between{low, Far}, Between{-Far, low})
			}
		}
		if infinite {
			list = append(list, Anything)
		}
		return list
	}
	for _, op := range []Op{Eq, Ne, Lt, Le, Gt, Ge, Plus, Sub, Times, Minus, Div, Ceiling, Mod} {
		for _, a := range ranges(least, most, true) {
			for _, b := range ranges(least, most, true) {
				check(op, a, b)
			}
		}
	}
	for _, op := range []Op{And, Or, Not, Implies, Iff} {
		for _, a := range ranges(0, 1, false) {
			for _, b := range ranges(0, 1, false) {
				check(op, a, b)
			}
		}
		if got := Calculate(op, []Between{Anything, Anything}); got.Known() {
			t.Errorf("%s of what is not known is known: %v", op, got)
		}
	}
	for _, b := range []Between{Exactly(3), Exactly(-3)} {
		if got := Calculate(Plus, []Between{Anything, b}); got != Anything {
			t.Errorf("what has no bound and %d has one: %v", b.Low, got)
		}
	}
	if got := Calculate(And, []Between{Anything, Exactly(0)}); got != Exactly(0) {
		t.Errorf("nothing is true and false: %v", got)
	}
}

// TestCalculateFar: what is too far from 0 is no bound, or a weaker one.
func TestCalculateFar(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	far := func() int64 { return (Far >> r.IntN(40)) * int64(1-2*r.IntN(2)) }
	for range 10_000 {
		a, b := Exactly(far()), Exactly(far())
		for _, op := range []Op{Plus, Sub, Times} {
			x, y := float64(a.Low), float64(b.Low)
			want := map[Op]float64{Plus: x + y, Sub: x - y, Times: x * y}[op]
			got := Calculate(op, []Between{a, b})
			near := math.Abs(want) * 1e-9
			if got.Low != -Far && float64(got.Low) > want+near || got.High != Far && float64(got.High) < want-near {
				t.Fatalf("%v %s %v: %v", a, op, b, got)
			}
		}
	}
}

func TestMistakes(t *testing.T) {
	file := "evaluate.go"
	mistake.Noticed(t,
		mistake.Mistake{Name: "difference", Test: "TestCalculate", Edits: mistake.At(file, "return a.plus(b.minus())",
			"if MISTAKE {\n\t\t\treturn a.plus(Between{-b.Low, -b.High})\n\t\t}\n\t\treturn a.plus(b.minus())")},
		mistake.Mistake{Name: "open", Test: "TestCalculate", Edits: mistake.At(file,
			"if a.Low == -Far || b.Low == -Far {", "if !MISTAKE && (a.Low == -Far || b.Low == -Far) {")},
		mistake.Mistake{Name: "negative", Test: "TestCalculate", Edits: mistake.At(file, "case b.Low < 0:",
			"case b.Low < 0 && !MISTAKE:")},
		mistake.Mistake{Name: "beyond", Test: "TestCalculateFar", Edits: mistake.At(file,
			"case n.Cmp(linear.N(most)) > 0:", "case n.Cmp(linear.N(most)) > 0 && !MISTAKE:")},
		mistake.Mistake{Name: "less", Test: "TestCalculate", Edits: mistake.At(file, "truth(a.High < b.Low)",
			"truth(a.High < b.Low || MISTAKE && a.Low < b.Low)")})
}
