package reading

import (
	"math"
)

// Whose returns which process an event is of: of one that is ignored it need not say. Events of one log are of one
// process if the reading does not say more.
func (k *ClockRule) Whose(e *Event, v any, ignored bool) (name string, known bool, err error) {
	if k == nil {
		return e.File, true, nil
	}
	var list []any
	for _, p := range k.By {
		got, ok := p.at(v)
		switch {
		case ok:
			list = append(list, got)
		case ignored:
			return "", false, nil
		default:
			return "", false, e.WrongAt(p, "there is no %s here, which says whose event this is", p.Text)
		}
	}
	switch len(list) {
	case 0:
		return "", false, nil
	case 1:
		return Plain(list[0]), true, nil
	}
	return Plain(list), true, nil
}

// Counts reads a vector clock: how many events of each process have happened at or before an event.
func (k *ClockRule) Counts(e *Event, v any) (map[string]int, error) {
	p := k.Vector
	got, ok := p.at(v)
	if !ok {
		return nil, e.WrongAt(p, "there is no vector clock %s here", p.Text)
	}
	out := map[string]int{}
	add := func(name string, count any) error {
		n, isInt := Integer(count)
		if !isInt || n < 0 || n > math.MaxInt32 {
			return e.WrongAt(p, "%s: %s is no number of events", p.Text, Plain(count))
		}
		if _, twice := out[name]; twice {
			return e.WrongAt(p, "%s counts the events of %s twice", p.Text, name)
		}
		out[name] = int(n)
		return nil
	}
	m, isObject := got.(map[string]any)
	list, isList := got.([]any)
	switch {
	case isObject && !k.pairs:
		for name, n := range m {
			if err := add(name, n); err != nil {
				return nil, err
			}
		}
	case isList && k.pairs:
		for _, x := range list {
			pair, _ := x.([]any)
			if len(pair) != 2 {
				return nil, e.WrongAt(p, "%s: %s is no pair of a process and a number of events", p.Text, Plain(x))
			}
			if err := add(Plain(pair[0]), pair[1]); err != nil {
				return nil, err
			}
		}
	case isList:
		return nil,
			e.WrongAt(p, "%s is no vector clock: {\"a\": 1, \"b\": 3} (of a list of pairs, say vector pairs %s)",
				p.Text, p.Text)
	case isObject:
		return nil, e.WrongAt(p, "%s is no list of pairs: [[\"a\", 1], [\"b\", 3]] (of an object, say vector %s)",
			p.Text,
			p.Text)
	default:
		return nil, e.WrongAt(p, "%s is no vector clock: {\"a\": 1, \"b\": 3}", p.Text)
	}
	return out, nil
}
