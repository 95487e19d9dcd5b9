package tla

import (
	"reflect"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
)

// evaluator gives values to expressions. A state's numbers and the constants are symbols; everything else has to be
// known.
type evaluator struct {
	m     *Module
	defs  map[string]*Definition
	vars  map[string]value // of the state
	steps int
	depth int
}

// Limits of what is evaluated.
const (
	maxSteps    = 400_000
	maxBranches = 2_000
	maxSet      = 1_000
	maxCalls    = 100
)

// env binds names; it is immutable.
type env struct {
	name string
	v    value       // nil for definitions
	def  *Definition // of LET
	in   *env        // where the definition stands
	next *env
}

func (e *env) bind(name string, v value) *env { return &env{name: name, v: v, next: e} }

func (e *env) lookup(name string) *env {
	for ; e != nil; e = e.next {
		if e.name == name {
			return e
		}
	}
	return nil
}

func (ev *evaluator) fail(e *Expr, format string, args ...any) {
	panic(diag.Wrong(e.Pos, max(1, e.Width), format, args...))
}

func (ev *evaluator) step(e *Expr) {
	if ev.steps++; ev.steps > maxSteps {
		ev.fail(e, "this takes too many steps to evaluate")
	}
}

// eval returns the value of an expression without primes.
func (ev *evaluator) eval(e *Expr, in *env) value {
	ev.step(e)
	switch e.Op {
	case "()":
		return ev.eval(e.Args[0], in)
	case "number":
		return constant(linear.Big(e.Number))
	case "string":
		return str(e.Name)
	case "bool":
		return truth(e.Name == "TRUE")
	case "name":
		return ev.name(e, in)
	case "@":
		if at := in.lookup("@"); at != nil {
			return at.v
		}
		ev.fail(e, "@ stands for nothing here")
	case "+", "-", "*", "\\div", "minus":
		return ev.arithmetic(e, in)
	case "/\\", "\\/", "~", "=>", "<=>", "=", "#", "<", ">", "<=", ">=", "\\in", "\\notin", "\\E", "\\A", "\\subseteq":
		return ev.truth(e, in)
	case "if":
		return ev.choice(e, in)
	case "let":
		return ev.eval(e.Args[0], ev.local(e, in))
	case "set", "filter", "map", "..", "\\union", "\\intersect", "\\":
		return ev.set(e, in)
	case "tuple", "function", "record", "apply", "except", "functions":
		return ev.function(e, in)
	case "unread":
		ev.fail(e, "%s", e.Name)
	case "no case":
		ev.fail(e, "no condition of this CASE holds here, and it has no OTHER")
	case "prime", "UNCHANGED":
		ev.fail(e, "a next value is read where a state is described")
	}
	ev.fail(e, "`%s` is outside of what is read", e.Op)
	return nil
}

func truth(b bool) cond {
	if b {
		return yes
	}
	return no
}

func (ev *evaluator) local(e *Expr, in *env) *env {
	for _, d := range e.Defs {
		in = &env{name: d.Name, def: d, in: in, next: in}
	}
	return in
}

// name returns what a name stands for.
func (ev *evaluator) name(e *Expr, in *env) value {
	if b := in.lookup(e.Name); b != nil && b.def == nil {
		return b.v
	}
	if body, inner := ev.call(e, in); body != nil {
		defer func() { ev.depth-- }()
		return ev.eval(body, inner)
	}
	switch e.Name {
	case "Nat":
		return naturals{}
	case "Int":
		return naturals{true}
	case "BOOLEAN":
		return set{yes, no}
	}
	if v, is := ev.vars[e.Name]; is {
		return v
	}
	for _, v := range ev.m.Variables {
		if v.text == e.Name {
			ev.fail(e, "%s has no value yet", e.Name)
		}
	}
	ev.fail(e, "unknown name %s", e.Name)
	return nil
}

// call returns the body of a definition with its arguments bound; nil if the name is not one of a definition. The
// caller decreases depth.
func (ev *evaluator) call(e *Expr, in *env) (*Expr, *env) {
	d, inner := ev.defs[e.Name], (*env)(nil)
	if b := in.lookup(e.Name); b != nil {
		d, inner = b.def, b.in
	}
	if d == nil {
		return nil, nil
	}
	if len(d.Params) != len(e.Args) {
		ev.fail(e, "%s takes %d arguments, not %d", d.Name, len(d.Params), len(e.Args))
	}
	if ev.depth++; ev.depth > maxCalls {
		ev.fail(e, "definitions are nested too deeply: %s", d.Name)
	}
	for i, p := range d.Params {
		inner = inner.bind(p, ev.eval(e.Args[i], in))
	}
	return d.Body, inner
}

func (ev *evaluator) number(e *Expr, in *env) lin { return valueAs[lin](ev, e, in, "number") }
func (ev *evaluator) cond(e *Expr, in *env) cond  { return valueAs[cond](ev, e, in, "truth value") }

// valueAs evaluates what has to be of a kind.
func valueAs[V value](ev *evaluator, e *Expr, in *env, kind string) V {
	v, ok := ev.eval(e, in).(V)
	if !ok {
		ev.fail(e, "expected a %s", kind)
	}
	return v
}

func (ev *evaluator) arithmetic(e *Expr, in *env) value {
	left := ev.number(e.Args[0], in)
	if e.Op == "minus" {
		return left.Neg()
	}
	right := ev.number(e.Args[1], in)
	switch {
	case e.Op == "+":
		return left.Add(right)
	case e.Op == "-":
		return left.Sub(right)
	case e.Op == "*" && left.IsConst():
		return right.Scale(left.Const())
	case e.Op == "*" && right.IsConst():
		return left.Scale(right.Const())
	case e.Op == "\\div" && left.IsConst() && right.IsConst() && right.Const().Sign() > 0:
		return left.Over(right.Const())
	}
	ev.fail(e, "this is not linear")
	return nil
}

// truth returns the value of what is true or false.
func (ev *evaluator) truth(e *Expr, in *env) cond {
	switch e.Op {
	case "/\\":
		out := yes
		for _, a := range e.Args {
			if out = boolean.And(out, ev.cond(a, in)); out.IsFalse() {
				break
			}
		}
		return out
	case "\\/":
		out := no
		for _, a := range e.Args {
			if out = boolean.Or(out, ev.cond(a, in)); out.IsTrue() {
				break
			}
		}
		return out
	case "~":
		return ev.cond(e.Args[0], in).Negate()
	case "=>":
		if left := ev.cond(e.Args[0], in); !left.IsFalse() {
			return boolean.Or(left.Negate(), ev.cond(e.Args[1], in))
		}
		return yes
	case "<=>":
		a, b := ev.cond(e.Args[0], in), ev.cond(e.Args[1], in)
		return boolean.Or(boolean.And(a, b), boolean.And(a.Negate(), b.Negate()))
	case "\\E", "\\A":
		list := lists.Map(ev.each(e, e.Bound, in), func(inner *env) cond { return ev.cond(e.Args[0], inner) })
		if e.Op == "\\E" {
			return boolean.Or(list...)
		}
		return boolean.And(list...)
	case "=", "#":
		c := ev.equal(e, ev.eval(e.Args[0], in), ev.eval(e.Args[1], in))
		if e.Op == "#" {
			c = c.Negate()
		}
		return c
	case "\\in", "\\notin":
		c := ev.member(e, ev.eval(e.Args[0], in), ev.eval(e.Args[1], in))
		if e.Op == "\\notin" {
			c = c.Negate()
		}
		return c
	}
	return ev.comparison(e, in)
}

// comparison returns the value of a comparison of numbers.
func (ev *evaluator) comparison(e *Expr, in *env) cond {
	if e.Op == "\\subseteq" {
		ev.fail(e, "`\\subseteq` is outside of what is read")
	}
	left, right := ev.number(e.Args[0], in), ev.number(e.Args[1], in)
	switch e.Op {
	case "<":
		return compare(right.Sub(left).Plus(-1), ">=")
	case ">":
		return compare(left.Sub(right).Plus(-1), ">=")
	case "<=":
		return compare(right.Sub(left), ">=")
	}
	return compare(left.Sub(right), ">=")
}

// equal says where two values are the same.
func (ev *evaluator) equal(e *Expr, a, b value) cond {
	switch x := a.(type) {
	case lin:
		if y, ok := b.(lin); ok {
			return compare(x.Sub(y), "==")
		}
	case cond:
		if y, ok := b.(cond); ok {
			return boolean.Or(boolean.And(x, y), boolean.And(x.Negate(), y.Negate()))
		}
	case *fun:
		if y, ok := b.(*fun); ok {
			return ev.equalFuns(e, x, y)
		}
	}
	if isKnown(a) && isKnown(b) {
		return truth(show(a) == show(b))
	}
	ev.fail(e, "these cannot be compared")
	return no
}

func (ev *evaluator) equalFuns(e *Expr, x, y *fun) cond {
	if len(x.keys) != len(y.keys) {
		return no
	}
	out := yes
	for _, k := range x.keys {
		other, there := y.values[show(k)]
		if !there {
			return no
		}
		out = boolean.And(out, ev.equal(e, x.values[show(k)], other))
	}
	return out
}

// member says where a value is in a set.
func (ev *evaluator) member(e *Expr, v, in value) cond {
	switch s := in.(type) {
	case set:
		var list []cond
		for _, x := range s {
			if sameKind(v, x) {
				list = append(list, ev.equal(e, v, x))
			}
		}
		return boolean.Or(list...)
	case span:
		if l, ok := v.(lin); ok {
			return boolean.And(compare(l.Sub(s.low), ">="), compare(s.high.Sub(l), ">="))
		}
	case naturals:
		if l, ok := v.(lin); ok {
			if s.negative {
				return yes
			}
			return compare(l, ">=")
		}
	case funs:
		if f, ok := v.(*fun); ok {
			return ev.memberFun(e, f, s)
		}
	}
	ev.fail(e, "this set is outside of what is read")
	return no
}

func sameKind(a, b value) bool {
	switch a.(type) {
	case lin, cond, str:
		return reflect.TypeOf(a) == reflect.TypeOf(b)
	}
	return true
}

func (ev *evaluator) memberFun(e *Expr, f *fun, s funs) cond {
	domain := ev.elements(e, s.from)
	if len(domain) != len(f.keys) {
		return no
	}
	out := yes
	for _, k := range domain {
		v, there := f.values[show(k)]
		if !there {
			return no
		}
		out = boolean.And(out, ev.member(e, v, s.to))
	}
	return out
}

// elements lists a set that is known.
func (ev *evaluator) elements(e *Expr, v value) set {
	switch s := v.(type) {
	case set:
		return s
	case span:
		if !s.low.IsConst() || !s.high.IsConst() {
			ev.fail(e,
				"this set depends on constants or the state: only sets that are the same in all instances can be "+
					"gone through")
		}
		var out set
		for n := s.low.Const(); n.Cmp(s.high.Const()) <= 0; n = n.Add(linear.N(1)) {
			if out = append(out, constant(n)); len(out) > maxSet {
				ev.fail(e, "this set is too large")
			}
		}
		return out
	}
	ev.fail(e, "expected a set whose elements are known")
	return nil
}

// each returns an environment for each choice of bound names.
func (ev *evaluator) each(e *Expr, bounds []Bound, in *env) []*env {
	list := []*env{in}
	for _, b := range bounds {
		elements := ev.elements(b.Set, ev.eval(b.Set, in))
		for _, name := range b.Names {
			var next []*env
			for _, inner := range list {
				for _, x := range elements {
					ev.step(e)
					if next = append(next, inner.bind(name, x)); len(next) > maxSet*10 {
						ev.fail(e, "this goes through too many values")
					}
				}
			}
			list = next
		}
	}
	return list
}

// choice returns the value of IF, whose condition has to be known unless the value is a number or a truth value.
func (ev *evaluator) choice(e *Expr, in *env) value {
	c := ev.cond(e.Args[0], in)
	switch {
	case c.IsTrue():
		return ev.eval(e.Args[1], in)
	case c.IsFalse():
		return ev.eval(e.Args[2], in)
	}
	yes, isCond := ev.eval(e.Args[1], in).(cond)
	no, both := ev.eval(e.Args[2], in).(cond)
	if !isCond || !both {
		ev.fail(e,
			"this condition depends on the state or the constants: only actions and truth values may be chosen by it")
	}
	return boolean.Or(boolean.And(c, yes), boolean.And(c.Negate(), no))
}

func (ev *evaluator) set(e *Expr, in *env) value {
	switch e.Op {
	case "..":
		return span{ev.number(e.Args[0], in), ev.number(e.Args[1], in)}
	case "set":
		var out set
		for _, a := range e.Args {
			out = ev.put(a, out, ev.eval(a, in))
		}
		return out
	case "filter", "map":
		return ev.comprehension(e, in)
	}
	left, right := ev.elements(e.Args[0], ev.eval(e.Args[0], in)), ev.elements(e.Args[1], ev.eval(e.Args[1], in))
	out := set{}
	has := func(s set, v value) bool {
		return slices.ContainsFunc(s, func(x value) bool { return show(x) == show(v) })
	}
	for _, v := range left {
		if e.Op == "\\union" || has(right, v) == (e.Op == "\\intersect") {
			out = append(out, v)
		}
	}
	if e.Op == "\\union" {
		for _, v := range right {
			out = ev.put(e, out, v)
		}
	}
	return out
}

func (ev *evaluator) comprehension(e *Expr, in *env) set {
	out := set{}
	for _, inner := range ev.each(e, e.Bound, in) {
		if e.Op == "map" {
			out = ev.put(e, out, ev.eval(e.Args[0], inner))
			continue
		}
		c := ev.cond(e.Args[0], inner)
		if !c.IsTrue() && !c.IsFalse() {
			ev.fail(e, "this set depends on the state or the constants")
		}
		if c.IsTrue() {
			out = append(out, inner.v)
		}
	}
	return out
}

// put adds a value, which has to be known, to a set.
func (ev *evaluator) put(e *Expr, s set, v value) set {
	if !isKnown(v) {
		ev.fail(e, "elements of sets have to be known: this one depends on the state or the constants")
	}
	if slices.ContainsFunc(s, func(x value) bool { return show(x) == show(v) }) {
		return s
	}
	if len(s) >= maxSet {
		ev.fail(e, "this set is too large")
	}
	return append(s, v)
}

func (ev *evaluator) function(e *Expr, in *env) value {
	f := newFun()
	switch e.Op {
	case "tuple":
		for i, a := range e.Args {
			f.put(constant(linear.N(int64(i+1))), ev.eval(a, in))
		}
	case "record":
		for i, a := range e.Args {
			f.put(str(e.Keys[i][0].Name), ev.eval(a, in))
		}
	case "function":
		if len(e.Bound) != 1 || len(e.Bound[0].Names) != 1 {
			ev.fail(e, "functions of several arguments are outside of what is read")
		}
		for _, inner := range ev.each(e, e.Bound, in) {
			f.put(inner.v, ev.eval(e.Args[0], inner))
		}
	case "functions":
		return funs{ev.eval(e.Args[0], in), ev.eval(e.Args[1], in)}
	case "apply":
		return ev.apply(e, in)
	case "except":
		return ev.except(e, in)
	}
	return f
}

func (ev *evaluator) apply(e *Expr, in *env) value {
	v := ev.eval(e.Args[0], in)
	for _, arg := range e.Args[1:] {
		f, ok := v.(*fun)
		if !ok {
			ev.fail(e, "this is not a function")
		}
		key := ev.eval(arg, in)
		if v, ok = f.values[show(key)]; !ok {
			ev.fail(e, "the function has no value at %s", show(key))
		}
	}
	return v
}

func (ev *evaluator) except(e *Expr, in *env) value {
	old, ok := ev.eval(e.Args[0], in).(*fun)
	if !ok {
		ev.fail(e, "EXCEPT is for functions")
	}
	f := newFun()
	for _, k := range old.keys {
		f.put(k, old.values[show(k)])
	}
	for i, keys := range e.Keys {
		if len(keys) != 1 {
			ev.fail(e, "EXCEPT with several keys at once is outside of what is read")
		}
		key := ev.eval(keys[0], in)
		was, there := f.values[show(key)]
		if !there {
			ev.fail(keys[0], "the function has no value at %s", show(key))
		}
		f.put(key, ev.eval(e.Args[i+1], in.bind("@", was)))
	}
	return f
}
