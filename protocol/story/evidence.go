package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
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

// most bounds how much is shown of what is enough by itself: facts of different values, one each.
const most = 3

// fact is a part of the evidence.
type fact struct {
	of   string // of which values of variables, or of which processes, where others have other facts; "" for all
	text string
}

// mostGroups is how many groups of facts are read, and others says that there are more.
const mostGroups, others = 8, "and others"

// inWords are facts as they are read, each once: those of the same values, or of the same processes, together.
func inWords(list []fact) (out []string) {
	var by partition.Groups[string, string]
	for _, f := range list {
		by.Add(f.of, f.text)
	}
	var groups []string
	more := false
	for of, texts := range by.All() {
		if of == "" {
			out = lists.Union(nil, texts...)
			continue
		}
		if of == others {
			more = true
			continue
		}
		texts = lists.Keep(lists.Union(nil, texts...), func(t string) bool { return !slices.Contains(out, t) })
		if texts != nil {
			groups = append(groups, of+": "+strings.Join(texts, ", "))
		}
	}
	switch {
	case groups == nil && more:
		return append(out, others)
	case groups == nil:
		return out
	case out != nil:
		groups = slices.Insert(groups, 0, strings.Join(out, ", "))
	}
	if more || len(groups) > mostGroups {
		groups = append(groups[:min(len(groups), mostGroups)], others)
	}
	return []string{strings.Join(groups, "; ")}
}

// say says of a fact what it is: comparisons with what is compared, else the condition. What is told with what is
// received, or has not been done yet, is no reason for a step.
func (x *explainer) say(c claim, s *protocol.State) []string {
	p, e := c.Part, x.meant(c.Part)
	switch op := p.t.Op; {
	case op == ftdp.In && x.acting >= 0: // from whom something is received is told
		return nil
	case (op.Opposite() != "" || op == ftdp.Chain) && x.parts(p) != nil:
		return x.sides(x.parts(p), s)
	case (op == ftdp.Undefined) == c.Want && x.idle(p, s), x.received(e), x.plain(p):
		return nil
	case op == ftdp.Undefined && !c.Want && x.parts(p) != nil:
		if value := x.sides(x.parts(p), s); value != nil {
			return value
		}
	}
	if !c.Want {
		e = denied(e)
	}
	return []string{e.Text(ftdp.Not.Strength())}
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
			value = x.format(p.t.Type, v)
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

func (x *explainer) format(t *protocol.Type, v int32) string {
	if v == protocol.Undef {
		return "undefined"
	}
	return t.Format(v)
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
	e := p.t.Written.Text(x.values(p.frame, nil))
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
			if x.has(part{t: t.Args[0], frame: frame}, true, s) {
				counted = append(counted, x.Model.Roles[t.Range.Type.Role].First+int(v)-1)
			}
		}
		return true
	}
	switch {
	case !walk(p.t) || len(counted) == 0:
		return ""
	case p.t.Op == ftdp.Plus: // each once, though it may be counted in several of them
		slices.Sort(counted)
		counted = slices.Compact(counted)
	}
	switch {
	case hears(x.meant(p)):
		return "from " + interp.Names(x.Model, counted)
	}
	return interp.Names(x.Model, counted)
}

// hears reports whether an expression counts from whom something was heard.
func hears(e *ftdp.Expr) bool {
	return e.Op == ftdp.Call && (e.Name == "heard" || e.Name == "arrived") || slices.ContainsFunc(e.Args, hears)
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
	return part{t: g, frame: full}, x.written(g)
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
	return x.evidence(claim{Part: g, Want: holds}, s), holds
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
