package rounds

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/review"
	"tacheck/ta"
	"tacheck/ta/syntax"
	"tacheck/verify"
)

// values is one way to say what all have in common who begin a round: groups of borders.
type values struct {
	groups [][]int
	of     map[int]int // by border
}

// valuations lists the ways in which borders may be divided: those of the text, or each by itself.
func (m *machine) valuations() (list []values) {
	divisions := m.rs.Values
	if len(divisions) == 0 {
		var each [][]int
		for _, b := range m.borders {
			each = append(each, []int{b})
		}
		divisions = append(divisions, each)
	}
	for _, groups := range divisions {
		v := values{groups, map[int]int{}}
		for i, g := range groups {
			for _, b := range g {
				v.of[b] = i
			}
		}
		list = append(list, v)
	}
	return list
}

// left is what an end leaves open: the values with which the next round may begin, by outcome of the common coin
// or of the process's own. fixed is the value if there is one only, else -1.
func (v values) left(s *ta.Switch) (list []int, fixed int) {
	for _, b := range s.To {
		list = append(list, v.of[b])
	}
	if slices.ContainsFunc(list, func(x int) bool { return x != list[0] }) {
		return list, -1
	}
	return list, list[0]
}

// possible reports whether all coins of a round may come out so that whoever leaves it to them has a value.
func (m *machine) possible(v values, value int) bool {
	outcomes := make([]bool, m.rs.Outcomes())
	for i := range outcomes {
		outcomes[i] = true
	}
	for i := range m.rs.Switches {
		s := &m.rs.Switches[i]
		list, fixed := v.left(s)
		switch {
		case fixed >= 0:
		case s.Kind == ta.Toss && !slices.Contains(list, value):
			return false
		case s.Kind == ta.Coin:
			for outcome, x := range list {
				outcomes[outcome] = outcomes[outcome] && x == value
			}
		}
	}
	return slices.Contains(outcomes, true)
}

// fixed lists the ends that leave a value, and no other.
func (m *machine) fixed(v values, value int) []int {
	return m.where(func(l int) bool {
		s := m.ends[l]
		if s == nil {
			return false
		}
		_, f := v.left(s)
		return f == value
	})
}

// random lists the ends at which coins choose between values.
func (m *machine) random(v values) []int {
	return m.where(func(l int) bool {
		s := m.ends[l]
		if s == nil {
			return false
		}
		_, f := v.left(s)
		return f < 0
	})
}

// almost decides whether everybody comes to some locations with probability one.
func (m *machine) almost(k *asker, spec *ta.Almost, out *Result) error {
	if len(m.groups) != 1 {
		k.unknown("some processes begin rounds elsewhere than others: of such automata no termination is proved")
		return nil
	}
	cl, err := m.closure(k, &claim{at: m.first()})
	if err != nil {
		return err
	}
	if k.why != "" {
		k.unknown("%s", k.why)
		return nil
	}
	var sets []string
	for _, n := range cl.nodes {
		sets = append(sets, "{"+m.names(n.at)+"}")
	}
	k.result.Because = append(k.result.Because, "rounds begin with "+strings.Join(sets, " or "))
	p := &prover{machine: m, k: k, spec: spec, nodes: cl.nodes, out: out}
	if ok, err := p.ends(); !ok || err != nil {
		return err
	}
	common := slices.Clone(k.result.Because)
	var failed Result // for the first division: it is by what coins decide
	for i, v := range m.valuations() {
		k.result.Because, out.Attack, k.why = slices.Clone(common), nil, ""
		k.result.Verdict, k.result.Reason = verify.Holds, ""
		ok, err := p.agrees(v)
		if ok || err != nil {
			return err
		}
		if i == 0 {
			result := *k.result
			failed = Result{Result: &result, Attack: out.Attack}
		}
		if k.ctx.Err() != nil {
			break
		}
	}
	k.result.Verdict, k.result.Reason, k.result.Because, out.Attack = verify.Unknown, failed.Reason, failed.Because, failed.Attack
	return nil
}

// prover proves the conditions from which termination with probability one follows.
type prover struct {
	*machine
	k     *asker
	spec  *ta.Almost
	nodes []*node
	out   *Result
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
		why += " with " + parameters(r.Witness)
	}
	p.k.unknown("not shown: %s (%s) %s", name, text, why)
}

// fair asks whether something finally holds in fair runs of a round.
func (p *prover) fair(a *ta.Automaton, goal string) (*verify.Result, error) {
	formula := expr("<>%s", goal)
	if p.rs.Fair != nil {
		b := &builder{m: p.machine}
		given := b.in(p.rs.Fair, func(string) *syntax.Expr { return nil })
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
	return p.where(func(l int) bool { return p.inside[l] && !p.gone[l] && !good(l) })
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
		r, err := p.fair(a, p.nobody(waiting, ""))
		if err != nil {
			return false, err
		}
		if r.Verdict == verify.Holds {
			continue
		}
		p.fails(name, text, r)
		if r.Verdict == verify.Violated {
			return false, p.stuck(waiting)
		}
		return false, nil
	}
	p.note(name, text)
	return true, nil
}

// stuck asks whether the first round, as the text has it, has a fair run in which somebody never comes to its end, nor to the
// goal: then no coin is of any help.
func (p *prover) stuck(waiting []int) error {
	to := p.reach(p.first(), false)
	if slices.ContainsFunc(p.spec.Goal, func(l int) bool { return to[l] && slices.Contains(waiting, l) }) {
		return nil
	}
	if p.rs.Fair == nil {
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
	p.k.result.Because = append(p.k.result.Because, "RT fails in the first round: the run is fair, and somebody never comes to the end of it")
	return nil
}

// FirstRound makes the automaton of the first round, in which everybody may stay everywhere. Its specifications, with the names of those
// about probability one, say that in fair runs all come to the end of it.
func FirstRound(a *ta.Automaton) (*ta.Automaton, error) {
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
	a.Name, a.Specs = a.Name+"_fair", nil
	if m.rs.Fair == nil {
		return a, nil
	}
	b := &builder{m: m}
	given := b.in(m.rs.Fair, b.suffixed("__1", true))
	waiting := m.where(func(l int) bool { return m.inside[l] && !m.gone[l] && m.ends[l] == nil })
	for _, s := range m.rs.Almost {
		formula := &syntax.Expr{Op: syntax.Implies, Args: []*syntax.Expr{given, expr("<>%s", m.nobody(waiting, "__1"))}, Pos: s.Pos}
		a.Specs = append(a.Specs, ta.Spec{Name: s.Name, Formula: formula, Pos: s.Pos})
	}
	return a, nil
}

// agrees shows the other conditions, for one way to say what processes have in common.
func (p *prover) agrees(v values) (bool, error) {
	if ok := p.coins(v); !ok {
		return false, nil
	}
	for _, step := range []func(values) (bool, error){p.unanimous, p.deterministic, p.binding} {
		if ok, err := step(v); !ok || err != nil {
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
		if !possible && len(p.fixed(v, value)) > 0 {
			p.k.unknown("not shown: processes may end a round with %s for sure, and coins do not come out so for all others", p.names(v.groups[value]))
			return false
		}
	}
	if !some {
		p.k.unknown("not shown: no value is one that all coins of a round may come out with")
	}
	return some
}

// unanimous shows C2: who all begin a round with one value end it with that, and, if the common coin comes out in one
// certain way (or anyhow), at the goal.
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
			other := p.where(func(l int) bool { return p.isEnd(l) && !slices.Contains(p.fixed(v, value), l) })
			a, err := p.one(start{at: at})
			if err != nil {
				return false, err
			}
			r, err := p.k.ask(a, expr("!(<>%s)", p.some(other, "")))
			if err != nil {
				return false, err
			}
			if r.Verdict != verify.Holds {
				p.fails(name, text, r)
				return false, nil
			}
			if ok, err := p.decides(at); !ok || err != nil {
				return false, err
			}
		}
	}
	p.note(name, "if all begin a round with one value, all end it with that, and come to the goal"+map[bool]string{true: " if the coin says so", false: ""}[p.rs.Outcomes() > 1])
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
		r, err := p.fair(a, p.nobody(p.pending(good), ""))
		if err != nil || r.Verdict == verify.Holds {
			return err == nil, err
		}
		last = r
	}
	p.fails("C2", fmt.Sprintf("if all begin a round in %s, all come to the goal", p.names(at)), last)
	return false, nil
}

// pairs calls f with any two values that are left for sure somewhere.
func (p *prover) pairs(v values, f func(a, b []int) (bool, error)) (bool, error) {
	for i := range v.groups {
		for j := range i {
			a, b := p.fixed(v, j), p.fixed(v, i)
			if len(a) == 0 || len(b) == 0 {
				continue
			}
			if ok, err := f(a, b); !ok || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// deterministic shows C1: in no round there are two processes that end it with different values for sure.
func (p *prover) deterministic(v values) (bool, error) {
	const name, text = "C1", "in no round there are different values with which processes end it for sure"
	for _, n := range p.nodes {
		a, err := p.one(start{at: n.at})
		if err != nil {
			return false, err
		}
		ok, err := p.pairs(v, func(x, y []int) (bool, error) {
			r, err := p.k.ask(a, expr("!(<>(%s && %s))", p.some(x, ""), p.some(y, "")))
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
