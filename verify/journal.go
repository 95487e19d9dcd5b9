package verify

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"runtime/debug"
	"sync"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// Journal is a file that remembers which parts of a search by shapes are done (searches incremental and enumerate), so
// that a run of hours can be taken up again after it was interrupted. Close it after use.
type Journal struct {
	mu   sync.Mutex
	file *os.File
	done map[string]journalEntry
}

// journalHeader is a journal's first line: what it belongs to.
type journalHeader struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Build    string `json:"build"` // of this program: another one may search otherwise
	Model    string `json:"model"` // the automaton in canonical form, as a digest
	Search   string `json:"search"`
	Encoding string `json:"encoding"`
}

// build identifies this program as well as the Go toolchain has recorded it.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	id := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
			id += " " + s.Value
		}
	}
	return id
}

type journalEntry struct {
	Part        string         `json:"part"` // a digest of what was searched: see schedule.Journal
	Checked     *record.Number `json:"checked"`
	Pruned      *record.Number `json:"pruned,omitempty"`
	Transitions int            `json:"transitions"`
}

// OpenJournal opens a journal for the verification of an automaton. With resume, it must exist and belong to the same
// automaton, search and encoding; otherwise it must not exist.
func OpenJournal(name string, a *ta.Automaton, o Options, resume bool) (*Journal, error) {
	m, err := o.resolve()
	if err != nil {
		return nil, err
	}
	h := journalHeader{"tacheck-journal", 1, build(), record.Digest(a.Format()), m.complete.Search, m.complete.Encoding}
	j := &Journal{done: map[string]journalEntry{}}
	_, err = os.Lstat(name)
	switch {
	case resume:
		if err := j.read(name, h); err != nil {
			return nil, err
		}
	case err == nil:
		return nil, fmt.Errorf("%s exists already: resume it, or choose another name", name)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	default:
		text, err := json.Marshal(h)
		if err != nil {
			return nil, err
		}
		if err := save.Text(name, string(text)+"\n"); err != nil {
			return nil, err
		}
	}
	j.file, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	return j, err
}

// read reads a journal. Half a line at the end, from a crash, is cut off.
func (j *Journal) read(name string, want journalHeader) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	var h journalHeader
	line, err := r.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &h) != nil {
		return fmt.Errorf("%s is not a journal", name)
	}
	for _, is := range []struct{ what, saved, now string }{{"format", fmt.Sprint(h.Format, " ", h.Version),
		fmt.Sprint(want.Format, " ", want.Version)},
		{"build of tacheck", h.Build, want.Build}, {"model", h.Model, want.Model}, {"--search", h.Search,
			want.Search}, {"--encoding", h.Encoding, want.Encoding}} {
		if is.saved != is.now {
			return fmt.Errorf("%s belongs to another %s: %s, and this is %s", name, is.what, is.saved, is.now)
		}
	}
	size := int64(len(line))
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return os.Truncate(name, size)
		}
		var e journalEntry
		if err := json.Unmarshal(line, &e); err != nil || e.Checked == nil {
			return fmt.Errorf("%s: cannot read %q", name, line)
		}
		size += int64(len(line))
		j.done[e.Part] = e
	}
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// Recall returns what was found out about a part.
func (j *Journal) Recall(part string) (schedule.Outcome, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e, ok := j.done[record.Digest(part)]
	if !ok {
		return schedule.Outcome{}, false
	}
	out := schedule.Outcome{Status: smt.Unsat, Checked: new(big.Int).Set(&e.Checked.Int), Transitions: e.Transitions}
	if e.Pruned != nil {
		out.Pruned = new(big.Int).Set(&e.Pruned.Int)
	}
	return out, true
}

// Remember writes down a part without a counterexample.
func (j *Journal) Remember(part string, out schedule.Outcome) error {
	e := journalEntry{Part: record.Digest(part), Checked: &record.Number{Int: *out.Checked},
		Transitions: out.Transitions}
	if out.Pruned != nil {
		e.Pruned = &record.Number{Int: *out.Pruned}
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("saving the state: %w", err)
	}
	return nil
}
