package explore

import (
	"encoding/binary"
	"sync"
)

// Levels of a compact search are packed: a state is written as what differs from the one before in its block, some ten
// bytes where states have a hundred slots. Blocks that have been read are written again.

// blocks hands out blocks of one size, in pieces of many.
type blocks struct {
	mu    sync.Mutex
	size  int
	free  [][]byte
	slabs [][]byte
}

const (
	packedBlock = 16 << 10
	slabBlocks  = 64
)

// newBlocks returns blocks for states of so many slots.
func newBlocks(slots int) *blocks { return &blocks{size: max(packedBlock, 2*mostPacked(slots))} }

// mostPacked is how many bytes a state takes at most.
func mostPacked(slots int) int { return (slots+7)/8 + binary.MaxVarintLen32*slots }

func (b *blocks) take() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.free) == 0 {
		slab := pages[byte](slabBlocks * b.size)
		b.slabs = append(b.slabs, slab)
		for i := range slabBlocks {
			b.free = append(b.free, slab[i*b.size:i*b.size:(i+1)*b.size])
		}
	}
	last := len(b.free) - 1
	block := b.free[last]
	b.free = b.free[:last]
	return block[:0]
}

func (b *blocks) give(block []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, block)
}

// bytes returns how much memory all blocks take.
func (b *blocks) bytes() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int64(len(b.slabs)) * slabBlocks * int64(b.size)
}

// release gives back the memory.
func (b *blocks) release() {
	for _, s := range b.slabs {
		release(s)
	}
	b.slabs, b.free = nil, nil
}

// packer writes states of one goroutine.
type packer struct {
	from   *blocks
	done   [][]byte
	block  []byte
	before []uint32
}

func newPacker(from *blocks, slots int) *packer {
	return &packer{from: from, before: make([]uint32, slots)}
}

// add writes a state: of eight slots each, a byte that says which have changed, and their values.
func (p *packer) add(state []uint32) {
	if p.block == nil || cap(p.block)-len(p.block) < mostPacked(len(state)) {
		p.seal()
		p.block = p.from.take()
		clear(p.before)
	}
	b := p.block
	for g := 0; g < len(state); g += 8 {
		at := len(b)
		b = append(b, 0)
		for i := g; i < min(g+8, len(state)); i++ {
			if state[i] != p.before[i] {
				b[at] |= 1 << (i - g)
				b = binary.AppendUvarint(b, uint64(state[i]))
			}
		}
	}
	p.block = b
	copy(p.before, state)
}

// seal ends a block.
func (p *packer) seal() {
	if len(p.block) > 0 {
		p.done = append(p.done, p.block)
	}
	p.block = nil
}

// collect returns the blocks that have been written.
func (p *packer) collect() [][]byte {
	p.seal()
	done := p.done
	p.done = nil
	return done
}

// unpack calls visit for the states of a block, in the order in which they were written; the vector is reused. It ends
// where visit returns false.
func unpack(block []byte, state []uint32, visit func() bool) {
	clear(state)
	for len(block) > 0 {
		for g := 0; g < len(state); g += 8 {
			mask := block[0]
			block = block[1:]
			for i := g; mask != 0; i++ {
				if mask&1 != 0 {
					v, n := binary.Uvarint(block)
					state[i], block = uint32(v), block[n:]
				}
				mask >>= 1
			}
		}
		if !visit() {
			return
		}
	}
}
