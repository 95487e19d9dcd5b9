package history

import (
	"slices"

	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Transit is a protocol with variables that count what is on its way: for each kind of messages that
// processes of a role send to those of another one, and for all values of its fields, whether no such message is
// on its way, one, or some. "Some" is any number, 0 too: it stays. Its steps are those of the protocol, one for
// one, in the models of channels that take away what is received: rules that receive ask whether such a message
// is on its way, and it always is; so a message that was sent once is received once, also where all that is known
// of channels is what was ever sent. What is lost stays on its way, which makes no step impossible.
type Transit struct {
	Model *protocol.Model
	Cells []TransitCell
}

// TransitCell is a variable of a process From: of messages of a kind to each process of a role, for all values of
// fields.
type TransitCell struct {
	Name     string // of the variable
	Kind     string
	From, To int              // roles
	Fields   []string         // that it tells apart
	Types    []*ftdp.TypeExpr // of these

	None, One, Some string // its values
}

// The values of such variables.
const (
	transitNone = "NONE"
	transitOne  = "ONE"
	transitSome = "SOME"
)

// Transit makes the variables. `defined` reports whether messages of a kind always have a field: others are not told
// apart. It is nil where there is nothing to gain: messages are no kinds, are received twice, or nothing is received;
// or where the text has a construct that this cannot express.
func WithTransit(m *protocol.Model, defined func(kind, field string) bool) (*Transit, error) {
	if m.Message == nil || m.Message.Kinds == nil || m.Channels.Duplicating || m.Channels.Synchronous ||
		m.Channels.Anonymous {
		return nil, nil
	}
	b := &transit{m: m, taken: m.Source.Words(), defined: defined, sends: map[*ftdp.Send]*sending{}}
	if fieldByField(m) {
		return nil, nil
	}
	b.values = []string{b.fresh(transitNone), b.fresh(transitOne), b.fresh(transitSome)}
	b.typ = b.fresh("OnItsWay")
	for _, s := range m.Source.Sections {
		if s.Recovery != nil {
			return nil, nil
		}
		for _, r := range s.Rules {
			if !r.Else && !b.rule(r) {
				return nil, nil
			}
		}
	}
	if len(b.cells) == 0 || !slices.ContainsFunc(b.m.Rules, func(t protocol.Transition) bool { return t.Receives() }) {
		return nil, nil
	}
	return b.made()
}

// transit is a protocol that gets such variables.
type transit struct {
	m       *protocol.Model
	taken   names.Taken
	defined func(kind, field string) bool
	values  []string
	typ     string // of the variables
	cells   []*TransitCell
	sends   map[*ftdp.Send]*sending
}

// sending is what a statement sends: to one process, or to several of a role.
type sending struct {
	cell    *TransitCell
	several bool
	of      *protocol.Transition
}

func (b *transit) fresh(name string) string { return b.taken.Fresh(name, "") }

// transition is the one that a rule of the text is.
func transition(m *protocol.Model, r *ftdp.Rule) *protocol.Transition {
	i := slices.IndexFunc(m.Rules, func(t protocol.Transition) bool { return t.Label == r.Label.Name })
	return &m.Rules[i]
}

// rule notes what a rule sends; it is false where that cannot be told.
func (b *transit) rule(r *ftdp.Rule) bool {
	t := transition(b.m, r)
	for st := range ftdp.All(r.Body) {
		if st.Send == nil {
			continue
		}
		to, known := b.m.Checker.Sent[st.Send]
		if !known {
			return false
		}
		b.sends[st.Send] = &sending{b.cell(t.Params[t.Executor].Type.Role, to.Role, st.Send.Kind.Name), to.Several, t}
	}
	return true
}

// cell is the variable of messages of a kind between roles.
func (b *transit) cell(from, to int, kind string) *TransitCell {
	i := slices.IndexFunc(b.cells, func(c *TransitCell) bool { return c.From == from && c.To == to && c.Kind == kind })
	if i >= 0 {
		return b.cells[i]
	}
	c := &TransitCell{Name: b.fresh("transit_" + kind + "_" + b.m.Roles[to].Name), Kind: kind, From: from, To: to,
		None: b.values[0], One: b.values[1], Some: b.values[2]}
	for _, s := range b.m.Source.Sections {
		for _, k := range s.Message {
			if k.Name.Name == kind {
				b.fields(c, k)
			}
		}
	}
	b.cells = append(b.cells, c)
	return c
}

// fields are those that arrays can have as indices.
func (b *transit) fields(c *TransitCell, k *ftdp.MessageDecl) {
	for _, d := range k.Fields {
		for _, id := range d.Names {
			f, ok := b.m.Message.Field(id.Name)
			if ok && f.Type.Scalar() && d.Type.Enum == nil && b.defined(c.Kind, id.Name) {
				c.Fields, c.Types = append(c.Fields, id.Name), append(c.Types, d.Type)
			}
		}
	}
}

// lies reports whether processes of a role may send anything.
func (b *transit) lies(role int) bool {
	if b.m.Roles[role].Strategy {
		return false
	}
	can := false
	for _, list := range [][]protocol.Transition{b.m.Inits, b.m.Rules} {
		for i := range list {
			list[i].Statuses(func(v *protocol.Term) {
				can = can || v.Op != ftdp.Number || v.Value == int32(protocol.Byzantine)
			})
		}
	}
	return can
}

// fieldByField reports whether messages are written field by field.
func fieldByField(m *protocol.Model) bool {
	out := func(e *ftdp.Expr) bool { return e.Op == ftdp.Out }
	for _, s := range m.Source.Sections {
		for _, r := range append(slices.Clone(s.Init), s.Rules...) {
			for st := range ftdp.All(r.Body) {
				if slices.ContainsFunc(ftdp.Expressions(st), func(e *ftdp.Expr) bool { return e.Any(out) }) {
					return true
				}
			}
		}
	}
	return false
}
