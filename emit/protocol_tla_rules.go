package emit

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
	"tacheck/protocol/interp"
)

// from is the base of the versions of roots: variables as they are, and no messages.
func (w *protocolTLAWriter) from(t *protocol.Transition) *tlaBlock {
	b := &tlaBlock{at: map[tlaRoot]*tlaVersion{}}
	for i := range w.m.Roles {
		for _, r := range []tlaRoot{{'r', i}, {'s', i}} {
			b.at[r] = &tlaVersion{e: ident(w.rootName(r)), cell: -1}
			if t.Executor < 0 {
				b.at[r] = w.blank(r)
			}
		}
		for _, r := range []tlaRoot{{'o', i}, {'l', i}} {
			if w.m.Message != nil {
				b.at[r] = w.blank(r)
			}
		}
	}
	return b
}

// q is a name for any of several processes.
func (w *protocolTLAWriter) q() string { return w.free("q") }

// choices writes quantifiers over the values of parameters.
func (w *protocolTLAWriter) choices(t *protocol.Transition, names []string) string {
	var list []string
	for i, p := range t.Params {
		set := ""
		switch {
		case p.Type.Kind != protocol.KindQuorum:
			set = w.set(p.Type)
		case p.AtLeast:
			set = fmt.Sprintf("QuorumsFrom(%s, %d)", w.role(p.Type.Role), p.Size)
		default:
			set = fmt.Sprintf("Quorums(%s, %d)", w.role(p.Type.Role), p.Size)
		}
		list = append(list, names[i]+" \\in "+set)
	}
	return strings.Join(list, ", ")
}

// begin writes the initial states.
func (w *protocolTLAWriter) begin() {
	var all []string
	for i := range w.m.Inits {
		t := &w.m.Inits[i]
		name := w.names["init "+t.Label]
		all = append(all, name)
		w.line("%s ==", name)
		w.params(t, func(names []string) {
			pad := "  "
			if len(names) > 0 {
				w.line("  \\E %s :", w.choices(t, names))
				pad = "    "
			}
			b := w.from(t)
			w.steps(b, t.First)
			var guard *expr
			if t.Guard != nil {
				w.within(b, func() { guard = w.term(t.Guard) })
			}
			w.steps(b, t.Body)
			w.result(pad, b, func(inner string) {
				if guard != nil {
					w.line("%s/\\ %s", inner, guard)
				}
				for i := range w.m.Roles {
					w.line("%s/\\ %s = %s", inner, w.variables(i), b.at[tlaRoot{'r', i}].now())
					if w.faulty(i) {
						w.line("%s/\\ %s = %s", inner, w.array("status", i), b.at[tlaRoot{'s', i}].now())
					}
				}
				for _, c := range w.channels {
					none := w.all(w.roleType(c[0]),
						func() string { return w.all(w.roleType(c[1]), func() string { return "Empty" }) })
					w.line("%s/\\ %s = %s", inner, w.channel(c[0], c[1]), none)
				}
			})
			w.close(b)
		})
		w.line("")
	}
	w.line("Init == %s\n", strings.Join(all, " \\/ "))
}

// result writes the definitions of a block, and within them what f writes.
func (w *protocolTLAWriter) result(pad string, b *tlaBlock, f func(inner string)) {
	if len(b.defs) == 0 {
		f(pad)
		return
	}
	w.line("%s/\\ LET", pad)
	for _, d := range b.defs {
		w.line("%s     %s", pad, d)
	}
	w.line("%s   IN", pad)
	f(pad + "   ")
}

// fatesOf lists what can become of what a rule receives.
func (w *protocolTLAWriter) fatesOf(t *protocol.Transition) []string {
	list := []string{"received"}
	if !t.Receives() {
		return list
	}
	if w.m.Channels.Lossy {
		list = append(list, "lost")
	}
	if !w.m.Channels.Synchronous && w.stops(sender(t)) {
		list = append(list, "stopped")
	}
	return list
}

// action writes a rule. It returns its disjunct of Next, and that of what is not voluntary, if it has one.
func (w *protocolTLAWriter) action(t *protocol.Transition) (next string, forced []string) {
	name := w.names["rule "+t.Label]
	w.rule = t
	defer func() { w.rule, w.absent = nil, nil }()
	w.params(t, func(names []string) {
		fates := w.fatesOf(t)
		head := slices.Clone(names)
		choices := w.choices(t, names)
		call := slices.Clone(names)
		if len(fates) > 1 {
			head, call = append(head, "fate"), append(call, "fate")
			choices += `, fate \in {"` + strings.Join(fates, `", "`) + `"}`
		}
		w.line("%s(%s) ==", name, strings.Join(head, ", "))
		me := names[t.Executor]
		if may := w.has(executor(t), me, able(t)...); may != w.yes {
			w.line("  /\\ %s", may)
		}
		if t.Receives() {
			w.receives(t, me, names[t.Sender], fates)
		} else {
			w.guard("  ", t)
			w.received("  ", t, me, "")
		}
		w.line("")
		next = fmt.Sprintf("\\E %s : %s(%s)", choices, name, strings.Join(call, ", "))
		if !t.Voluntary() {
			taken := closed("%s(%s)", name, strings.Join(call, ", "))
			if t.Receives() && w.anything[sender(t)] {
				taken = w.and(w.isSaid(t, names[t.Sender]), taken)
			}
			forced = append(forced, fmt.Sprintf("\\E %s : %s", choices, taken))
		}
	})
	return next, forced
}

// isSaid writes that none of the senders says what it likes.
func (w *protocolTLAWriter) isSaid(t *protocol.Transition, from string) *expr {
	if t.Quorum() {
		return open("\\A %s \\in %s : %s", w.q(), from, w.not(w.has(sender(t), w.q(), protocol.Byzantine)))
	}
	return w.not(w.has(sender(t), from, protocol.Byzantine))
}

func (w *protocolTLAWriter) guard(pad string, t *protocol.Transition) {
	if t.Guard != nil {
		for _, c := range interp.Conjuncts(t) {
			w.line("%s/\\ %s", pad, w.term(c))
		}
	}
}

// receives writes what comes after a process's turn: the messages, the guard, and what becomes of them.
func (w *protocolTLAWriter) receives(t *protocol.Transition, me, from string, fates []string) {
	role := sender(t)
	channel := w.channel(role, executor(t))
	offered := func(who string) string {
		ready := fmt.Sprintf("Ready(%s[%s][%s])", channel, who, me)
		if w.anything[role] {
			return fmt.Sprintf("(IF %s THEN Messages ELSE %s)", w.has(role, who, protocol.Byzantine), ready)
		}
		return ready
	}
	if t.Quorum() {
		w.line("  /\\ \\E msg \\in Choices(%s, LAMBDA %s : %s) :", from, w.q(), offered(w.q()))
	} else {
		w.line("  /\\ \\E msg \\in %s :", offered(from))
	}
	pad := "     "
	if w.m.Channels.Synchronous && w.anything[role] {
		if t.Quorum() {
			w.line("%s/\\ \\E absent \\in SUBSET {%s \\in %s : %s} :", pad, w.q(), from,
				w.has(role, w.q(), protocol.Byzantine))
		} else {
			w.line("%s/\\ \\E absent \\in (IF %s THEN BOOLEAN ELSE {FALSE}) :", pad,
				w.has(role, from, protocol.Byzantine))
		}
		w.absent = closed("absent")
		pad += "   "
	}
	w.guard(pad, t)
	bullet := pad
	if len(fates) > 1 {
		bullet = pad + "   "
		w.line(`%s/\ \/ /\ fate = "received"`, pad)
		bullet += "   "
	}
	w.received(bullet, t, me, from)
	for _, f := range fates[1:] {
		w.line(`%s   \/ /\ fate = "%s"`, pad, f)
		w.notReceived(bullet, t, me, from, f)
	}
}

// took writes the channels of a pair of roles after messages have been taken.
func (w *protocolTLAWriter) took(t *protocol.Transition, me, from string) string {
	role := sender(t)
	channel := w.channel(role, executor(t))
	free := w.no // it is not taken
	if w.anything[role] {
		free = w.has(role, from, protocol.Byzantine)
	}
	if !t.Quorum() {
		text := fmt.Sprintf("[%s EXCEPT ![%s][%s] = Take(@, msg)]", channel, from, me)
		if w.m.Channels.Duplicating {
			free = w.or(free, closed("kept"))
		}
		if free == w.no {
			return text
		}
		return w.choice(free, ident(channel), ident(text)).String()
	}
	q := w.q()
	conds := []*expr{w.apply(ftdp.In, ident(q), ident(from))}
	if w.anything[role] {
		conds = append(conds, w.not(w.has(role, q, protocol.Byzantine)))
	}
	if w.m.Channels.Duplicating {
		conds = append(conds, w.not(w.apply(ftdp.In, ident(q), closed("kept"))))
	}
	some := closed("[%s[%s] EXCEPT ![%s] = Take(@, msg[%s])]", channel, q, me, q)
	return fmt.Sprintf("[%s \\in %s |-> %s]", q, w.role(role), w.choice(w.and(conds...), some,
		closed("%s[%s]", channel, q)))
}

// notReceived writes what happens to one message that is lost, or whose sender had stopped.
func (w *protocolTLAWriter) notReceived(pad string, t *protocol.Transition, me, from, fate string) {
	role := sender(t)
	channel := w.channel(role, executor(t))
	who, msg := from, "msg"
	if t.Quorum() {
		who, msg = w.q(), "msg["+w.q()+"]"
		w.line("%s/\\ \\E %s \\in %s :", pad, who, from)
		pad += "   "
	}
	changes := []string{channel}
	switch {
	case fate == "stopped":
		w.line("%s/\\ %s", pad, w.has(role, who, stopped...))
		w.line("%s/\\ %s' = [%s EXCEPT ![%s] = \"crashed\"]", pad, w.array("status", role), w.array("status", role),
			who)
		changes = append(changes, w.array("status", role))
	case w.anything[role]:
		w.line("%s/\\ %s", pad, w.not(w.has(role, who, protocol.Byzantine)))
	}
	w.line("%s/\\ %s' = [%s EXCEPT ![%s][%s] = Take(@, %s)]", pad, channel, channel, who, me, msg)
	w.unchanged(pad, changes)
}

func (w *protocolTLAWriter) unchanged(pad string, changes []string) {
	same, _ := w.variableNames()
	same = slices.DeleteFunc(same, func(v string) bool { return slices.Contains(changes, v) })
	if len(same) > 0 {
		w.line("%s/\\ UNCHANGED <<%s>>", pad, strings.Join(same, ", "))
	}
}

// received writes the statements of a rule, and what is sent.
func (w *protocolTLAWriter) received(pad string, t *protocol.Transition, me, from string) {
	b := w.from(t)
	stopping := t.Receives() && w.m.Channels.Synchronous && w.stops(sender(t))
	if stopping {
		pad = w.stopping(pad, b, t, from)
	}
	pad = w.keeps(pad, t, from)
	w.steps(b, t.Body)
	channels := map[string]string{} // after the step
	if t.Receives() {
		channels[w.channel(sender(t), executor(t))] = w.took(t, me, from)
	}
	sent := w.deliveries(b, t, me, channels)
	w.result(pad, b, func(inner string) {
		var changes []string
		if !w.m.Channels.Lossy {
			for _, d := range sent {
				w.line("%s/\\ Fits%s(%s[%s], %s, %s)", inner, d.all, d.channel, me, d.out, d.deaf)
			}
		}
		for i := range w.m.Roles {
			for _, r := range []tlaRoot{{'r', i}, {'s', i}} {
				if text := b.at[r].now().String(); text != w.rootName(r) {
					w.line("%s/\\ %s' = %s", inner, w.rootName(r), text)
					changes = append(changes, w.rootName(r))
				}
			}
		}
		for _, c := range w.channels {
			if text, ok := channels[w.channel(c[0], c[1])]; ok {
				w.line("%s/\\ %s' = %s", inner, w.channel(c[0], c[1]), text)
				changes = append(changes, w.channel(c[0], c[1]))
			}
		}
		w.unchanged(inner, changes)
	})
	w.close(b)
}

// tlaDelivery is what a step sends to a role: into a channel, to all but those that are deaf; "All" if there may be
// several messages.
type tlaDelivery struct{ channel, out, deaf, all string }

// deliveries lists what a step sends, and puts it into what channels are after the step.
func (w *protocolTLAWriter) deliveries(b *tlaBlock, t *protocol.Transition, me string,
	channels map[string]string) (sent []tlaDelivery) {
	letters, fields := mails(t)
	w.within(b, func() {
		for _, to := range sendsTo(t) {
			d := tlaDelivery{w.channel(executor(t), to), b.settle(w, tlaRoot{'o', to}).String(), "{}", ""}
			if slices.Contains(letters, to) {
				list := b.settle(w, tlaRoot{'l', to}).String()
				if d.all = "All"; slices.Contains(fields, to) {
					list = fmt.Sprintf("[%s \\in %s |-> Written(%s[%s], %s[%s])]", w.q(), w.role(to), list, w.q(),
						d.out, w.q())
				}
				d.out = list
			}
			if list := w.deaf(to); len(list) > 0 {
				d.deaf = fmt.Sprintf("{%s \\in %s : %s}", w.q(), w.role(to),
					w.is(to, closed("%s[%s]", b.settle(w, tlaRoot{'s', to}), w.q()), list...))
			}
			now := channels[d.channel]
			if now == "" {
				now = d.channel
			} else {
				name := w.fresh(d.channel)
				b.names, b.defs, now = append(b.names, name), append(b.defs, tlaDef{name, ident(now)}), name
			}
			channels[d.channel] = fmt.Sprintf("[%s EXCEPT ![%s] = Sent%s(@, %s[%s], %s, %s)]", now, me, d.all,
				d.channel, me, d.out, d.deaf)
			sent = append(sent, d)
		}
	})
	return sent
}

// keeps writes, for channels that duplicate, which messages stay where they are: any that are there.
func (w *protocolTLAWriter) keeps(pad string, t *protocol.Transition, from string) string {
	if !w.m.Channels.Duplicating || !t.Receives() {
		return pad
	}
	set := "BOOLEAN"
	switch {
	case t.Quorum() && w.absent != nil:
		set = fmt.Sprintf("SUBSET (%s \\ %s)", from, bracketed(w.absent))
	case t.Quorum():
		set = "SUBSET " + from
	case w.absent != nil:
		set = fmt.Sprintf("(IF %s THEN {FALSE} ELSE BOOLEAN)", w.absent)
	}
	w.line("%s/\\ \\E kept \\in %s :", pad, set)
	return pad + "   "
}

// stopping writes, for synchronous channels, that senders turn out to have stopped.
func (w *protocolTLAWriter) stopping(pad string, b *tlaBlock, t *protocol.Transition, from string) string {
	role := sender(t)
	r := tlaRoot{'s', role}
	if t.Quorum() {
		q := w.q()
		w.line("%s/\\ \\E gone \\in SUBSET {%s \\in %s : %s} :", pad, q, from, w.has(role, q, stopped...))
		gone := w.choice(w.apply(ftdp.In, ident(q), closed("gone")), closed(`"crashed"`),
			closed("%s[%s]", w.array("status", role), q))
		b.define(w, r, closed("[%s \\in %s |-> %s]", q, w.role(role), gone))
	} else {
		w.line("%s/\\ \\E gone \\in (IF %s THEN BOOLEAN ELSE {FALSE}) :", pad, w.has(role, from, stopped...))
		crashed := closed("[%s EXCEPT ![%s] = \"crashed\"]", w.array("status", role), from)
		b.define(w, r, w.choice(closed("gone"), crashed, ident(w.array("status", role))))
	}
	switch {
	case w.absent == nil:
		w.absent = closed("gone")
	case t.Quorum():
		w.absent = closed("(absent \\union gone)")
	default:
		w.absent = w.or(w.absent, closed("gone"))
	}
	return pad + "   "
}

// next writes the steps, and those that nobody can put off for ever.
func (w *protocolTLAWriter) next(next, forced []string) {
	list := func(name string, parts []string) {
		w.line("%s ==", name)
		for _, p := range parts {
			w.line("  \\/ %s", p)
		}
		if len(parts) == 0 {
			w.line("  FALSE")
		}
		w.line("")
	}
	list("Next", next)
	w.line("Spec == Init /\\ [][Next]_vars\n")
	if !slices.ContainsFunc(w.m.Props, func(p protocol.Prop) bool { return p.LTL != nil }) {
		return
	}
	w.line("\\* A run stays where it is only if nothing else has to happen: nobody makes a Byzantine process do " +
		"anything.")
	if slices.Equal(next, forced) {
		w.line("Forced == Next")
	} else {
		list("Forced", forced)
	}
	w.line("\\* A step that changes nothing counts as one.")
	w.line("Progress == WF_vars(Next /\\ ENABLED Forced /\\ ~ENABLED (Next /\\ UNCHANGED vars))\n")
}

// has writes that the status of a process is one of some.
func (w *protocolTLAWriter) has(role int, who string, list ...protocol.Status) *expr {
	return w.is(role, closed("%s[%s]", w.array("status", role), who), list...)
}
