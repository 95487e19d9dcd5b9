package smtlib

import (
	"bufio"
	"fmt"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/smt"
)

// writer prints commands of SMT-LIB 2.6.
type writer struct {
	w        *bufio.Writer
	declared map[string]smt.Sort
	levels   [][]string // names declared at each level of the stack
	// Formulas that would be long are written with definitions of their parts, once each.
	defined map[*smt.Formula]string
	parts   [][]*smt.Formula // defined at each level of the stack
	names   int
}

func newWriter(w *bufio.Writer) *writer {
	return &writer{w: w, declared: map[string]smt.Sort{}, levels: [][]string{nil}, defined: map[*smt.Formula]string{},
		parts: [][]*smt.Formula{nil}}
}

func (w *writer) text(s string) { w.w.WriteString(s) } // bufio remembers errors until Flush

func (w *writer) push() {
	w.text("(push 1)\n")
	w.levels = append(w.levels, nil)
	w.parts = append(w.parts, nil)
}

func (w *writer) pop() {
	w.text("(pop 1)\n")
	last := len(w.levels) - 1
	for _, name := range w.levels[last] {
		delete(w.declared, name)
	}
	w.levels = w.levels[:last]
	for _, f := range w.parts[last] {
		delete(w.defined, f)
	}
	w.parts = w.parts[:last]
}

// long is how many nodes, counted as often as they occur, are too many to be written out.
const long = 2000

func (w *writer) assert(f *smt.Formula) {
	if size := map[*smt.Formula]int{}; w.size(f, size) > long {
		w.define(f, map[*smt.Formula]bool{})
	} else {
		w.declare(f)
	}
	w.text("(assert ")
	w.formula(f)
	w.text(")\n")
}

// size counts nodes, up to a bound; what is defined is one.
func (w *writer) size(f *smt.Formula, known map[*smt.Formula]int) int {
	if n, ok := known[f]; ok {
		return n
	}
	n := 1
	if w.defined[f] == "" {
		for _, a := range f.Args {
			n = min(n+w.size(a, known), long+1)
		}
	}
	known[f] = n
	return n
}

// define defines the parts of a formula that have parts.
func (w *writer) define(f *smt.Formula, done map[*smt.Formula]bool) {
	if done[f] || w.defined[f] != "" {
		return
	}
	done[f] = true
	for _, a := range f.Args {
		w.define(a, done)
	}
	if (f.Op != smt.OpAnd && f.Op != smt.OpOr) || len(f.Args) < 2 {
		w.declare(f)
		return
	}
	name := fmt.Sprintf("part!%d", w.names)
	w.names++
	w.text("(define-fun " + name + " () Bool ")
	w.formula(f)
	w.text(")\n")
	w.defined[f] = name
	top := len(w.parts) - 1
	w.parts[top] = append(w.parts[top], f)
}

func (w *writer) declare(f *smt.Formula) {
	if w.defined[f] != "" {
		return
	}
	if f.Var != nil {
		w.declareVar(f.Var)
	}
	for _, t := range f.Linear.Terms() {
		w.declareVar(t.Var)
	}
	for _, a := range f.Args {
		w.declare(a)
	}
}

func (w *writer) declareVar(v *smt.Var) {
	if _, ok := w.declared[v.Name]; ok {
		return
	}
	w.declared[v.Name] = v.Sort
	top := len(w.levels) - 1
	w.levels[top] = append(w.levels[top], v.Name)
	fmt.Fprintf(w.w, "(declare-fun %s () %s)\n", v.Name, [...]string{"Int", "Bool"}[v.Sort])
}

func (w *writer) formula(f *smt.Formula) {
	if name := w.defined[f]; name != "" {
		w.text(name)
		return
	}
	switch f.Op {
	case smt.OpVar:
		w.text(f.Var.Name)
	case smt.OpNot:
		w.text("(not ")
		w.formula(f.Args[0])
		w.text(")")
	case smt.OpGE:
		w.comparison(">=", f.Linear)
	case smt.OpEQ:
		w.comparison("=", f.Linear)
	default:
		w.junction(f)
	}
}

func (w *writer) junction(f *smt.Formula) {
	if len(f.Args) == 0 {
		w.text([...]string{"true", "false"}[f.Op])
		return
	}
	w.text([...]string{"(and", "(or"}[f.Op])
	for _, a := range f.Args {
		w.text(" ")
		w.formula(a)
	}
	w.text(")")
}

func (w *writer) comparison(op string, l smt.Linear) {
	w.text("(" + op + " ")
	if len(l.Terms()) > 1 {
		w.text("(+ ")
	}
	for i, t := range l.Terms() {
		if i > 0 {
			w.text(" ")
		}
		if t.Coef.Is(1) {
			w.text(t.Var.Name)
			continue
		}
		w.text("(* ")
		w.number(t.Coef)
		w.text(" " + t.Var.Name + ")")
	}
	if len(l.Terms()) > 1 {
		w.text(")")
	}
	w.text(" ")
	w.number(l.Const().Neg())
	w.text(")")
}

func (w *writer) number(n linear.Int) {
	if n.Sign() < 0 {
		w.text("(- " + n.Neg().String() + ")")
		return
	}
	w.text(n.String())
}
