package finite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/run"
)

// Why says why an invariant is false at the end, and which steps, from what, have led there; nothing of a run that
// claims none.
func (r *Run) Why() (run.Explanation, error) {
	i := slices.IndexFunc(r.Instance.System.Safety, func(c fol.Claim) bool { return c.Name == r.Property })
	if i < 0 {
		return nil, nil
	}
	last := len(r.Steps)
	t := &teller{Run: r, w: r.Instance.NewWorker()}
	x := &run.Explainer[part, int]{Subject: t, Last: last, Loop: last + 1}
	x.Visit(claim{Part: part{t: r.Instance.System.Safety[i].Formula, at: last}}, run.Moment{From: last, To: last})
	effects := t.effects()
	kept, after := x.Slice(effects, nil)
	for _, k := range kept.Steps() {
		x.Out.Add(run.Taken(k, fmt.Sprintf("step %d: %s", k, r.said(k-1)), strings.Join(t.since(k), ", "), after[k],
			t.stays(k, effects[k].Needs, x.Live(k))...))
	}
	return x.Out, nil
}

// teller tells a run. What steps read and write are cells.
type teller struct {
	*Run
	w *Worker
}

// part is a formula with elements for its free variables, about a state, or about one and the next.
type part struct {
	t        *fol.Term
	vars     []*fol.Var
	elements []uint8
	at       int // the position
	step     bool
}

type claim = run.Claim[part]

// value evaluates a part.
func (x *teller) value(p part) uint8 {
	e := x.w.in(x.States[p.at])
	if p.step {
		e.single, e.after = false, x.States[p.at+1]
	}
	copy(e.values[:], p.elements)
	return e.value(x.Instance.compile(p.t, p.vars))
}

func (x *teller) holds(c claim) bool { return (x.value(c.Part) == 1) == c.Want }

// Temporal implements run.Subject, as the methods that follow do.
func (x *teller) Temporal(part) bool { return false }

func (x *teller) Apart(c claim) bool {
	shape, _ := x.Parts(c)
	op := c.Part.t.Op
	return !c.Want && (op == fol.Forall || op == fol.And) || op == fol.Implies && shape == run.All
}

func (x *teller) Truth(c claim) (list []bool) {
	for k := range x.States {
		c.Part.at = k
		list = append(list, x.holds(c))
	}
	return list
}

func (x *teller) Place(k int) (string, int) { return run.Place(k), k }

func (x *teller) Waiting(claim, int) {}

// Parts takes a claim apart.
func (x *teller) Parts(c claim) (run.Shape, []claim) {
	p := c.Part
	of := func(t *fol.Term, want bool) claim {
		p.t = t
		return claim{Part: p, Want: want}
	}
	switch p.t.Op {
	case fol.Not:
		return run.All, []claim{of(p.t.Args[0], !c.Want)}
	case fol.And, fol.Or:
		list := lists.Map(c.Part.t.Args, func(a *fol.Term) claim { return of(a, c.Want) })
		return run.Junction(c.Part.t.Op == fol.And, c.Want), list
	case fol.Implies:
		args := p.t.Args
		return run.Junction(false, c.Want), []claim{of(args[0], !c.Want), of(args[1], c.Want)}
	case fol.Iff: // both are so, or neither is
		a, b := p.t.Args[0], p.t.Args[1]
		is := x.holds(of(a, true))
		return run.All, []claim{of(a, is), of(b, is == c.Want)}
	case fol.If: // between formulas: what is asked, and what follows from that
		if !p.t.IsFormula() {
			break
		}
		args, follows := p.t.Args, p.t.Args[2]
		is := x.holds(of(args[0], true))
		if is {
			follows = args[1]
		}
		return run.All, []claim{of(args[0], is), of(follows, c.Want)}
	case fol.Forall, fol.Exists:
		return run.Junction(p.t.Op == fol.Forall, c.Want), x.instances(c)
	}
	return run.Fact, nil
}

// instances are the claims of what is quantified, for all elements.
func (x *teller) instances(c claim) (list []claim) {
	p := c.Part
	body := part{t: p.t.Args[0], vars: slices.Concat(p.vars, p.t.Vars), at: p.at, step: p.step}
	body.elements = append(slices.Clone(p.elements), make([]uint8, len(p.t.Vars))...)
	for {
		one := body
		one.elements = slices.Clone(body.elements)
		list = append(list, claim{Part: one, Want: c.Want})
		k := len(body.elements) - 1
		for ; k >= len(p.elements); k-- {
			if body.elements[k]++; int(body.elements[k]) < x.Instance.Sizes[body.vars[k].Sort.Index] {
				break
			}
			body.elements[k] = 0
		}
		if k < len(p.elements) {
			return list
		}
	}
}

// text is a part as the text has it, with elements for its variables.
func (p part) text() *fol.Term {
	with := map[*fol.Var]*fol.Term{}
	for k, v := range p.vars {
		with[v] = fol.V(&fol.Var{Name: elementName(v.Sort, int(p.elements[k])), Sort: v.Sort})
	}
	return p.t.Substitute(with)
}

func (x *teller) Said(p part) (text, otherwise string) {
	t := p.text()
	if t.Op == fol.Not {
		otherwise = t.Args[0].String() + " is true"
	} else if t.Op == fol.Equal && t.Args[0].Op == fol.Use && t.Args[1].Op == fol.Use {
		otherwise = fmt.Sprintf("%s is not %s", t.Args[0], t.Args[1])
	}
	return t.String(), otherwise
}

// deciding are the facts that give a claim its value.
func (x *teller) deciding(c claim, most int) []claim { return run.Deciding(c, x.Parts, x.holds, most) }

// mostSeen bounds how many of what makes a claim true, each by itself, are shown.
const mostSeen = 3

func (x *teller) Seen(c claim, _, _ int) []string {
	said := lists.Map(run.Stated(c, x.Parts), func(fact run.Claim[part]) *fol.Term { return fact.Part.t })
	return x.seen(x.deciding(c, mostSeen), said)
}

// seen shows facts, each once: relations, and what functions are; not what is said already.
func (x *teller) seen(facts []claim, said []*fol.Term) (list []string) {
	for _, c := range facts {
		p := c.Part
		if p.t.Op != fol.Equal && !slices.Contains(said, p.t) {
			t := p.text()
			if !c.Want {
				t = fol.Neg(t)
			}
			list = lists.Union(list, t.String())
		}
		p.t.Visit(func(t *fol.Term) bool {
			if t.Op == fol.Apply && t.Symbol.Result != nil {
				q := p
				q.t = t
				value := elementName(t.Symbol.Result, int(x.value(q)))
				list = lists.Union(list, fmt.Sprintf("%s = %s", q.text(), value))
			}
			return true
		})
	}
	return list
}

func (x *teller) Reads(c claim, at int, look func(int, run.Places[int])) {
	c.Part.at = at
	before, _ := x.cells(x.deciding(c, 1))
	look(at, before)
}

// cells are those that facts are about, in the state before and in the one after a step.
func (x *teller) cells(facts []claim) (before, after run.Places[int]) {
	before, after = run.Places[int]{}, run.Places[int]{}
	for _, c := range facts {
		c.Part.t.Visit(func(t *fol.Term) bool {
			if t.Op != fol.Apply {
				return true
			}
			n := x.Instance.compile(t, c.Part.vars)
			x.value(c.Part) // so that the worker has the states and the elements
			if cell := x.w.cell(n); t.New {
				after[cell] = true
			} else {
				before[cell] = true
			}
			return true
		})
	}
	return before, after
}

// conjuncts are what a transition's formula says, as instances for all elements: what is asked of the state before,
// and what is said of the one after.
func (x *teller) conjuncts(k int) (guards, posts []claim) {
	s := x.Steps[k-1]
	of := x.Instance.System.Transitions[s.Transition]
	p := part{vars: of.Params, at: k - 1, step: true}
	for _, e := range s.Params {
		p.elements = append(p.elements, uint8(e))
	}
	var walk func(c claim)
	walk = func(c claim) {
		if shape, list := x.Parts(c); c.Part.t.HasNew() && shape == run.All && c.Part.t.Op != fol.Iff {
			for _, one := range list {
				walk(one)
			}
			return
		}
		if c.Part.t.HasNew() {
			posts = append(posts, c)
		} else {
			guards = append(guards, c)
		}
	}
	for _, t := range of.Formula.Conjuncts() {
		p.t = t
		walk(claim{Part: p, Want: true})
	}
	return guards, posts
}

// since is what a step saw.
func (x *teller) since(k int) []string {
	guards, _ := x.conjuncts(k)
	var facts []claim
	for _, g := range guards {
		facts = append(facts, x.deciding(g, 1)...)
	}
	return x.seen(facts, nil)
}

// stays says what a step leaves as it needs it, though it is a step that may change that, and what is needed later on.
func (x *teller) stays(k int, needs, live run.Places[int]) (list []string) {
	of := x.Instance.System.Transitions[x.Steps[k-1].Transition]
	for _, c := range slices.Sorted(maps.Keys(needs)) {
		s, _ := x.Instance.atom(c)
		if live[c] && of.Modified(s) && x.States[k-1][c] == x.States[k][c] {
			list = append(list, x.Instance.say(c, x.States[k][c])+" stays")
		}
	}
	return list
}

// effects are what the steps do: each cell that changes is written from what the part of the formula reads that is
// about it.
func (x *teller) effects() []run.Effect[int] {
	list := make([]run.Effect[int], len(x.Steps)+1)
	for k := 1; k < len(list); k++ {
		f := run.Effect[int]{Needs: run.Places[int]{}, Writes: map[int]run.Places[int]{}}
		guards, posts := x.conjuncts(k)
		for _, g := range guards {
			before, _ := x.cells(x.deciding(g, 1))
			f.Needs.Add(before)
		}
		for c := range x.States[k] {
			if x.States[k][c] != x.States[k-1][c] {
				f.Writes[c] = run.Places[int]{}
			}
		}
		for _, p := range posts {
			before, after := x.cells(x.deciding(p, 1))
			for c := range after {
				if f.Writes[c] != nil {
					f.Writes[c].Add(before)
				}
			}
		}
		list[k] = f
	}
	return list
}
