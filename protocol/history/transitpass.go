package history

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// A protocol that counts what is on its way, made of one that does not.

// made makes the protocol; nil where the variables cannot be declared.
func (b *transit) made() (*Transit, error) {
	sections, ok := b.declared()
	if !ok {
		return nil, nil
	}
	f := &ftdp.File{Pos: b.m.Source.Pos, Sections: sections}
	sections = f.WithRules(func(r *ftdp.Rule, init bool) *ftdp.Rule {
		if init {
			return r
		}
		return b.counting(r)
	})
	o := from(&b.m.Roles[0])
	sections = append(sections, &ftdp.Section{Pos: o.Pos(),
		Types: []*ftdp.TypeDecl{{Name: o.Ident(b.typ), Type: o.Enum(b.values)}}})
	m, err := b.m.Remodel(b.m.Source.Remade(sections, b.taken), b.m.Chosen(), false)
	if err == nil && m.Asymmetry != nil && b.m.Asymmetry == nil {
		err = m.Asymmetry.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s, with what is on its way: %w", b.m.File, err)
	}
	result := &Transit{Model: m}
	for _, c := range b.cells {
		result.Cells = append(result.Cells, *c)
	}
	return result, nil
}

// from is the place where a role is declared.
func from(r *protocol.Role) ftdp.Origin { return ftdp.Origin{At: r.Pos, Width: max(1, len(r.ID))} }

// declared are the sections with declarations of the variables, in the records of the processes that send.
func (b *transit) declared() (out []*ftdp.Section, ok bool) {
	left := len(b.cells)
	for _, s := range b.m.Source.Sections {
		c := *s
		c.Vars = slices.Clone(s.Vars)
		for i, d := range s.Vars {
			if d.Type.Array == nil || d.Type.Array.Of.Record == nil || len(d.Names) != 1 {
				continue
			}
			fields := slices.Clone(d.Type.Array.Of.Record.Fields)
			for _, cell := range b.cells {
				if b.m.Roles[cell.From].Name == d.Names[0].Name {
					fields = append(fields, b.declaration(cell, d.Names[0].From()))
					left--
				}
			}
			decl := *d
			decl.Type = d.Names[0].From().Array(d.Type.Array.Index, d.Names[0].From().Record(fields))
			c.Vars[i] = &decl
		}
		out = append(out, &c)
	}
	return out, left == 0
}

func (b *transit) declaration(c *TransitCell, o ftdp.Origin) *ftdp.Decl {
	t := o.Typed(b.typ)
	for _, index := range slices.Backward(c.Types) {
		t = o.Array(index, t)
	}
	d := o.Decl(c.Name, o.Array(o.Typed(b.m.Roles[c.To].ID), t))
	d.First = o.Name(b.values[0])
	return d
}

// counting is a rule that notes what it sends, and asks whether what it receives is on its way.
func (b *transit) counting(r *ftdp.Rule) *ftdp.Rule {
	out := *r
	t := transition(b.m, r)
	same := func(e *ftdp.Expr) *ftdp.Expr { return e }
	var counted func(list []*ftdp.Statement) []*ftdp.Statement
	counted = func(list []*ftdp.Statement) (out []*ftdp.Statement) {
		for _, st := range ftdp.Statements(list) {
			if st.Send != nil { // it is counted before, so that statements around it stay what they are
				out = append(out, b.counted(st.Send))
			}
			out = append(out, st.Map(same, counted))
		}
		return out
	}
	out.Body = counted(r.Body)
	if !t.Receives() {
		return &out
	}
	o := r.Label.From()
	ask, take := b.asks(r, t, o)
	if lets, guard := protocol.OnlyIf(out.Body); guard != nil {
		given := guard.If
		inner := o.When(o.And(ask, given.Guards[0]), append(take, given.Thens[0].List...)...)
		inner.Pos = guard.Pos
		out.Body = append(slices.Clone(lets), inner)
	} else {
		out.Body = []*ftdp.Statement{o.When(ask, append(take, out.Body...)...)}
	}
	return &out
}

// counted notes that a message is on its way.
func (b *transit) counted(st *ftdp.Send) *ftdp.Statement {
	o := st.Kind.From()
	s := b.sends[st]
	me := s.of.Params[s.of.Executor].Name
	values := map[string]*ftdp.Expr{}
	k := slices.IndexFunc(b.m.Message.Kinds, func(k protocol.FieldsOfKind) bool { return k.Name == st.Kind.Name })
	for i, f := range b.m.Message.Kinds[k].Fields {
		values[b.m.Message.Fields[f].Name] = st.Values[i]
	}
	update := func(to *ftdp.Expr) *ftdp.Statement {
		cell := b.at(o, s.cell, o.Name(me), to, values)
		return o.When(o.Op(ftdp.Eq, cell, o.Name(b.values[0])),
			o.Assign(cell, o.Name(b.values[1]))).Otherwise(o.Assign(cell, o.Name(b.values[2])))
	}
	if !s.several {
		to := st.To.Who
		if to.Op == ftdp.Name && to.Name == "sender" {
			to = o.Name(s.of.Params[s.of.Sender].Name)
		}
		return update(to)
	}
	w := b.fresh("w")
	body := update(o.Name(w))
	switch {
	case st.To.Who != nil:
		body = o.When(o.Op(ftdp.In, o.Name(w), st.To.Who), body)
	case st.To.All == "others" && s.cell.From == s.cell.To:
		body = o.When(o.Op(ftdp.Ne, o.Name(w), o.Name(me)), body)
	}
	return o.Loop(w, o.Typed(b.m.Roles[s.cell.To].ID), body)
}

// at is the variable of messages between two processes with some values.
func (b *transit) at(o ftdp.Origin, c *TransitCell, from, to *ftdp.Expr, values map[string]*ftdp.Expr) *ftdp.Expr {
	out := o.Index(o.Of(b.m.Roles[c.From].Name, from, c.Name), to)
	for _, f := range c.Fields {
		out = o.Index(out, values[f])
	}
	return out
}

// asks is the condition that what a rule receives is on its way, and what takes it.
func (b *transit) asks(r *ftdp.Rule, t *protocol.Transition, o ftdp.Origin) (ask *ftdp.Expr, take []*ftdp.Statement) {
	from, to := t.Params[t.Sender], t.Params[t.Executor]
	p, message := from.Name, o.Name("msg")
	if t.Quorum() {
		p = b.fresh("q")
		message = o.Index(message, o.Name(p))
	}
	var any []*ftdp.Expr
	role := b.m.Roles[from.Type.Role]
	if b.lies(from.Type.Role) {
		any = append(any, o.Op(ftdp.Eq, o.Of(role.Name, o.Name(p), "status"), o.Name("byz")))
	}
	for _, c := range b.cells {
		if c.From != from.Type.Role || c.To != to.Type.Role || r.Head != nil && r.Head.Kind.Name != c.Kind {
			continue
		}
		values := map[string]*ftdp.Expr{}
		for _, f := range c.Fields {
			values[f] = o.Field(message, f)
		}
		is := o.Op(ftdp.Eq, o.Field(message, "kind"), o.Name(c.Kind))
		cell := b.at(o, c, o.Name(p), o.Name(to.Name), values)
		any = append(any, o.And(is, o.Op(ftdp.Ne, cell, o.Name(b.values[0]))))
		take = append(take, o.When(o.And(is, o.Op(ftdp.Eq, cell, o.Name(b.values[1]))),
			o.Assign(cell, o.Name(b.values[0]))))
	}
	ask = o.Or(any...)
	if !t.Quorum() {
		return ask, take
	}
	if take != nil {
		take = []*ftdp.Statement{o.Loop(p, o.Typed(role.ID), o.When(o.Op(ftdp.In, o.Name(p), o.Name(from.Name)),
			take...))}
	}
	return o.Binder(ftdp.ForAll, p, o.Typed(from.Name), ask), take
}
