package promela

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/promela/pml"
)

// An instance can be written as a text for Spin, another tool that knows Promela (but neither parameters nor havoc):
// each way through a step is an alternative with the condition under which it can be taken and what it does at once.
// Only the syntax tree is asked, neither interpreter nor automaton.

// ways is a way through a block as it is being followed: what variables are by
// now, as expressions over what they were, and under which conditions.
type ways struct {
	in     *Instance
	most   int64
	limit  *int
	locals []*pml.Expr
	shared []*pml.Expr
	when   []*pml.Expr
	rounds int
}

// SpinTooLarge says that the text would have more than so many alternatives.
const SpinTooLarge = 6000

// SpinClaim is what the formula with an index is called in a text for Spin.
func SpinClaim(i int) string { return fmt.Sprintf("claim%d", i) }

// Spin writes the instance for Spin 6, with formulas that Spin finds violated iff they are. What havoc chooses is tried
// up to most. Where a counterexample satisfies a formula with more than so many temporal operators, the text has an
// automaton of it (never.go), since Spin would take long to make one. The error says if that is too much.
func (in *Instance) Spin(list []*Named, most int64, operators int) (string, error) {
	m := in.m
	var b strings.Builder
	n := int(in.Processes)
	for _, v := range m.Shared {
		fmt.Fprintf(&b, "int s_%s = %d;\n", v.Name, v.Init)
	}
	for _, v := range m.Locals {
		fmt.Fprintf(&b, "int l_%s[%d];\n", v.Name, max(1, n))
	}
	for i := range m.Locals {
		fmt.Fprintf(&b, "int tl%d;\n", i)
	}
	for i := range m.Shared {
		fmt.Fprintf(&b, "int ts%d;\n", i)
	}
	b.WriteString("byte begun = 0;\n")
	fmt.Fprintf(&b, "#define ready (begun == %d)\n", n)
	w := in.way(most)
	for k, v := range m.Locals {
		w.locals[k] = literal(v.Init)
	}
	begins, err := w.options(m.Init, "begun == _pid", "begun++;")
	if err != nil {
		return "", err
	}
	w = in.way(most)
	for _, a := range m.Asserts {
		w.locals[a.Local] = literal(0)
	}
	steps, err := w.fork().options([]*pml.Statement{{If: m.Loop}}, "ready", "")
	if err != nil {
		return "", err
	}
	if n == 0 {
		b.WriteString("active proctype nobody() { skip }\n")
	} else {
		fmt.Fprintf(&b, "active [%d] proctype P() {\n  if\n%s  fi;\nend:\n  do\n%s  od\n}\n", n, begins, steps)
	}
	for i, f := range list {
		fairness := m.Assumed(f.Formula)
		if against := m.Negation(f.Formula); against.temporals() > operators {
			b.WriteString(in.claim(SpinClaim(i), against))
			continue
		}
		text := in.spinFormula(f.Formula)
		for _, fair := range fairness {
			text = fmt.Sprintf("(%s) -> (%s)", in.spinFormula(fair.Formula), text)
		}
		fmt.Fprintf(&b, "ltl %s { (!(ready)) U ((ready) && (%s)) }\n", SpinClaim(i), text)
	}
	return b.String(), nil
}

func literal(n int64) *pml.Expr {
	return &pml.Expr{Op: pml.Number, Num: n}
}

func (in *Instance) way(most int64) *ways {
	limit := SpinTooLarge
	w := &ways{in: in, most: most, limit: &limit}
	for _, v := range in.m.Locals {
		w.locals = append(w.locals, &pml.Expr{Op: pml.Name, Name: "l_" + v.Name + "[_pid]"})
	}
	for _, v := range in.m.Shared {
		w.shared = append(w.shared, &pml.Expr{Op: pml.Name, Name: "s_" + v.Name})
	}
	return w
}

func (w *ways) fork() *ways {
	y := *w
	y.locals, y.shared, y.when = slices.Clone(w.locals), slices.Clone(w.shared), slices.Clip(w.when)
	return &y
}

// options writes the ways through a block as alternatives.
func (w *ways) options(list []*pml.Statement, guard, also string) (string, error) {
	var b strings.Builder
	err := w.run(list, func(w *ways) error {
		if *w.limit--; *w.limit < 0 {
			return fmt.Errorf("more than %d alternatives", SpinTooLarge)
		}
		parts := []string{guard}
		for _, e := range w.when {
			parts = append(parts, spinText(e))
		}
		fmt.Fprintf(&b, "  :: d_step { (%s) ->", strings.Join(parts, " && "))
		set := ""
		for k, e := range w.locals {
			name := "l_" + w.in.m.Locals[k].Name + "[_pid]"
			if e.Name != name {
				fmt.Fprintf(&b, " tl%d = %s;", k, spinText(e))
				set += fmt.Sprintf(" %s = tl%d; tl%d = 0;", name, k, k)
			}
		}
		for k, e := range w.shared {
			name := "s_" + w.in.m.Shared[k].Name
			if e.Name != name {
				fmt.Fprintf(&b, " ts%d = %s;", k, spinText(e))
				set += fmt.Sprintf(" %s = ts%d; ts%d = 0;", name, k, k)
			}
		}
		fmt.Fprintf(&b, "%s %s }\n", set, map[bool]string{true: also, false: "skip"}[also != ""])
		return nil
	})
	return b.String(), err
}

// run follows a block in all ways.
func (w *ways) run(list []*pml.Statement, then func(*ways) error) error {
	for i, s := range list {
		rest := list[i+1:]
		switch {
		case s.Cond != nil:
			if !w.require(w.now(s.Cond)) {
				return nil
			}
		case s.Assume != nil:
			if !w.require(w.now(&s.Assume.Expr)) {
				return nil
			}
		case s.To != nil, s.Do != nil:
			if w.rounds++; w.rounds > w.in.Rounds+1 { // no process has gone round more often
				return nil
			}
			if s.To != nil {
				return w.run(s.To.List, then)
			}
			return w.choose(s.Do, []*pml.Statement{s}, then)
		case s.Assert != nil:
			y := w.fork()
			if y.require(&pml.Expr{Op: pml.Not, Args: []*pml.Expr{w.now(&s.Assert.Expr)}}) {
				y.locals[w.in.m.Flag(s)] = literal(1)
				if err := y.run(rest, then); err != nil {
					return err
				}
			}
			if !w.require(w.now(&s.Assert.Expr)) {
				return nil
			}
		case s.Set != nil:
			sym := w.in.m.Symbols[s.Set.Name.Name]
			list := w.locals
			if sym.Kind == SharedName {
				list = w.shared
			}
			if s.Set.Value != nil {
				list[sym.Index] = w.now(s.Set.Value)
			} else {
				list[sym.Index] = &pml.Expr{Op: "+",
					Args: []*pml.Expr{list[sym.Index], literal(map[string]int64{"++": 1, "--": -1}[s.Set.Step])}}
			}
		case s.Havoc != nil:
			for v := range w.most + 1 {
				y := w.fork()
				y.locals[w.in.m.Symbols[s.Havoc.Name].Index] = literal(v)
				if err := y.run(rest, then); err != nil {
					return err
				}
			}
			return nil
		case s.Atomic != nil:
			return w.run(append(slices.Clone(s.Atomic), rest...), then)
		case s.Block != nil:
			return w.run(append(slices.Clone(s.Block), rest...), then)
		case s.If != nil:
			return w.choose(s.If, rest, then)
		}
	}
	return then(w)
}

// choose follows each of the alternatives.
func (w *ways) choose(options []*pml.Option, rest []*pml.Statement, then func(*ways) error) error {
	var others []*pml.Expr
	for _, o := range options {
		if o.Else == "" {
			others = append(others, &pml.Expr{Op: pml.Not, Args: []*pml.Expr{w.begins(append(slices.Clone(o.Body), o.Rest...))}})
		}
	}
	for _, o := range options {
		y := w.fork()
		if o.Else != "" && len(others) > 0 && !y.require(&pml.Expr{Op: pml.And, Args: others}) {
			continue
		}
		if err := y.run(append(append(slices.Clone(o.Body), o.Rest...), rest...), then); err != nil {
			return err
		}
	}
	return nil
}

// begins is the condition under which the first statement of a block can be executed.
func (w *ways) begins(list []*pml.Statement) *pml.Expr {
	for _, s := range list {
		switch {
		case s.Sep != "" || s.Vars != nil || s.Label != nil:
			continue
		case s.Cond != nil:
			return w.now(s.Cond)
		case s.Assume != nil:
			return w.now(&s.Assume.Expr)
		case s.Atomic != nil:
			return w.begins(s.Atomic)
		case s.Block != nil:
			return w.begins(s.Block)
		case s.If != nil, s.Do != nil:
			any := &pml.Expr{Op: pml.Or, Args: []*pml.Expr{literal(0)}}
			for _, o := range Alternatives(s) {
				if o.Else != "" {
					return literal(1)
				}
				any.Args = append(any.Args, w.begins(append(slices.Clone(o.Body), o.Rest...)))
			}
			return any
		}
		break
	}
	return literal(1)
}

// require adds a condition; false if it is one that nothing satisfies.
func (w *ways) require(e *pml.Expr) bool {
	if n, err := e.Constant(); err == nil {
		return n != 0
	}
	if e.Op == pml.And { // look for parts that are false
		for _, a := range e.Args {
			if !w.require(a) {
				return false
			}
		}
		return true
	}
	w.when = append(w.when, e)
	return true
}

// now puts what variables are by now into an expression.
func (w *ways) now(e *pml.Expr) *pml.Expr {
	if e.Op == pml.All || e.Op == pml.Some || e.Op == pml.Card {
		return w.in.everybody(e, w)
	}
	if e.Op == pml.Name {
		switch s := w.in.m.Symbols[e.Name]; s.Kind {
		case ParamName:
			return literal(w.in.Params[s.Index])
		case SharedName:
			return w.shared[s.Index]
		case LocalName:
			return w.locals[s.Index]
		default:
			return w.now(w.in.m.Atomics[e.Name])
		}
	}
	out := &pml.Expr{Op: e.Op, Num: e.Num}
	for _, a := range e.Args {
		out.Args = append(out.Args, w.now(a))
	}
	if out.Op != pml.Number {
		if n, err := out.Constant(); err == nil {
			return literal(n)
		}
	}
	return out
}

// everybody writes all, some and card out.
func (in *Instance) everybody(e *pml.Expr, w *ways) *pml.Expr {
	out := &pml.Expr{Op: map[pml.Op]pml.Op{pml.All: pml.And, pml.Some: pml.Or, pml.Card: "+"}[e.Op], Args: []*pml.Expr{literal(map[pml.Op]int64{pml.All: 1}[e.Op])}}
	for i := range in.Processes {
		one := in.oneOf(e.Args[0], i, w)
		if e.Op == pml.Card {
			one = &pml.Expr{Op: "!=", Args: []*pml.Expr{one, literal(0)}}
		}
		out.Args = append(out.Args, one)
	}
	return out
}

// oneOf is a condition for one process.
func (in *Instance) oneOf(e *pml.Expr, i int64, w *ways) *pml.Expr {
	switch {
	case e.Op == pml.Label && in.m.Where < 0:
		return literal(map[bool]int64{true: 1}[in.m.Labels[e.Name] == 0])
	case e.Op == pml.Label:
		at := &pml.Expr{Op: pml.Name, Process: in.m.Process, Name: in.m.Locals[in.m.Where].Name}
		return in.oneOf(&pml.Expr{Op: "==", Args: []*pml.Expr{at, numeral(int64(in.m.Labels[e.Name]))}}, i, w)
	case e.Op == pml.Name && e.Process != "":
		index := in.m.Symbols[e.Name].Index
		outside := &pml.Expr{Op: pml.Name, Name: fmt.Sprintf("l_%s[%d]", e.Name, i)}
		if w == nil {
			return outside
		}
		// In a step, the process itself is as it is by now.
		return &pml.Expr{Op: "?", Args: []*pml.Expr{{Op: "==", Args: []*pml.Expr{{Op: pml.Name, Name: "_pid"}, literal(i)}},
			w.locals[index], outside}}
	case e.Op == pml.Name && w != nil:
		return w.now(e)
	case e.Op == pml.Name:
		return in.free(e)
	}
	out := &pml.Expr{Op: e.Op, Num: e.Num}
	for _, a := range e.Args {
		out.Args = append(out.Args, in.oneOf(a, i, w))
	}
	return out
}

// free is what a name in a formula stands for.
func (in *Instance) free(e *pml.Expr) *pml.Expr {
	s := in.m.Symbols[e.Name]
	if s.Kind == ParamName {
		return literal(in.Params[s.Index])
	}
	return &pml.Expr{Op: pml.Name, Name: "s_" + e.Name}
}

// spinFormula writes a formula. What is not temporal becomes one comparison of
// numbers: Spin would make an automaton of its connectives.
func (in *Instance) spinFormula(e *pml.Expr) string {
	if !in.m.IsTemporal(e) {
		return "(" + spinNumber(in.closed(e)) + " != 0)"
	}
	switch e.Op {
	case pml.Name:
		return in.spinFormula(in.m.Atomics[e.Name])
	case pml.Not, pml.Finally, pml.Globally:
		return fmt.Sprintf("(%s %s)", e.Op, in.spinFormula(e.Args[0]))
	}
	var parts []string
	for _, a := range e.Args {
		parts = append(parts, in.spinFormula(a))
	}
	return "(" + strings.Join(parts, " "+string(e.Op)+" ") + ")"
}

// closed puts what names in a formula stand for in their place.
func (in *Instance) closed(e *pml.Expr) *pml.Expr {
	switch {
	case e.Op == pml.All || e.Op == pml.Some || e.Op == pml.Card:
		return in.everybody(e, nil)
	case e.Op == pml.Name && in.m.Atomics[e.Name] != nil:
		return in.closed(in.m.Atomics[e.Name])
	case e.Op == pml.Name:
		return in.free(e)
	}
	out := &pml.Expr{Op: e.Op, Num: e.Num}
	for _, a := range e.Args {
		out.Args = append(out.Args, in.closed(a))
	}
	return out
}

// spinNumber writes an expression without logical connectives.
func spinNumber(e *pml.Expr) string {
	truth := func(e *pml.Expr) string { return "(" + spinNumber(e) + " != 0)" }
	var parts []string
	switch e.Op {
	case pml.Not:
		return "(" + spinNumber(e.Args[0]) + " == 0)"
	case pml.Implies:
		return fmt.Sprintf("((%s == 0) + %s)", spinNumber(e.Args[0]), truth(e.Args[1]))
	case pml.Equivalent:
		return fmt.Sprintf("(%s == %s)", truth(e.Args[0]), truth(e.Args[1]))
	case pml.And, pml.Or:
		for _, a := range e.Args {
			parts = append(parts, truth(a))
		}
		return "(" + strings.Join(parts, map[pml.Op]string{pml.And: " * ", pml.Or: " + "}[e.Op]) + ")"
	}
	if len(e.Args) < 2 {
		if e.Op == pml.Minus {
			return "(0 - " + spinNumber(e.Args[0]) + ")"
		} else if e.Op == pml.Complement {
			return "(-1 - " + spinNumber(e.Args[0]) + ")"
		}
		return spinText(e)
	}
	for _, a := range e.Args {
		parts = append(parts, spinNumber(a))
	}
	return "(" + strings.Join(parts, " "+string(e.Op)+" ") + ")"
}

func spinText(e *pml.Expr) string {
	switch e.Op {
	case pml.Number:
		return strconv.FormatInt(e.Num, 10)
	case pml.Name:
		return e.Name
	case pml.Minus:
		return "(0 - " + spinText(e.Args[0]) + ")"
	case pml.Complement:
		return "(~" + spinText(e.Args[0]) + ")"
	case pml.Not:
		return "(!" + spinText(e.Args[0]) + ")"
	case pml.Implies:
		return fmt.Sprintf("(!%s || %s)", spinText(e.Args[0]), spinText(e.Args[1]))
	case pml.Equivalent:
		return spinText(e.BothWays())
	case "?":
		return fmt.Sprintf("(%s -> %s : %s)", spinText(e.Args[0]), spinText(e.Args[1]), spinText(e.Args[2]))
	}
	var parts []string
	for _, a := range e.Args {
		parts = append(parts, spinText(a))
	}
	return "(" + strings.Join(parts, " "+string(e.Op)+" ") + ")"
}
