package machine

// reuse counts how often something that is remembered is of use.
type reuse struct {
	looks, missed int32
}

// judged is after how many things that were not known one looks whether remembering pays.
var judged int32 = 1 << 11

// looked notes that something was looked for, and reports whether remembering does not pay: where a third was not
// known.
func (r *reuse) looked(known bool) (useless bool) {
	r.looks++
	if known {
		return false
	}
	if r.missed++; r.missed < judged {
		return false
	}
	useless = r.looks < 3*r.missed
	r.looks, r.missed = 0, 0
	return useless
}

// finder is a table of rows of so many numbers, each with one that is not 0.
type finder struct {
	width int
	used  int
	shift uint
	table []uint32 // rows, each with its number behind it; 0 for none
}

// at returns the place of a row's number, 0 if it is new; a new one is to be filled before the next call.
func (f *finder) at(row []uint32) *uint32 {
	if len(row) == 2 {
		return f.pair(row[0], row[1])
	}
	size := f.width + 1
	if f.used*size*8 >= len(f.table)*5 {
		f.grow()
	}
	h := uint64(0)
	for _, v := range row {
		h = (h ^ uint64(v)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
next:
	for k := int(h*0xd6e8feb86659fd93>>f.shift) * size; ; k += size {
		if k == len(f.table) {
			k = 0
		}
		e := f.table[k : k+size]
		number := &e[len(row)]
		if *number == 0 {
			copy(e, row)
			f.used++
			return number
		}
		for i, v := range row {
			if e[i] != v {
				continue next
			}
		}
		return number
	}
}

// pair is at for a row of two.
func (f *finder) pair(a, b uint32) *uint32 {
	if f.used*24 >= len(f.table)*5 {
		f.grow()
	}
	h := (uint64(a)<<32 | uint64(b)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	for k := int(h>>f.shift) * 3; ; k += 3 {
		if k >= len(f.table)-2 {
			k = 0
		}
		e := f.table[k : k+3 : k+3]
		if e[2] == 0 {
			e[0], e[1] = a, b
			f.used++
			return &e[2]
		}
		if e[0] == a && e[1] == b {
			return &e[2]
		}
	}
}

func (f *finder) grow() {
	old, size := f.table, f.width+1
	if old == nil {
		f.shift = 60
	} else {
		f.shift -= 2
	}
	f.used, f.table = 0, make([]uint32, size<<(64-f.shift))
	for ; len(old) > 0; old = old[size:] {
		if old[f.width] != 0 {
			*f.at(old[:f.width]) = old[f.width]
		}
	}
}

// at returns the element of a list that grows as needed.
func at[T any](list *[]T, i int) *T {
	if i >= len(*list) {
		*list = append(*list, make([]T, i+1-len(*list)+i/2)...)
	}
	return &(*list)[i]
}
