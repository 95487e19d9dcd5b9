package protocol

import (
	"slices"
	"strings"
)

// Message is the cells of a message.
type Message []int

// State is a state of an instance.
type State struct {
	Vars   [][]int // by process
	Status []int   // by process
	Global []int   // the global variables
	// Sent[r][s] is what s has sent to r: a queue, or sorted where there is no order. With
	// message traffic that delivers in steps of their own, it is what has not been delivered, and
	// Delivered is the rest.
	Sent, Delivered [][][]Message
}

// first lists the cells of variables at first: they have no values, but for those that the text says.
func (m *Model) first(declared []Field, t *Type) []int {
	cells := make([]int, t.Size)
	clearCells(cells)
	for i, f := range t.Fields {
		if declared[i].First != nil && mistake != mistakeFirst {
			m.fill(f.Type, cells[f.Offset:f.Offset+f.Type.Size], declared[i].First)
		}
	}
	return cells
}

// fill gives a first value to a variable, to all elements of an array.
func (m *Model) fill(t *Type, cells []int, first *Expr) {
	if t.Kind == Array && !t.Set {
		for at := 0; at < len(cells); at += t.Elem.Size {
			m.fill(t.Elem, cells[at:at+t.Elem.Size], first)
			if mistake == mistakeFirstElement {
				break
			}
		}
		return
	}
	copy(cells, (&scope{model: m}).evalAs(first, t).Cells)
}

func (m *Model) globalFields() []Field {
	var list []Field
	for _, v := range m.Text.Vars {
		if m.role(v.Name) == nil {
			list = append(list, v)
		}
	}
	return list
}

func (m *Model) newState() *State {
	s := &State{Global: m.first(m.globalFields(), m.Globals)}
	for id := range m.count {
		s.Vars = append(s.Vars, m.first(m.process(id).Role.Declared, m.process(id).Role.State))
		s.Status = append(s.Status, statusCorr)
		s.Sent = append(s.Sent, make([][]Message, m.count))
		s.Delivered = append(s.Delivered, make([][]Message, m.count))
	}
	return s
}

func (s *State) clone() *State {
	c := &State{Status: slices.Clone(s.Status), Global: slices.Clone(s.Global)}
	for i := range s.Vars {
		c.Vars = append(c.Vars, slices.Clone(s.Vars[i]))
		c.Sent = append(c.Sent, make([][]Message, len(s.Vars)))
		c.Delivered = append(c.Delivered, make([][]Message, len(s.Vars)))
		for j := range s.Vars {
			c.Sent[i][j] = slices.Clone(s.Sent[i][j])
			c.Delivered[i][j] = slices.Clone(s.Delivered[i][j])
		}
	}
	return c
}

// Key is a string that two states share if and only if they are equal.
func (s *State) Key() string {
	var b strings.Builder
	put := func(cells []int) {
		for _, v := range cells {
			if v == Undefined {
				b.WriteString("\xff")
			} else {
				b.WriteString(string(rune('A' + 1000 + v)))
			}
		}
	}
	put(s.Global)
	for i := range s.Vars {
		put(s.Vars[i])
		put(s.Status[i : i+1])
		for j := range s.Vars {
			for _, m := range s.Sent[i][j] {
				b.WriteString("\xfe")
				put(m)
			}
			b.WriteString("\xfd")
			for _, m := range s.Delivered[i][j] {
				b.WriteString("\xfe")
				put(m)
			}
			b.WriteString("\xfc")
		}
	}
	return b.String()
}

// add puts a message into a channel: at its end, or where it belongs among the sorted.
func add(channel []Message, msg Message, fifo bool) []Message {
	at := len(channel)
	if !fifo {
		at, _ = slices.BinarySearchFunc(channel, msg, slices.Compare[Message])
	}
	return slices.Insert(slices.Clone(channel), at, msg)
}

// without takes a message from a channel.
func without(channel []Message, at int) []Message {
	return slices.Delete(slices.Clone(channel), at, at+1)
}

// choices lists the places of messages that can be taken next: the first of a queue, or one of
// each content.
func choices(channel []Message, fifo bool) []int {
	var list []int
	for i, m := range channel {
		if fifo && i > 0 && mistake != mistakeOrder || i > 0 && slices.Equal(channel[i-1], m) {
			continue
		}
		list = append(list, i)
	}
	return list
}
