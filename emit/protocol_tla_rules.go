package emit

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// tlaChoice is a name and what it ranges over.
type tlaChoice struct {
	name string
	set  *expr
}

type tlaChoices []tlaChoice

// expr writes what quantifiers bind.
func (l tlaChoices) expr() *expr {
	list := lists.Map(l, func(c tlaChoice) *expr { return closed("%s \\in %s", c.name, c.set) })
	return commas(list)
}

// names lists what is bound.
func (l tlaChoices) names() []*expr {
	return lists.Map(l, func(c tlaChoice) *expr { return ident(c.name) })
}

// exists writes that there are such values.
func (l tlaChoices) exists(e *expr) *expr {
	if len(l) == 0 {
		return e
	}
	return open("\\E %s : %s", l.expr(), e)
}

// tlaAction is a part of Next.
type tlaAction struct {
	t      *protocol.Transition
	fate   string
	call   *expr
	params tlaChoices
	said   *expr // none of the senders says what it likes
}

// from is the base of the versions of roots: variables as they are, or as they begin, and no messages.
func (w *protocolTLA) from(t *protocol.Transition) *tlaBlock {
	b := &tlaBlock{at: map[tlaRoot]*tlaVersion{}}
	for _, r := range w.roots() {
		if b.at[r] = (&tlaVersion{e: ident(w.rootName(r)), cell: -1}); t.Executor < 0 {
			b.at[r] = w.blank(r)
		}
	}
	for i := range w.m.Roles {
		for _, r := range []tlaRoot{{kind: 'o', role: i}, {kind: 'l', role: i}} {
			if w.m.Message != nil {
				b.at[r] = w.blank(r)
			}
		}
	}
	return b
}

func (w *protocolTLA) frames(t *protocol.Transition, f func(conds []*expr)) {
	i := len(w.bound)
	if i == len(t.Params) {
		if t.Quorum() {
			w.members[t.Cell(t.Sender)] = []*expr{ident(w.free("q"))} // any of them
		}
		f(nil)
		return
	}
	p := t.Params[i]
	w.bind(t.Cell(i), p.Name, func(name string) {
		of, set := map[bool]string{false: "Quorums", true: "QuorumsFrom"}[p.AtLeast], (*expr)(nil)
		if p.Type.Kind == protocol.KindQuorum {
			set = closed("%s(%s, %d)", of, w.role(p.Type.Role), p.Size)
		} else {
			set = w.set(p.Type)
		}
		w.bound = append(w.bound[:i:i], tlaChoice{name, set})
		w.frames(t, f)
		w.bound = w.bound[:i]
	})
}

// choosing has f write about a value that is chosen.
func (w *protocolTLA) choosing(name string, set *expr, f func()) {
	n := len(w.picks)
	w.picks = append(w.picks, tlaChoice{name, set})
	f()
	w.picks = w.picks[:n]
}

// choose writes about a condition that may hold or not; for several processes, about the set of those that satisfy it.
func (w *protocolTLA) choose(like string, _ *protocol.Type, f func(is *expr)) {
	set, is := closed("BOOLEAN"), ident(like)
	if g := w.group; g != nil {
		set, is = closed("SUBSET %s", g.set), w.apply(ftdp.In, g.who, is)
	}
	w.choosing(like, set, func() { f(is) })
}

func (w *protocolTLA) decide(cond *expr, conds []*expr, f func(is *expr, conds []*expr)) {
	f(cond, conds)
}

func (w *protocolTLA) offer(t *protocol.Transition, p packet, me *expr, f func(p packet, there *expr)) {
	messages := closed("Ready(%s[%s][%s])", w.channel(p.from, p.to), p.who, me)
	if p.liar != w.no {
		messages = closed("(IF %s THEN Messages ELSE %s)", p.liar, messages)
	}
	if p.nth = ""; t.Quorum() {
		p.set = w.cells[t.Cell(t.Sender)]
		messages = closed("Choices(%s, LAMBDA %s : %s)", p.set, p.who, messages)
		w.group = &p
	}
	w.choosing("msg", messages, func() { f(p, w.yes) })
	w.group = nil
}

func (w *protocolTLA) oneOf(p *packet, f func(p *packet)) {
	if p.set == nil {
		f(p)
		return
	}
	one := *p
	one.set = nil
	one.message = closed("msg[%s]", p.who)
	w.briefly(p.who.text, func(name string) { w.choosing(name, p.set, func() { f(&one) }) })
}

func (w *protocolTLA) ofEach(p *packet, cond *expr) *expr {
	if p.set == nil || cond == w.yes || cond == w.no {
		return cond
	}
	return open("\\A %s \\in %s : %s", p.who, p.set, cond)
}

// fateNames are what actions are called in which messages have a fate.
var fateNames = map[string]string{lost: "_lost", deserted: "_stopped"}

func (w *protocolTLA) alternative(t *protocol.Transition, fate string, conds []*expr, got []*packet, f func()) {
	name := w.names["rule "+t.Label]
	if fate != "" {
		name = w.reserve(name + fateNames[fate])
	}
	action := tlaAction{t, fate, closed("%s(%s)", name, commas(w.bound.names())), w.bound, w.yes}
	w.absent = nil
	for _, p := range got {
		action.said = w.and(action.said, w.ofEach(p, w.not(p.liar)))
		if p.absent != w.no {
			w.absent = append(w.absent, ident("absent"))
		}
	}
	w.actions = append(w.actions, action)
	w.line("%s ==", action.call)
	w.inner(func() {
		w.conjuncts(conds[:1])
		if len(w.picks) == 0 {
			w.step(t, conds[1:], f)
			return
		}
		w.line("/\\ \\E %s :", w.picks.expr())
		w.under(func() { w.step(t, conds[1:], f) })
	})
	w.line("")
}

// under writes below a bullet.
func (w *protocolTLA) under(f func()) {
	w.pad += "   "
	f()
	w.pad = w.pad[3:]
}

func (w *protocolTLA) conjuncts(list []*expr) {
	for _, e := range list {
		if e != w.yes {
			w.line("/\\ %s", e)
		}
	}
}

// step writes under which conditions a rule is taken, and what its statements change.
func (w *protocolTLA) step(t *protocol.Transition, conds []*expr, statements func()) {
	if w.conjuncts(conds); t.Guard != nil {
		w.conjuncts(w.terms(interp.Conjuncts(t)))
	}
	b := w.from(t)
	w.within(b, statements)
	w.result(b, func() {
		w.conjuncts(b.conds)
		var same []*expr
		for _, r := range w.roots() {
			if name, now := ident(w.rootName(r)), b.at[r].now(); now.text == name.text && now.args == nil {
				same = append(same, name)
			} else {
				w.line("/\\ %s' = %s", name, now)
			}
		}
		if len(same) > 0 {
			w.line("/\\ UNCHANGED <<%s>>", commas(same))
		}
	})
}

// result writes the definitions of a block, and within them what f writes.
func (w *protocolTLA) result(b *tlaBlock, f func()) {
	defer w.close(b)
	if len(b.defs) == 0 {
		f()
		return
	}
	w.line("/\\ LET")
	for _, d := range b.defs {
		w.line("     %s", d.expr())
	}
	w.line("   IN")
	w.under(f)
}

func (w *protocolTLA) status(role int, who *expr) *expr {
	return closed("%s[%s]", w.whole(tlaRoot{kind: 's', role: role}), who)
}

func (w *protocolTLA) crash(role int, who *expr) {
	v := w.now.at[tlaRoot{kind: 's', role: role}]
	v.pending = append(v.pending, closed(`![%s] = "crashed"`, who))
}

func (w *protocolTLA) stopped(_ *protocol.Transition, p *packet) {
	if p.gone == w.no {
		return
	}
	r := tlaRoot{kind: 's', role: p.from}
	status, value := w.whole(r), closed(`"crashed"`)
	if w.absent = append(w.absent, ident("gone")); p.set == nil {
		crashed := closed("[%s EXCEPT ![%s] = %s]", status, p.who, value)
		w.now.define(w, r, w.choice(p.gone, crashed, status))
		return
	}
	value = w.choice(p.gone, value, closed("%s[%s]", status, p.who))
	w.now.define(w, r, closed("[%s \\in %s |-> %s]", p.who, w.role(p.from), value))
}

func (w *protocolTLA) remove(p *packet) { w.take(p, w.no) }

// take writes that messages are taken out of their channels, but for those that are not in them, or stay.
func (w *protocolTLA) take(p *packet, free *expr) {
	r := tlaRoot{'c', p.from, p.to}
	v, channel := w.now.at[r], ident(w.rootName(r))
	if p.set != nil {
		taken := closed("[%s[%s] EXCEPT ![%s] = Take(@, msg[%s])]", channel, p.who, p.me, p.who)
		cond := w.and(w.apply(ftdp.In, p.who, p.set), w.not(free))
		now := w.choice(cond, taken, closed("%s[%s]", channel, p.who))
		v.e = closed("[%s \\in %s |-> %s]", p.who, w.role(p.from), now)
		return
	}
	message, one := p.message.(*expr)
	if !one {
		message = ident("msg")
	}
	taken := closed("![%s][%s] = Take(@, %s)", p.who, p.me, message)
	if free == w.no {
		v.pending = append(v.pending, taken)
	} else {
		v.e = w.choice(free, channel, closed("[%s EXCEPT %s]", channel, taken))
	}
}

func (w *protocolTLA) begin(*protocol.Transition) {}

// exchange writes channels after the step: without what has been received, and with what is sent to all but those that
// are deaf.
func (w *protocolTLA) exchange(t *protocol.Transition, me *expr, got []*packet) {
	for _, p := range got {
		w.take(p, w.or(p.liar, p.kept))
	}
	letters, fields := mails(t)
	q := ident(w.free("q"))
	for _, to := range sendsTo(t) {
		all, out, deaf := "", w.whole(tlaRoot{kind: 'o', role: to}), closed("{}")
		if slices.Contains(letters, to) {
			list := w.whole(tlaRoot{kind: 'l', role: to})
			if all = "All"; slices.Contains(fields, to) {
				list = closed("[%s \\in %s |-> Written(%s[%s], %s[%s])]", q, w.role(to), list, q, out, q)
			}
			out = list
		}
		if list := w.deaf(to); len(list) > 0 {
			deaf = closed("{%s \\in %s : %s}", q, w.role(to), w.has(to, q, list...))
		}
		r := tlaRoot{'c', executor(t), to}
		before := closed("%s[%s]", w.rootName(r), me)
		if !w.m.Channels.Lossy {
			w.now.conds = append(w.now.conds, closed("Fits%s(%s, %s, %s)", all, before, out, deaf))
		}
		v := w.now.at[r]
		v.pending = append(v.pending, closed("![%s] = Sent%s(@, %s, %s, %s)", me, all, before, out, deaf))
	}
}

// initial writes the initial states.
func (w *protocolTLA) initial() {
	var all []*expr
	for i := range w.m.Inits {
		t := &w.m.Inits[i]
		all = append(all, ident(w.names["init "+t.Label]))
		w.line("%s ==", all[i])
		w.frames(t, func([]*expr) {
			pad := w.pad
			if w.pad += "  "; len(w.bound) > 0 {
				w.line("\\E %s :", w.bound.expr())
				w.pad += "  "
			}
			var guard []*expr
			b := w.from(t)
			w.within(b, func() {
				if w.steps(t.First); t.Guard != nil {
					guard = append(guard, w.term(t.Guard))
				}
				w.steps(t.Body)
			})
			w.result(b, func() {
				w.conjuncts(guard)
				for _, r := range w.roots() {
					w.line("/\\ %s = %s", w.rootName(r), b.at[r].now())
				}
			})
			w.pad = pad
		})
		w.line("")
	}
	w.line("Init == %s\n", joined(all, " \\/ "))
}

// next writes the steps, and those that cannot be put off for ever.
func (w *protocolTLA) next() {
	list := func(name string, parts []*expr) {
		w.line("%s ==", name)
		for _, p := range parts {
			w.line("  \\/ %s", p)
		}
		if len(parts) == 0 {
			w.line("  FALSE")
		}
		w.line("")
	}
	var next, forced []*expr
	same := true
	for _, a := range w.actions {
		next = append(next, a.params.exists(a.call))
		if same = same && !a.t.Voluntary() && a.said == w.yes; !a.t.Voluntary() {
			forced = append(forced, a.params.exists(w.and(a.said, a.call)))
		}
	}
	list("Next", next)
	w.line("Spec == Init /\\ [][Next]_vars\n")
	if !slices.ContainsFunc(w.m.Props, func(p protocol.Prop) bool { return p.LTL != nil }) {
		return
	}
	w.line("\\* A run stays where it is only if nothing else has to happen: nothing makes a Byzantine process do " +
		"anything.")
	if same {
		w.line("Forced == Next")
	} else {
		list("Forced", forced)
	}
	w.line("\\* A step that changes nothing counts as one.")
	w.line("Progress == WF_vars(Next /\\ ENABLED Forced /\\ ~ENABLED (Next /\\ UNCHANGED vars))\n")
}
