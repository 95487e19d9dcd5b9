package threshold

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
)

// amount is a sum of what a process has received, what was sent, parameters, and numbers of processes.
type amount = counter.Sum

func number(n int64) amount { return counter.Number(n) }

// received is how many messages of an item a process has received.
func received(i int) amount { return counter.Of(counter.Received, i) }

func (t *Translation) parameter(name string) amount {
	return counter.Of(counter.Parameter, slices.Index(t.params, name))
}

// cube is a conjunction of conditions l >= 0; dnf is a disjunction of such.
type (
	cube = []amount
	dnf  []cube
)

var always = dnf{nil}

// and combines disjunctions.
func and(a, b dnf) dnf {
	var out dnf
	for _, x := range a {
		for _, y := range b {
			if c, ok := linear.Tidy(append(slices.Clone(x), y...)); ok {
				out = append(out, c)
			}
		}
	}
	return out.distinct()
}

// distinct leaves out what is said twice, and what says more than another part.
func (a dnf) distinct() (out dnf) {
	for _, i := range counter.Weakest(a) {
		out = append(out, a[i])
	}
	return out
}

// project says what conditions say of the quantities that are not heard: whether there are numbers heard that satisfy
// them (Fourier, Motzkin). exact says that this is so for integers.
func (t *Translation) project(list cube) (out cube, possible, exact bool) {
	key := counter.Key(list)
	was, old := t.projected[key]
	if !old {
		was.out, was.possible, was.exact = t.guards.Eliminate(list, counter.Quantity.Own)
		if t.ctx.Err() == nil {
			t.projected[key] = was
		}
	}
	return slices.Clone(was.out), was.possible, was.exact
}

// projection is what project says.
type projection struct {
	out             cube
	possible, exact bool
}

// maxConditions is how many conditions an elimination may come to, and checkedConditions before a text is explored.
const maxConditions, checkedConditions = 5000, 200

// tooMany ends a translation that would combine too many conditions.
func (t *Translation) tooMany(conditions int) bool {
	if conditions > t.bound {
		t.large = true
		t.stop(diag.Wrong(diag.Pos{File: t.Source.File.Pos.Filename, Line: 1, Col: 1}, 1,
			"what processes can have heard takes more than %d conditions on what was sent: fewer values of a "+
				"message, or fewer types of faulty processes, take less; `tacheck explore` decides instances", t.bound))
	}
	return t.ctx.Err() != nil
}
