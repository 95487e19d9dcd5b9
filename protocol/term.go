package protocol

import (
	"errors"
	"fmt"
	"maps"
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

// ConditionError says what is wrong with a condition: the positions are in its text.
type ConditionError struct {
	Text string
	List diag.List
}

func (e *ConditionError) Error() string { return e.List.Error() }

func (e *ConditionError) Unwrap() error { return e.List }

// Condition resolves a condition of states, in the words of the model. What is wrong with it is a *ConditionError.
func (m *Model) Condition(c *ConditionText) (*Prop, error) {
	if m.Made() {
		return m.sourceCondition(c)
	}
	return m.condition(c, "condition", false)
}

// ConditionText is a condition that stands beside a text, as it is written.
type ConditionText struct {
	Text string
	expr *ftdp.Expr
}

// ReadCondition reads a condition. What is wrong with it is a *ConditionError, whose positions have the name what for a
// file.
func ReadCondition(what, text string) (*ConditionText, error) {
	c := &ConditionText{Text: strings.TrimSuffix(strings.TrimSpace(text), ";")}
	if strings.Contains(c.Text, ";") {
		return nil, fmt.Errorf("%.60q is more than one formula", text)
	}
	var err error
	if c.expr, err = ftdp.ReadExpr(what, c.Text); err != nil {
		return nil, c.wrong(err)
	}
	return c, nil
}

// wrong makes problems of the condition a *ConditionError.
func (c *ConditionText) wrong(err error) error {
	var list diag.List
	if errors.As(err, &list) {
		return &ConditionError{Text: c.Text, List: list}
	}
	return err
}

// Stated is the lemma or the invariant of the text with a name; nil if there is none.
func (m *Model) Stated(name string) *Prop {
	for i := range m.Lemmas {
		if m.Lemmas[i].Name == name {
			return &m.Lemmas[i]
		}
	}
	if p := m.Lookup(name); p != nil && p.Invariant != nil {
		return p
	}
	return nil
}

// condition resolves a condition; it may be the name of one of the text. One of lemmas may ask what was ever
// sent. It must not tell processes apart where the model does not.
func (m *Model) condition(of *ConditionText, name string, lemma bool) (*Prop, error) {
	if e := of.expr; e.Op == ftdp.Name {
		if stated := m.Stated(e.Name); stated != nil {
			return &Prop{Name: name, Pos: e.Pos, Invariant: stated.Invariant, Frame: stated.Frame,
				Fair: make([]bool, len(m.Rules))}, nil
		}
	}
	c := m.Resolver()
	s := c.Scope()
	s.lemma = lemma
	t := s.boolean(of.expr)
	if t != nil {
		s.ofFormulas(t)
	}
	if err := c.Errs.Err(); err != nil {
		return nil, of.wrong(err)
	}
	hints := [][2]diag.List{{m.Asymmetry, c.M.Asymmetry}}
	if lemma {
		hints = append(hints, [2]diag.List{m.Numbering, c.M.Numbering})
	}
	for _, hints := range hints {
		if hints[0] == nil && hints[1] != nil {
			for _, e := range hints[1] {
				e.Severity = diag.Problem
			}
			return nil, of.wrong(hints[1].Err())
		}
	}
	return &Prop{Name: name, Pos: of.expr.Pos, Invariant: t, Frame: s.Frame, Fair: make([]bool, len(m.Rules))}, nil
}

// Resolver resolves what stands beside the text: the model stays as it is.
func (m *Model) Resolver() *Checker {
	c, own := *m.Checker, *m
	c.M, c.Errs, c.Uses, c.depth = &own, nil, nil, 0
	c.enums, c.values = maps.Clone(c.enums), maps.Clone(c.values)
	own.Asymmetry, own.Numbering = slices.Clip(m.Asymmetry), slices.Clip(m.Numbering)
	return &c
}

// sourceCondition reads a condition in the words of the text for all sizes that an instance was made of.
func (m *Model) sourceCondition(c *ConditionText) (*Prop, error) {
	name := m.Source.Words().Fresh("condition", "")
	with, err := m.Remodel(m.Source.With(&ftdp.Section{Invariant: &ftdp.Property{Name: &ftdp.Ident{Name: name},
		Formula: c.expr}}), m.Chosen(), false)
	if err != nil {
		return nil, c.wrong(err)
	}
	return with.Lookup(name), nil
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
