package compile

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
)

// Reads calls yield with the places, in the vector, of all cells that a term may read of states.
func (c Compiler) Reads(t *protocol.Term, yield func(at int)) {
	t.Places(func(t *protocol.Term) { c.spread(t, yield) })
}

// spread calls yield with the places, in the vector, of all cells that a place may be.
func (c Compiler) spread(t *protocol.Term, yield func(at int)) {
	from, to := c.owners(t)
	for p := from; p < to; p++ {
		switch t.Base {
		case protocol.BaseStatus:
			yield(p)
		case protocol.BaseWhole:
			for at := c.at.base[p]; at < c.at.base[p+1]; at++ {
				yield(at)
			}
		default:
			for cell := range c.reach(t) {
				yield(c.at.base[p] + cell)
			}
		}
	}
}

// owners says which processes a place may be of: from one to before another; none if it is in no state.
func (c Compiler) owners(t *protocol.Term) (from, to int) {
	if t.Base != protocol.BaseRole && t.Base != protocol.BaseStatus && t.Base != protocol.BaseWhole {
		return 0, 0
	}
	r := &c.m.Roles[t.Role]
	if t.Base != protocol.BaseWhole {
		if v, known := c.constant(t.Who); known && v >= 1 && int(v) <= r.Size {
			return r.First + int(v) - 1, r.First + int(v)
		}
	}
	return r.First, r.First + r.Size
}

// Touches lists the processes that places are of.
func (c Compiler) Touches(places func(visit func(*protocol.Term))) []int {
	list := []int{}
	places(func(t *protocol.Term) {
		from, to := c.owners(t)
		for p := from; p < to; p++ {
			list = lists.Union(list, p)
		}
	})
	return list
}

// Effect is what the statements of a transition do to one process, or else send, and by which cells that is decided.
type Effect struct {
	Process int     // the number of processes for what is sent
	Reads   [][]int // by process: places in the vector; of its own, those that are always overwritten are not read
}

// Effects splits what the statements of a transition do whose parameters are known. Statements belong together that
// write to the same process, or read what an earlier one has written; those that name something, send or write nothing
// do, too. What statements do that belong together depends on what the state before had in the cells that they read.
func (c Compiler) Effects(t *protocol.Transition) (list []Effect) {
	n := len(c.at.base) - 1
	group := make([]int, n+1)
	for p := range group {
		group[p] = p
	}
	join := func(p, q int) {
		for i, old, now := 0, group[p], group[q]; i <= n; i++ {
			if group[i] == old {
				group[i] = now
			}
		}
	}
	var writers []int // by statement: a process that it writes to
	var reads [][]int
	var written, wrote, sure []int // processes, and cells that are, or always are
	c.flat(t.Body, func(c Compiler, s *protocol.Step) {
		var in, out, to []int
		protocol.Collect([]*protocol.Step{s}, func(t *protocol.Term, write bool) {
			if from, end := c.owners(t); from == end {
				to = lists.Union(to, n)
			} else if write {
				c.spread(t, func(at int) { out, to = lists.Union(out, at), lists.Union(to, c.at.owner[at]) })
			} else {
				c.spread(t, func(at int) { in = lists.Union(in, at) })
			}
		})
		if len(to) == 0 {
			to = []int{n}
		}
		if s.Kind == protocol.StepAssign || s.Kind == protocol.StepUndefine {
			if a, ok := c.address(s.Target); ok && len(a.list) == 0 {
				sure = lists.Union(sure, out...)
			}
		}
		for _, at := range in {
			if slices.Contains(wrote, at) {
				join(c.at.owner[at], to[0])
			}
		}
		for _, p := range to {
			join(p, to[0])
		}
		written, wrote = lists.Union(written, to...), lists.Union(wrote, out...)
		writers, reads = append(writers, to[0]), append(reads, in)
	})
	for _, p := range written {
		x := Effect{Process: p, Reads: make([][]int, n)}
		for k, in := range reads {
			for _, at := range in {
				if q := c.at.owner[at]; group[writers[k]] == group[p] {
					x.Reads[q] = lists.Union(x.Reads[q], at)
				}
			}
		}
		for at, q := range c.at.owner {
			if q == p && !slices.Contains(sure, at) {
				x.Reads[p] = lists.Union(x.Reads[p], at)
			}
		}
		list = append(list, x)
	}
	return list
}

// flat calls yield with statements, those of loops for each value.
func (c Compiler) flat(steps []*protocol.Step, yield func(Compiler, *protocol.Step)) {
	for _, s := range steps {
		block, known := c.chosen(s)
		switch {
		case known:
			c.flat(block, yield)
		case s.Kind == protocol.StepFor && s.Range.Quorum < 0 && s.Range.Sent == nil && s.Range.Type.Size() <= mostSure:
			for v := s.Range.Type.Lo; v <= s.Range.Type.Hi; v++ {
				c.with(s.Var, v).flat(s.Blocks[0], yield)
			}
		default:
			yield(c, s)
		}
	}
}

// chosen returns the block of an if that is executed, where states do not decide that.
func (c Compiler) chosen(s *protocol.Step) (block []*protocol.Step, known bool) {
	if s.Kind != protocol.StepIf {
		return nil, false
	}
	for i, b := range s.Blocks {
		if i == len(s.Conds) {
			return b, true
		}
		if v, known := c.constant(s.Conds[i]); !known || v == protocol.Undef {
			return nil, false
		} else if v != 0 {
			return b, true
		}
	}
	return nil, true
}
