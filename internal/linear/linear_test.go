package linear

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// edges are numbers at which 64 bits end, or divisions change.
var edges = []int64{0, 1, -1, 2, -2, 3, -7, 12, 1 << 31, -1 << 31, 1<<32 + 1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1}

// TestInt holds numbers against those of math/big, in and beyond 64 bits.
func TestInt(t *testing.T) {
	var list []*big.Int
	for _, n := range edges {
		list = append(list, big.NewInt(n), new(big.Int).Mul(big.NewInt(n), big.NewInt(1<<40)))
	}
	for _, x := range list {
		for _, y := range list {
			a, b := Big(x), Big(y)
			check := func(what string, got Int, want *big.Int) {
				if got.Big().Cmp(want) != 0 || got.IsInt64() != want.IsInt64() || got.String() != want.String() || got.Sign() != want.Sign() {
					t.Errorf("%s of %s and %s is %s, want %s", what, x, y, got, want)
				}
			}
			check("sum", a.Add(b), new(big.Int).Add(x, y))
			check("difference", a.Sub(b), new(big.Int).Sub(x, y))
			check("product", a.Mul(b), new(big.Int).Mul(x, y))
			check("absolute value", a.Abs(), new(big.Int).Abs(x))
			check("greatest common divisor", a.gcd(b), new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y)))
			if y.Sign() > 0 {
				check("quotient", a.Floor(b), new(big.Int).Div(x, y))
				check("rest", a.Mod(b), new(big.Int).Mod(x, y))
			}
			if a.Cmp(b) != x.Cmp(y) || a.Equal(b) != (x.Cmp(y) == 0) {
				t.Errorf("%s and %s compare as %d", x, y, a.Cmp(b))
			}
		}
	}
}

// TestFloor: rounding is down and up for all signs.
func TestFloor(t *testing.T) {
	for n := int64(-20); n <= 20; n++ {
		for d := int64(-6); d <= 6; d++ {
			if d == 0 {
				continue
			}
			exact := float64(n) / float64(d)
			if got := Floor(n, d); float64(got) != math.Floor(exact) {
				t.Errorf("Floor(%d, %d) = %d", n, d, got)
			}
			if got := Ceiling(n, d); float64(got) != math.Ceil(exact) {
				t.Errorf("Ceiling(%d, %d) = %d", n, d, got)
			}
		}
	}
}

type sum = Sum[Index]

// make3 is c[0] + c[1]*x0 + c[2]*x1 + c[3]*x2.
func make3(c [4]int64) sum {
	out := Number[Index](N(c[0]))
	for _, i := range []int{2, 0, 1} { // in another order
		out = out.AddScaled(N(c[i+1]), Of(Index(i)))
	}
	return out
}

func at(s sum, x [3]int64) int64 { return s.At(func(i Index) int64 { return x[i] }).Int64() }

func random(r *rand.Rand, most int64) (c [4]int64) {
	for i := range c {
		c[i] = r.Int64N(2*most+1) - most
	}
	return c
}

// TestSum holds what sums can do against values: of the coefficients, and at random places.
func TestSum(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		p, q, at3 := random(r, 3), random(r, 3), random(r, 9)
		x := [3]int64(at3[1:])
		k, v := r.Int64N(7)-3, Index(r.IntN(3))
		a, b := make3(p), make3(q)
		value := func(name string, got sum, want int64) {
			if at(got, x) != want || got.Eval(func(i Index) *big.Int { return big.NewInt(x[i]) }).Int64() != want {
				t.Fatalf("seed %d: %s of %v and %v at %v is %d, want %d", seed, name, p, q, x, at(got, x), want)
			}
			for i, term := range got.Terms() {
				if term.Coef.Is(0) || i > 0 && got.Terms()[i-1].Var >= term.Var {
					t.Fatalf("seed %d: %s of %v and %v has terms %v", seed, name, p, q, got.Terms())
				}
			}
			if again := make3([4]int64{got.Const().Int64(), got.Coef(0).Int64(), got.Coef(1).Int64(), got.Coef(2).Int64()}); !again.Equal(got) || again.Key() != got.Key() {
				t.Fatalf("seed %d: %s of %v and %v is not equal to itself: %v, %v", seed, name, p, q, got, again)
			}
		}
		va, vb := at(a, x), at(b, x)
		value("a + b", a.Add(b), va+vb)
		value("a - b", a.Sub(b), va-vb)
		value("a + k*b", a.AddScaled(N(k), b), va+k*vb)
		value("k*a", a.Scale(N(k)), k*va)
		value("a + k", a.Plus(k), va+k)
		value("complement", a.Complement(), -va-1)
		value("b for a variable", a.With(v, b), va+a.Coef(v).Int64()*(vb-x[v]))
		value("b for all variables", Map(a, func(Index) sum { return b }), p[0]+(p[1]+p[2]+p[3])*vb)
		value("only", a.Only(func(i Index) bool { return i == v }), a.Coef(v).Int64()*x[v])
		left, right := a.Sides()
		value("sides", left.Sub(right).AddScaled(a.Const(), make3([4]int64{1})), va)
		if !left.Rises() || !right.Rises() || a.Rises() != right.IsConst() {
			t.Fatalf("seed %d: sides of %v are %v, %v", seed, p, left, right)
		}
		if tight := a.Tight(); (at(tight, x) >= 0) != (va >= 0) || tight.divisor().Cmp(N(1)) > 0 {
			t.Fatalf("seed %d: %v >= 0 at %v became %v", seed, p, x, tight)
		}
		if a.Equal(b) != (p == q) || (a.Key() == b.Key()) != (p == q) || a.parallel(b) != a.Sub(b).IsConst() || (a.keyOfTerms() == b.keyOfTerms()) != a.parallel(b) {
			t.Fatalf("seed %d: %v and %v: equal %v, keys %q, %q", seed, p, q, a.Equal(b), a.Key(), b.Key())
		}
	}
}

// TestBeyond: what is beyond 64 bits stays exact, and is not taken for what has them.
func TestBeyond(t *testing.T) {
	a := Of(Index(0)).Plus(1).Scale(N(math.MaxInt64)).Scale(N(math.MaxInt64))
	want := new(big.Int).Mul(big.NewInt(math.MaxInt64), big.NewInt(math.MaxInt64))
	if a.Coef(0).Big().Cmp(want) != 0 || a.Within(math.MaxInt64) {
		t.Errorf("%s", a.Coef(0))
	}
	if d := a.Sub(a); !d.IsConst() || !d.Const().Is(0) {
		t.Errorf("%v", d)
	}
	if s := a.Tight(); !s.Equal(Of(Index(0)).Plus(1)) {
		t.Errorf("%v", s)
	}
	defer func() {
		if recover() == nil {
			t.Error("a number beyond 64 bits was cut off")
		}
	}()
	a.Const().Int64()
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		sum  [4]int64
		want string
	}{
		{[4]int64{}, "0"},
		{[4]int64{0, 1}, "x"},
		{[4]int64{-1, -1, 2, 0}, "2 * y - x - 1"},
		{[4]int64{3, 0, -2}, "3 - 2 * y"},
		{[4]int64{0, -1, 0, -1}, "-x - z"},
	} {
		if got := make3(c.sum).Text(func(i Index) string { return "xyz"[i : i+1] }); got != c.want {
			t.Errorf("%v is written %q, want %q", c.sum, got, c.want)
		}
	}
}

func hold(list []sum, x [3]int64) bool {
	for _, s := range list {
		if at(s, x) < 0 {
			return false
		}
	}
	return true
}

// TestTidy: what is left says the same, and nothing is left that says less than something else.
func TestTidy(t *testing.T) {
	never := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		var list []sum
		for range r.IntN(6) {
			c := random(r, 1)
			c[0] *= 3
			list = append(list, make3(c))
		}
		out, possible := Tidy(append([]sum(nil), list...))
		if !possible {
			never++
		}
		for range 200 {
			c := random(r, 9)
			x := [3]int64(c[1:])
			if hold(list, x) != (possible && hold(out, x)) {
				t.Fatalf("seed %d: %v became %v, %v at %v", seed, list, out, possible, x)
			}
		}
		for i, a := range out {
			for _, b := range out[:i] {
				if a.parallel(b) {
					t.Fatalf("seed %d: %v and %v are left", seed, a, b)
				}
			}
		}
	}
	if never < 50 {
		t.Errorf("only %d without values", never)
	}
}

// TestEliminate holds the elimination of two of three variables, which are bounded, against trying
// their values: what has values satisfies what is left, and the other way round where the answer is exact.
func TestEliminate(t *testing.T) {
	const bound = 6
	exactly, roughly, never := 0, 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		list := []sum{make3([4]int64{0, 0, 1, 0}), make3([4]int64{bound, 0, -1, 0}), make3([4]int64{0, 0, 0, 1}), make3([4]int64{bound, 0, 0, -1})}
		for range 1 + r.IntN(4) {
			list = append(list, make3(random(r, 3)))
		}
		gone := VarsOf(list, func(i Index) bool { return i > 0 })
		out, possible, exact := Elimination[Index]{}.Of(list, gone)
		if len(VarsOf(out, func(i Index) bool { return i > 0 })) > 0 {
			t.Fatalf("seed %d: %v is left of %v", seed, out, list)
		}
		some := false
		for x := int64(-20); x <= 20; x++ {
			has := false
			for y := range int64(bound + 1) {
				for z := range int64(bound + 1) {
					has = has || hold(list, [3]int64{x, y, z})
				}
			}
			some = some || has
			said := possible && hold(out, [3]int64{x})
			if has && !said || exact && said && !has {
				t.Fatalf("seed %d: %v with %d: %v, by values: %v (exact: %v)\n%v", seed, list, x, said, has, exact, out)
			}
		}
		switch {
		case !some:
			never++
		case exact:
			exactly++
		default:
			roughly++
		}
	}
	if exactly < 100 || roughly < 100 || never < 100 {
		t.Errorf("%d exact, %d not, %d without values: too few to mean much", exactly, roughly, never)
	}
}

// TestStop: there is no answer where it takes too many conditions, and that is not taken for none possible.
func TestStop(t *testing.T) {
	e := Elimination[Index]{Stop: func(n int) bool { return n >= 2 }}
	list := []sum{make3([4]int64{0, 1, 1, 0}), make3([4]int64{0, 2, 1, 0}), make3([4]int64{5, 1, -1, 0}), make3([4]int64{6, 1, -1, 0})}
	if out, possible, exact := e.Of(list, []Index{1}); out != nil || !possible || exact {
		t.Errorf("%v, %v, %v", out, possible, exact)
	}
}
