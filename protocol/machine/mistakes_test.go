package machine

import (
	"testing"

	"github.com/tacheck/tacheck/testkit/mistake"
)

// TestMistakes: deliberate mistakes of the compiler are noticed.
func TestMistakes(t *testing.T) {
	mistake.Noticed(t, []mistake.Mistake{
		{Name: "an element of an array is taken for the next one", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("place.go", "a.start += (int(v) - x.lo) * x.stride",
				"if MISTAKE && int(v) < x.hi && x.role == \"\" { v++ }\n\t\ta.start += (int(v) - x.lo) * x.stride")},
		{Name: "what is stored is not held against its type", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("statements.go", "outside := func(v int32) { c.fail(", "outside := func(v int32) { if MISTAKE && v == 3 { return }; c.fail(")},
		{Name: "a process that has changed is not made again what it was", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("compile.go", "item := e.loaded[p]; item != nil", "item := e.loaded[p]; !MISTAKE && item != nil")},
		{Name: "guards have a part in common that is another one", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("guards.go", "i, known := parts[key]", "if MISTAKE && len(key) > 3 { key = key[:3] }\n\t\ti, known := parts[key]")},
		{Name: "the instances that another local state allows", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("guards.go", "known[0] == uint64(local)+1 {", "MISTAKE && known[0] != 0 || known[0] == uint64(local)+1 {")},
		{Name: "what is in doubt does not hold", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("guards.go", "return s.said[i] == doubtful", "return !MISTAKE && s.said[i] == doubtful")},
		{Name: "what is in doubt holds", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("guards.go", "if sure && doubt == nobody {", "if MISTAKE || sure && doubt == nobody {")},
		{Name: "one local state decides what two do", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("compile.go", "state = state<<32 | uint64(e.number[p])", "state = state<<32 | uint64(e.number[p])\n\t\tif MISTAKE { break }")},
		{Name: "what statements look at is forgotten", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("effects.go", "h = h*0x9e3779b97f4a7c15 + uint64(state[p])", "if MISTAKE && i > 0 { of[i] = 0 } else { h = h*0x9e3779b97f4a7c15 + uint64(state[p]) }")},
		{Name: "the rest of a guard is not tested", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("guards.go", "if !holds(&w.env) {", "if !MISTAKE && !holds(&w.env) {")},
		{Name: "what a test before it might have hidden is tested first", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("guards.go", "doubt == nobody || doubt == process", "MISTAKE || doubt == nobody || doubt == process")},
		{Name: "what has no value is not noted", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("intern.go", "if v == protocol.Undef && x.lacks", "if v == protocol.Undef && !MISTAKE && x.lacks")},
		{Name: "what was compiled for values that are always there is kept", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("fire.go", "if w.lacked == now {", "if MISTAKE || w.lacked == now {")},
		{Name: "one case decides where others are errors", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("compile.go", "ends := c.each(t, compiler.sure)", "ends := MISTAKE || c.each(t, compiler.sure)")},
		{Name: "an index that is computed is in range", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("sure.go", "Value: c.constant,", "Value: func(t *protocol.Term) (int32, bool) { if v, known := c.constant(t); known || !MISTAKE { return v, known }; return 0, true },")},
	}...)
}
