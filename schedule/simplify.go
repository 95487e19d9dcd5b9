package schedule

import "tacheck/ta"

// inhabited returns the locations in which a process can ever be, if guards
// that can be true at all are: those that may not be empty at first, and those
// that moves lead to from them. A location that is not inhabited is empty in
// every configuration of every run, and no rule out of it ever fires.
func inhabited(a *ta.Automaton, moves []move) []bool {
	in := make([]bool, len(a.Locations))
	empty := map[int]bool{}
	startsEmpty(a.Inits, empty)
	for l := range in {
		in[l] = !empty[l]
	}
	for changed := true; changed; {
		changed = false
		for _, m := range moves {
			if in[m.rule.From] && !in[m.rule.To] {
				in[m.rule.To], changed = true, true
			}
		}
	}
	return in
}

// startsEmpty collects the locations that a conjunction says are empty.
func startsEmpty(c *ta.Cond, empty map[int]bool) {
	if c.Op == ta.CondAnd {
		for _, arg := range c.Args {
			startsEmpty(arg, empty)
		}
	}
	if c.Op != ta.CondAtom || c.Atom.Rel != ta.EQ {
		return
	}
	e := c.Atom.Linear
	if terms := e.Terms(); len(terms) == 1 && terms[0].Symbol.Kind == ta.Counter && e.Const().Sign() == 0 {
		empty[terms[0].Symbol.Index] = true
	}
}

// from keeps the moves out of inhabited locations.
func from(moves []move, inhabited []bool) []move {
	var out []move
	for _, m := range moves {
		if inhabited[m.rule.From] {
			out = append(out, m)
		}
	}
	return out
}
