package cluster

import "testing"

// TestStrictly: a result that has anything behind it is none, also where that is no value.
func TestStrictly(t *testing.T) {
	for text, ok := range map[string]bool{`{"worker":"w"}`: true, `{"worker":"w"}}`: false, `{"worker":"w"}]`: false, `{"worker":"w"}{}`: false, `{"worker":"w"} x`: false, `{"other":1}`: false} {
		if _, err := parseRecord([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
