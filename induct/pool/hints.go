package pool

import (
	"cmp"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/everysize"
)

// Which clauses of a pool are named where a proof lacks something: those that are false in a CTI.

// How many plain clauses are named at once.
const (
	plainAtOnce = 12
	costlier    = 100 // than the first one
)

// plain finds clauses that are false in a CTI, neither count nor say that there is a message, the shortest ones
// of each template.
func (p *Pool) plain(s *everysize.CTI, a *asked) (list []*clause, err error) {
	for _, c := range p.templates {
		if c.naming || c.counts() {
			continue
		}
		if len(list) == plainAtOnce || len(list) > 0 && c.cost() > list[0].of.cost()+costlier {
			break
		}
		found, err := p.deniedBy(c, s, false, a)
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
func (p *Pool) denied(s *everysize.CTI, a *asked) ([]*clause, error) {
	var list []*clause
	for _, pass := range []struct{ open, naming bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		if pass.naming && !s.Deep() {
			break
		}
		for _, c := range p.templates {
			if c.naming != pass.naming || c.twice {
				continue
			}
			found, err := p.deniedBy(c, s, pass.open, a)
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
func (p *Pool) exists(s *everysize.CTI, a *asked) ([]*clause, error) {
	for _, c := range p.templates {
		if c.twice {
			if found, err := p.deniedBy(c, s, false, a); found != nil || err != nil {
				return []*clause{found}, err
			}
		}
	}
	return nil, nil
}

// deniedBy is the shortest clause of a template that is false in a CTI.
func (p *Pool) deniedBy(c *template, s *everysize.CTI, open bool, a *asked) (*clause, error) {
	var best *clause
	if list, err := p.clausesOf(c); err != nil || len(list) == 0 {
		return nil, err
	}
	rows, err := a.rowsIn(c, s)
	isNot := make([]bool, 2*len(c.atoms))
	for _, row := range rows {
		for i, is := range row {
			isNot[2*i] = is == boolean.No || open && is == boolean.Maybe
			isNot[2*i+1] = is == boolean.Yes || open && is == boolean.Maybe
		}
		for _, cl := range c.clauses {
			if best != nil && cmp.Compare(len(cl.lits), len(best.lits)) >= 0 {
				break // they are ordered
			}
			if !slices.ContainsFunc(cl.lits, func(l int) bool { return !isNot[l] }) && !p.weak(cl) &&
				!p.refused[cl.key()] && !a.given[cl.key()] && cl.about().distance(a.known) <= a.most {
				best = cl
			}
		}
	}
	return best, err
}

// asked is one question for which lemmas are named.
type asked struct {
	given map[string]bool // by keys, and by names of others
	known Things          // what it speaks of, and what was named
	most  int             // the distance of lemmas, at most
	rows  map[*template][][]boolean.Truth
}

// rowsIn are what is known in a CTI of the conditions of a template, each row once. They are kept while lemmas are
// named for it.
func (a *asked) rowsIn(c *template, s *everysize.CTI) ([][]boolean.Truth, error) {
	list, known := a.rows[c]
	if known {
		return list, nil
	}
	seen := map[string]bool{}
	key := make([]byte, len(c.atoms))
	err := s.Rows(c.table, func(row []boolean.Truth) bool {
		for i, is := range row {
			key[i] = byte(is)
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			list = append(list, slices.Clone(row))
		}
		return true
	})
	a.rows[c] = list
	return list, err
}

// everything is a distance from which on it does not matter.
const everything = 8

// Hints returns a function that names, for each CTI of one question, lemmas that exclude it, each lemma once; some of
// them may say that something exists. What the question speaks of is given by About.
func (p *Pool) Hints(some bool, about Things) everysize.Hint {
	a := &asked{given: map[string]bool{}, known: about}
	return func(s *everysize.CTI, plain bool, denied []everysize.Condition) ([]everysize.Condition, error) {
		before := 2 * everything
		for _, c := range denied {
			before = min(before, p.symbols.in(c.Term).distance(a.known))
		}
		return p.hint(s, plain, some, before, a)
	}
}

func (p *Pool) hint(s *everysize.CTI, plain, some bool, before int, a *asked) ([]everysize.Condition, error) {
	a.rows = map[*template][][]boolean.Truth{}
	for _, c := range p.others {
		if a.given[c.Name] {
			continue
		}
		if is, err := s.Denies(c); is || err != nil {
			a.given[c.Name] = true
			return []everysize.Condition{c}, err
		}
	}
	clauses, err := p.look(s, plain, some, before, a)
	if len(clauses) == 0 || err != nil {
		return nil, err
	}
	list, err := p.m.LemmasMade(lists.Map(clauses, (*clause).lemma))
	if err != nil {
		return nil, err
	}
	var out []everysize.Condition
	for i, l := range list {
		c := clauses[i]
		a.given[c.key()], p.taken[c.text()] = true, c
		if c.of.counts() || c.of.naming { // so it may be about other elements
			a.known = a.known.with(c.about())
		}
		out = append(out, everysize.Condition{Name: c.text(), Term: l.Invariant, Last: c.of.naming})
	}
	return out, nil
}

// look finds clauses that are false in a CTI: those first that speak of little else than what is known, and of all only
// those that come before a distance.
func (p *Pool) look(s *everysize.CTI, plain, some bool, before int, a *asked) ([]*clause, error) {
	looks := []func(*everysize.CTI, *asked) ([]*clause, error){p.plain}
	if p.ordered { // which of two comes first is a condition more
		looks = append(looks, p.longer)
	}
	if !plain {
		looks = append(looks, p.denied)
	}
	for a.most = 0; a.most < before && a.most < everything && (a.most == 0 || !plain); a.most++ {
		for _, look := range looks {
			if list, err := look(s, a); len(list) > 0 || err != nil {
				return list, err
			}
		}
	}
	if plain || before < everything {
		return nil, nil
	}
	a.most = before
	if looks = append(looks, p.longer); some {
		looks = append(looks, p.exists)
	}
	for _, look := range looks {
		if list, err := look(s, a); len(list) > 0 || err != nil {
			return list, err
		}
	}
	return nil, nil
}
