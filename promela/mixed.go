package promela

// A comparison of shared variables with both signs may become true and false
// again. Automata have no such guards. Shared variables only grow: with the first
// values of those that are taken off, a comparison says less, and is one that only
// becomes true. A counterexample that rests on that is not a run of the processes,
// and not shown.

// isMixed reports whether l has shared variables with both signs.
func isMixed(l linear) bool {
	part := l.part(ofShared)
	return !nonnegative(part) && !nonnegative(number(0).plus(-1, part))
}

// grown is what follows from l >= 0: shared variables that are taken off have
// their first values.
func (t *translator) grown(l linear) linear {
	out := l
	for v, c := range l.part(ofShared).coef {
		if c < 0 {
			out = out.plus(-c, of(v)).plus(c, number(t.Model.Shared[v.index].Init))
		}
	}
	return out
}

// unmixed is what follows from a condition, without mixed comparisons.
func (t *translator) unmixed(c *condition) *condition {
	if c.op == ">=" {
		if isMixed(c.lin) {
			return atLeast0(t.grown(c.lin))
		}
		return c
	}
	args := make([]*condition, len(c.args))
	for i, a := range c.args {
		args[i] = t.unmixed(a)
	}
	return join(c.op, args...)
}

// unmix weakens the guards that are mixed.
func (t *translator) unmix() error {
	for i := range t.moves {
		m := &t.moves[i]
		mixed := false
		var list []linear
		for _, l := range m.guard {
			if isMixed(l) {
				mixed, l = true, t.grown(l)
			}
			list = append(list, l)
		}
		if !mixed {
			continue
		}
		t.inexact(&path{taken: m.taken}, "shared variables are compared with both signs, which can become true and false again: the guard of the automaton takes the first values of those that are taken off")
		kept, _, err := t.simplify(list)
		if err != nil {
			return err
		}
		m.guard = kept
	}
	for i, c := range t.stuck {
		t.stuck[i] = t.unmixed(c)
	}
	return nil
}
