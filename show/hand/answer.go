package hand

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/tacheck/tacheck/internal/memory"
)

// Bounds of what a page may ask: conditions that are watched, steps, time for an answer, questions that are worked on
// at the same time (others wait).
const (
	mostWatched = 50
	mostSteps   = 20_000
	answerTime  = 10 * time.Second
	atOnce      = 2
)

// handler answers questions about a subject.
type handler struct {
	s      Subject
	memory uint64
	busy   chan struct{}
}

// errTime is the cause of the end of what takes too long.
var errTime = fmt.Errorf("it takes more than %v", answerTime)

// bounded answers within bounds. What a page does not wait for any more is given up.
func (h *handler) bounded(answers func(context.Context, question) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q question
		if r.Method == http.MethodPost {
			var err error
			if q, err = read(w, r); err == nil && len(q.Path) > mostSteps {
				err = fmt.Errorf("runs of more than %d steps are not walked by hand", mostSteps)
			}
			if err != nil {
				answer(w, nil, err)
				return
			}
		}
		select {
		case h.busy <- struct{}{}:
		case <-r.Context().Done():
			return
		}
		defer func() { <-h.busy }()
		ctx, cancel := context.WithTimeoutCause(r.Context(), answerTime, errTime)
		defer cancel()
		ctx, stop := memory.Limit(ctx, h.memory)
		defer stop()
		v, err := answers(ctx, q)
		answer(w, v, err)
	}
}

func (h *handler) view(ctx context.Context, q question) (any, error) {
	v, err := h.s.View(ctx, q.Path, q.From)
	if err == nil && len(q.Watch) > 0 {
		v.Watched = h.s.Watch(ctx, q.Path, q.Watch[:min(len(q.Watch), mostWatched)])
	}
	return v, err
}

func (h *handler) find(ctx context.Context, q question) (any, error) {
	further, err := h.s.Find(ctx, q.Path, q.Where)
	debug.FreeOSMemory() // of the states that were visited
	return map[string][]int{"path": append(q.Path, further...)}, err
}

func (h *handler) without(ctx context.Context, q question) (any, error) {
	return h.s.Without(ctx, q.Path)
}

func (h *handler) save(ctx context.Context, q question) (any, error) {
	name, data, err := h.s.Save(ctx, q.Path)
	return map[string]string{"name": name, "text": string(data)}, err
}
