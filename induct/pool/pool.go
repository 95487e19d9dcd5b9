// Package pool has candidates for lemmas of a protocol for every size: clauses over what its text speaks of, as far as
// these are true in states of small instances that were visited.
package pool

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/rows"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// Pool has the clauses that may be lemmas: none of them is false in a state that was visited.
type Pool struct {
	m         *protocol.Model
	ended     func() error
	samples   []Sample
	templates []*template
	chooses   bool // some clauses say what quorums choose
	others    []everysize.Condition
	taken     map[string]*clause // by names
	refused   map[string]bool    // by keys: those that could not be proved, or are postponed

	postponed []*clause
	later     []everysize.Condition // of others, postponed
	ordered   bool                  // processes of a role are ordered
	failed    int                   // clauses made on demand that could not be proved
}

// How much is looked at to make a pool.
const (
	mostRows    = 40_000 // of a template, of an instance
	mostClauses = 4000   // of a template
	manyAtoms   = 90     // with which clauses have no more than two conditions
)

// Sample is what was visited of an instance.
type Sample struct {
	Model       *protocol.Model
	Interpreter *interp.Interpreter
	States      []*protocol.State
}

// tableOf has the guards and atoms of a template, in the words of an instance.
func (c *template) tableOf(m *protocol.Model) (*interp.Table, error) {
	list := append(slices.Clip(c.guards), lists.Map(c.atoms, func(a atom) *ftdp.Expr { return a.yes })...)
	all := func(e *ftdp.Expr) *ftdp.Expr { return quantify(ftdp.ForAll, c.head, e) }
	lemmas, err := m.LemmasMade(lists.Map(list, all))
	if err != nil {
		return nil, err
	}
	return interp.NewTable(lemmas, len(c.head), len(c.guards)), nil
}

// Known is what is known of a text.
type Known struct {
	// cells that always have a value, and fields, as everysize.Encoding.AlwaysDefined names them
	Defined []string
	Said    []string // invariants that can be said for every size
}

// New makes a pool of what a text speaks of, for as long as work has not ended.
func New(ended func() error, m *protocol.Model, k Known, samples []Sample) (*Pool, error) {
	words := newVocabulary(m, k, samples)
	p := &Pool{m: m, ended: ended, samples: samples, templates: words.templates(), taken: map[string]*clause{},
		refused: map[string]bool{}, ordered: len(words.ordered) > 0}
	for _, c := range p.templates {
		if !c.chooses || p.chooses {
			continue
		}
		list, err := p.clausesOf(c)
		if err != nil {
			return nil, err
		}
		p.chooses = len(list) > 0
	}
	return p, nil
}

// clausesOf are the clauses of a template that are true in all states that were visited: these are looked at when they
// are first asked for, and when there are more.
func (p *Pool) clausesOf(c *template) ([]*clause, error) {
	if c.rows != nil && c.looked == len(p.samples) {
		return c.clauses, nil
	}
	if c.rows == nil {
		var err error
		if c.table, err = c.tableOf(p.m); err != nil {
			return nil, err
		}
		c.rows = rows.New(len(c.atoms))
	}
	r := c.rows
	for ; c.looked < len(p.samples); c.looked++ {
		s := p.samples[c.looked]
		t, err := c.tableOf(s.Model)
		if err != nil {
			return nil, err
		}
		before := r.N
		for _, state := range s.States {
			s.Interpreter.Rows(state, t, func(row []boolean.Truth) bool { r.Add(row); return p.ended() == nil })
			if err := p.ended(); err != nil {
				return nil, err
			}
			if r.N > before+mostRows {
				break
			}
		}
	}
	r.Forget()
	long := lists.Keep(c.clauses, func(cl *clause) bool { return cl.long && r.Without(cl.lits...) == 0 })
	c.clauses = c.listed(r)
	for _, cl := range long {
		c.insert(cl)
	}
	c.strongest()
	return c.clauses, nil
}

// listed are the minimal clauses that are true in all rows, the shortest first.
func (c *template) listed(r *rows.Table) (list []*clause) {
	if r.N == 0 {
		if len(c.guards) == 0 || c.need != 0 {
			return nil
		}
		return []*clause{{of: c}} // there is nothing that is like that
	}
	keep := func(lits []int) bool {
		if c.speaks(lits, true) {
			list = append(list, &clause{of: c, lits: lits})
		}
		return len(list) < mostClauses
	}
	var lits []int
	for l := range 2 * (len(c.atoms) - c.late) {
		if l%2 == 0 || !c.atoms[l/2].positive() {
			lits = append(lits, l)
		}
	}
	for _, l := range lits {
		if r.Without(l) == 0 {
			keep([]int{l})
		}
	}
	open := r.Sometimes(lits)
	for size := 2; size <= c.most && (size == 2 || len(c.atoms)-c.late <= manyAtoms); size++ {
		r.Minimal(open, size)(keep)
	}
	return list
}

// strongest notes which clauses follow from others, as thresholds of theirs are more, or less.
func (c *template) strongest() {
	type same struct {
		rest, counted string
		least         bool
	}
	groups := map[same][]*clause{}
	number := map[*clause]*threshold{}
	for _, cl := range c.clauses {
		var key same
		for _, l := range cl.lits {
			if a := c.atoms[l/2]; a.least != nil {
				key.counted, key.least, number[cl] = a.counted, l%2 == 0, a.least
			} else {
				key.rest += fmt.Sprint(l, " ")
			}
		}
		if number[cl] == nil {
			continue
		}
		for _, other := range groups[key] {
			fewer, more := cl, other
			switch {
			case number[cl].lessThan(number[other]):
			case number[other].lessThan(number[cl]):
				fewer, more = other, cl
			default:
				continue
			}
			if key.least { // that there are so many says more, the more there are
				fewer.stronger = append(fewer.stronger, more)
			} else {
				more.stronger = append(more.stronger, fewer)
			}
		}
		groups[key] = append(groups[key], cl)
	}
}

// How many clauses are named at once: plain ones, and others.
const (
	plainAtOnce = 12
	costlier    = 100 // than the first one
	hintsAtOnce = 3
)

// plain finds clauses that are false in a CTI, neither count nor say that there is a message, the shortest ones
// of each template.
func (p *Pool) plain(s *everysize.CTI, given map[string]bool) (list []*clause, err error) {
	for _, c := range p.templates {
		if c.naming || c.counts() {
			continue
		}
		if len(list) == plainAtOnce || len(list) > 0 && c.cost() > list[0].of.cost()+costlier {
			break
		}
		found, err := p.deniedBy(c, s, false, given)
		if err != nil {
			return nil, err
		}
		if found != nil {
			list = append(list, found)
		}
	}
	return list, nil
}

// denied finds clauses that are false in a CTI, the shortest ones of the first templates that have some; if there are
// none, a clause that nothing known makes true; at last those that say that there is a message.
func (p *Pool) denied(s *everysize.CTI, given map[string]bool) ([]*clause, error) {
	var list []*clause
	for _, pass := range []struct{ open, naming bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		if pass.naming && !s.Deep() {
			break
		}
		for _, c := range p.templates {
			if c.naming != pass.naming || c.twice {
				continue
			}
			found, err := p.deniedBy(c, s, pass.open, given)
			if err != nil {
				return nil, err
			}
			if found != nil {
				list = append(list, found)
			}
			if len(list) == hintsAtOnce || len(list) > 0 && (pass.open || c.counts()) {
				return list, nil
			}
		}
		if len(list) > 0 {
			return list, nil
		}
	}
	return nil, nil
}

// exists finds a clause that is false in a CTI and says that something exists. In small instances many are true by
// chance.
func (p *Pool) exists(s *everysize.CTI, given map[string]bool) ([]*clause, error) {
	for _, c := range p.templates {
		if c.twice {
			if found, err := p.deniedBy(c, s, false, given); found != nil || err != nil {
				return []*clause{found}, err
			}
		}
	}
	return nil, nil
}

// counts reports whether clauses may say how many processes satisfy a condition.
func (c *template) counts() bool {
	return slices.ContainsFunc(c.atoms, func(a atom) bool { return a.counts })
}

// deniedBy is the shortest clause of a template that is false in a CTI.
func (p *Pool) deniedBy(c *template, s *everysize.CTI, open bool, given map[string]bool) (*clause, error) {
	var best *clause
	if list, err := p.clausesOf(c); err != nil || len(list) == 0 {
		return nil, err
	}
	isNot := make([]bool, 2*len(c.atoms))
	err := s.Rows(c.table, func(row []boolean.Truth) bool {
		for i, is := range row {
			isNot[2*i] = is == boolean.No || open && is == boolean.Maybe
			isNot[2*i+1] = is == boolean.Yes || open && is == boolean.Maybe
		}
		for _, cl := range c.clauses {
			if best != nil && cmp.Compare(len(cl.lits), len(best.lits)) >= 0 {
				break // they are ordered
			}
			if !slices.ContainsFunc(cl.lits, func(l int) bool { return !isNot[l] }) && !p.weak(cl) &&
				!p.refused[cl.key()] && !given[cl.key()] {
				best = cl
			}
		}
		return true
	})
	return best, err
}

// Hints returns a function that names, for each CTI of one question, lemmas that exclude it, each lemma once; some of
// them may say that something exists.
func (p *Pool) Hints(some bool) everysize.Hint {
	given := map[string]bool{}
	return func(s *everysize.CTI, plain bool) ([]everysize.Condition, error) {
		return p.hint(s, plain, some, given)
	}
}

func (p *Pool) hint(s *everysize.CTI, plain, some bool, given map[string]bool) ([]everysize.Condition, error) {
	for _, c := range p.others {
		if given[c.Name] {
			continue
		}
		if is, err := s.Denies(c); is || err != nil {
			given[c.Name] = true
			return []everysize.Condition{c}, err
		}
	}
	clauses, err := p.plain(s, given)
	if p.ordered && len(clauses) == 0 && err == nil { // which of two comes first is a condition more
		clauses, err = p.longer(s, given)
	}
	looks := []func(*everysize.CTI, map[string]bool) ([]*clause, error){p.denied, p.longer}
	if some {
		looks = append(looks, p.exists)
	}
	for _, look := range looks {
		if !plain && len(clauses) == 0 && err == nil {
			clauses, err = look(s, given)
		}
	}
	if len(clauses) == 0 || err != nil {
		return nil, err
	}
	list, err := p.m.LemmasMade(lists.Map(clauses, (*clause).lemma))
	if err != nil {
		return nil, err
	}
	var out []everysize.Condition
	for i, l := range list {
		text := clauses[i].text()
		given[clauses[i].key()], p.taken[text] = true, clauses[i]
		out = append(out, everysize.Condition{Name: text, Term: l.Invariant})
	}
	return out, nil
}

// Drop leaves out a lemma that cannot be proved; or has not been, without much effort: then it is postponed until
// Restore.
func (p *Pool) Drop(name string, postponed bool) {
	if c := p.taken[name]; c != nil {
		if p.refused[c.key()] = true; postponed {
			p.postponed = append(p.postponed, c)
		} else if c.long {
			p.failed++
		}
	}
	i := slices.IndexFunc(p.others, func(c everysize.Condition) bool { return c.Name == name })
	if i >= 0 && postponed {
		p.later = append(p.later, p.others[i])
	}
	p.others = slices.DeleteFunc(p.others, func(c everysize.Condition) bool { return c.Name == name })
}

// Restore makes lemmas that were postponed part of the pool again, and reports whether there were any.
func (p *Pool) Restore() bool {
	if p == nil {
		return false
	}
	for _, c := range p.postponed {
		delete(p.refused, c.key())
	}
	any := len(p.postponed)+len(p.later) > 0
	p.others, p.later, p.postponed = append(p.others, p.later...), nil, nil
	return any
}

// Visit adds what was visited of one more instance.
func (p *Pool) Visit(s Sample) { p.samples = append(p.samples, s) }

// Refutes reports whether a lemma of the pool is false in a state that was visited.
func (p *Pool) Refutes(name string) (bool, error) {
	c := p.taken[name]
	if c == nil {
		return false, nil
	}
	_, err := p.clausesOf(c.of)
	return c.of.rows.Without(c.lits...) > 0, err
}

// Add adds a condition that may be a lemma.
func (p *Pool) Add(c everysize.Condition) { p.others = append(p.others, c) }

// Chooses reports whether some clauses say what quorums choose by messages. Other lemmas that name elements then had
// better wait until a CTI lacks them, and the invariant may follow from those; where there are none, searches
// have been seen to take longer so.
func (p *Pool) Chooses() bool { return p != nil && p.chooses }
