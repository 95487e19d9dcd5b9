package index

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
)

// Rename gives the name at a place another one, everywhere: it returns the text after that. What is
// read anew from it has to be the same up to that name, so that neither the meaning changes nor
// something is wrong afterwards; else the error says why not. Its cost is that of reading twice.
func Rename(text string, at diag.Pos, to string, read func(text string) (*Index, error)) (string, []diag.Pos, error) {
	x, err := read(text)
	if err != nil || !x.Whole {
		return "", nil, fmt.Errorf("correct what is wrong with the model first")
	}
	s, err := x.renamable(at)
	if err != nil {
		return "", nil, err
	}
	if !x.IsName(s.Kind, to) {
		return "", nil,
			fmt.Errorf("%q cannot be the name of a %s: use letters, digits and underscores, "+
				"and no word of the language", to, s.Kind)
	}
	if to == s.Name {
		return text, nil, nil
	}
	for _, t := range x.Tokens {
		if t.Class == Name && x.Of(t) == nil && (t.Text == s.Name || t.Text == to) {
			return "", nil, fmt.Errorf("%s is also written in line %d, where nothing is known of it: rename by hand",
				t.Text, t.Pos.Line)
		}
	}
	places := s.Places()
	out := replace(text, places, len(s.Name), to)
	y, err := read(out)
	if err == nil && y.Whole && x.same(y, s, to) {
		return out, places, nil
	}
	for _, other := range lists.Keep(x.Symbols, func(s *Symbol) bool { return s.Name == to }) {
		if other.Pos.IsValid() && !other.meets(s) {
			continue
		}
		if other.Pos.IsValid() {
			return "", nil, fmt.Errorf("there is a %s %s already, in line %d", other.Kind, to, other.Pos.Line)
		}
		return "", nil, fmt.Errorf("%s is a %s", to, other.Kind)
	}
	var list diag.List
	if errors.As(err, &list) && len(list) > 0 {
		return "", nil, fmt.Errorf("something would be wrong then, in line %d: %s", list[0].Pos.Line, list[0].Msg)
	}
	if err != nil {
		return "", nil, fmt.Errorf("something would be wrong then: %w", err)
	}
	return "", nil, fmt.Errorf("the text would mean something else then")
}

// renamable returns the symbol at a place; the error says why it cannot have another name.
func (x *Index) renamable(at diag.Pos) (*Symbol, error) {
	s, _ := x.At(at)
	t, ok := x.tokenAt(at)
	switch {
	case !ok || t.Class == Number && s == nil:
		return nil, fmt.Errorf("there is no name here")
	case t.Class == Keyword && s == nil:
		return nil, fmt.Errorf("%s is a word of the language", t.Text)
	case s == nil:
		return nil, fmt.Errorf("nothing is known of %s here: no reading of the text as it is comes to it", t.Text)
	case !s.Pos.IsValid():
		return nil, fmt.Errorf("%s is a word of the language", s.Name)
	case s.Fixed != "":
		return nil, fmt.Errorf("%s cannot be renamed: %s", s.Name, s.Fixed)
	}
	return s, nil
}

// meets reports whether there is a place where both can be used.
func (s *Symbol) meets(t *Symbol) bool {
	before := func(s, t *Symbol) bool { return s.To.IsValid() && t.From.IsValid() && s.To.Before(t.From) }
	return !before(s, t) && !before(t, s)
}

// Renamable returns the symbol at a place that can have another name; the error says why not.
func (x *Index) Renamable(at diag.Pos) (*Symbol, error) { return x.renamable(at) }

// replace puts a word in place of those of a width at some places of a text.
func replace(text string, places []diag.Pos, width int, to string) string {
	places = slices.Clone(places)
	slices.SortFunc(places, Order)
	lines := strings.Split(text, "\n")
	for _, p := range slices.Backward(places) {
		line := []rune(lines[p.Line-1])
		first := p.Col - 1
		lines[p.Line-1] = string(line[:first]) + to + string(line[first+width:])
	}
	return strings.Join(lines, "\n")
}

// same reports whether y is x after a symbol was renamed.
func (x *Index) same(y *Index, renamed *Symbol, to string) bool {
	byLine := map[int][]diag.Pos{}
	for _, p := range renamed.Places() {
		byLine[p.Line] = append(byLine[p.Line], p)
	}
	moved := func(p diag.Pos) place {
		col := p.Col
		for _, q := range byLine[p.Line] {
			if q.Before(p) {
				col += len(to) - len(renamed.Name)
			}
		}
		return place{p.Line, col}
	}
	name := func(s *Symbol) string {
		if s == renamed {
			return to
		}
		return s.Name
	}
	return slices.EqualFunc(x.Symbols, y.Symbols, func(s, t *Symbol) bool {
		sameWithin := (s.Within == nil) == (t.Within == nil) && (s.Within == nil || name(s.Within) == t.Within.Name)
		return s.Kind == t.Kind && name(s) == t.Name && sameWithin && (s.Fixed == "") == (t.Fixed == "") &&
			(!s.Pos.IsValid() && !t.Pos.IsValid() || moved(s.Pos) == key(t.Pos)) &&
			slices.EqualFunc(s.Uses, t.Uses, func(u, v Use) bool {
				return moved(u.Pos) == key(v.Pos) && u.Writes == v.Writes
			})
	}) && slices.EqualFunc(x.Tokens, y.Tokens, func(s, t Token) bool {
		want := s.Text
		if x.Of(s) == renamed {
			want = to
		}
		return s.Class == t.Class && moved(s.Pos) == key(t.Pos) && (want == t.Text)
	})
}
