package induct

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/interp"
)

// Proof is why an invariant holds.
type Proof struct {
	K            int
	Lemmas       []*Lemma
	Rests        [][]int // by lemma, and last for the invariant: the lemmas that it needs
	Strengthened []*Strengthened
	Obligations  []Obligation // that strengthening a guard loses no steps
}

// Obligation is a question whose answer was that there is no such step.
type Obligation struct {
	Guard int    // index in Strengthened
	Rule  string // that might make it false
	Kept  bool   // it does not concern it, or the solver found no step that does
}

// minimise finds for the invariant, and each lemma that turns out to be needed, as few lemmas as it takes.
func (q *search) minimise() (*Proof, error) {
	p := &Proof{K: 1}
	index := map[*target]int{}
	var order []*target
	needs := map[*target][]*target{}
	queue := []*target{q.targets[0]}
	for len(queue) > 0 {
		t := queue[0]
		queue = queue[1:]
		support, err := q.support(t, order)
		if err != nil {
			return nil, err
		}
		needs[t] = support
		for _, s := range support {
			if _, old := index[s]; !old && s != q.targets[0] {
				index[s] = len(order)
				order = append(order, s)
				queue = append(queue, s)
			}
		}
	}
	for _, t := range append(slices.Clone(order), q.targets[0]) {
		var list []int
		for _, s := range needs[t] {
			if s == q.targets[0] {
				list = append(list, len(order)) // the invariant itself
				continue
			}
			list = append(list, index[s])
		}
		slices.Sort(list)
		p.Rests = append(p.Rests, list)
	}
	for _, t := range order {
		p.Lemmas = append(p.Lemmas, t.lemma)
	}
	return p, nil
}

// whole returns the proof with all lemmas that stand, each resting on all.
func (q *search) whole() *Proof {
	p := &Proof{K: 1}
	var all []int
	for i, t := range q.kept {
		p.Lemmas = append(p.Lemmas, t.lemma)
		all = append(all, i)
	}
	all = append(all, len(q.kept))
	for range len(q.kept) + 1 {
		p.Rests = append(p.Rests, all)
	}
	return p
}

// support returns a minimal set of lemmas that a condition rests on; those that are needed anyway are preferred.
func (q *search) support(t *target, preferred []*target) ([]*target, error) {
	all := append([]*target{q.targets[0]}, q.kept...)
	self := []*target{t}
	var support []*target
	e := encode.NewEvaluation(q.x.Circuit)
	for {
		bad, a, _, err := q.find(append(slices.Clone(self), support...), self)
		if err != nil {
			return nil, err
		}
		if bad == nil {
			break
		}
		e.Reset(a)
		var best *target
		for _, list := range [][]*target{preferred, all} {
			for _, l := range list {
				if l == t || e.True(l.all) || slices.Contains(support, l) {
					continue
				}
				if best == nil || cost(l) < cost(best) {
					best = l
				}
			}
			if best != nil {
				break
			}
		}
		if best == nil {
			return nil, fmt.Errorf("internal error, please report: the lemmas do not prove %s", t.name())
		}
		support = append(support, best)
	}
	return lists.Needed(support, func(less []*target) (bool, error) {
		bad, _, _, err := q.find(append(slices.Clone(self), less...), self)
		return bad == nil, err
	})
}

func cost(t *target) int {
	if t.lemma == nil {
		return 1000
	}
	return len(t.lemma.Literals)*10 + len(t.lemma.Roles)
}

func (t *target) name() string {
	if t.lemma == nil {
		return "the invariant"
	}
	return t.lemma.Text()
}

// fewest leaves out strengthened guards that a proof of depth k does not need.
func (q *search) fewest(list []*Strengthened, goal encode.Lit, hand []encode.Lit, k int,
	o Options) ([]*Strengthened, error) {
	return lists.Needed(list, func(less []*Strengthened) (bool, error) {
		if stands, err := q.together(less); !stands {
			return false, err
		}
		a, err := step(q.ctx, q.x, goal, hand, q.with(less, q.x.Steps), k, o, &q.stats.Queries)
		return a == nil, err
	})
}

// together reports whether strengthened guards are justified by each other.
func (q *search) together(list []*Strengthened) (bool, error) {
	var targets []*target
	for _, s := range list {
		i := slices.IndexFunc(q.targets, func(t *target) bool { return t.lemma == s.lemma })
		targets = append(targets, q.targets[i])
	}
	bad, _, _, err := q.find(targets, targets)
	return bad == nil, err
}

// obligations lists what was asked of the solver for strengthened guards.
func (q *search) obligations(list []*Strengthened) []Obligation {
	var out []Obligation
	for i, s := range list {
		done := map[int]bool{}
		for _, st := range q.steps {
			if done[st.Rule] {
				continue
			}
			done[st.Rule] = true
			out = append(out, Obligation{i, q.x.Model.Rules[st.Rule].Label, q.x.After(st)(s.lemma.all) == s.lemma.all})
		}
	}
	return out
}

// failure tells the step that induction fails at.
func (q *search) failure(said string) *StepFailure {
	if q.stuck == nil {
		return nil
	}
	f := &StepFailure{Before: q.x.State(q.stuck), Said: said}
	e := encode.NewEvaluation(q.x.Circuit)
	for _, s := range q.x.Steps {
		e.Reset(q.stuck)
		if e.True(s.Fail) {
			f.Rule = q.x.Model.Rules[s.Rule].Label
			return f
		}
		if !e.True(s.Guard) {
			continue
		}
		next := e.Next(s)
		e.Reset(next)
		if !e.True(q.targets[0].all) {
			f.Rule, f.After = q.x.Model.Rules[s.Rule].Label, q.x.State(next)
			return f
		}
	}
	return f
}

// said tells what the samples say of the state that induction is stuck at.
func (q *search) said() string {
	e := encode.NewEvaluation(q.x.Circuit)
	where := fmt.Sprintf("%d states that were visited", q.samples.total)
	if q.samples.small != nil {
		where += fmt.Sprintf(", here and with %s", q.samples.small[0])
	}
	for size := 1; size <= 2; size++ {
		for _, roles := range choices(q.x.Model, size) {
			atoms, err := q.v.of(roles)
			if err != nil || atoms == nil {
				continue
			}
			r, err := q.samples.of(roles)
			if err != nil {
				continue
			}
			e.Reset(q.stuck)
			for t := range atoms.Tuples {
				var lits []int
				for i, l := range atoms.Lits[t] {
					lits = append(lits, unlike(i, e.True(l)))
				}
				if r.Without(lits...) == 0 {
					what := interp.ProcessName(q.x.Model, atoms.Tuples[t][0])
					if size == 2 {
						what += " beside " + interp.ProcessName(q.x.Model, atoms.Tuples[t][1])
					}
					return fmt.Sprintf("%s is as in none of %s: this state is perhaps unreachable", what, where)
				}
			}
		}
	}
	return "each pair of its processes is as in some of " + where + ": whether this state can be reached is open"
}

// graph is the proof as one of an instance is drawn.
func (r *ForSizes) graph() *Proof {
	p := &Proof{K: 1, Rests: r.Rests}
	for i, l := range r.Lemmas {
		class := Found
		if i < r.Given {
			class = ByHand
		}
		p.Lemmas = append(p.Lemmas, &Lemma{Class: class, Formula: l.Name})
	}
	return p
}
