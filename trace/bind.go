package trace

import (
	"errors"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/edit"
	"github.com/tacheck/tacheck/protocol/machine"
)

// binder puts a reading together with a model.
type binder struct {
	r    *Reading
	m    *protocol.Model
	d    *machine.Direct
	list diag.List
	// editor is told what names mean; nil if not needed. Without d the reading is only checked.
	editor *edit.Beside
	// asymmetric: an expression tells processes apart, and so does which of them a name is.
	asymmetric bool
}

// boundCase is what an event may be.
type boundCase struct {
	*readCase
	parts []*part
}

// part is a step, or something that is seen.
type part struct {
	*readPart
	rule   int   // of rules
	rules  []int // that may be the step: the rule, or those that receive
	t      *protocol.Transition
	cells  int // of its frames
	params []boundParam
	before []check
	after  []check
	given  []assignment // of a beginning
}

// boundParam is a parameter: which values it may have.
type boundParam struct {
	info *protocol.ParamInfo
	cell int
	log  *logExpr
	term *protocol.Term
	text string
	eval func(*machine.Env) int32
}

// check is something that has to be so.
type check struct {
	*readCheck
	term  *protocol.Term
	value func(*machine.Env) int32
	cell  int // of the message that it fixes; -1 if it does not
}

func (b *binder) wrong(at diag.Pos, width int, format string, args ...any) {
	b.list.Add(at, max(1, width), format, args...)
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

func (b *binder) ruleNamed(w word) int {
	names := labels(b.m)
	i := slices.Index(names, w.text)
	if i < 0 {
		b.wrong(w.pos, len(w.text), "the protocol has no rule %q%s", w.text, spell.Hint(w.text, names))
		return i
	}
	b.use(w.pos, b.m.Rules[i].Pos)
	return i
}

func (b *binder) part(p *readPart) *part {
	out := &part{readPart: p, rule: -1}
	var scope *protocol.Scope
	if p.kind == partRule {
		if out.rule = b.ruleNamed(p.rule); out.rule < 0 {
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
	for i := range p.params {
		b.param(out, scope, &p.params[i])
	}
	out.before = b.checks(scope, p.before, false)
	out.after = b.checks(scope, p.after, p.kind == partRule)
	if p.kind != partRule && p.kind != partReceived && p.after != nil {
		b.wrong(p.after[0].left.pos, 1, "%s changes nothing: there is no after", p.kind)
	}
	if p.kind != partRule && p.kind != partSee && p.kind != partBegins && (out.t.Executor < 0 || out.t.Sender < 0) {
		b.wrong(p.pos, len(p.kind),
			"the last two parameters of %s are the process that a message is for, and its sender", p.kind)
		return nil
	}
	switch p.kind {
	case partRule:
		out.rules = []int{out.rule}
	case partBegins:
		b.assignments(out)
	case partReceived:
		out.rules = b.receivers(p, out.t)
	}
	out.cells = max(scope.Frame(), out.t.Frame)
	return out
}

// beside makes the scope of parameters with types.
func (b *binder) beside(p *readPart) *protocol.Scope {
	var list []protocol.ParamInfo
	for i := range p.params {
		w := p.params[i].typ
		t, err := b.m.TypeOf(w.pos, w.text)
		if err != nil {
			b.problem(err)
			return nil
		}
		if !t.Scalar() {
			b.wrong(w.pos, len(w.text),
				"a parameter has to be a number, truth value, value of an enumeration or process")
			return nil
		}
		name := p.params[i].name
		if slices.ContainsFunc(list, func(q protocol.ParamInfo) bool { return q.Name == name.text }) {
			b.wrong(name.pos, len(name.text), "there is a parameter %q already", name.text)
			return nil
		}
		list = append(list, protocol.ParamInfo{Name: name.text, Type: t})
	}
	return b.m.Beside(list)
}

func (b *binder) param(out *part, scope *protocol.Scope, p *readParam) {
	var names []string
	at := -1
	for i := range out.t.Params {
		names = append(names, out.t.Params[i].Name)
		if out.t.Params[i].Name == p.name.text {
			at = i
		}
	}
	if at < 0 {
		b.wrong(p.name.pos, len(p.name.text), "%s has no parameter %q%s", out.name(), p.name.text,
			spell.Hint(p.name.text, names))
		return
	}
	if out.rule >= 0 {
		b.use(p.name.pos, b.m.Param(out.rule, p.name.text))
	}
	to := &out.params[at]
	if to.log != nil || to.term != nil {
		b.wrong(p.name.pos, len(p.name.text), "%s has a value already", p.name.text)
		return
	}
	if to.log = p.log; p.log != nil {
		to.text = p.log.text
		if to.info.Type.Kind == protocol.KindQuorum {
			b.wrong(p.name.pos, len(p.name.text), "%s is a quorum: all of its size are tried", p.name.text)
		}
		return
	}
	if p.term == nil {
		return
	}
	t, asymmetric, err := scope.Term(p.term.pos, p.term.text)
	if err != nil {
		b.problem(err)
		return
	}
	b.asymmetric = b.asymmetric || asymmetric
	if !t.Type.Scalar() || t.Type.Kind != to.info.Type.Kind || t.Type.Kind == protocol.KindRole &&
		t.Type.Role != to.info.Type.Role {
		b.wrong(p.term.pos, len(p.term.text), "this is no value of parameter %s", p.name.text)
		return
	}
	used := map[int]bool{}
	t.Free(used)
	for i := range out.params {
		if used[out.params[i].cell] && i >= at {
			b.wrong(p.term.pos, len(p.term.text), "the value of %s may speak of the parameters before it only",
				p.name.text)
			return
		}
	}
	if messages(t) {
		b.wrong(p.term.pos, len(p.term.text),
			"values of parameters are known before a message is received: say so after before")
		return
	}
	to.term, to.eval, to.text = t, b.value(t), p.term.text
}

// value makes a function of an expression; nil where a reading is only checked.
func (b *binder) value(t *protocol.Term) func(*machine.Env) int32 {
	if b.d == nil {
		return nil
	}
	return b.d.Value(t)
}

func (p *part) name() string {
	if p.kind == partRule {
		return "rule " + p.readPart.rule.text
	}
	return p.kind
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

func (b *binder) checks(scope *protocol.Scope, list []readCheck, after bool) (out []check) {
	for i := range list {
		c := &list[i]
		t, asymmetric, err := scope.Term(c.left.pos, c.left.text)
		if err != nil {
			b.problem(err)
			continue
		}
		b.asymmetric = b.asymmetric || asymmetric
		switch {
		case c.op == "" && t.Type.Kind != protocol.KindBool:
			b.wrong(c.left.pos, len(c.left.text), "expected a condition, or a comparison with a value of the log")
			continue
		case !t.Type.Scalar():
			b.wrong(c.left.pos, len(c.left.text), "expected one value, to be compared with one of the log")
			continue
		case c.op != "" && c.op != "=" && c.op != "!=" && t.Type.Kind != protocol.KindInt:
			b.wrong(c.left.pos, len(c.left.text), "only numbers have an order")
			continue
		}
		sends := false
		t.Places(func(p *protocol.Term) { sends = sends || p.Base == protocol.BaseOut || p.Base == protocol.BaseOuts })
		if scope.Transition().Letters && sends {
			b.wrong(c.left.pos, len(c.left.text),
				"the rule may send two messages to one process: what it sends is compared by a line of the log for "+
					"each, with `sent`")
			continue
		}
		if sends && !after {
			b.wrong(c.left.pos, len(c.left.text),
				"what a rule sends is there after it only (events of messages that were sent are `sent`)")
			continue
		}
		next := check{readCheck: c, term: t, value: b.value(t), cell: -1}
		if t.IsPlace() && t.Base == protocol.BaseMsg && t.Who == nil && len(t.Indices) == 0 && c.op == "=" {
			next.cell = t.Offset
		}
		out = append(out, next)
	}
	return out
}

// networkWords are what happens in channels, among what is visible.
var networkWords = []string{partLost, partStopped}

// silence says which rules happen unseen, and whether losses and stops do.
func (b *binder) silence() (rules []bool, lost, stopped bool) {
	rules = make([]bool, len(b.m.Rules))
	lost, stopped = true, true
	for i := range rules {
		rules[i] = b.r.allSilent
	}
	for _, w := range b.r.silent {
		if i := b.ruleNamed(w); i >= 0 {
			rules[i] = true
		}
	}
	for _, w := range b.r.visible {
		switch {
		case w.text == partLost:
			lost = false
		case w.text == partStopped:
			stopped = false
		default:
			if i := slices.Index(labels(b.m), w.text); i >= 0 {
				rules[i] = false
				if slices.ContainsFunc(b.r.silent, func(s word) bool { return s.text == w.text }) {
					b.wrong(w.pos, len(w.text), "%s is silent already: it cannot be visible, too", w.text)
				}
				b.use(w.pos, b.m.Rules[i].Pos)
			} else {
				b.wrong(w.pos, len(w.text), "there is no rule %q%s", w.text,
					spell.Hint(w.text, append(labels(b.m), networkWords...)))
			}
		}
	}
	for i := range b.m.Rules {
		if t := &b.m.Rules[i]; b.d != nil && b.r.anywhere && b.m.Wide(t) {
			b.wrong(b.r.begins, len("begins"),
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
	for _, w := range b.r.silent {
		if w.text == rule {
			return w.pos
		}
	}
	return diag.Pos{File: b.r.File, Line: 1, Col: 1}
}

// names checks what the reading calls roles, values and constants.
func (b *binder) names() (names []*nameTable, values map[string]map[string]int32) {
	for i := range b.m.Roles {
		names = append(names, &nameTable{role: &b.m.Roles[i], known: map[string]int32{}})
	}
	for i := range b.r.processes {
		p := &b.r.processes[i]
		at := slices.IndexFunc(b.m.Roles, func(r protocol.Role) bool {
			return r.Name == p.role.text || r.ID == p.role.text
		})
		if at < 0 {
			var known []string
			for k := range b.m.Roles {
				known = append(known, b.m.Roles[k].ID, b.m.Roles[k].Name)
			}
			b.wrong(p.role.pos, len(p.role.text), "there is no role %q%s", p.role.text, spell.Hint(p.role.text, known))
			continue
		}
		b.use(p.role.pos, b.m.Declaration(p.role.text, "variables", "type", "role"))
		t := names[at]
		t.none, t.own = append(t.none, p.none...), t.own || p.own
		for name, k := range p.numbers {
			if b.d == nil {
				break // how many there are, a log may say
			}
			if k < 1 || int(k) > t.role.Size {
				b.wrong(p.role.pos, len(p.role.text), "there is no process %d of %s", k, p.role.text)
				continue
			}
			if other, said := t.known[name]; said && other != k-1 || slices.Contains(t.none, name) {
				b.wrong(p.role.pos, len(p.role.text), "%q is said to be two things", name)
			}
			t.known[name] = k - 1
		}
	}
	values = map[string]map[string]int32{}
	for _, v := range b.r.values {
		t, n, ok := b.m.Value(v.name.text)
		if number, isNumber := integerText(v.name.text); isNumber {
			key := typeKey(&protocol.Type{Kind: protocol.KindInt})
			b.called(values, key, v, int32(number))
			continue
		}
		if !ok && (v.name.text == "true" || v.name.text == "false") {
			ok, n = true, 0
			if v.name.text == "true" {
				n = 1
			}
		}
		if !ok {
			b.wrong(v.name.pos, len(v.name.text), "the protocol has no value %q", v.name.text)
			continue
		}
		if b.editor != nil && t != nil { // it is noted as it is read
			_, _, err := b.m.Beside(nil).Term(v.name.pos, v.name.text)
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
func (b *binder) called(values map[string]map[string]int32, key string, v valueName, n int32) {
	if values[key] == nil {
		values[key] = map[string]int32{}
	}
	for _, l := range v.logs {
		if other, said := values[key][l]; said && other != n {
			b.wrong(v.name.pos, len(v.name.text), "%q is the name of another value already", l)
		}
		values[key][l] = n
	}
}
