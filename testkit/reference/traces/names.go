package traces

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tacheck/tacheck/testkit/reference/protocol"
)

var errNames = errors.New("more names than processes")

// namings lists all ways to number the names in the logs: different names of a role have different numbers, and those
// that the reading fixes have these.
func (s *search) namings() ([]map[string]map[string]int, error) {
	list := []map[string]map[string]int{{}}
	for _, role := range s.Model.Roles {
		names, err := s.names(role)
		if err != nil {
			return nil, err
		}
		ways, err := s.ways(role, names)
		if err != nil {
			return nil, err
		}
		var longer []map[string]map[string]int
		for _, sofar := range list {
			for _, way := range ways {
				more := map[string]map[string]int{role.TypeName: way}
				for r, w := range sofar {
					more[r] = w
				}
				longer = append(longer, more)
			}
		}
		list = longer
	}
	return list, nil
}

// ways lists all ways to number some names of a role.
func (s *search) ways(role *protocol.Role, names []string) ([]map[string]int, error) {
	n := s.Reading.Roles[role.TypeName]
	if n == nil {
		n = &naming{}
	}
	start := map[string]int{}
	for name := range n.none {
		start[name] = protocol.Undefined
	}
	taken := map[int]bool{}
	for name, number := range n.fixed {
		start[name] = number
		taken[number] = true
	}
	var open []string
	for _, name := range names {
		if _, known := start[name]; known {
			continue
		}
		if n.numbers {
			number, err := strconv.Atoi(name)
			if err != nil || number < 1 || number > role.Size {
				return nil, fmt.Errorf("there is no process %s: %w", name, errNames)
			}
			start[name] = number
			continue
		}
		open = append(open, name)
	}
	var ways []map[string]int
	var choose func(open []string, way map[string]int)
	choose = func(open []string, way map[string]int) {
		if len(open) == 0 {
			ways = append(ways, way)
			return
		}
		for k := 1; k <= role.Size; k++ {
			used := taken[k]
			for _, x := range way {
				used = used || x == k
			}
			if used && mistake != mistakeSame {
				continue
			}
			more := map[string]int{open[0]: k}
			for name, x := range way {
				more[name] = x
			}
			choose(open[1:], more)
			if mistake == mistakeFirst {
				return
			}
		}
	}
	choose(open, start)
	if len(ways) == 0 {
		return nil, errNames
	}
	return ways, nil
}

// names lists the texts in the logs that stand for processes of a role, in the order of lanes.
func (s *search) names(role *protocol.Role) ([]string, error) {
	var list []string
	add := func(e *event, v *value, t *protocol.Type) error {
		if t == nil || t.Kind != protocol.RoleType || t.Role != role {
			return nil
		}
		x, err := s.raw(e, v)
		if errors.Is(err, errMissing) && v.path.optional || x == nil && err == nil {
			return nil
		}
		if err != nil {
			return err
		}
		if !slices.Contains(list, written(x)) {
			list = append(list, written(x))
		}
		return nil
	}
	for _, lane := range s.history.lanes {
		for _, e := range lane {
			for _, w := range e.whens {
				for _, p := range w.parts {
					types := s.types(p)
					for _, a := range p.args {
						if a.value == nil {
							continue
						}
						if err := add(e, a.value, types[a.name].Type); err != nil {
							return nil, err
						}
					}
					for _, c := range slices.Concat(p.before, p.after) {
						if c.value == nil {
							continue
						}
						if err := add(e, c.value, s.typeOf(p, types, c.expr)); err != nil {
							return nil, err
						}
					}
				}
			}
		}
	}
	return list, nil
}

// types lists the parameters of a part, each with some value of its type.
func (s *search) types(p part) map[string]protocol.Value {
	names := map[string]protocol.Value{}
	add := func(name string, t *protocol.TypeExpr) {
		if t.Kind == "quorum" {
			return
		}
		typ, err := s.Model.Type(t)
		if err != nil {
			panic(err)
		}
		names[name] = protocol.Value{Type: typ, Cells: typ.Values()[:1]}
	}
	for _, r := range s.Model.Text.Rules {
		if p.kind == "rule" && r.Label == p.rule {
			for _, f := range r.Params {
				add(f.Name, f.Type)
			}
		}
	}
	if p.kind != "rule" {
		for _, a := range p.args {
			add(a.name, protocol.ParseType(a.typ))
		}
	}
	return names
}

// typeOf is the type of an expression: that of its value in an initial state, with some message and some parameters. It
// is nil where it has none there; names of processes are compared with what has.
func (s *search) typeOf(p part, names map[string]protocol.Value, e *protocol.Expr) *protocol.Type {
	starts, _ := s.Model.Initial()
	v := protocol.View{State: starts[0].Next, Names: names}
	if s.Model.Message != nil {
		for _, role := range s.Model.Roles {
			for k := 1; k <= role.Size; k++ {
				m := make(protocol.Message, s.Model.Message.Size)
				for i := range m {
					m[i] = protocol.Undefined
				}
				v.From = protocol.Process{Role: role, Number: k}
				v.Received = []protocol.Receipt{{From: v.From, Message: m}}
			}
		}
	}
	x, err := s.Model.Ask(v, e)
	if err != nil {
		return nil
	}
	return x.Type
}
