package protocol

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
)

// Message is a message, cell by cell.
type Message []int32

// Packet is a message with the process that has sent it.
type Packet struct {
	From    int
	Message Message
	Absent  bool // nothing arrived, and the receiver notices
	Kept    bool // what is received stays in its channel, too
}

// State is a state of all processes and channels.
type State struct {
	Cells  [][]int32 // by process: its variables
	Status []Status
	// Channels holds what can be received, Sent what is still to be delivered (empty in the model Direct):
	// [from*processes+to], sorted unless channels are FIFO.
	Channels, Sent [][]Message
}

// Failure is an error in a model that shows when it runs.
type Failure struct {
	Pos   diag.Pos
	Width int
	Msg   string
}

// Error says what is wrong and where.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Pos, f.Msg) }

// Key returns a text that only equal states share. It is not made to be read.
func (s *State) Key() string {
	var b []byte
	row := func(list []int32) {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, v := range list {
			b = binary.AppendVarint(b, int64(v))
		}
	}
	for _, c := range s.Cells {
		row(c)
	}
	for _, status := range s.Status {
		b = append(b, byte(status))
	}
	for _, channels := range [][][]Message{s.Channels, s.Sent} {
		b = binary.AppendUvarint(b, uint64(len(channels)))
		for _, list := range channels {
			b = binary.AppendUvarint(b, uint64(len(list)))
			for _, m := range list {
				row(m)
			}
		}
	}
	return string(b)
}

func (s *State) Clone() *State {
	out := &State{Status: slices.Clone(s.Status), Channels: slices.Clone(s.Channels), Sent: slices.Clone(s.Sent)}
	for _, c := range s.Cells {
		out.Cells = append(out.Cells, slices.Clone(c))
	}
	return out
}

// Catch turns a panic with a Failure, or a halt, into an error.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Failure:
		*err = r
	case Halt:
		*err = r.Err
	default:
		panic(r)
	}
}

// Clear leaves cells without values.
func Clear(cells []int32) {
	for i := range cells {
		cells[i] = Undef
	}
}

// Frames calls yield with the cells of a frame for all values of the parameters of a
// transition; they are valid until the next call.
func (m *Model) Frames(t *Transition, yield func(cells []int32)) {
	n := 0
	for _, p := range t.Params {
		n += p.Type.Cells
	}
	m.EachAssignment(t, func(frame []int32) { yield(frame[:n]) })
}

// EachAssignment calls yield with a frame for all values of the parameters.
func (m *Model) EachAssignment(t *Transition, yield func(frame []int32)) {
	t.assignments(m.Quorums, yield)
}

// EachScalar is EachAssignment, but for quorums: their cells are 0.
func (t *Transition) EachScalar(yield func(frame []int32)) {
	t.assignments(func(*ParamInfo) iter.Seq[uint64] { return slices.Values([]uint64{0}) }, yield)
}

func (t *Transition) assignments(quorums func(*ParamInfo) iter.Seq[uint64], yield func(frame []int32)) {
	frame := make([]int32, t.Frame)
	var choose func(i, cell int)
	choose = func(i, cell int) {
		if i == len(t.Params) {
			yield(frame)
			return
		}
		p := &t.Params[i]
		if p.Type.Kind == KindQuorum {
			for set := range quorums(p) {
				frame[cell], frame[cell+1] = SplitQuorum(set)
				choose(i+1, cell+2)
			}
			return
		}
		for v := p.Type.Lo; v <= p.Type.Hi; v++ {
			frame[cell] = v
			choose(i+1, cell+1)
		}
	}
	choose(0, 0)
}

// SplitQuorum returns the two cells of a frame that hold a set of processes of a role, bit i-1 for process i.
func SplitQuorum(set uint64) (low, high int32) { return int32(set & (1<<31 - 1)), int32(set >> 31) }

// JoinQuorum is the inverse of SplitQuorum.
func JoinQuorum(low, high int32) uint64 { return uint64(low) | uint64(high)<<31 }

// Members are the numbers, from 1, of those in a quorum.
func Members(low, high int32) []int {
	list := []int{}
	for set := JoinQuorum(low, high); set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set)+1)
	}
	return list
}

// Quorums yields what the quorum of a parameter may be, bit i-1 for process i.
func (m *Model) Quorums(p *ParamInfo) iter.Seq[uint64] {
	n := m.Roles[p.Type.Role].Size
	return func(yield func(set uint64) bool) {
		var choose func(i, left int, set uint64) bool
		choose = func(i, left int, set uint64) bool {
			if i == n {
				return left > 0 || left < 0 && !p.AtLeast || yield(set)
			}
			return (left <= 0 && !p.AtLeast || choose(i+1, left-1, set|1<<i)) &&
				(left > n-i-1 || choose(i+1, left, set))
		}
		choose(0, p.Size, 0)
	}
}

// Cell returns the cell of a frame where a parameter is.
func (t *Transition) Cell(param int) int {
	n := 0
	for _, p := range t.Params[:param] {
		n += p.Type.Cells
	}
	return n
}

// Equal reports whether two states are the same.
func (s *State) Equal(t *State) bool {
	same := func(a, b []Message) bool {
		return slices.EqualFunc(a, b, func(m, k Message) bool { return slices.Equal(m, k) })
	}
	return slices.Equal(s.Status, t.Status) && slices.EqualFunc(s.Cells, t.Cells, slices.Equal[[]int32]) &&
		slices.EqualFunc(s.Channels, t.Channels, same) && slices.EqualFunc(s.Sent, t.Sent, same)
}

// Place says what is wrong, and at which line and column of the text.
func (f *Failure) Place() string {
	if f.Pos.Line == 0 {
		return f.Msg
	}
	return fmt.Sprintf("%d:%d: %s", f.Pos.Line, f.Pos.Col, f.Msg)
}
