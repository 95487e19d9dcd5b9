package promela

// A tableau guesses, in each state of a graph, which temporal subformulas hold from there on. A guess has to agree with the state and the
// guess in the next state; and what is guessed to come has to come: this is what the fair components of scc.go are for.
type tableau struct {
	g     *Graph
	claim *Expr
	// temporals are the subformulas that begin with a temporal operator, inner ones first; bit i of a guess is for the i-th.
	temporals []*Expr
	number    map[*Expr]int
	atoms     map[*Expr][]bool // values of subformulas without temporal operators in all states
	nodes     []pair
	index     map[pair]int
	edges     [][]edge
	starts    int
}

// A pair is a state of the graph and a guess.
type pair struct {
	state int
	guess uint32
}

// An edge leads to a node of the tableau by a move of the graph.
type edge struct {
	to   int
	move Move
}

// Violation looks for a run of the graph on which the claim is false. The result is nil if there is none.
func (g *Graph) Violation(claim *Expr, limit int) (*Run, error) {
	t := &tableau{g: g, claim: claim.core(), number: map[*Expr]int{}, atoms: map[*Expr][]bool{}, index: map[pair]int{}}
	if err := t.prepare(t.claim); err != nil {
		return nil, err
	}
	for s := 0; s < g.Starts; s++ {
		for guess := uint32(0); guess < 1<<len(t.temporals); guess++ {
			if !t.value(t.claim, s, guess) {
				t.add(pair{s, guess})
			}
		}
	}
	t.starts = len(t.nodes)
	for i := 0; i < len(t.nodes); i++ {
		if len(t.nodes) > limit {
			return nil, ErrTooLarge
		}
		t.edges = append(t.edges, t.successors(t.nodes[i]))
	}
	return t.run(), nil
}

func (t *tableau) add(p pair) int {
	if i, ok := t.index[p]; ok {
		return i
	}
	t.index[p] = len(t.nodes)
	t.nodes = append(t.nodes, p)
	return len(t.nodes) - 1
}

// prepare numbers temporal subformulas, and evaluates the others.
func (t *tableau) prepare(e *Expr) error {
	if !e.hasTemporal() {
		values := make([]bool, len(t.g.Worlds))
		for i, w := range t.g.Worlds {
			v, err := e.eval(t.g.In.scope(w, -1))
			if err != nil {
				return err
			}
			values[i] = v != 0
		}
		t.atoms[e] = values
		return nil
	}
	for _, a := range e.Args {
		if err := t.prepare(a); err != nil {
			return err
		}
	}
	if !e.connective() {
		t.number[e] = len(t.temporals)
		t.temporals = append(t.temporals, e)
	}
	if len(t.temporals) > 12 {
		return ErrTooLarge
	}
	return nil
}

// value is what the guess says of the subformula in the state.
func (t *tableau) value(e *Expr, state int, guess uint32) bool {
	if values, ok := t.atoms[e]; ok {
		return values[state]
	}
	switch e.Op {
	case "!":
		return !t.value(e.Args[0], state, guess)
	case "&&":
		return t.value(e.Args[0], state, guess) && t.value(e.Args[1], state, guess)
	case "||":
		return t.value(e.Args[0], state, guess) || t.value(e.Args[1], state, guess)
	}
	return guess>>t.number[e]&1 == 1
}

// settled says whether the state alone decides the temporal subformula, and how.
func (t *tableau) settled(e *Expr, p pair) (value, settled bool) {
	first := t.value(e.Args[0], p.state, p.guess)
	switch e.Op {
	case "<>":
		return true, first
	case "[]":
		return false, !first
	}
	if t.value(e.Args[1], p.state, p.guess) {
		return true, true
	}
	return false, !first
}

// successors are the nodes that may follow: a subformula that the state does not settle has the same value in the next.
func (t *tableau) successors(p pair) []edge {
	guesses := []uint32{0}
	for i, e := range t.temporals {
		bit := uint32(1) << i
		value, settled := t.settled(e, p)
		if settled && value != (p.guess&bit != 0) {
			return nil
		}
		n := len(guesses)
		for k := 0; k < n; k++ {
			switch {
			case settled:
				guesses = append(guesses, guesses[k]|bit)
			case p.guess&bit != 0:
				guesses[k] |= bit
			}
		}
	}
	var out []edge
	for _, m := range t.g.Moves[p.state] {
		for _, guess := range guesses {
			out = append(out, edge{t.add(pair{m.To, guess}), m})
		}
	}
	return out
}

// kept says whether at this node the i-th promise is not open: what has to come infinitely often on a run.
func (t *tableau) kept(i, node int) bool {
	e, p := t.temporals[i], t.nodes[node]
	guess := p.guess>>i&1 == 1
	switch e.Op {
	case "<>":
		return !guess || t.value(e.Args[0], p.state, p.guess)
	case "[]":
		return guess || !t.value(e.Args[0], p.state, p.guess)
	}
	return !guess || t.value(e.Args[1], p.state, p.guess)
}
