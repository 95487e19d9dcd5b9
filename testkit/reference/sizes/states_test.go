package sizes

import "testing"

// TestStates counts states that were counted by hand: processes have names, or not.
func TestStates(t *testing.T) {
	send := "r: if not x then x := true; send A; endif"
	for _, test := range []struct {
		faults, rules      string
		n, f, named, alike int
	}{
		{"none", "r: if i and not x then x := true; endif", 2, 0, 9, 6},
		{"none", send, 1, 0, 6, 6},        // input; nothing, sent, heard
		{"none", send, 2, 0, 100, 55},     // of a process: input, and nothing, or two messages, each on its way or heard: 10; 10 * 11 / 2 pairs
		{"crash f", send, 1, 1, 9, 9},     // or crashed, without variables: nothing on its way, or a message that is sure, or one that is not
		{"byzantine f", "", 2, 1, 24, 12}, // who is faulty; input; a lie A or not; no lie V, or V(0), or V(1)
	} {
		in := instance(t, tiny(test.faults, "input i: bool; local x: bool;", test.rules, ""), test.n, test.f)
		for _, symmetric := range []bool{false, true} {
			want := map[bool]int{false: test.named, true: test.alike}[symmetric]
			if got, err := in.States(symmetric, 10000); err != nil || got != want {
				t.Errorf("%s: %s: symmetric %v: %d states, %v; want %d", test.faults, test.rules, symmetric, got, err, want)
			}
		}
	}
}
