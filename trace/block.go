package trace

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/edit"
	"github.com/tacheck/tacheck/trace/reading"
)

// Verify looks for what is wrong with the readings in a model's text, as far as that does not depend on a log, nor on
// the values of constants, which may be read off one. Its error is a diag.List.
func Verify(m *protocol.Model) error { return verify(m, nil) }

func verify(m *protocol.Model, beside *edit.Beside) error {
	list, err := reading.Blocks(m.Source)
	if err != nil {
		return err
	}
	var all diag.List
	for _, r := range list {
		b := &binder{r: r, m: m, editor: beside}
		b.static()
		all = append(all, b.list...)
	}
	return all.Err()
}

// static binds a reading without making anything of it.
func (b *binder) static() {
	for i := range b.r.Cases {
		for k := range b.r.Cases[i].Parts {
			b.part(&b.r.Cases[i].Parts[k])
		}
	}
	b.silence()
	b.names()
	for _, c := range b.r.Measured {
		known := lists.Map(b.m.Constants, func(k protocol.Constant) string { return k.Name })
		if !slices.Contains(known, c.Name.Text) {
			b.wrong(c.Name.Pos, len(c.Name.Text), "there is no constant %q%s", c.Name.Text,
				spell.Hint(c.Name.Text, known))
		}
		b.use(c.Name.Pos, b.m.Declaration(c.Name.Text, "constant"))
	}
	if b.editor != nil {
		for _, w := range b.r.Keywords {
			b.editor.Word(w.Text, reading.Meanings[w.Text], w.Pos)
		}
	}
}

// use notes for editors that a name stands for what is declared at a place.
func (b *binder) use(at, declared diag.Pos) {
	if b.editor != nil {
		b.editor.Use(at, declared)
	}
}

// Index is protocol.Names with the names in readings.
func Index(file, text string) (*index.Index, error) { return edit.Names(file, text, verify) }
