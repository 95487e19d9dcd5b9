package protocol_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/history"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// TestTransit walks through random protocols, with and without variables that count what is on its way: the same
// steps are possible in both, lead to the same states but for these variables, and fail alike.
func TestTransit(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 33))
	done := 0
	for k := range need.Cases(t, 60) {
		text := random.Kinds(r)
		if k%4 == 0 {
			text = random.Collections(r)
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := history.WithTransit(m, func(kind, field string) bool { return kind != "A" && r.IntN(10) > 0 })
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if x == nil {
			continue
		}
		if problem := walkBoth(m, x.Model, r); problem != "" {
			t.Fatalf("%s\n%s", problem, interp.Text(x.Model))
		}
		readsBack(t, x.Model)
		done++
	}
	if done == 0 {
		t.Error("no protocol is compared")
	}
	t.Logf("%d protocols", done)
}

// readsBack checks that the text of a protocol that was made is read as it is printed.
func readsBack(t *testing.T, m *protocol.Model) {
	t.Helper()
	f, err := ftdp.Parse("printed.ftdp", interp.Text(m))
	if err == nil {
		_, err = instantiate.Model(f, nil)
	}
	if err != nil || ftdp.Format(f) != interp.Text(m) {
		t.Errorf("%v\n%s", err, interp.Text(m))
	}
}

// walkBoth compares runs.
func walkBoth(m, with *protocol.Model, r *rand.Rand) string {
	a, b := &interp.Interpreter{Model: m}, &interp.Interpreter{Model: with}
	first, err := a.Initial()
	more, err2 := b.Initial()
	if err != nil || err2 != nil {
		if (err == nil) != (err2 == nil) {
			return "only one has initial states"
		}
		return ""
	}
	k := r.IntN(len(first))
	s := first[k].State
	i := slices.IndexFunc(more, func(n interp.Successor) bool { return sameEvent(n.Event, first[k].Event) })
	if i < 0 {
		return "an initial state is missing"
	}
	u := more[i].State
	for range 12 {
		list, err := a.Successors(s)
		other, err2 := b.Successors(u)
		if err != nil || err2 != nil {
			if (err == nil) != (err2 == nil) {
				return "only one fails"
			}
			return ""
		}
		if len(list) != len(other) {
			return "other numbers of steps"
		}
		for k, n := range list {
			if !sameEvent(n.Event, other[k].Event) || !part(m, n.State, other[k].State) {
				return "other steps"
			}
		}
		k := r.IntN(len(list))
		s, u = list[k].State, other[k].State
	}
	return ""
}

func sameEvent(a, b interp.Event) bool {
	samePacket := func(p, q protocol.Packet) bool {
		return p.From == q.From && p.Absent == q.Absent && p.Kept == q.Kept && slices.Equal(p.Message, q.Message)
	}
	return a.Rule == b.Rule && a.Fate == b.Fate && a.To == b.To && slices.Equal(a.Frame, b.Frame) && slices.EqualFunc(a.Packets, b.Packets, samePacket)
}

// part reports whether a state is one without some further variables, which are the last ones of each process.
func part(m *protocol.Model, s, with *protocol.State) bool {
	for p, cells := range s.Cells {
		if !slices.Equal(cells, with.Cells[p][:len(cells)]) {
			return false
		}
	}
	return slices.Equal(s.Status, with.Status) && slices.EqualFunc(s.Channels, with.Channels, func(a, b []protocol.Message) bool {
		return slices.EqualFunc(a, b, func(x, y protocol.Message) bool { return slices.Equal(x, y) })
	})
}

// TestTransitForgets shows that the comparison notices a message that is not counted.
func TestTransitForgets(t *testing.T) {
	for k := uint64(0); k < 300; k++ {
		r := rand.New(rand.NewPCG(k, 34))
		m, err := instantiate.Read("random.ftdp", random.Kinds(r), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := history.WithTransit(m, func(_, _ string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if x == nil {
			continue
		}
		wrong, err := instantiate.Read("random.ftdp", strings.ReplaceAll(interp.Text(x.Model), ":= ONE;", ":= NONE;"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if walkBoth(m, wrong, r) != "" {
			return
		}
	}
	t.Error("nobody notices")
}
