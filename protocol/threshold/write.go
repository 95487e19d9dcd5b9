package threshold

import (
	"context"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/ta/syntax"
)

// at is the place of a process's type, for what nothing else of the text is the reason of.
func (t *Translation) at() syntax.Origin { return originOf(t.Source.Types[0].Size) }

func originOf(e *ftdp.Expr) syntax.Origin { return syntax.Origin{At: e.Pos, Width: max(1, e.Width)} }

func originOfName(id *ftdp.Ident) syntax.Origin {
	return syntax.Origin{At: id.Place(), Width: len(id.Name)}
}

// variables lists the shared variables of the automaton.
func (t *Translation) variables() (list []counter.Quantity) {
	for _, k := range []counter.Kind{counter.Sent, counter.SentSome} {
		for _, ch := range t.channels {
			if k == counter.Sent || t.Source.Faults.Some {
				list = append(list, lists.Map(ch.items, k.Numbered)...)
			}
		}
	}
	for _, typ := range t.Source.Stopping() {
		list = append(list, counter.Crashed.Numbered(typ))
	}
	for c, ch := range t.channels {
		if ch.joined {
			list = append(list, t.counters(c)...)
		}
	}
	for c, ch := range t.channels {
		if ch.awaits {
			list = append(list, counter.Lost.Numbered(c))
		}
	}
	return list
}

// build makes the automaton.
func (t *Translation) build() error {
	s := t.Source
	b := &syntax.Builder{Name: identifier(s.Name), Remarks: []string{"Made of " + s.File.Pos.Filename + "."},
		At: t.at()}
	t.automaton, t.form.At = b, t.at()
	for _, sec := range s.File.Sections {
		for _, id := range sec.Parameters {
			b.Parameters = append(b.Parameters, originOfName(id).Ident(t.called(t.parameter(id.Name).Vars()[0])))
		}
	}
	for _, e := range s.Assume {
		b.Assumptions = append(b.Assumptions, t.form.Cases(originOf(e), t.condition(e, nil, true)))
	}
	stated := counter.Known{Cases: t.cases(t.stated()), Floors: t.guards.Floors, Over: t.guards.Over}
	for _, l := range t.implied() {
		if t.free && !counter.Trivial(l) || !t.free && !stated.Implies(l) {
			b.Assumptions = append(b.Assumptions, t.form.AtLeast0(t.at(), l))
		}
	}
	b.Assumptions = append(b.Assumptions, t.blocked...)
	for _, v := range t.variables() {
		t.form.Shared = append(t.form.Shared, counter.Shared{Of: v})
	}
	for _, e := range s.Starts {
		b.Inits = append(b.Inits, t.formula(originOf(e), e, true))
	}
	t.begin()
	for i := range t.Moves {
		if t.rule(i); t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
	}
	t.form.Unmix(&t.guards, t.processes)
	t.form.Build(b)
	for i := range t.Locations {
		b.Move(t.at(), t.Locations[i].Name, t.Locations[i].Name)
	}
	if t.others != "" {
		b.Move(t.at(), t.others, t.others)
	}
	for _, p := range s.Props {
		if t.property(p); t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
	}
	return t.refused.Err()
}

// origin is the place that a location is made for: the size of its type.
func (t *Translation) origin(i int) syntax.Origin {
	return originOf(t.Source.Types[t.Locations[i].Type].Size)
}

// Tree is the automaton.
func (t *Translation) Tree() *syntax.File { return t.automaton.File() }

// implied are the conditions on parameters that a text means without saying so: there is a
// process of each type, and not more are faulty than there are.
func (t *Translation) implied() cube {
	var out cube
	for typ := range t.Source.Types {
		out = append(out, t.size(typ).Plus(-1))
	}
	for _, g := range t.Source.Groups {
		faulty := t.sum(g.Count, nil)
		out = append(out, faulty)
		if !t.Source.Faults.Stop {
			out = append(out, t.size(g.Types[0]).Sub(faulty))
		}
	}
	return out
}

func identifier(name string) string {
	if name == "" {
		return "Protocol"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// begin says where processes begin, and how many.
func (t *Translation) begin() {
	for i := range t.Locations {
		l := &t.Locations[i]
		t.form.Locations = append(t.form.Locations, counter.Location{Name: l.Name, At: t.origin(i), Start: l.Start})
	}
	if t.form.Groups = t.groups(); t.others != "" {
		everybody := number(0)
		for typ := range t.Source.Types {
			everybody = everybody.Add(t.faulty(typ))
		}
		t.form.Groups = append(t.form.Groups, counter.Group{Locations: []int{len(t.form.Locations)}, Count: everybody})
		t.form.Locations = append(t.form.Locations, counter.Location{Name: t.others, At: t.at(), Start: true})
	}
}

// groups are the processes of each type that begin in the same places: the correct ones, and the faulty ones if these
// have local states.
func (t *Translation) groups() (list []counter.Group) {
	for typ := range t.Source.Types {
		group := func(faulty bool, count amount) {
			list = append(list, counter.Group{Count: count, Locations: t.places(func(l *Location) bool {
				return l.Type == typ && l.Start && l.Faulty == faulty
			})})
		}
		faulty := t.faulty(typ)
		group(false, t.size(typ).Sub(faulty))
		if t.Source.Flagged(typ) {
			group(true, faulty)
		}
	}
	return list
}

// places are the locations of which something is true.
func (t *Translation) places(are func(l *Location) bool) (list []int) {
	for i := range t.Locations {
		if are(&t.Locations[i]) {
			list = append(list, i)
		}
	}
	return list
}

func (t *Translation) rule(i int) {
	m := &t.Moves[i]
	o := t.at()
	if m.Rule >= 0 {
		o = originOfName(t.Source.Rules[m.Rule].Label)
	}
	guard, _, exact := t.project(append(slices.Clone(m.Needs), t.bounds()...))
	if !exact && !slices.Contains(t.Inexact, m.What) {
		t.Inexact = append(t.Inexact, m.What)
	}
	if !slices.ContainsFunc(guard, t.guards.Mixed) {
		guard = t.guards.Strongest(slices.DeleteFunc(guard, t.guards.Always))
	}
	move := counter.Move{At: o, From: m.From, To: m.To, Guard: guard, Adds: m.adds, Remark: m.What}
	if m.crash {
		// At most so many crash; if that is everybody, nothing has to be asked.
		g := t.group(t.Locations[m.From].Type)
		everybody := number(0)
		for _, typ := range g.Types {
			everybody = everybody.Add(t.size(typ))
		}
		if limit := t.sum(g.Count, nil); limit.Key() != everybody.Key() {
			move.Also = append(move.Also, o.Op(syntax.Lt, t.form.Expr(o, t.crashes(g.Types)), t.form.Expr(o, limit)))
		}
	}
	t.form.Moves = append(t.form.Moves, move)
}

// group are the processes of which so many may be faulty, one of a type among them.
func (t *Translation) group(typ int) *parametric.FaultGroup {
	return &t.Source.Groups[t.Source.Types[typ].Group]
}

// adds is what shared variables count of a process that sends some messages, to all for sure or not, and crashes or
// not: what it sends, that it crashes, and what it had sent before.
func (t *Translation) adds(from *Location, sends []int, sure, crash bool) (list []counter.Add) {
	add := func(q counter.Quantity) { list = append(list, counter.Add{Of: q, By: 1}) }
	for _, sent := range sends {
		if sure {
			add(counter.Sent.Numbered(sent))
		}
		if t.Source.Faults.Some {
			add(counter.SentSome.Numbered(sent))
		}
	}
	if !crash {
		return list
	}
	add(counter.Crashed.Numbered(from.Type))
	for c, ch := range t.channels {
		if ch.joined && ch.from == from.Type {
			add(t.counters(c)[t.said(from.Said, sends)[c]])
		}
	}
	for c, ch := range t.channels { // that others wait for
		if ch.awaits && ch.from == from.Type && !from.sent(&ch) {
			add(counter.Lost.Numbered(c))
		}
	}
	return list
}

// where counts the processes that satisfy a condition, the argument of all, some, count or every: the
// correct ones, and those that have not crashed unless it is asked who has, or of every one.
func (t *Translation) where(e *ftdp.Expr) amount {
	c, not := e.Args[0], e.Name == "all" || e.Name == "every"
	meant := t.Source.Meant(c)
	var out amount
	for i := range t.Locations {
		l := &t.Locations[i]
		every := e.Name == "every" && !t.Source.Faults.Alike
		if !slices.Contains(meant, l.Type) || l.Faulty && !every || l.Down && !every && !c.Mentions("crashed") {
			continue
		}
		yes, no, ok := t.truth(c, i)
		if !ok {
			t.refuse(c, "this has no value")
			return out
		}
		if yes && !not || no && not {
			out = out.Add(counter.Of(counter.At, slices.Index(t.sorted, i)))
		}
	}
	return out
}

func (t *Translation) property(p *ftdp.Section) {
	id := parametric.Named(p)
	o := originOfName(id)
	var formula *syntax.Expr
	if p.Invariant != nil {
		formula = o.Op(syntax.Globally, t.formula(o, p.Invariant.Formula, true))
	} else {
		formula = t.formula(o, p.LTL.Formula, true)
		if p.LTL.Fair != nil {
			if fair := t.fairness(o); fair != nil {
				formula = o.Implies(fair, formula)
			}
		}
	}
	t.automaton.Specs = append(t.automaton.Specs, o.Spec(id.Name, formula))
}

// formula makes a formula; negations go down to conditions.
func (t *Translation) formula(o syntax.Origin, e *ftdp.Expr, holds bool) *syntax.Expr {
	part := func(e *ftdp.Expr, holds bool) *syntax.Expr { return t.formula(o, e, holds) }
	switch {
	case e.Op == ftdp.Implies && holds:
		return o.Implies(part(e.Args[0], true), part(e.Args[1], true))
	case (e.Op == ftdp.Globally || e.Op == ftdp.Finally) && (e.Op == ftdp.Globally) == holds:
		return o.Op(syntax.Globally, part(e.Args[0], holds))
	case e.Op.Temporal():
		return o.Op(syntax.Finally, part(e.Args[0], holds))
	}
	if out, ok := connected(e, holds, part, func(list []*syntax.Expr, all bool) *syntax.Expr {
		if all {
			return o.And(list...)
		}
		return o.Or(list...)
	}); ok {
		return out
	}
	return t.form.Cases(o, t.condition(e, nil, holds))
}

// duties are what fairness asks of correct processes: what was sent to them has arrived, and none of them is where a
// rule that is fair has something to do.
func (t *Translation) duties() (list []counter.Duty) {
	for i := range t.Locations {
		l := &t.Locations[i]
		if l.Down || l.Faulty {
			continue
		}
		rest := t.idle(l, nil)
		stuck, changed := t.stuck(l, rest)
		if changed = changed || len(rest) == 0; slices.Contains(t.busy, l.Name) {
			stuck, changed = nil, true
		}
		if changed && !slices.ContainsFunc(stuck, func(c cube) bool { return len(c) == 0 }) {
			list = append(list, counter.Duty{At: []int{i}, Rests: stuck.distinct()})
		}
	}
	return append(list, t.leaving()...)
}

// fairness is what is eventually so in fair runs; nil if that is nothing.
func (t *Translation) fairness(o syntax.Origin) *syntax.Expr {
	if t.form.Duties == nil {
		t.form.Duties = t.duties()
	}
	return t.form.Fairness(o)
}

// stuck is when a process at a location, at which everything that is sure to arrive has
// arrived, is as some conditions on what it has heard say; changed, if that is not always.
func (t *Translation) stuck(l *Location, conditions dnf) (stuck dnf, changed bool) {
	anyway := append(t.arrived(), t.bounds()...)
	for _, c := range conditions {
		if t.ctx.Err() != nil {
			return nil, false
		}
		out, possible, _ := t.project(slices.Concat(c, l.Facts, anyway))
		if !possible || t.guards.Excluded(out) {
			changed = true
			continue
		}
		out = slices.DeleteFunc(slices.Clone(out), t.guards.Always)
		changed = changed || len(out) > 0
		stuck = append(stuck, out)
	}
	return stuck, changed
}

// leaving are the duties of cycles: no process goes round for ever that could leave at all times by the same fair rule.
func (t *Translation) leaving() (list []counter.Duty) {
	done := map[int]bool{}
	for i, others := range t.form.Cycles() {
		if done[i] || len(others) == 0 {
			continue
		}
		cycle := append([]int{i}, others...)
		for _, k := range others {
			done[k] = true
		}
		for k, r := range t.Source.Rules {
			if r.Type != t.Locations[i].Type {
				continue
			}
			stays := slices.ContainsFunc(t.Moves, func(m Move) bool {
				return m.Rule == k && slices.Contains(cycle, m.From) && slices.Contains(cycle, m.To)
			})
			if r.Maybe || stays || t.never[r.Label.Name] {
				continue
			}
			var stuck dnf
			for _, l := range cycle {
				out, _ := t.stuck(&t.Locations[l], t.idle(&t.Locations[l], r.ProcessRule))
				stuck = append(stuck, out...)
			}
			if !slices.ContainsFunc(stuck, func(c cube) bool { return len(c) == 0 }) {
				list = append(list, counter.Duty{At: cycle, Rests: stuck.distinct()})
			}
		}
	}
	return list
}

// assume finds what is known of parameters, as far as use is made of it.
func (t *Translation) assume() {
	cases := dnf{t.implied()}
	if !t.free {
		cases = and(cases, t.stated())
	}
	t.guards.Cases = t.cases(cases)
}

// cases are those of parameters, which are not negative.
func (t *Translation) cases(list dnf) (out [][]amount) {
	for _, c := range list {
		c = slices.Clone(c)
		for _, p := range t.Source.Params {
			c = append(c, t.parameter(p))
		}
		out = append(out, c)
	}
	return out
}

// stated are the assumptions of the text.
func (t *Translation) stated() dnf {
	out := always
	for _, e := range t.Source.Assume {
		out = and(out, t.condition(e, nil, true))
	}
	return out
}

// idle is when no fair rule (or a certain one) has anything to do at a location, in terms of what was heard.
func (t *Translation) idle(l *Location, only *ftdp.ProcessRule) dnf {
	out := always
	for _, r := range t.Source.Rules {
		if r.Maybe || t.never[r.Label.Name] || r.Type != l.Type || only != nil && r.ProcessRule != only {
			continue
		}
		var nothing dnf
		from := t.values(l)
		for _, p := range t.paths(r.Body, path{typ: l.Type, v: from}) {
			if !p.acts(from) {
				nothing = append(nothing, p.needs)
			}
		}
		out = and(out, nothing)
	}
	return out
}

// In the text, a process takes a coin, and what follows, in the step in which it comes to it; in the automaton of a
// round it waits at a location until all have ended the round. So no process is there in a state of the text, and no
// violation is lost whatever such a location counts as (docs/rounds-proofs.md, "Why it is right: safety"). It counts as
// what is true whatever the coin says.

// truth says whether a condition is true of a process at a location, and whether it is false: where a coin is waited
// for, it may be neither. Not ok if it has no value.
func (t *Translation) truth(c *ftdp.Expr, l int) (yes, no, ok bool) {
	at, waits := t.coins[l]
	if !waits {
		at = []int{l}
	}
	yes, no = true, true
	for _, to := range at {
		n, known := t.Source.Number(c, t.values(&t.Locations[to]))
		if !known {
			return false, false, false
		}
		yes, no = yes && n != 0, no && n == 0
	}
	return yes, no, true
}
