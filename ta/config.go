package ta

import (
	"fmt"
	"math/big"
	"slices"
	"sort"

	"github.com/tacheck/tacheck/internal/boolean"
)

// Config is a configuration of the counter system (Definition 2.5): how many processes are in each location, the shared
// variables, and the parameters. All values are natural numbers.
type Config struct {
	Counters []*big.Int // by location
	Shared   []*big.Int // by shared variable
	Params   []*big.Int // by parameter, then by quotient
}

// Value returns the value of a symbol.
func (c *Config) Value(s Symbol) *big.Int {
	switch s.Kind {
	case Counter:
		return c.Counters[s.Index]
	case Shared:
		return c.Shared[s.Index]
	}
	return c.Params[s.Index]
}

// Equal reports whether c and d agree everywhere.
func (c *Config) Equal(d *Config) bool {
	return equalInts(c.Counters, d.Counters) && equalInts(c.Shared, d.Shared) && equalInts(c.Params, d.Params)
}

func equalInts(a, b []*big.Int) bool {
	return slices.EqualFunc(a, b, func(x, y *big.Int) bool { return x.Cmp(y) == 0 })
}

// Transition fires Rule for Factor processes at once; Factor, at least 1, is the acceleration factor.
type Transition struct {
	Rule   int // index into Automaton.Rules
	Factor *big.Int
}

// After returns the configuration after firing r for k processes, without asking whether it may fire (Definition 2.8).
// Parts that do not change are shared with c.
func (c *Config) After(r *Rule, k *big.Int) *Config {
	d := &Config{c.Counters, c.Shared, c.Params}
	if k.Sign() == 0 { // rules that reset do not even do that
		return d
	}
	if !r.SelfLoop() {
		d.Counters = append([]*big.Int(nil), c.Counters...)
		d.Counters[r.From] = new(big.Int).Sub(c.Counters[r.From], k)
		d.Counters[r.To] = new(big.Int).Add(c.Counters[r.To], k)
	}
	if r.Changes() {
		d.Shared = append([]*big.Int(nil), c.Shared...)
		for _, s := range r.Resets {
			d.Shared[s.Shared] = s.Value
		}
		for _, t := range r.Update.Terms() {
			sum := new(big.Int).Mul(t.Coef.Big(), k)
			d.Shared[t.Var.Index] = sum.Add(sum, c.Shared[t.Var.Index])
		}
	}
	return d
}

// Enabled returns nil if r may fire k times in a row in c: enough processes are
// there, the guard holds before each of the k firings, and no variable gets
// negative. A self-loop asks for one process only, which may fire it again and again.
func (a *Automaton) Enabled(c *Config, r *Rule, k *big.Int) error {
	if k.Sign() <= 0 {
		return fmt.Errorf("acceleration factor %s is not positive", k)
	}
	switch {
	case r.SelfLoop() && c.Counters[r.From].Sign() <= 0:
		return fmt.Errorf("no process is in %s", a.Locations[r.From].Name)
	case !r.SelfLoop() && c.Counters[r.From].Cmp(k) < 0:
		return fmt.Errorf("%s processes leave %s, which has %s", k, a.Locations[r.From].Name, c.Counters[r.From])
	}
	if after := c.After(r, k); !r.Monotone() {
		for i, v := range after.Shared {
			if v.Sign() < 0 {
				return fmt.Errorf("%s would be %s", a.Shared[i].Name, v)
			}
		}
	}
	last := new(big.Int).Sub(k, one)
	for _, i := range Breakpoints(c, r, last, r.Guard.Atoms(nil)) {
		if d := c.After(r, i); !Holds(r.Guard, d.Value) {
			return fmt.Errorf("guard %s is false before firing %s of %s", a.FormatCond(r.Guard), i.Add(i, one), k)
		}
	}
	return nil
}

// Breakpoints returns those numbers i of firings, 0 <= i <= k, that suffice to see every change of the atoms while r
// fires k times from c: between two neighbours in the list no atom changes. The list is increasing and has at most 3
// entries an atom, and 3.
func Breakpoints(c *Config, r *Rule, k *big.Int, atoms []Atom) []*big.Int {
	list := []*big.Int{new(big.Int), new(big.Int).Set(k)}
	from := new(big.Int) // from this firing on, all of them change atoms alike
	if len(r.Resets) > 0 && k.Sign() > 0 {
		from, c = one, c.After(r, one)
		list = append(list, one)
	}
	for _, a := range atoms {
		d := r.Effect(a.Linear)
		if d.Sign() == 0 {
			continue
		}
		// The value at from + i is v + i*d: zero is crossed around i = -v/d.
		at := a.Linear.Eval(c.Value)
		at.Neg(at).Div(at, d.Big()).Add(at, from)
		for off := int64(-1); off <= 1; off++ {
			i := new(big.Int).Add(at, big.NewInt(off))
			if i.Sign() > 0 && i.Cmp(k) < 0 {
				list = append(list, i)
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Cmp(list[j]) < 0 })
	out := list[:1]
	for _, i := range list[1:] {
		if i.Cmp(out[len(out)-1]) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// Initial returns nil if c is an initial configuration for admissible parameters.
func (a *Automaton) Initial(c *Config) error {
	for _, part := range []struct {
		kind   Kind
		values []*big.Int
		names  []Name
	}{{Counter, c.Counters, a.Locations}, {Shared, c.Shared, a.Shared}, {Parameter, c.Params, a.Parameters}} {
		want := len(part.names)
		if part.kind == Parameter {
			want += len(a.Quotients)
		}
		if len(part.values) != want {
			return fmt.Errorf("configuration has %d values where the automaton has %d", len(part.values), want)
		}
		for i, v := range part.values {
			if v.Sign() < 0 {
				return fmt.Errorf("%s is negative: %s", a.SymbolName(Symbol{part.kind, i}), v)
			}
		}
	}
	for i, q := range a.Quotients {
		if v := c.Params[len(a.Parameters)+i]; v.Cmp(q.eval(c)) != 0 {
			return fmt.Errorf("%s is not %s", a.SymbolName(Symbol{Parameter, len(a.Parameters) + i}), v)
		}
	}
	if !Holds(a.Resilience, c.Value) {
		return fmt.Errorf("the parameters do not satisfy the resilience condition")
	}
	if !Holds(a.Inits, c.Value) {
		return fmt.Errorf("the first configuration is not initial")
	}
	return nil
}

// Ints returns natural numbers for tests and tools: big integers of ns.
func Ints(ns ...int64) []*big.Int {
	out := make([]*big.Int, len(ns))
	for i, n := range ns {
		out[i] = big.NewInt(n)
	}
	return out
}

// InitiallyEmpty says for each location whether the initial conditions demand literally that it is empty: by
// a conjunct `location == 0`. (The exploration of instances has a way of its own to see that.)
func (a *Automaton) InitiallyEmpty() []bool {
	empty := make([]bool, len(a.Locations))
	for _, c := range a.Inits.Conjuncts() {
		if c.Op != boolean.OpAtom || c.Atom.Rel != EQ {
			continue
		}
		e := c.Atom.Linear
		if terms := e.Terms(); len(terms) == 1 && terms[0].Var.Kind == Counter && e.Const().Sign() == 0 {
			empty[terms[0].Var.Index] = true
		}
	}
	return empty
}
