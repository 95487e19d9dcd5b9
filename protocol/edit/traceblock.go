package edit

import (
	"github.com/tacheck/tacheck/internal/diag"
)

// Beside tells editors what names in readings of logs mean.
type Beside struct{ x *indexer }

// Use notes that the name at a place is the one that is declared at another.
func (b *Beside) Use(at, declared diag.Pos) {
	if declared.IsValid() {
		b.x.Use(b.x.Declared(declared), at, false)
	}
}

// Word notes a word of readings.
func (b *Beside) Word(word, means string, at diag.Pos) {
	s := b.x.words["trace "+word]
	if s == nil {
		s = b.x.builtIn(word, means)
		b.x.words["trace "+word] = s
	}
	b.x.Use(s, at, false)
}
