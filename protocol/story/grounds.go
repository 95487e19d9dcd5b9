package story

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// Conditions are walked in one way, whether for what they read, for what is said of them, or for whom they are about:
// a claim is taken apart into claims about its parts, down to facts, and of these those count that it follows from.

// part is a part of a formula, for values of the variables that are bound outside.
type part struct {
	t     *protocol.Term
	frame []int32
	over  []*protocol.Term // quantifiers around it, of a condition that was taken apart
	any   bool             // it is enough for some of their values
}

// claim says that a part has a value.
type claim = run.Claim[part]

// explainer explains a run.
type explainer struct {
	*interp.Run
	x       *interp.Interpreter
	why     *run.Explainer[part, cellOrMessage]
	prop    *protocol.Prop
	states  []*protocol.State
	loop    int                     // position of states at which they go on, or -1
	packets []protocol.Packet       // that are received in the step whose guard is looked at
	acting  int                     // the process whose guard is looked at, or -1
	gives   map[cellOrMessage]spots // what its step gives a value, if that is known
	hidden  bool                    // what is not of the text counts, too
	refused bool                    // a condition that is looked at is false: what was not done is a reason, too
	open    []int                   // cells of variables that keep their names
	looked  spots                   // what the property looks at, and what keeps processes waiting
	err     error
	// of what should become so at last, and of what keeps that from it
	wanted    spots
	goals     []goal
	listening map[int][]way             // by process: how it would receive what does not come
	sendable  map[int][]interp.Delivery // by process: what its rules might send
	clogging  []interp.Delivery         // what leaves no room for what would help
	vain      []int                     // steps that could have helped, and did not
}

type move struct{ process, rule int }

// way is how a process could take a rule: for which values of its parameters.
type way struct {
	move
	frames [][]int32
}

// by reports whether an event is the rule, taken in this way.
func (w way) by(m *protocol.Model, e interp.Event) bool {
	return slices.ContainsFunc(w.frames,
		func(f []int32) bool { return slices.Equal(interp.Params(&m.Rules[w.rule], f), e.Frame) })
}

// goal is a fact that should not be one, in a state.
type goal struct {
	claim
	s       *protocol.State
	rests   spots
	packets []protocol.Packet
}

// written reports whether a term is one of the text: an instance has others, too, and rounds have, which stand nowhere.
func (x *explainer) written(t *protocol.Term) bool {
	return t.Written != nil && (!x.Model.Made() || t.Written.Expr.Of != nil && t.Written.Own().Pos.IsValid())
}

// evaluation prepares to evaluate in a state, for values of variables.
func (x *explainer) evaluation(frame []int32, s *protocol.State) *protocol.Evaluation {
	return &protocol.Evaluation{M: x.Model, State: s, Frame: slices.Clone(frame), Packets: x.packets,
		Outs: map[[2]int]protocol.Message{}}
}

// value evaluates a term in a state.
func (x *explainer) value(t *protocol.Term, frame []int32, s *protocol.State) int32 {
	return x.evaluation(frame, s).Value(t)
}

func (x *explainer) is(p part, s *protocol.State) bool { return x.value(p.t, p.frame, s) == 1 }

// defined reports whether a part has a value in a state: parts that other parts guard need not have one.
func (x *explainer) defined(p part, s *protocol.State) bool {
	var err error
	func() {
		defer protocol.Catch(&err)
		x.is(p, s)
	}()
	return err == nil
}

// has reports whether a part has a truth value in a state.
func (x *explainer) has(p part, want bool, s *protocol.State) bool {
	return x.defined(p, s) && x.is(p, s) == want
}

// split takes a claim about a state apart.
func split(e *protocol.Evaluation, c claim) (run.Shape, []claim) {
	p, t, want := c.Part, c.Part.t, c.Want
	of := func(t *protocol.Term, want bool) claim {
		return claim{Part: part{t: t, frame: p.frame, over: p.over}, Want: want, Premise: c.Premise}
	}
	is := func(t *protocol.Term) bool {
		e.Frame = slices.Clone(p.frame)
		return e.Truth(t)
	}
	if cond, then, other := t.Either(); cond != nil {
		if holds := is(cond); holds {
			return run.All, []claim{of(cond, true), of(then, want)}
		}
		return run.All, []claim{of(cond, false), of(other, want)}
	}
	switch t.Op {
	case ftdp.Not:
		return run.All, []claim{of(t.Args[0], !want)}
	case ftdp.And, ftdp.Or:
		return run.Junction(t.Op == ftdp.And, want),
			lists.Map(t.Args, func(a *protocol.Term) claim { return of(a, want) })
	case ftdp.Implies:
		right := of(t.Args[1], want)
		right.Premise = c.Premise && want
		return run.Junction(false, want), []claim{of(t.Args[0], !want), right}
	case ftdp.Iff:
		left := is(t.Args[0])
		return run.All, []claim{of(t.Args[0], left), of(t.Args[1], left == want)}
	case ftdp.ForAll, ftdp.Exists:
		var list []claim
		e.Frame = slices.Clone(p.frame)
		e.Each(t.Range, t.Var, func() bool {
			q := of(t.Args[0], want)
			q.Part.frame, q.Part.over = slices.Clone(e.Frame), append(slices.Clip(p.over), t)
			list = append(list, q)
			return true
		})
		return run.Junction(t.Op == ftdp.ForAll, want), list
	}
	return run.Fact, nil
}

// grounds lists the facts from which a claim follows in a state, as far as they are written in the text: where one of
// several is enough, the first one, but a guard that is false is so for all reasons there are. What the text does not
// have in parts is a fact by itself.
func (x *explainer) grounds(c claim, s *protocol.State) []claim {
	list := x.leaves(c, s, x.acting >= 0 && !x.refused)
	return slices.DeleteFunc(list, func(f claim) bool { return x.evident(f, list, s) })
}

// leaves are the grounds, without what is so in all states if that goes without saying: it is no reason to do
// something, but for one of several ways to be allowed to.
func (x *explainer) leaves(c claim, s *protocol.State, unsaid bool) (out []claim) {
	shape, list := run.Fact, []claim(nil)
	if x.defined(c.Part, s) {
		shape, list = split(x.evaluation(nil, s), c)
	}
	if shape == run.Any && slices.ContainsFunc(list, func(q claim) bool {
		return fixed(q.Part.t) && ofValues(q.Part) && x.has(q.Part, q.Want, s)
	}) {
		return nil // it is so in all states, of these values: i = j or ...
	}
	for _, q := range list {
		if !x.has(q.Part, q.Want, s) || shape == run.All && unsaid && fixed(q.Part.t) {
			continue
		}
		one := shape == run.Any && !(x.refused && !c.Want)
		inner := x.leaves(q, s, unsaid && shape == run.All)
		for i := range inner {
			inner[i].Part.any = inner[i].Part.any || one
		}
		if out = append(out, inner...); one && !binds(c.Part.t.Op) {
			break
		}
	}
	counts := func(t *protocol.Term) bool { return x.hidden || x.written(t) }
	if len(out) == 0 && counts(c.Part.t) &&
		!slices.ContainsFunc(list, func(q claim) bool { return counts(q.Part.t) }) {
		return []claim{c}
	}
	return out
}

// ofValues reports whether a part has variables of the quantifiers around it.
func ofValues(p part) bool {
	return p.t.Any(func(t *protocol.Term) bool {
		return t.Op == ftdp.Name && slices.ContainsFunc(p.over, func(q *protocol.Term) bool { return q.Var == t.Var })
	})
}

// fixed reports whether a term has the same value in all states.
func fixed(t *protocol.Term) bool {
	is := true
	t.Places(func(*protocol.Term) { is = false })
	return is
}

func binds(op ftdp.Op) bool { return op == ftdp.ForAll || op == ftdp.Exists }

// evident reports whether a fact says only that something has a value of which others say which.
func (x *explainer) evident(c claim, others []claim, s *protocol.State) bool {
	if c.Part.t.Op != ftdp.Undefined || c.Want {
		return false
	}
	of := x.readsIn(c.Part, s)
	return len(of) > 0 && slices.ContainsFunc(others, func(o claim) bool {
		return o.Part.t.Op != ftdp.Undefined && contains(x.readsIn(o.Part, s), of)
	})
}

// readsIn is what gives a part its value in a state; nothing if it has none.
func (x *explainer) readsIn(p part, s *protocol.State) spots {
	out := spots{}
	var none error
	defer protocol.Catch(&none)
	(&reader{Evaluation: x.evaluation(p.frame, s)}).read(p.t, exactly, out)
	return out
}

// contains reports whether some places are all among others.
func contains(all, some spots) bool {
	for at := range some {
		if !all[at] {
			return false
		}
	}
	return true
}

// text is a part as the text has it, with values for variables; meant is what a definition there stands for.
func (x *explainer) text(p part) *ftdp.Expr {
	return x.worded(p.t.Written, p)
}

func (x *explainer) meant(p part) *ftdp.Expr {
	return x.worded(p.t.Written.Meaning(), p)
}

func (x *explainer) worded(w *protocol.Written, p part) *ftdp.Expr {
	return x.Model.Source.InWords(calculated(w.Text(x.values(p.frame, x.open))))
}

// calculated gives indices their values.
func calculated(e *ftdp.Expr) *ftdp.Expr {
	if e == nil {
		return nil
	}
	out := e.Map(calculated)
	if e.Op == ftdp.Index && numbers(out.Args[1]) {
		v := ftdp.Eval(out.Args[1], func(n *ftdp.Expr) ftdp.Between { return ftdp.Exactly(n.Num) },
			func(op ftdp.Op, _ *ftdp.Expr, args []ftdp.Between) ftdp.Between { return ftdp.Calculate(op, args) })
		if v.Known() {
			out.Args[1] = &ftdp.Expr{Op: ftdp.Number, Num: v.Low}
		}
	}
	return out
}

// numbers reports whether there are only numbers in an expression.
func numbers(e *ftdp.Expr) bool {
	switch e.Op {
	case ftdp.Number:
		return true
	case ftdp.Plus, ftdp.Sub, ftdp.Minus, ftdp.Times, ftdp.Div, ftdp.Mod:
		return !slices.ContainsFunc(e.Args, func(a *ftdp.Expr) bool { return !numbers(a) })
	}
	return false
}

// values are the values of a frame as the text has them, but for those of some variables.
func (x *explainer) values(frame []int32, open []int) func(cell int, of *protocol.Type) *ftdp.Expr {
	return func(cell int, of *protocol.Type) *ftdp.Expr {
		switch {
		case !of.Scalar() || slices.Contains(open, cell):
			return nil
		case of.Kind == protocol.KindRole || of.Kind == protocol.KindInt:
			return &ftdp.Expr{Op: ftdp.Number, Num: int64(frame[cell])}
		}
		return &ftdp.Expr{Op: ftdp.Name, Name: of.Format(frame[cell])}
	}
}

// parts takes a part of a formula apart; nil where its text has another structure.
func (x *explainer) parts(p part) (list []part) {
	if p.t.Written.Meaning().Own().Plain().Op != p.t.Op {
		return nil
	}
	for _, a := range p.t.Args {
		if !x.written(a) {
			return nil
		}
		list = append(list, part{t: a, frame: p.frame, over: p.over})
	}
	return list
}

// bare is a condition, or its denial.
func (x *explainer) bare(p part, want bool) string {
	if !want {
		return denied(x.text(p)).String()
	}
	return x.text(p).String()
}

// denied is the denial of an expression that has a value.
func denied(e *ftdp.Expr) *ftdp.Expr {
	if op := e.Op.Opposite(); op != "" && len(e.Args) == 2 {
		out := *e
		out.Op = op
		return &out
	}
	if e.Op == ftdp.Not {
		return e.Args[0]
	}
	return &ftdp.Expr{Op: ftdp.Not, Args: []*ftdp.Expr{e}}
}
