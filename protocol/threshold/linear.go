package threshold

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tacheck/internal/diag"
	"tacheck/internal/fourier"
)

// linear is a sum of named quantities and a number: how many a process has heard
// from ("heard " and a kind), how many have sent, parameters, how many
// processes are at a location.
type linear struct {
	terms map[string]int64
	k     int64
}

const heard = "heard "

// crashes is how many have crashed of a group, before the group's number.
const crashes = "crashes of"

func number(n int64) linear { return linear{k: n} }

func quantity(name string) linear { return linear{terms: map[string]int64{name: 1}} }

func (l linear) plus(m linear, f int64) linear {
	out := linear{maps.Clone(l.terms), l.k + f*m.k}
	if out.terms == nil {
		out.terms = map[string]int64{}
	}
	for name, c := range m.terms {
		if out.terms[name] += f * c; out.terms[name] == 0 {
			delete(out.terms, name)
		}
	}
	return out
}

func (l linear) times(f int64) linear { return number(0).plus(l, f) }

func (l linear) constant() bool { return len(l.terms) == 0 }

func (l linear) names() []string { return slices.Sorted(maps.Keys(l.terms)) }

// key is equal for equal sums, but for their numbers if those are left out.
func (l linear) key(withNumber bool) string {
	var b []byte
	for _, n := range l.names() {
		b = append(append(append(strconv.AppendInt(b, l.terms[n], 10), '*'), n...), ' ')
	}
	if withNumber {
		b = strconv.AppendInt(b, l.k, 10)
	}
	return string(b)
}

// all is a conjunction of conditions l >= 0; any is a disjunction of such.
type (
	all []linear
	any []all
)

var always = any{nil}

// and combines disjunctions.
func and(a, b any) any {
	var out any
	for _, x := range a {
		for _, y := range b {
			if c, ok := tidy(append(slices.Clone(x), y...)); ok {
				out = append(out, c)
			}
		}
	}
	return out.distinct()
}

// distinct leaves out what is said twice, and what says more than another part.
func (a any) distinct() any {
	keys := make([]map[string]bool, len(a))
	for i, x := range a {
		keys[i] = map[string]bool{}
		for _, l := range x {
			keys[i][l.key(true)] = true
		}
	}
	var out any
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

// tidy leaves out what says nothing, or less than another condition; false if one
// is never true.
func tidy(list all) (all, bool) {
	var out all
	place := map[string]int{}
	for _, l := range list {
		if l.constant() {
			if l.k < 0 {
				return nil, false
			}
			continue
		}
		if i, old := place[l.key(false)]; old {
			out[i].k = min(out[i].k, l.k)
			continue
		}
		place[l.key(false)] = len(out)
		out = append(out, l)
	}
	// l >= 0 and -l - 1 >= 0 together.
	for _, l := range out {
		if i, old := place[l.times(-1).key(false)]; old && l.k+out[i].k < 0 {
			return nil, false
		}
	}
	return out, true
}

// project says what conditions say of the quantities that are not heard: whether
// there are numbers heard that satisfy them (Fourier, Motzkin). exact says that this is
// so for integers.
func (t *Translation) project(list all) (out all, possible, exact bool) {
	key := list.key()
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
	out             all
	possible, exact bool
}

// key is equal for equal conditions in the same order.
func (a all) key() string {
	var b strings.Builder
	for _, l := range a {
		b.WriteString(l.key(true))
		b.WriteByte(';')
	}
	return b.String()
}

// eliminate is project for any quantities.
func (t *Translation) eliminate(list all, those func(string) bool) (out all, possible, exact bool) {
	var gone []string
	for _, l := range list {
		for n := range l.terms {
			if those(n) && !slices.Contains(gone, n) {
				gone = append(gone, n)
			}
		}
	}
	slices.Sort(gone)
	sums := fourier.Sums[string, linear]{
		Coef:    func(l linear, v string) int64 { return l.terms[v] },
		Combine: func(a linear, p int64, b linear, q int64) linear { return a.times(p).plus(b, q) },
		Tidy: func(list []linear) ([]linear, bool) {
			out, ok := tidy(list)
			return t.stronger(out, newRows(out, nil).plainly), ok
		},
		Stop: t.tooMany,
	}
	return sums.Eliminate(list, gone)
}

// maxConditions is how many conditions an elimination may come to, and checkedConditions before a text is explored.
const maxConditions, checkedConditions = 5000, 200

// tooMany ends a translation that would combine too many conditions.
func (t *Translation) tooMany(conditions int) bool {
	if conditions > t.bound {
		var list diag.List
		list.Add(diag.Pos{File: t.Source.File.Pos.Filename, Line: 1, Col: 1}, 1,
			"what processes can have heard takes more than %d conditions on what was sent: fewer values of a message, or fewer types of faulty processes, take less; `tacheck explore` decides instances", t.bound)
		t.large = true
		t.stop(list.Err())
	}
	return t.ctx.Err() != nil
}

// text prints a sum with the given names.
func (l linear) text(name func(string) string) string {
	text := ""
	put := func(c int64, what string) {
		sign := " + "
		if c < 0 {
			sign, c = " - ", -c
		}
		if text == "" {
			sign = strings.TrimSpace(strings.TrimPrefix(sign, " + "))
		}
		switch {
		case what == "":
			text += sign + fmt.Sprint(c)
		case c == 1:
			text += sign + what
		default:
			text += sign + fmt.Sprintf("%d * %s", c, what)
		}
	}
	names := l.names()
	slices.SortStableFunc(names, func(a, b string) int { return -sign(l.terms[a]) + sign(l.terms[b]) })
	for _, n := range names {
		put(l.terms[n], name(n))
	}
	if l.k != 0 || text == "" {
		put(l.k, "")
	}
	return text
}

func sign(n int64) int {
	if n < 0 {
		return -1
	}
	return 1
}

// compare prints l >= 0, what some quantities say to the left.
func (l linear) compare(left func(string) bool, name func(string) string) string {
	a, b := linear{}, number(-l.k)
	for n, c := range l.terms {
		if left(n) {
			a = a.plus(quantity(n), c)
		} else {
			b = b.plus(quantity(n), -c)
		}
	}
	negative := !a.constant()
	for _, c := range a.terms {
		negative = negative && c < 0
	}
	if negative {
		return a.times(-1).text(name) + " <= " + b.times(-1).text(name)
	}
	return a.text(name) + " >= " + b.text(name)
}
