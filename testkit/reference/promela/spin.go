package promela

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Spin is real Spin, as a third opinion: an instance becomes plain Promela, whose expressions and formulas are the words of
// the text, so that Spin groups them itself.
type Spin struct {
	Folder string
}

// ErrSpin says that an instance cannot be given to Spin.
var ErrSpin = errors.New("not for Spin")

// Violated asks Spin whether the formula is violated. The formula is about the time after all initial blocks: Spin translates it to an
// automaton, which is made to begin there.
func (s *Spin) Violated(p *PlainText) (bool, error) {
	if err := s.write("formula.pml", p.Copies+"init { skip }\nltl claim { "+p.Claim+" }\n"); err != nil {
		return false, err
	}
	out, err := s.run("spin", "-a", "formula.pml")
	match := regexp.MustCompile(`(?m)^ltl claim: (.*)$`).FindStringSubmatch(out)
	if err != nil && strings.Contains(err.Error(), "killed") {
		return false, fmt.Errorf("%w: it takes too long for the formula", ErrSpin)
	}
	if err != nil || match == nil {
		return false, fmt.Errorf("spin: %v: %s", err, out)
	}
	if out, err = s.run("spin", "-f", "! ("+match[1]+")"); err != nil {
		return false, fmt.Errorf("%w: %v: %s", ErrSpin, err, out) // It takes very long for some formulas.
	}
	never, err := later(out)
	if err != nil {
		return false, err
	}
	if err := s.write("model.pml", p.Model+never); err != nil {
		return false, err
	}
	for _, command := range [][]string{
		{"spin", "-a", "model.pml"},
		{"gcc", "-O0", "-w", "-DNOREDUCE", "-DNOSTUTTER", "-DMEMLIM=400", "-o", "pan", "pan.c"},
	} {
		if out, err := s.run(command...); err != nil {
			return false, fmt.Errorf("%s: %w: %s", command[0], err, out)
		}
	}
	out, err = s.run("./pan", "-a", "-A", "-E", "-m50000")
	if err != nil && len(out) == 0 {
		return false, err
	}
	match = regexp.MustCompile(`errors: (\d+)`).FindStringSubmatch(out)
	if match == nil || strings.Contains(out, "too small") || strings.Contains(out, "out of memory") || strings.Contains(out, "inherits") {
		return false, fmt.Errorf("%w: %s", ErrSpin, out)
	}
	return match[1] != "0", nil
}

var (
	firstLabel = regexp.MustCompile(`(?m)^(\w+):$`)
	assertion  = regexp.MustCompile(`atomic \{ (\(.*\)) -> assert\(.*\) \}`)
)

// later makes a never claim wait until the state before the one in which everything has been set up.
func later(never string) (string, error) {
	match := firstLabel.FindStringSubmatch(never)
	_, body, ok := strings.Cut(never, "*/")
	if match == nil || !ok {
		return "", fmt.Errorf("spin: a strange claim: %s", never)
	}
	body = assertion.ReplaceAllString(body, "$1 -> goto accept_all")
	wait := "wait_start:\n\tif\n\t:: (!ready && !started) -> goto wait_start\n\t:: (ready) -> goto " + match[1] + "\n\tfi;\n"
	return "never {\n" + wait + body, nil
}

func (s *Spin) write(name, text string) error {
	return os.WriteFile(filepath.Join(s.Folder, name), []byte(text), 0o644)
}

func (s *Spin) run(command ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = s.Folder
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// A plain is an instance that is written as plain Promela.
//
// A block that cannot be completed is not taken in the dialect, but Spin enters it: then lock stays set, and no other process can move. Spin would
// repeat this state for ever, and is told not to repeat states; a process of its own does, where lock is not set. Formulas
// are about copies of what they speak of, which change when a block is completed.
type plain struct {
	in      *Instance
	out     strings.Builder
	copies  []string          // expressions in Spin's words
	names   map[string]string // of copies, by expression
	process int               // which process is written
	early   []string          // labels to which initial blocks go
	rounds  bool              // there are loops in steps
	err     error
}

// A PlainText is an instance, and a formula about copies of what it speaks of.
type PlainText struct {
	Model, Claim, Copies string
}

// Plain writes the instance and a formula for Spin.
func (in *Instance) Plain(f Formula, fairness bool) (*PlainText, error) {
	p := &plain{in: in, names: map[string]string{}}
	var claims []string
	if fairness && !f.IsFairness() && f.Expr.Infinite() {
		for _, g := range in.Model.Formulas {
			if g.IsFairness() {
				claims = append(claims, "("+p.words(g.Expr.Words, true)+")")
			}
		}
	}
	claim := "(" + p.words(f.Expr.Words, true) + ")"
	if len(claims) > 0 {
		claim = "(" + strings.Join(claims, " && ") + ") -> " + claim
	}
	w := func(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }
	var copies strings.Builder
	copies.WriteString("byte lock = 0; byte turn = 0; bool started = 0; bool ready = 0;\n")
	for i := range p.copies {
		fmt.Fprintf(&copies, "int copy%d = 0;\n", i)
	}
	w("%s", copies.String())
	for _, v := range in.Model.Shared {
		if err := p.declare(v, v.Name); err != nil {
			return nil, err
		}
	}
	for i := 0; i < in.Count; i++ {
		for _, v := range in.Model.Locals {
			if err := p.declare(v, fmt.Sprintf("%s_%d", v.Name, i)); err != nil {
				return nil, err
			}
		}
	}
	w("inline remember() { d_step {")
	for i, c := range p.copies {
		w(" copy%d = (%s);", i, c)
	}
	w(" lock = 0 } }\n")
	for i := 0; i < in.Count; i++ {
		p.process = i
		if err := p.proctype(i); err != nil {
			return nil, err
		}
	}
	w("active proctype Begin() { turn == %d; ready = 1; d_step { ", in.Count)
	for i, c := range p.copies {
		w("copy%d = (%s); ", i, c)
	}
	w("started = 1; ready = 0 } }\n")
	w("active proctype Idle() { do :: timeout -> lock == 0 od }\n")
	if p.rounds {
		// A step that goes round for ever is none.
		claim = "([]<> (lock == 0)) -> (" + claim + ")"
	}
	return &PlainText{p.out.String(), claim, copies.String()}, p.err
}

// declare writes a variable.
func (p *plain) declare(v Variable, name string) error {
	if v.Array {
		return nil
	}
	n, err := p.in.initial(v)
	if v.Width > 0 && v.Type == "unsigned" {
		name += fmt.Sprintf(" : %d", v.Width)
	}
	fmt.Fprintf(&p.out, "%s %s = %d;\n", v.Type, name, n)
	return err
}

// proctype writes process i. A goto that leaves the initial block waits, like the others, until all have begun.
func (p *plain) proctype(i int) error {
	w := func(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }
	k := firstLoop(p.in.Model.Body)
	p.early = nil
	w("active proctype P%d() provided (lock == 0 || lock == %d) {\n  atomic { turn == %d;\n", i, i+1, i)
	if err := p.sequence(p.in.Model.Body[:k], false); err != nil {
		return err
	}
	w("  turn++ }\n  started;\n")
	if err := p.outside(p.in.Model.Body[k:]); err != nil {
		return err
	}
	if len(p.early) > 0 {
		w("  goto over;\n")
		for _, l := range p.early {
			w("  wait_%s: started; goto %s;\n", l, l)
		}
		w("  over: skip\n")
	}
	w("}\n")
	return nil
}

// outside writes statements outside of steps: each is one.
func (p *plain) outside(body []*Stmt) error {
	w := func(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }
	for _, s := range body {
		for _, l := range s.Labels {
			w("%s: ", l)
		}
		switch s.Kind {
		case "atomic":
			w("  atomic {\n")
			if err := p.sequence(s.Body, true); err != nil {
				return err
			}
			w("    remember() }\n")
		case "if", "do":
			w("  %s\n", s.Kind)
			for _, o := range s.Options {
				if len(s.Options) > 1 && beginsWithElse(o.Body[0]) {
					return ErrSpin
				}
				w("  :: ")
				if err := p.outside(o.Body); err != nil {
					return err
				}
			}
			w("  %s;\n", map[string]string{"if": "fi", "do": "od"}[s.Kind])
		case "else", "break":
			w("  %s;\n", s.Kind)
		case "goto":
			w("  goto %s;\n", s.Name)
		default:
			w("  atomic {\n")
			plain := *s
			plain.Labels = nil
			if err := p.stmt(&plain, true); err != nil {
				return err
			}
			w("    remember() }\n")
		}
	}
	return nil
}

// beginsWithElse says whether what comes first is an if or do with else. As the first statement of an alternative, Spin makes
// its alternatives those of what is around it, and takes else only if none of all these can begin.
func beginsWithElse(s *Stmt) bool {
	if s.Kind == "atomic" {
		return beginsWithElse(s.Body[0])
	}
	for _, o := range s.Options {
		if o.Body[0].Kind == "else" || beginsWithElse(o.Body[0]) {
			return true
		}
	}
	return false
}

// sequence writes statements of a step; the first one takes the lock.
func (p *plain) sequence(body []*Stmt, first bool) error {
	for _, s := range body {
		if err := p.stmt(s, first); err != nil {
			return err
		}
		first = false
	}
	return nil
}

// node is where the statement stands in the program.
func (p *plain) node(s *Stmt) *Node {
	for _, n := range p.in.Control.Nodes {
		if n.Stmt == s {
			return n
		}
	}
	return nil
}

// stmt writes a statement of an atomic block. What comes first in the block takes the lock afterwards.
func (p *plain) stmt(s *Stmt, first bool) error {
	w := func(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }
	for _, l := range s.Labels {
		w("%s_%d: ", l, p.node(s).Region+1)
	}
	switch s.Kind {
	case "atomic":
		return p.sequence(s.Body, first)
	case "if", "do":
		p.rounds = p.rounds || s.Kind == "do"
		w("    %s\n", s.Kind)
		for _, o := range s.Options {
			if o.Body[0].Decl || len(s.Options) > 1 && beginsWithElse(o.Body[0]) {
				return ErrSpin
			}
			w("    :: ")
			if err := p.sequence(o.Body, first); err != nil {
				return err
			}
		}
		w("    %s;\n", map[string]string{"if": "fi", "do": "od"}[s.Kind])
		return nil
	case "cond", "assume":
		w("    (%s);", p.words(s.Expr.Words, false))
	case "assign":
		switch {
		case s.Expr.Op == "num":
			w("    %s = %d;", p.variable(s.Target), s.Expr.Value)
		case s.Expr.Words == nil:
			w("    %s = %s %s 1;", p.variable(s.Target), p.variable(s.Target), s.Expr.Op)
		default:
			w("    %s = %s;", p.variable(s.Target), p.words(s.Expr.Words, false))
		}
	case "else":
		w("    else ->")
		if !first {
			w(" skip;")
		}
	case "skip", "assert":
		w("    skip;")
	case "havoc":
		w("    if")
		for v := int64(0); v <= p.in.Bound; v++ {
			w(" :: %s = %d", p.variable(s.Target), v)
		}
		w(" fi;")
	case "goto", "break":
		return p.jump(s, first)
	default:
		return ErrSpin
	}
	if first {
		w(" lock = %d;", p.process+1)
	}
	w("\n")
	return nil
}

// jump writes goto or break in a step, which may end it.
func (p *plain) jump(s *Stmt, first bool) error {
	n := p.node(s)
	stays := n.Next.Region == n.Region
	switch {
	case n.Region == initial && !stays && s.Kind == "goto":
		p.early = append(p.early, s.Name)
		fmt.Fprintf(&p.out, "    turn++; goto wait_%s;\n", s.Name)
		return nil
	case !stays:
		p.out.WriteString("    remember();")
	case first:
		fmt.Fprintf(&p.out, "    lock = %d;", p.process+1)
	}
	switch {
	case s.Kind == "break":
		p.out.WriteString(" break;\n")
	case p.in.Control.labels[place{n.Region, s.Name}] != nil:
		p.rounds = true
		fmt.Fprintf(&p.out, " goto %s_%d;\n", s.Name, n.Region+1)
	default:
		fmt.Fprintf(&p.out, " goto %s;\n", s.Name)
	}
	return nil
}

func (p *plain) variable(e *Expr) string {
	if e.Op == "shared" {
		return e.Name
	}
	return fmt.Sprintf("%s_%d", e.Name, p.process)
}

// words writes the words of an expression with numbers for parameters and the variables of all processes by name. In
// a formula, what changes is replaced by copies.
func (p *plain) words(words []Token, formula bool) string {
	m := p.in.Model
	var out []string
	for i := 0; i < len(words); i++ {
		t := words[i].Text
		next := ""
		if i+1 < len(words) {
			next = words[i+1].Text
		}
		text, changes := t, false
		switch {
		case t == "and" || t == "or" || t == "not":
			text = map[string]string{"and": "&&", "or": "||", "not": "!"}[t]
		case (t == "all" || t == "some" || t == "card") && next == "(":
			end := closing(words, i+1)
			text, changes = p.quantify(t, words[i+2:end]), true
			i = end
		case len(p.in.Control.Locations) > 1 && (next == "@" || t == p.in.Model.location):
			p.err = ErrSpin
		case next == "@":
			text = fmt.Sprint(truth(p.in.Control.labels[place{0, words[i+2].Text}] == p.in.Control.Begin))
			i += 2
		case next == ":" && t == m.Process && m.location != "" && words[i+2].Text == m.location:
			p.err = ErrSpin
		case next == ":" && t == m.Process:
			text = fmt.Sprintf("%s_%d", words[i+2].Text, p.process)
			i += 2
		case find(m.Shared, t) >= 0:
			changes = true
		case find(m.Locals, t) >= 0:
			text = fmt.Sprintf("%s_%d", t, p.process)
		case m.propNames[t] != nil:
			text, changes = "("+p.words(m.propNames[t].Words, false)+")", true
		default:
			for n, name := range m.Params {
				if name == t {
					text = fmt.Sprint(p.in.Params[n])
				}
			}
		}
		if changes && formula {
			text = p.copy(text)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func closing(words []Token, i int) int {
	depth := 0
	for ; i < len(words); i++ {
		switch words[i].Text {
		case "(":
			depth++
		case ")":
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// quantify writes all, some or card of the words.
func (p *plain) quantify(word string, words []Token) string {
	process := p.process
	defer func() { p.process = process }()
	var parts []string
	for p.process = 0; p.process < p.in.Count; p.process++ {
		parts = append(parts, "(("+p.words(words, false)+") != 0)")
	}
	switch word {
	case "all":
		return "(" + strings.Join(append(parts, "1"), " && ") + ")"
	case "some":
		return "(" + strings.Join(append(parts, "0"), " || ") + ")"
	}
	return "(" + strings.Join(append(parts, "0"), " + ") + ")"
}

// copy is the name of the copy of an expression.
func (p *plain) copy(text string) string {
	if name, ok := p.names[text]; ok {
		return name
	}
	name := fmt.Sprintf("copy%d", len(p.copies))
	p.copies = append(p.copies, text)
	p.names[text] = name
	return name
}

// spin asks Spin about one of the instances that have been decided.
func (k *Comparison) spin() error {
	tried := 0
	list := k.m.Admissible(k.Limits.Params)
	for n := range list {
		params := list[(n+int(k.c.Seed))%len(list)]
		for i := range k.m.Formulas {
			f := k.m.Formulas[(i+int(k.c.Seed))%len(k.m.Formulas)]
			d := k.cache[key(params, f.Name)]
			if f.Expr.Words == nil || f.IsFairness() || d == nil || d.err != nil || !d.graph.Clean || d.graph.In.Count > 3 || len(d.graph.Worlds) > 500 {
				continue
			}
			text, err := d.graph.In.Plain(f, !k.c.NoFairness)
			if errors.Is(err, ErrSpin) {
				continue
			}
			if err != nil {
				return err
			}
			if tried++; tried > 2 {
				break
			}
			violated, err := k.Spin.Violated(text)
			if errors.Is(err, ErrSpin) {
				k.count("spin gives up")
				continue
			}
			if err != nil {
				k.count("spin fails")
				k.disagree("spin fails", "%v %s: %v\n%s\n%s", params, f.Name, err, text.Claim, text.Model)
				return nil
			}
			k.count("spin")
			k.c.Tags["result spin"] = true
			if d.graph.Stops > 0 {
				k.count("spin, runs stop")
			}
			if violated != (d.run != nil) {
				k.disagree("spin differs from the reference"+k.shape(d, f.Name), "%v %s: spin %v\n%s\n%s", params, f.Name, violated, text.Claim, text.Model)
			}
			return nil
		}
	}
	k.count("nothing for spin")
	return nil
}
