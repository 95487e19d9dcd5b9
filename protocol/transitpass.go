package protocol

import (
	"fmt"
	"slices"
)

// A protocol that counts what is on its way, made of one that does not.

// made makes the protocol; nil where the variables cannot be declared.
func (b *transit) made() (*Transit, error) {
	sections, ok := b.declared()
	if !ok {
		return nil, nil
	}
	f := &File{Pos: b.m.Source.Pos, Sections: sections}
	sections = f.withRules(func(r *Rule, init bool) *Rule {
		if init {
			return r
		}
		return b.counting(r)
	})
	o := b.m.Roles[0].from()
	sections = append(sections, &Section{Pos: o.pos(), Types: []*TypeDecl{{Name: o.ident(b.typ), Type: o.enum(b.values)}}})
	m, err := b.m.remodel(b.m.Source.remade(sections, b.taken), b.m.chosen(), false)
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
func (r *Role) from() origin { return origin{r.Pos, max(1, len(r.ID))} }

// declared are the sections with declarations of the variables, in the records of the processes that send.
func (b *transit) declared() (out []*Section, ok bool) {
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
					fields = append(fields, b.declaration(cell, d.Names[0].from()))
					left--
				}
			}
			decl := *d
			decl.Type = d.Names[0].from().array(d.Type.Array.Index, d.Names[0].from().record(fields))
			c.Vars[i] = &decl
		}
		out = append(out, &c)
	}
	return out, left == 0
}

func (b *transit) declaration(c *TransitCell, o origin) *Decl {
	t := o.typed(b.typ)
	for _, index := range slices.Backward(c.Types) {
		t = o.array(index, t)
	}
	d := o.decl(c.Name, o.array(o.typed(b.m.Roles[c.To].ID), t))
	d.First = o.name(b.values[0])
	return d
}

// counting is a rule that notes what it sends, and asks whether what it receives is on its way.
func (b *transit) counting(r *Rule) *Rule {
	out := *r
	t := b.m.transition(r)
	same := func(e *Expr) *Expr { return e }
	var counted func(list []*Statement) []*Statement
	counted = func(list []*Statement) (out []*Statement) {
		for _, st := range statements(list) {
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
	o := r.Label.from()
	ask, take := b.asks(r, t, o)
	if lets, guard := onlyIf(out.Body); guard != nil {
		given := guard.If
		inner := o.when(o.and(ask, given.Guards[0]), append(take, given.Thens[0].List...)...)
		inner.Pos = guard.Pos
		out.Body = append(slices.Clone(lets), inner)
	} else {
		out.Body = []*Statement{o.when(ask, append(take, out.Body...)...)}
	}
	return &out
}

// counted notes that a message is on its way.
func (b *transit) counted(st *Send) *Statement {
	o := st.Kind.from()
	s := b.sends[st]
	me := s.of.Params[s.of.Executor].Name
	values := map[string]*Expr{}
	k := slices.IndexFunc(b.m.Message.Kinds, func(k FieldsOfKind) bool { return k.Name == st.Kind.Name })
	for i, f := range b.m.Message.Kinds[k].Fields {
		values[b.m.Message.Fields[f].Name] = st.Values[i]
	}
	update := func(to *Expr) *Statement {
		cell := b.at(o, s.cell, o.name(me), to, values)
		return o.when(o.op(Eq, cell, o.name(b.values[0])), o.assign(cell, o.name(b.values[1]))).otherwise(o.assign(cell, o.name(b.values[2])))
	}
	if !s.several {
		to := st.To.Who
		if to.Op == Name && to.Name == "sender" {
			to = o.name(s.of.Params[s.of.Sender].Name)
		}
		return update(to)
	}
	w := b.fresh("w")
	body := update(o.name(w))
	switch {
	case st.To.Who != nil:
		body = o.when(o.op(In, o.name(w), st.To.Who), body)
	case st.To.All == "others" && s.cell.From == s.cell.To:
		body = o.when(o.op(Ne, o.name(w), o.name(me)), body)
	}
	return o.loop(w, o.typed(b.m.Roles[s.cell.To].ID), body)
}

// at is the variable of messages between two processes with some values.
func (b *transit) at(o origin, c *TransitCell, from, to *Expr, values map[string]*Expr) *Expr {
	out := o.index(o.of(b.m.Roles[c.From].Name, from, c.Name), to)
	for _, f := range c.Fields {
		out = o.index(out, values[f])
	}
	return out
}

// asks is the condition that what a rule receives is on its way, and what takes it.
func (b *transit) asks(r *Rule, t *Transition, o origin) (ask *Expr, take []*Statement) {
	from, to := t.Params[t.Sender], t.Params[t.Executor]
	p, message := from.Name, o.name("msg")
	if t.Quorum() {
		p = b.fresh("q")
		message = o.index(message, o.name(p))
	}
	var any []*Expr
	role := b.m.Roles[from.Type.Role]
	if b.lies(from.Type.Role) {
		any = append(any, o.op(Eq, o.of(role.Name, o.name(p), "status"), o.name("byz")))
	}
	for _, c := range b.cells {
		if c.From != from.Type.Role || c.To != to.Type.Role || r.Head != nil && r.Head.Kind.Name != c.Kind {
			continue
		}
		values := map[string]*Expr{}
		for _, f := range c.Fields {
			values[f] = o.field(message, f)
		}
		is := o.op(Eq, o.field(message, "kind"), o.name(c.Kind))
		cell := b.at(o, c, o.name(p), o.name(to.Name), values)
		any = append(any, o.and(is, o.op(Ne, cell, o.name(b.values[0]))))
		take = append(take, o.when(o.and(is, o.op(Eq, cell, o.name(b.values[1]))), o.assign(cell, o.name(b.values[0]))))
	}
	ask = o.or(any...)
	if !t.Quorum() {
		return ask, take
	}
	if take != nil {
		take = []*Statement{o.loop(p, o.typed(role.ID), o.when(o.op(In, o.name(p), o.name(from.Name)), take...))}
	}
	return o.binder(ForAll, p, o.typed(from.Name), ask), take
}
