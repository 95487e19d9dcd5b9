package protocol

import (
	"fmt"
	"slices"
)

// Model is a text with values for its constants.
type Model struct {
	Text     *Text
	Consts   map[string]Value
	Roles    []*Role
	Bound    int
	Message  *Type // nil if there are no messages
	types    map[string]*Type
	enums    map[*TypeExpr]*Type
	literals map[string]Value
	defines  map[string]*Define
	count    int // of processes
}

// Process names a process: its role and its number in it, from 1.
type Process struct {
	Role   *Role
	Number int
}

// ID is the number of a process among all, from 0.
func (p Process) ID() int { return p.Role.First + p.Number - 1 }

// Load finds out what the names in a text mean. Constants in set replace those of the text.
func Load(text *Text, set map[string]int) (*Model, error) {
	m := &Model{
		Text: text, Consts: map[string]Value{}, types: map[string]*Type{}, enums: map[*TypeExpr]*Type{},
		literals: map[string]Value{}, defines: map[string]*Define{},
	}
	for i, name := range statusType.Names {
		m.literals[name] = Value{statusType, []int{i}}
	}
	for _, c := range text.Consts {
		v, err := m.evaluate(c.Expr)
		if err != nil {
			return nil, err
		}
		if n, ok := set[c.Name]; ok {
			v.Cells = []int{n}
		}
		m.Consts[c.Name] = v
	}
	bound, err := m.constant(text.Channels.Bound)
	if err != nil {
		return nil, err
	}
	m.Bound = bound
	for _, t := range text.Types {
		if t.Type.Kind == "role" {
			size, err := m.constant(t.Type.Low)
			if err != nil {
				return nil, err
			}
			if size < 1 {
				return nil, fmt.Errorf("%s: a role of %d processes", t.Type.Pos, size)
			}
			role := &Role{TypeName: t.Name, Size: size, First: m.count}
			role.Type = &Type{Kind: RoleType, Role: role, Size: 1}
			m.Roles = append(m.Roles, role)
			m.count += size
			m.types[t.Name] = role.Type
			continue
		}
		resolved, err := m.resolve(t.Type)
		if err != nil {
			return nil, err
		}
		m.types[t.Name] = resolved
		if t.Name == "Msg" {
			m.Message = resolved
		}
	}
	for _, v := range text.Vars {
		if v.Type.Kind != "array" || v.Type.Index.Kind != "name" {
			return nil, fmt.Errorf("variable %s is no array over a role", v.Name)
		}
		index, ok := m.types[v.Type.Index.Name]
		if !ok || index.Kind != RoleType {
			return nil, fmt.Errorf("variable %s is no array over a role", v.Name)
		}
		state, err := m.resolve(v.Type.Elem)
		if err != nil {
			return nil, err
		}
		index.Role.Name, index.Role.State = v.Name, state
	}
	for _, r := range m.Roles {
		if r.State == nil {
			return nil, fmt.Errorf("role %s has no variables", r.TypeName)
		}
	}
	for _, d := range text.Defines {
		m.defines[d.Name] = d
	}
	for _, r := range text.Rules {
		if r.Byzantine {
			mover, _, err := m.partners(r)
			if err != nil {
				return nil, err
			}
			mover.Strategy = true
		}
	}
	return m, nil
}

// partners says which role a rule's process has, and where the parameters of that process
// and of what it receives stand.
func (m *Model) partners(r *Rule) (mover *Role, receives bool, err error) {
	last := len(r.Params) - 1
	if last < 0 {
		return nil, false, fmt.Errorf("%s: nobody executes rule %s", r.Pos, r.Label)
	}
	role := func(i int) *Role {
		if i < 0 || r.Params[i].Type.Kind != "name" {
			return nil
		}
		if t := m.types[r.Params[i].Type.Name]; t != nil && t.Kind == RoleType {
			return t.Role
		}
		return nil
	}
	if r.Params[last].Type.Kind == "quorum" || role(last) != nil && role(last-1) != nil {
		if role(last-1) == nil {
			return nil, false, fmt.Errorf("%s: nobody executes rule %s", r.Pos, r.Label)
		}
		return role(last - 1), true, nil
	}
	if role(last) == nil {
		return nil, false, fmt.Errorf("%s: nobody executes rule %s", r.Pos, r.Label)
	}
	return role(last), false, nil
}

// role finds a role by the name of its array.
func (m *Model) role(name string) *Role {
	at := slices.IndexFunc(m.Roles, func(r *Role) bool { return r.Name == name })
	if at < 0 {
		return nil
	}
	return m.Roles[at]
}

// process finds a process by its number among all.
func (m *Model) process(id int) Process {
	for _, r := range m.Roles {
		if id < r.First+r.Size {
			return Process{r, id - r.First + 1}
		}
	}
	panic("no such process")
}

// evaluate calculates an expression of constants.
func (m *Model) evaluate(e *Expr) (v Value, err error) {
	defer rescue(&err)
	return (&scope{model: m}).eval(e), nil
}

// constant calculates a number.
func (m *Model) constant(e *Expr) (int, error) {
	v, err := m.evaluate(e)
	if err != nil {
		return 0, err
	}
	return v.Cells[0], nil
}

// guarded tells whether a rule's only statement is an if without else.
func (r *Rule) guarded() bool {
	return len(r.Body) == 1 && r.Body[0].Kind == "if" && !r.Body[0].HasElse && len(r.Body[0].Conds) == 1
}

// statements are what a rule executes once its guard is true. The guard is asked of the state and
// the message before it turns out that a sender had stopped.
func (r *Rule) statements() []*Stmt {
	if r.guarded() {
		return r.Body[0].Bodies[0]
	}
	return r.Body
}
