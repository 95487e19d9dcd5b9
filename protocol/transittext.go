package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// The text of a protocol that counts what is on its way: what is added stands in the lines that there are, so that places in it are those
// of the text.

// read reads the text.
func (b *transit) read() (*Transit, error) {
	list, ok := b.declarations()
	if !ok {
		return nil, nil
	}
	for _, s := range b.m.Source.Sections {
		for _, r := range s.Rules {
			if r.Else {
				continue
			}
			list = append(list, b.receipt(r)...)
			for st := range all(r.Body) {
				if st.Send != nil {
					list = append(list, insertion{st.Pos.Offset, b.counted(st.Send)})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(x, y insertion) int { return x.at - y.at })
	var out strings.Builder
	text, at := b.m.Text(), 0
	for _, i := range list {
		out.WriteString(text[at:i.at] + " " + i.text + " ")
		at = i.at
	}
	out.WriteString(text[at:])
	fmt.Fprintf(&out, "\ntype %s: enum {%s};\n", b.typ, strings.Join(b.values, ", "))
	set := map[string]int64{}
	for _, k := range b.m.Constants {
		set[k.Name] = k.Value
	}
	m, err := Read(b.m.File, out.String(), set)
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

// declarations of the variables stand in the records of the processes that send.
func (b *transit) declarations() (list []insertion, ok bool) {
	left := len(b.cells)
	for _, s := range b.m.Source.Sections {
		for _, d := range s.Vars {
			if d.Type.Array == nil || d.Type.Array.Of.Record == nil {
				continue
			}
			for _, id := range d.Names {
				for _, c := range b.cells {
					if b.m.Roles[c.From].Name == id.Name && len(d.Names) == 1 {
						list = append(list, insertion{d.Type.Array.Of.Record.End.Offset, b.declaration(c)})
						left--
					}
				}
			}
		}
	}
	return list, left == 0
}

func (b *transit) declaration(c *TransitCell) string {
	typ := b.typ
	for _, t := range slices.Backward(c.Types) {
		typ = fmt.Sprintf("array[%s] of %s", t, typ)
	}
	return fmt.Sprintf("; %s: array[%s] of %s = %s;", c.Name, b.m.Roles[c.To].ID, typ, b.values[0])
}

// counted notes that a message is on its way: before it is sent, so that statements around it stay what they are.
func (b *transit) counted(st *Send) string {
	s := b.sends[st]
	me := s.of.Params[s.of.Executor]
	values := map[string]string{}
	k := slices.IndexFunc(b.m.Message.Kinds, func(k FieldsOfKind) bool { return k.Name == st.Kind.Name })
	for i, f := range b.m.Message.Kinds[k].Fields {
		values[b.m.Message.Fields[f].Name] = st.Values[i].String()
	}
	update := func(to string) string {
		cell := b.at(s.cell, me.Name, to, values)
		return fmt.Sprintf("if %[1]s = %[2]s then %[1]s := %[3]s; else %[1]s := %[4]s; endif", cell, b.values[0], b.values[1], b.values[2])
	}
	role := b.m.Roles[s.cell.To].ID
	if !s.loop {
		to := st.To.Who.String()
		if to == "sender" {
			to = b.sender(s.of)
		}
		return update(to)
	}
	w := b.fresh("w")
	body := update(w)
	switch {
	case st.To.Who != nil:
		body = fmt.Sprintf("if %s in %s then %s endif", w, st.To.Who, body)
	case st.To.All == "others" && s.cell.From == s.cell.To:
		body = fmt.Sprintf("if %s != %s then %s endif", w, me.Name, body)
	}
	return fmt.Sprintf("for %s: %s do %s endfor", w, role, body)
}

// sender is the name of the process that a rule receives from.
func (b *transit) sender(t *Transition) string { return t.Params[t.Sender].Name }

// receipt lets a rule receive only what is on its way, and takes it.
func (b *transit) receipt(r *Rule) []insertion {
	t := b.m.transition(r)
	if !t.Receives() {
		return nil
	}
	ask, take := b.asks(r, t)
	list := statements(r.Body)
	first := 0
	for first < len(list) && list[first].Let != nil {
		first++
	}
	if first != len(list)-1 || list[first].If == nil || list[first].If.Elsif != nil || list[first].If.Else != nil {
		begin := r.End.Offset
		if len(list) > 0 {
			begin = list[0].Pos.Offset
		}
		return []insertion{{begin, fmt.Sprintf("if %s then %s", ask, take)}, {r.End.Offset, "endif"}}
	}
	guard := list[first].If
	inner := guard.End.Offset
	if len(guard.Thens[0].List) > 0 {
		inner = guard.Thens[0].List[0].Pos.Offset
	}
	then := 0
	for _, t := range b.m.Source.Tokens {
		if t.Value == "then" && t.Pos.Offset < inner {
			then = t.Pos.Offset
		}
	}
	return []insertion{{list[first].Pos.Offset + len("if"), ask + " and ("}, {then, ")"}, {inner, take}}
}

// asks is the condition that what a rule receives is on its way, and what takes it.
func (b *transit) asks(r *Rule, t *Transition) (ask, take string) {
	from, to := t.Params[t.Sender], t.Params[t.Executor]
	p, message := from.Name, "msg"
	if t.Quorum() {
		p = b.fresh("q")
		message = "msg[" + p + "]"
	}
	var any, all []string
	for _, c := range b.cells {
		if c.From != from.Type.Role || c.To != to.Type.Role || r.Head != nil && r.Head.Kind.Name != c.Kind {
			continue
		}
		values := map[string]string{}
		for _, f := range c.Fields {
			values[f] = message + "." + f
		}
		is := fmt.Sprintf("%s.kind = %s", message, c.Kind)
		cell := b.at(c, p, to.Name, values)
		any = append(any, fmt.Sprintf("%s and %s != %s", is, cell, b.values[0]))
		all = append(all, fmt.Sprintf("if %[1]s and %[2]s = %[3]s then %[2]s := %[4]s; endif", is, cell, b.values[1], b.values[0]))
	}
	if b.lies(from.Type.Role) {
		any = append([]string{fmt.Sprintf("%s[%s].status = byz", b.m.Roles[from.Type.Role].Name, p)}, any...)
	}
	if any == nil {
		any = []string{"false"}
	}
	ask = "(" + strings.Join(any, " or ") + ")"
	take = strings.Join(all, " ")
	if t.Quorum() {
		ask = fmt.Sprintf("(forall (%s: %s) %s)", p, from.Name, ask)
	}
	if t.Quorum() && all != nil {
		id := b.m.Roles[from.Type.Role].ID
		take = fmt.Sprintf("for %[1]s: %[2]s do if %[1]s in %[3]s then %[4]s endif endfor", p, id, from.Name, take)
	}
	return ask, take
}
