package everysize

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt"
)

// What always has a value: the cells and the fields that are defined initially and stay so. And which fields messages
// of a kind never have.

// Always finds the cells that always have a value, and the fields that messages of a kind always
// have, or never: the most that is so initially and kept by all steps.
func (x *Encoding) Always(ctx context.Context, factory smt.Factory) (err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	for _, r := range x.roles {
		for _, l := range r.leaves {
			x.defined[l] = true
		}
	}
	for f := range x.message {
		if x.kind < 0 || f == x.kind {
			x.carries[[2]int{-1, f}] = true
			continue
		}
		for k := range x.kinds() {
			x.carries[[2]int{k, f}], x.lacks[[2]int{k, f}] = x.has(k, f), x.has(k, f)
		}
	}
	for changed := true; changed; {
		changed, x.always = false, nil
		for _, make := range x.situations() {
			again, err := x.stillDefined(ctx, factory, make)
			if err != nil {
				return err
			}
			changed = changed || again
		}
	}
	return nil
}

// AlwaysProof are the questions that Always has asked in the end: from states in which all that it lists has a value,
// and initially, it has one after a step.
func (x *Encoding) AlwaysProof() []Proved { return x.always }

// change is what a step may do to what Always has found: leave a cell or a field without a value, or give a field one.
type change struct {
	what func(s *situation) node
	drop func()
}

// stillDefined drops what need not be defined after a step.
func (x *Encoding) stillDefined(ctx context.Context, factory smt.Factory, make func() *situation) (bool, error) {
	ask := func(list []change) (bool, error) {
		q := &Question{Kind: kept, Rule: make().name, Target: "what always has a value", ask: func() *query {
			s := make()
			goals := lists.Map(list, func(l change) node { return l.what(s) })
			return &query{w: s.w, facts: append(append([]node{disjunction(goals...)}, s.known...), s.guard...)}
		}}
		a, err := x.Ask(ctx, factory, q)
		if err != nil {
			return false, err
		}
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if a.Proved {
			x.always = append(x.always, Proved{q.String(), a.Cases})
		}
		return a.Proved, nil
	}
	list := x.changes(make())
	if len(list) == 0 {
		return false, nil
	}
	ok, err := ask(list)
	if ok || err != nil {
		return false, err
	}
	changed := false
	for _, l := range list {
		ok, err := ask([]change{l})
		if err != nil {
			return false, err
		}
		if !ok {
			l.drop()
			changed = true
		}
	}
	return changed, nil
}

// changes lists what a step may do to what has been found.
func (x *Encoding) changes(s *situation) []change {
	var list []change
	for _, r := range x.roles {
		for _, l := range r.leaves {
			if x.defined[l] && (s.rule.Executor < 0 || (&footprint{leaves: map[*leaf]bool{l: true}}).by(s)) {
				list = append(list, change{func(s *situation) node { return s.undefined(l) },
					func() { x.defined[l] = false }})
			}
		}
	}
	if s.rule.Executor < 0 || !s.body.sendsAny() {
		return list
	}
	for k := -1; k < x.kinds(); k++ {
		for f := range x.message {
			key := [2]int{k, f}
			for i, of := range []map[[2]int]bool{x.carries, x.lacks} {
				if of[key] {
					list = append(list, change{func(s *situation) node { return s.sends(key[0], key[1], i == 1) },
						func() { of[key] = false }})
				}
			}
		}
	}
	return list
}

// kinds counts the kinds of messages.
func (x *Encoding) kinds() int {
	if x.kind < 0 {
		return 0
	}
	return len(x.message[x.kind].typ.Values)
}

// undefined is true if a cell has no value after a step, for some process and indices.
func (s *situation) undefined(l *leaf) node {
	w := s.w
	args := []smt.Linear{smt.V(w.symbol("whose", smt.Int, l.role))}
	known := []node{lit{within(args[0], smt.N(1), w.x.roles[l.role].size)}}
	for _, d := range l.dims {
		i := smt.V(w.symbol("index", smt.Int, w.x.pool(d)))
		lo, hi := w.x.bounds(d)
		args = append(args, i)
		known = append(known, lit{within(i, lo, hi)})
	}
	list := lists.Map(s.after.v.read(l, args), func(c choice) *smt.Formula { return smt.And(c.cond, smt.Not(c.def)) })
	return conjunction(append(known, lit{smt.Or(list...)})...)
}

// sends is true if a message of a kind is sent that has a field, or lacks it; kind -1 is any.
func (s *situation) sends(kind, field int, has bool) node {
	b := s.body
	out := lists.Map(b.letters, func(l *sentMessage) node { return l.sent(b, kind, field, has) })
	for _, r := range s.w.x.roles {
		if !b.fields(r.index) {
			continue
		}
		to := smt.V(s.w.symbol("to", smt.Int, r.index))
		var fields []value
		var any, is []*smt.Formula
		for f := range s.w.x.message {
			fields = append(fields, b.out(r.index, to, f, len(b.writes)))
			for _, c := range fields[f] {
				any = append(any, smt.And(c.cond, c.def))
				if f == field {
					is = append(is, smt.And(c.cond, c.defined(has)))
				}
			}
		}
		out = append(out, lit{smt.And(within(to, smt.N(1), r.size), s.w.x.ofKind(fields, kind), smt.Or(any...),
			smt.Or(is...))})
	}
	return disjunction(out...)
}

// defined says that a choice has a value, or that it has none.
func (c choice) defined(is bool) *smt.Formula {
	if is {
		return c.def
	}
	return smt.Not(c.def)
}

// sent is true if the letter is one of a kind, and has a value of a field, or has none; kind -1 is any.
func (l *sentMessage) sent(b *body, kind, field int, has bool) node {
	x := b.w.x
	return l.frames(b, false, nil, func(f frame, is *smt.Formula) node {
		fields := l.fields(b, f)
		of := lists.Map(fields[field], func(c choice) *smt.Formula { return smt.And(c.cond, c.defined(has)) })
		return lit{smt.And(is, x.ofKind(fields, kind), smt.Or(of...))}
	})
}

func (b *body) sendsAny() bool {
	if len(b.letters) > 0 {
		return true
	}
	return slices.ContainsFunc(b.writes, func(w *write) bool { return w.place.Base == protocol.BaseOut })
}

// AlwaysDefined says what always has a value, in words.
func (x *Encoding) AlwaysDefined() []string {
	var list []string
	for _, r := range x.roles {
		for _, l := range r.leaves {
			switch {
			case !x.defined[l]:
			case x.Model.Roles[r.index].Shared:
				list = append(list, l.name)
			default:
				list = append(list, x.Model.Roles[r.index].Name+"."+l.name)
			}
		}
	}
	for f, l := range x.message {
		if x.carries[[2]int{-1, f}] {
			list = append(list, "the field "+l.name+" of messages")
		}
		for k := range x.kinds() {
			if x.carries[[2]int{k, f}] {
				list = append(list, x.written(k, f))
			}
		}
	}
	return list
}

// NeverDefined says which fields messages of a kind never have, in words.
func (x *Encoding) NeverDefined() (list []string) {
	for k := range x.kinds() {
		for f := range x.message {
			if x.lacks[[2]int{k, f}] {
				list = append(list, x.written(k, f))
			}
		}
	}
	return list
}

// written names a field of messages of a kind.
func (x *Encoding) written(kind, field int) string {
	return fmt.Sprintf("the field %s of %s", x.message[field].name, x.message[x.kind].typ.Values[kind])
}
