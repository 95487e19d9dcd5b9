//go:build !linux

package explore

func pages[T any](n int) []T { return make([]T, n) }

func release[T any]([]T) {}

func mapped() int64 { return 0 }
