package rounds

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/ta"
)

// lift makes a run of a round of one of its classes: a process that takes a rule of a class is in one of its locations,
// and takes a rule of that one. The round begins at some borders, or processes arrive there one by one.
func (x *lumping) lift(m *machine, classes, round *ta.Automaton, at []int, run *ta.Run) (*ta.Run, error) {
	if run.Loop != ta.Finite {
		return nil, fmt.Errorf("internal error, please report: an infinite run of classes")
	}
	c := &ta.Config{Params: run.Start.Params, Shared: run.Start.Shared,
		Counters: make([]*big.Int, len(round.Locations))}
	for l := range c.Counters {
		c.Counters[l] = new(big.Int)
	}
	for class, count := range run.Start.Counters {
		if count.Sign() > 0 {
			c.Counters[x.begins(m, at, class)] = count
		}
	}
	out := &ta.Run{Start: c, Loop: ta.Finite}
	for _, step := range run.Steps {
		left := new(big.Int).Set(step.Factor)
		for _, i := range x.takes(m, classes, round, at, step.Rule) {
			r := &round.Rules[i]
			k := new(big.Int).Set(left)
			if c.Counters[r.From].Cmp(k) < 0 {
				k.Set(c.Counters[r.From])
			}
			if k.Sign() == 0 {
				continue
			}
			out.Steps = append(out.Steps, ta.Transition{Rule: i, Factor: k})
			c = c.After(r, k)
			left.Sub(left, k)
		}
		if left.Sign() != 0 {
			return nil, fmt.Errorf("internal error, please report: a rule of a class that its locations do not have")
		}
	}
	return out, nil
}

// begins is where processes begin that begin in a class, or come late.
func (x *lumping) begins(m *machine, at []int, class int) int {
	if late := class - len(x.m.a.Locations); late >= 0 {
		return len(m.a.Locations) + late
	}
	for _, border := range at {
		if x.class[border] == class {
			return border
		}
	}
	return slices.Index(x.class, class)
}

// takes lists the rules of a round that a rule of classes may be: those that it was made of, or by which a late process
// arrives.
func (x *lumping) takes(m *machine, classes, round *ta.Automaton, at []int, rule int) []int {
	if rule < len(x.rules) {
		return x.rules[rule]
	}
	to := classes.Rules[rule].To
	for i := len(m.a.Rules); i < len(round.Rules); i++ {
		if l := round.Rules[i].To; slices.Contains(at, l) && x.class[l] == to {
			return []int{i}
		}
	}
	return nil
}

// attack makes an attack on the round of one on its classes; each of its ways brings some process to an end of a kind
// of its own.
func (x *lifted) attack(n *node, late bool, kinds [][]int, of *Attack) (*Attack, error) {
	at := x.at[n]
	if late {
		at = x.p.anywhere()
	}
	one, err := x.p.one(start{at: at, late: late})
	if err != nil {
		return nil, err
	}
	classes, run := of.Ways[0].Automaton, of.Ways[0].Run
	prefix, err := x.x.lift(x.p.machine, classes, one, at, &ta.Run{Start: run.Start, Steps: run.Steps[:of.Prefix],
		Loop: ta.Finite})
	if err != nil {
		return nil, err
	}
	out := &Attack{Prefix: len(prefix.Steps)}
	for i, way := range of.Ways {
		run, err := x.x.lift(x.p.machine, classes, one, at, way.Run)
		if err != nil {
			return nil, err
		}
		copy(run.Steps, prefix.Steps)
		w, err := check(one, run)
		if err != nil {
			return nil, err
		}
		ends := x.p.where(func(l int) bool { return slices.Contains(kinds[i], x.x.class[l]) })
		if !someIn(w.Configs[out.Prefix:], ends) {
			return nil, fmt.Errorf("internal error, please report: a way of classes leads to another end")
		}
		out.Ways = append(out.Ways, w)
	}
	return out, x.p.sees(one, out)
}

// someIn reports whether some process is in one of some locations in one of some configurations.
func someIn(configs []*ta.Config, list []int) bool {
	return slices.ContainsFunc(configs, func(c *ta.Config) bool {
		return slices.ContainsFunc(list, func(l int) bool { return c.Counters[l].Sign() > 0 })
	})
}

// sees checks that a coin can be seen after the prefix of an attack.
func (p *prover) sees(one *ta.Automaton, of *Attack) error {
	for _, seen := range p.seenFirst("") {
		c, err := one.Cond(seen)
		if err != nil {
			return err
		}
		if ta.Holds(c, of.Ways[0].Configs[of.Prefix].Value) {
			return nil
		}
	}
	return fmt.Errorf("internal error, please report: an attack after which no coin is seen")
}
