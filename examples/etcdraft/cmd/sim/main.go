//go:build with_tla

// The sim command writes the log of a cluster.
package main

import (
	"flag"
	"fmt"
	"os"

	"etcdraft"
)

func main() {
	seed := flag.Uint64("seed", 1, "chooses what happens")
	nodes := flag.Int("nodes", 3, "how many nodes there are")
	events := flag.Int("events", 10_000, "how many events are logged")
	out := flag.String("o", "", "the file to write")
	flag.Parse()
	f, err := os.Create(*out)
	if err == nil {
		err = etcdraft.Run(*seed, *nodes, *events, f)
		if c := f.Close(); err == nil {
			err = c
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sim:", err)
		os.Exit(1)
	}
}
