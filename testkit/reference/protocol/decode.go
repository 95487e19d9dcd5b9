package protocol

import (
	"encoding/json"
	"fmt"
	"slices"
)

// decode reads a value as the program under test writes it into its files: records are objects, arrays and sets lists,
// sequences objects with a length and items, null is undefined, as is a field that is left out.
func (m *Model) decode(t *Type, raw json.RawMessage) ([]int, error) {
	cells := make([]int, t.Size)
	clearCells(cells)
	if len(raw) == 0 || string(raw) == "null" {
		return cells, nil
	}
	switch t.Kind {
	case Record:
		return cells, m.decodeRecord(t, raw, cells)
	case Array:
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return nil, err
		}
		return cells, m.decodeItems(t.Elem, items, cells)
	case Seq:
		var s struct {
			Length *int
			Items  []json.RawMessage
		}
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		if s.Length == nil {
			return cells, nil
		}
		cells[0] = *s.Length
		return cells, m.decodeItems(t.Elem, s.Items, cells[1:])
	}
	var err error
	cells[0], err = decodeSimple(t, raw)
	return cells, err
}

func (m *Model) decodeRecord(t *Type, raw json.RawMessage, cells []int) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	for name, v := range fields {
		at := slices.IndexFunc(t.Fields, func(f TypedField) bool { return f.Name == name })
		if at < 0 {
			return fmt.Errorf("there is no field %s", name)
		}
		f := t.Fields[at]
		part, err := m.decode(f.Type, v)
		if err != nil {
			return err
		}
		copy(cells[f.Offset:], part)
	}
	return nil
}

func (m *Model) decodeItems(elem *Type, items []json.RawMessage, cells []int) error {
	if len(items)*elem.Size > len(cells) {
		return fmt.Errorf("%d elements are too many", len(items))
	}
	for i, v := range items {
		part, err := m.decode(elem, v)
		if err != nil {
			return err
		}
		copy(cells[i*elem.Size:], part)
	}
	return nil
}

func decodeSimple(t *Type, raw json.RawMessage) (int, error) {
	var name string
	if t.Kind == Enum && json.Unmarshal(raw, &name) == nil {
		if at := slices.Index(t.Names, name); at >= 0 {
			return at, nil
		}
	}
	if numbers, ok := numbersOf(raw); ok && len(numbers) == 1 && t.Kind != Enum {
		return numbers[0], nil
	}
	return 0, fmt.Errorf("%s is no value of its type", raw)
}

// decodeParts reads a message as it is written into saved runs: an object with a name for each part that has a value,
// such as x.items[1].who[2].
func (m *Model) decodeParts(raw map[string]json.RawMessage) (Message, error) {
	cells := make(Message, m.Message.Size)
	clearCells(cells)
	types, known := m.Message.Cells(), map[string]int{}
	for i, name := range m.partNames(m.Message, "") {
		known[name] = i
	}
	for name, v := range raw {
		at, ok := known["."+name]
		if !ok {
			return nil, fmt.Errorf("there is no field %s", name)
		}
		var err error
		if cells[at], err = decodeSimple(types[at], v); err != nil {
			return nil, err
		}
	}
	return cells, nil
}

// partNames names the cells of a value.
func (m *Model) partNames(t *Type, prefix string) []string {
	var names []string
	switch t.Kind {
	case Record:
		for _, f := range t.Fields {
			names = append(names, m.partNames(f.Type, prefix+"."+f.Name)...)
		}
	case Array:
		for _, v := range t.Index.Values() {
			names = append(names, m.partNames(t.Elem, prefix+"["+valueText(t.Index, v)+"]")...)
		}
	case Seq:
		names = append(names, prefix+".length")
		for k := range t.Max {
			names = append(names, m.partNames(t.Elem, fmt.Sprintf("%s.items[%d]", prefix, k+1))...)
		}
	default:
		names = append(names, prefix)
	}
	return names
}

func valueText(t *Type, v int) string {
	switch t.Kind {
	case Bool:
		return fmt.Sprint(v == 1)
	case Enum:
		return t.Names[v]
	}
	return fmt.Sprint(v)
}
