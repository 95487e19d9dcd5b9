package explore

import (
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"time"

	"github.com/tacheck/tacheck/internal/save"
)

// Journal is a file in which Reach keeps what it has visited, so that a search of hours can be taken up again: it is
// written once a minute between levels, and when the search ends before it is complete.
type Journal struct {
	File     string
	Resume   bool      // go on from the file; otherwise it is a new one
	Identity []Setting // all that the states depend on
}

// Setting is an option with its value, by the name that users know.
type Setting struct{ Name, Value string }

// Persistent is a Space whose states have meanings that it must remember.
type Persistent interface {
	Save(*gob.Encoder) error
	Load(*gob.Decoder) error
}

// header is the first part of a journal; the rows of all states follow, each with the print of the state that led to
// it.
type header struct {
	Identity    []Setting
	Layout      []uint8
	Starts      []uint32
	Gaps        [][2]uint32
	End         uint32 // numbers below are in the file
	Used        int64
	Transitions int64
	Deadlocks   int64
	Depth       int
	Initial     int64
	First       []uint32
	Depths      []int
	Elapsed     time.Duration
}

const format = family + "5"

// between is how long at least passes between two writes.
var between = time.Minute

// family begins the files of all versions.
const family = "tacheck states "

// Replaceable reports why a file should not be replaced by a journal: it is there, and no journal. A
// file without content may be.
func Replaceable(name string) error {
	info, err := os.Stat(name)
	if err != nil || info.Mode().IsRegular() && info.Size() == 0 {
		return nil // what is wrong shows when it is written
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", name)
	}
	there, ours, err := save.Begins(name, family)
	if err == nil && there && !ours {
		err = fmt.Errorf("%s is there, and is no saved exploration", name)
	}
	return err
}

// keep writes the journal: all levels before start, which ends the one that is to be visited next.
func (r *reach) keep(start uint32) error {
	j := r.bounds.Journal
	s := r.out.Store
	h := header{Identity: j.Identity, Layout: s.layout(), End: start, Transitions: r.before, Deadlocks: r.stuck,
		Depth: r.out.Depth, Initial: r.out.Initial,
		Elapsed: r.elapsed + time.Since(r.begin)}
	for _, b := range r.out.starts {
		if b < start {
			h.Starts = append(h.Starts, b)
		}
	}
	h.Depth = max(0, len(h.Starts)-1)
	gaps := uint32(0)
	for _, g := range r.out.gaps {
		if g[0] < start {
			h.Gaps = append(h.Gaps, g)
			gaps += g[1] - g[0]
		}
	}
	h.Used = int64(start - gaps)
	for i, f := range r.out.First {
		if f != None && f >= start {
			f = None
		}
		h.First, h.Depths = append(h.First, f), append(h.Depths, r.out.Depths[i])
	}
	return save.Sealed(j.File, format, func(w io.Writer) error {
		e := gob.NewEncoder(w)
		if err := e.Encode(h); err != nil {
			return err
		}
		if p, ok := r.out.space.(Persistent); ok {
			if err := p.Save(e); err != nil {
				return err
			}
		}
		row := make([]byte, 0, s.stride+4)
		for n := uint32(0); n < start; n++ {
			if _, err := w.Write(binary.LittleEndian.AppendUint32(append(row[:0], s.bytes(n)...),
				s.block(n).from[n&(blockSize-1)])); err != nil {
				return err
			}
		}
		return nil
	})
}

// resume reads a journal; the level that is to be visited next is r.level then.
func (r *reach) resume() error {
	j := r.bounds.Journal
	err := save.Unseal(j.File, format, r.load)
	switch {
	case errors.Is(err, save.ErrOther):
		return fmt.Errorf("%s: this is not a saved exploration of this version", j.File)
	case err != nil && !errors.As(err, new(*os.PathError)):
		return fmt.Errorf("%s: %w", j.File, err)
	}
	return err
}

// load reads what keep has written.
func (r *reach) load(b io.Reader) error {
	j := r.bounds.Journal
	d := gob.NewDecoder(b)
	var h header
	if err := d.Decode(&h); err != nil {
		return save.ErrDamaged
	}
	if err := differing(h.Identity, j.Identity); err != nil {
		return err
	}
	space := r.out.space
	if len(h.Layout) != space.Slots() || len(h.First) != len(r.out.First) || len(h.Starts) == 0 {
		return save.ErrDamaged
	}
	if p, ok := space.(Persistent); ok {
		if err := p.Load(d); err != nil {
			return err
		}
	}
	s := newTraced(space.Slots())
	s.arrange(h.Layout)
	r.out.Store, r.out.starts, r.out.gaps = s, h.Starts, h.Gaps
	r.out.Depth, r.out.Initial, r.out.First, r.out.Depths = h.Depth, h.Initial, h.First, h.Depths
	r.before, r.stuck, r.elapsed = h.Transitions, h.Deadlocks, h.Elapsed
	s.resize(max(firstTable, 1<<bits.Len64(uint64(h.Used)*2)))
	w := space.NewWorker()
	state, row := make([]uint32, space.Slots()), make([]byte, s.stride+4)
	for n := uint32(0); n < h.End; n++ {
		s.room(n)
		if _, err := io.ReadFull(b, row); err != nil {
			return save.ErrDamaged
		}
		if r.out.gap(n) {
			continue
		}
		s.decode(row[:s.stride], state)
		s.block(n).from[n&(blockSize-1)] = binary.LittleEndian.Uint32(row[s.stride:])
		copy(s.bytes(n), row)
		s.enter(n, w.Hash(state))
		if n >= h.Starts[len(h.Starts)-1] {
			r.level = append(r.level, n)
		}
	}
	s.next.Store(h.End)
	s.used.Store(h.Used)
	for _, v := range r.workers {
		v.adder = s.NewAdder()
		v.adder.found = v.added
	}
	return nil
}

// differing names the first setting that is not as it was saved.
func differing(saved, now []Setting) error {
	for i, s := range now {
		switch {
		case i >= len(saved) || saved[i].Name != s.Name:
			return save.ErrDamaged
		case saved[i].Value != s.Value:
			return fmt.Errorf("the exploration that was saved there had %s %s, and this one has %s", s.Name,
				saved[i].Value, s.Value)
		}
	}
	return nil
}

// enter puts a state that is in its place into the table.
func (s *Store) enter(n uint32, hash uint64) {
	fp := print(hash)
	mask := uint32(len(s.table) - 1)
	i := fp >> s.shift
	for s.table[i] != 0 {
		i = (i + 1) & mask
	}
	s.table[i] = uint64(fp)<<32 | uint64(n+1)
}
