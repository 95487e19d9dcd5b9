// Package finite has instances of first-order systems: a size for each sort. What is true of their states, which states
// follow, and which can be reached is found out by evaluating the formulas of the text, as plainly as possible: no
// solver.
package finite

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/fol"
)

// State has the values of all cells of an instance: of a symbol for all its arguments, 0 and 1 for formulas, else
// elements. Cells of symbols that are immutable are the same in all states of a run.
type State []uint8

// unknown is the value of a cell that has none yet.
const unknown = 255

// maxSize is the greatest size of a sort.
const maxSize = 32

// Instance is a system with sizes.
type Instance struct {
	System *fol.System
	Sizes  []int // by sort
	Cells  int

	first  []int // the first cell of each symbol
	widths []int // how many values each cell can have
	symbol []int // of each cell
	axioms []*node
	init   []*node
	safety []*node
	steps  []*step
	left   []bool // of steps: they are left out
}

// mostCells bounds how large an instance is.
const mostCells = 1 << 16

// New makes an instance.
func New(s *fol.System, sizes []int) (*Instance, error) {
	x := &Instance{System: s, Sizes: sizes}
	for i, n := range sizes {
		if n < 1 || n > maxSize {
			return nil, fmt.Errorf("%s has from 1 to %d elements, not %d", s.Sorts[i].Name, maxSize, n)
		}
	}
	for _, sym := range s.Symbols {
		x.first = append(x.first, x.Cells)
		cells, width := 1, 2
		for _, of := range sym.Args {
			if cells *= sizes[of.Index]; cells > mostCells {
				break
			}
		}
		if sym.Result != nil {
			width = sizes[sym.Result.Index]
		}
		if x.Cells += cells; x.Cells > mostCells {
			return nil, fmt.Errorf("the instance %s is too large: a state has more than %d values", x, mostCells)
		}
		for range cells {
			x.widths, x.symbol = append(x.widths, width), append(x.symbol, sym.Index)
		}
	}
	for _, list := range []struct {
		from []fol.Claim
		to   *[]*node
	}{{s.Axioms, &x.axioms}, {s.Init, &x.init}, {s.Safety, &x.safety}} {
		for _, c := range list.from {
			*list.to = append(*list.to, x.compile(c.Formula, nil))
		}
	}
	for _, t := range s.Transitions {
		x.steps = append(x.steps, x.newStep(t))
	}
	x.left = make([]bool, len(x.steps))
	return x, nil
}

// String names the sizes: node=3, value=2.
func (x *Instance) String() string {
	var parts []string
	for i, n := range x.Sizes {
		parts = append(parts, fmt.Sprintf("%s=%d", x.System.Sorts[i].Name, n))
	}
	return strings.Join(parts, ", ")
}

// elementName names an element of a sort.
func elementName(s *fol.Sort, i int) string { return fmt.Sprintf("%s%d", s.Name, i) }

// atom says what a cell is: a symbol of elements.
func (x *Instance) atom(c int) (*fol.Symbol, []int) {
	s := x.System.Symbols[x.symbol[c]]
	rest := c - x.first[s.Index]
	args := make([]int, len(s.Args))
	for i := len(args) - 1; i >= 0; i-- {
		n := x.Sizes[s.Args[i].Index]
		args[i], rest = rest%n, rest/n
	}
	return s, args
}

// at is the cell of a symbol of elements.
func (x *Instance) at(s *fol.Symbol, args []int) int {
	at := 0
	for i, of := range s.Args {
		at = at*x.Sizes[of.Index] + args[i]
	}
	return x.first[s.Index] + at
}

// name names a cell: sent(node0, node1).
func (x *Instance) name(c int) string {
	s, args := x.atom(c)
	if len(args) == 0 {
		return s.Name
	}
	var names []string
	for i, a := range args {
		names = append(names, elementName(s.Args[i], a))
	}
	return s.Name + "(" + strings.Join(names, ", ") + ")"
}

// say says what a cell is and what its value: sent(node0, node1), leader = node2.
func (x *Instance) say(c int, value uint8) string {
	s, text := x.System.Symbols[x.symbol[c]], x.name(c)
	switch {
	case s.Result != nil:
		return text + " = " + elementName(s.Result, int(value))
	case value == 0:
		return "!" + text
	}
	return text
}

// Describe lists what is true in a state, a line for each symbol that has something; of relations what is in them.
func (x *Instance) Describe(state State, mutable bool) (list []string) {
	for _, s := range x.System.Symbols {
		if s.Mutable != mutable {
			continue
		}
		var parts []string
		for c := x.first[s.Index]; c < x.Cells && x.symbol[c] == s.Index; c++ {
			if s.Result != nil || state[c] == 1 {
				parts = append(parts, x.say(c, state[c]))
			}
		}
		if len(parts) > 0 {
			list = append(list, strings.Join(parts, ", "))
		}
	}
	return list
}

// Changes says what is different after a step.
func (x *Instance) Changes(before, after State) (list []string) {
	for c := range before {
		if before[c] != after[c] {
			list = append(list, x.say(c, after[c]))
		}
	}
	return list
}
