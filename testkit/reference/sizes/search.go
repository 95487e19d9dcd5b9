package sizes

import "errors"

// ErrLarge is the error of an instance with too many states.
var ErrLarge = errors.New("too many states")

// A Verdict of a property of an instance.
type Verdict string

// The verdicts.
const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated"
)

// Worlds are all states that can be reached, with their processes in order.
func (in *Instance) Worlds(limit int) (worlds []world, err error) {
	if in.worlds != nil {
		return in.worlds, nil
	}
	defer catch(&err)
	seen := map[string]bool{}
	visit := func(w world) {
		w = in.sorted(w)
		if !seen[string(w)] {
			seen[string(w)] = true
			worlds = append(worlds, w)
		}
	}
	for _, w := range in.initial() {
		visit(w)
	}
	for i := 0; i < len(worlds); i++ {
		for _, m := range in.moves(worlds[i]) {
			visit(m.to)
		}
		if len(worlds) > limit {
			return nil, ErrLarge
		}
	}
	in.worlds = worlds
	return worlds, nil
}

// catch makes an error of a misuse of the language that some run meets.
func catch(err *error) {
	if problem := recover(); problem != nil {
		wrong, ok := problem.(misuse)
		if !ok {
			panic(problem)
		}
		*err = errors.New(string(wrong))
	}
}

// Decide gives the verdict of a property. Of worlds with what the formula still asks, at most
// so many as the limit says are visited.
func (in *Instance) Decide(p Property, limit int) (Verdict, error) {
	if p.Invariant {
		worlds, err := in.Worlds(limit)
		if err != nil {
			return "", err
		}
		for _, w := range worlds {
			if !(scope{in, w, -1}).holds(p.Formula) {
				return Violated, nil
			}
		}
		return Holds, nil
	}
	return in.decideFormula(p, limit)
}

// A node is a world with what the negated formula asks of the rest of the run.
type node struct {
	world world
	todo  set
}

func (n node) key() string {
	return string(n.world) + string([]byte{byte(n.todo), byte(n.todo >> 8), byte(n.todo >> 16), byte(n.todo >> 24),
		byte(n.todo >> 32), byte(n.todo >> 40), byte(n.todo >> 48), byte(n.todo >> 56)})
}

// decideFormula looks for a run that satisfies the negation of a formula. A run is a path to a
// loop. In a loop nothing is sent that counts, nothing is heard and no process crashes, for that cannot
// be undone. The path is looked for among worlds with their processes in order, and the loop from there
// with processes that keep their names.
func (in *Instance) decideFormula(p Property, limit int) (verdict Verdict, err error) {
	defer catch(&err)
	tableau, start := newTableau(not(p.Formula))
	seen := map[string]bool{}
	var nodes []node
	visit := func(n node) {
		n.world = in.sorted(n.world)
		if key := n.key(); !seen[key] {
			seen[key] = true
			nodes = append(nodes, n)
		}
	}
	for _, w := range in.initial() {
		visit(node{w, start})
	}
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		outcomes := tableau.expand(scope{in, n.world, -1}, n.todo)
		if len(outcomes) == 0 {
			continue
		}
		moves := in.moves(n.world)
		for _, o := range outcomes {
			visit(node{n.world, o.next})
			for _, m := range moves {
				visit(node{m.to, o.next})
			}
		}
		if len(nodes) > limit {
			return "", ErrLarge
		}
	}
	loops := &loops{in: in, tableau: tableau, fair: p.Fair, numbers: map[string]int{}}
	for _, n := range nodes {
		if p.Fair && !in.settled(n.world) && in.mistake != "messages may stay away" {
			continue
		}
		if loops.from(n) {
			return Violated, nil
		}
		if len(loops.order) > 4*limit {
			return "", ErrLarge
		}
	}
	return Holds, nil
}
