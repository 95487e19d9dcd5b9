// Package indextest tests what languages tell editors, on texts of theirs.
package indextest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
)

// Language is what is tested.
type Language struct {
	Read   func(text string) (*index.Index, error)
	Format func(text string) (string, error)
	Next   func(text string) index.Wanted
	// Meaning prints what a text means, in a way in which only names differ after a renaming; nil
	// for the canonical text.
	Meaning func(text string) (string, error)
}

// renamings is how many names of a text are renamed.
const renamings = 3

// Rename renames names at random: what comes out is read without problems, can be formatted, means
// the same up to that name, and can be renamed back. Names that are there, and words of the language,
// are mostly refused.
func Rename(t *testing.T, l Language, texts map[string]string) {
	done, refused := 0, 0
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range sorted(texts) {
		text := texts[name]
		x, err := l.Read(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var list []*index.Symbol
		for _, s := range x.Symbols {
			if s.Pos.IsValid() {
				list = append(list, s)
			}
		}
		for range renamings {
			s := list[r.IntN(len(list))]
			places := s.Places()
			at := places[r.IntN(len(places))]
			fresh := fmt.Sprintf("zz%d", r.IntN(100))
			if l.rename(t, name, text, s, at, fresh) {
				done++
			}
			var old string
			if tok := x.Tokens[r.IntN(len(x.Tokens))]; tok.Class <= index.Keyword && tok.Text != s.Name {
				old = tok.Text
			} else {
				continue
			}
			if !l.rename(t, name, text, s, at, old) {
				refused++
			}
		}
	}
	if done < len(texts) || refused == 0 {
		t.Errorf("%d renamed, %d refused: too few to say anything", done, refused)
	}
	t.Logf("%d renamed, %d refused", done, refused)
}

// rename reports whether a name could be changed, after it looked at what came of it.
func (l Language) rename(t *testing.T, name, text string, s *index.Symbol, at diag.Pos, to string) bool {
	t.Helper()
	out, places, err := index.Rename(text, at, to, l.Read)
	if err != nil {
		return false
	}
	fail := func(why any) {
		t.Errorf("%s: %s %s in line %d renamed to %s: %v", name, s.Kind, s.Name, s.Pos.Line, to, why)
	}
	if len(places) != len(s.Uses)+1 {
		fail(fmt.Sprintf("%d places of %d", len(places), len(s.Uses)+1))
	}
	if _, err := l.Format(out); err != nil {
		fail(err)
		return true
	}
	before, err := l.meaning(text)
	if err != nil {
		t.Fatal(err)
	}
	after, err := l.meaning(out)
	if err != nil {
		fail(err)
		return true
	}
	if words(before, s.Name, to) != words(after, s.Name, to) {
		fail("another meaning\n" + out)
	}
	// Back, from the first place, which may have moved.
	first := slices.MinFunc(places, func(p, q diag.Pos) int {
		if p.Before(q) {
			return -1
		}
		return 1
	})
	if back, _, err := index.Rename(out, first, s.Name, l.Read); err != nil || back != text {
		fail(fmt.Sprintf("and not back: %v", err))
	}
	return true
}

func (l Language) meaning(text string) (string, error) {
	if l.Meaning != nil {
		return l.Meaning(text)
	}
	return l.Format(text)
}

// words splits a text into words, in which a name and another one are the same.
func words(text, name, to string) string {
	list := strings.FieldsFunc(text, func(r rune) bool { return !wordRune(r) })
	for i, w := range list {
		if w == name || w == "2"+name { // as protocols write what is sent to a role
			list[i] = strings.TrimSuffix(w, name) + to
		}
	}
	return strings.Join(list, " ")
}

func wordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

func sorted(texts map[string]string) (list []string) {
	for name := range texts {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// completions is how many words of a text are left out to see whether they are offered.
const completions = 8

// Complete leaves out words at random, with all that follows: what stood there is among what is said
// to come there.
func Complete(t *testing.T, l Language, texts map[string]string) {
	r := rand.New(rand.NewPCG(3, 4))
	n, all := 0, 0
	for _, name := range sorted(texts) {
		text := texts[name]
		x, err := l.Read(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for range completions {
			tok := x.Tokens[r.IntN(len(x.Tokens))]
			s := x.Of(tok)
			if tok.Class > index.Keyword || tok.Class == index.Name && s == nil || s != nil && s.Pos == tok.Pos {
				continue // names are not offered where they are declared
			}
			n++
			w := l.Next(before(text, tok.Pos))
			if w.Any {
				all++
			}
			declared := s != nil && s.Pos.IsValid()
			if declared && !(slices.Contains(w.Kinds, s.Kind) && s.Visible(tok.Pos)) || !declared && !slices.Contains(w.Words, tok.Text) {
				t.Errorf("%s: %v: %s is not offered, but %v and names of kinds %v", name, tok.Pos, tok.Text, w.Words, w.Kinds)
			}
		}
	}
	if n < len(texts) || all > n/10 {
		t.Errorf("%d words were left out, and all words were offered for %d", n, all)
	}
}

func before(text string, p diag.Pos) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:p.Line-1], "") + string([]rune(lines[p.Line-1])[:p.Col-1])
}

// broken is how many broken texts are made of a text.
const broken = 10

// Broken reads texts that end somewhere, or lack some words: what is said of them need not be much.
func Broken(t *testing.T, l Language, texts map[string]string) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, name := range sorted(texts) {
		text := texts[name]
		for range broken {
			from := r.IntN(len(text))
			to := min(len(text), from+r.IntN(60))
			bad := text[:from]
			if r.IntN(2) == 0 {
				bad += text[to:]
			}
			x, err := l.Read(bad)
			if x == nil || err != nil && x.Whole {
				t.Errorf("%s without %d to %d: %v, %v", name, from, to, x, err)
				continue
			}
			if !slices.IsSortedFunc(x.Tokens, func(a, b index.Token) int { return index.Order(a.Pos, b.Pos) }) {
				t.Errorf("%s without %d to %d: words in another order", name, from, to)
			}
			for _, s := range x.Symbols {
				s.Described()
			}
			l.Next(text[:from])
		}
	}
}

// Known reads a text in which every name is known but for some words.
func Known(t *testing.T, l Language, name, text string, but []string) {
	t.Helper()
	x, err := l.Read(text)
	if err != nil || !x.Whole {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, tok := range x.Tokens {
		if tok.Class == index.Name && x.Of(tok) == nil && !slices.Contains(but, tok.Text) {
			t.Errorf("%s: nothing is known of %s at %v", name, tok.Text, tok.Pos)
		}
	}
}
