package rounds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// almost decides whether everybody comes to some locations with probability one.
func (m *machine) almost(k *asker, spec *ta.Almost, out *Result) error {
	if len(m.groups) != 1 && spec.Against != ta.AtLast {
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
	p := &prover{machine: m, k: k, spec: spec, nodes: cl.nodes, out: out, others: m.others(spec.Goal)}
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

// others are the groups of processes that do not count: they come to no location of the goal. Where the goal is empty,
// all count.
func (m *machine) others(goal []int) (list []int) {
	for i, g := range m.groups {
		if to := m.reach(g.borders, true); !slices.ContainsFunc(goal, func(l int) bool { return to[l] }) {
			list = append(list, i)
		}
	}
	if len(list) == len(m.groups) {
		return nil
	}
	return list
}

// ends shows RT: in fair runs, all processes that do not stop come to the end of each round.
func (p *prover) ends() (bool, error) {
	const name, text = "RT", "in fair runs, every process that does not stop comes to the end of each round"
	waiting := p.pending(p.isEnd)
	for _, n := range p.nodes {
		a, err := p.one(start{at: n.at, exact: true, some: p.others, loops: true})
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
				p.fails(name, text, r)
				return false, nil
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

// atLast decides whether all come to the goal in fair runs in which, from some round on, each round is good, and no
// process takes a rule in it that is not taken in good rounds, whose coordinator is one that never stops.
func (p *prover) atLast() error {
	if ok, err := p.ends(); !ok || err != nil {
		return err
	}
	const name, text = "good", "in a good round, whatever it begins with, all come to the goal"
	arrived := func(l int) bool {
		s := p.machine.ends[l]
		return s != nil && (slices.Contains(p.spec.Goal, l) || !slices.ContainsFunc(s.To,
			func(b int) bool { return !slices.Contains(p.spec.Goal, b) }))
	}
	waiting, fair := p.unoccupied(p.pending(arrived), ""), p.rs.Timely
	if len(p.rs.Late) == 0 {
		fair = p.rs.Fair
	}
	for _, n := range p.nodes {
		a, err := p.one(start{at: n.at, exact: true, some: p.others, loops: true, good: true, timely: true})
		if err != nil {
			return err
		}
		r, err := p.fairly(a, waiting, fair)
		if err != nil {
			return err
		}
		if r.Verdict != verify.Holds {
			p.fails(name, text, r)
			return nil
		}
	}
	p.note(name, text)
	return nil
}
