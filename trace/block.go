package trace

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/edit"
	"github.com/tacheck/tacheck/protocol/ftdp"
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
	b.list = append(b.list, undeclared(b.m.Source.Written(), b.r)...)
	for _, c := range b.r.Measured {
		b.use(c.Name.Pos, b.m.Declaration(c.Name.Text, "constant"))
	}
	if b.editor != nil {
		for _, w := range b.r.Keywords {
			b.editor.Word(w.Text, reading.Meanings[w.Text], w.Pos)
		}
	}
}

// undeclared lists constants that a reading gives values, and the text does not have.
func undeclared(text *ftdp.File, r *reading.Reading) (wrong diag.List) {
	var known []string
	for _, sec := range text.Sections {
		known = append(known, lists.Map(sec.Parameters, func(id *ftdp.Ident) string { return id.Name })...)
		known = append(known, lists.Map(sec.Consts, func(k *ftdp.Const) string { return k.Name.Name })...)
	}
	for _, c := range r.Measured {
		if !slices.Contains(known, c.Name.Text) {
			wrong.Add(c.Name.Pos, len(c.Name.Text), "there is no constant %q%s", c.Name.Text,
				spell.Hint(c.Name.Text, known))
		}
	}
	return wrong
}

// Index is protocol.Names with the names in readings.
func Index(file, text string) (*index.Index, error) { return edit.Names(file, text, verify) }
