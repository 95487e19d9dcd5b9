package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/tacheck/tacheck/internal/save"
)

// Header is the first line of a saved run: what it was made with.
type Header struct {
	Format  string `json:"format"` // "tacheck-bench"
	Version int    `json:"version"`
	Release string `json:"release"` // of tacheck
	Solver  string `json:"solver"`
	Machine string `json:"machine"`
	Timeout string `json:"timeout"`
	Runs    int    `json:"runs"`
}

const (
	saveFormat  = "tacheck-bench"
	saveVersion = 1
)

// Load reads a saved run. A last line that was cut off, by a crash or a full
// disk, is dropped. If the file does not exist the error is fs.ErrNotExist.
func Load(name string) (Header, []Row, error) {
	var h Header
	text, err := os.ReadFile(name)
	if err != nil {
		return h, nil, err
	}
	lines := strings.Split(string(text), "\n")
	if err := json.Unmarshal([]byte(lines[0]), &h); err != nil || h.Format != saveFormat || h.Version != saveVersion {
		return h, nil, fmt.Errorf("%s is not a saved run of this version", name)
	}
	var rows []Row
	for i, line := range lines[1:] {
		if i == len(lines)-2 { // after the last newline: nothing, or half a line
			break
		}
		var r Row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return h, nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
		rows = append(rows, r)
	}
	return h, rows, nil
}

// Saver appends rows to a file, one line each, as soon as they are known.
type Saver struct {
	file *os.File
	has  map[string]bool
}

// Resume opens a file to save a run in. If it holds one that was made in the same way, its rows are returned, and new
// rows are appended; one made in another way is an error.
func Resume(name string, h Header) (*Saver, []Row, error) {
	h.Format, h.Version = saveFormat, saveVersion
	old, rows, err := Load(name)
	switch {
	case err == nil && old != h:
		return nil, nil, fmt.Errorf("%s holds a run made with %+v, and this one is made with %+v: choose another file",
			name, old, h)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, nil, err
	}
	// Written anew, so that half a line at the end is gone.
	s := &Saver{has: map[string]bool{}}
	err = save.File(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		err := e.Encode(h)
		for _, r := range rows {
			err = errors.Join(err, e.Encode(r))
			s.has[r.key()] = true
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	s.file, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	return s, rows, err
}

// Add saves a row, unless the file has it already.
func (s *Saver) Add(r Row) error {
	if s.has[r.key()] {
		return nil
	}
	s.has[r.key()] = true
	return json.NewEncoder(s.file).Encode(r)
}

// Close closes the file.
func (s *Saver) Close() error { return s.file.Close() }

// Machine describes this machine: processor, cores, memory, system.
func Machine() string {
	cpu, memory := "", ""
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		cpu = field(string(text), "model name")
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kib int
		if _, err := fmt.Sscan(field(string(text), "MemTotal"), &kib); err == nil {
			memory = fmt.Sprintf(", %d GiB", (kib+1<<19)>>20)
		}
	}
	return strings.TrimPrefix(fmt.Sprintf("%s, %d cores%s, %s/%s", cpu, runtime.NumCPU(), memory, runtime.GOOS,
		runtime.GOARCH), ", ")
}

func field(text, name string) string {
	for _, line := range strings.Split(text, "\n") {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
