package explore

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pages returns memory for so many values, all zero, outside of the garbage collector: release gives it
// back at once.
func pages[T any](n int) []T {
	var zero T
	bytes, err := unix.Mmap(-1, 0, n*int(unsafe.Sizeof(zero)), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil { // release leaves this to the garbage collector
		return make([]T, n)
	}
	return huge(unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(bytes))), n))
}

// release gives back what pages returned.
func release[T any](list []T) {
	if len(list) == 0 {
		return
	}
	var zero T
	_ = unix.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(zero))))
}

// mapped is how much of a process's memory is of files: its program, and libraries.
func mapped() int64 {
	var size, resident, files int64
	text, _ := os.ReadFile("/proc/self/statm")
	_, _ = fmt.Sscan(string(text), &size, &resident, &files) // what is not known is 0
	return files * int64(os.Getpagesize())
}
