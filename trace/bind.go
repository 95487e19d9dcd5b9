package trace

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/edit"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/trace/reading"
)

// binder puts a reading together with a model.
type binder struct {
	r    *reading.Reading
	m    *protocol.Model
	d    *compile.Direct
	list diag.List
	// editor is told what names mean; nil if not needed. Without d the reading is only checked.
	editor *edit.Beside
	// asymmetric: an expression tells processes apart, and so does which of them a name is.
	asymmetric bool
}

// boundCase is what an event may be.
type boundCase struct {
	*reading.ReadCase
	parts []*part
}

// part is a step, or something that is seen.
type part struct {
	*reading.ReadPart
	rule   int   // of rules
	rules  []int // that may be the step: the rule, or those that receive
	t      *protocol.Transition
	cells  int // of its frames
	params []boundParam
	before []check
	after  []check
	given  []assignment // of a beginning
}

// assignment is what a snapshot says of a variable.
type assignment struct {
	*check
	place *protocol.Term
	cell  *cellOf
	value func(*compile.Env) int32 // an expression of the protocol; nil for a value of the log
	term  *protocol.Term           // that
}

// boundParam is a parameter: which values it may have.
type boundParam struct {
	info *protocol.ParamInfo
	cell int
	log  *reading.LogExpr
	term *protocol.Term
	eval func(*compile.Env) int32
}

// cellOf says which cell a variable is: the functions give its process and indices.
type cellOf struct {
	who     func(*compile.Env) int32
	indices []func(*compile.Env) int32
}

// check is something that has to be so.
type check struct {
	*reading.ReadCheck
	term  *protocol.Term
	value func(*compile.Env) int32
	cell  int // of the message that it fixes; -1 if it does not
}

func (b *binder) wrong(at diag.Pos, width int, format string, args ...any) {
	b.list.Add(at, max(1, width), format, args...)
}

// use notes for editors that a name stands for what is declared at a place.
func (b *binder) use(at, declared diag.Pos) {
	if b.editor != nil {
		b.editor.Use(at, declared)
	}
}

func (b *binder) problem(err error) {
	var l diag.List
	if errors.As(err, &l) {
		b.list = append(b.list, l...)
	} else if err != nil {
		b.list.Add(diag.Pos{File: b.r.File}, 1, "%s", err)
	}
}

func labels(m *protocol.Model) (list []string) {
	for i := range m.Rules {
		list = append(list, m.Rules[i].Label)
	}
	return list
}

func (b *binder) ruleNamed(w reading.Word) int {
	names := labels(b.m)
	i := slices.Index(names, w.Text)
	if i < 0 {
		hint := spell.Hint(w.Text, names)
		longer := slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, w.Text) })
		if len(longer) > 1 {
			hint = ", but " + strings.Join(longer, ", ")
		}
		b.wrong(w.Pos, len(w.Text), "the protocol has no rule %q%s", w.Text, hint)
		return i
	}
	b.use(w.Pos, b.m.Rules[i].Pos)
	return i
}

func (b *binder) part(p *reading.ReadPart) *part {
	out := &part{ReadPart: p, rule: -1}
	var scope *protocol.Scope
	if p.Kind == reading.PartRule {
		if out.rule = b.ruleNamed(p.Rule); out.rule < 0 {
			return nil
		}
		scope = b.m.Within(out.rule)
	} else if scope = b.beside(p); scope == nil {
		return nil
	}
	out.t = scope.Transition()
	for i := range out.t.Params {
		out.params = append(out.params, boundParam{info: &out.t.Params[i], cell: out.t.Cell(i)})
	}
	for i := range p.Params {
		b.param(out, scope, &p.Params[i])
	}
	out.before = b.checks(scope, p.Before, false)
	out.after = b.checks(scope, p.After, p.Kind == reading.PartRule)
	if p.Kind != reading.PartRule && p.Kind != reading.PartReceived && p.After != nil {
		b.wrong(p.After[0].Left.Pos, 1, "%s changes nothing: there is no after", p.Kind)
	}
	if p.Kind != reading.PartRule && p.Kind != reading.PartSee && p.Kind != reading.PartBegins &&
		(out.t.Executor < 0 || out.t.Sender < 0) {
		b.wrong(p.Pos, len(p.Kind),
			"the last two parameters of %s are the process that a message is for, and its sender", p.Kind)
		return nil
	}
	switch p.Kind {
	case reading.PartRule:
		out.rules = []int{out.rule}
	case reading.PartBegins:
		b.assignments(out)
	case reading.PartReceived:
		out.rules = b.receivers(p, out.t)
	}
	out.cells = max(scope.Frame(), out.t.Frame)
	return out
}

// assignments makes what a snapshot says of its checks.
func (b *binder) assignments(p *part) {
	for i := range p.before {
		ch := &p.before[i]
		a := assignment{check: ch, place: ch.term}
		if t := ch.term; ch.Op == "" && t.Op == ftdp.Eq && len(t.Args) == 2 {
			a.place, a.term, a.value = t.Args[0], t.Args[1], b.value(t.Args[1])
		}
		if ch.Op != "" && ch.Op != "=" || ch.Op == "" && a.term == nil || !a.place.IsPlace() ||
			a.place.Base != protocol.BaseRole || !a.place.Type.Scalar() {
			b.wrong(ch.Left.Pos, len(ch.Left.Text), "expected a variable and its value: node[i].x = $x")
			continue
		}
		if b.d != nil {
			a.cell = &cellOf{who: b.value(a.place.Who)}
			for _, x := range a.place.Indices {
				a.cell.indices = append(a.cell.indices, b.value(x.Index))
			}
		}
		p.given = append(p.given, a)
	}
}

// receivers lists the rules that may be the step that an event of a message's receipt shows: they receive one message,
// and their processes are of the roles of the part's last two parameters.
func (b *binder) receivers(p *reading.ReadPart, t *protocol.Transition) (list []int) {
	to, from := t.Params[t.Executor].Type.Role, t.Params[t.Sender].Type.Role
	quorum := ""
	for i := range b.m.Rules {
		r := &b.m.Rules[i]
		if !r.Receives() || r.Params[r.Executor].Type.Role != to || r.Params[r.Sender].Type.Role != from {
			continue
		}
		if r.Quorum() {
			quorum = r.Label
			continue
		}
		if b.d != nil && b.m.Wide(r) {
			const wide = "%s may receive it, and has parameters with more values than can be tried: say in place of " +
				"%s which rule it is"
			b.wrong(p.Pos, len(p.Kind), wide, r.Label, p.Kind)
		}
		list = append(list, i)
	}
	if list != nil {
		return list
	}
	why := ""
	if quorum != "" {
		why = fmt.Sprintf(" (%s receives from a quorum: it is silent, or an event of its own, and what it receives "+
			"is seen before)", quorum)
	}
	b.wrong(p.Pos, len(p.Kind), "no rule of %s receives one message from %s%s", b.m.Roles[to].Name,
		b.m.Roles[from].Name, why)
	return nil
}

// beside makes the scope of parameters with types.
func (b *binder) beside(p *reading.ReadPart) *protocol.Scope {
	var list []protocol.ParamInfo
	for i := range p.Params {
		w := p.Params[i].Typ
		t, err := b.m.TypeOf(w.Type)
		if err != nil {
			b.problem(err)
			return nil
		}
		if !t.Scalar() {
			b.wrong(w.Pos, len(w.Text),
				"a parameter has to be a number, truth value, value of an enumeration or process")
			return nil
		}
		name := p.Params[i].Name
		if slices.ContainsFunc(list, func(q protocol.ParamInfo) bool { return q.Name == name.Text }) {
			b.wrong(name.Pos, len(name.Text), "there is a parameter %q already", name.Text)
			return nil
		}
		list = append(list, protocol.ParamInfo{Name: name.Text, Type: t})
	}
	return b.m.Beside(list)
}

func (b *binder) param(out *part, scope *protocol.Scope, p *reading.ReadParam) {
	var names []string
	at := -1
	for i := range out.t.Params {
		names = append(names, out.t.Params[i].Name)
		if out.t.Params[i].Name == p.Name.Text {
			at = i
		}
	}
	if at < 0 {
		has := cmp.Or(strings.Join(names, ", "), "none")
		if out.t.Receives() && !out.t.Quorum() {
			has += "; a field of what is received is asked by `before msg." + p.Name.Text + " = ...`"
		}
		b.wrong(p.Name.Pos, len(p.Name.Text), "%s has no parameter %q: it has %s", out.name(), p.Name.Text, has)
		return
	}
	if out.rule >= 0 {
		b.use(p.Name.Pos, b.m.Param(out.rule, p.Name.Text))
	}
	to := &out.params[at]
	if to.log != nil || to.term != nil {
		b.wrong(p.Name.Pos, len(p.Name.Text), "%s has a value already", p.Name.Text)
		return
	}
	if to.log = p.Log; p.Log != nil {
		if to.info.Type.Kind == protocol.KindQuorum {
			b.wrong(p.Name.Pos, len(p.Name.Text), "%s is a quorum: all of its size are tried", p.Name.Text)
		}
		return
	}
	if p.Term == nil {
		return
	}
	t, asymmetric, err := scope.Term(p.Term.Expr)
	if err != nil {
		b.problem(err)
		return
	}
	b.asymmetric = b.asymmetric || asymmetric
	if !t.Type.Scalar() || t.Type.Kind != to.info.Type.Kind || t.Type.Kind == protocol.KindRole &&
		t.Type.Role != to.info.Type.Role {
		b.wrong(p.Term.Pos, len(p.Term.Text),
			"this is no value of parameter %s; what the log has begins with $, as $%[1]s", p.Name.Text)
		return
	}
	used := map[int]bool{}
	t.Free(used)
	for i := range out.params {
		if used[out.params[i].cell] && i >= at {
			b.wrong(p.Term.Pos, len(p.Term.Text), "the value of %s may speak of the parameters before it only",
				p.Name.Text)
			return
		}
	}
	if messages(t) {
		b.wrong(p.Term.Pos, len(p.Term.Text),
			"values of parameters are known before a message is received: say so after before")
		return
	}
	to.term, to.eval = t, b.value(t)
}

// value makes a function of an expression; nil where a reading is only checked.
func (b *binder) value(t *protocol.Term) func(*compile.Env) int32 {
	if b.d == nil {
		return nil
	}
	return b.d.Value(t)
}

// nameTable knows how processes of a role are called, in the order in which their names
// appear. In a protocol that tells processes apart, which of them the first one is, is tried.
type nameTable struct {
	role  *protocol.Role
	none  []string
	own   bool // names are the numbers
	known map[string]int32
	order []string
}

// number returns which process of the role a name is, from 0 in the order of names; false if there are too many.
func (t *nameTable) number(name string) (int32, bool) {
	if k, ok := t.known[name]; ok {
		return k, true
	}
	taken := make([]bool, t.role.Size)
	for _, k := range t.known {
		taken[k] = true
	}
	k := slices.Index(taken, false)
	if k < 0 {
		return 0, false
	}
	t.known[name] = int32(k)
	t.order = append(t.order, name)
	return int32(k), true
}

// typeKey names types whose values may be called differently in a log.
func typeKey(t *protocol.Type) string {
	switch t.Kind {
	case protocol.KindBool:
		return "bool"
	case protocol.KindEnum, protocol.KindStatus:
		return strings.Join(t.Values, ",")
	case protocol.KindInt:
		return "int"
	}
	return ""
}

func (p *part) name() string {
	if p.Kind == reading.PartRule {
		return "rule " + p.ReadPart.Rule.Text
	}
	return p.Kind
}

// messages reports whether a term speaks of a message.
func messages(t *protocol.Term) bool {
	speaks := false
	t.Places(func(p *protocol.Term) {
		switch p.Base {
		case protocol.BaseMsg, protocol.BaseAbsent, protocol.BaseOut, protocol.BaseOuts:
			speaks = true
		}
	})
	return speaks
}

func (b *binder) checks(scope *protocol.Scope, list []reading.ReadCheck, after bool) (out []check) {
	for i := range list {
		c := &list[i]
		t, asymmetric, err := scope.Term(c.Left.Expr)
		if err != nil {
			b.problem(err)
			continue
		}
		b.asymmetric = b.asymmetric || asymmetric
		switch {
		case c.Op == "" && t.Type.Kind != protocol.KindBool:
			b.wrong(c.Left.Pos, len(c.Left.Text), "expected a condition, or a comparison with a value of the log")
			continue
		case !t.Type.Scalar():
			b.wrong(c.Left.Pos, len(c.Left.Text), "expected one value, to be compared with one of the log: "+
				"the size of a set or sequence, `size(s) = len($x)`, `length(s) = len($x)`, or one element")
			continue
		case c.Op != "" && c.Op != "=" && c.Op != "!=" && t.Type.Kind != protocol.KindInt:
			b.wrong(c.Left.Pos, len(c.Left.Text), "only numbers have an order")
			continue
		}
		sends := false
		t.Places(func(p *protocol.Term) { sends = sends || p.Base == protocol.BaseOut || p.Base == protocol.BaseOuts })
		if scope.Transition().Letters && sends {
			b.wrong(c.Left.Pos, len(c.Left.Text),
				"the rule may send two messages to one process: what it sends is compared by a line of the log for "+
					"each, with `sent`")
			continue
		}
		if sends && !after {
			b.wrong(c.Left.Pos, len(c.Left.Text),
				"what a rule sends is there after it only (events of messages that were sent are `sent`)")
			continue
		}
		next := check{ReadCheck: c, term: t, value: b.value(t), cell: -1}
		if t.IsPlace() && t.Base == protocol.BaseMsg && t.Who == nil && len(t.Indices) == 0 && c.Op == "=" {
			next.cell = t.Offset
		}
		out = append(out, next)
	}
	return out
}

// networkWords are what happens in channels, among what is visible.
var networkWords = []string{reading.PartLost, reading.PartStopped}

// silence says which rules happen unseen, and whether losses and stops do.
func (b *binder) silence() (rules []bool, lost, stopped bool) {
	rules = make([]bool, len(b.m.Rules))
	lost, stopped = true, true
	for i := range rules {
		rules[i] = b.r.AllSilent
	}
	for _, w := range b.r.Silent {
		if i := b.ruleNamed(w); i >= 0 {
			rules[i] = true
		}
	}
	for _, w := range b.r.Visible {
		switch {
		case w.Text == reading.PartLost:
			lost = false
		case w.Text == reading.PartStopped:
			stopped = false
		default:
			if i := slices.Index(labels(b.m), w.Text); i >= 0 {
				rules[i] = false
				if slices.ContainsFunc(b.r.Silent, func(s reading.Word) bool { return s.Text == w.Text }) {
					b.wrong(w.Pos, len(w.Text), "%s is silent already: it cannot be visible, too", w.Text)
				}
				b.use(w.Pos, b.m.Rules[i].Pos)
			} else {
				b.wrong(w.Pos, len(w.Text), "there is no rule %q%s", w.Text,
					spell.Hint(w.Text, append(labels(b.m), networkWords...)))
			}
		}
	}
	for i := range b.m.Rules {
		if t := &b.m.Rules[i]; b.d != nil && b.r.Anywhere && b.m.Wide(t) {
			b.wrong(b.r.Begins, len("begins"),
				"%s has parameters with more values than can be tried: what has happened "+
					"before the log cannot be followed (give the state: begins(...) of an event)", t.Label)
		}
	}
	for i := range rules {
		if t := &b.m.Rules[i]; b.d != nil && rules[i] && b.m.Wide(t) {
			b.wrong(b.silentAt(t.Label), 1,
				"%s is silent, and its parameters have more values than can be tried: have the log show it (visible)",
				t.Label)
		}
	}
	return rules, lost, stopped
}

// silentAt is where the reading says that a rule is silent: the beginning where it says so of all.
func (b *binder) silentAt(rule string) diag.Pos {
	for _, w := range b.r.Silent {
		if w.Text == rule {
			return w.Pos
		}
	}
	return diag.Pos{File: b.r.File, Line: 1, Col: 1}
}

// names checks what the reading calls roles, values and constants.
func (b *binder) names() (names []*nameTable, values map[string]map[string]int32) {
	for i := range b.m.Roles {
		names = append(names, &nameTable{role: &b.m.Roles[i], known: map[string]int32{}})
	}
	for i := range b.r.Processes {
		p := &b.r.Processes[i]
		at := slices.IndexFunc(b.m.Roles, func(r protocol.Role) bool {
			return r.Name == p.Role.Text || r.ID == p.Role.Text
		})
		if at < 0 {
			var known []string
			for k := range b.m.Roles {
				known = append(known, b.m.Roles[k].ID, b.m.Roles[k].Name)
			}
			b.wrong(p.Role.Pos, len(p.Role.Text), "there is no role %q%s", p.Role.Text, spell.Hint(p.Role.Text, known))
			continue
		}
		b.use(p.Role.Pos, b.m.Declaration(p.Role.Text, "variables", "type", "role"))
		t := names[at]
		t.none, t.own = append(t.none, p.None...), t.own || p.Own
		for name, k := range p.Numbers {
			if b.d == nil {
				break // how many there are, a log may say
			}
			if k < 1 || int(k) > t.role.Size {
				b.wrong(p.Role.Pos, len(p.Role.Text), "there is no process %d of %s", k, p.Role.Text)
				continue
			}
			if other, said := t.known[name]; said && other != k-1 || slices.Contains(t.none, name) {
				b.wrong(p.Role.Pos, len(p.Role.Text), "%q is said to be two things", name)
			}
			t.known[name] = k - 1
		}
	}
	values = map[string]map[string]int32{}
	for _, v := range b.r.Values {
		t, n, ok := b.m.Value(v.Name.Text)
		if number, isNumber := reading.IntegerText(v.Name.Text); isNumber {
			key := typeKey(&protocol.Type{Kind: protocol.KindInt})
			b.called(values, key, v, int32(number))
			continue
		}
		if !ok && (v.Name.Text == "true" || v.Name.Text == "false") {
			ok, n = true, 0
			if v.Name.Text == "true" {
				n = 1
			}
		}
		if !ok {
			b.wrong(v.Name.Pos, len(v.Name.Text), "the protocol has no value %q", v.Name.Text)
			continue
		}
		if b.editor != nil && t != nil { // it is noted as it is read
			_, _, err := b.m.Beside(nil).Term(ftdp.Origin{At: v.Name.Pos, Width: len(v.Name.Text)}.Name(v.Name.Text))
			b.problem(err)
		}
		key := "bool"
		if t != nil {
			key = typeKey(t)
		}
		b.called(values, key, v, n)
	}
	return names, values
}

// called notes what the log calls a value, of a kind of types.
func (b *binder) called(values map[string]map[string]int32, key string, v reading.ValueName, n int32) {
	if values[key] == nil {
		values[key] = map[string]int32{}
	}
	for _, l := range v.Logs {
		if other, said := values[key][l]; said && other != n {
			b.wrong(v.Name.Pos, len(v.Name.Text), "%q is the name of another value already", l)
		}
		values[key][l] = n
	}
}

func ownPlace(p *protocol.Term, t *protocol.Transition) bool {
	switch p.Base {
	case protocol.BaseWhole:
		return false
	case protocol.BaseRole, protocol.BaseStatus:
		return p.Who != nil && p.Who.Op == ftdp.Name && t.Executor >= 0 && p.Who.Var == t.Cell(t.Executor)
	}
	return true
}

// own reports whether all that a part looks at belongs to the process that moves, or is in messages.
func (p *part) own() bool {
	own := true
	look := func(t *protocol.Term) {
		t.Places(func(q *protocol.Term) { own = own && ownPlace(q, p.t) })
	}
	for i := range p.params {
		if p.params[i].term != nil {
			look(p.params[i].term)
		}
	}
	for _, list := range [][]check{p.before, p.after} {
		for i := range list {
			look(list[i].term)
		}
	}
	return own
}
