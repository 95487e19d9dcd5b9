// Package instantiate makes protocols of fixed size of texts: of one of fixed size, and, with values for its
// parameters, of one for all sizes, whose instance is built as a tree.
package instantiate

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// instance returns the protocol of fixed size that values of the parameters make
// of a protocol for all sizes. Parameters without values get the smallest ones.
func sized(f *ftdp.File, set map[string]int64, followed bool) (*protocol.Model, error) {
	s, err := parametric.Of(f)
	if err != nil {
		return nil, err
	}
	var list diag.List
	set = maps.Clone(set)
	maps.DeleteFunc(set, func(name string, v int64) bool { // what is said of a constant of the text
		own, ok := s.Consts[name]
		return ok && own == v
	})
	for name := range set {
		if own, ok := s.Consts[name]; ok {
			list.Add(diag.Pos{File: f.Pos.Filename}, 1, "%s is %d in the text, and no parameter", name, own)
			continue
		}
		if !slices.Contains(s.Params, name) {
			list.Add(diag.Pos{File: f.Pos.Filename}, 1, "there is no parameter %q%s", name,
				cmp.Or(spell.Hint(name, s.Params), ", but "+spell.List(s.Params)))
		}
	}
	if err := list.Err(); err != nil {
		return nil, err
	}
	values, err := s.Smallest(set)
	if err != nil {
		return nil, err
	}
	g, made, err := tree(s, values)
	if err == nil {
		var m *protocol.Model
		if m, err = protocol.Resolve(g, nil, followed); err == nil {
			m.Source, m.Origins, m.Remodel = f, made, model
			return m, nil
		}
	}
	list = nil
	if errors.As(err, &list) { // its places are those of what the instance is made of: the text itself is right
		err = errors.New(list[0].Msg)
	}
	return nil, fmt.Errorf("%s: its instance with %s cannot be explored: %w", f.Pos.Filename,
		strings.TrimPrefix(parametric.GivenText(values), " with "), err)
}

// Instantiation makes an instance. Its types of processes are roles; what a type does not look at it
// neither hears nor is sent, if there are several types. All stands at the place of the text that it is made for.
type Instantiation struct {
	*parametric.Source
	ftdp.Origin      // of what is made
	Typ         int  // the type whose rules are made
	large       bool // a number is too large
	rules       []*ftdp.Rule
	slots       []slot
	made        protocol.Origins
}

// label names a rule of the instance, and notes what it is.
func (g *Instantiation) label(act protocol.Act, name string) string {
	label := name
	switch act {
	case protocol.ActHear:
		label = "hear_" + name
	case protocol.ActMayHear:
		label = "hear_some_" + name
	case protocol.ActCrash:
		label = "crash"
	case protocol.ActCrashIn:
		label = name + "_crashing"
	case protocol.ActFaulty:
		label = name + "_faulty"
	case protocol.ActLie:
		label = "lie_" + name
	case protocol.ActWait:
		label = "wait"
	}
	g.made.Rules[label] = protocol.Origin{Act: act, Name: name}
	return label
}

// labelOf is label for what each type of processes has a rule of its own for; mark tells such rules apart.
func (g *Instantiation) labelOf(act protocol.Act, name, mark string) string {
	if len(g.Types) == 1 {
		return g.label(act, name)
	}
	label := g.label(act, name)
	delete(g.made.Rules, label)
	label += "_" + mark + "_"
	g.made.Rules[label] = protocol.Origin{Act: act, Name: name}
	return label
}

// id is the type of the numbers of processes of a type.
func id(s *parametric.Source, typ int) string {
	if len(s.Types) == 1 {
		return "nodeID"
	}
	return s.Types[typ].Name + "_ID_"
}

// faultySet is the parameter of initial states that says which processes of a type are faulty.
func faultySet(s *parametric.Source, typ int) string {
	if len(s.Types) == 1 {
		return "B_"
	}
	return fmt.Sprintf("B_%d_", typ)
}

// slot is a field of the messages of an instance, which carries values of some kinds.
type slot struct {
	name string
	parametric.ValueType
}

// slotOf returns the slot of a field of a kind: kinds share slots of the same sort.
func slots(s *parametric.Source) (list []slot, of map[string][]int) {
	of = map[string][]int{}
	for _, k := range s.Kinds {
		for _, f := range k.Fields {
			at, name := 0, "val"
			for at < len(list) && (slices.Contains(of[k.Name], at) || list[at].Bool != f.Bool ||
				!slices.Equal(list[at].Names, f.Names)) {
				at++
				name = fmt.Sprintf("val_%d_", at)
			}
			if at == len(list) {
				list = append(list, slot{name, f})
			}
			list[at].Lo, list[at].Hi = min(list[at].Lo, f.Lo), max(list[at].Hi, f.Hi)
			of[k.Name] = append(of[k.Name], at)
		}
	}
	return list, of
}

// Instance returns the protocol for values of the parameters.
func Instance(s *parametric.Source, values map[string]int64) (*ftdp.File, error) {
	f, _, err := tree(s, values)
	return f, err
}

func tree(s *parametric.Source, values map[string]int64) (*ftdp.File, protocol.Origins, error) {
	g := &Instantiation{Source: s, Origin: from(s.File), made: protocol.Origins{Rules: map[string]protocol.Origin{},
		Heard: map[string]protocol.HeardOf{}, Flags: map[string]string{}, Notes: map[string]string{},
		Forgotten: map[string]bool{}}}
	g.slots, _ = slots(s)
	consts := lists.Map(s.Params,
		func(p string) *ftdp.Const { return &ftdp.Const{Name: g.Ident(p), Value: g.Num(values[p])} })
	for _, name := range slices.Sorted(maps.Keys(s.Consts)) {
		consts = append(consts, &ftdp.Const{Name: g.Ident(name), Value: g.Num(s.Consts[name])})
	}
	channels := &ftdp.Channels{}
	for _, w := range []string{"asynchronous", "reliable", "authenticated", "unordered"} {
		channels.Words = append(channels.Words, &ftdp.ChannelWord{Name: g.Ident(w)})
	}
	channels.Words = append(channels.Words,
		&ftdp.ChannelWord{Bound: &ftdp.Sum{Expr: *g.Num(int64(max(1, len(s.Kinds))))}})
	sections := []*ftdp.Section{{Protocol: g.Ident(s.Name)}, {Consts: consts}, {Channels: channels}}
	sections = append(sections, g.types(values)...)
	sections = append(sections, &ftdp.Section{Init: []*ftdp.Rule{g.init(values)}})
	for typ := range s.Types {
		g.Typ = typ
		for k, from := range g.heard(typ) {
			g.hear(k, from)
		}
		for _, r := range s.Rules {
			if r.Type == typ {
				g.rule(r.ProcessRule)
			}
		}
		g.faultRules()
		g.take(g.labelOf(protocol.ActWait, "", fmt.Sprint(typ)), nil, g.Skip())
	}
	sections = append(sections, &ftdp.Section{Rules: g.rules})
	for _, p := range s.Props {
		sections = append(sections, g.property(p))
	}
	for _, sec := range sections {
		sec.Pos = g.Pos()
	}
	if g.large {
		return nil, protocol.Origins{}, diag.Wrong(g.Origin.At, 1, "the number is too large: at most %d",
			ftdp.MaxNumber)
	}
	return s.File.Remade(sections, nil), g.made, nil
}

// from is the place of a text as a whole.
func from(f *ftdp.File) ftdp.Origin {
	return ftdp.Origin{At: diag.Pos{File: f.Pos.Filename, Line: 1, Col: 1}, Width: 1}
}

// name is a name, as everywhere where something is made.
func (g *Instantiation) Named(name string) *ftdp.Expr { return g.Origin.Name(name) }

// Num is a number, as large as those that can be written.
func (g *Instantiation) Num(n int64) *ftdp.Expr {
	g.large = g.large || n > ftdp.MaxNumber || n < -ftdp.MaxNumber
	if n < 0 {
		return g.Op(ftdp.Minus, g.Origin.Numeral(-n))
	}
	return g.Origin.Numeral(n)
}

// value is a value of a type.
func (g *Instantiation) value(t *parametric.ValueType, n int64) *ftdp.Expr {
	if t.Bool || t.Names != nil {
		return g.Named(t.Format(n))
	}
	return g.Num(n)
}

// typeOf is a type of values.
func (g *Instantiation) typeOfValue(t *parametric.ValueType) *ftdp.TypeExpr {
	switch {
	case t.Bool:
		return g.Bool()
	case t.Names != nil:
		return g.Enum(t.Names)
	}
	return &ftdp.TypeExpr{Pos: g.Pos(), Range: &ftdp.RangeType{From: &ftdp.Sum{Expr: *g.Num(t.Lo)},
		To: &ftdp.Sum{Expr: *g.Num(t.Hi)}}}
}

// Ids is the type of the numbers of processes of a type.
func (g *Instantiation) Ids(typ int) *ftdp.TypeExpr { return g.Typed(id(g.Source, typ)) }

// my is a variable of a process of the type whose rules are made.
func (g *Instantiation) my(who *ftdp.Expr, name string) *ftdp.Expr {
	return g.Of(g.Types[g.Typ].Name, who, name)
}

// Me is the process that takes a rule.
func (g *Instantiation) Me() *ftdp.Expr { return g.Named("i_") }

// take makes a rule of a process; further parameters stand before or behind it.
func (g *Instantiation) take(label string, params func(me *ftdp.Param) []*ftdp.Param, body ...*ftdp.Statement) {
	list := []*ftdp.Param{{Name: g.Ident("i_"), Type: g.Ids(g.Typ)}}
	if params != nil {
		list = params(list[0])
	}
	g.rules = append(g.rules, &ftdp.Rule{Pos: g.Pos(), Params: list, Label: g.Ident(label), Body: body})
}

func (g *Instantiation) types(values map[string]int64) (out []*ftdp.Section) {
	var types []*ftdp.TypeDecl
	for typ, t := range g.Types {
		n, _ := g.Source.Number(t.Size, values)
		types = append(types, &ftdp.TypeDecl{Name: g.Ident(id(g.Source, typ)), Role: g.Num(n)})
	}
	for i, values := range g.ofParameters() {
		types = append(types, &ftdp.TypeDecl{Name: g.Ident(fmt.Sprintf("only%d_", i)), Type: g.Enum(values)})
	}
	out = []*ftdp.Section{{Types: types}}
	if len(g.Kinds) > 0 {
		out = append(out, &ftdp.Section{Message: g.messages()})
	}
	var vars []*ftdp.Decl
	for typ, t := range g.Types {
		vars = append(vars, g.Decl(t.Name, g.Array(g.Ids(typ), g.Record(g.variables(typ)))))
	}
	return append(out, &ftdp.Section{Vars: vars})
}

// ofParameters lists the enumerations that no variable has, and no message: parameters of rules have them only.
func (g *Instantiation) ofParameters() [][]string {
	var used [][]string
	for _, t := range g.Types {
		for _, v := range t.Vars {
			used = append(used, v.Names)
		}
	}
	for _, k := range g.Kinds {
		for _, f := range k.Fields {
			used = append(used, f.Names)
		}
	}
	return slices.DeleteFunc(slices.Clone(g.Enums), func(e []string) bool {
		return slices.ContainsFunc(used, func(u []string) bool { return slices.Equal(u, e) })
	})
}

// variables declares what a process of a type has.
func (g *Instantiation) variables(typ int) (out []*ftdp.Decl) {
	declare := func(name string, t *ftdp.TypeExpr) { out = append(out, g.Decl(name, t)) }
	t := &g.Types[typ]
	for i := range t.Vars {
		declare(t.Vars[i].Name, t.Vars[i].Type)
	}
	for k, from := range g.heard(typ) {
		if !k.Valued() {
			declare(g.HeardField(k, from, 0), g.Array(g.Ids(from), g.Bool()))
		}
		var fields []string
		for f := range k.Fields {
			fields = append(fields, g.HeardField(k, from, f))
			declare(fields[f], g.Array(g.Ids(from), g.typeOfValue(&k.Fields[f])))
			g.made.Heard[fields[f]] = protocol.HeardOf{}
		}
		g.made.Heard[g.HeardField(k, from, 0)] = protocol.HeardOf{Kind: k.Name, Fields: fields}
	}
	flag := func(name, said string) {
		declare(name, g.Bool())
		g.made.Flags[name] = said
	}
	for _, k := range g.awaited(typ) {
		flag(parametric.SentField(k.Name), "")
		g.made.Notes[parametric.SentField(k.Name)] = "whether " + g.File.Called(k.Name, "") + " is sent"
	}
	if g.MayCrash(typ) {
		flag("crashed", "crashed")
	}
	if g.Flagged(typ) {
		flag("faulty", "faulty")
		for _, k := range g.lies(typ) {
			flag("lied_"+k.Name, "")
			g.made.Notes["lied_"+k.Name] = "whether a faulty one has sent " + g.File.Called(k.Name, "")
		}
	}
	return out
}

// lies are the kinds that faulty processes of a type send that send the same to all.
func (g *Instantiation) lies(typ int) (list []*parametric.MessageKind) {
	for i := range g.Kinds {
		if g.Faults.Alike && g.Flagged(typ) && slices.Contains(g.Kinds[i].From, typ) {
			list = append(list, &g.Kinds[i])
		}
	}
	return list
}

// set names the processes whose input has a value at first.
func startingSet(s *parametric.Source, typ int, v *parametric.SourceVar, n int64) string {
	if len(s.Types) == 1 {
		return fmt.Sprintf("%s_%d_", v.Name, n-v.Lo)
	}
	return fmt.Sprintf("%s_%d_t%d_", v.Name, n-v.Lo, typ)
}

// Chosen returns the type of processes, the input and its value that a parameter of the initial states of an
// instance stands for: the set of processes that begin with it; nil for the faulty processes of the type.
func Chosen(s *parametric.Source, param string) (int, *parametric.SourceVar, int64) {
	for typ := range s.Types {
		if param == faultySet(s, typ) {
			return typ, nil, 0
		}
		for i := range s.Types[typ].Vars {
			v := &s.Types[typ].Vars[i]
			for n := v.Lo + 1; n <= v.Hi; n++ {
				if v.Input && startingSet(s, typ, v, n) == param {
					return typ, v, n
				}
			}
		}
	}
	return 0, nil, 0
}

// init makes the initial states: parameters say which processes begin with which value, and are faulty.
func (g *Instantiation) init(values map[string]int64) *ftdp.Rule {
	label := "start"
	for slices.ContainsFunc(g.Source.Rules, func(r parametric.SourceRule) bool { return r.Label.Name == label }) {
		label += "_"
	}
	r := &ftdp.Rule{Pos: g.Pos(), Label: g.Ident(label)}
	set := func(name string, size *ftdp.Expr, least bool, typ int) {
		q := &ftdp.Quorum{Pos: g.Pos(), AtLeast: least, Size: size, Role: g.Ident(id(g.Source, typ))}
		r.Params = append(r.Params, &ftdp.Param{Name: g.Ident(name), Quorum: q})
	}
	for typ := range g.Types {
		if g.Lying(typ) || g.Flagged(typ) {
			f, _ := g.Source.Number(g.Faulty(typ), values)
			set(faultySet(g.Source, typ), g.Num(f), false, typ)
		}
		for i := range g.Types[typ].Vars {
			if v := &g.Types[typ].Vars[i]; v.Input {
				for n := v.Lo + 1; n <= v.Hi; n++ {
					set(startingSet(g.Source, typ, v, n), g.Num(0), true, typ)
				}
			}
		}
		r.Body = append(r.Body, g.begin(typ))
	}
	if g.Starts != nil {
		r.Body = []*ftdp.Statement{g.When(g.starting(), r.Body...)}
	}
	return r
}

// begin is how processes of a type begin.
func (g *Instantiation) begin(typ int) *ftdp.Statement {
	t := &g.Types[typ]
	k := g.Named("k_")
	own := func(name string) *ftdp.Expr { return g.Of(t.Name, k, name) }
	faulty := g.Op(ftdp.In, k, g.Named(faultySet(g.Source, typ)))
	var body []*ftdp.Statement
	set := func(name string, value *ftdp.Expr) { body = append(body, g.Assign(own(name), value)) }
	for i := range t.Vars {
		v := &t.Vars[i]
		set(v.Name, g.value(&v.ValueType, v.First))
		if v.Input {
			for n := v.Lo + 1; n <= v.Hi; n++ {
				in := g.Op(ftdp.In, k, g.Named(startingSet(g.Source, typ, v, n)))
				if g.Lying(typ) || g.Flagged(typ) && g.Faults.Alike { // whose inputs mean nothing
					in = g.And(g.Not(faulty), in)
				}
				body = append(body, g.When(in, g.Assign(own(v.Name), g.value(&v.ValueType, n))))
			}
		}
	}
	for kind, from := range g.heard(typ) {
		if !kind.Valued() {
			body = append(body, g.unheard(own(g.HeardField(kind, from, 0)), from, true))
		}
	}
	for _, kind := range g.awaited(typ) {
		set(parametric.SentField(kind.Name), g.Named("false"))
	}
	switch {
	case g.Lying(typ):
		body = append(body, g.When(faulty, g.Assign(own("status"), g.Named("byz"))))
	case g.MayCrash(typ):
		set("crashed", g.Named("false"))
	case g.Flagged(typ):
		set("faulty", faulty)
		for _, kind := range g.lies(typ) {
			set("lied_"+kind.Name, g.Named("false"))
		}
	}
	return g.Loop("k_", g.Ids(typ), body...)
}

// unheard has it that nothing was heard from processes of a type.
func (g *Instantiation) unheard(field *ftdp.Expr, from int, bool bool) *ftdp.Statement {
	cell := g.Index(field, g.Named("l_"))
	if bool {
		return g.Loop("l_", g.Ids(from), g.Assign(cell, g.Named("false")))
	}
	return g.Loop("l_", g.Ids(from), &ftdp.Statement{Pos: g.Pos(), Undefine: cell})
}

// heard are the kinds that processes of a type look at, each with the types that send it.
func (g *Instantiation) heard(typ int) iter.Seq2[*parametric.MessageKind, int] {
	return func(yield func(*parametric.MessageKind, int) bool) {
		for i := range g.Kinds {
			for _, from := range g.Kinds[i].From {
				if g.Hears(typ, g.Kinds[i].Name) && !yield(&g.Kinds[i], from) {
					return
				}
			}
		}
	}
}

// hear makes the rules that receive messages of a kind from processes of a type: what is sure to arrive and what is not
// apart, since only the first is fair.
func (g *Instantiation) hear(k *parametric.MessageKind, from int) {
	own := func(field int) *ftdp.Expr { return g.Index(g.my(g.Me(), g.HeardField(k, from, field)), g.Named("j_")) }
	msg := func(field string) *ftdp.Expr { return g.Field(g.Named("msg"), field) }
	fresh := []*ftdp.Expr{g.Op(ftdp.Eq, msg("kind"), g.Named(k.Name))}
	var note []*ftdp.Statement
	if k.Valued() {
		fresh = append(fresh, g.Op(ftdp.Undefined, own(0)))
		_, of := slots(g.Source)
		for f, at := range of[k.Name] {
			s, t := &g.slots[at], &k.Fields[f]
			note = append(note, g.Assign(own(f), msg(s.name)))
			if s.Lo < t.Lo || s.Hi > t.Hi {
				within := g.Op(ftdp.Chain, g.Num(t.Lo), msg(s.name), g.Num(t.Hi))
				within.Ops = []ftdp.Op{ftdp.Le, ftdp.Le}
				fresh = append(fresh, within)
			}
		}
	} else {
		fresh = append(fresh, g.Not(own(0)))
		note = append(note, g.Assign(own(0), g.Named("true")))
	}
	hear := func(act protocol.Act, also ...*ftdp.Expr) {
		label := g.labelOf(act, k.Name, fmt.Sprintf("%d_%d", from, g.Typ))
		sender := &ftdp.Param{Name: g.Ident("j_"), Type: g.Ids(from)}
		g.take(label, func(me *ftdp.Param) []*ftdp.Param { return []*ftdp.Param{me, sender} },
			g.When(g.And(append(slices.Clone(fresh), also...)...), note...))
	}
	faulty := g.my(g.Me(), "faulty")
	var up, may []*ftdp.Expr
	switch {
	case g.MayCrash(g.Typ):
		up = []*ftdp.Expr{g.Not(g.my(g.Me(), "crashed"))}
		may = up
	case g.Flagged(g.Typ):
		up = []*ftdp.Expr{g.Not(faulty)}
	}
	if !g.Faults.Some {
		hear(protocol.ActHear, up...)
		return
	}
	unsure := g.Not(msg(protocol.SureField))
	if g.Flagged(g.Typ) {
		unsure = g.Or(unsure, faulty)
	}
	hear(protocol.ActHear, append([]*ftdp.Expr{msg(protocol.SureField)}, up...)...)
	hear(protocol.ActMayHear, append([]*ftdp.Expr{unsure}, may...)...)
}

// rule makes a rule, and what it is like in a process that is faulty.
func (g *Instantiation) rule(r *ftdp.ProcessRule) {
	defer func(o ftdp.Origin) { g.Origin = o }(g.Origin)
	g.Origin = r.Label.From()
	body := slices.DeleteFunc(slices.Clone(r.Body), func(st *ftdp.Statement) bool { return st.If == nil })
	chain := body[0].If
	guard := guard(r) // a process can crash in it if it sends
	acts := chain.Thens[0].List
	if len(chain.Elsif) > 0 {
		acts = body
	}
	add := func(act protocol.Act, sure bool, end []*ftdp.Statement, also ...*ftdp.Expr) {
		label := g.label(act, r.Label.Name)
		conds := g.And(append(also, g.Expr(guard, g.Me()))...)
		g.take(label, nil, g.When(conds, append(g.block(acts, sure), end...)...))
	}
	up, faulty := g.Not(g.my(g.Me(), "crashed")), g.my(g.Me(), "faulty")
	switch {
	case g.MayCrash(g.Typ):
		add(protocol.ActOwn, true, nil, up)
		if when := parametric.Sends(body, parametric.TruthValue(false)); g.Faults.Some && !parametric.Is(when, false) {
			add(protocol.ActCrashIn, false, g.stop(), up, g.room(), g.expr(when, g.Me()))
		}
	case g.Flagged(g.Typ):
		add(protocol.ActOwn, true, nil, g.Not(faulty))
		if g.Faults.Omit() {
			add(protocol.ActFaulty, false, nil, faulty)
		}
	default:
		add(protocol.ActOwn, true, nil)
	}
}

// guard is what a rule asks before it does anything: that one of its guards is true.
func guard(r *ftdp.ProcessRule) *ftdp.Expr {
	guard := parametric.TruthValue(false)
	for _, st := range r.Body {
		if st.If == nil {
			continue
		}
		for _, e := range parametric.Guards(st.If) {
			guard = parametric.Either(guard, e)
		}
		break
	}
	return guard
}

// room is that another process may crash.
func (g *Instantiation) room() *ftdp.Expr {
	group := g.Groups[g.Types[g.Typ].Group]
	return g.Op(ftdp.Lt, g.down(group.Types), group.Count)
}

// down counts the processes of some types that have crashed.
func (g *Instantiation) down(types []int) *ftdp.Expr {
	return g.Sum(lists.Map(types, func(typ int) *ftdp.Expr {
		return g.Binder(ftdp.Count, "q_", g.Ids(typ), g.Of(g.Types[typ].Name, g.Named("q_"), "crashed"))
	})...)
}

// stop is what becomes of a process that crashes: what no property can see of it is forgotten.
func (g *Instantiation) stop() (out []*ftdp.Statement) {
	t := &g.Types[g.Typ]
	for i := range t.Vars {
		if v := &t.Vars[i]; !g.Seen(g.Typ, v.Name) {
			out = append(out, g.Assign(g.my(g.Me(), v.Name), g.value(&v.ValueType, v.First)))
			g.made.Forgotten[t.Name+"."+v.Name] = true
		}
	}
	for k, from := range g.heard(g.Typ) {
		for f := range max(1, len(k.Fields)) {
			out = append(out, g.unheard(g.my(g.Me(), g.HeardField(k, from, f)), from, !k.Valued()))
		}
	}
	return append(out, g.Assign(g.my(g.Me(), "crashed"), g.Named("true")))
}

func (g *Instantiation) faultRules() {
	if g.MayCrash(g.Typ) {
		g.take(g.labelOf(protocol.ActCrash, "", fmt.Sprint(g.Typ)), nil,
			g.When(g.And(g.Not(g.my(g.Me(), "crashed")), g.room()), g.stop()...))
	}
	for _, k := range g.lies(g.Typ) {
		var params []*ftdp.Param
		var values []*ftdp.Expr
		for f := range k.Fields {
			name := fmt.Sprintf("v%d_", f)
			params = append(params, &ftdp.Param{Name: g.Ident(name), Type: g.typeOfValue(&k.Fields[f])})
			values = append(values, g.Named(name))
		}
		lied := g.my(g.Me(), "lied_"+k.Name)
		g.take(g.labelOf(protocol.ActLie, k.Name, fmt.Sprint(g.Typ)),
			func(me *ftdp.Param) []*ftdp.Param { return append(params, me) },
			g.When(g.And(g.my(g.Me(), "faulty"), g.Not(lied)),
				append([]*ftdp.Statement{g.Assign(lied, g.Named("true"))}, g.sending(k, values, true)...)...))
	}
}

// sending sends a message to all. Where messages may reach some only, they say whether they are sure to arrive.
func (g *Instantiation) sending(k *parametric.MessageKind, values []*ftdp.Expr, sure bool) (out []*ftdp.Statement) {
	if g.Faults.Some {
		values = append(slices.Clip(values), g.Named(strconv.FormatBool(sure)))
	}
	for typ := range g.Types {
		if !g.Hears(typ, k.Name) {
			continue
		}
		to := &ftdp.To{Pos: g.Pos(), All: "all", Role: g.Ident(id(g.Source, typ))}
		out = append(out, &ftdp.Statement{Pos: g.Pos(), Send: &ftdp.Send{Kind: g.Ident(k.Name),
			Values: values, To: to}})
	}
	return out
}

// block is what statements do in an instance.
func (g *Instantiation) block(list []*ftdp.Statement, sure bool) (out []*ftdp.Statement) {
	mine := func(e *ftdp.Expr) *ftdp.Expr { return g.Expr(e, g.Me()) }
	for _, st := range ftdp.Statements(list) {
		switch {
		case st.Assign != nil:
			o := st.Assign.Place.From()
			out = append(out, o.Assign(o.Of(g.Types[g.Typ].Name, g.Me(), st.Assign.Place.Name), mine(st.Assign.Value)))
		case st.Send != nil:
			values := lists.Map(st.Send.Values, mine)
			out = append(out, g.sending(g.Kind(st.Send.Kind.Name), values, sure)...)
			if g.Awaited(st.Send.Kind.Name) && sure {
				out = append(out, g.Assign(g.my(g.Me(), parametric.SentField(st.Send.Kind.Name)), g.Named("true")))
			}
		case st.If != nil:
			out = append(out, st.Map(mine, func(list []*ftdp.Statement) []*ftdp.Statement {
				return g.block(list, sure)
			}))
		}
	}
	return out
}

// Expr rewrites an expression for a process of the type whose rules are made, or for none: its variables, and how many
// it has heard from.
func (g *Instantiation) Expr(e *ftdp.Expr, who *ftdp.Expr) *ftdp.Expr {
	if g.Given[e] {
		return e
	}
	out := g.expr(e, who)
	out.Of = e
	return out
}

func (g *Instantiation) expr(e *ftdp.Expr, who *ftdp.Expr) *ftdp.Expr {
	defer func(o ftdp.Origin) { g.Origin = o }(g.Origin)
	g.Origin = e.From()
	// TYPE.x, in properties
	variable := e.Op == ftdp.Field || e.Op == ftdp.Name && (g.Types[g.Typ].Var(e.Name) != nil || e.Name == "crashed")
	switch {
	case variable && who == nil:
		return g.Named(e.Name)
	case variable && e.Name == "crashed" && !g.MayCrash(g.Typ):
		return g.Named("false")
	case variable:
		return g.my(who, e.Name)
	case e.Op == ftdp.Name && e.Name == "crashes" && g.Faults.Stop:
		return g.down(g.Stopping())
	case e.Op == ftdp.Call && e.Name == "heard":
		return g.heardFrom(g.Heard(e.Args[0]), who)
	case e.Op == ftdp.Call && e.Name == "arrived":
		return g.arrivedFrom(g.Heard(e.Args[0]), who)
	case e.Op == ftdp.Call: // all, some, count, every
		return g.processes(e)
	}
	return e.Map(func(a *ftdp.Expr) *ftdp.Expr { return g.Expr(a, who) })
}

// heardFrom counts the processes from which another has received messages.
func (g *Instantiation) heardFrom(h parametric.Heard, who *ftdp.Expr) *ftdp.Expr {
	var parts []*ftdp.Expr
	for _, from := range h.From {
		heard := func(f int) *ftdp.Expr { return g.Index(g.my(who, g.HeardField(h.Kind, from, f)), g.Named("h_")) }
		var is []*ftdp.Expr
		for f, a := range h.Args {
			if a != nil {
				is = append(is, g.Op(ftdp.Eq, heard(f), g.Expr(a, who)))
			}
		}
		switch {
		case is != nil:
		case h.Kind.Valued():
			is = []*ftdp.Expr{g.Not(g.Op(ftdp.Undefined, heard(0)))}
		default:
			is = []*ftdp.Expr{heard(0)}
		}
		all := g.And(is...)
		if h.Crashed && g.MayCrash(from) {
			all = g.Or(all, g.Of(g.Types[from].Name, g.Named("h_"), "crashed"))
		}
		parts = append(parts, g.Binder(ftdp.Count, "h_", g.Ids(from), all))
	}
	return g.Sum(parts...)
}

// processes says how many processes, or whether all or some, satisfy a condition.
func (g *Instantiation) processes(e *ftdp.Expr) *ftdp.Expr {
	defer func(typ int) { g.Typ = typ }(g.Typ)
	return g.over(e, func(typ int) *ftdp.Expr {
		g.Typ = typ
		p := g.Named("p_")
		return g.ofProcesses(e, g.counted(p, e), g.Expr(e.Args[0], p))
	})
}

// over joins what is said of the processes of each type that is meant.
func (g *Instantiation) over(e *ftdp.Expr, of func(typ int) *ftdp.Expr) *ftdp.Expr {
	parts := lists.Map(g.Meant(e.Args[0]), of)
	switch e.Name {
	case "all", "every":
		return g.And(parts...)
	case "some":
		return g.Or(parts...)
	}
	return g.Sum(parts...)
}

// ofProcesses says of those processes of a type that are counted how many, or whether all or some, satisfy a condition.
func (g *Instantiation) ofProcesses(e, counted, here *ftdp.Expr) *ftdp.Expr {
	switch e.Name {
	case "all", "every":
		return g.Binder(ftdp.ForAll, "p_", g.Ids(g.Typ), g.Op(ftdp.Implies, counted, here))
	case "some":
		return g.Binder(ftdp.Exists, "p_", g.Ids(g.Typ), g.And(counted, here))
	}
	return g.Binder(ftdp.Count, "p_", g.Ids(g.Typ), g.And(counted, here))
}

// counted says which processes of a type properties speak of: the correct ones, and those that
// have not crashed, unless it is asked who has, or of every one.
func (g *Instantiation) counted(p, e *ftdp.Expr) *ftdp.Expr {
	switch {
	case g.Lying(g.Typ):
		return g.Op(ftdp.Eq, g.my(p, "status"), g.Named("corr"))
	case g.Flagged(g.Typ) && (e.Name != "every" || g.Faults.Alike):
		return g.Not(g.my(p, "faulty"))
	case g.MayCrash(g.Typ) && e.Name != "every" && !e.Args[0].Mentions("crashed"):
		return g.Not(g.my(p, "crashed"))
	}
	return g.Named("true")
}

func (g *Instantiation) property(sec *ftdp.Section) *ftdp.Section {
	p := *or(sec.Invariant, sec.LTL)
	g.Origin = p.Name.From()
	fair := p.Fair != nil
	p.Formula, p.Fair, p.End = g.Expr(p.Formula, nil), nil, nil
	if sec.Invariant != nil {
		return &ftdp.Section{Invariant: &p}
	}
	if fair {
		var list []*ftdp.Ident
		for typ := range g.Types {
			for k, from := range g.heard(typ) {
				list = append(list, g.Ident(g.labelOf(protocol.ActHear, k.Name, fmt.Sprintf("%d_%d", from, typ))))
			}
		}
		for _, r := range g.Rules {
			if !r.Maybe {
				list = append(list, g.Ident(r.Label.Name))
			}
		}
		if len(list) > 0 {
			p.Fair = &ftdp.Fair{Rules: list}
		}
	}
	return &ftdp.Section{LTL: &p}
}

// or is the property, or another one if there is none.
func or(p *ftdp.Property, other *ftdp.Property) *ftdp.Property {
	if p != nil {
		return p
	}
	return other
}

// Read reads a text and makes a model of it, with values for constants in
// place of those in the text. Its error is a diag.List.
func Read(name, text string, set map[string]int64) (*protocol.Model, error) {
	f, err := ftdp.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return Model(f, set)
}

// Model resolves names and checks types, with the given values for constants. Its error is a diag.List.
func Model(f *ftdp.File, set map[string]int64) (*protocol.Model, error) { return model(f, set, false) }

// Followed is Model for runs whose steps are known: the parameters of rules may have more values
// than can be explored (Model.Wide), and variables more cells.
func Followed(f *ftdp.File, set map[string]int64) (*protocol.Model, error) {
	return model(f, set, true)
}

func model(f *ftdp.File, set map[string]int64, followed bool) (*protocol.Model, error) {
	if f.Parameterized() {
		return sized(f, set, followed)
	}
	return protocol.Resolve(f, set, followed)
}

// messages declares the kinds of messages, with the fields that carry their values.
func (g *Instantiation) messages() (out []*ftdp.MessageDecl) {
	_, of := slots(g.Source)
	for _, k := range g.Kinds {
		d := &ftdp.MessageDecl{Name: g.Ident(k.Name)}
		for _, at := range of[k.Name] {
			d.Fields = append(d.Fields, g.Decl(g.slots[at].name, g.typeOfValue(&g.slots[at].ValueType)))
		}
		if g.Faults.Some {
			d.Fields = append(d.Fields, g.Decl(protocol.SureField, g.Bool()))
		}
		out = append(out, d)
	}
	return out
}

// awaited lists the kinds from processes of a type that stand in an `arrived` of some rule.
func (g *Instantiation) awaited(typ int) (list []*parametric.MessageKind) {
	for i := range g.Kinds {
		if k := &g.Kinds[i]; slices.Contains(k.From, typ) && g.Awaited(k.Name) {
			list = append(list, k)
		}
	}
	return list
}

// arrivedFrom says that a process has received all messages of a kind that correct processes send.
func (g *Instantiation) arrivedFrom(h parametric.Heard, who *ftdp.Expr) *ftdp.Expr {
	var parts []*ftdp.Expr
	for _, from := range h.From {
		other := func(name string) *ftdp.Expr { return g.Of(g.Types[from].Name, g.Named("a_"), name) }
		sent := other(parametric.SentField(h.Kind.Name))
		over := sent
		switch {
		case g.Lying(from):
			over = g.Or(sent, g.Op(ftdp.Eq, other("status"), g.Named("byz")))
		case g.Flagged(from):
			over = g.Or(sent, other("faulty"))
		case g.MayCrash(from):
			over = g.Or(sent, other("crashed"))
		}
		heard := g.Index(g.my(who, g.HeardField(h.Kind, from, 0)), g.Named("a_"))
		if h.Kind.Valued() {
			heard = g.Not(g.Op(ftdp.Undefined, heard))
		}
		parts = append(parts, g.Binder(ftdp.ForAll, "a_", g.Ids(from), g.And(over, g.Op(ftdp.Implies, sent, heard))))
	}
	return g.And(parts...)
}
