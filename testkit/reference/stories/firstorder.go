package stories

import (
	"fmt"
	"regexp"
	"strings"
)

// A first-order system has states of relations, which are sets of what is true, and of functions, which are sets of
// what is equal: {r(a0), t(a0, a1)} and {f(a0) = a1}.

// firstOrder reports whether the text is that of a first-order system.
func (s *Story) firstOrder() bool { return sorts.MatchString(s.text) }

var sorts = regexp.MustCompile(`(?m)^sort (\w+)`)

// relations are what names mean in a state of a first-order system.
func (s *Story) relations(k int) *scope {
	sc := &scope{names: map[string]any{}, unknown: func(name string) (any, bool) { return symbol(name), true }}
	for name, v := range s.states[k] {
		elements, changes := v.(set)
		if sc.names[name] = v; !changes {
			continue
		}
		for one := range elements {
			if value, is := strings.CutPrefix(one, name+" = "); is { // a constant
				sc.names[name] = symbol(value)
			}
		}
	}
	sc.domain = func(_ *scope, of, _ *node) (list []any, err error) {
		for _, v := range s.run.Values {
			if of != nil && v.Name == of.name {
				for i := range v.Value.Int64() {
					list = append(list, symbol(fmt.Sprint(of.name, i)))
				}
				return list, nil
			}
		}
		return nil, errUnread
	}
	sc.call = func(inner *scope, n *node) (any, error) {
		var args []string
		for _, a := range n.kids {
			v, err := inner.eval(a)
			if err != nil {
				return nil, err
			}
			args = append(args, fmt.Sprint(v))
		}
		elements, known := s.states[k][n.name].(set)
		text := n.name + "(" + strings.Join(args, ", ") + ")"
		for one := range elements {
			if value, is := strings.CutPrefix(one, text+" = "); is {
				return symbol(value), nil
			}
		}
		if !known {
			return nil, errUnread
		}
		return elements[text], nil
	}
	return sc
}

// atoms compares what the story says of the start, of changes and of the end with the states.
func (s *Story) atoms() error {
	now := map[string]string{}
	say := func(lines []string) map[string]string {
		for _, line := range lines {
			for _, one := range parts(line, ", ") {
				name, value, valued := strings.Cut(strings.TrimPrefix(one, "!"), " = ")
				if !valued {
					value = fmt.Sprint(one == name)
				}
				if now[name] = value; value == "false" || one == "nothing is true" {
					delete(now, name)
				}
			}
		}
		return now
	}
	for k := range s.states {
		if k == 0 {
			say(s.run.Start)
		} else {
			say(s.run.Events[k-1].Changes)
		}
		is := map[string]string{}
		for name, v := range s.states[k] {
			elements, many := v.(set)
			if !many && v == true {
				is[name] = "true"
			}
			for one := range elements {
				name, value, valued := strings.Cut(one, " = ")
				if !valued {
					value = "true"
				}
				is[name] = value
			}
		}
		if fmt.Sprint(is) != fmt.Sprint(now) {
			return fmt.Errorf("state %d: the story says %v; it is %v", k, now, is)
		}
		s.Read += len(is)
	}
	for _, line := range s.run.End {
		for _, one := range parts(line, ", ") {
			if name, value, valued := strings.Cut(one, " = "); valued && now[name] != value || !valued && now[one] == "" {
				return fmt.Errorf("at the end, %q is not so in %v", one, now)
			}
		}
	}
	return nil
}
