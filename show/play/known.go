package play

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"slices"
	"sync"

	"github.com/tacheck/tacheck/internal/verdict"
)

// mostKnown bounds what is kept of answers, in bytes: the oldest goes first.
const mostKnown = 32 << 20

// known are answers to questions, so that what was asked before need not be decided again: sliders go to and fro, and
// changes are undone.
type known struct {
	mu    sync.Mutex
	size  int
	order [][sha256.Size]byte
	by    map[[sha256.Size]byte]*answered
}

// answered are the events of an answer.
type answered struct {
	list [][]byte
	open bool // something is unknown, which another time it may not be
}

func (a *answered) add(event any, text []byte) {
	a.list = append(a.list, slices.Clone(text))
	if v, is := event.(verdictEvent); is && v.Verdict == string(verdict.Unknown) {
		a.open = true
	}
}

func (a *answered) size() (n int) {
	for _, text := range a.list {
		n += len(text)
	}
	return n
}

// key tells questions apart.
func (q question) key() [sha256.Size]byte {
	q.First = nil // which is only about the order
	text, err := json.Marshal(q)
	if err != nil {
		panic(err) // it was read from such a text
	}
	return sha256.Sum256(text)
}

// tell tells what a question was answered; false if it was not asked before.
func (k *known) tell(q question, out *events) bool {
	key := q.key()
	k.mu.Lock()
	a := k.by[key]
	k.mu.Unlock()
	if a == nil {
		return false
	}
	for _, text := range a.list {
		if out.write(slices.Clone(text)) != nil {
			break // the client is gone
		}
	}
	return true
}

// keep keeps an answer that will always be the same.
func (k *known) keep(q question, a *answered) {
	n := a.size()
	if a.open || n > mostKnown/4 {
		return
	}
	key := q.key()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by = map[[sha256.Size]byte]*answered{}
	}
	if k.by[key] != nil {
		return
	}
	k.by[key], k.size = a, k.size+n
	k.order = append(k.order, key)
	for k.size > mostKnown {
		k.size -= k.by[k.order[0]].size()
		delete(k.by, k.order[0])
		k.order = k.order[1:]
	}
}

// events writes events as they come, from several goroutines.
type events struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	kept *answered // where they are kept; nil if they are not
}

func newEvents(w http.ResponseWriter) *events {
	w.Header().Set("Content-Type", "application/x-ndjson")
	return &events{w: w}
}

// tell writes an event. Its error says that the page has gone away.
func (e *events) tell(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.kept != nil {
		e.kept.add(v, text)
	}
	return e.write(text)
}

func (e *events) write(text []byte) error {
	if _, err := e.w.Write(append(text, '\n')); err != nil {
		return err
	}
	return http.NewResponseController(e.w).Flush()
}
