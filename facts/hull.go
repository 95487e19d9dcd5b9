package facts

import (
	"math/big"

	"tacheck/smt"
	"tacheck/smt/symbolic"
	"tacheck/ta"
)

// space is an affine space of configurations: those in which all rows are 0. A row has a coefficient for every location,
// variable and parameter (quotients too), and a constant. It starts out empty.
type space struct {
	a     *ta.Automaton
	empty bool
	rows  [][]*big.Int // linearly independent
}

func newSpace(a *ta.Automaton) *space { return &space{a: a, empty: true} }

func (v *space) dims() int {
	return len(v.a.Locations) + len(v.a.Shared) + len(v.a.Parameters) + len(v.a.Quotients)
}

// symbol returns what the i-th coefficient of rows is for.
func (v *space) symbol(i int) ta.Symbol {
	for _, part := range []struct {
		kind ta.Kind
		n    int
	}{{ta.Counter, len(v.a.Locations)}, {ta.Shared, len(v.a.Shared)}} {
		if i < part.n {
			return ta.Symbol{Kind: part.kind, Index: i}
		}
		i -= part.n
	}
	return ta.Symbol{Kind: ta.Parameter, Index: i}
}

// row returns an expression as a row.
func (v *space) row(e ta.Linear) []*big.Int {
	out := make([]*big.Int, v.dims()+1)
	for i := range out[:v.dims()] {
		out[i] = e.Coef(v.symbol(i))
	}
	out[v.dims()] = e.Const()
	return out
}

// join adds a configuration to the space: the equation that is not true in it, if there is only one, is
// dropped; of several, one is used to make the others true.
func (v *space) join(c *ta.Config) {
	n := v.dims()
	if v.empty {
		v.empty = false
		for i := range n {
			row := make([]*big.Int, n+1)
			for j := range row {
				row[j] = new(big.Int)
			}
			row[i] = big.NewInt(1)
			row[n] = new(big.Int).Neg(c.Value(v.symbol(i)))
			v.rows = append(v.rows, row)
		}
		return
	}
	pivot := -1
	var off *big.Int
	var rows [][]*big.Int
	for k, row := range v.rows {
		value := v.eval(row, c)
		switch {
		case value.Sign() == 0:
			rows = append(rows, row)
		case pivot < 0:
			pivot, off = k, value
		default:
			rows = append(rows, combine(row, off, v.rows[pivot], new(big.Int).Neg(value)))
		}
	}
	v.rows = rows
}

func (v *space) eval(row []*big.Int, c *ta.Config) *big.Int {
	sum := new(big.Int).Set(row[v.dims()])
	var p big.Int
	for i, k := range row[:v.dims()] {
		if k.Sign() != 0 {
			sum.Add(sum, p.Mul(k, c.Value(v.symbol(i))))
		}
	}
	return sum
}

// combine returns a*x + b*y, divided by its common divisor.
func combine(x []*big.Int, a *big.Int, y []*big.Int, b *big.Int) []*big.Int {
	out := make([]*big.Int, len(x))
	g := new(big.Int)
	for i := range x {
		out[i] = new(big.Int).Mul(a, x[i])
		out[i].Add(out[i], new(big.Int).Mul(b, y[i]))
		g.GCD(nil, nil, g, new(big.Int).Abs(out[i]))
	}
	if g.Sign() > 0 {
		for i := range out {
			out[i].Quo(out[i], g)
		}
	}
	return out
}

// zero says that a configuration is in the space.
func (v *space) zero(c symbolic.Config) []*smt.Formula {
	if v.empty {
		return []*smt.Formula{smt.False}
	}
	var out []*smt.Formula
	for _, row := range v.rows {
		out = append(out, smt.EQ(v.at(row, c), smt.Linear{}))
	}
	return out
}

// at returns the value of a row in a configuration.
func (v *space) at(row []*big.Int, c symbolic.Config) smt.Linear {
	sum := smt.Big(row[v.dims()])
	for i, k := range row[:v.dims()] {
		if k.Sign() != 0 {
			sum = sum.AddScaled(k, c.Value(v.symbol(i)))
		}
	}
	return sum
}

// outside says that a configuration is not in the space.
func (v *space) outside(c symbolic.Config) *smt.Formula {
	if v.empty {
		return smt.True
	}
	var out []*smt.Formula
	for _, row := range v.rows {
		out = append(out, smt.Not(smt.EQ(v.at(row, c), smt.Linear{})))
	}
	return smt.Or(out...)
}

// kept reports whether a rule leads out of the space nowhere, whatever its guard.
func (v *space) kept(r *ta.Rule) bool {
	for _, row := range v.rows {
		sum := new(big.Int)
		if !r.SelfLoop() {
			sum.Sub(row[r.To], row[r.From])
		}
		for _, t := range r.Update.Terms() {
			sum.Add(sum, new(big.Int).Mul(t.Coef, row[len(v.a.Locations)+t.Symbol.Index]))
		}
		if sum.Sign() != 0 {
			return false
		}
		for _, x := range r.Resets {
			if row[len(v.a.Locations)+x.Shared].Sign() != 0 {
				return false
			}
		}
	}
	return true
}

// equations widens the space, from nothing, until it has all initial configurations and no rule leads out of it.
func (f *finder) equations() error {
	if err := f.widen(f.c, f.initial); err != nil || f.space.empty {
		return err
	}
	for before := -1; before != len(f.space.rows); {
		before = len(f.space.rows)
		for i := range f.a.Rules {
			r := &f.a.Rules[i]
			d := f.after(r)
			if f.space.kept(r) {
				continue
			}
			if err := f.widen(d, func() *smt.Formula { return f.fires(r, d) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// widen adds to the space all configurations d, which depend on c, such that c satisfies a formula.
func (f *finder) widen(d symbolic.Config, formula func() *smt.Formula) error {
	for {
		from, err := f.ask(smt.And(formula(), f.space.outside(d)))
		if err != nil || from == nil {
			return err
		}
		f.space.join(f.evaluate(d, from))
	}
}

// evaluate returns the values of a configuration that depends on c, where c is given.
func (f *finder) evaluate(d symbolic.Config, c *ta.Config) *ta.Config {
	values := map[string]*big.Int{}
	for i, v := range f.vars {
		values[v.Name] = c.Value(f.space.symbol(i))
	}
	read := func(list []smt.Linear) []*big.Int {
		out := make([]*big.Int, len(list))
		for i, e := range list {
			out[i] = e.Eval(func(v *smt.Var) *big.Int { return values[v.Name] })
		}
		return out
	}
	return &ta.Config{Counters: read(d.Counters), Shared: read(d.Shared), Params: read(d.Params)}
}

// linear returns the rows as expressions, in reduced echelon form: each of them begins with a symbol that no
// other one has. If some location is always empty, that is one of them.
func (v *space) linear() []ta.Linear {
	rows := append([][]*big.Int(nil), v.rows...)
	done := 0
	for col := 0; col <= v.dims() && done < len(rows); col++ {
		pivot := done
		for pivot < len(rows) && rows[pivot][col].Sign() == 0 {
			pivot++
		}
		if pivot == len(rows) {
			continue
		}
		rows[done], rows[pivot] = rows[pivot], rows[done]
		for k := range rows {
			if k != done && rows[k][col].Sign() != 0 {
				rows[k] = combine(rows[k], rows[done][col], rows[done], new(big.Int).Neg(rows[k][col]))
			}
		}
		done++
	}
	var out []ta.Linear
	for _, row := range rows {
		e := ta.BigInt(row[v.dims()])
		for i, k := range row[:v.dims()] {
			e = e.AddScaled(k, ta.Var(v.symbol(i)))
		}
		if first := e.Terms()[0].Coef; first.Sign() < 0 {
			e = e.Neg()
		}
		out = append(out, e)
	}
	return out
}
