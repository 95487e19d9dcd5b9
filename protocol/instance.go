package protocol

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/internal/spell"
)

// instance returns the protocol of fixed size that values of the parameters make
// of a protocol for all sizes. Parameters without values get the smallest ones.
func (f *File) instance(set map[string]int64, followed bool) (*Model, error) {
	s, err := f.Source()
	if err != nil {
		return nil, err
	}
	var list diag.List
	set = maps.Clone(set)
	maps.DeleteFunc(set, func(name string, v int64) bool { // what is said of a constant of the text
		own, ok := s.consts[name]
		return ok && own == v
	})
	for name := range set {
		if own, ok := s.consts[name]; ok {
			list.Add(diag.Pos{File: f.Pos.Filename}, 1, "%s is %d in the text, and no parameter", name, own)
			continue
		}
		if !slices.Contains(s.Params, name) {
			list.Add(diag.Pos{File: f.Pos.Filename}, 1, "there is no parameter %q%s", name, spell.Hint(name, s.Params))
		}
	}
	if err := list.Err(); err != nil {
		return nil, err
	}
	values, err := s.Smallest(set)
	if err != nil {
		return nil, err
	}
	text, made := s.instance(values)
	g, err := Parse(f.Pos.Filename, text)
	if err == nil {
		var m *Model
		if m, err = g.model(nil, followed); err == nil {
			m.Source, m.origins = f, made
			return m, nil
		}
	}
	list = nil
	if errors.As(err, &list) { // its places are those of a text that nobody has seen
		err = errors.New(list[0].Msg)
	}
	return nil, fmt.Errorf("%s: its instance with %s cannot be explored: %w", f.Pos.Filename, givenText(values)[len(" with "):], err)
}

// instanceText writes an instance. Its types of processes are roles; what a type does not look at it
// neither hears nor is sent, if there are several types.
type instanceText struct {
	*Source
	b     strings.Builder
	typ   int // the type whose rules are written
	slots []slot
	made  origins
}

// label names a rule of the instance, and notes what it is.
func (g *instanceText) label(act Act, name string) string {
	label := name
	switch act {
	case ActHear:
		label = "hear_" + name
	case ActMayHear:
		label = "hear_some_" + name
	case ActCrash:
		label = "crash"
	case ActCrashIn:
		label = name + "_crashing"
	case ActFaulty:
		label = name + "_faulty"
	case ActLie:
		label = "lie_" + name
	case ActWait:
		label = "wait"
	}
	g.made.rules[label] = Origin{Act: act, Name: name}
	return label
}

// labelOf is label for what each type of processes has a rule of its own for; mark tells such rules apart.
func (g *instanceText) labelOf(act Act, name, mark string) string {
	if len(g.Types) == 1 {
		return g.label(act, name)
	}
	label := g.label(act, name)
	delete(g.made.rules, label)
	label += "_" + mark + "_"
	g.made.rules[label] = Origin{Act: act, Name: name}
	return label
}

func (g *instanceText) line(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

// crashing reports whether processes stop.
func (s *Source) crashing() bool { return s.Faults == Crashes || s.Faults == CleanCrash }

// partial reports whether what is sent to all may reach some only.
func (s *Source) partial() bool { return s.Faults == Crashes || s.Faults == Omission }

// mayCrash reports whether processes of a type stop.
func (s *Source) mayCrash(typ int) bool { return s.crashing() && s.Types[typ].Group >= 0 }

// flagged reports whether some processes of a type are faulty from the start, and known as such by a
// flag.
func (s *Source) flagged(typ int) bool {
	return (s.Faults == Symmetric || s.Faults == Omission) && s.Types[typ].Group >= 0
}

// lying reports whether some processes of a type are Byzantine.
func (s *Source) lying(typ int) bool { return s.Faults == Byzantines && s.Types[typ].Group >= 0 }

// id is the type of the numbers of processes of a type.
func (s *Source) id(typ int) string {
	if len(s.Types) == 1 {
		return "nodeID"
	}
	return s.Types[typ].Name + "_ID_"
}

// faultySet is the parameter of initial states that says which processes of a type are faulty.
func (s *Source) faultySet(typ int) string {
	if len(s.Types) == 1 {
		return "B_"
	}
	return fmt.Sprintf("B_%d_", typ)
}

// heardField names what a process has heard of a kind, from processes of a type: an array by senders
// of the values of a field, or of truth values.
func (s *Source) heardField(k *MessageKind, from, field int) string {
	name := "heard_" + k.Name
	if len(k.From) > 1 {
		name += fmt.Sprintf("_%d_", from)
	}
	if field > 0 {
		name += fmt.Sprintf("_%df_", field)
	}
	return name
}

// hears reports whether processes of a type look at messages of a kind.
func (s *Source) hears(typ int, kind string) bool {
	if len(s.Types) == 1 {
		return true
	}
	yes := false
	for _, r := range s.Rules {
		if r.Type == typ {
			for st := range all(r.Body) {
				for _, e := range expressions(st) {
					yes = yes || e.counts(s, kind)
				}
			}
		}
	}
	return yes
}

// counts reports whether an expression counts messages of a kind.
func (e *Expr) counts(s *Source, kind string) bool {
	return e.Any(func(e *Expr) bool {
		return e.Op == Call && (e.Name == "heard" || e.Name == "arrived") && s.Heard(e.Args[0]).Kind.Name == kind
	})
}

// slot is a field of the messages of an instance, which carries values of some kinds.
type slot struct {
	name string
	ValueType
}

// slotOf returns the slot of a field of a kind: kinds share slots of the same sort.
func (s *Source) slots() (list []slot, of map[string][]int) {
	of = map[string][]int{}
	for _, k := range s.Kinds {
		taken := map[int]bool{}
		for _, f := range k.Fields {
			at := slices.IndexFunc(list, func(o slot) bool { return o.Bool == f.Bool && slices.Equal(o.Names, f.Names) })
			for at >= 0 && taken[at] {
				next := slices.IndexFunc(list[at+1:], func(o slot) bool { return o.Bool == f.Bool && slices.Equal(o.Names, f.Names) })
				if at += 1 + next; next < 0 {
					at = -1
				}
			}
			if at < 0 {
				at = len(list)
				name := "val"
				if at > 0 {
					name = fmt.Sprintf("val_%d_", at)
				}
				list = append(list, slot{name, f})
			}
			list[at].Lo, list[at].Hi = min(list[at].Lo, f.Lo), max(list[at].Hi, f.Hi)
			taken[at] = true
			of[k.Name] = append(of[k.Name], at)
		}
	}
	return list, of
}

// Fields are the fields of messages of instances that carry the values of a kind.
func (s *Source) Fields(kind string) (names []string) {
	list, of := s.slots()
	for _, at := range of[kind] {
		names = append(names, list[at].name)
	}
	return names
}

// Instance returns the text of the protocol for values of the parameters.
func (s *Source) Instance(values map[string]int64) string {
	text, _ := s.instance(values)
	return text
}

func (s *Source) instance(values map[string]int64) (string, origins) {
	g := &instanceText{Source: s, made: origins{rules: map[string]Origin{}, heard: map[string]heardOf{}, flags: map[string]string{}, messages: map[string][]string{}, forgotten: map[string]bool{}, ifs: map[int]*If{}, behind: map[string]bool{}}}
	g.slots, _ = s.slots()
	for _, k := range s.Kinds {
		g.made.messages[k.Name] = s.Fields(k.Name)
	}
	g.line("protocol %s;\nconst", s.Name)
	for _, p := range s.Params {
		g.line("  %s = %d;", p, values[p])
	}
	for _, name := range slices.Sorted(maps.Keys(s.consts)) {
		g.line("  %s = %d;", name, s.consts[name])
	}
	g.line("channels asynchronous reliable authenticated unordered bounded %d;", max(1, len(s.Kinds)))
	g.types(values)
	g.init(values)
	g.line("rules")
	for typ := range s.Types {
		g.typ = typ
		g.hearing()
		for _, r := range s.Rules {
			if r.Type == typ {
				g.rule(r.ProcessRule)
			}
		}
		g.faultRules()
		sep := ""
		if typ < len(s.Types)-1 {
			sep = "\n  []"
		}
		g.line("  [](i_: %s) %s:\n    skip%s", s.id(typ), g.labelOf(ActWait, "", fmt.Sprint(typ)), sep)
	}
	g.line("")
	for _, p := range s.Props {
		g.property(p)
	}
	return g.b.String(), g.made
}

func (g *instanceText) types(values map[string]int64) {
	g.line("type")
	for typ, t := range g.Types {
		n, _ := g.number(t.Size, values)
		g.line("  %s: role[%d];", g.id(typ), n)
	}
	for i, values := range g.ofParameters() {
		g.line("  only%d_: enum {%s};", i, strings.Join(values, ", "))
	}
	if len(g.Kinds) > 0 {
		var names []string
		for _, k := range g.Kinds {
			names = append(names, k.Name)
		}
		if g.letters() {
			g.letterTypes()
		} else {
			g.line("  Msg: record\n    kind: enum {%s};", strings.Join(names, ", "))
			for i := range g.slots {
				g.line("    %s: %s;", g.slots[i].name, &g.slots[i].ValueType)
			}
			if g.partial() {
				g.line("    sure: bool;")
			}
			g.line("  end;")
		}
	}
	g.line("var")
	for typ := range g.Types {
		g.variables(typ)
	}
}

// ofParameters lists the enumerations that no variable has, and no message: parameters of rules have them only.
func (g *instanceText) ofParameters() [][]string {
	var used [][]string
	note := func(v ValueType) { used = append(used, v.Names) }
	for _, t := range g.Types {
		for _, v := range t.Vars {
			note(v.ValueType)
		}
	}
	for _, k := range g.Kinds {
		for _, f := range k.Fields {
			note(f)
		}
	}
	return slices.DeleteFunc(slices.Clone(g.enums), func(e []string) bool {
		return slices.ContainsFunc(used, func(u []string) bool { return slices.Equal(u, e) })
	})
}

// variables declares what a process of a type has.
func (g *instanceText) variables(typ int) {
	t := &g.Types[typ]
	g.line("  %s: array[%s] of record", t.Name, g.id(typ))
	for i := range t.Vars {
		g.line("    %s: %s;", t.Vars[i].Name, t.Vars[i].Type)
	}
	for i := range g.Kinds {
		k := &g.Kinds[i]
		if !g.hears(typ, k.Name) {
			continue
		}
		for _, from := range k.From {
			if !k.Valued() {
				g.line("    %s: array[%s] of bool;", g.heardField(k, from, 0), g.id(from))
			}
			var fields []string
			for f := range k.Fields {
				fields = append(fields, g.heardField(k, from, f))
				g.line("    %s: array[%s] of %s;", g.heardField(k, from, f), g.id(from), &k.Fields[f])
			}
			g.made.heard[g.heardField(k, from, 0)] = heardOf{k.Name, fields}
			for f := 1; f < len(k.Fields); f++ {
				g.made.heard[fields[f]] = heardOf{}
			}
		}
	}
	for _, k := range g.awaited(typ) {
		g.line("    %s: bool;", sentField(k.Name))
		g.made.flags[sentField(k.Name)] = ""
	}
	if g.mayCrash(typ) {
		g.line("    crashed: bool;")
		g.made.flags["crashed"] = "crashed"
	}
	if g.flagged(typ) {
		g.line("    faulty: bool;")
		g.made.flags["faulty"] = "faulty"
		for _, k := range g.lies(typ) {
			g.line("    lied_%s: bool;", k.Name)
			g.made.flags["lied_"+k.Name] = ""
		}
	}
	g.line("  end;")
}

// lies are the kinds that faulty processes of a type send that send the same to all.
func (g *instanceText) lies(typ int) (list []*MessageKind) {
	for i := range g.Kinds {
		if g.Faults == Symmetric && g.flagged(typ) && slices.Contains(g.Kinds[i].From, typ) {
			list = append(list, &g.Kinds[i])
		}
	}
	return list
}

// set names the processes whose input has a value at first.
func (s *Source) set(typ int, v *SourceVar, n int64) string {
	if len(s.Types) == 1 {
		return fmt.Sprintf("%s_%d_", v.Name, n-v.Lo)
	}
	return fmt.Sprintf("%s_%d_t%d_", v.Name, n-v.Lo, typ)
}

// Chosen returns the type of processes, the input and its value that a parameter of the initial states of an
// instance stands for: the set of processes that begin with it; nil for the faulty processes of the type.
func (s *Source) Chosen(param string) (int, *SourceVar, int64) {
	for typ := range s.Types {
		if param == s.faultySet(typ) {
			return typ, nil, 0
		}
		for i := range s.Types[typ].Vars {
			v := &s.Types[typ].Vars[i]
			for n := v.Lo + 1; n <= v.Hi; n++ {
				if v.Input && s.set(typ, v, n) == param {
					return typ, v, n
				}
			}
		}
	}
	return 0, nil, 0
}

func (g *instanceText) init(values map[string]int64) {
	var params []string
	for typ := range g.Types {
		if g.lying(typ) || g.flagged(typ) {
			f, _ := g.number(g.Faulty(typ), values)
			params = append(params, fmt.Sprintf("[](%s: quorum[%d] of %s)", g.faultySet(typ), f, g.id(typ)))
		}
		for i := range g.Types[typ].Vars {
			if v := &g.Types[typ].Vars[i]; v.Input {
				for n := v.Lo + 1; n <= v.Hi; n++ {
					params = append(params, fmt.Sprintf("[](%s: quorum[>= 0] of %s)", g.set(typ, v, n), g.id(typ)))
				}
			}
		}
	}
	g.line("init\n  %s start:", strings.Join(params, " "))
	if g.Starts != nil {
		g.line("    if %s then", g.starting())
	}
	for typ := range g.Types {
		g.begin(typ)
	}
	if g.Starts != nil {
		g.line("    endif")
	}
}

// begin writes how processes of a type begin.
func (g *instanceText) begin(typ int) {
	t := &g.Types[typ]
	me := t.Name + "[k_]"
	faulty := g.faultySet(typ)
	g.line("    for k_: %s do", g.id(typ))
	out := ""
	if g.lying(typ) || g.flagged(typ) && g.Faults == Symmetric { // whose inputs mean nothing
		out = "not (k_ in " + faulty + ") and "
	}
	for i := range t.Vars {
		v := &t.Vars[i]
		place := me + "." + v.Name
		g.line("      %s := %s;", place, v.Format(v.First))
		if v.Input {
			for n := v.Lo + 1; n <= v.Hi; n++ {
				g.line("      if %sk_ in %s then %s := %s endif", out, g.set(typ, v, n), place, v.Format(n))
			}
		}
	}
	for i := range g.Kinds {
		k := &g.Kinds[i]
		for _, from := range k.From {
			if !k.Valued() && g.hears(typ, k.Name) {
				g.line("      for l_: %s do %s.%s[l_] := false endfor", g.id(from), me, g.heardField(k, from, 0))
			}
		}
	}
	for _, k := range g.awaited(typ) {
		g.line("      %s.%s := false;", me, sentField(k.Name))
	}
	switch {
	case g.lying(typ):
		g.line("      if k_ in %s then %s.status := byz endif", faulty, me)
	case g.mayCrash(typ):
		g.line("      %s.crashed := false;", me)
	case g.flagged(typ):
		g.line("      %s.faulty := k_ in %s;", me, faulty)
		for _, k := range g.lies(typ) {
			g.line("      %s.lied_%s := false;", me, k.Name)
		}
	}
	g.line("    endfor")
}

// hearing writes the rules that receive: by kind, what is sure to arrive and what
// is not apart, since only the first is fair.
func (g *instanceText) hearing() {
	for i := range g.Kinds {
		if k := &g.Kinds[i]; g.hears(g.typ, k.Name) {
			for _, from := range k.From {
				g.hear(k, from)
			}
		}
	}
}

// hear writes the rules that receive messages of a kind from processes of a type.
func (g *instanceText) hear(k *MessageKind, from int) {
	me := g.Types[g.typ].Name + "[i_]"
	own := func(field int) string { return fmt.Sprintf("%s.%s[j_]", me, g.heardField(k, from, field)) }
	fresh, note := "not "+own(0), own(0)+" := true"
	if k.Valued() {
		fresh, note = "isundefined("+own(0)+")", ""
		_, of := g.Source.slots()
		for f, at := range of[k.Name] {
			s, t := &g.slots[at], &k.Fields[f]
			note += fmt.Sprintf("%s := msg.%s; ", own(f), s.name)
			if s.Lo < t.Lo || s.Hi > t.Hi {
				fresh += fmt.Sprintf(" and %d <= msg.%s <= %d", t.Lo, s.name, t.Hi)
			}
		}
		note = strings.TrimSuffix(note, "; ")
	}
	hear := func(act Act, extra string) {
		mark := fmt.Sprintf("%d_%d", from, g.typ)
		g.line("  [](i_: %s) [](j_: %s) %s:\n    if msg.kind = %s and %s%s then %s endif\n  []", g.id(g.typ), g.id(from),
			g.labelOf(act, k.Name, mark), k.Name, fresh, extra, note)
	}
	up := ""
	if g.mayCrash(g.typ) {
		up = " and not " + me + ".crashed"
	}
	switch {
	case g.Faults == Crashes:
		hear(ActHear, " and msg.sure"+up)
		hear(ActMayHear, " and not msg.sure"+up)
	case g.Faults == CleanCrash:
		hear(ActHear, up)
	case g.Faults == Omission && g.flagged(g.typ):
		hear(ActHear, " and msg.sure and not "+me+".faulty")
		hear(ActMayHear, " and (not msg.sure or "+me+".faulty)")
	case g.Faults == Omission:
		hear(ActHear, " and msg.sure")
		hear(ActMayHear, " and not msg.sure")
	case g.flagged(g.typ):
		hear(ActHear, " and not "+me+".faulty")
	default:
		hear(ActHear, "")
	}
}

// rule writes a rule, and what it is like in a process that is faulty.
func (g *instanceText) rule(r *ProcessRule) {
	body := slices.DeleteFunc(slices.Clone(r.Body), func(st *Statement) bool { return st.If == nil })
	chain := body[0].If
	guard := r.guard() // a process can crash in it if it sends
	write := func(act Act, also, sure, end string) {
		label := g.label(act, r.Label.Name)
		if also != "" {
			also += " and "
			g.made.behind[label] = true
		}
		g.line("  [](i_: %s) %s:\n    if %s(%s) then", g.id(g.typ), label, also, g.expr(guard, "i_"))
		if len(chain.Elsif) > 0 {
			g.block(body, sure)
		} else {
			g.block(chain.Thens[0].List, sure)
		}
		g.line("%s    endif\n  []", end)
	}
	me := g.Types[g.typ].Name + "[i_]"
	sure := ""
	if g.partial() {
		sure = "true"
	}
	switch {
	case g.mayCrash(g.typ):
		write(ActOwn, "not "+me+".crashed", sure, "")
		if when := sends(body, literal(false)); g.Faults == Crashes && !when.is(false) {
			write(ActCrashIn, "not "+me+".crashed and "+g.room()+" and ("+g.expr(when, "i_").String()+")", "false", g.stop())
		}
	case g.flagged(g.typ):
		write(ActOwn, "not "+me+".faulty", sure, "")
		if g.Faults == Omission {
			write(ActFaulty, me+".faulty", "false", "")
		}
	default:
		write(ActOwn, "", sure, "")
	}
}

// guard is what a rule asks before it does anything: that one of its guards is true.
func (r *ProcessRule) guard() *Expr {
	guard := literal(false)
	for _, st := range r.Body {
		if st.If == nil {
			continue
		}
		for _, e := range st.If.guards() {
			guard = either(guard, e)
		}
		break
	}
	return guard
}

// room is that another process may crash.
func (g *instanceText) room() string {
	group := g.Groups[g.Types[g.typ].Group]
	return g.down(group.Types) + " < " + group.Count.text(8)
}

// down counts the processes of some types that have crashed.
func (g *instanceText) down(types []int) string {
	var parts []string
	for _, typ := range types {
		if g.mayCrash(typ) {
			parts = append(parts, fmt.Sprintf("count (q_: %s) %s[q_].crashed", g.id(typ), g.Types[typ].Name))
		}
	}
	if parts == nil {
		return "0"
	}
	return strings.Join(parts, " + ")
}

// stop writes what becomes of a process that crashes: what no property can see of it is
// forgotten.
func (g *instanceText) stop() string {
	var b strings.Builder
	t := &g.Types[g.typ]
	for i := range t.Vars {
		if v := &t.Vars[i]; !g.Seen(g.typ, v.Name) {
			fmt.Fprintf(&b, "      %s[i_].%s := %s;\n", t.Name, v.Name, v.Format(v.First))
			g.made.forgotten[t.Name+"."+v.Name] = true
		}
	}
	for i := range g.Kinds {
		k := &g.Kinds[i]
		if !g.hears(g.typ, k.Name) {
			continue
		}
		for _, from := range k.From {
			if !k.Valued() {
				fmt.Fprintf(&b, "      for l_: %s do %s[i_].%s[l_] := false endfor\n", g.id(from), t.Name, g.heardField(k, from, 0))
			}
			for f := range k.Fields {
				fmt.Fprintf(&b, "      for l_: %s do undefine %s[i_].%s[l_] endfor\n", g.id(from), t.Name, g.heardField(k, from, f))
			}
		}
	}
	fmt.Fprintf(&b, "      %s[i_].crashed := true;\n", t.Name)
	return b.String()
}

func (g *instanceText) faultRules() {
	me := g.Types[g.typ].Name + "[i_]"
	if g.mayCrash(g.typ) {
		g.line("  [](i_: %s) %s:\n    if not %s.crashed and %s then\n%s    endif\n  []", g.id(g.typ), g.labelOf(ActCrash, "", fmt.Sprint(g.typ)), me, g.room(), g.stop())
	}
	for _, k := range g.lies(g.typ) {
		params, values := "", []*Expr(nil)
		for f := range k.Fields {
			params += fmt.Sprintf("[](v%d_: %s) ", f, &k.Fields[f])
			values = append(values, &Expr{Op: Name, Name: fmt.Sprintf("v%d_", f)})
		}
		g.line("  %s[](i_: %s) %s:\n    if %s.faulty and not %s.lied_%s then\n      %s.lied_%s := true;",
			params, g.id(g.typ), g.labelOf(ActLie, k.Name, fmt.Sprint(g.typ)), me, me, k.Name, me, k.Name)
		g.sending(k, values, "")
		g.line("    endif\n  []")
	}
}

// sending writes that a message is sent to all.
func (g *instanceText) sending(k *MessageKind, values []*Expr, sure string) {
	fields := g.Fields(k.Name)
	for typ := range g.Types {
		if !g.hears(typ, k.Name) {
			continue
		}
		if g.letters() {
			g.line("      send %s to all of %s;", g.letter(k.Name, values, sure), g.id(typ))
			continue
		}
		text := fmt.Sprintf("2%s[q_].kind := %s;", g.Types[typ].Name, k.Name)
		for f, v := range values {
			text += fmt.Sprintf(" 2%s[q_].%s := %s;", g.Types[typ].Name, fields[f], v)
		}
		if sure != "" {
			text += fmt.Sprintf(" 2%s[q_].sure := %s;", g.Types[typ].Name, sure)
		}
		g.line("      for q_: %s do %s endfor", g.id(typ), text)
	}
}

func (g *instanceText) block(list []*Statement, sure string) {
	for _, st := range list {
		switch {
		case st.Assign != nil:
			g.line("      %s[i_].%s := %s;", g.Types[g.typ].Name, st.Assign.Place.Name, g.expr(st.Assign.Value, "i_"))
		case st.Send != nil:
			var values []*Expr
			for _, v := range st.Send.Values {
				values = append(values, g.expr(v, "i_"))
			}
			g.sending(g.Kind(st.Send.Kind.Name), values, sure)
			if g.Awaited(st.Send.Kind.Name) && sure != "false" {
				g.line("      %s[i_].%s := true;", g.Types[g.typ].Name, sentField(st.Send.Kind.Name))
			}
		case st.If != nil:
			g.made.ifs[1+strings.Count(g.b.String(), "\n")] = st.If
			for i, guard := range st.If.Guards {
				g.line("      if %s then", g.expr(guard, "i_"))
				g.block(st.If.Thens[i].List, sure)
			}
			for _, e := range st.If.Elsif {
				g.line("      elsif %s then", g.expr(e.Guard, "i_"))
				g.block(e.Then.List, sure)
			}
			if st.If.Else != nil {
				g.line("      else")
				g.block(st.If.Else.Body.List, sure)
			}
			g.line("      endif")
		}
	}
}

func raw(format string, args ...any) *Expr {
	return &Expr{Op: Name, Name: fmt.Sprintf(format, args...)}
}

// expr rewrites an expression for a process of the type that is written: its variables, and how many it has
// heard from.
func (g *instanceText) expr(e *Expr, who string) *Expr {
	switch {
	case e.Op == Field: // TYPE.x, in properties
		e = &Expr{Op: Name, Name: e.Name}
		fallthrough
	case e.Op == Name && (g.Types[g.typ].Var(e.Name) != nil || e.Name == "crashed"):
		if who == "" {
			break
		}
		if e.Name == "crashed" && !g.mayCrash(g.typ) {
			return literal(false)
		}
		return raw("%s[%s].%s", g.Types[g.typ].Name, who, e.Name)
	case e.Op == Name && e.Name == "crashes" && g.crashing():
		return raw("(%s)", g.down(g.all()))
	case e.Op == Call && e.Name == "heard":
		return g.heardFrom(g.Heard(e.Args[0]), who)
	case e.Op == Call && e.Name == "arrived":
		return g.arrivedFrom(g.Heard(e.Args[0]), who)
	case e.Op == Call: // all, some, count, every
		return g.processes(e)
	}
	return e.Map(func(a *Expr) *Expr { return g.expr(a, who) })
}

func (s *Source) all() (types []int) {
	for i := range s.Types {
		types = append(types, i)
	}
	return types
}

// heardFrom counts the processes from which another has received messages.
func (g *instanceText) heardFrom(h Heard, who string) *Expr {
	var parts []string
	for _, from := range h.From {
		heard := func(f int) string {
			return fmt.Sprintf("%s[%s].%s[h_]", g.Types[g.typ].Name, who, g.heardField(h.Kind, from, f))
		}
		var is []string
		for f, a := range h.Args {
			if a != nil {
				is = append(is, fmt.Sprintf("%s = %s", heard(f), g.expr(a, who).text(8)))
			}
		}
		switch {
		case is != nil:
		case h.Kind.Valued():
			is = []string{"not isundefined(" + heard(0) + ")"}
		default:
			is = []string{heard(0)}
		}
		text := strings.Join(is, " and ")
		if h.Crashed && g.mayCrash(from) {
			text = fmt.Sprintf("%s or %s[h_].crashed", text, g.Types[from].Name)
		}
		parts = append(parts, fmt.Sprintf("(count (h_: %s) (%s))", g.id(from), text))
	}
	if len(parts) == 1 {
		return raw("%s", parts[0])
	}
	return raw("(%s)", strings.Join(parts, " + "))
}

// processes says how many processes, or whether all or some, satisfy a condition.
func (g *instanceText) processes(e *Expr) *Expr {
	defer func(typ int) { g.typ = typ }(g.typ)
	var parts []string
	for _, typ := range g.Meant(e.Args[0]) {
		g.typ = typ
		here := g.expr(e.Args[0], "p_")
		counted := g.counted("p_", e)
		switch e.Name {
		case "all", "every":
			parts = append(parts, fmt.Sprintf("(forall (p_: %s) %s -> %s)", g.id(typ), counted, here.text(3)))
		case "some":
			parts = append(parts, fmt.Sprintf("(exists (p_: %s) %s and %s)", g.id(typ), counted, here.text(5)))
		default:
			parts = append(parts, fmt.Sprintf("(count (p_: %s) (%s and %s))", g.id(typ), counted, here.text(5)))
		}
	}
	if len(parts) == 1 {
		return raw("%s", parts[0])
	}
	op := map[string]string{"all": " and ", "every": " and ", "some": " or ", "count": " + "}[e.Name]
	return raw("(%s)", strings.Join(parts, op))
}

// counted says which processes of a type properties speak of: the correct ones, and those that
// have not crashed, unless it is asked who has, or of every one.
func (g *instanceText) counted(p string, e *Expr) string {
	me := g.Types[g.typ].Name + "[" + p + "]"
	switch {
	case g.lying(g.typ):
		return me + ".status = corr"
	case g.flagged(g.typ) && (e.Name != "every" || g.Faults == Symmetric):
		return "not " + me + ".faulty"
	case g.mayCrash(g.typ) && e.Name != "every" && !e.Args[0].Mentions("crashed"):
		return "not " + me + ".crashed"
	}
	return "true"
}

// Mentions reports whether a name is in an expression.
func (e *Expr) Mentions(name string) bool {
	return e.Any(func(e *Expr) bool { return (e.Op == Name || e.Op == Field) && e.Name == name })
}

func (g *instanceText) property(p *Section) {
	if p.Invariant != nil {
		g.line("invariant %s:\n  %s;", p.Invariant.Name.Name, g.expr(p.Invariant.Formula, ""))
		return
	}
	fair := ""
	if p.LTL.Fair != nil {
		var list []string
		for typ := range g.Types {
			for _, k := range g.Kinds {
				for _, from := range k.From {
					if g.hears(typ, k.Name) {
						list = append(list, g.labelOf(ActHear, k.Name, fmt.Sprintf("%d_%d", from, typ)))
					}
				}
			}
		}
		for _, r := range g.Rules {
			if !r.Maybe {
				list = append(list, r.Label.Name)
			}
		}
		if len(list) > 0 {
			fair = " fair(" + strings.Join(list, ", ") + ")"
		}
	}
	g.line("ltl %s%s:\n  %s;", p.LTL.Name.Name, fair, g.expr(p.LTL.Formula, ""))
}
