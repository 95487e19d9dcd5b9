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
	symbols   *symbols
	chooses   bool // some clauses say what quorums choose
	closely   bool // clauses that say more closely what they count come first
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
	Never   []string // fields that messages of a kind never have, as everysize.Encoding.NeverDefined names them
	Said    []string // invariants that can be said for every size
}

// New makes a pool of what a text speaks of, for as long as work has not ended.
func New(ended func() error, m *protocol.Model, k Known, samples []Sample) (*Pool, error) {
	instances := lists.Map(samples, func(s Sample) *protocol.Model { return s.Model })
	words := newVocabulary(m, k, instances...)
	p := &Pool{m: m, ended: ended, samples: samples, templates: words.templates(), taken: map[string]*clause{},
		refused: map[string]bool{}, symbols: newSymbols(m), ordered: len(words.ordered) > 0}
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

// Shows lists what an instance tells of the numbers that lemmas about it would count with: which of them are two or
// three at least, which are more than others, and which leave one or two processes beside so many. Where an instance
// does not show something, what is true by chance is not told from what is true: what no two processes are without is
// true where there is no room for two, and what is true of two is true of n / 2 of four.
func Shows(m *protocol.Model) (out []string) {
	list := newVocabulary(m, Known{}, m).thresholds()
	for i, t := range list {
		n := t.values[0]
		for k := range min(3, n) {
			out = append(out, fmt.Sprint("so many ", i, k))
		}
		for k := range max(0, min(2, int64(m.Roles[t.role].Size)-n)) {
			out = append(out, fmt.Sprint("beside ", i, k))
		}
		for j, u := range list {
			if t.role == u.role && n > u.values[0] {
				out = append(out, fmt.Sprint("order ", i, j))
			}
		}
	}
	return out
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
		for _, level := range c.table.Levels {
			for _, t := range level.Guards {
				c.guarded = c.guarded.with(p.symbols.in(t))
			}
		}
		c.about = lists.Map(c.table.Atoms, p.symbols.in)
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

// insert adds a clause to those of a template, which are ordered by length.
func (c *template) insert(cl *clause) {
	at, _ := slices.BinarySearchFunc(c.clauses, len(cl.lits)+1,
		func(a *clause, n int) int { return cmp.Compare(len(a.lits), n) })
	c.clauses = slices.Insert(c.clauses, at, cl)
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

// strongest notes which clauses follow from others, as what they count, or the message that they say is there, is said
// more closely.
func (c *template) strongest() {
	groups := map[string][]*clause{}
	said := map[*clause]int{} // the literal that counts, or names
	for _, cl := range c.clauses {
		cl.stronger, cl.closer = nil, nil
		key, own := "", -1
		for _, l := range cl.lits {
			if a := c.atoms[l/2]; own < 0 && (a.least != nil || a.names) {
				own = l
			} else {
				key += fmt.Sprint(l, " ")
			}
		}
		if own < 0 {
			continue
		}
		if said[cl] = own; own%2 == 1 {
			key += "not"
		}
		for _, other := range groups[key] {
			a, b := &c.atoms[own/2], &c.atoms[said[other]/2]
			weaker, stronger := cl, other
			if own%2 == 1 {
				a, b = b, a
			}
			switch {
			case a.says(b):
			case b.says(a):
				weaker, stronger = other, cl
			default:
				continue
			}
			if a.least != nil && a.counted == b.counted {
				weaker.stronger = append(weaker.stronger, stronger)
			} else {
				weaker.closer = append(weaker.closer, stronger)
			}
		}
		groups[key] = append(groups[key], cl)
	}
}

// weak reports whether a stronger one is there.
func (p *Pool) weak(c *clause) bool {
	there := func(d *clause) bool { return !p.refused[d.key()] }
	return slices.ContainsFunc(c.stronger, there) || p.closely && slices.ContainsFunc(c.closer, there)
}

// Closely has clauses come first that say more closely what they count, and reports whether they did not so far. That
// proves what is not proved else, and takes longer where it is not needed.
func (p *Pool) Closely() bool {
	if p == nil || p.closely {
		return false
	}
	p.closely = true
	return true
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
