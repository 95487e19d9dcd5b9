package promela

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/promela/pml"
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
	x := &teller{m: m, run: c.Run, worlds: worlds}
	x.x = &run.Explainer[piece, slot]{Subject: x, Last: len(worlds) - 1, Loop: c.Run.Loop}
	if c.Run.Loop == Finite {
		x.x.Loop = len(worlds)
	}
	for i := range m.Formulas {
		if f := &m.Formulas[i]; f.Name == c.Spec {
			for _, fair := range m.Assumed(f.Formula) {
				text := fmt.Sprintf("%s: %s", fair.Name, m.inWords(fair.Formula))
				x.x.Out.Add(run.Reason{Kind: run.Assumed, Text: text})
			}
			x.x.Visit(stated{Part: piece{e: f.Formula, who: nobody}}, run.Moment{})
		}
	}
	kept, after := x.x.Slice(x.effects(), nil)
	for _, k := range kept.Steps() {
		if x.err == nil {
			x.because(k, after[k], kept[k])
		}
	}
	x.x.Out.AtLimit(x.edge())
	return x.x.Out, x.err
}

// edge lists the assumptions that the parameters only just satisfy.
func (x *teller) edge() (list []string) {
	for _, e := range x.m.Assume {
		names := slices.DeleteFunc(e.Names(), func(name string) bool { return !slices.Contains(x.m.Params, name) })
		if len(e.Args) != 2 || len(lists.Union(nil, names...)) < 2 {
			continue
		}
		f := x.frame(piece{e: e, who: nobody}, x.worlds[0])
		a, err := f.eval(e.Args[0])
		b, wrong := f.eval(e.Args[1])
		if err == nil && wrong == nil && run.Tight(string(e.Op), a, b) {
			list = append(list, e.String())
		}
	}
	return list
}

type teller struct {
	m      *Model
	run    *Run
	worlds []*World
	x      *run.Explainer[piece, slot]
	saw    []*frame // by step: what it did, one that has come to its end
	err    error
}

// piece is an expression: of a formula, or a guard of a process that moves. Who is the process that all(...) and others
// speak of.
type piece struct {
	e     *pml.Expr
	who   int
	guard *frame // that sees it; nil for one of a formula
}

const nobody = -1

// slot is a variable: of a process, or a shared one.
type slot struct{ process, variable int }

// stated says that a part of a formula is true, or that it is false.
type stated = run.Claim[piece]

// frame is where a part is evaluated.
func (x *teller) frame(p piece, w *World) *frame {
	f := frame{in: x.run.Instance, shared: w.Shared, all: w.Processes, self: nobody}
	if p.guard != nil {
		f = *p.guard
	}
	if p.who != nobody {
		if f.who = f.all[p.who]; p.who == f.self {
			f.who = f.local
		}
	}
	return &f
}

func (x *teller) holds(c stated, w *World) bool {
	v, err := x.frame(c.Part, w).eval(c.Part.e)
	return err == nil && (v != 0) == c.Want
}

// Temporal implements run.Subject, as the methods that follow do.
func (x *teller) Temporal(p piece) bool { return p.guard == nil && x.m.IsTemporal(p.e) }

func (x *teller) Apart(stated) bool { return false }

func (x *teller) Truth(c stated) []bool {
	v, err := x.run.values(x.m.Temporal(c.Part.e, !c.Want), x.worlds)
	if err != nil {
		x.err = err
		return make([]bool, len(x.worlds))
	}
	return v
}

func (x *teller) Place(k int) (string, int) { return run.Place(k), k }

func (x *teller) Said(p piece) (text, otherwise string) {
	e := x.m.inWords(p.e)
	if e.Op == pml.Not {
		otherwise = e.Args[0].String() + " is true"
	}
	return e.String(), otherwise
}

func (x *teller) Parts(c stated) (run.Shape, []stated) {
	e := c.Part.e
	of := func(want bool, list ...*pml.Expr) (out []stated) {
		for _, a := range list {
			p := c.Part
			p.e = a
			out = append(out, stated{Part: p, Want: want, Premise: c.Premise})
		}
		return out
	}
	switch e.Op {
	case pml.Name:
		if def := x.m.Atomics[e.Name]; e.Process == "" && def != nil && x.m.Truth(def) {
			return run.All, of(c.Want, def)
		}
	case pml.Equivalent:
		return run.All, of(c.Want, e.BothWays())
	case pml.Not:
		return run.All, of(!c.Want, e.Args[0])
	case pml.And, pml.Or:
		return run.Junction(e.Op == pml.And, c.Want), of(c.Want, e.Args...)
	case pml.Implies:
		left := of(!c.Want, e.Args[0])[0]
		left.Premise = c.Premise || !c.Want
		return run.Junction(false, c.Want), append([]stated{left}, of(c.Want, e.Args[1])...)
	case pml.All, pml.Some:
		var list []stated
		for who := range x.worlds[0].Processes {
			p := c.Part
			p.e, p.who = e.Args[0], who
			list = append(list, stated{Part: p, Want: c.Want})
		}
		return run.Junction(e.Op == pml.All, c.Want), list
	case pml.Globally, pml.Finally:
		if (e.Op == pml.Globally) == c.Want {
			return run.Lasting, of(c.Want, e.Args[0])
		}
		return run.Eventual, of(c.Want, e.Args[0])
	}
	return run.Fact, nil
}

// deciding are the facts that give a claim its value in a world.
func (x *teller) deciding(c stated, w *World) []stated {
	return run.Deciding(c, x.Parts, func(c stated) bool { return x.holds(c, w) }, 1)
}

// Seen shows values of variables, and in one world the processes that decide.
func (x *teller) Seen(c stated, from, to int) []string {
	var lists [][]string
	for _, w := range x.worlds[from : to+1] {
		if !x.holds(c, w) {
			return nil
		}
		var list []string
		var who []Local
		for _, fact := range x.deciding(c, w) {
			switch p := fact.Part; {
			case p.who == nobody:
				list = append(list, x.frame(p, w).sees(p.e)...)
			case !c.Want && from == to:
				who = append(who, w.Processes[p.who])
			}
		}
		if of := x.run.Instance.grouped(who); len(who) == 1 {
			list = append(list, strings.Replace(of[0], "1 x ", "one process: ", 1))
		} else {
			list = append(list, of...)
		}
		lists = append(lists, list)
	}
	return run.Common(lists)
}

// Reads looks at where a claim has become true that is so at a position; nowhere if it has been from the start.
func (x *teller) Reads(c stated, k int, look func(int, run.Places[slot])) {
	for k > 0 && x.holds(c, x.worlds[k-1]) {
		k--
	}
	if k > 0 {
		look(k, x.reads(c, x.worlds[k]))
	}
}

// reads is what gives a claim its value in a world.
func (x *teller) reads(c stated, w *World) run.Places[slot] {
	out := run.Places[slot]{}
	for _, fact := range x.deciding(c, w) {
		out.Add(x.frame(fact.Part, w).reads(fact.Part.e, fact.Part.who))
	}
	return out
}

// effects are what the steps do.
func (x *teller) effects() []run.Effect[slot] {
	x.saw = make([]*frame, len(x.run.Steps)+1)
	list := make([]run.Effect[slot], len(x.run.Steps)+1)
	for k := 1; k < len(list) && x.err == nil; k++ {
		s, w := x.run.Steps[k-1], x.worlds[k-1]
		who := w.who(s)
		end, err := x.run.Instance.saw(w, who, s)
		if err != nil {
			x.err = err
			return list
		}
		f := run.Effect[slot]{Needs: run.Places[slot]{}, Writes: map[slot]run.Places[slot]{}}
		write := func(process int, before, after []int64) {
			for i := range after {
				if at := (slot{process, i}); before[i] != after[i] {
					f.Writes[at] = run.Places[slot]{}
					f.Writes[at].Add(end.from[at])
				}
			}
		}
		write(who, s.Before, s.After)
		write(nobody, w.Shared, s.Shared)
		for _, g := range end.saw {
			reads := x.reads(stated{Part: piece{g.e, nobody, g.seen}, Want: true}, w)
			if at := (slot{who, g.fails}); g.fails < 0 {
				f.Needs.Add(reads)
			} else if g.early && f.Writes[at] != nil {
				f.Writes[at] = reads
			}
		}
		x.saw[k], list[k] = end, f
	}
	return list
}

// because tells a step, with what its guards saw, and assertions that fail in it, where these are what matters.
func (x *teller) because(k int, after []int, reasons run.Places[slot]) {
	s, w, in := x.run.Steps[k-1], x.worlds[k-1], x.run.Instance
	var since []string
	chosen := map[int]int64{}
	for _, g := range x.saw[k].saw {
		if !g.early || !g.e.Pos.IsValid() || g.fails >= 0 && !reasons[slot{w.who(s), g.fails}] {
			continue
		}
		for _, fact := range x.deciding(stated{Part: piece{g.e, nobody, g.seen}, Want: true}, w) {
			f, e := x.frame(fact.Part, w), fact.Part.e
			if fact.Part.who != nobody || len(f.sees(e)) == 0 || g.fails < 0 && x.atFirst(fact) {
				continue
			}
			if !fact.Want {
				e = &pml.Expr{Op: pml.Not, Args: []*pml.Expr{e}}
			}
			since = lists.Union(since, f.line("", e))
			for at := range f.reads(e, nobody) {
				if v, is := g.seen.chosen[at.variable]; is && at.process == f.self {
					chosen[at.variable] = v
				}
			}
		}
	}
	text := fmt.Sprintf("step %d, %s: %s", k, lines(s.Taken...), in.does(w, s)) + x.with(chosen)
	x.x.Out.Add(run.Taken(k, text, strings.Join(since, "; "), after))
}

// atFirst reports whether what a guard asks of more than what is chosen would have been so at the start, with the same
// choices: no step has made it so.
func (x *teller) atFirst(c stated) bool {
	first, seen := x.worlds[0], c.Part.guard
	more, reads := false, seen.reads(c.Part.e, nobody)
	for at := range reads {
		_, chosen := seen.chosen[at.variable]
		more = more || at.process != seen.self || !chosen
	}
	if !more && len(reads) > 0 {
		return false
	}
	f := &frame{in: seen.in, local: slices.Clone(first.Processes[seen.self]), shared: first.Shared,
		all: first.Processes, self: seen.self}
	for k, v := range seen.chosen {
		f.local[k] = v
	}
	c.Part.guard = f
	return x.holds(c, first)
}

// Waiting says of processes that stay as they are in the loop which guards are false there, all the time: those that
// others could make true, if there are any. Of processes that are as they should be, only what could help is said; of
// others that do not stay, that they go round.
func (x *teller) Waiting(c stated, _ int) {
	if x.run.Loop == Finite {
		return
	}
	in, loop := x.run.Instance, x.worlds[x.run.Loop:]
	blamed := map[int]stated{}
	for _, fact := range run.Deciding(c, x.Parts, func(c stated) bool { return x.holds(c, loop[0]) },
		len(loop[0].Processes)) {
		if fact.Part.who != nobody {
			blamed[fact.Part.who] = fact
		}
	}
	why := map[string]string{}
	told := []Local{}
	for p, l := range loop[0].Processes {
		around := []string{}
		for _, w := range loop {
			around = lists.Union(around, in.Describe(w.Processes[p]))
		}
		fact, is := blamed[p]
		text, helps := "", false
		if len(around) > 1 {
			text = "goes round for ever: " + strings.Join(around, ", ")
		} else if text, helps = x.stays(p, loop, func(now, next *World) bool {
			return is && !x.holds(fact, next) || !slices.Equal(now.Shared, next.Shared)
		}); x.err != nil {
			return
		}
		if told = append(told, l); is || helps || len(blamed) == 0 && len(around) == 1 {
			why[in.Describe(l)] = cmp.Or(why[in.Describe(l)], text)
		}
	}
	for _, a := range in.alike(told) {
		if why[a.text] != "" {
			x.x.Out.Add(run.Waits(a.String(), why[a.text]))
		}
	}
}

// takes are the steps that a process takes in the loop: where each is in the text.
func (x *teller) takes(p int) (list [][]diag.Pos) {
	for k := x.run.Loop; k < len(x.run.Steps); k++ {
		if s := x.run.Steps[k]; x.worlds[k].who(s) == p {
			list = append(list, s.Taken)
		}
	}
	return list
}

// stays says why a process stays as it is in all worlds of a loop, and whether what keeps it from a step that helps.
func (x *teller) stays(p int, loop []*World, helps func(now, next *World) bool) (text string, kept bool) {
	in, l := x.run.Instance, loop[0].Processes[p]
	var all [][]string
	free, done, moves, taken := "", true, false, x.takes(p)
	for _, w := range loop {
		outcomes, err := in.Steps(w, p)
		refused, wrong := in.Refused(w, p)
		if err = errors.Join(err, wrong); err != nil {
			x.err = err
			return "", false
		}
		moves = moves || len(outcomes) > 0
		for _, o := range outcomes {
			if slices.ContainsFunc(taken, func(at []diag.Pos) bool { return slices.Equal(at, o.Taken) }) &&
				slices.Equal(o.Local, l) {
				continue
			}
			next := w.With(p, o)
			changes := !slices.Equal(o.Local, l) || !slices.Equal(o.Shared, w.Shared)
			if is := changes && helps(w, next); is && !kept || changes && free == "" {
				kept, free = is, x.could(w, p, o)
			}
		}
		var list []string
		for _, r := range refused {
			if done = done && r.Own; !r.Own && r.Early {
				list = append(list, fmt.Sprintf("line %d: %s", r.Pos.Line, r.Text))
			}
		}
		all = append(all, list)
	}
	common := run.Common(all)
	switch {
	case free != "":
		return free, kept
	case taken != nil:
		return "takes " + lines(slices.Concat(taken...)...) + " again and again, and stays as it is", false
	case done && !moves:
		return "it does nothing more, whatever others do", false
	case common == nil && moves:
		return "all that it can do leaves it as it is", false
	}
	return strings.Join(common, "; "), common != nil
}

// could says what a process could do, and what it would have to choose.
func (x *teller) could(w *World, p int, o Outcome) string {
	in := x.run.Instance
	step := RunStep{Before: w.Processes[p], After: o.Local, Shared: o.Shared, Taken: o.Taken}
	end, err := in.saw(w, p, step)
	if err != nil {
		x.err = err
		return ""
	}
	chosen := map[int]int64{}
	for _, g := range end.saw {
		maps.Copy(chosen, g.seen.chosen)
	}
	text := "make " + in.Changes(w.Shared, o.Shared)
	if now := in.Describe(o.Local); now != in.Describe(step.Before) {
		text = "become " + now
	}
	return fmt.Sprintf("it could %s (%s%s), but nothing forces it to", text, lines(o.Taken...), x.with(chosen))
}

// with says which values were chosen.
func (x *teller) with(chosen map[int]int64) string {
	if len(chosen) == 0 {
		return ""
	}
	return ", with " + strings.Join(lists.Map(slices.Sorted(maps.Keys(chosen)),
		func(i int) string { return fmt.Sprintf("%s = %d", x.m.Locals[i].Name, chosen[i]) }), ", ")
}
