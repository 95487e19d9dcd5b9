package hand

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/chart"
)

// stepper is an instance of a model: S are its states, E is what leads to one.
type stepper[S, E any] interface {
	Title() string
	// next yields what can happen in a state, in the order of choices; of nil, how a run begins.
	next(ctx context.Context, at *S, yield func(S, E) bool) error
	key(s S) string // tells states apart
	// choice describes what can happen in a state.
	choice(at *S, to S, e E) string
	// lines show a state; those that have changed are marked.
	lines(s S, before *S) []Line
	// tell adds to a view what a kind of models has besides: how it came to this, pictures, what is blocked.
	tell(ctx context.Context, v *View, taken []step[S, E]) error
	// claims are the properties, with what is violated.
	claims(taken []step[S, E]) ([]claim, error)
	// file is a run that violates nothing; nil if there are no files of these.
	file(taken []step[S, E]) json.Marshaler
	// watch reads a condition or a value.
	watch(text string) (*watch[S], error)
	goals() []target[S, E]
	// without is the run with all processes correct; nil if none is faulty.
	without(ctx context.Context, taken []step[S, E]) (*Healed, error)
}

// step is something that happened, or the beginning.
type step[S, E any] struct {
	state S
	event E
}

// target is a counterexample to jump to: its states, one for each step.
type target[S, E any] struct {
	spec  string
	begin step[S, E]
	then  []S
}

// claim is a property, and the run that violates it; nil if the run so far does not.
type claim struct {
	name   string
	parts  []string // conditions of states that it is made of
	broken counterexample
	open   string // why nothing can be said of it; "" if it can
}

type counterexample interface {
	json.Marshaler
	Why() (run.Explanation, error)
}

// watch is what one asks of a state.
type watch[S any] struct {
	show  func(S) (string, error)
	holds func(S) (bool, error)
	value error            // why it is no condition; nil if it is one
	why   func(S) []string // it is false; nil where that is not said
}

// condition is a watch of what is true or false.
func condition[S any](holds func(S) (bool, error)) *watch[S] {
	return &watch[S]{holds: holds, show: func(s S) (string, error) {
		is, err := holds(s)
		return fmt.Sprint(is), err
	}}
}

// errMore is the error of an incomplete list of initial states.
var errMore = errors.New("there are more initial states than are listed")

// begin yields initial states, of which there may be more.
func begin[S, E any](start []S, more bool, e E, yield func(S, E) bool) error {
	if !slices.ContainsFunc(start, func(s S) bool { return !yield(s, e) }) && more {
		return errMore
	}
	return nil
}

// walker is a Subject.
type walker[S, E any] struct {
	stepper[S, E]
	mu    sync.Mutex
	root  branch[S, E]
	size  int
	extra []step[S, E] // initial states of counterexamples that are not listed: from MostStarts on
}

func walk[S, E any](s stepper[S, E]) Subject { return &walker[S, E]{stepper: s} }

// branch is one of the paths that were followed, so that the next step of one costs no more than that step.
type branch[S, E any] struct {
	at   *step[S, E]
	next map[int]*branch[S, E]
}

func (b *branch[S, E]) state() *S {
	if b.at == nil {
		return nil
	}
	return &b.at.state
}

// mostKept bounds how many steps of paths are kept.
const mostKept = 2_000

// each yields what can happen in a state, or at first; errMore if it is cut short.
func (w *walker[S, E]) each(ctx context.Context, at *S, yield func(S, E) bool) error {
	n, more := 0, false
	err := w.next(ctx, at, func(s S, e E) bool {
		if more = at == nil && n == MostStarts; more {
			return false
		}
		n++
		return yield(s, e)
	})
	if err == nil && more {
		err = errMore
	}
	return err
}

// keep adds a step to a path that is kept.
func (w *walker[S, E]) keep(b *branch[S, E], choice int, s step[S, E]) *branch[S, E] {
	if next := b.next[choice]; next != nil {
		return next
	}
	next := &branch[S, E]{at: &s}
	if w.size++; w.size > mostKept {
		w.root, w.size = branch[S, E]{}, 0
		return next // which is not kept
	}
	if b.next == nil {
		b.next = map[int]*branch[S, E]{}
	}
	b.next[choice] = next
	return next
}

// errNowhere is the error of a path that no run takes.
var errNowhere = errors.New("the path leads nowhere")

// choose finds the first of what can happen that a test accepts.
func (w *walker[S, E]) choose(ctx context.Context, at *S, is func(k int, s S) bool) (int, *step[S, E], error) {
	k, choice := 0, -1
	var found *step[S, E]
	err := w.each(ctx, at, func(s S, e E) bool {
		if is(k, s) {
			choice, found = k, &step[S, E]{s, e}
		}
		k++
		return found == nil
	})
	switch {
	case found != nil:
		return choice, found, nil
	case err == nil || err == errMore:
		err = errNowhere
	}
	return choice, nil, err
}

// follow lists the steps of a path.
func (w *walker[S, E]) follow(ctx context.Context, path []int) (taken []step[S, E], err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &w.root
	for k, choice := range path {
		next := b.next[choice]
		if i := choice - MostStarts; next == nil && k == 0 && i >= 0 && i < len(w.extra) {
			next = w.keep(b, choice, w.extra[i])
		}
		if next == nil {
			_, s, err := w.choose(ctx, b.state(), func(i int, _ S) bool { return i == choice })
			switch {
			case err != nil && ctx.Err() != nil:
				return nil, fmt.Errorf("step %d of the path was not found among all that can happen: %w", k, err)
			case err != nil:
				return nil, err
			}
			next = w.keep(b, choice, *s)
		}
		b = next
		taken = append(taken, *b.at)
	}
	return taken, nil
}

// path finds a run's steps among those possible, its loop once; what changes nothing may not be among them.
func (w *walker[S, E]) path(ctx context.Context, t target[S, E]) ([]int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	b, path := &w.root, []int{}
	for k, s := range append([]S{t.begin.state}, t.then...) {
		key := w.key(s)
		choice, found, err := w.choose(ctx, b.state(), func(_ int, s S) bool { return w.key(s) == key })
		if err == errNowhere && k > 0 && key == w.key(*b.state()) {
			continue
		}
		if err == errNowhere && k == 0 {
			choice, found, err = MostStarts+len(w.extra), &t.begin, nil
			for i := range w.extra {
				if w.key(w.extra[i].state) == key {
					choice = MostStarts + i
				}
			}
			if choice == MostStarts+len(w.extra) {
				w.extra = append(w.extra, t.begin)
			}
		}
		if err != nil {
			return nil, err
		}
		path, b = append(path, choice), w.keep(b, choice, *found)
	}
	return path, nil
}

// View implements Subject.
func (w *walker[S, E]) View(ctx context.Context, path []int, from int) (*View, error) {
	taken, err := w.follow(ctx, path)
	if err != nil {
		return nil, err
	}
	v := &View{}
	at, before := last(taken)
	if from >= 0 {
		w.offer(ctx, v, at, from)
	}
	err = w.tell(ctx, v, taken)
	if at != nil && err == nil {
		v.State = w.lines(*at, before)
		err = w.judge(v, taken)
	}
	if v.told != nil {
		v.Story, v.Charts = entries(v.told), chart.Draw(v.told).Sizes()
	}
	if err != nil {
		v.Notes = append(v.Notes, err.Error())
	}
	return v, nil
}

// entries tells a run.
func entries(r *run.Run) []Entry {
	list := []Entry{{Text: "at first"}}
	for _, l := range r.Lanes {
		if l.Start != nil {
			list[0].Details = append(list[0].Details, l.Name+": "+strings.Join(l.Start, ", "))
		}
	}
	for _, e := range r.Events {
		list = append(list, Entry{cmp.Or(e.Each, e.Text), run.Details(e.Changes, e.Sends)})
	}
	return list
}

// last is the state at the end of a path, and the one before it.
func last[S, E any](taken []step[S, E]) (at, before *S) {
	if n := len(taken); n > 0 {
		if at = &taken[n-1].state; n > 1 {
			before = &taken[n-2].state
		}
	}
	return at, before
}

// offer lists what can happen.
func (w *walker[S, E]) offer(ctx context.Context, v *View, at *S, from int) {
	pages, within := v.page(ctx, from)
	err := w.each(within, at, func(s S, e E) bool {
		pages.offer(func() string {
			if at == nil {
				return whole(w.lines(s, nil))
			}
			return w.choice(at, s, e)
		})
		return true
	})
	how := complete
	switch {
	case err == errMore:
		how = bounded
	case err != nil && within.Err() != nil:
		how = givenUp
	case err != nil:
		v.Notes = append(v.Notes, err.Error())
	}
	pages.end(how)
}

// whole is a state in a line: what is nothing is left out.
func whole(lines []Line) (text string) {
	for _, l := range lines {
		if l.Text != "" && l.Text != "0" {
			text += l.Who + ": " + l.Text + "; "
		}
	}
	return text
}

// judge says of every property whether the run so far violates it, and why.
func (w *walker[S, E]) judge(v *View, taken []step[S, E]) error {
	list, err := w.claims(taken)
	for _, c := range list {
		p := Property{Name: c.name, Value: "not violated so far"}
		switch {
		case c.open != "":
			p.Value = c.open
		case c.broken != nil:
			p.Value, p.Broken = "violated", true
			v.Notes = append(v.Notes, c.name+" is violated")
			why, err := c.broken.Why()
			if err != nil {
				p.Why = []string{err.Error()}
			}
			if v.told != nil && v.told.Spec == "" {
				v.told.Spec = c.name
				v.told.Mark(why)
			}
			for _, r := range why { // how it came to this is the run so far
				if r.Kind != run.Because && r.Kind != run.Fault && r.Kind != run.Edge {
					p.Why = append(p.Why, r.Text)
				}
			}
		}
		for _, text := range c.parts {
			if here := w.seen(text, &taken[len(taken)-1].state); !here.Wrong { // of processes that are bound outside
				p.Here = append(p.Here, here)
			}
		}
		v.Properties = append(v.Properties, p)
	}
	return err
}

// Goals implements Subject.
func (w *walker[S, E]) Goals(ctx context.Context) []Goal {
	goals := []Goal{}
	for _, t := range w.goals() {
		g := Goal{Name: t.spec + " is violated"}
		var err error
		if g.Path, err = w.path(ctx, t); err != nil {
			g.Lost = "its steps were not found among all that can happen: " + err.Error()
		}
		goals = append(goals, g)
	}
	return goals
}

// Save implements Subject: the run violates the first property that is violated at its end, or just leads there.
func (w *walker[S, E]) Save(ctx context.Context, path []int) (string, []byte, error) {
	taken, err := w.follow(ctx, path)
	if err == nil && len(taken) == 0 {
		err = errors.New("there is no run yet")
	}
	if err != nil {
		return "", nil, err
	}
	list, err := w.claims(taken)
	if err != nil {
		return "", nil, err
	}
	saved := w.file(taken)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].broken != nil {
			saved = list[i].broken
		}
	}
	if saved == nil {
		return "", nil, errors.New("only runs that violate a property are saved: this one violates none (and a loop " +
			"is not walked by hand)")
	}
	data, err := json.MarshalIndent(saved, "", "  ")
	return "run.json", data, err
}

// Without implements Subject.
func (w *walker[S, E]) Without(ctx context.Context, path []int) (*Healed, error) {
	taken, err := w.follow(ctx, path)
	switch {
	case err != nil:
		return nil, err
	case len(taken) == 0:
		return &Healed{Notes: []string{"There is no run yet."}}, nil
	}
	h, err := w.without(ctx, taken)
	if h == nil && err == nil {
		h = &Healed{Notes: []string{"Nothing is faulty in this run."}}
	}
	return h, err
}

// Watch implements Subject.
func (w *walker[S, E]) Watch(ctx context.Context, path []int, conditions []string) (list []Watched) {
	taken, err := w.follow(ctx, path)
	at, _ := last(taken)
	for _, text := range conditions {
		shown := w.seen(text, at)
		if err != nil {
			shown.Value, shown.Wrong = err.Error(), true
		}
		list = append(list, shown)
	}
	return list
}

// seen is what a condition is in a state.
func (w *walker[S, E]) seen(text string, at *S) Watched {
	shown := Watched{Text: text}
	x, err := w.watch(text)
	if err == nil && at != nil {
		shown.Value, err = x.show(*at)
	}
	if err != nil {
		shown.Value, shown.Wrong = err.Error(), true
	} else if at != nil && x.why != nil && shown.Value == "false" {
		shown.Value = run.Line(shown.Value, "", x.why(*at))
	}
	return shown
}

// conditions lists the conditions of states that a formula is made of: its greatest parts without temporal operators.
func conditions[T fmt.Stringer](e T, temporal func(T) bool, args func(T) []T) (list []string) {
	if !temporal(e) {
		return []string{e.String()}
	}
	for _, a := range args(e) {
		list = lists.Union(list, conditions(a, temporal, args)...)
	}
	return list
}

// called is how a file is called on a page: without folders of this machine.
func called(file string) string {
	if filepath.IsAbs(file) {
		return filepath.Base(file)
	}
	return file
}

// Find implements Subject.
func (w *walker[S, E]) Find(ctx context.Context, path []int, condition string) ([]int, error) {
	taken, err := w.follow(ctx, path)
	if err != nil {
		return nil, err
	}
	x, err := w.watch(condition)
	if err == nil {
		err = x.value
	}
	if err != nil {
		return nil, err
	}
	from, _ := last(taken) // nil is before the initial states
	key := func(s *S) string {
		if s == nil {
			return ""
		}
		return w.key(*s)
	}
	return search(ctx, from, key, func(s *S, yield func(*S) bool) error {
		err := w.each(ctx, s, func(next S, _ E) bool { return yield(&next) })
		if err == errMore {
			return nil
		}
		return err
	}, func(s *S) (bool, error) { return x.holds(*s) })
}

// nothing is the error of an empty text in the place of a condition.
func nothing(text, example string) error {
	if strings.TrimSpace(text) != "" {
		return nil
	}
	return wrongCondition(1, "there is nothing: write a condition or a value, such as "+example)
}

// noCondition is the error of a value in the place of a condition.
func noCondition(text string) error {
	return wrongCondition(len([]rune(text)), "this is no condition, but a value: compare it with one")
}

func wrongCondition(width int, text string) error {
	return diag.Wrong(diag.Pos{File: "condition", Line: 1, Col: 1}, width, "%s", text)
}

// noFaults is for kinds of models in which it is not known which steps are those of faulty processes.
type noFaults[S, E any] struct{}

func (noFaults[S, E]) without(context.Context, []step[S, E]) (*Healed, error) {
	return &Healed{Notes: []string{"This is known of protocols only: here, it is not known which steps are those of " +
		"faulty processes."}}, nil
}
