package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// What states have that makes a part of a formula, or a guard, true or false.

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

// evidence says what gives a claim its value in a state: facts of several values of variables once, with these values,
// as far as the facts have the variables.
func (x *explainer) evidence(c claim, s *protocol.State) (out []fact) {
	type instance struct {
		over         []*protocol.Term
		values       part
		one, general []string // in the words of these values, and in those of any
	}
	var by partition.Groups[string, instance]
	for _, f := range x.grounds(c, s) {
		i := instance{values: f.Part, one: x.say(f, s)}
		i.over = slices.DeleteFunc(slices.Clone(f.Part.over), func(q *protocol.Term) bool {
			return x.quantified(q) && slices.Equal(x.opened([]*protocol.Term{q}, f, s), i.one)
		})
		i.general = x.opened(i.over, f, s)
		by.Add(x.named(i.over, []part{f.Part}), i)
	}
	var alike partition.Groups[string, instance]
	for _, list := range by.All() {
		all := list[0]
		for _, i := range list[1:] {
			all.one, all.general = append(all.one, i.one...), append(all.general, i.general...)
		}
		of := lists.Map(all.over,
			func(q *protocol.Term) [2]int { return [2]int{int(q.Range.Type.Kind), q.Range.Type.Role} })
		if all.one = lists.Union(nil, all.one...); len(all.one) > 0 {
			alike.Add(fmt.Sprint(of, lists.Union(nil, all.general...)), all)
		}
	}
	groups := 0 // of which one is enough
	for _, list := range alike.All() {
		first, of := list[0], ""
		if first.values.any {
			if groups++; groups > most {
				continue
			}
		}
		if len(list) > 1 || slices.ContainsFunc(first.over, func(q *protocol.Term) bool { return !x.quantified(q) }) {
			of = x.named(first.over, lists.Map(list, func(i instance) part { return i.values }))
		}
		if len(list) > 1 {
			first.one = lists.Union(nil, first.general...)
		}
		out = append(out, lists.Map(first.one, func(text string) fact { return fact{of, text} })...)
	}
	if groups > most {
		out = append(out, fact{of: others})
	}
	return out
}

// opened says of a fact what it is for any values of some variables.
func (x *explainer) opened(over []*protocol.Term, f claim, s *protocol.State) []string {
	defer func(outer []int) { x.open = outer }(x.open)
	for _, q := range over {
		x.open = append(slices.Clip(x.open), q.Var)
	}
	return x.say(f, s)
}

// quantified reports whether the text has a name for what a quantifier ranges over: all(...) and others have none.
func (x *explainer) quantified(q *protocol.Term) bool {
	return x.written(q) && binds(q.Written.Meaning().Own().Op)
}

// named says which values variables of quantifiers have, or which processes they are: "for i = 1, j = 2 and 3", "node 1
// and 2".
func (x *explainer) named(over []*protocol.Term, list []part) string {
	if len(over) == 0 {
		return ""
	}
	text := x.valued(over, list)
	if x.quantified(over[0]) {
		text = "for " + text
	}
	return text
}

// valued is named without the first "for".
func (x *explainer) valued(over []*protocol.Term, list []part) string {
	if len(over) == 0 {
		return ""
	}
	q := over[0]
	var by partition.Groups[string, part] // by the value of the first
	inOrder := func(a, b part) int { return cmp.Compare(a.frame[q.Var], b.frame[q.Var]) }
	for _, p := range slices.SortedStableFunc(slices.Values(list), inOrder) {
		by.Add(q.Range.Type.FormatValue(p.frame[q.Var:q.Var+q.Range.Type.Cells]), p)
	}
	var alike partition.Groups[string, []part]
	texts := map[string][]string{}
	for value, inner := range by.All() {
		rest := x.valued(over[1:], inner)
		alike.Add(rest, inner)
		texts[rest] = append(texts[rest], value)
	}
	var out []string
	for rest, of := range alike.All() {
		text := ""
		if x.quantified(q) {
			text = q.Name + " = " + spell.List(texts[rest])
		} else {
			text = interp.Names(x.Model, lists.Map(of, func(l []part) int {
				return x.Model.Roles[q.Range.Type.Role].First + int(l[0].frame[q.Var]) - 1
			}))
		}
		if rest != "" {
			text += ", " + rest
		}
		out = append(out, text)
	}
	if x.quantified(q) {
		return strings.Join(out, "; for ")
	}
	return strings.Join(out, "; ")
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
	if holds = x.is(g, s); fixed(g.t) { // it is so in all states
		return nil, holds
	}
	outer := x.refused
	x.refused = !holds
	defer func() { x.refused = outer }()
	return x.evidence(claim{Part: g, Want: holds}, s), holds
}

// stepText names a step with who takes it.
func (x *explainer) stepText(k int) string {
	return fmt.Sprintf("step %d: %s", k, interp.Describe(x.Model, x.Events[k]))
}

// idle reports whether a part is only about the process whose guard is looked at, and about what it does in this step,
// and has not done yet: that is no reason to do it. What it has done, and undone, is one.
func (x *explainer) idle(p part, s *protocol.State) bool {
	if x.acting < 0 || x.refused {
		return false
	}
	out := spots{}
	(&reader{Evaluation: x.evaluation(p.frame, s)}).read(p.t, exactly, out)
	for at := range out {
		if _, does := x.gives[at]; !does && x.gives != nil || at.at != x.acting || x.changed(at, s) {
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
