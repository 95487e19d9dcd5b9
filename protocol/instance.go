package protocol

import (
	"errors"
	"fmt"
	"maps"
	"slices"

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
	g, made, err := s.instance(values)
	if err == nil {
		var m *Model
		if m, err = g.resolve(nil, followed); err == nil {
			m.Source, m.origins, m.remodel = f, made, (*File).model
			return m, nil
		}
	}
	list = nil
	if errors.As(err, &list) { // its places are those of what the instance is made of: the text itself is right
		err = errors.New(list[0].Msg)
	}
	return nil, fmt.Errorf("%s: its instance with %s cannot be explored: %w", f.Pos.Filename, givenText(values)[len(" with "):], err)
}

// instantiation makes an instance. Its types of processes are roles; what a type does not look at it
// neither hears nor is sent, if there are several types. All stands at the place of the text that it is made for.
type instantiation struct {
	*Source
	origin      // of what is made
	typ    int  // the type whose rules are made
	large  bool // a number is too large
	rules  []*Rule
	slots  []slot
	made   origins
}

// label names a rule of the instance, and notes what it is.
func (g *instantiation) label(act Act, name string) string {
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
func (g *instantiation) labelOf(act Act, name, mark string) string {
	if len(g.Types) == 1 {
		return g.label(act, name)
	}
	label := g.label(act, name)
	delete(g.made.rules, label)
	label += "_" + mark + "_"
	g.made.rules[label] = Origin{Act: act, Name: name}
	return label
}

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

// Instance returns the protocol for values of the parameters.
func (s *Source) Instance(values map[string]int64) (*File, error) {
	f, _, err := s.instance(values)
	return f, err
}

func (s *Source) instance(values map[string]int64) (*File, origins, error) {
	g := &instantiation{Source: s, origin: s.File.from(), made: origins{rules: map[string]Origin{}, heard: map[string]heardOf{}, flags: map[string]string{}, messages: map[string][]string{}, forgotten: map[string]bool{}, ifs: map[ifAt]*If{}, behind: map[string]bool{}}}
	g.slots, _ = s.slots()
	for _, k := range s.Kinds {
		g.made.messages[k.Name] = s.Fields(k.Name)
	}
	var consts []*Const
	for _, p := range s.Params {
		consts = append(consts, &Const{g.ident(p), g.num(values[p])})
	}
	for _, name := range slices.Sorted(maps.Keys(s.consts)) {
		consts = append(consts, &Const{g.ident(name), g.num(s.consts[name])})
	}
	channels := &Channels{}
	for _, w := range []string{"asynchronous", "reliable", "authenticated", "unordered"} {
		channels.Words = append(channels.Words, &ChannelWord{Name: g.ident(w)})
	}
	channels.Words = append(channels.Words, &ChannelWord{Bound: &Sum{*g.num(int64(max(1, len(s.Kinds))))}})
	sections := []*Section{{Protocol: g.ident(s.Name)}, {Consts: consts}, {Channels: channels}}
	sections = append(sections, g.types(values)...)
	sections = append(sections, &Section{Init: []*Rule{g.init(values)}})
	for typ := range s.Types {
		g.typ = typ
		g.hearing()
		for _, r := range s.Rules {
			if r.Type == typ {
				g.rule(r.ProcessRule)
			}
		}
		g.faultRules()
		g.take(g.labelOf(ActWait, "", fmt.Sprint(typ)), nil, g.skip())
	}
	sections = append(sections, &Section{Rules: g.rules})
	for _, p := range s.Props {
		sections = append(sections, g.property(p))
	}
	for _, sec := range sections {
		sec.Pos = g.pos()
	}
	if g.large {
		return nil, origins{}, problem(g.origin.at, 1, "the number is too large: at most %d", maxNumber)
	}
	return s.File.remade(sections, nil), g.made, nil
}

// from is the place of a text as a whole.
func (f *File) from() origin {
	return origin{diag.Pos{File: f.Pos.Filename, Line: 1, Col: 1}, 1}
}

// name is a name, as everywhere where something is made.
func (g *instantiation) name(name string) *Expr { return g.origin.name(name) }

// num is a number, as large as those that can be written.
func (g *instantiation) num(n int64) *Expr {
	g.large = g.large || n > maxNumber || n < -maxNumber
	if n < 0 {
		return g.op(Minus, g.origin.number(-n))
	}
	return g.origin.number(n)
}

// value is a value of a type.
func (g *instantiation) value(t *ValueType, n int64) *Expr {
	if t.Bool || t.Names != nil {
		return g.name(t.Format(n))
	}
	return g.num(n)
}

// typeOf is a type of values.
func (g *instantiation) typeOfValue(t *ValueType) *TypeExpr {
	switch {
	case t.Bool:
		return g.bool()
	case t.Names != nil:
		return g.enum(t.Names)
	}
	return &TypeExpr{Pos: g.pos(), Range: &RangeType{From: &Sum{*g.num(t.Lo)}, To: &Sum{*g.num(t.Hi)}}}
}

// ids is the type of the numbers of processes of a type.
func (g *instantiation) ids(typ int) *TypeExpr { return g.typed(g.id(typ)) }

// my is a variable of a process of the type whose rules are made.
func (g *instantiation) my(who *Expr, name string) *Expr { return g.of(g.Types[g.typ].Name, who, name) }

// me is the process that takes a rule.
func (g *instantiation) me() *Expr { return g.name("i_") }

// take makes a rule of a process; further parameters stand before or behind it.
func (g *instantiation) take(label string, params func(me *Param) []*Param, body ...*Statement) {
	list := []*Param{{Name: g.ident("i_"), Type: g.ids(g.typ)}}
	if params != nil {
		list = params(list[0])
	}
	g.rules = append(g.rules, &Rule{Pos: g.pos(), Params: list, Label: g.ident(label), Body: body})
}

func (g *instantiation) types(values map[string]int64) (out []*Section) {
	var types []*TypeDecl
	for typ, t := range g.Types {
		n, _ := g.Source.Number(t.Size, values)
		types = append(types, &TypeDecl{Name: g.ident(g.id(typ)), Role: g.num(n)})
	}
	for i, values := range g.ofParameters() {
		types = append(types, &TypeDecl{Name: g.ident(fmt.Sprintf("only%d_", i)), Type: g.enum(values)})
	}
	out = []*Section{{Types: types}}
	if len(g.Kinds) > 0 {
		if g.letters() {
			out = append(out, &Section{Message: g.letterTypes()})
		} else {
			var names []string
			for _, k := range g.Kinds {
				names = append(names, k.Name)
			}
			fields := []*Decl{g.decl("kind", g.enum(names))}
			for i := range g.slots {
				fields = append(fields, g.decl(g.slots[i].name, g.typeOfValue(&g.slots[i].ValueType)))
			}
			if g.partial() {
				fields = append(fields, g.decl("sure", g.bool()))
			}
			out[0].Types = append(types, &TypeDecl{Name: g.ident("Msg"), Type: g.record(fields)})
		}
	}
	var vars []*Decl
	for typ, t := range g.Types {
		vars = append(vars, g.decl(t.Name, g.array(g.ids(typ), g.record(g.variables(typ)))))
	}
	return append(out, &Section{Vars: vars})
}

// ofParameters lists the enumerations that no variable has, and no message: parameters of rules have them only.
func (g *instantiation) ofParameters() [][]string {
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
func (g *instantiation) variables(typ int) (out []*Decl) {
	declare := func(name string, t *TypeExpr) { out = append(out, g.decl(name, t)) }
	t := &g.Types[typ]
	for i := range t.Vars {
		declare(t.Vars[i].Name, t.Vars[i].Type)
	}
	for i := range g.Kinds {
		k := &g.Kinds[i]
		if !g.hears(typ, k.Name) {
			continue
		}
		for _, from := range k.From {
			if !k.Valued() {
				declare(g.heardField(k, from, 0), g.array(g.ids(from), g.bool()))
			}
			var fields []string
			for f := range k.Fields {
				fields = append(fields, g.heardField(k, from, f))
				declare(g.heardField(k, from, f), g.array(g.ids(from), g.typeOfValue(&k.Fields[f])))
			}
			g.made.heard[g.heardField(k, from, 0)] = heardOf{k.Name, fields}
			for f := 1; f < len(k.Fields); f++ {
				g.made.heard[fields[f]] = heardOf{}
			}
		}
	}
	flag := func(name, said string) {
		declare(name, g.bool())
		g.made.flags[name] = said
	}
	for _, k := range g.awaited(typ) {
		flag(sentField(k.Name), "")
	}
	if g.mayCrash(typ) {
		flag("crashed", "crashed")
	}
	if g.flagged(typ) {
		flag("faulty", "faulty")
		for _, k := range g.lies(typ) {
			flag("lied_"+k.Name, "")
		}
	}
	return out
}

// lies are the kinds that faulty processes of a type send that send the same to all.
func (g *instantiation) lies(typ int) (list []*MessageKind) {
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

// init makes the initial states: parameters say which processes begin with which value, and are faulty.
func (g *instantiation) init(values map[string]int64) *Rule {
	r := &Rule{Pos: g.pos(), Label: g.ident("start")}
	set := func(name string, size *Expr, least bool, typ int) {
		q := &Quorum{Pos: g.pos(), AtLeast: least, Size: size, Role: g.ident(g.id(typ))}
		r.Params = append(r.Params, &Param{Name: g.ident(name), Quorum: q})
	}
	for typ := range g.Types {
		if g.lying(typ) || g.flagged(typ) {
			f, _ := g.Source.Number(g.Faulty(typ), values)
			set(g.faultySet(typ), g.num(f), false, typ)
		}
		for i := range g.Types[typ].Vars {
			if v := &g.Types[typ].Vars[i]; v.Input {
				for n := v.Lo + 1; n <= v.Hi; n++ {
					set(g.set(typ, v, n), g.num(0), true, typ)
				}
			}
		}
		r.Body = append(r.Body, g.begin(typ))
	}
	if g.Starts != nil {
		r.Body = []*Statement{g.when(g.starting(), r.Body...)}
	}
	return r
}

// begin is how processes of a type begin.
func (g *instantiation) begin(typ int) *Statement {
	t := &g.Types[typ]
	k := g.name("k_")
	own := func(name string) *Expr { return g.of(t.Name, k, name) }
	faulty := g.op(In, k, g.name(g.faultySet(typ)))
	var body []*Statement
	set := func(name string, value *Expr) { body = append(body, g.assign(own(name), value)) }
	for i := range t.Vars {
		v := &t.Vars[i]
		set(v.Name, g.value(&v.ValueType, v.First))
		if v.Input {
			for n := v.Lo + 1; n <= v.Hi; n++ {
				in := g.op(In, k, g.name(g.set(typ, v, n)))
				if g.lying(typ) || g.flagged(typ) && g.Faults == Symmetric { // whose inputs mean nothing
					in = g.and(g.not(faulty), in)
				}
				body = append(body, g.when(in, g.assign(own(v.Name), g.value(&v.ValueType, n))))
			}
		}
	}
	for i := range g.Kinds {
		kind := &g.Kinds[i]
		for _, from := range kind.From {
			if !kind.Valued() && g.hears(typ, kind.Name) {
				body = append(body, g.unheard(own(g.heardField(kind, from, 0)), from, true))
			}
		}
	}
	for _, kind := range g.awaited(typ) {
		set(sentField(kind.Name), g.name("false"))
	}
	switch {
	case g.lying(typ):
		body = append(body, g.when(faulty, g.assign(own("status"), g.name("byz"))))
	case g.mayCrash(typ):
		set("crashed", g.name("false"))
	case g.flagged(typ):
		set("faulty", faulty)
		for _, kind := range g.lies(typ) {
			set("lied_"+kind.Name, g.name("false"))
		}
	}
	return g.loop("k_", g.ids(typ), body...)
}

// unheard has it that nothing was heard from processes of a type.
func (g *instantiation) unheard(field *Expr, from int, bool bool) *Statement {
	cell := g.index(field, g.name("l_"))
	if bool {
		return g.loop("l_", g.ids(from), g.assign(cell, g.name("false")))
	}
	return g.loop("l_", g.ids(from), &Statement{Pos: g.pos(), Undefine: cell})
}

// hearing makes the rules that receive: by kind, what is sure to arrive and what
// is not apart, since only the first is fair.
func (g *instantiation) hearing() {
	for i := range g.Kinds {
		if k := &g.Kinds[i]; g.hears(g.typ, k.Name) {
			for _, from := range k.From {
				g.hear(k, from)
			}
		}
	}
}

// hear makes the rules that receive messages of a kind from processes of a type.
func (g *instantiation) hear(k *MessageKind, from int) {
	own := func(field int) *Expr { return g.index(g.my(g.me(), g.heardField(k, from, field)), g.name("j_")) }
	msg := func(field string) *Expr { return g.field(g.name("msg"), field) }
	fresh := []*Expr{g.op(Eq, msg("kind"), g.name(k.Name))}
	var note []*Statement
	if k.Valued() {
		fresh = append(fresh, g.op(Undefined, own(0)))
		_, of := g.Source.slots()
		for f, at := range of[k.Name] {
			s, t := &g.slots[at], &k.Fields[f]
			note = append(note, g.assign(own(f), msg(s.name)))
			if s.Lo < t.Lo || s.Hi > t.Hi {
				within := g.op(Chain, g.num(t.Lo), msg(s.name), g.num(t.Hi))
				within.Ops = []Op{Le, Le}
				fresh = append(fresh, within)
			}
		}
	} else {
		fresh = append(fresh, g.not(own(0)))
		note = append(note, g.assign(own(0), g.name("true")))
	}
	hear := func(act Act, also ...*Expr) {
		label := g.labelOf(act, k.Name, fmt.Sprintf("%d_%d", from, g.typ))
		sender := &Param{Name: g.ident("j_"), Type: g.ids(from)}
		g.take(label, func(me *Param) []*Param { return []*Param{me, sender} }, g.when(g.and(append(slices.Clone(fresh), also...)...), note...))
	}
	var up []*Expr
	if g.mayCrash(g.typ) {
		up = append(up, g.not(g.my(g.me(), "crashed")))
	}
	faulty := g.my(g.me(), "faulty")
	switch {
	case g.Faults == Crashes:
		hear(ActHear, append([]*Expr{msg("sure")}, up...)...)
		hear(ActMayHear, append([]*Expr{g.not(msg("sure"))}, up...)...)
	case g.Faults == CleanCrash:
		hear(ActHear, up...)
	case g.Faults == Omission && g.flagged(g.typ):
		hear(ActHear, msg("sure"), g.not(faulty))
		hear(ActMayHear, g.or(g.not(msg("sure")), faulty))
	case g.Faults == Omission:
		hear(ActHear, msg("sure"))
		hear(ActMayHear, g.not(msg("sure")))
	case g.flagged(g.typ):
		hear(ActHear, g.not(faulty))
	default:
		hear(ActHear)
	}
}

// rule makes a rule, and what it is like in a process that is faulty.
func (g *instantiation) rule(r *ProcessRule) {
	defer func(o origin) { g.origin = o }(g.origin)
	g.origin = r.Label.from()
	body := slices.DeleteFunc(slices.Clone(r.Body), func(st *Statement) bool { return st.If == nil })
	chain := body[0].If
	guard := r.guard() // a process can crash in it if it sends
	acts := chain.Thens[0].List
	if len(chain.Elsif) > 0 {
		acts = body
	}
	add := func(act Act, sure string, end []*Statement, also ...*Expr) {
		label := g.label(act, r.Label.Name)
		g.made.behind[label] = also != nil
		conds := g.and(append(also, g.expr(guard, g.me()))...)
		g.take(label, nil, g.when(conds, append(g.block(acts, label, sure), end...)...))
	}
	sure := ""
	if g.partial() {
		sure = "true"
	}
	up, faulty := g.not(g.my(g.me(), "crashed")), g.my(g.me(), "faulty")
	switch {
	case g.mayCrash(g.typ):
		add(ActOwn, sure, nil, up)
		if when := sends(body, literal(false)); g.Faults == Crashes && !when.is(false) {
			add(ActCrashIn, "false", g.stop(), up, g.room(), g.expr(when, g.me()))
		}
	case g.flagged(g.typ):
		add(ActOwn, sure, nil, g.not(faulty))
		if g.Faults == Omission {
			add(ActFaulty, "false", nil, faulty)
		}
	default:
		add(ActOwn, sure, nil)
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
func (g *instantiation) room() *Expr {
	group := g.Groups[g.Types[g.typ].Group]
	return g.op(Lt, g.down(group.Types), group.Count)
}

// down counts the processes of some types that have crashed.
func (g *instantiation) down(types []int) *Expr {
	var parts []*Expr
	for _, typ := range types {
		if g.mayCrash(typ) {
			parts = append(parts, g.binder(Count, "q_", g.ids(typ), g.of(g.Types[typ].Name, g.name("q_"), "crashed")))
		}
	}
	return g.sum(parts...)
}

// stop is what becomes of a process that crashes: what no property can see of it is
// forgotten.
func (g *instantiation) stop() (out []*Statement) {
	t := &g.Types[g.typ]
	for i := range t.Vars {
		if v := &t.Vars[i]; !g.Seen(g.typ, v.Name) {
			out = append(out, g.assign(g.my(g.me(), v.Name), g.value(&v.ValueType, v.First)))
			g.made.forgotten[t.Name+"."+v.Name] = true
		}
	}
	for i := range g.Kinds {
		k := &g.Kinds[i]
		if !g.hears(g.typ, k.Name) {
			continue
		}
		for _, from := range k.From {
			for f := range max(1, len(k.Fields)) {
				out = append(out, g.unheard(g.my(g.me(), g.heardField(k, from, f)), from, !k.Valued()))
			}
		}
	}
	return append(out, g.assign(g.my(g.me(), "crashed"), g.name("true")))
}

func (g *instantiation) faultRules() {
	if g.mayCrash(g.typ) {
		g.take(g.labelOf(ActCrash, "", fmt.Sprint(g.typ)), nil, g.when(g.and(g.not(g.my(g.me(), "crashed")), g.room()), g.stop()...))
	}
	for _, k := range g.lies(g.typ) {
		var params []*Param
		var values []*Expr
		for f := range k.Fields {
			name := fmt.Sprintf("v%d_", f)
			params = append(params, &Param{Name: g.ident(name), Type: g.typeOfValue(&k.Fields[f])})
			values = append(values, g.name(name))
		}
		lied := g.my(g.me(), "lied_"+k.Name)
		g.take(g.labelOf(ActLie, k.Name, fmt.Sprint(g.typ)), func(me *Param) []*Param { return append(params, me) },
			g.when(g.and(g.my(g.me(), "faulty"), g.not(lied)), append([]*Statement{g.assign(lied, g.name("true"))}, g.sending(k, values, "")...)...))
	}
}

// sending sends a message to all.
func (g *instantiation) sending(k *MessageKind, values []*Expr, sure string) (out []*Statement) {
	fields := g.Fields(k.Name)
	for typ, t := range g.Types {
		if !g.hears(typ, k.Name) {
			continue
		}
		if g.letters() {
			to := &To{Pos: g.pos(), All: "all", Role: g.ident(g.id(typ))}
			out = append(out, &Statement{Pos: g.pos(), Send: &Send{Kind: g.ident(k.Name), Values: g.letter(values, sure), To: to}})
			continue
		}
		part := func(field string, value *Expr) *Statement {
			all := &Expr{Op: Out, Name: t.Name, Pos: g.origin.at, At: g.origin.at, Width: g.width}
			return g.assign(g.field(g.index(all, g.name("q_")), field), value)
		}
		parts := []*Statement{part("kind", g.name(k.Name))}
		for f, v := range values {
			parts = append(parts, part(fields[f], v))
		}
		if sure != "" {
			parts = append(parts, part("sure", g.name(sure)))
		}
		out = append(out, g.loop("q_", g.ids(typ), parts...))
	}
	return out
}

// block is what statements do in a rule of an instance.
func (g *instantiation) block(list []*Statement, rule, sure string) (out []*Statement) {
	mine := func(e *Expr) *Expr { return g.expr(e, g.me()) }
	for _, st := range statements(list) {
		switch {
		case st.Assign != nil:
			o := st.Assign.Place.from()
			out = append(out, o.assign(o.of(g.Types[g.typ].Name, g.me(), st.Assign.Place.Name), mine(st.Assign.Value)))
		case st.Send != nil:
			var values []*Expr
			for _, v := range st.Send.Values {
				values = append(values, mine(v))
			}
			out = append(out, g.sending(g.Kind(st.Send.Kind.Name), values, sure)...)
			if g.Awaited(st.Send.Kind.Name) && sure != "false" {
				out = append(out, g.assign(g.my(g.me(), sentField(st.Send.Kind.Name)), g.name("true")))
			}
		case st.If != nil:
			g.made.ifs[ifAt{rule: rule, at: place(st.Pos)}] = st.If
			out = append(out, st.Map(mine, func(list []*Statement) []*Statement { return g.block(list, rule, sure) }))
		}
	}
	return out
}

// expr rewrites an expression for a process of the type whose rules are made, or for none: its variables, and how many it has
// heard from.
func (g *instantiation) expr(e *Expr, who *Expr) *Expr {
	if g.given[e] {
		return e
	}
	defer func(o origin) { g.origin = o }(g.origin)
	g.origin = e.from()
	variable := e.Op == Field || e.Op == Name && (g.Types[g.typ].Var(e.Name) != nil || e.Name == "crashed") // TYPE.x, in properties
	switch {
	case variable && who == nil:
		return g.name(e.Name)
	case variable && e.Name == "crashed" && !g.mayCrash(g.typ):
		return g.name("false")
	case variable:
		return g.my(who, e.Name)
	case e.Op == Name && e.Name == "crashes" && g.crashing():
		return g.down(g.all())
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
func (g *instantiation) heardFrom(h Heard, who *Expr) *Expr {
	var parts []*Expr
	for _, from := range h.From {
		heard := func(f int) *Expr { return g.index(g.my(who, g.heardField(h.Kind, from, f)), g.name("h_")) }
		var is []*Expr
		for f, a := range h.Args {
			if a != nil {
				is = append(is, g.op(Eq, heard(f), g.expr(a, who)))
			}
		}
		switch {
		case is != nil:
		case h.Kind.Valued():
			is = []*Expr{g.not(g.op(Undefined, heard(0)))}
		default:
			is = []*Expr{heard(0)}
		}
		all := g.and(is...)
		if h.Crashed && g.mayCrash(from) {
			all = g.or(all, g.of(g.Types[from].Name, g.name("h_"), "crashed"))
		}
		parts = append(parts, g.binder(Count, "h_", g.ids(from), all))
	}
	return g.sum(parts...)
}

// processes says how many processes, or whether all or some, satisfy a condition.
func (g *instantiation) processes(e *Expr) *Expr {
	defer func(typ int) { g.typ = typ }(g.typ)
	return g.over(e, func(typ int) *Expr {
		g.typ = typ
		p := g.name("p_")
		return g.ofProcesses(e, g.counted(p, e), g.expr(e.Args[0], p))
	})
}

// over joins what is said of the processes of each type that is meant.
func (g *instantiation) over(e *Expr, of func(typ int) *Expr) *Expr {
	var parts []*Expr
	for _, typ := range g.Meant(e.Args[0]) {
		parts = append(parts, of(typ))
	}
	switch e.Name {
	case "all", "every":
		return g.and(parts...)
	case "some":
		return g.or(parts...)
	}
	return g.sum(parts...)
}

// ofProcesses says of those processes of a type that are counted how many, or whether all or some, satisfy a condition.
func (g *instantiation) ofProcesses(e, counted, here *Expr) *Expr {
	switch e.Name {
	case "all", "every":
		return g.binder(ForAll, "p_", g.ids(g.typ), g.op(Implies, counted, here))
	case "some":
		return g.binder(Exists, "p_", g.ids(g.typ), g.and(counted, here))
	}
	return g.binder(Count, "p_", g.ids(g.typ), g.and(counted, here))
}

// counted says which processes of a type properties speak of: the correct ones, and those that
// have not crashed, unless it is asked who has, or of every one.
func (g *instantiation) counted(p, e *Expr) *Expr {
	switch {
	case g.lying(g.typ):
		return g.op(Eq, g.my(p, "status"), g.name("corr"))
	case g.flagged(g.typ) && (e.Name != "every" || g.Faults == Symmetric):
		return g.not(g.my(p, "faulty"))
	case g.mayCrash(g.typ) && e.Name != "every" && !e.Args[0].Mentions("crashed"):
		return g.not(g.my(p, "crashed"))
	}
	return g.name("true")
}

// Mentions reports whether a name is in an expression.
func (e *Expr) Mentions(name string) bool {
	return e.Any(func(e *Expr) bool { return (e.Op == Name || e.Op == Field) && e.Name == name })
}

func (g *instantiation) property(sec *Section) *Section {
	p := *sec.Invariant.or(sec.LTL)
	g.origin = p.Name.from()
	fair := p.Fair != nil
	p.Formula, p.Fair, p.End = g.expr(p.Formula, nil), nil, nil
	if sec.Invariant != nil {
		return &Section{Invariant: &p}
	}
	if fair {
		var list []*Ident
		for typ := range g.Types {
			for _, k := range g.Kinds {
				for _, from := range k.From {
					if g.hears(typ, k.Name) {
						list = append(list, g.ident(g.labelOf(ActHear, k.Name, fmt.Sprintf("%d_%d", from, typ))))
					}
				}
			}
		}
		for _, r := range g.Rules {
			if !r.Maybe {
				list = append(list, g.ident(r.Label.Name))
			}
		}
		if len(list) > 0 {
			p.Fair = &Fair{Rules: list}
		}
	}
	return &Section{LTL: &p}
}

// or is the property, or another one if there is none.
func (p *Property) or(other *Property) *Property {
	if p != nil {
		return p
	}
	return other
}
