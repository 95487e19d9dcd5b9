package protocol

import "fmt"

// View is what an expression that stands outside of the text is asked of: a state, and of a step its parameters, what it
// receives and what it sends.
type View struct {
	State    *State
	Names    map[string]Value
	From     Process // sender of the message, or one of the role of the senders
	Quorum   string  // the name of the quorum, if messages are received from one
	Received []Receipt
	Sent     []Sending
}

// Sending is a message that a step sends, whether or not it arrives: it may have no room, or its receiver may have stopped.
type Sending struct {
	To      Process
	Message Message
}

// ParseExpr reads an expression.
func ParseExpr(source string) (e *Expr, err error) {
	tokens, err := scan(source)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(syntaxError)
			if !ok {
				panic(r)
			}
			err = s.error
		}
	}()
	p := &parser{tokens: tokens}
	e = p.expr()
	if p.peek().kind != tokenEnd {
		return nil, fmt.Errorf("%s: what is %q?", source, p.peek().text)
	}
	return e, nil
}

// ParseType reads the name of a type, or a range.
func ParseType(source string) *TypeExpr {
	tokens, err := scan(source)
	if err != nil {
		panic(err)
	}
	return (&parser{tokens: tokens}).typeExpr()
}

// Type finds out what a type means.
func (m *Model) Type(t *TypeExpr) (*Type, error) { return m.resolve(t) }

// RoleOf finds the role that a type is, or nil.
func (m *Model) RoleOf(typeName string) *Role {
	if t := m.types[typeName]; t != nil && t.Kind == RoleType {
		return t.Role
	}
	return nil
}

// Ask evaluates an expression. What goes wrong is a *Failure.
func (m *Model) Ask(v View, e *Expr) (value Value, err error) {
	defer rescue(&err)
	sc := &scope{model: m, state: v.State, names: cloneMap(v.Names), out: map[int]Message{}, quorums: map[string]members{}, quorum: v.Quorum}
	if len(v.Received) > 0 {
		sc.sender, sc.in = v.From, map[int]received{}
		var numbers []int
		for _, r := range v.Received {
			sc.in[r.From.Number] = received{r.Message, r.Absent}
			numbers = append(numbers, r.From.Number)
		}
		if v.Quorum != "" {
			sc.quorums[v.Quorum] = members{v.From.Role, numbers}
		}
	}
	for _, s := range v.Sent {
		sc.out[s.To.ID()] = s.Message
	}
	return sc.eval(e), nil
}
