package parametric

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// rewriting makes a copy of statements in which things have other names.
type rewriting struct {
	names map[string]string
	// what takes the place of a statement of rounds
	leaf func(st *ftdp.Statement, rest []*ftdp.Statement) (list []*ftdp.Statement, over bool)

	coordinator string // the type of the one whose turn it is; "" if rounds have none
	turn        bool   // whether that is the one whose statements these are
}

func (w *rewriting) expr(e *ftdp.Expr) *ftdp.Expr {
	if e == nil {
		return nil
	}
	if e.Op == ftdp.Name && e.Name == turnWord && w.coordinator != "" {
		return literalAt(w.turn, e)
	}
	out := *e
	if other, ok := w.names[e.Name]; ok && (e.Op == ftdp.Name || e.Op == ftdp.Call || e.Op == ftdp.Field) {
		out.Name = other
	}
	if e.Op == ftdp.Field && w.coordinator != "" && e.Args[0].Op == ftdp.Name && e.Args[0].Name == turnWord {
		of := *e.Args[0]
		of.Name = w.coordinator
		out.Args = []*ftdp.Expr{&of}
		return &out
	}
	out.Args = lists.Map(e.Args, w.expr)
	return &out
}

func (w *rewriting) ident(id *ftdp.Ident) *ftdp.Ident {
	if other, ok := w.names[id.Name]; ok {
		return &ftdp.Ident{Pos: id.Pos, Name: other}
	}
	return id
}

func (w *rewriting) list(list []*ftdp.Statement) (out []*ftdp.Statement) {
	for i, st := range list {
		if st.Round() != "" {
			more, over := w.leaf(st, list[i+1:])
			if out = append(out, more...); over {
				return out
			}
			continue
		}
		c := st.Map(w.expr, w.list)
		if c.Send != nil {
			c.Send.Kind = w.ident(c.Send.Kind)
		}
		out = append(out, c)
	}
	return out
}

// from is the place of a statement.
func from(st *ftdp.Statement) ftdp.Origin { return ftdp.Origin{At: scan.Place(st.Pos), Width: 1} }

// ended is an assignment of a number, and what comes after it, where a statement was.
func ended(at *ftdp.Statement, name string, n int, then []*ftdp.Statement) []*ftdp.Statement {
	return append([]*ftdp.Statement{assign(at, name, from(at).Numeral(int64(n))), {Sep: ";"}}, then...)
}

// assign is an assignment where a statement was.
func assign(at *ftdp.Statement, name string, value *ftdp.Expr) *ftdp.Statement {
	return from(at).Assign(from(at).Name(name), value)
}

// nowhere is the origin of what stands at no place of the text.
var nowhere ftdp.Origin

// first is what a variable of a round begins with.
func initialValue(v *ftdp.ProcessVar) *ftdp.Expr {
	switch t := v.Type; {
	case v.First != nil:
		return v.First
	case t.Bool:
		return TruthValue(false)
	case t.Enum != nil:
		return nowhere.Name(t.Enum[0].Name)
	default:
		return &t.Range.From.Expr
	}
}

// values lists the values of a variable; nil if its type has none that are known here.
func (r *RoundSource) values(name string) (out []*ftdp.Expr) {
	v := r.local(name)
	if v == nil {
		return nil
	}
	switch t := v.Type; {
	case t.Bool:
		return []*ftdp.Expr{TruthValue(false), TruthValue(true)}
	case t.Enum != nil:
		for _, e := range t.Enum {
			out = append(out, nowhere.Name(e.Name))
		}
	case t.Range != nil && t.Range.To != nil:
		s := r.constants()
		lo, ok := s.Number(&t.Range.From.Expr, nil)
		hi, also := s.Number(&t.Range.To.Expr, nil)
		for n := lo; ok && also && n <= hi && len(out) < maxValues; n++ {
			out = append(out, nowhere.Numeral(n))
		}
	}
	return out
}

// constants knows the constants of the text.
func (r *RoundSource) constants() *Source {
	s := &Source{File: r.File, Consts: map[string]int64{}, values: map[string]literal{}, Here: -1}
	for _, sec := range r.File.Sections {
		for _, k := range sec.Consts {
			if v, ok := s.Number(k.Value, nil); ok {
				s.Consts[k.Name.Name] = v
			}
		}
	}
	return s
}

// Size is how many processes there are, for values of the parameters; false if that takes others.
func (r *RoundSource) Size(values map[string]int64) (int64, bool) {
	return r.constants().Number(r.process.Process.Size, values)
}

// reset gives variables of a round their first values: those that are not used in what follows.
func (r *RoundSource) reset(at *ftdp.Statement, but []*ftdp.Statement) (out []*ftdp.Statement) {
	used := map[string]bool{}
	for st := range ftdp.All(but) {
		for _, e := range ftdp.Expressions(st) {
			for name := range e.NamesIn() {
				used[name] = true
			}
		}
	}
	for _, v := range r.process.Process.Vars {
		for _, id := range v.Names {
			if !v.Kept && !r.always[id.Name] && !used[id.Name] {
				out = append(out, assign(at, id.Name, initialValue(v)), &ftdp.Statement{Sep: ";"})
			}
		}
	}
	return out
}

// guarded adds a condition to a rule's guards.
func guarded(body []*ftdp.Statement, also *ftdp.Expr) {
	chain := ftdp.Statements(body)[0].If
	if chain == nil {
		return
	}
	put := func(e *ftdp.Expr) *ftdp.Expr { return e.From().And(also, e) }
	for i := range chain.Guards {
		chain.Guards[i] = put(chain.Guards[i])
	}
	for _, e := range chain.Elsif {
		e.Guard = put(e.Guard)
	}
}

func rangeType(lo, hi int64) *ftdp.TypeExpr {
	bound := func(n int64) *ftdp.Sum { return &ftdp.Sum{Expr: *nowhere.Numeral(n)} }
	return &ftdp.TypeExpr{Range: &ftdp.RangeType{From: bound(lo), To: bound(hi)}}
}

// with returns the text with other types of processes, and without what happens almost surely, or is true after some
// rounds.
func (r *RoundSource) with(types []*ftdp.Process, roles []role, more ...*ftdp.Section) *ftdp.File {
	out := &ftdp.File{Pos: r.File.Pos, Tokens: r.File.Tokens}
	for _, sec := range r.File.Sections {
		switch {
		case surely(sec.LTL), sec.Invariant != nil && sec.Invariant.After != nil:
		case sec.Process != nil:
			for _, p := range types {
				c := *sec
				c.Process = p
				out.Sections = append(out.Sections, &c)
			}
		case sec.Faults != nil:
			out.Sections = append(out.Sections, r.shares(sec, roles)...)
		default:
			out.Sections = append(out.Sections, sec)
		}
	}
	out.Sections = append(out.Sections, more...)
	return out
}

// One is a single round, as a protocol for all sizes: what is kept begins with any values, and Ended says how the round
// has ended for a process.
func (r *RoundSource) One() *ftdp.File {
	roles := r.roles(0, 1, true)
	types := lists.Map(roles, r.once)
	return r.with(types, roles)
}

// once is a type of processes of a single round.
func (r *RoundSource) once(of role) *ftdp.Process {
	old := r.process.Process
	p := *old
	p.Name, p.Size, p.Vars, p.Rules = of.name, of.size, nil, nil
	for _, v := range old.Vars {
		c := *v
		if c.Kept = false; v.Kept {
			c.Kind, c.First = "input", nil
		}
		p.Vars = append(p.Vars, &c)
	}
	p.Vars = append(p.Vars, &ftdp.ProcessVar{Kind: "local", Names: []*ftdp.Ident{{Pos: old.Name.Pos, Name: r.Ended}},
		Type: rangeType(0, int64(len(r.Sites)))})
	for _, rule := range old.Rules {
		w := &rewriting{leaf: func(st *ftdp.Statement, rest []*ftdp.Statement) ([]*ftdp.Statement, bool) {
			return ended(st, r.Ended, r.siteOf(st, rest)+1, r.reset(st, rest)), true
		}}
		if r.Coordinated() {
			w.coordinator, w.turn = turnWord, of.turn(1)
		}
		p.Rules = w.rule(p.Rules, rule, rule.Label.Name+of.label, compared(ftdp.Eq, r.Ended, 0), !rule.Always)
	}
	return &p
}

// rule adds a copy of a rule with another label, perhaps under one more condition; not if it is never taken.
func (w *rewriting) rule(list []*ftdp.ProcessRule, of *ftdp.ProcessRule, label string, also *ftdp.Expr,
	under bool) []*ftdp.ProcessRule {
	q := *of
	q.Always, q.Late = false, false
	q.Label = &ftdp.Ident{Pos: of.Label.Pos, Name: label}
	q.Body = w.list(of.Body)
	conditional := func(st *ftdp.Statement) bool { return st.If != nil }
	if w.coordinator != "" {
		q.Body = settled(q.Body)
	}
	if q.Body == nil || slices.ContainsFunc(of.Body, conditional) && !slices.ContainsFunc(q.Body, conditional) {
		return list
	}
	if under {
		guarded(q.Body, also)
	}
	return append(list, &q)
}

// RoundsName is the constant of unrolled texts that says how many rounds there are.
const RoundsName = "unrolled_rounds"

// CoinName is the parameter of unrolled texts that says what the common coin of a round is, from 0.
func CoinName(round int) string { return fmt.Sprint(coinName, round) }

const coinName = "common_coin"

// Declares reports whether the text has a parameter or a constant of a name: unrolled texts have more.
func (r *RoundSource) Declares(name string) bool {
	return slices.ContainsFunc(r.File.Sections, func(sec *ftdp.Section) bool {
		return slices.ContainsFunc(sec.Parameters, func(p *ftdp.Ident) bool { return p.Name == name }) ||
			slices.ContainsFunc(sec.Consts, func(k *ftdp.Const) bool { return k.Name.Name == name })
	})
}

// Outcomes is how many outcomes the common coin has; 1 if there is none.
func (r *RoundSource) Outcomes() int {
	for _, s := range r.Sites {
		if s.Coin != nil {
			return max(1, len(r.values(s.Coin.Var.Name)))
		}
	}
	return 1
}

// Unrolled is the protocol with so many rounds, after which processes do nothing any more. What the common coin of
// round i says is a parameter, after those of the text: counterexamples are smallest in the first parameters first.
func (r *RoundSource) Unrolled(count int) *ftdp.File { return r.unrolled(count, count, true) }

// UnrolledFor is Unrolled, with what follows from a property if that says what all come to almost surely, or where
// rounds are good at last.
func (r *RoundSource) UnrolledFor(count int, name string) *ftdp.File {
	out := r.Unrolled(count)
	for _, sec := range r.Almost {
		if sec.LTL.Name.Name == name {
			out.Sections = append(out.Sections, r.soon(sec, count))
		}
	}
	return out
}

// UnrolledTo is Unrolled with so many processes, not more than rounds: each is the coordinator of some.
func (r *RoundSource) UnrolledTo(count, processes int) *ftdp.File {
	out := r.unrolled(count, processes, false)
	size := r.process.Process.Size
	o := size.From()
	is, two := o.Op(ftdp.Eq, size, o.Numeral(int64(processes))), o.Op(ftdp.Ge, size, o.Numeral(2))
	out.Sections = append(out.Sections, &ftdp.Section{Assume: []*ftdp.Expr{is, two}}) // a coordinator, and others
	return out
}

// soon is what follows from coming to something almost surely, or where rounds are good at last: in fair runs, every
// process comes to it, or to the end of the last round. Who stays in a round for ever does so whatever coins say, and
// whether later rounds are good or not. Where processes begin a round when all have ended the one before, all have come
// to the last round then.
func (r *RoundSource) soon(sec *ftdp.Section, count int) *ftdp.Section {
	round, last := r.fresh("round"), int64(count)
	p := *sec.LTL
	all := *p.Formula.Args[0]
	o := all.From()
	all.Of, all.Args = p.Formula.Args[0], []*ftdp.Expr{o.Or(compared(ftdp.Gt, round, last), all.Args[0])}
	says := o.Op(ftdp.Finally, &all)
	if p.Almost != nil && slices.Contains(p.Almost.How, "order") && count > 1 {
		begun := all
		begun.Args = []*ftdp.Expr{compared(ftdp.Ge, round, last)}
		says = o.Op(ftdp.Implies, o.Op(ftdp.Finally, &begun), says)
	}
	p.Almost, p.Good, p.Fair, p.Formula, p.Stated = nil, false, &ftdp.Fair{}, says, p.Formula
	out := *sec
	out.LTL = &p
	return &out
}

func (r *RoundSource) unrolled(count, coordinators int, others bool) *ftdp.File {
	u := &unrolling{RoundSource: r, count: count, round: r.fresh("round"), roles: r.roles(count, coordinators, others),
		words: r.File.Words(), made: map[ftdp.OfRound]string{},
		names: map[string]ftdp.OfRound{RoundsName: {Name: "rounds"}}}
	old := r.process.Process
	types := lists.Map(u.roles, u.typeOf)
	out := r.with(types, u.roles,
		&ftdp.Section{Consts: []*ftdp.Const{{Name: &ftdp.Ident{Pos: old.Name.Pos, Name: RoundsName},
			Value: nowhere.Numeral(int64(count))}}})
	for _, sec := range r.After {
		out.Sections = append(out.Sections, u.after(sec))
	}
	for i, sec := range out.Sections {
		if sec.Messages == nil {
			continue
		}
		c := *sec
		c.Messages = nil
		for n := 1; n <= count; n++ {
			for _, m := range sec.Messages {
				c.Messages = append(c.Messages,
					&ftdp.KindDecl{Name: &ftdp.Ident{Pos: m.Name.Pos, Name: u.called(m.Name.Name, n)},
						Fields: m.Fields})
			}
		}
		out.Sections[i] = &c
	}
	if k := r.Outcomes(); k > 1 {
		for n := 1; n <= count; n++ {
			id := &ftdp.Ident{Pos: old.Name.Pos, Name: CoinName(n)}
			u.names[id.Name] = ftdp.OfRound{Name: "coin", Round: n, Only: count == 1}
			out.Sections = append(out.Sections, &ftdp.Section{Parameters: []*ftdp.Ident{id}},
				&ftdp.Section{Assume: []*ftdp.Expr{compared(ftdp.Le, id.Name, int64(k)-1)}})
		}
	}
	out.Unrolled(u.names)
	return out
}

// unrolling makes several rounds of one.
type unrolling struct {
	*RoundSource
	count int
	round string // the variable that says in which round a process is
	roles []role
	words names.Taken
	made  map[ftdp.OfRound]string // what things of rounds are called
	names map[string]ftdp.OfRound // and the inverse, with labels of rules
}

// typeOf is a type of processes.
func (u *unrolling) typeOf(of role) *ftdp.Process {
	old := u.process.Process
	p := *old
	p.Name, p.Size, p.Vars, p.Rules = of.name, of.size, nil, nil
	for _, v := range old.Vars {
		p.Vars = append(p.Vars, u.variable(v)...)
	}
	p.Vars = append(p.Vars, &ftdp.ProcessVar{Kind: "local", Names: []*ftdp.Ident{{Pos: old.Name.Pos, Name: u.round}},
		Type: rangeType(1, int64(u.count)+1)})
	for n := 1; n <= u.count; n++ {
		for _, rule := range old.Rules {
			p.Rules = append(p.Rules, u.rule(of, rule, n)...)
		}
	}
	return &p
}

// after is what is true after some rounds: if it is after k of them, in all states in which all processes have ended k.
func (u *unrolling) after(sec *ftdp.Section) *ftdp.Section {
	p := *sec.Invariant
	e, c := p.After, p.Formula
	o := c.From()
	sum := func(op ftdp.Op, n int64) *ftdp.Expr { return e.From().Op(op, e, e.From().Numeral(n)) }
	all := o.Op(ftdp.And, o.Or(sum(ftdp.Gt, 0), c))
	for k := int64(1); k <= int64(u.count); k++ {
		over := &ftdp.Expr{Op: ftdp.Call, Name: "all", Args: []*ftdp.Expr{compared(ftdp.Gt, u.round, k)}, Pos: c.Pos}
		all.Args = append(all.Args, o.Or(sum(ftdp.Ne, k), o.Not(over), c))
	}
	p.After, p.Formula, p.Rounds, p.Stated = nil, all, e, p.Formula
	out := *sec
	out.Invariant = &p
	return &out
}

// called is what something is called in a round.
func (u *unrolling) called(name string, round int) string {
	of := ftdp.OfRound{Name: name, Round: round, Only: u.count == 1}
	if u.made[of] == "" {
		u.made[of] = u.words.Fresh(fmt.Sprintf("%s_r%d", name, round), "_")
		u.names[u.made[of]] = of
	}
	return u.made[of]
}

// variable is what there is of a variable: one for each round if rules use it in rounds that are over.
func (u *unrolling) variable(v *ftdp.ProcessVar) []*ftdp.ProcessVar {
	c := *v
	c.Kept, c.Names = false, nil
	for _, id := range v.Names {
		if !u.always[id.Name] || v.Kept {
			c.Names = append(c.Names, id)
			continue
		}
		for n := 1; n <= u.count; n++ {
			c.Names = append(c.Names, &ftdp.Ident{Pos: id.Pos, Name: u.called(id.Name, n)})
		}
	}
	return []*ftdp.ProcessVar{&c}
}

// rule is what there is of a rule in a round: one for each value that a coin of the process's own may have.
func (u *unrolling) rule(of role, rule *ftdp.ProcessRule, n int) (out []*ftdp.ProcessRule) {
	inRound := map[string]string{}
	for _, sec := range u.File.Sections {
		for _, m := range sec.Messages {
			inRound[m.Name.Name] = u.called(m.Name.Name, n)
		}
	}
	for name := range u.always {
		if u.local(name) != nil {
			inRound[name] = u.called(name, n)
		}
	}
	outcomes := 1
	for st := range ftdp.All(rule.Body) {
		if st.Toss != nil {
			outcomes = max(outcomes, len(u.values(st.Toss.Name)))
		}
	}
	for outcome := range outcomes {
		w := &rewriting{names: inRound}
		w.leaf = func(st *ftdp.Statement, _ []*ftdp.Statement) ([]*ftdp.Statement, bool) {
			return u.over(w, st, n, outcome), st.Next
		}
		label := u.called(rule.Label.Name, n)
		if outcomes > 1 {
			label += fmt.Sprintf("_coin%d", outcome)
		}
		label += of.label
		u.names[label] = ftdp.OfRound{Name: rule.Label.Name, Round: n, Only: u.count == 1, Rule: rule}
		op := ftdp.Eq
		if rule.Always {
			op = ftdp.Ge
		}
		if u.Coordinated() {
			i := slices.IndexFunc(u.roles, func(o role) bool { return o.turn(n) })
			w.coordinator, w.turn = u.roles[i].name.Name, of.turn(n)
		}
		out = w.rule(out, rule, label, compared(op, u.round, int64(n)), true)
	}
	return out
}

// over is what takes the place of a statement of rounds.
func (u *unrolling) over(w *rewriting, st *ftdp.Statement, n, outcome int) []*ftdp.Statement {
	sep := &ftdp.Statement{Sep: ";"}
	switch {
	case st.Toss != nil:
		values := u.values(st.Toss.Name)
		if len(values) == 0 {
			return nil
		}
		return []*ftdp.Statement{assign(st, w.ident(st.Toss).Name, values[outcome%len(values)]), sep}
	case st.Coin != nil:
		name := w.ident(st.Coin.Var).Name
		chain := &ftdp.If{}
		for i, value := range u.values(st.Coin.Var.Name) {
			is, then := compared(ftdp.Eq, CoinName(n), int64(i)),
				&ftdp.Block{List: []*ftdp.Statement{assign(st, name, value), sep}}
			if i == 0 {
				chain.Guards, chain.Thens = []*ftdp.Expr{is}, []*ftdp.Block{then}
				continue
			}
			chain.Elsif = append(chain.Elsif, &ftdp.Elsif{Guard: is, Then: then})
		}
		if chain.Guards == nil {
			return nil
		}
		return []*ftdp.Statement{{Pos: st.Pos, If: chain}}
	}
	return ended(st, u.round, n+1, u.reset(st, nil))
}

// Begins reports whether a variable that is kept may have a value at first; s knows the values of One.
func (r *RoundSource) Begins(name string, value int64, s *Source) bool {
	if v := r.local(name); v != nil && v.Kind != "input" {
		first, ok := s.Number(initialValue(v), nil)
		return !ok || first == value
	}
	return true
}
