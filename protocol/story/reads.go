package story

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/run"
)

// cellOrMessage is what steps write and read: a cell of a process, its status, or a message.
type cellOrMessage struct {
	kind spotKind
	at   int // the process, or the number of the message
	cell int
}

type spotKind uint8

const (
	spotCell      spotKind = iota
	spotStatus             // of a process
	spotSent               // a message is on its way
	spotDelivered          // it can be received
)

// spots is a set.
type spots = run.Places[cellOrMessage]

// reader finds what gives terms their values: of a conjunction that is false, one part of it that is; of a number that
// is large enough, those that it counts.
type reader struct {
	*protocol.Evaluation
	written map[cellOrMessage]spots // in this step, before: from what
	named   map[int]spots           // by cell of the frame: from what it got its value
	sending map[int]spots           // by message, as they are begun
}

// bound says in which direction a number decides something.
type bound int

const (
	exactly bound = 0
	atLeast bound = 1
	atMost  bound = -1
)

// read adds what gives a term its value.
func (r *reader) read(t *protocol.Term, b bound, out spots) {
	switch t.Op {
	case ftdp.Number, ftdp.Name:
	case protocol.OpPlace:
		r.place(t, out)
	case ftdp.Not, ftdp.And, ftdp.Or, ftdp.Implies, ftdp.Iff, ftdp.ForAll, ftdp.Exists:
		r.condition(t, out)
	case ftdp.Count, ftdp.Collect, ftdp.Max, ftdp.Min:
		r.Each(t.Range, t.Var, func() bool {
			counts := t.Op != ftdp.Count || b == exactly || (r.Value(t.Args[0]) == 1) == (b == atLeast)
			if counts {
				r.all(t.Args, out)
			}
			return true
		})
	case ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		r.comparison(t, out)
	case ftdp.Plus:
		r.read(t.Args[0], b, out)
		r.read(t.Args[1], b, out)
	case ftdp.Sub:
		r.read(t.Args[0], b, out)
		r.read(t.Args[1], -b, out)
	case ftdp.Minus:
		r.read(t.Args[0], -b, out)
	case ftdp.Times:
		for i, a := range t.Args {
			of := exactly
			if other := t.Args[1-i]; other.Op == ftdp.Number {
				of = b * bound(cmp.Compare(other.Value, 0))
			}
			r.read(a, of, out)
		}
	default:
		r.all(t.Args, out)
	}
}

func (r *reader) all(list []*protocol.Term, out spots) {
	for _, t := range list {
		r.read(t, exactly, out)
	}
}

// condition reads the facts from which a condition has its value: of several that are enough, the first.
func (r *reader) condition(t *protocol.Term, out spots) {
	frame := r.Frame
	defer func() { r.Frame = frame }()
	in := func(p part) *protocol.Evaluation { r.Frame = slices.Clone(p.frame); return r.Evaluation }
	for _, c := range run.Deciding(claim{Part: part{t: t, frame: frame}, Want: r.Value(t) == 1},
		func(c claim) (run.Shape, []claim) { return split(in(c.Part), c) },
		func(c claim) bool { return (in(c.Part).Value(c.Part.t) == 1) == c.Want }, 1) {
		in(c.Part)
		r.read(c.Part.t, exactly, out)
	}
}

// comparison reads two sides, each as far as the other one has to be reached.
func (r *reader) comparison(t *protocol.Term, out spots) {
	left := exactly
	switch t.Op {
	case ftdp.Gt, ftdp.Ge:
		left = atLeast
	case ftdp.Lt, ftdp.Le:
		left = atMost
	}
	if left != exactly && r.Value(t) == 0 {
		left = -left
	}
	if a, b := t.Args[0], t.Args[1]; a.Type.Cells > 1 && a.IsPlace() && b.IsPlace() {
		r.unequal(a, b, out)
		return
	}
	r.read(t.Args[0], left, out)
	r.read(t.Args[1], -left, out)
}

// unequal reads two places with several parts: where some of these differ, them, else all.
func (r *reader) unequal(a, b *protocol.Term, out spots) {
	x, y := slices.Clone(r.Place(a)[:a.Type.Cells]), r.Place(b)[:b.Type.Cells]
	differs := func(i int) bool { return i >= len(x) || x[i] != y[i] }
	if slices.Equal(x, y) || len(x) != len(y) {
		differs = func(int) bool { return true }
	}
	r.cells(a, differs, out)
	r.cells(b, differs, out)
}

// place reads a place and what its indices depend on.
func (r *reader) place(t *protocol.Term, out spots) {
	r.cells(t, func(int) bool { return true }, out)
}

// cells reads some parts of a place, by number.
func (r *reader) cells(t *protocol.Term, some func(i int) bool, out spots) {
	if t.Base == protocol.BaseValue {
		r.read(t.Args[0], exactly, out)
	}
	r.indices(t, out)
	for i, s := range r.spotsOf(t) {
		if from, here := r.written[s]; !some(i) {
			continue
		} else if here {
			out.Add(from)
		} else {
			out[s] = true
		}
	}
	switch t.Base {
	case protocol.BaseLet:
		for c := range t.Type.Cells {
			out.Add(r.named[t.Var+r.Offset(t)+c])
		}
	case protocol.BaseOut:
		out.Add(r.sending[r.message(t)])
	}
}

// message is which of the messages of a step a place is in that is sent.
func (r *reader) message(t *protocol.Term) int {
	return r.Writing([2]int{t.Role, r.Process(t) - r.M.Roles[t.Role].First})
}

// indices reads what decides which place it is.
func (r *reader) indices(t *protocol.Term, out spots) {
	if t.Who != nil {
		r.read(t.Who, exactly, out)
	}
	for _, x := range t.Indices {
		r.read(x.Index, exactly, out)
	}
}

// spotsOf lists the cells of a place in the states of processes.
func (r *reader) spotsOf(t *protocol.Term) (list []cellOrMessage) {
	switch t.Base {
	case protocol.BaseStatus:
		return []cellOrMessage{{kind: spotStatus, at: r.Process(t)}}
	case protocol.BaseRole:
		process, at := r.Process(t), r.Offset(t)
		for c := range t.Type.Cells {
			list = append(list, cellOrMessage{at: process, cell: at + c})
		}
	case protocol.BaseWhole:
		role := &r.M.Roles[t.Role]
		for p := role.First; p < role.First+role.Size; p++ {
			for c := range r.State.Cells[p] {
				list = append(list, cellOrMessage{at: p, cell: c})
			}
		}
	}
	return list
}

// sorted lists a set in an order.
func sorted(s spots) []cellOrMessage {
	return slices.SortedFunc(maps.Keys(s), func(a, b cellOrMessage) int {
		return slices.Compare([]int{int(a.kind), a.at, a.cell}, []int{int(b.kind), b.at, b.cell})
	})
}
