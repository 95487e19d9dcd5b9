//go:build !linux

package explore

func huge[T any](list []T) []T { return list }
