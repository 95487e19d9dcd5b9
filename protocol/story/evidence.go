package story

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// What states have that makes a part of a formula, or a guard, true or false.

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

// most bounds how many values of a variable are shown.
const most = 3

// fact is a part of the evidence.
type fact struct {
	of   string // of which values of variables, or of which processes, where others have other facts; "" for all
	text string
}

// facts are texts that are so of all.
func facts(list ...string) []fact {
	return lists.Map(list, func(text string) fact { return fact{text: text} })
}

// within says of facts of which values or processes they are.
func within(of string, list []fact) []fact {
	return lists.Map(list, func(f fact) fact {
		if f.of != "" {
			f.of = ", " + strings.TrimPrefix(f.of, forValues)
		}
		return fact{of + f.of, f.text}
	})
}

// forValues is how facts of values begin.
const forValues = "for "

// mostGroups is how many groups of facts are read.
const mostGroups = 8

// inWords are facts as they are read, each once: those of the same values, or of the same processes, together.
func inWords(list []fact) (out []string) {
	var by partition.Groups[string, string]
	for _, f := range list {
		by.Add(f.of, f.text)
	}
	var groups []string
	for of, texts := range by.All() {
		if texts = distinct(texts); of == "" {
			out = texts
		} else {
			groups = append(groups, of+": "+strings.Join(texts, ", "))
		}
	}
	if groups == nil {
		return out
	}
	if out != nil {
		groups = slices.Insert(groups, 0, strings.Join(out, ", "))
	}
	if len(groups) > mostGroups {
		groups = append(groups[:mostGroups], "and so on")
	}
	return []string{strings.Join(groups, "; ")}
}

// evidence lists what gives a part its value in a state: comparisons with what is compared, conditions, processes.
func (x *explainer) evidence(p part, want bool, s *protocol.State) (out []fact) {
	if cond, then, other := p.t.Either(); cond != nil && x.written(cond) && x.written(then) && x.written(other) &&
		chooses(x.text(p)) {
		q := part{cond, p.frame}
		if !x.defined(q, s) {
			return nil
		}
		is := x.is(q, s)
		if !fixed(cond) {
			out = x.evidence(q, is, s)
		}
		if q.t = other; is {
			q.t = then
		}
		return append(out, x.evidence(q, want, s)...)
	}
	list := x.parts(p)
	switch op := p.t.Op; {
	case op == ftdp.In && x.acting >= 0: // from whom something is received is told
		return nil
	case list == nil:
		return x.processes(p, want, s)
	case op == ftdp.Not:
		return x.evidence(list[0], !want, s)
	case op == ftdp.And, op == ftdp.Or, op == ftdp.Implies:
		return x.joined(p, list, want, s)
	case op == ftdp.Iff:
		for _, q := range list {
			if x.defined(q, s) && !fixed(q.t) {
				out = append(out, x.evidence(q, x.is(q, s), s)...)
			}
		}
		return out
	case op == ftdp.ForAll || op == ftdp.Exists:
		if (op == ftdp.ForAll) == want {
			return x.throughoutRange(p, want, s)
		}
		for v := p.t.Range.Type.Lo; v <= p.t.Range.Type.Hi && len(out) < most; v++ {
			if q, ok := x.bound(p, v); ok && x.has(q, want, s) {
				out = append(out, x.evidence(q, want, s)...)
			}
		}
		return out
	case op == ftdp.Eq, op == ftdp.Ne, op == ftdp.Lt, op == ftdp.Le, op == ftdp.Gt, op == ftdp.Ge, op == ftdp.Chain:
		return facts(x.sides(list, s)...)
	}
	if (p.t.Op == ftdp.Undefined) == want && x.idle(p, s) || x.received(x.meant(p)) {
		return nil
	}
	e := x.meant(p)
	if !want {
		e = denied(e)
	}
	return facts(e.Text(ftdp.Not.Strength()))
}

// chooses reports whether there is an if in an expression.
func chooses(e *ftdp.Expr) bool { return e.Op == ftdp.Choice || slices.ContainsFunc(e.Args, chooses) }

// joined is the evidence for a condition made of others: of one of them that is enough, or of all. A guard that is
// false is so for all reasons there are.
func (x *explainer) joined(p part, list []part, want bool, s *protocol.State) (out []fact) {
	op := p.t.Op
	either := (op == ftdp.Or || op == ftdp.Implies) == want && !(x.refused && !want)
	var so []claim
	for i, q := range list {
		c := claim{Part: q, Want: want != (op == ftdp.Implies && i == 0)}
		if x.has(q, c.Want, s) && (either || x.acting < 0 || x.refused || !fixed(q.t)) { // not what is so in all states
			so = append(so, c)
		}
	}
	for _, c := range so {
		if !either && x.evident(c, so, s) {
			continue
		}
		out = append(out, x.evidence(c.Part, c.Want, s)...)
		if either {
			break
		}
	}
	return out
}

// evident reports whether a claim says only that something has a value of which others say which.
func (x *explainer) evident(c claim, others []claim, s *protocol.State) bool {
	for op := c.Part.t.Op; op == ftdp.Not || op == ftdp.And && !c.Want || op == ftdp.Or && c.Want; op = c.Part.t.Op {
		list := x.parts(c.Part)
		want := c.Want != (op == ftdp.Not)
		i := slices.IndexFunc(list, func(q part) bool { return x.has(q, want, s) })
		if i < 0 {
			return false
		}
		c = claim{Part: list[i], Want: want}
	}
	if c.Part.t.Op != ftdp.Undefined || c.Want {
		return false
	}
	of := x.readsIn(c.Part, s)
	return slices.ContainsFunc(others, func(o claim) bool {
		if o.Part.t.Any(func(t *protocol.Term) bool { return t.Op == ftdp.Undefined }) {
			return false
		}
		all := x.readsIn(o.Part, s)
		for at := range of {
			if !all[at] {
				return false
			}
		}
		return len(of) > 0
	})
}

// fixed reports whether a term has the same value in all states.
func fixed(t *protocol.Term) bool {
	is := true
	t.Places(func(*protocol.Term) { is = false })
	return is
}

// longest is how long the values are that are shown of what has several parts.
const longest = 60

// sides shows what is compared.
func (x *explainer) sides(list []part, s *protocol.State) (out []string) {
	for _, p := range list {
		if x.plain(p) || p.t.Type.Scalar() && !x.defined(p, s) || !p.t.Type.Scalar() && !p.t.IsPlace() {
			continue
		}
		text, value := x.text(p).Text(ftdp.Eq.Strength()+1), ""
		if p.t.Type.Scalar() {
			v := x.value(p.t, p.frame, s)
			if p.t.Op == protocol.OpPlace && p.t.Base == protocol.BaseStatus && protocol.Status(v) == protocol.Correct {
				continue // that goes without saying
			}
			if value = p.t.Type.Format(v); v == protocol.Undef {
				value = "undefined"
			}
		} else if value = x.several(p, s); value == "" || len(value) > longest {
			continue
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

// several is the value of a place that has several parts; "" where there is no such place.
func (x *explainer) several(p part, s *protocol.State) (text string) {
	var none error
	defer protocol.Catch(&none)
	cells := x.evaluation(p.frame, s).Place(p.t)[:p.t.Type.Cells]
	if protocol.Undefined(cells) {
		return "undefined"
	}
	return stateValue(p.t.Type, cells)
}

// plain reports whether a value goes without saying: that of numbers, and of what a message says that is told.
func (x *explainer) plain(p part) bool {
	e := x.text(p)
	return numbers(e) || x.received(e) || x.acting >= 0 && p.t.Op == protocol.OpPlace && p.t.Base == protocol.BaseMsg
}

// received reports whether an expression begins with what is received: in what a step saw, that is told with it.
func (x *explainer) received(e *ftdp.Expr) bool {
	for e.Op == ftdp.Field || e.Op == ftdp.Index || ftdp.Eq.Strength() <= e.Op.Strength() &&
		e.Op.Strength() <= ftdp.Times.Strength() {
		e = e.Args[0]
	}
	return x.acting >= 0 && e.Op == ftdp.Name && e.Name == "msg"
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

// counted names the processes that a number counts.
func (x *explainer) counted(p part, s *protocol.State) string {
	var counted []int
	var walk func(t *protocol.Term) bool
	walk = func(t *protocol.Term) bool {
		switch {
		case t.Op == ftdp.Plus:
			return walk(t.Args[0]) && walk(t.Args[1])
		case t.Op == ftdp.Times && t.Args[0].Op == ftdp.Number:
			return walk(t.Args[1])
		case t.Op != ftdp.Count || t.Range.Type.Kind != protocol.KindRole:
			return false
		}
		frame := slices.Clone(p.frame)
		for v := t.Range.Type.Lo; v <= t.Range.Type.Hi; v++ {
			frame[t.Var] = v
			if x.has(part{t.Args[0], frame}, true, s) {
				counted = append(counted, x.Model.Roles[t.Range.Type.Role].First+int(v)-1)
			}
		}
		return true
	}
	switch {
	case !walk(p.t) || len(counted) == 0:
		return ""
	case hears(x.meant(p)):
		return "from " + interp.Names(x.Model, counted)
	}
	return interp.Names(x.Model, counted)
}

// hears reports whether an expression counts from whom something was heard.
func hears(e *ftdp.Expr) bool {
	return e.Op == ftdp.Call && (e.Name == "heard" || e.Name == "arrived") || slices.ContainsFunc(e.Args, hears)
}

// processes names those that decide all(...) and some(...) of a text for all sizes; whatever else has no structure
// that is known is shown by itself.
func (x *explainer) processes(p part, want bool, s *protocol.State) []fact {
	var list []int
	x.eachProcess(p.t, p.frame, s, func(process int, is bool) {
		if is == want {
			list = append(list, process)
		}
	})
	names := interp.Names(x.Model, list)
	e, made := x.text(p), x.Model.Made()
	if p.t != x.whole && made && e.Op == ftdp.Call && len(e.Args) == 1 && len(list) > 0 && want == (e.Name == "some") {
		if list := x.each(p, want, s); list != nil {
			return list
		}
	}
	if list := x.each(p, want, s); p.t == x.whole && made && e.Op == ftdp.Call && want == (e.Name == "some") &&
		x.compound(p, want, s) && list != nil {
		return list
	}
	switch {
	case p.t.Op == protocol.OpPlace && e.Op != ftdp.Call || !made &&
		!slices.Contains([]ftdp.Op{ftdp.And, ftdp.Or, ftdp.Implies, ftdp.Not}, e.Op):
		if x.received(e) {
			return nil
		}
		if !want && x.idle(p, s) {
			return nil
		}
		return facts(x.bare(p, want))
	case !made || e.Op != ftdp.Call || len(list) == 0:
		return nil
	case want && e.Name == "some":
		return facts("of " + names)
	case !want && e.Name != "some":
		return facts("not of " + names)
	}
	return nil
}

// compound reports whether what all(...) and some(...) say of a process is more than one condition.
func (x *explainer) compound(p part, want bool, s *protocol.State) (is bool) {
	x.eachTerm(p.t, p.frame, s, func(_ int, t *protocol.Term, frame []int32) {
		is = is || x.written(t) && len(run.Deciding(claim{Part: part{t, frame}, Want: want}, x.Parts,
			func(c claim) bool { return x.has(c.Part, c.Want, s) }, math.MaxInt)) > 1
	})
	return is
}

// each lists what the processes that decide all(...) or some(...) have that does so, those that have the same
// together.
func (x *explainer) each(p part, want bool, s *protocol.State) (out []fact) {
	var who partition.Groups[string, int]
	x.eachTerm(p.t, p.frame, s, func(process int, t *protocol.Term, frame []int32) {
		q := part{t, frame}
		if !x.written(t) || !x.has(q, want, s) {
			return
		}
		who.Add(strings.Join(inWords(x.evidence(q, want, s)), ", "), process)
	})
	for text, processes := range who.All() {
		if text == "" {
			return nil
		}
		out = append(out, fact{interp.Names(x.Model, processes), text})
	}
	return out
}

// eachProcess calls f with the processes that a term of an instance quantifies over, and whether what it says of
// them is true: forall (p) counted -> here, exists (p) counted and here, and several of these.
func (x *explainer) eachProcess(t *protocol.Term, frame []int32, s *protocol.State, f func(process int, is bool)) {
	x.eachTerm(t, frame, s, func(process int, t *protocol.Term, frame []int32) {
		f(process, x.value(t, frame, s) == 1)
	})
}

// eachTerm does so with what it says of them, for the values of a frame.
func (x *explainer) eachTerm(t *protocol.Term, frame []int32, s *protocol.State,
	f func(process int, t *protocol.Term, frame []int32)) {
	switch {
	case t.Op == ftdp.And, t.Op == ftdp.Or:
		for _, a := range t.Args {
			x.eachTerm(a, frame, s, f)
		}
	case (t.Op == ftdp.ForAll || t.Op == ftdp.Exists) && t.Range.Type.Kind == protocol.KindRole &&
		(t.Args[0].Op == ftdp.Implies || t.Args[0].Op == ftdp.And):
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

// guard is the guard of a rule as it is written, for values of its parameters, without what stands before it: what is
// asked of a process that may be faulty, or the kind of a message; false if there is none.
func (x *explainer) guard(rule int, frame []int32) (part, bool) {
	t := &x.Model.Rules[rule]
	g := t.Guard
	if g == nil {
		return part{}, false
	}
	if g.Op == ftdp.And && !x.written(g.Args[0]) {
		switch rest := slices.DeleteFunc(slices.Clone(g.Args), func(a *protocol.Term) bool { return !x.written(a) }); {
		case len(rest) == 1:
			g = rest[0]
		case len(rest) > 1:
			own := *g
			own.Args, g = rest, &own
		}
	}
	full := make([]int32, t.Frame)
	copy(full, frame)
	return part{g, full}, x.written(g)
}

// sees says what a condition sees in a state, and whether it is true. What is not the case is no
// reason to do something, and what a message says is told with it.
func (x *explainer) sees(g part, s *protocol.State) (seen []fact, holds bool) {
	var none error // parts of a guard may have no value by themselves: then it is left out
	defer protocol.Catch(&none)
	if !x.defined(g, s) { // of messages that are not there
		return nil, false
	}
	holds = x.is(g, s)
	outer := x.refused
	x.refused = !holds
	defer func() { x.refused = outer }()
	return x.evidence(g, holds, s), holds
}

// stepText names a step with who takes it.
func (x *explainer) stepText(k int) string {
	return fmt.Sprintf("step %d: %s", k, interp.Describe(x.Model, x.Events[k]))
}

// idle reports whether a part is only about the process whose guard is looked at, and about what it has not done yet:
// that is no reason to do something. What it has done, and undone, is one.
func (x *explainer) idle(p part, s *protocol.State) bool {
	if x.acting < 0 || x.refused {
		return false
	}
	out := spots{}
	(&reader{Evaluation: x.evaluation(p.frame, s)}).read(p.t, exactly, out)
	for at := range out {
		if at.at != x.acting || at.kind != spotCell || x.changed(at, s) {
			return false
		}
	}
	return true
}

// changed reports whether a cell had another value before a state of the run.
func (x *explainer) changed(at cellOrMessage, s *protocol.State) bool {
	for _, before := range x.States {
		if before == s {
			return false
		}
		if before.Cells[at.at][at.cell] != s.Cells[at.at][at.cell] {
			return true
		}
	}
	return false
}
