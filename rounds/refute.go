package rounds

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// Specifications that are violated, or hold, in all rounds: the fixpoint's answer, confirmed in a few rounds.

// safety decides a specification whose violations are finite runs; after says that it is asked only after some rounds.
func (m *machine) safety(k *asker, spec *ta.Spec, after *ta.After, out *Result) error {
	claims, reason, err := m.claims(spec)
	if err != nil {
		return err
	}
	if after != nil {
		good, spare, err := m.surelyGood(k, after, claims)
		if err != nil {
			return err
		}
		for _, c := range claims {
			c.good, c.spare, c.after = good, spare, after
		}
	}
	if reason != "" {
		k.unknown("%s", reason)
		return nil
	}
	said := map[string]bool{}
	for _, c := range claims {
		if len(c.sets) == 0 && k.given != nil {
			k.unknown("sets of values do not exclude a violation")
			return nil
		}
		if len(c.sets) == 0 {
			if err := m.refute(k, c, spec, &node{state: state{at: c.at}, round: 1}, out); err != nil ||
				k.result.Verdict != verify.Holds {
				return err
			}
			continue
		}
		cl, err := m.closure(k, c)
		var none *verify.NoRuns
		if errors.As(err, &none) && len(c.assume) > 0 { // what the claim says of parameters is not admissible
			k.found(m, c, &closure{nodes: []*node{{state: m.initialState(c)}}})
			continue
		}
		if err == nil && cl.bad != nil && k.why == "" {
			cl, err = m.suspicious(k, c, spec, cl, out)
		}
		if err != nil || k.result.Verdict != verify.Holds {
			return err
		}
		if k.why != "" {
			k.unknown("%s", k.why)
			return nil
		}
		k.found(m, c, cl)
		if line := m.proof(c, cl); !said[line] {
			said[line] = true
			k.result.Because = append(k.result.Because, line)
		}
	}
	return nil
}

// suspicious looks for a violation where sets of values do not exclude it. If there is none in the first rounds, the
// closure is one that also bounds how many have which values; if that does not exclude it either, nothing is known.
func (m *machine) suspicious(k *asker, c *claim, spec *ta.Spec, cl *closure, out *Result) (*closure, error) {
	bounds, looked := m.bounds(), 0
	for _, size := range []int{fewBounds, mostBounds, mostBounds + 1} {
		if cl.bad.round > looked {
			if err := m.refute(k, c, spec, cl.bad, out); err != nil || k.result.Verdict == verify.Violated {
				return cl, err
			}
			looked = cl.bad.round
		}
		if len(bounds) <= len(c.bounds) || cl.bad.round == 1 {
			return cl, nil
		}
		c.bounds = bounds[:min(size, len(bounds))]
		var err error
		if cl, err = m.closure(k, c); err != nil {
			return cl, err
		}
		if k.why != "" {
			k.result.Reason += "; how many have which values was not asked to the end: " + k.why
			return cl, nil
		}
		if cl.bad == nil {
			k.result.Verdict, k.result.Reason, out.Suspect = verify.Holds, "", 0
			return cl, nil
		}
	}
	return cl, nil
}

// proof says which values can be at a border together.
func (m *machine) proof(c *claim, cl *closure) string {
	var sets []string
	for _, n := range cl.nodes {
		if !n.early {
			sets = append(sets, m.describe(c, n.state))
		}
	}
	var never []string
	for i := range c.sets {
		never = append(never, m.either(c, i))
	}
	which := ""
	if c.good {
		switch which = "after a round in which no process stops, "; {
		case m.rs.Leader != nil:
			which = "after a round whose coordinator is correct, "
		case c.spare > 0:
			which = fmt.Sprintf("after a round in which at most %s, ", spell.Count(c.spare, "process stops",
				"processes stop"))
		}
	}
	return fmt.Sprintf("%srounds begin with %s; in none of them is a process in %s%s", which,
		strings.Join(sets, "; or with "), strings.Join(never, " and one in "), m.legend(c, math.MaxUint64))
}

// tries is how many rounds more than the abstract path has are looked at for a violation.
const tries = 1

// refute looks for a violation in as many rounds as an abstract path has.
func (m *machine) refute(k *asker, c *claim, spec *ta.Spec, bad *node, out *Result) error {
	if k.d.Violated != nil && k.given == nil {
		found, err := k.d.Violated(k.ctx, spec.Name)
		if err != nil {
			return err
		}
		if found {
			k.result.Verdict, out.Elsewhere = verify.Violated, true
			return nil
		}
	}
	if m.rs.Leader != nil { // whose turn it is in several rounds is a matter of processes with names
		m.suspect(k, c, bad, out, 0)
		return nil
	}
	first, last := bad.round, bad.round+tries
	if c.after != nil { // one round more than it takes; how many that are is a matter of parameters
		first, last = 1, max(last, mostAfter+1)
	}
	for count := first; count <= last; count++ {
		a, err := m.unroll(count, false)
		if err != nil {
			return err
		}
		exact := a.SpecNamed(spec.Name)
		if exact == nil {
			k.unknown("it speaks of a variable that each round has for itself")
			return nil
		}
		r, err := verify.Decide(k.ctx, a, exact, k.o)
		if err != nil {
			return err
		}
		k.result.Queries += r.Queries
		k.result.Solving += r.Solving
		k.result.Solver = r.Solver
		switch r.Verdict {
		case verify.Violated:
			k.result.Verdict, k.result.Witness, out.Rounds = verify.Violated, r.Witness, count
			out.Begun = m.onlyBegun(r.Witness, count)
			return nil
		case verify.Unknown:
			k.unknown("%s, when %d rounds were asked", r.Reason, count)
			return nil
		}
	}
	m.suspect(k, c, bad, out, last)
	return nil
}

// onlyBegun reports whether no process takes a step in the last round of a run of so many.
func (m *machine) onlyBegun(w *witness.Witness, count int) bool {
	inside := map[string]bool{}
	for l := range m.a.Locations {
		inside[m.a.Locations[l].Name+fmt.Sprintf("__%d", count)] = !slices.Contains(m.borders, l)
	}
	return !slices.ContainsFunc(w.Configs, func(c *ta.Config) bool {
		for l, n := range c.Counters {
			if n.Sign() > 0 && inside[w.Automaton.Locations[l].Name] {
				return true
			}
		}
		return false
	})
}

// suspect says why nothing is known: the abstract path to a violation. None was found in so many rounds.
func (m *machine) suspect(k *asker, c *claim, bad *node, out *Result, looked int) {
	out.Suspect = bad.round
	var path []string
	shown := uint64(0)
	for n := bad; n != nil; n = n.from {
		shown |= n.state.shown
		path = append([]string{fmt.Sprintf("round %d begins with %s", n.round, m.describe(c, n.state))}, path...)
	}
	k.result.Because = nil
	none := ""
	if looked > 0 {
		none = fmt.Sprintf("; no violation was found in the first %d rounds", looked)
	}
	k.unknown("not proved: %s, as far as sets of values tell%s%s", strings.Join(path, ", "), none,
		m.legend(c, shown))
}

// check is a replayed run of an automaton that was made here.
func check(a *ta.Automaton, run *ta.Run) (*witness.Witness, error) {
	configs, err := a.Replay(run)
	if err != nil {
		return nil, fmt.Errorf("internal error, please report: a run that was found is none: %w", err)
	}
	return &witness.Witness{Automaton: a, Run: run, Configs: configs}, nil
}
