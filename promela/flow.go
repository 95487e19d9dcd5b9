package promela

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/promela/pml"
)

// controlPoint is a location while steps are being cut.
type controlPoint struct {
	same    *controlPoint // it is that one
	options []*pml.Option
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
	s  *pml.Statement
	to *controlPoint
}

type flow struct {
	r      *reader
	labels map[string]*controlPoint
	places map[string]*pml.Statement // of labels
	spots  map[*pml.Statement]*controlPoint
	moves  []moveTo
	breaks []*controlPoint // where they go, by loop
}

// cut reads what comes after the declarations of a process.
func (r *reader) cut(body []*pml.Statement) {
	f := &flow{r: r, labels: map[string]*controlPoint{}, places: map[string]*pml.Statement{},
		spots: map[*pml.Statement]*controlPoint{}}
	f.collect(body)
	if r.errs.Err() != nil {
		return
	}
	at := f.begin(body)
	end := &controlPoint{known: true, pos: scan.Place(r.proc.Pos)}
	entry := f.list(body[at:], end)
	r.m.Init = body[:at]
	f.inside(r.m.Init, f.toMove(entry), true)
	if r.errs.Err() == nil {
		f.finish(entry)
	}
}

// collect notes the labels that stand outside of steps.
func (f *flow) collect(list []*pml.Statement) {
	for _, s := range list {
		if s.Label != nil {
			if old := f.places[s.Label.Name]; old != nil {
				e := f.r.errs.Add(scan.Place(s.Label.Pos), len(s.Label.Name), "the label %q is written again",
					s.Label.Name)
				e.Notes = append(e.Notes, diag.Note{Pos: scan.Place(old.Label.Pos), Msg: "first written here"})
			}
			f.places[s.Label.Name] = s
			f.labels[s.Label.Name] = &controlPoint{pos: scan.Place(s.Pos), label: s.Label.Name} // until it is cut
		}
		f.collect(s.Block)
		f.collect(Bodies(Alternatives(s)))
	}
}

// Alternatives returns those of an if or do.
func Alternatives(s *pml.Statement) []*pml.Option {
	return append(s.If[:len(s.If):len(s.If)], s.Do...)
}

// begin returns where the initial block ends: before the first loop, or the first
// label that a later goto goes back to, with the labels that stand before it.
func (f *flow) begin(body []*pml.Statement) int {
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
func goes(list []*pml.Statement, label string) bool {
	for s := range All(list) {
		if s.Goto != nil && s.Goto.Name == label {
			return true
		}
	}
	return false
}

// list cuts statements that stand outside of steps; after is where the process is when they are done.
func (f *flow) list(list []*pml.Statement, after *controlPoint) *controlPoint {
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
			at = &controlPoint{pos: scan.Place(s.Pos), known: true}
			f.spots[s] = at
			switch {
			case s.Do != nil:
				at.options = f.loop(s, at, f.list(rest, after))
			case s.If != nil:
				at.options = f.options(s.If, f.list(rest, after))
			default:
				at.options = []*pml.Option{{Pos: s.Pos, Later: true, Body: f.first(list[i:], after)}}
			}
			return at
		}
	}
	return after
}

// loop cuts the alternatives of a loop.
func (f *flow) loop(s *pml.Statement, at, after *controlPoint) []*pml.Option {
	f.breaks = append(f.breaks, after)
	defer func() { f.breaks = f.breaks[:len(f.breaks)-1] }()
	return f.options(s.Do, at)
}

// options cuts alternatives: their first steps are steps from here.
func (f *flow) options(list []*pml.Option, after *controlPoint) []*pml.Option {
	out := make([]*pml.Option, len(list))
	for i, o := range list {
		out[i] = &pml.Option{Pos: o.Pos, Else: o.Else}
		if o.Else == "" {
			out[i].Body = f.first(o.Body, after)
		} else { // else is a step of its own
			out[i].Rest = f.toMove(f.list(o.Rest, after))
		}
	}
	return out
}

// first returns the first step of statements, with where the process is afterwards.
func (f *flow) first(list []*pml.Statement, after *controlPoint) []*pml.Statement {
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
			return []*pml.Statement{{Pos: s.Pos, If: f.list(list[i:], after).options}}
		case s.If != nil:
			return []*pml.Statement{{Pos: s.Pos, If: f.options(s.If, f.list(rest, after))}}
		default:
			next := f.toMove(f.list(rest, after))
			f.inside([]*pml.Statement{s}, next, false)
			return append([]*pml.Statement{s}, next...)
		}
	}
	return f.toMove(after)
}

// toMove is a statement that sets where the process is.
func (f *flow) toMove(to *controlPoint) []*pml.Statement {
	s := &pml.Statement{Skip: "skip"}
	f.moves = append(f.moves, moveTo{s, to})
	return []*pml.Statement{s}
}

// target is where goto goes, outside of steps.
func (f *flow) target(id *pml.Ident) *controlPoint {
	to := f.labels[id.Name]
	if to == nil {
		var names []string
		for name := range f.labels {
			names = append(names, name)
		}
		f.r.errs.Add(scan.Place(id.Pos), len(id.Name), "there is no label %q to go to%s", id.Name,
			spell.Hint(id.Name, names))
		return &controlPoint{known: true}
	}
	return to
}

// loopEnd is where break goes.
func (f *flow) loopEnd(s *pml.Statement) *controlPoint {
	if len(f.breaks) == 0 {
		f.r.errs.Add(scan.Place(s.Pos), len(s.Break), "there is no loop that break could leave")
		return &controlPoint{known: true}
	}
	return f.breaks[len(f.breaks)-1]
}

// inside says of each goto and break in a step what comes next: what is left of
// the step, or then where the process is afterwards.
func (f *flow) inside(list, after []*pml.Statement, labels bool) {
	scope := &stepScope{f: f, labels: map[string]*pml.Jump{}}
	scope.walk(list, after, nil, labels)
	for _, s := range scope.gotos {
		if to := scope.labels[s.Goto.Name]; to != nil {
			s.To = to
		} else {
			s.To = &pml.Jump{List: f.toMove(f.target(s.Goto))}
		}
	}
}

// stepScope is one step.
type stepScope struct {
	f      *flow
	labels map[string]*pml.Jump
	gotos  []*pml.Statement
}

func (x *stepScope) walk(list, after []*pml.Statement, loop *pml.Jump, labels bool) {
	for i, s := range list {
		rest := append(list[i+1:len(list):len(list)], after...)
		switch {
		case s.Label != nil && labels:
			if x.labels[s.Label.Name] != nil {
				x.f.r.errs.Add(scan.Place(s.Label.Pos), len(s.Label.Name), "the label %q is written again in this step",
					s.Label.Name)
			}
			x.labels[s.Label.Name] = &pml.Jump{List: rest}
		case s.Goto != nil:
			x.gotos = append(x.gotos, s)
		case s.Break != "":
			switch {
			case loop != nil:
				s.To = loop
			default:
				s.To = &pml.Jump{List: x.f.toMove(x.f.loopEnd(s))}
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
			x.walk(o.Body, []*pml.Statement{s}, &pml.Jump{List: rest}, labels)
			x.walk(o.Rest, []*pml.Statement{s}, &pml.Jump{List: rest}, labels)
		}
	}
}

// finish numbers the locations that can be reached, and writes the steps down.
func (f *flow) finish(entry *controlPoint) {
	m := f.r.m
	m.Labels = map[string]int{}
	for name := range f.labels {
		m.Labels[name] = nowhere
	}
	order := f.reached(entry)
	if order == nil {
		return
	}
	for name, at := range f.labels {
		if to := at.find(); slices.Contains(order, to) {
			m.Labels[name] = to.number
			if to.label == "" || f.places[name].Pos.Offset < f.places[to.label].Pos.Offset {
				to.label = name
			}
		}
	}
	if m.Loop = entry.find().options; len(m.Loop) == 0 {
		f.r.errs.Add(scan.Place(f.r.proc.Pos), 6, "the process has no loop `do :: atomic { ... } od`")
		return
	}
	if len(order) == 1 {
		return
	}
	m.Loop = nil
	m.Where = f.variable(order)
	name := m.Locals[m.Where].Name
	for _, mv := range f.moves {
		to := mv.to.find()
		mv.s.Skip = ""
		mv.s.Set = &pml.Assign{Name: &pml.Ident{Name: name}, Value: numeral(int64(to.number))}
	}
	for _, at := range order { // that the process is there is no guard of the text, and has no place
		is := &pml.Expr{Op: "==", Args: []*pml.Expr{{Op: pml.Name, Name: name}, numeral(int64(at.number))}}
		if len(at.options) > 0 { // the end has no steps
			m.Loop = append(m.Loop, &pml.Option{Pos: entry.find().options[0].Pos, Spot: true,
				Body: []*pml.Statement{{Cond: is}, {If: at.options}}})
		}
	}
}

// variable declares the one that says where a process is.
func (f *flow) variable(order []*controlPoint) int {
	m := f.r.m
	name := names.Free("location", "_", func(n string) bool { return m.Symbols[n] != (symbol{}) })
	index := len(m.Locals)
	m.Symbols[name] = symbol{LocalName, index, scan.Place(f.r.proc.Pos)}
	m.Locals = append(m.Locals, Variable{Name: name, Type: "int", Pos: scan.Place(f.r.proc.Pos)})
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
	next := map[*pml.Statement]*controlPoint{}
	for _, mv := range f.moves {
		next[mv.s] = mv.to
	}
	var visit func(at *controlPoint)
	var follow func(list []*pml.Statement, done map[*pml.Statement]bool)
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
				follow(o.Body, map[*pml.Statement]bool{})
				follow(o.Rest, map[*pml.Statement]bool{})
			}
		}
	}
	follow = func(list []*pml.Statement, done map[*pml.Statement]bool) {
		for _, s := range list {
			if done[s] {
				continue
			}
			done[s] = true
			if next[s] != nil {
				visit(next[s])
			}
			follow(s.Inside(), done)
			for _, o := range Alternatives(s) {
				follow(o.Body, done)
				follow(o.Rest, done)
			}
			if s.To != nil {
				follow(s.To.List, done)
			}
		}
	}
	visit(entry)
	for _, s := range f.r.m.Init { // it may jump
		follow([]*pml.Statement{s}, map[*pml.Statement]bool{})
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

func numeral(n int64) *pml.Expr { return &pml.Expr{Op: pml.Number, Num: n} }
