package threshold

import (
	"slices"
	"strings"

	"tacheck/counter"
	"tacheck/internal/diag"
	"tacheck/internal/linear"
)

// amount is a sum of named quantities and a number: how many a process has heard from ("heard " and a kind), how many
// have sent, parameters, how many processes are at a location.
type amount = linear.Sum[linear.Name]

const heard = "heard "

// located is how many processes are at a location, before its name.
const located = "at "

// crashes is how many have crashed of a group, before the group's number.
const crashes = "crashes of"

func number(n int64) amount { return linear.Number[linear.Name](linear.N(n)) }

func quantity(name string) amount { return linear.Of(linear.Name(name)) }

func namesOf(l amount) (list []string) {
	for _, t := range l.Terms() {
		list = append(list, string(t.Var))
	}
	return list
}

func coef(l amount, name string) int64 { return l.Coef(linear.Name(name)).Int64() }

// cube is a conjunction of conditions l >= 0; dnf is a disjunction of such.
type (
	cube []amount
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
func (a dnf) distinct() dnf {
	keys := make([]map[string]bool, len(a))
	for i, x := range a {
		keys[i] = map[string]bool{}
		for _, l := range x {
			keys[i][l.Key()] = true
		}
	}
	var out dnf
next:
	for i := range a {
		for j := range a {
			if i == j || len(keys[j]) > len(keys[i]) || len(keys[j]) == len(keys[i]) && j > i {
				continue
			}
			inside := true
			for k := range keys[j] {
				inside = inside && keys[i][k]
			}
			if inside {
				continue next
			}
		}
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
		was.out, was.possible, was.exact = t.eliminate(list, func(n string) bool { return strings.HasPrefix(n, heard) })
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

// eliminate is project for any quantities.
func (t *Translation) eliminate(list cube, those func(string) bool) (out cube, possible, exact bool) {
	e := linear.Elimination[linear.Name]{Stop: t.tooMany}
	e.Stronger = t.guards.Stronger
	return e.Of(list, linear.VarsOf(list, func(n linear.Name) bool { return those(string(n)) }))
}

// maxConditions is how many conditions an elimination may come to, and checkedConditions before a text is explored.
const maxConditions, checkedConditions = 5000, 200

// tooMany ends a translation that would combine too many conditions.
func (t *Translation) tooMany(conditions int) bool {
	if conditions > t.bound {
		var list diag.List
		list.Add(diag.Pos{File: t.Source.File.Pos.Filename, Line: 1, Col: 1}, 1,
			"what processes can have heard takes more than %d conditions on what was sent: fewer values of a "+
				"message, or fewer types of faulty processes, take less; `tacheck explore` decides instances", t.bound)
		t.large = true
		t.stop(list.Err())
	}
	return t.ctx.Err() != nil
}
