package rounds

import (
	"fmt"
	"maps"
	"slices"
)

// A cast is a state with processes that have names, from 0. It says who has sent what to whom; that is what a run is held against.
type cast struct {
	faulty, crashed []bool
	round           []int            // from 1
	kept            []map[int]int    // variables
	local           []map[place]int  // variables of rounds, where they are not the first ones
	sent            map[letter]note  // what was sent to all
	received        map[receipt]bool // by whom
	coins           map[int]int      // outcomes, by rounds
	rest            *formula         // what the run still has to do
}

// A place is a variable of a round.
type place struct{ variable, round int }

// A letter says who has sent a message, in which round, and of which kind; a note what it says, and whether the sender crashed
// as it sent it.
type (
	letter struct{ from, round, kind int }
	note   struct {
		number int
		partly bool
	}
	receipt struct {
		to int
		letter
		number int
	}
)

func (c *cast) clone() *cast {
	d := &cast{slices.Clone(c.faulty), slices.Clone(c.crashed), slices.Clone(c.round), nil, nil,
		maps.Clone(c.sent), maps.Clone(c.received), maps.Clone(c.coins), c.rest}
	for p := range c.kept {
		d.kept = append(d.kept, maps.Clone(c.kept[p]))
		d.local = append(d.local, maps.Clone(c.local[p]))
	}
	return d
}

// counts tells whether a process counts in properties.
func (c *cast) counts(p int) bool { return !c.faulty[p] && !c.crashed[p] }

// state is the scope of properties.
func (c *cast) state(in *Instance) scope {
	s := scope{parameters: in.Parameters, kinds: in.Text.Kinds}
	s.count = func(condition *Expr, _ bool) int {
		count := 0
		for p := range c.round {
			if c.counts(p) {
				count += c.scope(in, p, c.round[p]).value(condition)
			}
		}
		return count
	}
	s.ended = everSo
	for p, round := range c.round {
		if c.counts(p) {
			s.ended = min(s.ended, round-1)
		}
	}
	return s
}

// scope is that of the rules of a process in a round.
func (c *cast) scope(in *Instance, p, round int) scope {
	s := scope{parameters: in.Parameters, kinds: in.Text.Kinds, variables: make([]int, len(in.Text.Variables))}
	for i, v := range in.Text.Variables {
		value, changed := c.local[p][place{i, round}]
		switch {
		case v.Kept:
			s.variables[i] = c.kept[p][i]
		case changed:
			s.variables[i] = value
		default:
			s.variables[i] = v.Start
		}
	}
	leader := liar
	if in.Text.turns {
		leader = (round - 1) % in.size
	}
	s.leads = leader == p
	s.heard = func(kind, number int, led bool) int {
		count := 0
		for q := range c.round {
			count += truth((!led || q == leader) && c.received[receipt{p, letter{q, round, kind}, number}])
		}
		return count
	}
	s.arrived = func(kind int, led bool) bool {
		for q := range c.round {
			l := letter{q, round, kind}
			switch n, sent := c.sent[l]; {
			case c.faulty[q] || led && q != leader:
			case (!sent || n.partly) && !c.crashed[q]:
				return false
			case sent && !n.partly && !c.received[receipt{p, l, n.number}]:
				return false
			}
		}
		return true
	}
	return s
}

// casts are the states in which runs of an instance begin.
func casts(in *Instance, coins map[int]int, rest *formula) []*cast {
	empty := &cast{make([]bool, in.size), make([]bool, in.size), make([]int, in.size), nil, nil,
		map[letter]note{}, map[receipt]bool{}, coins, rest}
	for p := range in.size {
		empty.round[p] = 1
		empty.kept, empty.local = append(empty.kept, map[int]int{}), append(empty.local, map[place]int{})
	}
	all := []*cast{empty}
	for p := range in.size {
		all = grow(all, 0, 1, func(c *cast, value int) { c.faulty[p] = value == 1 })
		for i, v := range in.Text.Variables {
			low, high := v.Start, v.Start
			if v.Input {
				low, high = v.Low, v.High
			}
			if v.Kept {
				all = grow(all, low, high, func(c *cast, value int) { c.kept[p][i] = value })
			}
		}
	}
	faulty := 0
	if slices.Contains([]string{"byzantine", "symmetric", "omission"}, in.Text.Faults) {
		faulty = in.faults
	}
	return slices.DeleteFunc(all, func(c *cast) bool {
		count := 0
		for _, f := range c.faulty {
			count += truth(f)
		}
		return count != faulty
	})
}

// grow makes a copy for each value.
func grow(all []*cast, low, high int, set func(*cast, int)) []*cast {
	var next []*cast
	for _, c := range all {
		for value := low; value <= high; value++ {
			d := c.clone()
			set(d, value)
			next = append(next, d)
		}
	}
	return next
}

// key tells casts apart.
func (c *cast) key() string { return fmt.Sprint(*c, c.rest.key) }
