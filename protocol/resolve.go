package protocol

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Limits on sizes, so that hostile texts are refused and not worked on.
const (
	maxRole   = 62 // processes of a role: quorums are bit sets
	maxCells  = 4096
	maxFrames = 200
)

// scope resolves the expressions and statements of one rule or property.
type scope struct {
	c     *Checker
	vars  []variable
	Frame int // cells in use at most
	floor int // the first cell that it may use

	rule     *Transition // of a rule
	unnamed  string      // how the rule would name the fields of what it receives; "" if it does, or there are none
	heading  bool        // its parameters are read: which of them is the sender shows when all are known
	init     bool
	temporal bool
	lemma    bool // what was ever sent may be asked
}

func (c *Checker) Scope() *scope { return &scope{c: c} }

// bind declares a variable.
func (s *scope) bind(id *ftdp.Ident, t *Type) bool {
	if !s.free(id) {
		return false
	}
	s.push(id.Name, t, id.Place())
	return true
}

// free reports whether a name can be given to something inside a rule or property, and says so otherwise.
func (s *scope) free(id *ftdp.Ident) bool {
	problem := s.taken(id.Name)
	if problem != "" {
		s.c.failAt(id, "%s", problem)
	}
	return problem == ""
}

// taken says what a name is already; "" if it is nothing.
func (s *scope) taken(name string) string {
	if s.find(name) != nil {
		return fmt.Sprintf("there is a variable %q already", name)
	}
	if name == "sender" && s.rule != nil && !s.heading {
		return senderTaken
	}
	return s.c.taken(name)
}

func (s *scope) push(name string, t *Type, pos diag.Pos) int {
	cell := s.floor
	for _, v := range s.vars {
		if v.term == nil {
			cell = max(cell, v.cell+v.typ.Cells)
		} else { // what it stands for has variables of its own
			cell = max(cell, v.cell)
		}
	}
	s.vars = append(slices.Clip(s.vars), variable{name: name, typ: t, cell: cell, pos: pos})
	s.Frame = max(s.Frame, cell+t.Cells)
	if s.Frame > maxFrames {
		s.c.fail(diag.Pos{File: s.c.M.File, Line: 1, Col: 1}, 1, "more than %d variables at once", maxFrames)
		s.Frame = 0
	}
	return cell
}

func (s *scope) find(name string) *variable {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			return &s.vars[i]
		}
	}
	return nil
}

func (s *scope) fail(e *ftdp.Expr, format string, args ...any) *Term {
	s.c.fail(e.Pos, e.Width, format, args...)
	return nil
}

// asymmetric notes that processes of roles among types are not interchangeable.
func (s *scope) asymmetric(of []*Type, pos diag.Pos, width int, format string, args ...any) {
	s.orders(of, pos, width, format, args...)
	s.c.M.Numbering.Hint(pos, width, format, args...)
}

// orders notes that processes of roles among types are not interchangeable, since their numbers are compared. A role of
// one process, at all sizes, has nothing to exchange: its number is the same under all permutations.
func (s *scope) orders(of []*Type, pos diag.Pos, width int, format string, args ...any) {
	several := func(t *Type) bool {
		if t.Kind != KindRole {
			return false
		}
		n := s.c.M.Roles[t.Role].Count
		return n == nil || n.Op != ftdp.Number || n.Const != "" || n.Value != 1
	}
	if slices.ContainsFunc(of, several) {
		s.c.M.Asymmetry.Hint(pos, width, format, args...)
	}
}

// block resolves statements.
func (s *scope) block(list []*ftdp.Statement) []*Step {
	depth := len(s.vars)
	out := s.statements(ftdp.Statements(list))
	s.vars = s.vars[:depth]
	return out
}

// statements resolves statements one after the other. What comes after a name for either of two values is copied,
// with either.
func (s *scope) statements(list []*ftdp.Statement) (out []*Step) {
	for i, st := range list {
		step := s.statement(st)
		if step == nil {
			continue
		}
		plain := s.plainStep(step)
		if out = append(out, plain); st.Let != nil && plain.Kind == StepIf {
			plain.behind(s.statements(list[i+1:]))
			s.copied(plain)
			break
		}
	}
	return out
}

func (s *scope) statement(st *ftdp.Statement) *Step {
	pos := scan.Place(st.Pos)
	switch {
	case st.If != nil:
		step := &Step{Kind: StepIf, Pos: pos, Conds: []*Term{s.boolean(st.If.Guards[0])},
			Blocks: [][]*Step{s.block(st.If.Thens[0].List)}}
		for _, e := range st.If.Elsif {
			step.Conds = append(step.Conds, s.boolean(e.Guard))
			step.Blocks = append(step.Blocks, s.block(e.Then.List))
		}
		if st.If.Else != nil {
			step.Blocks = append(step.Blocks, s.block(st.If.Else.Body.List))
		}
		return step
	case st.For != nil:
		return s.loop(st.For, pos)
	case st.Undefine != nil:
		target := s.target(st.Undefine)
		s.c.written(st.Undefine)
		if target == nil {
			return nil
		}
		return &Step{Kind: StepUndefine, Pos: pos, Target: target}
	case st.Assign != nil:
		return s.assign(st.Assign, pos)
	case st.Send != nil:
		return s.send(st.Send, pos)
	case st.Let != nil:
		return s.let(st.Let, pos)
	case st.Round() != "":
		s.c.fail(pos, 4, "`%s` is for protocols for all sizes, whose processes go round after round", st.Round())
	}
	return nil // skip
}

// let names a value for the rest of a block.
func (s *scope) let(l *ftdp.Let, pos diag.Pos) *Step {
	v := s.termAs(l.Value, nil)
	if v == nil {
		return nil
	}
	if v.Type.Kind == KindQuorum {
		s.fail(l.Value, "a quorum has a name already")
		return nil
	}
	typ := v.Type
	if typ.Kind == KindInt { // a default may be out of the range of what is compared
		typ = intType
	}
	depth := len(s.vars)
	// What the value is made of is not to be overwritten while it is worked out.
	s.vars = append(slices.Clip(s.vars), variable{name: "\x00v", term: v, typ: v.Type, cell: v.top()})
	ok := s.bind(l.Name, typ)
	if !ok {
		s.vars = s.vars[:depth]
		return nil
	}
	x := &s.vars[len(s.vars)-1]
	x.let = true
	target := &Term{Op: OpPlace, Pos: l.Name.Place(), Width: len(l.Name.Name), Base: BaseLet, Var: x.cell,
		Name: l.Name.Name, Type: typ}
	return &Step{Kind: StepAssign, Pos: pos, Target: target, Value: v}
}

// Alias makes a name stand for the value that it gets, where nothing has changed yet.
func (s *scope) Alias(l *ftdp.Let) {
	if v := s.termAs(l.Value, nil); v != nil {
		copied := *v
		s.rename(l.Name, &copied)
	}
}

// rename makes a name stand for a term.
func (s *scope) rename(id *ftdp.Ident, t *Term) {
	if !s.free(id) {
		return
	}
	t.Pos, t.Width = id.Place(), len(id.Name)
	s.vars = append(slices.Clip(s.vars), variable{name: id.Name, typ: t.Type, term: t, cell: t.top(), pos: id.Place()})
}

func (s *scope) loop(f *ftdp.For, pos diag.Pos) *Step {
	r := s.rangeOf(f.Type)
	if r == nil {
		return nil
	}
	depth := len(s.vars)
	if !s.bind(f.Var, r.Type) {
		return nil
	}
	step := &Step{Kind: StepFor, Pos: pos, Var: s.vars[depth].cell, Range: r, Name: f.Var.Name}
	step.Blocks = [][]*Step{s.block(f.Body.List)}
	s.vars = s.vars[:depth]
	return step
}

// rangeOf resolves what a variable ranges over.
func (s *scope) rangeOf(t *ftdp.TypeExpr) *Range {
	if t.Range != nil && t.Range.To == nil && t.Range.From.Op == ftdp.Call && t.Range.From.Name == "sent" {
		return s.sent(&t.Range.From.Expr)
	}
	if t.Range != nil && t.Range.To == nil && t.Range.From.Op == ftdp.Name {
		if v := s.find(t.Range.From.Name); v != nil && v.typ != nil && v.typ.Kind == KindQuorum {
			s.c.use(t.Range.From.At, v.pos)
			return &Range{Type: s.c.processesOf(v.typ.Role), Quorum: v.cell}
		}
	}
	typ := s.c.typeOf(t)
	if typ == nil {
		return nil
	}
	if !typ.Scalar() || typ.Size() > maxCells {
		s.c.fail(scan.Place(t.Pos), 1,
			"a variable ranges over numbers, truth values, values of an enumeration or processes, at most %d", maxCells)
		return nil
	}
	return &Range{Type: typ, Quorum: -1}
}

// sent resolves `sent(p, q)`, which a variable of a lemma ranges over: the messages that p has ever sent to q.
func (s *scope) sent(e *ftdp.Expr) *Range {
	switch {
	case !s.lemma:
		s.fail(e, "what was ever sent is known in lemmas only, which are for proofs for all sizes")
		return nil
	case s.c.M.Message == nil:
		s.fail(e, "there are no messages: declare `type Msg: record ... end`")
		return nil
	case len(e.Args) != 2:
		s.fail(e, "sent(p, q) are the messages that process p has ever sent to process q")
		return nil
	}
	out := &Range{Type: s.c.M.Message, Quorum: -1}
	for _, a := range e.Args {
		t := s.Term(a)
		if t == nil {
			return nil
		}
		if t.Type.Kind != KindRole || chosen(t) != nil {
			s.fail(a, "expected a process, not %s", s.c.M.describe(t.Type))
			return nil
		}
		out.Sent = append(out.Sent, t)
	}
	return out
}

// processesOf is the type of the processes of a role.
func (c *Checker) processesOf(role int) *Type {
	t := scalar(KindRole, 1, int32(c.M.Roles[role].Size))
	t.Role = role
	return t
}

func (s *scope) assign(a *ftdp.Assign, pos diag.Pos) *Step {
	target := s.target(&a.Place.Expr)
	s.c.written(&a.Place.Expr)
	if target == nil {
		return nil
	}
	var value *Term
	if a.Op == ":=" {
		value = s.termAs(a.Value, target.Type)
	} else if target, value = s.update(a, target); target == nil {
		return nil
	}
	if value == nil {
		return nil
	}
	switch {
	case target.Base == BaseWhole || target.Base == BaseOuts:
		s.fail(&a.Place.Expr, "assign to one process at a time")
	case target.Base == BaseStatus && !s.init && !(s.rule != nil && s.rule.Strategy):
		s.fail(&a.Place.Expr, "the status is set in initial states only")
	default:
		s.assignable(target.Type, value, a.Value, &a.Place.Expr)
	}
	return &Step{Kind: StepAssign, Pos: pos, Target: target, Value: value}
}

// update resolves += and -=: of numbers, of sets, whose members come and go, and of sequences.
func (s *scope) update(a *ftdp.Assign, target *Term) (*Term, *Term) {
	op := ftdp.Plus
	if a.Op == "-=" {
		op = ftdp.Sub
	}
	t := target.Type
	switch {
	case t.Set:
		x := s.Term(a.Value)
		if x == nil {
			return nil, nil
		}
		if !x.Type.kin(t.Index) {
			if !s.mixed(x.Type, t.Index) {
				s.alien(a.Value, x.Type, t.Index)
				return nil, nil
			}
			s.asymmetric([]*Type{x.Type, t.Index}, a.Value.Pos, a.Value.Width,
				"a process, or a number, in a set of others")
		}
		v := int32(1)
		if op == ftdp.Sub {
			v = 0
		}
		return target.nth(x), &Term{Op: ftdp.Number, Pos: a.Value.Pos, Width: a.Value.Width, Type: BoolType,
			Value: v}
	case t.Sequence && op == ftdp.Plus:
		return target, s.termAs(&ftdp.Expr{Op: ftdp.Call, Name: "append", Pos: a.Place.Pos, Width: a.Place.Width,
			Args: []*ftdp.Expr{&a.Place.Expr, a.Value}}, t)
	case t.Kind != KindInt:
		s.fail(&a.Place.Expr, "%s is for numbers, sets and sequences (-= for numbers and sets)", a.Op)
		return nil, nil
	}
	return target, s.Term(a.Updated())
}

// mixed reports whether one type has numbers and the other processes.
func (s *scope) mixed(t, u *Type) bool {
	return t.Kind == KindInt && u.Kind == KindRole || t.Kind == KindRole && u.Kind == KindInt ||
		t.Kind == KindRole && u.Kind == KindRole && t.Role != u.Role
}

// target resolves a place that is written.
func (s *scope) target(e *ftdp.Expr) *Term {
	t := s.Term(e)
	if t == nil {
		return nil
	}
	if t.Op == OpPlace && t.element {
		return s.fail(e,
			"a part of a sequence is not changed by itself: assign the whole, such as append(slice(s, 1, k - 1), x)")
	}
	if t.Op != OpPlace || t.Base == BaseMsg || t.Base == BaseAbsent || t.Base == BaseLet || t.Base == BaseValue {
		return s.fail(e, "this cannot be changed: only variables of processes and messages that are sent can")
	}
	return t
}

// boolean resolves a condition or formula.
func (s *scope) boolean(e *ftdp.Expr) *Term {
	t := s.Term(e)
	if t != nil && t.Type.Kind != KindBool {
		return s.fail(e, "expected a condition, not %s", s.c.M.describe(t.Type))
	}
	return s.plain(t.asked())
}

// asked is a condition where a value is asked for anyway.
func (t *Term) asked() *Term {
	if t != nil && t.Op == ftdp.And && len(t.Args) == 1 {
		return t.Args[0]
	}
	return t
}

// Term resolves an expression; nil if that is impossible.
func (s *scope) Term(e *ftdp.Expr) *Term {
	t := s.resolve(e.Plain())
	if t != nil {
		s.at(t, e)
	}
	return t
}

// at sets where and how a term is written.
func (s *scope) at(t *Term, e *ftdp.Expr) {
	t.Pos, t.Width = e.Pos, e.Width
	if e.Op == ftdp.Name {
		if v := s.find(e.Name); v != nil && v.arg {
			return // as the argument
		}
	}
	w := &Written{Expr: e, names: s.vars}
	if (e.Op == ftdp.Name || e.Op == ftdp.Call) && s.c.defines[e.Name] != nil {
		w.Means = t.Written
	}
	t.Written = w
}

// termAs resolves an expression where a value of a type is wanted; nil for any.
func (s *scope) termAs(e *ftdp.Expr, want *Type) *Term {
	var t *Term
	switch {
	case e.Op == ftdp.Tuple:
		t = s.tuple(e, want)
	case e.Op == ftdp.Choice:
		t = s.choice(e, want)
	case s.isSet(e):
		t = s.set(e, want)
	case s.builtIn(e) && (e.Name == "seq" || e.Name == "append" || e.Name == "slice"):
		t = s.sequence(e, want)
	default:
		return s.Term(e)
	}
	if t != nil {
		s.at(t, e)
	}
	return t
}

func (s *scope) resolve(e *ftdp.Expr) *Term {
	switch e.Op {
	case ftdp.Number:
		return &Term{Op: ftdp.Number, Type: intType, Value: int32(e.Num)}
	case ftdp.Name:
		return s.name(e)
	case ftdp.Call:
		return s.call(e)
	case ftdp.Field, ftdp.Index, ftdp.Out:
		return s.place(e)
	case ftdp.Undefined:
		arg := s.Term(e.Args[0])
		if arg == nil {
			return nil
		}
		if !arg.Type.Scalar() {
			arg = arg.part()
		}
		return &Term{Op: ftdp.Undefined, Type: BoolType, Args: []*Term{arg}}
	case ftdp.ForAll, ftdp.Exists, ftdp.Count, ftdp.Max, ftdp.Min:
		return s.binder(e)
	case ftdp.SetOf, ftdp.Those, ftdp.Tuple, ftdp.Choice:
		return s.termAs(e, nil)
	case ftdp.In:
		t := s.in(e)
		if t != nil && t.Op == OpPlace { // unlike the element of an array, it has to have a value wherever it stands
			s.at(t, e)
			t = &Term{Op: ftdp.And, Type: BoolType, Args: []*Term{t}}
		}
		return t
	case ftdp.Eq, ftdp.Ne:
		return s.equality(e)
	case ftdp.Finally, ftdp.Globally, ftdp.Until, ftdp.Release:
		if !s.temporal {
			return s.fail(e, "%s is for ltl formulas", e.Op)
		}
	}
	args := make([]*Term, len(e.Args))
	for i, a := range e.Args {
		if args[i] = s.Term(a); args[i] == nil {
			return nil
		}
		if !args[i].Type.Scalar() {
			hint := ""
			if e.Op == ftdp.Plus || e.Op == ftdp.Sub || e.Op == ftdp.Minus {
				hint = ": " + ftdp.OfSets
			}
			return s.fail(a, "expected one value, not %s%s", s.c.M.describe(args[i].Type), hint)
		}
	}
	out := &Term{Op: e.Op, Args: args, Type: BoolType, Ops: e.Ops}
	switch e.Op {
	case ftdp.Not, ftdp.And, ftdp.Or, ftdp.Implies, ftdp.Iff, ftdp.Finally, ftdp.Globally, ftdp.Until, ftdp.Release:
		for i, a := range args {
			if a.Type.Kind != KindBool {
				return s.fail(e.Args[i], "expected a condition, not %s", s.c.M.describe(a.Type))
			}
			args[i] = a.asked()
			if Temporal(a) && e.Op == ftdp.Iff {
				return s.fail(e, "<-> and xor between formulas with temporal operators: write implications")
			}
		}
		return out
	case ftdp.Minus, ftdp.Plus, ftdp.Sub, ftdp.Times, ftdp.Div, ftdp.Mod, ftdp.Floor, ftdp.Ceiling:
		out.Type = intType
		for i, a := range args {
			if a.Type.Kind == KindRole {
				s.asymmetric([]*Type{a.Type}, e.Pos, e.Width, "%s calculates with a process", e)
			} else if a.Type.Kind != KindInt {
				return s.fail(e.Args[i], "expected a number, not %s", s.c.M.describe(a.Type))
			}
		}
		return out
	}
	return s.comparison(e, out)
}

// equality resolves = and != of two sides, where one may determine the type of the other.
func (s *scope) equality(e *ftdp.Expr) *Term {
	out := &Term{Op: e.Op, Type: BoolType, Args: make([]*Term, 2)}
	first := 0
	if !s.shows(e.Args[0]) {
		first = 1
	}
	if out.Args[first] = s.termAs(e.Args[first], nil); out.Args[first] == nil {
		return nil
	}
	if out.Args[1-first] = s.termAs(e.Args[1-first], out.Args[first].Type); out.Args[1-first] == nil {
		return nil
	}
	return s.comparison(e, out)
}

// shows reports whether an expression says by itself of what type it is.
func (s *scope) shows(e *ftdp.Expr) bool {
	if e.Op == ftdp.Choice {
		return s.shows(e.Args[1]) || s.shows(e.Args[2])
	}
	return e.Op == ftdp.Those || e.Op != ftdp.Tuple && !s.isSet(e) && !(s.builtIn(e) && e.Name == "seq")
}

// comparison checks the sides of a comparison.
func (s *scope) comparison(e *ftdp.Expr, out *Term) *Term {
	ops := e.Ops
	if e.Op != ftdp.Chain {
		ops = []ftdp.Op{e.Op}
	}
	for i, op := range ops {
		l, r := out.Args[i].Type, out.Args[i+1].Type
		ordered := op != ftdp.Eq && op != ftdp.Ne
		switch {
		case op == ftdp.In:
			return s.fail(e, "in compares two sides")
		case l.Kind == KindQuorum || r.Kind == KindQuorum:
			return s.fail(e, "quorums are not compared")
		case s.mixed(l, r):
			zero := func(t *Term) bool { return t.Op == ftdp.Number && t.Value < 1 }
			if zero(out.Args[i]) || zero(out.Args[i+1]) {
				return s.fail(e, "processes are numbered from 1")
			}
			s.orders([]*Type{l, r}, e.Pos, e.Width, "%s compares a process with something else", e)
		case !l.same(r):
			return s.fail(e, "%s is compared with %s", s.c.M.describe(l), s.c.M.describe(r))
		case ordered && l.Kind == KindRole:
			s.orders([]*Type{l}, e.Pos, e.Width, "%s orders processes", e)
		case ordered && l.Kind != KindInt:
			return s.fail(e, "%s orders what has no order", op)
		case !ordered && !l.Scalar() && len(ops) > 1:
			return s.fail(e, "compare records and arrays two at a time")
		}
	}
	return out
}

func (s *scope) name(e *ftdp.Expr) *Term {
	switch e.Name {
	case "true", "false":
		v := int32(0)
		if e.Name == "true" {
			v = 1
		}
		return &Term{Op: ftdp.Number, Type: BoolType, Value: v}
	}
	if v := s.find(e.Name); v != nil {
		s.c.use(e.At, v.pos)
		if v.term != nil {
			copied := *v.term
			return &copied
		}
		if v.let {
			return &Term{Op: OpPlace, Base: BaseLet, Var: v.cell, Type: v.typ}
		}
		if s.rule != nil && s.c.M.Channels.Anonymous && len(s.rule.Params) > 0 && s.isSender(e.Name) {
			return s.fail(e, "channels are anonymous: a rule cannot know the sender %q of what it receives", e.Name)
		}
		if v.typ.Kind == KindRecord {
			return &Term{Op: OpPlace, Base: BaseSent, Var: v.cell, Type: v.typ}
		}
		return &Term{Op: ftdp.Name, Type: v.typ, Var: v.cell}
	}
	if k, ok := s.c.consts[e.Name]; ok {
		s.c.use(e.At, s.c.names[e.Name])
		t := intType
		if k.Bool {
			t = BoolType
		}
		return &Term{Op: ftdp.Number, Type: t, Value: int32(k.Value), Const: k.Name}
	}
	if v := s.c.enums[e.Name]; v != nil {
		s.c.useValue(e)
		copied := *v
		return &copied
	}
	if d := s.c.defines[e.Name]; d != nil {
		s.c.use(e.At, s.c.names[e.Name])
		if len(d.Params) > 0 {
			return s.fail(e, "%s has %d arguments", e.Name, len(d.Params))
		}
		return s.expand(e, d, nil)
	}
	return s.place(e)
}

// isSender reports whether a name is the parameter that sends. It is called
// while parameters are known and the roles of the last two are not settled.
func (s *scope) isSender(name string) bool {
	return s.rule.Sender >= 0 && s.rule.Params[s.rule.Sender].Name == name
}

func (s *scope) call(e *ftdp.Expr) *Term {
	d := s.c.defines[e.Name]
	if s.builtIn(e) {
		s.c.useWord(e)
		switch e.Name {
		case "length", "last", "size", "subset":
			return s.function(e)
		}
		return s.termAs(e, nil)
	}
	if d == nil {
		known := slices.AppendSeq(slices.Clone(ftdp.CollectionWords), maps.Keys(s.c.defines))
		if instead := ofSizes[e.Name]; instead != "" {
			return s.fail(e, "%s(...) is for protocols for all sizes: %s", e.Name, instead)
		}
		if e.Name == "max" || e.Name == "min" {
			return s.fail(e, "%s (k: T) e is of all k; of two numbers: if a > b then a else b", e.Name)
		}
		return s.fail(e, "there is no definition %q%s", e.Name,
			cmp.Or(spell.Hint(e.Name, known), ftdp.Instead(e.Name)))
	}
	s.c.use(e.At, s.c.names[e.Name])
	if len(d.Params) != len(e.Args) {
		return s.fail(e, "%s has %d arguments, not %d", e.Name, len(d.Params), len(e.Args))
	}
	return s.expand(e, d, e.Args)
}

// ofSizes are the functions of protocols for all sizes, with what is written in those of fixed size.
var ofSizes = map[string]string{
	"all":     "forall (k: ROLE) ... is true of all processes",
	"every":   "forall (k: ROLE) ... is true of all processes",
	"some":    "exists (k: ROLE) ... is true of some process",
	"count":   "count (k: ROLE) ... counts processes",
	"heard":   "a rule receives messages, `receive READ(no) from j`, and notes in a set or an array who has sent them",
	"arrived": "a rule receives messages, `receive READ(no) from j`, and notes in a set or an array who has sent them",
}

// maxDepth bounds definitions in definitions: one that uses itself ends here.
const maxDepth = 50

const noQuorums = "definitions have no quorums"

// expand puts a definition in place of its name: its parameters stand for the
// arguments, and other variables of the place of use are not seen.
func (s *scope) expand(e *ftdp.Expr, d *ftdp.Define, args []*ftdp.Expr) *Term {
	if s.c.depth++; s.c.depth > maxDepth {
		s.c.depth = 0
		return s.fail(e, "definition %s uses itself, or nests more than %d deep", d.Name.Name, maxDepth)
	}
	defer func() { s.c.depth = max(0, s.c.depth-1) }()
	s.c.expanded[d] = true
	list := make([]variable, 0, len(args)+len(s.vars))
	for i, a := range args {
		p := d.Params[i]
		if p.Quorum != nil {
			return s.fail(e, noQuorums)
		}
		want := s.c.typeOf(p.Type)
		if want == nil {
			return nil
		}
		t := s.termAs(a, want)
		if t == nil {
			return nil
		}
		if !want.same(t.Type) && !s.mixed(want, t.Type) {
			return s.fail(a, "%s for a parameter that is %s", s.c.M.describe(t.Type), s.c.M.describe(want))
		}
		list = append(list, variable{name: p.Name.Name, typ: t.Type, term: t, cell: t.top(), arg: true,
			pos: p.Name.Place()})
	}
	// What is bound outside keeps its cells, under names that cannot be written.
	hidden := make([]variable, len(s.vars))
	for i, v := range s.vars {
		v.name = "\x00" + v.name
		hidden[i] = v
	}
	outer := s.vars
	s.vars = append(hidden, list...)
	t := s.Term(d.Value)
	s.vars = outer
	return t
}

func (s *scope) binder(e *ftdp.Expr) *Term {
	r := s.rangeOf(e.Type)
	if r == nil {
		return nil
	}
	if problem := s.taken(e.Name); problem != "" {
		s.c.fail(e.At, len(e.Name), "%s", problem)
		return nil
	}
	if r.Sent != nil && e.Op != ftdp.ForAll && e.Op != ftdp.Exists {
		return s.fail(e, "messages are not counted or compared: forall and exists speak of them")
	}
	depth := len(s.vars)
	cell := s.push(e.Name, r.Type, e.At)
	defer func() { s.vars = s.vars[:depth] }()
	out := &Term{Op: e.Op, Type: BoolType, Var: cell, Range: r, Name: e.Name}
	for i, a := range e.Args {
		t := s.Term(a)
		if t == nil {
			return nil
		}
		out.Args = append(out.Args, t)
		if e.Op == ftdp.Max || e.Op == ftdp.Min {
			if s.choosesBy(t, cell) {
				return s.fail(a, "an if that decides by %s is possible in conditions, not in what %s compares", e.Name,
					e.Op)
			}
			if !t.Type.Scalar() {
				return s.fail(a, "expected one value, not %s", s.c.M.describe(t.Type))
			}
			switch {
			case t.Type.Kind == KindRole:
				s.orders([]*Type{t.Type}, e.Pos, e.Width, "%s orders processes", e.Op)
			case i == 2 && !t.Type.kin(out.Args[0].Type):
				return s.fail(a, "%s instead of %s", s.c.M.describe(t.Type), s.c.M.describe(out.Args[0].Type))
			case i == min(1, len(e.Args)-1) && t.Type.Kind != KindInt && t.Type.Kind != KindBool:
				return s.fail(a, "%s orders numbers", e.Op)
			}
		} else if t.Type.Kind != KindBool {
			hint := ""
			if e.Op == ftdp.Count {
				hint = ": parentheses around it are missing, as in count (k: ROLE) (c)"
			}
			return s.fail(a, "expected a condition, not %s%s", s.c.M.describe(t.Type), hint)
		}
	}
	switch e.Op {
	case ftdp.Count:
		out.Type = intType
	case ftdp.Max, ftdp.Min:
		if out.Type = out.Args[0].Type; len(out.Args) == 3 && out.Type.Kind == KindInt {
			out.Type = intType
		}
	}
	if e.Op != ftdp.ForAll && e.Op != ftdp.Exists {
		if slices.ContainsFunc(out.Args, Temporal) {
			return s.fail(e, "temporal operators are not counted or compared")
		}
	}
	return out
}

// Temporal reports whether a term has temporal operators.
func Temporal(t *Term) bool { return t.Any(func(t *Term) bool { return t.Op.Temporal() }) }

// ofFormulas checks that temporal operators stand in formulas and quantifiers only, not in values.
func (s *scope) ofFormulas(t *Term) bool {
	switch t.Op {
	case ftdp.Not, ftdp.And, ftdp.Or, ftdp.Implies, ftdp.ForAll, ftdp.Exists, ftdp.Finally, ftdp.Globally, ftdp.Until,
		ftdp.Release:
		return !slices.ContainsFunc(t.Args, func(a *Term) bool { return !s.ofFormulas(a) })
	}
	if Temporal(t) {
		s.c.fail(t.Pos, max(1, t.Width), "temporal operators are not counted or compared")
		return false
	}
	return true
}

// place resolves a variable, or a part of one.
func (s *scope) place(e *ftdp.Expr) *Term {
	switch e.Op {
	case ftdp.Name:
		return s.root(e)
	case ftdp.Out:
		if s.rule == nil {
			return s.fail(e, "messages are sent by rules, which stand behind `rules`")
		}
		r := s.role(e.Name)
		if r < 0 {
			return s.fail(e, "there is no role %q to send to%s", e.Name, spell.Hint(e.Name, s.roleNames()))
		}
		s.c.use(e.At, s.c.names[e.Name])
		if s.c.M.Message == nil {
			return s.fail(e, "there are no messages: declare `type Msg: record ... end`")
		}
		return &Term{Op: OpPlace, Base: BaseOuts, Role: r, Type: s.whole(r, s.c.M.Message)}
	case ftdp.Field:
		return s.field(e)
	}
	base := s.Term(e.Args[0])
	index := s.Term(e.Args[1])
	if base == nil || index == nil {
		return nil
	}
	if base.Type.Sequence {
		base = base.items()
	}
	if base.Type.Kind != KindArray {
		return s.fail(e.Args[0], "this is not an array")
	}
	base = base.part()
	want := base.Type.Index
	switch {
	case want.Kind == KindRole && index.Type.Kind == KindRole && want.Role == index.Type.Role:
	case s.mixed(want, index.Type):
		s.asymmetric([]*Type{want, index.Type}, e.Args[1].Pos, e.Args[1].Width, "%s is no variable of type %s",
			e.Args[1], s.c.M.nameOf(want))
	case !want.kin(index.Type):
		return s.fail(e.Args[1], "%s as an index: expected %s", s.c.M.describe(index.Type), s.c.M.describe(want))
	}
	out := *base
	out.Type = base.Type.Elem
	switch base.Base {
	case BaseWhole:
		out.Base, out.Who = BaseRole, index
	case BaseOuts:
		out.Base, out.Who = BaseOut, index
	case BaseMsg:
		if base.Who == nil && s.rule.Quorum() {
			out.Who = index
			break
		}
		fallthrough
	default:
		out.Indices = append(slices.Clip(base.Indices), Subscript{index, base.Type, base.Type.Elem.Cells})
	}
	return &out
}

func (m *Model) nameOf(t *Type) string {
	if t.Kind == KindRole {
		return m.Roles[t.Role].ID
	}
	return m.describe(t)
}

// root resolves the name of a role's states, or msg.
func (s *scope) root(e *ftdp.Expr) *Term {
	if e.Name == "msg" {
		s.c.useWord(e)
		switch {
		case s.rule == nil:
			return s.fail(e, "msg is what a rule receives")
		case !s.rule.Receives():
			return s.fail(e, "rule %s receives nothing: give it a sender, a second parameter that is a process",
				s.rule.Label)
		case s.rule.Quorum():
			return &Term{Op: OpPlace, Base: BaseMsg, Type: s.whole(s.rule.Params[s.rule.Sender].Type.Role,
				s.c.M.Message)}
		}
		return &Term{Op: OpPlace, Base: BaseMsg, Type: s.c.M.Message}
	}
	if t := s.variable(e); t != nil {
		return t
	}
	if r := s.role(e.Name); r >= 0 {
		s.c.use(e.At, s.c.names[e.Name])
		return &Term{Op: OpPlace, Base: BaseWhole, Role: r, Type: s.whole(r, s.c.M.Roles[r].State)}
	}
	if s.c.types[e.Name] != nil {
		return s.fail(e, "%q is a type", e.Name)
	}
	known := s.roleNames()
	for _, v := range s.vars {
		if v.name[0] != 0 {
			known = append(known, v.name)
		}
	}
	known = slices.AppendSeq(known, maps.Keys(s.c.consts))
	known = slices.AppendSeq(known, maps.Keys(s.c.globals))
	known = slices.AppendSeq(known, maps.Keys(s.c.enums))
	known = slices.AppendSeq(known, maps.Keys(s.c.defines))
	return s.fail(e, "unknown name %q%s", e.Name, s.meant(e.Name, known))
}

// meant says what may be meant by a name that is none.
func (s *scope) meant(name string, known []string) string {
	switch low := strings.ToLower(name); low {
	case "true", "false":
		return fmt.Sprintf(" (did you mean %q?)", low)
	case "self", "this", "me", "myself":
		return ": the process that moves is the last parameter of its rule, `[](i: ROLE) label: ...`"
	case "undefined", "none", "null", "nil", "nobody":
		return ": a variable without a first value has none, `undefine x;` takes it away, isundefined(x) asks for it"
	case "deadlock", "deadlocks":
		return ": a run may end; `ltl done fair: F c;` is violated by one that ends before c (tacheck explain deadlock)"
	case "transit", "channel", "network", "pending":
		return ": formulas speak of variables, not of messages on their way: note in a variable what was sent"
	case "everyone", "everybody", "broadcast":
		return ": `send KIND to all`"
	}
	for i := range s.c.M.Roles {
		if r := &s.c.M.Roles[i]; !r.Shared && r.State != nil { // nil: its variables are being declared
			if _, is := r.State.Field(name); is {
				return fmt.Sprintf(": that of a process is %s[i].%s", r.Name, name)
			}
		}
	}
	return cmp.Or(spell.Hint(name, known), ftdp.Instead(name), s.unnamed)
}

func (s *scope) role(name string) int {
	return slices.IndexFunc(s.c.M.Roles, func(r Role) bool { return r.Name == name && name != "" && !r.Shared })
}

func (s *scope) roleNames() []string {
	var list []string
	for _, r := range s.c.M.Roles {
		if !r.Shared {
			list = append(list, r.Name)
		}
	}
	return list
}

// whole is an array of something for each process of a role.
func (s *scope) whole(role int, of *Type) *Type {
	index := s.c.processesOf(role)
	return &Type{Kind: KindArray, Index: index, Elem: of, Cells: index.Size() * of.Cells}
}

func (s *scope) field(e *ftdp.Expr) *Term {
	base := s.Term(e.Args[0])
	if base == nil {
		return nil
	}
	if base.Op == OpPlace && len(base.Indices) == 0 && base.Offset == 0 {
		switch {
		case base.Base == BaseRole && e.Name == "status" && base.Type == s.c.M.Roles[base.Role].State:
			s.c.useWord(e)
			out := *base
			out.Base, out.Type = BaseStatus, statusType
			return &out
		case base.Base == BaseMsg && e.Name == "absent" && base.Type == s.c.M.Message:
			if !s.c.M.Channels.Synchronous {
				return s.fail(e, "absent messages are noticed in synchronous systems only")
			}
			s.c.useWord(e)
			out := *base
			out.Base, out.Type = BaseAbsent, BoolType
			return &out
		}
	}
	if base.Type.Kind != KindRecord {
		hint := ""
		if base.Type.Kind == KindRole && e.Args[0].Op == ftdp.Name {
			hint = fmt.Sprintf(": what it has is %s[%s].%s", s.c.M.Roles[base.Type.Role].Name, e.Args[0].Name, e.Name)
		} else if base.Base == BaseWhole && base.Type.Kind == KindArray {
			hint = fmt.Sprintf(": that of process i is %s[i].%s", s.c.M.Roles[base.Role].Name, e.Name)
		}
		return s.fail(e.Args[0], "this has no fields: it is %s%s", s.c.M.describe(base.Type), hint)
	}
	if base.Type.Sequence {
		return s.fail(e, "a sequence has no fields: write length(s), s[k], last(s)")
	}
	f, ok := base.Type.Field(e.Name)
	if !ok {
		known := lists.Map(base.Type.Fields, func(f TypeField) string { return f.Name })
		if base.Base == BaseRole {
			known = append(known, "status")
		}
		hint := spell.Hint(e.Name, known)
		if hint == "" && len(known) > 0 && len(known) <= mostFields {
			hint = ": fields are " + strings.Join(known, ", ")
		}
		return s.fail(e, "there is no field %q%s", e.Name, hint)
	}
	s.c.use(e.At, f.Pos)
	out := base.part()
	out.Type = f.Type
	out.Offset += f.Offset
	return out
}

// mostFields is how many fields are listed where one is unknown.
const mostFields = 8
