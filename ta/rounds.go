package ta

import (
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/ta/syntax"
)

// The kinds of switches.
const (
	Goes SwitchKind = iota // there is one place
	Toss                   // a coin of the process's own, by which each place is possible
	Coin                   // one coin for all, which is the same for everybody in the round
	Turn                   // there is a place for who is the coordinator then, and one for who is not
)

// The adversaries, the weakest first.
const (
	Unseen  Adversary = iota // what it does in rounds up to r does not depend on coins of rounds from r on
	InOrder                  // it sees coins, and lets no process begin a round before the last one is over
	Any                      // it sees coins
	AtLast                   // there are no coins, and rounds are good at last
)

var adversaries = map[string]Adversary{"almost_surely": Any, "almost_surely_in_order": InOrder,
	"almost_surely_unseen": Unseen, "good_at_last": AtLast}

// Borders lists the locations in which rounds begin, increasing.
func (r *Rounds) Borders() (list []int) {
	for _, s := range r.Switches {
		list = append(list, s.To...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Outcomes is how many outcomes the common coin has; 1 if there is none.
func (r *Rounds) Outcomes() int {
	for _, s := range r.Switches {
		if s.Kind == Coin {
			return len(s.To)
		}
	}
	return 1
}

// rounds reads the rounds sections.
func (r *resolver) rounds(tree *syntax.File) {
	for _, sec := range tree.Sections {
		if sec.Rounds == nil {
			continue
		}
		if r.a.Rounds == nil {
			r.a.Rounds = &Rounds{Revealed: Int(1), Pos: scan.Place(sec.Pos)}
		}
		for _, i := range sec.Rounds.List {
			r.roundsItem(i)
		}
	}
	if r.a.Rounds != nil && r.errs == nil {
		r.checkRounds()
	}
}

func (r *resolver) roundsItem(i *syntax.RoundsItem) {
	out := r.a.Rounds
	switch {
	case i.Throughout != nil:
		for _, id := range i.Throughout {
			if r.shared(id) {
				out.Throughout = append(out.Throughout, r.a.names[id.Name].Index)
			}
		}
	case i.Missing != nil:
		if r.shared(i.Missing.Var) {
			total, _ := r.linear(i.Missing.Total, scopeResilience)
			out.Missing = append(out.Missing, Missing{r.a.names[i.Missing.Var.Name].Index,
				r.locations(i.Missing.At.Names), total})
		}
	case i.Leader != nil:
		r.leader(i)
	case i.After != nil:
		r.afterRounds(i)
	case i.Values != nil:
		groups := lists.Map(i.Values, func(g *syntax.Group) []int { return r.locations(g.Names) })
		out.Values = append(out.Values, groups)
	case i.Revealed != nil:
		out.Revealed, _ = r.linear(i.Revealed, scopeResilience)
	case i.Late != nil:
		r.late(i)
	case i.Timely != nil:
		r.quotients(i.Timely)
		out.Timely = i.Timely
	case i.Fair != nil:
		r.quotients(i.Fair)
		out.Fair = i.Fair
	case i.Almost != nil:
		r.almost(i)
	default:
		r.turn(i)
	}
}

func (r *resolver) locations(ids []*syntax.Ident) (list []int) {
	for _, id := range ids {
		if l, ok := r.location(id); ok {
			list = append(list, l)
		}
	}
	return list
}

func (r *resolver) almost(i *syntax.RoundsItem) {
	pos := i.Name.Position()
	r.specTaken(i.Name)
	sum, ok := r.linear(i.Almost.Goal, anything)
	if !ok {
		return
	}
	out := Almost{Name: i.Name.Name, Against: adversaries[i.Almost.Kind], Pos: pos}
	for _, t := range sum.Terms() {
		if t.Var.Kind != Counter || !t.Coef.Is(1) {
			ok = false
		}
		out.Goal = append(out.Goal, t.Var.Index)
	}
	if !ok || len(out.Goal) == 0 || sum.Const().Sign() != 0 {
		r.errs.Add(i.Almost.Goal.Pos, i.Almost.Goal.Width,
			"expected a location, or a sum of locations, to which all processes come")
		return
	}
	r.a.Rounds.Almost = append(r.a.Rounds.Almost, out)
}

// late reads which rules are not taken in good rounds.
func (r *resolver) late(i *syntax.RoundsItem) {
	for _, id := range i.Late {
		k := slices.IndexFunc(r.a.Rules, func(rule Rule) bool { return rule.ID == id })
		if k < 0 {
			r.errs.Add(scan.Place(i.Pos), len("late"), "there is no rule %s", id)
			continue
		}
		r.a.Rounds.Late = append(r.a.Rounds.Late, k)
	}
}

// leader reads where the coordinator of a round begins it.
func (r *resolver) leader(i *syntax.RoundsItem) {
	if r.a.Rounds.Leader != nil {
		r.errs.Add(scan.Place(i.Pos), len("coordinator"), "it is said already who is the coordinator")
		return
	}
	out := &Leader{At: r.locations(i.Leader.At.Names), Bad: -1}
	out.Most, _ = r.linear(i.Leader.Most, scopeResilience)
	if id := i.Leader.When; id != nil {
		s, ok := r.a.Lookup(id.Name)
		if !ok || s.Kind != Parameter {
			r.errs.Add(id.Position(), len(id.Name), "%s is no parameter", id.Name)
		}
		out.Bad = s.Index
	}
	r.a.Rounds.Leader = out
}

// afterRounds reads what holds after so many rounds.
func (r *resolver) afterRounds(i *syntax.RoundsItem) {
	if r.specTaken(i.Name) {
		return
	}
	before := len(r.a.Quotients)
	count, ok := r.linear(i.After.Rounds, scopeResilience)
	r.divided += len(r.a.Quotients) - before
	if _, fine := r.cond(i.After.Formula, anything, false); ok && fine {
		r.a.Rounds.After = append(r.a.Rounds.After, After{i.Name.Name, count, i.After.Formula, i.Name.Position()})
	}
}

// specTaken reports whether a specification of a name is declared already.
func (r *resolver) specTaken(id *syntax.Ident) bool {
	taken := r.a.SpecNamed(id.Name) != nil ||
		slices.ContainsFunc(r.a.Rounds.Almost, func(a Almost) bool { return a.Name == id.Name }) ||
		slices.ContainsFunc(r.a.Rounds.After, func(a After) bool { return a.Name == id.Name })
	if taken {
		r.errs.Add(id.Position(), len(id.Name), "specification %q is declared again", id.Name)
	}
	return taken
}

// turn reads where the next round begins.
func (r *resolver) turn(i *syntax.RoundsItem) {
	from, ok := r.location(i.Name)
	s := Switch{From: from, Pos: i.Name.Position()}
	switch {
	case i.Switch.To != nil:
		s.To = r.locations([]*syntax.Ident{i.Switch.To})
	default:
		s.To = r.locations(i.Switch.Group.Names)
		s.Kind = map[string]SwitchKind{"toss": Toss, "coin": Coin, "turn": Turn}[i.Switch.Kind]
	}
	if slices.ContainsFunc(r.a.Rounds.Switches, func(o Switch) bool { return o.From == from }) {
		r.errs.Add(s.Pos, len(i.Name.Name), "where who is in %s begins the next round is said already", i.Name.Name)
	}
	if ok {
		r.a.Rounds.Switches = append(r.a.Rounds.Switches, s)
	}
}

// checkRounds refuses what crosses rounds otherwise than by switches, and what cannot be meant.
func (r *resolver) checkRounds() {
	rs := r.a.Rounds
	if len(rs.Switches) == 0 {
		r.errs.Add(rs.Pos, len("rounds"), "no process goes on to a next round: say `end -> border;`")
		return
	}
	if len(r.a.Quotients) > r.divided {
		r.errs.Add(rs.Pos, len("rounds"), "guards and assumptions of automata with rounds do not divide parameters: "+
			"multiply the other side")
	}
	if !r.a.Monotone() {
		r.errs.Add(rs.Pos, len("rounds"),
			"each round has variables of its own, and in automata with rounds rules do not reset or decrease them")
	}
	for _, s := range rs.Switches {
		if s.Kind == Coin && len(s.To) != rs.Outcomes() {
			r.errs.Add(s.Pos, 1, "the coin has %d outcomes elsewhere, and %d here", rs.Outcomes(), len(s.To))
		}
		for i := range r.a.Rules {
			if rule := &r.a.Rules[i]; rule.From == s.From && !rule.SelfLoop() && !r.goesOnAs(s, rule.To) {
				r.errs.Add(rule.Pos, 1,
					"the round is over in %s: what is done there still may not change where the next one begins",
					r.a.Locations[s.From].Name)
			}
		}
		if slices.Contains(rs.Borders(), s.From) {
			r.errs.Add(s.Pos, 1, "%s is where rounds begin, and cannot be where they end", r.a.Locations[s.From].Name)
		}
	}
	if !rs.Revealed.Equal(Int(1)) && slices.ContainsFunc(rs.Switches, func(s Switch) bool { return s.Kind != Coin }) {
		r.errs.Add(rs.Pos, len("rounds"),
			"where the common coin is known after so many have asked, every round ends with a `coin`: otherwise too "+
				"few may ask")
	}
	r.checkValues()
	r.checkTurns()
	for i := range r.a.Rules {
		r.checkThroughout(&r.a.Rules[i])
		r.checkMissing(&r.a.Rules[i])
	}
}

// checkTurns checks that there are coordinators where processes take turns, and no coins then.
func (r *resolver) checkTurns() {
	rs := r.a.Rounds
	for _, s := range rs.Switches {
		switch {
		case rs.Leader == nil && s.Kind == Turn:
			r.errs.Add(s.Pos, 1,
				"whose turn? `coordinator (...) most f;` says where the coordinator of a round begins it")
			return
		case rs.Leader != nil && (s.Kind == Toss || s.Kind == Coin):
			r.errs.Add(s.Pos, 1, "where rounds have coordinators, there are no coins")
			return
		}
	}
	for _, s := range rs.Almost {
		if rs.Leader != nil && s.Against != AtLast {
			r.errs.Add(s.Pos, len(s.Name),
				"where rounds have coordinators, nothing is asked almost surely: there are no coins")
		}
		if len(rs.Late) > 0 && rs.Timely == nil && s.Against == AtLast {
			r.errs.Add(s.Pos, len(s.Name),
				"what is fair in a good round, where no process takes the rules that are `late`? `timely <>[](...);`")
		}
	}
}

// checkMissing checks what a rule asks of variables that count who is gone: steps of different rounds may be put in
// another order only if it stays possible when some process leaves an earlier round sooner.
func (r *resolver) checkMissing(rule *Rule) {
	for _, m := range r.a.Rounds.Missing {
		for _, atom := range rule.Guard.Atoms(nil) {
			if c := atom.Linear.Coef(Symbol{Shared, m.Var}); c.Sign() < 0 || c.Sign() > 0 && atom.Rel != GE {
				r.errs.Add(rule.Pos, 1,
					"of %s, which counts those that are gone in all rounds, rules may ask for at least so many only",
					r.a.Shared[m.Var].Name)
			}
		}
	}
}

// goesOnAs reports whether who is in a location begins the next round as a switch says, or never does.
func (r *resolver) goesOnAs(s Switch, l int) bool {
	to := map[int]bool{}
	r.reach(l, to)
	if !slices.ContainsFunc(r.a.Rounds.Switches, func(o Switch) bool { return to[o.From] }) {
		return true
	}
	return slices.ContainsFunc(r.a.Rounds.Switches,
		func(o Switch) bool { return o.From == l && o.Kind == s.Kind && slices.Equal(o.To, s.To) })
}

// reach adds the locations to which rules lead from one.
func (r *resolver) reach(l int, to map[int]bool) {
	if to[l] {
		return
	}
	to[l] = true
	for i := range r.a.Rules {
		if r.a.Rules[i].From == l {
			r.reach(r.a.Rules[i].To, to)
		}
	}
}

func (r *resolver) checkValues() {
	borders := r.a.Rounds.Borders()
	for _, groups := range r.a.Rounds.Values {
		all := slices.Concat(groups...)
		slices.Sort(all)
		if !slices.Equal(slices.Compact(all), borders) {
			r.errs.Add(r.a.Rounds.Pos, len("rounds"),
				"`values` has to have each location in which rounds begin, and no others")
		}
	}
}

// checkThroughout checks what a rule does with variables that count in all rounds: steps of different rounds may be put
// in another order only if all that is asked of such a variable is that it is below one bound when it is raised by one.
func (r *resolver) checkThroughout(rule *Rule) {
	var used []int
	bad := func() {
		r.errs.Add(rule.Pos, 1,
			"a variable that counts throughout all rounds may only be raised by one while it is below a bound, the "+
				"same in all rules: "+"anything else would let rounds get in each other's way")
	}
	for _, atom := range rule.Guard.Atoms(nil) {
		terms := Part(atom.Linear, Shared).Terms()
		for _, t := range terms {
			if !slices.Contains(r.a.Rounds.Throughout, t.Var.Index) {
				continue
			}
			used = append(used, t.Var.Index)
			if !r.allThroughout(terms) || atom.Rel != GE || !t.Coef.Is(-1) || !r.sameBound(t.Var, atom) {
				bad()
				return
			}
		}
	}
	if len(used) > 0 && mentions(rule.Guard, Shared) && rule.Guard.Has(boolean.OpOr) {
		bad()
		return
	}
	for _, x := range r.a.Rounds.Throughout {
		up := rule.Update.Coef(Symbol{Shared, x})
		asked := slices.Contains(used, x)
		if up.Sign() != 0 && !up.Is(1) || up.Sign() != 0 && !asked && r.bounded(x) ||
			asked && !r.raisesOne(rule, used) {
			bad()
			return
		}
	}
}

// allThroughout reports whether all of some variables count throughout.
func (r *resolver) allThroughout(terms []Term) bool {
	return !slices.ContainsFunc(terms, func(t Term) bool {
		return !slices.Contains(r.a.Rounds.Throughout, t.Var.Index)
	})
}

// raisesOne reports whether a rule raises exactly one of some variables.
func (r *resolver) raisesOne(rule *Rule, list []int) bool {
	raised := map[int]bool{}
	for _, x := range list {
		if rule.Update.Coef(Symbol{Shared, x}).Sign() != 0 {
			raised[x] = true
		}
	}
	return len(raised) == 1
}

// mentions reports whether a symbol of a kind occurs in a condition.
func mentions(c *Cond, kind Kind) bool {
	return slices.ContainsFunc(c.Atoms(nil), func(a Atom) bool { return len(Part(a.Linear, kind).Terms()) > 0 })
}

// sameBound reports whether all that guards ask of a variable is this.
func (r *resolver) sameBound(x Symbol, atom Atom) bool {
	for i := range r.a.Rules {
		for _, other := range r.a.Rules[i].Guard.Atoms(nil) {
			if other.Linear.Coef(x).Sign() != 0 && !other.Linear.Equal(atom.Linear) {
				return false
			}
		}
	}
	return true
}

// bounded reports whether some guard asks for a bound on a variable.
func (r *resolver) bounded(x int) bool {
	for i := range r.a.Rules {
		for _, atom := range r.a.Rules[i].Guard.Atoms(nil) {
			if atom.Linear.Coef(Symbol{Shared, x}).Sign() != 0 {
				return true
			}
		}
	}
	return false
}
