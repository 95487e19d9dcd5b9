package emit

import (
	"fmt"
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// properties writes the properties, and returns the configuration for TLC.
func (w *protocolTLAWriter) properties() string {
	cfg := "\\* To be run with -deadlock: that nobody can move is no error.\nSPECIFICATION Spec\nCONSTANT Undef = " +
		"Undef\nINVARIANT TypeOK\n"
	w.line("TypeOK ==")
	for i, r := range w.m.Roles {
		w.line("  /\\ %s \\in [%s -> %s]", w.variables(i), w.role(i), w.kind(r.State, true))
	}
	w.line("")
	for i := range w.m.Props {
		p := &w.m.Props[i]
		name := w.names["property "+p.Name]
		if p.Invariant != nil {
			w.line("%s == %s\n", name, w.term(p.Invariant))
			cfg += "INVARIANT " + name + "\n"
			continue
		}
		operator := ""
		p.LTL.Any(func(t *protocol.Term) bool {
			operator = map[ftdp.Op]string{ftdp.Until: "until", ftdp.Release: "release"}[t.Op]
			return operator != ""
		})
		if operator != "" {
			w.line("\\* %s is left out: TLA+ has no %q.\n", p.Name, operator)
			continue
		}
		parts := 0
		fair := w.and(append([]*expr{closed("Progress")}, w.fairness(p)...)...)
		w.line("%s == %s\n", name, w.apply(ftdp.Implies, fair, w.formula(p.LTL, name, &parts, nil)))
		cfg += "PROPERTY " + name + "\n"
	}
	return cfg
}

// isTemporal reports whether a term is a temporal operator with what it is about.
func isTemporal(t *protocol.Term) bool { return t.Op == ftdp.Finally || t.Op == ftdp.Globally }

// aboutStates makes a constant condition one about states. TLC 2.15 has it that []<>TRUE and [][]TRUE are violated, and
// whatever else has a constant in the place of a condition.
func aboutStates(e *expr) *expr {
	return grammarTLA.apply(ftdp.And, e, grammarTLA.apply(ftdp.Eq, closed("vars"), closed("vars")))
}

// formula writes a temporal formula, whose conditions of states get names of their own: TLC takes some of them apart
// otherwise, where there is no state.
func (w *protocolTLAWriter) formula(t *protocol.Term, name string, parts *int, bound []string) (e *expr) {
	if !t.Any(isTemporal) {
		*parts++
		part := w.free(fmt.Sprintf("%s_%d", name, *parts))
		head := part
		if len(bound) > 0 {
			head += "(" + strings.Join(bound, ", ") + ")"
		}
		if e = w.term(t); !t.HasPlaces() || e == w.yes || e == w.no {
			e = aboutStates(e)
		}
		w.line("%s == %s", head, e)
		return ident(head)
	}
	switch t.Op {
	case ftdp.Finally, ftdp.Globally, ftdp.Not, ftdp.And, ftdp.Or, ftdp.Implies:
		var args []*expr
		for _, a := range t.Args {
			args = append(args, w.formula(a, name, parts, bound))
		}
		return w.apply(t.Op, args...)
	case ftdp.ForAll, ftdp.Exists:
		w.bind(t.Var, t.Name, func(k string) {
			e = w.quantified(t, k, w.formula(t.Args[0], name, parts, append(bound[:len(bound):len(bound)], k)))
		})
		return e
	}
	refuse(t.Pos, t.Width, "%s over temporal operators is not written in TLA+", t.Op)
	return nil
}

// fairness writes what a property demands of runs: of each rule, process that moves and sender, that it is not
// possible, or taken, again and again. A rule that is possible without changing anything may be taken at any time.
func (w *protocolTLAWriter) fairness(p *protocol.Prop) (list []*expr) {
	for i := range w.m.Rules {
		t := &w.m.Rules[i]
		if !p.Fair[i] || t.Voluntary() {
			continue
		}
		w.params(t, func(names []string) {
			outer, inner := w.split(t, names)
			call := append([]string{}, names...)
			if len(w.fatesOf(t)) > 1 {
				call = append(call, `"received"`)
			}
			action := closed("%s(%s)", w.names["rule "+t.Label], strings.Join(call, ", "))
			some := func(e *expr) *expr {
				if len(inner) == 0 {
					return e
				}
				return open("\\E %s : %s", strings.Join(inner, ", "), e)
			}
			forced := action
			if t.Receives() && w.anything[sender(t)] {
				forced = w.and(w.isSaid(t, names[t.Sender]), action)
			}
			idle := closed("ENABLED (%s)", some(w.and(action, closed("UNCHANGED vars"))))
			list = append(list, open("\\A %s : WF_vars(%s)",
				strings.Join(outer, ", "), w.and(some(action), closed("ENABLED (%s)", some(forced)), w.not(idle))))
		})
	}
	return list
}

// split separates the parameters that fairness tells apart, the process that moves and the sender, from others.
func (w *protocolTLAWriter) split(t *protocol.Transition, names []string) (outer, inner []string) {
	for i := range t.Params {
		one := protocol.Transition{Params: t.Params[i : i+1]}
		choice := w.choices(&one, names[i:i+1])
		if i == t.Executor || i == t.Sender && !t.Quorum() {
			outer = append(outer, choice)
		} else {
			inner = append(inner, choice)
		}
	}
	return outer, inner
}
