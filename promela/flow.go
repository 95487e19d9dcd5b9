package promela

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/spell"
)

// What follows the initial block of a process is cut into steps. Between them, a process is at a location of its
// program: a loop, a statement that is a step of its own, or the end. With one location, as most models have it, steps
// are the alternatives of the loop. With several, a variable of the process says where it is, and steps ask for it and
// set it. Jumps inside of a step know what comes next, so that execution needs no labels.

// jump is where goto and break go: what is executed next, until the step is over.
type jump struct{ list []*Statement }

// controlPoint is a location while steps are being cut.
type controlPoint struct {
	same    *controlPoint // it is that one
	options []*Option
	pos     diag.Pos
	number  int
	known   bool // options are
	label   string
}

func (s *controlPoint) find() *controlPoint {
	for range 1000 {
		if s.same == nil {
			return s
		}
		s = s.same
	}
	return nil // labels that only go to each other
}

// moveTo is a statement that says where the process is next.
type moveTo struct {
	s  *Statement
	to *controlPoint
}

type flow struct {
	r      *reader
	labels map[string]*controlPoint
	places map[string]*Statement // of labels
	spots  map[*Statement]*controlPoint
	moves  []moveTo
	breaks []*controlPoint // where they go, by loop
}

// cut reads what comes after the declarations of a process.
func (r *reader) cut(body []*Statement) {
	f := &flow{r: r, labels: map[string]*controlPoint{}, places: map[string]*Statement{},
		spots: map[*Statement]*controlPoint{}}
	f.collect(body)
	if r.errs.Err() != nil {
		return
	}
	at := f.begin(body)
	end := &controlPoint{known: true, pos: place(r.proc.Pos)}
	entry := f.list(body[at:], end)
	r.m.Init = body[:at]
	f.inside(r.m.Init, f.toMove(entry), true)
	if r.errs.Err() == nil {
		f.finish(entry)
	}
}

// collect notes the labels that stand outside of steps.
func (f *flow) collect(list []*Statement) {
	for _, s := range list {
		if s.Label != nil {
			if old := f.places[s.Label.Name]; old != nil {
				e := f.r.errs.Add(place(s.Label.Pos), len(s.Label.Name), "the label %q is written again", s.Label.Name)
				e.Notes = append(e.Notes, diag.Note{Pos: place(old.Label.Pos), Msg: "first written here"})
			}
			f.places[s.Label.Name] = s
			f.labels[s.Label.Name] = &controlPoint{pos: place(s.Pos), label: s.Label.Name} // until it is cut
		}
		f.collect(s.Block)
		f.collect(bodies(s.alternatives()))
	}
}

// alternatives returns those of an if or do.
func (s *Statement) alternatives() []*Option {
	return append(s.If[:len(s.If):len(s.If)], s.Do...)
}

// begin returns where the initial block ends: before the first loop, or the first
// label that a later goto goes back to, with the labels that stand before it.
func (f *flow) begin(body []*Statement) int {
	at := len(body)
	for i, s := range body {
		if s.Do != nil || s.Label != nil && goes(body[i:], s.Label.Name) {
			at = i
			break
		}
	}
	for at > 0 && at < len(body) && (body[at-1].Label != nil || body[at-1].Sep != "") {
		at--
	}
	return at
}

// goes reports whether a goto in the list goes to a label.
func goes(list []*Statement, label string) bool {
	for s := range all(list) {
		if s.Goto != nil && s.Goto.Name == label {
			return true
		}
	}
	return false
}

// list cuts statements that stand outside of steps; after is where the process is when they are done.
func (f *flow) list(list []*Statement, after *controlPoint) *controlPoint {
	for i, s := range list {
		rest := list[i+1:]
		switch {
		case s.Sep != "" || s.Vars != nil:
		case s.Label != nil:
			at := f.labels[s.Label.Name]
			at.same = f.list(rest, after)
			return at
		case s.Block != nil:
			return f.list(append(s.Block[:len(s.Block):len(s.Block)], rest...), after)
		case s.Goto != nil:
			f.list(rest, after) // other jumps may lead behind it
			return f.target(s.Goto)
		case s.Break != "":
			f.list(rest, after)
			return f.loopEnd(s)
		default:
			at := f.spots[s]
			if at != nil {
				return at
			}
			at = &controlPoint{pos: place(s.Pos), known: true}
			f.spots[s] = at
			switch {
			case s.Do != nil:
				at.options = f.loop(s, at, f.list(rest, after))
			case s.If != nil:
				at.options = f.options(s.If, f.list(rest, after))
			default:
				at.options = []*Option{{Pos: s.Pos, Later: true, Body: f.first(list[i:], after)}}
			}
			return at
		}
	}
	return after
}

// loop cuts the alternatives of a loop.
func (f *flow) loop(s *Statement, at, after *controlPoint) []*Option {
	f.breaks = append(f.breaks, after)
	defer func() { f.breaks = f.breaks[:len(f.breaks)-1] }()
	return f.options(s.Do, at)
}

// options cuts alternatives: their first steps are steps from here.
func (f *flow) options(list []*Option, after *controlPoint) []*Option {
	out := make([]*Option, len(list))
	for i, o := range list {
		out[i] = &Option{Pos: o.Pos, Else: o.Else}
		if o.Else == "" {
			out[i].Body = f.first(o.Body, after)
		} else { // else is a step of its own
			out[i].Rest = f.toMove(f.list(o.Rest, after))
		}
	}
	return out
}

// first returns the first step of statements, with where the process is afterwards.
func (f *flow) first(list []*Statement, after *controlPoint) []*Statement {
	for i, s := range list {
		rest := list[i+1:]
		switch {
		case s.Sep != "" || s.Vars != nil:
		case s.Label != nil:
			f.labels[s.Label.Name].same = f.list(rest, after)
			return f.first(rest, after)
		case s.Block != nil:
			return f.first(append(s.Block[:len(s.Block):len(s.Block)], rest...), after)
		case s.Goto != nil:
			f.list(rest, after)
			return f.toMove(f.target(s.Goto))
		case s.Break != "":
			f.list(rest, after)
			return f.toMove(f.loopEnd(s))
		case s.Do != nil:
			return []*Statement{{Pos: s.Pos, If: f.list(list[i:], after).options}}
		case s.If != nil:
			return []*Statement{{Pos: s.Pos, If: f.options(s.If, f.list(rest, after))}}
		default:
			next := f.toMove(f.list(rest, after))
			f.inside([]*Statement{s}, next, false)
			return append([]*Statement{s}, next...)
		}
	}
	return f.toMove(after)
}

// toMove is a statement that sets where the process is.
func (f *flow) toMove(to *controlPoint) []*Statement {
	s := &Statement{Skip: "skip"}
	f.moves = append(f.moves, moveTo{s, to})
	return []*Statement{s}
}

// target is where goto goes, outside of steps.
func (f *flow) target(id *Ident) *controlPoint {
	to := f.labels[id.Name]
	if to == nil {
		var names []string
		for name := range f.labels {
			names = append(names, name)
		}
		f.r.errs.Add(place(id.Pos), len(id.Name), "there is no label %q to go to%s", id.Name,
			spell.Hint(id.Name, names))
		return &controlPoint{known: true}
	}
	return to
}

// loopEnd is where break goes.
func (f *flow) loopEnd(s *Statement) *controlPoint {
	if len(f.breaks) == 0 {
		f.r.errs.Add(place(s.Pos), len(s.Break), "there is no loop that break could leave")
		return &controlPoint{known: true}
	}
	return f.breaks[len(f.breaks)-1]
}

// inside says of each goto and break in a step what comes next: what is left of
// the step, or then where the process is afterwards.
func (f *flow) inside(list, after []*Statement, labels bool) {
	scope := &stepScope{f: f, labels: map[string]*jump{}}
	scope.walk(list, after, nil, labels)
	for _, s := range scope.gotos {
		if to := scope.labels[s.Goto.Name]; to != nil {
			s.To = to
		} else {
			s.To = &jump{f.toMove(f.target(s.Goto))}
		}
	}
}

// stepScope is one step.
type stepScope struct {
	f      *flow
	labels map[string]*jump
	gotos  []*Statement
}

func (x *stepScope) walk(list, after []*Statement, loop *jump, labels bool) {
	for i, s := range list {
		rest := append(list[i+1:len(list):len(list)], after...)
		switch {
		case s.Label != nil && labels:
			if x.labels[s.Label.Name] != nil {
				x.f.r.errs.Add(place(s.Label.Pos), len(s.Label.Name), "the label %q is written again in this step",
					s.Label.Name)
			}
			x.labels[s.Label.Name] = &jump{rest}
		case s.Goto != nil:
			x.gotos = append(x.gotos, s)
		case s.Break != "":
			switch {
			case loop != nil:
				s.To = loop
			default:
				s.To = &jump{x.f.toMove(x.f.loopEnd(s))}
			}
		case s.Atomic != nil:
			x.walk(s.Atomic, rest, loop, true)
		case s.Block != nil:
			x.walk(s.Block, rest, loop, labels)
		}
		for _, o := range s.If {
			x.walk(o.Body, rest, loop, labels)
			x.walk(o.Rest, rest, loop, labels)
		}
		for _, o := range s.Do {
			x.walk(o.Body, []*Statement{s}, &jump{rest}, labels)
			x.walk(o.Rest, []*Statement{s}, &jump{rest}, labels)
		}
	}
}

// finish numbers the locations that can be reached, and writes the steps down.
func (f *flow) finish(entry *controlPoint) {
	m := f.r.m
	m.labels = map[string]int{}
	for name := range f.labels {
		m.labels[name] = nowhere
	}
	order := f.reached(entry)
	if order == nil {
		return
	}
	for name, at := range f.labels {
		if to := at.find(); slices.Contains(order, to) {
			m.labels[name] = to.number
			if to.label == "" || f.places[name].Pos.Offset < f.places[to.label].Pos.Offset {
				to.label = name
			}
		}
	}
	if m.Loop = entry.find().options; len(m.Loop) == 0 {
		f.r.errs.Add(place(f.r.proc.Pos), 6, "the process has no loop `do :: atomic { ... } od`")
		return
	}
	if len(order) == 1 {
		return
	}
	m.Loop = nil
	m.where = f.variable(order)
	name := m.Locals[m.where].Name
	for _, mv := range f.moves {
		to := mv.to.find()
		mv.s.Skip = ""
		mv.s.Set = &Assign{Name: &Ident{Name: name}, Value: numeral(int64(to.number))}
	}
	for _, at := range order { // that the process is there is no guard of the text, and has no place
		is := &Expr{Op: "==", Args: []*Expr{{Op: Name, Name: name}, numeral(int64(at.number))}}
		if len(at.options) > 0 { // the end has no steps
			m.Loop = append(m.Loop, &Option{Pos: entry.find().options[0].Pos, Spot: true,
				Body: []*Statement{{Cond: is}, {If: at.options}}})
		}
	}
}

// variable declares the one that says where a process is.
func (f *flow) variable(order []*controlPoint) int {
	m := f.r.m
	name := "location"
	for m.symbols[name] != (symbol{}) {
		name += "_"
	}
	index := len(m.Locals)
	m.symbols[name] = symbol{local, index, place(f.r.proc.Pos)}
	m.Locals = append(m.Locals, Variable{Name: name, Type: "int", Pos: place(f.r.proc.Pos)})
	for _, at := range order {
		text := at.label
		if text == "" {
			text = fmt.Sprintf("line %d", at.pos.Line)
		}
		if len(at.options) == 0 {
			text = "end"
		}
		m.spots = append(m.spots, text)
	}
	return index
}

// reached lists the locations that can be reached: the first one, the others by their places, the end.
func (f *flow) reached(entry *controlPoint) []*controlPoint {
	var order []*controlPoint
	next := map[*Statement]*controlPoint{}
	for _, mv := range f.moves {
		next[mv.s] = mv.to
	}
	var visit func(at *controlPoint)
	var follow func(list []*Statement, done map[*Statement]bool)
	visit = func(at *controlPoint) {
		to := at.find()
		switch {
		case to == nil:
			f.r.errs.Add(at.pos, 1, "this goes round without a step")
		case !to.known:
			f.r.errs.Add(to.pos, len(to.label),
				"the label %q belongs to the initial block, which a process goes through once: no step can go there",
				to.label)
		case !slices.Contains(order, to):
			order = append(order, to)
			for _, o := range to.options {
				follow(o.Body, map[*Statement]bool{})
				follow(o.Rest, map[*Statement]bool{})
			}
		}
	}
	follow = func(list []*Statement, done map[*Statement]bool) {
		for _, s := range list {
			if done[s] {
				continue
			}
			done[s] = true
			if next[s] != nil {
				visit(next[s])
			}
			follow(s.Atomic, done)
			follow(s.Block, done)
			for _, o := range s.alternatives() {
				follow(o.Body, done)
				follow(o.Rest, done)
			}
			if s.To != nil {
				follow(s.To.list, done)
			}
		}
	}
	visit(entry)
	for _, s := range f.r.m.Init { // it may jump
		follow([]*Statement{s}, map[*Statement]bool{})
	}
	if f.r.errs.Err() != nil {
		return nil
	}
	slices.SortStableFunc(order[1:], func(a, b *controlPoint) int {
		switch {
		case last(a) != last(b):
			return last(a) - last(b)
		case a.pos.Before(b.pos):
			return -1
		case b.pos.Before(a.pos):
			return 1
		}
		return 0
	})
	for i, at := range order {
		at.number = i
	}
	return order
}

// last puts the end behind all others.
func last(at *controlPoint) int {
	if len(at.options) == 0 {
		return 1
	}
	return 0
}

func numeral(n int64) *Expr { return &Expr{Op: Number, Num: big.NewInt(n)} }
