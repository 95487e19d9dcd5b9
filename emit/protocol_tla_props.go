package emit

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// properties writes the properties, and returns the configuration for TLC.
func (w *protocolTLA) properties() string {
	cfg := "\\* To be run with -deadlock: that no process can move is no error.\n" +
		"SPECIFICATION Spec\nCONSTANT Undef = " +
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
func (w *protocolTLA) formula(t *protocol.Term, name string, parts *int, bound []string) (e *expr) {
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
		args := lists.Map(t.Args, func(a *protocol.Term) *expr { return w.formula(a, name, parts, bound) })
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
func (w *protocolTLA) fairness(p *protocol.Prop) (list []*expr) {
	for _, a := range w.actions {
		fair := false
		for i := range w.m.Rules {
			fair = fair || p.Fair[i] && a.t == &w.m.Rules[i]
		}
		if !fair || a.fate != "" || a.t.Voluntary() {
			continue
		}
		var outer, inner tlaChoices // fairness tells the process that moves and the sender apart, and nothing else
		for i, c := range a.params {
			if i == a.t.Executor || i == a.t.Sender && !a.t.Quorum() {
				outer = append(outer, c)
			} else {
				inner = append(inner, c)
			}
		}
		forced := closed("ENABLED (%s)", inner.exists(w.and(a.said, a.call)))
		idle := closed("ENABLED (%s)", inner.exists(w.and(a.call, closed("UNCHANGED vars"))))
		taken := w.and(inner.exists(a.call), forced, w.not(idle))
		list = append(list, open("\\A %s : WF_vars(%s)", outer.expr(), taken))
	}
	return list
}
