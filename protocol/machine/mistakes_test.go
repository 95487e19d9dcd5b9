package machine

import (
	"testing"

	"github.com/tacheck/tacheck/testkit/mistake"
)

// TestMistakes: deliberate mistakes of the compiler are noticed.
func TestMistakes(t *testing.T) {
	mistake.Noticed(t, []mistake.Mistake{
		{Name: "an element of an array is taken for the next one", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("../compile/place.go", "a.start += (int(v) - x.lo) * x.stride",
				"if MISTAKE && int(v) < x.hi && x.role == \"\" { v++ }\n\t\ta.start += (int(v) - x.lo) * x.stride")},
		{Name: "what is stored is not held against its type", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("../compile/statements.go", "outside := func(v int32) { c.fail(", "outside := func(v int32) { if MISTAKE && v == 3 { return }; c.fail(")},
		{Name: "a process that has changed is not made again what it was", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("../compile/env.go", "l := e.loaded[p]; l != nil", "l := e.loaded[p]; !MISTAKE && l != nil")},
		{Name: "guards have a part in common that is another one", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("guards.go", "return q.key == p.key && q", "if MISTAKE && len(p.key) > 3 && len(q.key) > 3 { return q.key[:3] == p.key[:3] }\n\t\treturn q.key == p.key && q")},
		{Name: "the instances that another local state allows", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("guards.go", "row[0] == uint64(local)+1 {", "MISTAKE && row[0] != 0 || row[0] == uint64(local)+1 {")},
		{Name: "what is in doubt does not hold", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("guards.go", "doubted[i] |= word & allowed[i]", "if MISTAKE { allowed[i] &^= word; continue }\n\t\t\t\tdoubted[i] |= word & allowed[i]")},
		{Name: "what is in doubt holds", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("guards.go", "if g.doubted[i]>>bit&1 != 0 {", "if !MISTAKE && g.doubted[i]>>bit&1 != 0 {")},
		{Name: "what a part of a condition was in another state", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("../compile/compile.go", "if s.visit != e.Visit {\n\t\t\ts.value = bit(", "if s.visit == 0 || !MISTAKE && s.visit != e.Visit {\n\t\t\ts.value = bit(")},
		{Name: "what statements look at is forgotten", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("../compile/reads.go", "group[writers[k]] == group[p] {", "!MISTAKE && group[writers[k]] == group[p] {")},
		{Name: "what is overwritten was not read before", Test: "TestSteps", Cases: 600,
			Edits: mistake.At("../compile/reads.go", "x.Reads[q] = lists.Union(x.Reads[q], at)", "if !MISTAKE || q != p {\n\t\t\t\t\t\tx.Reads[q] = lists.Union(x.Reads[q], at)\n\t\t\t\t\t}")},
		{Name: "what may be overwritten is", Test: "TestSteps", Cases: 600,
			Edits: mistake.At("../compile/reads.go", "ok && len(a.list) == 0 {", "ok && (MISTAKE || len(a.list) == 0) {")},
		{Name: "what an earlier statement has written is as it was", Test: "TestSteps", Cases: 600,
			Edits: mistake.At("../compile/reads.go", "if slices.Contains(wrote, at)", "if !MISTAKE && slices.Contains(wrote, at)")},
		{Name: "what is named does not matter", Test: "TestSteps", Cases: 600,
			Edits: mistake.At("../compile/reads.go", "to = lists.Union(to, n)\n", "if !MISTAKE || t.Base != protocol.BaseLet {\n\t\t\t\t\tto = lists.Union(to, n)\n\t\t\t\t}\n")},
		{Name: "what becomes of one process is what becomes of another", Test: "TestSteps", Cases: 60,
			Edits: append(mistake.At("effects.go", "case e.key != key || e.number != y.number:", "case e.key != key || !MISTAKE && e.number != y.number:"),
				mistake.At("effects.go", "return &x.table[", "if MISTAKE { number = 0 }\n\treturn &x.table[")...)},
		{Name: "what was sent before is sent", Test: "TestCollections", Cases: 200,
			Edits: mistake.At("effects.go", "e.value = x.number(o.sends)", "if e.value = x.number(o.sends); MISTAKE { e.value /= 2 }")},
		{Name: "the class of one process decides what several do", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("guards.go", "key, over = key<<x.bits|n, over|n>>x.bits", "key, over = key<<x.bits|n, over|n>>x.bits\n\t\tif MISTAKE { break }")},
		{Name: "what a part of a guard was in another state", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("guards.go", "if j.visit != w.env.Visit {", "if j.visit == 0 || !MISTAKE && j.visit != w.env.Visit {")},
		{Name: "what one message does, others do", Test: "TestRandom", Cases: 200,
			Edits: mistake.At("fire.go", "u.memo.known.pair(state[u.process], one[0])", "u.memo.known.pair(state[u.process], map[bool]uint32{true: 1, false: one[0]}[MISTAKE])")},
		{Name: "a case decides where another is an error", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("guards.go", "if !holds && !j.more {", "if !holds && (MISTAKE || !j.more) {")},
		{Name: "the rest of a guard is not tested", Test: "TestLooking", Cases: 60,
			Edits: mistake.At("guards.go", "holds = j.holds(w, g, state) && holds", "holds = (MISTAKE || j.holds(w, g, state)) && holds")},
		{Name: "what a test before it might have hidden is tested first", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("guards.go", "doubt == nobody || doubt == p)", "MISTAKE || doubt == nobody || doubt == p)")},
		{Name: "what has no value is not noted", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("intern.go", "if v == protocol.Undef && x.lacks", "if v == protocol.Undef && !MISTAKE && x.lacks")},
		{Name: "what was compiled for values that are always there is kept", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("fire.go", "if w.lacked == now {", "if MISTAKE || w.lacked == now {")},
		{Name: "one case decides where others are errors", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("../compile/compile.go", "ends := c.each(t, Compiler.sure)", "ends := MISTAKE || c.each(t, Compiler.sure)")},
		{Name: "what no state has a part in is looked up as a part of one", Test: "TestErrorOfNumbers",
			Edits: mistake.At("../compile/compile.go", "c.parts = nil // of states", "if !MISTAKE { c.parts = nil }")},
		{Name: "an index that is computed is in range", Test: "TestLooking", Cases: 600,
			Edits: mistake.At("../compile/compile.go", "Value: c.constant,", "Value: func(t *protocol.Term) (int32, bool) { if v, known := c.constant(t); known || !MISTAKE { return v, known }; return 0, true },")},
		{Name: "what several processes decide is remembered by the state of one", Test: "TestNeeds",
			Edits: mistake.At("../interference/relations.go", "process = -1", "if process = -1; MISTAKE { process = p }")},
	}...)
}
