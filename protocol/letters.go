package protocol

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// kinds makes the type of messages of the kinds that are declared: their name, and
// the fields of all. What a kind does not have is undefined in its messages.
func (c *Checker) kinds() {
	var list []*ftdp.MessageDecl
	for _, s := range c.M.Source.Sections {
		list = append(list, s.Message...)
	}
	if list == nil {
		return
	}
	if at, clash := c.names["Msg"]; clash {
		c.failAt(list[0].Name, "messages are declared by message or by the type Msg, in line %d: not both", at.Line)
		return
	}
	enum := &ftdp.TypeExpr{Pos: list[0].Name.Pos}
	for i, k := range list {
		if slices.ContainsFunc(list[:i], func(o *ftdp.MessageDecl) bool { return o.Name.Name == k.Name.Name }) {
			c.failAt(k.Name, "there are messages %q already", k.Name.Name)
			return
		}
		enum.Enum = append(enum.Enum, k.Name)
	}
	kind := c.typeOf(enum)
	if kind == nil {
		return
	}
	t := &Type{Kind: KindRecord, Cells: 1, Fields: []TypeField{{Name: "kind", Type: kind, Pos: list[0].Name.Place()}}}
	for _, k := range list {
		own := FieldsOfKind{Name: k.Name.Name}
		for _, d := range k.Fields {
			own.Fields = append(own.Fields, c.messageFields(k, d, t, own.Fields)...)
		}
		t.Kinds = append(t.Kinds, own)
	}
	if t.Cells > maxCells {
		c.failAt(list[0].Name, "messages have more than %d cells", maxCells)
		return
	}
	c.types["Msg"] = t
}

// messageFields adds the fields of a declaration to the type of messages.
func (c *Checker) messageFields(k *ftdp.MessageDecl, d *ftdp.Decl, t *Type, before []int) (own []int) {
	if d.First != nil || d.Stable {
		c.failAt(d.Names[0], "fields of messages have no first values, and are not stable")
	}
	ft := c.typeOf(d.Type)
	if ft == nil {
		return nil
	}
	c.placed[d] = true
	for _, id := range d.Names {
		i := slices.IndexFunc(t.Fields, func(f TypeField) bool { return f.Name == id.Name })
		switch {
		case i == 0 || id.Name == "absent" && c.M.Channels.Synchronous:
			c.failAt(id, "the field %s is there already", id.Name)
			continue
		case slices.Contains(before, i) && i > 0 || slices.Contains(own, i) && i > 0:
			c.failAt(id, "field %q is declared twice", id.Name)
			continue
		case i < 0:
			i = len(t.Fields)
			t.Fields = append(t.Fields, TypeField{Name: id.Name, Type: ft, Offset: t.Cells, Pos: id.Place()})
			t.Cells += ft.Cells
		case !t.Fields[i].Type.same(ft) || ft.Scalar() && (ft.Lo != t.Fields[i].Type.Lo ||
			ft.Hi != t.Fields[i].Type.Hi):
			c.failAt(id,
				"field %s of %s has another type than that of other messages: fields of one name have one type",
				id.Name, k.Name.Name)
			continue
		default:
			c.use(id.Place(), t.Fields[i].Pos)
		}
		own = append(own, i)
	}
	return own
}

// kindOf finds the field that says what kind a message is, the value of a kind, and the fields that its
// messages have; in records of the text the fields after the first.
func (s *scope) kindOf(id *ftdp.Ident) (kind TypeField, value int32, fields []TypeField, ok bool) {
	m := s.c.M.Message
	if m == nil {
		s.c.failAt(id, "there are no messages: declare them, as in `message %s;`", id.Name)
		return kind, 0, nil, false
	}
	var known []string
	for i, f := range m.Fields {
		if f.Type.Kind != KindEnum {
			continue
		}
		known = append(known, f.Type.Values...)
		v := slices.Index(f.Type.Values, id.Name)
		if v < 0 {
			continue
		}
		s.c.useValue(&ftdp.Expr{Name: id.Name, At: id.Place()})
		if m.Kinds == nil {
			return f, int32(v), m.Fields[i+1:], true
		}
		for _, n := range m.Kinds[v].Fields {
			fields = append(fields, m.Fields[n])
		}
		return f, int32(v), fields, true
	}
	s.c.failAt(id, "there are no messages %q%s", id.Name, spell.Hint(id.Name, known))
	return kind, 0, nil, false
}

// from adds the sender that the head of a rule names to its parameters.
func (c *Checker) from(s *scope, h *ftdp.Receive, t *Transition) bool {
	if n := len(t.Params); n > 0 && t.Params[n-1].Name == h.From.Name && h.Quorum == nil && h.Role == nil {
		c.use(h.From.Place(), s.find(h.From.Name).pos)
		return true
	}
	p := &ftdp.Param{Name: h.From, Quorum: h.Quorum, Type: h.Role}
	if h.Quorum == nil && h.Role == nil {
		r := c.only()
		if r < 0 {
			c.failAt(h.From, "say of which role the sender is: from %s: ...", h.From.Name)
			return false
		}
		id := c.M.Roles[r].ID
		p.Type = &ftdp.TypeExpr{Pos: h.From.Pos,
			Range: &ftdp.RangeType{From: &ftdp.Sum{Expr: ftdp.Expr{Op: ftdp.Name, Name: id}}}}
	}
	if h.Role != nil && h.Role.Range != nil && h.Role.Range.To == nil && h.Role.Range.From.Op == ftdp.Name {
		name := h.Role.Range.From.Name
		if role := c.types[name]; role == nil || role.Kind != KindRole {
			c.fail(h.Role.Range.From.Pos, len(name), "messages come from processes of a role, and %q is none%s", name,
				spell.Hint(name, c.roleIDs()))
			return false
		}
	}
	return c.params(s, &ftdp.Rule{Params: []*ftdp.Param{p}}, t)
}

// Head is what the head of a rule asks of what it receives; from here on its names stand for the fields.
func (s *scope) Head(h *ftdp.Receive) *Term {
	kind, value, fields, ok := s.kindOf(h.Kind)
	if !ok {
		return nil
	}
	if len(h.Fields) > len(fields) {
		s.c.failAt(h.Fields[len(fields)], "%s has %s", h.Kind.Name, fieldsOf(len(fields)))
		return nil
	}
	if sent := asSent(h.Kind.Name, fields); sent != "" && len(h.Fields) == 0 {
		s.unnamed = fmt.Sprintf("; the rule names what it receives: `receive %s from`", sent[len(": "):])
	}
	is := func(who *Term) *Term {
		p := &Term{Op: OpPlace, Pos: h.Kind.Place(), Width: len(h.Kind.Name), Base: BaseMsg, Who: who, Type: kind.Type,
			Offset: kind.Offset}
		n := &Term{Op: ftdp.Number, Type: kind.Type, Value: value}
		return &Term{Op: ftdp.Eq, Pos: p.Pos, Width: p.Width, Type: BoolType, Args: []*Term{p, n}}
	}
	if !s.rule.Quorum() {
		for i, id := range h.Fields {
			f := fields[i]
			s.rename(id, &Term{Op: OpPlace, Base: BaseMsg, Type: f.Type, Offset: f.Offset})
		}
		return is(nil)
	}
	if len(h.Fields) > 0 {
		s.c.failAt(h.Fields[0], "there are as many messages as members of %s: msg[...].%s is a field of one of them; "+
			"leave (%s) out", h.From.Name, fields[0].Name, h.Fields[0].Name)
	}
	q := s.find(h.From.Name)
	role := s.c.processesOf(q.typ.Role)
	depth := len(s.vars)
	cell := s.push("\x00q", role, diag.Pos{})
	s.vars = s.vars[:depth]
	return &Term{Op: ftdp.ForAll, Pos: h.Kind.Place(), Width: len(h.Kind.Name), Type: BoolType, Var: cell,
		Range: &Range{Type: role, Quorum: q.cell}, Args: []*Term{is(&Term{Op: ftdp.Name, Type: role, Var: cell})}}
}

// asSent is how a message of a kind is sent, if it has fields.
func asSent(kind string, fields []TypeField) string {
	if len(fields) == 0 {
		return ""
	}
	names := lists.Map(fields, func(f TypeField) string { return f.Name })
	return fmt.Sprintf(": %s(%s)", kind, strings.Join(names, ", "))
}

// send sends a message of its own.
func (s *scope) send(st *ftdp.Send, pos diag.Pos) *Step {
	if s.rule == nil {
		s.c.fail(pos, len("send"), "messages are sent by rules, which stand behind `rules`")
		return nil
	}
	kind, value, fields, ok := s.kindOf(st.Kind)
	if !ok {
		return nil
	}
	args := st.Values
	if len(args) > len(fields) || s.c.M.Message.Kinds != nil && len(args) < len(fields) {
		s.c.failAt(st.Kind, "%s has %s, not %d%s", st.Kind.Name, fieldsOf(len(fields)), len(args),
			asSent(st.Kind.Name, fields))
		return nil
	}
	if st.To == nil {
		s.c.failAt(st.Kind, "say to whom: send %s to all, to others, to sender, or to a process", st.Kind.Name)
		return nil
	}
	depth := len(s.vars)
	defer func() { s.vars = s.vars[:depth] }()
	to := s.receivers(st.To)
	if to.who == nil {
		return nil
	}
	part := func(f TypeField) *Term {
		return &Term{Op: OpPlace, Pos: st.Kind.Place(), Width: len(st.Kind.Name), Base: BaseOut, Role: to.role,
			Who: to.who, Type: f.Type, Offset: f.Offset}
	}
	body := []*Step{{Kind: StepAssign, Pos: pos, Target: part(kind),
		Value: &Term{Op: ftdp.Number, Type: kind.Type, Value: value}}}
	for i, e := range args {
		v := s.termAs(e, fields[i].Type)
		if v == nil || !s.assignable(fields[i].Type, v, e, e) {
			return nil
		}
		body = append(body, &Step{Kind: StepAssign, Pos: pos, Target: part(fields[i]), Value: v})
	}
	whole := part(TypeField{Type: s.c.M.Message})
	out := to.wrap(s.plainStep(&Step{Kind: StepSend, Pos: pos, Target: whole, Blocks: [][]*Step{body}}))
	s.c.Sent[st] = receiving{to.role, out.Kind == StepFor}
	return out
}

// receivers are who gets a message: a process of a role, and what has to be around what sends it.
type receivers struct {
	role int
	who  *Term
	wrap func(*Step) *Step
}

// one is a single process that gets a message.
func one(role int, who *Term) receivers {
	return receivers{role, who, func(step *Step) *Step { return step }}
}

// each are those processes of a range that satisfy a condition, if there is one.
func (s *scope) each(pos diag.Pos, r *Range, only func(k *Term) *Term) receivers {
	cell := s.push("\x00to", r.Type, diag.Pos{})
	who := &Term{Op: ftdp.Name, Pos: pos, Width: 1, Type: r.Type, Var: cell}
	return receivers{r.Type.Role, who, func(step *Step) *Step {
		body := []*Step{step}
		if only != nil {
			body = []*Step{{Kind: StepIf, Pos: pos, Conds: []*Term{only(who)}, Blocks: [][]*Step{body}}}
		}
		return &Step{Kind: StepFor, Pos: pos, Var: cell, Range: r, Blocks: [][]*Step{body}}
	}}
}

// toAll resolves who gets what is sent to all or others of a role.
func (s *scope) toAll(to *ftdp.To) (none receivers) {
	pos := scan.Place(to.Pos)
	r := s.c.only()
	if to.Role != nil {
		t := s.c.types[to.Role.Name]
		if t == nil || t.Kind != KindRole {
			s.c.failAt(to.Role, "messages are sent to the processes of a role, and %q is none", to.Role.Name)
			return none
		}
		s.c.use(to.Role.Place(), s.c.names[to.Role.Name])
		r = t.Role
	}
	if r < 0 {
		roles := strings.Join(s.c.roleIDs(), ", or "+to.All+" of ")
		s.c.fail(pos, len(to.All), "say to whom: %s of %s", to.All, roles)
		return none
	}
	me := s.rule.Params[s.rule.Executor]
	var only func(k *Term) *Term
	if to.All == "others" && me.Type.Role == r {
		cell := s.rule.Cell(s.rule.Executor)
		only = func(k *Term) *Term {
			return &Term{Op: ftdp.Ne, Pos: pos, Width: 1, Type: BoolType,
				Args: []*Term{k, {Op: ftdp.Name, Type: me.Type, Var: cell}}}
		}
	}
	return s.each(pos, &Range{Type: s.c.processesOf(r), Quorum: -1}, only)
}

// receivers resolves who gets a message; who is nil if that is wrong.
func (s *scope) receivers(to *ftdp.To) (none receivers) {
	if to.Who == nil {
		return s.toAll(to)
	}
	pos, e := scan.Place(to.Pos), to.Who
	if e.Op == ftdp.Name && s.find(e.Name) == nil && s.c.types[e.Name] != nil && s.c.types[e.Name].Kind == KindRole {
		s.c.fail(e.Pos, e.Width, "say to which: to all of %[1]s, to others of %[1]s, or to a process", e.Name)
		return none
	}
	if e.Op == ftdp.Name && e.Name == "sender" && s.find("sender") == nil {
		if !s.rule.Receives() || s.rule.Quorum() {
			s.fail(e, "rule %s has no sender: it receives from no process, or from a quorum", s.rule.Label)
			return none
		}
		s.c.useWord(e)
		p := s.rule.Params[s.rule.Sender]
		return one(p.Type.Role, &Term{Op: ftdp.Name, Pos: e.Pos, Width: e.Width, Type: p.Type,
			Var: s.rule.Cell(s.rule.Sender)})
	}
	// also where channels are anonymous
	if v := s.find(e.Name); e.Op == ftdp.Name && v != nil && v.term == nil && v.typ.Kind == KindQuorum {
		s.c.use(e.At, v.pos)
		return s.each(pos, &Range{Type: s.c.processesOf(v.typ.Role), Quorum: v.cell}, nil)
	}
	t := s.termAs(e, nil)
	switch {
	case t == nil:
		return none
	case t.Type.Kind == KindRole && !s.c.M.Roles[t.Type.Role].Shared:
		return one(t.Type.Role, t)
	case t.Type.Set && t.Type.Index.Kind == KindRole:
		return s.each(pos, &Range{Type: t.Type.Index, Quorum: -1},
			func(k *Term) *Term { return s.plain(s.memberOf(e, k, t.Type.Index)) })
	}
	advice := ""
	if me := s.rule.Params[s.rule.Executor]; t.Type.Kind == KindInt && me.Type.Kind == KindRole {
		role := s.c.M.Roles[me.Type.Role]
		advice = fmt.Sprintf(": a process is kept in a variable, `next: %[1]s` of %[2]s, which init sets, "+
			"as on a ring `%[2]s[k].next := k %% n + 1`", role.ID, role.Name)
	}
	s.fail(e, "messages are sent to processes, not to what is %s%s", s.c.M.describe(t.Type), advice)
	return none
}

// letters finds whether a rule may send two messages to one process. If not, messages are
// written as if field by field.
func (s *scope) letters(t *Transition) {
	most, fields := map[int]int{}, map[int]bool{}
	maps.Copy(most, countSends(t.Body, fields))
	for role, n := range most {
		t.Letters = t.Letters || n > 1 || n == 1 && fields[role]
	}
	if !t.Letters {
		t.Body = inline(t.Body)
	}
}

// countSends returns how many messages statements send to one process of a role at most: 2 for more
// than one. Roles to whose processes messages are written field by field are noted.
func countSends(steps []*Step, fields map[int]bool) map[int]int {
	sum := map[int]int{}
	for _, st := range steps {
		part := map[int]int{}
		switch st.Kind {
		case StepAssign, StepUndefine:
			if st.Target.Base == BaseOut || st.Target.Base == BaseOuts {
				fields[st.Target.Role] = true
			}
		case StepSend:
			part[st.Target.Role] = 1
		case StepIf:
			for _, b := range st.Blocks {
				for role, n := range countSends(b, fields) {
					part[role] = max(part[role], n)
				}
			}
		case StepFor:
			for role, n := range countSends(st.Blocks[0], fields) {
				part[role] = 2
				if n == 1 && sendsTo(st.Blocks[0], role, st.Var) {
					part[role] = 1
				}
			}
		}
		for role, n := range part {
			sum[role] = min(2, sum[role]+n)
		}
	}
	return sum
}

// sendsTo reports whether all that is sent to processes of a role is sent to the one that a variable is.
func sendsTo(steps []*Step, role, variable int) bool {
	for st := range Outside(steps) {
		to := st.Target
		if st.Kind == StepSend && to.Role == role && (to.Who.Op != ftdp.Name || to.Who.Var != variable) {
			return false
		}
	}
	return true
}

// inline puts what messages consist of in the place of what sends them.
func inline(steps []*Step) (out []*Step) {
	for _, st := range steps {
		if st.Kind == StepSend {
			out = append(out, st.Blocks[0]...)
			continue
		}
		for i, b := range st.Blocks {
			st.Blocks[i] = inline(b)
		}
		out = append(out, st)
	}
	return out
}

// Letters reports whether some rule may send two messages to one process.
func (m *Model) Letters() bool {
	return slices.ContainsFunc(m.Rules, func(t Transition) bool { return t.Letters })
}

func fieldsOf(n int) string {
	switch n {
	case 0:
		return "no fields"
	case 1:
		return "one field"
	}
	return fmt.Sprint(n, " fields")
}
