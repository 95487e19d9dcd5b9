package rounds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// What conditions of termination are shown with.

// prover proves the conditions from which termination with probability one follows.
type prover struct {
	*machine
	k     *asker
	spec  *ta.Almost
	nodes []*node
	out   *Result
	// groups of processes that do not count: any of them may stay behind
	others []int

	lacks []Lack
	open  bool // something is not decided

	only []*syntax.Expr // what is known of the parameters with which a condition fails
}

// note says that a condition holds.
func (p *prover) note(name, text string) {
	p.k.result.Because = append(p.k.result.Because, fmt.Sprintf("%s: %s", name, text))
}

// fails says that a condition could not be shown.
func (p *prover) fails(name, text string, r *verify.Result) {
	why := "fails"
	if r != nil && r.Verdict == verify.Unknown {
		why = "is not decided: " + r.Reason
	}
	if r != nil && r.Witness != nil {
		why += " in the automaton of a round with " + parameters(r.Witness)
		p.lacks = append(p.lacks, Lack{Condition: name, Run: r.Witness})
	} else {
		p.open = true
	}
	p.k.unknown("not shown: %s (%s) %s", name, text, why)
}

// fair asks whether something finally holds in fair runs of a round.
func (p *prover) fair(a *ta.Automaton, goal *syntax.Expr) (*verify.Result, error) {
	return p.fairly(a, goal, p.rs.Fair)
}

// fairly is fair, with what is fair in the round; nil if that is to be derived.
func (p *prover) fairly(a *ta.Automaton, goal *syntax.Expr, fair *syntax.Expr) (*verify.Result, error) {
	formula := finally(goal)
	if fair != nil {
		b := &builder{m: p.machine}
		given := b.in(fair, func(string) *syntax.Expr { return nil })
		return p.k.ask(a, &syntax.Expr{Op: syntax.Implies, Args: []*syntax.Expr{given, formula}, Pos: formula.Pos})
	}
	var except []string
	for l := range p.a.Locations {
		if p.gone[l] {
			except = append(except, p.a.Locations[l].Name)
		}
	}
	f, err := review.NewFairness(a, review.FairnessOptions{Except: except})
	if err != nil {
		return nil, err
	}
	return p.k.ask(a, f.Assume(a, &ta.Spec{Name: p.spec.Name, Formula: formula}).Formula)
}

// pending lists the locations in which a process that counts may be and has not come to one of certain ends of a round.
func (p *prover) pending(good func(l int) bool) []int {
	var from []int
	for i, g := range p.groups {
		if !slices.Contains(p.others, i) {
			from = append(from, g.borders...)
		}
	}
	counts := p.reach(from, false)
	return p.where(func(l int) bool { return counts[l] && (!p.gone[l] || p.forever[l]) && !good(l) })
}

// parameters says the values of a run's parameters.
func parameters(w *witness.Witness) string {
	var parts []string
	for i, p := range w.Automaton.Parameters {
		parts = append(parts, fmt.Sprintf("%s = %s", p.Name, w.Run.Start.Params[i]))
	}
	return strings.Join(parts, ", ")
}

// apart calls f with any smallest lists of ends, each list of one kind, which have no value in common that is left for
// sure: two of different values, or more where values overlap.
func (p *prover) apart(v values, f func(kinds [][]int) (bool, error)) (bool, error) {
	var kinds []uint64
	for i := range p.rs.Switches {
		if of, ok := v.sure(&p.rs.Switches[i]); ok && !slices.Contains(kinds, of) {
			kinds = append(kinds, of)
		}
	}
	slices.Sort(kinds)
	var visit func(from int, chosen []uint64, common uint64) (bool, error)
	visit = func(from int, chosen []uint64, common uint64) (bool, error) {
		if common == 0 {
			if !smallest(chosen) {
				return true, nil
			}
			ends := lists.Map(chosen,
				func(of uint64) []int { return p.left(v, func(x uint64) bool { return x == of }) })
			return f(ends)
		}
		for i := from; i < len(kinds); i++ {
			if ok, err := visit(i+1, append(slices.Clone(chosen), kinds[i]), common&kinds[i]); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	}
	return visit(0, nil, ^uint64(0))
}

func (p *prover) isEnd(l int) bool { return p.machine.ends[l] != nil }

// smallest reports whether sets that have nothing in common have something without any one of them.
func smallest(sets []uint64) bool {
	for i := range sets {
		common := ^uint64(0)
		for j, of := range sets {
			if i != j {
				common &= of
			}
		}
		if common == 0 {
			return false
		}
	}
	return true
}

// deterministic shows C1: in no round there are two processes that end it with different values for sure.
func (p *prover) deterministic(v values) (bool, error) {
	const name, text = "C1", "in no round there are different values with which processes end it for sure"
	for _, n := range p.nodes {
		a, err := p.one(start{at: n.at}, p.only...)
		if err != nil {
			return false, err
		}
		ok, err := p.apart(v, func(kinds [][]int) (bool, error) {
			together := lists.Map(kinds, func(ends []int) *syntax.Expr { return p.occupied(ends, "") })
			r, err := p.k.ask(a, neverAll(together...))
			if err == nil && r.Verdict != verify.Holds {
				p.fails(name, text, r)
				return false, nil
			}
			return err == nil, err
		})
		if !ok || err != nil {
			return false, err
		}
	}
	p.note(name, text)
	return true, nil
}
