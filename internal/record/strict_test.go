package record

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestAlone: a value with anything behind it is not alone, also where that is no value.
func TestAlone(t *testing.T) {
	for text, want := range map[string]error{
		`{"a":1}`: nil, " {\"a\":1}\n": nil, `{"a":1}}`: ErrMore, `{"a":1}]`: ErrMore, `{"a":1}{"a":2}`: ErrMore, `{"a":1} x`: ErrMore, `{"a":1},`: ErrMore,
	} {
		var v any
		if err := Alone(json.NewDecoder(strings.NewReader(text)), &v); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
		if _, err := Tree([]byte(text)); (err == nil) != (want == nil) {
			t.Errorf("%s: Tree: %v", text, err)
		}
	}
}
