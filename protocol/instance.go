package protocol

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/internal/spell"
)

// instance returns the protocol of fixed size that values of the parameters make
// of a protocol for all sizes. Parameters without values get the smallest ones.
func (f *File) instance(set map[string]int64) (*Model, error) {
	s, err := f.Source()
	if err != nil {
		return nil, err
	}
	var list diag.List
	set = maps.Clone(set)
	maps.DeleteFunc(set, func(name string, v int64) bool { // what is said of a constant of the text
		own, ok := s.consts[name]
		return ok && own == v
	})
	for name := range set {
		if own, ok := s.consts[name]; ok {
			list.Add(diag.Pos{File: f.Pos.Filename}, 1, "%s is %d in the text, and no parameter", name, own)
			continue
		}
		if !slices.Contains(s.Params, name) {
			list.Add(diag.Pos{File: f.Pos.Filename}, 1, "there is no parameter %q%s", name, spell.Hint(name, s.Params))
		}
	}
	if err := list.Err(); err != nil {
		return nil, err
	}
	values, err := s.Smallest(set)
	if err != nil {
		return nil, err
	}
	text, made := s.instance(values)
	g, err := Parse(f.Pos.Filename, text)
	if err == nil {
		var m *Model
		if m, err = g.Model(nil); err == nil {
			m.Source, m.origins = f, made
			return m, nil
		}
	}
	list = nil
	if errors.As(err, &list) { // its places are those of a text that nobody has seen
		err = errors.New(list[0].Msg)
	}
	return nil, fmt.Errorf("%s: its instance with %s cannot be explored: %w", f.Pos.Filename, givenText(values)[len(" with "):], err)
}

// instanceText writes an instance.
type instanceText struct {
	*Source
	b    strings.Builder
	role string
	made origins
}

// label names a rule of the instance, and notes what it is.
func (g *instanceText) label(act Act, name string) string {
	label := name
	switch act {
	case ActHear:
		label = "hear_" + name
	case ActMayHear:
		label = "hear_some_" + name
	case ActCrash:
		label = "crash"
	case ActCrashIn:
		label = name + "_crashing"
	case ActFaulty:
		label = name + "_faulty"
	case ActLie:
		label = "lie_" + name
	case ActWait:
		label = "wait"
	}
	g.made.rules[label] = Origin{act, name}
	return label
}

func (g *instanceText) line(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

// crashing reports whether processes stop.
func (s *Source) crashing() bool { return s.Faults == Crashes || s.Faults == CleanCrash }

// partial reports whether what is sent to all may reach some only.
func (s *Source) partial() bool { return s.Faults == Crashes || s.Faults == Omission }

// flagged reports whether some processes are faulty from the start, and known as such by a
// flag.
func (s *Source) flagged() bool { return s.Faults == Symmetric || s.Faults == Omission }

// Instance returns the text of the protocol for values of the parameters.
func (s *Source) Instance(values map[string]int64) string {
	text, _ := s.instance(values)
	return text
}

func (s *Source) instance(values map[string]int64) (string, origins) {
	g := &instanceText{Source: s, role: s.Process,
		made: origins{rules: map[string]Origin{}, heard: map[string]string{}, flags: map[string]string{}}}
	g.line("protocol %s;\nconst", s.Name)
	for _, p := range s.Params {
		g.line("  %s = %d;", p, values[p])
	}
	for _, name := range slices.Sorted(maps.Keys(s.consts)) {
		g.line("  %s = %d;", name, s.consts[name])
	}
	n, _ := s.number(s.Size, values)
	f := int64(0)
	if s.Count != nil {
		f, _ = s.number(s.Count, values)
	}
	g.line("channels asynchronous reliable authenticated unordered bounded %d;", max(1, len(s.Kinds)))
	g.types(n)
	g.init(f)
	g.line("rules")
	g.hearing()
	for _, r := range s.Rules {
		g.rule(r)
	}
	g.faultRules()
	g.line("  [](i_: nodeID) %s:\n    skip\n", g.label(ActWait, ""))
	for _, p := range s.Props {
		g.property(p)
	}
	return g.b.String(), g.made
}

func (g *instanceText) types(n int64) {
	g.line("type\n  nodeID: role[%d];", n)
	if len(g.Kinds) > 0 {
		var names []string
		lo, hi, valued := int64(0), int64(0), false
		for _, k := range g.Kinds {
			names = append(names, k.Name)
			if k.Valued && (!valued || k.Lo < lo) {
				lo = k.Lo
			}
			if k.Valued {
				hi, valued = max(hi, k.Hi), true
			}
		}
		g.line("  Msg: record\n    kind: enum {%s};", strings.Join(names, ", "))
		if valued {
			g.line("    val: %d..%d;", lo, hi)
		}
		if g.partial() {
			g.line("    sure: bool;")
		}
		g.line("  end;")
	}
	g.line("var\n  %s: array[nodeID] of record", g.role)
	for i := range g.Vars {
		g.line("    %s: %s;", g.Vars[i].Name, g.Vars[i].Type)
	}
	for _, k := range g.Kinds {
		of := "bool"
		if k.Valued {
			of = fmt.Sprintf("%d..%d", k.Lo, k.Hi)
		}
		g.line("    heard_%s: array[nodeID] of %s;", k.Name, of)
		g.made.heard["heard_"+k.Name] = k.Name
	}
	if g.crashing() {
		g.line("    crashed: bool;")
		g.made.flags["crashed"] = "crashed"
	}
	if g.flagged() {
		g.line("    faulty: bool;")
		g.made.flags["faulty"] = "faulty"
		if g.Faults == Symmetric {
			for _, k := range g.Kinds {
				g.line("    lied_%s: bool;", k.Name)
				g.made.flags["lied_"+k.Name] = ""
			}
		}
	}
	g.line("  end;")
}

// format prints a value of a variable.
func (v *SourceVar) format(n int64) string {
	switch {
	case v.Bool:
		return fmt.Sprint(n != 0)
	case v.Names != nil:
		return v.Names[n]
	}
	return fmt.Sprint(n)
}

// set names the processes whose input has a value at first.
func (v *SourceVar) set(n int64) string { return fmt.Sprintf("%s_%d_", v.Name, n-v.Lo) }

// Chosen returns the input and its value that a parameter of the initial states of an instance
// stands for: the set of processes that begin with it; nil for the faulty processes.
func (s *Source) Chosen(param string) (*SourceVar, int64) {
	for i := range s.Vars {
		for n := s.Vars[i].Lo + 1; n <= s.Vars[i].Hi; n++ {
			if v := &s.Vars[i]; v.Input && v.set(n) == param {
				return v, n
			}
		}
	}
	return nil, 0
}

func (g *instanceText) init(f int64) {
	var params []string
	faulty := g.Faults == Byzantines || g.flagged()
	if faulty {
		params = append(params, fmt.Sprintf("[](B_: quorum[%d] of nodeID)", f))
	}
	for i := range g.Vars {
		if v := &g.Vars[i]; v.Input {
			for n := v.Lo + 1; n <= v.Hi; n++ {
				params = append(params, fmt.Sprintf("[](%s: quorum[>= 0] of nodeID)", v.set(n)))
			}
		}
	}
	g.line("init\n  %s start:\n    for k_: nodeID do", strings.Join(params, " "))
	out := ""
	if faulty && g.Faults != Omission { // whose inputs mean nothing
		out = "not (k_ in B_) and "
	}
	for i := range g.Vars {
		v := &g.Vars[i]
		place := fmt.Sprintf("%s[k_].%s", g.role, v.Name)
		g.line("      %s := %s;", place, v.format(v.First))
		if v.Input {
			for n := v.Lo + 1; n <= v.Hi; n++ {
				g.line("      if %sk_ in %s then %s := %s endif", out, v.set(n), place, v.format(n))
			}
		}
	}
	for _, k := range g.Kinds {
		if !k.Valued {
			g.line("      for l_: nodeID do %s[k_].heard_%s[l_] := false endfor", g.role, k.Name)
		}
	}
	switch {
	case g.Faults == Byzantines:
		g.line("      if k_ in B_ then %s[k_].status := byz endif", g.role)
	case g.crashing():
		g.line("      %s[k_].crashed := false;", g.role)
	case g.flagged():
		g.line("      %s[k_].faulty := k_ in B_;", g.role)
		if g.Faults == Symmetric {
			for _, k := range g.Kinds {
				g.line("      %s[k_].lied_%s := false;", g.role, k.Name)
			}
		}
	}
	g.line("    endfor")
}

// hearing writes the rules that receive: by kind, what is sure to arrive and what
// is not apart, since only the first is fair.
func (g *instanceText) hearing() {
	for _, k := range g.Kinds {
		own := fmt.Sprintf("%s[i_].heard_%s[j_]", g.role, k.Name)
		fresh, note := "not "+own, own+" := true"
		if k.Valued {
			fresh, note = "isundefined("+own+")", own+" := msg.val"
			if lo, hi := g.valueRange(); lo < k.Lo || hi > k.Hi {
				fresh += fmt.Sprintf(" and %d <= msg.val <= %d", k.Lo, k.Hi)
			}
		}
		hear := func(act Act, extra string) {
			g.line("  [](i_: nodeID) [](j_: nodeID) %s:\n    if msg.kind = %s and %s%s then %s endif\n  []", g.label(act, k.Name), k.Name, fresh, extra, note)
		}
		switch g.Faults {
		case Crashes:
			hear(ActHear, fmt.Sprintf(" and msg.sure and not %s[i_].crashed", g.role))
			hear(ActMayHear, fmt.Sprintf(" and not msg.sure and not %s[i_].crashed", g.role))
		case CleanCrash:
			hear(ActHear, fmt.Sprintf(" and not %s[i_].crashed", g.role))
		case Omission:
			hear(ActHear, fmt.Sprintf(" and msg.sure and not %s[i_].faulty", g.role))
			hear(ActMayHear, fmt.Sprintf(" and (not msg.sure or %s[i_].faulty)", g.role))
		case Symmetric:
			hear(ActHear, fmt.Sprintf(" and not %s[i_].faulty", g.role))
		default:
			hear(ActHear, "")
		}
	}
}

func (g *instanceText) valueRange() (lo, hi int64) {
	first := true
	for _, k := range g.Kinds {
		if k.Valued && first {
			lo, hi, first = k.Lo, k.Hi, false
		} else if k.Valued {
			lo, hi = min(lo, k.Lo), max(hi, k.Hi)
		}
	}
	return lo, hi
}

// rule writes a rule, and what it is like in a process that is faulty.
func (g *instanceText) rule(r *ProcessRule) {
	body := slices.DeleteFunc(slices.Clone(r.Body), func(st *Statement) bool { return st.If == nil })
	chain := body[0].If
	// It is possible if one of its guards is true; a process can crash in it if it sends.
	guard := literal(false)
	for _, e := range chain.guards() {
		guard = either(guard, e)
	}
	write := func(act Act, also, sure, end string) {
		if also != "" {
			also += " and "
		}
		g.line("  [](i_: nodeID) %s:\n    if %s(%s) then", g.label(act, r.Label.Name), also, g.expr(guard, "i_"))
		if len(chain.Elsif) > 0 {
			g.block(body, sure)
		} else {
			g.block(chain.Thens[0].List, sure)
		}
		g.line("%s    endif\n  []", end)
	}
	me := g.role + "[i_]"
	switch g.Faults {
	case CleanCrash:
		write(ActOwn, "not "+me+".crashed", "", "")
	case Crashes:
		write(ActOwn, "not "+me+".crashed", "true", "")
		if when := sends(body, literal(false)); !when.is(false) {
			write(ActCrashIn, "not "+me+".crashed and "+g.mayCrash()+" and ("+g.expr(when, "i_").String()+")", "false", g.stop())
		}
	case Omission:
		write(ActOwn, "not "+me+".faulty", "true", "")
		write(ActFaulty, me+".faulty", "false", "")
	case Symmetric:
		write(ActOwn, "not "+me+".faulty", "", "")
	default:
		write(ActOwn, "", "", "")
	}
}

func visit(list []*Statement, f func(*Statement)) {
	for _, st := range list {
		f(st)
		if st.If == nil {
			continue
		}
		for _, b := range st.If.Thens {
			visit(b.List, f)
		}
		for _, e := range st.If.Elsif {
			visit(e.Then.List, f)
		}
		if st.If.Else != nil {
			visit(st.If.Else.Body.List, f)
		}
	}
}

func (g *instanceText) mayCrash() string {
	return fmt.Sprintf("count (q_: nodeID) %s[q_].crashed < %s", g.role, g.Count)
}

// stop writes what becomes of a process that crashes: what no property can see of it is
// forgotten.
func (g *instanceText) stop() string {
	var b strings.Builder
	for i := range g.Vars {
		if !g.Seen(g.Vars[i].Name) {
			fmt.Fprintf(&b, "      %s[i_].%s := %s;\n", g.role, g.Vars[i].Name, g.Vars[i].format(g.Vars[i].First))
		}
	}
	for _, k := range g.Kinds {
		if k.Valued {
			fmt.Fprintf(&b, "      for l_: nodeID do undefine %s[i_].heard_%s[l_] endfor\n", g.role, k.Name)
		} else {
			fmt.Fprintf(&b, "      for l_: nodeID do %s[i_].heard_%s[l_] := false endfor\n", g.role, k.Name)
		}
	}
	fmt.Fprintf(&b, "      %s[i_].crashed := true;\n", g.role)
	return b.String()
}

func (g *instanceText) faultRules() {
	me := g.role + "[i_]"
	switch g.Faults {
	case Crashes, CleanCrash:
		g.line("  [](i_: nodeID) %s:\n    if not %s.crashed and %s then\n%s    endif\n  []", g.label(ActCrash, ""), me, g.mayCrash(), g.stop())
	case Symmetric:
		for _, k := range g.Kinds {
			param, value := "", ""
			if k.Valued {
				param, value = fmt.Sprintf("[](v_: %d..%d) ", k.Lo, k.Hi), fmt.Sprintf(" 2%s[q_].val := v_;", g.role)
			}
			g.line("  %s[](i_: nodeID) %s:\n    if %s.faulty and not %s.lied_%s then\n      %s.lied_%s := true;\n      for q_: nodeID do 2%s[q_].kind := %s;%s endfor\n    endif\n  []",
				param, g.label(ActLie, k.Name), me, me, k.Name, me, k.Name, g.role, k.Name, value)
		}
	}
}

func (g *instanceText) block(list []*Statement, sure string) {
	for _, st := range list {
		switch {
		case st.Assign != nil:
			g.line("      %s[i_].%s := %s;", g.role, st.Assign.Place.Name, g.expr(st.Assign.Value, "i_"))
		case st.Send != nil:
			text := fmt.Sprintf("2%s[q_].kind := %s;", g.role, st.Send.Kind.Name)
			if st.Send.Value != nil {
				text += fmt.Sprintf(" 2%s[q_].val := %s;", g.role, g.expr(st.Send.Value, "i_"))
			}
			if sure != "" {
				text += fmt.Sprintf(" 2%s[q_].sure := %s;", g.role, sure)
			}
			g.line("      for q_: nodeID do %s endfor", text)
		case st.If != nil:
			for i, guard := range st.If.Guards {
				g.line("      if %s then", g.expr(guard, "i_"))
				g.block(st.If.Thens[i].List, sure)
			}
			for _, e := range st.If.Elsif {
				g.line("      elsif %s then", g.expr(e.Guard, "i_"))
				g.block(e.Then.List, sure)
			}
			if st.If.Else != nil {
				g.line("      else")
				g.block(st.If.Else.Body.List, sure)
			}
			g.line("      endif")
		}
	}
}

// expr rewrites an expression for a process: its variables, and how many it has
// heard from.
func (g *instanceText) expr(e *Expr, who string) *Expr {
	raw := func(format string, args ...any) *Expr { return &Expr{Op: Name, Name: fmt.Sprintf(format, args...)} }
	switch {
	case e.Op == Name && (g.Var(e.Name) != nil || e.Name == "crashed"):
		return raw("%s[%s].%s", g.role, who, e.Name)
	case e.Op == Name && e.Name == "crashes" && g.crashing():
		return raw("(count (h_: nodeID) %s[h_].crashed)", g.role)
	case e.Op == Call && e.Name == "heard":
		k := g.Kind(e.Args[0].Name)
		heard := fmt.Sprintf("%s[%s].heard_%s[h_]", g.role, who, k.Name)
		switch {
		case e.Args[0].Op == Call:
			return raw("(count (h_: nodeID) (%s = %s))", heard, g.expr(e.Args[0].Args[0], who).text(8))
		case k.Valued:
			return raw("(count (h_: nodeID) (not isundefined(%s)))", heard)
		}
		return raw("(count (h_: nodeID) (%s))", heard)
	case e.Op == Call: // all, some, count
		here := g.expr(e.Args[0], "p_")
		counted := g.counted("p_", e.Args[0])
		switch e.Name {
		case "all":
			return raw("(forall (p_: nodeID) %s -> %s)", counted, here.text(3))
		case "some":
			return raw("(exists (p_: nodeID) %s and %s)", counted, here.text(5))
		}
		return raw("(count (p_: nodeID) (%s and %s))", counted, here.text(5))
	}
	out := *e
	out.Args = nil
	for _, a := range e.Args {
		out.Args = append(out.Args, g.expr(a, who))
	}
	return &out
}

// counted says which processes properties speak of: the correct ones, and those that
// have not crashed, unless it is asked who has.
func (g *instanceText) counted(p string, e *Expr) string {
	switch {
	case g.Faults == Byzantines:
		return fmt.Sprintf("%s[%s].status = corr", g.role, p)
	case g.flagged():
		return fmt.Sprintf("not %s[%s].faulty", g.role, p)
	case g.crashing() && !e.mentions("crashed"):
		return fmt.Sprintf("not %s[%s].crashed", g.role, p)
	}
	return "true"
}

// mentions reports whether a name is in an expression.
func (e *Expr) mentions(name string) bool {
	return e.Op == Name && e.Name == name || slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.mentions(name) })
}

// Mentions reports whether a name is in an expression.
func (e *Expr) Mentions(name string) bool { return e.mentions(name) }

func (g *instanceText) property(p *Section) {
	if p.Invariant != nil {
		g.line("invariant %s:\n  %s;", p.Invariant.Name.Name, g.expr(p.Invariant.Formula, ""))
		return
	}
	fair := ""
	if p.LTL.Fair != nil {
		var list []string
		for _, k := range g.Kinds {
			list = append(list, g.label(ActHear, k.Name))
		}
		for _, r := range g.Rules {
			if !r.Maybe {
				list = append(list, r.Label.Name)
			}
		}
		if len(list) > 0 {
			fair = " fair(" + strings.Join(list, ", ") + ")"
		}
	}
	g.line("ltl %s%s:\n  %s;", p.LTL.Name.Name, fair, g.expr(p.LTL.Formula, ""))
}
