//go:build with_tla

package etcdraft

import (
	"io"
	"log"
)

// silent is where the library writes for people.
var silent = log.New(io.Discard, "", 0)
