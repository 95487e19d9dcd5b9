package emit

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/protocol"
)

// script says what rules do, once for all languages: who moves, what is received and from whom, what becomes of
// messages otherwise, what changes and what is sent. How that is written is the tongue.
type script struct {
	*prose
	tongue
	b       *strings.Builder
	pad     string
	members map[int][]*expr // of quorums, by cell
	mentioned
}

// tongue is what a language says in its own way.
type tongue interface {
	// frames binds the parameters of a transition. What else is open is chosen: a value of a type, whether a condition
	// holds, and which message is received from a process: there is the condition under which there is that.
	frames(t *protocol.Transition, f func(conds []*expr))
	choose(like string, t *protocol.Type, f func(i *expr))
	decide(cond *expr, conds []*expr, f func(is *expr, conds []*expr))
	offer(t *protocol.Transition, p packet, me *expr, f func(p packet, there *expr))
	// oneOf is one of those for which a packet stands, ofEach a condition on it for all of them.
	oneOf(p *packet, f func(p *packet))
	ofEach(p *packet, cond *expr) *expr
	// alternative writes one way to go on, in which messages are received, and what becomes of them.
	alternative(t *protocol.Transition, fate string, conds []*expr, got []*packet, f func())
	status(role int, who *expr) *expr
	crash(role int, who *expr)
	// stopped writes that a sender turns out to have stopped, if it does, remove that a message is taken out of its
	// channel.
	stopped(t *protocol.Transition, p *packet)
	remove(p *packet)
	// begin writes what comes before the statements of a rule, exchange what comes after them: messages are taken out
	// of their channels, and others are put there.
	begin(t *protocol.Transition)
	exchange(t *protocol.Transition, me *expr, got []*packet)
	// What follows writes statements.
	assign(s *protocol.Step)
	undefine(t *protocol.Term)
	cases(s *protocol.Step)
	repeat(s *protocol.Step)
	send(s *protocol.Step)
}

// packet is what a rule receives from a process: the message in a slot of the channel from it or, if that is Byzantine,
// any. Where a language has sets, it may stand for what is received from each member of one.
type packet struct {
	who, slot *expr
	set       *expr // who is any of its members
	channel   *lvalue
	from, to  int   // the roles
	me        *expr // who receives
	liar      *expr // it says what it likes
	absent    *expr // nothing is received
	gone      *expr // it turns out to have stopped
	kept      *expr // the message stays where it is
	message   any
	nth       string // among several
}

func newScript(p *prose) *script {
	return &script{prose: p, b: &strings.Builder{}, members: map[int][]*expr{}}
}

// label is what a rule is called where its messages have a fate.
func label(t *protocol.Transition, fate string) string {
	if fate == "" {
		return t.Label
	}
	return t.Label + ": " + fate
}

// Fates of messages other than that they are received.
const (
	lost     = "lost"
	deserted = "the sender had stopped"
)

func (w *script) line(format string, args ...any) {
	w.mentioned.add(within(args)...)
	fmt.Fprintf(w.b, w.pad+format+"\n", args...)
}

func (w *script) inner(f func()) {
	w.pad += "  "
	f()
	w.pad = w.pad[2:]
}

// steps writes statements.
func (w *script) steps(list []*protocol.Step) {
	for _, s := range list {
		switch s.Kind {
		case protocol.StepAssign:
			if s.Target.Base != protocol.BaseStatus || w.faulty(s.Target.Role) {
				w.assign(s)
			}
		case protocol.StepUndefine:
			w.undefine(s.Target)
		case protocol.StepIf:
			w.cases(s)
		case protocol.StepFor:
			w.repeat(s)
		case protocol.StepSend:
			w.send(s)
		}
	}
}

// has writes that the status of a process is one of some.
func (w *script) has(role int, who *expr, list ...protocol.Status) *expr {
	var status *expr
	if w.faulty(role) {
		status = w.status(role, who)
	}
	return w.is(role, status, list...)
}

// rule writes a rule, and what becomes of messages otherwise.
func (w *script) rule(t *protocol.Transition) {
	w.frames(t, func(conds []*expr) {
		me := w.cells[t.Cell(t.Executor)]
		conds = append(conds, w.has(executor(t), me, able(t)...))
		if !t.Receives() {
			w.alternative(t, "", conds, nil, func() { w.perform(t, me, nil) })
			return
		}
		who := w.members[t.Cell(t.Sender)]
		if !t.Quorum() {
			who = []*expr{w.cells[t.Cell(t.Sender)]}
		}
		w.receive(t, me, who, conds, nil)
	})
}

// maybe binds a name to whether something is so, where it may be.
func (w *script) maybe(like string, may bool, f func(is *expr)) {
	if !may {
		f(w.no)
		return
	}
	w.choose(like, protocol.BoolType, f)
}

// numbers is the type of the numbers from 0 up to one, which does not belong to it.
func numbers(n int) *protocol.Type {
	return &protocol.Type{Kind: protocol.KindInt, Hi: int32(n - 1), Cells: 1}
}

// receive says what is received from the processes of a list, one after the other.
func (w *script) receive(t *protocol.Transition, me *expr, who []*expr, conds []*expr, got []*packet) {
	if len(got) == len(who) {
		w.received(t, me, conds, got)
		return
	}
	p := packet{who: who[len(got)], from: sender(t), to: executor(t), me: me, gone: w.no, kept: w.no}
	if t.Quorum() {
		p.nth = fmt.Sprint("_", len(got)+1)
	}
	lies := w.no
	if w.anything[p.from] {
		lies = w.has(p.from, p.who, protocol.Byzantine)
	}
	w.decide(lies, conds, func(liar *expr, conds []*expr) {
		p.liar = liar
		w.offer(t, p, me, func(p packet, there *expr) {
			w.maybe("absent"+p.nth, w.m.Channels.Synchronous && liar != w.no, func(absent *expr) {
				p := p
				p.absent = absent
				conds := and(conds, w.ofEach(&p, there), w.ofEach(&p, w.or(w.not(absent), liar)))
				w.receive(t, me, who, conds, append(got[:len(got):len(got)], &p))
			})
		})
	})
}

// and is a list of conditions with some more.
func and(conds []*expr, more ...*expr) []*expr { return append(conds[:len(conds):len(conds)], more...) }

// received writes what may become of messages: they are lost, or their senders had stopped, or the rule is taken.
func (w *script) received(t *protocol.Transition, me *expr, conds []*expr, got []*packet) {
	for i, p := range got {
		if p.liar == w.yes {
			continue
		}
		nth := ""
		if p.nth != "" {
			nth = fmt.Sprintf(" (%d)", i+1)
		}
		w.oneOf(p, func(p *packet) {
			if w.m.Channels.Lossy {
				w.alternative(t, lost+nth, and(conds, w.not(p.liar)), got, func() { w.remove(p) })
			}
			if !w.m.Channels.Synchronous && w.stops(p.from) {
				w.alternative(t, deserted+nth, and(conds, w.has(p.from, p.who, stopped...)), got, func() {
					w.crash(p.from, p.who)
					w.remove(p)
				})
			}
		})
	}
	w.accepted(t, me, conds, got, 0)
}

// accepted writes that a rule is taken, when some of the senders from one on turn out to have stopped, and some
// messages stay.
func (w *script) accepted(t *protocol.Transition, me *expr, conds []*expr, got []*packet, from int) {
	if from == len(got) {
		w.alternative(t, "", conds, got, func() { w.perform(t, me, got) })
		return
	}
	p := got[from]
	w.maybe("gone"+p.nth, p.liar != w.yes && w.m.Channels.Synchronous && w.stops(p.from), func(gone *expr) {
		w.maybe("kept"+p.nth, p.liar != w.yes && w.m.Channels.Duplicating, func(kept *expr) {
			p.gone, p.kept = gone, kept
			had := w.yes
			if gone != w.no {
				had = w.or(w.not(gone), w.has(p.from, p.who, stopped...))
			}
			if both := w.and(gone, kept); both != w.yes {
				w.accepted(t, me, and(conds, w.ofEach(p, had), w.ofEach(p, w.not(both))), got, from+1)
			}
		})
	})
	p.gone, p.kept = w.no, w.no
}

// perform writes what a rule does.
func (w *script) perform(t *protocol.Transition, me *expr, got []*packet) {
	w.begin(t)
	for _, p := range got {
		w.stopped(t, p)
	}
	w.steps(t.Body)
	w.exchange(t, me, got)
}
