package protocol

import (
	"fmt"
)

// ConstantValues returns the constants by name.
func (m *Model) ConstantValues() map[string]any {
	out := map[string]any{}
	for _, k := range m.Constants {
		if out[k.Name] = any(k.Value); k.Bool {
			out[k.Name] = k.Value != 0
		}
	}
	return out
}

// Place says what is wrong, and at which line and column of the text.
func (f *Failure) Place() string {
	if f.Pos.Line == 0 {
		return f.Msg
	}
	return fmt.Sprintf("%d:%d: %s", f.Pos.Line, f.Pos.Col, f.Msg)
}
