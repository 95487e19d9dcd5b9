package machine

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync"

	"tacheck/protocol"
)

// mix spreads the bits of a number (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// digest is a hash of numbers in a row.
func digest(seed uint64, list []int32) uint64 {
	h := mix(seed + 0x9e3779b97f4a7c15)
	for _, v := range list {
		h = mix(h*0x9e3779b97f4a7c15 + uint64(uint32(v)))
	}
	return h
}

// table numbers things in the order in which they are met. Numbers depend on
// which goroutine is first; digests do not.
type table[T any] struct {
	mu    sync.RWMutex
	ids   map[string]uint32
	items []*T
}

func newTable[T any]() *table[T] { return &table[T]{ids: map[string]uint32{}} }

// number returns the number of the thing with a key, made by build if it is new.
func (t *table[T]) number(key []byte, build func() *T) uint32 {
	t.mu.RLock()
	id, known := t.ids[string(key)]
	t.mu.RUnlock()
	if known {
		return id
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, known := t.ids[string(key)]; known {
		return id
	}
	id = uint32(len(t.items))
	t.ids[string(key)] = id
	t.items = append(t.items, build())
	return id
}

func (t *table[T]) item(id uint32) *T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.items[id]
}

func keyOf[N ~int32 | ~uint32](list []N) []byte {
	key := make([]byte, 0, 4*len(list)+1)
	for _, v := range list {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return key
}

// local is the state of a process: its status and variables.
type local struct {
	status protocol.Status
	cells  []int32
	digest uint64
}

// message is a message.
type message struct {
	cells  []int32
	digest uint64
}

// content is what a channel holds: messages in the order in which they were
// sent, or sorted by what they say.
type content struct {
	messages []uint32
	digest   uint64 // 0 for nothing
}

// interned numbers the parts of states.
type interned struct {
	m        *protocol.Model
	locals   []*table[local] // by role
	messages *table[message]
	contents *table[content]
}

func newInterned(m *protocol.Model) *interned {
	x := &interned{m: m, messages: newTable[message](), contents: newTable[content]()}
	for range m.Roles {
		x.locals = append(x.locals, newTable[local]())
	}
	x.content(nil) // number 0
	return x
}

func (x *interned) local(role int, status protocol.Status, cells []int32) uint32 {
	return x.locals[role].number(append(keyOf(cells), byte(status)), func() *local {
		return &local{status, slices.Clone(cells), digest(uint64(role)<<8+uint64(status)+1, cells)}
	})
}

func (x *interned) message(cells []int32) uint32 {
	return x.messages.number(keyOf(cells), func() *message {
		return &message{slices.Clone(cells), digest(1<<40, cells)}
	})
}

// content returns the number of a channel's content; the list is sorted unless
// channels are FIFO.
func (x *interned) content(list []uint32) uint32 {
	if !x.m.Channels.FIFO {
		slices.SortFunc(list, func(a, b uint32) int {
			if a == b {
				return 0
			}
			return cmp.Or(slices.Compare(x.messages.item(a).cells, x.messages.item(b).cells), cmp.Compare(a, b))
		})
	}
	return x.contents.number(keyOf(list), func() *content {
		c := &content{messages: slices.Clone(list)}
		for _, m := range list {
			c.digest = mix(c.digest*3 + x.messages.item(m).digest)
		}
		return c
	})
}
