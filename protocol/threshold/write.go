package threshold

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"tacheck/internal/linear"
	"tacheck/protocol/ftdp"
	"tacheck/protocol/parametric"
)

// shared reports whether a quantity is a shared variable of the automaton.
func shared(name string) bool {
	return strings.HasPrefix(name, "sent ") || strings.HasPrefix(name, "some ") || strings.HasPrefix(name, crashes)
}

// write prints the automaton.
func (t *Translation) write() error {
	s := t.Source
	var b strings.Builder
	fmt.Fprintf(&b, "// Made of %s.\nta %s {\n", s.File.Pos.Filename, identifier(s.Name))
	var variables []string
	for _, prefix := range []string{"sent ", "some "} {
		for _, i := range t.items {
			if n := t.names[prefix+i.name()]; n != "" {
				variables = append(variables, n)
			}
		}
	}
	for _, typ := range t.stopping() {
		variables = append(variables, t.called(t.crashesOf(typ)))
	}
	for c, ch := range t.channels {
		if t.unions[c] {
			for _, name := range ch.counters() {
				variables = append(variables, t.called(name))
			}
		}
	}
	for c, ch := range t.channels {
		if t.awaits[c] {
			variables = append(variables, t.called(ch.lost()))
		}
	}
	if len(variables) > 0 {
		fmt.Fprintf(&b, "  shared %s;\n", strings.Join(variables, ", "))
	}
	if len(s.Params) > 0 {
		var params []string
		for _, p := range s.Params {
			params = append(params, t.called(p))
		}
		fmt.Fprintf(&b, "  parameters %s;\n", strings.Join(params, ", "))
	}
	b.WriteString("\n  assumptions {\n")
	for _, e := range s.Assume {
		fmt.Fprintf(&b, "    %s;\n", t.disjunction(t.condition(e, nil, true)))
	}
	for _, l := range t.implied() {
		if t.free && !trivial(l) || !t.free && !t.follows(l, t.stated()) {
			fmt.Fprintf(&b, "    %s;\n", t.conjunction(all{l}))
		}
	}
	for _, e := range t.blocked {
		fmt.Fprintf(&b, "    %s;\n", e)
	}
	b.WriteString("  }\n\n  locations {\n")
	for i := range t.Locations {
		fmt.Fprintf(&b, "    %s: [%d];\n", t.Locations[i].Name, i)
	}
	if t.others != "" {
		fmt.Fprintf(&b, "    %s: [%d];\n", t.others, len(t.Locations))
	}
	b.WriteString("  }\n\n  inits {\n")
	t.inits(&b, variables)
	b.WriteString("  }\n\n  rules {\n")
	for i := range t.Moves {
		if t.rule(&b, i); t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
	}
	for i := range t.Locations {
		name := t.Locations[i].Name
		fmt.Fprintf(&b, "    %d: %s -> %s\n      when (true)\n      do { };\n", len(t.Moves)+i+1, name, name)
	}
	if t.others != "" {
		fmt.Fprintf(&b, "    %d: %s -> %s\n      when (true)\n      do { };\n", len(t.Moves)+len(t.Locations)+1, t.others, t.others)
	}
	b.WriteString("  }\n\n  specifications {\n")
	for _, p := range s.Props {
		if t.property(&b, p); t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
	}
	b.WriteString("  }\n}\n")
	t.Text = b.String()
	return t.refused.Err()
}

// implied are the conditions on parameters that a text means without saying so: there is
// somebody of each type, and not more are faulty than there are.
func (t *Translation) implied() all {
	var out all
	for typ := range t.Source.Types {
		out = append(out, t.size(typ).Plus(-1))
	}
	for _, g := range t.Source.Groups {
		faulty := t.sum(g.Count, nil)
		out = append(out, faulty)
		if !t.crashing() {
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

func (t *Translation) inits(b *strings.Builder, variables []string) {
	all := number(0)
	for typ := range t.Source.Types {
		sum := func(faulty bool) string {
			var names []string
			for i := range t.Locations {
				if l := &t.Locations[i]; l.Type == typ && l.Start && l.Faulty == faulty {
					names = append(names, l.Name)
				}
			}
			return strings.Join(names, " + ")
		}
		faulty := t.faulty(typ)
		all = all.Add(faulty)
		fmt.Fprintf(b, "    %s == %s;\n", sum(false), text(t.size(typ).Sub(faulty), t.called))
		if t.faultyFromStart(typ) {
			fmt.Fprintf(b, "    %s == %s;\n", sum(true), text(faulty, t.called))
		}
	}
	if t.others != "" {
		fmt.Fprintf(b, "    %s == %s;\n", t.others, text(all, t.called))
	}
	for i := range t.Locations {
		if !t.Locations[i].Start {
			fmt.Fprintf(b, "    %s == 0;\n", t.Locations[i].Name)
		}
	}
	for _, n := range variables {
		fmt.Fprintf(b, "    %s == 0;\n", n)
	}
}

func (t *Translation) rule(b *strings.Builder, i int) {
	m := &t.Moves[i]
	guard, _, exact := t.project(append(slices.Clone(all(m.Needs)), t.bounds(m.told)...))
	if !exact && !slices.Contains(t.Inexact, m.What) {
		t.Inexact = append(t.Inexact, m.What)
	}
	var conditions, updates []string
	for _, l := range t.strongest(slices.DeleteFunc(t.monotone(append(guard[:len(guard):len(guard)], sums(guard)...)), t.always)) {
		conditions = append(conditions, compare(l, shared, t.called))
	}
	conditions = append(conditions, t.mixed(guard)...)
	add := func(name string) {
		n := t.called(name)
		updates = append(updates, fmt.Sprintf("%s' == %s + 1;", n, n))
	}
	for _, sent := range m.sends {
		if m.sure {
			add("sent " + sent.name())
		}
		if t.some() {
			add("some " + sent.name())
		}
	}
	if m.crash {
		// At most so many crash; if that is everybody, nothing has to be asked.
		typ := t.Locations[m.From].Type
		g := t.Source.Groups[t.Source.Types[typ].Group]
		everybody := number(0)
		for _, typ := range g.Types {
			everybody = everybody.Add(t.size(typ))
		}
		if limit := t.sum(g.Count, nil); limit.Key() != everybody.Key() {
			conditions = append(conditions, text(t.crashes(g.Types), t.called)+" < "+text(limit, t.called))
		}
		add(t.crashesOf(typ))
		for _, name := range append(t.counted(m), t.losing(m)...) {
			add(name)
		}
	}
	if conditions == nil {
		conditions = []string{"true"}
	}
	fmt.Fprintf(b, "    %d: %s -> %s // %s\n      when (%s)\n      do { %s };\n", i+1, t.Locations[m.From].Name, t.Locations[m.To].Name, m.What,
		strings.Join(conditions, " && "), strings.Join(updates, " "))
}

// monotone weakens conditions that can become true and false again, as more is sent and more
// crash, to ones that cannot: what counts against them is not counted.
func (t *Translation) monotone(list all) all {
	out := slices.Clone(list)
	for i, l := range out {
		for _, n := range namesOf(l) {
			if c := coef(l, n); shared(n) && c < 0 && slices.ContainsFunc(namesOf(l), func(m string) bool { return shared(m) && coef(l, m) > 0 }) {
				out[i] = out[i].AddScaled(linear.N(-c), quantity(n))
			}
		}
	}
	return out
}

func (t *Translation) conjunction(list all) string {
	var parts []string
	for _, l := range list {
		left := func(n string) bool { return shared(n) || strings.HasPrefix(n, "at ") }
		if !slices.ContainsFunc(namesOf(l), left) {
			left = func(n string) bool { return coef(l, n) > 0 }
		}
		parts = append(parts, compare(l, left, t.called))
	}
	if parts == nil {
		return "true"
	}
	return strings.Join(parts, " && ")
}

func (t *Translation) disjunction(list any) string {
	switch len(list) {
	case 0:
		return "false"
	case 1:
		return t.conjunction(list[0])
	}
	var parts []string
	for _, c := range list {
		parts = append(parts, "("+t.conjunction(c)+")")
	}
	return strings.Join(parts, " || ")
}

// where counts the processes that satisfy a condition, the argument of all, some, count or every: the
// correct ones, and those that have not crashed unless it is asked who has, or of every one.
func (t *Translation) where(e *ftdp.Expr) amount {
	c, not := e.Args[0], e.Name == "all" || e.Name == "every"
	meant := t.Source.Meant(c)
	var out amount
	for i := range t.Locations {
		l := &t.Locations[i]
		every := e.Name == "every" && t.Source.Faults != parametric.Symmetric
		if !slices.Contains(meant, l.Type) || l.Faulty && !every || l.Down && !every && !c.Mentions("crashed") {
			continue
		}
		yes, no, ok := t.truth(c, i)
		if !ok {
			t.refuse(c, "this has no value")
			return out
		}
		if yes && !not || no && not {
			out = out.Add(quantity("at " + l.Name))
		}
	}
	return out
}

func (t *Translation) property(b *strings.Builder, p *ftdp.Section) {
	name, formula, fair := "", "", ""
	if p.Invariant != nil {
		name, formula = p.Invariant.Name.Name, "[]("+t.formula(p.Invariant.Formula, true)+")"
	} else {
		name, formula = p.LTL.Name.Name, t.formula(p.LTL.Formula, true)
		if p.LTL.Fair != nil {
			if t.fair == "" {
				t.fair = t.fairness()
			}
			fair = t.fair
		}
	}
	if fair != "" {
		formula = fair + "\n      -> (" + formula + ")"
	}
	for _, e := range t.Source.Starts {
		formula = "(" + t.formula(e, true) + ")\n      -> (" + formula + ")"
	}
	fmt.Fprintf(b, "    %s:\n      %s;\n", name, formula)
}

// formula prints a formula; negations go down to conditions.
func (t *Translation) formula(e *ftdp.Expr, holds bool) string {
	junction := func(op string, args ...string) string {
		for i, a := range args {
			args[i] = "(" + a + ")"
		}
		return strings.Join(args, op)
	}
	pick := func(yes, no string) string {
		if holds {
			return yes
		}
		return no
	}
	if same, equal := equivalence(e); same != nil {
		return t.formula(same, holds == equal)
	}
	switch e.Op {
	case ftdp.Not:
		return t.formula(e.Args[0], !holds)
	case ftdp.And, ftdp.Or:
		var args []string
		for _, a := range e.Args {
			args = append(args, t.formula(a, holds))
		}
		if (e.Op == ftdp.And) == holds {
			return junction(" && ", args...)
		}
		return junction(" || ", args...)
	case ftdp.Implies:
		if holds {
			return junction(" -> ", t.formula(e.Args[0], true), t.formula(e.Args[1], true))
		}
		return junction(" && ", t.formula(e.Args[0], true), t.formula(e.Args[1], false))
	case ftdp.Iff:
		return junction(" || ", junction(" && ", t.formula(e.Args[0], true), t.formula(e.Args[1], holds)), junction(" && ", t.formula(e.Args[0], false), t.formula(e.Args[1], !holds)))
	case ftdp.Globally:
		return pick("[]", "<>") + "(" + t.formula(e.Args[0], holds) + ")"
	case ftdp.Finally:
		return pick("<>", "[]") + "(" + t.formula(e.Args[0], holds) + ")"
	case ftdp.Call:
		switch e.Name {
		case "all", "every": // nobody is elsewhere
			return t.equation(t.where(e), holds)
		case "some":
			return t.equation(t.where(e), !holds)
		}
	}
	if l, nobody, ok := t.presence(e); ok {
		return t.equation(l, nobody == holds)
	}
	return t.disjunction(t.condition(e, nil, holds))
}

// equation says that nobody is somewhere, or that somebody is.
func (t *Translation) equation(l amount, nobody bool) string {
	op, junction := " == 0", " && "
	if !nobody {
		op, junction = " != 0", " || "
	}
	var parts []string
	for _, n := range namesOf(l) {
		parts = append(parts, t.called(n)+op)
	}
	if parts == nil {
		if nobody {
			return "true"
		}
		return "false"
	}
	return strings.Join(parts, junction)
}

// maxAlternatives bounds the cases of what fairness is on cycles.
const maxAlternatives = 32

// fairness says what is eventually so in fair runs: what was sent to correct processes
// has arrived, and none of them is where a rule that is fair has something to do.
func (t *Translation) fairness() string {
	var parts []string
	cycles := t.cycles()
	var come []string // of those on cycles
	alternatives := 1
	for i := range t.Locations {
		l := &t.Locations[i]
		if l.Down || l.Faulty {
			continue
		}
		rest := t.idle(l, nil)
		stuck, changed := t.stuck(l, rest)
		changed = changed || len(rest) == 0
		if !changed || slices.ContainsFunc(stuck, func(c all) bool { return len(c) == 0 }) {
			continue
		}
		text := l.Name + " == 0"
		if len(stuck) > 0 {
			text += " || " + t.disjunction(stuck.distinct())
		}
		if others := cycles[i]; len(others) > 0 {
			// Who comes and goes need not do what it could do in between. If nobody is
			// at the other locations of the cycle eventually, nobody comes and goes. Less is asked of
			// runs where that would be too many cases.
			if alternatives *= 2; alternatives > maxAlternatives {
				continue
			}
			var names []string
			for _, k := range others {
				names = append(names, t.Locations[k].Name+" != 0")
			}
			come = append(come, "([]<>("+strings.Join(names, " || ")+") || <>[]("+text+"))")
			continue
		}
		parts = append(parts, "("+text+")")
	}
	parts = append(parts, t.leaving(cycles)...)
	if parts != nil {
		come = append([]string{"<>[](" + strings.Join(parts, "\n        && ") + ")"}, come...)
	}
	return strings.Join(come, "\n      && ")
}

// stuck is when a process at a location, at which everything that is sure to arrive has
// arrived, is as some conditions on what it has heard say; changed, if that is not always.
func (t *Translation) stuck(l *Location, conditions any) (stuck any, changed bool) {
	for _, told := range t.tellings(l.Told) {
		if t.ctx.Err() != nil {
			return nil, false
		}
		for _, c := range conditions {
			low := append(slices.Clone(c), l.Facts...)
			out, possible, _ := t.project(append(append(low, t.arrived(told)...), t.bounds(told)...))
			if !possible || t.excluded(out) {
				changed = true
				continue
			}
			out = slices.DeleteFunc(t.monotone(slices.DeleteFunc(slices.Clone(out), t.always)), t.always)
			changed = changed || len(out) > 0
			stuck = append(stuck, out)
		}
	}
	return stuck, changed
}

// leaving says of cycles that nobody goes round for ever who could leave at all times, by
// the same fair rule.
func (t *Translation) leaving(cycles [][]int) (parts []string) {
	done := map[int]bool{}
	for i, others := range cycles {
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
			var stuck any
			var nobody []string
			for _, l := range cycle {
				out, _ := t.stuck(&t.Locations[l], t.idle(&t.Locations[l], r.ProcessRule))
				stuck = append(stuck, out...)
				nobody = append(nobody, t.Locations[l].Name+" == 0")
			}
			if slices.ContainsFunc(stuck, func(c all) bool { return len(c) == 0 }) {
				continue
			}
			text := strings.Join(nobody, " && ")
			if len(stuck) > 0 {
				text += " || " + t.disjunction(stuck.distinct())
			}
			parts = append(parts, "("+text+")")
		}
	}
	return parts
}

// cycles lists, by location, the others from which and to which there are steps.
func (t *Translation) cycles() [][]int {
	g := simple.NewDirectedGraph()
	for i := range t.Locations {
		g.AddNode(simple.Node(i))
	}
	for _, m := range t.Moves {
		if m.From != m.To {
			g.SetEdge(g.NewEdge(simple.Node(m.From), simple.Node(m.To)))
		}
	}
	out := make([][]int, len(t.Locations))
	for _, c := range topo.TarjanSCC(g) {
		for _, a := range c {
			for _, b := range c {
				if a.ID() != b.ID() {
					out[a.ID()] = append(out[a.ID()], int(b.ID()))
				}
			}
			slices.Sort(out[a.ID()])
		}
	}
	return out
}

// always reports whether a condition is a consequence of what holds anyway: sure
// messages are among those that reach some, and nothing is negative.
func (t *Translation) always(l amount) bool {
	if trivial(l) {
		return true
	}
	if !slices.ContainsFunc(namesOf(l), shared) && t.assumed(l) {
		return true
	}
	rest := l
	for _, it := range t.items {
		s, a := "sent "+it.name(), "some "+it.name()
		if c := coef(rest, s); c < 0 && coef(rest, a) > 0 && t.some() {
			k := min(-c, coef(rest, a))
			rest = rest.AddScaled(linear.N(k), quantity(s)).AddScaled(linear.N(-k), quantity(a))
		}
	}
	return trivial(rest)
}

// excluded reports whether conditions on parameters, among others, contradict the
// assumptions.
func (t *Translation) excluded(list all) bool {
	for _, l := range list {
		if !slices.ContainsFunc(namesOf(l), shared) && t.assumed(l.Complement()) {
			return true
		}
	}
	return false
}

// assumed reports whether a condition on parameters follows from the assumptions.
func (t *Translation) assumed(l amount) bool {
	if t.known == nil {
		t.known = any{t.implied()}
		if !t.free {
			t.known = and(t.known, t.stated())
		}
	}
	key := l.Key()
	yes, old := t.consequences[key]
	if !old {
		yes = t.follows(l, t.known)
		t.consequences[key] = yes
	}
	return yes
}

// stated are the assumptions of the text.
func (t *Translation) stated() any {
	out := always
	for _, e := range t.Source.Assume {
		out = and(out, t.condition(e, nil, true))
	}
	return out
}

// follows reports whether a condition on parameters follows from others.
func (t *Translation) follows(l amount, from any) bool {
	for _, c := range from {
		list := append(slices.Clone(c), l.Complement())
		for _, p := range t.Source.Params {
			list = append(list, quantity(p))
		}
		if _, possible, _ := t.eliminate(list, func(string) bool { return true }); possible {
			return false
		}
	}
	return true
}

// idle is when no fair rule (or a certain one) has anything to do at a location, in
// terms of what was heard.
func (t *Translation) idle(l *Location, only *ftdp.ProcessRule) any {
	out := always
	for _, r := range t.Source.Rules {
		if r.Maybe || t.never[r.Label.Name] || r.Type != l.Type || only != nil && r.ProcessRule != only {
			continue
		}
		var nothing any
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
