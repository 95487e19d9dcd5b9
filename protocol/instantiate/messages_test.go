package instantiate

import (
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// TestMessages: messages have the fields of their kinds, and no others, whoever sends them.
func TestMessages(t *testing.T) {
	f, err := ftdp.Parse("messages.ftdp", `protocol messages;
parameters n, f;
assume n >= f;
faults byzantine f;
messages VOTE(0..1, bool), SURE(0..2), DONE;
process node[n]
  local s: bool;
  a: if heard(SURE(2)) >= 1 and heard(DONE) >= 1 and not s then send VOTE(1, true); s := true; endif
end
invariant never: all(not s);
`)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Model(f, map[string]int64{"n": 2, "f": 1})
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]int{}
	for _, msg := range interp.Domain(m.Message) {
		kind := ""
		m.Message.Leaves("", 0, func(path string, of *protocol.Type, at int) {
			switch {
			case path == ".kind":
				kind, fields[of.Format(msg[at])] = of.Format(msg[at]), 0
			case msg[at] != protocol.Undef:
				fields[kind]++
			}
		})
	}
	if len(fields) != 3 || fields["VOTE"] != 2 || fields["SURE"] != 1 || fields["DONE"] != 0 {
		t.Errorf("messages have so many fields: %v", fields)
	}
}
