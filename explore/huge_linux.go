package explore

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

const hugePage = 2 << 20

// huge asks for huge pages under memory that is read here and there: fewer
// misses of the address cache. Where there are none, nothing changes.
func huge[T any](list []T) []T {
	if len(list) == 0 {
		return list
	}
	start := uintptr(unsafe.Pointer(&list[0]))
	size := uintptr(len(list)) * unsafe.Sizeof(list[0])
	from := (start + hugePage - 1) / hugePage * hugePage
	to := (start + size) / hugePage * hugePage
	if to > from {
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), size)
		_ = unix.Madvise(bytes[from-start:to-start], unix.MADV_HUGEPAGE) // it is advice
	}
	return list
}
