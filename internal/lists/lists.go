// Package lists makes lists of lists, where package slices does not.
package lists

import "slices"

// Union is a list with what it does not have of others, each once.
func Union[T comparable](list []T, more ...T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// Map is what f makes of each member of a list, in their order; nil of none.
func Map[T, U any](list []T, f func(T) U) []U {
	if len(list) == 0 {
		return nil
	}
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// Needed leaves out of a list what it can do without, one after the other from the first: what is left is enough, and
// with one less it would not be. The list is enough.
func Needed[T any](list []T, enough func(less []T) (bool, error)) ([]T, error) {
	for i := 0; i < len(list); {
		less := append(append([]T(nil), list[:i]...), list[i+1:]...)
		is, err := enough(less)
		if err != nil {
			return nil, err
		}
		if is {
			list = less
		} else {
			i++
		}
	}
	return list, nil
}

// Keep is those members of a list for which ok is true, as a list of their own; nil if there are none.
func Keep[S ~[]T, T any](list S, ok func(T) bool) (out S) {
	for _, x := range list {
		if ok(x) {
			out = append(out, x)
		}
	}
	return out
}

// Make is what f makes of each number from 0 below n, in their order; nil of none.
func Make[T any](n int, f func(i int) T) (out []T) {
	for i := range n {
		out = append(out, f(i))
	}
	return out
}
