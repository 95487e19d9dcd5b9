package emit

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// steps writes statements.
func (w *protocolMurphiWriter) steps(pad string, steps []*protocol.Step) {
	for _, s := range steps {
		switch s.Kind {
		case protocol.StepAssign:
			w.assign(pad, s)
		case protocol.StepUndefine:
			w.undefine(pad, s.Target)
		case protocol.StepIf:
			w.choose(pad, s)
		case protocol.StepFor:
			w.in(&protocol.Term{Var: s.Var, Name: s.Name, Range: s.Range}, func(name string, member *expr) {
				w.line("%sfor %s: %s do", pad, name, w.kind(s.Range.Type))
				if member != nil {
					w.line("%sif %s then", pad, member)
				}
				w.steps(pad+"  ", s.Blocks[0])
				if member != nil {
					w.line("%send;", pad)
				}
				w.line("%send;", pad)
			})
		case protocol.StepSend:
			name := w.temp("letter", "Msg")
			w.line("%sundefine %s;", pad, name)
			w.letter = name
			w.steps(pad, s.Blocks[0])
			w.letter = ""
			w.line("%spost(%s[%s], %s);", pad, w.letters(s.Target.Role), w.term(s.Target.Who), name)
		default:
			refuse(s.Pos, 1, "this statement is not written in Murphi")
		}
	}
}

func (w *protocolMurphiWriter) undefine(pad string, t *protocol.Term) {
	if t.Base == protocol.BaseOuts {
		w.line("%sundefine %s;", pad, w.out(t.Role))
		return
	}
	w.line("%sundefine %s;", pad, w.term(t))
}

func (w *protocolMurphiWriter) assign(pad string, s *protocol.Step) {
	t := s.Target
	switch {
	case t.Base == protocol.BaseStatus && !w.about.faulty(t.Role):
		return
	case t.Base == protocol.BaseLet:
		name := w.letNames[s]
		w.store(pad, name, t.Type, s.Value)
		w.cells[t.Var], w.lets[t.Var] = ident(name), t.Type
		return
	}
	to := w.term(t).String()
	if t.Type.Scalar() || !overlaps(t, s.Value) || s.Value.IsPlace() ||
		s.Value.Op == ftdp.Append && w.isAt(s.Value.Args[0], to) && s.Value.Args[1].Type.Scalar() {
		w.store(pad, to, t.Type, s.Value)
		return
	}
	value := w.temp("value", w.kind(t.Type)) // it may be made of what it replaces
	w.line("%sundefine %s;", pad, value)
	w.store(pad, value, t.Type, s.Value)
	w.fill(pad, to, t.Type, parameter{w, value, t.Type}.at)
}

// overlaps reports whether a value reads what may be a part of a place.
func overlaps(t, v *protocol.Term) (found bool) {
	v.Places(func(p *protocol.Term) { found = found || p.Base == t.Base && p.Role == t.Role })
	return found
}

// isAt reports whether a term is a place.
func (w *protocolMurphiWriter) isAt(t *protocol.Term, place string) bool {
	return t.IsPlace() && w.term(t).String() == place
}

// fill writes that all scalar parts of a place get values.
func (w *protocolMurphiWriter) fill(pad, to string, t *protocol.Type, at func([]selector) *value) {
	w.leaves(t, func(path []selector, _ *protocol.Type, indices []scoped) {
		w.line("%s%s", pad, loops(indices, w.set(to+w.follow(t, path), at(path))))
	})
}

// set writes that a scalar gets a value.
func (w *protocolMurphiWriter) set(to string, v *value) string {
	switch {
	case v.cond != nil:
		return fmt.Sprintf("if %s then %s else %s end;", v.cond, w.set(to, v.then), w.set(to, v.not))
	case v.e == nil:
		return fmt.Sprintf("undefine %s;", to)
	case v.hollow:
		return fmt.Sprintf("if isundefined(%s) then undefine %s; else %s := %s; end;", v.e, to, to, v.e)
	}
	return fmt.Sprintf("%s := %s;", to, v.e)
}

// store writes that a place gets a value.
func (w *protocolMurphiWriter) store(pad, to string, t *protocol.Type, v *protocol.Term) {
	switch {
	case v.Op == ftdp.Number && v.Value == protocol.Undef:
		w.line("%sundefine %s;", pad, to)
	case v.Op == ftdp.Tuple:
		whole, rest := split(t, v.Args)
		if len(rest) > 0 {
			refuse(v.Pos, v.Width, "this value is not written in Murphi")
		}
		w.compose(pad, to, v, whole)
	case v.Op == ftdp.Collect:
		w.in(v, func(name string, member *expr) {
			if member != nil {
				refuse(v.Pos, v.Width, "a set of members of a quorum is not written in Murphi")
			}
			w.line("%sfor %s: %s do", pad, name, w.kind(v.Range.Type))
			w.store(pad+"  ", to+"["+name+"]", t.Elem, v.Args[0])
			w.line("%send;", pad)
		})
	case v.Op == ftdp.Append:
		if !w.isAt(v.Args[0], to) {
			w.store(pad, to, t, v.Args[0])
		}
		w.store(pad, to+".items["+to+".length + 1]", element(t), v.Args[1])
		w.line("%s%s.length := %s.length + 1;", pad, to, to)
	case hollow(v):
		best := w.temp("best", w.result(v))
		w.line("%sundefine %s;", pad, best)
		w.extreme(v, best)
		w.line("%s%s", pad, w.set(to, &value{e: ident(best), hollow: true}))
	default:
		w.fill(pad, to, t, func(path []selector) *value { return w.at(v, path) })
	}
}

// compose writes that a place gets a value whose parts are given.
func (w *protocolMurphiWriter) compose(pad, to string, of *protocol.Term, c *composed) {
	switch {
	case c.whole != nil:
		w.store(pad, to, c.t, c.whole)
	case c.t.Kind == protocol.KindRecord:
		for i, part := range c.parts {
			w.compose(pad, to+"."+w.member(c.t, i), of, part)
		}
	case c.t.Index.Kind != protocol.KindRole || !w.sets[c.t.Index.Role]:
		for i, part := range c.parts {
			w.compose(pad, fmt.Sprintf("%s[%s]", to, w.literalMurphi(c.t.Index, c.t.Index.Lo+int32(i))), of, part)
		}
	default: // of what has no names: all alike
		for _, part := range c.parts {
			a, first := part.whole, c.parts[0].whole
			if a == nil || first == nil || a.Op != ftdp.Number || a.Value != first.Value {
				refuse(of.Pos, of.Width, "an array whose parts differ is not written in Murphi")
			}
		}
		w.index(c.t, func(name string) {
			w.line("%sfor %s: %s do", pad, name, w.kind(c.t.Index))
			w.compose(pad+"  ", to+"["+name+"]", of, c.parts[0])
			w.line("%send;", pad)
		})
	}
}

// declareLets declares what statements name.
func (w *protocolMurphiWriter) declareLets(steps []*protocol.Step) {
	for _, s := range steps {
		if s.Kind == protocol.StepAssign && s.Target.Base == protocol.BaseLet {
			name := "let1"
			if word := w.word(s.Target); isName(word) {
				name = word
			}
			name = w.free(name)
			w.taken[name] = true
			w.letNames[s] = name
			w.scope = append(w.scope, scoped{name, w.kind(s.Target.Type)})
			w.line("  %s: %s;", name, w.kind(s.Target.Type))
		}
		for _, b := range s.Blocks {
			w.declareLets(b)
		}
	}
}

func (w *protocolMurphiWriter) choose(pad string, s *protocol.Step) {
	word := "if"
	for i, c := range s.Conds {
		w.line("%s%s %s then", pad, word, w.term(c))
		w.steps(pad+"  ", s.Blocks[i])
		word = "elsif"
	}
	if len(s.Blocks) > len(s.Conds) {
		w.line("%selse", pad)
		w.steps(pad+"  ", s.Blocks[len(s.Conds)])
	}
	w.line("%send;", pad)
}

// each calls f for the sizes of the quorums of a transition, with the parameters named; quorums are their members.
func (w *protocolMurphiWriter) each(t *protocol.Transition, f func(names, choices []string, conds []*expr)) {
	var next func(i int, names, choices []string, conds []*expr)
	next = func(i int, names, choices []string, conds []*expr) {
		if i == len(t.Params) {
			f(names, choices, conds)
			return
		}
		p := &t.Params[i]
		w.bind(t.Cell(i), p.Name, func(name string) {
			depth := len(w.scope)
			defer func() { w.scope = w.scope[:depth] }()
			if p.Type.Kind != protocol.KindQuorum {
				w.scope = append(w.scope, scoped{name, w.kind(p.Type)})
				next(i+1, append(slices.Clone(names), name), append(slices.Clone(choices), name+": "+w.kind(p.Type)), conds)
				return
			}
			most := p.Size
			if p.AtLeast {
				most = w.m.Roles[p.Type.Role].Size
			}
			for size := p.Size; size <= most; size++ {
				w.scope = w.scope[:depth]
				members, more, apart := []string{}, slices.Clone(choices), slices.Clone(conds)
				differ := func(op ftdp.Op, a, b string) {
					apart = append(apart, w.apply(op, ident(a), ident(b)))
				}
				for k := range size {
					q := fmt.Sprintf("%s_%d", name, k+1)
					for j, other := range members {
						if w.sets[p.Type.Role] {
							differ(ftdp.Ne, other, q)
						} else if j == k-1 {
							differ(ftdp.Lt, other, q)
						}
					}
					members, more = append(members, q), append(more, q+": "+w.role(p.Type.Role))
					w.scope = append(w.scope, scoped{q, w.role(p.Type.Role)})
				}
				w.members[t.Cell(i)] = members
				next(i+1, append(slices.Clone(names), name), more, apart)
			}
		})
	}
	next(0, nil, nil, nil)
}

func (w *protocolMurphiWriter) ruleset(choices []string) (open, shut string) {
	if len(choices) == 0 {
		return "", ""
	}
	return "ruleset " + strings.Join(choices, "; ") + " do\n", "end;\n"
}

// start writes initial states.
func (w *protocolMurphiWriter) start(t *protocol.Transition) {
	w.each(t, func(_, choices []string, conds []*expr) {
		open, shut := w.ruleset(choices)
		if t.Guard != nil {
			conds = append(conds, w.term(t.Guard))
		}
		w.line("%sstartstate %q\nvar\n  room: boolean;", open, t.Label)
		w.declareLets(t.Body)
		w.begin(func() { w.startBody(t, conds) })
		w.line("end;\n%s", shut)
	})
}

// begin writes the variables that statements need, behind those that are declared, and the statements.
func (w *protocolMurphiWriter) begin(write func()) {
	text, vars := w.captured(write)
	w.line("%sbegin\n%s", vars, strings.TrimSuffix(text, "\n"))
}

// startBody writes the statements of an initial state.
func (w *protocolMurphiWriter) startBody(t *protocol.Transition, conds []*expr) {
	for i := range w.m.Roles {
		w.line("  undefine %s;", w.variables(i))
		if w.about.faulty(i) {
			w.line("  for k_: %s do %s[k_] := corr; end;", w.role(i), w.status(i))
		}
	}
	for _, c := range w.about.channels {
		name := w.channel(c[0], c[1])
		w.line("  undefine %s;\n  for j_: %s do for k_: %s do %s[j_][k_].len := 0; end; end;", name, w.role(c[0]), w.role(c[1]), name)
	}
	w.steps("  ", t.First)
	for _, c := range conds {
		w.line("  assume %s;", c)
	}
	w.steps("  ", t.Body)
}

// member is one of the processes that a rule receives from.
type murphiMember struct {
	who, msg, missing string // places
	slot              string // of the channel
	absent, gone      string // parameters; "" for none
	kept              string // parameter: it stays in its channel; "" for none
	any               [][2]string
}

// rule writes a rule, and what becomes of messages otherwise.
func (w *protocolMurphiWriter) rule(t *protocol.Transition) {
	w.each(t, func(names, choices []string, conds []*expr) {
		me := names[t.Executor]
		conds = append(conds, w.may(t, me))
		depth := len(w.scope)
		_, fields := mails(t)
		for _, to := range fields {
			w.scope = append(w.scope, scoped{w.out(to), fmt.Sprintf("array[%s] of Msg", w.role(to))})
		}
		if t.Receives() {
			w.receives(t, names, choices, conds)
		} else {
			open, shut := w.ruleset(choices)
			if t.Guard != nil {
				conds = append(conds, w.term(t.Guard))
			}
			w.line("%srule %q\n  %s\n==>", open, t.Label, w.and(conds...))
			w.locals(t, func() { w.body("  ", t, me, nil, nil) })
			w.line("end;\n%s", shut)
		}
		w.scope = w.scope[:depth]
	})
}

// locals declares the variables of a rule, and writes its body.
func (w *protocolMurphiWriter) locals(t *protocol.Transition, body func()) {
	w.line("var")
	if t.Quorum() {
		w.line("  msg: array[%s] of Msg;\n  missing: array[%s] of boolean;", w.role(sender(t)), w.role(sender(t)))
	} else if t.Receives() {
		w.line("  msg: Msg;\n  missing: boolean;")
	}
	letters, fields := mails(t)
	for _, to := range fields {
		w.line("  %s: array[%s] of Msg;", w.out(to), w.role(to))
	}
	for _, to := range letters {
		w.line("  %s: array[%s] of letters;", w.letters(to), w.role(to))
	}
	w.line("  room: boolean;")
	w.declareLets(t.Body)
	if w.waits(t) {
		for i, r := range w.m.Roles {
			w.line("  old_%s: array[%s] of %s;", w.variables(i), w.role(i), w.kind(r.State))
			if w.about.faulty(i) {
				w.line("  old_%s: array[%s] of status;", w.status(i), w.role(i))
			}
		}
	}
	w.begin(func() {
		for _, to := range fields {
			w.line("  undefine %s;", w.out(to))
		}
		for _, to := range letters {
			w.line("  for k_: %s do %s[k_].len := 0; end;", w.role(to), w.letters(to))
		}
		body()
	})
}

// waits reports whether a rule may have to wait for room.
func (w *protocolMurphiWriter) waits(t *protocol.Transition) bool {
	return !w.m.Channels.Lossy && len(sendsTo(t)) > 0
}

// body writes statements, what is sent, and what is taken from channels.
func (w *protocolMurphiWriter) body(pad string, t *protocol.Transition, me string, before []string, taken func(pad string)) {
	waits := w.waits(t)
	if waits {
		w.variablesAnd(pad, "old_%s := %s;")
	}
	for _, text := range before {
		w.line("%s%s", pad, text)
	}
	w.steps(pad, t.Body)
	w.line("%sroom := true;", pad)
	letters, fields := mails(t)
	for _, to := range fields { // what is written field by field comes last
		if slices.Contains(letters, to) {
			out := w.out(to)
			w.line("%sfor k_: %s do if !nothing(%s[k_]) then post(%s[k_], %s[k_]); end; end;", pad, w.role(to), out, w.letters(to), out)
		}
	}
	sent := w.mail(t, me, letters)
	bound := w.number(int64(w.m.Channels.Bound))
	if waits {
		for _, m := range sent {
			full := w.apply(ftdp.Eq, closed("%s.len", m.channel), bound)
			if m.letters != "" {
				full = w.apply(ftdp.Gt, w.apply(ftdp.Plus, closed("%s.len", m.channel), closed("%s.len", m.letters)), bound)
			}
			w.line("%sfor k_: %s do if %s then room := false; end; end;", pad, w.role(m.to), w.and(m.wanted, full))
		}
		w.line("%sif !room then -- it has to wait\n", pad)
		w.variablesAnd(pad+"  ", "%s := old_%s;")
		w.line("%selse", pad)
	}
	for _, m := range sent {
		room := w.apply(ftdp.Lt, closed("%s.len", m.channel), bound)
		if m.letters != "" {
			there := w.and(w.apply(ftdp.Lt, closed("at_"), closed("%s.len", m.letters)), room)
			w.line("%sfor k_: %s do if %s then for at_: 0..%d do if %s then add(%s, %s.cell[at_]); end; end; end; end;", pad,
				w.role(m.to), m.wanted, w.m.Channels.Bound-1, there, m.channel, m.letters)
		} else {
			w.line("%sfor k_: %s do if %s then add(%s, %s[k_]); end; end;", pad, w.role(m.to), w.and(m.wanted, room), m.channel, w.out(m.to))
		}
	}
	if taken != nil {
		taken(pad)
	}
	if waits {
		w.line("%send;", pad)
	}
}

// variablesAnd writes a statement for the variables of each role, and for statuses.
func (w *protocolMurphiWriter) variablesAnd(pad, format string) {
	for i := range w.m.Roles {
		names := []string{w.variables(i)}
		if w.about.faulty(i) {
			names = append(names, w.status(i))
		}
		for _, v := range names {
			w.line("%s%s", pad, strings.ReplaceAll(format, "%s", v))
		}
	}
}

// murphiMail is what a step sends to the processes of a role, each called k_: if it is wanted, to a channel; in letters if there may be
// several.
type murphiMail struct {
	to               int
	wanted           *expr
	channel, letters string
}

func (w *protocolMurphiWriter) mail(t *protocol.Transition, me string, letters []int) (list []murphiMail) {
	for _, to := range sendsTo(t) {
		m := murphiMail{to, w.not(closed("nothing(%s[k_])", w.out(to))), fmt.Sprintf("%s[%s][k_]", w.channel(executor(t), to), me), ""}
		if slices.Contains(letters, to) {
			m.letters = w.letters(to) + "[k_]"
			m.wanted = w.apply(ftdp.Gt, closed("%s.len", m.letters), w.number(0))
		}
		m.wanted = w.and(m.wanted, w.not(w.is(to, "k_", w.deaf(to)...)))
		list = append(list, m)
	}
	return list
}

// memberOf describes a process that a rule receives from: parameters for what may be received.
func (w *protocolMurphiWriter) memberOf(t *protocol.Transition, who, suffix string, choices *[]string) murphiMember {
	role := sender(t)
	x := murphiMember{who: who, msg: "msg", missing: "missing", slot: "0"}
	if t.Quorum() {
		x.msg, x.missing = "msg["+who+"]", "missing["+who+"]"
	}
	param := func(name, kind string) string {
		name = w.free(name + suffix)
		*choices = append(*choices, name+": "+kind)
		return name
	}
	if !ordered(w.m) {
		x.slot = param("slot", fmt.Sprintf("0..%d", w.m.Channels.Bound-1))
	}
	if w.m.Channels.Synchronous && w.about.stops(role) {
		x.gone = param("gone", "boolean")
	}
	if w.m.Channels.Duplicating {
		x.kept = param("kept", "boolean")
	}
	if !w.anything(role) {
		return x
	}
	if w.m.Channels.Synchronous {
		x.absent = param("absent", "boolean")
	}
	w.parts(w.m.Message, "", func(path string, leaf *protocol.Type) {
		x.any = append(x.any, [2]string{path, param(fmt.Sprintf("any%d", len(x.any)+1), w.kind(leaf))})
	})
	return x
}

// parts calls visit for the scalar parts of a type, one by one.
func (w *protocolMurphiWriter) parts(t *protocol.Type, path string, visit func(path string, t *protocol.Type)) {
	switch t.Kind {
	case protocol.KindRecord:
		for i, f := range t.Fields {
			w.parts(f.Type, path+"."+w.member(t, i), visit)
		}
	case protocol.KindArray:
		for v := t.Index.Lo; v <= t.Index.Hi; v++ {
			w.parts(t.Elem, fmt.Sprintf("%s[%s]", path, w.literalMurphi(t.Index, v)), visit)
		}
	default:
		visit(path, t)
	}
}

// receives writes a rule that receives.
func (w *protocolMurphiWriter) receives(t *protocol.Transition, names, choices []string, conds []*expr) {
	r := &murphiReceipt{protocolMurphiWriter: w, t: t, me: names[t.Executor], role: sender(t)}
	who := []string{names[t.Sender]}
	message, missing := "Msg", "boolean"
	if t.Quorum() {
		who = w.members[t.Cell(t.Sender)]
		message, missing = fmt.Sprintf("array[%s] of Msg", w.role(r.role)), fmt.Sprintf("array[%s] of boolean", w.role(r.role))
	}
	w.scope = append(w.scope, scoped{"msg", message}, scoped{"missing", missing})
	for k, q := range who {
		suffix := ""
		if t.Quorum() {
			suffix = fmt.Sprint("_", k+1)
		}
		r.members = append(r.members, w.memberOf(t, q, suffix, &choices))
	}
	for _, x := range r.members {
		there := w.apply(ftdp.Lt, ident(x.slot), closed("%s.len", r.channel(x)))
		if x.any != nil {
			there = w.or(r.byz(x), there)
		}
		conds = append(conds, there)
		if x.absent != "" {
			conds = append(conds, w.or(w.not(ident(x.absent)), r.byz(x)))
		}
	}
	r.choices = choices
	r.taken(conds)
	for k, x := range r.members {
		if w.m.Channels.Lossy {
			lost := conds
			if x.any != nil {
				lost = append(slices.Clone(conds), w.not(r.byz(x)))
			}
			r.open(fmt.Sprintf("%s: lost%s", t.Label, nth(t, k)), lost, func() { r.take("    ", x) })
		}
		if !w.m.Channels.Synchronous && w.about.stops(r.role) {
			stopped := append(slices.Clone(conds), w.stopped(r.role, x.who))
			r.open(fmt.Sprintf("%s: the sender had stopped%s", t.Label, nth(t, k)), stopped, func() {
				w.line("    %s[%s] := crashed;", w.status(r.role), x.who)
				r.take("    ", x)
			})
		}
	}
}

// murphiReceipt is a rule that receives, which becomes several.
type murphiReceipt struct {
	*protocolMurphiWriter
	t       *protocol.Transition
	me      string
	role    int // of the senders
	choices []string
	members []murphiMember
}

// byz says that a sender is Byzantine.
func (r *murphiReceipt) byz(x murphiMember) *expr { return r.liar(r.role, x.who) }

// channel is the one from a sender.
func (r *murphiReceipt) channel(x murphiMember) string {
	return fmt.Sprintf("%s[%s][%s]", r.prose.channel(r.role, executor(r.t)), x.who, r.me)
}

// open writes a rule around a body.
func (r *murphiReceipt) open(label string, conds []*expr, body func()) {
	begin, end := r.ruleset(r.choices)
	r.line("%srule %q\n  %s\n==>", begin, label, r.and(conds...))
	r.locals(r.t, func() {
		for _, x := range r.members {
			r.message(x, r.byz(x), r.channel(x))
		}
		if r.t.Guard != nil {
			r.line("  if %s then", r.term(r.t.Guard))
		}
		body()
		if r.t.Guard != nil {
			r.line("  end;")
		}
	})
	r.line("end;\n%s", end)
}

// take removes a message.
func (r *murphiReceipt) take(pad string, x murphiMember) {
	text := fmt.Sprintf("remove(%s, %s);", r.channel(x), x.msg)
	if x.any != nil {
		text = fmt.Sprintf("if %s then %s end;", r.not(r.byz(x)), text)
	}
	r.line("%s%s", pad, text)
}

// taken writes the rule that processes what is received.
func (r *murphiReceipt) taken(conds []*expr) {
	conds = slices.Clone(conds)
	for _, x := range r.members {
		if x.gone != "" {
			gone := ident(x.gone)
			conds = append(conds, r.or(r.not(gone), r.stopped(r.role, x.who)))
			if x.kept != "" {
				conds = append(conds, r.not(r.and(gone, ident(x.kept))))
			}
		}
	}
	r.open(r.t.Label, conds, func() {
		r.processed(r.t, r.me, r.members, func(pad string, x murphiMember) {
			if x.kept != "" {
				r.line("%sif !%s then", pad, x.kept)
			}
			r.take(pad, x)
			if x.kept != "" {
				r.line("%send;", pad)
			}
		})
	})
}

func nth(t *protocol.Transition, k int) string {
	if !t.Quorum() {
		return ""
	}
	return fmt.Sprintf(" (%d)", k+1)
}

// processed writes what comes after the guard: who has stopped, statements, channels.
func (w *protocolMurphiWriter) processed(t *protocol.Transition, me string, members []murphiMember, take func(pad string, x murphiMember)) {
	var stop []string
	for _, x := range members {
		if x.gone != "" {
			status := w.status(sender(t))
			stop = append(stop, fmt.Sprintf("if %s then %s[%s] := crashed; %s := true; end;", x.gone, status, x.who, x.missing))
		}
	}
	w.body("    ", t, me, stop, func(pad string) {
		for _, x := range members {
			take(pad, x)
		}
	})
}

// message writes what a process receives from another one.
func (w *protocolMurphiWriter) message(x murphiMember, byz *expr, channel string) {
	w.line("  %s := false;", x.missing)
	get := fmt.Sprintf("%s := %s.cell[%s];", x.msg, channel, x.slot)
	if x.any == nil {
		w.line("  %s", get)
		return
	}
	w.line("  if %s then\n    undefine %s;", byz, x.msg)
	for i, a := range x.any {
		text := fmt.Sprintf("%s%s := %s;", x.msg, a[0], a[1])
		for length, least := range lengths(w.m.Message, i) { // of a sequence that it is in
			text = fmt.Sprintf("if %s >= %d then %s end;", x.any[length][1], least, text)
		}
		if of := w.kindsOf(i); of != nil {
			var is []*expr
			for _, k := range of {
				is = append(is, w.apply(ftdp.Eq, ident(x.any[0][1]), k))
			}
			text = fmt.Sprintf("if %s then %s end;", w.or(is...), text)
		}
		w.line("    %s", text)
	}
	if x.absent != "" {
		w.line("    %s := %s;", x.missing, x.absent)
	}
	w.line("  else\n    %s\n  end;", get)
}

// lengths says, for the sequences that a cell of a value is in, in which cell their length is, and how long they have to be.
func lengths(t *protocol.Type, cell int) map[int]int {
	found := map[int]int{}
	var walk func(t *protocol.Type, offset int)
	walk = func(t *protocol.Type, offset int) {
		switch {
		case cell < offset || cell >= offset+t.Cells || t.Scalar():
		case t.Kind == protocol.KindArray:
			walk(t.Elem, cell-(cell-offset)%t.Elem.Cells)
		default:
			if at := cell - offset - t.Fields[len(t.Fields)-1].Offset; t.Sequence && at >= 0 {
				found[offset] = at/element(t).Cells + 1
			}
			for _, f := range t.Fields {
				walk(f.Type, offset+f.Offset)
			}
		}
	}
	walk(t, 0)
	return found
}

// kindsOf lists the kinds of messages that have a cell; nil if all have it.
func (w *protocolMurphiWriter) kindsOf(cell int) (list []*expr) {
	t := w.m.Message
	if t.Kinds == nil || cell == 0 {
		return nil
	}
	for v, k := range t.Kinds {
		for _, f := range k.Fields {
			if field := t.Fields[f]; field.Offset <= cell && cell < field.Offset+field.Type.Cells {
				list = append(list, w.literalMurphi(t.Fields[0].Type, int32(v)))
			}
		}
	}
	return list
}
