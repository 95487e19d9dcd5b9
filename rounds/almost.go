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
)

// values is one way to say what all processes that begin a round have in common: groups of borders, called values. They
// may overlap ("one of 0 and 1"); a border is in one of them at least.
type values struct {
	groups [][]int
	of     map[int]uint64 // by border: the groups that it is in
}

// mostGroups bounds the groups of a division.
const mostGroups = 64

// valuations lists the ways in which borders may be divided: those of the text, or each by itself.
func (m *machine) valuations() (list []values) {
	divisions := m.rs.Values
	if len(divisions) == 0 {
		each := lists.Map(m.borders, func(b int) []int { return []int{b} })
		divisions = append(divisions, each)
	}
	for _, groups := range divisions {
		if len(groups) > mostGroups {
			continue
		}
		v := values{groups, map[int]uint64{}}
		for i, g := range groups {
			for _, b := range g {
				v.of[b] |= 1 << i
			}
		}
		list = append(list, v)
	}
	return list
}

// sure reports whether an end leaves nothing to coins, and which values its continuation has then.
func (v values) sure(s *ta.Switch) (of uint64, ok bool) {
	of = v.of[s.To[0]]
	return of, !slices.ContainsFunc(s.To, func(b int) bool { return v.of[b] != of })
}

// possible reports whether all coins of a round may come out so that a process that leaves it to them has a value.
func (m *machine) possible(v values, value int) bool {
	outcomes := make([]bool, m.rs.Outcomes())
	for i := range outcomes {
		outcomes[i] = true
	}
	has := func(b int) bool { return v.of[b]>>value&1 != 0 }
	for i := range m.rs.Switches {
		s := &m.rs.Switches[i]
		_, sure := v.sure(s)
		switch {
		case sure:
		case s.Kind == ta.Toss && !slices.ContainsFunc(s.To, has):
			return false
		case s.Kind == ta.Coin:
			for outcome, b := range s.To {
				outcomes[outcome] = outcomes[outcome] && has(b)
			}
		}
	}
	return slices.Contains(outcomes, true)
}

// left lists the ends with which a value is left for sure, if it is sure what is left.
func (m *machine) left(v values, is func(of uint64) bool) []int {
	return m.where(func(l int) bool {
		s := m.ends[l]
		if s == nil {
			return false
		}
		of, ok := v.sure(s)
		return ok && is(of)
	})
}

// stays lists the ends after which a value is left, whatever coins say.
func (m *machine) stays(v values, value int) []int {
	return m.where(func(l int) bool {
		s := m.ends[l]
		return s != nil && !slices.ContainsFunc(s.To, func(b int) bool { return v.of[b]>>value&1 == 0 })
	})
}

// random lists the ends at which coins choose between values.
func (m *machine) random(v values) []int {
	return m.where(func(l int) bool {
		s := m.ends[l]
		if s == nil {
			return false
		}
		_, ok := v.sure(s)
		return !ok
	})
}

// almost decides whether everybody comes to some locations with probability one.
func (m *machine) almost(k *asker, spec *ta.Almost, out *Result) error {
	if len(m.groups) != 1 {
		k.unknown("some processes begin rounds elsewhere than others: of such automata no termination is proved")
		return nil
	}
	c := &claim{at: m.first()}
	cl, err := m.closure(k, c)
	if err != nil {
		return err
	}
	k.found(m, c, cl)
	if k.why != "" {
		k.unknown("%s", k.why)
		return nil
	}
	sets := lists.Map(cl.nodes, func(n *node) string { return m.names(n.at) })
	k.result.Because = append(k.result.Because, "rounds begin with "+strings.Join(sets, "; or with "))
	p := &prover{machine: m, k: k, spec: spec, nodes: cl.nodes, out: out}
	defer func() {
		if !p.open && k.result.Verdict != verify.Holds {
			out.Lacks = p.lacks
		}
	}()
	if spec.Against == ta.AtLast {
		return p.atLast()
	}
	if ok, err := p.ends(); !ok || err != nil {
		return err
	}
	common := slices.Clone(k.result.Because)
	var failed Result // for the first division, by what coins decide, or the first one with an attack
	var told [2]int   // from which of what is lacking that division lacks, to which
	ways := m.valuations()
	if k.given != nil {
		i := k.given.proof.Division
		k.given.divided = true
		if i < 0 || i >= len(ways) {
			return Unproved("there are not so many ways to say what processes have in common")
		}
		_, err := p.agrees(ways[i])
		return err
	}
	for i, v := range ways {
		k.proof.Division = i
		k.result.Because, out.Attack, k.why = slices.Clone(common), nil, ""
		k.result.Verdict, k.result.Reason = verify.Holds, ""
		before := len(p.lacks)
		ok, err := p.agrees(v)
		if ok || err != nil {
			return err
		}
		if i == 0 || out.Attack != nil && failed.Attack == nil {
			result := *k.result
			failed, told = Result{Result: &result, Attack: out.Attack}, [2]int{before, len(p.lacks)}
		}
		if k.ctx.Err() != nil {
			p.open = true
			break
		}
	}
	k.result.Verdict, k.result.Reason, k.result.Because, out.Attack = verify.Unknown, failed.Reason, failed.Because,
		failed.Attack
	for i := range p.lacks {
		p.lacks[i].Untold = i < told[0] || i >= told[1]
	}
	return nil
}

// prover proves the conditions from which termination with probability one follows.
type prover struct {
	*machine
	k     *asker
	spec  *ta.Almost
	nodes []*node
	out   *Result

	lacks []Lack
	open  bool // something is not decided

	lifted *lifted // of a round of classes: the round that was lumped
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

// failsIn is fails for what a run of a round shows that begins at some borders of a node; a run of classes is lifted.
func (p *prover) failsIn(n *node, at []int, name, text string, r *verify.Result) error {
	if p.lifted != nil && r.Witness != nil {
		w, err := p.lifted.run(n, at, r.Witness)
		if err != nil {
			return err
		}
		of := *r
		r, of.Witness = &of, w
	}
	p.fails(name, text, r)
	return nil
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

// pending lists the locations in which a process is that has not come to one of certain ends of a round.
func (p *prover) pending(good func(l int) bool) []int {
	return p.where(func(l int) bool { return p.inside[l] && (!p.gone[l] || p.forever[l]) && !good(l) })
}

func (p *prover) isEnd(l int) bool { return p.machine.ends[l] != nil }

// ends shows RT: in fair runs, all processes that do not stop come to the end of each round.
func (p *prover) ends() (bool, error) {
	const name, text = "RT", "in fair runs, every process that does not stop comes to the end of each round"
	waiting := p.pending(p.isEnd)
	for _, n := range p.nodes {
		a, err := p.one(start{at: n.at, exact: true, loops: true})
		if err != nil {
			return false, err
		}
		r, err := p.fair(a, p.unoccupied(waiting, ""))
		if err != nil {
			return false, err
		}
		if r.Verdict == verify.Holds {
			continue
		}
		p.fails(name, text, r)
		if r.Verdict == verify.Violated && p.k.given == nil {
			return false, p.stuck(waiting)
		}
		return false, nil
	}
	p.note(name, text)
	return true, nil
}

// stuck asks whether the first round, as the text has it, has a fair run in which some process never comes to its end,
// nor to the goal: then no coin is of any help.
func (p *prover) stuck(waiting []int) error {
	to := p.reach(p.first(), false)
	if slices.ContainsFunc(p.spec.Goal, func(l int) bool { return to[l] && slices.Contains(waiting, l) }) {
		return nil
	}
	if p.rs.Fair == nil || p.spec.Against == ta.AtLast {
		return nil // a derived assumption of fairness may ask less than is meant
	}
	a, err := p.firstRoundOnly()
	if err != nil {
		return err
	}
	r, err := verify.Decide(p.k.ctx, a, a.SpecNamed(p.spec.Name), p.k.o)
	if err != nil || r.Verdict != verify.Violated {
		return err
	}
	p.k.result.Verdict, p.k.result.Reason, p.k.result.Witness, p.out.Rounds = verify.Violated, "", r.Witness, 1
	p.k.result.Because = append(p.k.result.Because,
		"RT fails in the first round: the run is fair, and a process never comes to the end of it")
	return nil
}

// firstRoundOf makes the automaton of the first round, in which everybody may stay everywhere. Its specifications, with
// the names of those about probability one, say that in fair runs all come to the end of it.
func firstRoundOf(a *ta.Automaton) (*ta.Automaton, error) {
	m, err := newMachine(a)
	if err != nil {
		return nil, err
	}
	return m.firstRoundOnly()
}

func (m *machine) firstRoundOnly() (*ta.Automaton, error) {
	a, err := m.unroll(1, true)
	if err != nil {
		return nil, err
	}
	a.Name, a.Specs = firstRound(m.a.Name), nil
	if m.rs.Fair == nil {
		return a, nil
	}
	b := &builder{m: m}
	given := b.in(m.rs.Fair, b.suffixed("__1", true))
	waiting := m.where(func(l int) bool { return m.inside[l] && (!m.gone[l] || m.forever[l]) && m.ends[l] == nil })
	for _, s := range m.rs.Almost {
		formula := &syntax.Expr{Op: syntax.Implies, Args: []*syntax.Expr{given, finally(m.unoccupied(waiting, "__1"))},
			Pos: s.Pos}
		a.Specs = append(a.Specs, ta.Spec{Name: s.Name, Formula: formula, Pos: s.Pos})
	}
	return a, nil
}

// agrees shows the other conditions, for one way to say what processes have in common.
func (p *prover) agrees(v values) (bool, error) {
	if ok := p.coins(v); !ok {
		return false, nil
	}
	if ok, err := p.unanimous(v); !ok || err != nil {
		return false, err
	}
	for _, step := range []func(*prover, values) (bool, error){(*prover).deterministic, (*prover).binding} {
		if ok, err := p.inClasses(v, step); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// coins checks that coins can come out as whatever value is left.
func (p *prover) coins(v values) bool {
	random := p.random(v)
	if len(random) == 0 {
		return true
	}
	some := false
	for value := range v.groups {
		possible := p.possible(v, value)
		some = some || possible
		if !possible && len(p.left(v, func(of uint64) bool { return of>>value&1 != 0 })) > 0 {
			p.k.unknown("not shown: processes may end a round with %s for sure, and coins do not come out so for all "+
				"others", p.names(v.groups[value]))
			p.lacks = append(p.lacks, Lack{Condition: "coins"})
			return false
		}
	}
	if !some {
		p.k.unknown("not shown: no value is one that all coins of a round may come out with")
		p.lacks = append(p.lacks, Lack{Condition: "coins"})
	}
	return some
}

// unanimous shows C2: processes that all begin a round with one value end it with that, and, if the common coin comes
// out in one certain way (or anyhow), at the goal.
func (p *prover) unanimous(v values) (bool, error) {
	const name = "C2"
	done := map[string]bool{}
	for _, n := range p.nodes {
		for value, group := range v.groups {
			at := slices.DeleteFunc(slices.Clone(n.at), func(b int) bool { return !slices.Contains(group, b) })
			if key := fmt.Sprint(at); len(at) == 0 || done[key] {
				continue
			}
			done[fmt.Sprint(at)] = true
			text := fmt.Sprintf("if all begin a round in %s, all end it so", p.names(at))
			stay := p.stays(v, value)
			other := p.where(func(l int) bool { return p.isEnd(l) && !slices.Contains(stay, l) })
			a, err := p.one(start{at: at})
			if err != nil {
				return false, err
			}
			r, err := p.k.ask(a, neverAll(p.occupied(other, "")))
			if err != nil {
				return false, err
			}
			if r.Verdict != verify.Holds {
				return false, p.failsIn(n, at, name, text, r)
			}
			if ok, err := p.decides(at); !ok || err != nil {
				return false, err
			}
		}
	}
	p.note(name, "if all begin a round with one value, all end it with that, and come to the goal"+
		map[bool]string{true: " if the coin says so", false: ""}[p.rs.Outcomes() > 1])
	return true, nil
}

// decides shows that from some borders all come to the goal, for some outcome of the common coin.
func (p *prover) decides(at []int) (bool, error) {
	a, err := p.one(start{at: at, exact: true, loops: true})
	if err != nil {
		return false, err
	}
	var last *verify.Result
	for outcome := range p.rs.Outcomes() {
		good := func(l int) bool {
			s := p.machine.ends[l]
			return s != nil && (slices.Contains(p.spec.Goal, l) ||
				!slices.ContainsFunc(next(s, outcome), func(b int) bool { return !slices.Contains(p.spec.Goal, b) }))
		}
		r, err := p.fair(a, p.unoccupied(p.pending(good), ""))
		if err != nil || r.Verdict == verify.Holds {
			return err == nil, err
		}
		last = r
	}
	p.fails("C2", fmt.Sprintf("if all begin a round in %s, all come to the goal", p.names(at)), last)
	return false, nil
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
		a, err := p.one(start{at: n.at})
		if err != nil {
			return false, err
		}
		ok, err := p.apart(v, func(kinds [][]int) (bool, error) {
			together := lists.Map(kinds, func(ends []int) *syntax.Expr { return p.occupied(ends, "") })
			r, err := p.k.ask(a, neverAll(together...))
			if err == nil && r.Verdict != verify.Holds {
				return false, p.failsIn(n, n.at, name, text, r)
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
