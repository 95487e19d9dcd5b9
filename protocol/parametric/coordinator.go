package parametric

import (
	"fmt"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// A round may have a coordinator: in rules, `coordinator` is true in the process whose turn it is, and
// `heard(coordinator.K)` counts what it has sent. Processes take turns: the i-th one coordinates rounds i, n + i, 2 n +
// i ... (docs/rounds.md). Both readings of such a text have types of processes for that: the coordinator and the others
// in One, the coordinators of the rounds and the others in Unrolled.

// turnWord is the name of the process whose turn it is.
const turnWord = "coordinator"

// role is a type of processes of a reading.
type role struct {
	name  *ftdp.Ident
	size  *ftdp.Expr
	bad   string         // the parameter that is 1 if it is faulty; "" for the others
	turn  func(int) bool // whether it coordinates a round
	label string         // behind the labels of its rules
}

// Coordinated reports whether rounds have coordinators.
func (r *RoundSource) Coordinated() bool { return r.turn.File != "" }

// coordinated looks for coordinators.
func (r *RoundSource) coordinated() {
	p := r.process.Process
	declared := r.local(turnWord) != nil
	for _, rule := range p.Rules {
		for st := range ftdp.All(rule.Body) {
			for _, e := range ftdp.Expressions(st) {
				if pos, ok := turns(e); ok && !declared {
					r.turn = pos
				}
			}
		}
	}
	if !r.Coordinated() {
		return
	}
	if p.Name.Name == turnWord {
		r.at(p.Name, "all processes are coordinators in some rounds: give the type another name")
	}
	for _, s := range r.Sites {
		if v := s.Var(); v != nil {
			r.at(v, "where rounds have coordinators, there are no coins")
			return
		}
	}
	for _, sec := range r.Almost {
		if sec.LTL.Good {
			continue
		}
		r.at(sec.LTL.Name, "where rounds have coordinators, nothing is asked almost surely: there are no coins")
	}
}

// turns finds where an expression speaks of the coordinator.
func turns(e *ftdp.Expr) (diag.Pos, bool) {
	for e := range e.All() {
		if e.Op == ftdp.Name && e.Name == turnWord {
			return e.Pos, true
		}
	}
	return diag.Pos{}, false
}

// roles are the types of processes of a reading with so many coordinators: with others beside them if there are.
func (r *RoundSource) roles(count, types int, others bool) (list []role) {
	p := r.process.Process
	if !r.Coordinated() {
		return []role{{name: p.Name, size: p.Size, turn: func(int) bool { return false }}}
	}
	for i := range types {
		of := role{name: &ftdp.Ident{Pos: p.Name.Pos, Name: r.coordinator(i, count)},
			size: &ftdp.Expr{Op: ftdp.Number, Num: 1}, bad: r.bad(i, count)}
		of.turn = func(round int) bool { return (round-1)%types == i }
		of.label = fmt.Sprintf("_by%d", i+1)
		list = append(list, of)
	}
	if others {
		size := &ftdp.Expr{Op: ftdp.Sub, Args: []*ftdp.Expr{p.Size, {Op: ftdp.Number, Num: int64(types)}},
			Pos: p.Size.Pos, Width: p.Size.Width}
		list = append(list, role{name: p.Name, size: size, turn: func(int) bool { return false }})
	}
	return list
}

// Late lists the labels of One's rules that no process takes in good rounds.
func (r *RoundSource) Late() map[string]bool {
	out := map[string]bool{}
	for _, rule := range r.process.Process.Rules {
		for _, of := range r.roles(0, 1, true) {
			if rule.Late {
				out[rule.Label.Name+of.label] = true
			}
		}
	}
	return out
}

// coordinator names the coordinator of a round: of a reading of one round, it has the name that the text has for it.
func (r *RoundSource) coordinator(i, count int) string {
	if count == 0 {
		return turnWord
	}
	return r.fresh(fmt.Sprintf("%s%d", turnWord, i+1))
}

// bad is the parameter that says whether a coordinator is faulty.
func (r *RoundSource) bad(i, count int) string {
	if count == 0 {
		return r.fresh("coordinator_faulty")
	}
	return r.fresh(fmt.Sprintf("coordinator_faulty%d", i+1))
}

// shares says how many of which types are faulty, where processes are faulty from the start: each coordinator
// is or is not.
func (r *RoundSource) shares(sec *ftdp.Section, roles []role) (out []*ftdp.Section) {
	f := sec.Faults
	model, known := counter.FaultsNamed(f.Model.Name)
	if len(roles) == 1 && roles[0].bad == "" || f.Count == nil || known && (model.Stop || model.None()) {
		return []*ftdp.Section{sec}
	}
	of := func(count *ftdp.Expr, to *ftdp.Ident) {
		c := *sec
		c.Faults = &ftdp.Faults{Model: f.Model, Count: count, Of: []*ftdp.Ident{to}}
		out = append(out, &c)
	}
	rest := f.Count
	var others *ftdp.Ident
	for _, x := range roles {
		if x.bad == "" {
			others = x.name
			continue
		}
		bad := &ftdp.Expr{Op: ftdp.Name, Name: x.bad, Pos: f.Count.Pos, Width: f.Count.Width}
		out = append(out, &ftdp.Section{Pos: sec.Pos, Parameters: []*ftdp.Ident{{Pos: x.name.Pos, Name: x.bad}}},
			&ftdp.Section{Pos: sec.Pos, Assume: []*ftdp.Expr{compared(ftdp.Le, x.bad, 1)}})
		of(bad, x.name)
		rest = &ftdp.Expr{Op: ftdp.Sub, Args: []*ftdp.Expr{rest, bad}, Pos: f.Count.Pos, Width: f.Count.Width}
	}
	if others == nil {
		return append(out, &ftdp.Section{Pos: sec.Pos,
			Assume: []*ftdp.Expr{{Op: ftdp.Eq, Args: []*ftdp.Expr{rest, {Op: ftdp.Number}}, Pos: f.Count.Pos,
				Width: f.Count.Width}}})
	}
	of(rest, others)
	return out
}

func compared(op ftdp.Op, name string, n int64) *ftdp.Expr {
	return nowhere.Op(op, nowhere.Name(name), nowhere.Numeral(n))
}

// settled is a text in which it is known whether a process is the coordinator: what it never does is left out. Nil if a
// rule is never taken.
func settled(list []*ftdp.Statement) (out []*ftdp.Statement) {
	for _, st := range list {
		if st.If == nil {
			out = append(out, st)
			continue
		}
		var f *ftdp.If
		for _, b := range st.If.Branches() {
			guard, body := TruthValue(true), &ftdp.Block{List: settled(b.Body)}
			if b.Guard != nil {
				guard = folded(b.Guard)
			}
			if Is(guard, false) {
				continue
			}
			switch {
			case f == nil:
				f = &ftdp.If{Guards: []*ftdp.Expr{guard}, Thens: []*ftdp.Block{body}, End: st.If.End}
			case Is(guard, true):
				f.Else = &ftdp.ElseBlock{Body: body}
			default:
				f.Elsif = append(f.Elsif, &ftdp.Elsif{Guard: guard, Then: body})
			}
			if Is(guard, true) {
				break
			}
		}
		if f != nil {
			c := *st
			c.If = f
			out = append(out, &c)
		}
	}
	return out
}

// folded is a condition without truth values that are written down, as far as that goes.
func folded(e *ftdp.Expr) *ftdp.Expr {
	switch e.Op {
	case ftdp.And, ftdp.Or:
		out, join := literalAt(e.Op == ftdp.And, e), both
		if e.Op == ftdp.Or {
			join = Either
		}
		for _, a := range e.Args {
			out = join(out, folded(a))
		}
		return out
	case ftdp.Not:
		return negation(folded(e.Args[0]))
	}
	return e
}

func literalAt(b bool, at *ftdp.Expr) *ftdp.Expr {
	out := TruthValue(b)
	out.Pos, out.Width = at.Pos, at.Width
	return out
}
