package protocol

import "fmt"

// Differing lists the constants of an instance that are among some, name=value, and of each that is not as in the text
// what it is there. A protocol for all sizes has no values in its text.
func (m *Model) Differing(of func(name string) bool) []string {
	own := map[string]any{}
	if !m.Source.Parameterized() {
		if text, err := m.Remodel(m.Source, nil, false); err == nil {
			own = text.ConstantValues()
		}
	}
	var list []string
	values := m.ConstantValues()
	for _, k := range m.Constants {
		name, v := k.Name, values[k.Name]
		if !of(name) {
			continue
		}
		text := fmt.Sprintf("%s=%v", name, v)
		if w, ok := own[name]; ok && w != v {
			text += fmt.Sprintf(" (%v in the text)", w)
		}
		list = append(list, text)
	}
	return list
}
