package promela

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/run"
)

// Why says why a run violates a formula, in the formula's own words: what is assumed, what happens, what does not. The
// lines are of the kinds that counterexamples of automata are explained with.
func (c *Counterexample) Why() (run.Explanation, error) {
	m := c.Run.Instance.m
	worlds, err := c.Run.Worlds()
	if err != nil {
		return nil, err
	}
	x := &teller{m: m, run: c.Run, worlds: worlds, told: map[int]bool{}}
	walk := &run.Walk[*Expr]{Parts: x.parts, Truth: x.truth, Fact: x.fact, Last: len(worlds) - 1, Loop: c.Run.Loop}
	if c.Run.Loop == Finite {
		walk.Loop = len(worlds)
	}
	for i := range m.Formulas {
		if f := &m.Formulas[i]; f.Name == c.Spec {
			for _, fair := range m.assumed(f.Formula) {
				x.out.Add(run.Reason{Kind: run.Assumed, Text: fmt.Sprintf("%s: %s", fair.Name, fair.Formula)})
			}
			walk.Visit(stated{Part: f.Formula}, run.Moment{})
		}
	}
	return x.out, x.err
}

type teller struct {
	m      *Model
	run    *Run
	worlds []*World
	told   map[int]bool // steps
	out    run.Explanation
	err    error
}

// stated says that a part of a formula is true, or that it is false.
type stated = run.Claim[*Expr]

// truth returns where a claim is so.
func (x *teller) truth(c stated) []bool {
	v, err := x.run.values(x.m.temporal(c.Part, !c.Want), x.worlds)
	if err != nil {
		x.err = err
		return make([]bool, len(x.worlds))
	}
	return v
}

// parts takes a claim apart.
func (x *teller) parts(c stated) (run.Shape, []stated) {
	e := c.Part
	if !x.m.isTemporal(e) {
		return run.Fact, nil
	}
	of := func(want bool, list ...*Expr) (out []stated) {
		for _, a := range list {
			out = append(out, stated{Part: a, Want: want, Premise: c.Premise})
		}
		return out
	}
	switch e.Op {
	case Name:
		return run.All, of(c.Want, x.m.atomics[e.Name])
	case Equivalent:
		return run.All, of(c.Want, e.bothWays())
	case Not:
		return run.All, of(!c.Want, e.Args[0])
	case And, Or:
		return run.Junction(e.Op == And, c.Want), of(c.Want, e.Args...)
	case Implies:
		left := stated{Part: e.Args[0], Want: !c.Want, Premise: c.Premise || !c.Want}
		return run.Junction(false, c.Want), append([]stated{left}, of(c.Want, e.Args[1])...)
	case Globally, Finally:
		if (e.Op == Globally) == c.Want {
			return run.Lasting, of(c.Want, e.Args[0])
		}
		return run.Eventual, of(c.Want, e.Args[0])
	}
	return run.Fact, nil
}

// fact states a claim, what gives it its value, and what made it so.
func (x *teller) fact(c stated, m run.Moment) {
	e, kind := c.Part, run.Happens
	switch {
	case c.Premise:
		kind = run.Assumed
	case !c.Want && m.Always:
		kind = run.Never
	case !c.Want:
		kind = run.Broken
	}
	text := e.String()
	switch {
	case kind == run.Broken && e.Op == Not:
		text = e.Args[0].String() + " is true"
	case !c.Want && kind != run.Never:
		text += " is false"
	}
	if !c.Want && !x.m.isTemporal(e) {
		if def := x.m.atomics[e.Name]; e.Op == Name && def != nil {
			e = def
			text += fmt.Sprintf(", %s", e)
		}
		if e.Op == All && !m.Always {
			text += x.counterexample(e, x.worlds[m.From])
		}
	}
	x.out.Add(run.Reason{Kind: kind, Text: run.Line(text, run.When(run.Place(m.From), m.From == 0, m.Always, m.Again,
		kind), nil), Step: m.From})
	switch {
	case c.Premise:
	case m.Always && !c.Want:
		x.waiting()
	case !m.Always && !x.m.isTemporal(c.Part):
		truth, at := x.truth(c), m.From
		for at > 0 && truth[at-1] {
			at--
		}
		x.rests(at)
	}
}

// counterexample is a process of which what all(...) says is false.
func (x *teller) counterexample(e *Expr, w *World) string {
	f := &frame{in: x.run.Instance, shared: w.Shared}
	for _, l := range w.Processes {
		f.who = l
		if v, err := f.eval(e.Args[0]); err == nil && v == 0 {
			return fmt.Sprintf(" (a process is %s)", x.run.Instance.Describe(l))
		}
	}
	return ""
}

// rests states a step, those that let it be taken, and the one before it of the same process.
func (x *teller) rests(step int) {
	if step == 0 || x.told[step] || x.err != nil { // it has been so from the start
		return
	}
	x.told[step] = true
	in, s, before := x.run.Instance, x.run.Steps[step-1], x.worlds[step-1]
	who := before.who(s)
	seen, err := in.saw(before, who, s)
	if err != nil {
		x.err = err
		return
	}
	var since []string
	for _, e := range seen {
		f := &frame{in: in, local: s.Before, shared: before.Shared, all: before.Processes, self: who}
		since = append(since, run.Line(e.String(), "", f.sees(e)))
	}
	text := fmt.Sprintf("step %d, %s: %s becomes %s", step, lines(s), in.Describe(s.Before), in.Describe(s.After))
	if since != nil {
		text += ", since " + strings.Join(since, "; ")
	}
	x.out.Add(run.Reason{Kind: run.Because, Text: text, Step: step, Steps: []int{step}})
	for j := step - 1; j > 0; j-- { // what brought the process to where it is
		if slices.Equal(x.run.Steps[j-1].After, s.Before) && !slices.Equal(x.run.Steps[j-1].Before, s.Before) {
			x.rests(j)
			break
		}
	}
	for _, e := range seen {
		is := func(at int) bool {
			w := x.worlds[at]
			v, err := (&frame{in: in, local: s.Before, shared: w.Shared, all: w.Processes, self: who}).eval(e)
			return err == nil && v != 0
		}
		at := step - 1
		for at > 0 && is(at-1) {
			at--
		}
		x.rests(at)
	}
}

// waiting says of processes that stay as they are in the loop which guards are false there, all the time.
func (x *teller) waiting() {
	if x.run.Loop == Finite {
		return
	}
	in, loop := x.run.Instance, x.worlds[x.run.Loop:]
	why := map[string]string{}
	stay := []Local{}
	for p, l := range loop[0].Processes {
		if slices.ContainsFunc(loop, func(w *World) bool { return !slices.Equal(w.Processes[p], l) }) {
			continue
		}
		stay = append(stay, l)
		var lists [][]string
		free := false
		for _, w := range loop {
			outcomes, err := in.Steps(w, p)
			refused, wrong := in.Refused(w, p)
			if err = errors.Join(err, wrong); err != nil {
				x.err = err
				return
			}
			free = free || slices.ContainsFunc(outcomes,
				func(o Outcome) bool { return !slices.Equal(o.Local, l) || !slices.Equal(o.Shared, w.Shared) })
			var list []string
			for _, r := range slices.DeleteFunc(refused, func(r Refusal) bool { return !r.Early }) {
				list = append(list, fmt.Sprintf("line %d: %s", r.Pos.Line, run.Line("not "+r.Guard, "", r.Sees)))
			}
			lists = append(lists, list)
		}
		common := run.Common(lists)
		if free {
			common = append(common, "it could do something, but nothing forces it to")
		}
		why[in.Describe(l)] = strings.Join(common, "; ")
	}
	for _, text := range in.grouped(stay) {
		_, of, _ := strings.Cut(text, " x ")
		if why[of] != "" {
			x.out.Add(run.Reason{Kind: run.Waiting, Text: text + ": " + why[of]})
		}
	}
}
