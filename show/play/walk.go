package play

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/hand"
)

// walk makes a page for stepping through an instance by hand, with the run that is shown to jump to.
func (s *server) walk(w http.ResponseWriter, r *http.Request) {
	q, ok := read(w, r)
	if !ok {
		return
	}
	ctx, stop := s.turn(r.Context())
	defer stop()
	subject, err := s.subject(ctx, q)
	if err != nil {
		answer(w, http.StatusBadRequest, wrong(err))
		return
	}
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		answer(w, http.StatusInternalServerError, wrong(err))
		return
	}
	id := hex.EncodeToString(secret)
	s.walks.add(id, hand.Handler(subject, id, s.Memory))
	answer(w, http.StatusOK, map[string]string{"address": "walk/" + id + "/"})
}

// subject opens the instance that a question is about: that of its run, or the smallest one.
func (s *server) subject(ctx context.Context, q question) (hand.Subject, error) {
	within, stop := context.WithTimeout(ctx, s.Timeout)
	defer stop()
	m, err := model.Open(within, q.File, q.Text, model.Options{})
	if err != nil {
		return nil, err
	}
	fixed, ok := m.(model.Fixed)
	if !ok {
		return nil, errNoInstances(m)
	}
	var found []*model.Result
	if len(q.Run) > 0 {
		x, err := m.Replay(q.Run)
		if err != nil {
			return nil, err
		}
		found = append(found, &model.Result{Spec: x.Told().Spec, Counterexample: x, Time: time.Nanosecond})
	}
	x, err := instance(within, fixed, q.Set)
	if err != nil {
		return nil, err
	}
	return x.Walk(within, found)
}

// walking answers a page for stepping.
func (s *server) walking(w http.ResponseWriter, r *http.Request) {
	h := s.walks.get(r.PathValue("id"))
	if h == nil {
		http.NotFound(w, r)
		return
	}
	http.StripPrefix("/"+s.token+"/walk", h).ServeHTTP(w, r)
}
