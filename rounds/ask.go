package rounds

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// What is asked of all rounds, and what they can begin with; questions about one, and what was found: results, proofs,
// attacks.

// A claim is a way to violate a specification, weakened to what a set of locations can tell: at some time (or at
// some times, if ever) some process is in each of some sets of locations, whatever the rounds.
type claim struct {
	sets   [][]int
	ever   bool           // at times of their own
	at     []int          // borders that may not be empty in the first round
	assume []*syntax.Expr // on parameters
	bounds []bound        // on how many begin a round at some borders
	after  *ta.After      // it is asked of those that have ended so many rounds
	good   bool           // it is asked only when there has been a good round
	spare  int64          // how many processes may stop in that
}

// most bounds how many sets of locations a claim may have, and how many states the fixpoint visits.
const (
	most       = 12
	mostStates = 400
)

// A bound is something that many of the processes that begin a round have in common: of all that do, in whatever order,
// times so many are at some borders, and that is least or more. Fewer are so many less that a guard stays false for
// ever, if those are the ones who can make it true, or if all others are too few for it.
type bound struct {
	at    []int
	times int64
	least ta.Linear
}

// state is what can be at the border of a round together (at, by location), and which of a claim's sets are shown
// by a process that stays behind in an earlier round. A round can do more from a greater state.
type state struct {
	at    []int
	shown uint64
	many  uint64 // which of a claim's bounds may be reached
	early bool   // there has been no good round yet, and the claim is not asked
}

func (s state) within(t state) bool {
	return s.early == t.early && s.shown&^t.shown == 0 && s.many&^t.many == 0 &&
		!slices.ContainsFunc(s.at, func(b int) bool { return !slices.Contains(t.at, b) })
}

// node is a state that was visited, and the one a round before.
type node struct {
	state
	from  *node
	round int
}

// closure is what a fixpoint has found out.
type closure struct {
	nodes []*node // the greatest ones
	over  []state // at which no process begins another round, though some process shows something
	// bad is a node in whose round the claim may be true.
	bad *node
}

// asker asks questions of package verify, and counts.
type asker struct {
	d      *Decider
	ctx    context.Context
	o      verify.Options
	result *verify.Result
	why    string // that a question was left open
	small  bool   // runs that are shown have few processes
	given  *given // a proof that is being checked; nil while one is looked for
	proof  *Proof // what was found
}

// ask decides a specification of an automaton; what is found is a run that violates it.
func (k *asker) ask(a *ta.Automaton, formula *syntax.Expr) (*verify.Result, error) {
	if k.given != nil {
		return k.given.ask(k, a, formula)
	}
	o := k.o
	o.NoCount, o.Journal, o.Elsewhere, o.Progress = true, nil, nil, nil
	o.KeepFirst = o.KeepFirst || !k.small
	r, fresh, err := k.d.once(k.ctx, a, &ta.Spec{Name: k.result.Spec, Formula: formula, Pos: formula.Pos}, o)
	if err != nil || !fresh {
		return r, err
	}
	k.result.Queries += r.Queries
	k.result.Solving += r.Solving
	k.result.Longest = max(k.result.Longest, r.Longest)
	k.result.Solver = r.Solver
	if r.Verdict == verify.Unknown && k.why == "" {
		k.why = r.Reason
	}
	return r, nil
}

// unknown notes why nothing is known.
func (k *asker) unknown(format string, args ...any) {
	k.result.Verdict, k.result.Reason = verify.Unknown, fmt.Sprintf(format, args...)
}

// given is a proof that is being checked.
type given struct {
	proof  *Proof
	answer Answer

	used    int  // fixpoints
	divided bool // by the division of the proof
}

// ask has a question answered. What has no runs has none that violate something.
func (g *given) ask(k *asker, a *ta.Automaton, formula *syntax.Expr) (*verify.Result, error) {
	r, err := g.answer(k.ctx, a, &ta.Spec{Name: k.result.Spec, Formula: formula, Pos: formula.Pos}, verify.Options{})
	if _, none := errors.AsType[*verify.NoRuns](err); none {
		return &verify.Result{Verdict: verify.Holds, Reason: noRuns}, nil
	}
	return r, err
}

// next is the fixpoint of the next claim.
func (g *given) next() (*Fixpoint, error) {
	if g.used >= len(g.proof.Fixpoints) {
		return nil, Unproved("it has fewer fixpoints than there are claims")
	}
	g.used++
	return &g.proof.Fixpoints[g.used-1], nil
}

// noRuns is the reason of what holds because there are no runs.
const noRuns = "no parameters are admissible"

// A Proof is what it takes to see that a specification holds in all rounds without searching: what rounds can begin
// with, for each claim, and, of termination, by which values. That it is one follows from answers to questions about
// single rounds, which Decider.Prove asks. It is made by Decide, and may be forged.
type Proof struct {
	Fixpoints []Fixpoint `json:"fixpoints"`
	Division  int        `json:"division"` // of the ways to say what processes have in common, by number
}

// Fixpoint is what rounds can begin with, as far as a claim asks. Whatever one of the states allows leads to others of
// them only.
type Fixpoint struct {
	Bounds int     `json:"bounds"` // how many of the bounds that guards suggest are looked at
	States []State `json:"states"`
}

// State is what a round can begin with: the borders at which processes may be, which of the claim's sets are shown by a
// process that stays in an earlier round, which bounds may be reached, and whether there has been no good round yet.
type State struct {
	At    []string `json:"at"`
	Shown []int    `json:"shown"`
	Many  []int    `json:"many"`
	Early bool     `json:"early"`
}

// Answer decides a question about a round: a specification of an automaton. Prove asks nothing else.
type Answer func(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (*verify.Result, error)

// Unproved says why a proof is none.
type Unproved string

func (e Unproved) Error() string { return string(e) }

// Result is what was found out about a specification of an automaton with rounds.
type Result struct {
	*verify.Result
	// Rounds is how many rounds the counterexample has: it is a run of unroll's automaton.
	Rounds int
	// Begun says that processes only begin the last of these: they take no steps in it.
	Begun bool
	// Elsewhere says that it is violated, and that Decider.Violated knows the counterexample.
	Elsewhere bool
	// Suspect is how many rounds an abstract path to a violation has, where none was found.
	Suspect int
	// Lacks are the conditions of termination that fail, where that is all there is to say: one at least for each way
	// in which termination could have been shown.
	Lacks []Lack
	// Attack is what an adversary can do that sees coins, where a condition of termination fails.
	Attack *Attack
	// Proof is what shows that it holds; nil otherwise.
	Proof *Proof
}

// Lack is a condition of termination that fails, with a run of a round, or of copies of it; nil if it fails whatever
// the parameters are.
type Lack struct {
	Condition string           `json:"condition"`
	Run       *witness.Witness `json:"run,omitempty"`
	Untold    bool             `json:"-"` // the result tells of another way to say what processes have in common
}

// Attack is what an adversary can do that sees coins: a prefix, after which a coin is tossed, and ways to go on, two or
// more. Each is a run of a round; all have been replayed.
type Attack struct {
	Ways   []*witness.Witness
	Prefix int // how many steps they have in common
}

// next lists where the next round may begin for a process at an end, as the common coin says.
func next(s *ta.Switch, outcome int) []int {
	if s.Kind == ta.Coin {
		return s.To[outcome : outcome+1]
	}
	return s.To
}
