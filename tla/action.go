package tla

import (
	"maps"
	"slices"
)

// branch is one way to satisfy an action, or to begin: conditions on the state, and next values.
type branch struct {
	guards []cond
	next   map[string]value // by variable
	name   string           // of the outermost definition that it is part of
	at     *Expr
}

// called names the action in messages.
func (b branch) called() string {
	if b.name == "" {
		return "this action"
	}
	return "the action " + b.name
}

func (b branch) with(c cond) branch {
	b.guards = append(b.guards[:len(b.guards):len(b.guards)], c)
	return b
}

// actions reads an action, or the initial condition. What is assigned are next values, or values.
type actions struct {
	*evaluator
	initial bool
	count   int
}

// run returns all ways to satisfy an expression after those of b.
func (x *actions) run(e *Expr, in *env, b branch) []branch {
	x.step(e)
	x.begun(b)
	switch e.Op {
	case "()":
		return x.run(e.Args[0], in, b)
	case "/\\":
		return x.through(e.Args, b, func(a *Expr, way branch) []branch { return x.run(a, in, way) })
	case "\\/":
		var list []branch
		for _, a := range e.Args {
			list = append(list, x.counted(e, x.run(a, in, b))...)
		}
		return list
	case "\\E":
		var list []branch
		for _, inner := range x.each(e, e.Bound, in) {
			list = append(list, x.counted(e, x.run(e.Args[0], inner, b))...)
		}
		return list
	case "let":
		return x.run(e.Args[0], x.local(e, in), b)
	case "if":
		return x.decided(e, in, b)
	case "name":
		return x.named(e, in, b)
	case "UNCHANGED":
		return x.unchanged(e.Args[0], in, b)
	case "=", "\\in":
		if v := x.assigned(e.Args[0]); v != "" {
			return x.assign(e, v, in, b)
		}
	}
	if x.primed(e, in, 0) {
		x.fail(e, "a next value may be given by `x' = ...`, `x' \\in ...` and UNCHANGED only, "+
			"in conjunctions, disjunctions, \\E, IF and LET")
	}
	c := x.cond(e, in)
	if c.IsFalse() {
		return nil
	}
	if c.IsTrue() {
		return []branch{b}
	}
	return []branch{b.with(c)}
}

// begun lets Init read what it has given values to so far.
func (x *actions) begun(b branch) {
	if !x.initial {
		return
	}
	for _, v := range x.m.Variables {
		if got, there := b.next[v.text]; there {
			x.vars[v.text] = got
		} else {
			delete(x.vars, v.text)
		}
	}
}

func (x *actions) counted(e *Expr, list []branch) []branch {
	if x.count += len(list); x.count > maxBranches {
		x.fail(e, "the action has more than %d ways to happen", maxBranches)
	}
	return list
}

func (x *actions) decided(e *Expr, in *env, b branch) []branch {
	c := x.cond(e.Args[0], in)
	var list []branch
	if !c.IsFalse() {
		with := b
		if !c.IsTrue() {
			with = b.with(c)
		}
		list = x.run(e.Args[1], in, with)
	}
	if !c.IsTrue() {
		with := b
		if !c.IsFalse() {
			with = b.with(c.Negate())
		}
		list = append(list, x.run(e.Args[2], in, with)...)
	}
	return x.counted(e, list)
}

// named goes into the definition of an action.
func (x *actions) named(e *Expr, in *env, b branch) []branch {
	body, inner := x.call(e, in)
	if body == nil {
		return []branch{b.with(x.cond(e, in))}
	}
	defer func() { x.depth-- }()
	if b.name == "" {
		b.name, b.at = e.Name, e
	}
	if body.Op == "unread" {
		x.fail(body, "%s cannot be read: %s", e.Name, body.Name)
	}
	return x.run(body, inner, b)
}

// assigned returns the variable to which an expression on the left of = or \in gives a value; "" if there is none.
func (x *actions) assigned(e *Expr) string {
	if e.Op == "()" {
		return x.assigned(e.Args[0])
	}
	if !x.initial {
		if e.Op != "prime" {
			return ""
		}
		e = e.Args[0]
	}
	if e.Op != "name" || len(e.Args) > 0 {
		return ""
	}
	for _, v := range x.m.Variables {
		if v.text == e.Name {
			return e.Name
		}
	}
	return ""
}

// assign gives a value to a variable, or asks that it has this value already.
func (x *actions) assign(e *Expr, v string, in *env, b branch) []branch {
	set := value(nil)
	var choices []value
	switch listed := x.listed(e.Args[1], in); {
	case e.Op == "=":
		choices = []value{x.eval(e.Args[1], in)}
	case listed != nil:
		return x.oneOf(e, v, listed, in, b)
	default:
		set = x.eval(e.Args[1], in)
	}
	if old, twice := b.next[v]; twice {
		if set != nil {
			return []branch{b.with(x.member(e, old, set))}
		}
		return []branch{b.with(x.equal(e, old, choices[0]))}
	}
	if set != nil && x.initial {
		if shaped, ok := x.any(e, v, set); ok {
			next := maps.Clone(b.next)
			next[v] = shaped
			b.next = next
			return []branch{b.with(x.member(e, shaped, set))}
		}
	}
	if set != nil {
		choices = x.elements(e.Args[1], set)
	}
	var list []branch
	for _, c := range choices {
		next := maps.Clone(b.next)
		next[v] = c
		way := b
		way.next = next
		list = append(list, way)
	}
	return x.counted(e, list)
}

// listed returns the elements of a set that is written down if they depend on the state or the constants; nil
// otherwise.
func (x *actions) listed(e *Expr, in *env) []*Expr {
	for e.Op == "()" {
		e = e.Args[0]
	}
	if e.Op != "set" {
		return nil
	}
	for _, a := range e.Args {
		if !isKnown(x.eval(a, in)) {
			return e.Args
		}
	}
	return nil
}

// oneOf gives a variable one of some values.
func (x *actions) oneOf(e *Expr, v string, choices []*Expr, in *env, b branch) (list []branch) {
	for _, c := range choices {
		way := *e
		way.Op, way.Args = "=", []*Expr{e.Args[0], c}
		list = append(list, x.assign(&way, v, in, b)...)
	}
	return x.counted(e, list)
}

// any returns a value of the shape of a set's elements, made of symbols.
func (x *actions) any(e *Expr, name string, s value) (value, bool) {
	switch s := s.(type) {
	case naturals:
		return symbol(name), !s.negative
	case span:
		return symbol(name), !s.low.IsConst() || s.low.Const().Sign() >= 0
	case set:
		for _, v := range s {
			if _, number := v.(lin); !number {
				return nil, false
			}
		}
		return symbol(name), len(s) > 0
	case funs:
		f := newFun()
		for _, k := range x.elements(e, s.from) {
			v, ok := x.any(e, name+"_"+plain(k), s.to)
			if !ok {
				return nil, false
			}
			f.put(k, v)
		}
		return f, true
	}
	return nil, false
}

// through is what becomes of a branch where all of some expressions hold, one after the other.
func (x *actions) through(all []*Expr, b branch, run func(e *Expr, way branch) []branch) []branch {
	list := []branch{b}
	for _, e := range all {
		var next []branch
		for _, way := range list {
			next = append(next, run(e, way)...)
		}
		list = next
	}
	return list
}

// unchanged keeps variables as they are.
func (x *actions) unchanged(e *Expr, in *env, b branch) []branch {
	switch e.Op {
	case "()":
		return x.unchanged(e.Args[0], in, b)
	case "tuple":
		return x.through(e.Args, b, func(a *Expr, way branch) []branch { return x.unchanged(a, in, way) })
	case "name":
		if v, is := x.vars[e.Name]; is && x.isVariable(e.Name) {
			if old, twice := b.next[e.Name]; twice {
				return []branch{b.with(x.equal(e, old, v))}
			}
			next := maps.Clone(b.next)
			next[e.Name] = v
			b.next = next
			return []branch{b}
		}
		if d := x.defs[e.Name]; d != nil && len(d.Params) == 0 && len(e.Args) == 0 {
			if x.depth++; x.depth > maxCalls {
				x.fail(e, "definitions are nested too deeply: %s", d.Name)
			}
			defer func() { x.depth-- }()
			return x.unchanged(d.Body, nil, b)
		}
	}
	x.fail(e, "UNCHANGED is for variables and tuples of them")
	return nil
}

func (ev *evaluator) isVariable(name string) bool {
	return slices.ContainsFunc(ev.m.Variables, func(v token) bool { return v.text == name })
}

// primed reports whether a next value is read or given in an expression.
func (x *actions) primed(e *Expr, in *env, depth int) bool {
	x.step(e)
	if e.Op == "prime" || e.Op == "UNCHANGED" {
		return true
	}
	for _, a := range e.Args {
		if x.primed(a, in, depth) {
			return true
		}
	}
	if e.Op == "name" && depth < maxCalls {
		if b := in.lookup(e.Name); b != nil && b.def != nil {
			return x.primed(b.def.Body, b.in, depth+1)
		} else if d := x.defs[e.Name]; b == nil && d != nil {
			return x.primed(d.Body, nil, depth+1)
		}
	}
	return false
}
