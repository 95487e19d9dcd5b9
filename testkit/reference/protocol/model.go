package protocol

import (
	"fmt"
	"slices"
)

// Model is a text with values for its constants.
type Model struct {
	Text    *Text
	Consts  map[string]Value
	Roles   []*Role
	Bound   int
	Message *Type // nil if there are no messages
	Kinds   []*kind
	Globals *Type // a record of all global variables
	// Unsaid is what the documentation does not say, of what some state asks for; then nothing is compared.
	Unsaid   string
	types    map[string]*Type
	enums    map[*TypeExpr]*Type
	literals map[string]Value
	defines  map[string]*Define
	count    int // of processes
}

// kind is a kind of messages: its name, and the fields of Message that it has, in order.
type kind struct {
	name   string
	fields []TypedField
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
		if n, ok := set[c.Name]; ok && mistake != mistakeSet {
			v.Cells = []int{n}
		}
		m.Consts[c.Name] = v
	}
	for _, e := range text.Assumes {
		v, err := m.evaluate(e)
		if err != nil {
			return nil, err
		}
		if v.Cells[0] != 1 {
			return nil, fmt.Errorf("%s: the assumption is false", e.Pos)
		}
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
	named := map[*Role]int{}
	for _, f := range text.Names {
		t := m.types[f.Type.Name]
		if named[t.Role]++; mistake == mistakeNamed {
			named[t.Role] = 1
		}
		m.literals[f.Name] = Value{t, []int{named[t.Role]}}
	}
	if err := m.kinds(); err != nil {
		return nil, err
	}
	if err := m.variables(); err != nil {
		return nil, err
	}
	for _, d := range text.Defines {
		m.defines[d.Name] = d
	}
	for _, r := range text.Rules {
		if err := m.head(r); err != nil {
			return nil, err
		}
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

// kinds makes one record of all kinds of messages: the kind, and the fields of all kinds.
func (m *Model) kinds() error {
	if len(m.Text.Kinds) == 0 {
		return nil
	}
	all := &TypeExpr{Kind: "record"}
	names := &TypeExpr{Kind: "enum"}
	all.Fields = append(all.Fields, Field{Name: "kind", Type: names})
	for _, k := range m.Text.Kinds {
		names.Names = append(names.Names, k.Name)
		for _, f := range k.Fields {
			if !slices.ContainsFunc(all.Fields, func(g Field) bool { return g.Name == f.Name }) {
				all.Fields = append(all.Fields, f)
			}
		}
	}
	message, err := m.resolve(all)
	if err != nil {
		return err
	}
	m.Message = message
	for _, k := range m.Text.Kinds {
		known := &kind{name: k.Name}
		for _, f := range k.Fields {
			known.fields = append(known.fields, message.field(f.Name))
		}
		m.Kinds = append(m.Kinds, known)
	}
	return nil
}

// field finds a field of a record.
func (t *Type) field(name string) TypedField {
	at := slices.IndexFunc(t.Fields, func(f TypedField) bool { return f.Name == name })
	return t.Fields[at]
}

// variables finds the variables of roles, and the global ones.
func (m *Model) variables() error {
	global := &TypeExpr{Kind: "record"}
	for _, v := range m.Text.Vars {
		if role := m.overRole(v.Type); role != nil && v.Type.Elem.Kind == "record" {
			state, err := m.resolve(v.Type.Elem)
			if err != nil {
				return err
			}
			role.Name, role.State, role.Declared = v.Name, state, v.Type.Elem.Fields
			continue
		}
		global.Fields = append(global.Fields, v)
	}
	for _, r := range m.Roles {
		if r.State == nil {
			return fmt.Errorf("role %s has no variables", r.TypeName)
		}
	}
	var err error
	m.Globals, err = m.resolve(global)
	return err
}

// overRole finds the role that a type is an array over, or nil.
func (m *Model) overRole(t *TypeExpr) *Role {
	if t.Kind != "array" || t.Index.Kind != "name" {
		return nil
	}
	if index := m.types[t.Index.Name]; index != nil && index.Kind == RoleType {
		return index.Role
	}
	return nil
}

// head adds what a rule says that it receives to its parameters, unless it is there already.
func (m *Model) head(r *Rule) error {
	if r.Receive == nil {
		return nil
	}
	from := r.Receive.From
	if n := len(r.Params); n > 0 && r.Params[n-1].Name == from.Name {
		return nil
	}
	if from.Type == nil {
		if len(m.Roles) != 1 {
			return fmt.Errorf("%s: of which role is %s?", r.Receive.Pos, from.Name)
		}
		from.Type = &TypeExpr{Kind: "name", Name: m.Roles[0].TypeName}
	}
	r.Params = append(slices.Clone(r.Params), from)
	return nil
}

// partners says which role a rule's process has, and whether it receives: where there are messages, and its last two parameters
// are processes, or the last one is a quorum.
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
	if r.Params[last].Type.Kind == "quorum" || m.Message != nil && (!r.Inner || mistake == mistakeInner) && role(last) != nil && role(last-1) != nil {
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

// guarded tells whether a rule's only statement is an if without else, but for what is named before it.
func (r *Rule) guarded() bool {
	for i, st := range r.Body {
		if st.Kind != "let" {
			return i == len(r.Body)-1 && st.Kind == "if" && !st.HasElse && len(st.Conds) == 1
		}
	}
	return false
}

// guard is the condition of a rule that is guarded, and the names before it.
func (r *Rule) guard() (lets []*Stmt, condition *Expr) {
	last := len(r.Body) - 1
	return r.Body[:last], r.Body[last].Conds[0]
}

// statements are what a rule executes once its guard is true. The guard is asked of the state and
// the message before it turns out that a sender had stopped.
func (r *Rule) statements() []*Stmt {
	if r.guarded() {
		last := len(r.Body) - 1
		return append(slices.Clone(r.Body[:last]), r.Body[last].Bodies[0]...)
	}
	return r.Body
}
