package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Free adds the cells of a frame that a term reads and does not bind to used. It reports
// whether the term is one of states, without parts of messages and quorums, and whether it
// speaks of several processes at once: by a quantifier, a count, a maximum.
func (t *Term) Free(used map[int]bool) (ofStates, aggregates bool) {
	ofStates = true
	var walk func(t *Term, bound map[int]bool)
	walk = func(t *Term, bound map[int]bool) {
		if t == nil {
			return
		}
		switch t.Op {
		case ftdp.Name:
			if !bound[t.Var] {
				used[t.Var] = true
			}
		case ftdp.In:
			ofStates = false
		case ftdp.ForAll, ftdp.Exists, ftdp.Count, ftdp.Max, ftdp.Min, ftdp.Collect:
			aggregates = true
			ofStates = ofStates && t.Range.Quorum < 0
			inner := map[int]bool{t.Var: true}
			for v := range bound {
				inner[v] = true
			}
			bound = inner
		case OpPlace:
			switch t.Base {
			case BaseMsg, BaseAbsent, BaseOut, BaseOuts, BaseLet, BaseSent:
				ofStates = false
			case BaseWhole:
				aggregates = true
			}
			walk(t.Who, bound)
			for _, x := range t.Indices {
				walk(x.Index, bound)
			}
		}
		for _, a := range t.Args {
			walk(a, bound)
		}
	}
	walk(t, map[int]bool{})
	return ofStates, aggregates
}

// Operator and Operands are those of a term.
func (t *Term) Operator() ftdp.Op { return t.Op }
func (t *Term) Operands() []*Term { return t.Args }

// Pairs are the comparisons of two that a chain of comparisons stands for.
func (t *Term) Pairs() (list []*Term) {
	ftdp.EachPair(t.Ops, func(op ftdp.Op, i, j int) {
		list = append(list, &Term{Op: op, Pos: t.Pos, Width: t.Width, Type: BoolType,
			Args: []*Term{t.Args[i], t.Args[j]}})
	})
	return list
}

// Excerpt returns the text of a term, if it is in one line, or says where it is.
func (m *Model) Excerpt(t *Term) string {
	lines := strings.Split(m.Source.Written().Text(), "\n")
	if t.Pos.File == m.File && t.Width > 1 && t.Pos.Line >= 1 && t.Pos.Line <= len(lines) {
		line := []rune(lines[t.Pos.Line-1])
		if from, to := t.Pos.Col-1, t.Pos.Col-1+t.Width; from >= 0 && to <= len(line) {
			return strings.TrimSpace(string(line[from:to]))
		}
	}
	return fmt.Sprintf("the condition at %d:%d", t.Pos.Line, t.Pos.Col)
}

// before reports whether the first cell of a place, with whatever indices, is not behind the last one of another.
// Places of whole roles have no such order.
func (t *Term) before(u *Term) bool {
	if t.Base == BaseWhole || u.Base == BaseWhole {
		return true
	}
	end := u.Offset + u.Type.Cells
	for _, x := range u.Indices {
		end += (x.Array.Index.Size() - 1) * x.Stride
	}
	return t.Offset < end
}

// constants calls visit for every constant that is written in a term without variables.
func (t *Term) constants(visit func(name string)) {
	for t := range t.All() {
		if t.Op == ftdp.Number && t.Const != "" {
			visit(t.Const)
		}
	}
}

// constantOf evaluates a term without variables.
func constantOf(t *Term) (v int32, ok bool) {
	defer diag.Caught(func(*Failure) { v, ok = 0, false })
	if !t.closed() || chosen(t) != nil {
		return 0, false
	}
	return (&Evaluation{}).Value(t), true
}

// closed reports whether a term has no variables and places.
func (t *Term) closed() bool {
	return !t.Any(func(t *Term) bool { return t.Op == ftdp.Name || t.Op == OpPlace || t.Range != nil })
}

// nothing is a value of a type whose parts are all undefined.
func nothing(t *Type) *Term {
	if t.Scalar() {
		return &Term{Op: ftdp.Number, Type: t, Value: Undef}
	}
	out := &Term{Op: ftdp.Tuple, Type: t}
	t.Leaves("", 0, func(_ string, leaf *Type, _ int) { out.Args = append(out.Args, nothing(leaf)) })
	return out
}

// nth is the place of an element of an array that is one.
func (t *Term) nth(index *Term) *Term {
	out := t.part()
	out.Type = t.Type.Elem
	out.Indices = append(slices.Clip(t.Indices), Subscript{index, t.Type, t.Type.Elem.Cells})
	return out
}

// items is the place of the elements of a sequence, length that of their number.
func (t *Term) items() *Term {
	out := t.part()
	out.Type, out.Offset, out.element = t.Type.Fields[1].Type, t.Offset+1, true
	return out
}

func (t *Term) length() *Term {
	out := t.part()
	out.Type, out.element = t.Type.Fields[0].Type, true
	return out
}

// top is the first cell of a frame behind those that a term's own variables take.
func (t *Term) top() int {
	if t == nil {
		return 0
	}
	n := 0
	if t.Range != nil {
		n = t.Var + 1
	}
	t.EachPart(func(u *Term) bool { n = max(n, u.top()); return true })
	return n
}

// chosen is the first choice between values among terms; nil if there is none.
func chosen(list ...*Term) *Term {
	for _, t := range list {
		for u := range t.All() {
			if u.isChoice() {
				return u
			}
		}
	}
	return nil
}

func (t *Term) isChoice() bool { return t.Op == ftdp.Choice }

// replaced is a term with another one in the place of a variable.
func (t *Term) replaced(variable int, by *Term) *Term {
	if t.Op == ftdp.Name && t.Var == variable {
		return by
	}
	return t.Map(func(u *Term) *Term { return u.replaced(variable, by) })
}
