package play

import (
	"context"
	"fmt"
	"net/http"

	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/synth"
)

// What a page is told of the region of conditions under which all specifications hold.
type (
	progressEvent struct {
		Kind     string `json:"kind"` // progress
		Verified int    `json:"verified"`
		Of       string `json:"of"`
	}
	// regionEvent has a cell for all values of the unknowns: of the first two, others are 0.
	regionEvent struct {
		Kind     string       `json:"kind"` // region
		Sentence string       `json:"sentence"`
		Replaced []string     `json:"replaced"`
		Unknowns []string     `json:"unknowns"`
		Most     int64        `json:"most"`
		Cells    []regionCell `json:"cells"`
	}
	regionCell struct {
		Values    []int64 `json:"values"`
		Condition string  `json:"condition"`
		State     string  `json:"state"` // weakest, holds, violated or unknown
		Why       string  `json:"why,omitempty"`
	}
)

// mostUnknown bounds the values of unknowns.
const mostUnknown = 8

// region answers with the conditions of a form under which all specifications hold.
func (s *server) region(w http.ResponseWriter, r *http.Request) {
	q, ok := read(w, r)
	if !ok {
		return
	}
	ctx, stop := s.turn(r.Context())
	defer stop()
	if ctx.Err() != nil {
		return
	}
	out := newEvents(w)
	found, most, err := s.find(ctx, q, out)
	if err == nil {
		err = out.tell(plane(found, most))
	}
	if err != nil && r.Context().Err() == nil {
		_ = out.tell(wrong(err)) // the client is gone if this fails
	}
}

func (s *server) find(ctx context.Context, q question, out *events) (*synth.Resilience, int64, error) {
	m, err := model.Open(ctx, q.File, q.Text, model.Options{})
	if err != nil {
		return nil, 0, err
	}
	all, ok := m.(model.ForAll)
	if !ok {
		return nil, 0, fmt.Errorf("%s is %s: its sizes are fixed", m.File(), m.What())
	}
	a, err := model.UnderOthers(ctx, all)
	if err != nil {
		return nil, 0, err
	}
	most := max(1, min(q.Most, mostUnknown))
	form, err := synth.NewCondition(a.File, a.Syntax(), q.Form, most)
	if err != nil {
		return nil, 0, err
	}
	o := synth.Options{Options: s.options()}
	o.Timeout *= 3
	o.Progress = func(p synth.Progress) {
		_ = out.tell(progressEvent{"progress", p.Verified, p.Candidates.String()}) // the search ends with the request
	}
	found, err := form.Find(ctx, o)
	return found, most, err
}

// plane says of all conditions what is known of them.
func plane(r *synth.Resilience, most int64) regionEvent {
	e := regionEvent{Kind: "region", Sentence: r.Sentence(), Replaced: r.Condition.Replaced, Most: most}
	for _, u := range r.Condition.Unknowns {
		e.Unknowns = append(e.Unknowns, u.Name)
	}
	rows := int64(0)
	if len(e.Unknowns) > 1 {
		rows = most
	}
	for y := range rows + 1 {
		for x := range most + 1 {
			v := make(synth.Values, len(e.Unknowns))
			if v[0] = x; len(v) > 1 {
				v[1] = y
			}
			e.Cells = append(e.Cells, cell(r, v))
		}
	}
	return e
}

// cell says what is known of one condition.
func cell(r *synth.Resilience, v synth.Values) regionCell {
	c := regionCell{Values: v, Condition: r.Condition.With(v), State: "unknown"}
	switch weakest, holds, by := r.At(v); {
	case weakest:
		c.State = "weakest"
	case holds:
		c.State = "holds"
	case by != nil:
		c.State, c.Why = "violated", "violates "+by.String()
	}
	return c
}
