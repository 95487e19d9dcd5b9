package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

var pageSize = uint64(os.Getpagesize())

// children lists the processes that this one has started. That takes a hundred times as long as reading how much memory
// one of them uses.
func children() (list []string) {
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return nil // the pattern is well-formed
	}
	for _, file := range lists {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		list = append(list, strings.Fields(string(text))...)
	}
	return list
}

// used returns the resident memory of this process and of some children, in
// bytes. Children that have ended count as nothing.
func used(children []string) uint64 {
	total := resident("self")
	for _, pid := range children {
		total += resident(pid)
	}
	return total
}

func resident(pid string) uint64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%s/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * pageSize
}

// Free returns how much memory there is for use, in bytes; 0 if that is not known.
func Free() uint64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kb uint64
		if n, _ := fmt.Sscanf(line, "MemAvailable: %d kB", &kb); n == 1 {
			return kb << 10
		}
	}
	return 0
}
