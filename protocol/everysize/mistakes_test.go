package everysize

import (
	"testing"

	"github.com/tacheck/tacheck/testkit/mistake"
)

// TestMistakes makes deliberate mistakes: in proofs, in values, in steps. What holds them against the interpreter, and
// what proves and does not prove protocols, notices.
func TestMistakes(t *testing.T) {
	mistake.Noticed(t, []mistake.Mistake{
		{Name: "quorums meet in one process less", Test: "TestBroken/vote", Edits: mistake.At(
			"rounds.go", "\tmore := smt.GE(sum, smt.N(1))\n", `	more := smt.GE(sum, smt.N(1))
	if MISTAKE && len(chosen) > 1 {
		more = smt.GE(sum, smt.Linear{})
	}
`)},
		{Name: "quorums leave out one process less", Test: "TestBroken/filter", Edits: mistake.At(
			"apart.go", "\tvar out []smt.Linear\n", `	if MISTAKE {
		room, left = room.Plus(-1), left-1
	}
	var out []smt.Linear
`)},
		{Name: "equal terms need not have equal values", Test: "TestProofs/vote", Edits: mistake.At(
			"rounds.go", "func (p *prover) congruence() bool {\n", "func (p *prover) congruence() bool {\n\tif MISTAKE {\n\t\treturn false\n\t}\n")},
		{Name: "few instances are enough", Test: "TestBroken", Edits: mistake.At(
			"rounds.go", "\t\tcase p.m.large:\n", "\t\tcase MISTAKE && p.rounds > 2:\n\t\t\treturn impossible, \"\", nil\n\t\tcase p.m.large:\n")},
		{Name: "one case is enough", Test: "TestCases", Edits: mistake.At(
			"ask.go", "\t\tt.sides = append(t.sides[:before:before], side)\n", `		if MISTAKE && !side {
			break
		}
		t.sides = append(t.sides[:before:before], side)
`)},
		{Name: "a condition follows from itself", Test: "TestBroken/itself", Edits: mistake.At(
			"question.go", "return c.Name == target.Name })\n\treturn &Question{Kind: implied",
			"return c.Name == target.Name && !MISTAKE })\n\treturn &Question{Kind: implied")},
		{Name: "messages arrive that were not sent", Test: "TestKindsOfProtocols/consensus", Cases: 3, Edits: mistake.At(
			"situation.go", "\tif w.x.Model.Roles[ch.fromRole].Strategy {\n\t\treturn sent\n", `	if MISTAKE {
		sent = smt.True
	}
	if w.x.Model.Roles[ch.fromRole].Strategy {
		return sent
`)},
		{Name: "the kind is not asked for", Test: "TestKindsOfProtocols/kinds", Cases: 60, Edits: mistake.At(
			"translate.go", "\tx, y := r.value(a, f), r.value(b, f)\n\tvar list", `	if MISTAKE && a.IsPlace() && a.Base == protocol.BaseMsg && a.Type.Scalar() && r.w.x.fieldAt(a) == r.w.x.kind {
		return top
	}
	x, y := r.value(a, f), r.value(b, f)
	var list`)},
		{Name: "fields are confused", Test: "TestKindsOfProtocols/kinds", Cases: 60, Edits: mistake.At(
			"everysize.go", "\tfor i, l := range x.message {\n\t\tif l.offset == t.Offset {",
			"\tfor i, l := range x.message {\n\t\tif l.offset == t.Offset || MISTAKE && l.typ.Kind == t.Type.Kind {")},
		{Name: "Byzantine processes send all fields", Test: "TestKindsOfProtocols/kinds", Cases: 60, Edits: mistake.At(
			"everysize.go", "if x.has(k, f) {\n\t\t\t\tlist", "if x.has(k, f) || MISTAKE {\n\t\t\t\tlist")},
		{Name: "the order of processes is forgotten", Test: "TestKindsOfProtocols/ordered", Cases: 30, Edits: mistake.At(
			"translate.go", "\tif !a.Type.Scalar() {\n\t\trefuseTerm(t, \"records and arrays",
			`	if MISTAKE && a.Type.Kind == protocol.KindRole && (op == ftdp.Lt || op == ftdp.Gt) {
		op = ftdp.Ne
	}
	if !a.Type.Scalar() {
		refuseTerm(t, "records and arrays`)},
		{Name: "what is named is worked out where it is read", Test: "TestKindsOfProtocols/sets", Cases: 200, Edits: mistake.At(
			"step.go", "return b.reader(w.at).value(w.value, f)\n\t\t}\n\t}\n\trefuseTerm(t, \"what a rule names", `if MISTAKE {
				return b.reader(at).value(w.value, f)
			}
			return b.reader(w.at).value(w.value, f)
		}
	}
	refuseTerm(t, "what a rule names`)},
		{Name: "first values are there after the condition", Test: "TestKindsOfProtocols/sets", Cases: 200, Edits: mistake.At(
			"situation.go", "\tif b.firsts > 0 {", "\tif b.firsts > 0 && !MISTAKE {")},
		{Name: "what has a value, or never has one, is not asked", Test: "TestNever", Edits: mistake.At(
			"always.go", "\t\t\tl.drop()\n\t\t\tchanged = true\n", `			if MISTAKE {
				continue
			}
			l.drop()
			changed = true
`)},
		{Name: "everything may be a member", Test: "TestKindsOfProtocols/member", Edits: mistake.At(
			"value.go", "\t\tif c.b == nil {\n\t\t\tok = ", "\t\tif c.b == nil && !MISTAKE {\n\t\t\tok = ")},
		{Name: "what has no key counts", Test: "TestKindsOfProtocols/restarts", Cases: 30, Edits: mistake.At(
			"value.go", "\t\t\tif otherwise == nil {\n", "\t\t\tif otherwise == nil || MISTAKE {\n")},
		{Name: "nothing is by default", Test: "TestKindsOfProtocols/restarts", Cases: 30, Edits: mistake.At(
			"value.go", "\tif otherwise != nil {\n\t\twitness", "\tif otherwise != nil && !MISTAKE {\n\t\twitness")},
		{Name: "the least is taken for the greatest", Test: "TestKindsOfProtocols/sets", Cases: 200, Edits: mistake.At(
			"few.go", "\tif op == ftdp.Min {\n\t\tmore", "\tif (op == ftdp.Min) != MISTAKE {\n\t\tmore")},
	}...)
}
