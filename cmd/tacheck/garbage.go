package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/tacheck/tacheck/explore"
)

// Models are small and runs are short: collecting garbage seldom saves a third of the time. But there is never much
// more garbage than that, or than what is in use.
const (
	lazyPercent  = 800
	usualPercent = 100
	mostGarbage  = 512 << 20 // bytes
)

// collect sets how much garbage there may be, unless the user has said so: anew each time that it was collected.
func collect() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(lazyPercent)
	type cycle struct{ _ [16]byte }
	var next func(*cycle)
	next = func(c *cycle) {
		debug.SetGCPercent(percentFor(explore.Live()))
		runtime.SetFinalizer(c, next)
	}
	runtime.SetFinalizer(new(cycle), next)
}

// percentFor is how much garbage there may be, of what is in use.
func percentFor(used int64) int {
	return int(min(max(mostGarbage*100/max(used, 1), usualPercent), lazyPercent))
}
