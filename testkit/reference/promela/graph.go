package promela

// A Move is a step of a process from one state to another.
type Move struct {
	To    int
	Proc  int // -1: nothing can go on, and the state repeats for ever
	Lines []int
}

// A Graph has all states of an instance that can be reached.
type Graph struct {
	In     *Instance
	Worlds []World
	Moves  [][]Move
	Starts int    // the first states are where runs begin
	Stops  int    // how many states nothing leads out of
	Clean  bool   // where nothing goes on, nothing can even begin
	Parent []int  // the state from which it was first reached, -1 for the first ones
	Via    []Move // by which step
}

// Explore visits every state; limit is how many there may be.
func (in *Instance) Explore(limit int) (*Graph, error) {
	g := &Graph{In: in, Clean: true}
	index := map[string]int{}
	add := func(w World, parent int, via Move) (int, bool) {
		k := in.key(w)
		if i, ok := index[k]; ok {
			return i, false
		}
		index[k] = len(g.Worlds)
		g.Worlds = append(g.Worlds, w)
		g.Parent = append(g.Parent, parent)
		g.Via = append(g.Via, via)
		return len(g.Worlds) - 1, true
	}
	starts, err := in.Starts()
	if err != nil {
		return nil, err
	}
	for _, w := range starts {
		add(w, -1, Move{})
	}
	g.Starts = len(g.Worlds)
	for i := 0; i < len(g.Worlds); i++ {
		if len(g.Worlds) > limit {
			return nil, ErrTooLarge
		}
		w := g.Worlds[i]
		var moves []Move
		seen := map[[2]int]bool{}
		for p := range w.Procs {
			list, err := in.Steps(w, p)
			if err != nil {
				return nil, err
			}
			for _, o := range list {
				m := Move{Proc: p, Lines: o.lines}
				m.To, _ = add(o.world, i, m)
				if !seen[[2]int{p, m.To}] {
					seen[[2]int{p, m.To}] = true
					moves = append(moves, m)
				}
			}
		}
		if len(moves) == 0 {
			g.Stops++
			moves = []Move{{To: i, Proc: -1}}
			for p := range w.Procs {
				ok, err := in.executable(w, p, w.Procs[p].Node)
				if err != nil {
					return nil, err
				}
				g.Clean = g.Clean && !ok
			}
		}
		g.Moves = append(g.Moves, moves)
	}
	return g, nil
}
