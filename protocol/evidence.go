package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// What states have that makes a part of a formula, or a guard, true or false.

// value evaluates a term in a state.
func (x *explainer) value(t *Term, frame []int32, s *State) int32 {
	e := &evaluation{m: x.x.Model, state: s, frame: slices.Clone(frame), packets: x.packets, outs: map[[2]int]Message{}}
	return e.value(t)
}

func (x *explainer) is(p part, s *State) bool { return x.value(p.t, p.frame, s) == 1 }

// defined reports whether a part has a value in a state: parts that other parts guard need not have one.
func (x *explainer) defined(p part, s *State) bool {
	var err error
	func() {
		defer catch(&err)
		x.is(p, s)
	}()
	return err == nil
}

// has reports whether a part has a truth value in a state.
func (x *explainer) has(p part, want bool, s *State) bool {
	return x.defined(p, s) && x.is(p, s) == want
}

// most bounds how many values of a variable are shown.
const most = 3

// evidence lists what gives a part its value in a state: comparisons with what is compared, conditions, processes.
func (x *explainer) evidence(p part, want bool, s *State) (out []string) {
	list := x.parts(p)
	switch op := p.t.Op; {
	case op == In && x.acting >= 0: // from whom something is received is told
		return nil
	case list == nil:
		return x.processes(p, want, s)
	case op == Not:
		return x.evidence(list[0], !want, s)
	case op == And, op == Or, op == Implies:
		for i, q := range list {
			value := want != (op == Implies && i == 0)
			if !x.has(q, value, s) {
				continue
			}
			out = append(out, x.evidence(q, value, s)...)
			if op == Or && want || op == Implies && want { // one is enough
				return out
			}
		}
		return out
	case op == ForAll || op == Exists:
		if (op == ForAll) == want {
			return x.throughoutRange(p, want, s)
		}
		for v := p.t.Range.Type.Lo; v <= p.t.Range.Type.Hi && len(out) < most; v++ {
			if q, ok := x.bound(p, v); ok && x.has(q, want, s) {
				out = append(out, x.evidence(q, want, s)...)
			}
		}
		return out
	case op == Eq, op == Ne, op == Lt, op == Le, op == Gt, op == Ge, op == Chain:
		return x.sides(list, s)
	}
	if (p.t.Op == Undefined) == want && x.idle(p, s) {
		return nil
	}
	text := x.unfolded(p.e).text(Not.strength())
	if !want {
		text = "not " + text
	}
	return []string{text}
}

// sides shows what is compared.
func (x *explainer) sides(list []part, s *State) (out []string) {
	for _, p := range list {
		if p.t.Type == nil || !p.t.Type.Scalar() || x.plain(p) || !x.defined(p, s) {
			continue
		}
		v := x.value(p.t, p.frame, s)
		text, value := p.e.text(Eq.strength()+1), p.t.Type.Format(v)
		if v == Undef {
			value = "undefined"
		}
		if text == value { // a value of an enumeration
			continue
		}
		text += " = " + value
		if who := x.counted(p, s); who != "" {
			text += " (" + who + ")"
		}
		out = append(out, text)
	}
	return out
}

// plain reports whether a value goes without saying: that of numbers, and of what a message says that is told.
func (x *explainer) plain(p part) bool {
	return p.e.numbers() || x.acting >= 0 && p.t.Op == opPlace && p.t.Base == BaseMsg
}

// numbers reports whether there are only numbers in an expression.
func (e *Expr) numbers() bool {
	switch e.Op {
	case Number:
		return true
	case Plus, Sub, Minus, Times, Div, Mod:
		return !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !a.numbers() })
	}
	return false
}

// counted names the processes that a number counts.
func (x *explainer) counted(p part, s *State) string {
	heard := x.unfolded(p.e).hears()
	var names []string
	var walk func(t *Term) bool
	walk = func(t *Term) bool {
		switch {
		case t.Op == Plus:
			return walk(t.Args[0]) && walk(t.Args[1])
		case t.Op == Times && t.Args[0].Op == Number:
			return walk(t.Args[1])
		case t.Op != Count || t.Range.Type.Kind != KindRole:
			return false
		}
		frame := slices.Clone(p.frame)
		for v := t.Range.Type.Lo; v <= t.Range.Type.Hi; v++ {
			frame[t.Var] = v
			if x.has(part{p.e, t.Args[0], frame}, true, s) {
				names = append(names, x.Model.ProcessName(x.Model.Roles[t.Range.Type.Role].First+int(v)-1))
			}
		}
		return true
	}
	if !walk(p.t) || len(names) == 0 {
		return ""
	}
	if heard {
		return "from " + Enumerate(names)
	}
	return Enumerate(names)
}

// hears reports whether an expression counts from whom something was heard.
func (e *Expr) hears() bool {
	return e.Op == Call && (e.Name == "heard" || e.Name == "arrived") || slices.ContainsFunc(e.Args, (*Expr).hears)
}

// processes names those that decide all(...) and some(...) of a text for all sizes; whatever else has no structure
// that is known is shown by itself.
func (x *explainer) processes(p part, want bool, s *State) []string {
	var names []string
	x.eachProcess(p.t, p.frame, s, func(process int, is bool) {
		if is == want {
			names = append(names, x.Model.ProcessName(process))
		}
	})
	if p.e != x.whole && x.source != nil && p.e.Op == Call && len(p.e.Args) == 1 && len(names) > 0 && want == (p.e.Name == "some") {
		if list := x.each(p, want, s); list != nil {
			return list
		}
	}
	switch {
	case p.t.Op == opPlace && p.e.Op != Call || x.source == nil && !slices.Contains([]Op{And, Or, Implies, Not}, p.e.Op):
		if want {
			return []string{p.e.String()}
		}
		if x.idle(p, s) {
			return nil
		}
		return []string{"not " + p.e.text(Not.strength())}
	case x.source == nil || p.e.Op != Call || len(names) == 0:
		return nil
	case want && p.e.Name == "some":
		return []string{"of " + Enumerate(names)}
	case !want && p.e.Name != "some":
		return []string{"not of " + Enumerate(names)}
	}
	return nil
}

// each says of the processes that decide all(...) or some(...) what they have that does so, of those that have the same together.
func (x *explainer) each(p part, want bool, s *State) (out []string) {
	var order []string
	names := map[string][]string{}
	x.eachTerm(p.t, p.frame, s, func(process int, t *Term, frame []int32) {
		q := part{p.e.Args[0], t, frame}
		if !x.has(q, want, s) || !x.alike(q.e, t) {
			return
		}
		text := strings.Join(distinct(x.evidence(q, want, s)), ", ")
		if names[text] == nil {
			order = append(order, text)
		}
		names[text] = append(names[text], x.Model.ProcessName(process))
	})
	for _, text := range order {
		if text == "" {
			return nil
		}
		out = append(out, Enumerate(names[text])+": "+text)
	}
	return out
}

// eachProcess calls f with the processes that a term of an instance quantifies over, and whether what it says of
// them is true: forall (p) counted -> here, exists (p) counted and here, and several of these.
func (x *explainer) eachProcess(t *Term, frame []int32, s *State, f func(process int, is bool)) {
	x.eachTerm(t, frame, s, func(process int, t *Term, frame []int32) { f(process, x.value(t, frame, s) == 1) })
}

// eachTerm does so with what it says of them, for the values of a frame.
func (x *explainer) eachTerm(t *Term, frame []int32, s *State, f func(process int, t *Term, frame []int32)) {
	switch {
	case t.Op == And, t.Op == Or:
		for _, a := range t.Args {
			x.eachTerm(a, frame, s, f)
		}
	case (t.Op == ForAll || t.Op == Exists) && t.Range.Type.Kind == KindRole && (t.Args[0].Op == Implies || t.Args[0].Op == And):
		inner := slices.Clone(frame)
		body := t.Args[0]
		for v := t.Range.Type.Lo; v <= t.Range.Type.Hi; v++ {
			inner[t.Var] = v
			if x.value(body.Args[0], inner, s) == 1 {
				f(x.Model.Roles[t.Range.Type.Role].First+int(v)-1, body.Args[len(body.Args)-1], slices.Clone(inner))
			}
		}
	}
}

// guard is the guard of a rule, with the text's own words, for values of its parameters; false if there is none.
func (x *explainer) guard(rule int, frame []int32) (part, bool) {
	t := &x.Model.Rules[rule]
	e, g := x.guardOf(rule), t.Guard
	if e == nil || g == nil {
		return part{}, false
	}
	full := make([]int32, t.Frame)
	copy(full, frame)
	return part{x.named(e, t, full), x.asked(rule), full}, true
}

// asked is the guard of a rule without what stands before it: what is asked of a process that may be faulty, or the kind of a message.
func (x *explainer) asked(rule int) *Term {
	g := x.Model.Rules[rule].Guard
	switch {
	case x.source != nil && x.Model.origins.behind[x.Model.Rules[rule].Label]:
		return g.Args[len(g.Args)-1]
	case x.source == nil && x.ruleOf(rule).Head != nil: // see conjunction
		if rest := g.Args[1:]; len(rest) > 1 {
			return &Term{Op: And, Pos: g.Pos, Width: g.Width, Type: boolType, Args: rest}
		}
		return g.Args[1]
	}
	return g
}

// guardOf is what a rule asks before it does anything: that one of its guards is true; nil if it asks for nothing.
func (x *explainer) guardOf(rule int) *Expr {
	if x.source == nil {
		if r := x.ruleOf(rule); r != nil {
			if _, only := onlyIf(r.Body); only != nil {
				return only.If.Guards[0]
			}
		}
		return nil
	}
	o := x.Model.Origin(rule)
	for _, r := range x.source.Rules {
		if r.Label.Name == o.Name && (o.Act == ActOwn || o.Act == ActCrashIn || o.Act == ActFaulty) {
			return r.guard()
		}
	}
	return nil
}

// alike reports whether a term has the structure of a guard, as far as this is taken apart.
func (x *explainer) alike(e *Expr, t *Term) bool {
	e = x.unfolded(e)
	switch e.Op {
	case And, Or, Not, Implies, Eq, Ne, Lt, Le, Gt, Ge:
		if e.Op != t.Op || len(e.Args) != len(t.Args) {
			return false
		}
		for i, a := range e.Args {
			if !x.alike(a, t.Args[i]) {
				return false
			}
		}
		return true
	}
	return t.Op != And && t.Op != Or && t.Op != Implies
}

// named puts values in place of the parameters of a rule.
func (x *explainer) named(e *Expr, t *Transition, frame []int32) *Expr {
	with := map[string]*Expr{}
	for i := range t.Params {
		if p := &t.Params[i]; p.Type.Scalar() && !(x.general && i == t.Executor) {
			with[p.Name] = &Expr{Op: Name, Name: p.Type.Format(frame[t.Cell(i)])}
		}
	}
	return e.putting(with)
}

// sees says what a condition sees in a state, and whether it is true. What is not the case is no
// reason to do something, and what a message says is told with it.
func (x *explainer) sees(g part, s *State) (seen []string, holds bool) {
	var none error // parts of a guard may have no value by themselves: then nothing is said of it
	defer catch(&none)
	if !x.defined(g, s) { // of messages that are not there
		return nil, false
	}
	holds = x.is(g, s)
	outer := x.refused
	x.refused = !holds
	defer func() { x.refused = outer }()
	list := distinct(x.evidence(g, holds, s))
	return slices.DeleteFunc(list, func(text string) bool {
		return x.acting >= 0 && strings.HasPrefix(strings.TrimPrefix(text, "not "), "msg")
	}), holds
}

// stepText names a step with who takes it.
func (x *explainer) stepText(k int) string {
	return fmt.Sprintf("step %d: %s", k, x.Model.Describe(x.Events[k]))
}

// idle reports whether a part is only about the process whose guard is looked at, and about what it has not done yet: that is no
// reason to do something.
func (x *explainer) idle(p part, s *State) bool {
	if x.acting < 0 || x.refused {
		return false
	}
	e := &evaluation{m: x.x.Model, state: s, frame: slices.Clone(p.frame), packets: x.packets, outs: map[[2]int]Message{}}
	out := spots{}
	(&reader{evaluation: e}).read(p.t, exactly, out)
	for at := range out {
		if at.at != x.acting || at.kind != spotCell {
			return false
		}
	}
	return true
}
