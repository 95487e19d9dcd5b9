package emit

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/ta"
)

// initials writes the initial configurations, an assignment each.
func (x *instance) initials(name func(ta.Symbol) string, assign string, yield func(i int, text string)) {
	for i, c := range x.start {
		list := lists.Map(parts(x.a), func(s ta.Symbol) string { return name(s) + assign + c.Value(s).String() })
		yield(i, strings.Join(list, "; "))
	}
}

// update writes what a rule does: in Promela and Murphi, assignments are made one after the other, and none of these
// reads what another one writes.
func (x *instance) update(d dialect, r *ta.Rule, assign string) string {
	e := effect(r)
	list := lists.Map(changed(e), func(s ta.Symbol) string { return d.name(s) + assign + d.linear(e[s]).String() })
	return strings.Join(list, "; ")
}

func (x *instance) murphi() string {
	own, _ := namesIn(x.a, wordsMurphi)
	d := dialect{grammar: grammarMurphi, name: x.name(own)}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("-- %s with %s", moduleName(x.a), x.values())
	line("type number: 0..%s;\n\nvar", x.most)
	for _, s := range parts(x.a) {
		line("  %s: number;", own(s))
	}
	x.initials(own, " := ", func(i int, text string) { line("\nstartstate \"%d\"\n  %s;\nend;", i+1, text) })
	for i := range x.a.Rules {
		r := &x.a.Rules[i]
		update := x.update(d, r, " := ")
		if update != "" {
			update = "  " + update + ";\n"
		}
		line("\nrule \"%s: %s\"\n  %s\n==>\n%send;", x.a.RuleName(r), x.a.FormatMove(r), d.cond(enabled(r)), update)
	}
	for i := range x.a.Specs {
		if f, err := ltl.Parse(x.a, &x.a.Specs[i]); err == nil {
			if c := invariant(f); c != nil {
				line("\ninvariant \"%s\"\n  %s;", x.a.Specs[i].Name, d.cond(c))
			} else {
				line("\n-- %s is not an invariant, and is left out", x.a.Specs[i].Name)
			}
		}
	}
	return b.String()
}

func (x *instance) values() string {
	var list []string
	for i, p := range x.a.Parameters {
		list = append(list, p.Name+" = "+x.params[i].String())
	}
	return strings.Join(list, ", ")
}

func (x *instance) promela() string {
	own, asked := namesIn(x.a, wordsPromela.with([]string{"begun"}))
	d := dialect{grammar: grammarPromela, name: x.name(own)}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("/* %s with %s. Spin counts one state more: the one before the first values are chosen. */", moduleName(x.a),
		x.values())
	for _, s := range parts(x.a) {
		line("int %s;", own(s))
	}
	line("bool begun; /* claims are about states from then on */\nhidden int read_;\n\ninit {\n  atomic {")
	reads := "read_ = begun; "
	for _, s := range parts(x.a) {
		reads += fmt.Sprintf("read_ = %s; ", own(s))
	}
	line("    %s/* Spin leaves unread variables out of states */\n    if", reads)
	x.initials(own, " = ", func(_ int, text string) { line("    :: d_step { begun = true; %s }", text) })
	line("    fi\n  };\n  do")
	for i := range x.a.Rules {
		r := &x.a.Rules[i]
		update := x.update(d, r, " = ")
		if update == "" {
			update = "skip"
		}
		line("  :: d_step { %s -> %s } /* rule %s: %s */", d.cond(enabled(r)), update, x.a.RuleName(r),
			x.a.FormatMove(r))
	}
	line("  od\n}")
	for i := range x.a.Specs {
		if f, err := ltl.Parse(x.a, &x.a.Specs[i]); err == nil {
			if c := invariant(f); c != nil {
				line("\nltl %s { %s }", asked(i), d.apply(ftdp.Globally, d.or(d.not(closed("begun")), d.cond(c))))
			} else {
				line("\n/* %s: %s (of runs in which rules fire for ever) */", x.a.Specs[i].Name, d.formula(f))
			}
		}
	}
	return b.String()
}
