package finite

import (
	"math/rand"
	"slices"

	"github.com/tacheck/tacheck/fol"
)

// step is a transition of an instance.
type step struct {
	sizes []int // of parameters
	// what is known of the state before, by the parameters that have to have values: none, the first, ...
	guards [][]*node
	posts  []*node // what is about the state after, too
	free   []int   // cells that it may change
	whole  *node   // its formula
}

func (x *Instance) newStep(t *fol.Transition) *step {
	s := &step{guards: make([][]*node, len(t.Params)+1), whole: x.compile(t.Formula, t.Params)}
	for _, p := range t.Params {
		s.sizes = append(s.sizes, x.Sizes[p.Sort.Index])
	}
	for _, part := range t.Formula.Conjuncts() {
		n := x.compile(part, t.Params)
		if n.after {
			s.posts = append(s.posts, n)
		} else {
			s.guards[n.last+1] = append(s.guards[n.last+1], n)
		}
	}
	for c := range x.Cells {
		if t.Modified(x.System.Symbols[x.symbol[c]]) {
			s.free = append(s.free, c)
		}
	}
	return s
}

// Worker evaluates an instance; it is for one goroutine.
type Worker struct {
	*Instance
	eval
	next  State
	order func(int) []int // in which values are tried; nil for the usual one
	full  func() bool     // nothing else is wanted
	ended func() bool     // time is up
}

// NewWorker makes one.
func (x *Instance) NewWorker() *Worker { return &Worker{Instance: x, next: make(State, x.Cells)} }

// Work is how much was evaluated: a measure of time that depends on nothing else.
func (w *Worker) Work() int64 { return w.eval.work }

// in evaluates in one state.
func (w *Worker) in(s State) *eval {
	w.single, w.before, w.after = true, s, s
	return &w.eval
}

// holdIn evaluates formulas of Axioms, Init or Safety in a state.
func (w *Worker) holdIn(list []*node, s State) bool {
	e := w.in(s)
	return !slices.ContainsFunc(list, func(n *node) bool { return e.value(n) != 1 })
}

// Broken lists the safety properties that are false in a state.
func (w *Worker) Broken(s State) (list []int) {
	e := w.in(s)
	for i, n := range w.safety {
		if e.value(n) == 0 {
			list = append(list, i)
		}
	}
	return list
}

// Step is what happened: a transition with its parameters.
type Step struct {
	Transition int
	Params     []int
}

// Successors calls emit for each state that follows, which is reused, and how; it stops when emit returns false.
func (w *Worker) Successors(s State, emit func(State, Step) bool) {
	for i := range w.steps {
		if !w.left[i] && !w.Steps(s, i, emit) {
			return
		}
	}
}

// Steps is Successors by one transition. It reports whether it came to the end.
func (w *Worker) Steps(s State, transition int, emit func(State, Step) bool) bool {
	t := w.steps[transition]
	params := make([]int, len(t.sizes))
	var from func(k int) bool
	from = func(k int) bool {
		w.single, w.before, w.after = false, s, s
		for _, g := range t.guards[k] {
			if w.value(g) != 1 {
				return true
			}
		}
		if k == len(t.sizes) {
			copy(w.next, s)
			for _, c := range t.free {
				w.next[c] = unknown
			}
			w.after = w.next
			return w.complete(t.posts, t.free, func() bool { return emit(w.next, Step{transition, params}) })
		}
		for v := range t.sizes[k] {
			w.values[k], params[k] = uint8(v), v
			if !from(k + 1) {
				return false
			}
			w.values[k] = uint8(v) // as it was, whatever emit evaluated
		}
		return true
	}
	return from(0)
}

// complete gives values to all cells of a list that have none, in all ways in which formulas are true, and calls found
// for each; it reports whether that returned true always. Cells are then as they were.
func (w *Worker) complete(formulas []*node, cells []int, found func() bool) bool {
	if w.ended != nil && w.ended() {
		return false
	}
	after, before, single, values := w.after, w.before, w.single, w.values
	mark := len(w.trail)
	undo := func() {
		for _, c := range w.trail[mark:] {
			after[c] = unknown
		}
		w.trail = w.trail[:mark]
	}
	left := slices.Clone(formulas)
	for again := true; again && len(left) > 0; {
		size := len(w.trail)
		rest := left[:0]
		for _, f := range left {
			switch w.force(f, 1) {
			case conflict:
				undo()
				return true
			case open:
				rest = append(rest, f)
			}
		}
		left, again = rest, len(w.trail) > size
	}
	for len(cells) > 0 && after[cells[0]] != unknown {
		cells = cells[1:]
	}
	if len(cells) == 0 {
		ok := true
		if len(left) == 0 {
			ok = found()
			w.after, w.before, w.single, w.values = after, before, single, values
		}
		undo()
		return ok
	}
	ok := true
	c := cells[0]
	for _, v := range w.tried(w.widths[c]) {
		after[c] = uint8(v)
		w.trail = append(w.trail, c)
		if ok = w.complete(left, cells[1:], found); !ok {
			break
		}
		after[c] = unknown
		w.trail = w.trail[:len(w.trail)-1]
	}
	undo()
	return ok
}

// tried lists the values of a cell in the order in which they are tried.
func (w *Worker) tried(width int) []int {
	if w.order != nil {
		return w.order(width)
	}
	return upTo[:width]
}

var upTo = func() (list []int) {
	for i := range maxSize {
		list = append(list, i)
	}
	return list
}()

// Initial calls emit for initial states, which is reused: for one of each set of those that differ by how the elements
// of sorts are numbered, or for some more. It stops when emit returns false.
func (w *Worker) Initial(emit func(State) bool) {
	cells := make([]int, w.Cells)
	state := make(State, w.Cells)
	for i := range cells {
		cells[i], state[i] = i, unknown
	}
	slices.SortStableFunc(cells, func(a, b int) int { // what never changes first
		return change(w.System.Symbols[w.symbol[a]]) - change(w.System.Symbols[w.symbol[b]])
	})
	seen := map[string]bool{}
	p := w.permutations()
	w.in(state)
	w.complete(slices.Concat(w.axioms, w.init), cells, func() bool {
		if key := string(p.canonical(state)); !seen[key] {
			seen[key] = true
			return emit(state)
		}
		return w.full == nil || !w.full()
	})
}

func change(s *fol.Symbol) int {
	if s.Mutable {
		return 1
	}
	return 0
}

// SomeInitial returns an initial state, chosen by rng, if it is found by so much work.
func (w *Worker) SomeInitial(rng *rand.Rand, work int64) (found State) {
	w.order = func(n int) []int { return rng.Perm(n) }
	limit := w.eval.work + work
	w.full = func() bool { return w.eval.work > limit }
	defer func() { w.order, w.full = nil, nil }()
	w.Initial(func(s State) bool {
		found = slices.Clone(s)
		return false
	})
	return found
}

// permutations of the elements of sorts.
type permutations struct {
	cells [][]int     // of each: where what a cell has comes from
	maps  [][][]uint8 // of each, for each cell: nil, or what values become
	best  State
	try   State
}

// mostPermutations bounds how many are tried: with more, states that differ by numbers only are told apart.
const mostPermutations = 800

func (x *Instance) permutations() *permutations {
	p := &permutations{best: make(State, x.Cells), try: make(State, x.Cells)}
	of := make([][][]uint8, len(x.Sizes))
	all := 1
	for i, n := range x.Sizes {
		of[i] = orders(n)
		if all*len(of[i]) > mostPermutations {
			of[i] = of[i][:1]
		}
		all *= len(of[i])
	}
	choice := make([]int, len(x.Sizes))
	for {
		cells, maps := make([]int, x.Cells), make([][]uint8, x.Cells)
		for c := range cells {
			s, args := x.atom(c)
			for i, a := range args {
				k := s.Args[i].Index
				args[i] = int(of[k][choice[k]][a])
			}
			to := x.at(s, args)
			cells[to] = c
			if s.Result != nil {
				maps[to] = of[s.Result.Index][choice[s.Result.Index]]
			}
		}
		p.cells, p.maps = append(p.cells, cells), append(p.maps, maps)
		i := 0
		for ; i < len(choice); i++ {
			if choice[i]++; choice[i] < len(of[i]) {
				break
			}
			choice[i] = 0
		}
		if i == len(choice) {
			return p
		}
	}
}

// orders lists the permutations of n numbers, the identity first; that alone if there are many.
func orders(n int) (list [][]uint8) {
	id := make([]uint8, n)
	for i := range id {
		id[i] = uint8(i)
	}
	if n > 6 {
		return [][]uint8{id}
	}
	var put func(k int)
	put = func(k int) {
		if k == n {
			list = append(list, slices.Clone(id))
			return
		}
		for i := k; i < n; i++ {
			id[k], id[i] = id[i], id[k]
			put(k + 1)
			id[k], id[i] = id[i], id[k]
		}
	}
	put(0)
	return list
}

// canonical is the least of the states that differ by numbers of elements only. It is reused.
func (p *permutations) canonical(s State) State {
	copy(p.best, s)
	for k := 1; k < len(p.cells); k++ {
		less := false
		for to, c := range p.cells[k] {
			v := s[c]
			if m := p.maps[k][to]; m != nil {
				v = m[v]
			}
			if !less && v != p.best[to] {
				if less = v < p.best[to]; !less {
					break
				}
				copy(p.try, p.best[:to])
			}
			p.try[to] = v
		}
		if less {
			p.try, p.best = p.best, p.try
		}
	}
	return p.best
}

// Formula is a formula of an instance, with free variables.
type Formula struct{ n *node }

// Compile makes a formula of a term about one state with these free variables.
func (x *Instance) Compile(t *fol.Term, free []*fol.Var) Formula { return Formula{x.compile(t, free)} }

// Holds evaluates a formula in a state, with elements for its free variables.
func (w *Worker) Holds(f Formula, s State, elements []uint8) bool {
	w.in(s)
	copy(w.values[:], elements)
	return w.value(f.n) == 1
}

// Canonical returns one of the states that differ by how elements are numbered, the same for all of them unless these
// are very many. It is reused.
func (x *Instance) Canonical() func(State) State {
	p := x.permutations()
	return p.canonical
}
