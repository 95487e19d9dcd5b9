package schedule

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// NewProblem prepares the search for a run that satisfies tree. It asks the solver about thresholds. Unless plain is
// set it leaves out rules that never fire because no process reaches where they start, all but one of rules that do
// the same, and rules outside the cone of influence. Its error is a diag.List if the formula is outside the fragment,
// cutgraph.ErrUndecided if ctx was cancelled, or the solver's.
func NewProblem(ctx context.Context, s smt.Solver, a *ta.Automaton, tree *ltl.Node, plain bool) (*Problem, error) {
	return newProblem(&Problem{automaton: a, tree: tree}, plain, asking(ctx, s, a))
}

// NewProblemShared is NewProblem, with threshold graphs that others have, too.
func NewProblemShared(ctx context.Context, graphs *cutgraph.Shared, a *ta.Automaton, tree *ltl.Node,
	plain bool) (*Problem, error) {
	return newProblem(&Problem{automaton: a, tree: tree}, plain, func(list []ta.Threshold) (*cutgraph.ThresholdGraph,
		error) {
		return graphs.Graph(ctx, list)
	})
}

// asking makes threshold graphs by asking a solver.
func asking(ctx context.Context, s smt.Solver, a *ta.Automaton) func([]ta.Threshold) (*cutgraph.ThresholdGraph, error) {
	return func(list []ta.Threshold) (*cutgraph.ThresholdGraph, error) {
		return cutgraph.NewThresholdGraph(ctx, s, a, list)
	}
}

func newProblem(p *Problem, plain bool, graphOf func([]ta.Threshold) (*cutgraph.ThresholdGraph, error)) (*Problem,
	error) {
	a, tree := p.automaton, p.tree
	all := &cutgraph.Graph{}
	*all = *cutgraph.New(tree, nil)
	reduced := all.Reduced(nil)
	src, err := newSources(a, tree, reduced)
	if err != nil {
		return nil, err
	}
	graph, err := graphOf(src.thresholds())
	if err != nil {
		return nil, err
	}
	p.Paper = cutgraph.New(tree, graph.Restrict(src.inPaper(graph)))
	p.build(src, graph, reduced, plain)
	return p, nil
}

// sources are the parts of an automaton and a formula in which thresholds occur.
type sources struct {
	rules     []ta.Rule
	cases     [][][]ta.Literal // by rule
	spec      []ta.Threshold   // shared-variable comparisons of the formula
	root      []ltl.Clause
	cuts      [][]ltl.Clause // by cut of the reduced graph
	loop      []ltl.Clause
	always    *ta.Cond
	onCycle   []bool // by rule: self-loops and rules inside components
	loopMoves bool   // some rule other than a self-loop is on a cycle
}

// Fragment reports what of a canonical tree cannot be decided, as a diag.List. Rules that are not
// monotone fire between the parts of a run that it is about. No solver is asked.
func Fragment(a *ta.Automaton, tree *ltl.Node) error {
	if !a.Monotone() {
		a = a.With(monotone(a), a.Inits)
	}
	_, err := newSources(a, tree, cutgraph.New(tree, nil).Reduced(nil))
	return err
}

func newSources(a *ta.Automaton, tree *ltl.Node, g *cutgraph.Graph) (*sources, error) {
	src := &sources{rules: a.Rules, onCycle: make([]bool, len(a.Rules))}
	_, component := a.Components()
	var moving, cyclic []*ta.Rule
	for i := range a.Rules {
		r := &a.Rules[i]
		cases, err := r.Cases()
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", a.RuleName(r), err)
		}
		src.cases = append(src.cases, cases)
		src.onCycle[i] = component[r.From] == component[r.To]
		if r.Idle() {
			continue
		}
		moving = append(moving, r)
		if src.onCycle[i] && !r.SelfLoop() {
			cyclic = append(cyclic, r)
			src.loopMoves = true
		}
	}
	src.spec = specThresholds(tree, nil)
	return src, src.invariants(tree, g, moving, cyclic)
}

// invariants reads what must hold throughout. The prefix owes the clauses of
// the root and of the cuts that are left; the loop owes everything under G.
func (src *sources) invariants(tree *ltl.Node, g *cutgraph.Graph, moving, cyclic []*ta.Rule) error {
	var err error
	if src.root, err = ltl.Clauses(tree.Invariant(), moving); err != nil {
		return err
	}
	for _, n := range g.Cuts {
		clauses, err := ltl.Clauses(n.Invariant(), moving)
		if err != nil {
			return err
		}
		src.cuts = append(src.cuts, clauses)
	}
	src.always = tree.Always()
	if src.loopMoves {
		// Without rules on cycles the loop is one configuration, and any proposition will do.
		src.loop, err = ltl.Clauses(src.always, cyclic)
	}
	return err
}

// specThresholds lists the comparisons of shared variables with parameters that occur in a formula, as thresholds.
func specThresholds(n *ltl.Node, list []ta.Threshold) []ta.Threshold {
	for _, a := range n.Prop.Atoms(nil) {
		if hasCounter(a.Linear) {
			continue
		}
		for _, e := range halves(a) {
			if lit, err := ta.GuardLiteral(e); err == nil {
				list = append(list, lit.Threshold)
			}
		}
	}
	for _, c := range n.Finally {
		list = specThresholds(c, list)
	}
	if n.Globally != nil {
		list = specThresholds(n.Globally, list)
	}
	return list
}

// halves returns expressions e such that a compares with e >= 0 only.
func halves(a ta.Atom) []ta.Linear {
	switch a.Rel {
	case ta.GE:
		return []ta.Linear{a.Linear}
	case ta.EQ:
		return []ta.Linear{a.Linear, a.Linear.Neg()}
	}
	return []ta.Linear{a.Linear.Sub(ta.Int(1)), a.Linear.Neg().Sub(ta.Int(1))}
}

// guards lists the cases of the rules' guards; those that rules share, once.
func (src *sources) guards() [][][]ta.Literal {
	var list [][][]ta.Literal
	seen := map[*[]ta.Literal]bool{}
	for _, cases := range src.cases {
		if len(cases) > 0 && !seen[&cases[0]] {
			seen[&cases[0]] = true
			list = append(list, cases)
		}
	}
	return list
}

func (src *sources) thresholds() []ta.Threshold {
	var list []ta.Threshold
	for _, cases := range src.guards() {
		for _, c := range cases {
			for _, l := range c {
				list = append(list, l.Threshold)
			}
		}
	}
	list = append(list, src.spec...)
	for _, clauses := range append([][]ltl.Clause{src.root}, src.cuts...) {
		for _, c := range clauses {
			for _, l := range c.Literals {
				list = append(list, l.Threshold)
			}
		}
	}
	return list
}

// inPaper selects the classes that the paper's threshold graph has: those of guards in rules and in the formula.
func (src *sources) inPaper(g *cutgraph.ThresholdGraph) func(class int) bool {
	in := map[int]bool{}
	mark := func(t ta.Threshold) {
		if status, class := g.Place(t); status == cutgraph.Flips {
			in[class] = true
		}
	}
	for _, cases := range src.guards() {
		for _, c := range cases {
			for _, l := range c {
				mark(l.Threshold)
			}
		}
	}
	for _, t := range src.spec {
		mark(t)
	}
	return func(class int) bool { return in[class] }
}

// build puts the problem together on the classes of the threshold graph.
func (p *Problem) build(src *sources, graph *cutgraph.ThresholdGraph, reduced *cutgraph.Graph, plain bool) {
	r := &resolver{graph: graph, used: map[int]*threshold{}, index: map[int]int{}}
	tracked := map[*[]ta.Literal]bool{}
	for i, cases := range src.cases {
		if len(cases) > 0 && !tracked[&cases[0]] && !src.rules[i].Idle() { // others matter in the loop only
			tracked[&cases[0]] = true
			r.trackGuards(cases)
		}
	}
	p.root = obligation{p.tree.Prop, r.clauses(src.root)}
	for i, n := range reduced.Cuts {
		p.cuts = append(p.cuts, obligation{n.Prop, r.clauses(src.cuts[i])})
	}
	p.loop = loopObligation{always: src.always, clauses: src.loop}
	for _, n := range reduced.LoopCuts {
		p.loop.cuts = append(p.loop.cuts, n.Prop)
	}
	for class, c := range graph.Classes {
		if t := r.used[class]; t != nil {
			r.index[class] = len(p.thresholds)
			t.Threshold = c.Threshold
			p.thresholds = append(p.thresholds, *t)
		}
	}
	p.Graph = reduced.Reduced(graph.Restrict(func(class int) bool { return r.used[class] != nil }).Classes)
	p.growing, p.rankStep = p.automaton.GrowingCycles(), 1
	_, p.component = p.automaton.Components()
	p.buildMoves(src, r, plain)
	if !plain {
		in := inhabited(p.automaton, p.moves)
		p.moves, p.loopMoves, p.loopSteps = from(p.moves, in), from(p.loopMoves, in), from(p.loopSteps, in)
		if p.Graph.Finite {
			p.moves = p.relevant()
		}
	}
	p.several = p.needsScaling()
	p.watchLoop(nil)
}

// watchLoop lists what the growth of variables in the loop could change: in
// guards of rules on cycles, in the formula, and among further atoms.
func (p *Problem) watchLoop(atoms []ta.Atom) {
	p.loop.watched = nil
	seen := map[string]bool{}
	add := func(e ta.Linear) {
		key := ta.Threshold{LHS: e}.Key()
		if seen[key] || !slices.ContainsFunc(p.loopSteps, func(m move) bool { return growth(m.rule, e) != 0 }) {
			return
		}
		seen[key] = true
		p.loop.watched = append(p.loop.watched, e)
	}
	literal := func(l ta.Literal) { add(l.Threshold.Atom().Linear) }
	for _, m := range p.loopSteps {
		for _, l := range m.guard {
			literal(l)
		}
	}
	for _, c := range p.loop.clauses {
		for _, l := range c.Literals {
			literal(l)
		}
	}
	for _, at := range append(ltl.Atoms(p.tree.Formula()), atoms...) {
		for _, e := range halves(at) {
			add(e)
		}
	}
}

// Settle has the loop keep further atoms as they are, too: those that the check of the run evaluates.
func (p *Problem) Settle(atoms []ta.Atom) { p.watchLoop(atoms) }

// buildMoves lists the moves, without those that can never be made or do what another one does.
func (p *Problem) buildMoves(src *sources, r *resolver, plain bool) {
	seen := map[string]bool{}
	for i := range src.rules {
		rule := &src.rules[i]
		for _, c := range src.cases[i] {
			m, ok := r.move(rule, c)
			if key := m.key(); !ok || seen[key] && !plain {
				continue
			} else {
				seen[key] = true
			}
			if !rule.Idle() {
				p.moves = append(p.moves, m)
			}
			if src.onCycle[i] {
				p.loopSteps = append(p.loopSteps, m)
				if !rule.SelfLoop() {
					p.loopMoves = append(p.loopMoves, m)
				}
			}
		}
	}
}

// NewEpochs is NewProblem for automata with rules that are not monotone. live says which rules can fire,
// and known is what holds in every configuration, for runs that satisfy the tree.
func NewEpochs(ctx context.Context, s smt.Solver, a *ta.Automaton, live []bool, known *ta.Cond, tree *ltl.Node,
	plain bool) (*Problem, error) {
	e := &epochs{whole: a}
	for _, i := range monotone(a) {
		if live[i] {
			e.origin = append(e.origin, i)
		}
	}
	within := a.With(e.origin, known)
	for i := range a.Rules {
		if live[i] && !a.Rules[i].Monotone() {
			r := a.Rules[i]
			r.Index = len(e.origin)
			e.origin = append(e.origin, i)
			e.events = append(e.events, &r)
		}
	}
	return newProblem(&Problem{automaton: within, tree: tree, epochs: e}, plain, asking(ctx, s, within))
}
