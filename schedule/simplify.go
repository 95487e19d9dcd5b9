package schedule

import (
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
)

// inhabited returns the locations in which a process can ever be, if guards that can be true at all are: those that may
// not be empty at first, and those that moves lead to from them. A location that is not inhabited is empty in every
// configuration of every run, and no rule out of it ever fires.
func inhabited(a *ta.Automaton, moves []move) []bool {
	in := make([]bool, len(a.Locations))
	for l, empty := range a.InitiallyEmpty() {
		in[l] = !empty
	}
	for changed := true; changed; {
		changed = false
		for _, m := range moves {
			if in[m.rule.From] && !in[m.rule.To] {
				in[m.rule.To], changed = true, true
			}
		}
	}
	return in
}

// from keeps the moves out of inhabited locations.
func from(moves []move, inhabited []bool) []move {
	return lists.Keep(moves, func(m move) bool { return inhabited[m.rule.From] })
}

// relevant keeps the moves that a finite run to the cut points can need: those that change something that a proposition
// reads, or that a guard of a move that is needed reads, or that bring a process to where such a move starts. (The cone
// of influence.)
//
// A run without the other moves does the same: where one was made, its process stays where it is, which no proposition
// reads, and from where it would have gone nothing that matters can be done. This is not so for infinite runs, which
// may need a process to get to where it can wait for ever.
func (p *Problem) relevant() []move {
	reads := map[ta.Symbol]bool{}
	read := func(c *ta.Cond) {
		for _, at := range c.Atoms(nil) {
			for _, t := range at.Linear.Terms() {
				reads[t.Var] = true
			}
		}
	}
	read(p.root.prop)
	for i := range p.cuts {
		read(p.cuts[i].prop)
	}
	source := map[int]bool{} // locations where needed moves start
	if p.epochs != nil {
		for _, e := range p.epochs.events {
			source[e.From] = true
			read(e.Guard)
		}
	}
	needed := make([]bool, len(p.moves))
	for changed := true; changed; {
		changed = false
		for k := range p.moves {
			r := p.moves[k].rule
			if needed[k] || !source[r.To] && !changes(r, reads) {
				continue
			}
			needed[k], changed = true, true
			source[r.From] = true
			for _, l := range p.moves[k].guard {
				read(l.Cond())
			}
		}
	}
	var out []move
	for k := range p.moves {
		if needed[k] {
			out = append(out, p.moves[k])
		}
	}
	return out
}

// changes reports whether a rule changes one of the symbols.
func changes(r *ta.Rule, symbols map[ta.Symbol]bool) bool {
	if symbols[ta.Symbol{Kind: ta.Counter, Index: r.From}] || symbols[ta.Symbol{Kind: ta.Counter, Index: r.To}] {
		return true
	}
	return slices.ContainsFunc(r.Update.Terms(), func(t linear.Term[ta.Symbol]) bool { return symbols[t.Var] })
}
