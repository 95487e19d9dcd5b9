package emit

import (
	"fmt"
	"slices"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// promelaMail is what a step may send to one process.
type promelaMail struct {
	count         *expr  // how many messages that are wanted
	array, length string // the channel
	base          int
	from          string // array of the messages
	at, most      int    // where they begin there, and how many there are at most
}

// option writes an alternative that executes a rule.
func (w *protocolPromelaWriter) option(
	t *protocol.Transition, label string, me int32, conds []*expr, before func(), takes []func(),
) {
	w.single(label, conds, func() {
		w.line("save();")
		if before != nil {
			before()
		}
		w.steps(t.Body)
		mail := w.mail(t, me)
		for i, l := range mail {
			free := w.apply(ftdp.Sub, w.number(int64(w.m.Channels.Bound)), ident(l.length))
			w.line("go_[%d] = %s;", i, l.count)
			if w.m.Channels.Lossy {
				w.line("if :: go_[%d] > %s -> go_[%d] = %s :: else fi;", i, free, i, free)
			} else {
				w.line("if :: go_[%d] > %s -> room = 0 :: else fi;", i, free)
			}
		}
		w.line("if :: !room -> restore() :: else ->")
		w.inner(func() {
			w.line("i_ = 0;")
			for _, take := range takes {
				take()
			}
			for i, l := range mail {
				for k := range l.most {
					w.line("if :: go_[%d] > %d ->", i, k)
					w.inner(func() { w.add(l.array, l.base, l.length, l.from, l.at+k*w.message()) })
					w.line(":: else fi;")
				}
			}
		})
		w.line("fi")
	})
}

// mail lists what a rule may send, process by process.
func (w *protocolPromelaWriter) mail(t *protocol.Transition, me int32) (list []promelaMail) {
	letters, fields := mails(t)
	for _, to := range sendsTo(t) {
		for k := int32(1); k <= int32(w.m.Roles[to].Size); k++ {
			first := int(k-1) * w.message()
			l := promelaMail{from: w.out(to), at: first, most: 1}
			var some []*expr
			for c := range w.message() {
				some = append(some, w.isDefined(closed("%s[%d]", w.out(to), first+c)))
			}
			wanted := w.or(some...)
			several := slices.Contains(letters, to)
			if several && slices.Contains(fields, to) { // it comes last
				w.line("if :: %s ->", wanted)
				w.inner(func() { w.post(to, w.numberOf(k), w.out(to), first) })
				w.line(":: else fi;")
			}
			most := w.number(1)
			if several {
				l.from, l.at, l.most = w.letters(to), first*w.m.Channels.Bound, w.m.Channels.Bound
				wanted, most = w.yes, closed("%s_len[%d]", w.letters(to), k-1)
			}
			l.count = w.choice(w.and(wanted, w.not(w.is(to, k, w.deaf(to)...))), most, w.number(0))
			l.array, l.base, l.length = w.channelAt(executor(t), to, me, k)
			list = append(list, l)
		}
	}
	return list
}

// post writes that a message is put behind those that are sent to a process; more than fit into a channel are only counted.
func (w *protocolPromelaWriter) post(role int, who *expr, from string, at int) {
	n, bound, place := w.message(), w.m.Channels.Bound, w.plus(who, -1)
	length := closed("%s_len[%s]", w.letters(role), place)
	w.line("if :: %s < %d ->", length, bound)
	w.inner(func() {
		to := w.times(w.apply(ftdp.Plus, w.times(place, int64(bound)), length), int64(n))
		for c := range n {
			w.line("%s[%s] = %s[%d];", w.letters(role), w.plus(to, int64(c)), from, at+c)
		}
	})
	w.line(":: else fi;")
	w.line("if :: %s <= %d -> %s = %s + 1 :: else fi;", length, bound, length, length)
}

// add writes that a message is put into a channel; those of channels without an order are kept in one.
func (w *protocolPromelaWriter) add(array string, base int, length, out string, at int) {
	n := w.message()
	for c := range n {
		w.line("%s[%d + %s * %d] = %s[%d];", array, base+c, length, n, out, at+c)
	}
	w.line("%s = %s + 1;", length, length)
	if ordered(w.m) {
		return
	}
	for s := w.m.Channels.Bound - 1; s > 0; s-- {
		less := w.no
		for c := n - 1; c >= 0; c-- {
			x, y := closed("%s[%d]", array, base+s*n+c), closed("%s[%d]", array, base+(s-1)*n+c)
			less = w.or(w.apply(ftdp.Lt, x, y), w.and(w.apply(ftdp.Eq, x, y), less))
		}
		w.line("if :: %s ->", w.and(w.apply(ftdp.Gt, ident(length), w.number(int64(s))), less))
		w.inner(func() {
			for c := range n {
				x, y := fmt.Sprintf("%s[%d]", array, base+s*n+c), fmt.Sprintf("%s[%d]", array, base+(s-1)*n+c)
				w.line("i_ = %s; %s = %s; %s = i_;", x, x, y, y)
			}
			w.line("i_ = 0;")
		})
		w.line(":: else fi;")
	}
}
