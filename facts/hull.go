package facts

import (
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// space is an affine space of configurations: those in which all rows are 0: sums of the numbers of locations,
// variables and parameters (quotients too). It starts out empty.
type space struct {
	a     *ta.Automaton
	empty bool
	rows  []ta.Linear // linearly independent
}

func newSpace(a *ta.Automaton) *space { return &space{a: a, empty: true} }

func (v *space) dims() int {
	return len(v.a.Locations) + len(v.a.Shared) + len(v.a.Parameters) + len(v.a.Quotients)
}

// symbol returns the i-th of what configurations consist of, in the order of symbols.
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

// join adds a configuration to the space: the equation that is not true in it, if there is only one, is
// dropped; of several, one is used to make the others true.
func (v *space) join(c *ta.Config) {
	if v.empty {
		v.empty = false
		for i := range v.dims() {
			x := v.symbol(i)
			v.rows = append(v.rows, ta.Var(x).Sub(ta.Number(linear.Big(c.Value(x)))))
		}
		return
	}
	pivot := -1
	var off linear.Int
	var rows []ta.Linear
	for k, row := range v.rows {
		value := linear.Big(row.Eval(c.Value))
		switch {
		case value.Sign() == 0:
			rows = append(rows, row)
		case pivot < 0:
			pivot, off = k, value
		default:
			rows = append(rows, combine(row, off, v.rows[pivot], value.Neg()))
		}
	}
	v.rows = rows
}

// combine returns a*x + b*y, divided by its common divisor.
func combine(x ta.Linear, a linear.Int, y ta.Linear, b linear.Int) ta.Linear {
	return x.Scale(a).AddScaled(b, y).Primitive()
}

// zero says that a configuration is in the space.
func (v *space) zero(c symbolic.Config) []*smt.Formula {
	if v.empty {
		return []*smt.Formula{smt.False}
	}
	return lists.Map(v.rows, func(row ta.Linear) *smt.Formula { return smt.EQ(c.Linear(row), smt.Linear{}) })
}

// outside says that a configuration is not in the space.
func (v *space) outside(c symbolic.Config) *smt.Formula {
	if v.empty {
		return smt.True
	}
	out := lists.Map(v.rows, func(row ta.Linear) *smt.Formula { return smt.Not(smt.EQ(c.Linear(row), smt.Linear{})) })
	return smt.Or(out...)
}

// kept reports whether a rule leads out of the space nowhere, whatever its guard.
func (v *space) kept(r *ta.Rule) bool {
	for _, row := range v.rows {
		if r.Effect(row).Sign() != 0 {
			return false
		}
		for _, x := range r.Resets {
			if row.Coef(ta.Symbol{Kind: ta.Shared, Index: x.Shared}).Sign() != 0 {
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
		return lists.Map(list,
			func(e smt.Linear) *big.Int { return e.Eval(func(v *smt.Var) *big.Int { return values[v.Name] }) })
	}
	return &ta.Config{Counters: read(d.Counters), Shared: read(d.Shared), Params: read(d.Params)}
}

// linear returns the rows as expressions, in reduced echelon form: each of them begins with a symbol that no
// other one has. If some location is always empty, that is one of them.
func (v *space) linear() []ta.Linear {
	rows := slices.Clone(v.rows)
	done := 0
	for col := 0; col < v.dims() && done < len(rows); col++ {
		x := v.symbol(col)
		pivot := done
		for pivot < len(rows) && rows[pivot].Coef(x).Sign() == 0 {
			pivot++
		}
		if pivot == len(rows) {
			continue
		}
		rows[done], rows[pivot] = rows[pivot], rows[done]
		for k := range rows {
			if c := rows[k].Coef(x); k != done && c.Sign() != 0 {
				rows[k] = combine(rows[k], rows[done].Coef(x), rows[done], c.Neg())
			}
		}
		done++
	}
	for k, row := range rows {
		if row.Terms()[0].Coef.Sign() < 0 {
			rows[k] = row.Neg()
		}
	}
	return rows
}
