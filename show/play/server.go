package play

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/verify"
)

// Example is a text that is one click away.
type Example struct {
	Name  string `json:"name"`
	Group string `json:"group"`
	About string `json:"about"`
	Text  string `json:"text"`
}

// Options say what is served, and what a question may cost.
type Options struct {
	Release  string
	Examples []Example
	// Start is what the page begins with: a name with its ending, and a text. Link is what stands
	// behind # in a page's address, in their place; "" if there is none.
	Start Example
	Link  string
	// Port is 0 for any that is free.
	Port int
	// Timeout bounds the time for one specification, Memory what this process uses: questions end
	// undecided then. 0 means ten seconds, and half of what is free.
	Timeout time.Duration
	Memory  uint64
	Solver  string
}

// atOnce bounds how many questions are worked on at the same time, of all pages; others wait, until
// the page that has asked has another text.
const atOnce = 2

// server answers pages.
type server struct {
	Options
	ctx   context.Context // of the program
	token string
	busy  chan struct{}
	walks walks
	known known
}

// solversAtOnce bounds how many solvers work at a question at the same time: the specifications of a text are few.
const solversAtOnce = 4

// options are those of a question: limits for the time of a specification and the memory of the process, and so many
// solvers that each has a processor.
func (s *server) options() verify.Options {
	return verify.Options{Timeout: s.Timeout, Memory: s.Memory, Solver: s.Solver,
		Jobs: min(runtime.NumCPU(), solversAtOnce)}
}

// maxBody bounds what a page may send: a text of the size that is read anyway, and a little more.
const maxBody = 5 << 20

// question is what a page asks.
type question struct {
	File string `json:"file"`
	Text string `json:"text"`
	// Set has values of parameters or constants; nil asks for all sizes where there are such.
	Set map[string]int64 `json:"set"`
	// First names specifications whose verdicts are waited for.
	First []string `json:"first"`
	// Form is that of a resilience condition, with unknowns from 0 to Most.
	Form string `json:"form"`
	Most int64  `json:"most"`
	// Run is the file of a run to begin with.
	Run json.RawMessage `json:"run"`
}

// read reads a question; false if there is none, which has been answered.
func read(w http.ResponseWriter, r *http.Request) (q question, ok bool) {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	if err := record.Alone(d, &q); err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return q, false
	}
	return q, true
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the page has gone away if this fails
}

// mostWalks is how many pages for stepping by hand are kept: the oldest goes first.
const mostWalks = 8

// walks are pages on which one steps by hand, by what stands for them in addresses.
type walks struct {
	mu    sync.Mutex
	order []string
	by    map[string]http.Handler
}

func (k *walks) add(id string, h http.Handler) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by = map[string]http.Handler{}
	}
	k.by[id] = h
	if k.order = append(k.order, id); len(k.order) > mostWalks {
		delete(k.by, k.order[0])
		k.order = k.order[1:]
	}
}

func (k *walks) get(id string) http.Handler {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.by[id]
}
