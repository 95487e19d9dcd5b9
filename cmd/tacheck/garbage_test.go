package main

import "testing"

// TestGarbage: there is much garbage beside little, and no more than half a gigabyte or what is in use.
func TestGarbage(t *testing.T) {
	for _, c := range []struct {
		used int64
		want int
	}{{0, 800}, {64 << 20, 800}, {128 << 20, 400}, {512 << 20, 100}, {8 << 30, 100}} {
		if got := percentFor(c.used); got != c.want {
			t.Errorf("%d bytes: %d %%, want %d %%", c.used, got, c.want)
		}
	}
}
