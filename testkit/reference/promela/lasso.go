package promela

// A Lasso is a run: states, and the position that follows the last one.
type Lasso struct {
	Worlds []World
	Loop   int
}

// Holds decides a formula at the start of the run, by computing its value everywhere, from the inside out.
func (in *Instance) Holds(e *Expr, l Lasso) (bool, error) {
	values, err := in.along(e.core(), l, false)
	if err != nil {
		return false, err
	}
	return values[0], nil
}

// Refuted says whether a formula is false whatever follows after the states: because what would have to be true for ever, or
// still to come, is taken to be true after the last one, and it is false all the same.
func (in *Instance) Refuted(e *Expr, worlds []World) (bool, error) {
	values, err := in.along(e.core(), Lasso{Worlds: worlds, Loop: -1}, true)
	if err != nil {
		return false, err
	}
	return !values[0], nil
}

// along gives the value of the formula at all positions. If the run has no loop, temporal operators have the value
// after, after the last position.
func (in *Instance) along(e *Expr, l Lasso, after bool) ([]bool, error) {
	n := len(l.Worlds)
	out := make([]bool, n)
	if !e.hasTemporal() {
		for i, w := range l.Worlds {
			v, err := e.eval(in.scope(w, -1))
			if err != nil {
				return nil, err
			}
			out[i] = v != 0
		}
		return out, nil
	}
	var args [][]bool
	for _, a := range e.Args {
		v, err := in.along(a, l, after != (e.Op == "!"))
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	if e.Op == "[]" {
		for i := range out {
			out[i] = true
		}
	}
	// From the last position to the first, and again until nothing changes: U and <> from below, [] from above.
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			later := after
			if i+1 < n {
				later = out[i+1]
			} else if l.Loop >= 0 {
				later = out[l.Loop]
			}
			v := false
			switch e.Op {
			case "!":
				v = !args[0][i]
			case "&&":
				v = args[0][i] && args[1][i]
			case "||":
				v = args[0][i] || args[1][i]
			case "<>":
				v = args[0][i] || later
			case "[]":
				v = args[0][i] && later
			case "U":
				v = args[1][i] || args[0][i] && later
			}
			if v != out[i] {
				out[i], changed = v, true
			}
		}
	}
	return out, nil
}
