package index

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
)

// Builder collects names and tokens.
type Builder struct {
	x     Index
	order map[*Symbol]int
}

// NewBuilder makes a Builder for a text with these tokens, in its order.
func NewBuilder(tokens []Token, isName func(Kind, string) bool) *Builder {
	return &Builder{x: Index{Tokens: tokens, IsName: isName, at: map[place]*Symbol{}}, order: map[*Symbol]int{}}
}

// Declare adds a name with the place where it is declared. What is declared at this place already is returned as it is.
func (b *Builder) Declare(kind Kind, name string, pos diag.Pos) *Symbol {
	if old := b.x.at[key(pos)]; old != nil && pos.IsValid() {
		return old
	}
	s := &Symbol{Name: name, Kind: kind, Pos: pos}
	b.order[s] = len(b.x.Symbols)
	b.x.Symbols = append(b.x.Symbols, s)
	if pos.IsValid() {
		b.x.at[key(pos)] = s
	}
	return s
}

// Declared returns what is declared at a place, or nil.
func (b *Builder) Declared(pos diag.Pos) *Symbol {
	if s := b.x.at[key(pos)]; s != nil && key(s.Pos) == key(pos) {
		return s
	}
	return nil
}

// Use adds a place where a symbol is used; nothing if s is nil. A place that is used for
// another symbol, too, fixes the names of both.
func (b *Builder) Use(s *Symbol, pos diag.Pos, writes bool) {
	if s == nil || !pos.IsValid() {
		return
	}
	switch old := b.x.at[key(pos)]; {
	case old == nil:
		b.x.at[key(pos)] = s
		s.Uses = append(s.Uses, Use{pos, writes})
	case old != s:
		why := fmt.Sprintf("what stands in line %d means %s %s and also %s %s, depending on where a macro is used",
			pos.Line, old.Kind, old.Name, s.Kind, s.Name)
		old.Fixed, s.Fixed = why, why
	default:
		for i := range s.Uses {
			if key(s.Uses[i].Pos) == key(pos) {
				s.Uses[i].Writes = s.Uses[i].Writes || writes
			}
		}
	}
}

// Index returns what was collected; whole says that the text is right.
func (b *Builder) Index(whole bool) *Index {
	x := b.x
	x.Whole = whole
	for _, s := range x.Symbols {
		slices.SortFunc(s.Uses, func(u, v Use) int { return Order(u.Pos, v.Pos) })
	}
	slices.SortStableFunc(x.Symbols, func(s, t *Symbol) int {
		switch {
		case s.Pos.IsValid() != t.Pos.IsValid():
			return map[bool]int{true: -1, false: 1}[s.Pos.IsValid()]
		case Order(s.Pos, t.Pos) != 0:
			return Order(s.Pos, t.Pos)
		}
		return cmp.Compare(b.order[s], b.order[t])
	})
	return &x
}

// Order compares places.
func Order(p, q diag.Pos) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}
