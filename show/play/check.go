package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/memory"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/report"
	"github.com/tacheck/tacheck/verify"
)

// What a page is told of a text, one event a line.
type (
	// modelEvent says what the text is.
	modelEvent struct {
		Kind        string      `json:"kind"` // model
		What        string      `json:"what"`
		ForAll      bool        `json:"forAll"`
		Free        bool        `json:"free"` // conditions on parameters can be looked for
		Specs       []specPart  `json:"specs"`
		Parameters  []paramPart `json:"parameters"`
		Assumptions []assumed   `json:"assumptions"`
		Instance    string      `json:"instance"` // that is asked about; "" for all
	}
	specPart struct {
		Name string `json:"name"`
		Sort string `json:"sort"`
		Line int    `json:"line"`
		Col  int    `json:"col"`
	}
	paramPart struct {
		Name  string `json:"name"`
		Value string `json:"value"` // its own, or the one asked about; "" if it has none
		Truth bool   `json:"truth"`
	}
	assumed struct {
		Text    string       `json:"text"`
		Line    int          `json:"line"`
		Col     int          `json:"col"`
		Width   int          `json:"width"`
		Numbers []numberPart `json:"numbers"`
	}
	numberPart struct {
		Value string `json:"value"`
		Line  int    `json:"line"`
		Col   int    `json:"col"`
		Width int    `json:"width"`
	}
	// verdictEvent is what was found out about a specification.
	verdictEvent struct {
		Kind    string   `json:"kind"` // verdict
		Spec    string   `json:"spec"`
		Verdict string   `json:"verdict"`
		Reason  string   `json:"reason,omitempty"`
		How     string   `json:"how"`
		Notes   []string `json:"notes,omitempty"`
	}
	// notesEvent says more of a specification whose verdict is known: whether it holds for a bad reason.
	notesEvent struct {
		Kind  string   `json:"kind"` // notes
		Spec  string   `json:"spec"`
		Notes []string `json:"notes"`
	}
	// runEvent is a counterexample: as it is shown, its file, and the values of its parameters.
	runEvent struct {
		Kind   string           `json:"kind"` // run
		Spec   string           `json:"spec"`
		Title  string           `json:"title"`
		HTML   string           `json:"html"`
		File   json.RawMessage  `json:"file"`
		Values map[string]int64 `json:"values"`
	}
	// wrongEvent is what is wrong with the text, or the question.
	wrongEvent struct {
		Kind     string    `json:"kind"` // wrong
		Error    string    `json:"error"`
		Problems []problem `json:"problems,omitempty"`
	}
	problem struct {
		Line    int    `json:"line"`
		Col     int    `json:"col"`
		Message string `json:"message"`
	}
	endEvent struct {
		Kind    string  `json:"kind"` // end
		Seconds float64 `json:"seconds"`
	}
)

// check answers with verdicts. It ends when the page asks something else: its request ends then.
func (s *server) check(w http.ResponseWriter, r *http.Request) {
	q, ok := read(w, r)
	if !ok {
		return
	}
	begin := time.Now()
	out := newEvents(w)
	if s.known.tell(q, out) {
		_ = out.tell(endEvent{"end", time.Since(begin).Seconds()}) // the client is gone if this fails
		return
	}
	ctx, stop := s.turn(r.Context())
	defer stop()
	if ctx.Err() != nil {
		return
	}
	begin = time.Now()
	out.kept = &answered{}
	err := s.decide(ctx, q, out)
	if err == nil && ctx.Err() == nil {
		s.known.keep(q, out.kept)
	}
	out.kept = nil
	if ctx.Err() != nil && r.Context().Err() != nil {
		return // the client is gone
	}
	if err != nil {
		err = out.tell(wrong(err))
	}
	if err == nil {
		_ = out.tell(endEvent{"end", time.Since(begin).Seconds()}) // the client is gone if this fails
	}
}

// turn waits until there is room for a question, and bounds it.
func (s *server) turn(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	unlink := context.AfterFunc(s.ctx, cancel)
	select {
	case s.busy <- struct{}{}:
	case <-ctx.Done():
		return ctx, func() { unlink(); cancel() }
	}
	limited, release := memory.Limit(ctx, s.Memory)
	return limited, func() {
		release()
		<-s.busy
		unlink()
		cancel()
	}
}

// decide opens a text and decides its specifications.
func (s *server) decide(ctx context.Context, q question, out *events) error {
	m, x, err := s.open(ctx, q)
	if m != nil {
		if err := out.tell(describe(m, x)); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if x == nil {
		return s.verify(ctx, m.(model.ForAll), q.First, out)
	}
	within, stop := context.WithTimeout(ctx, s.Timeout)
	defer stop()
	bounds := explore.Bounds{Jobs: 2, States: model.DefaultStates, Memory: int64(s.Memory)}
	list, err := x.Explore(within, nil, model.Exploring{Machine: machine.Options{Bounds: bounds}})
	for _, r := range list {
		if err := s.report(ctx, r, out); err != nil {
			return err
		}
	}
	return err
}

// verify decides all specifications for all sizes, those that the reader looks at first. Runs are drawn one after the
// other, while others are looked for. Only when all verdicts are told it is asked whether some hold for a bad reason.
func (s *server) verify(ctx context.Context, m model.ForAll, first []string, out *events) error {
	if len(m.Specs()) == 0 {
		return nil
	}
	all, err := m.Ask(ctx, inOrder(m.Specs(), first), nil)
	if err != nil {
		return err
	}
	o := s.options()
	o.Memory = 0     // ctx ends when the question uses too much
	o.NoCount = true // the page does not show how many shapes there are
	o.Soon = true
	drawing, ctx := errgroup.WithContext(ctx)
	drawing.SetLimit(1)
	if all.Automaton != nil {
		start, err := verify.SolverFactory(o)
		if err != nil {
			return err
		}
		o.Graphs = cutgraph.Share(all.Automaton.Automaton, start)
	}
	later := func(name string, warnings diag.List) error {
		return out.tell(notesEvent{"notes", name, messages(warnings)})
	}
	err = all.Verify(ctx, model.Verifying{Options: o, Decide: verify.Decide, Later: later},
		func(r *model.Result) error {
			if err := s.tellVerdict(r, out); err != nil || r.Counterexample == nil {
				return err
			}
			drawing.Go(func() error { return s.showRun(ctx, r.Spec, r.Counterexample, out) })
			return nil
		})
	drawn := drawing.Wait()
	if drawn != nil { // which has ended the rest
		return drawn
	}
	return err
}

// inOrder are the names of specifications, those first that are.
func inOrder(specs []model.Spec, first []string) (names []string) {
	for _, s := range specs {
		names = append(names, s.Name)
	}
	rank := func(name string) int {
		if i := slices.Index(first, name); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

// open reads a text, and makes the instance that is asked about; nil for all. The model is nil only if
// the text is wrong.
func (s *server) open(ctx context.Context, q question) (model.Model, model.Instance, error) {
	m, err := model.Open(ctx, q.File, q.Text, model.Options{})
	if err != nil {
		return nil, nil, err
	}
	_, forAll := m.(model.ForAll)
	fixed, instances := m.(model.Fixed)
	switch {
	case !forAll && !instances:
		return m, nil, fmt.Errorf("%s is %s, which cannot be decided here", q.File, m.What())
	case q.Set == nil && forAll, !instances:
		return m, nil, nil
	}
	x, err := instance(ctx, fixed, q.Set)
	return m, x, err
}

// instance is the one with the given values; the smallest one where there are none.
func instance(ctx context.Context, m model.Fixed, set map[string]int64) (model.Instance, error) {
	if len(set) == 0 {
		return model.Small(ctx, m)
	}
	return m.Instance(ctx, settings(m, set))
}

// settings makes values of parameters of what a page gives.
func settings(m model.Fixed, set map[string]int64) (list []model.Setting) {
	for _, p := range m.Parameters() {
		if v, given := set[p.Name]; given {
			list = append(list, model.Setting{Name: p.Name, Value: v, Truth: p.Truth})
		}
	}
	return list
}

// describe says what a text is.
func describe(m model.Model, x model.Instance) modelEvent {
	e := modelEvent{Kind: "model", What: m.What(), Specs: []specPart{}, Parameters: []paramPart{},
		Assumptions: []assumed{}}
	_, e.ForAll = m.(model.ForAll)
	for _, s := range m.Specs() {
		e.Specs = append(e.Specs, specPart{s.Name, string(s.Sort), s.Pos.Line, s.Pos.Col})
	}
	if f, ok := m.(model.Fixed); ok {
		for _, p := range f.Parameters() {
			part := paramPart{Name: p.Name, Truth: p.Truth}
			if p.Value != nil {
				part.Value = p.Value.String()
			}
			e.Parameters = append(e.Parameters, part)
		}
	}
	if x != nil {
		e.Instance = run.Assignments(x.Values())
		for _, v := range x.Values() {
			for i := range e.Parameters {
				if e.Parameters[i].Name == v.Name {
					e.Parameters[i].Value = v.Value.String()
				}
			}
		}
	}
	if a, ok := m.(model.Assuming); ok {
		for _, c := range a.Assumptions() {
			part := assumed{Text: c.Text, Line: c.Pos.Line, Col: c.Pos.Col, Width: c.Width, Numbers: []numberPart{}}
			for _, n := range c.Numbers {
				part.Numbers = append(part.Numbers, numberPart{n.Value.String(), n.Pos.Line, n.Pos.Col, n.Width})
			}
			e.Assumptions = append(e.Assumptions, part)
		}
		e.Free = e.ForAll && len(e.Assumptions) > 0
	}
	return e
}

// report tells a verdict, and then shows the run behind it: drawing takes longer.
func (s *server) report(ctx context.Context, r *model.Result, out *events) error {
	if err := s.tellVerdict(r, out); err != nil || r.Counterexample == nil {
		return err
	}
	return s.showRun(ctx, r.Spec, r.Counterexample, out)
}

// tellVerdict tells a verdict.
func (s *server) tellVerdict(r *model.Result, out *events) error {
	v := verdictEvent{Kind: "verdict", Spec: r.Spec, Verdict: string(r.Verdict), Reason: r.Reason, How: how(r)}
	v.Notes = messages(r.Warnings)
	return out.tell(v)
}

func messages(list diag.List) []string {
	return lists.Map(list, func(e *diag.Error) string { return e.Msg })
}

// showRun tells a run.
func (s *server) showRun(ctx context.Context, spec string, x model.Counterexample, out *events) error {
	html, err := report.Part(ctx, x)
	if err != nil && ctx.Err() == nil {
		return out.tell(notesEvent{"notes", spec, []string{err.Error()}})
	}
	if err != nil {
		return err
	}
	file, err := x.MarshalJSON()
	if err != nil {
		return err
	}
	facts := x.Told().Facts
	values := map[string]int64{}
	for _, v := range facts.Values {
		if v.Value.IsInt64() {
			values[v.Name] = v.Value.Int64()
		}
	}
	return out.tell(runEvent{"run", spec, "with " + run.Assignments(facts.Values), string(html), file, values})
}

// how says for what a verdict is.
func how(r *model.Result) string {
	if r.Space != nil {
		text := spell.Count(r.Space.States, "state", "states")
		if values := run.Assignments(r.Space.Instance); values != "" {
			text += " with " + values
		}
		return text
	}
	return "for all sizes"
}

// wrong says what an error is about.
func wrong(err error) wrongEvent {
	e := wrongEvent{Kind: "wrong", Error: err.Error()}
	var list diag.List
	if errors.As(err, &list) {
		for _, p := range list {
			e.Problems = append(e.Problems, problem{p.Pos.Line, p.Pos.Col, p.Msg})
		}
	}
	return e
}

func errNoInstances(m model.Model) error {
	return fmt.Errorf("%s is %s, which has no instances", m.File(), m.What())
}
