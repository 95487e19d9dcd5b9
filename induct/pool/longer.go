package pool

import (
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/rows"
	"github.com/tacheck/tacheck/protocol/everysize"
)

// Clauses of more conditions than are listed beforehand, made where a CTI asks for them: of the conditions that
// are false in it for some values of the variables of a template, as few as possible, such that each state that was
// visited makes one true.

const (
	hintsAtOnce    = 3   // so many clauses are named at once that are not plain
	mostConditions = 6   // of a clause
	mostFailed     = 40  // clauses made on demand, that could not be proved, before no more are made
	mostPlaces     = 300 // values of the variables in a CTI, that are looked at
	beginnings     = 10  // conditions that a clause is begun with
	fewRows        = 2   // at least so many rows have a condition of a clause as their only true one
)

// longer makes clauses that are false in a CTI, one of each template, of some of these.
func (p *Pool) longer(s *everysize.CTI, a *asked) (list []*clause, err error) {
	if p.failed >= mostFailed {
		return nil, nil
	}
	for _, c := range p.templates {
		if c.naming || c.chooses || c.twice {
			continue
		}
		if _, err := p.clausesOf(c); err != nil {
			return nil, err
		}
		if c.rows.N == 0 {
			continue
		}
		best, err := p.demanded(c, s, a)
		if err != nil {
			return nil, err
		}
		if best != nil {
			list = append(list, best)
		}
	}
	slices.SortStableFunc(list, func(a, b *clause) int { return len(a.lits) - len(b.lits) })
	list = list[:min(len(list), hintsAtOnce)]
	for _, cl := range list {
		cl.of.insert(cl)
	}
	return list, nil
}

// demanded is the best clause of a template that is false in a CTI; nil if there is none.
func (p *Pool) demanded(c *template, s *everysize.CTI, a *asked) (*clause, error) {
	var best *clause
	most := 0
	places, err := a.rowsIn(c, s)
	for _, row := range places[:min(len(places), mostPlaces)] {
		var lits []int
		for i, is := range row {
			switch {
			case is == boolean.No:
				lits = append(lits, 2*i)
			case is == boolean.Yes && !c.atoms[i].positive():
				lits = append(lits, 2*i+1)
			}
		}
		covers(c.rows, lits, func(found []int) {
			cl := &clause{of: c, lits: found, long: true}
			if !c.speaks(found, false) || c.has(found) || p.refused[cl.key()] || a.given[cl.key()] ||
				cl.about().distance(a.known) > a.most {
				return
			}
			n := support(c.rows, found)
			if n < fewRows {
				return
			}
			if best == nil || len(found) < len(best.lits) || len(found) == len(best.lits) && n > most {
				best, most = cl, n
			}
		})
	}
	return best, err
}

// has reports whether a clause is among those of the template, given up or not.
func (c *template) has(lits []int) bool {
	return slices.ContainsFunc(c.clauses, func(d *clause) bool { return slices.Equal(d.lits, lits) })
}

// covers calls visit with clauses of some literals that no row makes false: greedy ones, begun with those that most
// rows make true.
func covers(t *rows.Table, lits []int, visit func(lits []int)) {
	order := slices.Clone(lits)
	slices.SortStableFunc(order, func(a, b int) int { return t.Without(a) - t.Without(b) })
	for _, first := range order[:min(len(order), beginnings)] {
		if found := t.Greedy(lits, []int{first}, mostConditions); found != nil && len(found) <= mostConditions {
			slices.Sort(found)
			visit(found)
		}
	}
}

// support is the least number of rows, over the conditions of a clause, in which a condition is the only true one:
// a clause with little support is true by chance.
func support(t *rows.Table, lits []int) int {
	if len(lits) == 1 {
		return t.N
	}
	least := t.N
	for k := range lits {
		least = min(least, t.Without(slices.Delete(slices.Clone(lits), k, k+1)...))
	}
	return least
}
