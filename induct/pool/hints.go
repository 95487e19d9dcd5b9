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
