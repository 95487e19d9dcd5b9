package counter

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tacheck/tacheck/internal/linear"
)

// Quantity is what sums are of: the one of its kind with a number that the front end gives it.
type Quantity struct {
	Kind  Kind
	Index int
}

// Kind says what a quantity counts.
type Kind uint8

// Kinds of quantities. Front ends number messages, one a value, sender type and kind.
const (
	At        Kind = iota // processes at a location
	Crashed               // processes of a type that have crashed
	Fell                  // those of them that had sent a message
	Gone                  // those of them that had sent nothing of a channel
	Lost                  // those of them that had not sent to all what a channel waits for
	Quotient              // a sum divided by a number
	Received              // what a process has received, before its step
	OrCrashed             // the senders of a message that a process has heard from, or that have crashed
	Counted               // processes that satisfy something, until it is known where these are
	Drawn                 // what a process chooses in its step
	Parameter
	Sent       // messages sent: to all, if some reach some only
	SentSome   // messages sent to all, or to some
	Difference // of shared variables, which only grows
)

// Shared reports whether a quantity is a shared variable of the automaton: it only grows.
func (q Quantity) Shared() bool {
	return Is(Crashed, Fell, Gone, Lost, Sent, SentSome, Difference)(q)
}

// Own reports whether a quantity is one of a process, so that no guard of the automaton has it.
func (q Quantity) Own() bool { return Is(Received, OrCrashed, Drawn)(q) }

// left reports whether a quantity stands on the left of comparisons.
func (q Quantity) left() bool { return q.Kind == At || q.Shared() }

// Compare orders quantities by what they are, and then by their numbers.
func (q Quantity) Compare(r Quantity) int {
	return cmp.Or(cmp.Compare(q.Kind, r.Kind), cmp.Compare(q.Index, r.Index))
}

// keys are the first characters of keys, by kind. In the order of keys, in which some guards are written, parameters
// come first, and what was sent after them.
const keys = "4567892:>301;="

// AppendKey appends what tells a quantity from others.
func (q Quantity) AppendKey(b []byte) []byte {
	return strconv.AppendInt(append(b, keys[q.Kind], '.'), int64(q.Index), 10)
}

// Numbered is the quantity of a kind with a number.
func (k Kind) Numbered(index int) Quantity { return Quantity{k, index} }

// Is asks for quantities of some kinds.
func Is(kinds ...Kind) func(Quantity) bool {
	return func(q Quantity) bool { return slices.Contains(kinds, q.Kind) }
}

// Sum is a sum of quantities and a number.
type Sum = linear.Sum[Quantity]

// Number is a sum without quantities.
func Number(n int64) Sum { return linear.Number[Quantity](linear.N(n)) }

// Of is a sum of one quantity.
func Of(k Kind, index int) Sum { return linear.Of(k.Numbered(index)) }

// shared are the terms of a sum whose quantities are shared variables.
func shared(l Sum) Sum { return l.Only(Quantity.Shared) }

// Compared is what a comparison says, as cases: in one of them, all sums are at least 0.
func Compared(op string, left, right Sum) [][]Sum {
	more, less := left.Sub(right), right.Sub(left)
	switch op {
	case ">=":
		return [][]Sum{{more}}
	case "<=":
		return [][]Sum{{less}}
	case ">":
		return [][]Sum{{more.Plus(-1)}}
	case "<":
		return [][]Sum{{less.Plus(-1)}}
	case "==", "=":
		return [][]Sum{{more, less}}
	}
	return [][]Sum{{more.Plus(-1)}, {less.Plus(-1)}}
}
